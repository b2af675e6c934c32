package edit

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
)

// Range is a range of bytes of a base content, from Start up to, not including, End.
type Range struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Conflict says why a patch was left out of a merge.
type Conflict struct {
	Path      string `json:"path"` // where both patches want something else
	Kept      int    `json:"kept"` // index of the patch that is in the merge
	Left      int    `json:"left"` // index of the patch that is not
	KeptRange Range  `json:"kept_range"`
	LeftRange Range  `json:"left_range"` // both are empty when it is not about bytes (modes, deletion, folders)
	Reason    string `json:"reason"`
}

func (c Conflict) String() string {
	return fmt.Sprintf("%s: patch %d was left out, it conflicts with patch %d: %s", c.Path, c.Left+1, c.Kept+1, c.Reason)
}

// Merge combines independent patches to the one baseline that src hands out. Equal edits count once. A patch that
// conflicts with an earlier one is left out whole, and each conflict is reported: at most one for each pair and path.
// Without conflicts the order of the patches does not matter. A patch that does not apply to the baseline is an error.
//
// Edits of two patches conflict when their ranges share a byte or touch: who replaced a line has seen its neighbours, and of two
// texts inserted at one place nobody can say which comes first. An insertion therefore conflicts also with a replacement that
// begins or ends where it stands. An edit that both patches hold never conflicts with the rest of either.
func Merge(src Source, patches ...Patch) (Patch, []Conflict, error) {
	m := merge{files: map[string]*merged{}, folders: map[string]holder{}}
	bases := map[string]File{}
	remember := func(p string) (File, error) {
		if f, ok := bases[p]; ok {
			return f, nil
		}
		f, err := src(p)
		bases[p] = f
		return f, err
	}
	var conflicts []Conflict
	for i, p := range patches {
		if _, err := p.Apply(remember); err != nil {
			return nil, nil, fmt.Errorf("patch %d does not apply to the baseline: %w", i+1, err)
		}
		found := m.conflicts(i, p)
		if len(found) == 0 {
			m.add(i, p)
		}
		conflicts = append(conflicts, found...)
	}
	return m.patch(), conflicts, nil
}

// merge is the state of a merge: what the accepted patches do to each file, and which folders their files are in.
type merge struct {
	files   map[string]*merged
	folders map[string]holder
}

// merged is one file's changes by accepted patches.
type merged struct{ changes []held }

type held struct {
	patch  int
	change Change
}

// holder names a file that keeps a folder from being a file.
type holder struct {
	patch int
	path  string
}

func (m *merge) conflicts(i int, p Patch) []Conflict {
	var out []Conflict
	for _, c := range p {
		if f := m.files[c.Path]; f != nil {
			for _, h := range f.changes {
				if x, bad := clash(h.change, c); bad {
					x.Path, x.Kept, x.Left = c.Path, h.patch, i
					out = append(out, x)
				}
			}
		}
		if c.Op == Delete {
			continue
		}
		if h, bad := m.folders[c.Path]; bad {
			out = append(out, Conflict{Path: c.Path, Kept: h.patch, Left: i, Reason: "it is the folder of " + h.path})
		}
		for dir := range folders(c.Path) {
			if f := m.files[dir]; f != nil && f.changes[0].change.Op != Delete {
				out = append(out, Conflict{Path: c.Path, Kept: f.changes[0].patch, Left: i, Reason: dir + " is a file"})
			}
		}
	}
	return out
}

func (m *merge) add(i int, p Patch) {
	for _, c := range p {
		f := m.files[c.Path]
		if f == nil {
			f = &merged{}
			m.files[c.Path] = f
		}
		f.changes = append(f.changes, held{i, c})
		if c.Op == Delete {
			continue
		}
		for dir := range folders(c.Path) {
			if _, known := m.folders[dir]; !known {
				m.folders[dir] = holder{i, c.Path}
			}
		}
	}
}

func (m *merge) patch() Patch {
	var p Patch
	for _, f := range m.files {
		c := f.changes[0].change
		c.Edits = slices.Clone(c.Edits)
		for _, h := range f.changes[1:] {
			c.Mode = cmp.Or(c.Mode, h.change.Mode)
			c.Edits = append(c.Edits, h.change.Edits...)
		}
		slices.SortFunc(c.Edits, compareEdits)
		c.Edits = slices.CompactFunc(c.Edits, sameEdit)
		p = append(p, c)
	}
	slices.SortFunc(p, func(a, b Change) int { return cmp.Compare(a.Path, b.Path) })
	return p
}

// clash reports whether two changes to one file cannot both be made. Both apply to the baseline, so their bases are equal.
func clash(a, b Change) (Conflict, bool) {
	switch {
	case a.Op != b.Op:
		return Conflict{Reason: fmt.Sprintf("one would %s the file, the other %s it", a.Op, b.Op)}, true
	case a.Op == Create && !slices.EqualFunc(a.Edits, b.Edits, sameEdit):
		return Conflict{Reason: "both create the file, with other contents"}, true
	case a.Op == Create && cmp.Or(a.Mode, DefaultMode) != cmp.Or(b.Mode, DefaultMode), a.Op == Modify && a.Mode != 0 && b.Mode != 0 && a.Mode != b.Mode:
		return Conflict{Reason: fmt.Sprintf("one sets the mode %o, the other %o", a.Mode, b.Mode)}, true
	}
	for _, x := range without(a.Edits, b.Edits) {
		for _, y := range without(b.Edits, a.Edits) {
			if x.Start <= y.End && y.Start <= x.End {
				return Conflict{KeptRange: Range{x.Start, x.End}, LeftRange: Range{y.Start, y.End},
					Reason: fmt.Sprintf("both edit around byte %d (%d to %d, and %d to %d)", max(x.Start, y.Start), x.Start, x.End, y.Start, y.End)}, true
			}
		}
	}
	return Conflict{}, false
}

// without gives the edits that are not among others.
func without(edits, others []Edit) []Edit {
	var out []Edit
	for _, e := range edits {
		if i, found := slices.BinarySearchFunc(others, e, compareEdits); !found || !sameEdit(others[i], e) {
			out = append(out, e)
		}
	}
	return out
}

func compareEdits(a, b Edit) int {
	return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End), bytes.Compare(a.New, b.New))
}

func sameEdit(a, b Edit) bool { return compareEdits(a, b) == 0 }

// folders yields the folders that a file is in, the nearest first.
func folders(file string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for dir := path.Dir(file); dir != "." && yield(dir); dir = path.Dir(dir) {
		}
	}
}
