package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"fettle/internal/check"
	"fettle/internal/lang"
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
	out, failed, err := a.suspects(ctx, names, most)
	switch {
	case err != nil:
		return err
	case a.json:
		return a.printJSON(out)
	case !failed:
		return a.done(out, "every test passes: there is no fault to locate")
	}
	report.WritePlaces(a.io.Out, out, a.style())
	return nil
}

// suspects are the places where the fault may be that makes tests fail, and whether any fails.
func (a *app) suspects(ctx context.Context, names []string, most int) (out report.Places, failed bool, err error) {
	h, err := a.enter(ctx)
	if err != nil {
		return out, failed, err
	}
	place := h.openAhead(ctx)
	defer place.close()
	if err := a.settleIn(ctx, h); err != nil {
		return out, failed, err
	}
	defer h.Close()
	checks, err := h.choose(names, nil)
	if err != nil {
		return out, failed, err
	}
	locator := h.locator()
	asked := slices.DeleteFunc(slices.Clone(checks), func(c check.Check) bool { return locator.Harness(c) == nil })
	if len(asked) == 0 {
		return out, failed, usage("none of these checks runs tests that can be traced: %s", checkNames(checks))
	}
	if err := h.announce(a, asked, false); err != nil {
		return out, failed, err
	}
	live := a.live()
	defer live.stop()
	opened, err := place.get()
	if err != nil {
		return out, failed, fmt.Errorf("open a private copy: %w", err)
	}
	lab := h.lab(check.RunOptions{Events: live.check, Fresh: true}, false)
	results, err := lab.RunIn(ctx, opened, asked)
	if err != nil {
		return out, failed, err
	}
	live.stop()
	out = report.Places{Version: report.Version, Kind: "locate", Suites: []report.Suspects{}}
	for i, r := range results {
		failed = failed || r.Status != check.Passed
		found, err := locator.Locate(ctx, runner.Job{Place: opened, Check: asked[i], Baseline: r, Failing: runner.Failing(asked[i], r.Diagnostics)}, nil)
		if errors.Is(err, runner.ErrForeign) {
			out.Notes = append(out.Notes, fmt.Sprintf("%s: %v", r.Check, err))
			continue
		}
		if err != nil {
			return out, failed, err
		}
		for _, f := range found {
			shown, err := h.shown(r.Check, f, most)
			if err != nil {
				return out, failed, err
			}
			out.Suites = append(out.Suites, shown)
			out.Notes = append(out.Notes, f.Notes...)
		}
		if r.Status == check.Passed || len(found) > 0 {
			continue
		}
		named, err := h.named(r, most)
		if err != nil {
			return out, failed, err
		}
		if len(named.Lines) > 0 {
			out.Suites = append(out.Suites, named)
		} else {
			out.Notes = append(out.Notes, fmt.Sprintf("%s fails, but names no test that could be traced: fettle run %s shows what it says", r.Check, r.Check))
		}
	}
	return out, failed, nil
}

// locator finds faults in this repository.
func (h *house) locator() *locate.Locator {
	return &locate.Locator{Harnesses: harnesses(), History: h.recent}
}

func checkNames(cs []check.Check) string {
	var names []string
	for _, c := range cs {
		names = append(names, c.Name)
	}
	return strings.Join(names, ", ")
}

// lateCommits is how many of a file's commits count as late.
const lateCommits = 4

// recent are the lines of a file that were changed lately.
func (h *house) recent(ctx context.Context, file string) ([]locate.Recent, error) {
	if h.repo == nil {
		return nil, nil
	}
	changed, err := h.repo.Blame(ctx, file, lateCommits)
	if err != nil {
		return nil, err
	}
	var out []locate.Recent
	for _, c := range changed {
		why := "not committed yet"
		if c.Age > 0 {
			why = fmt.Sprintf("changed by %.7s %q", c.Commit, c.Subject)
		}
		out = append(out, locate.Recent{Span: locate.Span{File: file, Line: c.Line, EndLine: c.EndLine}, Age: c.Age, Why: why})
	}
	return out, nil
}

// shown is what is shown of the places that were found.
func (h *house) shown(checkName string, found locate.Found, most int) (report.Suspects, error) {
	out := report.Suspects{Check: checkName, Suite: found.Suite, Failing: found.Failing, Lines: []report.Line{}}
	for _, x := range found.Suspects[:min(len(found.Suspects), most)] {
		lines, err := h.lines(x)
		if err != nil {
			return out, err
		}
		out.Lines = append(out.Lines, report.Line{Suspect: x, Source: lines})
	}
	out.More = len(found.Suspects) - len(out.Lines)
	return out, nil
}

// named are the lines that a check's findings are about, where no test could run: sources that do not compile, say.
func (h *house) named(r check.Result, most int) (report.Suspects, error) {
	out := report.Suspects{Check: r.Check, Suite: r.Check, Failing: []string{}, Lines: []report.Line{}}
	for _, d := range r.Diagnostics {
		x := locate.Suspect{File: d.File, Line: d.Range.Start.Line, EndLine: d.Range.Start.Line, Score: 1, Why: d.Message}
		if d.File == "" || x.Line == 0 || lang.IsTest(d.File) && d.Test != "" {
			continue
		}
		if len(out.Lines) == most {
			out.More++
			continue
		}
		lines, err := h.lines(x)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return out, err
		}
		out.Lines = append(out.Lines, report.Line{Suspect: x, Source: lines})
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
