package workspace

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// headCommit is the commit that HEAD names, read as git lays it out (gitrepository-layout(5)): a few files, no process. Where
// the branch has no commit yet it is what HEAD says, and where the refs are kept in a form we do not read (reftable), the list
// of its tables, which changes with every update.
func headCommit(root string) (string, error) {
	gitDir, err := findGitDir(root)
	if err != nil || gitDir == "" {
		return "", err
	}
	head, err := readLine(filepath.Join(gitDir, "HEAD"))
	if err != nil || head == "" {
		return "", err
	}
	ref, symbolic := strings.CutPrefix(head, "ref: ")
	if !symbolic {
		return head, nil
	}
	common := gitDir
	if dir, err := readLine(filepath.Join(gitDir, "commondir")); err != nil {
		return "", err
	} else if dir != "" {
		common = absolute(dir, gitDir)
	}
	for _, dir := range []string{gitDir, common} {
		if id, err := readLine(filepath.Join(dir, filepath.FromSlash(ref))); err != nil || id != "" {
			return id, err
		}
	}
	packed, err := os.ReadFile(filepath.Join(common, "packed-refs"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	for line := range bytes.Lines(packed) {
		if id, name, ok := strings.Cut(strings.TrimSpace(string(line)), " "); ok && name == ref {
			return id, nil
		}
	}
	tables, err := os.ReadFile(filepath.Join(common, "reftable", "tables.list"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	return head + string(tables), nil
}

// findGitDir is the git folder of the working tree that root is or lies in; empty: none.
func findGitDir(root string) (string, error) {
	for dir := root; ; dir = filepath.Dir(dir) {
		dotGit := filepath.Join(dir, ".git")
		info, err := os.Stat(dotGit)
		switch {
		case err == nil && info.IsDir():
			return dotGit, nil
		case err == nil:
			line, err := readLine(dotGit)
			if to, ok := strings.CutPrefix(line, "gitdir: "); ok && err == nil {
				return absolute(to, dir), nil
			}
			return "", err
		case !errors.Is(err, fs.ErrNotExist):
			return "", err
		}
		if dir == filepath.Dir(dir) {
			return "", nil
		}
	}
}

func absolute(path, dir string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// readLine is a small file's content without the newline at its end; a missing one is empty.
func readLine(file string) (string, error) {
	b, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.EISDIR) {
		return "", nil
	}
	return strings.TrimRight(string(b), "\r\n"), err
}
