package search_test

import (
	"context"
	"iter"
	"slices"
	"testing"

	"fettle/internal/edit"
	"fettle/internal/fix/fixtest"
	"fettle/internal/fix/search"
	"fettle/internal/runner"
	"fettle/internal/runner/python"
	"fettle/internal/verdict"
)

// backwards is a harness whose suites try many candidates before they tell of any, the last one first, and let all of them pass.
type backwards struct{ runner.Harness }

func (h backwards) Suites(ctx context.Context, job runner.Job) ([]runner.Suite, error) {
	suites, err := h.Harness.Suites(ctx, job)
	for i, s := range suites {
		suites[i] = backwardsSuite{s}
	}
	return suites, err
}

type backwardsSuite struct{ runner.Suite }

func (s backwardsSuite) TryAll(_ context.Context, candidates iter.Seq[edit.Patch]) iter.Seq2[verdict.Trial, error] {
	return func(yield func(verdict.Trial, error) bool) {
		var all []verdict.Trial
		for p := range candidates {
			all = append(all, verdict.Trial{Index: len(all), Patch: p, Built: true, Healed: s.Failing(), Plausible: true})
			if len(all) == 200 {
				break
			}
		}
		for _, t := range slices.Backward(all) {
			if !yield(t, nil) {
				return
			}
		}
	}
}

// What passes and is far less likely than another that passes is no rival of it, in whatever order the two come back.
func TestRivalsAreNearlyAsLikely(t *testing.T) {
	p := fixtest.New(t, map[string]string{
		"lib.py":      "def total(items, rate):\n    sum_ = 0\n    for i in range(1, len(items)):\n        sum_ += items[i] * rate\n    return sum_ - rate\n",
		"test_lib.py": "from lib import total\n\ndef test_total():\n    assert total([1, 2, 3], 2) == 12\n",
	})
	s := search.New(backwards{python.Harness{}})
	s.Shown = 1000
	var weights []float64
	for c, err := range s.Propose(t.Context(), task(t, p, "python")) {
		if err != nil {
			t.Fatal(err)
		}
		weights = append(weights, c.Grounds.Weight)
	}
	if len(weights) < 2 || slices.Min(weights) < slices.Max(weights)/2 {
		t.Errorf("the likeliest weighs %v, the least likely of %d %v", slices.Max(weights), len(weights), slices.Min(weights))
	}
}
