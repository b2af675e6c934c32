// Package search answers "which small edit makes the failing tests pass?": search-based repair, without any model, in every language
// that has a [runner.Harness].
//
// It traces the failing tests and some passing ones, ranks the lines that may be at fault ([locate]), reads the sources around them as
// [code], and asks its templates for edits: each is one idea, such as "another variable of that type is meant". Candidates wait in order of
// template prior × suspicion × the change's own weight, made only when their turn comes, and are tried by the harness. After the first
// that passes, the search goes on for a while, because one that passes is not yet the right one: what else passes, and how differently, says
// how sure one can be.
//
// Where no idea mends, nor two of them, conditions, guards, statements and values are put together of whatever the function has at hand. What passes then
// waits for a person.
//
// It never touches a test, takes no literal from one, turns no condition into a constant, and leaves no parameter unused: such edits satisfy weak tests and
// are hardly ever what was meant. A loop, a branch or a jump is only left out where nothing else passes, or where what passes changes nothing but that; and it is never sure of that.
//
// # The room
//
// The engine: search.go takes a task, and hunt.go searches for one suite's failing tests. unit.go holds the sources that may be changed and the places in them (a site is a node of
// a source, and how suspicious it is), queue.go the candidates in their order, pairs.go those of two edits, try.go what is tried and when it is enough, memory.go what was tried in vain.
// rules.go says what is never proposed, types.go what values can be.
//
// What passed: equal.go and cluster.go tell patches apart that do the same, disguise.go and toomuch.go what only seems to be asked, apart.go and documented.go ask the other tests and
// the documentation, rank.go says how sure one is, and of what.
//
// The ideas: a template (template.go) is asked about a site and makes changes. idea_*.go hold them, by what they are about; those in tables there are all that are ever asked, in the
// order of their priors. idea_wide.go has what is put together at last; render.go spells statements in each language.
//
// Findings that are no tests (compilers, type checkers, linters): mend.go and mend_*.go, with the remedies of [complaint] and the same ideas, judged by the checker that complained.
package search

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/fix"
	"fettle/internal/learn"
	"fettle/internal/runner"
	"fettle/internal/verdict"
)

// Search is the fixer. The zero values of its numbers stand for the defaults.
type Search struct {
	Harnesses     []runner.Harness // the languages' ways of running tests
	MaxCandidates int              // tried for the failing tests of one suite; zero: 60,000
	Time          time.Duration    // for one suite, tracing apart; zero: 1 minute
	Gather        int              // candidates tried after the first that passes, to find its rivals; zero: 3,000
	GatherTime    time.Duration    // … and how long at most, so that a verdict hardly ever depends on the machine; zero: 1 minute
	Rivals        float64          // rivals with less than this share of the first one's priority are not looked for; zero: 0.5
	Shown         int              // most candidates proposed for one suite; zero: 3
	Trace         runner.TraceOptions
	Learnt        map[string]learn.Count // what became of earlier repairs here, by idea

	observe func(verdict.Trial)
	memory  *memory
}

// New is the fixer with its defaults.
func New(harnesses ...runner.Harness) *Search {
	return &Search{Harnesses: harnesses, memory: &memory{}}
}

func (s *Search) withDefaults() Search {
	out := *s
	if out.MaxCandidates == 0 {
		out.MaxCandidates = 60_000
	}
	if out.Time == 0 {
		out.Time = time.Minute
	}
	if out.Gather == 0 {
		out.Gather = 3000
	}
	if out.GatherTime == 0 {
		out.GatherTime = time.Minute
	}
	if out.Rivals == 0 {
		out.Rivals = 0.5
	}
	if out.Shown == 0 {
		out.Shown = 3
	}
	out.Trace.Values = true
	return out
}

// Name implements [fix.Fixer].
func (*Search) Name() string { return "search" }

// Rung implements [fix.Fixer].
func (*Search) Rung() fix.Rung { return fix.RungSearch }

// Takes implements [fix.Fixer]: failing tests that a harness can run, what a check says of itself that never came to its end, and what a
// compiler, a type checker or a linter complains of, if its complaint is understood.
func (s *Search) Takes(c check.Check, d diag.Diagnostic) bool {
	return complains(c, d) || (d.Test != "" || c.Kind() == "test" && (!c.NamesTests() || d.File == "")) && s.harness(c) != nil
}

func (s *Search) harness(c check.Check) runner.Harness { return runner.Taking(s.Harnesses, c) }

// heals are the failing tests, in other suites too, that pass with any of these.
func heals(found []fix.Candidate) []string {
	var out []string
	for _, c := range found {
		out = append(out, c.Heals...)
	}
	return out
}

// Propose implements [fix.Fixer]. Failing tests are taken suite by suite.
func (s *Search) Propose(ctx context.Context, t fix.Task) iter.Seq2[fix.Candidate, error] {
	return func(yield func(fix.Candidate, error) bool) {
		if t.TryAll != nil && slices.ContainsFunc(t.Diagnostics, func(d diag.Diagnostic) bool { return complains(t.Check, d) }) {
			found, err := s.mend(ctx, t)
			if err != nil {
				yield(fix.Candidate{}, fmt.Errorf("search for what %s would be content with: %w", t.Check.Name, err))
				return
			}
			for _, c := range found {
				if !yield(c, nil) {
					return
				}
			}
		}
		h := s.harness(t.Check)
		if h == nil {
			return
		}
		job := runner.Job{Place: t.Place, Check: t.Check, Baseline: t.Baseline, Failing: runner.Failing(t.Check, t.Diagnostics)}
		if !job.Fails() {
			return
		}
		suites, err := h.Suites(ctx, job)
		defer func() {
			for _, suite := range suites {
				_ = suite.Close() // what it kept warm dies with the place at the latest
			}
		}()
		switch {
		case errors.Is(err, runner.ErrForeign):
			if t.Note != nil {
				t.Note(err.Error())
			}
			return
		case err != nil:
			yield(fix.Candidate{}, err)
			return
		}
		var healed []string
		for _, suite := range suites {
			if left := slices.DeleteFunc(suite.Failing(), func(id string) bool { return slices.Contains(healed, id) }); len(left) == 0 {
				continue // by what was proposed already
			}
			found, err := (&hunt{opts: s.withDefaults(), task: t, suite: suite}).run(ctx)
			healed = append(healed, heals(found)...)
			if why := suite.Slow(); why != "" && t.Note != nil {
				t.Note("candidates were tried one process each: " + why)
			}
			if err != nil {
				yield(fix.Candidate{}, fmt.Errorf("search in %s: %w", suite.Name(), err))
				return
			}
			for _, c := range found {
				if !yield(c, nil) {
					return
				}
			}
		}
	}
}
