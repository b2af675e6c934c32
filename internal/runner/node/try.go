package node

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"fettle/internal/edit"
	"fettle/internal/runner"
	"fettle/internal/verdict"
)

// item is a candidate on its way.
type item struct {
	index   int
	patch   edit.Patch
	changes []change
	key     string
	single  bool // it is tried in a process of its own, because of what happened in company
	apart   bool // … and nothing is tried beside it, because the files were not whole
	late    int  // how often it has run dry: it is tried once more, with more steps
	early   bool // it looked good, and is tried in the user's own way while others of its batch were under way

	took time.Duration // when it was last tried, with those beside it: one that has run dry is alone
}

// batch is the most candidates that a process is given at a time; firstBatch what it is given first, so that the first trials are there soon.
const (
	batch      = 32
	firstBatch = 4
)

// slack is what a process may take on top of what its tests take.
const slack = 2 * time.Second

// pipeline pulls candidates, tries them in warm processes, and those that look good in the user's own way.
type pipeline struct {
	suite  *Suite
	items  chan *item             // that are to be tried
	again  queue                  // that are to be tried once more
	more   chan struct{}          // told when there is more to be tried than what is pulled
	good   chan *item             // that look good
	late   runner.Backlogs[*item] // that have run dry: once, and twice
	trials chan verdict.Trial
	wg     sync.WaitGroup

	mu    sync.Mutex
	err   error
	twins map[string]*twin // by what their texts come to
	open  int              // candidates that have no trial yet, and one until all are pulled
	empty chan struct{}    // closed when there is none
}

// twin is a candidate that others are the same as.
type twin struct {
	trial   *verdict.Trial
	waiting []*item
}

// TryAll implements [runner.Suite].
func (s *Suite) TryAll(ctx context.Context, candidates iter.Seq[edit.Patch]) iter.Seq2[verdict.Trial, error] {
	return func(yield func(verdict.Trial, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		err := s.guard.Watch(ctx, s.job.Place)
		if err == nil {
			err = s.prepare(ctx)
		}
		if err == nil {
			err = s.guard.Learn(ctx)
		}
		if err != nil {
			yield(verdict.Trial{}, err)
			return
		}
		p := s.pipeline(ctx, cancel, candidates)
		defer p.wg.Wait()
		defer cancel()
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

func (s *Suite) pipeline(ctx context.Context, cancel context.CancelFunc, seq iter.Seq[edit.Patch]) *pipeline {
	workers := runtime.GOMAXPROCS(0)
	p := &pipeline{
		suite: s, items: make(chan *item, 2*batch*workers), more: make(chan struct{}, workers), good: make(chan *item, batch),
		trials: make(chan verdict.Trial, batch), late: late(s.base.limit), twins: map[string]*twin{}, open: 1, empty: make(chan struct{}),
	}
	var pulling, trying, checking sync.WaitGroup
	pulling.Go(func() {
		p.pull(ctx, seq)
		p.count(-1)
	})
	stop := func(err error) {
		if err != nil {
			p.fail(err)
			cancel()
		}
	}
	for range workers {
		if s.Slow() != "" {
			checking.Go(func() { stop(p.check(ctx, p.items, false)) })
			continue
		}
		trying.Go(func() { stop(p.work(ctx)) })
		checking.Go(func() { stop(p.check(ctx, p.good, true)) })
	}
	p.wg.Go(func() {
		pulling.Wait()
		select {
		case <-p.empty: // every candidate has its trial
		case <-ctx.Done():
		}
		close(p.items)
		trying.Wait()
		close(p.good)
		checking.Wait()
		close(p.trials)
	})
	return p
}

// count takes note of candidates that are under way.
func (p *pipeline) count(by int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.open += by; p.open == 0 {
		close(p.empty)
	}
}

func (p *pipeline) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err == nil && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
		p.err = err
	}
}

func (p *pipeline) failure() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// pull takes candidates from the sequence and prepares them.
func (p *pipeline) pull(ctx context.Context, seq iter.Seq[edit.Patch]) {
	i := -1
	for patch := range seq {
		i++
		if ctx.Err() != nil {
			return
		}
		it := &item{index: i, patch: patch}
		p.count(1)
		if err := p.ready(ctx, it); err != nil {
			p.end(ctx, it, verdict.Trial{Note: err.Error()})
			continue
		}
		if p.same(ctx, it) {
			continue
		}
		select {
		case p.items <- it:
		case <-ctx.Done():
			return
		}
	}
}

// ready prepares what a process is told of a candidate. An error says why it cannot be tried.
func (p *pipeline) ready(ctx context.Context, it *item) error {
	var key strings.Builder
	for _, c := range it.patch {
		if c.Op != edit.Modify || !p.suite.Owns(c.Path) {
			return fmt.Errorf("%s: only changes to sources that these tests run are tried", c.Path)
		}
		change, text, err := p.suite.sources.change(ctx, c)
		if err != nil {
			return err
		}
		it.changes = append(it.changes, change)
		key.WriteString(c.Path + "\x00" + squeezed(text) + "\x00")
	}
	it.key = key.String()
	return nil
}

// same reports whether the candidate comes to the same as an earlier one, whose trial is then its own.
func (p *pipeline) same(ctx context.Context, it *item) bool {
	p.mu.Lock()
	first, known := p.twins[it.key]
	if !known {
		p.twins[it.key] = &twin{}
	}
	known = known && it.key != ""
	var trial *verdict.Trial
	if known {
		if trial = first.trial; trial == nil {
			first.waiting = append(first.waiting, it)
		}
	}
	p.mu.Unlock()
	if trial != nil {
		p.emit(ctx, it, *trial)
	}
	return known
}

// end gives a candidate its trial, and those that are the same.
func (p *pipeline) end(ctx context.Context, it *item, t verdict.Trial) {
	if t.Plausible {
		p.late.Pass()
	}
	var waiting []*item
	if it.key != "" {
		p.mu.Lock()
		if tw := p.twins[it.key]; tw != nil {
			tw.trial = &t
			waiting, tw.waiting = tw.waiting, nil
		}
		p.mu.Unlock()
	}
	p.emit(ctx, it, t)
	for _, w := range waiting {
		p.emit(ctx, w, t)
	}
}

func (p *pipeline) emit(ctx context.Context, it *item, t verdict.Trial) {
	t.Index, t.Patch = it.index, it.patch
	t.Healed, t.Broken = slices.Clone(t.Healed), slices.Clone(t.Broken)
	select {
	case p.trials <- t:
		p.count(-1)
	case <-ctx.Done():
	}
}

// check tries candidates in the user's own way.
func (p *pipeline) check(ctx context.Context, items <-chan *item, seen bool) error {
	for it := range items {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var t verdict.Trial
		err := p.suite.guard.Sure(ctx, func() (err error) {
			t, err = p.suite.plain(ctx, it, seen)
			return err
		})
		var untried *untriedError
		if errors.As(err, &untried) {
			t, err = verdict.Trial{Note: err.Error()}, nil
		}
		if err != nil {
			return err
		}
		p.end(ctx, it, t)
	}
	return nil
}
