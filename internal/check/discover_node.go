package check

import (
	"path"
	"slices"
	"strings"
)

// nodeMarks make a folder a project of JavaScript or TypeScript.
var nodeMarks = []string{"package.json"}

// nodeConfigs are the files by which a tool is configured; package.json can hold a key of the tool's own instead.
var nodeConfigs = map[string]struct {
	files []string
	key   string
}{
	"eslint": {[]string{"eslint.config.js", "eslint.config.mjs", "eslint.config.cjs", "eslint.config.ts", "eslint.config.mts", "eslint.config.cts",
		".eslintrc", ".eslintrc.js", ".eslintrc.cjs", ".eslintrc.mjs", ".eslintrc.json", ".eslintrc.yaml", ".eslintrc.yml"}, "eslintConfig"},
	"prettier": {[]string{".prettierrc", ".prettierrc.json", ".prettierrc.json5", ".prettierrc.yaml", ".prettierrc.yml", ".prettierrc.toml", ".prettierrc.js",
		".prettierrc.cjs", ".prettierrc.mjs", ".prettierrc.ts", ".prettierrc.mts", ".prettierrc.cts", "prettier.config.js", "prettier.config.cjs",
		"prettier.config.mjs", "prettier.config.ts", "prettier.config.mts", "prettier.config.cts"}, "prettier"},
	"biome": {[]string{"biome.json", "biome.jsonc", ".biome.json", ".biome.jsonc"}, ""},
	"tsc":   {[]string{"tsconfig.json"}, ""},
	"jest": {[]string{"jest.config.js", "jest.config.ts", "jest.config.mjs", "jest.config.cjs", "jest.config.mts", "jest.config.cts",
		"jest.config.json"}, "jest"},
	"vitest": {[]string{"vitest.config.js", "vitest.config.ts", "vitest.config.mjs", "vitest.config.mts", "vitest.config.cjs", "vitest.config.cts",
		"vitest.workspace.js", "vitest.workspace.ts", "vitest.workspace.json"}, ""},
	"mocha": {[]string{".mocharc.js", ".mocharc.cjs", ".mocharc.mjs", ".mocharc.json", ".mocharc.jsonc", ".mocharc.yaml", ".mocharc.yml"}, "mocha"},
	"ava":   {[]string{"ava.config.js", "ava.config.cjs", "ava.config.mjs"}, "ava"},
}

// nodeScripts are the names under which package.json has a script for each kind of check, the most telling first. Scripts of
// other names are no checks.
var nodeScripts = []struct {
	kind  string
	names []string
}{
	{"test", []string{"test", "test:unit", "test:run", "test:ci", "tests", "unit", "unit-test", "test-unit"}},
	{"build", []string{"build"}},
	{"type", []string{"typecheck", "type-check", "check-types", "check:types", "types:check", "types", "tsc", "test:types", "lint:types", "check:ts",
		"typescript", "test:typescript", "test:tsc", "tsd", "test:tsd"}},
	{"lint", []string{"lint", "lint:check", "lint:js", "lint:ts", "eslint", "lint:eslint", "check:lint"}},
	{"format", []string{"format:check", "fmt:check", "check-format", "check:format", "format-check", "prettier:check", "check:prettier", "lint:format",
		"lint:prettier", "prettier", "format", "fmt"}},
}

// nodeProject is a package with its tools: the root of a workspace, or one of its members.
type nodeProject struct {
	*tree
	nodePackage
	dir     string // slash path from the project's root
	manager string
	asked   map[string][]nodeCommand // what scripts ask of a tool
	above   map[string]bool          // names of the root's dependencies
}

// nodeChecks are the checks of the package in the root and of the members of its workspace.
//
// A member gives the checks of the kinds (test, lint, …) that the root has none of: what the root checks, it checks for all. A
// script of the root that only runs those of its members counts as none where a member has a check of that kind.
func (t *tree) nodeChecks() ([]Check, []Note) {
	if !t.has("package.json") {
		return nil, nil
	}
	pkg := readPackage(t.read("package.json"))
	root := t.nodeProject(".", pkg, t.nodeManager(pkg), pkg.names)
	members := t.nodeMembers(pkg)
	byName := map[string]string{}
	for _, dir := range members {
		byName[readPackage(t.read(dir+"/package.json")).self] = dir
	}
	checks, passed := root.checks()
	covered := map[string]bool{}
	for _, c := range checks {
		covered[c.Kind()] = true
	}
	given := map[string]bool{}
	for _, dir := range members {
		m := t.nodeProject(dir, readPackage(t.read(dir+"/package.json")), root.manager, pkg.names)
		found, more := m.checks()
		for _, c := range append(found, more...) {
			if !covered[c.Kind()] {
				given[c.Kind()] = true
				c.Dir = dir
				c.Files = t.memberFiles(dir, c, byName)
				checks = append(checks, c)
			}
		}
	}
	for _, c := range passed {
		if !given[c.Kind()] && !covered[c.Kind()] {
			checks = append(checks, c)
		}
	}
	return checks, root.notes(checks)
}

// memberFiles are the files that a member's check depends on. Its tests, types and build use the members that it depends on as well.
func (t *tree) memberFiles(dir string, c Check, byName map[string]string) []string {
	switch {
	case slices.Contains([]string{"test", "type", "build"}, c.Kind()):
		return t.memberDepends(dir, byName)
	case len(c.Files) == 0:
		return []string{dir + "/**", rootFiles}
	}
	return append(under(dir, c.Files...), rootFiles)
}

// notes says what keeps the checks from running.
func (p *nodeProject) notes(checks []Check) []Note {
	if len(checks) == 0 || !p.dependencies || p.has("node_modules") || p.has(".pnp.cjs") {
		return nil
	}
	install := map[string]string{"npm": "npm ci", "pnpm": "pnpm install", "yarn": "yarn install", "bun": "bun install"}[p.manager]
	return []Note{{File: "package.json", Text: "the packages that it needs are not installed; before its checks can run, run: " + install}}
}

func (t *tree) nodeProject(dir string, pkg nodePackage, manager string, above map[string]bool) *nodeProject {
	p := &nodeProject{tree: t, nodePackage: pkg, dir: dir, manager: manager, asked: map[string][]nodeCommand{}, above: above}
	for _, s := range nodeScripts {
		for _, name := range s.names {
			if !p.skipped(name) {
				p.ask(s.kind, name)
			}
		}
	}
	return p
}

// ask takes note of what a script asks of tools. The first script that asks something of a tool is the one that counts.
func (p *nodeProject) ask(kind, script string) {
	commands, _ := p.commands(script)
	here := map[string][]nodeCommand{}
	for _, c := range commands {
		switch {
		case c.tool == "", c.tool == "tsc" && (kind == "build" || !c.judges(kind)):
			continue
		case c.tool == "biome" && c.args[0] == "format":
			here["biome format"] = append(here["biome format"], c)
		default:
			here[c.tool] = append(here[c.tool], c)
		}
	}
	for tool, commands := range here {
		if p.asked[tool] == nil {
			p.asked[tool] = commands
		}
	}
}

// judges reports whether the compiler only looks: a build writes.
func (c nodeCommand) judges(kind string) bool {
	return kind == "type" || slices.Contains(c.args, "--noEmit")
}

// skipped reports whether there is no such script, or one that judges nothing here.
func (p *nodeProject) skipped(script string) bool {
	text := strings.TrimSpace(p.scripts[script])
	return text == "" || noTests(text) || handsOn(text)
}

// at is the path of a file of this package from the project's root.
func (p *nodeProject) at(name string) string { return path.Join(p.dir, name) }

// configured reports whether the package holds a tool's configuration.
func (p *nodeProject) configured(tool string) bool {
	c := nodeConfigs[tool]
	return c.key != "" && p.keys[c.key] || slices.ContainsFunc(c.files, func(f string) bool { return p.has(p.at(f)) })
}

// bin is the program of a tool in the nearest node_modules, as seen from the package's folder, or "".
func (p *nodeProject) bin(tool string) string {
	for dir := p.dir; ; dir = path.Dir(dir) {
		if b := path.Join(dir, "node_modules/.bin", tool); p.has(b) {
			if dir == p.dir {
				return path.Join("node_modules/.bin", tool)
			}
			up := strings.Count(p.dir, "/") + 1
			if dir != "." {
				up -= strings.Count(dir, "/") + 1
			}
			return strings.Repeat("../", up) + "node_modules/.bin/" + tool
		}
		if dir == "." {
			return ""
		}
	}
}

// tool is the command of a tool: its program in node_modules, else the package manager's way to run what is installed, told to
// fetch nothing.
func (p *nodeProject) tool(name string, args ...string) []string {
	if b := p.bin(name); b != "" {
		return append([]string{b}, args...)
	}
	start := map[string][]string{
		"npm": {"npx", "--no-install", "--offline"}, "pnpm": {"pnpm", "exec"}, "yarn": {"yarn", "run"}, "bun": {"bunx", "--no-install"},
	}[p.manager]
	return slices.Concat(start, []string{name}, args)
}

// node is how Node itself is started: where yarn keeps packages in archives (Plug'n'Play), only yarn's Node finds them.
func (p *nodeProject) node() []string {
	if p.manager == "yarn" && p.nearest(".pnp.cjs", ".") != "" {
		return []string{"yarn", "node"}
	}
	return []string{"node"}
}

// runScript is the command that runs a script, with more arguments for the last command in it.
func (p *nodeProject) runScript(name string, args ...string) []string {
	switch p.manager {
	case "pnpm":
		return append([]string{"pnpm", "--silent", "run", name}, args...)
	case "yarn":
		return append([]string{"yarn", "run", name}, args...)
	case "bun":
		return append([]string{"bun", "run", "--silent", name}, args...)
	}
	if len(args) > 0 {
		args = append([]string{"--"}, args...)
	}
	return append([]string{"npm", "run", "-s", name}, args...)
}
