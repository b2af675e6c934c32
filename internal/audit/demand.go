package audit

import (
	"fmt"
	"slices"

	"fettle/internal/audit/assertions"
	"fettle/internal/audit/functions"
	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/phrase"
	"fettle/internal/syntax"
)

// weaker compares what a test demanded with what it demands now. What is still demanded word by word is set aside; the rest is paired by what it
// is about, and then in its order.
func weaker(was, is assertions.Test) []Finding {
	left := slices.Clone(is.Demands)
	take := func(same func(assertions.Assertion) bool) (assertions.Assertion, bool) {
		i := slices.IndexFunc(left, same)
		if i < 0 {
			return assertions.Assertion{}, false
		}
		a := left[i]
		left = slices.Delete(left, i, i+1)
		return a, true
	}
	var all []Finding
	if at := assertions.EndsAt(is.Node); was.Name != "" && at >= 0 && assertions.EndsAt(was.Node) < 0 || was.Name == "" && early(is.Node) && !early(was.Node) {
		all = append(all, Finding{Line: is.Node.File.Tree.Position(max(at, 0)).Line, Evidence: "a test ends before it has demanded everything"})
	}
	var open []assertions.Assertion
	for _, a := range was.Demands {
		if _, kept := take(a.Stands); !kept && a.Says > assertions.Nothing {
			open = append(open, a)
		}
	}
	var changed []assertions.Assertion
	for _, a := range open {
		b, found := take(func(b assertions.Assertion) bool { return b.About == a.About })
		switch {
		case !found:
			changed = append(changed, a)
		case b.Lost:
			all = append(all, Finding{Line: b.Line, Evidence: fmt.Sprintf("nobody waits for %q any more, so that it cannot fail: await it, or return it", phrase.Clip(b.Text))})
		case b.Says < a.Says:
			all = append(all, Finding{Line: b.Line, Evidence: fmt.Sprintf("%q demanded more than %q does", phrase.Clip(a.Text), phrase.Clip(b.Text))})
		}
	}
	for _, a := range changed {
		b, found := take(func(b assertions.Assertion) bool { return b.Says >= a.Says && !b.Lost })
		if !found {
			b, found = take(func(assertions.Assertion) bool { return true })
		}
		switch {
		case !found:
			all = append(all, Finding{Line: is.Node.Line(), Evidence: fmt.Sprintf("%q is demanded no more", phrase.Clip(a.Text))})
		case b.Says < a.Says:
			all = append(all, Finding{Line: b.Line, Evidence: fmt.Sprintf("%q demanded more than %q does", phrase.Clip(a.Text), phrase.Clip(b.Text))})
		}
	}
	return all
}

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
func (v *patchView) proofNow(f *fileView, name string) (assertions.Test, bool) {
	for _, o := range append([]*fileView{f}, v.files...) {
		if !o.test && o != f {
			continue
		}
		all := o.proofsAfter
		for i := len(all) - 1; i >= 0; i-- {
			if all[i].Name == name && (name != "" || o == f) {
				return all[i], true
			}
		}
	}
	return assertions.Test{}, false
}

// overloadNow is such a test in a language in which several may have one name: the one that takes what it took. A test that is no longer so is the last of its name.
func (v *patchView) overloadNow(f *fileView, was assertions.Test) (assertions.Test, bool) {
	takes := func(n *code.Node) (all []string) {
		for _, p := range n.All(code.Params) {
			all = append(all, parts.Bare(p.Type))
		}
		return all
	}
	if was.Node.File.Lang == syntax.Java {
		for _, is := range f.proofsAfter {
			if is.Name == was.Name && slices.Equal(takes(is.Node), takes(was.Node)) {
				return is, true
			}
		}
	}
	return v.proofNow(f, was.Name)
}

// deletedProofs looks for tests that are gone in languages whose functions functions.Of does not read, and for files that are tests as a whole.
func (v *patchView) deletedProofs() []Finding {
	var all []Finding
	for _, f := range v.files {
		if !f.test || f.formatted || f.programBefore == nil {
			continue
		}
		_, read := functions.Of(f.path, f.before)
		for _, was := range f.proofsBefore {
			if was.Name == "" {
				if len(f.after) == 0 && len(was.Demands) > 0 {
					all = append(all, Finding{Path: f.path, Effect: v.weakens(), Evidence: "the file is gone: keep the test and mend the code"})
				}
				continue
			}
			if _, is := v.proofNow(f, was.Name); is || read || v.retold(f).Stands(was.Name) || v.goal.Tests && f.hasNewTitle(was) {
				continue
			}
			found := v.testGone(f, was.Name, was.Node.Line())
			found.Line = 0
			all = append(all, found)
		}
	}
	return all
}

// hasNewTitle reports whether a test that a runner is given with its title is there word for word, under a title that no test of the file had.
func (f *fileView) hasNewTitle(was assertions.Test) bool {
	body := untitled(was.Node)
	return body != "" && slices.ContainsFunc(f.proofsAfter, func(is assertions.Test) bool {
		return untitled(is.Node) == body && !slices.ContainsFunc(f.proofsBefore, func(p assertions.Test) bool { return p.Name == is.Name })
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
			is, ok := v.proofNow(f, was.Name)
			if !ok || v.retold(f).Stands(was.Name) {
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
		if old := was[name]; old == nil || assertions.TestName(fn) != "" || parts.Bare(old.Text()) == parts.Bare(fn.Text()) || assertions.EndsAt(old) >= 0 {
			continue
		}
		if at := assertions.EndsAt(fn); at >= 0 {
			all = append(all, Finding{Line: fn.File.Tree.Position(at).Line, Evidence: name + " ends before it has demanded everything"})
		}
	}
	slices.SortFunc(all, func(a, b Finding) int { return a.Line - b.Line })
	return all
}
