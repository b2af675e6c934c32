package check

import (
	"path"
	"slices"
	"strings"
)

// A repository can say how it is checked by a runner: a Makefile, a justfile, hooks. What a runner does was mostly found
// already, by the tools that it calls, and in a form that can be read better. So a runner judges only what nothing else
// does: a target of a Makefile or justfile is a check only where no other check of its kind was found, a hook only where
// no check runs its tool.

// The files that make a folder the place of a runner's checks.
var (
	makefiles     = []string{"GNUmakefile", "makefile", "Makefile"} // in the order in which make looks for them
	justfiles     = []string{"justfile", "Justfile", ".justfile"}
	lefthookFiles = []string{"lefthook.yml", ".lefthook.yml", "lefthook.yaml", ".lefthook.yaml", ".config/lefthook.yml", ".config/lefthook.yaml"}
)

// runnerMarks are those whose folder matters.
var runnerMarks = slices.Concat(makefiles, justfiles)

// runners adds to the checks that were found those that only a runner knows.
func (t *tree) runners(found []Check) ([]Check, []Note) {
	_, hooks, _ := t.hookChecks(found)
	targets := t.targetChecks(found, len(hooks) > 0)
	found, hooks, notes := t.hookChecks(append(found, targets...)) // a hook may run one of the targets
	return append(found, hooks...), notes
}

// targetChecks are the checks of Makefiles and justfiles. They are looked for in the root, and where that has none in the
// outermost folders that do.
func (t *tree) targetChecks(found []Check, hooks bool) []Check {
	var checks []Check
	for _, r := range []struct {
		files []string
		find  func(*tree, judged) []Check
	}{
		{makefiles, (*tree).makeChecks},
		{justfiles, (*tree).justChecks},
	} {
		for _, dir := range t.projects(r.files) {
			if !isRunnerDir(dir) {
				continue
			}
			kinds := kindsAt(dir, append(slices.Clip(found), checks...))
			for _, c := range r.find(t.at(dir), judged{kinds, hooks}) {
				checks = append(checks, c.moved(dir))
			}
		}
	}
	return checks
}

// judged is what others judge already.
type judged struct {
	kinds map[string]bool
	hooks bool // the hooks are a check
}

// isRunnerDir reports whether the targets of a folder are about the project: those of its manual and its examples are not.
func isRunnerDir(dir string) bool {
	return !slices.ContainsFunc(strings.Split(dir, "/"), func(part string) bool {
		return slices.Contains([]string{"doc", "docs", "documentation", "example", "examples", "third_party", "deps"}, strings.ToLower(part))
	})
}

// kindsAt are the kinds of the checks that judge a folder: those at it, above it and below it.
func kindsAt(dir string, found []Check) map[string]bool {
	kinds := map[string]bool{}
	within := func(a, b string) bool { return b == "." || a == b || strings.HasPrefix(a, b+"/") }
	for _, c := range found {
		if at := path.Clean(c.Dir); within(at, dir) || within(dir, at) {
			kinds[c.Kind()] = true
		}
	}
	return kinds
}

// targets are the names of targets that mean a check, by kind, the best first. Names are compared without regard to what
// stands between their words.
var targets = []struct {
	kind  string
	names []string
	fixes []string // targets that mend what it finds
}{
	{"test", []string{"test", "tests", "check", "unit-test", "unit-tests", "test-unit", "unittest", "unit", "test-all"}, nil},
	{"type", []string{"typecheck", "type-check", "check-types", "typing"}, nil},
	{"lint", []string{"lint", "lint-check", "check-lint", "linter", "lint-all"}, []string{"lint-fix", "fix-lint"}},
	{"format", []string{"fmt-check", "format-check", "check-fmt", "check-format", "check-formatting"}, []string{"fmt", "format"}},
	{"build", []string{"build", "compile", "all"}, nil},
}

// wholes are targets that stand for all of the above. They are taken where none of the others is there.
var wholes = []string{"ci", "ci-test", "test-ci", "verify", "validate", "presubmit"}

// runnerChecks makes checks of a runner's targets: of each kind that nobody else judges, the best. A build judges only a
// project in which nothing else was found: compilers and type checkers say the same before.
func runnerChecks(program string, has map[string]string, found judged, command func(target string) []string) []Check {
	var checks []Check
	add := func(kind, target string, fix [][]string) {
		checks = append(checks, Check{Name: kind + "." + program, Run: command(target), Parser: "gcc", Fix: fix, Alone: true})
	}
	for _, t := range targets {
		target := pick(has, t.names)
		if target == "" || found.kinds[t.kind] || t.kind == "build" && len(found.kinds) > 0 {
			continue
		}
		var fix [][]string
		if f := pick(has, t.fixes); f != "" {
			fix = [][]string{command(f)}
		}
		add(t.kind, target, fix)
	}
	if target := pick(has, wholes); target != "" && len(checks) == 0 && len(found.kinds) == 0 {
		add("test", target, nil)
	}
	return checks
}

// pick is the first of the names that is a target, as the runner spells it.
func pick(has map[string]string, names []string) string {
	for _, n := range names {
		if target := has[n]; target != "" {
			return target
		}
	}
	return ""
}

// plainTarget is a target's name with a hyphen between its words.
func plainTarget(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("_.:/", r) {
			return '-'
		}
		return r
	}, strings.ToLower(name))
}

// spelled are targets by their plain names; of two that are alike, the first.
func spelled(names []string) map[string]string {
	m := make(map[string]string, len(names))
	for _, n := range names {
		if plain := plainTarget(n); m[plain] == "" {
			m[plain] = n
		}
	}
	return m
}
