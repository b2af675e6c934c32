package heal_test

import (
	"strings"
	"testing"

	"fettle/internal/check"
	"fettle/internal/fix"
	"fettle/internal/heal"
	"fettle/internal/verdict"
)

// TestTheFirstThatNothingStandsAgainst: what a fixer has found beside a candidate that the gate turns down is taken instead, and is not asked for once more. The rest stands in the record.
func TestTheFirstThatNothingStandsAgainst(t *testing.T) {
	secret := "gh" + "p_" + "q7Xv2LmK9tRz4WbN8cYd5HsJ1fGp6Qa3Ue0o"
	type offer struct {
		text string
		sure float64
	}
	for name, c := range map[string]struct {
		offers  []offer
		end     verdict.End
		left    string
		refused int
	}{
		"nothing stands against it": {[]offer{{"good", 0.9}, {"better", 0.9}}, verdict.Converged, "good\n", 0},
		"the audit refuses it":      {[]offer{{secret, 0.9}, {"good", 0.9}, {"better", 0.9}}, verdict.Converged, "good\n", 1},
		"and the next one":          {[]offer{{secret, 0.9}, {secret + " more", 0.9}, {"good", 0.9}}, verdict.Converged, "good\n", 2},
		"its author is not sure":    {[]offer{{"perhaps", 0.1}, {"good", 0.9}}, verdict.Converged, "good\n", 1},
		"none of them will do":      {[]offer{{secret, 0.9}, {secret + " more", 0.9}}, verdict.Exhausted, "BAD\n", 2},
	} {
		t.Run(name, func(t *testing.T) {
			f := &script{name: "model-fast", rung: fix.RungModel}
			f.answers = func(t fix.Task) (out []fix.Candidate) {
				for i, o := range c.offers {
					a := replace(t, "a.txt", "BAD", o.text)
					a.Confidence, a.Alternatives = o.sure, len(c.offers)-1
					if i == 0 {
						a.Cost = 5
					}
					out = append(out, a)
				}
				return out
			}
			b := set(t, map[string]string{"a.txt": "BAD\n"}, []check.Check{nobad}, f)
			s, end := b.start(t, heal.Goal{Iterations: 1})
			if end != c.end || b.read(t, "a.txt") != c.left {
				t.Fatalf("ended %s (%s) with %q", end, s.Reason, b.read(t, "a.txt"))
			}
			if n := f.proposed.Load(); n != 1 || s.Cost != 5 {
				t.Errorf("it was asked %d times, for $%v", n, s.Cost)
			}
			if got := s.History[0].Refused; len(got) != c.refused {
				t.Errorf("refused were %+v", got)
			}
			for _, r := range s.History[0].Refused {
				if !strings.Contains(r.Why, "audit refuses") && !strings.Contains(r.Why, "Low confidence") {
					t.Errorf("refused: %s", r.Why)
				}
			}
		})
	}
}
