package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"fettle/internal/edit"
)

// Pruned says what was forgotten.
type Pruned struct {
	Sets   int64 `json:"sets"`
	Images int   `json:"images"`
	Bytes  int64 `json:"bytes"`
}

// Prune forgets the sets that were settled before a time, and then every image that no remaining set needs. What was
// forgotten can no longer be undone. Sets whose effects are not settled are kept whatever their age, and so is what they
// need. No set may be begun meanwhile: the caller holds the tree's lock.
func (j *Journal) Prune(ctx context.Context, before time.Time) (Pruned, error) {
	var p Pruned
	needed := map[edit.Hash]bool{}
	err := j.db.Tx(ctx, func(tx *sql.Tx) error {
		// Undo and redo sets go with the set they reverse, or the stack would be replayed with a hole in it.
		r, err := tx.ExecContext(ctx, `DELETE FROM change_sets WHERE state != 'intent' AND at < ?1 AND id NOT IN (
			SELECT of FROM change_sets WHERE at >= ?1 OR state = 'intent')`, before.UnixMilli())
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
	left, err := j.List(ctx, Filter{})
	if err != nil {
		return p, err
	}
	slices.Reverse(left)
	if err := j.ledger.replace(left); err != nil {
		return p, fmt.Errorf("prune the journal: %w", err)
	}
	err = j.blobs.sweep(func(h edit.Hash) bool { return needed[h] }, &p)
	return p, err
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
