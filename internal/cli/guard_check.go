package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"fettle/internal/check"
	"fettle/internal/guard"
	"fettle/internal/guard/hook"
	"fettle/internal/phrase"
	"fettle/internal/policy/shell"
	"fettle/internal/policy/shell/tables"

	"github.com/spf13/cobra"
)

func (a *app) guardTestCmd() *cobra.Command {
	var e explainer
	project := false
	cmd := &cobra.Command{
		Use:   "test [flags] [FILE…]",
		Short: "Test a policy by the tests that stand in it",
		Long: `Judge what the tests of a policy name, and say which of them want another decision, and which of its rules never decide anything. Nothing is run.

Without a FILE these are the tests of the project's policy (fettle.yaml and the files that it names), judged by fettle's rules and the project's,
and those of your own (~/.config/fettle/policy.yaml), judged by fettle's rules and yours: each holds on every machine, whatever the other says.
A FILE is judged as a policy of your own, with --project as a project's.`,
		Example: `  fettle guard test
  fettle guard test --project policy/rules.yaml`,
		RunE: func(cmd *cobra.Command, args []string) error {
			place, err := e.place(cmd.Context(), a.dir)
			if err != nil {
				return err
			}
			suites, err := a.suites(place, args, project)
			if err != nil {
				return err
			}
			return a.guardTest(suites, place)
		},
	}
	f := cmd.Flags()
	f.StringVar(&e.cwd, "cwd", "", "the `DIR` in which the commands would start, which must be there (default: this one)")
	f.StringVar(&e.home, "home", "", "the `DIR` of whoever would run them (default: yours)")
	f.BoolVar(&project, "project", false, "judge each FILE as a project's policy, which can only be stricter")
	return cmd
}

// suite is tests, and the policy by which they are judged.
type suite struct {
	policy *shell.Policy
	tests  []tables.Test
	home   string // where they are written
}

// suites are those of the files, or of the project and the user.
func (a *app) suites(at shell.Place, files []string, project bool) ([]suite, error) {
	if len(files) == 0 {
		for _, text := range misnamed(hook.Sources(os.Getenv, at.Home, at.Root)...) {
			a.say("%s", text)
		}
		p, err := policiesFor(at)
		if err == nil {
			err = misread(at.Root)
		}
		if err != nil {
			return nil, err
		}
		if wrong := compileFor(at).Wrong; wrong != "" {
			return nil, usage("%s", wrong)
		}
		return []suite{
			{&shell.Policy{Stricter: p.project.Rules}, p.project.Tests, check.FileName + ", below policy"},
			{&shell.Policy{Programs: p.user.Programs, Rules: p.user.Rules}, p.user.Tests, p.from[0].Path},
		}, nil
	}
	var out []suite
	for _, name := range files {
		path := namedIn(a.dir, name)
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, usage("the policy cannot be read: %w", err)
		}
		read, theirs := tables.Read, project
		if filepath.Base(name) == check.FileName {
			read, theirs = tables.Section, true
		}
		doc, err := read(name, data)
		if err == nil && filepath.Base(name) == check.FileName {
			err = misread(filepath.Dir(path))
		}
		if err == nil {
			err = merge(doc, func(file string) ([]byte, string, error) {
				file = namedIn(filepath.Dir(path), file)
				data, err := os.ReadFile(file)
				return data, file, err
			})
		}
		if err == nil {
			err = doc.Named(doc.Programs)
		}
		switch {
		case err != nil:
			return nil, usage("%w", err)
		case theirs:
			out = append(out, suite{&shell.Policy{Stricter: doc.Rules}, doc.Tests, name})
		default:
			out = append(out, suite{&shell.Policy{Programs: doc.Programs, Rules: doc.Rules}, doc.Tests, name})
		}
	}
	return out, nil
}

// tested is what became of one test.
type tested struct {
	File    string         `json:"file"`
	Line    int            `json:"line"`
	Command string         `json:"command,omitempty"`
	Tool    string         `json:"tool,omitempty"`
	Why     string         `json:"why,omitempty"`
	Want    shell.Decision `json:"want"`
	Right   bool           `json:"right"`
	Verdict shell.Verdict  `json:"verdict"`
}

// guardTest judges all tests and tells of those that are wrong, one line each.
func (a *app) guardTest(suites []suite, at shell.Place) error {
	results := []tested{}
	idle := []shell.Idle{}
	wrong := 0
	for _, s := range suites {
		idle = append(idle, s.policy.Idle()...)
		for _, t := range s.tests {
			r := tested{File: t.File, Line: t.Line, Command: t.Command, Tool: t.Tool, Why: t.Why, Want: t.Want}
			if t.Tool != "" {
				r.Verdict = guard.Judge(s.policy, guard.Call{Tool: t.Tool, Input: t.Input}, at)
			} else {
				r.Verdict = s.policy.Judge(t.Command, at)
			}
			if r.Right = r.Verdict.Decision == t.Want; !r.Right {
				wrong++
			}
			results = append(results, r)
		}
	}
	if a.json {
		if err := a.printJSON(map[string]any{"version": 1, "kind": "policy-tests", "tests": len(results), "wrong": wrong, "results": results, "idle": idle}); err != nil {
			return err
		}
	} else {
		for _, i := range idle {
			a.print("rule %s never decides anything: %s", i.Rule, i.Why)
		}
		a.tellTests(results, wrong)
	}
	if len(results) == 0 {
		return &exitError{code: 1, err: noTests(suites)} // as most test runners do: what tested nothing has proved nothing
	}
	if wrong > 0 {
		return exit(1)
	}
	return nil
}

// noTests says that there are none, and how one is written.
func noTests(suites []suite) error {
	homes := make([]string, len(suites))
	for i, s := range suites {
		homes[i] = s.home
	}
	return fmt.Errorf(`there are no tests: write some into %s:
  tests:
    - {command: git push origin topic, want: ask, why: a person looks at it first}
    - {tool: Write, input: {file_path: .husky/pre-push}, want: deny}`, strings.Join(homes, ", or into "))
}

func (a *app) tellTests(results []tested, wrong int) {
	for _, r := range results {
		if r.Right {
			continue
		}
		what, why, rule := r.Command, "", "no rule"
		if r.Tool != "" {
			what = "the tool " + r.Tool
		}
		if r.Why != "" {
			why = " (" + r.Why + ")"
		}
		if r.Verdict.Rule != "" {
			rule = "rule " + r.Verdict.Rule
		}
		facts := make([]string, len(r.Verdict.Facts))
		for i, f := range r.Verdict.Facts {
			facts[i] = f.String()
		}
		a.print("%s:%d: want %s%s, got %s by %s: %q: %s", r.File, r.Line, r.Want, why, r.Verdict.Decision, rule, what, strings.Join(facts, "; "))
	}
	switch {
	case len(results) == 0:
	case wrong == 0:
		a.print("%s, all right", phrase.Count(len(results), "test"))
	default:
		a.print("%d of %d tests are wrong", wrong, len(results))
	}
}
