package hook

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	names "fettle/internal/policy/path"
	"fettle/internal/policy/shell"
)

// The bounds of what is looked at more closely.
const (
	firstCalls = 3  // of a session
	longEdit   = 20 // lines
)

// strictly are the reasons for which a call waits for a second opinion; none, if it need not. Without a validator they stand in the log alone. A
// subagent's calls never wait: its task was looked at when it was given.
func (s *session) strictly(o *occasion, v shell.Verdict) (why []string) {
	add := func(is bool, what string) {
		if is {
			why = append(why, what)
		}
	}
	if o.Agent != "" {
		return nil
	}
	if !looksOnly(v) {
		add(!s.Acted, "the first call after a message")
		add(s.Refused, "a call was refused")
		add(s.Errored != "", "a call failed")
		add(s.Acts < firstCalls, "the session has just begun")
		add(!slices.Contains(editTools, o.Tool) && !checksOnly(v), "it is no edit, and no check")
	}
	add(length(o) > longEdit, "a long edit")
	add(o.Mode == "plan", "plan mode")
	add(instructs(v), "a special file")
	add(slices.ContainsFunc(v.Facts, o.untrusted), "a path outside of the project, or a sensitive one")
	add(slices.ContainsFunc(s.Pending, func(p pending) bool { return p.Lost }), "an earlier question got no answer")
	return why
}

// editTools are the tools that only edit files: what they do can be mended when the answer comes.
var editTools = []string{"Edit", "MultiEdit", "Write", "NotebookEdit", "apply_patch"}

// checksOnly reports a call that runs nothing but the project's own checks, and the build that comes before them: there is nothing to take back.
func checksOnly(v shell.Verdict) bool {
	return !slices.ContainsFunc(v.Facts, func(f shell.Fact) bool {
		return !slices.Contains(looking, f.Kind) && (f.Kind != shell.Run || !checks(f))
	})
}

// checkers are words in the names of targets, scripts and goals that check or build, and takers in those of what is more than that, whatever else they say.
var (
	checkers = append(strings.Fields("test tests testing spec specs unit e2e integration smoke check checks verify validate build builds compile bundle assemble ci coverage cov bench benchmark benchmarks format fmt docs all jest vitest mocha pytest mypy ruff prettier"), quiets...)
	takers   = strings.Fields("deploy release publish push upload migrate migrations seed commit prod production docker image install reset drop delete create")
)

// checks reports a run of what checks or builds, as far as its name says: what a target of make's or a script does else is not known.
func checks(f shell.Fact) bool {
	k := suiteOf(f.By)
	words := slices.DeleteFunc(strings.Fields(strings.TrimPrefix(f.Target, f.By)), func(w string) bool { return w[0] == '-' || strings.Contains(w, "=") })
	switch {
	case k == &other:
		return false
	case k.script:
		switch _, verb, _ := strings.Cut(f.By, " "); verb {
		case "run", "run-script":
			words = words[:min(len(words), 1)] // the others are what it is given
		case "workspace":
			words = words[min(len(words), 1):min(len(words), 2)]
		case "t", "tst":
			words = nil
		default:
			words = []string{verb}
		}
	case k.ladder == nil && !slices.Contains(k.programs, "make"):
		return true
	}
	return !slices.ContainsFunc(words, func(w string) bool {
		name := humps(w)
		_, goal := cutLast(w)
		return !slices.Contains(k.ladder, goal) && !slices.Contains(k.verbs, goal) && (!mentions(name, checkers) || mentions(name, takers))
	})
}

// acted uses up the reasons that count for one call, or for the first ones: the agent's own has come that is put to a validator, where there is one. What only
// looks, a subagent does, or the rules do not allow leaves them to the next.
func (s *session) acted() {
	s.Acted, s.Refused, s.Errored = true, false, ""
	s.Acts++
}

// length is how many lines an edit has, before or after it: one in several pieces as many as all of them.
func length(o *occasion) (n int) {
	in, _ := o.edits() // as far as it can be read
	switch o.Tool {
	case "apply_patch":
		for line := range strings.Lines(in.patch()) { // those that it takes away or adds
			if line[0] == '+' || line[0] == '-' {
				n++
			}
		}
	case "Write":
		if in.Content != nil {
			now, _ := present(in.File) // what cannot be read is written anew as a whole
			n = changed(now, *in.Content)
		}
	case "Edit", "MultiEdit", "NotebookEdit":
		for _, e := range append(in.Edits, in.replacement, replacement{New: in.Cell}) {
			if e.Old != "" || e.New != "" {
				n += max(strings.Count(e.Old, "\n"), strings.Count(e.New, "\n")) + 1
			}
		}
	}
	return n
}

// changed is how many lines two texts have between the first and the last of those that differ, where they have more of them.
func changed(before, after string) int {
	was, is := slices.Collect(strings.Lines(before)), slices.Collect(strings.Lines(after))
	for len(was) > 0 && len(is) > 0 && was[0] == is[0] {
		was, is = was[1:], is[1:]
	}
	for len(was) > 0 && len(is) > 0 && was[len(was)-1] == is[len(is)-1] {
		was, is = was[:len(was)-1], is[:len(is)-1]
	}
	return max(len(was), len(is))
}

// instructs reports a call that changes what agents go by: their instructions, or a plan.
func instructs(v shell.Verdict) bool {
	return slices.ContainsFunc(v.Facts, func(f shell.Fact) bool {
		return f.Kind == shell.Write && (f.Zone == shell.Guidance || !slices.Contains(ours, f.Zone) && names.Instructs(filepath.Base(f.Target)) || strings.Contains(f.Target, "/.claude/plans/"))
	})
}

// untrusted reports what lies neither in the project nor where nothing is kept. Whoever reads the project's own folder reads what lies in it.
func (o *occasion) untrusted(f shell.Fact) bool {
	if f.Kind == shell.Read && f.Target == o.at.Root {
		return false
	}
	return f.Zone != "" && f.Zone != shell.Scratch && f.Zone != shell.Nowhere && !slices.Contains(ours, f.Zone)
}

// expire forgets questions that will not be answered any more. What was found against a call stays until it is told: a person may take their time to go on.
func (s *session) expire(now time.Time) {
	s.Pending = without(s.Pending, func(p *pending) bool { return p.Failed == "" && now.Sub(p.Time) > keepOpinion })
}
