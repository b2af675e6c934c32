package git

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

const (
	defaultPatience = 2 * time.Minute
	moment          = time.Second // a wait that is not worth a word
	between         = 20 * time.Millisecond
)

// locked does something while no other fettle changes worktrees or branches of this repository. One that does is waited for, for as
// long as [Repo.Patience] says; then the error is [ErrLocked].
func (r *Repo) locked(ctx context.Context, do func() error) (err error) {
	lock, err := r.lock()
	if err != nil {
		return err
	}
	if err := r.take(ctx, lock); err != nil {
		return errors.Join(err, lock.Close())
	}
	_ = os.WriteFile(lock.Path(), []byte(strconv.Itoa(os.Getpid())), 0o600) // for those who wait; the lock holds without it
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	return do()
}

// take takes the lock, or says who has it.
func (r *Repo) take(ctx context.Context, lock *flock.Flock) error {
	began, told := time.Now(), false
	tick := time.NewTicker(between)
	defer tick.Stop()
	for {
		if held, err := lock.TryLock(); err != nil {
			return fmt.Errorf("lock the repository's branches: %w", err)
		} else if held {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for %s, which commits in this repository: %w", holder(lock), context.Cause(ctx))
		case <-tick.C:
		}
		waited, patience := time.Since(began), cmp.Or(r.Patience, defaultPatience)
		if waited > patience {
			return fmt.Errorf("%w: %s has been committing in this repository for more than %s; try again when it has ended, or end it",
				ErrLocked, holder(lock), patience)
		}
		if waited > moment && !told && r.Waiting != nil {
			told = true
			r.Waiting(fmt.Sprintf("waiting for %s, which commits in this repository", holder(lock)))
		}
	}
}

// holder names who has the lock, as far as its file tells.
func holder(lock *flock.Flock) string {
	text, err := os.ReadFile(lock.Path())
	if pid := strings.TrimSpace(string(text)); err == nil && pid != "" {
		return "another fettle (process " + pid + ")"
	}
	return "another fettle"
}

func (r *Repo) lock() (*flock.Flock, error) {
	dir := filepath.Join(r.CommonDir, "fettle")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("lock the repository's branches: %w", err)
	}
	return flock.New(filepath.Join(dir, "commit.lock")), nil
}
