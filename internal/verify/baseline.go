package verify

import (
	"context"
	"maps"
	"slices"

	"fettle/internal/check"
)

// Look reads the tree as it is now. Nothing is known of it yet but what it is.
func (l *Lab) Look(ctx context.Context) (*Known, error) {
	digest, err := l.Digest(ctx)
	if err != nil {
		return nil, err
	}
	k := NewKnown(digest)
	if l.Setup != nil {
		k.Setup, _ = l.Setup(digest)
	}
	if l.Part == nil {
		return k, nil
	}
	for _, c := range l.Checks {
		if len(c.Files) == 0 {
			continue
		}
		if part, ok := l.Part(digest, c); ok {
			k.Inputs[c.Name] = part
		}
	}
	return k, nil
}

// Baseline sees to it that the checks' results on the baseline are known. What is not known yet is recalled, or measured in an
// online copy: nothing is written to the user's tree, whatever the checks do.
func (l *Lab) Baseline(ctx context.Context, k *Known, checks []check.Check) error {
	k.init()
	var todo []check.Check
	for _, c := range checks {
		if _, ok := k.Online[c.Name]; ok {
			continue
		}
		if r, ok := l.Memory.get(ctx, l.key(k, c)); ok {
			k.Online[c.Name], k.Recalled[c.Name] = r, true
			continue
		}
		todo = append(todo, c)
	}
	return l.measure(ctx, k, todo)
}

// Measured is Baseline without memory: what was recalled is measured now.
func (l *Lab) Measured(ctx context.Context, k *Known, checks []check.Check) error {
	k.init()
	return l.measure(ctx, k, slices.DeleteFunc(slices.Clone(checks), func(c check.Check) bool {
		_, known := k.Online[c.Name]
		return known && !k.Recalled[c.Name]
	}))
}

// Afresh is Baseline for those who must know for certain: what was not measured on this very tree in this session is measured now.
func (l *Lab) Afresh(ctx context.Context, k *Known, checks []check.Check) error {
	k.init()
	return l.measure(ctx, k, slices.DeleteFunc(slices.Clone(checks), func(c check.Check) bool { return k.Firsthand(c.Name) }))
}

// Narrowed is Baseline for checks that were narrowed to some tests: they share their names with the whole checks, so their
// results are kept apart. They are never recalled.
func (l *Lab) Narrowed(ctx context.Context, k *Known, checks []check.Check) error {
	k.init()
	results, err := l.run(ctx, missing(k.Narrow, checks), true)
	for _, r := range results {
		k.Narrow[r.Check] = r
	}
	return err
}

// offline is the baseline of one check where candidates run: without the network.
func (l *Lab) offline(ctx context.Context, k *Known, c check.Check) (check.Result, error) {
	results, err := l.run(ctx, missing(k.Offline, []check.Check{c}), false)
	for _, r := range results {
		k.Offline[r.Check] = r
	}
	return k.Offline[c.Name], err
}

func missing(known map[string]check.Result, checks []check.Check) []check.Check {
	return slices.DeleteFunc(slices.Clone(checks), func(c check.Check) bool { _, ok := known[c.Name]; return ok })
}

// measure runs checks on the baseline and adds what they say.
func (l *Lab) measure(ctx context.Context, k *Known, checks []check.Check) error {
	results, err := l.run(ctx, checks, true)
	if err != nil || len(results) == 0 {
		return err
	}
	for _, r := range results {
		k.set(r)
	}
	// A result may be remembered only under the content that it is about: somebody may have edited a file meanwhile.
	if now, err := l.Digest(ctx); err != nil || now != k.Digest {
		return err
	}
	l.remember(ctx, k, checks, results)
	return nil
}

func (l *Lab) remember(ctx context.Context, k *Known, checks []check.Check, results []check.Result) {
	for i, r := range results {
		l.Memory.put(ctx, l.key(k, checks[i]), r)
	}
}

// run runs checks on the baseline: the user's own, with the network, or as candidates run.
func (l *Lab) run(ctx context.Context, checks []check.Check, online bool) ([]check.Result, error) {
	if len(checks) == 0 {
		return nil, nil
	}
	place, release, err := l.Borrow(ctx, online)
	if err != nil {
		return nil, err
	}
	defer release()
	return l.RunIn(ctx, place, checks)
}

// Again is what is known of the tree as it is now, after a change: the checks that it concerns are run, whatever is remembered.
// What the others said before is carried over, unless a file that concerns them is another one by now: then they are run, too.
func (l *Lab) Again(ctx context.Context, before *Known, concerns func(check.Check) bool) (*Known, error) {
	var concerned, others []check.Check
	for _, c := range l.Checks {
		if concerns(c) {
			concerned = append(concerned, c)
		} else {
			others = append(others, c)
		}
	}
	// Reading the tree goes on beside the checks. A change in between shows when the tree is read next.
	type look struct {
		k   *Known
		err error
	}
	looked := make(chan look, 1)
	go func() {
		k, err := l.Look(ctx)
		looked <- look{k, err}
	}()
	results, err := l.run(ctx, concerned, true)
	now := <-looked
	if err != nil {
		return nil, err
	}
	if now.err != nil {
		return nil, now.err
	}
	k := now.k
	for _, r := range results {
		k.set(r)
	}
	maps.Copy(k.Flaky, before.Flaky)
	var rest []check.Check
	for _, c := range others {
		if _, known := before.Online[c.Name]; known && !k.carry(before, c.Name) {
			rest = append(rest, c)
		}
	}
	return k, l.measure(ctx, k, rest)
}
