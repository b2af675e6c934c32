package audit

import (
	"fmt"
	"slices"
	"strings"

	"fettle/internal/audit/parts"

	"fettle/internal/code"
	"fettle/internal/syntax"
)

// proof is one test of a program: a function that a runner calls, or, called "", what the file does when it is carried out.
type proof struct {
	name    string
	node    *code.Node
	demands []assertion
}

// proofs are the tests of a program, in order. The last of equal names counts.
func proofs(f *code.File) []proof {
	if f == nil {
		return nil
	}
	all := []proof{{node: f.Root, demands: assertions(f.Root)}}
	for n := range f.Root.Walk() {
		if name := testName(n); name != "" {
			all = append(all, proof{name, n, assertions(n)})
		}
	}
	return all
}

// testName is what a runner calls the test that a node is, with the suites around it; empty for what is no test.
func testName(n *code.Node) string {
	switch n.File.Lang {
	case syntax.JavaScript, syntax.TypeScript, syntax.TSX:
		return scriptTest(n)
	default: // tests are functions
	}
	if n.Role != code.Function || n.Name == "" || n.Function() != nil {
		return ""
	}
	switch n.File.Lang {
	case syntax.Python:
		if !strings.HasPrefix(n.Name, "test") {
			return ""
		}
	case syntax.Go:
		if !goTestName.MatchString(n.Name) {
			return ""
		}
	case syntax.Java:
		head, _, _ := strings.Cut(n.Text(), n.Name)
		if !strings.Contains(head, "Test") && !strings.HasPrefix(n.Name, "test") {
			return ""
		}
	default:
		return ""
	}
	return parts.Title(n)
}

// scriptTest is the name of a call of it, test or their like, with those of the suites around it.
func scriptTest(n *code.Node) string {
	if !scriptCall(n, "it", "test", "specify", "xit", "xtest", "fit") {
		return ""
	}
	name := parts.Bare(n.All(code.Arg)[0].Text())
	for s := n.Up(code.Call); s != nil; s = s.Up(code.Call) {
		if scriptCall(s, "describe", "suite", "context", "xdescribe", "fdescribe") {
			name = parts.Bare(s.All(code.Arg)[0].Text()) + " " + name
		}
	}
	return name
}

// scriptCall reports whether a node calls one of these, also as test.each(…)(…), with a name and a function.
func scriptCall(n *code.Node, names ...string) bool {
	if n.Role != code.Call || len(n.All(code.Arg)) < 2 {
		return false
	}
	c := n.Kid(code.Callee)
	for c != nil {
		switch c.Role {
		case code.Call:
			c = c.Kid(code.Callee)
		case code.Attr:
			c = c.Kid(code.Object)
		default:
			return c.Role == code.Name && slices.Contains(names, c.Name)
		}
	}
	return false
}

// weaker compares what a test demanded with what it demands now. What is still demanded word by word is set aside; the rest is paired by what it
// is about, and then in its order.
func weaker(was, is proof) []Finding {
	left := slices.Clone(is.demands)
	take := func(same func(assertion) bool) (assertion, bool) {
		i := slices.IndexFunc(left, same)
		if i < 0 {
			return assertion{}, false
		}
		a := left[i]
		left = slices.Delete(left, i, i+1)
		return a, true
	}
	var all []Finding
	if at := returns(is.node); was.name != "" && at >= 0 && returns(was.node) < 0 || was.name == "" && early(is.node) && !early(was.node) {
		all = append(all, Finding{Line: is.node.File.Tree.Position(max(at, 0)).Line, Evidence: "a test ends before it has demanded everything"})
	}
	var open []assertion
	for _, a := range was.demands {
		if _, kept := take(a.stands); !kept && a.says > nothing {
			open = append(open, a)
		}
	}
	var changed []assertion
	for _, a := range open {
		b, found := take(func(b assertion) bool { return b.about == a.about })
		switch {
		case !found:
			changed = append(changed, a)
		case b.lost:
			all = append(all, Finding{Line: b.line, Evidence: fmt.Sprintf("nobody waits for %q any more, so that it cannot fail: await it, or return it", clip(b.text))})
		case b.says < a.says:
			all = append(all, Finding{Line: b.line, Evidence: fmt.Sprintf("%q demanded more than %q does", clip(a.text), clip(b.text))})
		}
	}
	for _, a := range changed {
		b, found := take(func(b assertion) bool { return b.says >= a.says && !b.lost })
		if !found {
			b, found = take(func(assertion) bool { return true })
		}
		switch {
		case !found:
			all = append(all, Finding{Line: is.node.Line(), Evidence: fmt.Sprintf("%q is demanded no more", clip(a.text))})
		case b.says < a.says:
			all = append(all, Finding{Line: b.line, Evidence: fmt.Sprintf("%q demanded more than %q does", clip(a.text), clip(b.text))})
		}
	}
	return all
}

// stands reports whether another assertion demands the same word by word, and is heard as well.
func (a assertion) stands(b assertion) bool { return b.text == a.text && (a.lost || !b.lost) }

// early reports whether a main returns before its end.
func early(root *code.Node) bool {
	for n := range root.Walk() {
		if n.Role == code.Return && len(n.Kids) == 0 && n.Function() != nil && n.Function().Name == "main" {
			return true
		}
	}
	return false
}

// proofNow finds a test after the patch: in its own file, else in another file of tests.
func (v *patchView) proofNow(f *fileView, name string) (proof, bool) {
	for _, o := range append([]*fileView{f}, v.files...) {
		if !o.test && o != f {
			continue
		}
		all := o.proofsAfter
		for i := len(all) - 1; i >= 0; i-- {
			if all[i].name == name && (name != "" || o == f) {
				return all[i], true
			}
		}
	}
	return proof{}, false
}

// deletedProofs looks for tests that are gone in languages whose functions defs does not read, and for files that are tests as a whole.
func (v *patchView) deletedProofs() []Finding {
	var all []Finding
	for _, f := range v.files {
		if !f.test || f.formatted || f.programBefore == nil {
			continue
		}
		_, read := defs(f.path, f.before)
		for _, was := range f.proofsBefore {
			if was.name == "" {
				if len(f.after) == 0 && len(was.demands) > 0 {
					all = append(all, Finding{Path: f.path, Effect: v.weakens(), Evidence: "the file is gone: keep the test and mend the code"})
				}
				continue
			}
			if _, is := v.proofNow(f, was.name); is || read || v.stillTold(f, was.name) || v.goal.Tests && f.hasNewTitle(was) {
				continue
			}
			found := v.testGone(f, was.name, was.node.Line())
			found.Line = 0
			all = append(all, found)
		}
	}
	return all
}

// hasNewTitle reports whether a test that a runner is given with its title is there word for word, under a title that no test of the file had.
func (f *fileView) hasNewTitle(was proof) bool {
	body := untitled(was.node)
	return body != "" && slices.ContainsFunc(f.proofsAfter, func(is proof) bool {
		return untitled(is.node) == body && !slices.ContainsFunc(f.proofsBefore, func(p proof) bool { return p.name == is.name })
	})
}

// untitled is the call that gives a runner a test, without the title; empty for what is no such call.
func untitled(test *code.Node) string {
	if args := test.All(code.Arg); test.Is(code.Call) && len(args) > 1 && args[0].Is(code.Str) {
		return parts.Bare(test.Kid(code.Callee).Text() + test.File.Source[args[0].End:test.End])
	}
	return ""
}

// weakerDemands compares each test's assertions before and after.
func (v *patchView) weakerDemands() []Finding {
	var all []Finding
	for _, f := range v.files {
		if !f.test || f.formatted || f.programBefore == nil || f.programAfter == nil {
			continue
		}
		for _, was := range f.proofsBefore {
			is, ok := v.proofNow(f, was.name)
			if !ok || v.stillTold(f, was.name) {
				continue
			}
			found := f.weaker(v, weaker(was, is))
			if len(found) > 0 && (v.asksAsMuch(was, is) || v.waitsForPage(was, is)) {
				for i := range found {
					found[i].Effect = Ask
				}
			}
			all = append(all, found...)
		}
		all = append(all, f.weaker(v, f.shorterHelpers())...)
	}
	return all
}

// weaker says of findings in a file of tests where they are, and what they mean.
func (f *fileView) weaker(v *patchView, found []Finding) []Finding {
	for i := range found {
		found[i].Path, found[i].Effect = f.path, v.weakens()
	}
	return found
}

// shorterHelpers looks for functions that tests leave their demands to, and that may end before they have made them.
func (f *fileView) shorterHelpers() []Finding {
	was := parts.Functions(f.programBefore)
	var all []Finding
	for name, fn := range parts.Functions(f.programAfter) {
		if old := was[name]; old == nil || testName(fn) != "" || parts.Bare(old.Text()) == parts.Bare(fn.Text()) || returns(old) >= 0 {
			continue
		}
		if at := returns(fn); at >= 0 {
			all = append(all, Finding{Line: fn.File.Tree.Position(at).Line, Evidence: name + " ends before it has demanded everything"})
		}
	}
	slices.SortFunc(all, func(a, b Finding) int { return a.Line - b.Line })
	return all
}
