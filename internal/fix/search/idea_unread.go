package search

import (
	"iter"
	"slices"

	"fettle/internal/code"
)

// How likely what is never read belongs into an update as others do, against taking it out again; and by another operator.
const (
	alikeUnread = 0.5
	addedUnread = 0.4
	takenUnread = 0.3
)

// unreadVariable takes a value that a function keeps and never reads out of what it, or its class, updates by an operator, or into it: an oldest reading that
// leaves the window leaves the total, too.
func unreadVariable(s *site, try func(change)) {
	given := s.givesUnread()
	if given == nil {
		return
	}
	seen := map[operation]bool{}
	for n, o := range s.updatesAround() {
		target, value := n.Kid(code.Target), n.Kid(code.Value)
		if !s.reaches(target) || s.of(target).kind&^kNumber != 0 || fits(s.of(given), s.of(value)) == 0 {
			continue
		}
		for _, update := range []struct {
			op     string
			weight float64
		}{{inverses[o.op], 1}, {o.op, alikeUnread}, {"+=", addedUnread}, {"-=", takenUnread}} {
			text := s.statement(o.target + " " + update.op + " " + given.Name)
			if key := (operation{target: o.target, op: update.op}); !seen[key] {
				seen[key] = true
				c := s.after(text, update.weight)
				c.why = quote(given.Name) + " was never read: " + c.why
				try(c)
			}
		}
	}
}

// givesUnread is the one variable that a statement gives a value, if nobody ever reads it; else nil.
func (s *site) givesUnread() *code.Node {
	if !s.isStatement() || !s.Alone() {
		return nil
	}
	given := assignment(s.Node)
	targets := given.All(code.Target)
	if !given.Is(code.Assign) || given.Kid(code.Value) == nil || len(targets) != 1 || !targets[0].Is(code.Name) || !slices.Contains(s.unit.unused(s.Function()), targets[0].Name) {
		return nil
	}
	return targets[0]
}

// updatesAround are the assignments of the site's own function that update something by an operator, and then those of the other methods of its class.
func (s *site) updatesAround() iter.Seq2[*code.Node, operation] {
	return func(yield func(*code.Node, operation) bool) {
		own := s.Function()
		for _, around := range []*code.Node{own, s.Up(code.Class)} {
			for n := range around.Walk() {
				if !n.Is(code.Assign) || around != own && own.Holds(n.Start, n.End) {
					continue
				}
				if o, ok := operationOf(n); ok && !yield(n, o) {
					return
				}
			}
		}
	}
}

// reaches reports whether what stands elsewhere is the same where the site stands: all its variables are known there, or are none of its own place's.
func (s *site) reaches(n *code.Node) bool {
	for k := range n.Walk() {
		if k.Role == code.Name && !s.declared(k.Name) && s.at(k).declared(k.Name) {
			return false
		}
	}
	return true
}
