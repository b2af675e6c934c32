// Package functions answers "which functions does this source have, and what is so of each?".
//
// Each is reduced to what rules ask when they hold two versions of a file against each other: whether it does anything, whether others may call it, and of a test how many
// assertions, rows and skips it has. Go and Python have readers of their own ([Of]), which also read what is no whole program; other languages are read as
// programs ([OfProgram]).
package functions

import (
	"path"

	"fettle/internal/code"
)

// Function is one function or method of a source file, reduced to what the rules ask about it.
type Function struct {
	Name        string     // with the type or class it belongs to: "Cart.total"
	Line        int        // where it begins
	Public      bool       // others may call it by name; of one with a node, that says so
	Node        *code.Node // where a syntax tree holds it; nil for languages that have readers of their own
	Decorated   bool       // decorators may change what the name means
	Empty       bool       // its body does nothing: pass, ..., nothing, or saying that it is not implemented
	AlwaysTrue  bool       // its body is "return True"
	Body        string     // its tokens, to recognise it under another name
	Test        bool
	Checks      int    // assertions that are reached and can fail
	Rows        int    // cases of its table
	Skip        Skip   // whether it is skipped
	Swallowed   int    // handlers that catch every error and raise none
	Conditional bool   // it stands in a branch, so a second one of its name is no mistake
	Key         string // what tells it from others of its name, where names may be overloaded
}

// Skip says whether a test is skipped.
type Skip int

// From tests that run to those that never do.
const (
	Runs        Skip = iota
	SkipsIf          // under a condition that depends on the machine
	SkipsAlways      // always, or under any other condition
)

// Of lists the functions of a source file, and reports whether the file could be read: not for a language that it does
// not know or a file that does not parse. A file that does not exist has no functions.
func Of(name string, src []byte) ([]Function, bool) {
	switch path.Ext(name) {
	case ".go":
		if len(src) == 0 {
			return nil, true
		}
		return goFunctions(name, src)
	case ".py", ".pyi":
		return pyFunctions(src)
	}
	return nil, false
}

// ByName finds a function; the last of its name wins, as it does in Python.
func ByName(all []Function, name string) (Function, bool) {
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].Name == name {
			return all[i], true
		}
	}
	return Function{}, false
}

// ByKey finds what a function was, among others of its name.
func ByKey(all []Function, d Function) (Function, bool) {
	for _, o := range all {
		if o.Name == d.Name && o.Key == d.Key {
			return o, true
		}
	}
	return ByName(all, d.Name)
}
