package report

import (
	"cmp"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"fettle/internal/budget"
	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/heal"
	"fettle/internal/phrase"
	"fettle/internal/verdict"
	"fettle/internal/verify"
)

// mostFindings is how many findings of one check the text shows; --json has them all.
const mostFindings = 20

// WriteRun writes the report on a run of checks.
func WriteRun(w io.Writer, r Run, st Style) {
	names := make([]string, len(r.Checks))
	for i, c := range r.Checks {
		names[i] = c.Check
	}
	column := widest(names)
	for _, c := range r.Checks {
		WriteLine(w, "%s %-*s %s", mark(c.Status, st), column, c.Check, st.Dim(headline(c)))
		if c.Reason != "" {
			WriteLine(w, "    %s", c.Reason)
		}
		if c.Status == check.Passed {
			continue
		}
		writeFindings(w, c.Diagnostics, st)
	}
}

// widest is how wide a column of names is: never less than what most checks' names take.
func widest(names []string) int {
	most := 14
	for _, n := range names {
		most = max(most, utf8.RuneCountInString(n))
	}
	return most
}

func headline(c CheckReport) string {
	parts := []string{seconds(c.Wall)}
	if t := c.Tests; t != nil {
		parts = append([]string{fmt.Sprintf("%d passed, %d failed, %d skipped", t.Passed, t.Failed, t.Skipped)}, parts...)
	} else if c.Status != check.Passed && len(c.Diagnostics) > 0 {
		parts = append([]string{phrase.Count(len(c.Diagnostics), "finding")}, parts...)
	}
	return strings.Join(parts, " · ")
}

func writeFindings(w io.Writer, ds []diag.Diagnostic, st Style) {
	for i, d := range ds {
		if i == mostFindings {
			WriteLine(w, "    %s", st.Dim(fmt.Sprintf("… and %d more (--json has them all)", len(ds)-i)))
			return
		}
		WriteLine(w, "    %s", verify.Describe(d))
		for _, line := range detail(d) {
			WriteLine(w, "        %s", st.Dim(line))
		}
	}
}

// detail is the source line a finding is about, or the end of a failing test's own words: without its message, which stands above, and without the frames of a
// stack that lie outside the repository.
func detail(d diag.Diagnostic) []string {
	const most = 6
	if d.Test == "" || d.Detail == "" {
		if e := strings.TrimSpace(d.Excerpt); e != "" {
			return []string{e}
		}
		return nil
	}
	lines := strings.Split(strings.TrimRight(d.Detail, "\n"), "\n")
	if echoes(strings.TrimSpace(lines[0]), d) {
		lines = lines[1:]
	}
	lines = slices.DeleteFunc(lines, func(line string) bool { return foreign(line, d.Frames) })
	return lines[max(0, len(lines)-most):]
}

// echoes reports whether a line says again what its finding does: the message, by itself or behind its place.
func echoes(line string, d diag.Diagnostic) bool {
	message, _, _ := strings.Cut(d.Message, "\n")
	return line == message || line == fmt.Sprintf("%s:%d: %s", path.Base(d.File), d.Range.Start.Line, message)
}

// stackFrame is a frame with its place, or with the machine in place of one.
var stackFrame = regexp.MustCompile(`^at .*(:\d+|Native Method|Unknown Source|<anonymous>)\)?$`)

// foreign reports whether a line is a frame of a stack, as Java and JavaScript write it, that is none of the repository's, where those are known.
func foreign(line string, own []diag.Frame) bool {
	frame := strings.TrimLeft(line, " \t")
	if len(own) == 0 || frame == line || !stackFrame.MatchString(frame) {
		return false
	}
	return !slices.ContainsFunc(own, func(f diag.Frame) bool {
		return strings.Contains(frame, fmt.Sprintf("%s:%d", path.Base(f.File), f.Line))
	})
}

// WriteSession writes the report on a session: what was wrong, what was changed and by whom, what it cost, what is left.
func WriteSession(w io.Writer, s Session, st Style) {
	WriteLine(w, "%s %s", st.Bold("fettle "+s.ID), summaryLine(s, st))
	if s.End != verdict.Converged || s.Reason != s.End.Meaning() {
		WriteLine(w, "%s", s.Reason)
	}
	section(w, st, "What was wrong", wrong(s, st))
	title := "What was changed"
	if s.Goal.DryRun {
		title = "What would be changed"
	}
	section(w, st, title, changed(s, st))
	section(w, st, "What is left", left(s, st))
	section(w, st, "What was found and not applied", refused(s, st))
	section(w, st, "Notes", s.Notes)
	section(w, st, "Next", next(s))
}

func summaryLine(s Session, st Style) string {
	var dress func(string) string
	switch s.End {
	case verdict.Converged:
		dress = st.Good
	case verdict.Paused, verdict.Interrupted:
		dress = st.Warn
	default:
		dress = st.Bad
	}
	stands := string(s.End)
	if s.Answer != "" {
		stands, dress = s.Answer, st.Good
	}
	line := fmt.Sprintf("%s · %s · %s", dress(stands), phrase.Count(len(s.Iterations), "round"), seconds(s.Seconds))
	if text := s.RolledBack.Text(); text != "" {
		line += " · " + st.Warn(text)
	}
	switch {
	case s.Unpriced && s.Cost > 0:
		line += fmt.Sprintf(" · %s, and what it costs to ask a model whose price is not known", budget.Dollars(s.Cost))
	case s.Unpriced:
		line += " · what it has cost is not known"
	case s.Cost > 0:
		line += fmt.Sprintf(" · %s", budget.Dollars(s.Cost))
	}
	return line
}

func section(w io.Writer, st Style, title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	WriteLine(w, "\n%s", st.Bold(title))
	for _, l := range lines {
		WriteLine(w, "  %s", l)
	}
}

func wrong(s Session, st Style) []string {
	var out, names []string
	for _, c := range s.Wrong {
		if c.Status != check.Passed {
			names = append(names, c.Check)
		}
	}
	column := widest(names)
	for _, c := range s.Wrong {
		if c.Status == check.Passed {
			continue
		}
		said := phrase.Count(c.Findings, "finding")
		if c.Status == check.Broken {
			said = "could not do its work"
		}
		out = append(out, fmt.Sprintf("%s %-*s %s", mark(c.Status, st), column, c.Check, said))
		for i, line := range c.Sample {
			if i == 3 {
				out = append(out, st.Dim(fmt.Sprintf("      … and %d more", c.Findings-i)))
				break
			}
			out = append(out, "      "+st.Dim(line))
		}
	}
	switch {
	case len(out) > 0 || len(s.Wrong) == 0:
	case old(s.Wrong) > 0:
		out = []string{"nothing that counts; " + alone(old(s.Wrong))}
	default:
		out = []string{"nothing: every check passed at once"}
	}
	return out
}

// old is how many findings do not count.
func old(checks []heal.CheckCount) int {
	n := 0
	for _, c := range checks {
		n += c.Old
	}
	return n
}

func alone(n int) string { return phrase.Count(n, "old finding") + " left alone" }

func changed(s Session, st Style) []string {
	var out []string
	for _, r := range s.Iterations {
		for _, c := range r.Changes {
			out = append(out, fmt.Sprintf("%d. %s  %s", r.Number, st.Bold(c.Author), c.Explanation))
			out = append(out, "   "+st.Dim(strings.Join(shorten(c.Files, 4), ", ")+"  healed "+phrase.Count(len(c.Healed), "finding")))
		}
	}
	if s.Commit != "" {
		out = append(out, fmt.Sprintf("committed %.12s on %s", s.Commit, s.Branch))
	}
	return out
}

// refused are the most promising of the changes that were not applied, when something is left.
func refused(s Session, st Style) []string {
	const most = 3
	if s.End == verdict.Converged {
		return nil
	}
	var all []heal.RefusedChange
	for _, r := range s.Iterations {
		before := all
		for _, c := range r.Refused {
			if !slices.ContainsFunc(before, func(o heal.RefusedChange) bool { // what was found again in another round is told once
				return o.Author == c.Author && o.Check == c.Check && o.Explanation == c.Explanation && o.Why == c.Why && o.Confidence == c.Confidence
			}) {
				all = append(all, c)
			}
		}
	}
	var out []string
	for i, r := range strongest(all) {
		if i == most {
			out = append(out, st.Dim(fmt.Sprintf("… and %d more (--json has them all)", len(all)-i)))
			break
		}
		out = append(out, fmt.Sprintf("%s  %s", st.Bold(r.Author), r.Explanation), "   "+st.Dim(r.Why))
	}
	return out
}

func left(s Session, st Style) []string {
	var out []string
	for i, d := range s.Left {
		if i == mostFindings {
			out = append(out, fmt.Sprintf("… and %d more (--json has them all)", len(s.Left)-i))
			break
		}
		out = append(out, d.Check+": "+verify.Describe(d))
	}
	for _, b := range s.Broken {
		out = append(out, b.Check+": "+st.Warn("could not do its work")+": "+b.Reason)
	}
	for _, id := range s.Flaky {
		out = append(out, st.Warn("flaky")+" "+id+" gave both answers on the same content")
	}
	if len(out) == 0 && (s.End == verdict.Converged || s.Goal.DryRun && s.End == verdict.Paused) {
		out = []string{st.Good("nothing")}
		if n := len(s.Iterations); n > 0 && old(s.Iterations[n-1].Checks) > 0 {
			out = []string{st.Good("nothing that counts") + "; " + alone(old(s.Iterations[n-1].Checks))}
		}
	}
	return out
}

func next(s Session) []string {
	var out []string
	switch {
	case s.Kept == nil || s.End == verdict.Converged:
	case s.Kept.Asks:
		out = append(out, fmt.Sprintf("%s proposes: %s", s.Kept.Author, s.Kept.Explanation))
	default:
		out = append(out,
			fmt.Sprintf("a patch by %s is kept (%s): %s", s.Kept.Author, s.Kept.Why, s.Kept.Explanation),
			fmt.Sprintf("see it with fettle diff %s; take it with fettle accept %[1]s, drop it with fettle discard %[1]s", s.ID))
		if strings.HasPrefix(s.Kept.Why, "Low confidence") {
			out = append(out, "less sure changes are applied, too, with a lower limits.confidence in "+cmp.Or(s.File, check.FileName)+", or FETTLE_CONFIDENCE_THRESHOLD")
		}
	}
	if applied(s.Iterations) && !s.Goal.DryRun && s.RolledBack != All {
		out = append(out, "take everything back with fettle rollback "+s.ID)
	}
	return out
}

func applied(rounds []heal.Iteration) bool {
	for _, r := range rounds {
		if len(r.Changes) > 0 {
			return true
		}
	}
	return false
}

func mark(s check.Status, st Style) string {
	switch s {
	case check.Passed:
		return st.Good("✓")
	case check.Broken:
		return st.Warn("!")
	default:
		return st.Bad("✗")
	}
}

func seconds(s float64) string {
	d := time.Duration(s * float64(time.Second))
	if d < time.Second {
		return d.Round(time.Millisecond).String()
	}
	return d.Round(100 * time.Millisecond).String()
}

func shorten(list []string, most int) []string {
	if len(list) <= most {
		return list
	}
	return append(append([]string{}, list[:most]...), fmt.Sprintf("%d more", len(list)-most))
}
