package python

import (
	"path"
	"slices"
	"strings"

	"fettle/internal/check"
)

// command is a user's command, taken apart where pytest's own arguments begin.
type command struct {
	program  []string // up to and including pytest's name
	args     []string
	unittest bool // the user's own runs unittest
}

// take is how a check's tests are run by pytest, if they can be: it collects unittest's, too.
func take(c check.Check) (command, bool) {
	switch c.Parser {
	case "pytest", "pytest-junit":
		return takeCommand(c.Run)
	case "unittest":
		return takeUnittest(c.Run)
	}
	return command{}, false
}

// takeUnittest puts pytest into the place of a discovery of unittest's, by the same interpreter (python3 -m unittest discover -s tests).
func takeUnittest(argv []string) (command, bool) {
	at := slices.Index(argv, "unittest")
	if at < 1 || argv[at-1] != "-m" {
		return command{}, false
	}
	start, pattern := ".", "test*.py"
	given := argv[at+1:]
	for i := 0; i < len(given); i++ {
		name, value, inline := strings.Cut(given[i], "=")
		into := map[string]*string{"-s": &start, "--start-directory": &start, "-p": &pattern, "--pattern": &pattern, "-t": new(string), "--top-level-directory": new(string)}[name]
		switch {
		case into == nil && (i == 0 && name == "discover" || strings.HasPrefix(name, "-") && name != "-k"):
			continue
		case into == nil:
			return command{}, false // these tests by their names alone
		case !inline:
			if i++; i == len(given) {
				return command{}, false
			}
			value = given[i]
		}
		*into = value
	}
	args := []string{"-o", "python_files=" + pattern, "-o", "pythonpath=" + start, start}
	return command{program: append(slices.Clone(argv[:at]), "pytest"), args: args, unittest: true}, true
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
