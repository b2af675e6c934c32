package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"fettle/internal/mcp"

	"github.com/spf13/cobra"
)

func (a *app) mcpCmd() *cobra.Command {
	var roots []string
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Offer fettle's tools to coding agents, by the Model Context Protocol on standard input and output",
		Long: `Offer fettle's tools to a client that speaks the Model Context Protocol: check, confirm, commit, push, validate_intent, fix, locate, audit,
explain and status. The client starts this command and speaks to it on standard input and output, until it closes them.

The tools work in the project in which the server was started, and in those that --root names; no call leads out of them. What they print has marks in the
place of secrets.`,
		Example: `  claude mcp add fettle -- fettle mcp
  codex mcp add fettle -- fettle mcp
  fettle mcp --root ~/work/api --root ~/work/web`,
		Args: oneOfItsCommands,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.serveMCP(cmd.Context(), roots) },
	}
	cmd.Flags().StringArrayVar(&roots, "root", nil, "also serve the project in `DIR` (may be repeated)")
	return cmd
}

// serveMCP speaks to one client until it goes away.
func (a *app) serveMCP(ctx context.Context, named []string) error {
	if a.io.Asks {
		a.say("fettle mcp is started by an agent's client, and speaks its protocol here; fettle mcp --help says how to give it to one")
	}
	start, err := a.start(named)
	if err != nil {
		return err
	}
	roots, err := mcp.NewRoots(ctx, foundTree, start, named)
	if err != nil {
		return usage("%w", err)
	}
	log := slog.New(slog.DiscardHandler)
	if a.verbose {
		log = slog.Default()
	}
	err = mcp.New(cmp.Or(Version, "development"), desk{a}, roots, redactor(), log).Serve(ctx, mcp.Stdio(a.io.In, a.exact))
	if errors.Is(err, context.Canceled) {
		return nil // the client ends its servers by a signal, too
	}
	return err
}

// start is the folder in which the server was started, as a root. One that holds more than a project is none: a client that starts its servers in a home would
// have everything there served.
func (a *app) start(named []string) (string, error) {
	dir, err := filepath.Abs(a.dir)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return "", usage("the folder to serve cannot be found: %w", err)
	}
	if !shared(dir) && !aboveHome(dir) {
		return dir, nil
	}
	if len(named) == 0 {
		return "", usage("%s holds more than a project: name the folders to serve with --root DIR", dir)
	}
	return "", nil
}

// aboveHome reports a folder that holds the home.
func aboveHome(dir string) bool {
	home, err := filepath.EvalSymlinks(os.Getenv("HOME"))
	return err == nil && within(dir, home) || dir == string(filepath.Separator)
}

// foundTree finds the working tree around a folder, as every command does.
func foundTree(ctx context.Context, dir string) (mcp.Tree, error) {
	var h house
	if err := h.find(ctx, dir); err != nil {
		return mcp.Tree{}, err
	}
	t := mcp.Tree{Root: h.root}
	if h.repo == nil {
		return t, nil
	}
	common, err := filepath.EvalSymlinks(h.repo.CommonDir)
	if err != nil {
		return t, fmt.Errorf("find git's folder: %w", err)
	}
	t.Git = common
	return t, nil
}

// desk does what the tools of the MCP server promise, by the code that the commands of their names run.
type desk struct{ a *app }

// at is an invocation in a call's folder: it prints nothing, asks nobody, and tells of its progress.
func (d desk) at(c mcp.Call) *app {
	return &app{io: IO{In: strings.NewReader(""), Out: io.Discard, Err: &byLine{tell: c.Tell}}, exact: io.Discard, dir: c.Dir, noColor: true, unread: true}
}

// byLine hands on whole lines.
type byLine struct {
	tell func(string)
	rest string
}

func (w *byLine) Write(p []byte) (int, error) {
	w.rest += string(p)
	for {
		line, rest, whole := strings.Cut(w.rest, "\n")
		if !whole {
			return len(p), nil
		}
		w.rest = rest
		if line = strings.TrimSpace(line); line != "" {
			w.tell(line)
		}
	}
}
