package cli

import (
	"os"
	"path/filepath"
	"testing"
)

// TestSmuggled tells a policy of the user's from one that a project has made to look like it.
func TestSmuggled(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	app := filepath.Join(base, "me", "app")
	if err := os.MkdirAll(filepath.Join(app, ".evil"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{filepath.Join(app, ".evil", "policy.yaml"), filepath.Join(base, "me", "policy.yaml")} {
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(app, filepath.Join(base, "link")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		policy, root, home string
		want               bool
	}{
		{"me/policy.yaml", "me/app", "me", false},
		{"me/app/.evil/policy.yaml", "me/app", "me", true},
		{"link/.evil/policy.yaml", "me/app", "me", true},
		{"me/app/.evil/policy.yaml", "me/app", "elsewhere", true},
		{"me/policy.yaml", "me", "me", false}, // who works in their home
		{"me/policy.yaml", ".", "me", false},
		{"me/app/gone.yaml", "me/app", "me", true},
	} {
		if got := smuggled(filepath.Join(base, c.policy), filepath.Join(base, c.root), filepath.Join(base, c.home)); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	if smuggled(filepath.Join(app, ".evil", "policy.yaml"), app, "") != true {
		t.Error("without a home everything in the project is the project's")
	}
}
