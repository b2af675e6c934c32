package hook

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"fettle/internal/policy/shell"
)

// A command says less of what it will do to a file than an editing tool does: what the files that it names held before is kept until it has ended, and held against what they hold then.

// The bounds of what is kept.
const (
	maxCopies = 8        // files of one call
	maxCopy   = 64 << 10 // bytes of one of them
	maxOpen   = 4        // calls at a time
)

// copied is a file as it was before a call.
type copied struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

// before are the files of one call, as they were.
type before struct {
	Use   string   `json:"use"`
	Files []copied `json:"files"`
}

// copies keeps the files that a command names and is about to change, where drift in style would be none that anybody asked for. A file that the agent has written itself it may format.
func (s *session) copies(o *occasion, v shell.Verdict) []copied {
	if s.stylish() || o.UseID == "" {
		return nil
	}
	var all []copied
	for _, path := range named(o, v.Facts) {
		if len(all) == maxCopies || !styled(path) || s.wrote(path) != not {
			continue
		}
		if text, ok := present(path); ok && text != "" && len(text) <= maxCopy {
			all = append(all, copied{path, text})
		}
	}
	if all != nil {
		s.lost = errors.Join(s.lost, s.setBefore(append(s.befores(), before{o.UseID, all})))
	}
	return all
}

// named are the files that a command would change, by their names: those of facts, and what formatters and fixers are given.
func named(o *occasion, facts []shell.Fact) (paths []string) {
	add := func(path string) {
		if !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	for _, f := range facts {
		switch {
		case f.By == o.Tool || f.Is(shell.Glob) || f.Is(shell.Vague) || f.Is(shell.Recursive):
		case (f.Kind == shell.Write || f.Kind == shell.Format) && f.Zone == shell.Project:
			add(f.Target)
		case f.Kind == shell.Run && slices.ContainsFunc(facts, func(g shell.Fact) bool { return g.Kind == shell.Format && g.Zone == "" && g.By == f.By }):
			for _, g := range f.Given() {
				for _, name := range g.Operands {
					if at := shell.PathFact(shell.Write, filepath.Join(g.Dir, name), f.By, o.at); at.Zone == shell.Project && g.Dir != "" && !filepath.IsAbs(name) {
						add(at.Target)
					}
				}
			}
		}
	}
	return paths
}

// stylish reports a session in which style may change: the person spoke of it, a check fails, or nobody has said anything yet.
func (s *session) stylish() bool { return s.Styled || s.failing() != nil || s.Spoken == 0 }

// restyledBy says what a command has done to files if it is their style alone; empty: nothing of the kind.
func (s *session) restyledBy(o *occasion) string {
	var kinds, names []string
	for _, c := range s.taken(o.UseID) {
		now, ok := present(c.Path)
		if !ok || now == c.Text {
			continue
		}
		in := restylings(filepath.Ext(c.Path), c.Text, now)
		if in == nil {
			return ""
		}
		s.leaveFile(c.Path)
		rel, err := filepath.Rel(o.at.Root, c.Path)
		if err != nil {
			rel = c.Path
		}
		names = append(names, rel)
		kinds = append(kinds, in...)
	}
	slices.Sort(kinds)
	if kinds = slices.Compact(kinds); names == nil || s.stylish() || o.speaksOf(kinds) {
		return ""
	}
	return "fettle guard: Style drift detected: nothing in " + strings.Join(names, ", ") + " has changed but " + strings.Join(kinds, " and ") + ", which nobody asked for. Put it back as it was (git restore, if git has it), unless the task needs it: then say why"
}

// taken are the files of a call as they were, which are not kept any longer.
func (s *session) taken(use string) []copied {
	all := s.befores()
	i := slices.IndexFunc(all, func(b before) bool { return b.Use == use })
	if i < 0 {
		return nil
	}
	files := all[i].Files
	s.lost = errors.Join(s.lost, s.setBefore(slices.Delete(all, i, i+1)))
	return files
}

// befores are the calls of which files are kept.
func (s *session) befores() (all []before) {
	f, err := os.OpenFile(s.path("before"), os.O_RDONLY|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return nil
	}
	defer f.Close()
	if json.NewDecoder(f).Decode(&all) != nil {
		return nil // it tells nothing then
	}
	return all
}

func (s *session) setBefore(all []before) error {
	if len(all) == 0 {
		return os.Remove(s.path("before"))
	}
	data, err := json.Marshal(all[max(0, len(all)-maxOpen):])
	if err != nil {
		return err
	}
	return replace(s.path("before"), data)
}
