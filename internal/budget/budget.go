// Package budget answers "may this be spent?": money and attempts are reserved before they are spent and settled afterwards.
//
// A [Ledger] lies in the store of one working tree. What is reserved counts as spent until it is settled or given back, so that calls that run side by side, in
// however many processes, never spend more together than the limits of the session and of the day allow. A reservation whose process died is settled at what was
// reserved: what a provider may have charged is never forgotten.
package budget

import (
	"context"
	"fmt"
)

// Purse is what calls are paid from: a [Ledger], or a test's.
type Purse interface {
	// Reserve takes the most that a call may cost out of what is left, or fails with an [*ExceededError] or a [*CountError].
	Reserve(ctx context.Context, s Spend) (Hold, error)
}

// Hold is money that is reserved for one call. It is settled or released exactly once; both work also when the context of the call has ended.
type Hold interface {
	// Settle writes down what the call has really cost.
	Settle(ctx context.Context, b Bill) error
	// Release gives it all back: nothing was asked of anybody.
	Release(ctx context.Context) error
}

// Spend is what a call is for, and the most that it may cost.
type Spend struct {
	Fixer    string // who asks; empty: no fixer
	Role     string
	Purpose  string
	Provider string
	Model    string
	Most     Money
	UpTo     Money // of what [Ledger.ReserveLeft] takes; zero: all that is left
	Tokens   int   // the most that it may read and write; zero: nobody can say
}

// Bill is what a call has cost.
type Bill struct {
	Cost    Money
	Input   int // tokens
	Cached  int // of Input: read from what the provider had kept
	Output  int
	Failed  bool  // it brought no reply that could be used
	TookNS  int64 // nanoseconds
	Guessed bool  // the provider did not say: what was reserved is taken for what it cost
	// Unpriced says that nobody knows what it cost, as the price of its model is not known. What stands as its cost says nothing then.
	Unpriced bool
}

// CountError says which limit of calls or of tokens a reservation would have gone over.
type CountError struct {
	What   string // "calls", "tokens"
	Limit  string // "session", "day"
	Of     int
	Used   int // made or reserved already
	Wanted int
}

func (e *CountError) Error() string {
	return fmt.Sprintf("the limit of %s of models in this %s is %d: %d are used or reserved, and the next call may take %d", e.What, e.Limit, e.Of, e.Used, e.Wanted)
}

// ExceededError says which limit a reservation would have gone over.
type ExceededError struct {
	Limit  string // "session", "day"
	Of     Money  // the limit
	Spent  Money  // what is spent or reserved already
	Wanted Money
}

func (e *ExceededError) Error() string {
	return fmt.Sprintf("the budget of this %s is %s: %s of it is spent or reserved, and the next call may cost up to %s", e.Limit, e.Of, e.Spent, e.Wanted)
}
