package cli

import (
	"testing"

	"fettle/internal/check"
)

// TestBoundOf: money has a limit where nobody says anything, and a repository can only lower it.
func TestBoundOf(t *testing.T) {
	usd := func(n float64) *float64 { return &n }
	for name, c := range map[string]struct {
		repository, own *float64
		want            bound
	}{
		"nobody says anything":             {nil, nil, bound{check.UsualBudget, true}},
		"the repository alone":             {usd(0.5), nil, bound{usd: 0.5}},
		"the repository wants more":        {usd(5), nil, bound{check.UsualBudget, true}},
		"the repository wants none":        {usd(0), nil, bound{check.UsualBudget, true}},
		"the repository says the same":     {usd(check.UsualBudget), nil, bound{check.UsualBudget, true}},
		"the person alone":                 {nil, usd(7), bound{usd: 7}},
		"the person says none":             {nil, usd(0), bound{}},
		"the repository lowers":            {usd(3), usd(7), bound{usd: 3}},
		"the repository cannot raise":      {usd(9), usd(7), bound{usd: 7}},
		"nor take away":                    {usd(0), usd(7), bound{usd: 7}},
		"it limits who says there is none": {usd(3), usd(0), bound{usd: 3}},
	} {
		if got := boundOf(c.repository, c.own); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}
