// Package lay answers "how do the files of what is measured get onto the disk?".
package lay

import (
	"archive/zip"
	"errors"
	"os"
	"path/filepath"
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

// Zip packs files, by their slash paths, as an archive.
func Zip(archive string, files map[string]string) (err error) {
	f, err := os.Create(archive)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	z := zip.NewWriter(f)
	for name, text := range files {
		w, err := z.Create(name)
		if err != nil {
			return err
		}
		if _, err := w.Write([]byte(text)); err != nil {
			return err
		}
	}
	return z.Close()
}
