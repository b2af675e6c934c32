// Package functions answers "which functions does this source have, and what is so of each?".
//
// Each is reduced to what rules ask when they hold two versions of a file against each other: whether it does anything, whether others may call it, and of a test how many
// assertions, rows and skips it has. Go and Python have readers of their own ([Of]), which also read what is no whole program; other languages are read as
// programs ([OfProgram]). What it means that a function is another one is the rules' affair.
package functions

import (
	"path"

	"fettle/internal/code"
)

// Function is one function or method of a source file, reduced to what the rules ask about it.
type Function struct {
	Name        string     // with the type or class it belongs to: "Cart.total"
	Line        int        // where it begins
	Public      bool       // others may call it by name; for one with a node ask [IsPublic]
	Node        *code.Node // where a syntax tree holds it; nil for languages that have readers of their own
	Decorated   bool       // decorators may change what the name means
	Empty       bool       // its body does nothing: pass, ..., nothing, or saying that it is not implemented
	AlwaysTrue  bool       // its body is "return True"
	Body        string     // its tokens, to recognise it under another name
	Test        bool       // it is a test, so that the next three are counted
	Checks      int        // assertions that are reached and can fail
	Rows        int        // cases of its table
	Skip        Skip       // whether it is skipped
	Swallowed   int        // handlers that catch every error and raise none
	Conditional bool       // it stands in a branch, so a second one of its name is no mistake
	Key         string     // what tells it from others of its name, where names may be overloaded
}

// Skip says whether a test is skipped.
type Skip int

// What becomes of a test, from one that runs to one that never does.
const (
	Runs        Skip = iota // in any case
	SkipsIf                 // under a condition that depends on the machine
	SkipsAlways             // always, or under any other condition
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

// ByKey finds the counterpart of a function in another version: the one with its key, or else with its name.
func ByKey(all []Function, f Function) (Function, bool) {
	for _, o := range all {
		if o.Name == f.Name && o.Key == f.Key {
			return o, true
		}
	}
	return ByName(all, f.Name)
}
