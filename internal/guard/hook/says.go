package hook

import (
	"slices"
	"strings"
	"unicode"

	"fettle/internal/policy/shell"
)

// saysSo reports a script of the project's, a goal of its build, or a tool of fettle's, whose name says that it changes something: what is in it is not read.
func saysSo(f shell.Fact) bool {
	words := strings.Fields(f.Target)
	runner, _, _ := strings.Cut(f.By, " ")
	switch {
	case f.Kind == shell.Tool && strings.HasPrefix(f.Target, "mcp__fettle__"):
		return mentions(strings.TrimPrefix(f.Target, "mcp__fettle__"), changers)
	case f.Kind != shell.Run || len(words) == 0 || strings.Contains(words[0], "/"):
		return false
	case slices.Contains(runners, runner):
		return slices.ContainsFunc(namesIn(words), func(name string) bool { return name == "-u" || changing(name, changers) })
	case slices.Contains(builders, runner):
		return slices.ContainsFunc(words, func(goal string) bool { return changing(goal, fixers) })
	}
	return false
}

// namesIn are the name of a script, and the options that it is given: what else it is given may be called anything.
func namesIn(words []string) []string {
	return slices.Concat(words[:1], slices.DeleteFunc(slices.Clone(words[1:]), func(w string) bool { return !strings.HasPrefix(w, "-") }))
}

// changing reports a name with one of these words in it. Where it says that it checks, a formatter in it formats nothing: format:check, scalafmtCheck.
func changing(name string, words []string) bool {
	name = humps(name)
	return mentions(name, words) || mentions(name, formatters) && !mentions(name, []string{"check", "verify", "diff", "dry", "list"})
}

// humps is a name with its words apart: spotlessApply is spotless Apply.
func humps(name string) string {
	var b strings.Builder
	small := false
	for _, r := range name {
		if small && unicode.IsUpper(r) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		small = unicode.IsLower(r)
	}
	return b.String()
}

var (
	// runners are the programs that run a project's scripts by their names.
	runners = []string{"npm", "yarn", "pnpm", "bun", "make", "gmake", "just", "task", "rake", "invoke", "inv", "nox", "poe", "hatch", "pdm", "mise", "grunt", "gulp", "composer", "golangci-lint", "sqlc", "templ"}
	// builders are those that run the goals of a build, some of which generate what is only built from.
	builders = []string{"mvn", "mvnw", "mvnd", "gradle", "gradlew", "sbt"}
	// formatters are words in the names of what formats.
	formatters = []string{"format", "fmt", "prettify", "scalafmt"}
	// fixers are those of what else changes the sources.
	fixers = []string{"fix", "autofix", "write", "update", "upgrade", "bump", "apply", "accept"}
	// changers are those of what changes something.
	changers = append([]string{"generate", "codegen", "migrate", "deploy", "release", "publish", "commit", "push", "undo", "redo", "rollback", "create", "close", "delete"}, fixers...)
)
