package belief_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gotest.tools/v3/assert"
	"pgregory.net/rapid"

	"fettle/internal/fix"
	"fettle/internal/fix/belief"
)

var grounds = rapid.Custom(func(t *rapid.T) fix.Grounds {
	failing := rapid.IntRange(1, 9).Draw(t, "failing")
	return fix.Grounds{
		Record: rapid.Float64Range(0, 1).Draw(t, "record"), Rivals: rapid.Float64Range(0, 50).Draw(t, "rivals"), Edits: rapid.IntRange(1, 2).Draw(t, "edits"),
		Failing: failing, Heals: rapid.IntRange(1, failing).Draw(t, "heals"), Passing: rapid.IntRange(0, 9).Draw(t, "passing"), Denied: rapid.IntRange(0, 2).Draw(t, "denied"),
		Exhausted: rapid.Bool().Draw(t, "exhausted"),
	}
})

// Whatever speaks against a patch makes nobody surer of it.
func TestDoubtsLower(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := grounds.Draw(t, "grounds")
		was := belief.Of(g)
		assert.Assert(t, was >= 0 && was <= 1)
		for name, doubt := range map[string]func(*fix.Grounds){
			"rivals": func(g *fix.Grounds) { g.Rivals++ }, "denied": func(g *fix.Grounds) { g.Denied++ }, "edits": func(g *fix.Grounds) { g.Edits = 2 }, "weight": func(g *fix.Grounds) { g.Weight = 0 },
			"unhealed": func(g *fix.Grounds) { g.Heals = 0 }, "passing": func(g *fix.Grounds) { g.Passing = 0 }, "exhausted": func(g *fix.Grounds) { g.Exhausted = false },
			"record": func(g *fix.Grounds) { g.Record /= 2 }, "leaves": func(g *fix.Grounds) { g.Leaves = g.Heals },
		} {
			less := g
			doubt(&less)
			assert.Assert(t, belief.Of(less) <= was, "%s: %v, %v before", name, belief.Of(less), was)
		}
	})
}

// A patch that leaves as many of the failing tests that run its line as it heals is never applied by itself, however good its idea is; one that heals most of them may be.
func TestWhatIsLeft(t *testing.T) {
	good := fix.Grounds{Record: 0.95, Edits: 1, Failing: 4, Heals: 3, Leaves: 1, Passing: 3, Exhausted: true}
	assert.Assert(t, belief.Of(good) >= 0.7)
	for _, heals := range []int{1, 2} {
		half := good
		half.Heals, half.Leaves = heals, 4-heals
		assert.Assert(t, belief.Of(half) < 0.7, "heals %d of 4: %v", heals, belief.Of(half))
	}
}

// What is fitted to cases says of others of their kind how often they are right.
func TestFit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	truth := belief.Weights{0.8, 1, -1.2, -0.5, -0.3, -1, -0.2, -0.9, -2.5, -2.5}
	draw := func(n int) (cases []belief.Case) {
		for range n {
			g := fix.Grounds{Record: 0.5 + r.Float64()*0.4, Edits: 1 + r.IntN(2), Failing: 1 + r.IntN(3), Passing: r.IntN(3), Exhausted: r.IntN(4) > 0, Weight: r.Float64() / 10}
			if g.Heals = g.Failing; r.IntN(2) == 0 {
				g.Rivals = r.ExpFloat64()
			}
			cases = append(cases, belief.Case{Grounds: g, Right: r.Float64() < truth.Of(g)})
		}
		return cases
	}
	w := belief.Fit(draw(2000))
	said, right := 0.0, 0.0
	others := draw(4000)
	for _, c := range others {
		said += w.Of(c.Grounds)
		if c.Right {
			right++
		}
	}
	assert.Assert(t, math.Abs(said-right)/float64(len(others)) < 0.03, "said %.0f, right %.0f", said, right)
	for k := range w {
		assert.Assert(t, math.Abs(w[k]-truth[k]) < 0.6, "%s: %v, not %v", belief.Names[k], w[k], truth[k])
	}
	assert.DeepEqual(t, belief.Fit(nil), belief.Prior)
}
