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

	Make func(ctx context.Context, batch []Candidate) (B, error)
	Run  func(ctx context.Context, b B, emit func(verdict.Trial)) error
	Drop func(b B)                                                 // called once for each that was made
	Last func(ctx context.Context, emit func(verdict.Trial)) error // tries what was put off, when there is no batch any more; nil: nothing is
}

// pause is how long a batch waits for another candidate before it goes as it is: some sequences think between two.
const pause = 150 * time.Millisecond

// Try tries candidates, taken lazily from the sequence, which is pulled on a goroutine of its own. Trials come as they end. Stopping the
// iteration ends everything that was under way. An error ends the sequence.
func (b Batches[B]) Try(ctx context.Context, seq iter.Seq[edit.Patch]) iter.Seq2[verdict.Trial, error] {
	return func(yield func(verdict.Trial, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		p := &batching[B]{Batches: b, trials: make(chan verdict.Trial)}
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
		p.make(ctx, pulled, made)
	})
	p.wg.Go(func() {
		defer close(p.trials)
		p.run(ctx, made)
	})
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
	for size := min(p.First, p.Most); ; size = min(size*2, p.Most) {
		batch := gather(ctx, in, size)
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

func (p *batching[B]) run(ctx context.Context, in <-chan B) {
	emit := func(t verdict.Trial) {
		select {
		case p.trials <- t:
		case <-ctx.Done():
		}
	}
	for b := range in {
		if ctx.Err() == nil && p.failure() == nil {
			if err := p.Run(ctx, b, emit); err != nil {
				p.fail(err)
			}
		}
		p.Drop(b)
	}
	if p.Last != nil && ctx.Err() == nil && p.failure() == nil {
		if err := p.Last(ctx, emit); err != nil {
			p.fail(err)
		}
	}
}
