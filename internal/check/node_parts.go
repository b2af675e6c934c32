package check

import (
	"slices"
	"strings"

	"fettle/internal/pattern"
)

// partedTests are the checks of a script for tests that only has other scripts run, one after the other, where not all of them can
// be taken apart: "npm run lint && npm run unit". Each script for tests is a check; those of linters and compilers have checks of their
// own, and what they find is not the tests' failure. A script that does anything else stays whole, because the tests may need it.
func (p *nodeProject) partedTests(script string, known bool) []Check {
	steps := splitSteps(p.scripts[script])
	if known || len(steps) < 2 || p.scripts["pre"+script] != "" || p.scripts["post"+script] != "" {
		return nil
	}
	var checks []Check
	var names []string
	for _, step := range steps {
		words, err := SplitCommand(step)
		if err != nil {
			return nil
		}
		name, args := scriptCall(words, p.scripts)
		switch {
		case name == "" || len(args) > 0:
			return nil
		case p.judgedElsewhere(name):
			continue
		case !testScript.MatchString(name):
			return nil
		}
		commands, known := p.commands(name)
		c, ok := p.scriptedTest(name, commands, known)
		if !ok {
			return nil
		}
		checks, names = append(checks, c), append(names, testLabel(name))
	}
	if len(checks) > 1 {
		for i := range checks {
			checks[i].Name = "test." + names[i]
		}
		if len(unique(names)) < len(names) {
			return nil
		}
	}
	return checks
}

var (
	testScript = pattern.New(`^(?:tests?|unit)(?:[:.-][\w:.-]+)?$`)
	nodeLast   = pattern.New(`(?:^|\s)node(?: --[\w-]+(?:=\S+)?)* --test(?: --[\w-]+=\S+)*$`) // without files: what is added still is an option
)

// testLabel tells apart the scripts for tests of a package: "test:unit" is unit.
func testLabel(script string) string {
	if i := strings.IndexAny(script, ":.-"); i >= 0 {
		return label(script[i+1:])
	}
	return label(script)
}

// judgedElsewhere reports whether a script is another check: of tools that are known, or as the script of its kind.
func (p *nodeProject) judgedElsewhere(script string) bool {
	commands, known := p.commands(script)
	if known && !slices.ContainsFunc(commands, func(c nodeCommand) bool {
		_, runs := nodeRunners[c.tool]
		return runs || c.tool == "tsc" && !c.judges("")
	}) {
		return true
	}
	for _, kind := range []string{"type", "lint", "format"} {
		for _, c := range p.script(kind) {
			if slices.Equal(c.Run, p.runScript(script)) {
				return true
			}
		}
	}
	return false
}
