package check

import (
	"slices"
	"strings"

	"fettle/internal/pattern"
)

// checks are the package's checks, and apart from them those of scripts that only run the members' scripts.
func (p *nodeProject) checks() (checks, passed []Check) {
	checks = slices.Concat(p.tests(), p.build(), p.types(), p.lint(), p.format())
	for i := range checks {
		checks[i].Lang = "javascript"
	}
	for _, s := range nodeScripts {
		for _, name := range s.names {
			if text := strings.TrimSpace(p.scripts[name]); text != "" && handsOn(text) && !watches(s.kind, text) {
				passed = append(passed, Check{Name: scriptName(s.kind), Lang: "javascript", Run: p.runScript(name), Env: map[string]string{"CI": "1"}})
				break
			}
		}
	}
	return checks, passed
}

// scriptName is the name of a check that is a script.
func scriptName(kind string) string {
	if kind == "test" || kind == "build" {
		return kind
	}
	return kind + ".script"
}

// script is the check that runs the first script of a kind that holds a command that we do not know; none where there is no such
// script, or where it never ends.
func (p *nodeProject) script(kind string) []Check {
	for _, s := range nodeScripts {
		if s.kind != kind {
			continue
		}
		for _, name := range s.names {
			if p.skipped(name) || p.writes(kind, name) {
				continue
			}
			if _, known := p.commands(name); known || watches(kind, p.scripts[name]) {
				return nil
			}
			c := Check{Name: scriptName(kind), Run: p.runScript(name), Env: map[string]string{"CI": "1"}}
			if compiles.MatchString(p.scripts[name]) {
				c.Parser = "tsc"
			}
			return []Check{c}
		}
	}
	return nil
}

// writes reports whether a script of these names formats files: that is no judgement.
func (p *nodeProject) writes(kind, script string) bool {
	return kind == "format" && (slices.Contains([]string{"format", "fmt", "prettier"}, script) || formats.MatchString(p.scripts[script]))
}

var compiles = pattern.New(`\b(?:vue-)?tsc\b`)

var formats = pattern.New(`\s(?:--write|--fix|-w)\b`)

// build is the build, where it is more than the compiler that type.tsc runs as well.
func (p *nodeProject) build() []Check {
	checks := p.script("build")
	for i := range checks {
		checks[i].Alone = true // it writes
	}
	return checks
}

func (p *nodeProject) types() []Check {
	asked := slices.Concat(p.asked["tsc"], p.asked["vue-tsc"])
	if len(asked) == 0 {
		if script := p.script("type"); script != nil {
			return script
		}
		if !p.configured("tsc") || !p.names["typescript"] && !p.above["typescript"] {
			return nil
		}
		asked = []nodeCommand{{tool: "tsc"}}
	}
	return distinct(asked, p.tsc)
}

// tsc is the compiler told to look and not to write.
func (p *nodeProject) tsc(command nodeCommand) Check {
	args := without(command.args, "--watch", "-w", "--preserveWatchOutput", "--pretty=", "--noEmit", "--incremental", "--verbose", "--force", "-f", "--clean", "--dry")
	builds := slices.Contains(args, "-b") || slices.Contains(args, "--build")
	if !builds && len(args) == 0 && references.Match(p.read(p.at("tsconfig.json"))) {
		builds, args = true, []string{"-b"}
	}
	c := Check{Name: "type.tsc", Parser: "tsc", Env: command.environment(), Files: []string{"**/*.ts", "**/*.tsx", "**/*.mts", "**/*.cts", "**/*.js", "**/*.jsx", "**/*.mjs", "**/*.cjs",
		"**/*.vue", "**/*.json"}}
	if builds {
		// What a project refers to has to be built before it, which --noEmit would forbid; a build goes by times of files,
		// which say little in a tree that patches go in and out of.
		c.Run, c.Alone = p.tool(command.tool, append(args, "--force", "--pretty", "false")...), true
	} else {
		c.Run = p.tool(command.tool, append([]string{"--noEmit", "--pretty", "false"}, args...)...)
	}
	return c
}

// distinct are the checks that commands of scripts come to, one for every command line.
func distinct(asked []nodeCommand, checkOf func(nodeCommand) Check) []Check {
	var checks []Check
	for _, command := range asked {
		c := checkOf(command)
		if !slices.ContainsFunc(checks, func(o Check) bool { return slices.Equal(o.Run, c.Run) }) {
			checks = append(checks, c)
		}
	}
	return checks
}

// references recognises a tsconfig.json that refers to other projects.
var references = pattern.New(`(?m)^[^/\n]*"references"\s*:\s*\[\s*\{`)

var eslintValues = []string{"-c", "--config", "--ext", "--ignore-pattern", "--ignore-path", "--max-warnings", "--parser", "--parser-options", "--plugin", "--rule",
	"--rulesdir", "--resolve-plugins-relative-to", "--env", "--global", "--flag", "--concurrency", "--report-unused-disable-directives-severity"}

// lint is ESLint and Biome, and a script of lint in which others stand too.
func (p *nodeProject) lint() []Check {
	asked := p.asked["eslint"]
	if len(asked) == 0 && p.configured("eslint") {
		asked = []nodeCommand{{}}
	}
	checks := distinct(asked, p.eslint)
	if c, ok := p.biome("lint"); ok {
		checks = append(checks, c)
	}
	return append(checks, p.script("lint")...)
}

func (p *nodeProject) eslint(command nodeCommand) Check {
	args := without(command.args, "--fix", "--fix-dry-run", "--fix-type=", "-f=", "--format=", "-o=", "--output-file=", "--cache", "--cache-file=", "--cache-location=",
		"--cache-strategy=", "--color", "--no-color", "--debug")
	if !positional(args, eslintValues...) {
		args = append(args, ".")
	}
	return Check{
		Name: "lint.eslint", Parser: "eslint", Env: command.environment(), Run: p.tool("eslint", append(slices.Clone(args), "--format", "json")...),
		Fix: [][]string{p.tool("eslint", append(slices.Clone(args), "--fix")...)},
		Files: []string{"**/*.js", "**/*.jsx", "**/*.mjs", "**/*.cjs", "**/*.ts", "**/*.tsx", "**/*.mts", "**/*.cts", "**/*.vue", "**/*.svelte", "**/*.astro",
			"**/*.md", "**/*.json", "**/.eslintrc*", "**/.eslintignore"},
	}
}

// biome is Biome's check of a kind: what scripts ask of it, else all that it does as one check.
func (p *nodeProject) biome(kind string) (Check, bool) {
	asked := p.asked["biome"]
	if kind == "format" {
		asked = p.asked["biome format"]
	}
	sub, args := "check", []string(nil)
	switch {
	case len(asked) > 0:
		sub, args = asked[0].args[0], asked[0].args[1:]
	case kind == "format" || !p.configured("biome") && !p.names["@biomejs/biome"]:
		return Check{}, false
	}
	if sub == "ci" {
		sub = "check" // the same, for a terminal
	}
	args = without(args, "--write", "--fix", "--apply", "--apply-unsafe", "--unsafe", "--reporter=", "--max-diagnostics=", "--colors=", "--staged", "--changed", "--since=",
		"--verbose")
	if !positional(args, "--config-path", "--diagnostic-level", "--only", "--skip", "--stdin-file-path", "--log-level") {
		args = append(args, ".")
	}
	return Check{
		Name: kind + ".biome", Parser: "biome",
		Run: p.tool("biome", slices.Concat([]string{sub, "--reporter=github", "--max-diagnostics=none", "--colors=off"}, args)...),
		Fix: [][]string{p.tool("biome", slices.Concat([]string{sub, "--write"}, args)...)},
	}, true
}

// format is Prettier and Biome. Where Prettier runs inside ESLint and no script speaks for it, it is no check of its own.
func (p *nodeProject) format() []Check {
	asked := p.asked["prettier"]
	if len(asked) == 0 && (p.names["prettier"] || p.configured("prettier")) && !p.names["eslint-plugin-prettier"] {
		asked = []nodeCommand{{}}
	}
	checks := distinct(asked, p.prettier)
	if c, ok := p.biome("format"); ok {
		checks = append(checks, c)
	}
	return append(checks, p.script("format")...)
}

func (p *nodeProject) prettier(command nodeCommand) Check {
	args := without(command.args, "--write", "-w", "--check", "-c", "--list-different", "-l", "--log-level=", "--loglevel=", "--cache", "--cache-location=",
		"--cache-strategy=", "--color", "--no-color", "--no-error-on-unmatched-pattern")
	if !positional(args, "--config", "--ignore-path", "--plugin", "--config-precedence", "--parser", "--print-width", "--tab-width", "--trailing-comma", "--end-of-line") {
		args = append(args, ".")
	}
	return Check{
		Name: "format.prettier", Parser: "prettier", Env: command.environment(), Run: p.tool("prettier", append([]string{"--check"}, args...)...),
		Fix: [][]string{p.tool("prettier", append([]string{"--write"}, args...)...)},
	}
}
