package cli

import (
	"testing"

	"fettle/internal/check"
)

// TestBoundOf: money has a limit where nobody says anything, and a repository never allows more than the person's own file does.
func TestBoundOf(t *testing.T) {
	usd := func(n float64) *float64 { return &n }
	for name, c := range map[string]struct {
		repository, own *float64
		want            bound
	}{
		"nobody says anything":             {nil, nil, bound{check.UsualBudget, true}},
		"the repository alone":             {usd(5), nil, bound{5, false}},
		"the repository says none":         {usd(0), nil, bound{0, false}},
		"the person alone":                 {nil, usd(7), bound{7, false}},
		"the person says none":             {nil, usd(0), bound{0, false}},
		"the repository lowers":            {usd(3), usd(7), bound{3, false}},
		"the repository cannot raise":      {usd(9), usd(7), bound{7, false}},
		"nor take away":                    {usd(0), usd(7), bound{7, false}},
		"it limits who says there is none": {usd(3), usd(0), bound{3, false}},
	} {
		if got := boundOf(c.repository, c.own); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}
