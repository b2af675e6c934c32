// Package challenge answers "does somebody else agree that this change solves what it was made for?": a second model judges it, blind to whoever made it.
//
// The judge sees what was to be solved, the change, and what was measured of it, and may look at files where it is let; never the maker's reasons, explanations or confidence. It gives marks, and the marks are
// held against facts: they are weighted here and not by the model, an issue whose files the change does not touch has none, and without tests that ran after the last
// edit nothing is solved. Facts only ever lower a mark.
//
// Whatever is not a whole, well-formed answer about each issue is no approval: a reply that was cut, refused, in another form, with an issue missing, twice or unknown, or
// that contradicts itself. So is a judge that could not be asked.
package challenge

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"fettle/internal/budget"
	"fettle/internal/look"
	"fettle/internal/model"
	"fettle/internal/policy/secret"
	"fettle/internal/quote"
	"fettle/internal/verdict"
)

// DefaultThreshold is the score, of 100, from which an issue counts as solved. It is the same number wherever a challenger's score is compared.
const DefaultThreshold = 95

// Unproven is the most that a change can have of which no test ran after the last edit, or whose evidence is not green: what is claimed is not measured.
const Unproven = 50

// Issue is one thing that the change was made to solve.
type Issue struct {
	Code  string   // how it is called, here and in the answer: "BE-001", "test.pytest"
	Title string   // in one line
	Text  string   // all that is known of it
	Files []string // those in which it lies, as far as that is known: a change to none of them does not solve it
}

// Case is what is judged.
type Case struct {
	Issues   []Issue
	Diff     string            // all of the change, as a unified diff
	Files    []string          // those that it changes
	Evidence *verdict.Evidence // what was measured; nil: nothing
	Fresh    bool              // the last test run is younger than the last edit
	Earlier  []string          // what earlier judgements of this goal asked for, oldest first
	About    []string          // what all of its issues are about, the most special first: their check, its kind
	Makers   []string          // the models and agents that have made it, so that somebody of another family is asked ([model.Unknown]: nobody can be); the judge is not told
	Tree     *Tree             `json:"-"` // where the judge may look, if it may; nil: nowhere
}

// Tree is the files as they are with the change in them.
type Tree struct {
	Open  func(ctx context.Context) (files fs.FS, done func(), err error) // for as long as the judge is asked
	State string                                                          // names what stands in all of them; empty: nobody knows, and no judgement of them is remembered
}

// Quality is the marks of one issue's solution, 0–100 each.
type Quality struct {
	Correctness int `json:"correctness"`
	Safety      int `json:"safety"`
	Minimality  int `json:"minimality"`
	Style       int `json:"style"`
}

// Weighted is the one number that the marks come to: correctness counts 0.40, safety 0.30, minimality and style 0.15 each, rounded to the nearest whole.
func (q Quality) Weighted() int {
	return (40*q.Correctness + 30*q.Safety + 15*q.Minimality + 15*q.Style + 50) / 100
}

// Score is what became of one issue.
type Score struct {
	Code     string   `json:"code"`
	Score    int      `json:"score"` // 0–100
	Solved   bool     `json:"solved"`
	Quality  Quality  `json:"quality"`
	Feedback string   `json:"feedback,omitempty"`
	Missing  []string `json:"missing,omitempty"` // what is still to be done
	Lowered  string   `json:"lowered,omitempty"` // the fact for which the score is less than the marks come to
}

// Opinion is the judgement.
type Opinion struct {
	Scores    []Score      `json:"scores"`
	Threshold int          `json:"threshold"`
	Score     int          `json:"score"` // of the issue with the lowest one
	Approved  bool         `json:"approved"`
	Judge     string       `json:"judge"`                   // the model, with its provider
	Family    string       `json:"family,omitempty"`        // who has made that model
	Related   bool         `json:"same_family,omitempty"`   // … and one of those that made the change: there was nobody else to ask
	Same      bool         `json:"same_model,omitempty"`    // it is one of those that made the change
	Unsure    bool         `json:"maker_unknown,omitempty"` // nobody knows which models made the change: it may be one of theirs
	Known     bool         `json:"remembered,omitempty"`    // it has judged the very same before, and was not asked again
	Cost      budget.Money `json:"-"`
	Unpriced  bool         `json:"-"` // it has cost more, and nobody knows how much
}

// Who is the judge, with whose family it is of.
func (o Opinion) Who() string {
	switch {
	case o.Family == "":
		return o.Judge
	case o.Same:
		return o.Judge + " (the very model that has made it: no other could be asked)"
	case o.Unsure:
		return o.Judge + " (of " + o.Family + "; which model has made it is not known)"
	case o.Related:
		return o.Judge + " (of " + o.Family + ", as is its author: no other family could be asked)"
	}
	return o.Judge + " (of " + o.Family + ")"
}

// Independent reports whether it is somebody else's: a model errs alike when it reads what it has made, and so do those of its family. What such a one objects to counts as much as
// anybody's; that it approves counts for nothing.
func (o Opinion) Independent() bool { return !o.Same && !o.Related && !o.Unsure }

// Feedback is what is still to be done, for whoever tries again.
func (o Opinion) Feedback() (out []string) {
	for _, s := range o.Scores {
		if s.Solved {
			continue
		}
		parts := append([]string{}, s.Missing...)
		if s.Feedback != "" {
			parts = append([]string{s.Feedback}, parts...)
		}
		if s.Lowered != "" {
			parts = append(parts, s.Lowered)
		}
		out = append(out, fmt.Sprintf("%s scores %d of 100: %s", s.Code, s.Score, strings.Join(parts, "; ")))
	}
	return out
}

// Judge asks a model.
type Judge struct {
	Caller    model.Caller
	Threshold int             // zero: [DefaultThreshold]
	Out       secret.Outbound // what it is told goes through this
	Known     Known           // nil: every case is put to the model
	Templates fs.FS           // the person's own prompts, from their configuration folder, never from a repository; nil: none
	Turns     int             // how often the judge may look into files before it answers, where a case has them; 0: it may not
}

// turns is how often the judge may look in a case.
func (j Judge) turns(c Case) int {
	if c.Tree == nil {
		return 0
	}
	return j.Turns
}

// ErrUnreadable says that the judge did answer, but not what it was asked.
var ErrUnreadable = errors.New("the challenger's answer cannot be read")

// Ask has a case judged. An error means that nobody has judged it, which is no approval: an [*model.Error] where the model could not be asked, or one that wraps
// [ErrUnreadable]. What was spent stands in the opinion in either case.
func (j Judge) Ask(ctx context.Context, c Case) (Opinion, error) {
	o := Opinion{Threshold: j.Threshold}
	if o.Threshold == 0 {
		o.Threshold = DefaultThreshold
	}
	if len(c.Issues) == 0 || strings.TrimSpace(c.Diff) == "" {
		return o, errors.New("there is no change to judge, or nothing that it was made for")
	}
	whom, name, marks, err := j.recall(ctx, c)
	if err != nil {
		return o, err
	}
	if marks != nil {
		o.Known = true
		return o.by(whom, c).with(c, marks), nil
	}
	marks, reply, err := j.put(ctx, c)
	o = o.by(reply.Model, c)
	o.Cost, o.Unpriced = reply.Cost, reply.Unpriced
	var misread *model.Misread
	switch {
	case errors.As(err, &misread):
		return o, fmt.Errorf("%w, and could not after %d tries: %w", ErrUnreadable, misread.Tries, misread.Why)
	case err != nil:
		return o, fmt.Errorf("ask the challenger: %w", err)
	}
	if name != "" && reply.Model == whom { // what another has said who was asked in its place is not its word
		j.Known.Keep(ctx, name, reply.Text)
	}
	return o.with(c, marks), nil
}

// put puts a case to the model, which may look around first.
func (j Judge) put(ctx context.Context, c Case) (marks map[string]mark, reply model.Reply, err error) {
	texts := j.texts(c)
	request, err := j.question(c, texts)
	if err != nil {
		return nil, reply, err
	}
	shown := []string{request.Messages[0].Text}
	form := model.Form[map[string]mark]{
		Purpose: "challenge again",
		Read: func(_ context.Context, r model.Reply) (map[string]mark, error) {
			marks, err := read(r, c.Issues, strings.Join(shown, "\n"))
			if err != nil {
				return nil, &model.Misread{Why: err}
			}
			return marks, nil
		},
		Again: func(why error) (string, error) {
			return texts.Fill(formatText, []quote.Text{{Kind: "reason", Body: j.Out.Text(strings.ToValidUTF8(why.Error(), "\ufffd"))}}, nil)
		},
	}
	if turns := j.turns(c); turns > 0 {
		files, done, err := c.Tree.Open(ctx)
		if err != nil {
			return nil, reply, fmt.Errorf("let the challenger look at the files: %w", err)
		}
		defer done()
		looker := &look.Looker{Files: files, Out: j.Out, Turns: turns}
		request.Tools, form.Look = looker.Tools(), func(ctx context.Context, r model.Reply) (model.Message, bool) {
			m, may := looker.Answer(ctx, r)
			for _, seen := range m.Results {
				shown = append(shown, seen.Text)
			}
			return m, may
		}
	}
	return model.Ask(ctx, j.Caller, request, form)
}

// by is the opinion as one of this model's.
func (o Opinion) by(judge string, c Case) Opinion {
	if o.Judge = judge; judge != "" {
		o.Family = model.Family(judge)
		near := model.Nearness(judge, c.Makers)
		o.Related, o.Same = near >= model.Related, near == model.Same
		o.Unsure = near == model.Apart && slices.Contains(c.Makers, model.Unknown)
	}
	return o
}

// with is the opinion that these marks come to.
func (o Opinion) with(c Case, marks map[string]mark) Opinion {
	o.Scores = weigh(c, marks, o.Threshold)
	o.Score, o.Approved = 100, true
	for _, s := range o.Scores {
		o.Score, o.Approved = min(o.Score, s.Score), o.Approved && s.Solved
	}
	return o
}
