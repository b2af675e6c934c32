package search

import (
	"strings"
	"testing"
)

// An idea that panics somewhere is left out there, and the others are asked as before.
func TestIdeaThatPanics(t *testing.T) {
	sites := unitOf(t, "a.py", "def f(a, b):\n    return a + b\n")
	u := sites[0].unit
	bad := template{"bad", 0.9, 0.5, func(*site, func(change)) { panic("no such part") }}
	u.ideas["Python"] = append([]template{bad}, templates...)
	found := 0
	for range propose(sites) {
		found++
	}
	if found == 0 {
		t.Error("the others were not asked")
	}
	var said []string
	u.slips.tell(func(text string) { said = append(said, text) })
	if len(said) != 1 || !strings.HasPrefix(said[0], "the idea bad failed at a.py:1 and was left out there") || !strings.HasSuffix(said[0], ": no such part") {
		t.Error(said)
	}
}
