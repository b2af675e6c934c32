// Package opinion answers "what does a model say of this tool call?": it is the validator that comes with the program, for whoever has a model.
//
// The rules have decided before ([validate]): what they deny is never put here. Each stage is one question of its own to a model, all of them at the same time, each with the
// tier it needs. What would be asked about is judged twice: where the first model says no, a second look may overturn it, with the person's words before it. The model
// sees the call, the facts and the person's own words, and never what tools have printed: whoever writes a web page or a log must not have a say in what is allowed.
//
// An answer is one of two words in a JSON object, whatever stands around that, or alone. Anything else is asked for again, twice at most, and is a no then.
package opinion

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"time"

	"fettle/internal/guard/validate"
	"fettle/internal/model"
	"fettle/internal/policy/secret"
)

// Validator gives second opinions by models.
type Validator struct {
	Caller   model.Caller
	Tiers    map[model.Role]model.Tier // those that somebody has given to the roles, for all of a role's questions in the place of each one's own; nil: none
	Redactor *secret.Redactor          // finds what must not leave the machine; nil: one that knows nothing of the environment
	// Templates are the person's own prompts. They come from a folder that nobody whose calls are judged can write to, least of all from the project; nil: there are none.
	Templates fs.FS
}

// Answer answers a request, until its deadline. A reply has an opinion for each stage; what no model could be asked about is an error for all of them, so that whoever
// asked does as when nobody answers. There is no half reply.
func (v Validator) Answer(ctx context.Context, r validate.Request) (validate.Reply, error) {
	if r.Version != validate.Version {
		return validate.Reply{}, fmt.Errorf("the question is of version %d, and this program answers version %d: install the guard again (fettle guard install)", r.Version, validate.Version)
	}
	if len(r.Stages) == 0 {
		return validate.Reply{}, errors.New("the question is about nothing")
	}
	ctx, cancel := context.WithDeadline(ctx, r.Deadline)
	defer cancel()
	reply := validate.Reply{Version: validate.Version, ID: r.ID, Verdicts: make([]validate.Opinion, len(r.Stages))}
	failed := make([]error, len(r.Stages))
	var all sync.WaitGroup
	for i, stage := range r.Stages {
		all.Go(func() {
			reply.Verdicts[i], failed[i] = v.judge(ctx, stage, r)
		})
	}
	all.Wait()
	if err := errors.Join(failed...); err != nil {
		return validate.Reply{}, err
	}
	return reply, nil
}

// judge has one stage judged, and what would be asked about once more where the answer is no.
func (v Validator) judge(ctx context.Context, stage validate.Stage, r validate.Request) (validate.Opinion, error) {
	asked, ok := stages[stage]
	if !ok {
		return validate.Opinion{}, fmt.Errorf("there is no stage %q", stage)
	}
	first, err := v.ask(ctx, asked, r, "")
	if err != nil {
		return validate.Opinion{}, fmt.Errorf("%s: %w", stage, err)
	}
	o := validate.Opinion{Stage: stage, Decision: validate.Fail, Reason: first.reason, Asked: []validate.Asked{first.by}}
	if first.word == asked.yes {
		o.Decision, o.Reason = validate.OK, ""
		return o, nil
	}
	if stage != validate.Approve {
		return o, nil
	}
	again, err := v.ask(ctx, appeal, r, first.reason)
	if err != nil {
		return validate.Opinion{}, fmt.Errorf("%s, on appeal: %w", stage, err)
	}
	o.Asked = append(o.Asked, again.by)
	if again.word == appeal.yes {
		o.Decision, o.Reason, o.Appeal = validate.OK, "", validate.Overturn
	} else {
		o.Reason, o.Appeal = cmp.Or(again.reason, first.reason), validate.Uphold
	}
	return o, nil
}

// answer is one of a question's two words, why, and whose it is.
type answer struct {
	word, reason string
	by           validate.Asked
}

// unformed is what is said of a call about which no model gave an answer that can be read.
const unformed = "the model gave no answer that could be read"

// ask puts one question. What is never answered in the form is a no; a model that cannot be asked is an error.
func (v Validator) ask(ctx context.Context, q question, r validate.Request, denied string) (answer, error) {
	q.tier = cmp.Or(v.Tiers[q.role], q.tier)
	request, err := q.request(r, denied, v.texts(), v.Redactor.Outbound(r.Root).Naming(root))
	if err != nil {
		return answer{}, err
	}
	start := time.Now()
	a, last, err := model.Ask(ctx, v.Caller, request, model.Form[answer]{
		Read: func(_ context.Context, r model.Reply) (answer, error) {
			word, reason, err := q.read(r, request.Messages[0].Text)
			if err != nil {
				return answer{}, &model.Misread{Why: err}
			}
			return answer{word: word, reason: reason}, nil
		},
		Again: func(why error) (string, error) {
			return "Invalid format: " + why.Error() + ". Answer with the JSON object that was asked for and nothing else.", nil
		},
	})
	var misread *model.Misread
	switch {
	case errors.As(err, &misread):
		a = answer{word: q.no, reason: unformed}
	case err != nil:
		return answer{}, err
	}
	a.by = validate.Asked{Provider: last.Provider, Model: strings.TrimPrefix(last.Model, last.Provider+"/"), Tier: string(q.tier), Millis: time.Since(start).Milliseconds()}
	return a, nil
}
