package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"fettle/internal/check"
	"fettle/internal/check/parse"
	"fettle/internal/diag"
	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/heal"
	"fettle/internal/report"
	"fettle/internal/verdict"

	"gotest.tools/v3/golden"
)

var (
	failing = diag.Diagnostic{
		Check: "test", Tool: "go test", File: "price/price_test.go", Test: "price:TestOff", Message: "Off(100) = 0, want 5",
		Range: diag.Range{Start: diag.Position{Line: 7}}, Detail: "    price_test.go:7: Off(100) = 0, want 5\n", ID: "1111111111111111",
	}
	unused = diag.Diagnostic{
		Check: "lint.ruff", Tool: "ruff", File: "a.py", Rule: "F401", Message: "`os` imported but unused", Excerpt: "import os",
		Range: diag.Range{Start: diag.Position{Line: 1, Column: 8}, End: diag.Position{Line: 1, Column: 10}}, Fixable: true, ID: "2222222222222222",
	}
)

func results() []check.Result {
	return []check.Result{
		{Check: "test", Status: check.Failed, Code: 1, Diagnostics: []diag.Diagnostic{failing}, Wall: 1200 * time.Millisecond,
			Tests: map[string]parse.Outcome{"price:TestOff": parse.Fail, "price:TestHalf": parse.Pass, "price:TestLater": parse.Skip}, Tail: "FAIL\n"},
		{Check: "lint.ruff", Status: check.Failed, Code: 1, Diagnostics: []diag.Diagnostic{unused}, Wall: 20 * time.Millisecond},
		{Check: "format.ruff", Status: check.Passed, Wall: 15 * time.Millisecond},
		{Check: "type.mypy", Status: check.Broken, Reason: "mypy is not installed or not on PATH", Wall: time.Millisecond},
	}
}

func session(end verdict.End) heal.Record {
	evidence := &verdict.Evidence{
		Steps: []verdict.Step{
			{Name: "target", Passed: true, Detail: "test: the failing test passes alone", Duration: 300 * time.Millisecond},
			{Name: "seen", Passed: true, Detail: "a planted fault in each patched file turned a check red", Duration: 200 * time.Millisecond},
		},
		Delta: diag.Delta{Gone: []diag.Diagnostic{failing}}, Seen: true, Green: true,
	}
	s := &heal.State{
		Session: "261121-abcd", Started: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC), Spent: 4500 * time.Millisecond, Cost: 0.25, Iteration: 2,
		Goal:   heal.Goal{Checks: []string{"test", "lint.ruff"}, Iterations: 10, Commit: true},
		Reason: end.Meaning(),
		History: []heal.Iteration{{
			Number: 1, Findings: 2, Attempted: 1, Applied: 1, Successful: 1, Failing: []string{"test", "lint.ruff"}, Gone: 1, Status: "in progress",
			Checks: []heal.CheckCount{
				{Check: "test", Status: check.Failed, Findings: 1, Sample: []string{"price/price_test.go:7: price:TestOff: Off(100) = 0, want 5"}},
				{Check: "lint.ruff", Status: check.Failed, Findings: 1, Sample: []string{"a.py:1: `os` imported but unused (F401)"}},
			},
			Changes: []heal.AppliedChange{{
				Author: "search", Check: "test", Explanation: "In Off, `>` should be `>=`: the limit itself was left out.", Files: []string{"price/price.go"},
				Healed: []string{"test: price/price_test.go:7: price:TestOff: Off(100) = 0, want 5"}, Set: 7,
			}},
			Evidence: evidence, Started: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC), Took: 2 * time.Second,
		}},
		Flaky: []string{"price:TestMoody"}, Notes: []string{"mine could not work on lint.ruff: it crashed"},
	}
	if end == verdict.Converged {
		s.Commit, s.Branch = "0123456789abcdef", "fettle/261121-abcd"
	} else {
		s.Findings = []diag.Diagnostic{unused}
		s.Broken = []heal.BrokenCheck{{Check: "type.mypy", Reason: "mypy is not installed or not on PATH"}}
		s.Kept = &heal.Kept{
			Author: "mine", Explanation: "Drops the import.", Why: "Low confidence, skipping fix: mine is 30% sure of it, and what is less than 70% sure is not applied by itself", Iteration: 2,
			Patch: edit.Patch{{Path: "a.py", Op: edit.Modify, Base: "00", Edits: []edit.Edit{{Start: 0, End: 10}}}},
		}
	}
	return heal.Record{State: s, End: end}
}

// The JSON is a promise to programs: a change here is a change of its version, or only adds a field.
func TestJSON(t *testing.T) {
	for name, doc := range map[string]any{
		"run.json":     report.OfRun(results()),
		"session.json": report.OfSession(session(verdict.Stuck)),
	} {
		b, err := json.MarshalIndent(doc, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		golden.Assert(t, string(b)+"\n", name)
	}
}

func TestText(t *testing.T) {
	var b bytes.Buffer
	report.WriteRun(&b, report.OfRun(results()), report.Style{})
	golden.Assert(t, b.String(), "run.txt")
	for _, end := range []verdict.End{verdict.Stuck, verdict.Converged} {
		b.Reset()
		doc := report.OfSession(session(end))
		report.WriteSession(&b, doc, report.Style{})
		report.WriteEvidence(&b, doc, report.Style{})
		golden.Assert(t, b.String(), string(end)+".txt")
	}
}

// What has cost something is never said to have cost nothing.
func TestCost(t *testing.T) {
	for _, c := range []struct {
		cost    float64
		unknown bool
		want    string
	}{
		{0, false, " · 4.5s\n"},
		{0.0012, false, " · $0.0012\n"},
		{0, true, " · what it has cost is not known\n"},
		{0.5, true, " · $0.50, and what it costs to ask a model whose price is not known\n"},
	} {
		rec := session(verdict.Converged)
		rec.Cost, rec.Unpriced = c.cost, c.unknown
		var b bytes.Buffer
		report.WriteSession(&b, report.OfSession(rec), report.Style{})
		if first, _, _ := strings.Cut(b.String(), "\n"); !strings.HasSuffix(first+"\n", c.want) {
			t.Errorf("%+v: %s", c, first)
		}
	}
}

// What a confidence rests on is told, also of a patch that only waits; and what it would change, where that is known.
func TestEvidenceOfWhatWaits(t *testing.T) {
	rec := session(verdict.Stuck)
	sure := heal.Sureness{Confidence: 0.2, Alternatives: 1, Effort: &fix.Effort{Tried: 90, First: 3, Until: 1200 * time.Millisecond}}
	round := heal.Iteration{Number: 2}
	for _, g := range []*fix.Grounds{
		nil,
		{Failing: 1, Heals: 1, Exhausted: true},
		{Failing: 3, Heals: 2, Passing: 4, Edits: 1, Exhausted: true},
		{Failing: 3, Heals: 3, Edits: 2, Denied: 1},
		{Record: 0.85, Edits: 3},
	} {
		sure.Grounds = g
		sure.Confidence += 0.1 // the list has the surest first
		round.Refused = append(round.Refused, heal.RefusedChange{Author: "search", Check: "test", Explanation: "In Off, `>` should be `>=`.", Sureness: sure, Why: "Low confidence"})
	}
	round.Refused[0].Explanation = "In On, `>` should be `>=`."
	rec.History = append(rec.History, round)
	doc := report.OfSession(rec)
	doc.Refused = map[report.Refusal]string{{Round: 2, Author: "search", Explanation: "In On, `>` should be `>=`."}: "--- a/price.go\n+++ b/price.go\n@@ -3 +3 @@\n-\tif n > 100 {\n+\tif n >= 100 {\n"}
	var b bytes.Buffer
	report.WriteEvidence(&b, doc, report.Style{})
	golden.Assert(t, b.String(), "waiting.txt")
}

// What a fixer offers again in another round is told once; what looks alike in one round are several.
func TestRefusedAgain(t *testing.T) {
	rec := session(verdict.Stuck)
	c := heal.RefusedChange{Author: "search", Check: "test", Explanation: "In Twice, `a` should be `b`.", Why: "Low confidence"}
	rec.History = append(rec.History, heal.Iteration{Number: 2, Refused: []heal.RefusedChange{c, c}}, heal.Iteration{Number: 3, Refused: []heal.RefusedChange{c}})
	var b bytes.Buffer
	report.WriteSession(&b, report.OfSession(rec), report.Style{})
	if n := strings.Count(b.String(), c.Explanation); n != 2 {
		t.Errorf("told %d times:\n%s", n, b.String())
	}
}

// A change is shown as it is, once for all that was applied together; of long lists the beginning is.
func TestEvidenceShowsTheChange(t *testing.T) {
	rec := session(verdict.Converged)
	round := &rec.History[0]
	first := round.Changes[0]
	for i := range 5 {
		first.Healed = append(first.Healed, fmt.Sprintf("test: price/price_test.go:%d: price:TestOff%d: Off(100) = 0, want 5", i+9, i))
	}
	second := first
	second.Explanation, second.Healed = "In On, `>` should be `>=`.", nil
	round.Changes = []heal.AppliedChange{first, second}
	doc := report.OfSession(rec)
	doc.Diffs = map[int64]string{7: "--- a/price/price.go\n+++ b/price/price.go\n@@ -3 +3 @@\n-\tif n > 100 {\n+\tif n >= 100 {\n" + strings.Repeat("+\n", 60)}
	var b bytes.Buffer
	report.WriteEvidence(&b, doc, report.Style{})
	golden.Assert(t, b.String(), "change.txt")
}

// Advice about a setting names the file only where there is one.
func TestAdviceNamesTheFileThereIs(t *testing.T) {
	for written, want := range map[bool]string{
		true:  "limits.confidence in fettle.yaml, or FETTLE_CONFIDENCE_THRESHOLD",
		false: "limits.confidence in a fettle.yaml (fettle init writes one), or FETTLE_CONFIDENCE_THRESHOLD",
	} {
		var b bytes.Buffer
		doc := report.OfSession(session(verdict.Stuck))
		doc.File = check.FileFor(written)
		report.WriteSession(&b, doc, report.Style{})
		if !strings.Contains(b.String(), want) {
			t.Errorf("%v: %s is missing in\n%s", written, want, b.String())
		}
	}
}

func TestRunExitCodes(t *testing.T) {
	for _, tc := range []struct {
		statuses []check.Status
		code     int
	}{
		{[]check.Status{check.Passed, check.Passed}, 0},
		{[]check.Status{check.Passed, check.Failed}, 1},
		{[]check.Status{check.TimedOut}, 1},
		{[]check.Status{check.Failed, check.Broken}, 6},
		{nil, 0},
	} {
		var rs []check.Result
		for _, s := range tc.statuses {
			rs = append(rs, check.Result{Status: s})
		}
		if r := report.OfRun(rs); r.ExitCode != tc.code || r.Success != (tc.code == 0) {
			t.Errorf("%v: exit code %d, success %v; want %d", tc.statuses, r.ExitCode, r.Success, tc.code)
		}
	}
}

func TestStyle(t *testing.T) {
	if got := (report.Style{}).Bad("x"); got != "x" {
		t.Errorf("plain style dressed a word: %q", got)
	}
	if got := (report.Style{Color: true}).Bad("x"); got != "\x1b[31mx\x1b[0m" {
		t.Errorf("colour: %q", got)
	}
}

// What a failing test said is shown without what its finding says anyway, and without the frames of others.
func TestDetail(t *testing.T) {
	own := []diag.Frame{{File: "src/test/java/com/x/CalcTest.java", Line: 14}}
	for _, c := range []struct{ name, detail, want string }{
		{"frames", "java.lang.AssertionError: no\n\tat org.junit.Assert.fail(Assert.java:88)\n\tat com.x.CalcTest.adds(CalcTest.java:14)\n\tat java.base/Method.invoke(Method.java:569)\n",
			"        java.lang.AssertionError: no\n        \tat com.x.CalcTest.adds(CalcTest.java:14)\n"},
		{"the message", "no\n    at CalcTest.java:14\n", "            at CalcTest.java:14\n"},
		{"no frame", "at first it was 1\n  at last it is 2\n", "        at first it was 1\n          at last it is 2\n"},
	} {
		d := diag.Diagnostic{Check: "test", Test: "adds", Message: "no", Detail: c.detail, Frames: own}
		var b bytes.Buffer
		report.WriteRun(&b, report.OfRun([]check.Result{{Check: "test.of-a-long-name", Status: check.Failed, Diagnostics: []diag.Diagnostic{d}}}), report.Style{})
		if _, got, _ := strings.Cut(b.String(), "adds: no\n"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
