package audit_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"fettle/internal/audit"
	"fettle/internal/edit"
)

// files is a tree in which "" means that a file does not exist.
type files map[string]string

// input is the change that makes one tree of another, by a fixer that has to make a failing test pass; which files there are beside it is not known.
func input(before, after files) audit.Input {
	was, is := before.tree(), after.tree()
	return audit.Input{
		Patch:  edit.Between(was, is),
		Source: func(path string) (edit.File, error) { return was[path], nil },
	}
}

// listed is such a change in a repository that has these files, and no others.
func listed(before, after files) audit.Input {
	in := input(before, after)
	in.Files = func() []string { return slices.Sorted(maps.Keys(before)) }
	return in
}

func (f files) tree() map[string]edit.File {
	tree := make(map[string]edit.File)
	for name, text := range f {
		if text != "" {
			tree[name] = edit.File{Data: []byte(text), Mode: 0o644, Exists: true}
		}
	}
	return tree
}

// with is the tree with some files more, or others.
func (f files) with(more files) files {
	all := maps.Clone(f)
	maps.Copy(all, more)
	return all
}

// changed is the tree with one text in a file in the place of another.
func (f files) changed(t *testing.T, path, before, after string) files {
	t.Helper()
	return f.with(files{path: replaceOnce(t, f[path], before, after)})
}

func replaceOnce(t *testing.T, s, before, after string) string {
	t.Helper()
	if strings.Count(s, before) != 1 {
		t.Fatalf("%q does not stand once in %q", before, s)
	}
	return strings.Replace(s, before, after, 1)
}

// change is a row of a table: a file in which one text takes the place of another.
type change struct{ name, path, before, old, new string }

// input is the change as a person makes it who means to change tests.
func (c change) input(t *testing.T) audit.Input {
	t.Helper()
	before := files{c.path: c.before}
	in := input(before, before.changed(t, c.path, c.old, c.new))
	in.Goal = audit.Goal{By: audit.Person, Tests: true}
	return in
}

// check judges a change, and compares what is found with what has to be: each as "effect rule".
func check(t *testing.T, in audit.Input, want []string) audit.Report {
	t.Helper()
	r := audit.Audit(t.Context(), in)
	if got := effects(r); !slices.Equal(got, want) {
		t.Errorf("by %d: got %q, want %q\n%v", in.Goal.By, got, want, r.Findings)
	}
	return r
}

// effects lists the findings as "effect rule", sorted, each once.
func effects(r audit.Report) []string {
	var all []string
	for _, f := range r.Findings {
		all = append(all, string(f.Effect)+" "+f.Rule)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// expect judges a change, and compares the rules that refuse it or ask about it with one; "": with none. What names stand for, and what code can do, is for others.
func expect(t *testing.T, in audit.Input, rule string) {
	t.Helper()
	var want []string
	if rule != "" {
		want = []string{rule}
	}
	r := audit.Audit(t.Context(), in)
	var asked []string
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
