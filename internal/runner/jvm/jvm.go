// Package jvm answers "how does Java run its tests, fast?": JUnit 4 and 5 under Maven and Gradle, and programs that judge themselves
// (javac … && java Main).
//
// How a build sets up the machine for its tests is asked of that machine itself: the user's own command is run once, for the failing
// tests alone, with a small agent (serve/Agent.java) that tells the class path, options, properties and environment. From then on nothing
// of the build tool is needed. One warm machine compiles (serve/Build.java) and others run tests (serve/Run.java), in a long search one more than
// in a short one; what both need is embedded as classes that the oldest machine runs, but for what goes by the project's own JUnit: that is compiled when it is known.
//
// Hundreds of candidates are compiled at once: each is a copy of the function that it changes, beside the original, which begins with a
// switch (see schema). All sources are woven with counters in loops and functions, so that what never ends does so after a number
// of steps. Plausible candidates are tried again as they are, unwoven, in a fresh machine with the options of the user's own.
package jvm

import (
	"context"
	"path"
	"slices"
	"strings"

	"fettle/internal/check"
	"fettle/internal/lang"
	"fettle/internal/runner"
)

// Harness is Java's. The zero value is ready.
type Harness struct{}

var _ runner.Harness = Harness{}

// New is the harness.
func New() Harness { return Harness{} }

// Language implements [runner.Harness].
func (Harness) Language() lang.Language { return lang.Java }

// Takes implements [runner.Harness]: checks whose reports are JUnit's as Maven and Gradle write them, and those whose command ends with
// a Java program.
func (Harness) Takes(c check.Check) bool {
	if c.Lang != "" && c.Lang != string(lang.Java) {
		return false
	}
	switch c.Parser {
	case "maven", "gradle", "java-junit":
		return c.Kind() == "test"
	}
	return c.Kind() == "test" && endsWithJava(c)
}

// shells run a script that is given to them as a word.
var shells = []string{"sh", "bash", "dash"}

// separators end the commands of a script.
var separators = []string{"&&", ";", "\n"}

// endsWithJava reports whether the exit code of a check is that of a Java program: the last command that it runs is java, and
// nothing reads what it prints.
func endsWithJava(c check.Check) bool {
	argv := c.Run
	if len(argv) == 3 && slices.Contains(shells, path.Base(argv[0])) && strings.HasSuffix(argv[1], "c") && strings.HasPrefix(argv[1], "-") {
		script := strings.TrimRight(strings.TrimSpace(argv[2]), ";")
		for _, end := range separators {
			if i := strings.LastIndex(script, end); i >= 0 {
				script = script[i+len(end):]
			}
		}
		if strings.Contains(script, "|") || strings.HasSuffix(script, "&") {
			return false
		}
		var err error
		if argv, err = check.Split(script); err != nil {
			return false
		}
		for len(argv) > 0 && (argv[0] == "exec" || strings.Contains(argv[0], "=")) {
			argv = argv[1:]
		}
	}
	return len(argv) > 1 && path.Base(argv[0]) == "java" && !slices.ContainsFunc(argv, func(w string) bool { return strings.HasSuffix(w, ".java") })
}

// Suites implements [runner.Harness]: one for each machine that the build starts for the failing tests.
func (Harness) Suites(ctx context.Context, job runner.Job) ([]runner.Suite, error) {
	l, err := newLab(job)
	if err != nil {
		return nil, err
	}
	tree, err := readTree(job.Place.FS())
	if err != nil {
		return nil, err
	}
	seen, err := l.observe(ctx, tree)
	if err != nil {
		return nil, err
	}
	var out []runner.Suite
	for _, g := range l.group(seen, tree) {
		out = append(out, newSuite(l, tree, g))
	}
	return out, nil
}
