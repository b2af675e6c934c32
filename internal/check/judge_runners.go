package check

import (
	"fmt"
	"strings"

	"fettle/internal/pattern"
)

// runnerUnable recognises, by format, what a runner of other tools says when it could not do its work, or one of those tools is
// not there. Its exit code is then the same as when a tool has found something.
var runnerUnable = map[string]*pattern.Pattern{
	"hooks":    pattern.New("(?m)^(?:An (?:unexpected )?error has occurred:|error: |\\s*Executable `.*` (?:not found|is not executable)|exit status 12[67]$)"),
	"lefthook": pattern.New(`(?m)^(?:Error: |exit status 12[67]$)`),
	"gcc":      pattern.New(`(?m)^(?:\S*make: \*\*\* No rule to make target '[^']*'\.  Stop|error: [Jj]ustfile does not contain recipe)`),
}

// installs recognises a runner of hooks that was about to fetch the environments in which its hooks run.
var installs = pattern.New(`(?m)^(?:\[INFO\] (?:Initializing|Installing) environment|error: Failed to (?:init|install) hook|\s*caused by: Failed to (?:clone repo|install hook))`)

// unable is why the check's runner could not do its work, or "". One that has found something could.
func (a *attempt) unable(code, findings int, printed string) string {
	says := runnerUnable[a.check.Parser]
	if findings > 0 || says == nil || !says.MatchString(printed) {
		return ""
	}
	why := fmt.Sprintf("%s could not do its work (exit code %d): %s", a.tool(), code, runnerSays(printed))
	if installs.MatchString(printed) {
		why += fmt.Sprintf("; its environments are not installed: run `%s install-hooks` once, with the network", a.tool())
	}
	return why
}

// runnerSays is the line in which a runner says why it stopped. pre-commit ends with the place of its log, and says what is
// wrong with its configuration after an arrow; prek says the causes of an error below it.
func runnerSays(printed string) string {
	var lines, causes []string
	for line := range strings.Lines(printed) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "Check the log at ") {
			continue
		}
		if cause, ok := strings.CutPrefix(line, "caused by: "); ok {
			causes = append(causes, cause)
		} else if arrow, ok := strings.CutPrefix(line, "=====> "); ok {
			causes = append(causes, arrow)
		} else {
			lines = append(lines, line)
		}
	}
	said := telling(strings.Join(lines, "\n"))
	if len(causes) > 0 && !strings.HasPrefix(said, "fatal: ") {
		said = strings.TrimSuffix(said, ":") + ": " + strings.Join(causes, ": ")
	}
	return said
}
