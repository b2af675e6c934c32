package shell

import (
	slashpath "path"
	"slices"
	"strings"
)

// copied is one copying, moving or linking of files in the command: where they were, and where they are then. What an agent has written there is what it has written, wherever
// it was taken from.
type copied struct{ from, to string }

// Origins are what is copied, moved or linked to where the fact says that it is written. A folder stands for all that lies in it.
func (f Fact) Origins() []string { return f.origins }

// writesFrom notes that a file, or a folder with all that is in it, is written that comes from somewhere.
func (r *reader) writesFrom(origin, at located, by string, traits []Trait) {
	f := at.fact(Write, by, traits...)
	if !origin.part {
		f.origins = []string{origin.path}
		if c := (copied{origin.path, f.Target}); !slices.Contains(r.copies, c) {
			r.copies = append(r.copies, c)
		}
	}
	r.fact(f)
}

// origins notes what else is copied to the same place.
func (r *reader) origins(f *Fact, more []string) {
	for _, o := range more {
		if !slices.Contains(f.origins, o) {
			f.origins = append(f.origins, o)
		}
	}
}

// Carried is where a file is when what it lies in, or is itself, was copied from one place to another. Both may be patterns that name files of one folder.
func Carried(path, from, to string) (string, bool) {
	parts := strings.SplitN(path, "/", strings.Count(from, "/")+2)
	n := strings.Count(from, "/") + 1
	if len(parts) < n {
		return "", false
	}
	head := strings.Join(parts[:n], "/")
	if head != from {
		if fits, err := slashpath.Match(from, head); err != nil || !fits || !strings.ContainsAny(from, "*?") {
			return "", false
		}
	}
	if strings.ContainsAny(slashpath.Base(to), "*?") && strings.ContainsAny(slashpath.Base(from), "*?") {
		to = slashpath.Dir(to) + "/" + parts[n-1]
	}
	return strings.Join(append([]string{to}, parts[n:]...), "/"), true
}

// carries has what an agent has written be found where the command has copied it.
func (r *reader) carries() {
	if script := r.at.Script; script != nil {
		r.at.Script = func(path string) (string, bool) {
			text, ok := script(path)
			for i := len(r.copies) - 1; !ok && i >= 0; i-- { // what was copied last may have been copied before
				if from, there := Carried(path, r.copies[i].to, r.copies[i].from); there {
					path = from
					text, ok = script(path)
				}
			}
			return text, ok
		}
	}
	r.at.Written, r.at.Known = r.carriesAll(r.at.Written), r.carriesAll(r.at.Known)
}

// carriesAll is a list of files with those that the command has copied of them.
func (r *reader) carriesAll(list func() []string) func() []string {
	if list == nil {
		return nil
	}
	all, done := []string(nil), -1
	return func() []string {
		if done < 0 {
			all, done = list(), 0
		}
		for ; done < len(r.copies); done++ {
			for _, path := range all {
				if to, there := Carried(path, r.copies[done].from, r.copies[done].to); there && r.step() { // a folder may be copied into itself
					all = append(all, to)
				}
			}
		}
		return all
	}
}
