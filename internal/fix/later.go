package fix

import "slices"

// Later is a fixer that is asked at another place on the ladder than its own.
func Later(f Fixer, at Rung) Fixer { return later{f, at} }

type later struct {
	Fixer
	at Rung
}

// Rung implements [Fixer].
func (l later) Rung() Rung { return l.at }

// Tally is what a fixer has done so far.
type Tally struct{ Turns, Healed int }

// Fruitless is how many turns without anything healed make a model one that is asked after the other models.
const Fruitless = 8

// Adapted puts models that have never healed anything, in many turns, behind the other models: by what is known of each, by its name. Nobody changes
// places with a tool, a search, a plug-in or an agent, and the first to heal something again has its old place the next time.
func Adapted(all []Fixer, known map[string]Tally) []Fixer {
	out := slices.Clone(all)
	for i, f := range out {
		if r, t := f.Rung(), known[f.Name()]; r >= RungModel && r < RungAgent && t.Turns >= Fruitless && t.Healed == 0 {
			out[i] = Later(f, r+(RungAgent-RungModel)/2)
		}
	}
	return out
}
