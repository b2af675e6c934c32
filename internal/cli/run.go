package cli

import (
	"context"
	"fmt"
	"slices"
	"time"

	"fettle/internal/check"
	"fettle/internal/report"
	"fettle/internal/workspace"

	"github.com/spf13/cobra"
)

func (a *app) runCmd() *cobra.Command {
	var f legacyFlags
	write := false
	cmd := &cobra.Command{
		Use:   "run [CHECK|TEST…] [-- ARGS]",
		Short: "Run the checks and report what is wrong; changes nothing",
		Long: `Run the checks and report what is wrong. The checks run in a private copy, so the working tree stays as it is even when a
check writes to it.

CHECK is a kind (test, lint, type, format, build, security, complexity; all; check for all but the tests) or a check's full
name such as lint.ruff. TEST is one test: pkg/x_test.go:TestY, ./pkg:TestY, tests/test_x.py::test_y, or a test file or folder.
What stands after -- is added to the commands of the chosen checks.

Old findings can be left alone: --write-baseline writes those there are now to fettle-baseline.json, and --since runs only the
checks that files changed since REV concern, and counts only findings in these files. A failing test always counts.`,
		Example: `  fettle run
  fettle run --since main
  fettle run lint type
  fettle run tests/test_api.py::test_login
  fettle run test -- -run TestParse -v`,
		RunE: func(cmd *cobra.Command, args []string) error {
			names, extra := splitArgs(cmd, args)
			return a.runChecks(cmd.Context(), names, extra, f, write)
		},
	}
	f.flags(cmd)
	cmd.Flags().BoolVar(&write, "write-baseline", false, "write the findings there are now to "+check.BaselineFile+", to be left alone")
	return cmd
}

// splitArgs parts what stands before "--" from what stands after it.
func splitArgs(cmd *cobra.Command, args []string) (before, after []string) {
	if n := cmd.ArgsLenAtDash(); n >= 0 {
		return args[:n], args[n:]
	}
	return args, nil
}

// choose finds the checks that were named, and for tests that were named the checks that run only those.
func (h *house) choose(names, extra []string) ([]check.Check, error) {
	for _, name := range names {
		if name == "" {
			return nil, usage("Command cannot be None\nName a check, such as test or lint, or leave it out for all of them")
		}
	}
	if slices.Contains(extra, "--ai-fix") {
		return nil, usage("Do not pass --ai-fix in args parameter\nUse fettle fix instead")
	}
	if len(h.config.Checks) == 0 {
		return nil, usage("no checks were found in %s: write a %s (fettle init shows how)", h.root, check.FileName)
	}
	checks, _, err := h.config.Pick(h.root, h.from, names)
	if err != nil {
		return nil, usage("%w", err)
	}
	return checks, nil
}

func (a *app) runChecks(ctx context.Context, names, extra []string, f legacyFlags, write bool) error {
	return a.measure(ctx, names, extra, f, func(h *house, results []check.Result, legacy *check.Legacy) error {
		if len(results) == 0 {
			return a.done(report.OfRun(nil), "no check is concerned by what has changed since %s", f.since)
		}
		if write {
			return a.writeBaseline(h, results)
		}
		r := forgiven(results, legacy)
		if a.json {
			if err := a.printJSON(r); err != nil {
				return err
			}
		} else if !a.quiet || !r.Success {
			report.WriteRun(a.io.Out, r, a.style())
		}
		return exit(r.ExitCode)
	})
}

// forgiven is the report on what checks said, without the findings that are left alone.
func forgiven(results []check.Result, legacy *check.Legacy) report.Run {
	for i, r := range results {
		results[i] = legacy.Forgive(r)
	}
	return report.OfRun(results)
}

// measure runs the checks that were named in a private copy, and hands on what they said: nothing, when no check is concerned by what has changed
// since the revision that was named.
func (a *app) measure(ctx context.Context, names, extra []string, f legacyFlags, then func(*house, []check.Result, *check.Legacy) error) error {
	h, err := a.enter(ctx)
	if err != nil {
		return err
	}
	place := h.openAhead(ctx)
	defer place.close()
	if err := a.settleIn(ctx, h); err != nil {
		return err
	}
	defer h.Close()
	checks, err := h.choose(names, extra)
	if err != nil {
		return err
	}
	legacy, changed, err := h.legacy(ctx, f)
	if err != nil {
		return err
	}
	if f.since != "" {
		if checks = affected(checks, changed); len(checks) == 0 {
			return then(h, nil, legacy)
		}
	}
	if err := h.announce(a, checks, false); err != nil {
		return err
	}
	live := a.live()
	defer live.stop()
	opened, err := place.get()
	if err != nil {
		return fmt.Errorf("open a private copy: %w", err)
	}
	lab := h.lab(check.RunOptions{Args: extra, Events: live.check, Fresh: true}, false)
	results, err := lab.RunIn(ctx, opened, checks)
	if err != nil {
		return err
	}
	live.stop()
	return then(h, results, legacy)
}

// ahead is a private copy that is being opened while other things are got ready.
type ahead struct {
	done chan struct{}
	copy *workspace.Copy
	err  error
}

// openAhead begins to open the copy that the user's own checks run in.
func (h *house) openAhead(ctx context.Context) *ahead {
	p := &ahead{done: make(chan struct{})}
	if p.err = h.locate(); p.err != nil {
		close(p.done)
		return p
	}
	go func() {
		defer close(p.done)
		p.copy, p.err = h.openCopy(ctx, true, true)
	}()
	return p
}

func (p *ahead) get() (*workspace.Copy, error) {
	<-p.done
	return p.copy, p.err
}

func (p *ahead) close() {
	if c, err := p.get(); err == nil {
		_ = c.Close() // what it leaves is cleared away by the next fettle that changes something
	}
}

// elapsed is for progress lines.
func elapsed(since time.Time) string { return time.Since(since).Round(100 * time.Millisecond).String() }
