package python

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"
)

// measure is how a test comes out unchanged, and what it takes.
type measure struct {
	Outcome string   `json:"outcome"`
	Why     string   `json:"why"`
	Way     string   `json:"way"`
	Steps   int64    `json:"steps"`
	Spawns  bool     `json:"spawns"`            // it starts other Pythons
	Dry     bool     `json:"dry"`               // it does not end
	Touches []string `json:"touches,omitempty"` // files of the repository that it changes, by their paths from the root
	Behind  []string `json:"behind,omitempty"`  // ids of those of its file that it fails behind, where it passes alone
	Seconds float64  `json:"s"`
}

// plan is which tests every candidate meets, and how they are run.
type plan struct {
	Do      string `json:"do"`
	Failing []step `json:"failing"`
	Passing []step `json:"passing"`
	Apart   []step `json:"-"` // failing ones that only a fresh process can run
}

// step is [id, measure].
type step [2]any

func (p *plan) failing() []string { return stepIDs(p.Failing) }
func (p *plan) passing() []string { return stepIDs(p.Passing) }

// healed are the tests that have to pass, in a fresh process, of a candidate that is right.
func (p *plan) healed() []string { return append(p.failing(), stepIDs(p.Apart)...) }

func stepIDs(steps []step) []string {
	out := make([]string, len(steps))
	for i, s := range steps {
		out[i], _ = s[0].(string)
	}
	return out
}

// cheapFirst puts the failing tests that take least first: most candidates heal none, and need no more than those to be found out.
func (p *plan) cheapFirst() {
	slices.SortStableFunc(p.Failing, func(a, b step) int { return cmp.Compare(seconds(a), seconds(b)) })
}

// seconds is what a test takes, and much for one that does not end.
func seconds(s step) float64 {
	m, _ := s[1].(measure)
	if m.Dry {
		return math.Inf(1)
	}
	return m.Seconds
}

// passingTime bounds what the passing tests may take together: each candidate that heals something runs them.
const passingTime = 2 * time.Second

type measureRequest struct {
	Do      string   `json:"do"`
	Failing []string `json:"failing"`
	Passing []string `json:"passing"`
	Seconds float64  `json:"seconds"`
	Company bool     `json:"company"`
}

// prepare measures the tests once. A test that comes out otherwise than it should when it is run alone is left out.
func (s *suite) prepare(ctx context.Context, v *server) (*plan, error) {
	s.mu.Lock()
	p := s.plan
	s.mu.Unlock()
	if p != nil {
		return p, nil
	}
	p, why, err := s.measure(ctx, v, s.failing, s.passing, true)
	if err != nil {
		return nil, err
	}
	s.settleApart(p)
	p.cheapFirst()
	if len(p.Failing) == 0 {
		return nil, fmt.Errorf("no failing test of %s can be tried: %s", s.Name(), why)
	}
	s.mu.Lock()
	s.plan = p
	s.mu.Unlock()
	return p, nil
}

// measure runs these tests once. A test that comes out otherwise than it should is left out; why is about the last of them. In company, one that is to
// pass, and does so alone, is run behind others of its file, too.
func (s *suite) measure(ctx context.Context, v *server, toPass, passing []string, company bool) (p *plan, why string, err error) {
	p = &plan{Do: "plan", Failing: []step{}, Passing: []step{}}
	err = v.ask(ctx, measureRequest{"measure", toPass, passing, passingTime.Seconds(), company}, func(r reply) error {
		if r.Measure == nil {
			return nil
		}
		failing := slices.Contains(toPass, r.Measured)
		switch m := *r.Measure; {
		case failing && m.Outcome == "passed":
			why = r.Measured + " passes when it is run alone"
			p.Passing = append(p.Passing, step{r.Measured, m}) // and is to go on doing so
		case failing && m.Outcome == "died":
			why = r.Measured + " takes pytest along: " + m.Why
		case failing && m.Outcome == "failed":
			if m.Spawns {
				p.Apart = append(p.Apart, step{r.Measured, m})
			} else {
				p.Failing = append(p.Failing, step{r.Measured, m})
			}
		case failing:
			why = r.Measured + " is skipped when it is run alone"
		case m.Outcome == "passed" && !m.Dry:
			p.Passing = append(p.Passing, step{r.Measured, m})
		}
		return nil
	})
	return p, why, err
}

// settleApart sees to failing tests that start processes of Python, which import the changed files by themselves. Where others fail, too, these meet
// candidates, and fresh processes have the word on what heals them; else every candidate is tried in one.
func (s *suite) settleApart(p *plan) {
	if len(p.Apart) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spawns = true
	if len(p.Failing) == 0 {
		s.slow = stepIDs(p.Apart)[0] + " starts processes of Python, which import the changed files by themselves"
		p.Failing, p.Apart = p.Apart, nil
	}
}

// Bounds of a survey.
const (
	mostSurveyed = 400             // tests
	surveyTime   = 1 * time.Minute // for all of them
	surveyed     = 20              // at a time
)

// survey finds out which tests fail, or never end, where the check never came to its end and so could not say.
func (s *suite) survey(ctx context.Context) error {
	v, err := s.take(ctx)
	if err != nil {
		return err
	}
	began := time.Now()
	all := &plan{Do: "plan", Failing: []step{}, Passing: []step{}}
	for some := range slices.Chunk(s.found, surveyed) {
		p, _, err := s.measure(ctx, v, some, []string{}, false)
		if err != nil {
			v.close()
			return err
		}
		all.Failing = append(all.Failing, p.Failing...)
		all.Passing = append(all.Passing, p.Passing...)
		all.Apart = append(all.Apart, p.Apart...)
		if time.Since(began) > surveyTime {
			break
		}
	}
	s.give(v)
	s.settleApart(all)
	all.cheapFirst()
	s.failing, s.passing, s.plan = all.healed(), all.passing(), all
	return nil
}
