package inside

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// LookPath finds a program as a shell standing in dir with this environment would: a name with a slash is taken from dir,
// any other is looked up in PATH. Relative and empty entries of PATH are passed over, so that a repository's file is never
// run in place of a tool by accident. A program that is not there is an error that names it and matches exec.ErrNotFound.
func LookPath(name, dir string, env []string) (string, error) {
	if strings.ContainsRune(name, '/') {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		if err := executable(path); err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		return path, nil
	}
	for _, entry := range filepath.SplitList(getenv(env, "PATH")) {
		if !filepath.IsAbs(entry) {
			continue
		}
		if path := filepath.Join(entry, name); executable(path) == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s: %w", name, exec.ErrNotFound)
}

func executable(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
		return exec.ErrNotFound
	case err != nil:
		return err
	case info.IsDir():
		return errors.New("is a folder, not a program")
	case info.Mode()&0o111 == 0:
		return errors.New("is not executable (chmod +x)")
	}
	return nil
}

// getenv is the last value of a variable in an environment, as programs see it.
func getenv(env []string, name string) string {
	for i := len(env) - 1; i >= 0; i-- {
		if v, ok := strings.CutPrefix(env[i], name+"="); ok {
			return v
		}
	}
	return ""
}

// StartError says in plain words why an existing program could not be started.
func StartError(err error, dir string) error {
	if dir != "" {
		if info, serr := os.Stat(dir); serr != nil || !info.IsDir() {
			return fmt.Errorf("the working directory %s is not there: %w", dir, err)
		}
	}
	switch {
	case errors.Is(err, syscall.ENOENT):
		return fmt.Errorf("the interpreter named in its first line is missing: %w", exec.ErrNotFound)
	case errors.Is(err, syscall.ENOEXEC):
		return fmt.Errorf("neither a program for this machine nor a script with a #! line: %w", err)
	}
	return err
}
