package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"fettle/internal/check"
	"fettle/internal/locate"
	"fettle/internal/report"
	"fettle/internal/runner"
	"fettle/internal/runner/golang"
	"fettle/internal/runner/jvm"
	"fettle/internal/runner/node"
	"fettle/internal/runner/python"

	"github.com/spf13/cobra"
)

// harnesses are the languages' ways of running tests fast.
func harnesses() []runner.Harness {
	return []runner.Harness{python.Harness{}, golang.New(), node.New(), jvm.New()}
}

func (a *app) locateCmd() *cobra.Command {
	most := 10
	cmd := &cobra.Command{
		Use:   "locate [CHECK|TEST…]",
		Short: "Say where the fault is that makes tests fail; changes nothing",
		Long: `Say where the fault is that makes tests fail: the lines that failing tests run and passing tests do not, those that their stacks
name, and those that were changed lately, the most suspicious first. Each shows its suspicion between 0 and 1 and what speaks
for it.

The failing tests, and up to forty passing ones near them, run one by one in a private copy. Without arguments every check that
runs tests is asked.`,
		Example: `  fettle locate
  fettle locate -n 30 tests/test_api.py::test_login
  fettle locate --json | jq '.suites[0].lines[0]'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if most < 1 {
				return usage("-n says how many lines are shown: 1 or more")
			}
			return a.locate(cmd.Context(), args, most)
		},
	}
	cmd.Flags().IntVarP(&most, "lines", "n", most, "how many suspicious places are shown for each group of tests")
	return cmd
}

func (a *app) locate(ctx context.Context, names []string, most int) error {
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
	checks, err := h.choose(names, nil)
	if err != nil {
		return err
	}
	asked, by := traceable(checks)
	if len(asked) == 0 {
		return usage("none of these checks runs tests that can be traced: %s", checkNames(checks))
	}
	if err := h.announce(a, asked, false); err != nil {
		return err
	}
	live := a.live()
	defer live.stop()
	opened, err := place.get()
	if err != nil {
		return fmt.Errorf("open a private copy: %w", err)
	}
	lab := h.lab(check.RunOptions{Events: live.check, Fresh: true}, false)
	results, err := lab.RunIn(ctx, opened, asked)
	if err != nil {
		return err
	}
	live.stop()
	out := report.Places{Version: report.Version, Kind: "locate", Suites: []report.Suspects{}}
	failed := false
	for i, r := range results {
		failed = failed || r.Status != check.Passed
		found, err := h.traced(ctx, by[r.Check], runner.Job{Place: opened, Check: asked[i], Baseline: r, Failing: failing(r)}, most)
		if errors.Is(err, runner.ErrForeign) {
			out.Notes = append(out.Notes, fmt.Sprintf("%s: %v", r.Check, err))
			continue
		}
		if err != nil {
			return err
		}
		out.Suites = append(out.Suites, found...)
		if r.Status != check.Passed && len(found) == 0 {
			out.Notes = append(out.Notes, fmt.Sprintf("%s fails, but names no test that could be traced: fettle run %s shows what it says", r.Check, r.Check))
		}
	}
	switch {
	case a.json:
		return a.printJSON(out)
	case !failed:
		return a.done(out, "every test passes: there is no fault to locate")
	}
	report.WritePlaces(a.io.Out, out, a.style())
	return nil
}

// traceable are the checks whose tests a harness can run, and the harness of each.
func traceable(checks []check.Check) ([]check.Check, map[string]runner.Harness) {
	by := map[string]runner.Harness{}
	var out []check.Check
	for _, c := range checks {
		for _, r := range harnesses() {
			if by[c.Name] == nil && r.Takes(c) {
				by[c.Name] = r
				out = append(out, c)
			}
		}
	}
	return out, by
}

// traced traces a check's failing tests, suite by suite.
func (h *house) traced(ctx context.Context, by runner.Harness, job runner.Job, most int) (out []report.Suspects, err error) {
	if len(job.Failing) == 0 {
		return nil, nil
	}
	suites, err := by.Suites(ctx, job)
	defer func() {
		for _, s := range suites {
			err = errors.Join(err, s.Close())
		}
	}()
	if err != nil {
		return nil, err
	}
	for _, s := range suites {
		found, err := h.suspects(ctx, s, job.Baseline, most)
		if err != nil {
			return nil, fmt.Errorf("trace %s: %w", s.Name(), err)
		}
		found.Check = job.Check.Name
		out = append(out, found)
	}
	return out, nil
}

func checkNames(cs []check.Check) string {
	var names []string
	for _, c := range cs {
		names = append(names, c.Name)
	}
	return strings.Join(names, ", ")
}

// failing are the ids of a result's failing tests.
func failing(r check.Result) []string {
	var ids []string
	seen := map[string]bool{}
	for _, d := range r.Diagnostics {
		if d.Test != "" && !seen[d.Test] {
			seen[d.Test] = true
			ids = append(ids, d.Test)
		}
	}
	return ids
}

// lateCommits is how many of a file's commits count as late.
const lateCommits = 4

// suspects traces a suite and ranks the lines.
func (h *house) suspects(ctx context.Context, s runner.Suite, r check.Result, most int) (report.Suspects, error) {
	out := report.Suspects{Suite: s.Name(), Failing: s.Failing(), Lines: []report.Line{}}
	trace, err := s.Trace(ctx, runner.TraceOptions{})
	if err != nil {
		return out, err
	}
	var spectrum locate.Spectrum
	ev := spectrum.Trace(trace, s.Owns)
	for _, d := range r.Diagnostics {
		if d.Test != "" {
			ev.Stack(d.Frames, s.Owns)
		}
	}
	skip := func(file string) bool { return !s.Owns(file) }
	first := locate.Rank(&spectrum, ev, skip)
	if ev.Recent, err = h.recent(ctx, first); err != nil {
		return out, err
	}
	ranked := locate.Rank(&spectrum, ev, skip)
	for _, x := range ranked[:min(len(ranked), most)] {
		lines, err := h.lines(x)
		if err != nil {
			return out, err
		}
		out.Lines = append(out.Lines, report.Line{Suspect: x, Source: lines})
	}
	out.More = len(ranked) - len(out.Lines)
	return out, nil
}

// recent are the lines that were changed lately in the most suspicious files.
func (h *house) recent(ctx context.Context, suspects []locate.Suspect) ([]locate.Recent, error) {
	if h.repo == nil {
		return nil, nil
	}
	const mostFiles = 10
	seen := map[string]bool{}
	var out []locate.Recent
	for _, x := range suspects {
		if seen[x.File] || len(seen) == mostFiles {
			continue
		}
		seen[x.File] = true
		changed, err := h.repo.Blame(ctx, x.File, lateCommits)
		if err != nil {
			return nil, err
		}
		for _, c := range changed {
			why := "not committed yet"
			if c.Age > 0 {
				why = fmt.Sprintf("changed by %.7s %q", c.Commit, c.Subject)
			}
			out = append(out, locate.Recent{Span: locate.Span{File: x.File, Line: c.Line, EndLine: c.EndLine}, Age: c.Age, Why: why})
		}
	}
	return out, nil
}

// lines is the source of a suspect.
func (h *house) lines(x locate.Suspect) ([]string, error) {
	f, err := h.tree.Source()(x.File)
	if err != nil {
		return nil, err
	}
	all := strings.Split(string(f.Data), "\n")
	if x.Line < 1 || x.Line > len(all) {
		return nil, nil
	}
	shown := all[x.Line-1 : min(x.EndLine, len(all))]
	for n := len(shown); n > 1 && strings.Trim(shown[n-1], " \t});") == ""; n-- {
		shown = shown[:n-1] // what only closes says nothing
	}
	return shown, nil
}
