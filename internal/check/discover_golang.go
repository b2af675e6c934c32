package check

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"fettle/internal/pattern"
)

// golangciConfigs are the names under which golangci-lint looks for its configuration.
var golangciConfigs = []string{".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json"}

// goChecks are the checks of the root's module, or of the modules that go.work names.
func (t *tree) goChecks() ([]Check, []Note) {
	members := t.goModules()
	var checks []Check
	for _, m := range members {
		checks = append(checks, t.moduleChecks(m)...)
	}
	var notes []Note
	for _, m := range t.modules {
		if !slices.Contains(members, m) && !t.foreign[m] {
			notes = append(notes, Note{File: path.Join(m, "go.mod"), Text: fmt.Sprintf(
				"the module in %s is not part of the root's; to have it checked, write checks with dir: %s", m, m)})
		}
	}
	return checks, notes
}

// goModules are the folders of the modules to check. A nested module that no go.work names is another project: the go
// command leaves it out of the root's ./... too.
func (t *tree) goModules() []string {
	var out []string
	if t.has("go.work") {
		for _, dir := range workUses(t.read("go.work")) {
			if slices.Contains(t.modules, dir) {
				out = append(out, dir)
			}
		}
	}
	if len(out) == 0 && slices.Contains(t.modules, ".") {
		out = []string{"."}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// workUses are the folders that a go.work uses; what lies outside the repository is left out.
func workUses(work []byte) []string {
	var dirs []string
	block := false
	for line := range strings.Lines(string(work)) {
		line, _, _ = strings.Cut(line, "//")
		f := strings.Fields(line)
		switch {
		case len(f) == 0:
		case f[0] == ")":
			block = false
		case f[0] == "use" && len(f) == 2 && f[1] == "(":
			block = true
		case f[0] == "use" && len(f) == 2:
			dirs = append(dirs, path.Clean(strings.Trim(f[1], "\"`")))
		case block:
			dirs = append(dirs, path.Clean(strings.Trim(f[0], "\"`")))
		}
	}
	return dirs
}

// moduleChecks are the checks of one module. There is no check of the kind build: go vet type-checks every package with its
// tests, go test builds and links those that have tests, and both say what the compiler would, so a third run of the same
// errors would only hide which findings there are.
func (t *tree) moduleChecks(module string) []Check {
	dir := cleanDir(module)
	sources := under(dir, "**/*.go", "**/go.mod", "**/go.sum")
	if t.has("go.work") {
		sources = append(sources, "go.work", "go.work.sum")
	}
	var checks []Check
	add := func(c Check) {
		c.Lang, c.Dir = "go", dir
		checks = append(checks, c)
	}
	if t.hasGoTests(module) {
		add(Check{Name: "test", Run: []string{"go", "test", "-json", "-vet=off", "./..."}, Parser: "gotest"}) // lint.vet has its own say
	}
	if config := t.golangci(module); config != "" {
		add(Check{
			Name: "lint.golangci", Run: t.golangciRun(config), Parser: "golangci", Files: append(slices.Clone(sources), config),
			Fix: [][]string{{"golangci-lint", "run", "--fix", "--issues-exit-code=0", "--allow-parallel-runners"}},
		})
	}
	vet := Check{Name: "lint.vet", Run: []string{"go", "vet", "./..."}, Parser: "gobuild",
		Files: append(slices.Clone(sources), under(dir, "**/*.s", "**/*.c", "**/*.h")...)}
	format := Check{Name: "format.gofmt", Parser: "gofmt", Files: under(dir, "**/*.go")}
	if files := t.formatArgs(module); len(files) > 0 {
		if t.usesGoimports() {
			// goimports also adds the import that an undefined name is missing, which is go vet's finding.
			vet.Fix = [][]string{append([]string{"goimports", "-w"}, files...)}
			format.Fix = vet.Fix
		} else {
			format.Fix = [][]string{append([]string{"gofmt", "-w"}, files...)}
		}
		format.Run = append([]string{"gofmt", "-l"}, files...)
		add(vet)
		add(format)
	}
	return checks
}

// labelRune makes a folder's name fit for the name of a check.
func labelRune(r rune) rune {
	if r < 0x80 && isAlnum(byte(r)) || r == '_' {
		return r
	}
	return '-'
}

// in reports whether a folder belongs to a module and not to one nested in it.
func (t *tree) in(module, dir string) bool {
	for dir != "." && !slices.Contains(t.modules, dir) {
		dir = path.Dir(dir)
	}
	return dir == module
}

func (t *tree) hasGoTests(module string) bool {
	for dir, files := range t.goFiles {
		if t.in(module, dir) && slices.ContainsFunc(files, func(f string) bool { return strings.HasSuffix(f, "_test.go") }) {
			return true
		}
	}
	return false
}

// golangci is the configuration that golangci-lint would find from the module's folder up to the root, or "".
func (t *tree) golangci(module string) string {
	for dir := module; ; dir = path.Dir(dir) {
		if c := t.first(under(dir, golangciConfigs...)...); c != "" {
			return c
		}
		if dir == "." {
			return ""
		}
	}
}

// golangciRun asks for all findings as JSON, in the way of the version that the configuration is written for: version 2
// says so in it.
func (t *tree) golangciRun(config string) []string {
	run := []string{"golangci-lint", "run", "--allow-parallel-runners", "--max-issues-per-linter=0", "--max-same-issues=0"}
	if golangciV2.Match(t.read(config)) {
		return append(run, "--show-stats=false", "--output.json.path=stdout")
	}
	return append(run, "--out-format=json")
}

// usesGoimports reports whether the project names goimports where it says how it is built.
func (t *tree) usesGoimports() bool {
	for _, f := range append([]string{"Makefile", "makefile", "Taskfile.yml", "justfile", ".pre-commit-config.yaml", "lefthook.yml"}, golangciConfigs...) {
		if strings.Contains(string(t.read(f)), "goimports") {
			return true
		}
	}
	return false
}

// formatArgs are what gofmt is given: the module's folder if all in it is the repository's own; else the folders and files
// that are, because gofmt walks into vendor and testdata, where unformatted files may stand on purpose.
func (t *tree) formatArgs(module string) []string {
	var args []string
	t.cover(module, module, &args)
	for i, a := range args {
		if module != "." {
			a = strings.TrimPrefix(strings.TrimPrefix(a, module), "/")
		}
		if a == "" || a == "." {
			a = "."
		}
		args[i] = a
	}
	slices.Sort(args)
	return args
}

// cover adds the folder whole, or what of it may be formatted. It reports whether there was anything.
func (t *tree) cover(module, dir string, args *[]string) {
	below := func(p string) bool { return dir == "." || p == dir || strings.HasPrefix(p, dir+"/") }
	mixed, own := false, false
	children := map[string]bool{}
	for p := range t.foreign {
		mixed = mixed || below(p)
	}
	for p := range t.goFiles {
		if !below(p) {
			continue
		}
		if !t.in(module, p) {
			mixed = true
			continue
		}
		own = true
		if p != dir {
			rest := strings.TrimPrefix(strings.TrimPrefix(p, dir), "/")
			if dir == "." {
				rest = p
			}
			first, _, _ := strings.Cut(rest, "/")
			children[path.Join(dir, first)] = true
		}
	}
	switch {
	case !own:
	case !mixed:
		*args = append(*args, dir)
	default:
		for _, f := range t.goFiles[dir] {
			*args = append(*args, path.Join(dir, f))
		}
		for c := range children {
			t.cover(module, c, args)
		}
	}
}

var golangciV2 = pattern.New(`(?m)^\s*"?version"?\s*[:=]\s*["']?2`)
