package audit

import (
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"

	"fettle/internal/audit/assertions"
	"fettle/internal/audit/examples"
	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/lang"
	"fettle/internal/pattern"
	"fettle/internal/phrase"
	"fettle/internal/syntax"
)

// stopped looks for tests that are still written there, and are not carried out any more.
func (v *patchView) stopped() []Finding {
	var all []Finding
	for _, f := range v.files {
		if !f.test || f.formatted || f.programBefore == nil {
			continue
		}
		known := slices.ContainsFunc(f.proofsBefore, func(was assertions.Test) bool { return parts.IsCoroutine(was.Node) }) // there was something that ran them
		for _, was := range f.proofsBefore {
			if was.Name == "" || v.idle(was.Node) != "" {
				continue
			}
			is, ok := v.overloadNow(f, was)
			if !ok || known && parts.IsCoroutine(is.Node) {
				continue
			}
			if why := v.idle(is.Node); why != "" {
				all = append(all, Finding{Path: f.path, Line: is.Node.Line(), Effect: v.weakens(), Evidence: fmt.Sprintf("%s is not carried out any more: %s", was.Name, why)})
			}
		}
	}
	return all
}

// idle says why no runner carries out what stands in a test; empty where one does.
func (v *patchView) idle(test *code.Node) string {
	for at := test; at.Parent != nil; at = at.Parent {
		if assertions.Dead(at.Parent) {
			return "it stands in a branch that is never taken"
		}
		if assertions.Uncalled(at.Parent) {
			return "it stands in a function that nothing calls"
		}
	}
	switch test.File.Lang {
	case syntax.Python:
		return v.idlePython(test)
	case syntax.JavaScript, syntax.TypeScript, syntax.TSX:
		if slices.ContainsFunc(test.All(code.Arg), func(a *code.Node) bool {
			return a.Role == code.Function && strings.HasPrefix(strings.TrimPrefix(parts.Bare(a.Text()), "async"), "function*")
		}) {
			return "it is a generator, whose body nobody runs"
		}
	case syntax.Java:
		if head, _, _ := strings.Cut(test.Text(), test.Name); slices.Contains(strings.Fields(head), "private") {
			return "it is private"
		}
		if c := test.Up(code.Class); c != nil && slices.Contains(strings.Fields(c.Text()[:c.Kid(code.Body).Start-c.Start]), "abstract") {
			return "nobody makes an abstract class"
		}
	default: // what is there runs
	}
	return ""
}

func (v *patchView) idlePython(test *code.Node) string {
	switch {
	case assertions.IsFixture(test):
		return ""
	case parts.Yields(test):
		return "it is a generator, whose body nobody runs"
	case parts.IsCoroutine(test) && !v.waits(test):
		return "nothing here runs what is async: name the plugin by a mark, or by asyncio_mode"
	case taken(test):
		return "its name means something else afterwards"
	}
	if c := test.Up(code.Class); c != nil && !collected(c) {
		return "pytest takes no tests from " + c.Name
	}
	return ""
}

// asyncMarks are words that tell a runner of Python's to wait for what is async.
var asyncMarks = pattern.New(`asyncio|anyio|trio|tornado|gen_test|inlineCallbacks|aiohttp|Async\w*TestCase|AsyncTest|async_test`)

// asyncModes are the settings by which a plugin waits for every test that is async.
var asyncModes = pattern.New(`(?m)^\s*(asyncio_mode|anyio_mode|trio_mode)\s*=\s*["']?(auto|true)`)

// waits reports whether a runner waits for a test that is async: it, its class or its file says so, or the settings of the repository do.
func (v *patchView) waits(test *code.Node) bool {
	says := parts.Marks(test)
	if c := test.Up(code.Class); c != nil {
		says = append(says, parts.Marks(c)...)
		for _, base := range c.All(code.Arg) {
			says = append(says, base.Text())
		}
	}
	for _, s := range test.File.Root.All(code.Stmt) {
		if s.Role == code.Assign && strings.HasPrefix(s.Text(), "pytestmark") {
			says = append(says, s.Text())
		}
	}
	return slices.ContainsFunc(says, asyncMarks.MatchString) || slices.ContainsFunc(pytestFiles, func(name string) bool { return asyncModes.Match(v.content(name)) })
}

// pytestFiles are the files in which pytest finds its settings; the first that has any counts.
var pytestFiles = []string{"pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg"}

// content is what a file of the repository holds after the patch.
func (v *patchView) content(name string) []byte {
	for _, f := range v.files {
		if f.path == name {
			return f.after
		}
	}
	f, err := v.source(name)
	if err != nil {
		return nil
	}
	return f.Data
}

// taken reports whether a module or class gives the name of a test to something else behind it, or takes it away.
func taken(test *code.Node) bool {
	for at := test.Next(); at != nil; at = at.Next() {
		switch {
		case at.Role == code.Assign && slices.ContainsFunc(at.All(code.Target), func(t *code.Node) bool { return t.Role == code.Name && t.Name == test.Name }):
			if value := at.Kid(code.Value); !parts.Mentions([]byte(value.Text()), test.Name) {
				return true
			}
		case at.Role == code.Other && strings.HasPrefix(at.Text(), "del ") && parts.Mentions([]byte(at.Text()), test.Name):
			return true
		}
	}
	return false
}

// collected reports whether pytest or unittest takes tests from a class: one that is called Test… and is made without arguments, or is of unittest's.
func collected(class *code.Node) bool {
	if len(class.All(code.Arg)) > 0 {
		return true // what its base is, nobody knows here
	}
	if !strings.HasPrefix(class.Name, "Test") {
		return false
	}
	return !slices.ContainsFunc(class.Kid(code.Body).All(code.Stmt), func(n *code.Node) bool { return n.Role == code.Function && n.Name == "__init__" })
}

// newLeftOut looks for what a module of Python's says when it is loaded, so that its tests, or those beside it, are left out.
func (v *patchView) newLeftOut(f *fileView) []Finding {
	if f.programAfter == nil || lang.Of(f.path) != lang.Python {
		return nil
	}
	had := make(map[string]bool)
	for n := range outsideFunctions(f.programBefore) {
		had[parts.Bare(n.Text())] = true
	}
	all := v.newSkipsForAll(f)
	for n := range outsideFunctions(f.programAfter) {
		switch {
		case had[parts.Bare(n.Text())]:
		case n.Is(code.Assign, code.Call) && strings.HasPrefix(n.Text(), "collect_ignore") && leavesTestsOut(n, path.Dir(f.path)):
			all = append(all, Finding{Line: n.Line(), Evidence: fmt.Sprintf("%q leaves tests out", phrase.Clip(n.Text()))})
		case n.Role == code.Call && parts.LastName(n) == "importorskip" && f.before != nil:
			all = append(all, Finding{Line: n.Line(), Effect: v.unordered(), Evidence: fmt.Sprintf("%q decides whether the tests of this file run", phrase.Clip(n.Text()))})
		case n.Role == code.Raise && strings.Contains(n.Text(), "SkipTest") && f.before != nil:
			all = append(all, Finding{Line: n.Line(), Evidence: fmt.Sprintf("%q keeps the tests of this file from running", phrase.Clip(n.Text()))})
		}
	}
	return all
}

// newSkipsForAll looks for skips in what is carried out for tests that do not ask for it: setups, fixtures for all, fixtures that were there.
func (v *patchView) newSkipsForAll(f *fileView) []Finding {
	was := parts.Functions(f.programBefore)
	var all []Finding
	for name, fn := range parts.Functions(f.programAfter) {
		skips := skipCalls(fn)
		if assertions.TestName(fn) != "" || len(skips) == 0 || was[name] != nil && len(skipCalls(was[name])) >= len(skips) || was[name] == nil && !forAll(fn) {
			continue
		}
		found := Finding{Line: skips[0].Line(), Effect: v.weakens(), Evidence: fmt.Sprintf("%q in %s skips every test that it is carried out for", phrase.Clip(skips[0].Text()), name)}
		if skips[0].Up(code.If) != nil {
			found.Effect = v.unordered()
		}
		all = append(all, found)
	}
	slices.SortFunc(all, func(a, b Finding) int { return a.Line - b.Line })
	return all
}

// forAll reports whether a function is carried out for tests that do not name it.
func forAll(fn *code.Node) bool {
	return assertions.RunsBefore(fn.Name) || slices.ContainsFunc(parts.Marks(fn), func(mark string) bool { return strings.Contains(mark, "autouse") })
}

// skipCalls are the calls and errors in a function that skip the test it is carried out for.
func skipCalls(fn *code.Node) []*code.Node {
	var all []*code.Node
	for n := range fn.Own() {
		if n.Role == code.Call && slices.Contains([]string{"skip", "skipTest", "xfail", "importorskip"}, parts.LastName(n)) || n.Role == code.Raise && strings.Contains(n.Text(), "SkipTest") {
			all = append(all, n)
		}
	}
	return all
}

// outsideFunctions is everything that a program does when it is loaded.
func outsideFunctions(f *code.File) iter.Seq[*code.Node] {
	if f == nil {
		return func(func(*code.Node) bool) {}
	}
	return f.Root.Own()
}

// leavesTestsOut reports whether a list of files that are not collected names a test, or what nobody can tell.
func leavesTestsOut(n *code.Node, dir string) bool {
	names := examples.Literals(n)
	return len(names) == 0 || slices.ContainsFunc(names, func(name string) bool {
		name = strings.Trim(name, `"`)
		return strings.ContainsAny(name, "*?[") || lang.IsTest(path.Join(dir, name)) && lang.IsTest(path.Base(name)) || path.Ext(name) == ""
	})
}
