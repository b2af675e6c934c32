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

// withDecision is the same for an author whose patch was sent back.
var withDecision = model.Schema{Name: "edits-again", Schema: json.RawMessage(strings.NewReplacer(
	`"required": ["explanation", "confidence", "edits"]`, `"required": ["decision", "explanation", "confidence", "edits"]`,
	`"properties": {
  "explanation"`, `"properties": {
  "decision": {"type": "string", "enum": ["KEEP", "AGREE", "PARTIALLY_AGREE", "DISAGREE"], "description": "what you make of the second reader's objections"},
  "explanation"`).Replace(string(schema.Schema)))}

// warmer is how much each further sample is freer than the one before: that much above the role's own temperature.
const warmer = 0.3

// sendsAgain reports whether a request will be sent again, with more behind it or as another sample, so that it is worth to pay a quarter more for having it kept. One question alone is not:
// what is read from what was kept saves nine tenths, so more than a quarter of all answers would have to be unreadable, and be asked for again.
func (f *fixer) sendsAgain() bool { return f.o.Samples > 1 || f.o.Turns > 0 }

// converse asks for one answer, and again with the reason when it cannot be read. Without an answer it says so, which is no error: another fixer may know better.
func (f *fixer) converse(ctx context.Context, t fix.Task, r *Request, nth int, question string, note func(string, ...any)) (c fix.Candidate, ok bool, err error) {
	q := model.Request{
		Role: model.Fixer, Tier: f.o.Tier, Fixer: f.Name(), Purpose: "fix", System: r.System, Schema: &schema, Warmer: warmer * float64(nth),
		Messages: []model.Message{{Speaker: model.User, Text: r.User, Cached: f.sendsAgain()}},
	}
	if len(t.SentBack) > 0 {
		q.Schema = &withDecision
	}
	looker := r.looker(t, f.o.Turns)
	q.Tools = looker.Tools()
	a, said, err := model.Ask(ctx, f.caller, q, model.Form[reply.Answer]{
		Purpose: "retry",
		Look: func(ctx context.Context, said model.Reply) (model.Message, bool) {
			m, might := looker.Answer(ctx, said)
			r.look()
			return m, might
		},
		Read: func(ctx context.Context, said model.Reply) (reply.Answer, error) {
			if said.Stop == model.Refused {
				return reply.Answer{}, &model.Error{Kind: model.Malformed, Provider: said.Provider, Model: said.Model, Message: "the model refused to answer; another model or fixer may do it"}
			}
			if said.Stop == model.Repeats {
				return reply.Answer{}, &model.Misread{Why: errors.New("the reply said the same over and over, and was not read to its end: answer with fewer and shorter edits")}
			}
			a, err := reply.Read(ctx, said.Text, said.Stop == model.Cut, r.ground)
			var rejected *edit.RejectError
			if errors.As(err, &rejected) {
				return a, &model.Misread{Why: err}
			}
			return a, err
		},
		Again: func(why error) (string, error) {
			return r.texts.fill(formatText, []quote.Text{{Kind: "reason", Body: r.seen.out.Text(strings.ToValidUTF8(why.Error(), "\ufffd"))}})
		},
	})
	defer func() {
		if !ok && t.Spent != nil {
			t.Spent(said.Cost.Float(), !said.Unpriced)
		}
	}()
	stays := len(t.SentBack) > 0 && len(a.Patch) == 0 && (a.Decision == reply.Keep || a.Decision == reply.Disagree)
	if stays {
		a.Patch = t.SentBack
	}
	var misread *model.Misread
	switch {
	case errors.As(err, &misread):
		f.keep(ctx, r, question, said, "no answer could be used: "+misread.Error(), note)
		note("no answer of the model could be used, of %d; the last: %v", misread.Tries, misread)
		return c, false, nil
	case err != nil && said.Stop == model.Refused:
		f.keep(ctx, r, question, said, "the model refused to answer", note)
		return c, false, err
	case err != nil:
		return c, false, err
	case len(a.Patch) == 0:
		f.keep(ctx, r, question, said, "it had nothing to propose: "+told(a, "it does not say why"), note)
		note("the model has nothing to propose: %s", told(a, "it does not say why"))
		return c, false, nil
	}
	if !stays { // what is kept is a patch, and this is a word on one
		f.keep(ctx, r, question, said, "", note)
	}
	c = f.candidate(a, said.Cost)
	c.Question, c.Unpriced, c.Model, c.Suspect = question, said.Unpriced, said.Model, r.suspicious()
	if len(t.SentBack) > 0 && a.Decision != "" {
		c.Stance = &fix.Stance{Decision: a.Decision, Reason: told(a, "")}
	}
	return c, true, nil
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
