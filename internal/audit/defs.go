package audit

import (
	"path"

	"fettle/internal/audit/parts"
	"fettle/internal/code"
)

// def is one function or method of a source file, reduced to what the rules ask about it.
type def struct {
	name        string     // with the type or class it belongs to: "Cart.total"
	line        int        // where it begins
	public      bool       // others may call it by name; of one with a node, that says so
	node        *code.Node // where a syntax tree holds it; nil for languages that have readers of their own
	decorated   bool       // decorators may change what the name means
	empty       bool       // its body does nothing: pass, ..., nothing, or saying that it is not implemented
	alwaysTrue  bool       // its body is "return True"
	body        string     // its tokens, to recognise it under another name
	test        bool
	checks      int    // assertions that are reached and can fail
	rows        int    // cases of its table
	skip        skip   // whether it is skipped
	swallowed   int    // handlers that catch every error and raise none
	conditional bool   // it stands in a branch, so a second one of its name is no mistake
	key         string // what tells it from others of its name, where names may be overloaded
}

// skip says whether a test is skipped.
type skip int

const (
	runs        skip = iota
	skipsIf          // under a condition that depends on the machine
	skipsAlways      // always, or under any other condition
)

// defs lists the functions of a source file, and reports whether the file could be read: not for a language that it does
// not know or a file that does not parse. A file that does not exist has no functions.
func defs(name string, src []byte) ([]def, bool) {
	switch path.Ext(name) {
	case ".go":
		if len(src) == 0 {
			return nil, true
		}
		return goDefs(name, src)
	case ".py", ".pyi":
		return pyDefs(src)
	}
	return nil, false
}

// byName finds a function; the last of its name wins, as it does in Python.
func byName(all []def, name string) (def, bool) {
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].name == name {
			return all[i], true
		}
	}
	return def{}, false
}

// byKey finds what a function was, among others of its name.
func byKey(all []def, d def) (def, bool) {
	for _, o := range all {
		if o.name == d.name && o.key == d.key {
			return o, true
		}
	}
	return byName(all, d.name)
}

// readable reports whether the functions after a change are known: those of a file that is gone are none.
func (f *fileView) readable() bool {
	return f.parses || !parts.Broken(f.programAfter) || f.programBefore != nil && len(f.after) == 0
}
