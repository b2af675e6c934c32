package search

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync"
	"time"

	"fettle/internal/edit"
)

// hit is a proposal that passed.
type hit struct {
	proposal
	healed []string // failing tests that pass with it
}

// found is what came of the trials.
type found struct {
	whole  []hit // every failing test passes, nothing broke
	part   []hit // some failing test passes, nothing broke
	all    bool  // every candidate worth trying was tried
	tried  int
	first  int           // trials until the first that heals everything; zero: none does
	until  time.Duration // from the beginning of the hunt to that one
	paired bool          // of two edits
}

// feed hands proposals to the suite, which pulls them from a goroutine of its own.
type feed struct {
	mu    sync.Mutex
	made  []proposal // in order of score
	tried []bool     // of those made
	ended bool       // nothing more is made
	floor float64    // proposals below it are not worth trying any more
}

func (f *feed) patches(ctx context.Context, all iter.Seq[proposal], limit int) iter.Seq[edit.Patch] {
	return func(yield func(edit.Patch) bool) {
		for p := range all {
			f.mu.Lock()
			enough := len(f.made) >= limit || p.score < f.floor
			if !enough {
				f.made = append(f.made, p)
				f.tried = append(f.tried, false)
			}
			f.mu.Unlock()
			if enough || ctx.Err() != nil || !yield(p.patch) {
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
	for i, p := range f.made {
		if p.score < f.floor {
			return true
		}
		if !f.tried[i] {
			return false
		}
	}
	return f.ended
}

func (f *feed) raise(floor float64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.floor = max(f.floor, floor)
}

// try tries candidates until the budget is used up, or for a while after the first one that passes. Where none passes but some heal a
// part, pairs of edits come next.
func (h *hunt) try(ctx context.Context, all []*site) (found, error) {
	inner, cancel := context.WithTimeout(ctx, h.opts.Time)
	defer cancel()
	out, err := h.trials(ctx, inner, propose(all), h.opts.MaxCandidates)
	if err == nil && len(out.whole) == 0 && len(out.part) > 0 && inner.Err() == nil {
		var second found
		if second, err = h.trials(ctx, inner, pairs(out.part, all), h.opts.MaxCandidates); err == nil {
			out.whole, out.all, out.paired = second.whole, second.all, len(second.whole) > 0
			if second.first > 0 {
				out.first, out.until = out.tried+second.first, second.until
			}
			out.tried += second.tried
		}
	}
	return out, err
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
		out.tried++
		h.opts.seen(trial)
		p := f.take(trial.Index)
		switch {
		case trial.Plausible:
			out.whole = append(out.whole, hit{p, trial.Healed})
			f.raise(p.score * h.opts.Rivals)
			if len(out.whole) == 1 {
				out.first, out.until = trial.Index+1, time.Since(h.began)
				t := time.AfterFunc(h.opts.GatherTime, cancel)
				gathering = func() { t.Stop() }
				last = out.tried + h.opts.Gather
			}
		case len(trial.Healed) > 0 && len(trial.Broken) == 0 && trial.Built:
			out.part = append(out.part, hit{p, trial.Healed})
		}
		if len(out.whole) > 0 && (f.done() || out.tried >= last) {
			break
		}
	}
	out.all = f.done()
	return out, ctx.Err()
}

// Bounds of the second order.
const (
	mostParts  = 40   // candidates that heal a part, the best first
	mostSingle = 1500 // edits that each of them is joined with
)

// pairs joins candidates that heal a part with one another, and then with every other edit, best first. They are two edits that were both
// needed: what healed a part is right by half.
func pairs(parts []hit, all []*site) iter.Seq[proposal] {
	parts = slices.Clone(parts)
	slices.SortStableFunc(parts, func(a, b hit) int {
		if len(a.healed) != len(b.healed) {
			return len(b.healed) - len(a.healed)
		}
		return compareScore(a.proposal, b.proposal)
	})
	parts = distinctParts(parts)
	parts = parts[:min(len(parts), mostParts)]
	return func(yield func(proposal) bool) {
		seen := map[string]bool{}
		emit := func(a, b *proposal) bool {
			p, ok := joined(a, b)
			if !ok || seen[p.patchKey()] {
				return true
			}
			seen[p.patchKey()] = true
			return yield(p)
		}
		for i := range parts {
			for j := i + 1; j < len(parts); j++ {
				if !emit(&parts[i].proposal, &parts[j].proposal) {
					return
				}
			}
		}
		var singles []proposal
		for p := range propose(all) {
			if singles = append(singles, p); len(singles) == mostSingle {
				break
			}
		}
		for k := range singles {
			for i := range parts[:min(len(parts), 8)] {
				if !emit(&parts[i].proposal, &singles[k]) {
					return
				}
			}
		}
	}
}

// distinctParts keeps the best of those that heal the same tests at the same place.
func distinctParts(parts []hit) []hit {
	type at struct {
		path  string
		start int
		heals int
	}
	count := map[at]int{}
	return slices.DeleteFunc(parts, func(p hit) bool {
		k := at{p.patch[0].Path, p.edits[0].Start, len(p.healed)}
		count[k]++
		return count[k] > 3
	})
}

func compareScore(a, b proposal) int {
	switch {
	case a.score > b.score:
		return -1
	case a.score < b.score:
		return 1
	}
	return 0
}

func (p *proposal) patchKey() string {
	var b []byte
	for _, c := range p.patch {
		b = append(b, c.Path...)
		for _, e := range c.Edits {
			b = append(b, 0, byte(e.Start), byte(e.Start>>8), byte(e.Start>>16), byte(e.End), byte(e.End>>8), byte(e.End>>16))
			b = append(b, e.New...)
		}
	}
	return string(b)
}

// joined is the patch of both, unless they touch one another.
func joined(a, b *proposal) (proposal, bool) {
	out := *a
	out.second = b
	out.score = a.score * b.score
	out.size = a.size + b.size
	if a.patch[0].Path != b.patch[0].Path {
		out.patch = edit.Patch{a.patch[0], b.patch[0]}
		return out, true
	}
	edits := append(slices.Clone(a.edits), b.edits...)
	slices.SortFunc(edits, func(x, y edit.Edit) int { return x.Start - y.Start })
	for i := 1; i < len(edits); i++ {
		if edits[i].Start < edits[i-1].End || edits[i].Start == edits[i-1].Start {
			return out, false
		}
	}
	c := a.patch[0]
	c.Edits = edits
	out.edits = edits
	out.patch = edit.Patch{c}
	return out, true
}
