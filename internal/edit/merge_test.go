package edit_test

import (
	"fmt"
	"io/fs"
	"iter"
	"slices"
	"strings"
	"testing"

	"fettle/internal/edit"
	"fettle/internal/edit/treetest"

	"pgregory.net/rapid"
)

// TestMergeOfDisjointLines: patches on lines that do not touch merge in any order to the same patch, which does what they do one after
// another.
func TestMergeOfDisjointLines(t *testing.T) {
	check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 40).Draw(t, "lines")
		var lines []string
		for i := range n {
			lines = append(lines, fmt.Sprintf("line %d\n", i))
		}
		base := of("f", strings.Join(lines, ""), "g", "g\n")
		with := func(i int, line string) edit.Patch {
			other := append([]string{}, lines...)
			other[i] = line
			return edit.Between(base, of("f", strings.Join(other, ""), "g", "g\n"))
		}
		picks := rapid.SliceOfNDistinct(rapid.IntRange(0, (n-1)/2), 1, 5, rapid.ID[int]).Draw(t, "picks")
		var patches []edit.Patch
		all := append([]string{}, lines...)
		for k, i := range picks {
			all[2*i] = fmt.Sprintf("new %d\nand more\n", k)
			patches = append(patches, with(2*i, all[2*i]))
		}
		merged, conflicts, err := edit.Merge(base.Source, patches...)
		if err != nil || len(conflicts) > 0 {
			t.Fatal(err, conflicts)
		}
		if got := string(base.After(t, merged)["f"].Data); got != strings.Join(all, "") {
			t.Fatalf("got %q", got)
		}
		again, _, err := edit.Merge(base.Source, rapid.Permutation(patches).Draw(t, "order")...)
		if err != nil || again.Digest() != merged.Digest() {
			t.Fatalf("the order of the patches matters: %v %v, %v", merged, again, err)
		}
	})
}

// TestMergeNeverBreaks: whatever is merged, the result is valid and holds every accepted patch.
func TestMergeNeverBreaks(t *testing.T) {
	check(t, func(t *rapid.T) {
		base := anything.Draw(t, "base")
		var patches []edit.Patch
		for range rapid.IntRange(0, 4).Draw(t, "patches") {
			patches = append(patches, edit.Between(base, anything.Near(t, base)))
		}
		merged, conflicts, err := edit.Merge(base.Source, patches...)
		if err != nil {
			t.Fatal(err)
		}
		base.After(t, merged)
		left := map[int]bool{}
		for _, c := range conflicts {
			left[c.Left] = true
		}
		held := map[string]edit.Change{}
		for _, c := range merged {
			held[c.Path] = c
		}
		for i, p := range patches {
			for _, c := range p {
				if !left[i] && !contains(held[c.Path], c) {
					t.Fatalf("patch %d was not left out, but %+v is not in the merge %+v", i, c, held[c.Path])
				}
			}
		}
	})
}

// TestMergeInEveryOrder: patches that do not conflict in one order conflict in none, and every order gives the same tree.
func TestMergeInEveryOrder(t *testing.T) {
	check(t, func(t *rapid.T) {
		base := anything.Draw(t, "base")
		var patches []edit.Patch
		for range rapid.IntRange(3, 4).Draw(t, "patches") {
			patches = append(patches, edit.Between(base, anything.Near(t, base)))
		}
		merged, conflicts, err := edit.Merge(base.Source, patches...)
		if err != nil {
			t.Fatal(err)
		}
		left := map[int]bool{}
		for _, c := range conflicts {
			left[c.Left] = true
		}
		var kept []edit.Patch
		for i, p := range patches {
			if !left[i] {
				kept = append(kept, p)
			}
		}
		want := base.After(t, merged)
		for order := range orders(kept) {
			again, conflicts, err := edit.Merge(base.Source, order...)
			if err != nil || len(conflicts) > 0 {
				t.Fatalf("another order of %v: %v, %v", kept, err, conflicts)
			}
			if got := base.After(t, again); !got.Equal(want) {
				t.Fatalf("another order of %v gives another tree:\n%s", kept, treetest.Differences(want, got))
			}
		}
	})
}

// orders yields every order of a few things.
func orders[T any](of []T) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		if len(of) < 2 {
			yield(of)
			return
		}
		for i, first := range of {
			for rest := range orders(slices.Delete(slices.Clone(of), i, i+1)) {
				if !yield(append([]T{first}, rest...)) {
					return
				}
			}
		}
	}
}

func contains(all, some edit.Change) bool {
	for _, e := range some.Edits {
		found := false
		for _, a := range all.Edits {
			found = found || a.Start == e.Start && a.End == e.End && string(a.New) == string(e.New)
		}
		if !found {
			return false
		}
	}
	return all.Op == some.Op && (some.Mode == 0 || some.Mode == all.Mode)
}

func TestMergeConflicts(t *testing.T) {
	base := of("f", "0123456789", "g", "g")
	on := func(edits ...edit.Edit) edit.Patch {
		return edit.Patch{{Path: "f", Op: edit.Modify, Base: edit.Sum([]byte("0123456789")), Edits: edits}}
	}
	ed := func(start, end int, text string) edit.Edit {
		return edit.Edit{Start: start, End: end, New: []byte(text)}
	}
	mode := func(m fs.FileMode) edit.Patch {
		p := on()
		p[0].Mode = m
		return p
	}
	gone := edit.Between(base, of("g", "g"))
	create := func(path, text string) edit.Patch {
		return edit.Patch{{Path: path, Op: edit.Create, Edits: []edit.Edit{ed(0, 0, text)}}}
	}
	for name, tc := range map[string]struct {
		a, b     edit.Patch
		conflict bool
	}{
		"apart":                          {on(ed(0, 2, "x")), on(ed(3, 4, "y")), false},
		"overlap":                        {on(ed(0, 3, "x")), on(ed(2, 4, "y")), true},
		"the same":                       {on(ed(0, 3, "x")), on(ed(0, 3, "x")), false},
		"same range, other text":         {on(ed(0, 3, "x")), on(ed(0, 3, "y")), true},
		"neighbours":                     {on(ed(0, 2, "x")), on(ed(2, 4, "y")), true},
		"two texts at one place":         {on(ed(5, 5, "x")), on(ed(5, 5, "y")), true},
		"one text at one place":          {on(ed(5, 5, "x")), on(ed(5, 5, "x")), false},
		"insertion where a range begins": {on(ed(5, 5, "x")), on(ed(5, 7, "y")), true},
		"insertion where a range ends":   {on(ed(7, 7, "x")), on(ed(5, 7, "y")), true},
		"insertion inside a range":       {on(ed(6, 6, "x")), on(ed(5, 7, "y")), true},
		"shared edit beside an own one":  {on(ed(0, 2, "x"), ed(2, 3, "y")), on(ed(0, 2, "x")), false},
		"content and mode":               {on(ed(0, 2, "x")), mode(0o755), false},
		"two modes":                      {mode(0o600), mode(0o755), true},
		"one mode":                       {mode(0o755), mode(0o755), false},
		"deletion and edit":              {gone, on(ed(0, 2, "x")), true},
		"two deletions":                  {gone, gone, false},
		"equal creations":                {create("n", "x"), create("n", "x"), false},
		"other creations":                {create("n", "x"), create("n", "y"), true},
		"a file and its folder":          {create("n", "x"), create("n/m/k", "x"), true},
	} {
		for _, order := range [][]edit.Patch{{tc.a, tc.b}, {tc.b, tc.a}} {
			merged, conflicts, err := edit.Merge(base.Source, order...)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if got := len(conflicts) > 0; got != tc.conflict {
				t.Errorf("%s: conflicts %v", name, conflicts)
			}
			if tc.conflict && merged.Digest() != order[0].Digest() {
				t.Errorf("%s: the merge is %v, not the first patch", name, merged)
			}
			base.After(t, merged)
		}
	}
}

func TestMergeLeavesOutWhole(t *testing.T) {
	base := of("a", "1\n2\n3\n", "b", "1\n")
	first := edit.Between(base, of("a", "1\ntwo\n3\n", "b", "1\n"))
	second := edit.Between(base, of("a", "1\nZWEI\n3\n", "b", "eins\n"))
	third := edit.Between(base, of("a", "1\n2\n3\n", "b", "uno\n"))
	merged, conflicts, err := edit.Merge(base.Source, first, second, third)
	if err != nil {
		t.Fatal(err)
	}
	if len(conflicts) != 1 || conflicts[0].Path != "a" || conflicts[0].Kept != 0 || conflicts[0].Left != 1 || conflicts[0].LeftRange != (edit.Range{Start: 2, End: 4}) {
		t.Errorf("conflicts: %+v", conflicts)
	}
	if got := base.After(t, merged); string(got["b"].Data) != "uno\n" || string(got["a"].Data) != "1\ntwo\n3\n" {
		t.Errorf("got %v", got)
	}
}

func TestMergeNamesThePatchThatDoesNotFit(t *testing.T) {
	base := of("a", "1\n")
	stale := edit.Between(of("a", "0\n"), of("a", "2\n"))
	if _, _, err := edit.Merge(base.Source, nil, stale); err == nil || !strings.Contains(err.Error(), "patch 2") {
		t.Errorf("got %v", err)
	}
}
