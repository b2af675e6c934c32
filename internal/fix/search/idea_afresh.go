package search

import (
	"iter"
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
)

// Weights of the places at which a value begins afresh.
const (
	unbegun  = 1.0 // before the loop in which it grows, and nothing says what it begins with
	perRound = 0.9 // before such a loop, once more each time that the loop around it turns
	handedOn = 0.9 // behind the statement that hands it on
)

// beginAfresh lets what grows (a sum, a text, a collection) begin with nothing, where nobody has said what it begins with, or where what it has gathered
// belongs to the round before.
func beginAfresh(s *site, try func(change)) {
	if !s.isStatement() || !s.Alone() {
		return
	}
	s.entryOnce(try)
	s.emptyOther(try)
	s.otherwiseAfresh(try)
	s.deeper(try)
	s.eachRound(try)
	s.defaultAfresh(try)
	around := s.Up(code.For, code.Each, code.While, code.Function)
	for v, first := range s.growing() {
		text := s.statement(v.Name + " = " + first)
		switch {
		case s.beginsWith(text):
		case s.Is(code.For, code.Each, code.While) && grows(s.Node, v.Name):
			if !s.begun(v.Name) {
				try(s.before(text, unbegun))
			} else if around.Is(code.For, code.Each, code.While) && !within(v, around) {
				try(s.before(text, perRound))
			}
		case s.Is(code.Eval, code.Assign) && around.Is(code.For, code.Each, code.While) && !within(v, around) && grows(around, v.Name) && !s.touches(v.Name):
			try(s.after(text, handedOn))
		}
	}
}

// otherwiseAfresh begins to count anew in one branch of a loop what another one counts up, where that never does: so many wrong ones in a row.
func (s *site) otherwiseAfresh(try func(change)) {
	then, other := s.Kid(code.Then), s.Kid(code.Else)
	if !s.Is(code.If) || other == nil || !s.Up(code.For, code.Each, code.While, code.Function).Is(code.For, code.Each, code.While) {
		return
	}
	for v, first := range s.growing() {
		for _, p := range [][2]*code.Node{{then, other}, {other, then}} {
			last := lastOf(p[0])
			if !p[0].Is(code.Block) || mentions(p[0].Text(), v.Name) || !grows(p[1], v.Name) || last == nil || !last.Alone() {
				continue
			}
			text := s.statement(v.Name + " = " + first)
			try(change{[]edit.Edit{doneLast(last, text)}, 0.8, quote(v.Name) + " goes on from what it was: " + quote(text) + " was missing"})
		}
	}
}

// beginsWith reports whether the statement that a text is to be put beside says the same.
func (s *site) beginsWith(text string) bool {
	for _, n := range []*code.Node{s.Prev(), s.Node, s.Next()} {
		if n != nil && strings.HasSuffix(unspaced(n.Text()), unspaced(text)) {
			return true
		}
	}
	return false
}

// growing are the variables in this statement that grow in its function, by where each is first written, with what they begin with.
func (s *site) growing() iter.Seq2[*code.Node, string] {
	return func(yield func(*code.Node, string) bool) {
		fn, seen := s.Function(), map[string]bool{}
		for n := range fn.Own() {
			if n.Role != code.Name || seen[n.Name] || n.Start > s.End || !s.at(n).written() {
				continue
			}
			seen[n.Name] = true
			if !mentions(s.Text(), n.Name) || !grows(fn, n.Name) {
				continue
			}
			if first := s.first(fn, n); first != "" && !yield(n, first) {
				return
			}
		}
	}
}

// first is what a variable begins with: what some assignment gives it that is empty, else what suits the way in which it grows.
func (s *site) first(fn, v *code.Node) (first string) {
	for n := range fn.Own() {
		if n.Role == code.Assign && first == "" {
			first = beginsAmong(n, v.Name)
		}
		if n.Role != code.Assign || len(n.All(code.Target)) != 1 || !n.Kid(code.Target).Is(code.Name) || n.Kid(code.Target).Name != v.Name {
			continue
		}
		switch value := n.Kid(code.Value); {
		case s.beginsEmpty(n):
			return value.Text()
		case first == "" && (n.Op == "=" || n.Op == ":=") && value.Is(code.Int):
			first = value.Text() // the first of a kind is counted already
		case n.Op == "=" && value.Is(code.Str):
			first = emptied(value)
		case !adds(n, v.Name):
		case n.Op == "=" && value.Is(code.Call): // append, as nothing else adds so
			first = s.fact().Null
		case s.at(value).of(value).is(kText):
			first = emptied(value)
		case first == "":
			first = "0"
		}
	}
	return first
}

// beginsAmong is the number that an assignment to several variables gives to one of them; empty if it gives it none.
func beginsAmong(n *code.Node, name string) string {
	targets, values := n.All(code.Target), n.All(code.Value)
	i := slices.IndexFunc(targets, func(t *code.Node) bool { return t.Is(code.Name) && t.Name == name })
	if len(targets) < 2 || len(targets) != len(values) || i < 0 || !values[i].Is(code.Int) {
		return ""
	}
	return values[i].Text()
}

// emptied is the empty text, in the quotes of another one.
func emptied(like *code.Node) string {
	if strings.HasPrefix(like.Text(), "'") {
		return "''"
	}
	return `""`
}

// begun reports whether a variable is given a value before this statement that does not come from itself.
func (s *site) begun(name string) bool {
	for n := range s.Function().Own() {
		if n.Start < s.Start && n.Kid(code.Value) != nil && makesAnew(n, name) && !s.cutOff(n) {
			return true
		}
	}
	return false
}

// cutOff reports whether a node stands in a block that never comes to this statement.
func (s *site) cutOff(n *code.Node) bool {
	for at := n.Up(code.Block); at != nil && !within(s.Node, at); at = at.Up(code.Block) {
		if last := lastOf(at); last != nil && ends(last) {
			return true
		}
	}
	return false
}

// touches reports whether a statement itself writes to a variable, or lets it grow.
func (s *site) touches(name string) bool {
	return grows(s.Node, name) || s.gives(name)
}

// within reports whether a node stands in another one.
func within(n, in *code.Node) bool { return in.Holds(n.Start, n.End) }
