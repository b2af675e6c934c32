package workspace_test

import (
	"fmt"
	"maps"
	"slices"

	"fettle/internal/edit"
	"fettle/internal/edit/treetest"
	"fettle/internal/journal"

	"pgregory.net/rapid"
)

// model is what a tree and its journal must be like, told in the plainest way: all in memory, nothing shared with the code
// that it stands beside.
type model struct {
	files   treetest.Tree
	folders map[string]bool
	made    map[string]bool // folders that fettle ever made
	mine    treetest.Tree   // what a person wrote and nobody else ever did, until a patch is made from it

	sets []*modelSet // everything that was applied, oldest first
	redo []taken     // what was taken back and can be carried out again, the next one last
}

// modelSet is one applied patch.
type modelSet struct {
	session string
	round   int
	before  treetest.Tree // of each file that it touches; the zero File: none
	after   treetest.Tree
	stands  map[string]bool // which of the files have not been taken back
}

// taken is what one undo took back of one set.
type taken struct {
	set   *modelSet
	paths []string
}

func newModel(first treetest.Tree) *model {
	m := &model{files: maps.Clone(first), folders: map[string]bool{}, made: map[string]bool{}, mine: treetest.Tree{}}
	for p := range first {
		m.addFolders(p, false)
	}
	return m
}

func (m *model) addFolders(path string, byFettle bool) {
	for _, dir := range treetest.Folders(path) {
		if !m.folders[dir] {
			m.folders[dir] = true
			m.made[dir] = m.made[dir] || byFettle
		}
	}
}

// write is a file as fettle leaves it. Where it takes one away, the folders that it had made for files go once they are empty.
func (m *model) write(path string, f edit.File, takingBack bool) {
	m.files.Set(path, f)
	if f.Exists {
		m.addFolders(path, true)
		return
	}
	if !takingBack {
		return
	}
	for _, dir := range treetest.Folders(path) {
		if m.made[dir] && m.empty(dir) {
			delete(m.folders, dir)
		}
	}
}

func (m *model) empty(dir string) bool {
	in := func(path string) bool { return slices.Contains(treetest.Folders(path), dir) }
	return !slices.ContainsFunc(m.files.Paths(), in) && !slices.ContainsFunc(slices.Collect(maps.Keys(m.folders)), in)
}

// apply is a patch that fits.
func (m *model) apply(p edit.Patch, session string, round int, r *rapid.T) {
	s := &modelSet{session, round, treetest.Tree{}, treetest.Tree{}, map[string]bool{}}
	after := m.files.After(r, p)
	for _, c := range p {
		if treetest.Same(m.files[c.Path], after[c.Path]) {
			continue
		}
		s.before[c.Path], s.after[c.Path], s.stands[c.Path] = m.files[c.Path], after[c.Path], true
		m.write(c.Path, after[c.Path], false)
		delete(m.mine, c.Path)
	}
	m.sets, m.redo = append(m.sets, s), nil
}

// standing are the sets of which a part stands and that are wanted, the newest first, with these parts.
func (m *model) standing(wanted func(*modelSet) bool) []taken {
	var out []taken
	for _, s := range slices.Backward(m.sets) {
		if len(s.stands) > 0 && wanted(s) {
			out = append(out, taken{s, slices.Sorted(maps.Keys(s.stands))})
		}
	}
	return out
}

// undoFile is for each of the files the last set in which it stands.
func (m *model) undoFile(paths []string) []taken {
	chosen := map[*modelSet][]string{}
	for _, p := range paths {
		at := m.standing(func(s *modelSet) bool { return s.stands[p] })
		if len(at) == 0 {
			return nil
		}
		chosen[at[0].set] = append(chosen[at[0].set], p)
	}
	out := m.standing(func(s *modelSet) bool { return chosen[s] != nil })
	for i := range out {
		out[i].paths = slices.Sorted(slices.Values(chosen[out[i].set]))
	}
	return out
}

// refused are the files that keep a reversal from happening: what is there is neither what is to go nor what is to come, or
// something else has their place, or a later change stands on them.
func (m *model) refused(all []taken, forward bool) []string {
	then := &model{files: maps.Clone(m.files), folders: maps.Clone(m.folders), made: maps.Clone(m.made)}
	var out []string
	type part struct {
		set  *modelSet
		path string
	}
	gone := map[part]bool{}            // what is taken back so far
	last := func(p string) *modelSet { // the last set that stands on a file, or on one that cannot be there beside it
		return m.standing(func(s *modelSet) bool {
			return slices.ContainsFunc(slices.Collect(maps.Keys(s.stands)), func(q string) bool {
				return !gone[part{s, q}] && (p == q || slices.Contains(treetest.Folders(p), q) || slices.Contains(treetest.Folders(q), p))
			})
		})[0].set
	}
	for _, t := range all {
		for _, p := range t.paths {
			if !forward && last(p) != t.set {
				out = append(out, p)
				continue
			}
			gone[part{t.set, p}] = true
			from, to := t.set.after[p], t.set.before[p]
			if forward {
				from, to = to, from
			}
			_, there := then.files[p]
			if !treetest.Same(then.files[p], from) && !treetest.Same(then.files[p], to) || !there && (then.folders[p] || !then.files.Fits(p)) {
				out = append(out, p)
				continue
			}
			then.write(p, to, true)
		}
	}
	return out
}

// takeBack is an undo, an undo of files, or a rollback.
func (m *model) takeBack(all []taken) {
	for _, t := range all {
		for _, p := range t.paths {
			delete(t.set.stands, p)
			m.write(p, t.set.before[p], true)
		}
		m.redo = append(m.redo, t)
	}
}

// bringBack is a redo.
func (m *model) bringBack() {
	t := m.redo[len(m.redo)-1]
	m.redo = m.redo[:len(m.redo)-1]
	for _, p := range t.paths {
		t.set.stands[p] = true
		m.write(p, t.set.after[p], true)
	}
}

// forget is a gc of everything.
func (m *model) forget() { m.sets, m.redo, m.made = nil, nil, map[string]bool{} }

// agrees tells what of the stack is not as the model has it; empty: nothing.
func (m *model) agrees(stack journal.Stack) string {
	var want, have []string
	for _, t := range m.standing(func(*modelSet) bool { return true }) {
		want = append(want, fmt.Sprintf("undo %s:%d %q", t.set.session, t.set.round, t.paths))
	}
	for _, t := range slices.Backward(m.redo) {
		want = append(want, fmt.Sprintf("redo %s:%d %q", t.set.session, t.set.round, t.paths))
	}
	paths := func(entries []journal.Entry) []string {
		var out []string
		for _, e := range entries {
			out = append(out, e.Path)
		}
		return slices.Sorted(slices.Values(out))
	}
	for _, s := range stack.Undo {
		have = append(have, fmt.Sprintf("undo %s:%d %q", s.Set.Session, s.Set.Iteration, paths(s.Entries)))
	}
	for _, s := range stack.Redo {
		have = append(have, fmt.Sprintf("redo %s:%d %q", s.Session, s.Iteration, paths(s.Entries)))
	}
	if slices.Equal(want, have) {
		return ""
	}
	return fmt.Sprintf("want %q\nhave %q", want, have)
}
