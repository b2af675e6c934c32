package mcp

import (
	"fmt"
	"strings"

	"fettle/internal/phrase"
)

// page is a text that grows.
type page struct{ strings.Builder }

func (p *page) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

// section writes a heading and what stands below it, if anything does.
func (p *page) section(title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	p.line("\n## %s", title)
	for _, l := range lines {
		p.line("%s", l)
	}
}

func (p *page) text() string { return strings.TrimSpace(p.String()) }

// spot is where something is: file:line.
func spot(file string, line int) string {
	if file == "" || line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d", file, line)
}

func (f Finding) text() string {
	var b strings.Builder
	b.WriteString("- ")
	for _, part := range []string{spot(f.File, f.Line), f.Test} {
		if part != "" {
			b.WriteString(part + ": ")
		}
	}
	b.WriteString(f.Message)
	if f.Rule != "" {
		fmt.Fprintf(&b, " (%s)", f.Rule)
	}
	fmt.Fprintf(&b, " [%s]", f.Check)
	for l := range strings.Lines(f.Detail) {
		b.WriteString("\n    " + strings.TrimRight(l, "\n"))
	}
	return b.String()
}

// found parts errors from what is milder.
func found(all []Finding) (errors, warnings []string) {
	for _, f := range all {
		if f.Severity == "error" {
			errors = append(errors, f.text())
		} else {
			warnings = append(warnings, f.text())
		}
	}
	return errors, warnings
}

// more says how many are not shown.
func (p *page) more(n int) {
	if n > 0 {
		p.line("\n%d more are not shown.", n)
	}
}

// Text implements answer.
func (c *Checked) Text() string {
	var p page
	p.line("## Results\n- Errors: %d\n- Warnings: %d\n- Status: %s", c.Errors, c.Warnings, c.Status)
	for _, l := range c.Checks {
		line := "- " + l.Check + ": " + l.Status
		if l.Passed+l.Failed+l.Skipped > 0 {
			line += fmt.Sprintf(" (%d passed, %d failed, %d skipped)", l.Passed, l.Failed, l.Skipped)
		}
		if l.Reason != "" {
			line += ": " + l.Reason
		}
		p.line("%s", line)
		for t := range strings.Lines(l.Tail) {
			p.line("    %s", strings.TrimRight(t, "\n"))
		}
	}
	errors, warnings := found(c.Findings)
	p.section("Errors", errors)
	p.section("Warnings", warnings)
	p.more(c.More)
	if c.Note != "" {
		p.line("\n%s", c.Note)
	}
	return p.text()
}

// Text implements answer.
func (h *Healed) Text() string {
	var p page
	p.line("## Results\n- End: %s (exit code %d)\n- Applied: %t", h.End, h.ExitCode, h.Applied)
	for _, v := range [][2]string{{"Session", h.Session}, {"Reason", h.Reason}, {"Waits", h.Waits}} {
		if v[1] != "" {
			p.line("- %s: %s", v[0], v[1])
		}
	}
	p.section("Changes", bullets(h.Changes))
	p.section("Refused", bullets(h.Refused))
	errors, warnings := found(h.Left)
	p.section("Errors that are left", errors)
	p.section("Warnings that are left", warnings)
	p.more(h.More)
	p.section("Notes", bullets(h.Notes))
	if h.Patch != "" {
		p.line("\n## Patch\n```diff\n%s\n```", strings.TrimRight(h.Patch, "\n"))
	}
	return p.text()
}

func bullets(all []string) (out []string) {
	for _, s := range all {
		out = append(out, "- "+s)
	}
	return out
}

// Text implements answer.
func (l *Located) Text() string {
	var p page
	if !l.Failing {
		p.line("Every test passes: there is no fault to locate.")
	}
	for _, s := range l.Suites {
		p.line("\n## %s (failing: %s)", s.Check, strings.Join(s.Failing, ", "))
		for _, x := range s.Places {
			at := spot(x.File, x.Line)
			if x.End > x.Line {
				at += fmt.Sprintf("-%d", x.End)
			}
			p.line("- %.2f %s: %s", x.Score, at, x.Why)
			for _, c := range x.Code {
				p.line("    %s", c)
			}
		}
		p.more(s.More)
	}
	p.section("Notes", bullets(l.Notes))
	return p.text()
}

// Text implements answer.
func (a *Audited) Text() string {
	var p page
	p.line("## Verdict\n%s: the change of %s", strings.ToUpper(a.Decision), phrase.Count(a.Files, "file"))
	p.section("Findings", judged(a.Findings))
	return p.text()
}

func judged(all []Judged) (out []string) {
	for _, f := range all {
		out = append(out, fmt.Sprintf("- %s: %s", f.Effect, f.Text))
	}
	return out
}

func results(all []Result) (out []string) {
	for _, r := range all {
		line := fmt.Sprintf("- %s: %s", r.Name, r.Status)
		if r.Why != "" {
			line += ", " + r.Why
		}
		out = append(out, line)
	}
	return out
}

// Text implements answer.
func (c *Confirmed) Text() string {
	var p page
	p.section("Results", results(c.Results))
	errors, warnings := found(c.Findings)
	p.section("Errors", errors)
	p.section("Warnings", warnings)
	p.section("Audit", judged(c.Audit))
	p.line("\n## Verdict\n%s: %s", c.Verdict, c.Reason)
	return p.text()
}

// Text implements answer.
func (c *Committed) Text() string {
	var p page
	if c.Status != Commits {
		p.line("%s: %s\n", c.Status, c.Reason)
	}
	if c.Message != "" {
		p.line("SIZE: %s\nMESSAGE:\n%s", c.Size, c.Message)
	}
	if c.Status == Commits {
		p.line("HASH: %s\n\nOn %s: %s", c.Hash, c.Branch, strings.Join(c.Files, ", "))
	} else {
		p.section("Files", bullets(c.Files))
	}
	p.section("Not committed", bullets(c.Left))
	p.section("Changed by hooks after they were checked", bullets(c.ByHooks))
	if c.Gate != nil {
		p.line("\n%s", c.Gate.Text())
	}
	return p.text()
}

// Text implements answer.
func (c *Pushed) Text() string {
	var p page
	way := fmt.Sprintf("%s to %s of %s", c.Hash, c.Branch, c.Remote)
	if c.Status == Publishes {
		p.line("%s: %s", c.Status, way)
	} else {
		p.line("%s: %s\n\n%s", c.Status, c.Reason, way)
	}
	p.section("Commits", bullets(c.Commits))
	if c.Checked != nil {
		p.line("\n%s", c.Checked.Text())
	}
	return p.text()
}

// Text implements answer.
func (i *Intent) Text() string {
	var p page
	p.section("Results", results(i.Results))
	p.line("\nThe person said last: %s", i.Words)
	if i.Said != "" {
		p.line("The agent said last: %s", i.Said)
	}
	p.line("Tool calls since: %d", i.Calls)
	p.line("\n## Verdict\n%s: %s", i.Verdict, i.Reason)
	return p.text()
}

// Text implements answer.
func (e *Explained) Text() string {
	var p page
	p.line("%s", e.Decision)
	if e.Final {
		p.line("- nobody may overturn it but who owns the policy")
	}
	if e.Reason != "" {
		p.line("- why: %s (%s, rule %s)", e.Reason, e.Class, e.Rule)
	}
	if e.Alternative != "" {
		p.line("- instead: %s", e.Alternative)
	}
	if len(e.Loosened) > 0 {
		p.line("- by the person's own policy: %s", strings.Join(e.Loosened, ", "))
	}
	p.section("It would", bullets(e.Facts))
	return p.text()
}

// Text implements answer.
func (s *Status) Text() string {
	var p page
	if s.Report == "" && len(s.Sessions) == 0 {
		p.line("No sessions yet: fix begins one.")
	}
	for _, x := range s.Sessions {
		line := fmt.Sprintf("- %s  %s  %s  %s  %s", x.Session, x.Started, x.State, phrase.Count(x.Rounds, "round"), strings.Join(x.Checks, " "))
		if x.Back != "" {
			line += "  (" + x.Back + ")"
		}
		p.line("%s", line)
	}
	p.WriteString(s.Report)
	return p.text()
}

// What a tool finds is no failure of the tool.

// Declined implements answer.
func (*Checked) Declined() bool { return false }

// Declined implements answer.
func (*Healed) Declined() bool { return false }

// Declined implements answer.
func (*Located) Declined() bool { return false }

// Declined implements answer.
func (*Audited) Declined() bool { return false }

// Declined implements answer.
func (*Confirmed) Declined() bool { return false }

// Declined implements answer.
func (*Intent) Declined() bool { return false }

// Declined implements answer.
func (*Explained) Declined() bool { return false }

// Declined implements answer.
func (*Status) Declined() bool { return false }

// Declined implements answer.
func (c *Committed) Declined() bool { return c.Status == Declines }

// Declined implements answer.
func (c *Pushed) Declined() bool { return c.Status == Declines }
