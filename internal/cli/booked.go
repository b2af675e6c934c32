package cli

import (
	"context"
	"fmt"
	"iter"
	"time"

	"fettle/internal/budget"
	"fettle/internal/fix"
	"fettle/internal/model"
)

// leastLeft is what has to be left of each limit for an agent to begin, in dollars: what a run will take is known by nobody beforehand.
const leastLeft = 0.01

// booked is an agent whose runs stand in the person's books, as far as it says what they cost.
type booked struct {
	fix.Fixer
	purse budget.Purse
}

// Whole implements [fix.Whole].
func (b booked) Whole() bool {
	w, ok := b.Fixer.(fix.Whole)
	return ok && w.Whole()
}

// Propose implements [fix.Fixer].
func (b booked) Propose(ctx context.Context, t fix.Task) iter.Seq2[fix.Candidate, error] {
	return func(yield func(fix.Candidate, error) bool) {
		hold, err := b.purse.Reserve(ctx, budget.Spend{Fixer: b.Name(), Role: string(model.Fixer), Purpose: "agent", Provider: "agent", Model: b.Name(), Most: budget.Dollars(leastLeft)})
		if err != nil {
			yield(fix.Candidate{}, fmt.Errorf("ask %s: %w", b.Name(), err))
			return
		}
		began, spent, told := time.Now(), 0.0, t.Spent
		t.Spent = func(usd float64, known bool) {
			spent += usd
			if told != nil {
				told(usd, known)
			}
		}
		failed := false
		defer func() {
			ctx := context.WithoutCancel(ctx) // what is spent is spent
			if spent == 0 {
				_ = hold.Release(ctx) // it does not say what it has cost; what cannot be released counts as what was reserved
				return
			}
			if err := hold.Settle(ctx, budget.Bill{Cost: budget.Dollars(spent), Failed: failed, TookNS: int64(time.Since(began))}); err != nil && t.Note != nil {
				t.Note(err.Error())
			}
		}()
		for c, err := range b.Fixer.Propose(ctx, t) {
			failed = err != nil
			spent += c.Cost
			if !yield(c, err) {
				return
			}
		}
	}
}
