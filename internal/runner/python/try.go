package python

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"runtime"
	"sync"
	"time"

	"fettle/internal/edit"
	"fettle/internal/runner"
	"fettle/internal/verdict"
)

// candidate is a patch and its place in the sequence.
type candidate struct {
	index int
	patch edit.Patch
	fuel  amount        // what it is tried with next
	known verdict.Trial // what it is unless it is tried with more
}

// How many candidates go to a server at a time: one child does them, and ends with them.
const (
	firstBatch = 8
	mostBatch  = 128
)

// TryAll implements [runner.Suite].
func (s *suite) TryAll(ctx context.Context, candidates iter.Seq[edit.Patch]) iter.Seq2[verdict.Trial, error] {
	return func(yield func(verdict.Trial, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		p := s.pipeline(ctx, cancel)
		defer p.wg.Wait()
		defer cancel()
		p.start(ctx, candidates)
		for t := range p.trials {
			if !yield(t, nil) {
				return
			}
		}
		if err := p.failure(); err != nil {
			yield(verdict.Trial{}, err)
		} else if ctx.Err() != nil {
			yield(verdict.Trial{}, context.Cause(ctx))
		}
	}
}

func workers() int { return max(1, runtime.GOMAXPROCS(0)) }

// work is one worker: its own server, and fresh processes for what the server cannot do.
func (p *pipeline) work(ctx context.Context, n int, ready chan struct{}) error {
	w := &worker{pipeline: p, sources: map[string][]byte{}}
	defer w.after.Wait()
	if n > 0 {
		select { // nothing is measured yet
		case <-ready:
		case <-ctx.Done():
			return nil
		}
	}
	if p.suite.Slow() != "" {
		return w.workAfresh(ctx, ready)
	}
	batch := p.gather(ctx, firstBatch)
	if len(batch) == 0 && n > 0 {
		return nil
	}
	if err := w.begin(ctx, ready); err != nil {
		return err
	}
	if p.suite.Slow() != "" { // as has been measured just now
		p.suite.give(w.server)
		return w.workAfresh(ctx, nil, batch...)
	}
	if err := w.warmly(ctx, batch); err != nil {
		w.server.close()
		return err
	}
	p.suite.give(w.server)
	return nil
}

// warmly tries all candidates, these first.
func (w *worker) warmly(ctx context.Context, batch []candidate) error {
	for size := firstBatch; len(batch) > 0; batch = w.gather(ctx, size) {
		if err := w.tryAll(ctx, batch); err != nil {
			return err
		}
		if err := w.inTurn(ctx); err != nil {
			return err
		}
		size = min(2*size, mostBatch)
	}
	return w.afterwards(ctx)
}

// tryAll tries a batch, and once more, one by one, what has no verdict because the server has ended.
func (w *worker) tryAll(ctx context.Context, batch []candidate) error {
	left, err := w.try(ctx, batch)
	if err != nil {
		return err
	}
	return w.tryAgain(ctx, left)
}

// workAfresh tries every candidate in a fresh process, these first.
func (w *worker) workAfresh(ctx context.Context, ready chan struct{}, batch ...candidate) error {
	if w.plan == nil { // the others wait
		w.plan = w.suite.plan
		close(ready)
	}
	for {
		for _, c := range batch {
			w.freshTrial(ctx, c, verdict.Trial{})
		}
		if batch = w.gather(ctx, 1); len(batch) == 0 {
			return nil
		}
	}
}

// worker is one of those that try candidates.
type worker struct {
	*pipeline
	server  *server
	sources map[string][]byte
	after   sync.WaitGroup // fresh runs under way
	asking  sync.WaitGroup // those of them that say whether a test is moody
	ends    int            // how often the server has ended by itself
}

// begin takes a server and tells it the plan, which the first worker makes.
func (w *worker) begin(ctx context.Context, ready chan struct{}) error {
	server, err := w.suite.take(ctx)
	if err != nil {
		return err // and whoever had a server before can still close it
	}
	w.server = server
	if w.plan == nil {
		plan, err := w.suite.prepare(ctx, w.server)
		if err != nil {
			w.server.close()
			return err
		}
		w.plan = plan
		close(ready)
	}
	if err = w.server.ask(ctx, w.plan, func(reply) error { return nil }); err != nil {
		w.server.close()
	}
	return err
}

// try has a batch of candidates tried, all with as much fuel as the first. What is left has no verdict because the server has ended.
func (w *worker) try(ctx context.Context, batch []candidate) (left []candidate, err error) {
	request := tryRequest{Do: "try", Items: []item{}, Fuel: batch[0].fuel, Moody: w.moods.numbers(w.plan.passing())}
	by := map[int]candidate{}
	for _, c := range batch {
		files, err := w.files(c.patch)
		if err != nil {
			w.emit(ctx, c, verdict.Trial{Note: err.Error()})
			continue
		}
		by[c.index] = c
		request.Items = append(request.Items, item{c.index, files})
	}
	if len(by) == 0 {
		return nil, nil
	}
	err = w.server.ask(ctx, request, func(r reply) error {
		if r.N == nil {
			return nil
		}
		c, ok := by[*r.N]
		if !ok {
			return errors.New("pytest speaks of a candidate that it was not given")
		}
		delete(by, c.index)
		w.hear(ctx, c, r.attempt)
		return nil
	})
	if err == nil || ctx.Err() != nil {
		return nil, err
	}
	for _, c := range batch {
		if _, ok := by[c.index]; ok {
			left = append(left, c)
		}
	}
	if len(left) == 0 {
		return nil, err
	}
	return left, nil
}

// mostEnds is how many candidates may end a server before something else must be the reason.
const mostEnds = 5

// tryAgain tries candidates one by one, after one of them has ended the server.
func (w *worker) tryAgain(ctx context.Context, batch []candidate) error {
	if len(batch) == 0 {
		return nil
	}
	if err := w.restart(ctx); err != nil {
		return err
	}
	for _, c := range batch {
		if c.fuel == little {
			c.fuel = much // it is to have its verdict now
		}
		left, err := w.try(ctx, []candidate{c})
		if err != nil {
			return err
		}
		if len(left) == 0 {
			continue
		}
		w.emit(ctx, c, verdict.Trial{Built: true, Note: "it ends the process that runs it, and those around that"})
		if err := w.restart(ctx); err != nil {
			return err
		}
	}
	return nil
}

// restart takes another server in the place of one that has ended.
func (w *worker) restart(ctx context.Context) error {
	w.server.close()
	if w.ends++; w.ends > mostEnds {
		return errors.New("pytest ends again and again while candidates are tried")
	}
	return w.begin(ctx, nil)
}

// mostWaits is how many candidates that heal something and then go on and on get the time of a fresh process: each may take all of it.
const mostWaits = 6

// hear turns what a server says into a verdict, in a fresh process where that is needed.
func (w *worker) hear(ctx context.Context, c candidate, a attempt) {
	t := w.said(a)
	switch {
	case a.Syntax != "", a.Same:
		w.emit(ctx, c, t)
	case a.Of != nil:
		w.later(ctx, func() { w.sameAs(ctx, c, *a.Of) })
	case a.Later != "":
		w.putOff(slowly, c)
	case a.Fuel != "":
		c.known = t
		if c.fuel == little && len(t.Healed) == 0 {
			w.putOff(dry, c)
		} else {
			w.putOff(drier, c)
		}
	case a.Fresh != "", t.Note == "":
		w.later(ctx, func() { w.freshTrial(ctx, c, t) })
	case a.Dry && !w.passed() && w.waits.Add(1) <= mostWaits:
		w.later(ctx, func() { w.patientTrial(ctx, c, t) })
	case len(t.Broken) > 0 && t.Note == runner.Breaks(t.Broken[0]):
		w.breaks(ctx, c, t)
	default:
		w.found(ctx, c, t)
	}
}

// said is what a server says of a candidate, with a note of what speaks against it.
func (w *worker) said(a attempt) verdict.Trial {
	t := verdict.Trial{Built: a.Syntax == "", Duration: time.Duration(a.Micros) * time.Microsecond}
	failing, passing := w.plan.failing(), w.plan.passing()
	for _, i := range a.Healed {
		t.Healed = append(t.Healed, failing[i])
	}
	for _, i := range a.Broken {
		t.Broken = append(t.Broken, passing[i])
	}
	switch {
	case a.Syntax != "":
		t.Note = "does not compile: " + a.Syntax
	case a.Same:
		t.Note = "changes nothing that runs"
	case len(t.Healed) < len(failing):
		t.Note = cmp.Or(a.Fuel, a.Died, a.Note, runner.StillFails(firstMissing(failing, t.Healed)))
	case len(t.Broken) > 0:
		t.Note = cmp.Or(a.Fuel, a.Died, a.Note, runner.Breaks(t.Broken[0]))
	default:
		t.Note = cmp.Or(a.Fuel, a.Died, a.Note)
	}
	return t
}

// later does something beside the trials that go on, unless the context ends first.
func (w *worker) later(ctx context.Context, do func()) (doing bool) {
	select { // not too much of it at once
	case w.pending <- struct{}{}:
	case <-ctx.Done():
		return false
	}
	w.after.Go(func() {
		defer func() { <-w.pending }()
		do()
	})
	return true
}

// sameAs gives a candidate the verdict of an earlier one that does the same.
func (w *worker) sameAs(ctx context.Context, c candidate, of int) {
	w.mu.Lock()
	x := w.settle(of)
	w.mu.Unlock()
	select {
	case <-x.done:
		w.emit(ctx, c, x.trial)
	case <-ctx.Done():
	}
}

func firstMissing(all, some []string) string {
	for i, id := range all {
		if i >= len(some) || some[i] != id {
			return id
		}
	}
	return ""
}
