package budget

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"fettle/internal/store"
)

// Limits bound what is spent. A limit of nil is none; one of zero lets nothing be spent that costs anything.
type Limits struct {
	Session *Money // of one session
	Day     *Money // of one calendar day where the person is, over all working trees that share the ledger
	Calls   Counts // that are made
	Tokens  Counts // that are read and written
}

// Counts are limits of what is counted. Zero is no limit.
type Counts struct {
	Session int
	Day     int
}

// Ledger is where spending is written down. Several may lie over one database, in several processes: what one reserves the others see.
type Ledger struct {
	DB      *store.DB
	Tree    string // the working tree that is spent for
	Session string // its session; empty: none, and no limit of a session counts
	Limits  Limits
	Now     func() time.Time // nil: time.Now
}

// Reserve takes the most that a call may cost out of what is left. It fails with an [*ExceededError] or a [*CountError] where a limit would be passed, and with any other
// error where the ledger cannot be written: what cannot be written down is not spent.
func (l *Ledger) Reserve(ctx context.Context, s Spend) (Hold, error) {
	if s.Most < 0 {
		return nil, fmt.Errorf("reserve %s for %s: an amount cannot be less than nothing", s.Most, s.Model)
	}
	hold, _, err := l.reserve(ctx, s, false)
	return hold, err
}

// Left is what limits leave of what they limit.
type Left struct {
	Money   Money // without a limit of money, what was asked for
	Limited bool  // there is one
	Tokens  int   // zero: there is no limit of tokens
}

// ReserveLeft takes all that the limits leave, for what can be told how much it may spend and cannot be told beforehand what it will: at least what a call may cost and take, or it
// fails as Reserve does, and no more than [Spend.UpTo]. Of what no limit bounds that much is taken.
func (l *Ledger) ReserveLeft(ctx context.Context, s Spend) (Hold, Left, error) {
	return l.reserve(ctx, s, true)
}

func (l *Ledger) reserve(ctx context.Context, s Spend, all bool) (Hold, Left, error) {
	h := &hold{db: l.DB, most: s.Most, tokens: s.Tokens}
	var left Left
	err := l.DB.Tx(ctx, func(tx *sql.Tx) error {
		now := time.Now()
		if l.Now != nil {
			now = l.Now()
		}
		var err error
		if left, err = l.fits(ctx, tx, now, s); err != nil {
			return err
		}
		if all {
			left = left.upTo(s.UpTo)
			h.most, h.tokens = left.Money, max(left.Tokens, s.Tokens)
		}
		return tx.QueryRowContext(ctx, `INSERT INTO spending (tree, session, fixer, role, purpose, provider, model, most, input, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
			l.Tree, l.Session, s.Fixer, s.Role, s.Purpose, s.Provider, s.Model, int64(h.most), h.tokens, now.UnixMilli()).Scan(&h.id)
	})
	var over *ExceededError
	var count *CountError
	switch {
	case errors.As(err, &over):
		return nil, Left{}, over
	case errors.As(err, &count):
		return nil, Left{}, count
	case err != nil:
		return nil, Left{}, fmt.Errorf("reserve what a call may cost: %w", err)
	}
	return h, left, nil
}

// fits holds a reservation against the limits, and says what they leave.
func (l *Ledger) fits(ctx context.Context, tx *sql.Tx, now time.Time, s Spend) (Left, error) {
	left := Left{Money: s.Most}
	y, m, d := now.Date()
	midnight := time.Date(y, m, d, 0, 0, 0, 0, now.Location()).UnixMilli()
	for _, span := range []struct {
		name          string
		money         *Money
		calls, tokens int
		where         string
		args          []any
	}{
		{"session", l.Limits.Session, l.Limits.Calls.Session, l.Limits.Tokens.Session, `tree = ? AND session = ?`, []any{l.Tree, l.Session}},
		{"day", l.Limits.Day, l.Limits.Calls.Day, l.Limits.Tokens.Day, `at >= ?`, []any{midnight}},
	} {
		if span.name == "session" && l.Session == "" || span.money == nil && span.calls == 0 && span.tokens == 0 {
			continue
		}
		var spent int64
		var calls, tokens int
		err := tx.QueryRowContext(ctx, `SELECT coalesce(sum(coalesce(cost, most)), 0), count(*), coalesce(sum(input + output), 0) FROM spending WHERE `+span.where, span.args...).Scan(&spent, &calls, &tokens)
		if err != nil {
			return Left{}, err
		}
		switch {
		case span.calls > 0 && calls >= span.calls:
			return Left{}, &CountError{"calls", span.name, span.calls, calls, 1}
		case span.tokens > 0 && tokens+max(s.Tokens, 1) > span.tokens:
			return Left{}, &CountError{"tokens", span.name, span.tokens, tokens, max(s.Tokens, 1)}
		case span.money != nil && s.Most > 0 && Money(spent) > *span.money-s.Most:
			return Left{}, &ExceededError{Limit: span.name, Of: *span.money, Spent: Money(spent), Wanted: s.Most}
		}
		left.bound(span.money, Money(spent), span.tokens, tokens)
	}
	return left, nil
}

// bound makes of it what one more pair of limits leaves, when so much is spent and taken.
func (l *Left) bound(money *Money, spent Money, tokens, taken int) {
	if money != nil {
		if rest := *money - spent; !l.Limited || rest < l.Money {
			l.Money, l.Limited = rest, true
		}
	}
	if rest := tokens - taken; tokens > 0 && (l.Tokens == 0 || rest < l.Tokens) {
		l.Tokens = rest
	}
}

// upTo is what is left for who wants no more than so much; zero: all of it.
func (l Left) upTo(most Money) Left {
	if most > 0 && (!l.Limited || most < l.Money) {
		l.Money, l.Limited = most, true
	}
	return l
}

// hold is a row of the ledger that is not settled yet.
type hold struct {
	db   *store.DB
	id   int64
	most Money

	tokens int // of most
}

// Settle writes down the bill. What has cost more than was reserved is written down as it is: the provider has had it.
func (h *hold) Settle(ctx context.Context, b Bill) error {
	cost := b.Cost
	if b.Guessed {
		cost = h.most
		if b.Input+b.Output == 0 {
			b.Input = h.tokens
		}
	}
	return h.write(ctx, `UPDATE spending SET cost = ?, guessed = ?, failed = ?, input = ?, cached = ?, output = ?, took = ? WHERE id = ? AND cost IS NULL`,
		int64(cost), guessing(b), b.Failed, b.Input, b.Cached, b.Output, b.TookNS, h.id)
}

// guessing is how much of a guess the cost of a row is: none; all that was reserved; or nothing is known.
func guessing(b Bill) int {
	switch {
	case b.Unpriced:
		return 2
	case b.Guessed:
		return 1
	}
	return 0
}

// Release takes the row away: nothing was asked of anybody.
func (h *hold) Release(ctx context.Context) error {
	return h.write(ctx, `DELETE FROM spending WHERE id = ? AND cost IS NULL`, h.id)
}

func (h *hold) write(ctx context.Context, query string, args ...any) error {
	err := h.db.Tx(context.WithoutCancel(ctx), func(tx *sql.Tx) error {
		r, err := tx.Exec(query, args...)
		if err != nil {
			return err
		}
		if n, err := r.RowsAffected(); err != nil || n != 1 {
			return errors.Join(err, errors.New("it was settled or given back before"))
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("settle what a call has cost: %w", err)
	}
	return nil
}
