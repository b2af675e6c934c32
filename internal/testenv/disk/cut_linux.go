package disk

import (
	"os"
	"path/filepath"
	"testing"
)

// Cut lets do work in a folder, and then looks, for each rule and some seeds, at what a power cut after its last operation leaves
// in that same folder. What they open there is closed by their own
// cleanups.
func Cut(t *testing.T, do func(t *testing.T, dir string), look func(t *testing.T, dir string)) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "disk")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	d := Mount(t, dir)
	r := Recording{Base: d.Begin()}
	if !t.Run("do", func(t *testing.T) {
		do(t, dir)
		r.Ops = d.Ops() // closing what is open is not part of it
	}) {
		return
	}
	d.Unmount()
	for _, rule := range Rules {
		seeds := uint64(4)
		if rule == Strict { // it leaves nothing to chance
			seeds = 1
		}
		for seed := range seeds {
			t.Run(string(rule), func(t *testing.T) {
				Memory(t, dir)
				if err := r.After(Crash{At: len(r.Ops), Rule: rule, Seed: seed}).Store(dir); err != nil {
					t.Fatal(err)
				}
				look(t, dir)
			})
		}
	}
}
