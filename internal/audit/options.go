package audit

import (
	"strconv"
	"strings"

	"fettle/internal/pattern"
)

// option is what a program that checks may be told, by which it looks at less, or fails less often; or, if it demands, without which it does.
type option struct {
	tool, words *pattern.Pattern // the tool as checkOf calls it, "go test"; a group in the words is a number
	demands     bool
	sign        float64 // of a number that demands: 1 where more of it demands more, -1 where less does
}

// options is the table of them.
var options = []option{
	lax(`go test|gotestsum`, `--?(?:test\.)?(?:run|skip|short)\b|--?vet[ =]off\b`),
	lax(`cargo (?:test|clippy|check|nextest)`, `--(?:lib|bins?|doc|tests?|examples?|benches|package|exclude|skip|filter-expr)\b|-[pE]\b|-A`),
	lax(`mvnw? .*`, `(?i:-D(?:maven\.test\.failure\.ignore|test|it\.test|skipits|[\w.]+\.skip(?:tests)?)(?:=[^f\s]\S*|\s|$))|-fn\b|--fail-never\b|-pl\b|--projects\b`),
	lax(`gradlew? .*`, `-x\b|--exclude-task\b|--tests\b|-Pskip\w*`),
	lax(`(?:npm|pnpm|yarn|bun) .*`, `--if-present\b`),
	lax(`jest|vitest|(?:npm|pnpm|yarn|bun) .*test.*`, `-[to]\b|(?i:--(?:testnamepattern|testpathpatterns?|onlychanged|changed\w*|findrelatedtests|related))\b`),
	lax(`mocha|ava|tap`, `-[gfim]\b|--(?:grep|fgrep|invert|match)\b`),
	lax(`eslint`, `--(?:no-eslintrc|no-config-lookup|fix)\b`),
	lax(`tsc`, `(?i:--(?:skiplibcheck|nocheck))(?:\s+true|\s+[^f]|\s*$)`),
	lax(`golangci-lint`, `--(?:new|new-from-[\w-]+|fast|fast-only|enable-only|disable|disable-all|exclude[\w-]*|skip-(?:dirs|files))(?:[ =]|$)|-[Dn]\b|--issues-exit-code[ =]0|--default[ =]none|--tests[ =]false`),
	lax(`ruff`, `--fix(?:-only)?(?:\s|$)|--(?:extend-)?(?:exclude|per-file-ignores)\b`),
	lax(`flake8`, `--(?:extend-)?(?:exclude|select|per-file-ignores)\b`),
	lax(`mypy`, `--(?:ignore-missing-imports|exclude|disable-error-code)\b|--follow-imports[ =](?:skip|silent)\b|--no-strict[\w-]*|--allow-[\w-]+`),
	lax(`pylint`, `--(?:disable|errors-only)\b|-[dE]\b`),
	lax(`bandit`, `-l+\b|-[sx]\b|--(?:skip|exclude|severity-level|confidence-level)\b`),
	lax(`rspec`, `--(?:tag|example|exclude-pattern|pattern)\b|-[tePE]\b`),
	lax(`phpunit`, `--(?:filter|group|exclude-group|testsuite|exclude-testsuite)\b`),
	lax(`rubocop`, `--(?:except|only|fail-level|auto-gen-config|autocorrect|lint)\b|-[aA]\b`),

	strict(`eslint|stylelint`, `--max-warnings[ =]["']?(\d+)`, -1),
	strict(`pytest|py\.test`, `--cov-fail-under[ =]["']?([\d.]+)`, 1),
	strict(`pylint`, `--fail-under[ =]["']?([\d.]+)`, 1),
	strict(`tsc|mypy`, `--strict(?:\s|$)`, 0),
	strict(`go test|gotestsum`, `-race\b`, 0),
	strict(`cargo (?:test|clippy|check|nextest)`, `--(?:workspace|all-targets|all-features)\b|-D\b`, 0),
	strict(`black|isort|prettier|ruff|cargo fmt`, `--check\b`, 0),
	strict(`mocha`, `--forbid-only\b`, 0),
}

func lax(tool, words string) option {
	o := strict(tool, words, 0)
	o.demands = false
	return o
}

func strict(tool, words string, sign float64) option {
	return option{pattern.New(`^(?:` + tool + `)$`), pattern.New(`(?:^|\s)["']?(?:` + words + `)`), true, sign}
}

// loosened reports whether a command has the same tools look at less than before, or fail less often, by what it tells them.
func loosened(was, is string) bool {
	had, has := byTool(was), byTool(is)
	for _, o := range options {
		for tool, before := range had {
			if after, still := has[tool]; still && o.tool.MatchString(tool) && o.looser(before, after) {
				return true
			}
		}
	}
	return false
}

// looser reports whether one command demands less than another, as far as this option says.
func (o option) looser(was, is string) bool {
	had, has := o.in(was), o.in(is)
	switch {
	case !o.demands:
		return missing(has, had)
	case o.sign == 0:
		return missing(had, has)
	}
	for words := range had {
		if _, still := has[words]; !still || o.sign*(has[words]-had[words]) < 0 {
			return true
		}
	}
	return false
}

// in are the options of this kind that a command has, each with its number.
func (o option) in(command string) map[string]float64 {
	all := make(map[string]float64)
	for _, m := range o.words.FindAllStringSubmatch(command, -1) {
		words := strings.Trim(m[0], " \t\"'")
		if len(m) == 1 {
			all[words] = 0
			continue
		}
		n, _ := strconv.ParseFloat(m[1], 64) // what is no number is none that could be compared
		all[strings.TrimRight(strings.TrimSuffix(words, m[1]), " =\"'")] = n
	}
	return all
}

// missing reports whether one command has an option that the other has not.
func missing(one, other map[string]float64) bool {
	for words := range one {
		if _, there := other[words]; !there {
			return true
		}
	}
	return false
}

// byTool are the commands of a line that check, by what they start.
func byTool(line string) map[string]string {
	all := make(map[string]string)
	for _, one := range ends.Split(line, -1) {
		if tool := checkOf(strings.Fields(one)); tool != "" {
			all[tool] += " " + one
		}
	}
	return all
}
