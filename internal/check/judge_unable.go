package check

import (
	"slices"
	"strings"

	"fettle/internal/diag"
	"fettle/internal/pattern"
)

// What build tools print when they could not work, with an exit code that says no more than that something failed: there
// is no network for what is missing, the tool itself is not whole, or it was asked for what it does not have.
var (
	cargoUnable = pattern.New(`(?m)^error: (failed to (get|download|load source|select a version|fetch|update|query)\b.*|no matching package.*|` +
		`Unable to update .*|unable to (get|update) .*|could not find .Cargo\.toml. .*|no such command: .*|'cargo-\w+' is not installed .*|` +
		`the lock file .* needs to be updated.*|cannot update the lock file .*|toolchain .* is not installed.*|rustup could not .*|` +
		`no .* target named .*|no library targets found.*|package ID specification .* did not match .*|unexpected argument .*|` +
		`component download failed.*|linker .* not found.*)`)
	mavenUnable = pattern.New(`(?m)^(.*\b(Could not resolve dependencies|Could not transfer artifact|Could not find artifact|in offline mode|` +
		`Plugin \S+ or one of its dependencies could not be resolved|No plugin found for prefix|Unknown lifecycle phase|No goals have been specified|` +
		`Unable to parse command line options|requires a project to execute but there is no POM|No tests matching pattern|` +
		`No compiler is provided in this environment|invalid target release|release version \d+ not supported|Could not acquire lock|` +
		`Detected Maven Version: \S+ is not in the allowed range|JAVA_HOME)\b.*|Error: Could not find or load main class .*|wget: .*|curl: .*)$`)
	gradleUnable = pattern.New(`(?m)^(.*\b(Could not resolve all|Could not resolve \S+:\S+|Could not GET|Could not download|` +
		`No cached version of \S+ available for offline mode|Unsupported class file major version|Could not determine java version|` +
		`Unable to start the daemon process|Task '\S+' not found|Project '\S+' not found|Unknown command-line option|Cannot locate tasks that match|` +
		`No tests found for given includes|Could not initialize class org\.codehaus|Could not create service of type|requires Gradle version|` +
		`JAVA_HOME|No matching toolchains found|Cannot find a Java installation|Plugin \[id: .*\] was not found)\b.*|Exception in thread "main" .*)$`)
)

// sentence is the line in which a tool says that it could not work.
func sentence(re *pattern.Pattern, printed string) string {
	const most = 300
	line := strings.TrimSpace(escapes.ReplaceAllString(re.FindString(printed), ""))
	if len(line) > most {
		line = strings.ToValidUTF8(line[:most], "") + "…"
	}
	return line
}

// tellsTests reports whether a check would name the tests that it ran. A build tool's tests stand in its reports.
func (a *attempt) tellsTests() bool {
	return a.check.NamesTests() && (a.format == nil || a.format.Reports == "" || len(a.check.Reports) > 0)
}

// toldToGoOn reports whether the command asks for success although tests fail, so that the tests of the modules that depend
// on theirs run as well. Then the tests themselves are the truth.
func (a *attempt) toldToGoOn() bool {
	return slices.ContainsFunc(a.check.Run, func(w string) bool {
		return w == goOn || w == goOn+"=true"
	})
}

const goOn = "-Dmaven.test.failure.ignore"

// failedTest reports whether a finding is a test that failed, or a machine for tests that ended.
func failedTest(d diag.Diagnostic) bool { return d.Test != "" || d.Rule == "surefire" }
