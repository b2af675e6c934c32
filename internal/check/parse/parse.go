// Package parse reads what checks print: one file for each format, each a stream in and diagnostics out.
//
// A parser never fails because of what it does not understand: lines that are not of its format are passed over, whatever
// stands between. It holds one record at a time in memory, never the whole output. Positions are as the tool gives them
// (1-based lines, columns in bytes), paths are slash paths from the repository's root; what lies outside the repository
// keeps no path. Excerpts are filled in by package check, which can read the files.
package parse

import (
	"io"
	"time"

	"fettle/internal/diag"
)

// Stream says which output of a command a format stands in.
type Stream int

// Where a format can stand.
const (
	Stdout   Stream = iota
	Stderr          //
	Combined        // both, as they came
	File            // a report file: the check's argv names it by {report}
	Joined          // both through one pipe, in the very order in which they were written
)

// Format is one way in which tools print what they found.
type Format struct {
	Name   string // as it stands in fettle.yaml: "gotest"
	Stream Stream
	Parse  func(r io.Reader, o Options) (Report, error)
	// Reports is the format of the report files that a check of this format can have beside what it prints: "junit" for a
	// build tool that runs tests. Empty: none.
	Reports string

	sound func(r io.Reader) error // finds fault with what is not made of the format's documents alone; nil: nobody can tell
}

// Options is what a parser has to know about the run it reads.
type Options struct {
	Check   string   // name of the check, for Diagnostic.Check
	Root    string   // absolute path of the repository's root as the tool saw it
	Dir     string   // slash path from the root of the folder the tool ran in; empty: the root
	Module  string   // Go: the module path whose root is Dir, to turn package paths into folders
	Pattern []string // errorformat lines, or names of ready ones ("eslint"), for the format "errorformat"

	// Exists reports whether the repository has a file at this slash path from the root. It settles what a name alone
	// leaves open, such as where a dotted name's module ends. Nil: naming rules decide.
	Exists func(path string) bool

	// Java: the report that is read, as a slash path from the root, if it lies in the repository; and the folders from Dir
	// that look like modules (they hold a folder src). Nil: only Dir is one.
	Report  string
	Modules func() []string
}

// Outcome is how one test came out.
type Outcome string

// The ways a test can come out.
const (
	Pass Outcome = "pass"
	Fail Outcome = "fail"
	Skip Outcome = "skip"
)

// Test is one test that ran. Its ID is how people and the tool itself name it:
//
//	Go       DIR:TestName/subtest   DIR is the package's slash path from the root, "." for the root
//	pytest   tests/test_x.py::TestClass::test_y[param]
//	jest, vitest  src/x.test.ts::describe > nested > name
//	mocha    test/x.js::describe nested > name   its report joins the names of the groups by blanks
//	TAP      parent > child   or FILE, of a file that is a test by itself
//	unittest tests.test_x.TestClass.test_y
//	Rust     CRATE::module::name   CRATE is the test program's target: the library, or the file in tests/
//	         src/lib.rs - item     an example in documentation; "(2)" behind it is the item's second
//	Java     com.x.FooTest#method  as the report names it: same(int)[1], com.x.FooTest$Inner#deep
type Test struct {
	ID       string
	Outcome  Outcome
	Duration time.Duration
}

// Report is what a parser read.
type Report struct {
	Diagnostics []diag.Diagnostic // in the tool's own order
	Tests       []Test            // nil when the format tells no tests
	Hooks       []Hook            // of a hook runner: every hook that it names, in its order
}

// Hook is how one hook of a hook runner came out. One that had nothing to do passed.
type Hook struct {
	Name   string `json:"name"`
	Passed bool   `json:"passed"`
}
