// Package testenv tells tests what this machine has. On a developer's machine a test whose tool is missing is skipped; in
// continuous integration (FETTLE_CI=1) it fails, so that a green run means that every test ran.
package testenv

import (
	"os"
	"os/exec"
	"testing"
)

// CI reports whether every tool is expected to be there.
func CI() bool { return os.Getenv("FETTLE_CI") == "1" }

// Race reports whether the race detector watches, under which everything takes some ten times as long. What is tried many times to
// find what is rare, or starts the whole program, not what happens side by side, is tried less often then, and in full in a run without
// it (make test has both).
func Race() bool { return race }

// NeedTool skips the test unless the program is on PATH, and returns its path. In continuous integration it fails instead.
func NeedTool(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		Missing(t, name+" is not on PATH; run make deps")
	}
	return path
}

// Soak reports whether what is tried at random is tried as often as make soak does: then nothing may be left out silently.
func Soak() bool {
	for _, name := range []string{"FETTLE_SOAK", "FETTLE_POWER", "FETTLE_FAILS"} {
		if os.Getenv(name) != "" {
			return true
		}
	}
	return false
}

// Missing skips the test, or fails it in continuous integration.
func Missing(t testing.TB, what string) {
	t.Helper()
	if CI() {
		t.Fatalf("needed here: %s", what)
	}
	t.Skip(what)
}
