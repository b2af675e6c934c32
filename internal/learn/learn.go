// Package learn answers "what did people keep of what was proposed to them, and what follows from that?"
//
// A repair is made by an idea: another comparison, an import that was forgotten. What people keep, take back, or turn down says how good
// the ideas are here: an idea that was taken back counts less the next time, and is less sure of itself. A model or an agent has no such ideas, and
// says only how sure it is: there, what became of its patches says how far its word can be trusted ([Trust]). Lessons are kept in the private
// state of one working tree, and say nothing about any other. [Book.Counts] and [Book.Records] show them all, and [Book.Reset] forgets them.
package learn

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"fettle/internal/store"
)

// Book is where lessons are written down.
type Book struct {
	DB *store.DB
	// Fresh has no answer recalled, so that everybody is asked anew. What they say then is written down as ever.
	Fresh bool
}

// Count is what became of the repairs by one idea.
type Count struct {
	Idea     string `json:"idea"`     // the language and the idea's name: "Python/off-by-one"
	Kept     int    `json:"kept"`     // applied, and not taken back through fettle
	Undone   int    `json:"undone"`   // applied, and taken back
	Rejected int    `json:"rejected"` // turned down before they were applied
}

// confidence is how many lessons weigh as much as what was known of an idea before any.
const confidence = 12

// Precision is how often repairs by the idea are right, by what was thought before and by what was learnt since: the mean of a beta
// distribution that begins as if a dozen repairs had come out as was thought.
func (c Count) Precision(before float64) float64 {
	good, bad := float64(c.Kept), float64(c.Undone+c.Rejected)
	return (confidence*before + good) / (confidence + good + bad)
}

// Lesson is what can be learnt from what becomes of a patch.
type Lesson struct {
	Ideas  []string `json:"ideas,omitempty"`  // by which it was made
	Words  []Word   `json:"words,omitempty"`  // how sure those were who had no ideas to go by
	Bought []Bought `json:"bought,omitempty"` // answers of which it was made
}

// Bought is an answer that somebody was paid for: who has given it, and to what.
type Bought struct {
	Author   string `json:"author"`
	Question string `json:"question"`
}

// Applied writes down that a patch is in the working tree, by a set of the journal, and the answers of which it was made. To say it twice is to say it once.
func (b *Book) Applied(ctx context.Context, set int64, l Lesson) error {
	if err := b.put(ctx, fmt.Sprint("set ", set), set, "kept", l); err != nil {
		return err
	}
	return b.used(ctx, set, l.Bought)
}

// Rejected writes down that somebody turned down a patch that a session had kept for them. The answers of which it was made are of no use any more.
func (b *Book) Rejected(ctx context.Context, session string, l Lesson) error {
	if err := b.put(ctx, "session "+session+" "+strings.Join(l.Ideas, " "), 0, "rejected", l); err != nil {
		return err
	}
	for _, a := range l.Bought {
		if err := b.Answered(ctx, a.Question, Answer{Fixer: a.Author, Useless: "a person turned its patch down"}); err != nil {
			return err
		}
	}
	return nil
}

func (b *Book) put(ctx context.Context, source string, set int64, outcome string, l Lesson) error {
	if len(l.Ideas)+len(l.Words) == 0 {
		return nil
	}
	now := time.Now().UnixMilli()
	err := b.DB.Tx(ctx, func(tx *sql.Tx) error {
		for _, idea := range l.Ideas {
			if _, err := tx.ExecContext(ctx, `INSERT OR IGNORE INTO lessons (source, idea, set_id, outcome, at) VALUES (?, ?, ?, ?, ?)`,
				source, idea, set, outcome, now); err != nil {
				return err
			}
		}
		for _, w := range l.Words {
			if _, err := tx.ExecContext(ctx, `INSERT OR IGNORE INTO words (source, fixer, kind, lang, sure, set_id, outcome, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
				source, w.Fixer, w.Kind, w.Lang, w.Sure, set, outcome, now); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("write down what became of a repair: %w", err)
	}
	return nil
}

// Counts are the lessons by idea, in order. stands says of a set whether any of it is in the working tree, and known whether the journal
// still has it; what became of a set that it has not is what was last known.
func (b *Book) Counts(ctx context.Context, stands, known func(set int64) bool) ([]Count, error) {
	if err := b.settle(ctx, lessons, stands, known); err != nil {
		return nil, err
	}
	rows, err := b.DB.QueryContext(ctx, `SELECT idea, sum(outcome = 'kept'), sum(outcome = 'undone'), sum(outcome = 'rejected') FROM lessons GROUP BY idea ORDER BY idea`)
	if err != nil {
		return nil, fmt.Errorf("read what became of repairs: %w", err)
	}
	defer rows.Close()
	var out []Count
	for rows.Next() {
		var c Count
		if err := rows.Scan(&c.Idea, &c.Kept, &c.Undone, &c.Rejected); err != nil {
			return nil, fmt.Errorf("read what became of repairs: %w", err)
		}
		out = append(out, c)
	}
	return out, rows.Err()
}

// kept is what is written down of patches that were applied, and how that is brought in line with the journal.
type kept struct{ read, write string }

var (
	lessons = kept{`SELECT DISTINCT set_id, outcome FROM lessons WHERE set_id > 0`, `UPDATE lessons SET outcome = ? WHERE set_id = ?`}
	words   = kept{`SELECT DISTINCT set_id, outcome FROM words WHERE set_id > 0`, `UPDATE words SET outcome = ? WHERE set_id = ?`}
)

// settle brings what is written down in line with the journal: people undo, redo and roll back without a word to anybody.
func (b *Book) settle(ctx context.Context, of kept, stands, known func(set int64) bool) error {
	rows, err := b.DB.QueryContext(ctx, of.read)
	if err != nil {
		return fmt.Errorf("read what became of repairs: %w", err)
	}
	defer rows.Close()
	now := map[int64]string{}
	for rows.Next() {
		var set int64
		var outcome string
		if err := rows.Scan(&set, &outcome); err != nil {
			return fmt.Errorf("read what became of repairs: %w", err)
		}
		is := "undone"
		if stands(set) {
			is = "kept"
		}
		if known(set) && is != outcome {
			now[set] = is
		}
	}
	if err := rows.Err(); err != nil || len(now) == 0 {
		return err
	}
	return b.DB.Tx(ctx, func(tx *sql.Tx) error {
		for set, outcome := range now {
			if _, err := tx.ExecContext(ctx, of.write, outcome, set); err != nil {
				return err
			}
		}
		return nil
	})
}

// Reset forgets every lesson, and tells how many there were; and with them what was asked before, and what fixers did.
func (b *Book) Reset(ctx context.Context) (forgotten int64, err error) {
	err = b.DB.Tx(ctx, func(tx *sql.Tx) error {
		for _, forget := range []string{`DELETE FROM answers`, `DELETE FROM turns`} {
			if _, err := tx.ExecContext(ctx, forget); err != nil {
				return err
			}
		}
		for _, forget := range []string{`DELETE FROM lessons`, `DELETE FROM words`} {
			r, err := tx.ExecContext(ctx, forget)
			if err != nil {
				return err
			}
			n, err := r.RowsAffected()
			if err != nil {
				return err
			}
			forgotten += n
		}
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("forget what was learnt: %w", err)
	}
	return forgotten, nil
}
