package loopback_test

import (
	"context"
	"time"
)

// still is a clock on which no time passes: whoever sleeps goes on at once.
type still struct{}

func (still) Now() time.Time                                   { return time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC) }
func (still) Sleep(ctx context.Context, _ time.Duration) error { return ctx.Err() }
