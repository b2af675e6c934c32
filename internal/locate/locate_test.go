package locate_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"fettle/internal/diag"
	"fettle/internal/locate"
)

func span(file string, from, to int) locate.Span {
	return locate.Span{File: file, Line: from, EndLine: to}
}

func TestRankPutsWhatOnlyFailingTestsRunFirst(t *testing.T) {
	var s locate.Spectrum
	s.Add(true, true, []locate.Span{span("a.go", 1, 5)})
	s.Add(false, true, []locate.Span{span("a.go", 1, 2)})
	s.Add(false, true, []locate.Span{span("a.go", 1, 1), span("b.go", 1, 9)})
	got := locate.Rank(&s, locate.Evidence{}, nil)
	want := []locate.Suspect{
		{File: "a.go", Line: 3, EndLine: 5, Score: 1, Failing: 1, Passing: 0, Why: "run by 1 of 1 failing and 0 of 2 passing tests"},
		{File: "a.go", Line: 2, EndLine: 2, Score: 0.7071, Failing: 1, Passing: 1, Why: "run by 1 of 1 failing and 1 of 2 passing tests"},
		{File: "a.go", Line: 1, EndLine: 1, Score: 0.5774, Failing: 1, Passing: 2, Why: "run by 1 of 1 failing and 2 of 2 passing tests"},
	}
	for i := range got {
		got[i].Score = float64(int(got[i].Score*1e4+0.5)) / 1e4
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestRankWithoutPassingTests(t *testing.T) {
	var s locate.Spectrum
	s.Add(true, true, []locate.Span{span("a.go", 1, 1)})
	s.Add(true, true, []locate.Span{span("a.go", 2, 2)})
	if got := locate.Rank(&s, locate.Evidence{}, nil); got[0].Why != "run by 1 of 2 failing tests; no passing one could be traced" {
		t.Errorf("%+v", got)
	}
}

func TestRankCountsStacks(t *testing.T) {
	var s locate.Spectrum
	s.Add(true, true, []locate.Span{span("a.go", 1, 3)})
	s.Add(false, true, []locate.Span{span("a.go", 1, 3)})
	ev := locate.Evidence{
		Stacks: [][]diag.Frame{{{File: "a.go", Line: 2}, {File: "c.go", Line: 7}, {File: "d.go", Line: 4}}},
	}
	got := locate.Rank(&s, ev, func(f string) bool { return f == "d.go" })
	if got[0].File != "a.go" || got[0].Line != 2 || got[0].EndLine != 2 {
		t.Fatalf("the innermost frame does not lead: %+v", got)
	}
	if !slices.ContainsFunc(got, func(x locate.Suspect) bool { return x.File == "c.go" && x.Why == "stack frame 2" }) {
		t.Errorf("the outer frame is missing: %+v", got)
	}
	if slices.ContainsFunc(got, func(x locate.Suspect) bool { return x.File == "d.go" }) {
		t.Errorf("a file that was to be skipped is there: %+v", got)
	}
}

func TestRankWithoutCoverageFollowsTheStack(t *testing.T) {
	got := locate.Rank(&locate.Spectrum{}, locate.Evidence{Stacks: [][]diag.Frame{{{File: "x.py", Line: 9}, {File: "y.py", Line: 3}}}}, nil)
	if len(got) != 2 || got[0].File != "x.py" || got[1].File != "y.py" {
		t.Errorf("got %+v", got)
	}
}

func TestATestKnownByItsStackCountsLess(t *testing.T) {
	rank := func(exact bool) float64 {
		var s locate.Spectrum
		s.Add(true, true, nil)
		s.Add(true, exact, []locate.Span{span("a.go", 1, 1)})
		return locate.Rank(&s, locate.Evidence{}, nil)[0].Score
	}
	if rank(true) <= rank(false) {
		t.Errorf("exact %v, by its stack %v", rank(true), rank(false))
	}
}

// run is one generated test.
type run struct {
	failed bool
	spans  []locate.Span
}

func runs(t *rapid.T) []run {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) run {
		return run{
			failed: rapid.Bool().Draw(t, "failed"),
			spans: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) locate.Span {
				from := rapid.IntRange(1, 12).Draw(t, "from")
				return span(rapid.SampledFrom([]string{"a", "b"}).Draw(t, "file"), from, from+rapid.IntRange(0, 4).Draw(t, "len"))
			}), 0, 4).Draw(t, "spans"),
		}
	}), 1, 8).Draw(t, "runs")
}

func spectrum(rs []run) *locate.Spectrum {
	s := &locate.Spectrum{}
	for _, r := range rs {
		s.Add(r.failed, true, r.spans)
	}
	return s
}

func TestRankProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rs := runs(t)
		got := locate.Rank(spectrum(rs), locate.Evidence{}, nil)
		seen := map[locate.Span]bool{}
		for i, x := range got {
			if x.Score <= 0 || x.Score > 1 {
				t.Fatalf("score out of bounds: %+v", x)
			}
			if i > 0 && got[i-1].Score < x.Score {
				t.Fatalf("out of order: %+v before %+v", got[i-1], x)
			}
			for n := x.Line; n <= x.EndLine; n++ {
				l := span(x.File, n, n)
				if seen[l] {
					t.Fatalf("line twice: %+v", l)
				}
				seen[l] = true
			}
		}
		shuffled := rapid.Permutation(rs).Draw(t, "shuffled")
		if d := cmp.Diff(got, locate.Rank(spectrum(shuffled), locate.Evidence{}, nil)); d != "" {
			t.Fatalf("the order of tests matters:\n%s", d)
		}
	})
}

func TestAnotherPassingTestNeverRaisesALine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rs := runs(t)
		at := span("a", rapid.IntRange(1, 12).Draw(t, "line"), 0)
		at.EndLine = at.Line
		before := scoreOf(locate.Rank(spectrum(rs), locate.Evidence{}, nil), at)
		rs = append(rs, run{false, []locate.Span{at}})
		after := scoreOf(locate.Rank(spectrum(rs), locate.Evidence{}, nil), at)
		if after > before {
			t.Fatalf("line %d rose from %v to %v", at.Line, before, after)
		}
	})
}

func scoreOf(xs []locate.Suspect, at locate.Span) float64 {
	for _, x := range xs {
		if x.File == at.File && x.Line <= at.Line && at.Line <= x.EndLine {
			return x.Score
		}
	}
	return 0
}
