package journal

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
)

// CatchUp adds to the rows what the ledger has after them, and returns how many sets there were: for a database that was made anew,
// that came back from a copy of earlier days, or that lost its end together with its write-ahead log.
func (j *Journal) CatchUp(ctx context.Context) (int, error) {
	last, err := j.ledger.last() // before the rows are looked at: a fettle that is at work writes them first
	if err != nil {
		return 0, fmt.Errorf("journal: read %s: %w", j.ledger.path, err)
	}
	var have int64
	err = j.db.View(ctx, func(tx *sql.Tx) error { return lastGiven(ctx, tx, &have) })
	if err != nil || last <= have {
		return 0, err
	}
	sets, err := j.ledger.read()
	if err != nil {
		return 0, fmt.Errorf("journal: read %s: %w", j.ledger.path, err)
	}
	added := 0
	err = j.db.Tx(ctx, func(tx *sql.Tx) error {
		if err := lastGiven(ctx, tx, &have); err != nil {
			return err
		}
		for _, s := range sets {
			if s.ID <= have {
				continue
			}
			if _, err := insert(ctx, tx, s); err != nil {
				return err
			}
			added++
		}
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("journal: catch up with the ledger: %w", err)
	}
	return added, nil
}

// lastGiven is the last number that was given to a set, also when that has been forgotten since.
func lastGiven(ctx context.Context, tx *sql.Tx, id *int64) error {
	err := tx.QueryRowContext(ctx, `SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'change_sets'`).Scan(id)
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	return nil
}

// MendLedger writes the ledger anew when it lacks the last of the sets, or is gone. The caller holds the tree's lock.
func (j *Journal) MendLedger(ctx context.Context) error {
	last, err := j.ledger.last()
	if err != nil {
		return fmt.Errorf("journal: read %s: %w", j.ledger.path, err)
	}
	newest, err := j.List(ctx, Filter{Limit: 1})
	if err != nil || len(newest) == 0 || newest[0].ID <= last {
		return err
	}
	return j.rewriteLedger(ctx)
}

// rewriteLedger makes the ledger what the rows say.
func (j *Journal) rewriteLedger(ctx context.Context) error {
	sets, err := j.List(ctx, Filter{})
	if err != nil {
		return err
	}
	slices.Reverse(sets)
	if err := j.ledger.replace(sets); err != nil {
		return fmt.Errorf("journal: write %s: %w", j.ledger.path, err)
	}
	return nil
}

// tailSize is how much of the ledger's end is read at first to find the last set.
const tailSize = 64 << 10

// last is the highest number of a set that the end of the ledger names; 0 when it names none.
func (l *ledger) last() (int64, error) {
	f, err := os.Open(l.path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer f.Close()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return 0, err
	}
	for n := int64(tailSize); ; n *= 4 {
		start := max(0, size-n)
		tail := make([]byte, size-start)
		if _, err := f.ReadAt(tail, start); err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		last := int64(0)
		for line := range bytes.Lines(tail) {
			r, ok := parseRecord(line) // the first may be cut off, and then is none
			switch {
			case ok && r.Set != nil:
				last = max(last, r.Set.ID)
			case ok:
				last = max(last, r.ID)
			}
		}
		if last > 0 || start == 0 {
			return last, nil
		}
	}
}
