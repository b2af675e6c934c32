package cli

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/learn"
	"fettle/internal/store"
)

// worker is an agent that is counted, and does what a test says.
type worker struct {
	spender
	asked int
	does  func() ([]fix.Candidate, error)
}

func (w *worker) Propose(context.Context, fix.Task) iter.Seq2[fix.Candidate, error] {
	return func(yield func(fix.Candidate, error) bool) {
		w.asked++
		all, err := w.does()
		for _, c := range all {
			if !yield(c, nil) {
				return
			}
		}
		if err != nil {
			yield(fix.Candidate{}, err)
		}
	}
}

// made is a patch that puts a text into a file, and costs something.
func made(text string) []fix.Candidate {
	return []fix.Candidate{{
		Patch: edit.Patch{{Path: "a.py", Op: edit.Create, Edits: []edit.Edit{{New: []byte(text)}}}}, Author: "claude", Explanation: "because", Confidence: 0.9, Cost: 0.25, Model: "claude",
	}}
}

// TestRemembered: an agent is asked once about the very same, whatever came of it; about anything else it is asked.
func TestRemembered(t *testing.T) {
	hidden := "gh" + "p_" + "q7Xv2LmK9tRz4WbN8cYd5HsJ1fGp6Qa3Ue0o"
	patch := func() ([]fix.Candidate, error) { return made("x = 2\n"), nil }
	nothing := func() ([]fix.Candidate, error) { return nil, nil }
	for name, c := range map[string]struct {
		does   func() ([]fix.Candidate, error)
		change func(t *fix.Task, r *remembered) // between the first time and the second
		again  bool                             // it is asked the second time, too
		had    int                              // patches of the second time
		told   string
	}{
		"the very same":            {does: patch, had: 1, told: "its patch for the very same is from before"},
		"what a tool prints":       {does: patch, change: func(t *fix.Task, _ *remembered) { t.Diagnostics[0].Message = "at 12:01" }, had: 1},
		"it changes nothing":       {does: nothing, told: "of no use (it changed nothing); fettle fix --fresh"},
		"it fails":                 {does: func() ([]fix.Candidate, error) { return nil, errors.New("killed") }, again: true},
		"another tree":             {does: patch, change: func(t *fix.Task, _ *remembered) { t.Seen = "2" }, again: true, had: 1},
		"a tree that nobody knows": {does: patch, change: func(t *fix.Task, _ *remembered) { t.Seen = "" }, again: true, had: 1},
		"another finding":          {does: nothing, change: func(t *fix.Task, _ *remembered) { t.Diagnostics[0].ID = "g" }, again: true},
		"one more of another check": {does: nothing, change: func(t *fix.Task, _ *remembered) {
			t.Also = []fix.Part{{Check: check.Check{Name: "lint"}, Diagnostics: []diag.Diagnostic{{ID: "l"}}}}
		}, again: true},
		"what failed meanwhile":     {does: nothing, change: func(t *fix.Task, _ *remembered) { t.Feedback = []fix.Failure{{Why: "it broke b"}} }, again: true},
		"what was sent back":        {does: patch, change: func(t *fix.Task, _ *remembered) { t.SentBack = made("x = 3\n")[0].Patch }, again: true, had: 1},
		"other settings":            {does: nothing, change: func(_ *fix.Task, r *remembered) { r.settings = "opus" }, again: true},
		"the person wants it anew":  {does: patch, change: func(_ *fix.Task, r *remembered) { r.book.Fresh = true }, again: true, had: 1},
		"a patch with a secret":     {does: func() ([]fix.Candidate, error) { return made("token = \"" + hidden + "\"\n"), nil }, again: true, had: 1},
		"a patch that was taken":    {does: patch, change: taken(true), had: 1, told: "its patch for the very same is from before"},
		"… and taken back":          {does: patch, change: taken(false), told: "of no use (a person took its patch back)"},
		"a patch that will not do":  {does: patch, change: useless("it broke b"), told: "of no use (it broke b)"},
		"what another release kept": {does: patch, change: reply("{}"), again: true, had: 1},
	} {
		t.Run(name, func(t *testing.T) {
			db, err := store.Open(t.Context(), t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			w := &worker{does: c.does}
			r := remembered{Fixer: w, settings: "{}", book: &learn.Book{DB: db}}
			var notes []string
			k := fix.Task{
				Check: check.Check{Name: "test"}, Diagnostics: []diag.Diagnostic{{ID: "f", File: "a.py", Test: "test_a"}}, Seen: "1",
				Note: func(text string) { notes = append(notes, text) },
			}
			collect := func() (all []fix.Candidate) {
				for c, err := range r.Propose(t.Context(), k) {
					if err == nil {
						all = append(all, c)
					}
				}
				return all
			}
			first := collect()
			if c.change != nil {
				c.change(&k, &r)
			}
			notes = nil
			second := collect()
			if again := w.asked == 2; again != c.again || len(second) != c.had {
				t.Errorf("it was asked %d times, and the second time brought %d patches; told was %q", w.asked, len(second), notes)
			}
			if !strings.Contains(fmt.Sprint(notes), c.told) {
				t.Errorf("told was %q", notes)
			}
			if !c.again && len(second) == 1 {
				got, want := second[0], first[0]
				if got.Cost != 0 || got.Patch.Digest() != want.Patch.Digest() || got.Question != want.Question || got.Question == "" ||
					got.Author != want.Author || got.Confidence != want.Confidence || got.Explanation != want.Explanation || got.Model != want.Model {
					t.Errorf("got %+v, want %+v for nothing", got, want)
				}
			}
		})
	}
}

// taken has the answer to a task's question be applied, and stand or be taken back.
func taken(stands bool) func(*fix.Task, *remembered) {
	return func(t *fix.Task, r *remembered) {
		_ = r.book.Applied(context.Background(), 1, learn.Lesson{Bought: []learn.Bought{{Author: r.Name(), Question: r.question(*t)}}})
		_, _ = r.book.Records(context.Background(), func(int64) bool { return stands }, func(int64) bool { return true })
	}
}

// useless has the answer to a task's question be of no use.
func useless(why string) func(*fix.Task, *remembered) {
	return func(t *fix.Task, r *remembered) {
		_ = r.book.Answered(context.Background(), r.question(*t), learn.Answer{Useless: why})
	}
}

// reply has something else stand in the place of the answer.
func reply(text string) func(*fix.Task, *remembered) {
	return func(t *fix.Task, r *remembered) {
		_ = r.book.Answered(context.Background(), r.question(*t), learn.Answer{Reply: text})
	}
}
