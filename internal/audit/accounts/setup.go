package accounts

import (
	"slices"
	"strings"

	"fettle/internal/audit/assertions"
	"fettle/internal/audit/doubles"
	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/syntax"
)

// premade is an object that is there when a test begins: by a setup of its class, a field, or a fixture that it names.
type premade struct {
	name  string // as the test calls it: mash, self.mash
	value *code.Node
}

// madeBefore are the objects that a test finds, in the order in which they are made.
func madeBefore(test, fn *code.Node) []premade {
	var all []premade
	if class := test.Up(code.Class); class != nil {
		for _, m := range membersOf(class) {
			all = append(all, madeBy(m)...)
		}
	}
	if test.File.Lang != syntax.Python {
		return all
	}
	for _, p := range fn.All(code.Params) {
		if fixture := fixtureOf(test.File, p.Name); fixture != nil {
			all = append(all, premade{p.Name, fixture})
		}
	}
	return all
}

// toldWithTests reports whether a member of a class, or of a file, only makes objects for each test.
func toldWithTests(n *code.Node) bool {
	at := parts.Inner(n)
	if at.Is(code.Function) && n.File.Lang == syntax.Python && at.Up(code.Class) == nil {
		return fixtureOf(n.File, at.Name) != nil
	}
	return n.Up(code.Class) != nil && (len(madeBy(n)) > 0 || bareField(n))
}

// madeBy are the objects that a member of a class makes for each test, where it does nothing else, and nothing but tests uses them.
func madeBy(n *code.Node) []premade {
	at := parts.Inner(n)
	var assigns []*code.Node
	switch {
	case n.File.Lang == syntax.Java && at.Is(code.Declaration):
		if strings.Contains(at.Text(), "static ") || len(fieldMarks(n)) > 0 {
			return nil
		}
		assigns = at.All(code.Elem)
	case at.Is(code.Function) && setsUp(at):
		for _, s := range parts.Statements(at) {
			if s = parts.Inner(s); !s.Is(code.Assign) {
				return nil
			}
			assigns = append(assigns, s)
		}
	}
	var all []premade
	for _, a := range assigns {
		targets, values := a.All(code.Target), a.All(code.Value)
		if len(targets) != 1 || len(values) != 1 || !plainAssign[a.Op] {
			return nil
		}
		name := strings.TrimPrefix(parts.Bare(targets[0].Text()), "this.")
		if short := strings.TrimPrefix(name, "self."); len(short) < 2 { // a letter is no name to look for
			return nil
		}
		if n.File.Lang == syntax.Python && !strings.HasPrefix(name, "self.") || !makesObject(values[0]) || usedElsewhere(n.Up(code.Class), n, name) {
			return nil
		}
		all = append(all, premade{name, values[0]})
	}
	return all
}

// setsUp reports whether a method is carried out before each test of its class.
func setsUp(fn *code.Node) bool {
	if fn.File.Lang == syntax.Java {
		return slices.Equal(annotations(fn), []string{"@BeforeEach"})
	}
	return (fn.Name == "setUp" || fn.Name == "setup_method") && len(parts.Marks(fn)) == 0
}

// makesObject reports whether a value is written out, or an object that a class makes of such: no test can tell whether it was made for it or not.
func makesObject(n *code.Node) bool {
	if !n.Is(code.Call) {
		return parts.Value(n)
	}
	name := parts.Bare(n.Kid(code.Callee).Text())
	name = name[strings.LastIndex(name, ".")+1:]
	if n.File.Lang == syntax.Java && !strings.HasPrefix(n.Text(), "new ") || name == "" || strings.ToUpper(name[:1]) != name[:1] || doubles.IsMock(name) {
		return false
	}
	return !slices.ContainsFunc(n.All(code.Arg), func(a *code.Node) bool {
		if a.Is(code.Keyword) {
			a = a.Kid(code.Value)
		}
		return !makesObject(a)
	})
}

// usedElsewhere reports whether a class uses an object of its tests outside of tests and of what makes it: in a helper, in what clears up, in a class that extends it.
func usedElsewhere(class, maker *code.Node, name string) bool {
	for c := range class.File.Root.Walk() {
		if head, _, _ := strings.Cut(c.Text(), "\n"); c.Is(code.Class) && c != class && parts.Mentions([]byte(head), class.Name) {
			return true
		}
	}
	for _, m := range membersOf(class) {
		if m != maker && !assertions.IsTest(parts.Inner(m)) && !bareField(m) && parts.Mentions([]byte(m.Text()), strings.TrimPrefix(name, "self.")) && !setsUp(parts.Inner(m)) {
			return true
		}
	}
	return false
}

// bareField reports whether a member is a field of Java's without a value.
func bareField(n *code.Node) bool {
	return n.File.Lang == syntax.Java && n.Is(code.Declaration) && !strings.Contains(n.Text(), "=") && len(fieldMarks(n)) == 0
}

// fixtureOf is what a fixture of the file gives that has this name, makes one object, and is made for each test that names it; nil for any other.
func fixtureOf(f *code.File, name string) *code.Node {
	for _, s := range f.Root.All(code.Stmt) {
		fn := parts.Inner(s)
		if !fn.Is(code.Function) || fn.Name != name || len(name) < 2 || !slices.Equal(plainMarks(fn), []string{"@pytest.fixture"}) || len(fn.All(code.Params)) > 0 || IsConftest(f.Path) || wantedElsewhere(f, name) {
			continue
		}
		body := parts.Statements(fn)
		if len(body) == 1 && body[0].Is(code.Return) && len(body[0].Kids) == 1 && makesObject(body[0].Kids[0]) {
			return body[0].Kids[0]
		}
	}
	return nil
}

// wantedElsewhere reports whether something else than a test names a fixture: another fixture, a mark, a text.
func wantedElsewhere(f *code.File, name string) bool {
	for n := range f.Root.Walk() {
		if n.Is(code.Str) && parts.Mentions([]byte(n.Text()), name) || n.Is(code.Param) && n.Name == name && assertions.TestName(n.Function()) == "" {
			return true
		}
	}
	return false
}

// plainMarks are the decorators of a function, those that are called with nothing as those that are not called.
func plainMarks(fn *code.Node) []string {
	var all []string
	for _, m := range parts.Marks(fn) {
		all = append(all, strings.TrimSuffix(parts.Bare(m), "()"))
	}
	return all
}

// making tells what is made before a test, and used by it.
func (r *teller) making(before []premade, fn *code.Node) []fact {
	var all []fact
	for _, m := range before {
		on, part, of := strings.Cut(m.name, ".")
		if _, bound := r.env[m.name]; bound {
			continue // by a row
		}
		if !parts.Mentions([]byte(fn.Text()), m.name[strings.LastIndex(m.name, ".")+1:]) {
			continue
		}
		text := r.canon(m.value)
		if !parts.Literal(m.value) {
			all = append(all, fact{text: r.name(m.name) + "=" + text})
			text = r.env[m.name]
			delete(r.env, m.name)
		}
		if !of {
			r.env[m.name] = text
			continue
		}
		if r.rows[on] == nil {
			r.rows[on] = make(map[string]string)
		}
		r.rows[on][part] = text
	}
	return all
}
