package search

import (
	"slices"

	"fettle/internal/code"
	"fettle/internal/edit"
)

// throughAnother looks up in a list by what another list holds at a place, wherever a statement looks up by the place itself: strengths of players, who are numbers, by players[i]
// and not by i.
func (s *site) throughAnother(try func(change)) {
	object := s.Kid(code.Object)
	if !s.Is(code.Index) || !plainValue(object) || s.Statement() == nil {
		return
	}
	var places []*code.Node
	for n := range s.Statement().Walk() {
		if n.Is(code.Index) && n.Kid(code.Object).Text() == object.Text() && n.Part != code.Target && n.Kid(code.At) != nil {
			if len(places) == 0 && n != s.Node {
				return // the first of them proposes
			}
			places = append(places, n.Kid(code.At))
		}
	}
	if len(places) < 2 || len(places) > mostClones {
		return
	}
	for i, list := range s.names() {
		if list.fn || list.text == object.Text() || !list.typ.is(kList) || i >= mostThrough {
			continue
		}
		edits := make([]edit.Edit, len(places))
		for j, at := range places {
			edits[j] = edit.Edit{Start: at.Start, End: at.End, New: []byte(s.elementIn(list, at.Text()))}
		}
		try(change{edits, 0.6, quote(object.Text()) + " is looked up in by what " + quote(list.text) + " holds, not by the place in it"})
	}
}

// mostThrough bounds the variables through which one looks up.
const mostThrough = 10

// placeItself is the place at which something was looked up, in the place of what stands there.
func (s *site) placeItself(try func(change)) {
	at := s.Kid(code.At)
	if !s.Is(code.Index) || at == nil || literal(at) || !slices.Contains([]code.Part{code.Value, code.Arg, code.Elem}, s.Part) && !s.Parent.Is(code.Return) {
		return
	}
	if t := s.of(at); t.known() && !t.is(kInt) {
		return
	}
	try(replace(s.Node, at.Text(), 0.7, "the place %s is meant, not what stands there", quote(at.Text())))
}
