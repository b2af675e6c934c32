package challenge_test

import (
	"testing"

	"fettle/internal/audit/challenge"
	"fettle/internal/quote/quotetest"
)

// What issues, changes and measurements say comes to the judge as it is, and as nothing else.
func TestTextsStayWithinTheirBoundaries(t *testing.T) {
	for _, x := range quotetest.Texts(t) {
		c, s := good(), text(answer(about("BE-001", true, 100, 100, 100, 100)))
		c.Issues[0].Text, c.Diff, c.Evidence.Steps[0].Detail, c.Earlier = x.Text, x.Text, x.Text, []string{x.Text}
		if _, err := (challenge.Judge{Caller: s}).Ask(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		for _, kind := range []string{"issue", "diff", "measurements", "earlier judgements"} {
			quotetest.Whole(t, s.asked[0].Messages[0].Text, kind, x.Text)
		}
	}
}
