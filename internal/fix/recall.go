package fix

import "context"

// Recaller is a fixer that remembers what it was paid for. To a task that is [Task.Known] it offers that, and asks nobody.
type Recaller interface {
	Fixer
	// Recalls reports whether it may remember something about what a task is about; its place need not be there yet.
	Recalls(ctx context.Context, t Task) bool
}

// Recalls implements [Recaller], where the fixer does.
func (l later) Recalls(ctx context.Context, t Task) bool {
	r, ok := l.Fixer.(Recaller)
	return ok && r.Recalls(ctx, t)
}
