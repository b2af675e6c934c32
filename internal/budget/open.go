package budget

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"fettle/internal/store"
)

// Open opens the person's books, which all working trees share: the limit of a day is a person's and not a repository's.
func Open(ctx context.Context) (*store.DB, error) { return books(ctx, true) }

// Look opens the books where there are any. Nil: nothing was ever spent.
func Look(ctx context.Context) (*store.DB, error) {
	db, err := books(ctx, false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return db, err
}

func books(ctx context.Context, wanted bool) (*store.DB, error) {
	dir, err := store.PersonDir("spending", wanted)
	if err != nil {
		return nil, err
	}
	db, err := store.Open(ctx, dir)
	if errors.Is(err, store.ErrCorrupt) {
		return nil, fmt.Errorf("what was spent on models cannot be read, so nothing more is: move %s away to begin new books: %w", dir, err)
	}
	return db, err
}
