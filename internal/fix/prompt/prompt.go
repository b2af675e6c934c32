// Package prompt answers "what does a model propose?": it makes a request of a task, asks, and makes candidates of what comes back.
//
// The request says what the check complains of, shows the code around the places where the fault may be, the failing tests, what earlier attempts came to, and as much else as its budget
// of tokens has room for; docs/prompts.md lists the parts and the order in which they are cut. What is not the program's own words goes in as data ([quote]), without its secrets, and what is no source without the folders of this machine, too. The
// answer is read by [reply]: a patch, or a reason that is put to the model, twice at most. What a model says is believed in nothing: its patches pass the gates and are verified like all
// others.
//
// A model has no tools, unless Options.Turns lets it look around: then it may read, list and search files of the private copy, and do nothing else.
package prompt

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/fix"
	"fettle/internal/learn"
	"fettle/internal/model"
	"fettle/internal/policy/secret"
)

// Options say how a model is asked. The zero value is one question, directly, to the standard tier.
type Options struct {
	Tier      model.Tier       // empty: standard
	Tokens    int              // the budget of a request; 0: [DefaultTokens]
	Context   int              // the tokens that the model reads and writes in one call: half of them bound the request too; 0: not known
	Samples   int              // how many answers are asked for; 0: one
	Turns     int              // how often the model may look into files before it answers; 0: it may not
	Templates fs.FS            // the person's own prompts, from their configuration folder, never from a repository; nil: none
	Redactor  *secret.Redactor // finds what must not leave the machine; nil: one that knows nothing of the environment
	Root      string           // the repository's own folder, which nobody is told, as well as the copy's; empty: only that
	MaxEdits  int              // for one file; 0: as many as edit allows
	Model     string           // which model is asked first: the answer of another one is another answer
	Book      *learn.Book      // where it stands what was asked before, so that nobody pays for it twice; nil: nowhere
}

// fixer asks a model.
type fixer struct {
	caller model.Caller
	o      Options
}

// New is the fixer that asks one tier of models.
func New(caller model.Caller, o Options) fix.Fixer {
	if o.Tier == "" {
		o.Tier = model.Standard
	}
	if o.Redactor == nil {
		o.Redactor = secret.New(nil)
	}
	return &fixer{caller, o}
}

// Prefix is how the names of these fixers begin, before their tier's.
const Prefix = "model-"

// Name implements [fix.Fixer].
func (f *fixer) Name() string { return Prefix + string(f.o.Tier) }

// Rung implements [fix.Fixer]: a larger model is asked after a smaller one.
func (f *fixer) Rung() fix.Rung {
	switch f.o.Tier {
	case model.Fast:
		return fix.RungModel
	case model.Deep:
		return fix.RungModel + 2
	case model.Standard:
	}
	return fix.RungModel + 1
}

// Takes implements [fix.Fixer]: whatever is said of a place or of a test. A check of tests that names neither may still be run to see where its fault lies.
func (f *fixer) Takes(c check.Check, d diag.Diagnostic) bool {
	return d.File != "" || d.Test != "" || len(d.Frames) > 0 || c.Kind() == "test"
}

// Propose implements [fix.Fixer].
func (f *fixer) Propose(ctx context.Context, t fix.Task) iter.Seq2[fix.Candidate, error] {
	return func(yield func(fix.Candidate, error) bool) {
		note := func(format string, args ...any) {
			if t.Note != nil {
				t.Note(fmt.Sprintf(format, args...))
			}
		}
		all := f.answers(ctx, t, note)
		if f.o.Samples > 1 && t.TryAll != nil {
			all = f.best(ctx, t, all, note)
		}
		for c, err := range all {
			if err != nil {
				yield(fix.Candidate{}, fmt.Errorf("ask a model: %w", err))
				return
			}
			if !yield(c, nil) {
				return
			}
		}
	}
}

// answers asks for each answer when it is wanted.
func (f *fixer) answers(ctx context.Context, t fix.Task, note func(string, ...any)) iter.Seq2[fix.Candidate, error] {
	return func(yield func(fix.Candidate, error) bool) {
		r, err := Build(ctx, t, f.o)
		if err != nil {
			yield(fix.Candidate{}, err)
			return
		}
		for _, n := range r.Notes {
			note("%s", n)
		}
		if !r.shows() && f.o.Turns == 0 {
			note("the model was not asked: nothing says where the fault may be, so that no code could be shown to it")
			return
		}
		had := false
		for i := range max(f.o.Samples, 1) {
			c, ok, err := f.answer(ctx, t, &r, i, note)
			var failed *model.Error
			switch {
			case errors.As(err, &failed) && had:
				note("no further answer was asked for: %v", err) // what there is can still be tried
				return
			case err != nil:
				yield(fix.Candidate{}, err)
				return
			case !ok:
				continue
			}
			had = true
			if !yield(c, nil) {
				return
			}
		}
	}
}

// answer asks once. A request that is too long for the model is made once more with half the budget.
func (f *fixer) answer(ctx context.Context, t fix.Task, r **Request, nth int, note func(string, ...any)) (fix.Candidate, bool, error) {
	question, err := (*r).question(f, t, nth)
	if err != nil {
		return fix.Candidate{}, false, err
	}
	if c, ok, asked := f.recall(ctx, *r, question, note); asked {
		return c, ok, nil
	}
	if t.Known {
		return fix.Candidate{}, false, nil
	}
	c, ok, err := f.converse(ctx, t, *r, nth, question, note)
	var failed *model.Error
	if !errors.As(err, &failed) || failed.Kind != model.TooLong {
		return c, ok, err
	}
	o := f.o
	o.Tokens = (*r).Tokens / 2
	shorter, e := Build(ctx, t, o)
	if e != nil {
		return c, false, e
	}
	if shorter.Tokens >= (*r).Tokens {
		return c, false, err
	}
	*r = shorter
	note("the request was too long for the model; it was asked with %d tokens instead", shorter.Tokens)
	return f.converse(ctx, t, shorter, nth, question, note)
}
