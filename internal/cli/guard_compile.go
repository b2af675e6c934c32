package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"

	"fettle/internal/guard/hook"
	"fettle/internal/guard/telemetry"
	"fettle/internal/guard/validate"
	"fettle/internal/policy/shell"
	"fettle/internal/policy/shell/tables"

	"github.com/spf13/cobra"
)

// guardCompileCmd is what the hook asks of fettle. It is hidden, as nobody else needs it.
func (a *app) guardCompileCmd() *cobra.Command {
	var at shell.Place
	cmd := &cobra.Command{
		Use:    "compile --root DIR --home DIR",
		Short:  "Write what people have settled for the guard in the form that its hook reads",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if !filepath.IsAbs(at.Root) || !filepath.IsAbs(at.Home) {
				return usage("--root and --home are absolute paths")
			}
			return json.NewEncoder(a.exact).Encode(compileFor(at))
		},
	}
	cmd.Flags().StringVar(&at.Root, "root", "", "the project's `DIR`")
	cmd.Flags().StringVar(&at.Home, "home", "", "the user's `DIR`")
	return cmd
}

// compileFor is what counts in a place. What is wrong with a policy stands in it: the hook has to say so to the agent.
func compileFor(at shell.Place) *hook.Settled {
	own, err := policiesFor(at)
	s := hook.NewSettled(own.from)
	if err == nil && smuggled(own.from[0].Path, at.Root, realHome()) && own.settles() {
		err = fmt.Errorf("%s lies in the project, and would say what its reader's guard lets through; XDG_CONFIG_HOME or HOME leads there", own.from[0].Path)
	}
	if err == nil {
		s.Telemetry = own.user.Telemetry != nil
		s.Validator, err = validatorOf(own.user.Validator)
	}
	if err == nil && len(own.user.Programs)+len(own.user.Rules)+len(own.project.Rules) > 0 {
		s.Policy, err = own.policy().Compiled()
	}
	if err != nil {
		s.Wrong = "the policy cannot be used: " + err.Error()
	}
	return s
}

// validatorOf is a validator as the hook starts it: its program by its path.
func validatorOf(d *tables.Validator) (*validate.Validator, error) {
	if d == nil {
		return nil, nil
	}
	v := &validate.Validator{Command: append([]string(nil), d.Command...), Deadline: d.Deadline, Strict: d.Strict}
	if v.Deadline == 0 {
		v.Deadline = validate.DefaultDeadline
	}
	for _, s := range d.Stages {
		v.Stages = append(v.Stages, validate.Stage(s))
	}
	program, err := programOf(d.Command[0])
	if err == nil {
		v.Command[0] = program
		err = v.Valid()
	}
	if err != nil {
		return nil, &tables.Error{File: d.File, Line: d.Line, Text: err.Error()}
	}
	return v, nil
}

// telemetryOf is where decisions are sent to.
func telemetryOf(d *tables.Telemetry) (*telemetry.Setting, error) {
	if d == nil {
		return nil, nil
	}
	s := &telemetry.Setting{Endpoint: d.Endpoint, Headers: d.Headers, Unencrypted: d.Unencrypted}
	if _, err := s.URL(); err != nil {
		return nil, &tables.Error{File: d.File, Line: d.Line, Text: err.Error()}
	}
	return s, nil
}

// smuggled reports a policy of the user's that lies in the project itself: a repository can set variables for the agents that work in it, also those that
// say where policies are. Whoever works in their own home, or above it, keeps their policy there.
func smuggled(policy, root, home string) bool {
	if ends, err := filepath.EvalSymlinks(policy); err == nil {
		policy = ends
	}
	return within(root, policy) && !within(root, home)
}

// realHome is the user's home folder as the system knows it, whatever the environment says; empty if it does not.
func realHome() string {
	u, err := user.Current()
	if err != nil {
		return ""
	}
	if ends, err := filepath.EvalSymlinks(u.HomeDir); err == nil {
		return ends
	}
	return u.HomeDir
}

// programOf is where a program is. fettle is this one, wherever it is.
func programOf(name string) (string, error) {
	switch {
	case name == "fettle":
		return os.Executable()
	case filepath.IsAbs(name):
		if info, err := os.Stat(name); err != nil || info.IsDir() || info.Mode()&0o111 == 0 {
			return "", fmt.Errorf("the validator %s is not there, or is no program", name)
		}
		return name, nil
	case filepath.Base(name) != name:
		return "", fmt.Errorf("the validator %s is named by an absolute path, or by a name that is in the PATH", name)
	}
	found, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("the validator %s is not in the PATH", name)
	}
	return filepath.Abs(found)
}
