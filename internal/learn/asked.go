package learn

import (
	"context"
	"fmt"
	"time"
)

// Asked reports whether there is an answer that may be of use to a question whose name begins so.
func (b *Book) Asked(ctx context.Context, beginning string) (known bool, err error) {
	if b.Fresh {
		return false, nil
	}
	err = b.DB.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM answers WHERE substr(question, 1, ?) = ? AND useless = '' AND at > ?)`,
		len(beginning), beginning, time.Now().Add(-keeps).UnixMilli()).Scan(&known)
	if err != nil {
		return false, fmt.Errorf("read what was asked before: %w", err)
	}
	return known, nil
}
