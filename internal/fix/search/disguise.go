package search

import (
	"context"
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
)

// undisguise asks of what passes by a changed condition whether it passes as well where the branch is always taken, or never, and of what passes by a change in a branch, loop or
// case whether it does without that: what decides nothing in any test is a constant in disguise, whatever it asks. The plain form stands before it then: it says no
// more than the tests do.
//
// What passes without a branch, loop, case or jump that no hit changes is a rival of theirs, and comes behind the best of them: it may be what is too much.
func (h *hunt) undisguise(ctx context.Context, hits []hit) []hit {
	var patches []edit.Patch
	var forms []proposal // of them
	var of []int
	most := h.opts.Shown
	if h.suite.Slow() != "" {
		most = 1 // each trial is a run of its own
	}
	for i, x := range hits[:min(len(hits), most)] {
		for _, p := range x.plainForms() {
			patches, forms, of = append(patches, p.patch), append(forms, p), append(of, i)
		}
	}
	if len(hits) > 0 && most > 1 {
		for _, p := range leavingOut(h.sites, mostRivals) {
			if p.score = hits[0].score; slices.ContainsFunc(forms, p.sameAs) {
				continue
			}
			patches, forms, of = append(patches, p.patch), append(forms, p), append(of, len(hits))
		}
	}
	if len(patches) == 0 {
		return hits
	}
	plain := map[int]hit{}
	var rivals []hit
	for trial, err := range h.suite.TryAll(ctx, slices.Values(patches)) {
		if err != nil {
			return hits
		}
		switch i, x := of[trial.Index], (hit{proposal: forms[trial.Index], healed: trial.Healed, idle: true}); {
		case !trial.Plausible:
		case i == len(hits):
			rivals = append(rivals, x)
		case plain[i].site == nil || plain[i].silent:
			plain[i] = x
		}
	}
	var out, shut []hit
	for i, x := range hits {
		p, found := plain[i]
		x.idle = x.idle || found
		switch {
		case !found || p.silent:
			out = append(out, x)
		case p.shuts:
			shut = append(shut, x)
		default:
			out = append(out, p, x)
		}
	}
	out = mistaken(out)
	return append(slices.Insert(out, min(len(out), 1), rivals...), shut...)
}

// sameAs reports whether two proposals make the same edits.
func (p *proposal) sameAs(other proposal) bool {
	return p.site.File == other.site.File && slices.EqualFunc(p.edits, other.edits, func(a, b edit.Edit) bool {
		return a.Start == b.Start && a.End == b.End && string(a.New) == string(b.New)
	})
}

// mistaken puts a slip before the plain form of it: a not too many, an or in the place of an and, or half a condition the wrong way round is likelier than a
// question too many.
func mistaken(hits []hit) []hit {
	for i, p := range hits {
		if p.template != &plainly {
			continue
		}
		for j := i + 1; j < len(hits); j++ {
			x := hits[j]
			whole, _ := x.operand()
			if x.likelierThan(p) && x.branch() == p.site.Node || x.joins() && x.site.Node == p.site.Node || x.flips() && whole == p.site.Node {
				x.idle = true
				hits = slices.Insert(slices.Delete(hits, j, j+1), i, x)
				break
			}
		}
	}
	return hits
}

// likelierThan reports whether a hit mends a slip that is likelier than what is left without the question that it asks.
func (x *hit) likelierThan(plain hit) bool { return x.slips() || plain.always && x.contradicts() }

// slips reports whether a hit mends a slip that is likelier than a question too many.
func (x *hit) slips() bool { return x.turns() || x.joins() }

// turns reports whether a hit turns a condition round: a not is taken away, or put before it.
func (x *hit) turns() bool { return x.template.name == turnedRound || x.template.name == turnedWhole }

// joins reports whether a hit joins conditions in the other way.
func (x *hit) joins() bool { return x.template.name == joinedOtherwise }

// flips reports whether a hit asks for the opposite of what a comparison asks, and changes nothing else.
func (x *hit) flips() bool {
	n := x.site.Node
	return n.Is(code.Compare) && x.template.name == comparedOtherwise && len(x.edits) == 1 && contraries[n.Op] == strings.TrimSpace(string(x.edits[0].New))
}

// contradicts reports whether a hit asks whether two things are the same where it was asked whether they are not, or the other way round.
func (x *hit) contradicts() bool { return x.flips() && !strings.ContainsAny(x.site.Op, "<>") }

// branch is the if whose condition a hit changes, and nothing else; nil if there is none, or it has an else, or is one.
func (x *hit) branch() *code.Node {
	first, last := x.span()
	for n := x.site.Node; n != nil && n.Role != code.Function; n = n.Parent {
		if n.Role != code.If {
			continue
		}
		if x.second == nil && n.Kid(code.Cond).Holds(first, last) && n.Kid(code.Init) == nil && n.Kid(code.Else) == nil && n.Part == code.Stmt {
			return n
		}
		return nil
	}
	return nil
}

// operand is the whole of a condition of several, and the part of it that a hit changes, where that is one of two; nil: it is none.
func (x *hit) operand() (whole, part *code.Node) {
	first, last := x.span()
	for n := x.site.Node; n != nil && n.Role != code.Function; n = n.Parent {
		if n.Parent.Is(code.Logic) && n.Holds(first, last) && x.second == nil {
			return n.Parent, n
		}
	}
	return nil, nil
}

// end is what ends a statement that its node does not hold.
func (s *site) end(stmt *code.Node) string {
	if end := s.fact().End; end != "" && strings.HasPrefix(s.File.Source[stmt.End:], end) {
		return end
	}
	return ""
}
