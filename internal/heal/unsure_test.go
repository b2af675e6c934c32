package heal_test

import (
	"strings"
	"testing"

	"fettle/internal/check"
	"fettle/internal/fix"
	"fettle/internal/heal"
	"fettle/internal/verdict"
)

// TestAModelIsAskedOnceMoreForWhatItIsSurerOf: a model that is not sure is told so and asked for something more robust, once; whoever is no model is not.
func TestAModelIsAskedOnceMoreForWhatItIsSurerOf(t *testing.T) {
	for name, c := range map[string]struct {
		rung  fix.Rung
		sure  []float64 // of each answer
		asked int32
		end   verdict.End
	}{
		"surer the second time": {fix.RungModel, []float64{0.55, 0.9}, 2, verdict.Converged},
		"never sure":            {fix.RungModel, []float64{0.55, 0.6, 0.9}, 2, verdict.Stuck},
		"an agent":              {fix.RungAgent, []float64{0.55, 0.9}, 1, verdict.Stuck},
		"a plug-in":             {fix.RungPlugin, []float64{0.55, 0.9}, 1, verdict.Stuck},
	} {
		t.Run(name, func(t *testing.T) {
			n, told := 0, false
			f := &script{name: "author", rung: c.rung, answers: func(k fix.Task) []fix.Candidate {
				x := replace(k, "a.txt", "BAD", strings.Repeat("good", n+1))
				x.Author, x.Confidence = "author", c.sure[min(n, len(c.sure)-1)]
				n++
				for _, f := range k.Feedback {
					failed := f.String()
					told = told || strings.Contains(failed, "Low confidence, skipping fix: author is 55% sure of it") && strings.Contains(failed, "a more robust solution, with higher confidence")
				}
				return []fix.Candidate{x}
			}}
			b := set(t, map[string]string{"a.txt": "BAD\n"}, []check.Check{nobad}, f)
			s, end := b.start(t, heal.Goal{})
			if end != c.end || f.proposed.Load() != c.asked || told != (c.asked > 1) {
				t.Errorf("ended %s (%s) after %d questions, told why: %v", end, s.Reason, f.proposed.Load(), told)
			}
			if why := s.History[0].Refused[0].Why; !strings.HasPrefix(why, "Low confidence, skipping fix: ") {
				t.Errorf("it was refused: %s", why)
			}
		})
	}
}
