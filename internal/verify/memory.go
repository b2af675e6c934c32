package verify

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"fettle/internal/check"
	"fettle/internal/store"
)

// Memory keeps results of checks by the content of all they depend on. A nil Memory remembers nothing.
//
// It is a convenience and never a reason to fail: what cannot be read is measured again, what cannot be written is not kept.
type Memory struct {
	DB *store.DB
}

// maxAge is how long a result is believed: the key names the tree, the command, the toolchain and the environment, but a
// check can also look at what lies outside all of them. One that says that it comes from the future has no age that could be
// known, and is not believed at all.
const maxAge = 24 * time.Hour

// keepResults is how many results are kept; older ones are dropped as new ones come.
const keepResults = 2000

func (m *Memory) get(ctx context.Context, key string) (check.Result, bool) {
	var r check.Result
	if m == nil {
		return r, false
	}
	var raw []byte
	now := time.Now()
	err := m.DB.View(ctx, func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, `SELECT result FROM results WHERE key = ? AND at > ? AND at <= ?`,
			key, now.Add(-maxAge).UnixMilli(), now.UnixMilli()).Scan(&raw)
	})
	if err != nil {
		if !errors.Is(err, sql.ErrNoRows) {
			slog.Debug("a remembered result could not be read", "err", err)
		}
		return r, false
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return check.Result{}, false
	}
	return r, true
}

// put keeps a result. A check that could not run, or did not end in time, is not kept: next time it may. Nor is a security
// check's: what is known to be unsafe changes by the day.
func (m *Memory) put(ctx context.Context, key string, r check.Result) {
	if m == nil || r.Status == check.Broken || r.Status == check.TimedOut || (check.Check{Name: r.Check}).Kind() == "security" {
		return
	}
	raw, err := json.Marshal(r)
	if err != nil {
		return
	}
	err = m.DB.Tx(ctx, func(tx *sql.Tx) error {
		now := time.Now().UnixMilli()
		if _, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO results (key, check_name, result, at) VALUES (?, ?, ?, ?)`,
			key, r.Check, raw, now); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM results WHERE at > ?`, now); err != nil { // they would outlast all others
			return err
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM results WHERE key IN (SELECT key FROM results ORDER BY at DESC LIMIT -1 OFFSET ?)`, keepResults)
		return err
	})
	if err != nil {
		slog.Debug("a result could not be kept", "check", r.Check, "err", err)
	}
}
