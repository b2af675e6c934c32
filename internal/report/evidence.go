package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"fettle/internal/audit/challenge"
	"fettle/internal/fix"
	"fettle/internal/heal"
	"fettle/internal/phrase"
)

// What of long lists a reader is shown; both are whole elsewhere, in the JSON and in fettle diff.
const (
	mostGone  = 3  // findings
	mostLines = 40 // of a diff
)

// WriteEvidence writes what is known about each change: how sure its fixer was of it and why, the stages of its verification and what they
// showed. Changes that nobody applied are told of as well, as far as their fixer says what its sureness rests on.
func WriteEvidence(w io.Writer, s Session, st Style) {
	var lines []string
	for _, r := range s.Iterations {
		lines = append(lines, evidence(r, s, st)...)
	}
	section(w, st, "Evidence", lines)
}

// evidence is that of one round of a session.
func evidence(r heal.Iteration, s Session, st Style) (lines []string) {
	var who []string
	for i, c := range r.Changes {
		who = append(who, c.Author)
		lines = append(lines, surely(c.Sureness)...)
		if last := i+1 == len(r.Changes) || r.Changes[i+1].Set != c.Set; last {
			lines = append(lines, excerpt(s, s.Diffs[c.Set], st)...)
		}
	}
	for _, c := range strongest(r.Refused) {
		if sure := surely(c.Sureness); len(sure) > 0 && len(r.Changes) == 0 {
			lines = append(append(lines, fmt.Sprintf("   %s: %s", c.Author, c.Explanation)), sure...)
			lines = append(lines, excerpt(s, s.Refused[Refusal{r.Number, c.Author, c.Explanation}], st)...)
		}
	}
	if r.Evidence != nil {
		lines = append(lines, measured(r, st)...)
	}
	for _, s := range r.Stances {
		lines = append(lines, fmt.Sprintf("   %s answers the challenger: %s: %s", s.Author, s.Decision, s.Reason))
	}
	if r.Challenge != nil {
		lines = append(lines, challenged(r.Challenge, st)...)
	}
	if len(lines) == 0 {
		return nil
	}
	if len(who) == 0 {
		who = []string{"not applied"}
	}
	return append([]string{fmt.Sprintf("%d. %s", r.Number, strings.Join(who, ", "))}, lines...)
}

// strongest has first what its fixer is surest of.
func strongest(all []heal.RefusedChange) []heal.RefusedChange {
	return slices.SortedStableFunc(slices.Values(all), func(a, b heal.RefusedChange) int { return cmp.Compare(b.Confidence, a.Confidence) })
}

// excerpt is the beginning of a diff.
func excerpt(s Session, diff string, st Style) (lines []string) {
	diff = strings.TrimSuffix(diff, "\n")
	if diff == "" {
		return nil
	}
	all := strings.Split(diff, "\n")
	for _, l := range all[:min(len(all), mostLines)] {
		lines = append(lines, "     "+st.Diff(l))
	}
	if more := len(all) - mostLines; more > 0 {
		lines = append(lines, fmt.Sprintf("     … and %s: fettle diff %s", phrase.Count(more, "more line"), s.ID))
	}
	return lines
}

// measured is what the stages of a verification showed.
func measured(r heal.Iteration, st Style) (lines []string) {
	for _, step := range r.Evidence.Steps {
		mark := st.Good("✓")
		if !step.Passed {
			mark = st.Bad("✗")
		}
		lines = append(lines, fmt.Sprintf("   %s %-10s %s %s", mark, step.Name, step.Detail, st.Dim(step.Duration.Round(time.Millisecond).String())))
	}
	for _, c := range r.Changes {
		for i, h := range c.Healed {
			if i == mostGone && len(c.Healed) > mostGone+1 {
				lines = append(lines, fmt.Sprintf("     … and %d more", len(c.Healed)-mostGone))
				break
			}
			lines = append(lines, "     gone: "+h)
		}
	}
	if r.Evidence.Reason != "" {
		lines = append(lines, "     "+r.Evidence.Reason)
	}
	return lines
}

// challenged is what a second model said of a change.
func challenged(o *challenge.Opinion, st Style) []string {
	mark := st.Good("✓")
	if !o.Approved {
		mark = st.Bad("✗")
	}
	lines := []string{fmt.Sprintf("   %s %-10s %s gives it %d of 100; %d are asked for", mark, "challenge", o.Who(), o.Score, o.Threshold)}
	if o.Approved && !o.Independent() {
		lines = append(lines, "     nobody else was there to judge: its approval counts for nothing, and the evidence decided")
	}
	for _, text := range o.Feedback() {
		lines = append(lines, "     "+text)
	}
	return lines
}

// surely tells what a fixer's sureness rests on; nothing of one that is sure by its nature.
func surely(s heal.Sureness) []string {
	if s.Effort == nil {
		return nil
	}
	lines := []string{fmt.Sprintf("   %.0f%% sure: %s", s.Confidence*100, strings.Join(append([]string{rivals(s)}, doubts(s.Grounds)...), "; "))}
	if s.Differs != "" {
		lines = append(lines, "   "+s.Differs)
	}
	e := s.Effort
	if e.First > 0 {
		return append(lines, fmt.Sprintf("   tried %s; the first that passed was number %d, after %s", phrase.Count(e.Tried, "candidate"), e.First, e.Until.Round(10*time.Millisecond)))
	}
	return append(lines, fmt.Sprintf("   tried %s in %s", phrase.Count(e.Tried, "candidate"), e.Took.Round(10*time.Millisecond)))
}

// doubts are what speaks against a patch that passes, its rivals aside.
func doubts(g *fix.Grounds) (out []string) {
	if g == nil {
		return nil
	}
	switch {
	case g.Failing == 0: // a checker has complained, and is content
	case g.Heals < g.Failing:
		out = append(out, fmt.Sprintf("it heals %d of %s", g.Heals, phrase.Count(g.Failing, "failing test")))
	case g.Failing == 1 && g.Passing == 0:
		out = append(out, "one failing test is all that speaks for it, and no passing one runs the line")
	case g.Passing == 0:
		out = append(out, "no passing test runs the line")
	}
	if g.Idle {
		out = append(out, "no test tells whether what it changes, or leaves out, is needed at all")
	}
	if g.Edits > 1 && g.Failing > 0 {
		out = append(out, "it takes two edits")
	}
	if g.Denied > 0 {
		out = append(out, phrase.Count(g.Denied, "example")+" in the documentation would come out otherwise")
	}
	if !g.Exhausted {
		out = append(out, "not every candidate was tried")
	}
	return out
}

// rivals are what else was found. Where nothing heals every failing test, they are what heals some of them.
func rivals(s heal.Sureness) string {
	if g := s.Grounds; g != nil && g.Heals < g.Failing {
		switch s.Alternatives {
		case 0:
			return "nothing else heals any failing test"
		case 1:
			return "another change, which does something else, heals some, too"
		}
		return fmt.Sprintf("%d other changes, which do something else, heal some, too", s.Alternatives)
	}
	switch s.Alternatives {
	case 0:
		return "nothing else passes"
	case 1:
		return "another change, which does something else, passes as well"
	}
	return fmt.Sprintf("%d other changes, which do something else, pass as well", s.Alternatives)
}
