package verify

import (
	"context"
	"maps"
	"slices"
	"time"

	"fettle/internal/check"
	"fettle/internal/check/parse"
	"fettle/internal/diag"
	"fettle/internal/edit"
)

// Known is what has been measured about one baseline.
type Known struct {
	Digest  edit.Hash               `json:"digest"`            // of the tree it was measured on
	Setup   edit.Hash               `json:"setup,omitempty"`   // of the files that configure the checks' tools
	Inputs  map[string]edit.Hash    `json:"inputs,omitempty"`  // of the files that concern a check, by its name; one that is missing depends on all files
	Online  map[string]check.Result `json:"online,omitempty"`  // the user's own checks, by name
	Offline map[string]check.Result `json:"offline,omitempty"` // the same where candidates run; measured only when they seem to differ
	Narrow  map[string]check.Result `json:"narrow,omitempty"`  // checks narrowed to the tests of a goal
	Flaky   map[string]bool         `json:"flaky,omitempty"`   // tests that gave both answers on this very content
	Seen    map[string]bool         `json:"seen,omitempty"`    // "check\x00file": a fault planted there turned the check red

	Recalled map[string]bool `json:"recalled,omitempty"` // those of Online that come from memory
	Carried  map[string]bool `json:"carried,omitempty"`  // those of Online that were measured earlier in this session, when other files than the check's were different
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
	for _, m := range []*map[string]bool{&k.Flaky, &k.Seen, &k.Recalled, &k.Carried} {
		if *m == nil {
			*m = map[string]bool{}
		}
	}
	if k.Inputs == nil {
		k.Inputs = map[string]edit.Hash{}
	}
}

// Firsthand reports whether a check's result was measured on this very tree, in this session.
func (k *Known) Firsthand(name string) bool {
	_, known := k.Online[name]
	return known && !k.Recalled[name] && !k.Carried[name]
}

// carry takes over what an earlier baseline knows of a check, if no file that concerns it is another one now.
func (k *Known) carry(before *Known, name string) bool {
	r, known := before.Online[name]
	inputs, some := before.Inputs[name]
	if !known || !some || inputs != k.Inputs[name] {
		return false
	}
	k.Online[name] = r
	if before.Recalled[name] {
		k.Recalled[name] = true
	} else {
		k.Carried[name] = true
	}
	return true
}

// set records what was measured.
func (k *Known) set(r check.Result) {
	k.Online[r.Check] = r
	delete(k.Recalled, r.Check)
	delete(k.Carried, r.Check)
}

// Reproduce runs the failing tests among ds alone on the unpatched baseline where candidates run, and sorts them: those
// that fail there too can be healed and proven, and so can those that pass alone and fail again in the whole check, behind what other tests leave; others
// that pass are flaky, or depend on the network. Findings that are not about tests are stable by nature.
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
		passed := map[string]int{}
		for range aloneRuns {
			r, err := l.alone(ctx, narrow)
			if err != nil {
				return nil, nil, err
			}
			for _, d := range failing {
				if r.Tests[d.Test] == parse.Pass {
					passed[d.Test]++
				}
			}
		}
		if err := l.company(ctx, k, c, passed); err != nil {
			return nil, nil, err
		}
		for _, d := range failing {
			if passed[d.Test] > 0 {
				k.Flaky[d.Test] = true
				unstable = append(unstable, d)
				continue
			}
			stable = append(stable, d)
		}
	}
	return stable, unstable, nil
}

// What it may take to tell a flaky test from one that fails for what others leave behind.
const (
	aloneRuns   = 2
	companyTime = time.Minute // of the whole check
)

// company takes out of the tests that passed alone, each time, those that fail again where the whole check runs, if that does not take long.
func (l *Lab) company(ctx context.Context, k *Known, c check.Check, passed map[string]int) error {
	always := slices.ContainsFunc(slices.Collect(maps.Values(passed)), func(n int) bool { return n == aloneRuns })
	if !always || k.Online[c.Name].Wall > companyTime {
		return nil
	}
	r, err := l.alone(ctx, c)
	if err != nil {
		return err
	}
	maps.DeleteFunc(passed, func(id string, n int) bool { return n == aloneRuns && r.Tests[id] == parse.Fail })
	return nil
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

// ids are the tests that findings are about, each once: several may be about one, as those of its subtests are.
func ids(ds []diag.Diagnostic) []string {
	out := make([]string, 0, len(ds))
	seen := make(map[string]bool, len(ds))
	for _, d := range ds {
		if !seen[d.Test] {
			seen[d.Test] = true
			out = append(out, d.Test)
		}
	}
	return out
}
