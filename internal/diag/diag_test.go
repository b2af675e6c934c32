package diag_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"fettle/internal/diag"

	"pgregory.net/rapid"
)

func lint(file, rule, message, excerpt string, line int) diag.Diagnostic {
	return diag.Diagnostic{Check: "lint", Tool: "ruff", File: file, Rule: rule, Message: message, Excerpt: excerpt,
		Range: diag.Range{Start: diag.Position{Line: line, Column: 1}}}
}

func test(id, message string) diag.Diagnostic {
	return diag.Diagnostic{Check: "test", Test: id, Message: message}
}

func TestFingerprintSurvivesLineShifts(t *testing.T) {
	base := lint("a.py", "F401", "`os` imported but unused", "import os", 3)
	for _, tc := range []struct {
		name string
		d    diag.Diagnostic
		same bool
	}{
		{"moved down", lint("a.py", "F401", "`os` imported but unused", "import os", 90), true},
		{"re-indented", lint("a.py", "F401", "`os` imported but unused", "\timport  os", 3), true},
		{"with a fix", func() diag.Diagnostic {
			d := base
			d.Suggestions = []diag.Suggestion{{Replacements: []diag.Replacement{{File: "a.py", Text: "x"}}}}
			return d
		}(), true},
		{"other rule", lint("a.py", "F402", "`os` imported but unused", "import os", 3), false},
		{"other file", lint("b.py", "F401", "`os` imported but unused", "import os", 3), false},
		{"other name", lint("a.py", "F401", "`sys` imported but unused", "import sys", 3), false},
	} {
		got := diag.Identify([]diag.Diagnostic{base})[0].ID == diag.Identify([]diag.Diagnostic{tc.d})[0].ID
		if got != tc.same {
			t.Errorf("%s: same = %v", tc.name, got)
		}
	}
	if a, b := test("p:T", "got 1"), test("p:T", "panic at 0xc0001234"); diag.Identify([]diag.Diagnostic{a})[0].ID != diag.Identify([]diag.Diagnostic{b})[0].ID {
		t.Error("a test that fails in another way is another finding")
	}
}

func TestCompare(t *testing.T) {
	build := diag.Diagnostic{Check: "test", Dir: "p", File: "p/a.go", Message: "undefined: x", Masks: diag.MasksDir}
	other := diag.Diagnostic{Check: "test", Dir: "p", File: "p/a.go", Message: "undefined: y", Masks: diag.MasksDir}
	inP := test("p:TestA", "want 1")
	inP.Dir = "p"
	inQ := test("q:TestB", "want 1")
	inQ.Dir = "q"
	long := lint("a.py", "F841", "`v` is never used", "v = f(1, 2)", 4)
	broken := lint("a.py", "F841", "`v` is never used", "v = f(", 4)
	at := func(line int, step diag.Step, message string) diag.Diagnostic {
		return diag.Diagnostic{Check: "build", File: "p/A.java", Range: diag.Range{Start: diag.Position{Line: line}}, Message: message, Masks: diag.MasksDir, Step: step}
	}
	name, wrong, flow := at(3, diag.StepNaming, "cannot find symbol: x"), at(3, diag.StepTyping, "incompatible types"), at(9, diag.StepFlow, "missing return statement")
	vetted, late := at(9, diag.StepVet, "fmt.Sprintf format %s has arg n of wrong type int"), at(5, diag.StepTyping, "undefined: m")
	type ds = []diag.Diagnostic
	for _, tc := range []struct {
		name                      string
		before, after             ds
		gone, kept, new, unmasked int
	}{
		{"nothing", nil, nil, 0, 0, 0, 0},
		{"healed", ds{inP}, nil, 1, 0, 0, 0},
		{"kept", ds{inP}, ds{inP}, 0, 1, 0, 0},
		{"new", nil, ds{inP}, 0, 0, 1, 0},
		{"two alike, one healed", ds{long, long}, ds{long}, 1, 1, 0, 0},
		{"reformatted line is the same finding", ds{long}, ds{broken}, 0, 1, 0, 0},
		{"test unmasked by a healed build", ds{build}, ds{inP}, 1, 0, 0, 1},
		{"test elsewhere is not", ds{build}, ds{inQ}, 1, 0, 1, 0},
		{"what a compiler's later step says further down was there before", ds{name}, ds{flow}, 1, 0, 0, 1},
		{"so was what vet says further down", ds{late}, ds{vetted}, 1, 0, 0, 1},
		{"what the compiler says instead of vet was not", ds{vetted}, ds{late}, 1, 0, 1, 0},
		{"nor another thing that vet says", ds{vetted}, ds{at(5, diag.StepVet, "unreachable code")}, 1, 0, 1, 0},
		{"a wrong type where a name was unknown was not", ds{name}, ds{wrong}, 1, 0, 1, 0},
		{"nor was what an earlier step says", ds{flow}, ds{name}, 1, 0, 1, 0},
		{"nor was anything before the step was known", ds{build}, ds{at(9, diag.StepFlow, "missing return statement")}, 1, 0, 1, 0},
		{"one build error for another is not progress", ds{build}, ds{other}, 1, 0, 1, 0},
	} {
		d := diag.Compare(slices.Clone(tc.before), slices.Clone(tc.after))
		got := [4]int{len(d.Gone), len(d.Kept), len(d.New), len(d.Unmasked)}
		if want := [4]int{tc.gone, tc.kept, tc.new, tc.unmasked}; got != want {
			t.Errorf("%s: gone, kept, new, unmasked = %v, want %v", tc.name, got, want)
		}
	}
}

// Whatever the two runs said: every finding is in exactly one list, equal runs differ in nothing, and shifting every line
// changes nothing.
func TestCompareProperties(t *testing.T) {
	gen := rapid.Custom(func(t *rapid.T) diag.Diagnostic {
		d := lint(rapid.SampledFrom([]string{"a.py", "d/b.py", ""}).Draw(t, "file"),
			rapid.SampledFrom([]string{"F401", "E999"}).Draw(t, "rule"),
			fmt.Sprintf("line %d: bad", rapid.IntRange(1, 9).Draw(t, "n")),
			rapid.SampledFrom([]string{"x = 1", "y = 2"}).Draw(t, "excerpt"), rapid.IntRange(1, 99).Draw(t, "line"))
		d.Step = rapid.SampledFrom([]diag.Step{diag.StepUnknown, diag.StepParsing, diag.StepFlow}).Draw(t, "step")
		d.Masks = rapid.SampledFrom([]diag.Masks{diag.MasksNothing, diag.MasksFile, diag.MasksDir, diag.MasksCheck}).Draw(t, "masks")
		return d
	})
	rapid.Check(t, func(t *rapid.T) {
		before := rapid.SliceOfN(gen, 0, 12).Draw(t, "before")
		after := rapid.SliceOfN(gen, 0, 12).Draw(t, "after")
		d := diag.Compare(before, after)
		if len(d.Gone)+len(d.Kept) != len(before) || len(d.Kept)+len(d.New)+len(d.Unmasked) != len(after) {
			t.Fatalf("lists do not add up: %d+%d of %d, %d+%d+%d of %d", len(d.Gone), len(d.Kept), len(before), len(d.Kept), len(d.New), len(d.Unmasked), len(after))
		}
		shifted := slices.Clone(before)
		for i := range shifted {
			shifted[i].Range.Start.Line += 7
		}
		if d := diag.Compare(before, shifted); len(d.Kept) != len(before) || d.Progress() {
			t.Fatalf("a shift changed something: %+v", d)
		}
	})
}

func TestSeverityText(t *testing.T) {
	for _, s := range []diag.Severity{diag.Error, diag.Warning, diag.Info, diag.Hint} {
		b, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var back diag.Severity
		if err := json.Unmarshal(b, &back); err != nil || back != s {
			t.Errorf("%v came back as %v, %v", s, back, err)
		}
	}
	var s diag.Severity
	if err := json.Unmarshal([]byte(`"dire"`), &s); err == nil {
		t.Error(`"dire" was accepted`)
	}
}

// A file that is not formatted stays the same finding when another of its lines is the first to show it.
func TestFormIsOfTheWholeFile(t *testing.T) {
	id := func(rule, excerpt string) diag.Fingerprint {
		return diag.Identify([]diag.Diagnostic{{Check: "format.ruff", Tool: "ruff", File: "a.py", Rule: rule, Message: "File would be reformatted", Excerpt: excerpt}})[0].ID
	}
	for rule, same := range map[string]bool{"unformatted": true, "format": true, "E501": false} {
		if got := id(rule, "def title(s):") == id(rule, "    return s"); got != same {
			t.Errorf("%s: the same: %v", rule, got)
		}
	}
}
