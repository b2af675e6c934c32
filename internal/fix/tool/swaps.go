package tool

import (
	"slices"
	"strings"

	"fettle/internal/check"
	"fettle/internal/diag"
)

// swap is how a build tool is told to fix what it finds: by another subcommand, goal or task in place of the one that judges.
type swap struct {
	programs []string
	judges   string
	mends    string
	add      []string // behind it
}

var (
	mavens  = []string{"mvn", "mvnw", "mvnw.cmd", "mvnd"}
	gradles = []string{"gradle", "gradlew", "gradlew.bat"}

	// cargoFix are the options under which cargo changes files in a tree with changes, and keeps what it did where errors are left.
	cargoFix = []string{"--allow-dirty", "--allow-staged", "--allow-no-vcs", "--broken-code"}

	swaps = []swap{
		{[]string{"cargo"}, "check", "fix", cargoFix},
		{[]string{"cargo"}, "build", "fix", cargoFix},
		{mavens, "spotless:check", "spotless:apply", nil},
		{mavens, "fmt:check", "fmt:format", nil},
		{mavens, "ktlint:check", "ktlint:format", nil},
		{gradles, "spotlessCheck", "spotlessApply", nil},
		{gradles, "ktlintCheck", "ktlintFormat", nil},
		{gradles, "verifyGoogleJavaFormat", "googleJavaFormat", nil},
	}
)

// swapped is the command of a check with what judges in it replaced by what mends; nil when it has nothing of that kind.
func swapped(c check.Check) []string {
	if len(c.Run) == 0 {
		return nil
	}
	for _, s := range swaps {
		at := slices.IndexFunc(c.Run, func(w string) bool { return s.word(w) != "" })
		if at < 1 || !slices.Contains(s.programs, program(c.Run[0])) {
			continue
		}
		argv := append(slices.Clone(c.Run[:at]), s.word(c.Run[at]))
		argv = append(argv, s.add...)
		for _, w := range c.Run[at+1:] {
			if !strings.HasPrefix(w, "--message-format") {
				argv = append(argv, w)
			}
		}
		return argv
	}
	return nil
}

// word is the word that mends in place of one that judges; empty for any other. A task may stand behind the path of its
// project (":app:spotlessCheck"), a goal before its execution ("spotless:check@style").
func (s swap) word(w string) string {
	w, execution, named := strings.Cut(w, "@")
	before, ok := strings.CutSuffix(w, s.judges)
	if !ok || before != "" && !strings.HasPrefix(before, ":") {
		return ""
	}
	if named {
		return before + s.mends + "@" + execution
	}
	return before + s.mends
}

// phases are the goals of Maven's life cycle on the way to which a plugin may judge the sources.
var phases = []string{"validate", "compile", "process-classes", "test-compile", "test", "package", "verify", "install"}

// boundFix is the fix of a plugin that is bound to Maven's build, perhaps by a parent that is no part of the repository, and
// stops it before the tests: the same command with the plugin's goal in place of the phase. It is nil when a finding is about
// anything else.
func boundFix(c check.Check, ds []diag.Diagnostic) [][]string {
	if c.Parser != "maven" || len(c.Run) == 0 || !slices.Contains(mavens, program(c.Run[0])) || len(ds) == 0 ||
		slices.ContainsFunc(ds, func(d diag.Diagnostic) bool { return d.Tool != "spotless" }) {
		return nil
	}
	argv := []string{}
	for _, w := range c.Run {
		switch {
		case !slices.Contains(phases, w):
			argv = append(argv, w)
		case !slices.Contains(argv, "spotless:apply"):
			argv = append(argv, "spotless:apply")
		}
	}
	if !slices.Contains(argv, "spotless:apply") {
		return nil
	}
	return [][]string{argv}
}
