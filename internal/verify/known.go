package verify

import (
	"context"
	"errors"

	"fettle/internal/check"
	"fettle/internal/check/parse"
	"fettle/internal/diag"
	"fettle/internal/edit"
)

// Known is what has been measured about one baseline.
type Known struct {
	Digest  edit.Hash               `json:"digest"`            // of the tree it was measured on
	Online  map[string]check.Result `json:"online,omitempty"`  // the user's own checks, by name
	Offline map[string]check.Result `json:"offline,omitempty"` // the same where candidates run; measured only when they seem to differ
	Narrow  map[string]check.Result `json:"narrow,omitempty"`  // checks narrowed to the tests of a goal
	Flaky   map[string]bool         `json:"flaky,omitempty"`   // tests that gave both answers on this very content
	Seen    map[string]bool         `json:"seen,omitempty"`    // "check\x00file": a fault planted there turned the check red

	FromMemory bool `json:"from_memory,omitempty"` // a result was recalled
	NoMemory   bool `json:"no_memory,omitempty"`   // none may be
}

// NewKnown is a baseline of which nothing is known yet.
func NewKnown(digest edit.Hash) *Known {
	k := &Known{Digest: digest}
	k.init()
	return k
}

// init makes the maps that are missing, as they are after reading a Known in which they were empty.
func (k *Known) init() {
	for _, m := range []*map[string]check.Result{&k.Online, &k.Offline, &k.Narrow} {
		if *m == nil {
			*m = map[string]check.Result{}
		}
	}
	for _, m := range []*map[string]bool{&k.Flaky, &k.Seen} {
		if *m == nil {
			*m = map[string]bool{}
		}
	}
}

// Baseline runs those of the checks whose results on the present tree are not known yet, in an online copy, and adds
// their results to k. Nothing is written to the user's tree, whatever the checks do.
func (l *Lab) Baseline(ctx context.Context, k *Known, checks []check.Check) error {
	k.init()
	return l.fill(ctx, k, k.Online, checks, true)
}

// Narrowed is Baseline for checks that were narrowed to some tests: they share their names with the whole checks, so their
// results are kept apart.
func (l *Lab) Narrowed(ctx context.Context, k *Known, checks []check.Check) error {
	k.init()
	return l.fill(ctx, k, k.Narrow, checks, true)
}

// Fresh runs all of the checks on the tree as it is now, whatever is remembered: it is what is known of that tree.
func (l *Lab) Fresh(ctx context.Context, checks []check.Check) (*Known, error) {
	// Reading the tree for its digest goes on beside the checks. A change in between shows when the tree is read next.
	type read struct {
		digest edit.Hash
		err    error
	}
	digest := make(chan read, 1)
	go func() {
		d, err := l.Digest(ctx)
		digest <- read{d, err}
	}()
	place, release, err := l.Borrow(ctx, true)
	if err != nil {
		<-digest
		return nil, err
	}
	defer release()
	results, err := l.RunIn(ctx, place, checks)
	d := <-digest
	if err = errors.Join(err, d.err); err != nil {
		return nil, err
	}
	k := NewKnown(d.digest)
	for _, r := range results {
		k.Online[r.Check] = r
	}
	return k, nil
}

// offline is the baseline of one check where candidates run: without the network.
func (l *Lab) offline(ctx context.Context, k *Known, c check.Check) (check.Result, error) {
	err := l.fill(ctx, k, k.Offline, []check.Check{c}, false)
	return k.Offline[c.Name], err
}

func (l *Lab) fill(ctx context.Context, k *Known, into map[string]check.Result, checks []check.Check, online bool) error {
	var todo []check.Check
	for _, c := range checks {
		if _, ok := into[c.Name]; ok {
			continue
		}
		if r, ok := l.Memory.get(ctx, l.key(k.Digest, c, online)); ok && !k.NoMemory {
			into[c.Name] = r
			k.FromMemory = true
			continue
		}
		todo = append(todo, c)
	}
	if len(todo) == 0 {
		return nil
	}
	place, release, err := l.Borrow(ctx, online)
	if err != nil {
		return err
	}
	defer release()
	results, err := l.RunIn(ctx, place, todo)
	if err != nil {
		return err
	}
	for _, r := range results {
		into[r.Check] = r
	}
	// A result may be remembered only under the content that it is about: somebody may have edited a file meanwhile.
	if now, err := l.Digest(ctx); err != nil || now != k.Digest {
		return err
	}
	for i, r := range results {
		l.Memory.put(ctx, l.key(k.Digest, todo[i], online), r)
	}
	return nil
}

// Afresh makes a baseline of which everything is measured for real, and returns it.
func (k *Known) Afresh() *Known {
	k.NoMemory = true
	return k
}

// Recalled reports whether any result of k comes from memory.
func (k *Known) Recalled() bool { return k.FromMemory }

// Reproduce runs the failing tests among ds alone on the unpatched baseline where candidates run, and sorts them: those
// that fail there too can be healed and proven; those that pass are flaky, or depend on other tests or on the network. Findings that are
// not about tests are stable by nature.
func (l *Lab) Reproduce(ctx context.Context, k *Known, ds []diag.Diagnostic) (stable, unstable []diag.Diagnostic, err error) {
	byCheck := map[string][]diag.Diagnostic{}
	for _, d := range ds {
		if d.Test == "" {
			stable = append(stable, d)
			continue
		}
		byCheck[d.Check] = append(byCheck[d.Check], d)
	}
	for _, c := range l.Checks {
		failing := byCheck[c.Name]
		narrow, ok := c.Narrow(check.Tests(ids(failing)...))
		if len(failing) == 0 || !ok {
			stable = append(stable, failing...)
			continue
		}
		passed := map[string]bool{}
		for range 2 {
			r, err := l.alone(ctx, narrow)
			if err != nil {
				return nil, nil, err
			}
			for _, d := range failing {
				passed[d.Test] = passed[d.Test] || r.Tests[d.Test] == parse.Pass
			}
		}
		for _, d := range failing {
			if passed[d.Test] {
				k.Flaky[d.Test] = true
				unstable = append(unstable, d)
				continue
			}
			stable = append(stable, d)
		}
	}
	return stable, unstable, nil
}

// alone runs one check on the unpatched baseline, in a candidate's copy of its own.
func (l *Lab) alone(ctx context.Context, c check.Check) (check.Result, error) {
	place, release, err := l.Borrow(ctx, false)
	if err != nil {
		return check.Result{}, err
	}
	defer release()
	return l.one(ctx, place, c)
}

// RunIn runs checks in a place, telling about them, without remembering what they said.
func (l *Lab) RunIn(ctx context.Context, place check.Place, checks []check.Check) ([]check.Result, error) {
	results, err := check.Run(ctx, place, checks, l.Run)
	for i := range results {
		results[i] = l.redacted(results[i])
	}
	return results, err
}

// one runs one check in a place, without telling anybody.
func (l *Lab) one(ctx context.Context, place check.Place, c check.Check) (check.Result, error) {
	o := l.Run
	o.Events, o.Fresh = nil, true // a second run that is answered from a tool's cache is no second measurement
	rs, err := check.Run(ctx, place, []check.Check{c}, o)
	if err != nil {
		return check.Result{}, err
	}
	return l.redacted(rs[0]), nil
}

// Discreet is a text without the secrets in it: what fixers and hooks say is stored, shown and reported as well.
func (l *Lab) Discreet(text string) string {
	if l.Redact == nil {
		return text
	}
	return l.Redact(text)
}

// redacted is the result without the secrets that the check may have printed: results are stored, shown and reported.
func (l *Lab) redacted(r check.Result) check.Result {
	if l.Redact == nil {
		return r
	}
	r.Tail, r.Reason = l.Redact(r.Tail), l.Redact(r.Reason)
	for i := range r.Diagnostics {
		d := &r.Diagnostics[i]
		d.Message, d.Detail, d.Excerpt = l.Redact(d.Message), l.Redact(d.Detail), l.Redact(d.Excerpt)
	}
	return r
}

func ids(ds []diag.Diagnostic) []string {
	out := make([]string, 0, len(ds))
	for _, d := range ds {
		out = append(out, d.Test)
	}
	return out
}
