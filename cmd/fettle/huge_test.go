package main

import (
	"os"
	"os/exec"
	"syscall"
	"testing"

	"fettle/internal/testenv"
)

// Healing one of 100,000 files, and taking that back, takes no more memory than small machines have.
func TestHugeRepository(t *testing.T) {
	if os.Getenv("FETTLE_SOAK") == "" {
		t.Skip("makes 100,000 files; runs in make soak")
	}
	const most = 300 << 10 // KB
	fettle := build(t)
	repo := testenv.Huge(t, "text\n", map[string]string{
		"a.go":        "package a\n\nvar  a = 1\n",
		"fettle.yaml": "version: 1\nchecks:\n  format:\n    run: gofmt -l a.go\n    fix: gofmt -w a.go\n",
	})
	do := func(args ...string) string {
		t.Helper()
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = repo
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); !ok || usage.Maxrss > most {
			t.Errorf("%v took %d KB", args, usage.Maxrss)
		}
		return string(out)
	}
	do(fettle, "fix")
	if changed := do("git", "diff", "--name-only"); changed != "a.go\n" {
		t.Errorf("changed: %q", changed)
	}
	do(fettle, "run")
	do(fettle, "undo")
	if changed := do("git", "diff", "--name-only"); changed != "" {
		t.Errorf("changed: %q", changed)
	}
}
