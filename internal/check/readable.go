package check

import (
	"path"
	"slices"
	"strings"

	"fettle/internal/check/parse"
)

// unread is the parser of a check whose output is not to be read.
const unread = "none"

// known is a command whose output a format reads.
type known struct {
	tool   string   // the program, and the words that stand right behind it
	with   []string // one of these must be among the others, if there are any
	parser string
	option string // what makes the output readable: it is put behind the tool's words, where the command does not say it
}

// knownCommands are in such an order that the first that fits is meant. What a tool prints by itself is read where there is a format for
// it; else the tool is told to print what can be read.
var knownCommands = []known{
	{"go test", nil, "gotest", "-json"},
	{"go vet", nil, "gobuild", ""},
	{"go build", nil, "gobuild", ""},
	{"gofmt", []string{"-l"}, "gofmt", ""},
	{"goimports", []string{"-l"}, "gofmt", ""},
	{"golangci-lint run", nil, "golangci", ""},
	{"pytest", nil, "pytest-junit", ""},
	{"pytest", nil, "pytest", ""},
	{"unittest discover", nil, "unittest", "-v"},
	{"unittest", nil, "unittest", "-v"},
	{"ruff check", nil, "ruff", ""},
	{"ruff format", []string{"--check"}, "ruff", ""},
	{"mypy", nil, "mypy", ""},
	{"flake8", nil, "flake8", ""},
	{"pylint", nil, "pylint", ""},
	{"pyright", nil, "pyright", ""},
	{"basedpyright", nil, "pyright", ""},
	{"black", []string{"--check"}, "black", ""},
	{"isort", []string{"--check", "--check-only", "-c"}, "isort", ""},
	{"eslint", nil, "eslint", "--format=json"},
	{"prettier", []string{"--check", "-c", "--list-different", "-l"}, "prettier", ""},
	{"biome check", nil, "biome", "--reporter=github"},
	{"biome ci", nil, "biome", "--reporter=github"},
	{"biome lint", nil, "biome", "--reporter=github"},
	{"biome format", nil, "biome", "--reporter=github"},
	{"tsc", nil, "tsc", ""},
	{"vue-tsc", nil, "tsc", ""},
	{"cargo test", nil, "cargo-test", ""},
	{"cargo check", nil, "cargo", ""},
	{"cargo build", nil, "cargo", ""},
	{"cargo clippy", nil, "cargo", ""},
	{"cargo fmt", []string{"--check"}, "rustfmt", ""},
	{"rustfmt", []string{"--check"}, "rustfmt", ""},
	{"mvn", nil, "maven", ""},
	{"mvnw", nil, "maven", ""},
	{"gradle", nil, "gradle", ""},
	{"gradlew", nil, "gradle", ""},
	{"javac", nil, "javac", ""},
	{"pre-commit run", nil, "hooks", ""},
	{"prek run", nil, "hooks", ""},
	{"lefthook run", nil, "lefthook", ""},
}

// whole are options, by their parser, for all findings instead of so many of each kind: the others would look new once these are mended.
var whole = map[string][]string{"golangci": {"--max-issues-per-linter=0", "--max-same-issues=0"}}

// testReports are where builds write what their tests came to, and the words that make them test.
var testReports = map[string]struct{ words, files []string }{
	"maven":  {[]string{"test", "package", "verify", "install", "deploy", "integration-test"}, mavenReports},
	"gradle": {[]string{"test", "check", "build"}, gradleReports},
}

// readable is an entry whose parser is told from its command, where it names none and fettle knows the command: what a person types
// at a terminal is then read as if its format had been asked for.
func (e checkEntry) readable() checkEntry {
	if e.Parser.Name == unread {
		e.Parser.Name, e.unread = "", true
		return e
	}
	at := started(e.Run)
	if at < 0 || e.said() {
		return e
	}
	program, args := strings.TrimSuffix(path.Base(e.Run[at]), ".exe"), e.Run[at+1:]
	if program == "tape" && e.Parser.Name == "tap" {
		e.Parser.Name = "tape" // what it prints is TAP, but each line of it is an assertion, and the tests stand in the comments
	}
	if r, ok := nodeRunners[program]; ok && e.Parser.Name == "" && !namesReport(args) && (r.first == nil || r.first[0] != "--test" || slices.Contains(args, "--test")) {
		e.Parser.Name, e.Run = formatName(r.parser), slices.Concat(e.Run[:at+1], r.first, without(args, r.drop...), r.report)
		return e
	}
	for _, k := range knownCommands {
		if run, ok := k.reads(e.Run, at); ok && (e.Parser.Name == "" || string(e.Parser.Name) == k.parser) {
			e.Parser.Name, e.Run = formatName(k.parser), run
			break
		}
	}
	if r := testReports[string(e.Parser.Name)]; len(e.Reports) == 0 && slices.ContainsFunc(r.words, func(w string) bool { return slices.Contains(args, w) }) {
		e.Reports = r.files
	}
	return e
}

// said reports whether an entry says itself how it is read, so that nothing is to be told from its command. Two formats are said by people who mean
// what their command prints, which takes more than that.
func (e checkEntry) said() bool {
	return len(e.Pattern) > 0 || e.Parser.Reader != nil || !slices.Contains([]formatName{"", "gotest", "tap"}, e.Parser.Name)
}

// reads is the command as it is to run, if it is the one that is known; its tool is the word at.
func (k known) reads(argv []string, at int) ([]string, bool) {
	words := slices.Clone(argv[at:])
	words[0] = strings.TrimSuffix(path.Base(words[0]), ".exe")
	tool := strings.Fields(k.tool)
	if len(words) < len(tool) || !slices.Equal(words[:len(tool)], tool) {
		return nil, false
	}
	others := words[len(tool):]
	if len(k.with) > 0 && !slices.ContainsFunc(k.with, func(w string) bool { return slices.Contains(others, w) }) {
		return nil, false
	}
	if format, _ := parse.Lookup(k.parser); (format.Stream == parse.File) != namesReport(others) {
		return nil, false
	}
	for _, o := range slices.Backward(whole[k.parser]) {
		if name, _, _ := strings.Cut(o, "="); !slices.ContainsFunc(others, func(w string) bool { return w == name || strings.HasPrefix(w, name+"=") }) {
			argv = slices.Insert(slices.Clone(argv), at+len(tool), o)
		}
	}
	name, value, _ := strings.Cut(k.option, "=")
	said, there := optionValue(others, name)
	switch {
	case k.option == "" || there && (value == "" || said == value):
		return argv, true
	case there:
		return nil, false // it prints something else
	}
	return slices.Insert(slices.Clone(argv), at+len(tool), k.option), true
}

// optionValue is the value of an option among the words, which may be there by its first letter, and with two dashes for one.
func optionValue(words []string, option string) (value string, there bool) {
	names := []string{option, "-" + option}
	if strings.HasPrefix(option, "--") {
		names = []string{option, option[1:3]}
	}
	for i, w := range words {
		name, value, inline := strings.Cut(w, "=")
		if !slices.Contains(names, name) {
			continue
		}
		if !inline && i+1 < len(words) {
			value = words[i+1]
		}
		return value, true
	}
	return "", false
}

// environments are programs that start another in an environment, with the word behind which it stands.
var environments = map[string]string{"uv": "run", "poetry": "run", "pipenv": "run", "pdm": "run", "hatch": "run", "pnpm": "exec", "npm": "exec", "bundle": "exec"}

// started is the index of the word that names the tool of a command, past what sets its environment up; -1 where that is not known.
func started(argv []string) int {
	for i := 0; i < len(argv); i++ {
		switch name := strings.TrimSuffix(path.Base(argv[i]), ".exe"); {
		case name == "env" || name == "cross-env" || envName.MatchString(assigned(argv[i])):
		case environments[name] != "":
			if i++; i == len(argv) || argv[i] != environments[name] {
				return -1
			}
			i = pastFlags(argv, i)
		case name == "npx" || name == "bunx":
			i = pastFlags(argv, i)
		case strings.HasPrefix(name, "python"):
			if i+2 >= len(argv) || argv[i+1] != "-m" {
				return -1
			}
			i++
		default:
			return i
		}
	}
	return -1
}

// assigned is the name in an assignment such as A=b, or "".
func assigned(word string) string {
	name, _, ok := strings.Cut(word, "=")
	if !ok {
		return ""
	}
	return name
}

// pastFlags is the index of the last of the options behind a word.
func pastFlags(argv []string, i int) int {
	for i+1 < len(argv) && strings.HasPrefix(argv[i+1], "-") {
		i++
	}
	return i
}
