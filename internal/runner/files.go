package runner

import (
	"errors"
	"io/fs"
	"path/filepath"

	"fettle/internal/check"
	"fettle/internal/edit"
)

// Roots are the names of a root: tools may name it by its real path, which is the last.
func Roots(root string) []string {
	if resolved, err := filepath.EvalSymlinks(root); err == nil && resolved != root {
		return []string{root, resolved}
	}
	return []string{root}
}

// Inside is the slash path from the root of an absolute path, and whether it lies in the root at all.
func Inside(root, abs string) (string, bool) {
	for _, r := range Roots(root) {
		if rel, err := filepath.Rel(r, abs); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel), true
		}
	}
	return "", false
}

// Source reads the files that candidates change, as they stand.
func Source(at check.Place) edit.Source {
	return func(path string) (edit.File, error) {
		data, err := at.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return edit.File{}, nil
		}
		return edit.File{Data: data, Mode: 0o644, Exists: err == nil}, err
	}
}
