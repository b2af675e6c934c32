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

// goChecks are the checks of the modules of the repository.
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
				"the module in %s is not part of %s; to have it checked, write checks with dir: %s", m, t.rest(m), m)})
		}
	}
	return checks, notes
}

// goModules are the folders of the modules to check: those that go.work names, else the root's, else the outermost ones. A
// module nested in another that no go.work names is another project: the go command leaves it out of ./... too.
func (t *tree) goModules() []string {
	var out []string
	if t.has("go.work") {
		for _, dir := range workUses(t.read("go.work")) {
			if slices.Contains(t.modules, dir) {
				out = append(out, dir)
			}
		}
	}
	if len(out) == 0 {
		out = outermost(t.modules)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// rest says of what a module that is not checked is no part.
func (t *tree) rest(module string) string {
	if t.has("go.work") {
		return "go.work"
	}
	for dir := path.Dir(module); dir != "."; dir = path.Dir(dir) {
		if slices.Contains(t.modules, dir) {
			return "that in " + dir
		}
	}
	return "the root's"
}

// workUses are the folders that a go.work uses; what lies outside the repository is left out.
func workUses(work []byte) []string {
	var dirs []string
	for _, f := range directives(work, "use") {
		dirs = append(dirs, path.Clean(f[0]))
	}
	return dirs
}

// directives are the words of every directive of a name in a go.mod or go.work, whether in a block or by itself.
func directives(file []byte, name string) [][]string {
	var out [][]string
	block := ""
	for line := range strings.Lines(string(file)) {
		line, _, _ = strings.Cut(line, "//")
		f := strings.Fields(line)
		switch {
		case len(f) == 0:
			continue
		case f[0] == ")":
			block = ""
			continue
		case len(f) == 2 && f[1] == "(":
			block = f[0]
			continue
		case block != "":
			f = append([]string{block}, f...)
		}
		if f[0] != name || len(f) < 2 {
			continue
		}
		for i := range f {
			f[i] = strings.Trim(f[i], "\"`")
		}
		out = append(out, f[1:])
	}
	return out
}

// reach is a module and those of the repository that it may be built from: the other ones of go.work, and those that a replace
// directive takes from a folder.
func (t *tree) reach(module string) []string {
	out := []string{module}
	if t.has("go.work") {
		out = append(out, t.goModules()...)
	}
	for i := 0; i < len(out); i++ { // it grows meanwhile
		for _, f := range directives(t.read(path.Join(out[i], "go.mod")), "replace") {
			dir := path.Join(out[i], f[len(f)-1])
			if slices.Contains(f, "=>") && slices.Contains(t.modules, dir) && !slices.Contains(out, dir) {
				out = append(out, dir)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// moduleChecks are the checks of one module. There is no check of the kind build: go vet type-checks every package with its
// tests, go test builds and links those that have tests, and both say what the compiler would, so a third run of the same
// errors would only hide which findings there are.
func (t *tree) moduleChecks(module string) []Check {
	dir := cleanDir(module)
	var sources []string
	for _, m := range t.reach(module) {
		sources = append(sources, under(cleanDir(m), "**/*.go", "**/go.mod", "**/go.sum")...)
	}
	if t.has("go.work") {
		sources = append(sources, "go.work", "go.work.sum")
	}
	var checks []Check
	add := func(c Check) {
		c.Lang, c.Dir = "go", dir
		checks = append(checks, c)
	}
	if t.hasGoTests(module) {
		// lint.vet has its own say.
		add(Check{Name: "test", Run: []string{"go", "test", "-json", "-vet=off", "./..."}, Parser: "gotest", Files: t.goTestFiles(module)})
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

// goTestFiles are the files that a module's tests depend on, which may read what is no source: those of the modules that it is built from,
// and those in the root. A module in the root depends on everything.
func (t *tree) goTestFiles(module string) []string {
	var out []string
	for _, m := range t.reach(module) {
		if cleanDir(m) == "" {
			return nil
		}
		out = append(out, m+"/**")
	}
	return append(out, rootFiles)
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
