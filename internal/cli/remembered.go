package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"fettle/internal/diag"
	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/learn"
)

// remembered is an agent that is paid once for a problem on a tree: what it has made of it is kept, be it nothing, and had again when the very same is asked.
type remembered struct {
	fix.Fixer
	settings string // of the agent: what it makes depends on them
	book     *learn.Book
}

// Whole implements [fix.Whole].
func (r remembered) Whole() bool {
	w, ok := r.Fixer.(fix.Whole)
	return ok && w.Whole()
}

// Recalls implements [fix.Recaller]: what exactly it was asked is known when it is asked.
func (r remembered) Recalls(ctx context.Context, _ fix.Task) bool {
	known, err := r.book.Asked(ctx, "")
	return err == nil && known
}

// Propose implements [fix.Fixer]. A run that failed or was cut short is no answer.
func (r remembered) Propose(ctx context.Context, t fix.Task) iter.Seq2[fix.Candidate, error] {
	return func(yield func(fix.Candidate, error) bool) {
		note := func(format string, args ...any) {
			if t.Note != nil {
				t.Note(fmt.Sprintf(format, args...))
			}
		}
		question := r.question(t)
		c, asked := r.recall(ctx, question, note)
		if asked {
			if len(c.Patch) > 0 {
				yield(c, nil)
			}
			return
		}
		if t.Known {
			return
		}
		answered := false
		for c, err := range r.Fixer.Propose(ctx, t) {
			answered = true
			if err == nil {
				c.Question = question
				r.keep(ctx, c, "", note)
			}
			if !yield(c, err) {
				return
			}
		}
		if !answered {
			r.keep(ctx, fix.Candidate{Question: question}, "it changed nothing", note)
		}
	}
}

// question identifies what is asked, by what the answer depends on: whom, with which settings, about which findings, on which files, and after which failures. What a tool prints is left
// out, as times and temporary folders stand in it. Empty: it cannot be said.
func (r remembered) question(t fix.Task) string {
	if t.Seen == "" {
		return ""
	}
	type finding struct {
		Check            string
		ID               diag.Fingerprint
		File, Test, Rule string
	}
	key := struct {
		Version         int
		Fixer, Settings string
		Seen            edit.Hash
		Findings        []finding
		Feedback        []fix.Failure
		SentBack        edit.Hash
	}{Version: 2, Fixer: r.Name(), Settings: r.settings, Seen: t.Seen, Feedback: t.Attempts(), SentBack: t.SentBack.Digest()}
	for _, p := range t.Parts() {
		for _, d := range p.Diagnostics {
			key.Findings = append(key.Findings, finding{p.Check.Name, d.ID, d.File, d.Test, d.Rule})
		}
	}
	text, err := json.Marshal(key)
	if err != nil {
		return ""
	}
	return string(edit.Sum(text))
}

// recall is what was made of a question before, for nothing. Asked says that somebody was asked it; without a patch that brought nothing.
func (r remembered) recall(ctx context.Context, question string, note func(string, ...any)) (c fix.Candidate, asked bool) {
	if question == "" {
		return c, false
	}
	kept, known, err := r.book.Recall(ctx, question)
	switch {
	case err != nil:
		note("%v", err) // to remember saves money, and is no condition
		return c, false
	case !known:
		return c, false
	case kept.Useless != "":
		note("it was not asked: the very same was asked before, and what came of it was of no use (%s); fettle fix --fresh asks it anew", kept.Useless)
		return c, true
	}
	if err := json.Unmarshal([]byte(kept.Reply), &c); err != nil || len(c.Patch) == 0 {
		return fix.Candidate{}, false // another release has written it
	}
	note("it was not asked: its patch for the very same is from before; fettle fix --fresh asks it anew")
	c.Question = question
	return c, true
}

// keep writes down what was made of a candidate's question: the candidate, or why there is none. One with a secret in it is not written down.
func (r remembered) keep(ctx context.Context, c fix.Candidate, useless string, note func(string, ...any)) {
	if c.Question == "" || ctx.Err() != nil || slices.ContainsFunc(c.Patch, holdsSecret) {
		return
	}
	a := learn.Answer{Fixer: r.Name(), Model: c.Model, Useless: useless}
	if useless == "" {
		text, err := json.Marshal(fix.Candidate{Patch: c.Patch, Author: c.Author, Explanation: redactor().RedactString(c.Explanation), Confidence: c.Confidence, Model: c.Model, Suspect: c.Suspect})
		if err != nil {
			note("%v", err)
			return
		}
		a.Reply = string(text)
	}
	if err := r.book.Answered(context.WithoutCancel(ctx), c.Question, a); err != nil {
		note("%v", err)
	}
}

func holdsSecret(c edit.Change) bool {
	return slices.ContainsFunc(c.Edits, func(e edit.Edit) bool { return len(redactor().Find(e.New)) > 0 })
}
