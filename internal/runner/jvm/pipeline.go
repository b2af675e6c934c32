package jvm

import (
	"context"
	"errors"
	"iter"
	"sync"
	"time"

	"fettle/internal/edit"
	"fettle/internal/verdict"
)

// pipeline pulls candidates, compiles them in batches, and runs one batch while the next is being compiled.
type pipeline struct {
	suite  *suite
	trials chan verdict.Trial
	wg     sync.WaitGroup

	mu  sync.Mutex
	err error
}

// How many candidates a batch holds: the first ones few, so that the first trials are there soon.
const (
	firstBatch = 48
	mostBatch  = 512
	freshBatch = 160 // classes that are loaded anew for each candidate should be small
	ahead      = 128 // candidates pulled from the sequence and not yet in a batch
)

// pause is how long a batch waits for another candidate before it goes as it is: some sequences think between two.
const pause = 150 * time.Millisecond

func (s *suite) pipeline(ctx context.Context, seq iter.Seq[edit.Patch]) *pipeline {
	p := &pipeline{suite: s, trials: make(chan verdict.Trial)}
	pulled := make(chan candidate, ahead)
	compiled := make(chan *bundle)
	p.wg.Go(func() {
		defer close(pulled)
		pull(ctx, seq, pulled)
	})
	p.wg.Go(func() {
		defer close(compiled)
		p.compile(ctx, pulled, compiled)
	})
	p.wg.Go(func() {
		defer close(p.trials)
		p.run(ctx, compiled)
	})
	return p
}

func (p *pipeline) wait() { p.wg.Wait() }

func (p *pipeline) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err == nil && !errors.Is(err, context.Canceled) {
		p.err = err
	}
}

func (p *pipeline) failure() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

func pull(ctx context.Context, seq iter.Seq[edit.Patch], out chan<- candidate) {
	i := 0
	for patch := range seq {
		select {
		case out <- candidate{i, patch}:
		case <-ctx.Done():
			return
		}
		i++
	}
}

func (p *pipeline) compile(ctx context.Context, in <-chan candidate, out chan<- *bundle) {
	most := mostBatch
	if p.suite.baseline.fresh {
		most = freshBatch
	}
	for size := firstBatch; ; size = min(size*2, most) {
		batch := gather(ctx, in, size)
		if len(batch) == 0 || p.failure() != nil {
			return
		}
		b, err := p.suite.bundle(ctx, batch)
		if err != nil {
			p.fail(err)
			return
		}
		select {
		case out <- b:
		case <-ctx.Done():
			b.close()
			return
		}
	}
}

// gather takes candidates until there are enough, or none comes for a while. None at all means the end.
func gather(ctx context.Context, in <-chan candidate, size int) []candidate {
	var out []candidate
	t := time.NewTimer(pause)
	defer t.Stop()
	for len(out) < size {
		var enough <-chan time.Time
		if len(out) > 0 {
			t.Reset(pause)
			enough = t.C
		}
		select {
		case c, ok := <-in:
			if !ok {
				return out
			}
			out = append(out, c)
		case <-enough:
			return out
		case <-ctx.Done():
			return nil
		}
	}
	return out
}

func (p *pipeline) run(ctx context.Context, in <-chan *bundle) {
	crew := p.suite.crew()
	defer crew.close()
	emit := func(t verdict.Trial) {
		select {
		case p.trials <- t:
		case <-ctx.Done():
		}
	}
	for b := range in {
		if ctx.Err() == nil && p.failure() == nil {
			if err := crew.run(ctx, b, emit); err != nil {
				p.fail(err)
			}
		}
		b.close()
	}
}
