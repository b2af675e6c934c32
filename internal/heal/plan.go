package heal

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/fix"
	"fettle/internal/pattern"
)

// plan lists whose turn it is at what: the steps that have not been tried on this question, cheapest rung first. Tests
// that do not fail again where candidates run are named flaky and left alone, because nothing could be proven about them.
func (l *Loop) plan(ctx context.Context, s *State) (string, error) {
	ladder, err := l.Ladder.Only(s.Goal.Fixers...)
	if err != nil {
		return "", err
	}
	s.Plan = l.steps(s, ladder, s.Findings)
	if tools := lowest(s.Plan); len(tools) > 0 && tools[0].Rung == fix.RungTool {
		s.Plan = tools // what they cannot heal is planned when they have had their turn
		return "tasks", nil
	}
	if n, most := burden(s.Findings), l.Config.Limits.Findings; n > most {
		how := ""
		if n != len(s.Findings) {
			how = " (the failing tests of one file count as one)"
		}
		s.Reason = fmt.Sprintf("%d findings are left after the tools' own fixes, more than %d%s: narrow the goal to one check, or to some files with --only", n, most, how)
		return l.sure(ctx, s, "too many")
	}
	stable, unstable, err := l.Lab.Reproduce(ctx, s.Known, s.Findings)
	if err != nil {
		return "", fmt.Errorf("reproduce the failures: %w", err)
	}
	for _, d := range unstable {
		if !slices.Contains(s.Flaky, d.Test) {
			s.Flaky = append(s.Flaky, d.Test)
			l.tell(s, Event{Kind: Noted, Text: d.Test + " fails and passes on the same content: flaky, not healed"})
		}
	}
	if s.Plan = l.steps(s, ladder, stable); len(s.Plan) > 0 {
		return "tasks", nil
	}
	s.Reason = l.atTheEnd(s, ladder, stable)
	return l.sure(ctx, s, "nothing")
}

// burden is how much there is to do: a finding each, but the failing tests of one file together, because one fault can fail hundreds of them.
func burden(all []diag.Diagnostic) int {
	type tests struct{ check, file string }
	files := map[tests]bool{}
	n := 0
	for _, d := range all {
		if d.Test == "" {
			n++
		} else {
			files[tests{d.Check, cmp.Or(d.File, d.Dir)}] = true
		}
	}
	return n + len(files)
}

// lowest are the steps of the cheapest rung.
func lowest(steps []Step) []Step {
	for i, step := range steps {
		if step.Rung != steps[0].Rung {
			return steps[:i]
		}
	}
	return steps
}

// atTheEnd says why there is nothing more to try.
func (l *Loop) atTheEnd(s *State, ladder fix.Ladder, stable []diag.Diagnostic) string {
	switch {
	case len(stable) == 0:
		return "only flaky tests are left: " + strings.Join(s.Flaky, ", ")
	case len(ladder) == 0:
		return "there is no fixer"
	}
	for _, d := range stable {
		if c, ok := l.Lab.Find(d.Check); ok {
			for range ladder.For(c, []diag.Diagnostic{d}) {
				return "the fixers have nothing more to offer" + unparsed(stable) + l.bounds(s)
			}
		}
	}
	return "no fixer takes what is left" + cmp.Or(unparsed(stable), l.unread(stable), untaken(s, stable)) + l.bounds(s)
}

// untaken says of which checks nobody knows how to mend what they say, and who might.
func untaken(s *State, stable []diag.Diagnostic) string {
	if only := s.Goal.Fixers; len(only) > 0 {
		return ": only " + strings.Join(only, ", ") + " may be asked (--fixer), and can do nothing about it"
	}
	var names []string
	for _, d := range stable {
		if !slices.Contains(names, d.Check) {
			names = append(names, d.Check)
		}
	}
	return ": " + strings.Join(names, " and ") + " has no fix of its own for it, and no small edit is known that such a finding calls for; a model may know one, or a plug-in of yours"
}

var parses = pattern.New(`\b(?:SyntaxError|IndentationError|TabError)\b|\b[Ss]yntax error\b|\b[Pp]arsing error\b|'[^\w\s]' expected$|^TS1\d\d\d\b`)

// unparsed says which source cannot be read: it has to be before anything else can be tried.
func unparsed(stable []diag.Diagnostic) string {
	for _, d := range stable {
		if d.File != "" && d.Range.Start.Line > 0 && parses.MatchString(strings.TrimSpace(d.Rule+" "+d.Message)) {
			return fmt.Sprintf(": %s does not parse (line %d), and has to before anything can be tried", d.File, d.Range.Start.Line)
		}
	}
	return ""
}

// unread says which of the checks that complain print what nobody reads, so that no fixer can know what is wrong.
func (l *Loop) unread(stable []diag.Diagnostic) string {
	var names []string
	for _, d := range stable {
		if c, ok := l.Lab.Find(d.Check); ok && c.Parser == "" && c.Reader == nil && !slices.Contains(names, d.Check) {
			names = append(names, d.Check)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return ": nothing reads what " + strings.Join(names, " and ") + " prints; name a parser for it in fettle.yaml"
}

// bounds says what keeps the fixers out of some files, if anything does.
func (l *Loop) bounds(s *State) string {
	switch {
	case len(s.Goal.Only) > 0:
		return " (only " + strings.Join(s.Goal.Only, ", ") + " may be changed)"
	case len(l.Config.Scope) > 0:
		return " (scope lets them change " + strings.Join(l.Config.Scope, ", ") + " only)"
	}
	return ""
}

// steps are the turns that have not been tried, in the ladder's order.
func (l *Loop) steps(s *State, ladder fix.Ladder, ds []diag.Diagnostic) []Step {
	var out []Step
	for _, name := range s.Goal.Checks {
		c, ok := l.Lab.Find(name)
		if !ok {
			continue
		}
		for turn := range ladder.For(c, of(ds, name)) {
			for _, targets := range group(turn.Fixer, turn.Diagnostics) {
				step := s.step(c, turn.Fixer, targets)
				if s.Tried[step.Key] {
					continue
				}
				if why := l.stops(s, step.Fixer, step.Rung); why != "" {
					s.note("%s", why)
					continue
				}
				out = append(out, step)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Step) int { return int(a.Rung - b.Rung) })
	return s.atOnce(ladder, out)
}

// atOnce makes one step of all steps of a fixer that splits the work itself: it is called once a round. What it is asked about first are failing tests, if there are any.
func (s *State) atOnce(ladder fix.Ladder, steps []Step) (out []Step) {
	at := map[string]int{}
	for _, step := range steps {
		f := ladder[slices.IndexFunc(ladder, func(f fix.Fixer) bool { return f.Name() == step.Fixer })]
		n, begun := at[step.Fixer]
		switch {
		case step.Rung == fix.RungTool || !whole(f):
			out = append(out, step)
		case !begun:
			at[step.Fixer] = len(out)
			out = append(out, step)
		default:
			out[n].Also = append(out[n].Also, step.shares()...)
		}
	}
	for _, n := range at {
		if len(out[n].Also) > 0 {
			out[n].join()
		}
	}
	return slices.DeleteFunc(out, func(step Step) bool { return len(step.Also) > 0 && s.Tried[step.Key] })
}

// join orders the shares of a step, failing tests first, and names it by all of them.
func (s *Step) join() {
	all := s.shares()
	slices.SortStableFunc(all, func(a, b Share) int {
		isTest := func(p Share) int {
			if (check.Check{Name: p.Check}).Kind() == "test" {
				return 0
			}
			return 1
		}
		return isTest(a) - isTest(b)
	})
	s.Check, s.Targets, s.Also = all[0].Check, all[0].Targets, all[1:]
	h := sha256.New()
	fmt.Fprintln(h, s.Key, s.Fixer, all)
	s.Key = hex.EncodeToString(h.Sum(nil)[:8])
}

// whole reports whether a fixer has all findings of a check in one task.
func whole(f fix.Fixer) bool {
	w, ok := f.(fix.Whole)
	return f.Rung() == fix.RungTool || ok && w.Whole()
}

// group splits a fixer's findings into tasks, in the order in which they are tried. A tool mends all it can in one go, and so does who splits the work itself. Above
// it, failing tests are taken folder by folder, as one fault often fails many tests and all of them together say most
// about it; then, for a folder with several faults, test function by test function. Other findings go file by file.
func group(f fix.Fixer, ds []diag.Diagnostic) [][]diag.Diagnostic {
	if whole(f) {
		return [][]diag.Diagnostic{ds}
	}
	whole := by(ds, neighbourhood)
	var out [][]diag.Diagnostic
	for _, task := range whole {
		out = append(out, task)
		if parts := parts(task); len(parts) > 1 && task[0].Test != "" {
			out = append(out, parts...)
		}
	}
	return out
}

// parts are the findings of a task by test function.
func parts(task []diag.Diagnostic) [][]diag.Diagnostic {
	return by(task, func(d diag.Diagnostic) string { return function(d.Test) })
}

// by groups findings by a key, keeping their order.
func by(ds []diag.Diagnostic, key func(diag.Diagnostic) string) [][]diag.Diagnostic {
	var out [][]diag.Diagnostic
	at := map[string]int{}
	for _, d := range ds {
		i, ok := at[key(d)]
		if !ok {
			i = len(out)
			at[key(d)] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], d)
	}
	return out
}

// function is a test's id without its subtest or parameters.
func function(id string) string {
	if pkg, name, ok := strings.Cut(id, ":Test"); ok {
		name, _, _ = strings.Cut(name, "/")
		return pkg + ":Test" + name
	}
	id, _, _ = strings.Cut(id, "[")
	return id
}

func (s *State) step(c check.Check, f fix.Fixer, targets []diag.Diagnostic) Step {
	step := Step{Check: c.Name, Fixer: f.Name(), Rung: f.Rung()}
	for _, d := range targets {
		step.Targets = append(step.Targets, d.ID)
	}
	h := sha256.New()
	fmt.Fprintln(h, step.Check, step.Fixer, step.Targets)
	if f.Rung() > fix.RungTool {
		// A tool's own fix depends on the findings alone; what a search can reach depends on all of the code.
		fmt.Fprintln(h, s.Known.Digest)
	}
	step.Key = hex.EncodeToString(h.Sum(nil)[:8])
	return step
}
