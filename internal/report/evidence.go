package report

import (
	"fmt"
	"io"
	"strings"
	"time"
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
