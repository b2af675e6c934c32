package check

import (
	"maps"
	"slices"
	"strings"
)

// lefthookConfig is what matters of a lefthook.yml. Source: https://lefthook.dev/configuration/
type lefthookConfig struct {
	Extends   any
	Remotes   any
	PreCommit lefthookHook `yaml:"pre-commit"`
	PrePush   lefthookHook `yaml:"pre-push"`
}

type lefthookHook struct {
	Commands map[string]lefthookJob
	Scripts  map[string]any
	Jobs     []lefthookJob
}

type lefthookJob struct {
	Name, Run, Script string
	Skip              any
	Group             *struct{ Jobs []lefthookJob }
}

// lefthookChecks are the checks of lefthook's commands before a commit and before a push. They run by lefthook itself,
// which alone knows its templates, globs and conditions.
func (t *tree) lefthookChecks(found []Check) []Check {
	file := t.first(lefthookFiles...)
	var config lefthookConfig
	if file == "" || !readYAML(t.read(file), &config) {
		return nil
	}
	program := "lefthook"
	switch local := "node_modules/.bin/lefthook"; {
	case t.has(local):
		program = local
	case onPath(program) == "":
		return nil
	}
	more := config.Extends != nil || config.Remotes != nil
	var checks []Check
	for _, h := range []struct {
		on, name string
		hook     lefthookHook
	}{{"pre-commit", "lint.lefthook", config.PreCommit}, {"pre-push", "lint.lefthook-push", config.PrePush}} {
		skip, run := h.hook.split(found)
		if run == 0 && (!more || len(skip) == 0) {
			continue
		}
		argv := []string{program, "run", h.on, "--all-files", "--fail-on-changes", "--no-auto-install", "--no-stage-fixed", "--no-tty", "--colors=off"}
		c := Check{Name: h.name, Run: argv, Parser: "lefthook", Fix: [][]string{argv}, Alone: true}
		if len(skip) > 0 {
			c.Env = map[string]string{"LEFTHOOK_EXCLUDE": strings.Join(unique(skip), ",")}
		}
		checks = append(checks, c)
	}
	return checks
}

// split tells the names of the commands that another check stands for from the number of those that have to run.
func (h lefthookHook) split(found []Check) (skip []string, run int) {
	jobs := slices.Clone(h.Jobs)
	for _, name := range slices.Sorted(maps.Keys(h.Commands)) {
		job := h.Commands[name]
		job.Name = name
		jobs = append(jobs, job)
	}
	for len(jobs) > 0 {
		j := jobs[0]
		jobs = jobs[1:]
		if j.Group != nil {
			jobs = append(jobs, j.Group.Jobs...)
			continue
		}
		if j.Skip == true || j.Run == "" && j.Script == "" {
			continue
		}
		_, is := standsFor(hook{words: strings.Fields(j.Run)}, found)
		if is && j.Name != "" && !strings.Contains(j.Name, ",") && !compound(j.Run) {
			skip = append(skip, j.Name)
		} else {
			run++
		}
	}
	return skip, run + len(h.Scripts)
}

// compound reports whether a command is more than one: a check may stand for the first of them only.
func compound(run string) bool { return strings.ContainsAny(run, ";|&\n") }
