package python

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"runtime"
	"sync"
	"time"
	"unicode/utf8"

	"fettle/internal/edit"
	"fettle/internal/verdict"
)

// candidate is a patch and its place in the sequence.
type candidate struct {
	index int
	patch edit.Patch
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
		p := &pipeline{suite: s, pulled: make(chan candidate, 2*mostBatch), trials: make(chan verdict.Trial), known: map[int]*settled{},
			fresh: make(chan struct{}, workers()), cancel: cancel}
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

// pipeline is one run of TryAll.
type pipeline struct {
	suite  *suite
	pulled chan candidate
	trials chan verdict.Trial
	fresh  chan struct{} // slots for fresh processes
	cancel context.CancelFunc
	wg     sync.WaitGroup

	mu    sync.Mutex
	plan  *plan
	known map[int]*settled // verdicts on candidates that later ones may be the same as
	err   error
}

// settled is a verdict that is or will be known.
type settled struct {
	done  chan struct{}
	trial verdict.Trial
}

// start begins to pull candidates and to try them. The first worker measures the tests, while the others start their servers.
func (p *pipeline) start(ctx context.Context, seq iter.Seq[edit.Patch]) {
	p.wg.Go(func() {
		defer close(p.pulled)
		i := 0
		for patch := range seq {
			select {
			case p.pulled <- candidate{i, patch}:
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
	batch := p.gather(ctx, firstBatch)
	if len(batch) == 0 && n > 0 {
		return nil
	}
	v, err := p.suite.take(ctx)
	if err != nil {
		return err
	}
	if err := w.begin(ctx, v, n == 0, ready); err != nil {
		v.close()
		return err
	}
	for size := firstBatch; len(batch) > 0; batch = p.gather(ctx, size) {
		if err := w.try(ctx, v, batch); err != nil {
			v.close()
			return err
		}
		size = min(2*size, mostBatch)
	}
	p.suite.give(v)
	return nil
}

// worker is one of those that try candidates.
type worker struct {
	*pipeline
	sources map[string][]byte
	after   sync.WaitGroup // fresh runs under way
}

func (w *worker) begin(ctx context.Context, v *server, first bool, ready chan struct{}) error {
	if first {
		plan, err := w.suite.prepare(ctx, v)
		if err != nil {
			return err
		}
		w.mu.Lock()
		w.plan = plan
		w.mu.Unlock()
		close(ready)
	}
	return v.ask(ctx, w.plan, func(reply) error { return nil })
}

// attempt is what a server says of a candidate.
type attempt struct {
	Syntax string `json:"syntax"` // it does not compile
	Same   bool   `json:"same"`   // it does what the baseline does
	Of     *int   `json:"of"`     // it does what this earlier one does
	Reload string `json:"reload"` // why it cannot be tried there
	Died   string `json:"died"`   // how it took its process along
	Healed []int  `json:"healed"`
	Broken []int  `json:"broken"`
	Note   string `json:"note"`
	Micros int64  `json:"us"`
}

type tryRequest struct {
	Do    string `json:"do"`
	Items []item `json:"items"`
}

// item is [number, [[file, [[start, end, text]…]]…]].
type item [2]any

// try has a batch of candidates tried.
func (w *worker) try(ctx context.Context, v *server, batch []candidate) error {
	request := tryRequest{Do: "try", Items: []item{}}
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
	if len(request.Items) == 0 {
		return nil
	}
	return v.ask(ctx, request, func(r reply) error {
		if r.N == nil {
			return nil
		}
		c, ok := by[*r.N]
		if !ok {
			return errors.New("pytest speaks of a candidate that it was not given")
		}
		w.hear(ctx, c, r.attempt)
		return nil
	})
}

// files are a patch's edits, in the form in which a server takes them: null instead of edits for a file that is made or removed.
func (w *worker) files(p edit.Patch) ([][2]any, error) {
	var out [][2]any
	for _, c := range p {
		if err := c.Validate(); err != nil {
			return nil, err
		}
		if !w.suite.Owns(c.Path) {
			return nil, fmt.Errorf("%s is no source that these tests run", c.Path)
		}
		if c.Op != edit.Modify {
			out = append(out, [2]any{c.Path, nil})
			continue
		}
		if err := w.matches(c); err != nil {
			return nil, err
		}
		edits := make([][3]any, len(c.Edits))
		for i, e := range c.Edits {
			if !utf8.Valid(e.New) {
				return nil, fmt.Errorf("%s: the new text is not UTF-8", c.Path)
			}
			edits[i] = [3]any{e.Start, e.End, string(e.New)}
		}
		out = append(out, [2]any{c.Path, edits})
	}
	return out, nil
}

// matches checks that a change is one to the file as it is.
func (w *worker) matches(c edit.Change) error {
	text, ok := w.sources[c.Path]
	if !ok {
		var err error
		if text, err = w.suite.place.ReadFile(c.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		w.sources[c.Path] = text
	}
	if have := edit.Sum(text); have != c.Base {
		return &edit.MismatchError{Path: c.Path, Want: c.Base, Have: have}
	}
	if n := len(c.Edits); n > 0 && c.Edits[n-1].End > len(text) {
		return fmt.Errorf("%s: an edit ends behind the end of the file", c.Path)
	}
	return nil
}

// emit hands a verdict on.
func (p *pipeline) emit(ctx context.Context, c candidate, t verdict.Trial) {
	t.Index, t.Patch = c.index, c.patch
	p.mu.Lock()
	x := p.settle(c.index)
	p.mu.Unlock()
	x.trial = t
	close(x.done)
	select {
	case p.trials <- t:
	case <-ctx.Done():
	}
}

// settle is where the verdict on a candidate stands or will stand. The lock is held.
func (p *pipeline) settle(n int) *settled {
	if p.known[n] == nil {
		p.known[n] = &settled{done: make(chan struct{})}
	}
	return p.known[n]
}

// hear turns what a server says into a verdict, in a fresh process where that is needed.
func (w *worker) hear(ctx context.Context, c candidate, a attempt) {
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
	case a.Of != nil:
		w.later(func() { w.sameAs(ctx, c, *a.Of) })
		return
	case a.Reload != "":
		w.later(func() { w.freshTrial(ctx, c, t) })
		return
	case a.Died != "":
		t.Note = a.Died
	case a.Note != "":
		t.Note = a.Note
	case len(t.Healed) < len(failing):
		t.Note = firstMissing(failing, t.Healed) + " still fails"
	case len(t.Broken) > 0:
		t.Note = t.Broken[0] + " passed before and fails with it"
	default:
		w.later(func() { w.freshTrial(ctx, c, t) })
		return
	}
	w.emit(ctx, c, t)
}

// later does something beside the trials that go on.
func (w *worker) later(do func()) {
	w.after.Add(1)
	go func() {
		defer w.after.Done()
		do()
	}()
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
