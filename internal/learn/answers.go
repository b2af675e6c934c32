package learn

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Answer is what a fixer was answered to a question that somebody is paid for.
type Answer struct {
	Fixer   string
	Model   string // which gave it, with its provider; empty: it is not known
	Reply   string // without secrets; empty where nothing in it was of use
	Useless string // why it is of no use; empty: nothing is known against it
}

// keeps is how long an answer counts: models that are called the same become others.
const keeps = 90 * 24 * time.Hour

// Recall is the answer to a question that was asked before.
func (b *Book) Recall(ctx context.Context, question string) (a Answer, known bool, err error) {
	return b.RecallYounger(ctx, question, keeps)
}

// RecallYounger is the answer to a question that was asked before, and not longer ago than that.
func (b *Book) RecallYounger(ctx context.Context, question string, than time.Duration) (a Answer, known bool, err error) {
	if b.Fresh {
		return Answer{}, false, nil
	}
	err = b.DB.QueryRowContext(ctx, `SELECT fixer, model, reply, useless FROM answers WHERE question = ? AND at > ?`, question, time.Now().Add(-min(than, keeps)).UnixMilli()).Scan(&a.Fixer, &a.Model, &a.Reply, &a.Useless)
	if errors.Is(err, sql.ErrNoRows) {
		return Answer{}, false, nil
	}
	if err != nil {
		return Answer{}, false, fmt.Errorf("read what was asked before: %w", err)
	}
	return a, true, nil
}

// Answered writes down what a question was answered, or that the answer will not do, in the place of what was known of it; and forgets what is too old to count.
func (b *Book) Answered(ctx context.Context, question string, a Answer) error {
	now := time.Now()
	return b.answers(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM answers WHERE at <= ?`, now.Add(-keeps).UnixMilli()); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO answers (question, fixer, model, reply, useless, at) VALUES (?, ?, ?, ?, ?, ?)`, question, a.Fixer, a.Model, a.Reply, a.Useless, now.UnixMilli())
		return err
	})
}

// used writes down that answers are in the working tree, by a set of the journal. They count for as long as that stands.
func (b *Book) used(ctx context.Context, set int64, all []Bought) error {
	return b.answers(ctx, func(tx *sql.Tx) error {
		for _, a := range all {
			if _, err := tx.ExecContext(ctx, `UPDATE answers SET set_id = ? WHERE question = ?`, set, a.Question); err != nil {
				return err
			}
		}
		return nil
	})
}

// taken is what is written down of answers that went into the tree: whose patch a person has taken back is of no use, until it is carried out again.
var taken = kept{
	`SELECT DISTINCT set_id, iif(useless = '', 'kept', 'undone') FROM answers WHERE set_id > 0 AND useless IN ('', 'a person took its patch back')`,
	`UPDATE answers SET useless = iif(? = 'kept', '', 'a person took its patch back') WHERE set_id = ? AND useless IN ('', 'a person took its patch back')`,
}

func (b *Book) answers(ctx context.Context, do func(tx *sql.Tx) error) error {
	if err := b.DB.Tx(ctx, do); err != nil {
		return fmt.Errorf("write down what was answered: %w", err)
	}
	return nil
}
