package shell

import (
	"fmt"
	"slices"
)

// Files that only an agent has read run each other: tests run make, make runs the tests and npm, npm runs make. In the same situation each is judged once: what runs
// already is judged where it began, and what has done no harm does none when it runs again.

// judging are the files that are judged just now, and what is known of others.
type judging struct {
	begun    []string       // situations, the outermost first
	harmless map[string]int // those in which nothing came of a file, and how many of begun were taken for granted then, and must go on still
	granted  int            // the outermost of begun that was met again
	repeated int            // grave facts that were noted before: there they may not count
}

// once judges a file in a situation in which it was not judged.
func (s *shell) once(path, language string, args []value, judge func()) {
	if len(s.lists.m)+len(s.funcs.m)+len(s.names.m) > 0 {
		judge()
		return
	}
	if language != "sh" { // nothing follows the arguments of code
		args = nil
	}
	// All on which it depends what a file does. It is judged no less strictly where it began, unless other code has only loaded it there.
	began := fmt.Sprintf("%q", []any{path, language, args, s.cwd, s.in, s.vars.m, s.testing, s.lent, s.moved, len(s.written) + len(s.edited)})
	at := fmt.Sprint(began, s.brings, s.loading, s.abroad)
	i := slices.Index(s.begun, began)
	if s.brings {
		began += "b"
		i = max(i, slices.Index(s.begun, began))
	}
	if i >= 0 {
		s.granted = min(s.granted, i)
		return
	}
	if needs, ok := s.harmless[at]; ok {
		if needs > 0 {
			s.granted = min(s.granted, needs-1)
		}
		return
	}
	depth, was, kept, repeated := len(s.begun), s.granted, len(s.facts), s.repeated
	s.begun, s.granted = append(s.begun, began), depth
	judge()
	s.begun = s.begun[:depth]
	for at, needs := range s.harmless {
		if needs > depth {
			delete(s.harmless, at)
		}
	}
	needs := 0
	if s.granted < depth {
		needs, was = s.granted+1, min(was, s.granted)
	}
	s.granted = was
	if len(s.facts) == kept && s.repeated == repeated && s.steps < maxSteps {
		if s.harmless == nil {
			s.harmless = map[string]int{}
		}
		s.harmless[at] = needs
	}
}

// grave reports a fact that counts wherever it is done.
func (r *reader) grave(f *Fact) bool {
	return f.unreadable() || f.loses() || f.Kind == Send || r.policy.ruleFor(f).Decision == Deny
}
