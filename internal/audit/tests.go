package audit

import (
	"fmt"
	"slices"
	"strings"

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
func (v *patchView) tests(visit func(f *fileView, was def, is *def)) {
	for _, f := range v.files {
		if f.formatted {
			continue
		}
		for _, was := range f.defsBefore {
			if was.test && f.test {
				visit(f, was, v.now(f, was))
			}
		}
	}
}

// now finds a test after the patch: in its own file, else in another test file.
func (v *patchView) now(f *fileView, was def) *def {
	if is, ok := byName(f.defsAfter, was.name); ok && is.test {
		return &is
	}
	for _, o := range v.files {
		if is, ok := byName(o.defsAfter, was.name); ok && is.test && o != f && o.test {
			return &is
		}
	}
	return nil
}

func deletedTests(v *patchView) []Finding { return v.once("deleted", v.findDeleted) }

func (v *patchView) findDeleted() []Finding {
	var all []Finding
	v.tests(func(f *fileView, was def, is *def) {
		if is != nil {
			return
		}
		found := v.testGone(f, was.name, was.line)
		if name := v.renamed(was); name != "" {
			found.Effect, found.Evidence = v.renaming(was.name, name, string(f.before)), was.name+" is now called "+name
		} else if v.stillTold(f, was.name) {
			return // by another test
		}
		all = append(all, found)
	})
	return slices.Concat(all, v.deletedProofs(), v.fewerLineTests().gone)
}

// renamed is the name under which a test with the same body runs now.
func (v *patchView) renamed(was def) string {
	for _, f := range v.files {
		for _, is := range f.defsAfter {
			if _, old := byName(f.defsBefore, is.name); !old && is.test && is.body == was.body && is.skip == was.skip && f.test {
				return is.name
			}
		}
	}
	return ""
}

func skippedTests(v *patchView) []Finding { return v.once("skipped", v.findSkipped) }

func (v *patchView) findSkipped() []Finding {
	var all []Finding
	v.tests(func(f *fileView, was def, is *def) {
		switch {
		case is == nil || is.skip <= was.skip:
		case is.skip == skipsIf:
			all = append(all, Finding{Path: f.path, Line: is.line, Effect: v.unordered(), Evidence: is.name + " is skipped on some machines now"})
		default:
			all = append(all, Finding{Path: f.path, Line: is.line, Effect: v.weakens(), Evidence: is.name + " is skipped now: it must run"})
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

// newSkips looks for marks that skip tests outside of the functions that defs can read: in other languages, for a module,
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
				all = append(all, Finding{Line: l.number, Evidence: fmt.Sprintf("%q decides whether the tests of this file run", clip(l.text))})
			}
		}
	}
	return all
}

// newMarks looks line by line for marks that skip tests, in a language that defs does not read. Source files count too:
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
	v.tests(func(f *fileView, was def, is *def) {
		switch {
		case is == nil || v.stillTold(f, was.name):
		case is.checks < was.checks:
			all = append(all, Finding{Path: f.path, Line: is.line, Effect: v.fewer(f, was.name), Evidence: fmt.Sprintf("%s had %s that can fail, and has %d now", is.name, phrase.Count(was.checks, "assertion"), is.checks)})
		case is.rows < was.rows:
			all = append(all, Finding{Path: f.path, Line: is.line, Effect: v.weakens(), Evidence: fmt.Sprintf("%s had %s, and has %d now", is.name, phrase.Count(was.rows, "case"), is.rows)})
		}
	})
	return all
}
