// Package belief answers "how likely is it that a patch which passes every test is the right one?", from the grounds that its fixer found.
//
// The answer is a logistic regression (Cox 1958) over a few signs. Its weights are measured: scripts/calibrate fits them to what became of
// patches whose right answer is known, one half of them, and holds what they say against the other half (docs/confidence.md).
package belief

import (
	"math"

	"fettle/internal/fix"
)

//go:generate go run fettle/scripts/calibrate

// Weights say how much each sign counts, in the order of [Signs]; the first is that of no sign at all.
type Weights [Count]float64

// Count is how many signs there are, with the one that is always there.
const Count = 10

// Names are what the signs are called.
var Names = [Count]string{
	"always", "its idea's record", "rivals", "one test healed, and no passing one runs the line", "not every candidate was tried", "two edits", "two edits for one test healed", "two edits that are far-fetched",
	"the documentation says otherwise", "failing tests it does not heal",
}

// Signs are what speaks for a patch and against it, as numbers.
func Signs(g fix.Grounds) Weights {
	record := min(max(g.Record, 0.01), 0.99) // learning brings it near 0 and 1, but nothing is certain
	return Weights{
		1,
		math.Log(record / (1 - record)),
		math.Log1p(g.Rivals),
		one(g.Heals <= 1 && g.Passing == 0),
		one(!g.Exhausted),
		one(g.Edits > 1),
		one(g.Edits > 1 && g.Heals <= 1),
		one(g.Edits > 1 && g.Weight < farFetched),
		one(g.Denied > 0),
		float64(max(g.Failing-g.Heals, 0)) / float64(max(g.Failing, 1)), // others may be healed along
	}
}

// farFetched is the weight of two edits below which many other pairs would have done.
const farFetched = 0.05

func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// Of is the belief in a patch, from 0 to 1.
func (w Weights) Of(g fix.Grounds) float64 {
	z := 0.0
	for i, s := range Signs(g) {
		z += w[i] * s
	}
	return 1 / (1 + math.Exp(-z))
}

// Of is the belief in a patch by the weights that were measured, from 0 to 1, in hundredths: more than that nobody knows.
// What decides nothing in any test is a constant in disguise, and whether it should go is for a person to say, as is whether there is more that is wrong where a
// patch heals no more than half of the failing tests that run its line: such patches are never believed as much as is applied by themselves.
func Of(g fix.Grounds) float64 {
	sure := math.Round(100*measured.Of(g)) / 100
	if g.Idle || g.Leaves > 0 && g.Leaves >= g.Heals {
		return min(sure, doubted)
	}
	return sure
}

// doubted is the most that such a patch is believed.
const doubted = 0.6
