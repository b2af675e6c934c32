// Package verify answers "did it work?": it tries a patch in a private copy of the whole baseline and measures what the
// checks say, cheapest evidence first: the failing test alone, its package, the checks the change can affect, everything.
//
// The judge cannot know the maker: nothing here knows which fixer made a patch, or believes a word of it. A patch is good
// only when something of what was to be healed is gone, nothing that passed before fails, and nothing is new that the
// baseline could have shown. And no verdict counts until the copy has shown the baseline's failure and a fault planted in
// each patched file has turned a check red: a copy that tests other files than the patched ones proves nothing.
//
// Tests and check configurations come from the baseline, because a patch that may not touch them never gets here.
package verify

import (
	"context"
	"fmt"
	"net"
	"slices"
	"time"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/edit"
	"fettle/internal/verdict"
)

// Copy is a private copy of the user's tree.
type Copy interface {
	check.Place
	// Apply writes the patch's files into the copy; each must hold what the patch expects.
	Apply(ctx context.Context, p edit.Patch) error
	// Reset takes the copy back to the user's tree, as that is now.
	Reset(ctx context.Context) error
	// Changes tells how the copy differs from the baseline.
	Changes(ctx context.Context) (edit.Patch, error)
	// Source reads the copy's files.
	Source() edit.Source
	// HoldsWrites reports whether what runs in the copy can write nowhere else.
	HoldsWrites() bool
	// Listen opens a door: what commands in the copy connect to at its address comes to us.
	Listen(ctx context.Context) (net.Listener, error)
	Close() error
}

// Lab is where patches are tried: it opens copies, runs checks in them, and remembers results by content. Close it when it
// is not needed any more.
type Lab struct {
	// Open opens a private copy; several at a time. Online copies are for the user's own checks and keep their network; candidates run
	// without, but for loopback inside.
	Open func(ctx context.Context, online bool) (Copy, error)
	// Offline says that online copies have no network either: results with and without one are not the same.
	Offline bool
	// Digest is the digest of the user's tree as it is now, everything counted that can change a check's answer.
	Digest func(ctx context.Context) (edit.Hash, error)
	// Part is the digest of those files that concern a check, as they were when Digest gave this digest; false when nobody knows
	// any more. Nil: nobody ever does.
	Part func(digest edit.Hash, c check.Check) (edit.Hash, bool)
	// Setup is the digest of those files that configured the tools of checks then; Reconfigured reports whether one of them is
	// certainly not what it was. Nil: nobody knows.
	Setup        func(digest edit.Hash) (edit.Hash, bool)
	Reconfigured func(digest edit.Hash) (bool, error)
	// Between tells which files are different in the trees of two digests; false when that is not known any more. Nil: nobody knows.
	Between func(from, to edit.Hash) ([]string, bool)
	// Changed tells which of these files are not what they were when Digest gave this digest. Nil: nobody knows.
	Changed func(digest edit.Hash, paths []string) ([]string, error)
	Checks  []check.Check       // everything: the goal's checks and all others
	Memory  *Memory             // results by content; nil: nothing is remembered
	Run     check.RunOptions    // how checks run
	Redact  func(string) string // takes secrets out of what checks print; may be nil

	copies copies
}

// Request is a patch to be tried.
type Request struct {
	Patch   edit.Patch
	Targets []diag.Diagnostic // what the patch is to heal: at least one of them must go. Empty: any finding
	Known   *Known            // what is known about the baseline; more is added as it is needed
}

// Verify tries a patch, stage by stage, and stops at the first stage that says no. The error is about the laboratory (a
// copy that cannot be opened), never about the patch: what is wrong with the patch is the evidence.
func (l *Lab) Verify(ctx context.Context, r Request) (verdict.Evidence, error) {
	c, release, err := l.Borrow(ctx, false)
	if err != nil {
		return verdict.Evidence{}, err
	}
	defer release()
	v := &trial{lab: l, copy: c, req: r, after: map[string]check.Result{}, alone: map[string]check.Result{}, ev: verdict.Evidence{Of: r.Patch.Digest()}}
	if err := c.Apply(ctx, r.Patch); err != nil {
		v.ev.Reason = fmt.Sprintf("the patch does not apply: %v", err)
		return v.ev, nil
	}
	for _, s := range []struct {
		name string
		run  func(context.Context) (detail string, err error)
	}{
		{"target", v.target},
		{"package", v.pkg},
		{"affected", v.affected},
		{"worth", v.worth},
		{"seen", v.seen},
	} {
		start := time.Now()
		detail, err := s.run(ctx)
		if err != nil {
			return v.ev, fmt.Errorf("verify (%s): %w", s.name, err)
		}
		if detail == skipped {
			continue
		}
		v.ev.Steps = append(v.ev.Steps, verdict.Step{
			Name: s.name, Passed: v.ev.Reason == "", Detail: detail, Duration: time.Since(start),
		})
		if v.ev.Reason != "" {
			return v.ev, nil
		}
	}
	v.ev.Green = true
	return v.ev, nil
}

// skipped is the detail of a stage that had nothing to do.
const skipped = "-"

// trial is one verification under way.
type trial struct {
	lab   *Lab
	copy  Copy
	req   Request
	after map[string]check.Result // whole results of checks on the patched copy
	alone map[string]check.Result // … and those of the failing tests alone
	runs  int                     // how often checks have run on the patched copy
	ev    verdict.Evidence
}

// one runs one check on the patched copy.
func (v *trial) one(ctx context.Context, c check.Check) (check.Result, error) {
	v.runs++
	return v.lab.one(ctx, v.copy, c)
}

// refuse says why the patch will not do, and in which words of the checks that shows. The first reason counts.
func (v *trial) refuse(said, format string, args ...any) {
	if v.ev.Reason == "" {
		v.ev.Reason, v.ev.Report = fmt.Sprintf(format, args...), said
	}
}

// targetChecks are the checks that complain about the targets, in the order of the laboratory's checks.
func (v *trial) targetChecks() []check.Check {
	return slices.DeleteFunc(slices.Clone(v.lab.Checks), func(c check.Check) bool {
		return !slices.ContainsFunc(v.req.Targets, func(d diag.Diagnostic) bool { return d.Check == c.Name })
	})
}

// Find is the laboratory's check of this name.
func (l *Lab) Find(name string) (check.Check, bool) {
	for _, c := range l.Checks {
		if c.Name == name {
			return c, true
		}
	}
	return check.Check{}, false
}
