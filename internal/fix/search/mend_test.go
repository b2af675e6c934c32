package search

import (
	"context"
	"iter"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"fettle/internal/check"
	"fettle/internal/code"
	"fettle/internal/diag"
	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/fix/complaint"
	"fettle/internal/fix/fixtest"
	"fettle/internal/syntax"
	"fettle/internal/verdict"
)

// Small edits that no complaint calls for are tried where types tell whether they do: in Python any name that there is contents a checker where one was
// not known.
func TestGeneralEditsNeedTypes(t *testing.T) {
	for _, c := range []struct {
		path, src string
		said      diag.Diagnostic
		want      bool
	}{
		{"a.py", "def load(path, limit):\n    with open(path) as f:\n        return f.read(flie)\n", diag.Diagnostic{Tool: "ruff", Rule: "F821", Message: "Undefined name `flie`"}, false},
		{"a.py", "def load(path, limit):\n    with open(path) as f:\n        return f.read(flie)\n", diag.Diagnostic{Tool: "mypy", Message: `Name "flie" is not defined`}, false},
		{"a.py", "def load(path, limit):\n    with open(path) as f:\n        return f.read(limit, path)\n", diag.Diagnostic{Tool: "mypy", Message: `Too many arguments for "read"`}, true},
		{"a.go", "package a\n\nfunc f(path string, limit int) string { return flie }\n", diag.Diagnostic{Tool: "go", Message: "undefined: flie"}, true},
	} {
		f, err := code.Read(t.Context(), syntax.LangOf(c.path), c.path, []byte(c.src))
		if err != nil {
			t.Fatal(err)
		}
		c.said.File, c.said.Range.Start = c.path, diag.Position{Line: 3, Column: 1}
		read, ok := complaint.Read(c.said)
		if !ok {
			t.Fatalf("%s is not understood", c.said.Message)
		}
		u := newUnit(nil)
		u.add(f)
		m := mending{unit: u, complaints: []complaint.Complaint{read}}
		if got := len(m.sites()) > 0; got != c.want {
			t.Errorf("%s: there are places for them: %v", c.said.Message, got)
		}
	}
}

// Where a join of remedies is refused for one of them, those of another function are had without it.
func TestRemediesByFunction(t *testing.T) {
	const src = "package a\n\nfunc f() {\n\tone()\n}\n\nfunc g() {\n\ttwo()\n\tthree()\n}\n"
	f, err := code.Read(t.Context(), syntax.LangOf("a.go"), "a.go", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	u := newUnit(nil)
	u.add(f)
	m := mending{unit: u}
	for _, call := range []string{"one", "two", "three"} {
		at := f.At(strings.Index(src, call+"()"), strings.Index(src, call+"()")+len(call))
		p, ok := m.proposal(f, complaint.Remedy{Name: "x", Precision: 0.9, Weight: 1, At: at, Why: call, Edits: []edit.Edit{{Start: at.Start, End: at.End, New: []byte("_ = " + call)}}})
		if !ok {
			t.Fatal(call)
		}
		m.hits = append(m.hits, mended{remedy: remedy{p, diag.Fingerprint(call)}, trial: verdict.Trial{Healed: []string{call}}})
	}
	parts, _ := m.compatible()
	if got := m.join(parts).Explanation; got != "In f, one; in g, two; three." {
		t.Errorf("together: %s", got)
	}
	apart := m.byFunction(parts)
	if len(apart) != 1 || apart[0].Explanation != "In g, two; three." || apart[0].Confidence != 0.9 {
		t.Errorf("apart: %+v", apart)
	}
}

// Of two names for one that is not known the one that is spelled more like it is meant, whatever the other one contents besides.
func TestNameMostAlike(t *testing.T) {
	hit := func(about, name string, score float64) mended {
		return mended{remedy: remedy{proposal{template: &template{name: name}, score: score}, diag.Fingerprint(about)}}
	}
	for _, c := range []struct {
		a, b mended
		want bool
	}{
		{hit("x", complaint.NearName, 0.8), hit("x", complaint.NearName, 0.6), true},
		{hit("x", complaint.NearName, 0.6), hit("x", complaint.NearName, 0.8), false},
		{hit("x", complaint.NearName, 0.8), hit("y", complaint.NearName, 0.6), false},
		{hit("x", "more-arguments", 0.8), hit("x", "more-arguments", 0.6), false},
	} {
		if got := c.a.spells(c.b); got != c.want {
			t.Errorf("%s of %s, %v, before %s of %s, %v: %v", c.a.template.name, c.a.about, c.a.score, c.b.template.name, c.b.about, c.b.score, got)
		}
	}
}

// Where all that may be given back was tried and only one value contents the checker, that speaks for it. Where time is over before, that is said, and what was
// found rests on less.
func TestMendMissingReturn(t *testing.T) {
	const src = "def twice(n: int) -> int:\n    result = n * 2\n"
	said := diag.Diagnostic{ID: "one", File: "a.py", Tool: "mypy", Rule: "return", Message: "Missing return statement", Severity: diag.Error, Range: diag.Range{Start: diag.Position{Line: 1, Column: 1}}}
	for name, c := range map[string]struct {
		content []string // with what is given back
		last    int      // trials until time is over; 0: it suffices
		tried   bool     // everything
		note    string
		sure    []float64
	}{
		"one value":             {content: []string{"result"}, tried: true, sure: []float64{0.79}},
		"two values":            {content: []string{"result", "n"}, tried: true, sure: []float64{0.51, 0.35}},
		"or nothing":            {content: []string{"result", "0"}, tried: true, sure: []float64{0.56, 0.07}},
		"nothing alone":         {content: []string{"0"}, tried: true, sure: []float64{0.18}},
		"found, time is over":   {content: []string{"result"}, last: 1, note: "it tried 1 candidate in 60.0 s; there are more, but its time is over", sure: []float64{0.65}},
		"nothing, time is over": {last: 2, note: "it tried 2 candidates in 60.0 s, and the check is content with none; there are more, but its limits are reached"},
	} {
		t.Run(name, func(t *testing.T) {
			place := fixtest.New(t, map[string]string{"a.py": src})
			synctest.Test(t, func(t *testing.T) {
				var notes []string
				task := fix.Task{Check: check.Check{Name: "types", Parser: "mypy"}, Place: place, Diagnostics: []diag.Diagnostic{said}, Note: func(text string) { notes = append(notes, text) }}
				task.TryAll = func(ctx context.Context, patches iter.Seq[edit.Patch]) iter.Seq2[verdict.Trial, error] {
					return func(yield func(verdict.Trial, error) bool) {
						n := 0
						for p := range patches {
							if n++; c.last > 0 && n > c.last {
								<-ctx.Done()
								yield(verdict.Trial{}, ctx.Err())
								return
							}
							trial := verdict.Trial{Index: n - 1, Patch: p}
							if value, ok := strings.CutPrefix(string(p[0].Edits[0].New), "\n    return "); ok && slices.Contains(c.content, value) {
								trial.Healed = []string{"one"}
							}
							if !yield(trial, nil) {
								return
							}
						}
					}
				}
				found, err := New().mend(t.Context(), task)
				if err != nil {
					t.Fatal(err)
				}
				if strings.Join(notes, "\n") != c.note {
					t.Errorf("notes: %q", notes)
				}
				var sure []float64
				for _, f := range found {
					sure = append(sure, f.Confidence)
					if f.Grounds.Exhausted != c.tried {
						t.Errorf("grounds: %+v", *f.Grounds)
					}
				}
				if !slices.Equal(sure, c.sure) {
					t.Errorf("sure: %v", sure)
				}
			})
		})
	}
}
