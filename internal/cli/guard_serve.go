package cli

import (
	"context"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"time"

	"fettle/internal/guard/child"
	"fettle/internal/guard/hook"
	"fettle/internal/guard/resident"
	"fettle/internal/guard/setup"
	"fettle/internal/report"

	"github.com/spf13/cobra"
)

// ensureFor is how long a session that begins waits for the resident guard to be there.
const ensureFor = 5 * time.Second

func (a *app) guardServeCmd() *cobra.Command {
	var ensure, stop, unit bool
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Stay, and answer Claude Code over HTTP instead of being started for every tool call",
		Long: `Answer Claude Code's HTTP hooks on this machine's loopback until interrupted. It is for people who have installed the guard with
"fettle guard install --http", which says where it listens; each session of Claude Code starts it if it is not there.

Judgements, state and log are the same as those of the hook's own program. What is different when it is gone, and who could take its place, is told in
docs/guard.md.`,
		Example: `  fettle guard install --http
  fettle guard serve --unit > ~/.config/systemd/user/fettle-guard.service && systemctl --user enable --now fettle-guard`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if ensure && stop || ensure && unit || stop && unit {
				return usage("--ensure, --stop and --unit are three things: ask for one of them")
			}
			dir, err := hook.Folder(os.Getenv)
			if err != nil {
				return err
			}
			self, err := os.Executable()
			if err != nil {
				return err
			}
			if unit {
				a.print("%s", report.Block(strings.TrimSuffix(unitFor(self), "\n")))
				return nil
			}
			post, err := resident.Read(dir)
			switch {
			case ensure:
				return a.ensured(cmd.Context(), post, err, self)
			case err != nil:
				return err
			case stop:
				return a.stopResident(cmd.Context(), post)
			}
			return a.serve(cmd.Context(), post, self)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&ensure, "ensure", false, "start it in the background if it is not there, prove that it holds, and end: what a session begins with")
	f.BoolVar(&stop, "stop", false, "end the one that runs")
	f.BoolVar(&unit, "unit", false, "print a unit for systemd that keeps it running")
	return cmd
}

// identity tells this build of fettle from another.
func identity(self string) string { return strings.TrimSpace(Version + " " + hook.See(self).Seen) }

func (a *app) serve(ctx context.Context, post resident.Post, self string) error {
	program, err := setup.Program(os.Getenv)
	if err != nil {
		return err
	}
	on, err := (&net.ListenConfig{}).Listen(ctx, "tcp", post.Listen)
	if err != nil {
		if _, alive := post.Alive(ctx); alive == nil {
			return fmt.Errorf("the guard already answers on %s: fettle guard serve --stop ends it", post.Listen)
		}
		return fmt.Errorf("listen for the guard's client: %w; another address: fettle guard install --http --listen HOST:PORT", err)
	}
	if !a.quiet {
		a.print("the guard answers on %s until it is stopped", post.Listen)
	}
	s := resident.Server{Post: post, Version: identity(self), Judge: judgeResident(program, post)}
	return s.Serve(ctx, on)
}

// judgeResident judges one event as the hook's program would, with what a client's environment says taken from the session instead.
func judgeResident(program string, post resident.Post) func([]byte, string, func(time.Duration)) ([]byte, error) {
	environ := residentEnviron(os.Environ(), post)
	own := map[string]string{}
	for _, v := range environ {
		name, value, _ := strings.Cut(v, "=")
		own[name] = value
	}
	clients, _ := hook.Moved(program, func(name string) string { return own[name] }) // its environment is the one that was kept
	return func(event []byte, validating string, grace func(time.Duration)) ([]byte, error) {
		h := hook.Hook{Resident: true, Environ: environ, Grace: grace, Clients: clients, Getenv: func(name string) string {
			if name == hook.Validating {
				return validating
			}
			return own[name]
		}}
		h.Later = func(job []byte) error { return child.Leave([]string{program, hook.SecondOpinion}, environ, job) }
		return h.Answer(event)
	}
}

// residentEnviron is an environment without what a client has put there: the guard may have been started by one session, and serves all. Where the user's
// policy lies is as it was when they installed the guard: a project's settings can set variables for its sessions.
func residentEnviron(environ []string, post resident.Post) []string {
	theirs := slices.DeleteFunc(slices.Clone(environ), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return strings.HasPrefix(name, "CLAUDE") || slices.Contains([]string{hook.Validating, "HOME", "XDG_CONFIG_HOME"}, name)
	})
	theirs = append(theirs, "HOME="+post.Home)
	if post.Config != "" {
		theirs = append(theirs, "XDG_CONFIG_HOME="+post.Config)
	}
	return theirs
}

// ensured starts the resident guard if it is not there. It is a hook of a session's begin: what is wrong is told to the person, and ends nothing.
func (a *app) ensured(ctx context.Context, post resident.Post, err error, self string) error {
	if err == nil {
		ctx, cancel := context.WithTimeout(ctx, ensureFor)
		defer cancel()
		err = ensure(ctx, post, self)
	}
	if err == nil {
		return nil
	}
	text, err := a.document(map[string]string{
		"systemMessage": "fettle guard does not hold: " + err.Error() + ". Tool calls are refused, or NOT guarded; see `fettle guard status`."}, "")
	if err != nil {
		return err
	}
	return a.printExact(text)
}

// ensure has a guard of this very build answer at the post.
func ensure(ctx context.Context, post resident.Post, self string) error {
	version, err := post.Prove(ctx)
	if err == nil && version == identity(self) {
		return nil
	}
	if err == nil {
		if err := post.Stop(ctx); err != nil {
			return fmt.Errorf("end the guard of another build: %w", err)
		}
	}
	if err := child.Leave([]string{self, "--quiet", "guard", "serve"}, residentEnviron(os.Environ(), post), nil); err != nil {
		return fmt.Errorf("start the resident guard: %w", err)
	}
	if version, err = post.Await(ctx); err == nil && version != identity(self) {
		err = fmt.Errorf("another build of fettle took %s: end it with its own fettle guard serve --stop", post.Listen)
	}
	return err
}

func (a *app) stopResident(ctx context.Context, post resident.Post) error {
	ctx, cancel := context.WithTimeout(ctx, ensureFor)
	defer cancel()
	if err := post.Stop(ctx); err != nil {
		return err
	}
	if !a.quiet {
		a.print("the guard no longer answers on %s", post.Listen)
	}
	return nil
}

// unitFor keeps the resident guard running under systemd.
func unitFor(self string) string {
	quoted := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `%`, `%%`, `$`, `$$`).Replace(self) + `"`
	return `[Unit]
Description=fettle guard: judges the tool calls of coding agents

[Service]
ExecStart=` + quoted + ` --quiet guard serve
Restart=always
RestartSec=100ms
NoNewPrivileges=true

[Install]
WantedBy=default.target
`
}
