package tool

import (
	"path"
	"slices"
	"strings"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/pattern"
)

// own is how one tool is told to fix what it finds: the check's own command, without the options that only report, and
// with those that fix. So the fix reads the same configuration and paths, by the same program, as the check did.
type own struct {
	tool string   // the program's name, wherever in the command it stands ("python -m ruff", "go run …/goimports@v1")
	sub  string   // its subcommand, if it has any
	drop []string // options that report; "=" at the end: it takes a value
	add  []string // after the program and subcommand
}

var owns = []own{
	{"ruff", "check", []string{"--output-format=", "--output-file=", "-o=", "--no-fix", "--fix", "--diff", "--statistics", "--show-fixes", "--exit-non-zero-on-fix", "--watch", "-w"}, []string{"--fix", "--force-exclude"}},
	{"ruff", "format", []string{"--output-format=", "--check", "--diff"}, []string{"--force-exclude"}},
	{"black", "", []string{"--check", "--diff", "--color", "--no-color"}, nil},
	{"isort", "", []string{"--check-only", "--check", "-c", "--diff", "--df"}, nil},
	{"gofmt", "", []string{"-l", "-d", "-w"}, []string{"-w"}},
	{"goimports", "", []string{"-l", "-d", "-w"}, []string{"-w"}},
	{"golangci-lint", "run", []string{"--fix", "--out-format=", "--show-stats", "--output.text.path=", "--output.json.path=", "--output.tab.path=", "--output.checkstyle.path=", "--output.sarif.path=", "--output.junit-xml.path=", "--output.html.path=", "--output.code-climate.path=", "--output.teamcity.path=", "--output.text.colors", "--output.text.print-issued-lines", "--output.text.print-linter-name"}, []string{"--fix"}},
	{"pre-commit", "run", []string{"--show-diff-on-failure"}, nil}, // hooks that fix do so when they run
	{"prek", "run", []string{"--show-diff-on-failure"}, nil},
	{"lefthook", "run", nil, nil},
	{"cargo", "fmt", []string{"--check", "--message-format="}, nil},
	{"cargo", "clippy", []string{"--message-format=", "--fix", "-D=", "-Dwarnings", "-F="}, append([]string{"--fix"}, cargoFix...)},
	{"golangci-lint", "fmt", []string{"--diff", "-d", "--diff-colored"}, nil},
	{"eslint", "", []string{"--format=", "-f=", "--output-file=", "-o=", "--fix", "--fix-dry-run", "--max-warnings=", "--quiet", "--color", "--no-color"}, []string{"--fix"}},
	{"prettier", "", []string{"--check", "-c", "--list-different", "-l", "--write", "-w"}, []string{"--write"}},
	{"biome", "check", biomeReports, []string{"--write"}},
	{"biome", "lint", biomeReports, []string{"--write"}},
	{"biome", "format", biomeReports, []string{"--write"}},
}

var biomeReports = []string{"--reporter=", "--max-diagnostics=", "--colors=", "--write", "--fix", "--apply", "--verbose", "--error-on-warnings", "--diagnostic-level="}

// byParser is the fix of a check whose command does not show its tool, such as a script round it. {files} stands for the
// files that the findings name.
var byParser = map[string][][]string{
	"gofmt":     {{"gofmt", "-w", "{files}"}},
	"goimports": {{"goimports", "-w", "{files}"}},
	"golangci":  {{"golangci-lint", "run", "--fix"}},
	"ruff":      {{"ruff", "check", "--fix", "--force-exclude", "{files}"}},
	"black":     {{"black", "{files}"}},
	"isort":     {{"isort", "{files}"}},
	"rustfmt":   {{"cargo", "fmt", "--all"}},
	"eslint":    {{"eslint", "--fix", "{files}"}},
	"prettier":  {{"prettier", "--write", "{files}"}},
	"biome":     {{"biome", "check", "--write", "{files}"}},
}

// DefaultFix is the fix of a check that fettle.yaml gives none: what its tool offers, if fettle knows the tool; else nil.
func DefaultFix(c check.Check) [][]string {
	for _, o := range owns {
		if argv := o.fix(c.Run); argv != nil {
			return [][]string{argv}
		}
	}
	if argv := swapped(c); argv != nil {
		return [][]string{argv}
	}
	if c.Parser == "ruff" && c.Kind() == "format" {
		return [][]string{{"ruff", "format", "--force-exclude", "{files}"}}
	}
	return byParser[c.Parser]
}

// imports is what the Go compiler says about imports that are too many or missing: https://pkg.go.dev/internal/types/errors
// (UnusedImport, UndeclaredName).
var imports = pattern.New(`imported and not used|imported as .+ and not used|^undefined: [a-z]\w*$`)

// importFix is goimports for builds that fail because of their imports; nil when one of the findings is about anything else.
func importFix(c check.Check, ds []diag.Diagnostic) [][]string {
	if c.Parser != "gotest" && c.Parser != "gobuild" {
		return nil
	}
	for _, d := range ds {
		if d.Test != "" || d.File == "" || !imports.MatchString(d.Message) {
			return nil
		}
	}
	return [][]string{{"goimports", "-w", "{files}"}}
}

// fix turns the check's command into the one that fixes; nil when the command is not of this tool.
func (o own) fix(run []string) []string {
	at := slices.IndexFunc(run, func(a string) bool { return !isLauncher(a) })
	if at < 0 || program(run[at]) != o.tool {
		return nil
	}
	if o.sub != "" {
		sub := slices.Index(run[at:], o.sub)
		if sub < 0 {
			return nil
		}
		at += sub
	}
	argv := append(slices.Clone(run[:at+1]), o.add...)
	for i := at + 1; i < len(run); i++ {
		drops, value := o.drops(run[i])
		if !drops {
			argv = append(argv, run[i])
		} else if value {
			i++
		}
	}
	return argv
}

// program is the name of the program that an argument names by its path, or by its package and version.
func program(arg string) string {
	name, _, _ := strings.Cut(path.Base(strings.ReplaceAll(arg, `\`, "/")), "@")
	return strings.TrimSuffix(name, ".exe")
}

// isLauncher reports whether an argument belongs to what starts the tool: "poetry run", "python3 -m", "go tool".
func isLauncher(arg string) bool {
	switch name := program(arg); name {
	case "run", "tool", "exec", "go", "poetry", "uv", "uvx", "pipx", "pdm", "hatch", "rye", "env", "npx", "bunx", "pnpm", "yarn", "bun":
		return true
	default:
		return strings.HasPrefix(arg, "-") || strings.HasPrefix(name, "python")
	}
}

// drops reports whether an argument is an option to leave out, and whether the next argument is its value.
func (o own) drops(arg string) (drop, value bool) {
	for _, d := range o.drop {
		name, takes := strings.CutSuffix(d, "=")
		switch {
		case arg == name:
			return true, takes
		case strings.HasPrefix(arg, name+"="):
			return true, false
		}
	}
	return false, false
}

// argBytes bounds the file names of one command, far below what systems allow (128 KiB for one argument list on the least).
const argBytes = 64 << 10

// expand puts files in place of the argument {files}, over several commands when there are many. Without files it stands
// for the folder itself.
func expand(argv, files []string) [][]string {
	at := slices.Index(argv, "{files}")
	if at < 0 {
		return [][]string{argv}
	}
	if len(files) == 0 {
		files = []string{"."}
	}
	var all [][]string
	for len(files) > 0 {
		n, size := 0, 0
		for n < len(files) && (n == 0 || size+len(files[n]) < argBytes) {
			size += len(files[n]) + 1
			n++
		}
		all = append(all, slices.Concat(argv[:at], files[:n], argv[at+1:]))
		files = files[n:]
	}
	return all
}
