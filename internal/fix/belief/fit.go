package belief

import (
	"math"

	"fettle/internal/fix"
)

// Case is a patch that passed, and whether it was right.
type Case struct {
	Grounds fix.Grounds
	Right   bool
}

// Prior are the weights before anything was measured: what seldom happens among the cases stays near them. They are what a person who has read
// many such patches would say: a doubt each of the signs is, and that the documentation says otherwise is as good as a refusal.
var Prior = Weights{0, 1, -1.2, -0.4, -1.2, -0.7, -0.7, -0.7, -2.5, -2.5}

// bounds keep every sign what it is meant to be, whatever few cases say: a record speaks for a patch, all else against it.
var bounds = [Count][2]float64{
	{-5, 5}, {0.3, 3}, {-3, -0.1}, {-3, 0}, {-3, 0}, {-3, 0}, {-3, 0}, {-3, 0}, {-5, -1}, {-5, -1},
}

// How a fit proceeds.
const (
	pull  = 30.0 // how many cases a weight's prior counts for
	steps = 4000
	rate  = 0.5
)

// Fit finds the weights that say best which of the cases are right: those of the greatest likelihood, not far from the prior ones, within their bounds.
// The same cases give the same weights.
func Fit(cases []Case) Weights {
	w := Prior
	signs := make([]Weights, len(cases))
	for i, c := range cases {
		signs[i] = Signs(c.Grounds)
	}
	for range steps {
		var slope Weights
		for i, c := range cases {
			off := one(c.Right) - w.Of(c.Grounds)
			for k := range slope {
				slope[k] += off * signs[i][k]
			}
		}
		for k := range w {
			if k > 0 { // how often patches are right at all is for the cases alone to say
				slope[k] -= pull * (w[k] - Prior[k])
			}
			w[k] = min(max(w[k]+rate*slope[k]/(float64(len(cases))+pull), bounds[k][0]), bounds[k][1])
		}
	}
	for k := range w {
		w[k] = math.Round(w[k]*100) / 100
	}
	return w
}
