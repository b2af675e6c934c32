package runner

import (
	"context"
	"errors"
	"iter"
	"sync"
	"time"

	"fettle/internal/edit"
	"fettle/internal/verdict"
)

// Candidate is a patch and its place in the sequence that it came from.
type Candidate struct {
	Index int
	Patch edit.Patch
}

// Batches tries candidates where they have to be compiled: many of them are made into one thing that runs (a test binary, a class with
// switches), and that runs while the next one is being made.
type Batches[B any] struct {
	First int // candidates in the first batch, few, so that the first trials are there soon; each batch after it may be twice as large
	Most  int // candidates in a batch
	Ahead int // candidates pulled from the sequence and not yet in a batch

	Making  Side // batches that are made at the same time
	Running Side // batches that run at the same time

	Make func(ctx context.Context, batch []Candidate) (B, error)
	Run  func(ctx context.Context, b B, emit func(verdict.Trial)) error
	Drop func(b B)                                                 // called once for each that was made
	Last func(ctx context.Context, emit func(verdict.Trial)) error // tries what was put off, when there is no batch any more; nil: nothing is
}

// Side says how many do something side by side in a long search. Until then, and where nothing is said, one does it alone.
type Side struct {
	Many int
	Soon int // once so many candidates have been taken
}

// pause is how long a batch waits for another candidate before it goes as it is: some sequences think between two.
const pause = 150 * time.Millisecond

// Try tries candidates, taken lazily from the sequence, which is pulled on a goroutine of its own. Trials come as they end. Stopping the
// iteration ends everything that was under way. An error ends the sequence.
func (b Batches[B]) Try(ctx context.Context, seq iter.Seq[edit.Patch]) iter.Seq2[verdict.Trial, error] {
	return func(yield func(verdict.Trial, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		p := &batching[B]{Batches: b, trials: make(chan verdict.Trial), size: min(b.First, b.Most), making: crowd{Side: b.Making, enough: make(chan struct{})}, running: crowd{Side: b.Running, enough: make(chan struct{})}}
		defer p.wg.Wait()
		defer cancel()
		p.start(ctx, seq)
		for t := range p.trials {
			if !yield(t, nil) {
				return
			}
		}
		if err := p.failure(); err != nil {
			yield(verdict.Trial{}, err)
		} else if err := ctx.Err(); err != nil {
			yield(verdict.Trial{}, err)
		}
	}
}

// batching is one run of Try.
type batching[B any] struct {
	Batches[B]
	trials chan verdict.Trial
	wg     sync.WaitGroup

	making, running crowd

	gathering sync.Mutex // one batch is gathered at a time
	size      int        // of the next one
	taken     int        // candidates

	mu  sync.Mutex
	err error
}

func (p *batching[B]) start(ctx context.Context, seq iter.Seq[edit.Patch]) {
	pulled := make(chan Candidate, p.Ahead)
	made := make(chan B)
	p.wg.Go(func() {
		defer close(pulled)
		pull(ctx, seq, pulled)
	})
	p.wg.Go(func() {
		defer close(made)
		p.making.all(ctx, func() { p.make(ctx, pulled, made) })
	})
	p.wg.Go(func() {
		defer close(p.trials)
		p.running.all(ctx, func() { p.run(ctx, made) })
		p.last(ctx)
	})
}

// crowd is those that do something: one, and others once there is enough to do.
type crowd struct {
	Side
	enough chan struct{} // closed then
	once   sync.Once
}

// taken tells a crowd how many candidates have been taken by now.
func (c *crowd) taken(n int) {
	if n >= c.Soon {
		c.once.Do(func() { close(c.enough) })
	}
}

// all has everybody do it, and waits for them.
func (c *crowd) all(ctx context.Context, do func()) {
	var g sync.WaitGroup
	defer g.Wait()
	done := make(chan struct{})
	g.Go(func() {
		defer close(done)
		do()
	})
	select {
	case <-c.enough:
	case <-done:
	case <-ctx.Done():
	}
	for range c.Many - 1 {
		g.Go(do) // comes to its end at once where there is nothing left to do
	}
}

func (p *batching[B]) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err == nil && !errors.Is(err, context.Canceled) {
		p.err = err
	}
}

func (p *batching[B]) failure() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

func pull(ctx context.Context, seq iter.Seq[edit.Patch], out chan<- Candidate) {
	i := 0
	for patch := range seq {
		select {
		case out <- Candidate{i, patch}:
		case <-ctx.Done():
			return
		}
		i++
	}
}

// make gathers batches and makes something of each.
func (p *batching[B]) make(ctx context.Context, in <-chan Candidate, out chan<- B) {
	for {
		batch := p.next(ctx, in)
		if len(batch) == 0 || p.failure() != nil {
			return
		}
		b, err := p.Make(ctx, batch)
		if err != nil {
			p.fail(err)
			return
		}
		select {
		case out <- b:
		case <-ctx.Done():
			p.Drop(b)
			return
		}
	}
}

// next gathers one batch. None at all means the end.
func (p *batching[B]) next(ctx context.Context, in <-chan Candidate) []Candidate {
	p.gathering.Lock()
	defer p.gathering.Unlock()
	batch := gather(ctx, in, p.size)
	p.size = min(2*p.size, p.Most)
	p.taken += len(batch)
	p.making.taken(p.taken)
	p.running.taken(p.taken)
	return batch
}

// gather takes candidates until there are enough, or none comes for a while. None at all means the end.
func gather(ctx context.Context, in <-chan Candidate, size int) []Candidate {
	var out []Candidate
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

func (p *batching[B]) emit(ctx context.Context) func(verdict.Trial) {
	return func(t verdict.Trial) {
		select {
		case p.trials <- t:
		case <-ctx.Done():
		}
	}
}

// run tries the batches that are made.
func (p *batching[B]) run(ctx context.Context, in <-chan B) {
	for b := range in {
		if ctx.Err() == nil && p.failure() == nil {
			if err := p.Run(ctx, b, p.emit(ctx)); err != nil {
				p.fail(err)
			}
		}
		p.Drop(b)
	}
}

// last tries what was put off.
func (p *batching[B]) last(ctx context.Context) {
	if p.Last == nil || ctx.Err() != nil || p.failure() != nil {
		return
	}
	if err := p.Last(ctx, p.emit(ctx)); err != nil {
		p.fail(err)
	}
}
