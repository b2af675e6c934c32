package node

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"fettle/internal/verdict"
)

// request asks a process to try candidates.
type request struct {
	Do   string     `json:"do"`
	All  [][]change `json:"all"`
	Fuel int64      `json:"fuel"` // of each
	MS   int64      `json:"ms"`   // of processor time for these steps, of each
}

// renewal is after how many candidates a process is replaced: what cannot be seen may have been left behind.
const renewal = 10_000

// work tries candidates in a warm process, and in another one when that is spent.
func (p *pipeline) work(ctx context.Context) error {
	var w *worker
	done, most := 0, firstBatch
	stop := func() {
		if w != nil {
			w.close()
			w = nil
		}
	}
	defer stop()
	for {
		items := p.gather(ctx, most)
		if len(items) == 0 {
			return ctx.Err()
		}
		most = min(2*most, batch)
		if done += len(items); done > renewal {
			stop()
		}
		if w == nil {
			var err error
			if w, err = p.suite.warm(ctx); err != nil {
				return err
			}
			done = len(items)
		}
		keep, err := p.round(ctx, w, items)
		if err != nil {
			return err
		}
		if !keep {
			stop()
		}
	}
}

// gather takes what is there to be tried, so many at most. None means the end.
func (p *pipeline) gather(ctx context.Context, most int) []*item {
	if it := p.late.next(); it != nil {
		return []*item{it}
	}
	if it := p.again.take(); it != nil {
		return []*item{it}
	}
	var out []*item
	select {
	case it, ok := <-p.items:
		if !ok {
			return nil
		}
		out = append(out, it)
	default:
		for it, may := p.late.take(); it != nil; it, may = p.late.take() {
			if may {
				return []*item{it}
			}
			p.end(ctx, it, verdict.Trial{Built: true, Note: bounds["fuel"]})
		}
		out = p.wait(ctx)
	}
	for len(out) > 0 && len(out) < most && !out[0].single {
		select {
		case it, ok := <-p.items:
			if !ok {
				return out
			}
			out = append(out, it)
		default:
			return out
		}
	}
	return out
}

// wait takes the next that is to be tried. None means the end.
func (p *pipeline) wait(ctx context.Context) []*item {
	for {
		select {
		case <-p.again.more:
			if it := p.again.take(); it != nil {
				return []*item{it}
			}
		case it, ok := <-p.items:
			if !ok {
				return nil
			}
			return []*item{it}
		case <-ctx.Done():
			return nil
		}
	}
}

// warm is a process that knows the plan and has run the tests as the sources stand.
func (s *Suite) warm(ctx context.Context) (*worker, error) {
	w, err := s.start(ctx, s.sources, false)
	if err != nil {
		return nil, err
	}
	if _, err = w.call(ctx, s.base.plan, startTime); err == nil {
		var said answer
		if said, err = w.call(ctx, map[string]string{"do": "base"}, patience(s.job)); err == nil && said.Unfit != "" {
			err = errors.New(firstLine(said.Unfit))
		}
	}
	if err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

// round has a process try candidates. The bool is false when it has to be replaced.
func (p *pipeline) round(ctx context.Context, w *worker, items []*item) (bool, error) {
	r := request{Do: "try", All: make([][]change, len(items)), Fuel: p.suite.base.first, MS: p.suite.base.limit.Milliseconds() + slowSteps}
	for i, it := range items {
		r.All[i] = it.changes
	}
	limit := p.suite.base.limit + slack
	late := items[0].late // it is alone then, if it is
	if late > 0 {
		r.Fuel = p.suite.base.plan.Fuel
	}
	if late > 1 {
		r.Fuel, r.MS, limit = min(r.Fuel*lateFactor, maxFuel), r.MS*lateTime, limit*lateTime
	}
	began := time.Now()
	w.each = func(i int, a tried) { p.early(items[i], a) }
	said, err := w.call(ctx, r, limit)
	w.each = nil
	each := time.Since(began) / time.Duration(len(items))
	if late > 0 {
		p.late.spent(items[0], time.Since(began))
	}
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case err != nil && !errors.Is(err, errHung) && !errors.Is(err, errDied):
		return false, err
	case err == nil && said.Unfit == "" && (!said.Spoiled || len(items) == 1):
		for i, it := range items {
			if !it.early {
				p.judge(ctx, it, w.parts[i], each)
			}
		}
		return !said.Spoiled, nil
	case errors.Is(err, errHung) && len(w.parts) < len(items):
		// The others are tried again: nobody has looked whether one of them left something behind.
		hung := items[len(w.parts)]
		p.end(ctx, hung, verdict.Trial{Built: true, Duration: limit, Note: "the tests did not end in time"})
		p.repeat(slices.DeleteFunc(items, func(it *item) bool { return it == hung }), false)
		return false, nil
	case len(items) > 1:
		p.repeat(items, true) // one of them is to blame
		return false, nil
	}
	if items[0].early {
		return false, nil
	}
	t := verdict.Trial{Built: true, Duration: each, Note: "the process that ran the tests ended: out of memory, or ended by the candidate"}
	if err == nil {
		t.Note = "the tests cannot be run with it: " + firstLine(said.Unfit)
	}
	p.end(ctx, items[0], t)
	return false, nil
}

// early has a candidate that looks good tried in the user's own way while others of its batch are still under way: one of them may take
// seconds. Should one of them have left something behind, that run is none the worse for it.
func (p *pipeline) early(it *item, a tried) {
	if _, good := p.suite.base.trial(a, 0); !good {
		return
	}
	select {
	case p.good <- it:
		it.early = true
	default: // it has time until the batch is through
	}
}

// repeat has candidates tried once more, one at a time; each in a process that nothing has been left behind in, if they are to be alone.
func (p *pipeline) repeat(items []*item, alone bool) {
	for _, it := range items {
		if it.early {
			continue
		}
		it.single = it.single || alone
		p.again.put(it)
	}
}

// backlog are candidates that were taken up, and are to be tried once more. Who puts them there may be the only one to take them: there is
// always room.
type backlog struct {
	more chan struct{} // for those who wait; nil: nobody does

	mu    sync.Mutex
	queue []*item
}

func (b *backlog) put(it *item) {
	b.mu.Lock()
	b.queue = append(b.queue, it)
	b.mu.Unlock()
	select {
	case b.more <- struct{}{}:
	default:
	}
}

// take is the next; nil when there is none.
func (b *backlog) take() *item {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.queue) == 0 {
		return nil
	}
	it := b.queue[0]
	b.queue = b.queue[1:]
	return it
}

// first is the one that [backlog.take] would give; nil when there is none.
func (b *backlog) first() *item {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.queue) == 0 {
		return nil
	}
	return b.queue[0]
}

// bounds are what candidates can come up against, for people.
var bounds = map[string]string{
	"fuel":   "the tests did not end: a loop or a recursion goes on far longer than it did before",
	"output": "the tests print without end",
	"exit":   "it ends the process",
	"unfit":  "the tests need what cannot be run here",
}

// judge says of a candidate what a warm process has seen. What looks good is only believed of the user's own run.
func (p *pipeline) judge(ctx context.Context, it *item, a tried, took time.Duration) {
	t, good := p.suite.base.trial(a, took)
	switch {
	case good:
		select {
		case p.good <- it:
		case <-ctx.Done():
		}
	case a.Unbuilt == "" && a.Bound == "fuel" && p.late.put(it):
	default:
		p.end(ctx, it, t)
	}
}

// trial is what a warm process has seen of a candidate, and whether that looks good.
func (b *base) trial(a tried, took time.Duration) (t verdict.Trial, good bool) {
	t = verdict.Trial{Built: a.Unbuilt == "", Duration: took}
	if !t.Built {
		t.Note = "does not parse: " + a.Unbuilt
		return t, false
	}
	healed := map[string]bool{}
	for _, at := range a.Targets {
		healed[b.plan.Files[at[0]].Targets[at[1]]] = true
	}
	still := ""
	for _, id := range b.targets {
		if healed[id] {
			t.Healed = append(t.Healed, id)
		} else if still == "" {
			still = id
		}
	}
	if a.Passing != nil {
		passed := map[[2]int]bool{}
		for _, at := range *a.Passing {
			passed[at] = true
		}
		for i, f := range b.plan.Files {
			for n, id := range f.Passing {
				if !passed[[2]int{i, n}] {
					t.Broken = append(t.Broken, id)
				}
			}
		}
	}
	switch {
	case a.Bound != "":
		t.Note = bounds[a.Bound]
	case still != "":
		t.Note = still + " still fails"
	case len(t.Broken) > 0:
		t.Note = t.Broken[0] + " passed before and fails with it"
	case a.Odd:
		t.Note = "a file with tests does not load any more"
	default:
		return t, true
	}
	return t, false
}
