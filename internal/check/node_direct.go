package check

import (
	"maps"
	"os"
	"path"
	"slices"
)

// RunsScript reports whether the check's command has a package manager run a script of a package.json.
func (c Check) RunsScript() bool {
	return len(c.Run) > 1 && slices.Contains(nodeManagers, c.Run[0]) && slices.ContainsFunc(c.Run[1:], func(w string) bool { return w == "run" || w == "run-script" || w == "test" })
}

// Direct is the check by its test runner's own command, where its command is a script of a package.json in which nothing else has to go before
// it. What judges how much the tests cover is left out: a part of them would not pass it. The bool is false for every other check. root
// is the repository's folder; nothing is run.
func (c Check) Direct(root string) (Check, bool) {
	if !c.RunsScript() {
		return c, false
	}
	t := &tree{root: root, fsys: os.DirFS(root)}
	dir := path.Clean(c.Dir)
	pkg := readPackage(t.read(path.Join(dir, "package.json")))
	p := &nodeProject{tree: t, nodePackage: pkg, dir: dir, manager: c.Run[0]}
	script, _ := scriptCall(c.Run, pkg.scripts)
	if script == "" {
		return c, false
	}
	commands, _ := p.commands(script)
	var runner nodeCommand
	for _, command := range commands {
		_, runs := nodeRunners[command.tool]
		switch {
		case runs && runner.tool == "":
			runner = command
		case runs, command.tool == "", command.tool == "tsc" && !command.judges(""):
			return c, false
		}
	}
	if runner.tool == "" {
		return c, false
	}
	direct := p.testCheck(runner)
	if direct.Parser != c.Parser {
		return c, false
	}
	out := c
	out.Run = direct.Run
	out.Env = maps.Clone(c.Env)
	if out.Env == nil {
		out.Env = map[string]string{}
	}
	maps.Copy(out.Env, direct.Env)
	return out, true
}
