package prompt_test

import (
	"testing"

	"fettle/internal/fix"
	"fettle/internal/fix/prompt"
	"fettle/internal/quote/quotetest"
)

// What code, checks and failures say comes to the model as it is, and as nothing else.
func TestTextsStayWithinTheirBoundaries(t *testing.T) {
	for _, x := range quotetest.Texts(t) {
		k, _ := task(t, map[string]string{"shop.py": shop + "\n\n" + x.Text + "\n"})
		k.Diagnostics[0].Detail, k.Feedback = x.Text, []fix.Failure{{Why: x.Text}}
		r, err := prompt.Build(t.Context(), k, prompt.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range []string{"finding", "failure", "source"} {
			quotetest.Whole(t, r.User, kind, x.Text)
		}
	}
}
