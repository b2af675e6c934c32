package searchgo

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"go/format"
	"iter"
	"math"
	"slices"
	"sync"
	"time"

	"fettle/internal/edit"
	"fettle/internal/fix"
)

// hit is a proposal that passed.
type hit struct {
	proposal
	healed int // failing tests that pass with it
}

// found is what came of the trials.
type found struct {
	whole   []hit // every failing test passes, nothing broke
	part    []hit // some failing test passes, nothing broke
	all     bool  // every candidate worth trying was tried
	tried   int
	elapsed time.Duration
}

// feed hands proposals to the oracle, which pulls them from a goroutine of its own.
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

// try tries candidates until the budget is used up, or for a while after the first one that passes.
func (h *hunt) try(ctx context.Context, all []*siteAt) (found, error) {
	began := time.Now()
	inner, cancel := context.WithTimeout(ctx, h.opts.Time)
	defer cancel()
	var out found
	f := &feed{}
	gathering := func() {}
	for trial, err := range h.tryAll()(inner, f.patches(inner, propose(all), h.opts.MaxCandidates)) {
		if err != nil {
			if inner.Err() != nil && ctx.Err() == nil && (errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)) {
				break // our own time is over
			}
			return out, err
		}
		out.tried++
		p := f.take(trial.Index)
		switch {
		case trial.Plausible:
			out.whole = append(out.whole, hit{p, len(trial.Healed)})
			f.raise(p.score * h.opts.Rivals)
			if len(out.whole) == 1 {
				// On a slow machine the rivals take as much longer as the first one did: it is no reason to be less sure.
				t := time.AfterFunc(max(h.opts.Gather, 2*time.Since(began)), cancel)
				gathering = func() { t.Stop() }
			}
		case len(trial.Healed) > 0 && len(trial.Broken) == 0 && trial.Built:
			out.part = append(out.part, hit{p, len(trial.Healed)})
		}
		if len(out.whole) > 0 && f.done() {
			break
		}
	}
	gathering()
	out.all = f.done()
	out.elapsed = time.Since(began)
	return out, ctx.Err()
}

// weak is what confidence is worth when one failing test is all there is: no passing test runs the changed line, so nothing
// else holds its behaviour in place.
const weak = 0.8

// alone is the part of a template's doubt that remains when every candidate worth trying was tried and only one passed. On
// the Go rows of the development corpus, 36 patches stood alone; 28 of them equal the reference to the letter, and most of the
// others by meaning, whatever their template.
const alone = 0.6

// early is what confidence is worth when time was over before every candidate worth trying was tried: rivals may be among
// the rest.
const early = 0.75

// partly is what it is worth when only some of the failing tests pass.
const partly = 0.6

// candidates orders what was found, best first, and says how sure it is. Patches that heal everything rule out those that
// heal a part.
func (h *hunt) candidates(f found) []fix.Candidate {
	hits, factor := f.whole, 1.0
	if len(hits) == 0 {
		hits, factor = f.part, partly
	}
	slices.SortStableFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.healed, a.healed), cmp.Compare(b.score, a.score), cmp.Compare(a.size, b.size))
	})
	seen := map[string]bool{}
	hits = slices.DeleteFunc(hits, func(x hit) bool {
		m := x.meaning()
		again := seen[m]
		seen[m] = true
		return again
	})
	var out []fix.Candidate
	for i, x := range hits[:min(len(hits), h.opts.Shown)] {
		rivals := 0.0
		for j, other := range hits {
			if j != i && other.healed == x.healed {
				rivals += other.score
			}
		}
		c := certainty(x, rivals, f.all) * factor
		out = append(out, fix.Candidate{
			Patch: tidy(x.proposal), Author: "search", Explanation: sentence(x.proposal), Alternatives: len(hits) - 1,
			Confidence: math.Round(c*100) / 100,
		})
	}
	return out
}

// certainty is how likely a plausible patch is the right one: the template's record, shared with the rivals that pass as
// well. Standing alone counts for something only after all the others were tried.
func certainty(x hit, rivals float64, all bool) float64 {
	c := x.template.precision
	switch {
	case rivals > 0:
		c *= x.score / (x.score + rivals/2)
	case all:
		c = 1 - (1-c)*alone
	}
	if !all {
		c *= early
	}
	if x.passing == 0 && x.healed <= 1 {
		c *= weak
	}
	return c
}

// tidy lays a patch out as gofmt does, if the file was so before.
func tidy(p proposal) edit.Patch {
	c := p.patch[0]
	was := p.site.src.data
	if clean, err := format.Source(was); err != nil || !bytes.Equal(clean, was) {
		return p.patch
	}
	after, err := c.Apply(edit.File{Data: was, Exists: true})
	if err != nil {
		return p.patch
	}
	is, err := format.Source(after.Data)
	if err != nil {
		return p.patch
	}
	start, end := 0, 0
	for start < len(was) && start < len(is) && was[start] == is[start] {
		start++
	}
	for end < len(was)-start && end < len(is)-start && was[len(was)-1-end] == is[len(is)-1-end] {
		end++
	}
	c.Edits = []edit.Edit{{Start: start, End: len(was) - end, New: bytes.Clone(is[start : len(is)-end])}}
	return edit.Patch{c}
}

// sentence is the explanation: where, and what was wrong.
func sentence(p proposal) string {
	in := "In " + p.site.src.path
	if p.site.fn != nil {
		in = "In " + p.site.fn.Name.Name
	}
	return in + ", " + p.why + "."
}
