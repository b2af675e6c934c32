package accounts

import (
	"slices"
	"strings"

	"fettle/internal/audit/assertions"
	"fettle/internal/audit/doubles"
	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/lang"
	"fettle/internal/pattern"
	"fettle/internal/syntax"
)

// Retelling is a file of tests as it was, told again: what of it still stands, however it is written now.
type Retelling struct {
	Around bool            // what stands around the tests does what it did
	kept   map[string]bool // the tests that still do, and demand, all that they did
	All    bool            // every test does, and what is new only adds to them
}

// Stands reports whether a test that may have another form now demands all that it did; by no name, whether all of the file does.
func (r Retelling) Stands(name string) bool {
	if name == "" {
		return r.All
	}
	return r.Around && r.kept[name]
}

// testAccount is a test with where it stands.
type testAccount struct {
	name  string
	node  *code.Node
	told  []account
	chain []neighbour // what stands around it, but for other tests
	suite *code.Node  // the outermost suite that it stands in; nil, if it stands in none
}

// Version is one side of a file of tests.
type Version struct {
	Program *code.File
	Tests   []assertions.Test
}

// Compare tells the tests of a file before and after, and says what still stands. Why no runner carries out what stands in a test is asked of idle, which says nothing where one does.
func Compare(before, after Version, idle func(test *code.Node) string) Retelling {
	c := comparison{before: before, after: after, l: lang.Of(before.Program.Path), idle: idle}
	r := c.told(apart)
	for _, how := range []manner{together, spelledOut} {
		if r.All {
			break
		}
		if s := c.told(how); s.All || s.Around && !r.Around {
			r = s
		}
	}
	return r
}

// comparison is of two versions of a file of tests.
type comparison struct {
	before, after Version
	l             lang.Language
	idle          func(test *code.Node) string
}

// told compares the tests as they are told in one manner.
func (c comparison) told(how manner) Retelling {
	r := Retelling{kept: make(map[string]bool)}
	before, after := tellings(c.before.Program, c.before.Tests, how), tellings(c.after.Program, c.after.Tests, how)
	outside, now := neighbours(c.before.Program.Root, how), neighbours(c.after.Program.Root, how)
	moved := !c.around(outside, now)
	if r.Around = c.sameImports() && (!moved || c.insideAll(before, after)); !r.Around {
		return r
	}
	r.All = true
	used := make(map[*code.Node]bool)
	runs := only(after, func(is testAccount) bool { return c.runs(is.node) })
	for _, was := range before {
		around := func(is testAccount) bool {
			if moved { // into a suite, or out of one: what stands around each test has to be what it was
				return c.around(slices.Concat(outside, was.chain), slices.Concat(now, is.chain))
			}
			return c.around(was.chain, is.chain)
		}
		// Nearly all are where they were: no other one has to be looked at.
		by := heirs(was, only(runs, func(is testAccount) bool { return is.name == was.name && around(is) }), c.l)
		if len(by) == 0 && !GoesByName(was.node.Text()) {
			by = heirs(was, only(runs, around), c.l)
		}
		for _, is := range by {
			used[is.node] = true
		}
		r.kept[was.name] = len(by) > 0
		r.All = r.All && len(by) > 0
	}
	for _, is := range after {
		r.All = r.All && (used[is.node] || isNewTest(is.node, c.before.Program))
	}
	return r
}

// insideAll reports whether all tests of one version stand in one suite together that the other has not, or has around other tests: what stands around them may have gone with them.
func (c comparison) insideAll(before, after []testAccount) bool {
	return len(before) > 0 && len(after) > 0 && wrapped(before) != wrapped(after)
}

// wrapped reports whether tests stand in one suite that holds all of them.
func wrapped(all []testAccount) bool {
	return !slices.ContainsFunc(all, func(t testAccount) bool { return t.suite == nil || t.suite != all[0].suite })
}

// only are those tests of which something is so.
func only(all []testAccount, so func(testAccount) bool) []testAccount {
	return slices.DeleteFunc(slices.Clone(all), func(t testAccount) bool { return !so(t) })
}

// heirs are those tests which do all that another did; none, if something of it is done by none.
func heirs(was testAccount, may []testAccount, l lang.Language) (all []testAccount) {
	for _, t := range was.told {
		by := only(may, func(is testAccount) bool { return is.holds(t, l) })
		if len(by) == 0 {
			by = spread(t, may, l)
		}
		if len(by) == 0 {
			return nil
		}
		all = append(all, by...)
	}
	return all
}

// runs reports whether a runner carries a test out, and hears of its failures, as far as can be seen.
func (c comparison) runs(test *code.Node) bool {
	if c.idle(test) != "" || slices.ContainsFunc(assertions.Of(test), func(a assertions.Assertion) bool { return a.Lost }) {
		return false
	}
	switch class := test.Up(code.Class); test.File.Lang {
	case syntax.Python: // of equal names the last one counts
		return !slices.ContainsFunc(c.after.Tests, func(p assertions.Test) bool { return p.Name == assertions.TestName(test) && p.Node.Start > test.Start })
	case syntax.Java: // runners look for a class by the name of its file
		for class != nil && class.Up(code.Class) != nil && slices.Contains(annotations(class), "@Nested") {
			class = class.Up(code.Class)
		}
		return class == nil || class.Up(code.Class) == nil && (class.Name == parts.Stem(test.File.Path) || !strings.Contains(test.File.Source, "class "+parts.Stem(test.File.Path)))
	default:
		return true
	}
}

// holds reports whether a test is carried out as another was, and does all that it did with one of its rows.
func (t testAccount) holds(was account, l lang.Language) bool {
	return slices.ContainsFunc(t.told, func(is account) bool {
		if !marked(was.marks, is.marks, l) {
			return false
		}
		return embedded(was.facts, is.facts) || slices.ContainsFunc(lessToFail(was.facts), func(facts []fact) bool { return embedded(facts, is.facts) })
	})
}

// lessToFail are the ways in which less of what a test does may have to fail: what was made before that stands outside of it.
func lessToFail(facts []fact) [][]fact {
	i := slices.IndexFunc(facts, func(f fact) bool { return f.op == "throws" && len(f.inner) > 1 })
	if i < 0 {
		return nil
	}
	var all [][]fact
	for k := 1; k < len(facts[i].inner); k++ {
		f := facts[i]
		f.inner = f.inner[k:]
		all = append(all, slices.Concat(facts[:i], facts[i].inner[:k], []fact{f}, facts[i+1:]))
	}
	return all
}

// marked reports whether a test has the marks that it had, but for such as kept it from running.
func marked(was, is []string, l lang.Language) bool {
	i := 0
	for _, m := range was {
		switch {
		case i < len(is) && is[i] == m:
			i++
		case !skipMark(l, m):
			return false
		}
	}
	return i == len(is)
}

// tellings tell the tests of a program.
func tellings(f *code.File, all []assertions.Test, how manner) []testAccount {
	var out []testAccount
	around := make(map[*code.Node][]neighbour)
	for _, p := range all {
		if !assertions.IsTest(p.Node) {
			continue
		}
		t := testAccount{name: p.Name, node: p.Node, told: tell(p.Node, how)}
		for at := p.Node.Parent; at != nil && at != f.Root; at = at.Parent {
			if !assertions.IsSuite(at) {
				continue
			}
			if _, read := around[at]; !read {
				around[at] = neighbours(at, how)
			}
			t.chain, t.suite = append(t.chain, around[at]...), at
		}
		out = append(out, t)
	}
	return out
}

// isNewTest reports whether a test that is new does something, and touches nothing that others see.
func isNewTest(test *code.Node, before *code.File) bool {
	if before != nil && parts.Mentions([]byte(before.Source), parts.OwnName(test)) && test.Role == code.Function && test.File.Lang != syntax.Java && test.Up(code.Class) == nil {
		return false
	}
	return assertions.Works(test) && staysInside(test) && !verifiesItself(test)
}

// verifiesItself reports whether a test asks whether something was called that it calls itself: verify(a).b() behind a.b().
func verifiesItself(test *code.Node) bool {
	called := make(map[string]bool)
	for n := range test.Walk() {
		if n.Role == code.Call {
			called[parts.Bare(n.Kid(code.Callee).Text())] = true
		}
	}
	for n := range test.Walk() {
		if on := n.Kid(code.Callee).Kid(code.Object); n.Role == code.Call && parts.LastCall(on) == "verify" && called[parts.Bare(on.All(code.Arg)[0].Text())+"."+parts.LastName(n)] {
			return true
		}
	}
	return false
}

// staysInside reports whether what a test replaces or sets is its own, or is put back by whoever does it for it.
func staysInside(test *code.Node) bool {
	for k := range test.Walk() {
		switch {
		case k.Role == code.Assign && slices.ContainsFunc(k.All(code.Target), func(t *code.Node) bool { return t.Is(code.Attr, code.Index) && !ownObject(t, test) }):
			return false
		case k.Role == code.Other && strings.HasPrefix(k.Text(), "global"):
			return false
		case k.Role == code.Call && assertions.GoodExit.MatchString(k.Text()), k.Role == code.Call && len(k.All(code.Arg)) > 0 && assertions.Fails(k) && assertions.IsExit(k):
			return false
		case k.Role == code.Call && assertions.Replaces(parts.LastName(k)) && !putsBack(k):
			return false
		}
	}
	return true
}

// ownObject reports whether what an assignment changes belongs to something that the test made, or to its own object.
func ownObject(t, test *code.Node) bool {
	for t.Is(code.Attr, code.Index, code.Group) {
		t = t.Kids[0]
	}
	if t.Is(code.Self) || t.Text() == "self" {
		return true
	}
	if !t.Is(code.Name) {
		return t.Is(code.Call)
	}
	for k := range test.Walk() {
		if k.Role == code.Assign && slices.ContainsFunc(k.All(code.Target), func(x *code.Node) bool { return slices.Contains(parts.Targets(x), t.Name) }) {
			return true
		}
	}
	return false
}

// putsBack reports whether a library puts back what a call replaces as soon as the test is over, or the call makes only a thing of the test's.
func putsBack(n *code.Node) bool {
	callee := parts.Bare(n.Kid(code.Callee).Text())
	on, _, _ := strings.Cut(callee, ".")
	switch {
	case on == "monkeypatch" || on == "mocker" || on == "t" || strings.HasSuffix(callee, ".fn") || callee == "mock" || strings.HasSuffix(callee, "Mockito.mock"):
		return true
	case parts.LastName(n) == "patch" || strings.HasPrefix(callee, "patch.") || strings.Contains(callee, "mock.patch"):
		return true // as a decorator or a block; when it is started by hand, that is a call of its own
	case parts.LastName(n) == "spyOn", parts.LastName(n) == "mockImplementation":
		return true
	case parts.LastName(n) == "replace":
		return !doubles.IsMocker(strings.TrimSuffix(callee, ".replace"))
	}
	return false
}

// GoesByName reports whether something in a test depends on what the test is called.
func GoesByName(text string) bool { return byItsName.MatchString(text) }

// byItsName matches what in a test depends on what it is called: what was kept of its last run, its own name.
var byItsName = pattern.New(`(?i)snapshot|golden|approv|cassette|\brequest\.node|\.node\.name|\bt\.name\(\)|test_?info\b|test_?name|currenttest`)
