package workspace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// LockedError says that another fettle works in this tree.
type LockedError struct {
	Who string // what it is doing, as it said when it took the lock; may be empty
	PID int    // its process; 0 when it cannot be told
}

func (e *LockedError) Error() string {
	who := "another fettle"
	if e.Who != "" {
		who = fmt.Sprintf("another fettle (%s)", e.Who)
	}
	if e.PID != 0 {
		who += fmt.Sprintf(", process %d,", e.PID)
	}
	return who + " is working in this tree; wait for it to end, or stop it"
}

// holder is what the lock's file says about who holds it.
type holder struct {
	Who string `json:"who"`
	PID int    `json:"pid"`
}

// Lock takes the tree for this process until release is called, so that only one fettle writes to it; who says for what,
// for others to read. It does not wait: when another process, or another Tree in this one, has the lock, it returns a
// [*LockedError]. The system frees the lock when its process ends, however it ends. Writing without Lock is allowed: each
// write then takes the lock for itself.
func (t *Tree) Lock(ctx context.Context, who string) (release func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	t.lockMu.Lock()
	defer t.lockMu.Unlock()
	if t.held {
		return nil, &LockedError{Who: who, PID: os.Getpid()}
	}
	file := filepath.Join(t.j.Dir(), "lock")
	l := flock.New(file, flock.SetPermissions(0o600))
	ok, err := l.TryLock()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("lock the working tree: %w", err), l.Close())
	}
	if !ok {
		return nil, errors.Join(heldBy(file), l.Close())
	}
	if err := sign(file, who); err != nil {
		return nil, errors.Join(fmt.Errorf("lock the working tree: %w", err), l.Close())
	}
	t.held = true
	return func() { t.unlock(l) }, nil
}

// unlock releases the lock once. The file stays: removing it would let two processes lock two files of one name.
func (t *Tree) unlock(l *flock.Flock) {
	t.lockMu.Lock()
	defer t.lockMu.Unlock()
	if l.Locked() {
		_ = l.Close() // closing the descriptor is what releases it
		t.held = false
	}
}

func sign(file, who string) error {
	b, err := json.Marshal(holder{Who: who, PID: os.Getpid()})
	if err != nil {
		return err
	}
	return os.WriteFile(file, b, 0o600)
}

func heldBy(file string) error {
	var h holder
	if b, err := os.ReadFile(file); err == nil {
		_ = json.Unmarshal(b, &h) // half-written or from another version: it is held all the same
	}
	return &LockedError{Who: h.Who, PID: h.PID}
}

// exclusive takes what a write needs: its turn in this process, and the lock unless [Tree.Lock] is held already.
func (t *Tree) exclusive(ctx context.Context, who string) (release func(), err error) {
	t.mu.Lock()
	t.lockMu.Lock()
	held := t.held
	t.lockMu.Unlock()
	if held {
		return t.mu.Unlock, nil
	}
	unlock, err := t.Lock(ctx, who)
	if err != nil {
		t.mu.Unlock()
		return nil, err
	}
	return func() { unlock(); t.mu.Unlock() }, nil
}
