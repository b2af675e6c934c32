package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"fettle/internal/audit"
	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/heal"
	"fettle/internal/mcp"
	"fettle/internal/phrase"
	"fettle/internal/report"
	"fettle/internal/verdict"
)

// The bounds of what an agent is shown: what is longer takes up its memory without helping it. Whoever wants all of it runs the command.
const (
	mostShown  = 40       // findings
	mostDetail = 12       // lines of what a tool says of one finding, from the end
	mostPatch  = 64 << 10 // bytes
)

// Check implements [mcp.Desk].
func (d desk) Check(ctx context.Context, c mcp.Call, in mcp.CheckInput) (out *mcp.Checked, err error) {
	err = d.at(c).measure(ctx, in.Checks, nil, legacyFlags{since: in.Since}, func(_ *house, results []check.Result, legacy *check.Legacy) error {
		out = checked(forgiven(results, legacy))
		if len(results) == 0 {
			out.Note = "No check is concerned by what has changed since " + in.Since + "."
		}
		return nil
	})
	return out, err
}

// checked is a report on checks as an agent reads it.
func checked(r report.Run) *mcp.Checked {
	out := &mcp.Checked{Status: mcp.Pass, ExitCode: r.ExitCode, Checks: []mcp.CheckLine{}}
	switch {
	case r.ExitCode == verdict.Halted.ExitCode():
		out.Status = mcp.Broken
	case !r.Success:
		out.Status = mcp.Fail
	}
	var all []diag.Diagnostic
	for _, x := range r.Checks {
		line := mcp.CheckLine{Check: x.Check, Status: string(x.Status), Reason: x.Reason}
		if t := x.Tests; t != nil {
			line.Passed, line.Failed, line.Skipped = t.Passed, t.Failed, t.Skipped
		}
		if x.Status != check.Passed && len(x.Diagnostics) == 0 {
			line.Tail = lastLines(x.Tail)
		}
		out.Checks = append(out.Checks, line)
		all = append(all, x.Diagnostics...)
	}
	for _, f := range all {
		if f.Severity == diag.Error {
			out.Errors++
		} else {
			out.Warnings++
		}
	}
	out.Findings, out.More = shownFindings(all)
	return out
}

// shownFindings are the first findings, errors before what is milder.
func shownFindings(all []diag.Diagnostic) (shown []mcp.Finding, more int) {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b diag.Diagnostic) int { return cmp.Compare(a.Severity, b.Severity) })
	shown = []mcp.Finding{}
	for _, f := range all[:min(len(all), mostShown)] {
		x := mcp.Finding{Check: f.Check, Severity: f.Severity.String(), File: f.File, Line: f.Range.Start.Line, Rule: f.Rule, Test: f.Test, Message: f.Message}
		if f.Test != "" {
			x.Detail = lastLines(f.Detail)
		} else {
			x.Detail = strings.TrimSpace(f.Excerpt)
		}
		shown = append(shown, x)
	}
	return shown, len(all) - len(shown)
}

// lastLines are as many of the last lines of a text as are shown.
func lastLines(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-mostDetail):], "\n")
}

// Fix implements [mcp.Desk].
func (d desk) Fix(ctx context.Context, c mcp.Call, in mcp.FixInput) (out *mcp.Healed, err error) {
	if in.Iterations < 0 {
		return nil, usage("iterations must be 1 or more")
	}
	f := fixFlags{dryRun: !in.Apply, iterations: in.Iterations, only: in.Only}
	err = d.at(c).heal(ctx, f, in.Checks, nil, func(_ context.Context, h *house, s *heal.State, end verdict.End, err error) error {
		if s == nil {
			return err
		}
		out = h.healed(s, end)
		if err != nil {
			out.Notes = append(out.Notes, phrase.Failure(err))
		}
		return nil
	})
	return out, err
}

// healed is a session as an agent reads it.
func (h *house) healed(s *heal.State, end verdict.End) *mcp.Healed {
	r := report.OfSession(heal.Record{State: s, End: end})
	out := &mcp.Healed{Session: r.ID, End: string(end), ExitCode: r.ExitCode, Success: r.Success, Reason: r.Reason, Changes: []string{}, Notes: r.Notes}
	for _, round := range r.Iterations {
		out.Applied = out.Applied || round.Applied > 0 && !s.Goal.DryRun
		for _, x := range round.Changes {
			out.Changes = append(out.Changes, fmt.Sprintf("%s (%s): %s [%s]", x.Author, x.Check, x.Explanation, strings.Join(x.Files, ", ")))
		}
		for _, x := range round.Refused {
			out.Refused = append(out.Refused, fmt.Sprintf("%s (%s): %s: %s", x.Author, x.Check, x.Explanation, x.Why))
		}
	}
	out.Left, out.More = shownFindings(r.Left)
	for _, b := range r.Broken {
		out.Notes = append(out.Notes, b.Check+" could not do its work: "+b.Reason)
	}
	for _, id := range r.Flaky {
		out.Notes = append(out.Notes, id+" is flaky: it gave both answers on the same content")
	}
	if k := s.Kept; k != nil {
		out.Waits = fmt.Sprintf("%s; the person takes it with fettle accept %s, or drops it with fettle discard %[2]s", k.Why, r.ID)
		if k.Asks && !s.Goal.DryRun {
			out.Waits = fmt.Sprintf("%s; the person says yes with fettle approve %s, or no with fettle reject %[2]s", k.Why, r.ID)
		}
		patch, err := k.Patch.Unified(h.tree.Source())
		switch {
		case err != nil:
			out.Notes = append(out.Notes, "the patch does not fit the files any more: "+err.Error())
		case len(patch) > mostPatch:
			out.Notes = append(out.Notes, fmt.Sprintf("the patch has %d bytes: fettle diff %s shows it", len(patch), r.ID))
		default:
			out.Patch = patch
		}
	}
	return out
}

// Locate implements [mcp.Desk].
func (d desk) Locate(ctx context.Context, c mcp.Call, in mcp.LocateInput) (*mcp.Located, error) {
	if in.Lines < 0 {
		return nil, usage("lines says how many places are shown: 1 or more")
	}
	found, failed, err := d.at(c).suspects(ctx, in.Checks, cmp.Or(in.Lines, 10))
	if err != nil {
		return nil, err
	}
	out := &mcp.Located{Failing: failed, Suites: []mcp.Suspects{}, Notes: found.Notes}
	for _, s := range found.Suites {
		x := mcp.Suspects{Check: s.Check, Failing: s.Failing, Places: []mcp.Place{}, More: s.More}
		for _, l := range s.Lines {
			x.Places = append(x.Places, mcp.Place{File: l.File, Line: l.Line, End: l.EndLine, Score: l.Score, Why: l.Why, Code: l.Source})
		}
		out.Suites = append(out.Suites, x)
	}
	return out, nil
}

// Audit implements [mcp.Desk].
func (d desk) Audit(ctx context.Context, c mcp.Call, in mcp.AuditInput) (*mcp.Audited, error) {
	if in.Staged && strings.Contains(in.Rev, "..") {
		return nil, usage("one change at a time: staged, or A...B")
	}
	files, r, err := d.at(c).audited(ctx, in.Rev, auditFlags{staged: in.Staged})
	if err != nil {
		return nil, err
	}
	return &mcp.Audited{Decision: string(r.Decision()), Files: files, Findings: judgedBy(r)}, nil
}

// judgedBy is what an audit saw, as an agent reads it.
func judgedBy(r audit.Report) []mcp.Judged {
	out := []mcp.Judged{}
	for _, f := range r.Findings {
		out = append(out, mcp.Judged{Effect: string(f.Effect), Text: f.String()})
	}
	return out
}

// Explain implements [mcp.Desk].
func (d desk) Explain(ctx context.Context, c mcp.Call, in mcp.ExplainInput) (*mcp.Explained, error) {
	if strings.TrimSpace(in.Command) == "" {
		return nil, usage("the command is empty: give the shell command that is to be judged")
	}
	place, err := explainer{}.place(ctx, c.Dir)
	if err != nil {
		return nil, err
	}
	own, err := policiesFor(place)
	if err != nil {
		return nil, err
	}
	v, err := judged(own.policy(), in.Command, place)
	if err != nil {
		return nil, err
	}
	out := &mcp.Explained{Decision: v.Decision.String(), Final: v.Final, Rule: v.Rule, Class: string(v.Class), Reason: v.Reason, Alternative: v.Alternative, Facts: []string{}, Loosened: v.Loosened}
	for _, f := range v.Facts {
		out.Facts = append(out.Facts, f.String())
	}
	return out, nil
}

// Status implements [mcp.Desk].
func (d desk) Status(ctx context.Context, c mcp.Call, in mcp.StatusInput) (*mcp.Status, error) {
	h, err := d.at(c).open(ctx)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	out := &mcp.Status{Sessions: []mcp.Session{}}
	if in.Session != "" {
		rec, err := h.sessions.Load(ctx, in.Session)
		if err != nil {
			return nil, err
		}
		docs, err := h.reports(ctx, rec)
		if err != nil {
			return nil, err
		}
		docs[0].File = check.FileFor(h.config.Written)
		var text strings.Builder
		report.WriteSession(&text, docs[0], report.Style{})
		out.Report = text.String()
		return out, nil
	}
	recs, err := h.sessions.List(ctx, 20)
	if err != nil {
		return nil, err
	}
	docs, err := h.reports(ctx, recs...)
	if err != nil {
		return nil, err
	}
	for i, r := range recs {
		out.Sessions = append(out.Sessions, mcp.Session{
			Session: r.Session, Started: r.Created.Format(time.DateTime), State: standing(r), Rounds: r.Iteration, Checks: r.Goal.Checks, Back: docs[i].RolledBack.Text(),
		})
	}
	return out, nil
}
