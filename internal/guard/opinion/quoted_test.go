package opinion_test

import (
	"encoding/json"
	"testing"

	"fettle/internal/guard/opinion"
	"fettle/internal/guard/validate"
	"fettle/internal/quote/quotetest"
)

// What calls, plans and people say comes to the validator as it is, and as nothing else. A call's input is JSON, as the agent has sent it.
func TestTextsStayWithinTheirBoundaries(t *testing.T) {
	for _, x := range quotetest.Texts(t) {
		input, err := json.Marshal(map[string]string{"command": x.Text})
		if err != nil {
			t.Fatal(err)
		}
		r := request(validate.Intent)
		r.Input, r.First, r.Words, r.Failed, r.Plan = input, "the first", []string{x.Text}, x.Text, []string{x.Text}
		j := &judge{answers: map[string][]string{"intent-validate": {yes}}}
		if _, err := (opinion.Validator{Caller: j}).Answer(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		for kind, text := range map[string]string{"words": x.Text, "failed": x.Text, "plan": x.Text, "call": string(input)} {
			quotetest.Whole(t, j.asked[0].Messages[0].Text, kind, text)
		}
	}
}
