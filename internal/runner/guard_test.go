package runner_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"fettle/internal/check"
	"fettle/internal/runner"
)

// tree is a place whose only file is there or not.
type tree struct {
	check.Place
	stuck bool // it cannot be put back

	mu     sync.Mutex
	gone   bool
	looked int
}

func (p *tree) Learn(context.Context) error { return nil }

func (p *tree) Restore(context.Context) ([]string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.looked++
	if !p.gone {
		return nil, nil
	}
	if p.stuck {
		return []string{"file"}, errors.New("stuck")
	}
	p.gone = false
	return []string{"file"}, nil
}

// try is a candidate's run: one of those that remove the file does so. It passes where the file is there.
func (p *tree) try(removes bool) (passes bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.gone = p.gone || removes
	return !p.gone
}

func watched(t *testing.T, p *tree) *runner.Guard {
	t.Helper()
	g := &runner.Guard{}
	if err := g.Watch(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	return g
}

func TestGuarded(t *testing.T) {
	for name, removers := range map[string][]int{
		"nobody": nil, "one": {7}, "the first": {0}, "the last": {199}, "neighbours": {20, 21, 22}, "many": {3, 50, 51, 120, 121, 199},
	} {
		t.Run(name, func(t *testing.T) {
			p := &tree{}
			g := watched(t, p)
			var mu sync.Mutex
			told := map[int]int{}
			var wg sync.WaitGroup
			const workers = 3
			for w := range workers {
				var mine []int
				for i := w; i < 200; i += workers {
					mine = append(mine, i)
				}
				wg.Go(func() {
					err := runner.Guarded[int, bool]{Guard: g, Run: func(_ context.Context, some []int, each func(int, bool) error) error {
						for _, c := range some {
							if err := each(c, p.try(slices.Contains(removers, c))); err != nil {
								return err
							}
						}
						return nil
					}, Tell: func(c int, passes, changes bool) error {
						mu.Lock()
						defer mu.Unlock()
						told[c]++
						if removes := slices.Contains(removers, c); passes == removes || changes != removes {
							t.Errorf("candidate %d: passes %t, changes %t", c, passes, changes)
						}
						return nil
					}}.Try(t.Context(), mine)
					if err != nil {
						t.Error(err)
					}
				})
			}
			wg.Wait()
			for c := range 200 {
				if told[c] != 1 {
					t.Errorf("candidate %d is told %d times", c, told[c])
				}
			}
			if p.gone {
				t.Error("the file is gone in the end")
			}
		})
	}
}

// One that dies over what it does says nothing, and takes the run along.
func TestGuardedOfOneThatDies(t *testing.T) {
	p := &tree{}
	g := watched(t, p)
	var told []int
	err := runner.Guarded[int, bool]{Guard: g, Run: func(_ context.Context, some []int, each func(int, bool) error) error {
		for _, c := range some {
			passes := p.try(c == 2)
			if c == 2 {
				return nil
			}
			if err := each(c, passes); err != nil {
				return err
			}
		}
		return nil
	}, Tell: func(c int, passes, changes bool) error {
		if !passes || changes {
			t.Errorf("candidate %d: passes %t, changes %t", c, passes, changes)
		}
		told = append(told, c)
		return nil
	}}.Try(t.Context(), []int{0, 1, 2, 3, 4})
	if slices.Sort(told); err != nil || !slices.Equal(told, []int{0, 1, 3, 4}) {
		t.Errorf("told %v, %v", told, err)
	}
}

func TestSure(t *testing.T) {
	p := &tree{}
	g := watched(t, p)
	p.try(true) // by somebody else
	var ran []bool
	err := g.Sure(t.Context(), func() error {
		ran = append(ran, p.try(false))
		return nil
	})
	if err != nil || !slices.Equal(ran, []bool{false, true}) {
		t.Errorf("ran %v, %v", ran, err)
	}
	p.stuck = true
	p.try(true)
	if err := g.Sure(t.Context(), func() error { return nil }); err == nil {
		t.Error("nobody says that the files cannot be put back")
	}
}

func TestNobodyKeepsFiles(t *testing.T) {
	g := &runner.Guard{}
	if err := errors.Join(g.Watch(t.Context(), struct{ check.Place }{}), g.Learn(t.Context())); err != nil {
		t.Fatal(err)
	}
	ran := 0
	if err := g.Sure(t.Context(), func() error { ran++; return nil }); err != nil || ran != 1 {
		t.Errorf("ran %d times: %v", ran, err)
	}
}
