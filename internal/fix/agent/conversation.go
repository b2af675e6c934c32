package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"fettle/internal/fix"
	"fettle/internal/pattern"
	"fettle/internal/policy/secret"
)

// talk is one conversation with an agent, which may be gone on with in another place and by another process: what the agent has kept of it stands
// in a folder of ours, and is laid into its home again.
type talk struct {
	fixer *fixer
	id    string // empty: it begins
	lock  *flock.Flock
	state talkState
}

// talkState is what we know of a conversation beside what the agent has kept.
type talkState struct {
	Cost float64 `json:"cost_usd"` // of all runs so far, as the agent counts
}

// conversationID is what ids of conversations look like: nothing that leads elsewhere as a path, or that is an option.
var conversationID = pattern.New(`^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$`)

// again is how often it is looked whether another run of the same conversation has ended.
const again = 50 * time.Millisecond

// talk finds the conversation for a task, and waits until nobody else is in it: of two who go on with one at a time, an agent keeps only
// one's words.
func (f *fixer) talk(ctx context.Context, t fix.Task) (*talk, error) {
	c := &talk{fixer: f, id: t.Talk}
	if c.id == "" {
		return c, nil
	}
	if f.o.Conversations == "" || !conversationID.MatchString(c.id) {
		return nil, fmt.Errorf("there is no conversation %.100q to go on with", c.id)
	}
	if _, err := os.Stat(c.folder(c.id)); errors.Is(err, fs.ErrNotExist) {
		tell(t, "conversation %s is not kept here any more; it begins a new one", c.id)
		c.id = ""
		return c, nil
	}
	c.lock = flock.New(c.folder(c.id) + ".lock")
	if _, err := c.lock.TryLockContext(ctx, again); err != nil {
		return nil, errors.Join(fmt.Errorf("go on with conversation %s: %w", c.id, err), c.lock.Close())
	}
	data, err := os.ReadFile(filepath.Join(c.folder(c.id), "state.json"))
	if err == nil {
		err = json.Unmarshal(data, &c.state)
	}
	if err != nil {
		c.leave()
		return nil, fmt.Errorf("go on with conversation %s: %w", c.id, err)
	}
	return c, nil
}

// leave lets others into the conversation.
func (c *talk) leave() {
	if c.lock != nil {
		_ = c.lock.Close() // closing lets go of the lock
	}
}

// folder is where a conversation is kept.
func (c *talk) folder(id string) string {
	return filepath.Join(c.fixer.o.Conversations, string(c.fixer.kind), id)
}

// lay puts what the agent has kept into its new home.
func (c *talk) lay(home string) error {
	if c.id == "" {
		return nil
	}
	if err := carry(filepath.Join(c.folder(c.id), "home"), home, c.fixer.driver.conversations(), nil); err != nil {
		return fmt.Errorf("go on with conversation %s: %w", c.id, err)
	}
	return nil
}

// keep takes what the agent has kept out of its home.
func (c *talk) keep(home string, r *report) error {
	if c.fixer.o.Conversations == "" {
		return nil
	}
	if !conversationID.MatchString(r.session) {
		return fmt.Errorf("its id is %.100q", r.session)
	}
	to := c.folder(r.session)
	state := c.state
	if r.priced {
		state.Cost = r.total
	}
	data, err := json.Marshal(state)
	if err != nil {
		return err
	}
	fresh := to + ".new"
	err = os.RemoveAll(fresh)
	if err == nil {
		err = os.MkdirAll(fresh, 0o700)
	}
	if err == nil {
		err = carry(home, filepath.Join(fresh, "home"), c.fixer.driver.conversations(), c.fixer.o.Redactor)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(fresh, "state.json"), data, 0o600)
	}
	if err == nil {
		err = os.RemoveAll(to)
	}
	if err == nil {
		err = os.Rename(fresh, to)
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(fresh))
	}
	return nil
}

// Forget removes what is kept of all conversations in a folder but these. One that somebody is in, or is about to go on with, must be among them.
func Forget(conversations string, but []string) error {
	kept, err := filepath.Glob(filepath.Join(conversations, "*", "*"))
	if err != nil {
		return err
	}
	var failed error
	for _, name := range kept {
		id, _, _ := strings.Cut(filepath.Base(name), ".") // beside its folder lie its lock and what was being written
		if !slices.Contains(but, id) {
			failed = errors.Join(failed, os.RemoveAll(name))
		}
	}
	return failed
}

// cost is what this run has cost, of an agent that counts the whole conversation.
func (c *talk) cost(r report) float64 {
	if r.total < c.state.Cost {
		return r.total // it has begun to count anew
	}
	return r.total - c.state.Cost
}

// maxKept bounds what is kept of a conversation.
const maxKept = 64 << 20

// carry copies the regular files in some folders below one home to the same places below another. What an agent has written may be anything: no link is followed out of
// its home, and what is too much is an error. With a redactor, what is copied has marks in the place of secrets.
func carry(from, to string, folders []string, r *secret.Redactor) error {
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	src, err := os.OpenRoot(from)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.OpenRoot(to)
	if err != nil {
		return err
	}
	defer dst.Close()
	left := int64(maxKept)
	for _, folder := range folders {
		err := fs.WalkDir(src.FS(), folder, func(name string, d fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil
			case err != nil:
				return err
			case d.IsDir():
				return dst.MkdirAll(name, 0o700)
			case !d.Type().IsRegular():
				return nil
			}
			n, err := carryFile(src, dst, name, left, r)
			left -= n
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func carryFile(src, dst *os.Root, name string, most int64, r *secret.Redactor) (n int64, err error) {
	in, err := src.Open(name)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	out, err := dst.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return 0, err
	}
	data, err := io.ReadAll(io.LimitReader(in, most+1))
	if n = int64(len(data)); n > most {
		err = fmt.Errorf("it takes more than %d bytes", maxKept)
	}
	if err == nil && r != nil {
		data = discreetLines(r.RedactString, data)
	}
	if err == nil {
		_, err = out.Write(data)
	}
	return n, errors.Join(err, out.Close())
}
