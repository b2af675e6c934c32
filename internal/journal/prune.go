package journal

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
	"time"

	"fettle/internal/edit"
	"fettle/internal/store"
)

// Pruned says what was forgotten.
type Pruned struct {
	Sets   int64 `json:"sets"`
	Images int   `json:"images"`
	Bytes  int64 `json:"bytes"`
}

// Prune forgets the sets that were settled before a time, and then every image that no remaining set needs. What was
// forgotten can no longer be undone. Sets are forgotten in the order of their numbers, never one without all before it: whatever
// the clock said when they were written, a newer one is not forgotten for an older one. Those whose effects are not settled
// stay, and so does what a set that stays takes back or brings back, with all that came after it. No set may be begun
// meanwhile: the caller holds the tree's lock.
func (j *Journal) Prune(ctx context.Context, before time.Time) (Pruned, error) {
	var p Pruned
	needed := map[edit.Hash]bool{}
	err := j.db.Tx(ctx, func(tx *sql.Tx) error {
		first, err := keepFrom(ctx, tx, before)
		if err != nil {
			return err
		}
		r, err := tx.ExecContext(ctx, `DELETE FROM change_sets WHERE id < ?`, first)
		if err != nil {
			return err
		}
		if p.Sets, err = r.RowsAffected(); err != nil {
			return err
		}
		rows, err := tx.QueryContext(ctx, `SELECT before_hash, after_hash FROM changes`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var was, is edit.Hash
			if err := rows.Scan(&was, &is); err != nil {
				return err
			}
			needed[was], needed[is] = true, true
		}
		return rows.Err()
	})
	if err != nil {
		return p, fmt.Errorf("prune the journal: %w", err)
	}
	if err := j.rewriteLedger(ctx); err != nil {
		return p, err
	}
	err = j.blobs.sweep(func(h edit.Hash) bool { return needed[h] }, &p)
	return p, err
}

// keepFrom is the number of the first set that has to stay.
func keepFrom(ctx context.Context, tx *sql.Tx, before time.Time) (first int64, err error) {
	rows, err := tx.QueryContext(ctx, `SELECT id, of, state, at FROM change_sets ORDER BY id`)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	var sets []Set
	var times []time.Time
	for rows.Next() {
		var s Set
		var at int64
		if err := rows.Scan(&s.ID, &s.Of, &s.State, &at); err != nil {
			return 0, err
		}
		sets, times = append(sets, s), append(times, time.UnixMilli(at))
	}
	n := store.Older(times, before)
	if i := slices.IndexFunc(sets, func(s Set) bool { return s.State == Intent }); i >= 0 {
		n = min(n, i)
	}
	for i := len(sets) - 1; i >= n; i-- { // a set that stays needs the one that it reverses
		if of, found := slices.BinarySearchFunc(sets, sets[i].Of, func(s Set, id int64) int { return cmp.Compare(s.ID, id) }); found {
			n = min(n, of)
		}
	}
	if n < len(sets) {
		return sets[n].ID, rows.Err()
	}
	return math.MaxInt64, rows.Err()
}

// sweep removes every file that is not a needed content, temporary ones included.
func (b *blobs) sweep(needed func(edit.Hash) bool, p *Pruned) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	root, err := os.OpenRoot(b.dir)
	if err != nil {
		return fmt.Errorf("prune the journal: %w", err)
	}
	defer root.Close()
	return fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || needed(edit.Hash(d.Name())) {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if err := root.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("prune the journal: %w", err)
		}
		delete(b.synced, edit.Hash(d.Name()))
		p.Images++
		p.Bytes += info.Size()
		return nil
	})
}
