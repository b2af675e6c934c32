package main

import (
	"os"
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"

	"fettle/internal/fix"
	"fettle/internal/fix/belief"
	"fettle/scripts/figures"
)

// What fettle is 90 % sure of is right in 85 of 100 cases at least, among patches that nothing was fitted to; and the gate keeps its word as well.
func TestOnPatchesThatNothingWasFittedTo(t *testing.T) {
	root, err := figures.Root()
	assert.NilError(t, err)
	sets, err := load(root)
	assert.NilError(t, err)
	_, test := split(sets)
	for _, c := range []struct{ sure, right float64 }{{0.9, 0.85}, {figures.Gate, 0.85}} {
		n, right := 0, 0
		for _, x := range test {
			if belief.Of(x.Grounds) >= c.sure {
				n++
				if x.Right {
					right++
				}
			}
		}
		assert.Assert(t, n >= 40, "only %d patches are that sure", n)
		assert.Assert(t, float64(right) >= c.right*float64(n), "of %d patches that are %.0f %% sure %d are right", n, c.sure*100, right)
	}
}

// What is checked in is what comes of the measurements that are checked in.
func TestFitted(t *testing.T) {
	root, err := figures.Root()
	assert.NilError(t, err)
	sets, err := load(root)
	assert.NilError(t, err)
	fit, test := split(sets)
	w := fitted(fit)
	want, err := source(w)
	assert.NilError(t, err)
	for name, want := range map[string]string{"internal/fix/belief/measured.go": string(want), "docs/confidence.md": document(sets, w, fit, test)} {
		got, err := os.ReadFile(filepath.Join(root, name))
		assert.NilError(t, err)
		assert.Equal(t, string(got), want, "%s: go generate ./internal/fix/belief", name)
	}
}

// What is alike stands on one side.
func TestSplit(t *testing.T) {
	var all []figures.Belief
	for range 9 {
		for _, group := range []string{"a", "b", "mux"} {
			all = append(all, figures.Belief{Group: group, Grounds: &fix.Grounds{}})
		}
	}
	fit, test := split([]set{{"some", all}})
	assert.Equal(t, len(fit)+len(test), 27)
	assert.Equal(t, len(fit)%9, 0)
}
