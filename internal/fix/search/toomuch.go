package search

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"fettle/internal/code"
	"fettle/internal/edit"
)

// plainly is the idea of doing without something: a condition, a branch, a loop, a jump. It is never tried before the others, nor ever believed: a branch that is gone satisfies too many tests.
var plainly = template{name: "plainly", prior: 0.1, precision: 0.5}

// Bounds of what is left out where nothing else heals.
const (
	mostLeftOut = 120 // places, the likeliest first
	leastTime   = 8   // the part of the search's time that is kept for it
	mostRivals  = 24  // places, where something else heals
)

// withoutOne tries the source without one branch, loop, case or jump. It is for where nothing else passes every test: each of these is for a person to say.
func (h *hunt) withoutOne(ctx context.Context) (found, error) {
	most := mostLeftOut
	if h.suite.Slow() != "" {
		most = h.opts.Shown // each trial is a run of its own
	}
	limited, cancel := context.WithTimeout(ctx, max(h.opts.Time/leastTime, time.Second))
	defer cancel()
	out, err := h.trials(ctx, limited, slices.Values(leavingOut(h.sites, most)), most)
	for i := range out.whole {
		out.whole[i].idle = true
	}
	return out, err
}

// leavingOut are the sources that lack one branch, loop, case or jump each, of the hottest sites first, so many at most.
func leavingOut(all []*site, most int) (out []proposal) {
	seen := map[string]bool{}
	for _, s := range all {
		if s.hears() != nil {
			continue
		}
		for _, c := range s.without() {
			if p, ok := s.proposal(&plainly, c, seen); ok {
				p.score = s.score * plainly.prior * c.weight
				out = append(out, p)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b proposal) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.size, b.size)) })
	return out[:min(len(out), most)]
}

// without are the sources that lack the branch, loop, case or jump at a site; a branch that has others goes alone.
func (s *site) without() []change {
	if s.Function() == nil || s.Parent == nil {
		return nil
	}
	switch {
	case s.Part == code.Else && s.Parent.Is(code.If):
		return s.withoutArm()
	case s.Role == code.Case:
		return s.leftOut("what is done at " + quote(firstOf(s.Text())))
	case !s.isStatement() || len(s.Parent.All(code.Stmt)) < 2:
		return nil
	case s.Role == code.If && s.Kid(code.Else) != nil:
		return s.withoutFirst()
	case s.Is(code.If):
		return s.leftOut("what is done where " + quote(s.Kid(code.Cond).Text()) + " holds")
	case s.Is(code.While, code.For, code.Each, code.Switch):
		return s.leftOut("the " + wordFor(s.Node) + " " + quote(firstOf(s.Text())))
	case s.Is(code.Return, code.Break, code.Continue) && (s.Next() != nil || s.Parent.Parent.Role != code.Function):
		return append(s.leftOut(quote(s.Text())), s.withoutAhead()...)
	}
	return nil
}

// hears are the variables that the statement before a branch assigns and that the branch alone reads, as one does that hears of an error: nobody assigns
// what is never read, so it is no branch too many.
func (s *site) hears() (out []*code.Node) {
	before := s.Prev()
	if s.Role != code.If || s.Part != code.Stmt || s.Function() == nil || !before.Is(code.Assign) {
		return nil
	}
	for _, t := range before.All(code.Target) {
		if t.Role == code.Name && s.readsAlone(t) {
			out = append(out, t)
		}
	}
	return out
}

// protects reports whether a branch goes away where there is nothing that the statements behind it look into: it is needed although no test comes there.
func (s *site) protects() bool {
	subject := s.Kid(code.Cond)
	for subject.Is(code.Group, code.Not) {
		subject = subject.Kid(code.Operand)
	}
	if l, r := subject.Kid(code.Left), subject.Kid(code.Right); subject.Is(code.Compare) {
		switch {
		case r.Is(code.Null):
			subject = l
		case l.Is(code.Null):
			subject = r
		default:
			return false
		}
	}
	if !s.Is(code.If) || s.Part != code.Stmt || s.Kid(code.Else) != nil || !leaves(s.Kid(code.Then)) || !subject.Is(code.Name, code.Attr) {
		return false
	}
	for stmt := s.Next(); stmt != nil; stmt = stmt.Next() {
		for n := range stmt.Walk() {
			if n.Part == code.Object && n.Text() == subject.Text() {
				return true
			}
		}
	}
	return false
}

// missed are the variables that the branch hears of in whose condition the site stands, where that asks for none of them: what it asks is likelier to be wrong
// than how.
func (s *site) missed() []*code.Node {
	cond := s.Node
	for cond.Part != code.Cond && cond.Parent.Is(code.Compare, code.Logic, code.Group, code.Not) {
		cond = cond.Parent
	}
	if cond.Part != code.Cond {
		return nil
	}
	heard := s.at(cond.Parent).hears()
	if slices.ContainsFunc(heard, func(v *code.Node) bool { return mentions(cond.Text(), v.Name) }) {
		return nil
	}
	return heard
}

// readsAlone reports whether a variable is read at the site, and not behind it until it is assigned again, nor ahead of it where a loop comes back.
func (s *site) readsAlone(variable *code.Node) bool {
	inside, loop := false, s.Up(code.For, code.While, code.Each)
	for n := range s.Function().Walk() {
		switch {
		case n.Role != code.Name || n.Name != variable.Name || n == variable:
		case s.Holds(n.Start, n.End):
			inside = inside || !s.at(n).written()
		case n.Start >= s.End && s.at(n).written() && loop == nil:
			return inside
		case (n.Start >= s.End || loop.Holds(n.Start, n.End)) && !s.at(n).written():
			return false
		}
	}
	return inside
}

// withoutAhead is a branch that does nothing but jump: without all that it does before, which are several statements.
func (s *site) withoutAhead() []change {
	all := s.Parent.All(code.Stmt)
	if s.Next() != nil || len(all) < 3 || s.Parent.Parent.Role != code.If || slices.ContainsFunc(all[:len(all)-1], func(n *code.Node) bool { return !plain(n) }) {
		return nil
	}
	return []change{{[]edit.Edit{{Start: all[0].Start, End: s.Start}}, 1, "what is done before " + quote(s.Text()) + " may not belong there"}}
}

// leftOut is the source without the site's node.
func (s *site) leftOut(what string) []change {
	start, end := span(s.Node)
	return []change{{[]edit.Edit{{Start: start, End: end}}, 1, what + " may not belong there"}}
}

// withoutArm is a branch without one of its others, which what follows it takes the place of.
func (s *site) withoutArm() []change {
	why := "the branch " + quote(firstOf(s.Text())) + " may not belong there"
	if s.Role != code.If {
		why = "what is done where no condition holds may not belong there"
	}
	start, end := s.Parent.Kid(code.Then).End, s.End
	if p := s.Prev(); p != nil && p.Part == code.Else {
		start = p.End
	}
	if next := s.Kid(code.Else); next != nil {
		end = next.Start
		start = s.Start
	}
	return []change{{[]edit.Edit{{Start: start, End: end}}, 1, why}}
}

// withoutFirst is a chain of branches without its first.
func (s *site) withoutFirst() []change {
	next := s.Kid(code.Else)
	if !next.Is(code.If) {
		return nil
	}
	end := next.Start
	if strings.HasPrefix(next.Text(), "elif") {
		end += len("el")
	}
	return []change{{[]edit.Edit{{Start: s.Start, End: end}}, 1, "the branch " + quote(firstOf(s.Text())) + " may not belong there"}}
}

// mostAround bounds of how many statements around an edit it is asked whether they are needed.
const mostAround = 3

// plainForms are the sources without what a hit changes a part of: without the condition of a branch, or without a branch, loop, case or jump around it.
func (x *hit) plainForms() (out []proposal) {
	if x.second != nil || x.template == &plainly {
		return nil
	}
	put := func(s *site, c change) {
		if p, ok := s.proposal(&plainly, c, map[string]bool{}); ok {
			p.score = x.score
			out = append(out, p)
		}
	}
	if branch := x.branch(); branch != nil {
		x.unconditional(branch, put)
		shut(out, branch)
	}
	if whole, part := x.operand(); whole != nil && x.template.name != dropsOperand {
		other := whole.Kid(code.Left)
		if other == part {
			other = whole.Kid(code.Right)
		}
		put(x.site.at(whole), replace(whole, other.Text(), 1, "%s may not belong in %s", quote(part.Text()), quote(whole.Text())))
	}
	first, last := x.span()
	around := 0
	for n := x.site.Node; n != nil && n.Role != code.Function && around < mostAround; n = n.Parent {
		if !n.Holds(first, last) {
			continue
		}
		forms := 0
		for _, s := range append([]*site{x.site.at(n)}, x.arms(n)...) {
			from := len(out)
			for _, c := range s.without() {
				put(s, c)
				forms++
			}
			silence(out[from:], s)
			if plain(s.Node) && len(s.Parent.All(code.Stmt)) > 1 { // nobody writes a branch that does nothing
				deleteStatement(s, func(c change) { put(s, c); forms++ })
			}
		}
		if jump := jumpBehind(n); jump != nil {
			for _, c := range x.site.at(jump).withoutAhead() {
				put(x.site.at(jump), c)
				forms++
			}
		}
		if forms > 0 {
			around++
		}
	}
	return out
}

// arms are the others of a branch whose condition a hit changes.
func (x *hit) arms(branch *code.Node) (out []*site) {
	if branch.Role != code.If || !branch.Kid(code.Cond).Holds(x.span()) {
		return nil
	}
	for _, arm := range branch.All(code.Else) {
		out = append(out, x.site.at(arm))
	}
	return out
}

// jumpBehind is what a block ends with, behind a statement of it; nil: it ends with no jump.
func jumpBehind(stmt *code.Node) *code.Node {
	all := stmt.Parent.All(code.Stmt)
	if stmt.Part != code.Stmt || len(all) == 0 || all[len(all)-1] == stmt || !all[len(all)-1].Is(code.Return, code.Break, code.Continue) {
		return nil
	}
	return all[len(all)-1]
}

// silence notes of what leaves a branch out whether anybody hears any more of what was assigned before it, or whether what it keeps from those behind it now
// comes to them.
func silence(forms []proposal, branch *site) {
	deaf := branch.hears() != nil || branch.protects()
	for i := range forms {
		forms[i].silent = deaf
	}
}

// shut notes of what takes a branch that it is always taken, and whether anything behind it is reached any more.
func shut(forms []proposal, branch *code.Node) {
	for i := range forms {
		forms[i].always = true
		forms[i].shuts = branch.Next() != nil && leaves(branch.Kid(code.Then))
	}
}

// leaves reports whether what a branch does ends with going away.
func leaves(then *code.Node) bool {
	if all := then.All(code.Stmt); then.Is(code.Block) && len(all) > 0 {
		then = all[len(all)-1]
	}
	return then.Is(code.Return, code.Raise, code.Break, code.Continue)
}

// unconditional puts what a branch does in its place.
func (x *hit) unconditional(branch *code.Node, put func(*site, change)) {
	s := x.site.at(branch)
	then := branch.Kid(code.Then)
	body := []*code.Node{then}
	if then.Is(code.Block) {
		body = then.All(code.Stmt)
	}
	var lines []string
	for _, stmt := range body {
		lines = append(lines, reindented(stmt, branch.Indent())+s.end(stmt))
	}
	if len(lines) > 0 {
		put(s, replace(branch, strings.Join(lines, "\n"+branch.Indent()), 1, "whatever %s says, %s may have to be done", quote(branch.Kid(code.Cond).Text()), quote(firstOf(body[0].Text()))))
	}
}
