package prompt_test

import (
	"fmt"
	"strings"
	"testing"

	"fettle/internal/fix"
	"fettle/internal/fix/prompt"
	"fettle/internal/learn"
	"fettle/internal/model"
	"fettle/internal/store"
)

// What was answered is had again for nothing, as long as the question is the same; what was of no use is not asked again; and nothing of it is a secret.
func TestAskedBefore(t *testing.T) {
	db, err := store.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	book := &learn.Book{DB: db}
	hidden := "gh" + "p_" + "q7Xv2LmK9tRz4WbN8cYd5HsJ1fGp6Qa3Ue0o"
	k, _ := task(t, map[string]string{"shop.py": strings.Replace(shop, "RATE = 0.2", `RATE = 0.2; TOKEN = "`+hidden+`"`, 1)})
	var asked []model.Request
	ask := func(o prompt.Options, text string) (n int, notes string, questions []string) {
		t.Helper()
		before := len(asked)
		o.Book = book
		all, said, err := propose(t, prompt.New(says(&asked, text), o), k)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range all {
			questions = append(questions, c.Question)
			if n := len(asked) - before; n == 0 && c.Cost != 0 {
				t.Errorf("what was had for nothing costs %v", c.Cost)
			}
		}
		return len(asked) - before, fmt.Sprint(said), questions
	}
	n, _, first := ask(prompt.Options{}, right)
	if n != 1 || len(first) != 1 || first[0] == "" {
		t.Fatalf("%d, %v", n, first)
	}
	if n, notes, again := ask(prompt.Options{}, "nobody"); n != 0 || len(again) != 1 || again[0] != first[0] || !strings.Contains(notes, "it has answered the very same before") {
		t.Errorf("%d, %s, %v", n, notes, again)
	}
	if n, _, _ := ask(prompt.Options{Model: "a/other"}, right); n != 1 {
		t.Error("another model was not asked")
	}
	if err := book.Answered(t.Context(), first[0], learn.Answer{Fixer: "model-standard", Useless: "it broke another test"}); err != nil {
		t.Fatal(err)
	}
	if n, notes, again := ask(prompt.Options{}, right); n != 0 || len(again) != 0 || !strings.Contains(notes, "it broke another test") {
		t.Errorf("%d, %s, %v", n, notes, again)
	}
	k.Feedback = []fix.Failure{{Own: true, Why: "it broke another test", Report: "in 0.12 s"}}
	n, _, told := ask(prompt.Options{}, right)
	if n != 1 || told[0] == first[0] {
		t.Error("what failed is another question")
	}
	k.Feedback[0].Report = "in 0.11 s"
	if n, _, again := ask(prompt.Options{}, "nobody"); n != 0 || len(again) != 1 || again[0] != told[0] {
		t.Error("what a check printed with the patch that failed is another question")
	}
	if err := book.Applied(t.Context(), 1, learn.Lesson{Bought: []learn.Bought{{Question: told[0]}}}); err != nil {
		t.Fatal(err)
	}
	if n, _, again := ask(prompt.Options{}, "nobody"); n != 0 || len(again) != 1 {
		t.Error("what was taken is paid for again")
	}
	if n, _, _ := ask(prompt.Options{Model: "a/third"}, answer("    return price - tax(price)", "    return price + tax(price)  # "+hidden, 0.9)); n != 1 {
		t.Error("a third model was not asked")
	}
	failed := k.Feedback
	k, _ = task(t, map[string]string{"shop.py": shop + "\n\nUNIT = 1\n"})
	k.Feedback = failed
	if n, _, _ := ask(prompt.Options{}, right); n != 1 {
		t.Error("another source is another question")
	}
	rows, err := db.QueryContext(t.Context(), `SELECT reply || useless FROM answers`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	kept := 0
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			t.Fatal(err)
		}
		if kept++; strings.Contains(text, hidden) {
			t.Errorf("a secret is kept: %s", text)
		}
	}
	if err := rows.Err(); err != nil || kept < 3 {
		t.Errorf("%d answers, %v", kept, err)
	}
	if _, err := book.Reset(t.Context()); err != nil {
		t.Fatal(err)
	}
	k.Feedback = nil
	if n, _, _ := ask(prompt.Options{}, right); n != 1 {
		t.Error("what was forgotten is not asked again")
	}
}

// TestWhoseAnswer: what is had again is the answer of the model that gave it, and not of the one that would be asked now; where that is not known, nobody's.
func TestWhoseAnswer(t *testing.T) {
	db, err := store.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	o := prompt.Options{Model: "a/first", Book: &learn.Book{DB: db}}
	k, _ := task(t, nil)
	calls := 0
	caller := fake(func(model.Request) (model.Reply, error) {
		calls++
		return model.Reply{Text: right, Stop: model.Ended, Provider: "b", Model: "b/fallback"}, nil
	})
	whose := func() string {
		t.Helper()
		all, notes, err := propose(t, prompt.New(caller, o), k)
		if err != nil || len(all) != 1 {
			t.Fatalf("%v, %v, %v", all, notes, err)
		}
		return all[0].Model
	}
	if got := whose(); got != "b/fallback" {
		t.Errorf("asked, it is of %q", got)
	}
	if got := whose(); got != "b/fallback" || calls != 1 {
		t.Errorf("had again after %d calls, it is of %q", calls, got)
	}
	if _, err := db.ExecContext(t.Context(), `UPDATE answers SET model = ''`); err != nil {
		t.Fatal(err)
	}
	if got := whose(); got != model.Unknown || calls != 1 {
		t.Errorf("of before that was written down, after %d calls, it is of %q", calls, got)
	}
}
