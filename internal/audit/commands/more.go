package commands

import (
	"slices"
	"strings"

	"fettle/internal/pattern"
)

// AsMuch reports whether a command demands what another one did, or more.
func AsMuch(was, is string) bool {
	if first, again := Retried(was); again && !strings.Contains(is, "||") {
		was = first
	}
	return was == is || More(was, is) || sameCommand(was, is)
}

// sameCommand reports whether a command differs from another in nothing but words by which it looks at the same.
func sameCommand(was, is string) bool {
	if len(Checks(was)) == 0 && !Builds(was) || ends.MatchString(was) || ends.MatchString(is) {
		return false
	}
	plain := func(command string) []string {
		return slices.DeleteFunc(strings.Fields(atOnce.ReplaceAllString(command, "")), func(w string) bool { return neutral.MatchString(w) })
	}
	return slices.Equal(plain(was), plain(is))
}

// atOnce matches how many workers a check is told to have: as many as there are processors, or so many.
var atOnce = pattern.New(`\s(-n|--numprocesses|-j|--jobs|--workers|--maxWorkers|--max-workers)[ =]?(auto|\d+%?)\b`)

// OnlyChecks reports whether a command does nothing but check: it mends nothing first, what it calls is the project's own or installed, and something can run behind it.
func OnlyChecks(command string) bool {
	return len(Checks(command)) == 1 && !strings.ContainsAny(command, "|;&$`<>") && !MendFirst(command) && !foreign.MatchString(command)
}

// MendFirst reports whether a command puts right, or takes for right, what a check would complain of.
func MendFirst(command string) bool {
	return mends.MatchString(command) || formats.MatchString(command) && !onlyLooks.MatchString(command)
}

var (
	// mends matches options, and names of scripts, that do so.
	mends = pattern.New(`(?i)(?:^|\s)--?(?:fix|write|apply|auto-?correct|auto-?fix|in-?place|update|accept|bless|overwrite|generate-baseline|set-baseline)[\w-]*(?:[\s=]|$)|(?:^|\s)-[uwiaA](?:\s|$)|\b(?:run|yarn|pnpm|bun) \S*(?:fix|format|write|update|accept)\S*`)
	// foreign matches commands that fetch a program to run, or take the place of the shell.
	foreign = pattern.New(`://|^\s*exec\s|(?:^|\s)(?:go|deno|pipx|bun) run \S*(?:[@:]|\.\w+/)|(?:^|\s)(?:npx|bunx|dlx|uvx|tool run) (?:-\S+ )*\S+@|(?:^|\s)mvnw? (?:-\S+ )*\S+:\S+:`)
	// formats matches programs that write, unless they are told only to look.
	formats   = pattern.New(`(?:^|\s)(?:black|isort|autopep8|yapf|docformatter|autoflake|prettier|gofmt|goimports|gofumpt|rustfmt|shfmt|clang-format|(?:cargo|dotnet|biome|ruff|dart|mix|terraform) (?:fmt|format))(?:\s|$)`)
	onlyLooks = pattern.New(`(?:^|\s)(?:--?(?:check|diff|list-different|dry-run|verify-no-changes|Werror|output=none)[\w-]*|-[ldnc])(?:[\s=]|$)`)
)

// Retried is the command that a line begins with, where another one by the same tool follows if it fails: a second try, after which the first counts no more.
func Retried(line string) (first string, again bool) {
	first, second, both := strings.Cut(line, "||")
	if !both {
		return line, false
	}
	one, other := Checks(first), Checks(second)
	return strings.TrimSpace(first), len(one) > 0 && slices.Equal(one, other)
}

// neutral matches options by which a check looks at the same, and says the same.
var neutral = pattern.New(`^(--|--locked|--frozen|--no-daemon|--stacktrace|-v+|--verbose|--no-color|--colou?r(=\w+)?|-B|--batch-mode|-ntp|--no-transfer-progress|--tb=\w+|-ra|--junit-?xml=\S+|--cov-report=\S+|--durations=\d+|-count=1|--no-fail-fast|--keep-going|--memory-limit=\w+|--order-by=\w+|--parallel|--no-progress)$`)

// saysSame reports whether a word that is new in a command leaves it to look at the same. What is covered may be measured where it was not.
func saysSame(word, was string) bool {
	return neutral.MatchString(word) || strings.HasPrefix(word, "--cov=") && !strings.Contains(was, "--cov")
}

// More reports whether a command starts the same checks, by which every option that it had is there, and each that it had not demands more, or nothing else.
func More(was, is string) bool {
	tools := Checks(was)
	if len(tools) == 0 || !slices.Equal(tools, Checks(is)) || Loosened(was, is) || LooksAtLess(was, is) || ends.MatchString(was) || ends.MatchString(is) {
		return false
	}
	had, has := strings.Fields(was), strings.Fields(is)
	if len(lackingWords(had, has)) > 0 {
		return false
	}
	fresh, some := lackingWords(has, had), false
	for i := 0; i < len(fresh); i++ {
		word := fresh[i]
		if saysSame(word, was) {
			continue
		}
		at := slices.Index(has, word)
		rest := slices.Delete(slices.Clone(has), at, at+1)
		switch {
		case !strings.HasPrefix(word, "-"):
			if len(tools) != 1 || !slices.Contains(checkers, tools[0]) || len(targets(was)) == 0 || !slices.Contains(targets(is), word) {
				return false
			}
		default:
			if i+1 < len(fresh) && at+1 < len(has) && fresh[i+1] == has[at+1] && !strings.HasPrefix(fresh[i+1], "-") {
				rest = slices.Delete(rest, at, at+1) // its value
				i++
			}
			if !Loosened(is, strings.Join(rest, " ")) {
				return false
			}
		}
		some = true
	}
	return some
}

// lackingWords are the words of one command that another has not, or less often.
func lackingWords(words, other []string) []string {
	left := make(map[string]int)
	for _, w := range other {
		left[w]++
	}
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool {
		left[w]--
		return left[w] >= 0
	})
}

// cleaners are commands that take away what a run has left behind, for which it matters little that nothing was there.
var cleaners = pattern.New(`^-?(sudo\s+)?(rm|rmdir|unlink|kill|pkill|killall|umount|fusermount|dropdb|docker(-compose)?\s+(container\s+|compose\s+(-\S+\s+\S+\s+)*|network\s+|volume\s+|image\s+|system\s+)?(rm|rmi|stop|kill|down|prune)|podman\s+(\w+\s+)?(rm|rmi|stop|kill|prune)|kubectl\s+delete|git\s+(worktree\s+(remove|prune)|branch\s+-[dD]|tag\s+-d)|minikube\s+(stop|delete)|kind\s+delete|tmux\s+kill-\w+)\b[^$` + "`" + `]*$`)

// CleansUp reports whether a command does nothing but cleaning up.
func CleansUp(command string) bool {
	some := false
	for _, one := range ends.Split(command, -1) {
		one = strings.TrimSpace(one)
		switch {
		case one == "true" || one == ":" || one == "exit 0":
		case cleaners.MatchString(one) && Check(strings.Fields(one)) == "":
			some = true
		default:
			return false
		}
	}
	return some
}

// Builds reports whether a command builds documents, and fails where anything in these is wrong.
func Builds(command string) bool { return building.MatchString(command) }

var building = pattern.New(`^(sphinx-build|mkdocs build|python -m build|mdbook build)\b[^|;&$<>` + "`" + `]*$`)
