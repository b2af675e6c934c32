package commands

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"fettle/internal/audit/trees"
	"fettle/internal/pattern"
)

// option is what a program that checks may be told, by which it looks at less, or fails less often; or, if it demands, without which it does.
type option struct {
	tool, words *pattern.Pattern // the tool as checkOf calls it, "go test"; a group in the words is their value
	looser      looseness
}

// looseness reports whether a command that has the second options demands less than one that has the first. An option is its words, with its value.
type looseness func(had, has map[string]string) bool

// options is the table of them.
var options = []option{
	lax(`go test|gotestsum`, `--?(?:test\.)?(?:run|skip|short)\b|--?vet[ =]off\b|--rerun-fails\b`),
	lax(`go vet`, `--?\w+=(?:false|0)(?:\s|$)|--?(?:json|`+vetters+`)(?:=true)?(?:\s|$)`),
	lax(`cargo (?:test|clippy|check|nextest)`, `--(?:lib|bins?|doc|tests?|examples?|benches|package|exclude|skip|filter-expr)\b|-[pE]\b|-A`),
	lax(`mvnw? .*`, `(?i:-D(?:maven\.test\.failure\.ignore|test|it\.test|skipits|(?:excluded)?groups|[\w.]+\.skip(?:tests)?)(?:=[^f\s]\S*|\s|$))|-fn\b|--fail-never\b|-pl\b|--projects\b`),
	lax(`gradlew? .*`, `-x\b|--exclude-task\b|--tests\b|-Pskip\w*`),
	lax(`dotnet test`, `--filter\b|--treenode-filter\b`),
	lax(`pytest|py\.test`, `--(?:lf|last-failed|sw|stepwise|sw-skip|stepwise-skip|picked|testmon)\b`),
	lax(`(?:npm|pnpm|yarn|bun) .*`, `--if-present\b`),
	lax(`npm .*`, `(?:-w|--workspace)(?:[ =]|$)`),
	lax(`(?:pnpm|bun) .*`, `(?:-F|--filter)(?:[ =]|$)`),
	lax(`jest|vitest|(?:npm|pnpm|yarn|bun) .*test.*`, `-[to]\b|(?i:--(?:testnamepattern|testpathpatterns?|onlychanged|changed\w*|findrelatedtests|related|selectprojects|ignoreprojects|no-coverage))\b`),
	lax(`playwright`, `-g\b|(?i:--(?:grep|grep-invert|only-changed|last-failed|project|update-snapshots|ignore-snapshots))(?:[ =]|$)`),
	lax(`mocha|ava|tap`, `-[gfim]\b|--(?:grep|fgrep|invert|match)\b`),
	lax(`eslint`, `--(?:no-eslintrc|no-config-lookup|fix)\b`),
	lax(`tsc`, `(?i:--(?:strict\w*|no\w+|use\w+|exact\w+|always\w+))\s+false\b`),
	lax(`tsc`, `(?i:--(?:skiplibcheck|nocheck))(?:\s+true|\s+[^f]|\s*$)`),
	lax(`golangci-lint`, `--(?:new|new-from-[\w-]+|fast|fast-only|enable-only|disable|disable-all|exclude[\w-]*|skip-(?:dirs|files))(?:[ =]|$)|-[Dn]\b|--issues-exit-code[ =]0|--default[ =]none|--tests[ =]false`),
	lax(`ruff`, `--fix(?:-only)?(?:\s|$)|--(?:extend-)?(?:exclude|per-file-ignores)\b`),
	lax(`flake8`, `--(?:extend-)?(?:exclude|per-file-ignores)\b`),
	lax(`mypy`, `--(?:ignore-missing-imports|exclude|disable-error-code)\b|--follow-imports[ =](?:skip|silent)\b|--no-strict[\w-]*|--allow-[\w-]+`),
	lax(`pylint`, `--(?:disable|errors-only)\b|-[dE]\b`),
	lax(`bandit`, `-l+\b|-[sx]\b|--(?:skip|exclude|severity-level|confidence-level)\b`),
	lax(`rspec`, `--(?:tag|example|exclude-pattern|pattern)\b|-[tePE]\b`),
	lax(`phpunit`, `--(?:filter|group|exclude-group|testsuite|exclude-testsuite)\b`),
	lax(`rubocop`, `--(?:except|only|fail-level|auto-gen-config|autocorrect|lint)\b|-[aA]\b`),

	lax(`pyright|basedpyright`, `--level[ =]error\b|--skipunannotated\b`),
	lax(`shellcheck`, `(?:-S|--severity)[ =]?["']?(?:error|warning|info)\b|-e\b|--exclude\b`),
	lax(`semgrep`, `--(?:severity|exclude|exclude-rule)\b`),
	lax(`biome`, `--(?:diagnostic-level|skip|only|changed|staged)\b`),
	lax(`ctest`, `-(?:E|R|L|LE|I)\b|--(?:exclude-regex|tests-regex|label-regex|label-exclude|rerun-failed)\b`),
	lax(`bazel(?:isk)? test`, `--test_(?:tag_filters|filter|size_filters|lang_filters)\b`),
	lax(`mix test`, `--(?:exclude|only|stale|failed)\b`),
	lax(`deno test`, `--(?:filter|ignore|no-check)\b`),
	lax(`swift test`, `--(?:skip|filter)\b`),
	lax(`unittest`, `-k\b`),
	lax(`(?:npm|pnpm|yarn) .*audit.*`, `--(?:audit-level|severity|level)[ =](?:moderate|high|critical|none)\b`),
	lax(`cargo audit`, `--ignore\b`),

	strict(`tsc|mypy`, `--strict(?:\s|$)`),
	strict(`pyright|basedpyright`, `--warnings\b`),
	strict(`nyc|c8`, `--check-coverage\b`),
	strict(`go test|gotestsum`, `-race\b`),
	strict(`cargo (?:test|clippy|check|nextest)`, `--(?:workspace|all-targets|all-features)\b|-D\b`),
	strict(`black|isort|prettier|ruff|cargo fmt`, `--check\b`),
	strict(`mocha|playwright`, `--forbid-only\b`),
	strict(`jest|vitest|(?:npm|pnpm|yarn|bun) .*test.*`, `--coverage(?:\.enabled)?(?:=true)?(?:\s|$)`),
	strict(`pytest|py\.test`, `--cov\b`),
	strict(`npm .*`, `(?:-ws|--workspaces)(?:\s|$)`),
	strict(`pnpm .*`, `(?:-r|--recursive)(?:\s|$)`),

	told(`eslint|stylelint`, `--max-warnings[ =]["']?(\d+)`, raised),
	told(`pytest|py\.test`, `--cov-fail-under[ =]["']?([\d.]+)`, lowered),
	told(`pylint`, `--fail-under[ =]["']?([\d.]+)`, fallen(10)),
	told(`playwright|mocha|vitest|pytest|py\.test|cargo nextest|(?:npm|pnpm|yarn|bun) .*test.*`, `--(?:retries|retry|reruns)[ =]["']?(\d+)`, oftener),

	told(`ruff|flake8`, `--select[ =]["']?([^\s"']+)`, shortened),
	told(`staticcheck`, `--?checks[ =]["']?([^\s"']+)`, shortened),
	told(`tox`, `-[emf][ =]?["']?([^\s"']+)`, shortened),
	told(`nox`, `(?:-[sek]|--(?:sessions?|keywords))[ =]["']?([^\s"']+)`, shortened),
}

// vetters are what go vet looks for: what it is told by name, it looks for alone.
const vetters = `appends|asmdecl|assign|atomic|bools|buildtag|cgocall|composites|copylocks|defers|directive|errorsas|framepointer|hostport|httpresponse|ifaceassert|loopclosure|lostcancel|nilfunc|printf|shift|` +
	`sigchanyzer|slog|stdmethods|stdversion|stringintconv|structtag|testinggoroutine|tests|timeformat|unmarshal|unreachable|unsafeptr|unusedresult|waitgroup`

// lax is an option by which less is demanded.
func lax(tool, words string) option {
	return told(tool, words, func(had, has map[string]string) bool { return missing(has, had) })
}

// strict is one by which more is.
func strict(tool, words string) option { return told(tool, words, missing) }

func told(tool, words string, looser looseness) option {
	return option{pattern.New(`^(?:` + tool + `)$`), pattern.New(`(?:^|\s)["']?(?:` + words + `)`), looser}
}

// lowered is said of the least that has to be: it is gone, or less.
func lowered(had, has map[string]string) bool {
	return missing(had, has) || anyBoth(had, has, func(was, is string) bool { return valued(is) < valued(was) })
}

// fallen is said of the least that has to be where so much has to be if nothing is said.
func fallen(byItself float64) looseness {
	least := func(all map[string]string) float64 {
		least := byItself
		for _, value := range all {
			least = valued(value)
		}
		return least
	}
	return func(had, has map[string]string) bool { return least(has) < least(had) }
}

// raised is said of the most that may be.
func raised(had, has map[string]string) bool {
	return missing(had, has) || anyBoth(had, has, func(was, is string) bool { return valued(is) > valued(was) })
}

// oftener is said of how often something may be tried: not at all, where nothing is said.
func oftener(had, has map[string]string) bool {
	for words, value := range has {
		if valued(value) > valued(had[words]) {
			return true
		}
	}
	return false
}

// valued is a value that is a number; what is none is none that could be compared.
func valued(value string) float64 {
	n, _ := strconv.ParseFloat(value, 64)
	return n
}

// shortened is said of a list that chooses from all that there is: there was none, or it has become shorter.
func shortened(had, has map[string]string) bool {
	for words, list := range has {
		if was, there := had[words]; (!there || !choosesFrom(was)) && choosesFrom(list) || there && shorter(trees.Items(was), trees.Items(list)) {
			return true
		}
	}
	return false
}

// choosesFrom reports whether a list is less than what is looked at by itself.
func choosesFrom(list string) bool {
	all := trees.Items(strings.ToLower(list))
	return !slices.Contains(all, "all") && (!slices.Contains(all, "inherit") || slices.ContainsFunc(all, takesOut))
}

// shorter reports whether a list has nothing that another has not, and chooses less.
func shorter(was, is []string) bool {
	gone, fresh := trees.Without(was, is), trees.Without(is, was)
	return !slices.ContainsFunc(fresh, func(s string) bool { return !takesOut(s) }) && (len(fresh) > 0 || slices.ContainsFunc(gone, func(s string) bool { return !takesOut(s) }))
}

// takesOut reports an item of a list that stands for all but it.
func takesOut(item string) bool { return strings.HasPrefix(item, "-") }

// anyBoth reports whether something is so of the values of an option that both commands have.
func anyBoth(had, has map[string]string, so func(was, is string) bool) bool {
	for words, was := range had {
		if is, both := has[words]; both && so(was, is) {
			return true
		}
	}
	return false
}

// Loosened reports whether a command has the same tools look at less than before, or fail less often, by where it starts them and what it tells them.
func Loosened(was, is string) bool {
	had, has := ByTool(was), ByTool(is)
	for tool, before := range had {
		after, still := has[tool]
		if !still {
			continue
		}
		if Below(tool, before.Folder, after.Folder) {
			return true
		}
		for _, o := range options {
			if o.tool.MatchString(tool) && o.looser(o.in(before.words), o.in(after.words)) {
				return true
			}
		}
	}
	return false
}

// Tightened reports whether a command is another in nothing but one option, and demands more by it.
func Tightened(was, is string) bool {
	gone, fresh := strings.Fields(was), strings.Fields(is)
	for len(gone) > 0 && len(fresh) > 0 && gone[len(gone)-1] == fresh[len(fresh)-1] {
		gone, fresh = gone[:len(gone)-1], fresh[:len(fresh)-1]
	}
	option := 0
	for i := 0; i < len(gone) && i < len(fresh) && gone[i] == fresh[i]; i++ {
		if option = i + 1; strings.HasPrefix(gone[i], "-") && i+1 < len(gone) && i+1 < len(fresh) {
			option = i // its value may be what differs
		}
	}
	gone, fresh = gone[option:], fresh[option:]
	return isOption(gone) && isOption(fresh) && (len(gone) == 0 || len(fresh) == 0 || optionName(gone[0]) == optionName(fresh[0])) && Loosened(is, was)
}

// isOption reports whether words are one option at the most, with a value that names no file, so that a command without them is about the same.
func isOption(words []string) bool {
	return len(words) == 0 || strings.HasPrefix(words[0], "-") && !slices.ContainsFunc(words[1:], func(w string) bool { return strings.HasPrefix(w, "-") || strings.ContainsAny(w, "/.;|&") })
}

// optionName is an option without its value.
func optionName(word string) string {
	name, _, _ := strings.Cut(word, "=")
	return name
}

// Below reports whether a folder is part of another, and not all of it that a tool would find.
func Below(tool, was, is string) bool {
	if path.IsAbs(is) || strings.HasPrefix(is, "..") {
		return false
	}
	rest, within := is, true
	if was != "" {
		rest, within = strings.CutPrefix(is, was+"/")
	}
	return within && rest != "" && (!slices.Contains(finders, tool) || !homes.MatchString(rest))
}

// in are the options of this kind that a command has, each with its value.
func (o option) in(command string) map[string]string {
	all := make(map[string]string)
	for _, m := range o.words.FindAllStringSubmatch(command, -1) {
		words, value := strings.Trim(m[0], " \t\"'="), ""
		if len(m) > 1 {
			value = m[1]
			words = strings.TrimRight(strings.TrimSuffix(words, value), " =\"'")
		}
		all[words] = value
	}
	return all
}

// missing reports whether one command has an option that the other has not.
func missing(one, other map[string]string) bool {
	for words := range one {
		if _, there := other[words]; !there {
			return true
		}
	}
	return false
}

// Started is what a line tells a tool, and the folder in which it starts it: empty for where the line begins.
type Started struct {
	words  string
	Folder string
}

// ByTool are the commands of a line that check, by what they start.
func ByTool(line string) map[string]Started {
	all := make(map[string]Started)
	folder := ""
	var outside []string // of the shells within which the command is
	for _, one := range each(line, ends) {
		words := strings.Fields(one.text)
		for range one.opening {
			outside = append(outside, folder)
		}
		if to, moves := movesTo(words); moves {
			if folder = path.Join(folder, to); folder == "." {
				folder = ""
			}
		} else if tool := Check(words); tool != "" {
			s, again := all[tool]
			if !again {
				s.Folder = folder
			}
			s.words += " " + one.text
			all[tool] = s
		}
		for range min(one.ended, len(outside)) {
			folder, outside = outside[len(outside)-1], outside[:len(outside)-1]
		}
	}
	return all
}

// movesTo is the folder to which a command takes those behind it: the root, where nobody can tell.
func movesTo(words []string) (folder string, moves bool) {
	if len(words) != 2 || words[0] != "cd" && words[0] != "pushd" {
		return "", false
	}
	folder = strings.Trim(words[1], `"'`)
	if strings.ContainsAny(folder, "$~`") {
		folder = "/"
	}
	return folder, true
}
