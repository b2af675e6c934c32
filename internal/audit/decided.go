package audit

import (
	"fmt"
	"slices"
	"strings"

	"fettle/internal/audit/assertions"
	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/lang"
	"fettle/internal/phrase"
	"fettle/internal/syntax"
)

// swaps are assertions that stand as they did, while what they stand on was changed so that they hold whatever the code does.
type swaps struct {
	computed []Finding // what is expected is computed by what is asked
	own      []Finding // what is asked is the tests' own
}

// decided compares what the assertions of tests ask and expect, before and after, through variables, rows, fixtures and helpers.
func (v *patchView) decided() *swaps {
	if v.swapped != nil {
		return v.swapped
	}
	v.swapped = &swaps{}
	var was, is []*code.File
	touched := make(map[string]*fileView) // what is called so was changed there
	for _, f := range v.files {
		if f.test && !f.formatted && followed(f.path) {
			was, is = append(was, f.programBefore), append(is, f.programAfter)
			for _, name := range differing(f) {
				touched[name] = f
			}
		}
	}
	for _, f := range v.files {
		if f.test && !f.formatted && f.programBefore != nil && f.programAfter != nil && followed(f.path) {
			v.compare(f, v.weave(f.programBefore, was), v.weave(f.programAfter, is), f.proofsBefore, f.proofsAfter, touched)
		}
	}
	if len(touched) > 0 {
		v.decidedElsewhere(was, is, touched)
	}
	return v.swapped
}

// followed reports whether values can be followed in the language of a file.
func followed(name string) bool {
	l := syntax.LangOf(name)
	return l == syntax.Python || l == syntax.Go || parts.IsScript(l)
}

// decidedElsewhere asks the tests of files that did not change, and name what did.
func (v *patchView) decidedElsewhere(was, is []*code.File, touched map[string]*fileView) {
	left := most
	for _, name := range v.others() {
		if !lang.IsTest(name) || !followed(name) || slices.ContainsFunc(v.files, func(f *fileView) bool { return f.path == name }) {
			continue
		}
		src := v.content(name)
		var by *fileView
		for word, f := range touched {
			if syntax.LangOf(f.path) == syntax.LangOf(name) && parts.Mentions(src, word) && (by == nil || f.path < by.path) {
				by = f
			}
		}
		if left -= len(src); by == nil || len(src) > maxEvidence || left < 0 {
			continue
		}
		if f := parts.Read(name, src); f != nil {
			all := assertions.Tests(f)
			v.compare(by, v.weave(f, was), v.weave(f, is), all, all, touched)
		}
	}
}

// differing are the names of what a file of tests defines outside of its tests, and defines otherwise now, with what makes use of that.
func differing(f *fileView) []string {
	was, is := partTexts(f.programBefore), partTexts(f.programAfter)
	var names []string
	for name, text := range is {
		if old, had := was[name]; had && old != text {
			names = append(names, name)
		}
	}
	for i := 0; i < len(names); i++ {
		for name, text := range is {
			if !slices.Contains(names, name) && parts.Mentions([]byte(text), names[i]) {
				names = append(names, name)
			}
		}
	}
	return names
}

// partTexts are the functions and variables of a file of tests, by their names, but for tests.
func partTexts(f *code.File) map[string]string {
	all := make(map[string]string)
	if f == nil {
		return all
	}
	for n := range f.Root.Walk() {
		switch {
		case n.Is(code.Function, code.Class) && parts.OwnName(n) != "" && assertions.TestName(n) == "":
			all[parts.OwnName(n)] += parts.Bare(n.Text())
		case n.Role == code.Assign && !inTest(n):
			for _, t := range n.All(code.Target) {
				for _, name := range parts.Targets(t) {
					all[name] += parts.Bare(n.Text())
				}
			}
		}
	}
	return all
}

func inTest(n *code.Node) bool {
	for at := n; at != nil; at = at.Parent {
		if assertions.TestName(at) != "" {
			return true
		}
	}
	return false
}

// compare looks at the assertions of tests that stand as they did.
func (v *patchView) compare(f *fileView, before, after *fabric, was, is []assertions.Test, touched map[string]*fileView) {
	for _, now := range is {
		i := slices.IndexFunc(was, func(p assertions.Test) bool { return p.Name == now.Name })
		if i < 0 || now.Name != "" && parts.WithMarks(was[i].Node) == parts.WithMarks(now.Node) && !standsOn(now.Node, touched) {
			continue
		}
		left := slices.Clone(was[i].Demands)
		for _, a := range now.Demands {
			at := slices.IndexFunc(left, func(b assertions.Assertion) bool { return b.Text == a.Text })
			if at < 0 || a.Says == assertions.Nothing {
				continue
			}
			v.swap(f, now, before.sides(left[at]), after.sides(a), a)
			left = slices.Delete(left, at, at+1)
		}
	}
}

// standsOn reports whether a test makes use of what was changed outside of it: by its name, or as what is carried out before it.
func standsOn(test *code.Node, touched map[string]*fileView) bool {
	src := []byte(parts.WithMarks(test))
	for name := range touched {
		if assertions.RunsBefore(name) || parts.Mentions(src, name[strings.LastIndex(name, ".")+1:]) {
			return true
		}
	}
	return false
}

// sides are the origins of the two sides of an assertion: of what is asked, and of what is expected. Of a question without another side there is one.
func (w *fabric) sides(a assertions.Assertion) [2]origin {
	asked, expected := sidesOf(a.At)
	return [2]origin{w.of(asked), w.of(expected...)}
}

func sidesOf(n *code.Node) (asked *code.Node, rest []*code.Node) {
	switch {
	case n.Is(code.Group, code.Not):
		return sidesOf(n.Kid(code.Operand))
	case n.Is(code.Compare):
		return n.Kid(code.Left), []*code.Node{n.Kid(code.Right)}
	case !n.Is(code.Call):
		return n, nil
	}
	args := n.All(code.Arg)
	if about := assertions.Expected(n.Kid(code.Callee)); about != nil {
		return about, args
	}
	args = slices.DeleteFunc(args, func(a *code.Node) bool { return a.Text() == "t" })
	if _, is := assertions.Called(n); !is || len(args) == 0 {
		return n, nil
	}
	return args[0], args[1:min(len(args), 2)]
}

// swap compares what an assertion stood on with what it stands on now.
func (v *patchView) swap(f *fileView, test assertions.Test, was, is [2]origin, a assertions.Assertion) {
	found := Finding{Path: f.path, Effect: v.weakens()}
	if test.Node.File.Path == f.path {
		found.Line = a.Line
	}
	switch name := both(is); {
	case name != "" && both(was) == "" && (len(was[0].asked) == 0) != (len(was[1].asked) == 0):
		found.Evidence = fmt.Sprintf("%q in %s compares what %s gives with what it gives: write out what it has to give", phrase.Clip(a.Text), orFile(test.Name), strings.TrimPrefix(name, "."))
		v.swapped.computed = append(v.swapped.computed, found)
	case (was[0].code || was[1].code) && !is[0].code && !is[1].code && !is[0].open && !is[1].open:
		found.Evidence = fmt.Sprintf("%q in %s asks nothing of the code any more, but what the tests bring along: then nothing is tested", phrase.Clip(a.Text), orFile(test.Name))
		v.swapped.own = append(v.swapped.own, found)
	}
}

// both is a function whose answers stand on both sides; empty, if there is none.
func both(sides [2]origin) string {
	var all []string
	for name := range sides[0].asked {
		if sides[1].asked[name] {
			all = append(all, name)
		}
	}
	if len(all) == 0 {
		return ""
	}
	return slices.Min(all)
}
