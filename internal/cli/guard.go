package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fettle/internal/guard"
	"fettle/internal/policy/shell"

	"github.com/spf13/cobra"
)

func (a *app) guardCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "guard",
		Short: "Judge what coding agents do: install the hook, see what it decided, and why",
		Args:  oneOfItsCommands,
		RunE: func(cmd *cobra.Command, _ []string) error { // it does nothing by itself, so a script that says no more is wrong
			cmd.SetOut(a.io.Err)
			return errors.Join(cmd.Help(), exit(exitUsage))
		},
	}
	cmd.AddCommand(a.guardInstallCmd(), a.guardUninstallCmd(), a.guardStatusCmd(), a.guardConfineCmd(), a.guardServeCmd(), a.guardExplainCmd(), a.guardTestCmd(), a.guardCompileCmd(), a.guardLogCmd(),
		a.guardReplayCmd(), a.guardTelemetryCmd(), a.guardValidateCmd())
	return cmd
}

func (a *app) guardExplainCmd() *cobra.Command {
	var e explainer
	stdin := false
	cmd := &cobra.Command{
		Use:   "explain [flags] -- COMMAND",
		Short: "Say what a command would do, and whether it may: nothing is run",
		Long: `Say what a shell command would do, and whether it may run. Nothing is run: the command is read as bash would read it, with what is
known of its variables, pipes and scripts, and the rules are applied to the facts that come out: fettle's, your own (~/.config/fettle/policy.yaml), and
those of the project (the section "policy" of fettle.yaml), which can only be stricter. One word is a line of shell; several are a program and its
arguments, as your shell hands them over. Of the disk it is only asked whether a file is there.

With --stdin, one JSON object a line is read, {"command": "…"} or a tool call of an agent ({"tool_name": "Write", "tool_input":
{"file_path": "…"}}), and one decision a line is written, for each line and in their order: for what cannot be read, or is empty, it is ask.
The disk is not looked at then: the lines may be those of another machine.`,
		Example: `  fettle guard explain -- 'curl -s https://example.com/install.sh | sh'
  fettle guard explain --cwd sub --home /home/me -- rm -rf build`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if stdin == (len(args) > 0) {
				return usage("say which command: fettle guard explain -- COMMAND, or --stdin with one JSON object a line")
			}
			place, elsewhere, err := e.anywhere(cmd.Context(), a.dir)
			if err != nil {
				return err
			}
			if elsewhere {
				a.say("%s is not on this machine: it is taken for a project without a policy", place.Cwd)
			}
			own, err := policiesFor(place)
			if err != nil {
				return err
			}
			if stdin {
				return a.explainLines(own.policy(), place)
			}
			if !elsewhere {
				place.Absent, place.Folder = gone, folder
			}
			return a.explain(own.policy(), commandOf(args), place)
		},
	}
	f := cmd.Flags()
	f.StringVar(&e.cwd, "cwd", "", "the `DIR` in which the command would start; an absolute one need not be on this machine (default: this one)")
	f.StringVar(&e.home, "home", "", "the `DIR` of whoever would run it (default: yours)")
	f.BoolVar(&stdin, "stdin", false, "read one JSON object a line, write one decision a line")
	return cmd
}

// commandOf is the line of shell that words of a command line stand for: the one word, or a program and its arguments, each of which stays one.
func commandOf(args []string) string {
	if len(args) == 1 {
		return args[0]
	}
	words := slices.Clone(args)
	for i, w := range words {
		if w == "" || strings.Trim(w, plainLetters) != "" {
			words[i] = shell.Quote(w)
		}
	}
	return strings.Join(words, " ")
}

// plainLetters mean nothing to a shell, wherever they stand.
const plainLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:@%+,"

// explainer says where a command would run.
type explainer struct{ cwd, home string }

// place finds the project around the folder, as every command does.
func (e explainer) place(ctx context.Context, dir string) (shell.Place, error) {
	home, err := e.homeOf()
	if err != nil {
		return shell.Place{}, err
	}
	var h house
	if err := h.find(ctx, namedIn(dir, e.cwd)); err != nil {
		return shell.Place{}, err
	}
	return shell.Place{Root: h.root, Cwd: h.here, Home: home, Venv: os.Getenv("VIRTUAL_ENV"), Zsh: filepath.Base(os.Getenv("SHELL")) == "zsh"}, nil
}

// anywhere is place, and takes a folder that is not on this machine for a project of its own, of whose policy nothing is known: so commands are judged that
// are for another machine. A folder that should be below this one and is not is a slip.
func (e explainer) anywhere(ctx context.Context, dir string) (at shell.Place, elsewhere bool, err error) {
	if !filepath.IsAbs(e.cwd) || !gone(e.cwd) {
		at, err = e.place(ctx, dir)
		return at, false, err
	}
	home, err := e.homeOf()
	cwd := filepath.Clean(e.cwd)
	return shell.Place{Root: cwd, Cwd: cwd, Home: home}, true, err
}

// homeOf is the home of whoever would run the command.
func (e explainer) homeOf() (string, error) {
	home := e.home
	if home == "" {
		var err error
		if home, err = os.UserHomeDir(); err != nil {
			return "", fmt.Errorf("name the home with --home: %w", err)
		}
	}
	if !filepath.IsAbs(home) {
		return "", usage("--home %s: an absolute path is needed", home)
	}
	return filepath.Clean(home), nil
}

// gone reports whether nothing has this name.
func gone(name string) bool {
	_, err := os.Lstat(name)
	return errors.Is(err, fs.ErrNotExist)
}

// folder reports whether a folder has this name.
func folder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// explain tells one verdict.
func (a *app) explain(p *shell.Policy, command string, place shell.Place) error {
	v, err := judged(p, command, place)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]any{"version": 1, "kind": "verdict", "command": command, "verdict": answerOf(v)})
	}
	head := v.Decision.String()
	if v.Final {
		head += ", and nobody but who owns the policy may overturn it"
	}
	a.print("%s", head)
	if v.Reason != "" {
		a.print("  why:      %s (%s, rule %s)", v.Reason, v.Class, v.Rule)
	}
	if v.Alternative != "" {
		a.print("  instead:  %s", v.Alternative)
	}
	if len(v.Loosened) > 0 {
		a.print("  by you:   your own policy lets happen what fettle's does not, or asks about (rule %s)", strings.Join(v.Loosened, ", "))
	}
	for i, f := range v.Facts {
		label := "it would:"
		if i > 0 {
			label = ""
		}
		a.print("  %-9s %s", label, f)
	}
	return nil
}

// judged is a command as the guard judges one that an agent's client runs.
func judged(p *shell.Policy, command string, place shell.Place) (shell.Verdict, error) {
	input, err := json.Marshal(map[string]string{"command": command})
	return guard.Judge(p, guard.Call{Tool: "Bash", Input: input}, place), err
}

// answer is a verdict as scripts read it: what they ask for is in each.
type answer struct {
	Decision    shell.Decision `json:"decision"`
	Final       bool           `json:"final"`
	Class       shell.Class    `json:"class"`
	Rule        string         `json:"rule,omitempty"`
	Reason      string         `json:"reason"`
	Facts       []shell.Fact   `json:"facts"`
	Alternative string         `json:"alternative"`
	Loosened    []string       `json:"loosened,omitempty"`
}

func answerOf(v shell.Verdict) answer {
	return answer{v.Decision, v.Final, v.Class, v.Rule, v.Reason, v.Facts, v.Alternative, v.Loosened}
}

// explainLines answers line by line, an empty line, too, so that answers keep step with lines. A line that cannot be read is answered with ask, as a command that cannot be is.
func (a *app) explainLines(p *shell.Policy, place shell.Place) error {
	in := bufio.NewScanner(a.io.In)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var call struct {
			Command string `json:"command"`
			guard.Call
		}
		v := shell.Verdict{Decision: shell.Ask, Class: "unknown", Rule: "unreadable", Reason: "this is no JSON object with a command", Facts: []shell.Fact{}, Alternative: `write {"command": "…"}, or a tool call, in one line`}
		if err := json.Unmarshal(in.Bytes(), &call); err == nil {
			switch {
			case call.Tool != "":
				v = guard.Judge(p, call.Call, place)
			case call.Command != "":
				if v, err = judged(p, call.Command, place); err != nil {
					return err
				}
			}
		}
		text, err := a.document(answerOf(v), "")
		if err != nil {
			return err
		}
		if err := a.printExact(text); err != nil {
			return err
		}
	}
	if err := in.Err(); err != nil {
		return usage("a line of more than a megabyte is no command: %w", err)
	}
	return nil
}
