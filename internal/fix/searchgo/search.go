// Package search answers "which small edit makes the failing tests pass?": search-based repair, without any model. It asks
// where failing tests went and passing ones did not, makes small type-correct edits there from templates, tries them in
// order of promise, and says honestly how sure it is of what passes.
//
// It never touches a test, takes no literal from one, deletes no loop, branch or return, turns no condition into a
// constant, and leaves no parameter unused: such edits satisfy weak tests and are hardly ever what was meant.
package searchgo

import (
	"context"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"
	"time"

	"fettle/internal/check"
	"fettle/internal/check/parse"
	"fettle/internal/diag"
	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/locate"
	"fettle/internal/runner/golang"
	"fettle/internal/verdict"
)

// Go searches for repairs of failing Go tests. The zero value's fields stand for their defaults.
type Go struct {
	MaxCandidates int           // candidates tried for the failing tests of one package; zero: 20,000
	Time          time.Duration // for one package, localisation apart; zero: 2 minutes
	Gather        time.Duration // how long to look for rivals after the first candidate that passes, or twice as long as it took to find, if that is longer; zero: 10 s
	Rivals        float64       // rivals with less than this share of the first one's priority are not looked for; zero: 0.6
	Shown         int           // most candidates proposed for one package; zero: 3
	Cover         golang.CoverOptions
}

// NewGo is the fixer with its defaults.
func NewGo() *Go { return &Go{} }

func (g *Go) withDefaults() Go {
	out := *g
	if out.MaxCandidates == 0 {
		out.MaxCandidates = 20_000
	}
	if out.Time == 0 {
		out.Time = 2 * time.Minute
	}
	if out.Gather == 0 {
		out.Gather = 10 * time.Second
	}
	if out.Rivals == 0 {
		out.Rivals = 0.6
	}
	if out.Shown == 0 {
		out.Shown = 3
	}
	return out
}

// Name implements [fix.Fixer].
func (*Go) Name() string { return "search" }

// Rung implements [fix.Fixer].
func (*Go) Rung() fix.Rung { return fix.RungSearch }

// Takes implements [fix.Fixer]: failing Go tests, not builds that fail.
func (*Go) Takes(c check.Check, d diag.Diagnostic) bool {
	if c.Parser != "gotest" || d.Test == "" {
		return false
	}
	_, _, ok := golang.SplitID(d.Test)
	return ok
}

// Propose implements [fix.Fixer]. Failing tests are taken package by package, those with the most first.
func (g *Go) Propose(ctx context.Context, t fix.Task) iter.Seq2[fix.Candidate, error] {
	return func(yield func(fix.Candidate, error) bool) {
		opts := g.withDefaults()
		for _, dir := range failingDirs(g, t) {
			h := &hunt{opts: opts, task: t, dir: dir}
			found, err := h.run(ctx)
			if err != nil {
				yield(fix.Candidate{}, fmt.Errorf("search in %s: %w", dir, err))
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

// failingDirs are the folders with tests to heal.
func failingDirs(g *Go, t fix.Task) []string {
	count := map[string]int{}
	var dirs []string
	for _, d := range t.Diagnostics {
		if !g.Takes(t.Check, d) {
			continue
		}
		dir, _, _ := golang.SplitID(d.Test)
		if count[dir] == 0 {
			dirs = append(dirs, dir)
		}
		count[dir]++
	}
	slices.SortStableFunc(dirs, func(a, b string) int { return count[b] - count[a] })
	return dirs
}

// hunt is the search for one package's failing tests.
type hunt struct {
	opts    Go
	task    fix.Task
	dir     string
	suite   golang.Suite
	failing []string
	passing []string
	expect  time.Duration // how long the tests took one by one, those that hung apart
}

func (h *hunt) run(ctx context.Context) ([]fix.Candidate, error) {
	h.suite = golang.Suite{
		Place: h.task.Place, Dir: h.dir, Env: h.task.Check.Env,
		Flags: golang.BuildFlags(h.task.Check.Run), Args: golang.TestArgs(h.task.Check.Run),
	}
	h.tests()
	listing, err := h.suite.List(ctx)
	if err != nil {
		return nil, err
	}
	suspects, err := h.suspects(ctx, listing)
	if err != nil {
		return nil, err
	}
	all, err := h.sites(ctx, listing, suspects)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	found, err := h.try(ctx, all)
	if err != nil {
		return nil, err
	}
	return h.candidates(found), nil
}

// tests finds the failing tests of the folder that are to be healed, and the passing ones.
func (h *hunt) tests() {
	for _, d := range h.task.Diagnostics {
		if dir, _, ok := golang.SplitID(d.Test); ok && dir == h.dir && !slices.Contains(h.failing, d.Test) {
			h.failing = append(h.failing, d.Test)
		}
	}
	for id, outcome := range h.task.Baseline.Tests {
		if dir, _, ok := golang.SplitID(id); ok && dir == h.dir && outcome == parse.Pass {
			h.passing = append(h.passing, id)
		}
	}
	slices.Sort(h.passing)
}

// suspects ranks the lines that may be at fault.
func (h *hunt) suspects(ctx context.Context, l *golang.Listing) ([]locate.Suspect, error) {
	runs, err := h.suite.Coverage(ctx, l, leaves(h.failing), leaves(h.passing), h.opts.Cover)
	if err != nil {
		return nil, err
	}
	var s locate.Spectrum
	var ev locate.Evidence
	for _, r := range runs {
		var spans []locate.Span
		for _, b := range r.Blocks {
			spans = append(spans, locate.Span(b))
		}
		s.Add(r.Failed, r.Exact, spans)
		if r.Exact {
			h.expect += r.Duration
		}
		if len(r.Frames) > 0 {
			ev.Stacks = append(ev.Stacks, own(r.Frames))
		}
	}
	for _, d := range h.task.Diagnostics {
		if slices.Contains(h.failing, d.Test) && len(d.Frames) > 0 {
			ev.Stacks = append(ev.Stacks, own(d.Frames))
		}
	}
	return locate.Rank(&s, ev, func(file string) bool {
		return strings.HasSuffix(file, "_test.go") || h.task.InScope != nil && !h.task.InScope(file)
	}), nil
}

// own are the frames outside of tests.
func own(frames []diag.Frame) []diag.Frame {
	return slices.DeleteFunc(slices.Clone(frames), func(f diag.Frame) bool { return strings.HasSuffix(f.File, "_test.go") })
}

// leaves leaves out tests whose subtests are there, too: those say more precisely what ran.
func leaves(ids []string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		return slices.ContainsFunc(ids, func(other string) bool { return strings.HasPrefix(other, id+"/") })
	})
}

func (h *hunt) sites(ctx context.Context, l *golang.Listing, suspects []locate.Suspect) ([]*siteAt, error) {
	load := &loader{place: h.task.Place, listing: l, units: map[*golang.Package]*unit{}}
	seen := map[*unit]bool{}
	var out []*siteAt
	for _, x := range suspects {
		u, err := load.unit(ctx, x.File)
		if err != nil {
			return nil, err
		}
		if u == nil || seen[u] {
			continue
		}
		seen[u] = true
		out = append(out, sites(u, suspects)...)
	}
	return slices.DeleteFunc(out, func(s *siteAt) bool {
		return s.score <= 0 || generated(s.src) || h.task.InScope != nil && !h.task.InScope(s.src.path)
	}), nil
}

// generated reports whether a program wrote the file (https://go.dev/s/generatedcode): what is mended there does not last.
func generated(s *source) bool {
	head, _, _ := strings.Cut(string(s.data), "\npackage ")
	for line := range strings.Lines(head) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "// Code generated ") && strings.HasSuffix(line, " DO NOT EDIT.") {
			return true
		}
	}
	return path.Ext(s.path) != ".go"
}

// tryAll is the task's oracle, or one of our own.
func (h *hunt) tryAll() func(context.Context, iter.Seq[edit.Patch]) iter.Seq2[verdict.Trial, error] {
	if h.task.TryAll != nil {
		return h.task.TryAll
	}
	o := &golang.Oracle{Suite: h.suite, Targets: h.failing, Passing: h.passing, Expect: h.expect}
	return o.TryAll
}
