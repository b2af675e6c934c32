package telemetry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"fettle/internal/guard/hook"
	"fettle/internal/policy/secret"
)

// MaxWaiting is how many decisions may wait to be sent. Of more, the oldest are dropped.
const MaxWaiting = 10_000

// tries is how often one batch is tried in one run.
const tries = 3

// The pauses after failures: between the tries of one run, and, from run to run, until the hook starts a sender again.
const (
	firstPause = time.Second
	maxPause   = 20 * time.Second
	firstRest  = 30 * time.Second
	maxRest    = 30 * time.Minute
)

// ErrBusy is another sender at work.
var ErrBusy = errors.New("another process is sending at this moment")

// Sender sends what is in the decision log. Its zero values of functions mean the clock of this machine, and its network.
type Sender struct {
	Dir     string // the guard's folder
	Setting *Setting
	Version string
	Most    int64    // decisions that may wait; zero: MaxWaiting
	Environ []string // secrets in it are found wherever they stand
	Now     func() time.Time
	Sleep   func(context.Context, time.Duration) error
	Client  *http.Client
}

// Send sends all that waits. The cursor moves after each batch that was accepted, so whatever ends the process, nothing is lost, and at most one batch is
// sent twice.
func (s *Sender) Send(ctx context.Context) (sent int64, err error) {
	to, err := s.Setting.URL()
	if err != nil {
		return 0, err
	}
	unlock, err := s.lock()
	if err != nil {
		return 0, err
	}
	defer unlock()
	st, id, err := s.look()
	if err != nil {
		return 0, err
	}
	before := st.Sent
	err = s.sendAll(ctx, st, id, to)
	st.LastTried = s.now().UTC()
	if ctx.Err() == nil { // who is told to end has not failed
		s.rest(st, err)
	}
	return st.Sent - before, errors.Join(err, st.write(s.folder()))
}

// sendAll sends batch after batch, until nothing waits.
func (s *Sender) sendAll(ctx context.Context, st *State, id identity, to string) error {
	if err := s.shed(st); err != nil {
		return err
	}
	c := s.Client
	if c == nil {
		c = client()
		defer c.CloseIdleConnections()
	}
	for {
		b, err := s.next(st, id, s.now())
		if err != nil {
			return err
		}
		said := ""
		if b.Records > 0 {
			var rejected int64
			if rejected, said, err = s.deliver(ctx, c, to, b); err != nil {
				return err
			}
			st.Rejected += min(rejected, int64(b.Records))
			st.Sent += int64(b.Records) - min(rejected, int64(b.Records))
			st.LastSent = s.now().UTC()
		}
		moved := b.next != st.At
		st.At, st.Told, st.LastError = b.next, b.told, said
		st.Gaps += b.gaps
		st.Dropped += b.long
		if moved || b.Records > 0 {
			if err := st.write(s.folder()); err != nil {
				return err
			}
		}
		if b.Records == 0 && st.untold() == (Loss{}) {
			return nil
		}
	}
}

// deliver tries a batch until it is accepted, refused for good, or has failed often enough.
func (s *Sender) deliver(ctx context.Context, c *http.Client, to string, b *Batch) (rejected int64, said string, err error) {
	for try, pause := 1, firstPause; ; try, pause = try+1, 2*pause {
		rejected, said, err = post(ctx, c, to, s.Setting.header(), b.Body, s.now())
		var r *refusal
		switch {
		case err == nil:
			return rejected, said, nil
		case errors.As(err, &r) && r.bad:
			return int64(b.Records), r.text, nil
		case ctx.Err() != nil:
			return 0, "", ctx.Err()
		case r == nil || !r.later || try == tries:
			return 0, "", err
		}
		wait := max(pause+rand.N(pause/2), r.after) //nolint:gosec // the pauses of many senders only have to differ
		if wait > maxPause {
			return 0, "", err
		}
		if slept := s.sleep(ctx, wait); slept != nil {
			return 0, "", slept
		}
	}
}

// shed drops the oldest of what waits, where it is too much. What is dropped is counted before anything else happens.
func (s *Sender) shed(st *State) error {
	most := cmp.Or(s.Most, MaxWaiting)
	waiting, err := s.waiting(st)
	if err != nil || waiting <= most {
		return err
	}
	left := waiting - most
	at, gaps, long, err := s.queue().each(st.At, func(item) bool {
		left--
		return left >= 0
	})
	if err != nil {
		return fmt.Errorf("the decision log cannot be read: %w", err)
	}
	st.At, st.Dropped, st.Gaps = at, st.Dropped+waiting-most+long, st.Gaps+gaps
	return st.write(s.folder())
}

// waiting counts what is to be sent.
func (s *Sender) waiting(st *State) (n int64, err error) {
	_, _, _, err = s.queue().each(st.At, func(item) bool {
		n++
		return true
	})
	if err != nil {
		err = fmt.Errorf("the decision log cannot be read: %w", err)
	}
	return n, err
}

// rest notes how it went, and lets the hook start no sender for a while after a failure: longer after each, and as long as the endpoint wants.
func (s *Sender) rest(st *State, err error) {
	stamp := filepath.Join(s.folder(), hook.Stamp)
	if err == nil {
		if !st.NotBefore.IsZero() {
			_ = os.Chtimes(stamp, s.now(), s.now()) // as below
		}
		st.Failures, st.NotBefore = 0, time.Time{}
		return
	}
	st.Failures++
	st.LastError = plain(err.Error())
	pause := min(firstRest<<min(st.Failures-1, 10), maxRest)
	var r *refusal
	if errors.As(err, &r) {
		pause = min(max(pause, r.after), hook.MaxReportPause-time.Minute)
	}
	st.NotBefore = s.now().Add(pause).UTC()
	_ = os.Chtimes(stamp, st.NotBefore, st.NotBefore) // without it the hook starts one sooner or later, which does no harm
}

// lock lets one sender work at a time. It is let go of with the process.
func (s *Sender) lock() (unlock func(), err error) {
	if err := os.MkdirAll(s.folder(), 0o700); err != nil {
		return nil, err
	}
	l := flock.New(filepath.Join(s.folder(), "lock"), flock.SetPermissions(0o600))
	got, err := l.TryLock()
	if err != nil {
		return nil, fmt.Errorf("the telemetry cannot be locked: %w", err)
	}
	if !got {
		return nil, ErrBusy
	}
	return func() { _ = l.Close() }, nil // the process's end would do it, too
}

func (s *Sender) folder() string { return hook.ReportFolder(s.Dir) }

func (s *Sender) queue() queue { return queue{dir: hook.LogFolder(s.Dir)} }

func (s *Sender) redactor() *secret.Redactor { return secret.New(s.Environ) }

func (s *Sender) now() time.Time {
	if s.Now != nil {
		return s.Now()
	}
	return time.Now()
}

func (s *Sender) sleep(ctx context.Context, d time.Duration) error {
	if s.Sleep != nil {
		return s.Sleep(ctx, d)
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
