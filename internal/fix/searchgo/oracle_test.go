package searchgo_test

import (
	"context"
	"iter"
	"strings"

	"fettle/internal/edit"
	"fettle/internal/verdict"
)

// oracle stands in for the task's: it likes what puts a less-than sign somewhere.
type oracle struct{ tried int }

func (o *oracle) tryAll(_ context.Context, seq iter.Seq[edit.Patch]) iter.Seq2[verdict.Trial, error] {
	return func(yield func(verdict.Trial, error) bool) {
		i := 0
		for p := range seq {
			o.tried++
			t := verdict.Trial{Index: i, Patch: p, Built: true}
			if strings.TrimSpace(string(p[0].Edits[0].New)) == "<" {
				t.Plausible, t.Healed = true, []string{".:TestLess"}
			}
			if !yield(t, nil) {
				return
			}
			i++
		}
	}
}
