package check

import (
	"errors"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// hook is a command that a hook runner knows.
type hook struct {
	name   string   // by which the runner can be told to leave it out; empty: it has none
	tool   []string // the words of its name that may say its tool
	words  []string // its command, as far as it is known
	brings bool     // the runner installs its tool
}

// hookChecks are the checks that run the repository's hooks: those that no other check stands for. A check whose program
// is not there is left to its hook, if the runner of the hooks brings the program along.
func (t *tree) hookChecks(found []Check) (kept, hooks []Check, notes []Note) {
	if !t.has(".git") {
		return found, nil, nil // hooks are git's: without it, their runners do not work
	}
	kept, hooks, notes = t.preCommitChecks(found)
	return kept, append(hooks, t.lefthookChecks(kept)...), notes
}

// preCommitConfig is what matters of a .pre-commit-config.yaml. Source: https://pre-commit.com/#adding-pre-commit-plugins-to-your-project
type preCommitConfig struct {
	DefaultStages []string `yaml:"default_stages"`
	Repos         []struct {
		Repo  string
		Hooks []struct {
			ID, Alias, Entry, Language string
			Stages                     []string
		}
	}
}

// notJudging are hooks that judge the act of committing, not what is in the repository.
var notJudging = []string{"no-commit-to-branch"}

// preCommitChecks are the check of pre-commit's hooks, with pre-commit or prek, whichever is there.
func (t *tree) preCommitChecks(found []Check) (kept, hooks []Check, notes []Note) {
	const file = ".pre-commit-config.yaml"
	var config preCommitConfig
	if !readYAML(t.read(file), &config) {
		return found, nil, nil
	}
	var skip, run []string
	program := "pre-commit"
	if onPath(program) == "" && onPath("prek") != "" {
		program = "prek"
	}
	missing := onPath(program) == ""
	for _, h := range config.hooks() {
		c, is := standsFor(h, found)
		switch {
		case slices.Contains(notJudging, h.name):
			skip = append(skip, h.name)
		case is && (missing || !h.brings || t.available(found[c])):
			skip = append(skip, h.name)
		default:
			run = append(run, h.name)
			if is {
				found = slices.Delete(slices.Clone(found), c, c+1)
			}
		}
	}
	switch {
	case len(run) == 0:
		return found, nil, nil
	case missing:
		return found, nil, []Note{{File: file, Text: "these hooks are not checked, because neither pre-commit nor prek is on PATH: " + strings.Join(run, ", ")}}
	}
	argv := []string{program, "run", "--all-files", "--color=never"}
	c := Check{Name: "lint.pre-commit", Run: argv, Parser: "hooks", Fix: [][]string{argv}, Alone: true}
	if len(skip) > 0 {
		c.Env = map[string]string{"SKIP": strings.Join(unique(skip), ",")}
	}
	return found, []Check{c}, nil
}

// hooks are those that run before a commit.
func (c preCommitConfig) hooks() []hook {
	var out []hook
	for _, r := range c.Repos {
		for _, h := range r.Hooks {
			stages := h.Stages
			if len(stages) == 0 {
				stages = c.DefaultStages
			}
			if len(stages) > 0 && !slices.Contains(stages, "pre-commit") && !slices.Contains(stages, "commit") || h.ID == "" {
				continue
			}
			name := h.ID
			if h.Alias != "" {
				name = h.Alias
			}
			system := r.Repo == "local" && slices.Contains([]string{"system", "script", "unsupported", "unsupported_script"}, h.Language)
			out = append(out, hook{name: name, tool: strings.FieldsFunc(h.ID, notWord), words: strings.Fields(h.Entry), brings: !system})
		}
	}
	return out
}

// available reports whether a check's program is there. What comes by a launcher such as `python -m` is taken to be.
func (t *tree) available(c Check) bool {
	if strings.Contains(c.Run[0], "/") {
		return t.has(strings.TrimPrefix(c.Dir+"/"+c.Run[0], "/"))
	}
	return onPath(c.Run[0]) != ""
}

// readYAML reads what a document has of the expected shape; false when it is none.
func readYAML(b []byte, v any) bool {
	err := yaml.Unmarshal(b, v)
	odd := new(yaml.TypeError)
	return err == nil || errors.As(err, &odd)
}
