package node

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

//go:embed serve
var programs embed.FS

// unpack writes our programs into a folder.
func unpack(dir string) error {
	entries, err := fs.ReadDir(programs, "serve")
	if err != nil {
		return fmt.Errorf("unpack: %w", err)
	}
	for _, e := range entries {
		text, err := fs.ReadFile(programs, "serve/"+e.Name())
		if err != nil {
			return fmt.Errorf("unpack: %w", err)
		}
		if err := os.WriteFile(filepath.Join(dir, e.Name()), text, 0o600); err != nil {
			return fmt.Errorf("scratch: %w", err)
		}
	}
	// Without it, what kind of modules these are would depend on what stands above.
	return writeJSON(filepath.Join(dir, "package.json"), map[string]string{"type": "commonjs"})
}

func writeJSON(name string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("scratch: %w", err)
	}
	if err := os.WriteFile(name, text, 0o600); err != nil {
		return fmt.Errorf("scratch: %w", err)
	}
	return nil
}
