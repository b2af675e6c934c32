package cli

import (
	"context"
	"errors"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fettle/internal/budget"
	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/fix"
)

// spender is an agent that does with its task what a test says.
type spender func(t fix.Task) (fix.Candidate, error)

func (spender) Name() string                            { return "claude" }
func (spender) Rung() fix.Rung                          { return fix.RungAgent }
func (spender) Takes(check.Check, diag.Diagnostic) bool { return true }
func (s spender) Propose(_ context.Context, t fix.Task) iter.Seq2[fix.Candidate, error] {
	return func(yield func(fix.Candidate, error) bool) { yield(s(t)) }
}

// TestBooked: an agent is told what is left, and what was left counts as spent where it does not say what it took.
func TestBooked(t *testing.T) {
	day := 3.0
	for name, c := range map[string]struct {
		session float64
		day     *float64
		does    func(fix.Task) (fix.Candidate, error)
		offered []float64 // what each run is told
		last    string    // why the next one is not begun; empty: it is
	}{
		"what it costs is known": {5, nil, func(fix.Task) (fix.Candidate, error) { return fix.Candidate{Cost: 2}, nil }, []float64{5, 3, 1}, "the budget of this session is $5.00"},
		"the day has less":       {5, &day, func(fix.Task) (fix.Candidate, error) { return fix.Candidate{Cost: 2}, nil }, []float64{3, 1}, "the budget of this day is $3.00"},
		"it was killed": {5, nil, func(t fix.Task) (fix.Candidate, error) {
			t.Spent(0, false)
			return fix.Candidate{}, errors.New("killed")
		}, []float64{5}, "the budget of this session is $5.00"},
		"it never asked":                  {5, nil, func(fix.Task) (fix.Candidate, error) { return fix.Candidate{}, errors.New("no key") }, []float64{5, 5, 5}, ""},
		"no limit":                        {0, nil, func(fix.Task) (fix.Candidate, error) { return fix.Candidate{Cost: 200}, nil }, []float64{0, 0}, ""},
		"it takes more than it was given": {5, nil, func(fix.Task) (fix.Candidate, error) { return fix.Candidate{Cost: 6}, nil }, []float64{5}, "the budget of this session is $5.00"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("XDG_STATE_HOME", filepath.Join(t.TempDir(), "state"))
			p := &purse{tree: "/tree", bound: bound{usd: c.session}, day: c.day}
			p.begin("s")
			defer func() { _ = p.Close() }() // what is written down is read before
			var offered []float64
			b := booked{spender(func(t fix.Task) (fix.Candidate, error) { offered = append(offered, t.Money); return c.does(t) }), p, false}
			run := func() error {
				for _, err := range b.Propose(t.Context(), fix.Task{}) {
					var over *budget.ExceededError
					if errors.As(err, &over) {
						return over
					}
				}
				return nil
			}
			for range c.offered {
				if err := run(); err != nil {
					t.Fatal(err)
				}
			}
			if len(offered) != len(c.offered) {
				t.Fatalf("it was asked %d times", len(offered))
			}
			for i, want := range c.offered {
				if offered[i] != want {
					t.Errorf("run %d may spend %v, want %v", i, offered[i], want)
				}
			}
			err := run()
			if c.last == "" && err != nil || c.last != "" && (err == nil || !strings.Contains(err.Error(), c.last)) {
				t.Errorf("the next: %v, want %q", err, c.last)
			}
		})
	}
}

// TestBookedTokens: an agent is told how many tokens are left, and what was left counts as taken where it does not say what it took.
func TestBookedTokens(t *testing.T) {
	takes := func(took fix.Tokens) func(fix.Task) {
		return func(t fix.Task) { t.Took(took) }
	}
	for name, c := range map[string]struct {
		limits  budget.Counts
		does    func(fix.Task)
		offered []int  // what each run is told
		last    string // why the next one is not begun; empty: it is
	}{
		"it says what it took":           {budget.Counts{Session: 1000}, takes(fix.Tokens{Read: 300, Cached: 200, Wrote: 100}), []int{1000, 600, 200}, "the limit of tokens of models in this session is 1000"},
		"the day has less":               {budget.Counts{Session: 1000, Day: 500}, takes(fix.Tokens{Read: 500}), []int{500}, "in this day is 500"},
		"there was more":                 {budget.Counts{Session: 1000}, takes(fix.Tokens{Read: 10, Wrote: 5, Unknown: true}), []int{1000}, "is 1000: 1000 are used"},
		"it was killed":                  {budget.Counts{Session: 1000}, func(t fix.Task) { t.Spent(0, false) }, []int{1000}, "is 1000: 1000 are used"},
		"it never asked":                 {budget.Counts{Session: 1000}, func(fix.Task) {}, []int{1000, 1000}, ""},
		"it takes more than it was told": {budget.Counts{Session: 1000}, takes(fix.Tokens{Read: 5000}), []int{1000}, "is 1000: 5000 are used"},
		"no limit":                       {budget.Counts{}, takes(fix.Tokens{Read: 5000}), []int{0, 0}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("XDG_STATE_HOME", filepath.Join(t.TempDir(), "state"))
			p := &purse{tree: "/tree", tokens: c.limits}
			p.begin("s")
			defer func() { _ = p.Close() }() // what is written down is read before
			var offered []int
			b := booked{spender(func(t fix.Task) (fix.Candidate, error) {
				offered = append(offered, t.Tokens)
				c.does(t)
				return fix.Candidate{}, nil
			}), p, false}
			run := func() (last error) {
				for _, err := range b.Propose(t.Context(), fix.Task{}) {
					last = err
				}
				return last
			}
			for range c.offered {
				if err := run(); err != nil {
					t.Fatal(err)
				}
			}
			if !slices.Equal(offered, c.offered) {
				t.Errorf("it was told %d, want %d", offered, c.offered)
			}
			if err := run(); c.last == "" && err != nil || c.last != "" && (err == nil || !strings.Contains(err.Error(), c.last)) {
				t.Errorf("the next: %v, want %q", err, c.last)
			}
		})
	}
}

// TestBookedTurns: two agents of one session that take all that is left do so one after the other.
func TestBookedTurns(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", filepath.Join(t.TempDir(), "state"))
	p := &purse{tree: "/tree", bound: bound{usd: 4}}
	p.begin("s")
	defer func() { _ = p.Close() }() // nothing is read of it any more
	inside, told := make(chan bool, 2), make(chan float64, 2)
	b := booked{spender(func(t fix.Task) (fix.Candidate, error) {
		inside <- true
		defer func() { <-inside }()
		if len(inside) > 1 {
			return fix.Candidate{}, errors.New("two at a time")
		}
		told <- t.Money
		return fix.Candidate{Cost: 1}, nil
	}), p, false}
	ends := make(chan error, 2)
	for range 2 {
		go func() {
			var last error
			for _, err := range b.Propose(t.Context(), fix.Task{}) {
				last = err
			}
			ends <- last
		}()
	}
	for range 2 {
		if err := <-ends; err != nil {
			t.Error(err)
		}
	}
	if first, second := <-told, <-told; first != 4 || second != 3 {
		t.Errorf("they may spend %v and %v", first, second)
	}
}
