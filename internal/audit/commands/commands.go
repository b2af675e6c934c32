// Package commands answers "what does this command line check?": which tools it starts that look at the code ([Checks]), and whether it demands as much as another one ([AsMuch]), more ([More], [Tightened])
// or less ([Loosened], [LooksAtLess]), by what these tools are told and where they are started. It reads lines and runs nothing; where a line stands, and what follows from it, others know.
package commands

import (
	"path"
	"slices"
	"strings"

	"fettle/internal/pattern"
)

// ends are what stands between commands of one line.
var ends = pattern.New(`&&|\|\||[;|]`)

// Checks are the tools that a command line has look at the code, by name. What is only printed, listed, or told not to run does not count.
func Checks(line string) []string {
	var all []string
	for _, one := range each(line, ends) {
		if tool := Check(strings.Fields(one.text)); tool != "" {
			all = append(all, tool)
		}
	}
	return all
}

// one is a command of a line: without the parentheses around it, of which so many begin ahead of it, and end behind it.
type one struct {
	text           string
	opening, ended int
}

// each are the commands of a line, which these signs part from one another. What stands in a comment is none.
func each(line string, between *pattern.Pattern) []one {
	var all []one
	for _, text := range between.Split(uncommented(line), -1) {
		o := one{text: strings.TrimLeft(text, " \t({")}
		o.opening = strings.Count(text[:len(text)-len(o.text)], "(")
		for o.text = behindNothing(o.text); strings.HasSuffix(o.text, ")") && strings.Count(o.text, ")") > strings.Count(o.text, "("); o.ended++ {
			o.text = behindNothing(strings.TrimSuffix(o.text, ")"))
		}
		all = append(all, o)
	}
	return all
}

// behindNothing is a command without white space, and the end of a group, behind it.
func behindNothing(text string) string {
	text = strings.TrimSpace(text)
	if group, ends := strings.CutSuffix(text, " }"); ends || text == "}" {
		return strings.TrimSpace(strings.TrimSuffix(group, "}"))
	}
	return text
}

// uncommented is a line without what a shell does not read of it.
func uncommented(line string) string {
	quote := byte(0)
	for i := range len(line) {
		switch c := line[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '#' && (i == 0 || line[i-1] == ' ' || line[i-1] == '\t' || line[i-1] == ';'):
			return line[:i]
		}
	}
	return line
}

// Check is the tool that one command starts, with what it is told to do where that says whether it is a check: "pytest", "go test".
func Check(words []string) string {
	for len(words) > 0 {
		head := path.Base(strings.Trim(words[0], `"'`))
		switch {
		case strings.Contains(head, "=") || slices.Contains(starters, head), strings.HasPrefix(head, "$"):
			words = words[1:]
		case launches(words):
			words = words[2:]
			words = words[slices.IndexFunc(words, starts):] // behind the launcher's own options
		case slices.ContainsFunc(words[1:], isIdle), nothingRun.MatchString(strings.Join(words, " ")):
			return ""
		case slices.Contains(checkers, head):
			return head
		case slices.Contains(managers, head):
			for _, w := range words[1:] {
				if !strings.HasPrefix(w, "-") && w != "run" {
					return verb(head, strings.Trim(w, `"'`))
				}
			}
			return ""
		default:
			return ""
		}
	}
	return ""
}

// launches reports whether a launcher is told to start another program: what else it runs is a script of the project.
func launches(words []string) bool {
	return len(words) > 2 && slices.Contains(launchers, path.Base(strings.Trim(words[0], `"'`))) && slices.Contains([]string{"run", "exec", "-m"}, words[1]) && slices.ContainsFunc(words[2:], starts)
}

// starts reports whether a word is a program that checks may be started by.
func starts(word string) bool {
	return slices.Contains(checkers, word) || slices.Contains(managers, word) || slices.Contains(launchers, word)
}

// verb is what a manager is told, if that checks anything.
func verb(head, word string) string {
	if !checkVerb.MatchString(word) {
		return ""
	}
	return head + " " + word
}

// checkVerb matches what managers are told when they shall check: "test", "lint", "check:types".
var checkVerb = pattern.New(`(?i)test|lint|check|vet|verify|clippy|fmt|cover|audit|typecheck|types?$|nextest|spec|ci$`)

// isIdle reports whether an argument keeps a tool from looking at anything.
func isIdle(word string) bool {
	word = strings.Trim(word, `"'`)
	return slices.Contains([]string{
		"--collect-only", "--co", "--help", "--version", "--listTests", "--list-tests", "--list", "--setup-plan", "--fixtures", "--markers", "--dry-run", "--no-run", "-DskipTests", "-list",
	}, word)
}

// nothingRun matches what asks go test for tests that no test is called like.
var nothingRun = pattern.New(`\s-(test\.)?run[= ]['"]?\^?(\$|XXX|NONE|none)`)

// starters start another program with the words behind them, managers' launchers too, if told so.
var (
	starters  = []string{"sudo", "env", "time", "npx", "bunx", "exec", "command", "nice", "nohup", "xvfb-run", "-m"}
	launchers = []string{"python", "python3", "py", "poetry", "uv", "pipenv", "pdm", "hatch", "rye", "coverage", "bundle", "pnpm", "yarn", "bun", "npm"}
)

// checkers look at code whatever they are told, managers where they are told so.
var (
	checkers = strings.Fields(`pytest py.test unittest nose2 ruff flake8 pylint mypy pyright basedpyright bandit black isort pydocstyle vulture jest vitest mocha ava tap eslint tsc prettier biome
		stylelint oxlint cypress playwright golangci-lint staticcheck gosec govulncheck gotestsum tox nox pre-commit rubocop rspec phpunit phpstan psalm shellcheck hadolint yamllint actionlint
		semgrep ctest nyc c8 codespell typos markdownlint markdownlint-cli2 ktlint detekt zizmor`)
	managers = strings.Fields(`go cargo npm yarn pnpm bun deno make just task mvn mvnw gradle gradlew dotnet bazel mix swift rake composer invoke inv npm-run-all node hatch poe pixi`)
)

// InPipes are the checks of a line that hand their output on, or that nobody waits for, and the others.
func InPipes(line string) (handing, others []string) {
	for _, one := range lists.Split(uncommented(line), -1) {
		parts := strings.Split(one, "|")
		for i, p := range parts {
			if i < len(parts)-1 || strings.HasSuffix(strings.TrimSpace(p), "&") {
				handing = append(handing, Checks(p)...)
			} else {
				others = append(others, Checks(p)...)
			}
		}
	}
	return handing, others
}

// lists is what stands between pipes of one line.
var lists = pattern.New(`&&|\|\||;`)

// LooksAtLess reports whether a command has the same tools look at less: where it named all, or more, it names some.
func LooksAtLess(was, is string) bool {
	tools := Checks(was)
	if len(tools) == 0 || !slices.Equal(tools, Checks(is)) {
		return false
	}
	had, has := targets(was), targets(is)
	if len(had) == 0 && !slices.ContainsFunc(tools, func(tool string) bool { return !slices.Contains(finders, tool) }) {
		had, has = []string{"."}, slices.DeleteFunc(has, homes.MatchString)
	}
	if len(has) == 0 || slices.ContainsFunc(has, everything) {
		return false
	}
	lost := slices.ContainsFunc(had, func(t string) bool { return !slices.Contains(has, t) })
	fresh := slices.ContainsFunc(has, func(t string) bool { return !slices.Contains(had, t) })
	return slices.ContainsFunc(had, everything) || lost && !fresh
}

// finders look for themselves what there is, where they are told nothing; homes are where tests are looked for then.
var (
	finders = strings.Fields("pytest py.test rspec jest vitest phpunit rubocop ruff golangci-lint")
	homes   = pattern.New(`^(\./)?(tests?|specs?|__tests__)/?$`)
)

// standsAlone matches options that have no value behind them, or have it in themselves.
var standsAlone = pattern.New(`^-(race|v+|q+|-verbose|-quiet|-strict|-check)$|^--?[\w.-]+=.`)

// targets are what a command line gives its tools to look at. A word behind an option may be the option's own, and is none, unless it means everything.
func targets(line string) []string {
	var all []string
	for _, one := range each(line, ends) {
		tool := Check(strings.Fields(one.text))
		if tool == "" {
			continue
		}
		_, rest, _ := strings.Cut(one.text, tool[strings.LastIndex(tool, " ")+1:])
		rest, _, _ = strings.Cut(rest, ">") // into a file
		words := strings.Fields(rest)
		if len(words) > 0 && slices.Contains([]string{"check", "run"}, words[0]) {
			words = words[1:]
		}
		for i, w := range words {
			w = strings.Trim(w, `"'`)
			if !strings.HasPrefix(w, "-") && !strings.ContainsAny(w, "${&") && (everything(w) || i == 0 || !strings.HasPrefix(words[i-1], "-") || standsAlone.MatchString(words[i-1])) {
				all = append(all, w)
			}
		}
	}
	return all
}

// everything reports whether an argument stands for all that there is.
func everything(word string) bool {
	return slices.Contains([]string{".", "./", "./...", "...", "**", "**/*"}, word)
}
