package journal

import (
	"context"
	"slices"
)

// Standing is what remains in force of a set: an apply or accept of which some or all files have not been taken back.
type Standing struct {
	Set     Set
	Entries []Entry // those of the set's entries that are still in force, in the set's order
}

// Stack says what can be undone and redone. It is computed from the sets, so it survives restarts and crashes by itself.
type Stack struct {
	Undo []Standing // next to be undone first
	Redo []Set      // undo and rollback sets, next to be redone first; empty after anything new was applied

	made    map[string]bool           // folders that were made for files
	inForce map[int64]map[string]bool // by apply and accept: its files that stand
}

// Knows reports whether the journal still has this apply or accept.
func (s Stack) Knows(set int64) bool { return s.inForce[set] != nil }

// Stands reports whether any file of this apply or accept is still in force.
func (s Stack) Stands(set int64) bool {
	for _, stands := range s.inForce[set] {
		if stands {
			return true
		}
	}
	return false
}

// Made reports whether fettle ever made this folder, for a file that it was to write.
func (s Stack) Made(folder string) bool { return s.made[folder] }

// Stack computes what can be undone and redone now.
func (j *Journal) Stack(ctx context.Context) (Stack, error) {
	sets, err := j.List(ctx, Filter{State: Done})
	if err != nil {
		return Stack{}, err
	}
	slices.Reverse(sets)
	return stackOf(sets), nil
}

// stackOf replays sets, oldest first. A set stands from its apply until all of its files were taken back; redoing puts the
// files of one undo back in force. A redo names the undo it reverses, and the undo the apply it reversed.
func stackOf(sets []Set) Stack {
	var redo []Set
	made := map[string]bool{}
	byID := map[int64]Set{}
	inForce := map[int64]map[string]bool{} // by apply set: its files that stand
	for _, s := range sets {
		byID[s.ID] = s
		for _, dir := range s.Folders {
			made[dir] = true
		}
		switch s.Kind {
		case Apply, Accept:
			inForce[s.ID] = map[string]bool{}
			mark(inForce[s.ID], s.Entries, true)
			redo = nil
		case Undo, Rollback:
			mark(inForce[s.Of], s.Entries, false)
			redo = append(redo, s)
		case Redo:
			mark(inForce[byID[s.Of].Of], s.Entries, true)
			redo = slices.DeleteFunc(redo, func(u Set) bool { return u.ID == s.Of })
		}
	}
	slices.Reverse(redo)
	return Stack{Undo: standing(sets, inForce), Redo: redo, made: made, inForce: inForce}
}

// mark notes whether the entries' files stand. A nil map is a set that has been forgotten: there is nothing to note.
func mark(files map[string]bool, entries []Entry, stands bool) {
	if files == nil {
		return
	}
	for _, e := range entries {
		files[e.Path] = stands
	}
}

func standing(sets []Set, inForce map[int64]map[string]bool) []Standing {
	var out []Standing
	for _, s := range slices.Backward(sets) {
		st := Standing{Set: s}
		for _, e := range s.Entries {
			if inForce[s.ID][e.Path] {
				st.Entries = append(st.Entries, e)
			}
		}
		if len(st.Entries) > 0 {
			out = append(out, st)
		}
	}
	return out
}
