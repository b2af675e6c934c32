// Package lay answers "how do the files of what is measured get onto the disk?".
package lay

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// Files writes files below a folder, by their slash paths from there, and makes the folders that they need.
func Files(root string, files map[string]string) error {
	for name, text := range files {
		full := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Repository writes files below a folder, and makes one commit of them.
func Repository(ctx context.Context, root string, files map[string]string) error {
	if err := Files(root, files); err != nil {
		return err
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=b", "-c", "user.email=b@localhost", "commit", "-qm", "as it is"}} {
		if out, err := exec.CommandContext(ctx, "git", append([]string{"-C", root}, args...)...).CombinedOutput(); err != nil {
			return fmt.Errorf("git %s: %w: %s", args[0], err, out)
		}
	}
	return nil
}

// Packages makes the Node packages to which a tool on PATH belongs those of a folder.
func Packages(root, tool string) error {
	bin, err := exec.LookPath(tool)
	if err != nil {
		return fmt.Errorf("make deps installs it: %w", err)
	}
	if bin, err = filepath.Abs(bin); err != nil {
		return err
	}
	return os.Symlink(filepath.Dir(filepath.Dir(bin)), filepath.Join(root, "node_modules"))
}

// Zip packs files, by their slash paths, as an archive: the same bytes each time.
func Zip(archive string, files map[string]string) (err error) {
	f, err := os.Create(archive)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	z := zip.NewWriter(f)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			return err
		}
		if _, err := w.Write([]byte(files[name])); err != nil {
			return err
		}
	}
	return z.Close()
}
