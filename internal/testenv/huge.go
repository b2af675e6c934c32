package testenv

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Huge makes a repository of 100,000 files that hold the text, in 2,000 folders, and of those given by name, all in git's index.
func Huge(t testing.TB, text string, named map[string]string) string {
	t.Helper()
	repo := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(repo, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for d := range 2000 {
		dir := fmt.Sprintf("d%d/e%d", d%40, d)
		if err := os.MkdirAll(filepath.Join(repo, dir), 0o755); err != nil {
			t.Fatal(err)
		}
		for f := range 50 {
			write(fmt.Sprintf("%s/file%d.txt", dir, f), text)
		}
	}
	for name, text := range named {
		write(name, text)
	}
	for _, argv := range [][]string{{"init", "-q"}, {"add", "-A"}} {
		cmd := exec.Command("git", argv...)
		cmd.Dir = repo
		if err := cmd.Run(); err != nil {
			t.Fatal(err)
		}
	}
	return repo
}
