package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fettle/internal/guard/child"
	"fettle/internal/guard/resident"
	"fettle/internal/guard/setup"

	"github.com/spf13/cobra"
)

// oldest is the first Claude Code whose settings can say that a call is refused where a hook does not answer.
var oldest = [3]int{2, 1, 295}

// honoured reports why the Claude Code that is installed here may not be guarded over HTTP.
func honoured() error {
	said, err := claudeVersion()
	if err != nil {
		return fmt.Errorf("which Claude Code is installed cannot be found out (claude --version: %w), and one older than %s lets every call through when the guard does not answer: install without --http", err, dotted(oldest))
	}
	var v [3]int
	if _, err := fmt.Sscanf(said, "%d.%d.%d", &v[0], &v[1], &v[2]); err != nil {
		return fmt.Errorf("claude --version says %q: that is no version; install without --http", strings.TrimSpace(said))
	}
	if slices.Compare(v[:], oldest[:]) < 0 {
		return fmt.Errorf("the Claude Code here, %s, lets every call through when the guard does not answer; %s and later can be told not to: update it, or install without --http", dotted(v), dotted(oldest))
	}
	return nil
}

func dotted(v [3]int) string { return fmt.Sprintf("%d.%d.%d", v[0], v[1], v[2]) }

// postFor is where the resident guard is to be found: where it is already, or at the address that was asked for.
func postFor(ctx context.Context, dir, listen string) (resident.Post, error) {
	post, err := resident.Read(dir)
	if err == nil && (listen == "" || listen == post.Listen) {
		return post, nil
	}
	if listen == "" {
		listen = resident.DefaultListen
	}
	if post, err = resident.NewPost(listen, os.Getenv); err != nil {
		return post, err
	}
	on, err := (&net.ListenConfig{}).Listen(ctx, "tcp", listen)
	if err != nil {
		return post, fmt.Errorf("%s is not free: %w; name another address with --listen HOST:PORT", listen, err)
	}
	return post, on.Close()
}

// claudeVersion is what the Claude Code of this machine says of itself.
func claudeVersion() (string, error) {
	found, err := exec.LookPath("claude")
	if err == nil {
		found, err = filepath.Abs(found)
	}
	if err != nil {
		return "", err
	}
	said, err := child.Ask([]string{found, "--version"}, os.Environ(), "/", nil, time.Now().Add(20*time.Second))
	if err == nil {
		err = said.Failed()
	}
	return string(said.Out), err
}

// ways say for each client how it reaches the guard.
type ways struct {
	http   bool
	listen string

	program, fettle string
	post            resident.Post
}

func (w *ways) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&w.http, "http", false, "Claude Code asks a guard that stays (fettle guard serve) instead of starting one for each tool call (default: as it is installed now)")
	f.StringVar(&w.listen, "listen", "", "the `HOST:PORT` on loopback where that guard answers (default "+resident.DefaultListen+")")
}

// decide fills in what the flags leave open. A resident guard is for the user's own settings of Claude Code.
func (w *ways) decide(ctx context.Context, cmd *cobra.Command, g *guarded, dir string) error {
	if w.listen != "" && !w.http {
		return usage("--listen is where a resident guard answers: give --http with it")
	}
	if w.http && (g.project || (g.codex || g.gemini) && !g.claude) {
		return usage("--http is for your own settings of Claude Code")
	}
	if !cmd.Flags().Changed("http") && !g.project {
		st, err := setup.Look(setup.Where{Client: setup.Claude, Getenv: os.Getenv})
		if err != nil {
			return err
		}
		w.http = st.Post != ""
	}
	var err error
	if w.fettle, err = os.Executable(); err != nil || !w.http {
		return err
	}
	if w.listen != "" {
		if _, err := resident.NewPost(w.listen, os.Getenv); err != nil {
			return usage("--listen: %w", err)
		}
	}
	if err := honoured(); err != nil {
		return err
	}
	if w.post, err = postFor(ctx, dir, w.listen); err != nil {
		return err
	}
	w.post.Settings, err = setup.Where{Client: setup.Claude, Getenv: os.Getenv}.File()
	return err
}

// of is the way of one client.
func (w *ways) of(where setup.Where) setup.How {
	how := setup.How{Program: w.program, Fettle: w.fettle}
	if w.http && where.MayReside() {
		how.Post = &w.post
	}
	return how
}

// carry makes the change of one client's settings. The resident guard is there before anybody is sent to it, and goes when nobody is any more.
func (w *ways) carry(ctx context.Context, where setup.Where, c setup.Change, dir string) error {
	if !where.MayReside() {
		return c.Apply(dir)
	}
	if !w.http {
		return errors.Join(c.Apply(dir), forgetResident(ctx, dir))
	}
	if was, err := resident.Read(dir); err == nil && was != w.post {
		if err := forgetResident(ctx, dir); err != nil {
			return err
		}
	}
	if err := w.post.Write(dir); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, ensureFor)
	defer cancel()
	if err := ensure(ctx, w.post, w.fettle); err != nil {
		return fmt.Errorf("%w; the settings stay as they are", err)
	}
	return c.Apply(dir)
}

// forgetResident ends the resident guard, if there is one, and forgets where it was.
func forgetResident(ctx context.Context, dir string) error {
	post, err := resident.Read(dir)
	if err == nil {
		ctx, cancel := context.WithTimeout(ctx, ensureFor)
		defer cancel()
		_ = post.Stop(ctx) // one that does not run need not be ended
	}
	if errors.Is(err, resident.ErrNone) {
		return nil
	}
	return resident.Forget(dir)
}
