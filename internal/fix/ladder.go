package fix

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/near"
)

// Ladder is fixers in the order in which they are tried: cheapest first.
type Ladder []Fixer

// NewLadder sorts fixers by rung, then by name. Two fixers of one name are an error: a name stands in reports and in the
// store for one fixer alone.
func NewLadder(fixers ...Fixer) (Ladder, error) {
	l := slices.Clone(Ladder(fixers))
	slices.SortFunc(l, func(a, b Fixer) int {
		return cmp.Or(cmp.Compare(a.Rung(), b.Rung()), cmp.Compare(a.Name(), b.Name()))
	})
	seen := make(map[string]bool, len(l))
	for _, f := range l {
		if seen[f.Name()] {
			return nil, fmt.Errorf("two fixers are called %q: give one of them another name", f.Name())
		}
		seen[f.Name()] = true
	}
	return l, nil
}

// Names lists the fixers' names in the ladder's order.
func (l Ladder) Names() []string {
	names := make([]string, len(l))
	for i, f := range l {
		names[i] = f.Name()
	}
	return names
}

// Only keeps the fixers of these names; within a rung they are asked in the order of the names. No names keep all. An unknown
// name is an error that says which ones there are, and which was probably meant.
func (l Ladder) Only(names ...string) (Ladder, error) {
	if len(names) == 0 {
		return l, nil
	}
	known := l.Names()
	for _, n := range names {
		if !slices.Contains(known, n) {
			return nil, unknown(n, known)
		}
	}
	var kept Ladder
	for _, f := range l {
		if slices.Contains(names, f.Name()) {
			kept = append(kept, f)
		}
	}
	slices.SortStableFunc(kept, func(a, b Fixer) int {
		return cmp.Or(cmp.Compare(a.Rung(), b.Rung()), cmp.Compare(slices.Index(names, a.Name()), slices.Index(names, b.Name())))
	})
	return kept, nil
}

func unknown(name string, known []string) error {
	if meant := near.Name(name, known); meant != "" {
		return fmt.Errorf("unknown fixer %q: did you mean %q? (known: %s)", name, meant, strings.Join(known, ", "))
	}
	return fmt.Errorf("unknown fixer %q (known: %s)", name, strings.Join(known, ", "))
}

// Step is one fixer and those findings of a task that it takes.
type Step struct {
	Fixer       Fixer
	Diagnostics []diag.Diagnostic
}

// For walks the ladder for one check's findings: each step is the next fixer that takes at least one of them, with the
// ones it takes. A finding stands in the step of every fixer that takes it, so whoever heals it on a low rung leaves
// nothing for the higher ones.
func (l Ladder) For(c check.Check, ds []diag.Diagnostic) iter.Seq[Step] {
	return func(yield func(Step) bool) {
		for _, f := range l {
			var taken []diag.Diagnostic
			for _, d := range ds {
				if f.Takes(c, d) {
					taken = append(taken, d)
				}
			}
			if len(taken) > 0 && !yield(Step{Fixer: f, Diagnostics: taken}) {
				return
			}
		}
	}
}
