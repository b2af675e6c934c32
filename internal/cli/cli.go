// Package cli is the door for people: one file for each verb, and the only place that prints. Nothing is decided here; a verb
// opens the rooms it needs, asks them, and shows what they say.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"

	"fettle/internal/near"
	"fettle/internal/phrase"
	"fettle/internal/report"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"
)

// IO is where a command reads and writes.
type IO struct {
	In       io.Reader
	Out      io.Writer // reports
	Err      io.Writer // progress and errors
	Terminal bool      // Err is a terminal: progress may be drawn in place
	Asks     bool      // In and Err are terminals: a person can be asked
	Screen   bool      // Out is a terminal
	Color    bool      // Out is a terminal that shows colours
}

// Stdio is this process's own input and output.
func Stdio() IO {
	tty := func(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }
	return IO{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		Terminal: tty(os.Stderr) && os.Getenv("TERM") != "dumb", Asks: tty(os.Stdin) && tty(os.Stderr),
		Screen: tty(os.Stdout),
		Color:  tty(os.Stdout) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb",
	}
}

// app is one invocation: where it prints, and the flags that every command takes.
type app struct {
	io      IO        // without secrets, and plain
	drawn   io.Writer // standard error as it is: for a line that is drawn over and over
	exact   io.Writer // standard output as it is: for a person's own files and patches, and for fettle's own programs
	dir     string
	json    bool
	quiet   bool
	verbose bool
	noColor bool
	unread  bool // perhaps no person sees what it says

	reading sync.Once
	typed   chan string // see lines
}

func (a *app) style() report.Style { return report.Style{Color: a.io.Color && !a.noColor && !a.json} }

// Main runs one command and returns its exit code. A first interrupt or termination signal ends the command in order; a
// second one ends the process at once.
func Main(args []string, stdio IO) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	context.AfterFunc(ctx, stop)
	// Who reads our output may go away, as head does. Then writing fails, and what is under way still comes to its proper end.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	a := &app{exact: stdio.Out, drawn: stdio.Err}
	stdio.Out, stdio.Err = plain{stdio.Out, a.style}, plain{stdio.Err, a.style}
	stdio = veiled(stdio)
	a.io = stdio
	root := a.root()
	root.SetArgs(args)
	root.SetIn(stdio.In)
	root.SetOut(stdio.Out)
	root.SetErr(stdio.Err)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	if text := phrase.Failure(err); text != "" {
		report.WriteLine(stdio.Err, "fettle: %s", report.Block(text))
	}
	return exitCode(err)
}

// root is the command tree.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "fettle",
		Short: "Bring a repository into good health, and keep it there",
		Long: `fettle takes a repository that is not healthy and works in a loop until it is: run the checks, understand what they say,
propose a change, try it in a private copy, judge it by evidence, apply it, check again. Every change can be undone.

Start with:  fettle run   to see what is wrong, and   fettle fix   to have it mended.

The help of each command names its own exit codes. Those of a session that heals stand here.`,
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPreRun: func(*cobra.Command, []string) {
			level := slog.LevelWarn
			if a.verbose {
				level = slog.LevelDebug
			}
			slog.SetDefault(slog.New(slog.NewTextHandler(a.io.Err, &slog.HandlerOptions{Level: level})))
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	f := root.PersistentFlags()
	f.StringVarP(&a.dir, "directory", "C", "", "work on the repository in `DIR`")
	f.BoolVar(&a.json, "json", false, "write the result as versioned JSON to standard output")
	f.BoolVarP(&a.quiet, "quiet", "q", false, "no progress, errors only")
	f.BoolVarP(&a.verbose, "verbose", "v", false, "say which step is under way and what was refused")
	f.BoolVar(&a.noColor, "no-color", false, "no colours")
	root.SetFlagErrorFunc(flagError)
	root.AddGroup(&cobra.Group{ID: "work", Title: "Work:"}, &cobra.Group{ID: "changes", Title: "Changes:"}, &cobra.Group{ID: "look", Title: "Look:"})
	add := func(group string, cmds ...*cobra.Command) {
		for _, c := range cmds {
			c.GroupID = group
			root.AddCommand(c)
		}
	}
	add("work", a.initCmd(), a.runCmd(), a.locateCmd(), a.fixCmd(), a.resumeCmd(), a.applyCmd(), a.auditCmd(), a.confirmCmd(), a.playCmd(), a.mcpCmd())
	add("changes", a.diffCmd(), a.approveCmd(), a.rejectCmd(), a.acceptCmd(), a.discardCmd(), a.undoCmd(), a.redoCmd(), a.rollbackCmd())
	add("look", a.guardCmd(), a.sessionsCmd(), a.showCmd(), a.logCmd(), a.doctorCmd(), a.statsCmd(), a.graphCmd(), a.configCmd(), a.gcCmd(), a.versionCmd())
	tellExits(root)
	root.InitDefaultCompletionCmd()
	return root
}

// flagError says what is wrong with a flag, and which one was probably meant.
func flagError(cmd *cobra.Command, err error) error {
	if strings.Contains(err.Error(), "--ai-fix") {
		return usage("Invalid command: '--ai-fix'\nCommands should be semantic (e.g., 'test', 'lint', 'check')\nUse fettle fix to have them healed")
	}
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if meant := near.Name(unknown.GetSpecifiedName(), names); meant != "" {
			return usage("%v\nDid you mean: --%s", err, meant)
		}
	}
	if cmd.Name() == "explain" {
		return usage("%v\nIf that belongs to the command, put -- before it: fettle guard explain -- COMMAND", err)
	}
	if cmd.Name() == "confine" {
		return usage("%v\nIf that belongs to the program, put -- before it: fettle guard confine -- PROGRAM", err)
	}
	return usage("%v", err)
}

// oneOfItsCommands is for a command that takes nothing but commands of its own: it says which one was probably meant.
func oneOfItsCommands(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	if meant := near.Name(args[0], names); meant != "" {
		return usage("unknown command %q for %q\nDid you mean: %s %s", args[0], cmd.CommandPath(), cmd.CommandPath(), meant)
	}
	return usage("unknown command %q for %q", args[0], cmd.CommandPath())
}

// exitError ends a command with an exit code of its own; without a text nothing more is printed.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// exit ends a command with a code after everything has been said.
func exit(code int) error {
	if code == 0 {
		return nil
	}
	return &exitError{code: code}
}

// usage is an error of wrong use.
func usage(format string, args ...any) error {
	return &exitError{code: exitUsage, err: fmt.Errorf(format, args...)}
}

func asExit(err error) (*exitError, bool) {
	var e *exitError
	return e, errors.As(err, &e)
}
