// Command untxtar lays out the files of a txtar archive in a folder: untxtar ARCHIVE FOLDER.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/txtar"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: untxtar ARCHIVE FOLDER")
		os.Exit(2)
	}
	if err := layOut(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "untxtar:", err)
		os.Exit(1)
	}
}

func layOut(archive, folder string) error {
	a, err := txtar.ParseFile(archive)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, f := range a.Files {
		if err := root.MkdirAll(filepath.Dir(f.Name), 0o755); err != nil {
			return fmt.Errorf("%s: %w", archive, err)
		}
		if err := root.WriteFile(f.Name, f.Data, 0o644); err != nil {
			return fmt.Errorf("%s: %w", archive, err)
		}
	}
	return nil
}
