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
	Calls   int    // of one session; zero: no limit
}

// Ledger is where spending is written down. Several may lie over one database, in several processes: what one reserves the others see.
type Ledger struct {
	DB      *store.DB
	Tree    string // the working tree that is spent for
	Session string // its session; empty: none, and no limit of a session counts
	Limits  Limits
	Now     func() time.Time // nil: time.Now
}

// CallsError says that a session has made all the calls that it may.
type CallsError struct{ Limit int }

func (e *CallsError) Error() string {
	return fmt.Sprintf("this session may call models %d times, and has", e.Limit)
}

// Reserve takes the most that a call may cost out of what is left. It fails with an [*ExceededError] or a [*CallsError] where a limit would be passed, and with any other
// error where the ledger cannot be written: what cannot be written down is not spent.
func (l *Ledger) Reserve(ctx context.Context, s Spend) (Hold, error) {
	if s.Most < 0 {
		return nil, fmt.Errorf("reserve %s for %s: an amount cannot be less than nothing", s.Most, s.Model)
	}
	hold, _, err := l.reserve(ctx, s, false)
	return hold, err
}

// ReserveLeft takes all that the limits leave, for what can be told how much it may spend and cannot be told beforehand what it will: at least what a call may cost, or it
// fails as Reserve does. Without a limit that much is taken, and limited is false.
func (l *Ledger) ReserveLeft(ctx context.Context, s Spend) (h Hold, most Money, limited bool, err error) {
	limited = l.Limits.Session != nil && l.Session != "" || l.Limits.Day != nil
	h, most, err = l.reserve(ctx, s, limited)
	return h, most, limited, err
}

func (l *Ledger) reserve(ctx context.Context, s Spend, all bool) (Hold, Money, error) {
	h := &hold{db: l.DB, most: s.Most}
	err := l.DB.Tx(ctx, func(tx *sql.Tx) error {
		now := time.Now()
		if l.Now != nil {
			now = l.Now()
		}
		left, err := l.fits(ctx, tx, now, s.Most)
		if err != nil {
			return err
		}
		if all {
			h.most = left
		}
		return tx.QueryRowContext(ctx, `INSERT INTO spending (tree, session, fixer, role, purpose, provider, model, most, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
			l.Tree, l.Session, s.Fixer, s.Role, s.Purpose, s.Provider, s.Model, int64(h.most), now.UnixMilli()).Scan(&h.id)
	})
	var over *ExceededError
	var calls *CallsError
	switch {
	case errors.As(err, &over):
		return nil, 0, over
	case errors.As(err, &calls):
		return nil, 0, calls
	case err != nil:
		return nil, 0, fmt.Errorf("reserve what a call may cost: %w", err)
	}
	return h, h.most, nil
}

// fits holds a reservation against the limits, and says what they leave; without a limit of money that is what is wanted.
func (l *Ledger) fits(ctx context.Context, tx *sql.Tx, now time.Time, wanted Money) (left Money, err error) {
	left = -1
	y, m, d := now.Date()
	midnight := time.Date(y, m, d, 0, 0, 0, 0, now.Location()).UnixMilli()
	for _, limit := range []struct {
		name  string
		of    *Money
		where string
		args  []any
	}{
		{"session", l.Limits.Session, `tree = ? AND session = ?`, []any{l.Tree, l.Session}},
		{"day", l.Limits.Day, `at >= ?`, []any{midnight}},
	} {
		if limit.of == nil || limit.name == "session" && l.Session == "" {
			continue
		}
		var spent int64
		err := tx.QueryRowContext(ctx, `SELECT coalesce(sum(coalesce(cost, most)), 0) FROM spending WHERE `+limit.where, limit.args...).Scan(&spent)
		if err != nil {
			return 0, err
		}
		if rest := *limit.of - Money(spent); left < 0 || rest < left {
			left = rest
		}
		if Money(spent) > *limit.of-wanted {
			return 0, &ExceededError{Limit: limit.name, Of: *limit.of, Spent: Money(spent), Wanted: wanted}
		}
	}
	if l.Limits.Calls > 0 && l.Session != "" {
		var n int
		if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM spending WHERE tree = ? AND session = ?`, l.Tree, l.Session).Scan(&n); err != nil {
			return 0, err
		}
		if n >= l.Limits.Calls {
			return 0, &CallsError{l.Limits.Calls}
		}
	}
	if left < 0 {
		left = wanted
	}
	return left, nil
}

// hold is a row of the ledger that is not settled yet.
type hold struct {
	db   *store.DB
	id   int64
	most Money
}

// Settle writes down the bill. What has cost more than was reserved is written down as it is: the provider has had it.
func (h *hold) Settle(ctx context.Context, b Bill) error {
	cost := b.Cost
	if b.Guessed {
		cost = h.most
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
