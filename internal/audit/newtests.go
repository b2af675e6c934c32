package audit

import (
	"slices"
	"strings"

	"fettle/internal/audit/assertions"
	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/lang"
	"fettle/internal/pattern"
)

// bringsTests reports whether a new file of a person's holds tests that do something, with what they need, and nothing that decides about other tests.
func bringsTests(f *fileView) bool {
	if f.programAfter == nil {
		tests := lineTests(f.path, f.after)
		return len(tests) > 0 && newLineTests(f, nil, tests)
	}
	if parts.Broken(f.programAfter) || isConftest(f.path) {
		return false
	}
	some, ok := brings(f.programAfter.Root)
	return some && ok
}

// brings reports whether what a file or suite holds is there for its tests, and whether it has any.
func brings(holder *code.Node) (some, ok bool) {
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
			if _, ok := brings(at); !ok || slices.ContainsFunc(marks, skipped) {
				return true, false
			}
			some = true
		case at.Is(code.Function) && at.Name == "TestMain":
			if !honestMain(at) {
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
		return assertions.RunsAround(name) || wholeModules[name] && mockers[strings.TrimSuffix(parts.Bare(at.Kid(code.Callee).Text()), "."+name)] || strings.HasPrefix(name, "after")
	case at.Is(code.If):
		return strings.Contains(at.Kid(code.Cond).Text(), "__name__")
	}
	return at.Is(code.Pass) || parts.Literal(at) || at.Role == code.Other && strings.HasPrefix(at.Text(), "type ")
}

// ownHooks are functions that others carry out before everything.
var ownHooks = map[string]bool{"init": true, "load_tests": true}

// honestMain reports whether a TestMain runs the tests whatever happens, and ends as they ended, or with a failure.
func honestMain(fn *code.Node) bool {
	params := fn.All(code.Params)
	if len(params) != 1 || fn.Kid(code.Body) == nil {
		return false
	}
	m, runs, codes := params[0].Name, 0, make(map[string]bool)
	ranBy := func(n *code.Node) bool { return parts.Bare(n.Text()) == m+".Run()" }
	for n := range fn.Walk() {
		switch {
		case n.Role == code.Call && (ranBy(n) || verifiesMain.MatchString(parts.Bare(n.Kid(code.Callee).Text())) && len(n.All(code.Arg)) > 0 && n.All(code.Arg)[0].Text() == m):
			runs++
			if n.Function() != fn || n.Up(code.If, code.For, code.Each, code.Switch) != nil || n.Up(code.Other) != nil && strings.HasPrefix(n.Up(code.Other).Text(), "go ") {
				return false
			}
			if at := n.Parent; at.Role == code.Assign && at.Kid(code.Target).Is(code.Name) {
				codes[at.Kid(code.Target).Name] = true
			}
		case n.Role == code.Return, n.Role == code.Call && misleads.MatchString(parts.Bare(n.Text())):
			return false
		case n.Role == code.Assign && strings.HasPrefix(parts.Bare(n.Text()), "os.Args"):
			return false
		}
	}
	return runs == 1 && handsOn(fn, codes, ranBy)
}

var (
	verifiesMain = pattern.New(`(^|\.)VerifyTestMain$`)
	misleads     = pattern.New(`^recover\(|^flag\.Set\(|^flag\.CommandLine\.|^(syscall|unix)\.`)
)

// handsOn reports whether every end of a TestMain is by what the tests ended with, which only becomes worse.
func handsOn(fn *code.Node, codes map[string]bool, ranBy func(*code.Node) bool) bool {
	for n := range fn.Walk() {
		switch {
		case n.Role == code.Assign && n.Kid(code.Target).Is(code.Name) && codes[n.Kid(code.Target).Name]:
			if v := n.Kid(code.Value); !ranBy(v) && (!v.Is(code.Int) || v.Text() == "0") {
				return false
			}
		case n.Role == code.Step:
			return false
		case n.Role == code.Call && parts.Bare(n.Kid(code.Callee).Text()) == "os.Exit":
			a := n.All(code.Arg)
			if len(a) != 1 || !ranBy(a[0]) && (!a[0].Is(code.Name) || !codes[a[0].Name]) && (!a[0].Is(code.Int) || a[0].Text() == "0") {
				return false
			}
		}
	}
	return true
}

// wantsTypeError reports whether a mark of TypeScript's in a person's new test asks for an error, which is a demand: it fails where there is none.
func (v *patchView) wantsTypeError(f *fileView, s suppression) bool {
	if v.goal.By != Person || !f.test || !strings.Contains(s.mark, "@ts-expect-error") {
		return false
	}
	return slices.ContainsFunc(f.proofsAfter, func(p proof) bool {
		if p.name == "" || slices.ContainsFunc(f.proofsBefore, func(was proof) bool { return was.name == p.name }) {
			return false
		}
		end := p.node.File.Tree.Position(p.node.End).Line
		return p.node.Line() < s.line && s.line <= end && len(strings.Fields(lineAt(f.after, s.line))) > 2
	})
}

// lineAt is a line of a text, from 1.
func lineAt(src []byte, number int) string {
	lines := strings.Split(string(src), "\n")
	if number < 1 || number > len(lines) {
		return ""
	}
	return lines[number-1]
}
