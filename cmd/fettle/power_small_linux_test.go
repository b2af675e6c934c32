package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fettle/internal/testenv/disk"
)

// What init and run --write-baseline have said that they wrote survives a power cut, with its name.
func TestWrittenFilesAreSynced(t *testing.T) {
	bin := build(t)
	for _, c := range []struct{ command, file, holds string }{
		{"init", "fettle.yaml", "format.gofmt"},
		{"run --write-baseline", "fettle-baseline.json", "a.go"},
	} {
		t.Run(c.file, func(t *testing.T) {
			home := t.TempDir()
			disk.Cut(t, func(t *testing.T, dir string) {
				for name, text := range map[string]string{"go.mod": "module a\n\ngo 1.22\n", "a.go": "package a\n\nvar  a = 1\n"} {
					if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				cmd := exec.CommandContext(t.Context(), bin, strings.Fields(c.command)...)
				cmd.Dir, cmd.Env = dir, append(os.Environ(), "XDG_STATE_HOME="+filepath.Join(home, "state"))
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("fettle %s: %v\n%s", c.command, err, out)
				}
			}, func(t *testing.T, dir string) {
				if text, err := os.ReadFile(filepath.Join(dir, c.file)); err != nil || !strings.Contains(string(text), c.holds) {
					t.Errorf("%s is %q, %v", c.file, text, err)
				}
			})
		})
	}
}
