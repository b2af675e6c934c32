package audit

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
	"fettle/internal/lang"
	"fettle/internal/phrase"
	danger "fettle/internal/policy/code"
	"fettle/internal/syntax"
)

// subject is a function that a test asks, so that something is demanded of what it gives.
type subject struct {
	name  string // the last word of what is called
	path  string // what that stands for outside of the file; empty for what is the file's own, or not known
	text  string // how it is spelled
	bare  bool   // it is a name alone
	given bool   // it is a parameter of the test
}

// subjects are the functions that a test asks.
func subjects(test *code.Node, names *danger.Names) []subject {
	a := asker{test: test, names: names, seen: make(map[*code.Node]bool)}
	a.visit(test)
	return a.found
}

// asker collects the subjects of one test.
type asker struct {
	test  *code.Node
	names *danger.Names
	seen  map[*code.Node]bool
	found []subject
}

func (a *asker) visit(n *code.Node) {
	if n != a.test && testName(n) != "" {
		return
	}
	if conds, _ := demanded(n); len(conds) > 0 {
		for _, c := range conds {
			a.collect(c)
		}
		if n.Role == code.If {
			a.collect(n.Kid(code.Init))
		}
	} else if _, ok := calledAssertion(n); ok {
		a.collect(expected(n.Kid(code.Callee)))
		for _, arg := range n.All(code.Arg) {
			a.collect(arg)
		}
	} else if raises(n) {
		for _, k := range n.Kids {
			if k.Role == code.Block {
				a.collect(k)
			}
		}
	}
	for _, k := range n.Kids {
		a.visit(k)
	}
}

// raises reports whether a block has to fail: Python's with pytest.raises(…).
func raises(n *code.Node) bool {
	head, _, _ := strings.Cut(n.Text(), "\n")
	return n.Role == code.Other && strings.HasPrefix(head, "with ") && (strings.Contains(head, "aises") || strings.Contains(head, "warns"))
}

// collect takes the calls in what is demanded something of, and those that gave the variables in it their values.
func (a *asker) collect(n *code.Node) {
	for k := range n.Walk() {
		if a.seen[k] {
			continue
		}
		a.seen[k] = true
		switch {
		case k.Role == code.Call && !makers[lastName(k)]:
			callee := k.Kid(code.Callee)
			a.found = append(a.found, subject{lastName(k), a.names.Path(callee), bare(callee.Text()), callee.Is(code.Name), a.given(callee)})
		case k.Role == code.Name && k.Part != code.Callee:
			a.assigned(k)
		}
	}
}

// given reports whether what is called is a parameter of the test.
func (a *asker) given(callee *code.Node) bool {
	return callee.Is(code.Name) && slices.ContainsFunc(a.test.All(code.Params), func(p *code.Node) bool { return p.Name == callee.Name })
}

// assigned collects from what a variable of the test was made of. What is given as it is, to be called, counts as called.
func (a *asker) assigned(name *code.Node) {
	if path := a.names.Path(name); path != "" && name.Part == code.Arg {
		a.found = append(a.found, subject{name.Name, path, name.Name, true, false})
	}
	for n := range a.test.Walk() {
		if n.Role == code.Assign && slices.ContainsFunc(n.All(code.Target), func(t *code.Node) bool { return mentions([]byte(t.Text()), name.Name) && !t.Is(code.Attr, code.Index) }) {
			a.collect(n.Kid(code.Value))
		}
	}
}

// standIn is something that takes the place of a function while tests run.
type standIn struct {
	path  string // what it takes the place of, as far as it is known
	text  string // how that is spelled
	whole bool   // it takes the place of all that a module has
	at    *code.Node
}

// of reports whether it takes the place of what a test asks.
func (s standIn) of(asks subject) bool {
	if s.text != "" && s.text == asks.text && !asks.bare {
		return true
	}
	is, was := words(s.path), words(asks.path)
	if s.whole {
		return len(is) > 0 && len(was) > 1 && slices.Equal(is[len(is)-1:], was[len(was)-2:len(was)-1])
	}
	if len(is) == 0 || is[len(is)-1] != asks.name {
		return false
	}
	if len(was) == 1 && asks.bare { // nobody knows where it comes from
		return true
	}
	return len(is) > 1 && len(was) > 1 && slices.Equal(is[len(is)-2:], was[len(was)-2:])
}

// words are the last two words of a path, and those before it, without the endings of files.
func words(path string) []string {
	for _, end := range []string{".js", ".mjs", ".cjs", ".ts", ".tsx", ".jsx"} {
		if at := strings.Index(path+".", end+"."); at > 0 {
			path = path[:at] + path[at+len(end):]
		}
	}
	return strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '/' || r == '@' || r == ':' })
}

// standIns lists what a file of tests puts in the place of something else.
func standIns(f *code.File, names *danger.Names) []standIn {
	if f == nil || names == nil {
		return nil
	}
	var all []standIn
	for n := range f.Root.Walk() {
		switch n.Role {
		case code.Assign:
			for _, t := range n.All(code.Target) {
				switch {
				case t.Role == code.Attr:
					all = append(all, standIn{path: names.Path(t), text: bare(t.Text()), at: n})
				case t.Role == code.Index && moduleTables[names.Path(t.Kid(code.Object))]:
					name, _ := names.Text(t.Kid(code.At))
					all = append(all, standIn{path: name, whole: true, at: n})
				}
			}
		case code.Call:
			all = append(all, calledStandIns(n, names)...)
		default: // replaces nothing
		}
	}
	return all
}

// moduleTables hold what is imported, by name.
var moduleTables = map[string]bool{"sys.modules": true, "require.cache": true}

// tabled are the modules that a call puts into such a table: monkeypatch.setitem(sys.modules, "calc", …), patch.dict("sys.modules", {"calc": …}).
func tabled(n *code.Node, names *danger.Names) []standIn {
	args := n.All(code.Arg)
	first, _ := names.Text(args[0])
	if len(args) < 2 || !moduleTables[first] && !moduleTables[names.Path(args[0])] {
		return nil
	}
	var all []standIn
	for k := range args[1].Walk() {
		if name, known := names.Text(k); known && k.Role == code.Str && (k == args[1] || k.Part == code.Key) {
			all = append(all, standIn{path: name, whole: true, at: n})
		}
	}
	return all
}

// calledStandIns are what a call of a library for tests replaces.
func calledStandIns(n *code.Node, names *danger.Names) []standIn {
	args, callee := n.All(code.Arg), bare(n.Kid(code.Callee).Text())
	if len(args) == 0 {
		return nil
	}
	name := lastName(n)
	first, _ := names.Text(args[0])
	by := strings.TrimSuffix(callee, "."+name)
	switch {
	case name == "setitem" || name == "dict":
		return tabled(n, names)
	case wholeModules[name] && mockers[by] && first != "":
		return module(n, first)
	case (name == "setattr" || name == "patch" || name == "stub") && first != "":
		return []standIn{{path: first, at: n}}
	case name == "setattr", name == "patch", name == "stub", (name == "object" || name == "multiple") && strings.Contains(callee, "patch"),
		(name == "replace" || name == "method") && mockers[by], name == "spyOn" && n.Parent.Is(code.Attr) && strings.HasPrefix(n.Parent.Name, "mock"):
		return member(n, args, names)
	}
	return answered(n, names)
}

// wholeModules are the calls by which modules of JavaScript are replaced.
var wholeModules = map[string]bool{"mock": true, "doMock": true, "unstable_mockModule": true, "module": true}

// answered are the functions that a mock is told the answers of: when(calc.add(2, 3)), doReturn(5).when(calc).add(2, 3), add.mockReturnValue(5).
func answered(n *code.Node, names *danger.Names) []standIn {
	name, callee := lastName(n), n.Kid(code.Callee)
	on := callee.Kid(code.Object)
	switch first := n.All(code.Arg)[0]; {
	case (name == "when" || name == "given") && first.Role == code.Call:
		return []standIn{{text: bare(first.Kid(code.Callee).Text()), at: n}}
	case lastCall(on) == "when":
		return []standIn{{text: bare(on.All(code.Arg)[0].Text()) + "." + name, at: n}}
	case strings.HasPrefix(name, "mockReturnValue"), strings.HasPrefix(name, "mockImplementation"), strings.HasPrefix(name, "mockResolvedValue"):
		return []standIn{{path: names.Path(on), text: bare(on.Text()), at: n}}
	}
	return nil
}

// mockers are the libraries that replace modules and functions of JavaScript by name.
var mockers = map[string]bool{"jest": true, "vi": true, "vitest": true, "mock": true, "td": true, "sinon": true, "rewiremock": true, "t.mock": true, "sandbox": true}

// lastCall is what a node calls; empty for what is no call with arguments.
func lastCall(n *code.Node) string {
	if !n.Is(code.Call) || len(n.All(code.Arg)) == 0 {
		return ""
	}
	return lastName(n)
}

// module is what a mocked module replaces: all of it, or, where the rest is taken from the real one, what is spelled out.
func module(n *code.Node, name string) []standIn {
	text := n.Text()
	if !strings.Contains(text, "requireActual") && !strings.Contains(text, "importActual") && !strings.Contains(text, "importOriginal") {
		return []standIn{{path: name, whole: true, at: n}}
	}
	var all []standIn
	for k := range n.Walk() {
		if k.Role == code.Pair {
			all = append(all, standIn{path: name + "." + strings.Trim(k.Kid(code.Key).Text(), `"'`), at: n})
		}
	}
	return all
}

// member is what a call replaces that is given an object and a name, or names.
func member(n *code.Node, args []*code.Node, names *danger.Names) []standIn {
	on, _ := names.Text(args[0])
	if on == "" {
		on = names.Path(args[0])
	}
	var all []standIn
	for _, a := range args[1:] {
		name, known := names.Text(a)
		if a.Role == code.Keyword {
			name, known = a.Name, true
		}
		if known {
			all = append(all, standIn{path: strings.TrimPrefix(on+"."+name, "."), text: bare(args[0].Text()) + "." + name, at: n})
		}
	}
	return all
}

// theirs is the test that a stand-in is for: the one around it, or that which it decorates; nil where it is for all of the file.
func (s standIn) theirs() *code.Node {
	for at := s.at; at != nil; at = at.Parent {
		if testName(at) != "" {
			return at
		}
		if at.Role == code.Other && strings.HasPrefix(at.Text(), "@") {
			for next := at.Next(); next != nil; next = next.Next() {
				if next.Role == code.Function && testName(next) != "" {
					return next
				}
				if !strings.HasPrefix(next.Text(), "@") {
					break
				}
			}
		}
	}
	return nil
}

// standsIn looks for tests that ask something of their own in the place of what they tested.
func standsIn(v *patchView) []Finding {
	var all []Finding
	for _, f := range v.files {
		if !f.test || f.formatted || f.programAfter == nil {
			continue
		}
		was, is := f.names()
		fresh := newStandIns(standIns(f.programBefore, was), standIns(f.programAfter, is))
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
	return all
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

// newStandIns are those that were not there before, wherever they stood.
func newStandIns(was, is []standIn) []standIn {
	had := make(map[string]int)
	key := func(s standIn) string {
		t := ""
		if n := s.theirs(); n != nil {
			t = testName(n)
		}
		return s.path + "\x00" + s.text + "\x00" + t
	}
	for _, s := range was {
		had[key(s)]++
	}
	return slices.DeleteFunc(is, func(s standIn) bool {
		had[key(s)]--
		return had[key(s)] >= 0
	})
}

// replacedByCalls compares new stand-ins with what the tests of the same file ask.
func (f *fileView) replacedByCalls(v *patchView, fresh []standIn, names *danger.Names) []Finding {
	if len(fresh) == 0 {
		return nil
	}
	var all []Finding
	for _, test := range f.proofsAfter {
		asks := subjects(test.node, names)
		for _, s := range fresh {
			own := s.theirs()
			if own != nil && own != test.node {
				continue
			}
			i := slices.IndexFunc(asks, func(a subject) bool {
				return s.of(a) || a.given && own != nil && !own.Holds(s.at.Start, s.at.End) // it decorates the test, and so gives it the parameter
			})
			if i >= 0 {
				all = append(all, v.replaced(f, test, asks[i].name, s.at.Line()))
				break
			}
		}
	}
	return all
}

// replaced is what it means that a test asks a stand-in: of a test that was there, that it proves less.
func (v *patchView) replaced(f *fileView, test proof, name string, line int) Finding {
	found := Finding{Line: line, Effect: Ask, Evidence: fmt.Sprintf("%s is replaced while %s asks it: then nothing is tested", name, orFile(test.name))}
	if slices.ContainsFunc(f.proofsBefore, func(was proof) bool { return was.name == test.name }) {
		found.Effect = v.weakens()
	}
	return found
}

// redefined looks for names that a test asks, which came from elsewhere, and are the file's own now.
func (f *fileView) redefined(v *patchView, was, is *danger.Names) []Finding {
	var all []Finding
	for _, now := range f.proofsAfter {
		old := slices.IndexFunc(f.proofsBefore, func(p proof) bool { return p.name == now.name })
		if old < 0 || now.name == "" {
			continue
		}
		before := subjects(f.proofsBefore[old].node, was)
		for _, s := range subjects(now.node, is) {
			same := func(b subject) bool { return b.bare && b.name == s.name }
			i := slices.IndexFunc(before, same)
			if !s.bare || i < 0 || v.helper(before[i].path) || defines(f.proofsBefore[old].node, s.name, was) != nil {
				continue
			}
			if at := defines(now.node, s.name, is); at != nil {
				all = append(all, v.replaced(f, now, s.name, at.Line()))
				break
			}
			if v.helper(s.path) {
				all = append(all, v.replaced(f, now, s.name, now.node.Line()))
				break
			}
		}
	}
	return all
}

// helper reports whether a name comes from a file of tests.
func (v *patchView) helper(origin string) bool {
	all := words(origin)
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
			if last := words(names.Path(value)); len(last) == 0 || last[len(last)-1] != name && n.File.Lang != syntax.Go {
				return n
			}
		}
	}
	return nil
}

// replacedForOthers compares the stand-ins of a file that holds no tests with what the tests of the repository ask.
func (f *fileView) replacedForOthers(v *patchView, fresh []standIn) []Finding {
	if len(fresh) == 0 || len(f.proofsAfter) > 1 {
		return nil
	}
	var all []Finding
	for _, s := range fresh {
		if test := v.askedElsewhere(s); test != "" {
			all = append(all, Finding{Line: s.at.Line(), Effect: v.weakens(), Evidence: fmt.Sprintf("%s is replaced for %s, which asks it: then nothing is tested", s.name(), test)})
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
		return path.Dir(name) == path.Dir(f.path) && mentions(v.content(name), stem(f.path))
	})
	if i < 0 {
		return nil
	}
	return []Finding{{Effect: v.weakens(), Evidence: fmt.Sprintf("%s is found before the module of that name that %s asks for", base, files[i])}}
}

func (s standIn) name() string {
	if s.path != "" {
		return s.path
	}
	return s.text
}

// askedElsewhere is a file of tests that asks what a stand-in takes the place of; empty, if there is none.
func (v *patchView) askedElsewhere(s standIn) string {
	all := words(s.name())
	if len(all) == 0 {
		return ""
	}
	left := most
	for _, name := range v.others() {
		if !lang.IsTest(name) {
			continue
		}
		src := v.content(name)
		if left -= len(src); len(src) > maxEvidence || left < 0 || !mentions(src, all[len(all)-1]) {
			continue
		}
		f := program(name, src)
		names := danger.NamesOf(context.Background(), f)
		for _, test := range proofs(f) {
			if slices.ContainsFunc(subjects(test.node, names), s.of) {
				return name
			}
		}
	}
	return ""
}
