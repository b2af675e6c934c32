package heal

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Forget drops the sessions, their steps, and the remembered results that were last touched before a time. It returns how
// many sessions and results there were.
func (st *Sessions) Forget(ctx context.Context, before time.Time) (sessions, results int64, err error) {
	err = st.DB.Tx(ctx, func(tx *sql.Tx) error {
		drop := func(query string) (int64, error) {
			r, err := tx.ExecContext(ctx, query, before.UnixMilli())
			if err != nil {
				return 0, err
			}
			return r.RowsAffected()
		}
		if sessions, err = drop(`DELETE FROM sessions WHERE updated < ?`); err != nil {
			return err
		}
		results, err = drop(`DELETE FROM results WHERE at < ?`)
		return err
	})
	if err != nil {
		err = fmt.Errorf("forget old sessions: %w", err)
	}
	return sessions, results, err
}
