package learn

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// What may come of a fixer's turn.
const (
	Failed  = "failed"  // it could not work
	Nothing = "nothing" // it had nothing to offer
	Refused = "refused" // what it offered was not applied, or was taken back
	Healed  = "healed"  // what it offered is in the tree, and the checks have confirmed it
)

// Turn is one fixer's turn at one question.
type Turn struct {
	Session   string
	Iteration int
	Step      string
	Fixer     string
	Kind      string // of the check
	Outcome   string
	USD       float64
	Took      time.Duration
}

// Turned writes down a turn, in the place of what was known of it.
func (b *Book) Turned(ctx context.Context, t Turn) error {
	err := b.DB.Tx(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO turns (session, iteration, step, fixer, kind, outcome, usd, took, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			t.Session, t.Iteration, t.Step, t.Fixer, t.Kind, t.Outcome, t.USD, int64(t.Took), time.Now().UnixMilli())
		return err
	})
	if err != nil {
		return fmt.Errorf("write down what a fixer did: %w", err)
	}
	return nil
}

// Healing writes down that what a fixer offered in its turn heals.
func (b *Book) Healing(ctx context.Context, session string, iteration int, step, fixer string) error {
	return b.healed(ctx, `UPDATE turns SET outcome = ? WHERE session = ? AND iteration = ? AND step = ? AND fixer = ?`, Healed, session, iteration, step, fixer)
}

// Taken writes down that a person has taken what a fixer offered in a round of a dry run.
func (b *Book) Taken(ctx context.Context, session string, iteration int, fixer string) error {
	return b.healed(ctx, `UPDATE turns SET outcome = ? WHERE session = ? AND iteration = ? AND fixer = ? AND outcome = ?`, Healed, session, iteration, fixer, Refused)
}

// Unhealing writes down that what fixers offered in a round was taken back by the session itself.
func (b *Book) Unhealing(ctx context.Context, session string, iteration int) error {
	return b.healed(ctx, `UPDATE turns SET outcome = ? WHERE session = ? AND iteration = ? AND outcome = ?`, Refused, session, iteration, Healed)
}

func (b *Book) healed(ctx context.Context, query string, args ...any) error {
	err := b.DB.Tx(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, query, args...)
		return err
	})
	if err != nil {
		return fmt.Errorf("write down what a fixer healed: %w", err)
	}
	return nil
}

// Score is what came of a fixer's turns at checks of one kind.
type Score struct {
	Fixer   string        `json:"fixer"`
	Kind    string        `json:"kind"`
	Turns   int           `json:"turns"`
	Healed  int           `json:"healed"`
	Refused int           `json:"refused"`
	Nothing int           `json:"nothing"`
	Failed  int           `json:"failed"`
	USD     float64       `json:"cost_usd"` // as far as it is known
	Took    time.Duration `json:"took_ns"`
}

// Scores are what came of all turns, by fixer and kind of check.
func (b *Book) Scores(ctx context.Context) ([]Score, error) {
	rows, err := b.DB.QueryContext(ctx, `SELECT fixer, kind, count(*), sum(outcome = 'healed'), sum(outcome = 'refused'), sum(outcome = 'nothing'), sum(outcome = 'failed'), sum(usd), sum(took)
		FROM turns GROUP BY fixer, kind ORDER BY fixer, kind`)
	if err != nil {
		return nil, fmt.Errorf("read what fixers did: %w", err)
	}
	defer rows.Close()
	var out []Score
	for rows.Next() {
		var s Score
		var took int64
		if err := rows.Scan(&s.Fixer, &s.Kind, &s.Turns, &s.Healed, &s.Refused, &s.Nothing, &s.Failed, &s.USD, &took); err != nil {
			return nil, fmt.Errorf("read what fixers did: %w", err)
		}
		s.Took = time.Duration(took)
		out = append(out, s)
	}
	return out, rows.Err()
}
