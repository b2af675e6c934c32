// Package diag answers "what did a check find?" in plain data: the diagnostic, where it is, and how two lists of them differ.
//
// A diagnostic keeps its identity while the lines around it move: its [Fingerprint] is made from what it says and the
// code it says it about, never from a line number. That is what lets the loop measure progress (which findings are gone,
// which are new) instead of believing a fixer's claim.
//
// The package is pure: standard library only, no I/O.
package diag

// Severity says how much a finding matters to the check that reported it.
type Severity int

// Severities, from worst to mildest. The zero value is Error: a tool that does not say is taken at its worst.
const (
	Error Severity = iota
	Warning
	Info
	Hint
)

// Position is a place in a file: 1-based line and 1-based column in bytes. Zero means unknown.
type Position struct {
	Line   int `json:"line,omitempty"`
	Column int `json:"column,omitempty"`
}

// Range is the text from Start up to, not including, End. A tool that names one position gives Start only.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// Frame is one stack frame inside the repository, as a test's trace or a panic names it.
type Frame struct {
	File string `json:"file"` // slash path from the repository's root
	Line int    `json:"line"`
	Func string `json:"func,omitempty"`
}

// Masks says what a finding hides: a file that does not parse has no lint findings to show, a package that does not
// build runs no tests. Findings that appear once such a finding is gone are unmasked, not new (see [Delta]).
type Masks int

// What a finding can hide, from nothing to everything its check could have said.
const (
	MasksNothing Masks = iota
	MasksFile          // other findings of this check in the same file
	MasksDir           // other findings of this check in the same directory (a package)
	MasksCheck         // every other finding of this check
)

// Step is how far a compiler had come that says this. It works in steps, and what an earlier one complains of keeps the later ones from looking: what a file does not even import has no types.
type Step int

// The steps, as far as they are known.
const (
	StepUnknown Step = iota
	StepParsing      // it reads the text
	StepNaming       // it finds what names stand for
	StepTyping       // it works out types
	StepFlow         // it follows the ways through functions
	StepVet          // it is done, and what judges code that compiles begins: go vet, before go test runs anything
)

// Diagnostic is one thing a check found.
type Diagnostic struct {
	Check    string      `json:"check"`          // the check's name, "lint.ruff"
	Tool     string      `json:"tool,omitempty"` // the program that said it, "ruff"
	File     string      `json:"file,omitempty"` // slash path from the repository's root; empty when it is about no file
	Range    Range       `json:"range"`
	Rule     string      `json:"rule,omitempty"` // the tool's own code, "F401"
	Severity Severity    `json:"severity"`
	Message  string      `json:"message"`
	Excerpt  string      `json:"excerpt,omitempty"` // the source line it is about, without its line ending
	Test     string      `json:"test,omitempty"`    // the test's full id, if a test failed; see TestID in package check
	Dir      string      `json:"dir,omitempty"`     // slash path of the package's or test's directory, if File cannot say it
	Frames   []Frame     `json:"frames,omitempty"`  // innermost first, only those inside the repository
	Masks    Masks       `json:"masks,omitempty"`
	Step     Step        `json:"step,omitempty"`
	Detail   string      `json:"detail,omitempty"`  // the tool's longer text: assertion output, a traceback; bounded by the parser
	Fixable  bool        `json:"fixable,omitempty"` // the tool says that its own fix would heal it
	ID       Fingerprint `json:"id,omitempty"`      // set by Identify

	// Suggestions are the fixes that the report carries, each by itself, the one that the tool would take first. They are no
	// part of what the finding says.
	Suggestions []Suggestion `json:"suggestions,omitempty"`
}
