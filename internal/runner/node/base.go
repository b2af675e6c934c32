package node

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"fettle/internal/check/parse"
)

// base is what is known of the tests as the sources stand.
type base struct {
	targets []string // failing tests that fail when they are run alone, too
	passing []string // passing ones that must go on passing
	plan    plan     // what warm processes are told; without files when there can be none
	first   int64    // steps of a candidate that is tried for the first time
	limit   time.Duration
}

// plan is a request of serve.cjs.
type plan struct {
	Do    string     `json:"do"`
	Files []planFile `json:"files"`
	Fuel  int64      `json:"fuel"`
	First int64      `json:"first"` // for the failing tests while nothing is known: one that does not end may fill the memory meanwhile
}

type planFile struct {
	File    string   `json:"file"`
	Targets []string `json:"targets"`
	Passing []string `json:"passing"`
}

// Steps are given in multiples of what the sources as they stand use, but never so few that noise could matter nor so many that a
// candidate without end holds up the rest.
const (
	fuelFactor  = 32
	minFuel     = 200_000
	firstFactor = 8 // the same for those that are tried for the first time: they get the others when they run dry
	minFirst    = 50_000
	maxFuel     = 200_000_000
	firstSteps  = 10_000_000
	slowSteps   = 200 // ms that they may take on top of what the sources as they stand take: a text that grows without end makes each slower than the last
)

// Passing tests are taken, nearest first, until there are this many of them, in this many files, and they take this long.
const (
	mostPassing      = 400
	mostPassingFiles = 12
	passingTime      = 3 * time.Second
)

func (s *Suite) prepare(ctx context.Context) error {
	s.once.Do(func() { s.base, s.err = s.measure(ctx) })
	return s.err
}

// measure runs the tests as the sources stand, in a warm process or, if that is unlike the user's own run, in the user's way.
func (s *Suite) measure(ctx context.Context) (base, error) {
	b := base{targets: s.targets}
	if len(b.targets) == 0 {
		return b, fmt.Errorf("none of the failing tests is in %s", s.Name())
	}
	b.plan = s.plan()
	for _, f := range b.plan.Files {
		b.passing = append(b.passing, f.Passing...)
	}
	w, err := s.start(ctx, s.sources, false)
	if err != nil {
		if ctx.Err() != nil {
			return b, ctx.Err()
		}
		s.slowBecause("%v", err)
		return b, s.alone(ctx, &b)
	}
	defer w.close()
	if _, err := w.call(ctx, b.plan, startTime); err != nil {
		return b, err
	}
	said, err := w.call(ctx, map[string]string{"do": "base"}, patience(s.job))
	switch {
	case ctx.Err() != nil:
		return b, ctx.Err()
	case err != nil:
		s.slowBecause("the tests do not run in one process: %v", err)
	case said.Unfit != "":
		s.slowBecause("the tests do not run in one process: %s", firstLine(said.Unfit))
	case said.Files[0].Started:
		s.slowBecause("the tests start processes or contexts of their own")
	default:
		s.settle(&b, said)
	}
	if s.Slow() != "" {
		b.plan.Files = nil
		return b, s.alone(ctx, &b)
	}
	return b, nil
}

// plan are the tests to run: in the suite's own file and, as far as there is time, those of others.
func (s *Suite) plan() plan {
	p := plan{Do: "plan", Fuel: maxFuel, First: firstSteps}
	count, took := 0, time.Duration(0)
	for i, f := range s.files {
		pf := planFile{File: f.path, Targets: []string{}, Passing: []string{}}
		for _, id := range s.nearest(f) {
			if count < mostPassing && (i == 0 || took < passingTime) && i < mostPassingFiles {
				pf.Passing = append(pf.Passing, id)
				count++
			}
		}
		for _, t := range f.tests {
			if t.outcome == parse.Pass {
				took += t.took
			}
		}
		if i == 0 {
			pf.Targets = s.targets
		}
		if i == 0 || len(pf.Passing) > 0 {
			p.Files = append(p.Files, pf)
		}
	}
	return p
}

// settle takes in what the warm process says of the sources as they stand: what it cannot be trusted with is left to the user's own run.
func (s *Suite) settle(b *base, said answer) {
	own := said.Files[0]
	if own.Broken && !slices.Contains(b.targets, s.Name()) {
		s.slowBecause("%s cannot be loaded in one process with others: %s", s.Name(), strings.Join(own.Errors, "; "))
		return
	}
	if len(own.Targets) == len(b.targets) {
		s.slowBecause("in one process with others, the failing tests pass")
		return
	}
	if had := len(b.plan.Files[0].Passing); had > 0 && len(own.Passing) == 0 || !s.alike(own.Errors) {
		s.slowBecause("in one process with others, the tests come out otherwise")
		return
	}
	var used int64
	kept := b.plan.Files[:0:0]
	for i, f := range b.plan.Files {
		if i > 0 || !own.Broken { // one that never ends says nothing of how long it takes
			used = max(used, said.Files[i].Used)
		}
		if f.Passing = picked(f.Passing, said.Files[i].Passing); said.Files[i].Started {
			f.Passing = nil // what they start runs the sources as they stand: the user's own run is to judge
		}
		if i == 0 {
			passAlone := picked(f.Targets, own.Targets)
			b.targets = slices.DeleteFunc(slices.Clone(b.targets), func(id string) bool { return slices.Contains(passAlone, id) })
			f.Targets = b.targets
			b.passing = append(b.passing, passAlone...)
		}
		if i == 0 || len(f.Passing) > 0 {
			kept = append(kept, f)
		}
	}
	b.plan.Files = kept
	b.plan.Fuel = min(max(used*fuelFactor, minFuel), maxFuel)
	b.first = min(max(used*firstFactor, minFirst), maxFuel)
	b.limit = time.Duration(5*said.MS*float64(time.Millisecond)) + 100*time.Millisecond
}

func picked(ids []string, at []int) []string {
	out := []string{}
	for _, i := range at {
		out = append(out, ids[i])
	}
	return out
}

// alike reports whether one of the failing tests fails here for the reason for which it failed in the user's own run.
func (s *Suite) alike(here []string) bool {
	there := 0
	for _, d := range s.job.Baseline.Diagnostics {
		if !slices.Contains(s.targets, d.Test) {
			continue
		}
		there++
		for _, e := range here {
			if sameReason(e, d.Message) || sameReason(e, d.Detail) {
				return true
			}
		}
	}
	return there == 0
}

// sameReason compares the beginnings of what two runners say.
func sameReason(here, there string) bool {
	a, b := letters(firstLine(here)), letters(there)
	const enough = 24
	if len(a) > enough {
		a = a[:enough]
	}
	return a == "" || strings.Contains(b, a)
}

// letters are a text's letters and digits.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 127 {
			return r
		}
		return -1
	}, s)
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s
}

// alone runs the failing tests alone, in the user's own way.
func (s *Suite) alone(ctx context.Context, b *base) error {
	o, err := s.own(ctx, nil, b.targets)
	if err != nil {
		return err
	}
	if o.broken != "" {
		return errors.New("the failing tests cannot be run alone: " + o.broken)
	}
	b.targets = slices.DeleteFunc(slices.Clone(b.targets), func(id string) bool { return o.passed[id] })
	if len(b.targets) == 0 {
		return errAlone
	}
	return nil
}
