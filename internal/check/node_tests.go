package check

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"fettle/internal/lang"
	"fettle/internal/pattern"
)

// nodeRunner is how a test runner is asked for a report that can be read.
type nodeRunner struct {
	parser string
	drop   []string // options that the report, or an end, would not go with; "=": it takes a value
	first  []string // words that must come first
	report []string
}

var nodeRunners = map[string]nodeRunner{
	"jest": {"jest", []string{"--watch", "--watchAll", "--json", "--outputFile=", "--testLocationInResults", "-u", "--updateSnapshot", "--reporters="}, nil,
		[]string{"--json", "--testLocationInResults", "--outputFile=" + reportMark}},
	"vitest": {"vitest", []string{"run", "watch", "dev", "--run", "--watch", "-w", "--ui", "--open", "--reporter=", "--outputFile=", "-u", "--update"}, []string{"run"},
		[]string{"--reporter=default", "--reporter=json", "--outputFile=" + reportMark}},
	"mocha": {"mocha", []string{"--watch", "-w", "--reporter=", "-R=", "--reporter-option=", "--reporter-options=", "-O="}, nil,
		[]string{"--reporter", "json", "--reporter-option", "output=" + reportMark}},
	"node": {"tap", []string{"--watch", "--test-reporter=", "--test-reporter-destination=", "--test"}, []string{"--test", "--test-reporter=tap"}, nil},
	"ava":  {"tap", []string{"--watch", "-w", "-u", "--update-snapshots", "--tap", "-t", "--verbose", "-v"}, nil, []string{"--tap"}},
	"tap":  {"tap", []string{"--watch", "-w", "--reporter=", "-R=", "--snapshot"}, nil, []string{"--reporter=tap"}},
	"tape": {"tape", nil, nil, nil},
	// Those that wrap jest and hand on what they do not know.
	"react-scripts": {"jest", []string{"test", "--watch", "--watchAll", "-u"}, []string{"test"}, []string{"--watchAll=false", "--json", "--testLocationInResults", "--outputFile=" + reportMark}},
}

func init() {
	nodeRunners["tsx"], nodeRunners["craco"] = nodeRunners["node"], nodeRunners["react-scripts"]
}

// tests is the check that runs the tests: by the script for them, else by a runner that is configured or required, else, where
// tests import Node's own, by node --test.
func (p *nodeProject) tests() []Check {
	for _, name := range nodeScripts[0].names {
		if p.skipped(name) {
			continue
		}
		commands, known := p.commands(name)
		if parts := p.partedTests(name, known); len(parts) > 0 {
			return parts
		}
		if c, ok := p.scriptedTest(name, commands, known); ok {
			return []Check{c}
		}
	}
	if p.scripts["test"] != "" && handsOn(p.scripts["test"]) {
		return nil
	}
	for _, tool := range []string{"vitest", "jest", "mocha", "ava"} {
		if (p.configured(tool) || p.names[tool]) && p.testFile(anyTest) {
			return []Check{p.testCheck(nodeCommand{tool: tool})}
		}
	}
	if p.testFile(nodeTest) {
		return []Check{p.testCheck(nodeCommand{tool: "node", args: []string{"--test"}})}
	}
	return nil
}

var (
	anyTest  = pattern.New(``)
	nodeTest = pattern.New(`(?:from\s+|require\(\s*|import\s+)["']node:test["']`)
)

// scriptedTest is the check of a script for tests. Where every command in it is understood, the runner's own command is the
// check: the others have checks of their own. Else the script is run as it stands, and its last command asked for a report, if it
// is a runner: what a package manager is given after the script's name goes to the last command.
func (p *nodeProject) scriptedTest(name string, commands []nodeCommand, known bool) (Check, bool) {
	runners := slices.DeleteFunc(slices.Clone(commands), func(c nodeCommand) bool { _, ok := nodeRunners[c.tool]; return !ok })
	builds := slices.ContainsFunc(commands, func(c nodeCommand) bool { return c.tool == "tsc" && !c.judges("") })
	switch {
	case known && !builds && len(runners) == 1:
		return p.testCheck(runners[0]), true
	case known && len(runners) == 0:
		return Check{}, false // linters, say: they have checks of their own
	case watches("test", p.scripts[name]):
		return Check{}, false
	}
	c := Check{Name: "test", Run: p.runScript(name), Env: map[string]string{"CI": "1"}}
	if p.names["tape"] && !strings.Contains(p.scripts[name], "|") {
		c.Parser = "tape"
	}
	if nodeLast.MatchString(p.scripts[name]) {
		c.Parser, c.Run = "tap", p.runScript(name, "--test-reporter=tap")
	}
	if len(runners) != 1 || commands[len(commands)-1].tool != runners[0].tool {
		return c, true
	}
	r := nodeRunners[runners[0].tool]
	if own := runners[0].args; len(r.report) > 0 && (runners[0].tool != "vitest" || slices.Contains(own, "run") || slices.Contains(own, "--run")) {
		c.Parser, c.Run = r.parser, p.runScript(name, r.report...)
	}
	return c, true
}

// testCheck is the command of a test runner, told to report.
func (p *nodeProject) testCheck(command nodeCommand) Check {
	r := nodeRunners[command.tool]
	args := slices.Concat(r.first, without(command.args, r.drop...), r.report)
	c := Check{Name: "test", Parser: r.parser, Env: command.environment()}
	c.Run = append(p.node(), args...)
	if command.tool != "node" {
		c.Run = p.tool(command.tool, args...)
	}
	if strings.HasPrefix(command.tool, "react") || command.tool == "craco" {
		c.Env = withCI(c.Env)
	}
	if (r.parser == "tap" || r.parser == "tape") && command.glob { // these tools leave it to the shell
		if line, ok := quoteCommand(c.Run); ok {
			c.Run = []string{"sh", "-c", "exec " + line}
		}
	}
	return c
}

func withCI(env map[string]string) map[string]string {
	out := map[string]string{"CI": "1"}
	for k, v := range env {
		out[k] = v
	}
	return out
}

// testFile reports whether the package has a test file whose text matches. It looks at a bounded number of files.
func (p *nodeProject) testFile(text *pattern.Pattern) bool {
	entries, files, found := 5000, 100, false
	_ = fs.WalkDir(p.fsys, p.dir, func(f string, e fs.DirEntry, err error) error {
		entries--
		switch {
		case err != nil || entries < 0 || files < 0:
			return fs.SkipAll
		case e.IsDir():
			if f != p.dir && (skippedDir(e.Name()) && e.Name() != "__tests__" || p.has(path.Join(f, "package.json"))) {
				return fs.SkipDir
			}
		case isNodeTest(f):
			files--
			if found = text.Match(p.read(f)); found {
				return fs.SkipAll
			}
		}
		return nil
	})
	return found
}

// isNodeTest reports whether a test runner would run the file.
func isNodeTest(file string) bool {
	l := lang.Of(file)
	return (l == lang.JavaScript || l == lang.TypeScript) && lang.IsTest(file)
}
