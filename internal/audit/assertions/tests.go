package assertions

import (
	"slices"
	"strings"

	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/pattern"
	"fettle/internal/syntax"
)

// TestName is what a runner calls the test that a node is, with the suites around it; empty for what is no test.
func TestName(n *code.Node) string {
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
		if !IsGoTest(n.Name) {
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
	if !ScriptCall(n, "it", "test", "specify", "xit", "xtest", "fit") {
		return ""
	}
	name := parts.Bare(n.All(code.Arg)[0].Text())
	for s := n.Up(code.Call); s != nil; s = s.Up(code.Call) {
		if ScriptCall(s, "describe", "suite", "context", "xdescribe", "fdescribe") {
			name = parts.Bare(s.All(code.Arg)[0].Text()) + " " + name
		}
	}
	return name
}

// ScriptCall reports whether a node calls one of these, also as test.each(…)(…), with a name and a function.
func ScriptCall(n *code.Node, names ...string) bool {
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

// IsGoTest reports whether go test runs a function of this name. TestMain is no test.
func IsGoTest(name string) bool { return goTestName.MatchString(name) }

var goTestName = pattern.New(`^(Test|Fuzz|Example|Benchmark)($|[^a-z])`)

// FailsGo reports whether a method of this name, of testing.T, fails a test.
func FailsGo(name string) bool { return slices.Contains(goFails, name) }

// goFails are the methods of testing.T that fail a test.
var goFails = []string{"Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow"}

// IsTest reports whether a node is a test. TestMain is carried out around tests.
func IsTest(n *code.Node) bool {
	name := TestName(n)
	return name != "" && (name != "TestMain" || n.File.Lang != syntax.Go)
}

// HoldsTests reports whether a node is a suite with a test in it.
func HoldsTests(n *code.Node) bool {
	if !IsSuite(n) {
		return false
	}
	for k := range n.Walk() {
		if k != n && TestName(k) != "" {
			return true
		}
	}
	return false
}

// IsSuite reports whether a node holds tests, and what is carried out around them.
func IsSuite(n *code.Node) bool {
	return n.Role == code.Class || ScriptCall(n, "describe", "suite", "context", "xdescribe", "fdescribe")
}

// IsFixture reports whether a function of Python's makes something for tests, or around a block.
func IsFixture(fn *code.Node) bool {
	return slices.ContainsFunc(parts.Marks(fn), func(mark string) bool {
		return strings.Contains(mark, "fixture") || strings.Contains(mark, "contextmanager")
	})
}

// Uncalled reports whether a node is a function that stands by itself, with a name, which nothing in its file mentions, and no other file is given. What is
// decorated may be called by whoever decorates.
func Uncalled(n *code.Node) bool {
	if n.Role != code.Function || n.Up(code.Class) != nil || n.Part != code.Stmt && !n.Parent.Is(code.Assign) || len(parts.Marks(n)) > 0 {
		return false
	}
	name, whole, src := parts.OwnName(n), n, n.File.Source
	if n.Parent.Is(code.Assign) {
		whole = n.Parent
	}
	return name != "" && !parts.Mentions([]byte(src[:whole.Start]+" "+src[whole.End:]), name) && !parts.Exports(n.File)[name]
}

// RunsBefore reports whether a function of this name is carried out before tests.
func RunsBefore(name string) bool { return setups[name] }

var setups = map[string]bool{
	"setUp": true, "setUpClass": true, "setUpModule": true, "setup_method": true, "setup_class": true, "setup_module": true, "setup_function": true, "setup": true, "asyncSetUp": true,
}

// Test is one test of a program: a function that a runner calls, or, called "", what the file does when it is carried out.
type Test struct {
	Name    string
	Node    *code.Node
	Demands []Assertion
}

// Tests are the tests of a program, in order. The last of equal names counts.
func Tests(f *code.File) []Test {
	if f == nil {
		return nil
	}
	all := []Test{{Node: f.Root, Demands: Of(f.Root)}}
	for n := range f.Root.Walk() {
		if name := TestName(n); name != "" {
			all = append(all, Test{name, n, Of(n)})
		}
	}
	return all
}
