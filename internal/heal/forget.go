package heal

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"fettle/internal/store"
)

// Forget drops the sessions, with their steps, and the remembered results that were last touched before a time. It returns how
// many sessions and results there were. A session is not older than the one that began before it, whatever the clock said; a result
// from the future is of no use.
func (st *Sessions) Forget(ctx context.Context, before time.Time) (sessions, results int64, err error) {
	err = st.DB.Tx(ctx, func(tx *sql.Tx) error {
		drop := func(query string, args ...any) (int64, error) {
			r, err := tx.ExecContext(ctx, query, args...)
			if err != nil {
				return 0, err
			}
			return r.RowsAffected()
		}
		old, err := oldSessions(ctx, tx, before)
		if err != nil {
			return err
		}
		if sessions, err = drop(`DELETE FROM sessions WHERE rowid <= ? AND updated < ?`, old, before.UnixMilli()); err != nil {
			return err
		}
		results, err = drop(`DELETE FROM results WHERE at < ? OR at > ?`, before.UnixMilli(), time.Now().UnixMilli())
		return err
	})
	if err != nil {
		err = fmt.Errorf("forget old sessions: %w", err)
	}
	return sessions, results, err
}

// oldSessions is the row of the last session that began before a time; 0: none did.
func oldSessions(ctx context.Context, tx *sql.Tx, before time.Time) (row int64, err error) {
	rows, err := tx.QueryContext(ctx, `SELECT rowid, created FROM sessions ORDER BY rowid`)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	var ids []int64
	var times []time.Time
	for rows.Next() {
		var id, at int64
		if err := rows.Scan(&id, &at); err != nil {
			return 0, err
		}
		ids, times = append(ids, id), append(times, time.UnixMilli(at))
	}
	if n := store.Older(times, before); n > 0 {
		row = ids[n-1]
	}
	return row, rows.Err()
}
