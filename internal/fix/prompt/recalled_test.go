package prompt_test

import (
	"testing"

	"fettle/internal/fix"
	"fettle/internal/fix/prompt"
	"fettle/internal/learn"
	"fettle/internal/model"
	"fettle/internal/store"
)

// Where only what is known is wanted nobody is asked: it is there once the very same was answered before, and whether there may be something is seen without a place.
func TestRecalls(t *testing.T) {
	db, err := store.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var asked []model.Request
	k, _ := task(t, nil)
	f := func(book *learn.Book) fix.Fixer { return prompt.New(says(&asked, right), prompt.Options{Book: book}) }
	book := &learn.Book{DB: db}
	known := func(book *learn.Book, k fix.Task) (recalls bool, n int) {
		t.Helper()
		k.Known = true
		all, _, err := propose(t, f(book), k)
		if err != nil {
			t.Fatal(err)
		}
		k.Place = nil
		return f(book).(fix.Recaller).Recalls(t.Context(), k), len(all)
	}
	if recalls, n := known(book, k); recalls || n != 0 || len(asked) != 0 {
		t.Errorf("before it was asked: %v, %d, %d questions", recalls, n, len(asked))
	}
	if all, _, err := propose(t, f(book), k); err != nil || len(all) != 1 || len(asked) != 1 {
		t.Fatalf("%v, %v", all, err)
	}
	if recalls, n := known(book, k); !recalls || n != 1 || len(asked) != 1 {
		t.Errorf("afterwards: %v, %d, %d questions", recalls, n, len(asked))
	}
	if recalls, n := known(&learn.Book{DB: db, Fresh: true}, k); recalls || n != 0 {
		t.Errorf("where all is asked anew: %v, %d", recalls, n)
	}
	if f(nil).(fix.Recaller).Recalls(t.Context(), k) {
		t.Error("without a book it remembers")
	}
	other := k
	other.Check.Name = "test.other"
	if recalls, n := known(book, other); recalls || n != 0 {
		t.Errorf("of another check: %v, %d", recalls, n)
	}
}
