package node

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"fettle/internal/runner"
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
	var held []round
	done, most := 0, firstBatch
	stop := func() {
		if w != nil {
			w.close()
			w = nil
		}
	}
	defer stop()
	for {
		lot, ok := p.take(ctx, most)
		if len(held) > 0 && (!ok || p.suite.guard.Due()) {
			whole, err := p.settle(ctx, held)
			if err != nil {
				return err
			}
			if held = nil; !whole {
				stop()
			}
		}
		if !ok {
			lot = p.gather(ctx, most)
		}
		items := lot.Candidates
		if len(items) == 0 {
			return ctx.Err()
		}
		most = min(2*most, batch)
		if done += len(items); done > renewal {
			stop()
		}
		if w == nil {
			err := p.suite.guard.Sure(ctx, func() (err error) {
				w, err = p.suite.warm(ctx)
				return err
			})
			if err != nil {
				return err
			}
			done = len(items)
		}
		r, keep, err := p.round(ctx, w, items)
		lot.End()
		if err != nil {
			return err
		}
		if r.parts != nil {
			held = append(held, r)
		}
		if !keep {
			stop()
		}
	}
}

// gather waits for what is to be tried next, so many at most. None means the end.
func (p *pipeline) gather(ctx context.Context, most int) runner.Lot[*item] {
	for {
		if lot, ok := p.take(ctx, most); ok {
			return lot
		}
		select {
		case <-p.more:
		case it, ok := <-p.items:
			if !ok {
				return lotOf()
			}
			return p.fill(it, most)
		case <-ctx.Done():
			return lotOf()
		}
	}
}

// take is what is there to be tried next; not ok when nothing is.
func (p *pipeline) take(ctx context.Context, most int) (lot runner.Lot[*item], ok bool) {
	if lot, ok = p.late.InTurn(); ok {
		return lot, true
	}
	if it := p.again.take(); it != nil {
		return lotOf(it), true
	}
	select {
	case it, ok := <-p.items:
		if !ok {
			return lotOf(), true
		}
		return p.fill(it, most), true
	default:
	}
	for lot, ok = p.late.Next(); ok && lot.Dropped; lot, ok = p.late.Next() {
		for _, it := range lot.Candidates {
			p.end(ctx, it, verdict.Trial{Built: true, Note: bounds["fuel"]})
		}
	}
	return lot, ok
}

// fill adds those that are there to one that is to be tried, unless that is to be alone.
func (p *pipeline) fill(it *item, most int) runner.Lot[*item] {
	all := []*item{it}
	for len(all) < most && !it.single {
		select {
		case next, ok := <-p.items:
			if !ok {
				return lotOf(all...)
			}
			all = append(all, next)
		default:
			return lotOf(all...)
		}
	}
	return lotOf(all...)
}

// lotOf are candidates that are tried at once, and take no part of the time of others.
func lotOf(items ...*item) runner.Lot[*item] {
	return runner.Lot[*item]{Candidates: items, End: func() {}}
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

// request asks for candidates to be tried, and tells how long each may take. One that has run dry is alone, and gets more.
func (p *pipeline) request(items []*item) (r request, limit time.Duration) {
	b := &p.suite.base
	r = request{Do: "try", All: make([][]change, len(items)), Fuel: b.first, MS: b.limit.Milliseconds() + slowSteps}
	for i, it := range items {
		r.All[i] = it.changes
	}
	limit = b.limit + slack
	late := items[0].late
	if late > 0 {
		r.Fuel = b.plan.Fuel
	}
	if late > 1 {
		r.Fuel, r.MS, limit = min(r.Fuel*lateFactor, maxFuel), r.MS*lateTime, limit*lateTime
	}
	return r, limit
}

// round is candidates that a process has tried. What came of them counts once it is known that the files were whole meanwhile.
type round struct {
	items   []*item
	parts   []tried
	each    time.Duration
	span    runner.Span
	changes bool // it is one, tried alone, that has changed files
}

// round has a process try candidates, and gives out what is to be settled. The bool is false when the process has to be replaced.
func (p *pipeline) round(ctx context.Context, w *worker, items []*item) (done round, keep bool, err error) {
	g := &p.suite.guard
	r, limit := p.request(items)
	began := time.Now()
	var said answer
	call := func() {
		w.each = func(i int, a tried) { p.early(items[i], a) }
		said, err = w.call(ctx, r, limit)
		w.each = nil
	}
	whole := true
	if items[0].apart {
		var failure error
		if whole, failure = g.Alone(ctx, func() error { call(); return nil }); failure != nil {
			return done, false, failure
		}
	} else {
		done.span = g.Begin()
		call()
		g.End(&done.span)
	}
	done.items, done.each, done.changes = items, time.Since(began)/time.Duration(len(items)), !whole
	items[0].took = time.Since(began)
	switch {
	case ctx.Err() != nil:
		return done, false, ctx.Err()
	case err != nil && !errors.Is(err, errHung) && !errors.Is(err, errDied):
		return done, false, err
	case err == nil && said.Unfit == "" && (!said.Spoiled || len(items) == 1):
		done.parts = w.parts
		return done, whole && !said.Spoiled, nil
	}
	if !items[0].apart {
		if whole, err := g.Whole(ctx, done.span); err != nil || !whole {
			p.apart(items)
			return done, false, err
		}
	}
	p.broken(ctx, w, items, limit, done.each, err, said)
	return done, false, nil
}

// settle gives verdicts on candidates that were tried. Those that were tried while files were changed are tried again, with nothing beside them; the bool is
// false where there are any.
func (p *pipeline) settle(ctx context.Context, held []round) (whole bool, err error) {
	whole = true
	for _, r := range held {
		ok := true
		if !r.items[0].apart {
			if ok, err = p.suite.guard.Whole(ctx, r.span); err != nil {
				return false, err
			}
		}
		if !ok {
			whole = false
			p.apart(r.items)
			continue
		}
		for i, it := range r.items {
			if !it.early {
				p.judge(ctx, it, r.parts[i], r.each, r.changes)
			}
		}
	}
	return whole, nil
}

// apart has candidates tried again with nothing beside them.
func (p *pipeline) apart(items []*item) {
	p.suite.sources.forget()
	for _, it := range items {
		it.apart = true
	}
	p.repeat(items, true)
}

// broken sees to candidates over which a process has ended, or did not come to the end of them.
func (p *pipeline) broken(ctx context.Context, w *worker, items []*item, limit, each time.Duration, err error, said answer) {
	switch {
	case errors.Is(err, errHung) && len(w.parts) < len(items):
		// The others are tried again: nobody has looked whether one of them left something behind.
		hung := items[len(w.parts)]
		p.end(ctx, hung, verdict.Trial{Built: true, Duration: limit, Note: runner.NoteTime})
		p.repeat(slices.DeleteFunc(items, func(it *item) bool { return it == hung }), false)
		return
	case len(items) > 1:
		p.repeat(items, true) // one of them is to blame
		return
	}
	if items[0].early {
		return
	}
	t := verdict.Trial{Built: true, Duration: each, Note: "the process that ran the tests ended: out of memory, or ended by the candidate"}
	if err == nil {
		t.Note = "the tests cannot be run with it: " + firstLine(said.Unfit)
	}
	p.end(ctx, items[0], t)
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
		p.wake()
	}
}

// queue is candidates that were taken up, and are to be tried once more. Who puts them there may be the only one to take them: there is
// always room.
type queue struct {
	mu      sync.Mutex
	waiting []*item
}

func (q *queue) put(it *item) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = append(q.waiting, it)
}

// take is the next; nil when there is none.
func (q *queue) take() *item {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 {
		return nil
	}
	it := q.waiting[0]
	q.waiting = q.waiting[1:]
	return it
}

// wake tells a worker that waits that there is more to be tried.
func (p *pipeline) wake() {
	select {
	case p.more <- struct{}{}:
	default: // each of them is told already
	}
}

// bounds are what candidates can come up against, for people.
var bounds = map[string]string{
	"fuel":      runner.NoteFuel,
	"output":    runner.NoteOutput,
	"exit":      "it ends the process",
	"processes": "it starts processes without end",
	"unfit":     "the tests need what cannot be run here",
}

// judge says of a candidate what a warm process has seen. What looks good is only believed of the user's own run.
func (p *pipeline) judge(ctx context.Context, it *item, a tried, took time.Duration, changes bool) {
	t, good := p.suite.base.trial(a, took)
	switch {
	case good:
		select {
		case p.good <- it:
		case <-ctx.Done():
		}
	case a.Unbuilt == "" && a.Bound == "fuel" && p.putOff(it):
	case changes:
		t.Note = runner.NoteFiles
		p.end(ctx, it, t)
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
		t.Note = runner.StillFails(still)
	case len(t.Broken) > 0:
		t.Note = runner.Breaks(t.Broken[0])
	case a.Odd:
		t.Note = "a file with tests does not load any more"
	default:
		return t, true
	}
	return t, false
}
