package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// tally is what is known of a provider's patience and health.
type tally struct {
	Past   []passed  `json:"past,omitempty"`   // what was asked in the last minute
	Paused time.Time `json:"paused,omitzero"`  // until then it wants no calls
	Failed int       `json:"failed,omitempty"` // calls in a row
	Since  time.Time `json:"since,omitzero"`   // the last of these
	Why    string    `json:"why,omitempty"`    // … and what it came to
}

// passed are calls that were made at about one time.
type passed struct {
	First  time.Time `json:"first"`
	Last   time.Time `json:"last"`
	Calls  int       `json:"calls"`
	Tokens int       `json:"tokens"`
}

const (
	grain   = time.Minute / 256 // calls of less than that count as made at the time of the last of them, so that a tally stays short
	forgets = time.Hour         // how long failures are remembered that nobody's success has ended
)

// age forgets what is over. A time that is still to come, though nobody can have written it, is from before somebody has set the clock back: what hangs on it is not known any more.
func (t *tally) age(now time.Time) {
	t.Past = slices.DeleteFunc(t.Past, func(p passed) bool { return now.Before(p.Last) || now.Sub(p.Last) >= time.Minute })
	if t.Paused.Sub(now) > longWait {
		t.Paused = time.Time{}
	}
	if now.Before(t.Since) || now.Sub(t.Since) > forgets {
		t.Failed = 0
	}
}

// pass writes down a call.
func (t *tally) pass(now time.Time, tokens int) {
	if n := len(t.Past); n > 0 && now.Sub(t.Past[n-1].First) < grain {
		last := &t.Past[n-1]
		last.Last, last.Calls, last.Tokens = now, last.Calls+1, last.Tokens+tokens
		return
	}
	t.Past = append(t.Past, passed{now, now, 1, tokens})
}

// board is where a provider's tally stands, for this process or, in a folder, for all processes of a person. A process that dies keeps nobody waiting: the kernel lets go of what it held. Where
// the folder cannot be used, each process goes by what it knows itself.
type board struct {
	clock  Clock
	name   string                 // of its files
	folder func() (string, error) // nil: it is for this process alone
	note   func(string)
	told   sync.Once

	mu    sync.Mutex
	known tally
	held  map[string]bool // the marks that this process has
}

// patience is how long a process is waited for that keeps the tally to itself, which takes less than a millisecond: it has been stopped.
const patience = time.Second

// with shows the tally as it is now to somebody, who may change it.
func (b *board) with(do func(now time.Time, t *tally)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	save, err := b.load()
	if err != nil {
		b.alone(err)
	}
	now := b.clock.Now()
	b.known.age(now)
	do(now, &b.known)
	if save != nil {
		if err := save(); err != nil {
			b.alone(err)
		}
	}
}

// alone tells, once, that other processes are not known of.
func (b *board) alone(err error) {
	b.told.Do(func() {
		b.note(fmt.Sprintf("what other processes ask of models is not known, so each keeps to the limits by itself: %v", err))
	})
}

// load reads the tally from its file, which nobody else reads or writes until it is saved. Without a folder there is nothing to save.
func (b *board) load() (save func() error, err error) {
	if b.folder == nil {
		return nil, nil
	}
	dir, err := b.folder()
	if err != nil {
		return nil, err
	}
	file := filepath.Join(dir, b.name+".json")
	lock := flock.New(filepath.Join(dir, b.name+".lock"))
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if _, err := lock.TryLockContext(ctx, time.Millisecond); err != nil {
		return nil, errors.Join(fmt.Errorf("wait for %s: %w", lock.Path(), err), lock.Close())
	}
	before, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, errors.Join(err, lock.Close())
	}
	if b.known = (tally{}); json.Unmarshal(before, &b.known) != nil {
		b.known = tally{} // somebody died while writing it
	}
	return func() error {
		after, err := json.Marshal(b.known)
		if err == nil && !bytes.Equal(before, after) {
			err = os.WriteFile(file, after, 0o600)
		}
		return errors.Join(err, lock.Close())
	}, nil
}

// try takes a mark that only one can have at a time.
func (b *board) try(mark string) (release func(), ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.held[mark] {
		return nil, false
	}
	lock, ok := b.lock(mark)
	if !ok {
		return nil, false
	}
	if b.held == nil {
		b.held = map[string]bool{}
	}
	b.held[mark] = true
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.held, mark)
		if lock != nil {
			_ = lock.Close() // closing lets go of it
		}
	}, true
}

// lock takes a mark before other processes; nil where there are none.
func (b *board) lock(mark string) (*flock.Flock, bool) {
	if b.folder == nil {
		return nil, true
	}
	dir, err := b.folder()
	if err != nil {
		b.alone(err)
		return nil, true
	}
	lock := flock.New(filepath.Join(dir, b.name+"."+mark))
	ok, err := lock.TryLock()
	if ok {
		return lock, true
	}
	_ = lock.Close() // it holds nothing
	if err != nil {
		b.alone(err)
	}
	return nil, err != nil
}
