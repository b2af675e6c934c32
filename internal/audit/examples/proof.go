package examples

import (
	"bytes"
	"slices"
	"strings"

	"fettle/internal/audit/assertions"
	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/lang"
)

// IsProof reports whether a program does what a test does, whatever it is called: it asks code from elsewhere with values that are
// written out, compares what comes with values that are written out, and fails if they differ. What defines the code that it asks is
// no test, but a program that tries itself.
func IsProof(name string, src []byte) bool {
	if lang.IsTest(name) {
		return true
	}
	if !slices.ContainsFunc(failing, func(word string) bool { return bytes.Contains(src, []byte(word)) }) {
		return false
	}
	f := parts.Read(name, src)
	return f != nil && proves(f)
}

// failing are words of which one at least stands wherever a program makes itself fail.
var failing = []string{"assert", "Assert", "exit", "throw", "raise", "expect", "panic", "Fatal"}

func proves(f *code.File) bool {
	own := make(map[string]bool)
	for n := range f.Root.Walk() {
		if n.Is(code.Function, code.Class) {
			own[parts.OwnName(n)] = true
		}
	}
	fails, asked := false, false
	asserts := func(n *code.Node) bool {
		return n.Role == code.Raise && strings.Contains(n.Text(), "AssertionError") && n.Function() != nil && n.Function().Name == "main"
	}
	for n := range f.Root.Walk() {
		if asserts(n) {
			return true // no program ends so that is none
		}
		fails = fails || assertions.Fails(n)
		asked = asked || asks(n) && !own[parts.LastName(n)] && len(besides(n)) > 0 && !known[parts.LastName(n)]
	}
	return fails && asked
}

// known are calls of the languages' own, which programs compare with constants everywhere.
var known = map[string]bool{
	"get": true, "getattr": true, "indexOf": true, "startsWith": true, "endsWith": true, "getProperty": true, "getenv": true, "Getenv": true,
	"charAt": true, "includes": true, "isinstance": true, "typeof": true, "require": true, "query": true, "prepare": true, "max": true, "min": true,
	"split": true, "match": true, "test": true, "startswith": true, "endswith": true, "find": true, "count": true, "replace": true, "join": true,
	"HasPrefix": true, "HasSuffix": true, "substring": true, "slice": true, "range": true, "has": true, "getItem": true, "run": true, "call": true,
	"Lookup": true, "Get": true, "open": true, "read": true, "recv": true, "poll": true, "compare": true, "compareTo": true, "parse": true,
	"containsKey": true, "hasattr": true, "round": true, "next": true, "print": true, "log": true, "println": true,
}
