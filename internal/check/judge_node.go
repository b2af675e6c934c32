package check

import (
	"slices"

	"fettle/internal/check/parse"
	"fettle/internal/diag"
	"fettle/internal/pattern"
	"fettle/internal/proc"
)

// What the tools of JavaScript, and the package managers that start them, print when they could not work, with the exit code of
// a tool that found something.
var nodeUnable = pattern.New(`(?m)^(?:npm (?:ERR!|error) (?:npx canceled .*|code E(?:NOTCACHED|AI_AGAIN|404|NOENT).*|could not determine executable .*|Missing script: .*)|` +
	`error Command "\S+" not found\..*|Usage Error: .*|(?: ?ERR_PNPM_\w+|\[ERR_PNPM_\w+\]) .*|error: (?:could not determine executable|Script not found) .*|` +
	`No tests found, exiting with code 1|No test files found, exiting with code 1|● Validation Error:|● Unrecognized CLI Parameters?:|CACError: .*|` +
	`failed to load config from .*|.*Startup Error.*|Error: No test files found.*|✖ ERROR: Error: (?:Cannot find|Invalid|Unable to).*)$`)

// manner is that of the tool behind the check's format. A script of package.json may run others beside it, whose exit codes mean
// something else.
func (a *attempt) manner() (m manner, known bool) {
	m, known = manners[a.check.Parser]
	run := a.check.Run
	i := slices.Index(run, "run")
	script := i > 0 && i+1 < len(run) && slices.Contains(nodeManagers, run[0])
	if script && a.check.Lang == "javascript" && !slices.Contains(nodeTools, run[i+1]) {
		return manner{unable: m.unable}, false
	}
	return m, known
}

// countsFailures are the exit codes of a tool that ends with the number of its failures.
func countsFailures() []int {
	const most = 255
	codes := make([]int, most)
	for i := range codes {
		codes[i] = i + 1
	}
	return codes
}

// locateEnds gives tests in the midst of which the program ended the place and the words of what ended it.
func (a *attempt) locateEnds(ds []diag.Diagnostic, res proc.Result) {
	for i := range ds {
		if d := &ds[i]; d.Test != "" && d.Masks == diag.MasksCheck && d.File == "" {
			printed := res.Stderr.String()
			if a.locateNode(d, printed); d.File != "" {
				d.Detail = lastLines(printed, toldLines)
			}
		}
	}
}

// locateNode gives the finding of a check that failed without a readable word the place that a stack trace in its output names
// first: a test file that throws while it is loaded, a build script.
func (a *attempt) locateNode(d *diag.Diagnostic, printed string) {
	if a.check.Lang != "javascript" {
		return
	}
	message, frames := parse.JavaScriptError(printed, a.parseOptions())
	if len(frames) == 0 {
		return
	}
	d.Frames, d.File = frames, frames[0].File
	d.Range.Start.Line = frames[0].Line
	if message != "" {
		d.Message = message
	}
}
