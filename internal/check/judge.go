package check

import (
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"fettle/internal/check/parse"
	"fettle/internal/diag"
	"fettle/internal/pattern"
	"fettle/internal/proc"
)

// manner is what a tool means by its exit codes. Zero always means that all is well, with one exception: a tool that
// lists what is wrong and exits with 0 anyway.
type manner struct {
	finds   []int  // found something wrong with the code
	nothing []int  // there was nothing to judge
	why     string // said of nothing
	lists   bool   // its list is its answer

	unable *pattern.Pattern // what it prints when it could not work, though its exit code says no more than that it failed
}

// manners are those of the tools behind a format. Any other code of theirs means that they could not work (wrong use, an
// internal error), unless they still named a place that is wrong: a collection error makes pytest end with 2, a syntax
// error mypy with 2 and ruff format with 2. Sources: each tool's own documentation of its exit codes.
var manners = map[string]manner{
	"gofmt":        {finds: []int{1, 2}, lists: true},
	"golangci":     {finds: []int{1}, nothing: []int{5}, why: "golangci-lint found no Go files"},
	"pytest":       {finds: []int{1}, nothing: []int{5}, why: "pytest found no tests to run"},
	"pytest-junit": {finds: []int{1}, nothing: []int{5}, why: "pytest found no tests to run"},
	"unittest":     {finds: []int{1}, nothing: []int{5}, why: "unittest found no tests to run"},
	"ruff":         {finds: []int{1}},
	"mypy":         {finds: []int{1}},
	"flake8":       {finds: []int{1}},
	"pylint":       {finds: []int{2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30}}, // a bit for each kind of finding; 1 is that of what was fatal
	"pyright":      {finds: []int{1}, unable: nodeUnable},
	"black":        {finds: []int{1, 123}},
	"isort":        {finds: []int{1}},
	"hooks":        {finds: []int{1}},
	"lefthook":     {finds: []int{1}},
	"cargo":        {finds: []int{101}, unable: cargoUnable},
	"cargo-test":   {finds: []int{101}, unable: cargoUnable},
	"rustfmt":      {finds: []int{1}, unable: cargoUnable},
	"maven":        {finds: []int{1}, unable: mavenUnable},
	"gradle":       {finds: []int{1}, unable: gradleUnable},
	"eslint":       {finds: []int{1}, unable: nodeUnable},
	"prettier":     {finds: []int{1}, unable: nodeUnable},
	"biome":        {unable: nodeUnable}, // it ends with 1 for everything: without a finding it could not work
	"tsc":          {unable: nodeUnable}, // so does it, and with 2
	"jest":         {finds: []int{1}, unable: nodeUnable},
	"vitest":       {finds: []int{1}, unable: nodeUnable},
	"mocha":        {finds: countsFailures(), unable: nodeUnable},
	"tap":          {finds: []int{1}, unable: nodeUnable},
	"tape":         {finds: []int{1}, unable: nodeUnable},
}

// parserTests are the formats that tell tests: a run of no tests has none, which is not the same as not knowing.
var parserTests = map[string]bool{"gotest": true, "pytest": true, "pytest-junit": true, "unittest": true, "junit": true,
	"cargo-test": true, "java-junit": true, "maven": true, "gradle": true, "jest": true, "vitest": true, "mocha": true, "tap": true, "tape": true}

// NamesTests reports whether the check's format tells its tests one by one. A check of tests that does not is one test by itself: a program that
// judges itself and says so by its exit code.
func (c Check) NamesTests() bool {
	if c.Reader == nil {
		return parserTests[c.Parser]
	}
	format, _ := parse.Lookup(c.Reader.Format)
	return parserTests[format.Name] && format.Reports == "" // a build tool's text names none
}

// A shell's codes for a command that it cannot run.
const (
	notRunnable = 126
	notFound    = 127
)

// judge makes a result of how the command ended and what the parser read.
func (a *attempt) judge(res proc.Result, said parse.Report, readErr error) Result {
	r := Result{Check: a.check.Name, Code: res.Code, Diagnostics: said.Diagnostics, Tests: outcomes(said.Tests), Hooks: said.Hooks, CPU: res.CPU}
	printed := a.printed(res)
	switch res.Ended {
	case proc.TimedOut:
		r.Status, r.Reason = TimedOut, "it did not end within "+a.timeout()
	case proc.OutputLimit:
		r.Status, r.Reason = TimedOut, "it printed more than a check may (limits.output)"
	case proc.Signalled:
		r.Status, r.Reason = Failed, "it was ended by "+res.Signal
	default:
		r.Status, r.Reason = a.status(res.Code, said, printed)
	}
	if r.Cut = a.cut(res, said, printed); r.Cut {
		r.Status, r.Reason = Failed, fmt.Sprintf("%s ended without telling its tests (exit code %d): one of them ends the whole process", a.tool(), res.Code)
		if res.Ended == proc.Signalled {
			r.Reason = fmt.Sprintf("%s was ended by %s while its tests ran: one of them takes the whole process along", a.tool(), res.Signal)
		}
	}
	if r.Status == Broken {
		r.Diagnostics = nil // what it said is the reason, and nothing that a fixer could heal
	}
	if r.Status == Failed && len(r.Diagnostics) == 0 && a.nobodyReads() {
		r.Diagnostics = parse.Compiled(printed, a.parseOptions())
	}
	if (r.Status == Failed && len(r.Diagnostics) == 0) || r.Status == TimedOut {
		r.Diagnostics = append(r.Diagnostics, a.own(r, printed))
	}
	if readErr != nil && r.Reason == "" {
		r.Reason = "what it printed could not be read to the end: " + readErr.Error()
	}
	if r.Status != Passed {
		r.Tail = lastBytes(printed)
	} else if a.tellsTests() && r.Tests == nil {
		r.Tests = map[string]parse.Outcome{}
	}
	a.locateEnds(r.Diagnostics, res)
	a.excerpts(r.Diagnostics)
	for i := range r.Diagnostics {
		r.Diagnostics[i].Check = a.check.Name
	}
	diag.Identify(r.Diagnostics)
	return r
}

// nobodyReads reports whether no format reads what the command prints, though nobody has forbidden it.
func (a *attempt) nobodyReads() bool {
	return a.format == nil && a.check.Reader == nil && a.kept == nil && !a.check.Unread
}

// status judges a command that ended by itself.
func (a *attempt) status(code int, said parse.Report, printed string) (Status, string) {
	m, known := a.manner()
	switch {
	case code == 0 && m.lists && len(said.Diagnostics) > 0:
		return Failed, ""
	case code == 0 && a.toldToGoOn() && slices.ContainsFunc(said.Diagnostics, failedTest):
		return Failed, ""
	case code == 0:
		return Passed, ""
	case slices.Contains(m.nothing, code):
		return Passed, m.why
	case slices.ContainsFunc(said.Diagnostics, placed):
		return Failed, ""
	case a.missingModule(printed) != "":
		return Broken, fmt.Sprintf("%s is not installed for %s; install it, or leave check %q out of %s",
			a.missingModule(printed), a.check.Run[0], a.check.Name, FileFor(a.options.Written))
	case code == notFound || code == notRunnable:
		return Broken, fmt.Sprintf("a command that it needs cannot be run (exit code %d): %s", code, telling(printed))
	case m.unable != nil && m.unable.MatchString(printed):
		return Broken, fmt.Sprintf("%s could not do its work (exit code %d): %s", a.tool(), code, sentence(m.unable, printed))
	case a.unable(code, len(said.Diagnostics), printed) != "":
		return Broken, a.unable(code, len(said.Diagnostics), printed)
	case known && !slices.Contains(m.finds, code) && !brokenCode(printed):
		said, next := telling(printed), a.remedy(printed)
		if next != "" {
			said = strings.TrimSuffix(said, ".") + next
		}
		return Broken, fmt.Sprintf("%s could not do its work (exit code %d): %s", a.tool(), code, said)
	}
	return Failed, ""
}

var (
	pytestWorks = pattern.New(`(?m)^(?:\S+\.py )?[.FEsxX]+ *(?:\[ *\d+%\])?$|^\S+\.py(?:::\S+)? |^collected \d+ item`)
	pytestEnds  = pattern.New(`(?m)INTERNALERROR|^(?:ERROR|ERROR: .*|usage: .*|error: .*)$|^_{3,} |^!{3,}|^=+ (?:ERRORS|FAILURES|short test summary info) =|\b(?:passed|failed|errors?|skipped|deselected|no tests ran)\b.* in [\d.]+s`)
)

// cut reports whether a test has ended pytest with all of its process (os._exit, a crash): it was at work, and there is neither a report nor a
// summary, nor what it says when it cannot go on.
func (a *attempt) cut(res proc.Result, said parse.Report, printed string) bool {
	switch format, _, _ := strings.Cut(a.check.Parser, "-"); {
	case format != "pytest", res.Ended != proc.Exited && res.Ended != proc.Signalled, len(said.Tests) > 0, len(said.Diagnostics) > 0:
		return false
	case res.Ended == proc.Exited && res.Code == 0 && a.check.Parser != "pytest-junit":
		return false // told to be quiet, it has no summary
	}
	printed = escapes.ReplaceAllString(printed, "")
	return !pytestEnds.MatchString(printed) && pytestWorks.MatchString(printed)
}

// placed reports whether a diagnostic is about the code: it names a file, a folder or a test. A tool that complains of its
// own configuration names none.
func placed(d diag.Diagnostic) bool { return d.File != "" || d.Dir != "" || d.Test != "" }

// brokenCode recognises a pytest that could not start because of the code that it was to test.
func brokenCode(printed string) bool { return strings.Contains(printed, "while loading conftest") }

// missingModule is the module that `python -m` did not find, or "".
func (a *attempt) missingModule(printed string) string {
	i := slices.Index(a.check.Run, "-m")
	if i < 0 || i+1 >= len(a.check.Run) {
		return ""
	}
	module := a.check.Run[i+1]
	for line := range strings.Lines(printed) {
		if strings.HasSuffix(strings.TrimSpace(line), ": No module named "+module) && !strings.HasPrefix(line, " ") &&
			strings.Contains(line, "python") {
			return module
		}
	}
	return ""
}

// toldLines is how much of what a check printed last goes into a finding that it has no better words for.
const toldLines = 40

// own is the one diagnostic of a check that failed without a readable word.
func (a *attempt) own(r Result, printed string) diag.Diagnostic {
	d := diag.Diagnostic{Check: r.Check, Tool: a.tool(), Dir: a.check.Dir, Masks: diag.MasksCheck, Detail: lastLines(printed, toldLines)}
	switch {
	case r.Reason != "":
		d.Message = r.Reason
	case printed == "":
		d.Message = fmt.Sprintf("%s ended with exit code %d and printed nothing", a.tool(), r.Code)
	default:
		d.Message = telling(printed)
	}
	a.locateNode(&d, printed)
	return d
}

// tool is the program that judges: the module of `python -m module`, else the command's own name.
func (a *attempt) tool() string {
	if i := slices.Index(a.check.Run, "-m"); i > 0 && i+1 < len(a.check.Run) && strings.HasPrefix(path.Base(a.check.Run[i-1]), "python") {
		return a.check.Run[i+1]
	}
	return filepath.Base(a.check.Run[0])
}

func (a *attempt) timeout() string {
	if a.check.Timeout > 0 {
		return a.check.Timeout.String()
	}
	return a.options.Timeout.String()
}

// outcomes are the tests by id. Of a test that ran several times, the worst counts.
func outcomes(tests []parse.Test) map[string]parse.Outcome {
	if tests == nil {
		return nil
	}
	rank := map[parse.Outcome]int{parse.Skip: 1, parse.Pass: 2, parse.Fail: 3}
	m := make(map[string]parse.Outcome, len(tests))
	for _, t := range tests {
		if rank[t.Outcome] > rank[m[t.ID]] {
			m[t.ID] = t.Outcome
		}
	}
	return m
}

var (
	escapes = pattern.New("\x1b\\[[0-9;?]*[A-Za-z]")
	tells   = pattern.New(`(?i)error|fail|panic|fatal|cannot|can't|could not|couldn't|not found|no such|undefined|exception|invalid|unknown`)
	silent  = pattern.New(`(?i)^(exit status \d+|fail|failed|error|[^\p{L}\p{N}]*|make(\[\d+\])?: \*\*\*.*|FAIL\s.*\[.*\]|FAIL\s+\S+\s+[\d.]+s|=* ?\d+ (error|failed|passed|skipped|warning|deselected).* in [\d.]+s.*)$`)
)

// telling is the last line that says what went wrong, or else the last line that says anything.
func telling(printed string) string {
	const most = 300
	last := ""
	lines := strings.Split(printed, "\n")
	for _, l := range slices.Backward(lines) {
		l = strings.TrimSpace(escapes.ReplaceAllString(l, ""))
		if l == "" || silent.MatchString(l) {
			continue
		}
		if last == "" {
			last = l
		}
		if tells.MatchString(l) {
			last = l
			break
		}
	}
	if last == "" {
		last = strings.TrimSpace(lines[len(lines)-1])
	}
	if last == "" {
		last = "it printed nothing"
	}
	if len(last) > most {
		last = strings.ToValidUTF8(last[:most], "") + "…"
	}
	return last
}

// remedy says what to do where it is known: golangci-lint is of another version than its configuration, by whose version it is called; eslint has no
// configuration that it reads.
func (a *attempt) remedy(printed string) string {
	switch {
	case strings.Contains(printed, "ESLint couldn't find an eslint.config."):
		old, _ := fs.Glob(a.place.FS(), path.Join(a.check.Dir, ".eslintrc*"))
		if len(old) > 0 {
			return "; " + old[0] + " is for versions before 9: npx @eslint/migrate-config " + path.Base(old[0]) + " rewrites it"
		}
		return fmt.Sprintf("; write one (npm init @eslint/config asks what for), or leave check %q out of %s", a.check.Name, FileFor(a.options.Written))
	case strings.Contains(printed, "unknown flag: --out-format"):
		return "; its configuration is written for version 1, and version 2 is installed: golangci-lint migrate rewrites it"
	case strings.Contains(printed, "unknown flag: --output.json.path"), strings.Contains(printed, "unknown flag: --show-stats"):
		return "; its configuration is written for version 2, and version 1 is installed"
	}
	return ""
}
