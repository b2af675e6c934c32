package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fettle/internal/guard/child"
	"fettle/internal/guard/confine"
	"fettle/internal/guard/hook"
	"fettle/internal/guard/resident"
	"fettle/internal/guard/setup"
	"fettle/internal/phrase"
	"fettle/internal/policy/shell"

	"github.com/spf13/cobra"
)

// guardStatus is what can be said of the guard on this machine.
type guardStatus struct {
	Version   int                         `json:"version"`
	Kind      string                      `json:"kind"`
	Settings  []setup.Status              `json:"settings"`
	Commands  map[string][]string         `json:"commands"` // and skills that are there, by the settings file
	Resident  *residentStatus             `json:"resident,omitempty"`
	Policies  []string                    `json:"policies"`            // people's own, for where the command was given
	Wrong     string                      `json:"wrong,omitempty"`     // they cannot be used: everything but looking is asked about
	Troubles  []string                    `json:"troubles,omitempty"`  // files that settle something, and are not read, or not understood: one line each
	Canary    map[setup.Client]hook.Proof `json:"canary,omitempty"`    // what became of it when a client's last session began; left out: none has
	Damaged   []string                    `json:"damaged,omitempty"`   // what sessions' memories have been set aside in
	Telemetry string                      `json:"telemetry,omitempty"` // the endpoint that is told of decisions
	Confined  bool                        `json:"confined,omitempty"`  // whoever asks cannot write to the home, though it is theirs (fettle guard confine)
	Today     map[string]int              `json:"today"`               // decisions since midnight, UTC
	Log       string                      `json:"log"`

	home string
}

// residentStatus is what the guard that stays says.
type residentStatus struct {
	Listen string `json:"listen"`
	Why    string `json:"why,omitempty"` // it does not hold
	Other  bool   `json:"other_build,omitempty"`
}

func (a *app) guardStatusCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Say which agents are guarded, and whether the guard held when it was last tried",
		Long: `Say which agents are guarded, whether what is installed still refuses what it must, and what was decided today. What is there and does not hold is marked:
a guard that does not answer or is switched off, a policy that cannot be used, a file that is not read for its name.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := a.lookAtGuard(cmd.Context())
			if err != nil {
				return err
			}
			if a.json {
				err = a.printJSON(s)
			} else {
				a.tellGuard(s)
			}
			if err != nil {
				return err
			}
			switch {
			case s.fails():
				return exit(1)
			case len(s.active()) == 0:
				return exit(exitUnguarded)
			}
			return nil
		},
	}
}

func (a *app) lookAtGuard(ctx context.Context) (*guardStatus, error) {
	dir, err := hook.Folder(os.Getenv)
	if err != nil {
		return nil, err
	}
	at, err := explainer{}.place(ctx, a.dir)
	if err != nil {
		return nil, err
	}
	s := &guardStatus{Version: 1, Kind: "guard-status", Commands: map[string][]string{}, Today: map[string]int{}, Log: hook.LogFolder(dir), home: at.Home}
	for _, project := range []string{"", at.Root} {
		for _, c := range setup.Clients {
			if c == setup.Gemini && !used(c, project) {
				continue
			}
			if err := s.lookAt(setup.Where{Client: c, Project: project, Getenv: os.Getenv}, dir); err != nil {
				return nil, err
			}
		}
	}
	for i := range s.Settings {
		s.Settings[i].Trouble = cmp.Or(s.Settings[i].Trouble, doubt(s.Settings[i], at.Root), unasked(s.Settings[i], at.Root, dir))
	}
	if s.Canary, err = proofs(dir); err != nil {
		return nil, err
	}
	if s.Resident, err = lookAtResident(ctx, dir); err != nil {
		return nil, err
	}
	s.lookAtPolicies(at)
	s.Telemetry, s.Damaged = a.reportsTo(), hook.Damaged(dir)
	s.Confined, _ = confine.Holds(at.Home) // where that cannot be told, nothing is said
	today := filepath.Join(s.Log, time.Now().UTC().Format(time.DateOnly)+".jsonl")
	if _, err := os.Stat(today); errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	_, err = eachEntry(today, func(_ []byte, e hook.Entry) error {
		if e.Before() && e.Session != hook.CanarySession {
			s.Today[e.Decision.String()]++
		}
		return nil
	})
	return s, err
}

// proofs are what the last canaries of the clients have said.
func proofs(dir string) (map[setup.Client]hook.Proof, error) {
	all := map[setup.Client]hook.Proof{}
	for _, c := range setup.Clients {
		switch proof, err := hook.ReadProof(dir, string(c)); {
		case err == nil:
			all[c] = proof
		case !errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("what the last canary of %s said cannot be read: %w", c, err)
		}
	}
	return all, nil
}

// doubt is why a guard that is in the settings does not hold all the same; empty: it does.
func doubt(st setup.Status, project string) string {
	if !st.Active {
		return ""
	}
	if off := (setup.Where{Client: st.Client, Getenv: os.Getenv}).SwitchedOff(project); off != "" {
		return "no hook runs in this project: " + off + "; take it out there"
	}
	said, err := child.Ask([]string{st.Program}, os.Environ(), "/", []byte(hook.CanaryEvent), time.Now().Add(canaryFor))
	if err != nil {
		return fmt.Sprintf("%s gives no answer (%v): install the guard again", st.Program, err)
	}
	if said.Code != 2 && !bytes.Contains(said.Out, []byte(`"permissionDecision":"deny"`)) {
		return st.Program + " lets through what it must refuse: install the guard again"
	}
	return ""
}

// unasked is why a guard that would hold does not: the client has begun a session, and not asked it; empty: none is known.
func unasked(st setup.Status, project, dir string) string {
	if !st.Active {
		return ""
	}
	w := setup.Where{Client: st.Client, Getenv: os.Getenv}
	if own, err := w.File(); err == nil && own != st.File {
		w.Project = project
	}
	session, is := w.Unasked(dir, time.Now())
	if !is {
		return ""
	}
	return fmt.Sprintf("a session began at %s in %s, and the guard was not asked: begin a new one, and look at what the client says of its settings and hooks", session.Began.Local().Format(time.DateTime), session.Cwd)
}

// canaryFor is how long the guard may take to refuse a canary.
const canaryFor = 5 * time.Second

// lookAt adds what one client's settings say.
func (s *guardStatus) lookAt(w setup.Where, dir string) error {
	st, err := setup.Look(w)
	if err != nil {
		return err
	}
	var texts []setup.Text
	if st.Trouble == "" { // else what lies beside the settings is not to be had either
		texts, err = setup.NoCommands(w, dir)
	}
	for _, t := range texts {
		if !t.Other && !t.None() {
			s.Commands[st.File] = append(s.Commands[st.File], t.Name)
		}
	}
	if !st.NoHooks || s.Commands[st.File] != nil {
		s.Settings = append(s.Settings, st)
	}
	return err
}

// lookAtResident tries the guard that stays, where one was installed.
func lookAtResident(ctx context.Context, dir string) (*residentStatus, error) {
	post, err := resident.Read(dir)
	if errors.Is(err, resident.ErrNone) {
		return nil, nil
	}
	if err != nil {
		return &residentStatus{Why: err.Error()}, nil
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, ensureFor)
	defer cancel()
	st := &residentStatus{Listen: post.Listen}
	version, err := post.Prove(ctx)
	if err != nil {
		st.Why = err.Error()
	}
	st.Other = err == nil && version != identity(self)
	return st, nil
}

// lookAtPolicies adds the files in which somebody has settled something for a place, and what is wrong with them.
func (s *guardStatus) lookAtPolicies(at shell.Place) {
	sources := hook.Sources(os.Getenv, at.Home, at.Root)
	s.Policies, s.Troubles = []string{}, misnamed(sources...)
	own, err := policiesFor(at)
	if err != nil {
		s.Wrong = err.Error()
		return
	}
	if s.Wrong = compileFor(at).Wrong; s.Wrong != "" {
		return
	}
	if hook.See(sources[0]).Seen != "" {
		s.Policies = append(s.Policies, sources[0])
	}
	if err := misread(at.Root); err != nil {
		s.Troubles = append(s.Troubles, strings.Split(err.Error(), "\n")...)
	} else if len(own.project.Rules) > 0 {
		s.Policies = append(s.Policies, sources[1])
	}
}

// fails reports that something which is there does not hold.
func (s *guardStatus) fails() bool {
	return s.Wrong != "" || len(s.Troubles) > 0 || s.Resident != nil && s.Resident.Why != "" ||
		slices.ContainsFunc(s.Settings, func(st setup.Status) bool { return st.Trouble != "" || st.Active && s.Canary[st.Client].Why != "" })
}

// exitUnguarded says that no client asks the guard.
const exitUnguarded = 3

// byTheUser is the user's own settings that guard a client also where a project's do not; empty: none do.
func (s *guardStatus) byTheUser(of setup.Status) string {
	for _, st := range s.Settings {
		if own, err := (setup.Where{Client: of.Client, Getenv: os.Getenv}).File(); err == nil && st.Active && st.Client == of.Client && st.File == own && st.File != of.File {
			return st.File
		}
	}
	return ""
}

// active are the clients that ask the guard.
func (s *guardStatus) active() (all []setup.Client) {
	for _, st := range s.Settings {
		if st.Active && !slices.Contains(all, st.Client) {
			all = append(all, st.Client)
		}
	}
	return all
}

// tellCanaries says of each client that asks the guard whether that held when it last began a session: a client may have the guard in its settings, and not start it.
func (a *app) tellCanaries(s *guardStatus) {
	active := s.active()
	if len(active) == 0 {
		a.print("- canary  nothing is guarded now: fettle guard install")
	}
	for _, c := range active {
		p, tried := s.Canary[c]
		when := p.Time.Local().Format(time.DateTime)
		switch {
		case !tried && c == setup.Codex:
			a.print("- canary  %s: no session has told of itself since the guard came. If there was one, Codex does not trust its hooks yet: it asks when a session begins", c)
		case !tried:
			a.print("- canary  %s: no session has begun since the guard came", c)
		case p.Why != "":
			a.print("✗ canary  %s: %s: %s", c, when, p.Why)
		case slices.ContainsFunc(s.Settings, func(st setup.Status) bool { return st.Client == c && st.Trouble != "" }):
			a.print("- canary  %s: the last one that was tried was refused, %s: that is history", c, when)
		default:
			a.print("✓ canary  %s: refused when the last session began, %s", c, when)
		}
	}
}

// tellResident says whether the guard that stays holds, where there is one.
func (a *app) tellResident(r *residentStatus) {
	if r == nil {
		return
	}
	switch {
	case r.Listen == "":
		a.print("✗ serve   %s", r.Why)
	case r.Why != "":
		a.print("✗ serve   %s; the next session of Claude Code starts it, or: fettle guard serve --ensure", r.Why)
	case r.Other:
		a.print("! serve   another build of fettle answers on %s: fettle guard serve --ensure puts this one in its place", r.Listen)
	default:
		a.print("✓ serve   %s answers, and refuses what it must", r.Listen)
	}
}

func (a *app) tellGuard(s *guardStatus) {
	for _, st := range s.Settings {
		switch {
		case st.Trouble != "":
			a.print("✗ %-7s %s\n          %s", st.Client, st.File, st.Trouble)
		case st.NoHooks:
			a.print("- %-7s %s: the guard is hooked into your own settings, not into those of a project", st.Client, st.File)
		case !st.Active && s.byTheUser(st) != "":
			a.print("- %-7s %s: guarded by your own settings", st.Client, st.File)
		case !st.Active:
			a.print("- %-7s %s: not guarded", st.Client, st.File)
		case st.Missing != nil:
			a.print("! %-7s %s: guarded, but not told of %s: install the guard again", st.Client, st.File, strings.Join(st.Missing, ", "))
		case st.Outdated:
			a.print("! %-7s %s: guarded, but not as this fettle does it: install the guard again", st.Client, st.File)
		default:
			a.print("✓ %-7s %s: every tool call is judged", st.Client, st.File)
		}
		if names := s.Commands[st.File]; names != nil {
			a.print("          it has %s", strings.Join(names, ", "))
		}
	}
	a.tellResident(s.Resident)
	a.tellCanaries(s)
	for _, file := range s.Policies {
		a.print("✓ policy  %s", file)
	}
	if s.Wrong != "" {
		a.print("✗ policy  %s\n          until it is mended, everything but looking is asked about", s.Wrong)
	}
	for _, text := range s.Troubles {
		a.print("✗ policy  %s", text)
	}
	if n := len(s.Damaged); n > 0 {
		a.print("! memory  what was remembered of a session was found damaged %s, and is set aside in %s (fettle guard log --rule memory-damaged); remove it once you have looked", phrase.Count(n, "time"), filepath.Dir(s.Damaged[0]))
	}
	if s.Telemetry != "" {
		a.print("- sends   what is decided to %s (fettle guard telemetry)", s.Telemetry)
	}
	if s.Confined {
		a.print("✓ home    what runs here is confined: it cannot write to %s, but for the project and what programs keep for themselves", s.home)
	}
	if len(s.Today) > 0 {
		a.print("- today   %s: %d allowed, %d asked about, %d denied (fettle guard log)", phrase.Count(s.Today["allow"]+s.Today["ask"]+s.Today["deny"], "call"), s.Today["allow"], s.Today["ask"], s.Today["deny"])
	}
}
