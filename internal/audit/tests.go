package audit

import (
	"fmt"
	"slices"
	"strings"

	"fettle/internal/audit/functions"
	"fettle/internal/lang"
	"fettle/internal/phrase"
)

// testRules look for tests that prove less than before.
var testRules = []Rule{
	{"deleted-test", "a test is gone, or was renamed so that it does not run", deletedTests},
	{"skipped-test", "a test is skipped that was not", skippedTests},
	{"weakened-test", "a test can fail in fewer ways than before", weakenedTests},
	{"stand-in", "what a test asks is replaced by something that the tests bring along", standsIn},
	{"changed-test", "a test asks or expects something else, in a patch that was made to make tests pass", changedTests},
}

// weakens is the effect of a weaker test: also where the goal lets tests change, a person has to say yes.
func (v *patchView) weakens() Effect {
	if v.goal.Tests {
		return Ask
	}
	return Refuse
}

// unordered is the effect of what a person may decide for reasons of their own, and a fixer that has to make tests pass may not.
func (v *patchView) unordered() Effect {
	if v.goal.By == Healer && !v.goal.Tests {
		return Refuse
	}
	return Ask
}

// tests walks the tests that were there before, with what became of them in any file of the patch that runs tests.
func (v *patchView) tests(visit func(f *fileView, was functions.Function, is *functions.Function)) {
	for _, f := range v.files {
		if f.formatted {
			continue
		}
		for _, was := range f.defsBefore {
			if was.Test && f.test {
				visit(f, was, v.now(f, was))
			}
		}
	}
}

// now finds a test after the patch: in its own file, else in another test file.
func (v *patchView) now(f *fileView, was functions.Function) *functions.Function {
	if is, ok := functions.ByName(f.defsAfter, was.Name); ok && is.Test {
		return &is
	}
	for _, o := range v.files {
		if is, ok := functions.ByName(o.defsAfter, was.Name); ok && is.Test && o != f && o.test {
			return &is
		}
	}
	return nil
}

func deletedTests(v *patchView) []Finding { return v.once("deleted", v.findDeleted) }

func (v *patchView) findDeleted() []Finding {
	var all []Finding
	v.tests(func(f *fileView, was functions.Function, is *functions.Function) {
		if is != nil {
			return
		}
		found := v.testGone(f, was.Name, was.Line)
		if name := v.renamed(was); name != "" {
			found.Effect, found.Evidence = v.renaming(was.Name, name, string(f.before)), was.Name+" is now called "+name
		} else if v.retold(f).Stands(was.Name) {
			return // by another test
		}
		all = append(all, found)
	})
	return slices.Concat(all, v.deletedProofs(), v.fewerLineTests().gone)
}

// renamed is the name under which a test with the same body runs now.
func (v *patchView) renamed(was functions.Function) string {
	for _, f := range v.files {
		for _, is := range f.defsAfter {
			if _, old := functions.ByName(f.defsBefore, is.Name); !old && is.Test && is.Body == was.Body && is.Skip == was.Skip && f.test {
				return is.Name
			}
		}
	}
	return ""
}

func skippedTests(v *patchView) []Finding { return v.once("skipped", v.findSkipped) }

func (v *patchView) findSkipped() []Finding {
	var all []Finding
	v.tests(func(f *fileView, was functions.Function, is *functions.Function) {
		switch {
		case is == nil || is.Skip <= was.Skip:
		case is.Skip == functions.SkipsIf:
			all = append(all, Finding{Path: f.path, Line: is.Line, Effect: v.unordered(), Evidence: is.Name + " is skipped on some machines now"})
		default:
			all = append(all, Finding{Path: f.path, Line: is.Line, Effect: v.weakens(), Evidence: is.Name + " is skipped now: it must run"})
		}
	})
	all = append(all, v.stopped()...)
	for _, f := range v.files {
		for _, why := range v.newSkips(f) {
			if why.Path = f.path; why.Effect == "" {
				why.Effect = v.weakens()
			}
			all = append(all, why)
		}
	}
	return all
}

// newSkips looks for marks that skip tests outside of the functions that functions.Of can read: in other languages, for a module,
// for a whole file.
func (v *patchView) newSkips(f *fileView) []Finding {
	var all []Finding
	if f.formatted {
		return nil
	}
	if !f.parses {
		all = v.withoutNewSkips(f, v.withoutNewPanics(f, f.newMarks()))
	}
	if !f.test {
		return all
	}
	all = append(all, v.newLeftOut(f)...)
	if f.before == nil {
		return all
	}
	for _, l := range f.newLines() {
		for _, mark := range []string{"//go:build", "// +build", "pytestmark", "__test__", "allow_module_level"} {
			if strings.Contains(l.text, mark) {
				all = append(all, Finding{Line: l.number, Evidence: fmt.Sprintf("%q decides whether the tests of this file run", phrase.Clip(l.text))})
			}
		}
	}
	return all
}

// newMarks looks line by line for marks that skip tests, in a language that functions.Of does not read. Source files count too:
// some languages keep tests in them.
func (f *fileView) newMarks() []Finding {
	l := lang.Of(f.path)
	before := make(map[string]int)
	for _, text := range strings.Split(string(f.before), "\n") {
		for _, mark := range lang.Skips(l, text) {
			before[mark]++
		}
	}
	var all []Finding
	for i, text := range strings.Split(string(f.after), "\n") {
		for _, mark := range lang.Skips(l, text) {
			if before[mark]--; before[mark] < 0 {
				all = append(all, Finding{Line: i + 1, Evidence: fmt.Sprintf("%q keeps tests from running: they must run", mark)})
			}
		}
	}
	return all
}

func weakenedTests(v *patchView) []Finding { return v.once("weakened", v.findWeakened) }

func (v *patchView) findWeakened() []Finding {
	all := slices.Concat(v.weakerDemands(), v.decided().computed, v.fewerLineTests().weaker, v.looserExamples())
	v.tests(func(f *fileView, was functions.Function, is *functions.Function) {
		switch {
		case is == nil || v.retold(f).Stands(was.Name):
		case is.Checks < was.Checks:
			all = append(all, Finding{Path: f.path, Line: is.Line, Effect: v.fewer(f, was.Name), Evidence: fmt.Sprintf("%s had %s that can fail, and has %d now", is.Name, phrase.Count(was.Checks, "assertion"), is.Checks)})
		case is.Rows < was.Rows:
			all = append(all, Finding{Path: f.path, Line: is.Line, Effect: v.weakens(), Evidence: fmt.Sprintf("%s had %s, and has %d now", is.Name, phrase.Count(was.Rows, "case"), is.Rows)})
		}
	})
	return all
}
