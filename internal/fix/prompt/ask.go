package prompt

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"fettle/internal/budget"
	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/fix/reply"
	"fettle/internal/model"
	"fettle/internal/quote"
)

// schema is the shape that is asked for: every edit has every member, so that providers which are strict can hold a model to it.
var schema = model.Schema{Name: "edits", Schema: json.RawMessage(`{
"type": "object",
"additionalProperties": false,
"required": ["explanation", "confidence", "edits"],
"properties": {
  "explanation": {"type": "string", "description": "one sentence: what was wrong, and why this mends it"},
  "confidence": {"type": "number", "description": "from 0 to 1"},
  "edits": {"type": "array", "items": {
    "type": "object",
    "additionalProperties": false,
    "required": ["path", "line", "old", "new", "content", "delete"],
    "properties": {
      "path": {"type": "string"},
      "line": {"type": ["integer", "null"], "description": "where old begins"},
      "old": {"type": ["string", "null"], "description": "whole lines as they are, without numbers"},
      "new": {"type": ["string", "null"], "description": "what should stand there; empty: nothing"},
      "content": {"type": ["string", "null"], "description": "all of the file, instead of old and new"},
      "delete": {"type": ["boolean", "null"]}
    }}}
}}`)}

// mostRetries is how often a model is asked again because its answer could not be read.
const mostRetries = 2

// warmer is how much each further sample is freer than the one before.
const warmer = 0.3

// temperature is that of the nth sample: the role's own for the first.
func temperature(nth int) *float64 {
	if nth == 0 {
		return nil
	}
	t := min(warmer*float64(nth), 1)
	return &t
}

// converse asks for one answer, and again with the reason when it cannot be read. Without an answer it says so, which is no error: another fixer may know better.
func (f *fixer) converse(ctx context.Context, t fix.Task, r *Request, nth int, note func(string, ...any)) (fix.Candidate, bool, error) {
	q := model.Request{Role: model.Fixer, Tier: f.o.Tier, Purpose: "fix", System: r.System, Messages: []model.Message{{Speaker: model.User, Text: r.User, Cached: true}}, Schema: &schema, Temperature: temperature(nth)}
	look := newLooker(t, r, f.o.Turns)
	var cost budget.Money
	for try := 0; ; {
		q.Tools = look.tools()
		said, err := f.caller.Call(ctx, q)
		if err != nil {
			return fix.Candidate{}, false, err
		}
		cost += said.Cost
		if len(said.Calls) > 0 {
			if look.left <= 0 {
				if try++; try > mostRetries {
					note("the model asked to see more files, and gave no answer")
					return fix.Candidate{}, false, nil
				}
			}
			q.Messages = append(q.Messages, model.Message{Speaker: model.Assistant, Text: said.Text, Calls: said.Calls}, look.answer(ctx, said.Calls))
			continue
		}
		if said.Stop == model.Refused {
			return fix.Candidate{}, false, &model.Error{Kind: model.Malformed, Provider: said.Provider, Model: said.Model, Message: "the model refused to answer; another model or fixer may do it"}
		}
		a, err := reply.Read(ctx, said.Text, said.Stop == model.Cut, r.ground)
		var rejected *edit.RejectError
		switch {
		case err == nil && len(a.Patch) == 0:
			note("the model has nothing to propose: %s", told(a, "it does not say why"))
			return fix.Candidate{}, false, nil
		case err == nil:
			return f.candidate(a, cost), true, nil
		case !errors.As(err, &rejected):
			return fix.Candidate{}, false, err
		case try == mostRetries:
			note("no answer of the model could be used, of %d; the last: %v", try+1, err)
			return fix.Candidate{}, false, nil
		}
		try++
		again, err := r.texts.fill(formatText, []quote.Text{{Kind: "reason", Body: r.seen.redactor.RedactString(strings.ToValidUTF8(err.Error(), "\ufffd"))}})
		if err != nil {
			return fix.Candidate{}, false, err
		}
		q.Purpose = "retry"
		q.Messages = append(q.Messages, model.Message{Speaker: model.Assistant, Text: spoken(said)}, model.Message{Speaker: model.User, Text: again})
	}
}

// spoken is what the model said, as it stands in the conversation: providers take no message without a word.
func spoken(said model.Reply) string {
	if strings.TrimSpace(said.Text) == "" {
		return "(nothing)"
	}
	return said.Text
}

func told(a reply.Answer, otherwise string) string {
	if a.Explanation == "" {
		return otherwise
	}
	return oneLine(a.Explanation)
}

// oneLine is the first of a text, and not all of it if it is long.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > 300 {
		return string(r[:299]) + "…"
	}
	return text
}

func (f *fixer) candidate(a reply.Answer, cost budget.Money) fix.Candidate {
	c := fix.Candidate{Patch: a.Patch, Author: f.Name(), Explanation: told(a, "the model does not say what was wrong"), Confidence: a.Confidence, Cost: cost.Float()}
	for _, n := range a.Notes {
		c.Explanation += fmt.Sprintf(" (%s)", n)
	}
	return c
}
