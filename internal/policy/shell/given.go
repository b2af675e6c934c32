package shell

import "slices"

// Ending is what the end of a command tells of a program that it has run.
type Ending string

// The endings.
const (
	Told   Ending = ""       // if the program fails, so does the command
	Piped  Ending = "piped"  // another program's exit code counts, and it has read what this one printed
	Hushed Ending = "hushed" // nobody hears how it ended: behind `|| true`, in a condition, before a further command
)

// Given is how a program was started that runs the project's own code, loads a package, or has git change what somebody has done.
type Given struct {
	Dir      string   // where; empty: it is not known, or what git does is not done to that folder's working tree
	Args     []string // all that it was given, as far as it is known
	Operands []string // those of them that are neither options nor their values
	Ending   Ending
}

// Given are the ways in which a command starts what the fact is about.
func (f Fact) Given() []Given { return f.given }

// givens notes how what runs the project's code was started. What is judged several times over, in several worlds, is one and the same: where
// behind `cd sub;` it would run if there were no such folder is of no use.
func (r *reader) givens(f *Fact, more []Given) {
	for _, g := range more {
		i := slices.IndexFunc(f.given, func(h Given) bool {
			return (g.Dir == h.Dir || r.aside && f.Kind == Run) && slices.Equal(g.Args, h.Args)
		})
		if i < 0 {
			f.given = append(f.given, g)
		} else if f.given[i].Ending == Told {
			f.given[i].Ending = g.Ending
		}
	}
}

// begun is how this run of a program was started.
func (v *invocation) begun() []Given {
	dir, _ := v.cwd.exact()
	return []Given{{Dir: dir, Args: written(v.args), Operands: written(v.operands), Ending: v.ending}}
}

// written are values as they were written, with marks for what is not known of them.
func written(list []value) []string {
	all := make([]string, len(list))
	for i, v := range list {
		all[i] = v.text
	}
	return all
}

// ends has what follows end so, until the returned function is called. What is hushed already stays so.
func (r *reader) ends(e Ending) (restore func()) {
	was := r.ending
	if was == Told || e == Hushed {
		r.ending = e
	}
	return func() { r.ending = was }
}
