package workspace

import (
	"io/fs"
	slashpath "path"
	"strings"

	"fettle/internal/journal"
	"fettle/internal/policy/path"
)

// foresight is the tree as it will be when some reversals have happened: what they leave, and where they leave nothing, what is there.
type foresight struct {
	tree  *Tree
	stack journal.Stack
	will  map[string]journal.Image
	back  map[part]bool
}

// part is one file's part of a set.
type part struct {
	set  int64
	path string
}

// foresee makes sure that each file is what fettle left there, or what it is to be again, as it will be when the reversals before
// have happened; and that no file will be in another one's way.
func (t *Tree) foresee(chosen []reversal, stack journal.Stack) error {
	f := foresight{t, stack, map[string]journal.Image{}, map[part]bool{}}
	for _, r := range chosen {
		for _, e := range r.entries {
			if err := path.Check(e.Path); err != nil {
				return err
			}
			if set, p := f.above(r.of.ID, e.Path); set != 0 {
				return &ChangedError{Path: e.Path, Want: e.Before, Set: r.of.ID, Next: set, NextPath: p}
			}
			have, err := f.image(e.Path)
			if err != nil {
				return err
			}
			if have != e.Before && have != e.After { // somebody may have restored it already
				return &ChangedError{Path: e.Path, Want: e.Before, Have: have, Set: r.of.ID}
			}
			if e.After.Exists && f.blocked(e.Path) {
				return &Refused{e.Path, "Something else will have the place of the file"}
			}
			f.will[e.Path], f.back[part{r.of.ID, e.Path}] = e.After, true
		}
	}
	return nil
}

// above is a later set that stands on the same file, or on one that has or had its place as a folder, and that the reversals do
// not take back before this one, with that file: what is there is not what this set left, whatever it holds, and the later change
// could never be taken back after it. 0: none.
func (f foresight) above(set int64, p string) (int64, string) {
	for _, st := range f.stack.Undo {
		if st.Set.ID <= set {
			continue
		}
		for _, e := range st.Entries {
			if (e.Path == p || contend(e.Path, p)) && !f.back[part{st.Set.ID, e.Path}] {
				return st.Set.ID, e.Path
			}
		}
	}
	return 0, ""
}

// contend reports whether two files cannot both be there, because one would have to be a folder of the other.
func contend(a, b string) bool { return strings.HasPrefix(a, b+"/") || strings.HasPrefix(b, a+"/") }

func (f foresight) image(p string) (journal.Image, error) {
	if im, planned := f.will[p]; planned {
		return im, nil
	}
	for dir := slashpath.Dir(p); dir != "."; dir = slashpath.Dir(dir) {
		if _, planned := f.will[dir]; planned {
			return journal.Image{}, nil // a file was to be where its folder would have to be
		}
	}
	if f.vacated(p) {
		return journal.Image{}, nil
	}
	now, err := f.tree.look(p)
	return now.image(), err
}

// blocked reports whether one of the reversals brings a file where this one needs a folder, or needs a folder where this one is.
func (f foresight) blocked(p string) bool {
	for other, im := range f.will {
		if im.Exists && contend(other, p) {
			return true
		}
	}
	return false
}

// vacated reports whether there is a folder of this name, which goes because the reversals take all files in it away.
func (f foresight) vacated(dir string) bool {
	if info, err := f.tree.root.Lstat(dir); err != nil || !info.IsDir() {
		return false
	}
	return fs.WalkDir(f.tree.root.FS(), dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && f.stack.Made(p) && f.bereaves(p) {
			return err
		}
		if im, planned := f.will[p]; planned && !im.Exists {
			return nil
		}
		return fs.ErrExist
	}) == nil
}

// bereaves reports whether a file somewhere in the folder is taken away.
func (f foresight) bereaves(dir string) bool {
	for p, im := range f.will {
		if !im.Exists && strings.HasPrefix(p, dir+"/") {
			return true
		}
	}
	return false
}
