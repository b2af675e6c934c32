package edit_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"fettle/internal/edit"

	"pgregory.net/rapid"
)

func TestBetweenThenApplyGivesAfter(t *testing.T) {
	check(t, func(t *rapid.T) {
		before := anything.Draw(t, "before")
		after := anything.Near(t, before)
		p := edit.Between(before, after)
		if got := before.After(t, p); !got.Equal(after) {
			t.Fatalf("got %v, want %v", got, after)
		}
		if p2 := edit.Between(after, after); len(p2) != 0 {
			t.Fatalf("a tree differs from itself: %v", p2)
		}
	})
}

func TestInvertUndoesEverything(t *testing.T) {
	check(t, func(t *rapid.T) {
		before := anything.Draw(t, "before")
		p := edit.Between(before, anything.Near(t, before))
		back, err := p.Invert(before.Source)
		if err != nil {
			t.Fatal(err)
		}
		after := before.After(t, p)
		if got := after.After(t, back); !got.Equal(before) {
			t.Fatalf("undone: %v, before: %v", got, before)
		}
	})
}

func TestInvertOfNeighbouringDeletions(t *testing.T) {
	base := of("f", "aabbcc")
	p := edit.Patch{{Path: "f", Op: edit.Modify, Base: edit.Sum([]byte("aabbcc")), Edits: []edit.Edit{{Start: 0, End: 2}, {Start: 2, End: 4}}}}
	back, err := p.Invert(base.Source)
	if err != nil {
		t.Fatal(err)
	}
	if got := base.After(t, p).After(t, back); !got.Equal(base) {
		t.Errorf("got %q", got["f"].Data)
	}
}

func TestInvertRefusesUnknownMode(t *testing.T) {
	base := tree{"f": {Data: []byte("x"), Exists: true}}
	p := edit.Patch{{Path: "f", Op: edit.Modify, Base: edit.Sum([]byte("x")), Mode: 0o755}}
	if _, err := p.Invert(base.Source); err == nil {
		t.Error("a mode that is not known was promised back")
	}
}

func TestApplyIsAllOrNothing(t *testing.T) {
	base := of("a", "1\n", "b", "2\n")
	p := edit.Between(base, of("a", "one\n", "b", "two\n"))
	base["b"] = edit.File{Data: []byte("changed meanwhile\n"), Mode: 0o644, Exists: true}
	got, err := p.Apply(base.Source)
	var mismatch *edit.MismatchError
	if got != nil || !errors.As(err, &mismatch) || mismatch.Path != "b" {
		t.Fatalf("got %v, %v", got, err)
	}
}

func TestMismatch(t *testing.T) {
	x := edit.Sum([]byte("x"))
	for name, tc := range map[string]struct {
		change edit.Change
		base   edit.File
		says   string
	}{
		"create over a file": {edit.Change{Path: "f", Op: edit.Create}, edit.File{Exists: true}, "already exists"},
		"modify nothing":     {edit.Change{Path: "f", Op: edit.Modify, Base: x, Mode: 0o600}, edit.File{}, "does not exist any more"},
		"delete another":     {edit.Change{Path: "f", Op: edit.Delete, Base: x}, edit.File{Data: []byte("y"), Exists: true}, "has changed since"},
	} {
		var mismatch *edit.MismatchError
		if _, err := tc.change.Apply(tc.base); !errors.As(err, &mismatch) || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestValidateRefuses(t *testing.T) {
	x := edit.Sum([]byte("x"))
	mod := func(path string, edits ...edit.Edit) edit.Change {
		return edit.Change{Path: path, Op: edit.Modify, Base: x, Mode: 0o644, Edits: edits}
	}
	for name, p := range map[string]edit.Patch{
		"absolute path":          {mod("/etc/passwd")},
		"path out of the tree":   {mod("../f")},
		"path with a detour":     {mod("a/../f")},
		"unclean path":           {mod("a//f")},
		"the root":               {mod(".")},
		"empty path":             {mod("")},
		"NUL in the path":        {mod("a\x00")},
		"unsorted":               {mod("b"), mod("a")},
		"twice":                  {mod("a"), mod("a")},
		"file and folder":        {mod("a"), mod("a/b/c")},
		"overlap":                {mod("a", edit.Edit{Start: 0, End: 2}, edit.Edit{Start: 1, End: 3})},
		"out of order":           {mod("a", edit.Edit{Start: 5, End: 6}, edit.Edit{Start: 1, End: 2})},
		"two insertions":         {mod("a", edit.Edit{Start: 5, End: 5}, edit.Edit{Start: 5, End: 5})},
		"backward range":         {mod("a", edit.Edit{Start: 5, End: 4})},
		"negative":               {mod("a", edit.Edit{Start: -1, End: 4})},
		"type bits":              {{Path: "a", Op: edit.Modify, Base: x, Mode: 1<<31 | 0o644}},
		"nothing to do":          {{Path: "a", Op: edit.Modify, Base: x}},
		"modify without base":    {{Path: "a", Op: edit.Modify, Mode: 0o644}},
		"base that is no hash":   {{Path: "a", Op: edit.Modify, Mode: 0o644, Base: "abc"}},
		"create with base":       {{Path: "a", Op: edit.Create, Base: x}},
		"create in the middle":   {{Path: "a", Op: edit.Create, Edits: []edit.Edit{{Start: 1, End: 1}}}},
		"delete with edits":      {{Path: "a", Op: edit.Delete, Base: x, Edits: []edit.Edit{{}}}},
		"unknown operation":      {{Path: "a", Op: "touch", Base: x}},
		"operation left out":     {{Path: "a", Base: x}},
		"delete without a base":  {{Path: "a", Op: edit.Delete}},
		"edit beyond the file's": {mod("a", edit.Edit{Start: 0, End: 1}, edit.Edit{Start: 0, End: 1})},
	} {
		if err := p.Validate(); err == nil {
			t.Errorf("%s: accepted", name)
		}
		if got, err := p.Apply(of("a", "x").Source); err == nil || got != nil {
			t.Errorf("%s: applied", name)
		}
	}
}

func TestApplyChecksBounds(t *testing.T) {
	c := edit.Change{Path: "f", Op: edit.Modify, Base: edit.Sum([]byte("x")), Edits: []edit.Edit{{Start: 1, End: 9}}}
	if _, err := c.Apply(edit.File{Data: []byte("x"), Exists: true}); err == nil || !strings.Contains(err.Error(), "byte 9") {
		t.Errorf("got %v", err)
	}
}

func TestDeleteThenFileInItsPlace(t *testing.T) {
	p := edit.Between(of("a", "x"), of("a/b", "y"))
	if err := p.Validate(); err != nil {
		t.Errorf("a file may make way for a folder: %v", err)
	}
}

func TestDigest(t *testing.T) {
	a := edit.Between(of("f", "1\n2\n"), of("f", "1\n3\n"))
	b := edit.Between(of("f", "1\n2\n"), of("f", "1\n3\n"))
	if a.Digest() != b.Digest() {
		t.Error("equal patches have other digests")
	}
	b[0].Edits[0].New = []byte("4\n")
	c := append(edit.Patch{}, a[0])
	c[0].Mode = 0o755
	seen := map[edit.Hash]bool{a.Digest(): true, b.Digest(): true, c.Digest(): true, edit.Patch(nil).Digest(): true}
	if len(seen) != 4 {
		t.Error("other patches have the same digest")
	}
	const stays = "2b932511" // stored in journals: it may not change
	if got := edit.Patch(nil).Digest().Short()[:8]; got != stays {
		t.Errorf("the digest's form has changed: %s", got)
	}
}

func TestCompareIsLineBased(t *testing.T) {
	before := edit.File{Data: []byte("a\r\nb\r\nc"), Mode: 0o644, Exists: true}
	after := edit.File{Data: []byte("a\r\nB\r\nc"), Mode: 0o644, Exists: true}
	c, changed := edit.Compare("f", before, after)
	if !changed || len(c.Edits) != 1 || c.Edits[0].Start != 3 || c.Edits[0].End != 6 || string(c.Edits[0].New) != "B\r\n" {
		t.Errorf("got %+v", c)
	}
	if _, changed := edit.Compare("f", before, edit.File{Data: before.Data, Exists: true}); changed {
		t.Error("a mode that nobody knows is a difference")
	}
}

// TestCompareStaysSmall: many small changes in a long file are found as such, also beyond the diff library's own limit.
func TestCompareStaysSmall(t *testing.T) {
	var before, after strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&before, "line %d\n", i)
		if i%7 == 0 {
			fmt.Fprintf(&after, "changed %d\n", i)
		} else {
			fmt.Fprintf(&after, "line %d\n", i)
		}
	}
	base := of("f", before.String())
	p := edit.Between(base, of("f", after.String()))
	if stat, err := p.Stat(base.Source); err != nil || len(p[0].Edits) != 715 || stat[0].Added != 715 || stat[0].Removed != 715 {
		t.Errorf("%d edits, %+v, %v", len(p[0].Edits), stat, err)
	}
}

func TestStat(t *testing.T) {
	base := of("a", "1\n2\n3", "bin", "\x00a", "x.sh", "")
	after := of("a", "1\ntwo\nmore\n3", "bin", "\x00b", "x.sh", "", "new", "1\n2")
	f := after["x.sh"]
	f.Mode = 0o755
	after["x.sh"] = f
	got, err := edit.Between(base, after).Stat(base.Source)
	if err != nil {
		t.Fatal(err)
	}
	want := []edit.FileStat{
		{Path: "a", Op: edit.Modify, Added: 2, Removed: 1}, {Path: "bin", Op: edit.Modify, Binary: true},
		{Path: "new", Op: edit.Create, Added: 2}, {Path: "x.sh", Op: edit.Modify, ModeChanged: true},
	}
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	}
}
