package check

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"fettle/internal/pattern"
)

// pythonConfigs says where a tool's configuration stands: files of its own, and sections of shared ones.
var pythonConfigs = map[string]struct {
	files    []string
	sections []string // of setup.cfg and tox.ini
}{
	"pytest": {[]string{"pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", "conftest.py"}, []string{"tool:pytest", "pytest"}},
	"ruff":   {[]string{"ruff.toml", ".ruff.toml"}, nil},
	"flake8": {[]string{".flake8"}, []string{"flake8"}},
	"mypy":   {[]string{"mypy.ini", ".mypy.ini"}, []string{"mypy"}},
	"black":  {nil, nil},
	"isort":  {[]string{".isort.cfg"}, []string{"isort", "tool:isort"}},
}

// pythonMarks make a folder a Python project.
var pythonMarks = []string{"pyproject.toml", "setup.py", "setup.cfg", "tox.ini", "Pipfile", "requirements.txt", "pytest.ini", "ruff.toml", ".ruff.toml",
	"mypy.ini", ".flake8", ".isort.cfg"}

// pythonProject is what the repository says of its Python tools.
type pythonProject struct {
	*tree
	tables   map[string]bool // tables of pyproject.toml
	sections map[string]bool // of setup.cfg and tox.ini
	names    map[string]bool // dependencies, and hooks of pre-commit
	env      string          // the project's virtual environment, from its folder or absolute, or ""
	asked    pythonAsked     // how scripts and CI run the tools
}

func (t *tree) pythonChecks() []Check {
	p := t.pythonProject()
	var checks []Check
	checks = append(checks, p.tests()...)
	add := func(c Check, sources ...string) {
		c.Lang = "python"
		c.Files = append([]string{"**/*.py", "**/*.pyi"}, sources...)
		checks = append(checks, c)
	}
	shared := []string{"pyproject.toml", "setup.cfg", "tox.ini"}
	if p.wants("mypy") {
		args := []string{"--no-error-summary", "--show-column-numbers", "--show-error-codes", "--no-color-output", "--no-pretty"}
		add(Check{Name: "type.mypy", Run: p.tool("mypy", append(args, p.mypyArgs()...)...), Parser: "mypy"},
			append(shared, "mypy.ini", ".mypy.ini")...)
	}
	if p.wants("ruff") {
		add(Check{
			Name: "lint.ruff", Run: p.tool("ruff", "check", "--no-fix", "--output-format=json", "."), Parser: "ruff",
			Fix: [][]string{p.tool("ruff", "check", "--fix", "--exit-zero", ".")},
		}, "**/pyproject.toml", "**/ruff.toml", "**/.ruff.toml")
	}
	if p.wants("flake8") {
		add(Check{Name: "lint.flake8", Run: p.tool("flake8", p.flake8Args()...), Parser: "flake8"}, "setup.cfg", "tox.ini", ".flake8")
	}
	switch {
	case p.wants("black"):
		add(Check{
			Name: "format.black", Run: p.tool("black", "--check", "."), Parser: "black",
			Fix: [][]string{p.tool("black", "--quiet", ".")},
		}, "pyproject.toml")
	case p.wants("ruff"):
		add(Check{
			Name: "format.ruff", Run: p.tool("ruff", "format", "--check", "."), Parser: "ruff",
			Fix: [][]string{p.tool("ruff", "format", ".")},
		}, "**/pyproject.toml", "**/ruff.toml", "**/.ruff.toml")
	}
	if p.wants("isort") {
		add(Check{
			Name: "format.isort", Run: p.tool("isort", p.isortArgs("--check-only")...), Parser: "isort",
			Fix: [][]string{p.tool("isort", p.isortArgs("--quiet")...)},
		}, append(shared, ".isort.cfg")...)
	}
	return checks
}

func (t *tree) pythonProject() *pythonProject {
	p := &pythonProject{tree: t, tables: map[string]bool{}, sections: map[string]bool{}, names: map[string]bool{}}
	for _, name := range []string{"pyproject.toml", "Pipfile"} {
		for _, e := range readTOML(t.read(name)) {
			p.tables[e.table] = true
			for _, n := range e.dependencies() {
				p.names[n] = true
			}
		}
	}
	for _, name := range []string{"setup.cfg", "tox.ini"} {
		sections, words := readINI(t.read(name))
		for _, s := range sections {
			p.sections[s] = true
		}
		p.add(words)
	}
	p.add(quotedNames(t.read("setup.py")))
	for _, pattern := range []string{"*requirements*.txt", "requirements/*.txt", "requirements/*.in", "*requirements*.in"} {
		for _, f := range t.glob(pattern) {
			p.add(requirementNames(t.read(f)))
		}
	}
	p.asked = t.asksPython()
	hooks := preCommitHooks(t.read(".pre-commit-config.yaml"))
	p.add(hooks)
	for _, h := range hooks {
		p.asked[h] = append(p.asked[h], nil)
	}
	p.env = t.nearest("bin/python", ".venv", "venv", "env")
	if p.env == "" && p.manager() == nil {
		p.env = activeEnv()
	}
	return p
}

func (p *pythonProject) add(names []string) {
	for _, n := range names {
		p.names[n] = true
	}
}

// wants reports whether the repository asks for a tool.
func (p *pythonProject) wants(tool string) bool {
	c := pythonConfigs[tool]
	if p.asked.instead(tool) {
		return false
	}
	if p.names[tool] && !p.asked.passedOver(tool) || p.first(c.files...) != "" || slices.ContainsFunc(c.sections, func(s string) bool { return p.sections[s] }) {
		return true
	}
	for t := range p.tables {
		if t == "tool."+tool || strings.HasPrefix(t, "tool."+tool+".") {
			return true
		}
	}
	return false
}

// tool is the command of a tool, from the project's own environment where it has one: a virtual environment in the tree, in the
// project's folder or above it, that holds the tool, else uv's or poetry's where their lock file stands and they are installed,
// else the active environment, else PATH.
func (p *pythonProject) tool(name string, args ...string) []string {
	if p.holds(name) {
		return append([]string{p.env + "/bin/" + name}, args...)
	}
	return append(append(p.manager(), name), args...)
}

// manager is what runs a command in the environment of a lock file; nothing where there is none. A lock file alone does not
// say that its environment holds a tool, so only the names that the project asks for come from there.
func (p *pythonProject) manager() []string {
	switch {
	case p.env != "":
		return nil
	case p.has("uv.lock") && onPath("uv") != "":
		return []string{"uv", "run", "--frozen"}
	case p.has("poetry.lock") && onPath("poetry") != "":
		return []string{"poetry", "run"}
	}
	return nil
}

// module is `python -m name`, which finds the project's modules in the current folder as well.
func (p *pythonProject) module(name string, args ...string) []string {
	python := "python3"
	switch m := p.manager(); {
	case p.env != "":
		python = p.env + "/bin/python"
	case m != nil:
		return append(append(m, "python", "-m", name), args...)
	case onPath(python) == "" && onPath("python") != "":
		python = "python"
	}
	return append([]string{python, "-m", name}, args...)
}

// tests are the checks that run the tests, with pytest where anything speaks for it, else with unittest.
func (p *pythonProject) tests() []Check {
	files := slices.DeleteFunc(slices.Clone(p.python), func(f string) bool { return !pythonTest.MatchString(path.Base(f)) })
	plain, unit := p.styles(files)
	switch {
	case p.wants("pytest") || plain:
		args := []string{"-q", "--tb=short", "-o", "junit_family=xunit1", "--junit-xml=" + reportMark}
		return []Check{{Name: "test", Lang: "python", Run: p.pytest(args), Parser: "pytest-junit"}}
	case !unit:
		return nil
	}
	starts := p.unittestStarts(files)
	var checks []Check
	for _, s := range starts {
		c := Check{Name: "test", Lang: "python", Parser: "unittest", Run: p.module("unittest", "discover", "-v")}
		if s != "." {
			c.Run = append(c.Run, "-s", s)
		}
		if len(starts) > 1 && s != "." {
			c.Name += "." + label(s)
		}
		if p.has("src") && !p.has("src/__init__.py") && slices.ContainsFunc(p.python, func(f string) bool { return strings.HasPrefix(f, "src/") }) {
			c.Env = map[string]string{"PYTHONPATH": "src"}
		}
		checks = append(checks, c)
	}
	return checks
}

// pytest is pytest's command. `python -m pytest` is preferred, where that Python has it.
func (p *pythonProject) pytest(args []string) []string {
	alone := onPath("pytest")
	switch {
	case p.env != "" && !p.holds("pytest") && alone != "",
		p.env == "" && p.manager() == nil && alone != "" && filepath.Dir(alone) != filepath.Dir(onPath("python3")):
		return append([]string{"pytest"}, args...)
	}
	return p.module("pytest", args...)
}

var (
	plainTests = pattern.New(`(?m)^(?:(?:async )?def test_|(?:import|from) pytest\b)`)
	unitTests  = pattern.New(`(?m)^(?:import|from) unittest\b`)
)

// styles tells whether tests are written for pytest, and whether for unittest.
func (p *pythonProject) styles(files []string) (plain, unit bool) {
	for _, f := range files {
		b := p.read(f)
		plain = plain || plainTests.Match(b)
		unit = unit || unitTests.Match(b)
	}
	return plain, unit
}

// unittestStarts are the folders in which discovery has to begin to find the files: the nearest one above each that is no
// package.
func (p *pythonProject) unittestStarts(files []string) []string {
	var starts []string
	for _, f := range files {
		if !strings.HasPrefix(path.Base(f), "test") || !unitTests.Match(p.read(f)) {
			continue // unittest looks for test*.py only
		}
		dir := path.Dir(f)
		for dir != "." && p.has(dir+"/__init__.py") {
			dir = path.Dir(dir)
		}
		starts = append(starts, dir)
	}
	return unique(starts)
}

// mypyArgs are how the project itself runs mypy, else what mypy is to look at, unless its configuration says so.
func (p *pythonProject) mypyArgs() []string {
	if args := p.how("mypy"); len(args) > 0 {
		return args
	}
	return p.mypyTargets()
}

// mypyTargets are what mypy is to look at, unless its configuration says so.
func (p *pythonProject) mypyTargets() []string {
	for _, f := range []string{"mypy.ini", ".mypy.ini", "setup.cfg"} {
		if mypyFiles.Match(p.read(f)) {
			return nil
		}
	}
	for _, e := range readTOML(p.read("pyproject.toml")) {
		if e.table == "tool.mypy" && slices.Contains([]string{"files", "packages", "modules"}, e.key) {
			return nil
		}
	}
	if p.has("src") && slices.ContainsFunc(p.python, func(f string) bool { return strings.HasPrefix(f, "src/") }) {
		return []string{"src"}
	}
	if p.inside() && !strings.HasPrefix(p.env, ".") {
		return []string{"--exclude=^" + p.env + "/", "."}
	}
	return []string{"."}
}

// mypyFiles finds the setting in mypy's own section: others have keys of these names too.
var mypyFiles = pattern.New(`(?m)^\[mypy\][^\[]*^(files|packages|modules)\s*=`)

// isortArgs keeps isort out of a virtual environment in the tree: a project's own skip list replaces the one it has.
func (p *pythonProject) isortArgs(args ...string) []string {
	if p.inside() {
		args = append(args, "--extend-skip="+p.env)
	}
	return append(args, ".")
}

// flake8Args are how the project itself runs flake8, kept out of a virtual environment in the tree, which it would look through.
func (p *pythonProject) flake8Args() []string {
	args := p.how("flake8")
	if p.inside() {
		args = append(args, "--extend-exclude="+p.env)
	}
	return args
}
