package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"fettle/internal/heal"
	"fettle/internal/phrase"
)

// WriteEvidence writes what was measured about each change: the stages of its verification and what they showed.
func WriteEvidence(w io.Writer, s Session, st Style) {
	var lines []string
	for _, r := range s.Iterations {
		if r.Evidence == nil {
			continue
		}
		var who []string
		for _, c := range r.Changes {
			who = append(who, c.Author)
		}
		if len(who) == 0 {
			who = []string{"not applied"}
		}
		lines = append(lines, fmt.Sprintf("%d. %s", r.Number, strings.Join(who, ", ")))
		for _, c := range r.Changes {
			lines = append(lines, surely(c.Sureness)...)
		}
		for _, step := range r.Evidence.Steps {
			mark := st.Good("✓")
			if !step.Passed {
				mark = st.Bad("✗")
			}
			lines = append(lines, fmt.Sprintf("   %s %-10s %s %s", mark, step.Name, step.Detail, st.Dim(step.Duration.Round(time.Millisecond).String())))
		}
		for _, c := range r.Changes {
			for _, h := range c.Healed {
				lines = append(lines, "     gone: "+h)
			}
		}
		if r.Evidence.Reason != "" {
			lines = append(lines, "     "+r.Evidence.Reason)
		}
	}
	section(w, st, "Evidence", lines)
}

// surely tells what a fixer's sureness rests on; nothing of one that is sure by its nature.
func surely(s heal.Sureness) []string {
	if s.Effort == nil {
		return nil
	}
	lines := []string{fmt.Sprintf("   %.0f%% sure: %s", s.Confidence*100, rivals(s.Alternatives))}
	if s.Differs != "" {
		lines = append(lines, "   "+s.Differs)
	}
	e := s.Effort
	if e.First > 0 {
		return append(lines, fmt.Sprintf("   tried %s; the first that passed was number %d, after %s", phrase.Count(e.Tried, "candidate"), e.First, e.Until.Round(10*time.Millisecond)))
	}
	return append(lines, fmt.Sprintf("   tried %s in %s", phrase.Count(e.Tried, "candidate"), e.Took.Round(10*time.Millisecond)))
}

func rivals(n int) string {
	switch n {
	case 0:
		return "nothing else passes"
	case 1:
		return "another change, which does something else, passes as well"
	}
	return fmt.Sprintf("%d other changes, which do something else, pass as well", n)
}
