package python

import (
	"context"
	"errors"
	"iter"
	"sync"
	"sync/atomic"

	"fettle/internal/edit"
	"fettle/internal/runner"
	"fettle/internal/verdict"
)

// pipeline is one run of TryAll.
type pipeline struct {
	suite   *suite
	pulled  chan candidate
	trials  chan verdict.Trial
	fresh   chan struct{} // slots for fresh processes
	pending chan struct{} // slots for what waits for one
	cancel  context.CancelFunc
	wg      sync.WaitGroup

	plan *plan // set by the first worker before the others begin

	patience context.Context    // lasts until something passes, for what may go on without end
	sated    context.CancelFunc // … when it does

	waits  atomic.Int32 // see mostWaits
	late   runner.Backlogs[candidate]
	moods  moods
	doubts runner.Doubts
	alone  sync.RWMutex // held by each fresh process, and wholly by one that must run alone

	mu    sync.Mutex
	known map[int]*settled // verdicts on candidates that later ones may be the same as
	err   error
}

// settled is a verdict that is or will be known.
type settled struct {
	done  chan struct{}
	trial verdict.Trial
}

// pipeline is a new one, which lasts until it is cancelled.
func (s *suite) pipeline(ctx context.Context, cancel context.CancelFunc) *pipeline {
	p := &pipeline{
		suite: s, cancel: cancel, late: late(), known: map[int]*settled{},
		pulled: make(chan candidate, 2*mostBatch), trials: make(chan verdict.Trial),
		fresh: make(chan struct{}, workers()), pending: make(chan struct{}, 16*workers()),
	}
	p.patience, p.sated = context.WithCancel(ctx)
	return p
}

// start begins to pull candidates and to try them. The first worker measures the tests, while the others start their servers.
func (p *pipeline) start(ctx context.Context, seq iter.Seq[edit.Patch]) {
	p.wg.Go(func() {
		defer close(p.pulled)
		i := 0
		for patch := range seq {
			select {
			case p.pulled <- candidate{index: i, patch: patch, fuel: little}:
			case <-ctx.Done():
				return
			}
			i++
		}
	})
	var working sync.WaitGroup
	ready := make(chan struct{})
	for n := range workers() {
		working.Add(1)
		p.wg.Go(func() {
			defer working.Done()
			if err := p.work(ctx, n, ready); err != nil {
				p.fail(err)
			}
		})
	}
	p.wg.Go(func() {
		working.Wait()
		close(p.trials)
	})
}

// pass notes that a candidate has passed: then nobody waits any more for those that may go on without end.
func (p *pipeline) pass() {
	p.sated()
	p.late.Pass()
}

// passed reports whether some candidate has passed.
func (p *pipeline) passed() bool { return p.patience.Err() != nil }

// fail keeps the first error and ends everything.
func (p *pipeline) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err == nil && !errors.Is(err, context.Canceled) {
		p.err = err
	}
	p.cancel()
}

func (p *pipeline) failure() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// gather takes up to so many candidates: what is there, and at least one. None means the end.
func (p *pipeline) gather(ctx context.Context, most int) []candidate {
	var out []candidate
	select {
	case c, ok := <-p.pulled:
		if !ok {
			return nil
		}
		out = append(out, c)
	case <-ctx.Done():
		return nil
	}
	for len(out) < most {
		select {
		case c, ok := <-p.pulled:
			if !ok {
				return out
			}
			out = append(out, c)
		default:
			return out
		}
	}
	return out
}

// emit hands a verdict on.
func (p *pipeline) emit(ctx context.Context, c candidate, t verdict.Trial) {
	t.Index, t.Patch = c.index, c.patch
	select {
	case p.trials <- t:
	case <-ctx.Done():
	}
}

// found hands a verdict on that others may be the same as.
func (p *pipeline) found(ctx context.Context, c candidate, t verdict.Trial) {
	p.mu.Lock()
	x := p.settle(c.index)
	p.mu.Unlock()
	x.trial = t
	close(x.done)
	p.emit(ctx, c, t)
}

// settle is where the verdict on a candidate stands or will stand. The lock is held.
func (p *pipeline) settle(n int) *settled {
	if p.known[n] == nil {
		p.known[n] = &settled{done: make(chan struct{})}
	}
	return p.known[n]
}
