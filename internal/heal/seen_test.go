package heal_test

import (
	"os"
	"path/filepath"
	"testing"

	"fettle/internal/check"
	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/heal"
)

// A task says what may be read of a tree and changed in it: two on the same files are the same in another session, too, and what stands in any file, or in which the fixer may work, makes another of it.
func TestSeen(t *testing.T) {
	var seen []edit.Hash
	f := &script{name: "agent", rung: fix.RungAgent, answers: func(t fix.Task) []fix.Candidate {
		seen = append(seen, t.Seen)
		return nil
	}}
	b := set(t, map[string]string{"a.txt": "BAD\n", "b/c.txt": "x\n"}, []check.Check{nobad}, f)
	for _, c := range []struct {
		name string
		goal heal.Goal
		file string // that is written before
		text string
		as   int // which one of those before it is the same; -1: none
	}{
		{"the first", heal.Goal{}, "", "", -1},
		{"another session", heal.Goal{}, "", "", 0},
		{"a dry run", heal.Goal{DryRun: true}, "", "", 0},
		{"a narrower goal", heal.Goal{Only: []string{"a.txt"}}, "", "", -1},
		{"another file is changed", heal.Goal{}, "b/c.txt", "y\n", -1},
		{"and changed back", heal.Goal{}, "b/c.txt", "x\n", 0},
		{"a file is new", heal.Goal{}, "d.txt", "", -1},
	} {
		if c.file != "" {
			if err := os.WriteFile(filepath.Join(b.root, c.file), []byte(c.text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		b.start(t, c.goal)
		last := len(seen) - 1
		if seen[last] == "" {
			t.Fatalf("%s: nothing is known", c.name)
		}
		as := -1
		for i, s := range seen[:last] {
			if s == seen[last] {
				as = i
				break
			}
		}
		if as != c.as {
			t.Errorf("%s is the same as %d, want %d", c.name, as, c.as)
		}
	}
}
