package runner

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"fettle/internal/check"
)

// Keeper is a [check.Place] whose files can be looked after while candidates run in it.
type Keeper interface {
	check.Place
	// Learn takes it that what Restore would put back is what the tests do by themselves: it is left alone from now on.
	Learn(ctx context.Context) error
	// Restore puts back what has been removed, changed or made since it was called first, and tells what that was, by slash path.
	Restore(ctx context.Context) ([]string, error)
}

// Guard has every candidate judged among the project's own files, whatever the others do to these: where one of them has removed, changed or made any,
// they are put back, and all that was tried meanwhile is tried again, with nobody beside it in the end.
//
// Looking at all files after each candidate would cost more than the candidates. So a look is taken when it is due, which is when it costs a small part
// of the time since the last one; what came of candidates counts only after the first look behind them. Many may use a guard at once.
type Guard struct {
	place  Keeper       // nil: nobody can put its files back, and all that is tried counts
	beside sync.RWMutex // held while candidates are tried: for reading beside others, for writing by those that are tried alone

	looking sync.Mutex // one looks at a time

	mu         sync.Mutex
	begun, had int64   // how many looks were begun, and have come to their end
	bad        []int64 // those that found something, by their number
	part       int     // looks take one part of the time in so many: many at first, and where something was found lately
	due        time.Time
}

// lookPart is the part of the time that looks take in the long run: one in so many.
const lookPart = 20

// Watch has the guard look after a place, whose files are put back first if somebody has looked after them before. Without it, all that is tried counts.
func (g *Guard) Watch(ctx context.Context, place check.Place) error {
	g.place, _ = place.(Keeper)
	if g.place == nil {
		return nil
	}
	return g.mend(ctx)
}

// Learn is to be called when the tests have run as they stand: what they have changed is theirs.
func (g *Guard) Learn(ctx context.Context) error {
	if g.place == nil {
		return nil
	}
	g.looking.Lock()
	defer g.looking.Unlock()
	return g.place.Learn(ctx)
}

// Span is a stretch of time in which candidates were tried.
type Span struct{ from, to int64 } // looks that had ended when it began, and that were begun when it ended

// Begin begins a span in which candidates are tried beside others. It has to be ended.
func (g *Guard) Begin() Span {
	g.beside.RLock()
	return g.span()
}

// End ends a span.
func (g *Guard) End(s *Span) {
	g.close(s)
	g.beside.RUnlock()
}

func (g *Guard) span() Span {
	g.mu.Lock()
	defer g.mu.Unlock()
	return Span{from: g.had}
}

func (g *Guard) close(s *Span) {
	g.mu.Lock()
	defer g.mu.Unlock()
	s.to = g.begun
}

// Due reports whether it is time for a look.
func (g *Guard) Due() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return !time.Now().Before(g.due)
}

// Whole reports whether the files were whole all through a span that has been ended, and looks if nobody has looked since. An error is the context's.
func (g *Guard) Whole(ctx context.Context, s Span) (bool, error) {
	if g.place == nil {
		return true, nil
	}
	for g.looks() <= s.to {
		_ = g.look(ctx, s.to) // beside others: what cannot be put back now is seen by those that are alone
		if err := ctx.Err(); err != nil {
			return false, err
		}
	}
	return g.whole(s), nil
}

func (g *Guard) looks() int64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.had
}

// whole is Whole once there was a look behind the span: the first one tells.
func (g *Guard) whole(s Span) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, n := range g.bad {
		if n > s.from && n <= s.to+1 {
			return false
		}
	}
	return true
}

// look looks at the files and puts them back, unless somebody has done so after the look of this number.
func (g *Guard) look(ctx context.Context, after int64) error {
	g.looking.Lock()
	defer g.looking.Unlock()
	g.mu.Lock()
	if g.had > after {
		g.mu.Unlock()
		return nil
	}
	g.begun++
	n := g.begun
	g.mu.Unlock()
	began := time.Now()
	changed, err := g.place.Restore(ctx)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.had = n
	g.part = min(2*g.part+1, lookPart)
	if len(changed) > 0 || err != nil {
		g.bad = append(g.bad, n)
		g.part = 0
	}
	g.due = time.Now().Add(time.Duration(g.part) * time.Since(began))
	return err
}

// mend puts the files back until they are found whole. Nobody may run beside it, but for what has outlived its candidate.
func (g *Guard) mend(ctx context.Context) error {
	const attempts = 4
	var err error
	for range attempts {
		s := g.span()
		g.close(&s)
		if err = g.look(ctx, s.to); err == nil && g.whole(s) {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return errors.Join(errors.New("what candidates have changed in the private copy cannot be put back"), err)
}

// Alone runs something that tries candidates while nothing else does, among files that are whole, and reports whether they were so afterwards.
func (g *Guard) Alone(ctx context.Context, try func() error) (bool, error) {
	g.beside.Lock()
	defer g.beside.Unlock()
	if err := g.mend(ctx); err != nil {
		return false, err
	}
	s := g.span()
	err := try()
	g.close(&s)
	if err != nil {
		return false, err
	}
	return g.Whole(ctx, s)
}

// Sure runs something that tries one candidate: once more, and then alone, if the files were not whole meanwhile. What came of the last time counts.
func (g *Guard) Sure(ctx context.Context, try func() error) error {
	s := g.Begin()
	failure := try()
	g.End(&s)
	whole, err := g.Whole(ctx, s)
	if err != nil {
		return err
	}
	if whole {
		return failure
	}
	_, err = g.Alone(ctx, try)
	return err
}

// errSpoiled ends a run of candidates among files that are not whole.
var errSpoiled = errors.New("the files were changed")

// Guarded tries candidates in order, which run does: it hands on what comes of each, and ends with the error that it is given. What comes of them is
// told once it counts, with whether it was this candidate that changed files. Those of which run says nothing are not told. Who is told may try nothing
// before it comes back.
type Guarded[C comparable, R any] struct {
	Guard *Guard
	Run   func(ctx context.Context, some []C, each func(c C, r R) error) error
	Tell  func(c C, r R, changes bool) error
}

// result is what came of a candidate.
type result[C, R any] struct {
	c C
	r R
}

// Try tries candidates beside others.
func (t Guarded[C, R]) Try(ctx context.Context, all []C) error {
	for len(all) > 0 {
		held, rest, err := t.some(ctx, all)
		if !errors.Is(err, errSpoiled) {
			return err
		}
		doubtful := make([]C, 0, len(held)+1)
		for _, h := range held {
			doubtful = append(doubtful, h.c)
		}
		if len(rest) > 0 { // it was under way, perhaps
			doubtful = append(doubtful, rest[0])
			rest = rest[1:]
		}
		if err := t.sift(ctx, doubtful); err != nil {
			return err
		}
		all = rest
	}
	return nil
}

// some tries candidates until the files are found changed: then held are those that were tried meanwhile, and rest those of which nothing is known.
func (t Guarded[C, R]) some(ctx context.Context, all []C) (held []result[C, R], rest []C, err error) {
	g := t.Guard
	span := g.Begin()
	settle := func() error {
		whole, err := g.Whole(ctx, span)
		if err != nil {
			return err
		}
		if !whole {
			return errSpoiled
		}
		span.from = span.to + 1
		told := held
		held = nil
		for _, h := range told {
			if err := t.Tell(h.c, h.r, false); err != nil {
				return err
			}
		}
		return nil
	}
	known := map[C]bool{}
	err = t.Run(ctx, all, func(c C, r R) error {
		known[c] = true
		held = append(held, result[C, R]{c, r})
		if !g.Due() {
			return nil
		}
		g.close(&span)
		return settle()
	})
	g.End(&span)
	rest = slices.DeleteFunc(slices.Clone(all), func(c C) bool { return known[c] })
	if err == nil {
		err = settle()
		return held, rest, err
	}
	if whole, _ := g.Whole(ctx, span); !whole && ctx.Err() == nil {
		err = errSpoiled // whatever else was the matter
	}
	return held, rest, err
}

// sift tries doubtful candidates with nobody beside them, in halves until it is known which of them change files.
func (t Guarded[C, R]) sift(ctx context.Context, doubtful []C) error {
	if len(doubtful) == 0 {
		return nil
	}
	var got []result[C, R]
	whole, err := t.Guard.Alone(ctx, func() error {
		got = nil
		return t.Run(ctx, doubtful, func(c C, r R) error {
			got = append(got, result[C, R]{c, r})
			return nil
		})
	})
	if err != nil {
		return err
	}
	if half := len(doubtful) / 2; !whole && half > 0 {
		if err := t.sift(ctx, doubtful[:half]); err != nil {
			return err
		}
		return t.sift(ctx, doubtful[half:])
	}
	for _, g := range got {
		if err := t.Tell(g.c, g.r, !whole); err != nil {
			return err
		}
	}
	return nil
}
