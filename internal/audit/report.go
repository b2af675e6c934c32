package audit

import (
	"fmt"
	"strings"

	"fettle/internal/verdict"
)

// Effect is what a finding means for the patch.
type Effect string

// The effects, from strongest to weakest.
const (
	Refuse Effect = "refuse" // the patch is not taken
	Ask    Effect = "ask"    // only a person may say yes
	Note   Effect = "note"   // worth a line in the report
)

// Finding is one thing that a rule saw in a patch.
type Finding struct {
	Rule     string `json:"rule"`
	Path     string `json:"path,omitempty"` // empty: about the patch as a whole
	Line     int    `json:"line,omitempty"` // 1-based, in the content after the patch; before it for what was removed; 0: the whole file
	Evidence string `json:"evidence"`       // one sentence that a fixer or a person can act on
	Effect   Effect `json:"effect"`
}

// String is the finding on one line: "tests/test_a.py:4: skipped-test: test_neg is skipped".
func (f Finding) String() string {
	var b strings.Builder
	if f.Path != "" {
		b.WriteString(f.Path)
		if f.Line > 0 {
			fmt.Fprintf(&b, ":%d", f.Line)
		}
		b.WriteString(": ")
	}
	b.WriteString(f.Rule + ": " + f.Evidence)
	return b.String()
}

// Report is what the audit found.
type Report struct {
	Findings []Finding `json:"findings,omitempty"`
}

// Decision is the strongest effect: any refusal refuses, any question asks, notes approve.
func (r Report) Decision() verdict.Decision {
	d := verdict.Approve
	for _, f := range r.Findings {
		switch f.Effect {
		case Refuse:
			return verdict.Refuse
		case Ask:
			d = verdict.Ask
		case Note:
		}
	}
	return d
}

// Verdict is the report as a judge's answer: its feedback holds one line for each finding that stands in the way, what refuses first. The
// score is 100 for a patch that is approved, 50 for one that waits for a person, 0 for one that is refused.
func (r Report) Verdict() verdict.Verdict {
	v := verdict.Verdict{Decision: r.Decision(), Judge: "audit"}
	switch v.Decision {
	case verdict.Approve:
		v.Score = 100
	case verdict.Ask:
		v.Score = 50
	case verdict.Refuse:
		v.Score = 0
	}
	for _, effect := range []Effect{Refuse, Ask} {
		for _, f := range r.Findings {
			if f.Effect == effect {
				v.Feedback = append(v.Feedback, f.String())
			}
		}
	}
	return v
}
