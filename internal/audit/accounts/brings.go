package accounts

import (
	"slices"
	"strings"

	"fettle/internal/audit/assertions"
	"fettle/internal/audit/doubles"
	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/lang"
)

// Brings looks at a file or suite that is new: whether it has some test, and whether all is well, as everything in it is there for its tests.
func Brings(holder *code.Node) (some, ok bool) {
	for _, k := range membersOf(holder) {
		at := parts.Inner(k)
		switch {
		case k.Role == code.Import, isRequire(k), parts.IsDecorator(k), at.Is(code.Class) && !assertions.HoldsTests(at):
		case assertions.IsTest(at):
			if !isNewTest(at, nil) {
				return some, false
			}
			some = true
		case assertions.HoldsTests(at):
			marks := append(suiteMarks(at), parts.Bare(at.Kid(code.Callee).Text()))
			skipped := func(mark string) bool { return len(lang.Skips(lang.Of(at.File.Path), mark)) > 0 }
			if _, ok := Brings(at); !ok || slices.ContainsFunc(marks, skipped) {
				return true, false
			}
			some = true
		case at.Is(code.Function) && at.Name == "TestMain":
			if !assertions.HonestMain(at) {
				return some, false
			}
			some = true
		case !servesTests(k, at):
			return some, false
		}
	}
	return some, true
}

// servesTests reports whether a statement makes something that tests use: a function, a value, what is carried out before them.
func servesTests(k, at *code.Node) bool {
	if assertions.GoodExit.MatchString(k.Text()) {
		return false
	}
	switch {
	case at.Is(code.Function):
		return !ownHooks[at.Name] && !strings.HasPrefix(at.Name, "pytest_")
	case at.Is(code.Assign, code.Declaration):
		for n := range at.Walk() {
			if n.Role == code.Assign && slices.ContainsFunc(n.All(code.Target), func(t *code.Node) bool {
				return t.Is(code.Attr, code.Index) && n.Function() == k.Function() || t.Name == "pytestmark" || t.Name == "collect_ignore"
			}) {
				return false
			}
		}
		return true
	case at.Is(code.Call):
		name := parts.LastName(at)
		return assertions.RunsAround(name) || doubles.ReplacesModule(at) || strings.HasPrefix(name, "after")
	case at.Is(code.If):
		return strings.Contains(at.Kid(code.Cond).Text(), "__name__")
	}
	return at.Is(code.Pass) || parts.Literal(at) || at.Role == code.Other && strings.HasPrefix(at.Text(), "type ")
}

// ownHooks are functions that others carry out before everything.
var ownHooks = map[string]bool{"init": true, "load_tests": true}
