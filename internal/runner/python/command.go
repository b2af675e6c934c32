package python

import (
	"path"
	"slices"
	"strings"
)

// command is a user's command, taken apart where pytest's own arguments begin.
type command struct {
	program []string // up to and including pytest's name
	args    []string
}

// notRuns are options with which pytest does not run tests.
var notRuns = []string{"--co", "--collect-only", "--fixtures", "--funcargs", "--fixtures-per-test", "--markers", "--help", "-h", "--version", "-V", "--setup-plan",
	"--cache-show", "--pyargs"}

// takeCommand finds pytest in a command: as a program (pytest, .venv/bin/pytest, uv run pytest), or as a module of an interpreter
// (python3 -m pytest). Everything else in the command stays as it is.
func takeCommand(argv []string) (command, bool) {
	for i, word := range argv {
		if i > 0 && argv[i-1] == "-m" && !slices.Contains([]string{"pytest", "py.test"}, word) {
			return command{}, false // another module runs, whatever its arguments are called
		}
		if !isPytest(word) || i > 0 && !runs(argv[:i]) {
			continue
		}
		args := argv[i+1:]
		if slices.ContainsFunc(args, func(a string) bool { return slices.Contains(notRuns, a) }) {
			return command{}, false
		}
		return command{program: argv[:i+1], args: args}, true
	}
	return command{}, false
}

func isPytest(word string) bool {
	return slices.Contains([]string{"pytest", "py.test", "pytest3", "pytest-3"}, path.Base(word))
}

// runs reports whether the words before pytest start it as a program or as a module: "uv run", "poetry run", "python -m", "env A=b".
func runs(before []string) bool {
	switch last := before[len(before)-1]; {
	case last == "-m":
		return true
	case slices.Contains(before, "-c"):
		return false
	case last == "--", strings.Contains(last, "="):
		return slices.Contains(before, "run") || path.Base(before[0]) == "env"
	}
	return slices.Contains(before, "run") || slices.Contains([]string{"env", "nice", "time", "xvfb-run", "uvx"}, path.Base(before[0]))
}

// with is the command with a plug-in of ours and with more arguments of pytest. report takes the place of the mark for a report file.
func (c command) with(plugin, report string, args ...string) []string {
	argv := append(slices.Clone(c.program), "-p", plugin)
	argv = append(argv, args...)
	for _, a := range c.args {
		argv = append(argv, strings.ReplaceAll(a, "{report}", report))
	}
	return argv
}
