package learn_test

import (
	"reflect"
	"testing"

	"fettle/internal/learn"
	"fettle/internal/store"
)

func book(t *testing.T) *learn.Book {
	db, err := store.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return &learn.Book{DB: db}
}

func TestBook(t *testing.T) {
	b, ctx := book(t), t.Context()
	stands := map[int64]bool{1: true, 2: true, 3: true}
	known := map[int64]bool{1: true, 2: true, 3: true}
	counts := func() []learn.Count {
		t.Helper()
		out, err := b.Counts(ctx, func(set int64) bool { return stands[set] }, func(set int64) bool { return known[set] })
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	expect := func(why string, want ...learn.Count) {
		t.Helper()
		if got := counts(); !reflect.DeepEqual(got, want) {
			t.Fatalf("%s: %+v, want %+v", why, got, want)
		}
	}
	expect("nothing was done")
	for _, l := range []struct {
		set   int64
		ideas []string
	}{{1, []string{"Go/number"}}, {2, []string{"Go/number", "Go/variable"}}, {1, []string{"Go/number"}}, {3, nil}} {
		if err := b.Applied(ctx, l.set, learn.Lesson{Ideas: l.ideas}); err != nil {
			t.Fatal(err)
		}
	}
	expect("what is said twice counts once", learn.Count{Idea: "Go/number", Kept: 2}, learn.Count{Idea: "Go/variable", Kept: 1})
	stands[2] = false
	expect("taken back", learn.Count{Idea: "Go/number", Kept: 1, Undone: 1}, learn.Count{Idea: "Go/variable", Undone: 1})
	stands[2] = true
	expect("and done again", learn.Count{Idea: "Go/number", Kept: 2}, learn.Count{Idea: "Go/variable", Kept: 1})
	stands[2] = false
	counts()
	delete(known, 2)
	stands[2] = true
	expect("the journal has forgotten it", learn.Count{Idea: "Go/number", Kept: 1, Undone: 1}, learn.Count{Idea: "Go/variable", Undone: 1})
	for range 2 {
		if err := b.Rejected(ctx, "261122-abcd", learn.Lesson{Ideas: []string{"Go/guard"}}); err != nil {
			t.Fatal(err)
		}
	}
	expect("turned down", learn.Count{Idea: "Go/guard", Rejected: 1}, learn.Count{Idea: "Go/number", Kept: 1, Undone: 1}, learn.Count{Idea: "Go/variable", Undone: 1})
	if n, err := b.Reset(ctx); err != nil || n != 4 {
		t.Fatal(n, err)
	}
	expect("forgotten")
}

// TestWhatBecameOfAnswers: an answer counts while its patch stands, and is of no use once that is turned down or taken back.
func TestWhatBecameOfAnswers(t *testing.T) {
	b, ctx := book(t), t.Context()
	for _, question := range []string{"taken", "taken back", "carried out again", "turned down", "neither"} {
		if err := b.Answered(ctx, question, learn.Answer{Fixer: "codex", Reply: "a patch"}); err != nil {
			t.Fatal(err)
		}
	}
	for i, question := range []string{"taken", "taken back", "carried out again"} {
		if err := b.Applied(ctx, int64(i+1), learn.Lesson{Bought: []learn.Bought{{Author: "codex", Question: question}}}); err != nil {
			t.Fatal(err)
		}
	}
	for _, stands := range []map[int64]bool{{1: true}, {1: true, 3: true}} {
		if _, err := b.Records(ctx, func(set int64) bool { return stands[set] }, func(int64) bool { return true }); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Rejected(ctx, "261122-abcd", learn.Lesson{Bought: []learn.Bought{{Author: "codex", Question: "turned down"}}}); err != nil {
		t.Fatal(err)
	}
	for question, want := range map[string]learn.Answer{
		"taken": {Fixer: "codex", Reply: "a patch"}, "carried out again": {Fixer: "codex", Reply: "a patch"},
		"taken back":  {Fixer: "codex", Reply: "a patch", Useless: "a person took its patch back"},
		"turned down": {Fixer: "codex", Useless: "a person turned its patch down"}, "neither": {Fixer: "codex", Reply: "a patch"},
	} {
		if got, known, err := b.Recall(ctx, question); err != nil || got != want || !known {
			t.Errorf("%s: %+v, %v", question, got, err)
		}
	}
}

func TestPrecision(t *testing.T) {
	const before = 0.8
	none := learn.Count{}.Precision(before)
	kept, undone := learn.Count{Kept: 1}.Precision(before), learn.Count{Undone: 1}.Precision(before)
	many := learn.Count{Undone: 20, Rejected: 10}.Precision(before)
	if none < before-1e-9 || none > before+1e-9 || kept <= none || undone >= none || many > 0.3 || many <= 0 {
		t.Errorf("none %v, kept %v, undone %v, many %v", none, kept, undone, many)
	}
	if mixed := (learn.Count{Undone: 1, Rejected: 1}).Precision(before); mixed >= undone {
		t.Errorf("one undone %v, and one rejected %v", undone, mixed)
	}
}
