package audit_test

import (
	"slices"
	"testing"

	"fettle/internal/audit"
)

// change is a row of a table: a file in which one text takes the place of another; without a file before, it is new.
type change struct{ name, path, before, old, new string }

// after is what the file holds then.
func (c change) after(t *testing.T) string {
	t.Helper()
	if c.before == "" {
		return c.new
	}
	return replaceOnce(t, c.before, c.old, c.new)
}

// input is the change as a person makes it who means to change tests.
func (c change) input(t *testing.T) audit.Input {
	t.Helper()
	in := input(files{c.path: c.before}, files{c.path: c.after(t)})
	in.Goal = audit.Goal{By: audit.Person, Tests: true}
	return in
}

// expect judges a change, and compares the rules that refuse it or ask about it with one; "": with none. What names stand for, and what code can do, is for others.
func expect(t *testing.T, in audit.Input, rule string) {
	t.Helper()
	var asked, want []string
	if rule != "" {
		want = []string{rule}
	}
	r := audit.Audit(in)
	for _, f := range r.Findings {
		if f.Effect != audit.Note && f.Rule != "undefined-name" && f.Rule != "danger" {
			asked = append(asked, f.Rule)
		}
	}
	slices.Sort(asked)
	if got := slices.Compact(asked); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q\n%v", got, want, r.Findings)
	}
}
