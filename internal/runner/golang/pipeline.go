package golang

import (
	"context"
	"errors"
	"iter"
	"sync"
	"time"

	"fettle/internal/edit"
	"fettle/internal/verdict"
)

// candidate is a patch and its place in the sequence.
type candidate struct {
	index int
	patch edit.Patch
}

// pipeline pulls candidates, builds them in batches, and runs one batch while the next is being built.
type pipeline struct {
	oracle *Oracle
	trials chan verdict.Trial
	wg     sync.WaitGroup

	mu  sync.Mutex
	err error
}

// firstBatch is small, so that the first trials are there soon; each batch after it may be twice as large.
const firstBatch = 48

// pause is how long a batch waits for another candidate before it goes as it is: some sequences think between two.
const pause = 150 * time.Millisecond

func (o *Oracle) pipeline(ctx context.Context, seq iter.Seq[edit.Patch]) *pipeline {
	ahead := o.Ahead
	if ahead <= 0 {
		ahead = 128
	}
	p := &pipeline{oracle: o, trials: make(chan verdict.Trial)}
	pulled := make(chan candidate, ahead)
	built := make(chan *bundle)
	p.wg.Go(func() {
		defer close(pulled)
		pull(ctx, seq, pulled)
	})
	p.wg.Go(func() {
		defer close(built)
		p.build(ctx, pulled, built)
	})
	p.wg.Go(func() {
		defer close(p.trials)
		p.run(ctx, built)
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

// build gathers batches and makes a bundle of each.
func (p *pipeline) build(ctx context.Context, in <-chan candidate, out chan<- *bundle) {
	most := p.oracle.Batch
	if most <= 0 {
		most = 512
	}
	for size := min(firstBatch, most); ; size = min(size*2, most) {
		batch := gather(ctx, in, size)
		if len(batch) == 0 || p.failure() != nil {
			return
		}
		b, err := p.oracle.bundle(ctx, batch)
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
	emit := func(t verdict.Trial) {
		select {
		case p.trials <- t:
		case <-ctx.Done():
		}
	}
	for b := range in {
		if ctx.Err() == nil && p.failure() == nil {
			if err := b.run(ctx, emit); err != nil {
				p.fail(err)
			}
		}
		b.close()
	}
}
