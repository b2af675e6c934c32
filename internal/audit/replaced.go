package audit

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"fettle/internal/audit/assertions"
	"fettle/internal/audit/doubles"
	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/edit"
	"fettle/internal/lang"
	"fettle/internal/phrase"
	danger "fettle/internal/policy/code"
	"fettle/internal/syntax"
)

// standsIn looks for tests that ask something of their own in the place of what they tested.
func standsIn(v *patchView) []Finding {
	var all []Finding
	for _, f := range v.files {
		if !f.test || f.formatted || f.programAfter == nil {
			continue
		}
		was, is := f.names()
		fresh := newDoubles(doubles.In(f.programBefore, was), doubles.In(f.programAfter, is))
		found := f.replacedByCalls(v, fresh, is)
		found = byPlace(append(found, f.redefined(v, was, is)...))
		if len(found) == 0 {
			found = append(f.replacedForOthers(v, fresh), f.shadows(v)...)
		}
		for i := range found {
			found[i].Path = f.path
		}
		all = append(all, found...)
	}
	return append(all, v.decided().own...)
}

// byPlace keeps one finding for each place: the gravest, with how many others there are.
func byPlace(found []Finding) []Finding {
	var all []Finding
	more := make(map[int]int)
	for _, f := range found {
		i := slices.IndexFunc(all, func(o Finding) bool { return o.Line == f.Line })
		switch {
		case i < 0:
			all = append(all, f)
			continue
		case f.Effect == Refuse && all[i].Effect != Refuse:
			all[i] = f
		}
		more[f.Line]++
	}
	for i, f := range all {
		if n := more[f.Line]; n > 0 {
			all[i].Evidence += fmt.Sprintf(" (and so for %s)", phrase.Count(n, "other test"))
		}
	}
	return all
}

// newDoubles are those that were not there before, wherever they stood.
func newDoubles(was, is []doubles.Double) []doubles.Double {
	had := make(map[string]int)
	key := func(s doubles.Double) string {
		t := ""
		if n := s.Test(); n != nil {
			t = assertions.TestName(n)
		}
		return s.Path + "\x00" + s.Text + "\x00" + t
	}
	for _, s := range was {
		had[key(s)]++
	}
	return slices.DeleteFunc(is, func(s doubles.Double) bool {
		had[key(s)]--
		return had[key(s)] >= 0
	})
}

// replacedByCalls compares new doubles with what the tests of the same file ask.
func (f *fileView) replacedByCalls(v *patchView, fresh []doubles.Double, names *danger.Names) []Finding {
	if len(fresh) == 0 {
		return nil
	}
	var all []Finding
	for _, test := range f.proofsAfter {
		asks := assertions.Subjects(test.Node, names)
		if v.isNew(f, test) {
			asks = slices.DeleteFunc(asks, func(a assertions.Subject) bool { return a.Heard })
		}
		for _, s := range fresh {
			own := s.Test()
			if own != nil && own != test.Node {
				continue
			}
			handed := own != nil && v.isNew(f, test) && handsMock(test.Node, s, names)
			i := slices.IndexFunc(asks, func(a assertions.Subject) bool {
				return s.Of(a) && (!handed || !doubles.IsMock(a.Name)) || a.Given && own != nil && !own.Holds(s.At.Start, s.At.End) // it decorates the test, and so gives it the parameter
			})
			if i >= 0 {
				all = append(all, v.replaced(f, test, asks[i].Name, s.At.Line()))
				break
			}
		}
	}
	return all
}

// isNew reports whether a test of a person's was not there before.
func (v *patchView) isNew(f *fileView, test assertions.Test) bool {
	return v.goal.By == Person && !slices.ContainsFunc(f.proofsBefore, func(was assertions.Test) bool { return was.Name == test.Name })
}

// replaced is what it means that a test asks a double: of a test that was there, that it proves less.
func (v *patchView) replaced(f *fileView, test assertions.Test, name string, line int) Finding {
	found := Finding{Line: line, Effect: Ask, Evidence: fmt.Sprintf("%s is replaced while %s asks it: then nothing is tested", name, orFile(test.Name))}
	if slices.ContainsFunc(f.proofsBefore, func(was assertions.Test) bool { return was.Name == test.Name }) {
		found.Effect = v.weakens()
	}
	return found
}

// redefined looks for names that a test asks, which came from elsewhere, and are the file's own now.
func (f *fileView) redefined(v *patchView, was, is *danger.Names) []Finding {
	var all []Finding
	for _, now := range f.proofsAfter {
		old := slices.IndexFunc(f.proofsBefore, func(p assertions.Test) bool { return p.Name == now.Name })
		if old < 0 || now.Name == "" {
			continue
		}
		before := assertions.Subjects(f.proofsBefore[old].Node, was)
		for _, s := range assertions.Subjects(now.Node, is) {
			same := func(b assertions.Subject) bool { return b.Alone && b.Name == s.Name }
			i := slices.IndexFunc(before, same)
			if !s.Alone || i < 0 || v.helper(before[i].Path) || defines(f.proofsBefore[old].Node, s.Name, was) != nil {
				continue
			}
			if at := defines(now.Node, s.Name, is); at != nil {
				all = append(all, v.replaced(f, now, s.Name, at.Line()))
				break
			}
			if v.helper(s.Path) {
				all = append(all, v.replaced(f, now, s.Name, now.Node.Line()))
				break
			}
		}
	}
	return all
}

// helper reports whether a name comes from a file of tests.
func (v *patchView) helper(origin string) bool {
	all := doubles.Words(origin)
	if len(all) < 2 {
		return false
	}
	return slices.ContainsFunc(v.files, func(f *fileView) bool {
		return f.test && strings.TrimSuffix(path.Base(f.path), path.Ext(f.path)) == all[len(all)-2]
	})
}

// defines is where the file of a test, or the test itself, says what a name means, that is nothing from elsewhere.
func defines(test *code.Node, name string, names *danger.Names) *code.Node {
	for n := range test.File.Root.Walk() {
		fn := n.Function()
		if fn != nil && fn != test && !test.Holds(fn.Start, fn.End) || n.Up(code.Class) != test.Up(code.Class) && n.Up(code.Class) != nil {
			continue
		}
		switch {
		case n.Is(code.Function, code.Class) && n.Name == name && n.Part == code.Stmt:
			return n
		case n.Role == code.Assign && slices.ContainsFunc(n.All(code.Target), func(t *code.Node) bool { return t.Role == code.Name && t.Name == name }):
			value := n.Kid(code.Value)
			if last := doubles.Words(names.Path(value)); len(last) == 0 || last[len(last)-1] != name && n.File.Lang != syntax.Go {
				return n
			}
		}
	}
	return nil
}

// replacedForOthers compares the doubles of a file that holds no tests with what the tests of the repository ask.
func (f *fileView) replacedForOthers(v *patchView, fresh []doubles.Double) []Finding {
	if len(fresh) == 0 || len(f.proofsAfter) > 1 {
		return nil
	}
	var all []Finding
	for _, s := range fresh {
		if test := v.askedElsewhere(s); test != "" {
			all = append(all, Finding{Line: s.At.Line(), Effect: v.weakens(), Evidence: fmt.Sprintf("%s is replaced for %s, which asks it: then nothing is tested", s.Name(), test)})
		}
	}
	return all
}

// shadows looks for a new module among tests that is called as one of the code: beside them it is found first.
func (f *fileView) shadows(v *patchView) []Finding {
	base := path.Base(f.path)
	if f.change.Op != edit.Create || lang.Of(f.path) != lang.Python || lang.IsTest(base) || v.list == nil {
		return nil
	}
	files := v.list()
	if !slices.ContainsFunc(files, func(name string) bool { return path.Base(name) == base && !lang.IsTest(name) }) {
		return nil
	}
	i := slices.IndexFunc(files, func(name string) bool {
		return path.Dir(name) == path.Dir(f.path) && parts.Mentions(v.content(name), parts.Stem(f.path))
	})
	if i < 0 {
		return nil
	}
	return []Finding{{Effect: v.weakens(), Evidence: fmt.Sprintf("%s is found before the module of that name that %s asks for", base, files[i])}}
}

// askedElsewhere is a file of tests that asks what a double takes the place of; empty, if there is none.
func (v *patchView) askedElsewhere(s doubles.Double) string {
	all := doubles.Words(s.Name())
	if len(all) == 0 {
		return ""
	}
	left := most
	for _, name := range v.others() {
		if !lang.IsTest(name) {
			continue
		}
		src := v.content(name)
		if left -= len(src); len(src) > maxEvidence || left < 0 || !parts.Mentions(src, all[len(all)-1]) {
			continue
		}
		f := parts.Read(name, src)
		names := danger.NamesOf(context.Background(), f)
		for _, test := range assertions.Tests(f) {
			if slices.ContainsFunc(assertions.Subjects(test.Node, names), s.Of) {
				return name
			}
		}
	}
	return ""
}
