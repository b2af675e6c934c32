package python

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// measure is how a test comes out unchanged, and what it takes.
type measure struct {
	Outcome string  `json:"outcome"`
	Why     string  `json:"why"`
	Way     string  `json:"way"`
	Steps   int64   `json:"steps"`
	Spawns  bool    `json:"spawns"` // it starts other Pythons
	Dry     bool    `json:"dry"`    // it does not end
	Seconds float64 `json:"s"`
}

// plan is which tests every candidate meets, and how they are run.
type plan struct {
	Do      string `json:"do"`
	Failing []step `json:"failing"`
	Passing []step `json:"passing"`
}

// step is [id, measure].
type step [2]any

func (p *plan) failing() []string { return stepIDs(p.Failing) }
func (p *plan) passing() []string { return stepIDs(p.Passing) }

func stepIDs(steps []step) []string {
	out := make([]string, len(steps))
	for i, s := range steps {
		out[i], _ = s[0].(string)
	}
	return out
}

// passingTime bounds what the passing tests may take together: each candidate that heals something runs them.
const passingTime = 2 * time.Second

type measureRequest struct {
	Do      string   `json:"do"`
	Failing []string `json:"failing"`
	Passing []string `json:"passing"`
	Seconds float64  `json:"seconds"`
}

// prepare measures the tests once. A test that comes out otherwise than it should when it is run alone is left out.
func (s *suite) prepare(ctx context.Context, v *server) (*plan, error) {
	s.mu.Lock()
	p := s.plan
	s.mu.Unlock()
	if p != nil {
		return p, nil
	}
	p = &plan{Do: "plan", Failing: []step{}, Passing: []step{}}
	var why, slow string
	err := v.ask(ctx, measureRequest{"measure", s.failing, s.passing, passingTime.Seconds()}, func(r reply) error {
		if r.Measure == nil {
			return nil
		}
		failing := slices.Contains(s.failing, r.Measured)
		switch m := *r.Measure; {
		case failing && m.Outcome == "passed":
			why = r.Measured + " passes when it is run alone"
			p.Passing = append(p.Passing, step{r.Measured, m}) // and is to go on doing so
		case failing && m.Outcome == "died":
			why = r.Measured + " takes pytest along: " + m.Why
		case failing && m.Outcome == "failed":
			if m.Spawns {
				slow = r.Measured + " starts processes of Python, which import the changed files by themselves"
			}
			p.Failing = append(p.Failing, step{r.Measured, m})
		case failing:
			why = r.Measured + " is skipped when it is run alone"
		case m.Outcome == "passed" && !m.Dry:
			p.Passing = append(p.Passing, step{r.Measured, m})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(p.Failing) == 0 {
		return nil, fmt.Errorf("no failing test of %s can be tried: %s", s.Name(), why)
	}
	s.mu.Lock()
	s.plan = p
	if slow != "" {
		s.slow, s.spawns = slow, true
	}
	s.mu.Unlock()
	return p, nil
}
