package parts

import (
	"iter"
	"strings"

	"fettle/internal/code"
	"fettle/internal/pattern"
	"fettle/internal/syntax"
)

// FunctionOf is the function that a value is: written there, or defined in the file by that name.
func FunctionOf(n *code.Node) *code.Node {
	if n.Is(code.Function) {
		return n
	}
	if !n.Is(code.Name) {
		return nil
	}
	for fn := range n.File.Root.Walk() {
		if fn.Role == code.Function && OwnName(fn) == n.Name {
			return fn
		}
	}
	return nil
}

// Yields reports whether a function gives its values one by one.
func Yields(fn *code.Node) bool {
	for n := range fn.Own() {
		if n.Role == code.Other && (n.Text() == "yield" || strings.HasPrefix(n.Text(), "yield ")) {
			return true
		}
	}
	return false
}

// IsCoroutine reports whether a test of Python's has to be waited for.
func IsCoroutine(test *code.Node) bool {
	return test.File.Lang == syntax.Python && strings.HasPrefix(test.Text(), "async ")
}

// Marks are the texts of the decorators of a function or class of Python.
func Marks(n *code.Node) []string {
	var all []string
	for at := range Decorators(n) {
		all = append(all, at.Text())
	}
	return all
}

// Decorators are those of a function or class of Python, the nearest first.
func Decorators(n *code.Node) iter.Seq[*code.Node] {
	return func(yield func(*code.Node) bool) {
		for at := n.Prev(); IsDecorator(at) && yield(at); {
			at = at.Prev()
		}
	}
}

// IsDecorator reports whether a node is a decorator of Python's, or an annotation that stands by itself.
func IsDecorator(n *code.Node) bool { return n.Is(code.Other) && strings.HasPrefix(n.Text(), "@") }

// FunctionIn is the function that a test is, or is given.
func FunctionIn(test *code.Node) *code.Node {
	if test.Role == code.Function {
		return test
	}
	for _, a := range test.All(code.Arg) {
		if a.Role == code.Function {
			return a
		}
	}
	return nil
}

// Statements are the statements of a function, or what it gives.
func Statements(fn *code.Node) []*code.Node {
	switch body := fn.Kid(code.Body); {
	case body == nil:
		return nil
	case body.Role == code.Block:
		return body.Kids
	default:
		return []*code.Node{body}
	}
}

// GivenTo is the call that a function is an argument of, written out there; nil, if it is none.
func GivenTo(fn *code.Node) *code.Node {
	if fn.Part == code.Arg && fn.Parent.Is(code.Call) {
		return fn.Parent
	}
	return nil
}

// IsAsync reports whether a function of JavaScript's gives a promise because it says so.
func IsAsync(fn *code.Node) bool { return asyncHead.MatchString(fn.Text()) }

var asyncHead = pattern.New(`^async\b`)

// WithMarks is the text of a test with what decorates it.
func WithMarks(test *code.Node) string {
	return strings.Join(append(Marks(test), test.Text()), "\n")
}
