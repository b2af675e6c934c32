package prompt

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"fettle/internal/diag"
	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/fix/reply"
	"fettle/internal/learn"
	"fettle/internal/model"
)

// question identifies what is asked, by what the answer depends on: whom, in which words of the program and of the person, about which findings, with which files as they are shown, and after
// which failures. What a tool prints is left out, as times and temporary folders stand in it.
func (r *Request) question(f *fixer, t fix.Task, nth int) (string, error) {
	type finding struct {
		ID               diag.Fingerprint
		File, Test, Rule string
	}
	type shown struct {
		Path  string
		Sum   edit.Hash
		Lines []stretch
	}
	key := struct {
		Version              int
		Fixer, Model         string
		Nth                  int
		System, Words, House string
		Check                string
		Findings             []finding
		Files                []shown
		Feedback             []fix.Failure
		SentBack             edit.Hash
	}{Version: 2, Fixer: f.Name(), Model: f.o.Model, Nth: nth, System: r.System, Words: r.words, House: r.house, Check: t.Check.Name, Feedback: t.Attempts(), SentBack: t.SentBack.Digest()}
	for _, d := range t.Diagnostics {
		key.Findings = append(key.Findings, finding{d.ID, d.File, d.Test, d.Rule})
	}
	for _, path := range slices.Sorted(maps.Keys(r.seen.files)) {
		if file := r.seen.files[path]; file != nil && len(file.shown) > 0 {
			key.Files = append(key.Files, shown{path, edit.Sum(file.data), file.shown})
		}
	}
	text, err := json.Marshal(key)
	if err != nil {
		return "", fmt.Errorf("name what is asked: %w", err)
	}
	about, err := f.subject(t)
	if err != nil {
		return "", fmt.Errorf("name what is asked: %w", err)
	}
	sum := sha256.Sum256(text)
	return about + hex.EncodeToString(sum[:]), nil
}

// recall gives the answer to a question that was asked before, for nothing. Asked says that there was one, if only one that is of no use.
func (f *fixer) recall(ctx context.Context, r *Request, question string, note func(string, ...any)) (c fix.Candidate, ok, asked bool) {
	if f.o.Book == nil {
		return c, false, false
	}
	kept, known, err := f.o.Book.Recall(ctx, question)
	switch {
	case err != nil:
		note("%v", err) // to remember saves money, and is no condition
		return c, false, false
	case !known:
		return c, false, false
	case kept.Useless != "":
		note("it was not asked: the very same was asked before, and the answer was of no use (%s); fettle stats --reset forgets what was asked", oneLine(kept.Useless))
		return c, false, true
	}
	a, err := reply.Read(ctx, kept.Reply, false, r.ground)
	if err != nil || len(a.Patch) == 0 {
		return c, false, false // what was taken out of it as a secret was a part of it: it is asked once more
	}
	note("it was not asked: it has answered the very same before")
	c = f.candidate(a, 0)
	c.Suspect = r.suspicious()
	c.Question, c.Model = question, cmp.Or(kept.Model, model.Unknown) // it need not be the model that would be asked now
	return c, true, true
}

// keep writes down what was answered: by whom, the text in which the answer was found, or why there was none.
func (f *fixer) keep(ctx context.Context, r *Request, question string, said model.Reply, useless string, note func(string, ...any)) {
	if f.o.Book == nil || useless != "" && r.seen.narrow { // under a wider goal it may be of use
		return
	}
	a := learn.Answer{Fixer: f.Name(), Model: said.Model, Reply: r.seen.redactor.RedactString(said.Text), Useless: r.seen.redactor.RedactString(useless)}
	if useless != "" {
		a.Reply = ""
	}
	if err := f.o.Book.Answered(ctx, question, a); err != nil {
		note("%v", err)
	}
}
