package runner_test

import (
	"os"
	"path/filepath"
	"testing"

	"fettle/internal/runner"
)

func TestInside(t *testing.T) {
	resolved, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(resolved, root); err != nil {
		t.Fatal(err)
	}
	for abs, want := range map[string]string{
		root:                                 ".",
		filepath.Join(root, "a", "b.go"):     "a/b.go",
		filepath.Join(resolved, "a", "b.go"): "a/b.go",
		filepath.Join(root, "..x"):           "..x",
		filepath.Dir(resolved):               "",
		resolved + "x":                       "",
		filepath.Join(root, "..", "other"):   "",
	} {
		if got, ok := runner.Inside(root, abs); got != want || ok != (want != "") {
			t.Errorf("%s is %q, %v", abs, got, ok)
		}
	}
}
