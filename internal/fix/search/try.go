package search

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync"
	"time"

	"fettle/internal/edit"
	"fettle/internal/fix"
)

// hit is a proposal that passed.
type hit struct {
	proposal
	healed    []string // failing tests that pass with it
	elsewhere bool     // the whole check was asked which
	against   int      // examples in the documentation that it answers otherwise
	idle      bool     // what it asks decides nothing in any test
	familiar  bool     // its words follow one another elsewhere in the file, too
}

// found is what came of the trials.
type found struct {
	whole  []hit // every failing test passes, nothing broke
	part   []hit // some failing test passes, nothing broke
	over   []hit // some failing test passes, and another one broke: the place is right, the edit is not
	all    bool  // every candidate worth trying was tried
	tried  int
	effort fix.Effort // until the first that heals everything
	vain   []string   // failing tests that nothing heals, where every single edit was tried
}

// feed hands proposals to the suite, which pulls them from a goroutine of its own.
type feed struct {
	mu    sync.Mutex
	made  []proposal // in order of rank
	tried []bool     // of those made
	known int        // how many of the first of them have been tried
	ended bool       // nothing more is made
	floor float64    // proposals below it are not worth trying any more, as they would rank unworn
	front float64    // the rank of the last one that came
	worn  int        // how worn a template was at most
}

func (f *feed) patches(ctx context.Context, all iter.Seq[proposal], limit int) iter.Seq[edit.Patch] {
	return func(yield func(edit.Patch) bool) {
		for p := range all {
			f.mu.Lock()
			f.front, f.worn = p.rank, max(f.worn, p.worn)
			enough, vain := len(f.made) >= limit || f.below(), p.unworn() < f.floor
			if !enough && !vain {
				f.made = append(f.made, p)
				f.tried = append(f.tried, false)
			}
			f.mu.Unlock()
			if enough || ctx.Err() != nil || !vain && !yield(p.patch) {
				break
			}
		}
		f.mu.Lock()
		f.ended = true
		f.mu.Unlock()
	}
}

// take is the proposal whose trial has come back.
func (f *feed) take(i int) proposal {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.tried[i] = true
	return f.made[i]
}

// done reports whether everything that is worth trying has been tried.
func (f *feed) done() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	for f.known < len(f.made) && (f.tried[f.known] || f.made[f.known].unworn() < f.floor) {
		f.known++
	}
	return f.known == len(f.made) && (f.ended || f.below())
}

// below reports whether all that is still to come is not worth trying: it ranks lower than the last one, also by the template that has worn most.
func (f *feed) below() bool { return f.front < f.floor*wear(f.worn) }

func (f *feed) raise(floor float64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.floor = max(f.floor, floor)
}

// darkShare is the part of the time that pairs get when nothing says that one of their edits helps.
const darkShare = 2

// try tries candidates until the budget is used up, or for a while after the first one that passes. Where none passes, pairs of edits come next, first
// those of which one heals a part, and then whatever can be put together of what is at hand; the other way round where nothing heals a part.
func (h *hunt) try(ctx context.Context) (found, error) {
	limit, cancel := context.WithTimeout(ctx, h.opts.Time)
	defer cancel()
	out, err := h.trials(ctx, limit, propose(h.sites), h.opts.MaxCandidates)
	if err != nil || len(out.whole) > 0 {
		return out, err
	}
	less, err := h.withoutOne(ctx)
	if err != nil {
		return out, err
	}
	if out.instead(less); len(out.whole) > 0 || limit.Err() != nil {
		return out, nil
	}
	alone, parts := out.all, slices.Clone(out.part)
	further := []func(ctx, limited context.Context, known found) (found, error){h.inPairs, h.atLast}
	if len(parts) == 0 { // nothing says where one of two edits would be
		slices.Reverse(further)
	}
	for _, try := range further {
		if limit.Err() != nil {
			break
		}
		more, err := try(ctx, limit, found{part: parts, over: out.over})
		if err != nil {
			return out, err
		}
		parts = append(parts, more.part...)
		if out.instead(more); len(out.whole) > 0 {
			break
		}
	}
	if alone && len(out.whole) == 0 {
		out.vain = unhealed(h.suite.Failing(), parts)
	}
	return out, nil
}

// unhealed are the tests that none of these heals.
func unhealed(tests []string, parts []hit) []string {
	return slices.DeleteFunc(slices.Clone(tests), func(id string) bool {
		return slices.ContainsFunc(parts, func(p hit) bool { return slices.Contains(p.healed, id) })
	})
}

// wideShare is the part of the time that at most is spent on what no idea calls for.
const wideShare = 2

// atLast tries what can be put together of what is at hand, first where something healed a test.
func (h *hunt) atLast(ctx, limited context.Context, known found) (found, error) {
	inner, cancel := context.WithTimeout(limited, h.opts.Time/wideShare)
	defer cancel()
	return h.trials(ctx, inner, widely(nearer(h.sites, slices.Concat(known.over, known.part))), h.opts.MaxCandidates)
}

// inPairs tries two edits at once, those first of which one heals a part.
func (h *hunt) inPairs(ctx, limited context.Context, known found) (found, error) {
	parts := known.part
	if len(parts) == 0 {
		var stop context.CancelFunc
		limited, stop = context.WithTimeout(limited, h.opts.Time/darkShare)
		defer stop()
	}
	return h.trials(ctx, limited, pairs(parts, h.sites), h.opts.MaxCandidates)
}

// instead takes what came of further trials, where those before healed nothing as a whole.
func (f *found) instead(more found) {
	if len(more.whole) > 0 {
		f.whole, f.all, f.effort = more.whole, more.all, more.effort
		f.effort.First += f.tried
	}
	f.tried += more.tried
}

func (h *hunt) trials(ctx, limited context.Context, all iter.Seq[proposal], limit int) (found, error) {
	inner, cancel := context.WithCancel(limited)
	defer cancel()
	var out found
	f := &feed{}
	last := limit // trials after which it is enough
	gathering := func() {}
	defer func() { gathering() }()
	for trial, err := range h.suite.TryAll(inner, f.patches(inner, all, limit)) {
		if err != nil {
			if inner.Err() != nil && ctx.Err() == nil && (errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)) {
				break // our own time is over
			}
			return out, err
		}
		h.onTrial()
		out.tried++
		h.opts.seen(trial)
		p := f.take(trial.Index)
		switch {
		case trial.Plausible:
			out.whole = append(out.whole, hit{proposal: p, healed: trial.Healed})
			f.raise(p.unworn() * h.opts.Rivals)
			if len(out.whole) == 1 {
				out.effort = h.passed(trial.Index+1, trial)
				t := time.AfterFunc(h.gatherTime(), cancel)
				gathering = func() { t.Stop() }
				last = out.tried + h.opts.Gather
			}
		case len(trial.Healed) == 0 || !trial.Built:
		case len(trial.Broken) == 0:
			out.part = append(out.part, hit{proposal: p, healed: trial.Healed})
		default:
			out.over = append(out.over, hit{proposal: p, healed: trial.Healed})
		}
		if len(out.whole) > 0 && (f.done() || out.tried >= last) {
			break
		}
	}
	out.all = f.done()
	out.whole = slices.DeleteFunc(out.whole, func(x hit) bool { return x.unworn() < f.floor }) // tried before it was known that nobody need look at them
	return out, ctx.Err()
}

// inShort is the part of the time for gathering that a suite gets which tries each candidate by a run of its own: a few dozen rivals are not worth
// a minute of a person's.
const inShort = 4

// gatherTime is how long rivals are looked for after the first that passes.
func (h *hunt) gatherTime() time.Duration {
	if h.suite.Slow() != "" {
		return h.opts.GatherTime / inShort
	}
	return h.opts.GatherTime
}
