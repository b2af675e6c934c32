package golang

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"fettle/internal/check"
	"fettle/internal/check/parse"
	"fettle/internal/edit"
	"fettle/internal/lang"
	"fettle/internal/runner"
	"fettle/internal/verdict"
)

// Harness is Go's way of running tests fast.
type Harness struct{}

// New is the harness.
func New() Harness { return Harness{} }

// Language implements [runner.Harness].
func (Harness) Language() lang.Language { return lang.Go }

// Takes implements [runner.Harness].
func (Harness) Takes(c check.Check) bool { return c.Parser == "gotest" }

// Suites implements [runner.Harness]: one for each package with failing tests.
func (Harness) Suites(ctx context.Context, job runner.Job) ([]runner.Suite, error) {
	by := map[string]*packageSuite{}
	var out []*packageSuite
	for _, id := range job.Failing {
		dir, _, ok := SplitID(id)
		if !ok {
			continue
		}
		s := by[dir]
		if s == nil {
			s = &packageSuite{suite: Suite{Place: job.Place, Dir: dir, Env: job.Check.Env, Flags: BuildFlags(job.Check.Run), Args: TestArgs(job.Check.Run)}}
			by[dir] = s
			out = append(out, s)
		}
		s.failing = append(s.failing, id)
	}
	for id, outcome := range job.Baseline.Tests {
		if dir, _, ok := SplitID(id); ok && by[dir] != nil && outcome == parse.Pass {
			by[dir].passing = append(by[dir].passing, id)
		}
	}
	for _, s := range out {
		s.hung, s.took = hung(job, s.failing), job.Baseline.Wall
		if crashed(job, s.failing) {
			s.failing = append(s.failing, s.holding(job)...)
			if err := s.survey(ctx, job); err != nil {
				return nil, err
			}
		}
	}
	slices.SortStableFunc(out, func(a, b *packageSuite) int { return cmp.Compare(len(b.failing), len(a.failing)) })
	suites := make([]runner.Suite, len(out))
	for i, s := range out {
		slices.Sort(s.passing)
		suites[i] = s
	}
	return suites, nil
}

// packageSuite is the tests of one package.
type packageSuite struct {
	suite            Suite
	failing, passing []string
	hung             bool          // the check saw that a failing test never ends
	took             time.Duration // by the check, of which these tests may be all

	mu      sync.Mutex
	listing *Listing
	loader  *loader
	replay  func() bool   // the listing's answer, read once
	near    []string      // passing tests that were traced
	first   string        // the name of the failing test that fails soonest
	expect  time.Duration // how long the tests took one by one, those that never end apart
}

var (
	_ runner.Suite   = (*packageSuite)(nil)
	_ runner.Checker = (*packageSuite)(nil)
	_ runner.Typist  = Harness{}
)

func (s *packageSuite) Name() string {
	if s.suite.Dir == "" || s.suite.Dir == "." {
		return "the package in the root"
	}
	return s.suite.Dir
}

func (s *packageSuite) Failing() []string { return s.failing }
func (s *packageSuite) Slow() string      { return "" }
func (s *packageSuite) Close() error      { return nil }

// list lists the package, once.
func (s *packageSuite) list(ctx context.Context) (*Listing, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.listing != nil {
		return s.listing, nil
	}
	l, err := s.suite.List(ctx)
	if err != nil {
		return nil, err
	}
	s.listing, s.loader, s.replay = l, newLoader(s.suite.Place, l), sync.OnceValue(l.Replayable)
	return l, nil
}

// Owns implements [runner.Suite]. Before anything was traced, it goes by the name alone.
func (s *packageSuite) Owns(file string) bool {
	if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.listing == nil {
		return true
	}
	p := s.listing.Holding(file)
	return p != nil && s.listing.UnderTest(p)
}

// Trace implements [runner.Suite]. Types are those of the compiler, for the files that failing tests ran.
func (s *packageSuite) Trace(ctx context.Context, o runner.TraceOptions) (runner.Trace, error) {
	l, err := s.list(ctx)
	if err != nil {
		return runner.Trace{}, err
	}
	runs, err := s.suite.Coverage(ctx, l, leaves(s.failing), s.nearest(l), CoverOptions{TraceOptions: o})
	if err != nil {
		return runner.Trace{}, err
	}
	var out runner.Trace
	soonest := time.Duration(math.MaxInt64)
	for _, r := range runs {
		switch {
		case !r.Failed:
			s.near = append(s.near, r.ID)
		case r.Exact && r.Ended && r.Duration < soonest:
			soonest = r.Duration
			_, s.first, _ = SplitID(r.ID)
		}
		if r.Exact && (r.Ended || !s.hung) {
			s.expect += r.Duration
		}
		out.Runs = append(out.Runs, r.Run)
	}
	if o.Values {
		s.types(ctx, &out)
	}
	return out, nil
}

// types adds the types of the expressions in the files that failing tests ran.
func (s *packageSuite) types(ctx context.Context, t *runner.Trace) {
	for _, f := range ran(t.Runs) {
		if !s.Owns(f) {
			continue
		}
		u, err := s.loader.unit(ctx, f)
		if err != nil {
			t.Notes = append(t.Notes, fmt.Sprintf("no types are known in %s: %v", f, err))
			continue
		}
		if u != nil {
			t.Seen = append(t.Seen, u.seen(f)...)
		}
	}
}

// ran are the files that failing tests ran, or that stand in their stacks.
func ran(runs []runner.Run) (files []string) {
	add := func(file string) {
		if !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	for _, r := range runs {
		if !r.Failed {
			continue
		}
		for _, l := range r.Lines {
			add(l.File)
		}
		for _, f := range r.Frames {
			add(f.File)
		}
	}
	return files
}

// longSuite is how long a check may take for all of its tests to be met by each candidate that heals something.
const longSuite = 10 * time.Second

// met are the passing tests that candidates meet: all of them, or, where the check takes long, those that were traced, which are the nearest, and
// those beside the failing ones. What comes of the search is verified with all of them.
func (s *packageSuite) met() []string {
	if s.took <= longSuite || len(s.near) == 0 {
		return s.passing
	}
	wanted := tops(s.suite.names(slices.Concat(s.failing, s.near)))
	return slices.DeleteFunc(slices.Clone(s.passing), func(id string) bool {
		names := s.suite.names([]string{id})
		return len(names) == 0 || !slices.Contains(wanted, top(names[0]))
	})
}

// leaves leaves out tests whose subtests are there, too: those say more precisely what ran.
func leaves(ids []string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		return slices.ContainsFunc(ids, func(other string) bool { return strings.HasPrefix(other, id+"/") })
	})
}

// Compiles implements [runner.Checker].
func (s *packageSuite) Compiles(file string, edits []edit.Edit) bool {
	s.mu.Lock()
	load := s.loader
	s.mu.Unlock()
	if load == nil {
		return true
	}
	u := load.loaded(file)
	return u == nil || u.compiles(file, edits)
}

// TryAll implements [runner.Suite].
func (s *packageSuite) TryAll(ctx context.Context, candidates iter.Seq[edit.Patch]) iter.Seq2[verdict.Trial, error] {
	s.mu.Lock()
	replay := s.replay
	s.mu.Unlock()
	o := &Oracle{Suite: s.suite, Targets: s.failing, First: s.first, Passing: s.met(), Expect: s.expect, Took: s.took, Replay: replay != nil && replay()}
	return o.TryAll(ctx, candidates)
}
