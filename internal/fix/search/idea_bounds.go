package search

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
)

// otherBound asks for the other end, too, where one end alone is asked for: who keeps an index from running past the end forgets that it may be negative, and
// the other way round. And it asks whether what is looked into is long enough.
func otherBound(s *site, try func(change)) {
	at, r := s.Kid(code.Left), s.Kid(code.Right)
	if s.Role != code.Compare || s.Parent.Is(code.Compare) || !at.Is(code.Name, code.Attr, code.Index) || r == nil || s.bounded(at) || s.noNumber(at) || s.noNumber(r) {
		return
	}
	f, low := s.fact(), r.Text() == "0"
	switch {
	case strings.HasPrefix(s.Op, "<") && low:
		for i, size := range s.sizesAt(at.Text()) {
			s.bound(at, s.Text()+" "+f.Or+" "+at.Text()+" >= "+size, f.Or, 1-0.2*float64(i), try)
		}
	case strings.HasPrefix(s.Op, ">") && low:
		for i, size := range s.sizesAt(at.Text()) {
			s.bound(at, s.Text()+" "+f.And+" "+at.Text()+" < "+size, f.And, 1-0.2*float64(i), try)
		}
	case strings.HasPrefix(s.Op, "<"): // people ask for the lower end first
		s.bound(at, at.Text()+" >= 0 "+f.And+" "+s.Text(), f.And, 1, try)
		if r.Is(code.Int, code.Float) {
			s.bound(at, s.Text()+" "+f.And+" "+at.Text()+" >"+s.Op[1:]+" -"+r.Text(), f.And, belowToo, try)
			for i, low := range s.otherEnds(true) {
				s.bound(at, at.Text()+" >= "+low+" "+f.And+" "+s.Text(), f.And, 0.7-0.1*float64(i), try)
			}
		}
	case strings.HasPrefix(s.Op, ">"):
		s.bound(at, at.Text()+" < 0 "+f.Or+" "+s.Text(), f.Or, 1, try)
		if r.Is(code.Int, code.Float) {
			s.bound(at, s.Text()+" "+f.Or+" "+at.Text()+" <"+s.Op[1:]+" -"+r.Text(), f.Or, belowToo, try)
			for i, high := range s.otherEnds(false) {
				s.bound(at, s.Text()+" "+f.And+" "+at.Text()+" <= "+high, f.And, 0.7-0.1*float64(i), try)
			}
		}
	}
}

// lowerEnds asks for the lower end of everything of which a condition asks for the upper one: of row and column, each.
func (s *site) lowerEnds(try func(change)) {
	if s.Role != code.Logic || s.Op != strings.TrimSpace(s.fact().And) || s.Parent.Is(code.Logic) {
		return
	}
	var edits []edit.Edit
	for n := range s.Walk() {
		at, end := n.Kid(code.Left), n.Kid(code.Right)
		if n.Role != code.Compare || n.Op != "<" || !at.Is(code.Name) || end.Is(code.Int, code.Float) && !s.fact().Static || n.Parent.Is(code.Compare, code.Not) || n.Parent.Is(code.Logic) && n.Parent.Op != s.Op || s.bounded(at) {
			continue
		}
		text := at.Name + " >= 0 " + s.fact().And + " "
		if s.fact().Family == "Python" {
			text = "0 <= "
		}
		edits = append(edits, edit.Edit{Start: n.Start, End: n.Start, New: []byte(text)})
	}
	if len(edits) > 1 {
		try(change{edits, 1, "the lower ends are not asked for"})
	}
}

// mostEnds bounds how many numbers are asked for as the other end.
const mostEnds = 4

var wholeNumbers = regexp.MustCompile(`\b\d+\b`)

// otherEnds are numbers that the function has, or its documentation, on the other side of the end that is asked for: what is at most 26 may have to be at least 10. The nearest come first.
func (s *site) otherEnds(below bool) (out []string) {
	end, err := strconv.Atoi(s.Kid(code.Right).Text())
	fn := s.Function()
	if err != nil || fn == nil {
		return nil
	}
	var all []int
	for _, text := range wholeNumbers.FindAllString(documentation(fn)+" "+fn.Text(), -1) {
		if n, err := strconv.Atoi(text); err == nil && n > 0 && n != end && (n < end) == below && !slices.Contains(all, n) {
			all = append(all, n)
		}
	}
	slices.SortFunc(all, func(a, b int) int { return abs(a-end) - abs(b-end) })
	for _, n := range all[:min(len(all), mostEnds)] {
		out = append(out, strconv.Itoa(n))
	}
	return out
}

// belowToo is how likely the other end is as far below zero, against zero itself.
const belowToo = 0.9

// bound puts a condition with both ends in the place of the node.
func (s *site) bound(at *code.Node, text, op string, weight float64, try func(change)) {
	if s.Parent.Is(code.Logic) && s.Parent.Op != op || s.Parent.Is(code.Not) {
		text = "(" + text + ")"
	}
	try(replace(s.Node, text, weight, "%s was asked for at one end alone", quote(at.Text())))
}

// noNumber reports whether a node is known to be something else than a number.
func (s *site) noNumber(n *code.Node) bool {
	t := s.of(n)
	return t.known() && !t.is(kNumber)
}

// bounded reports whether the condition that the node belongs to compares a value more than once.
func (s *site) bounded(value *code.Node) bool {
	top := s.Node
	for top.Parent.Is(code.Logic, code.Group, code.Not, code.Compare) {
		top = top.Parent
	}
	n := 0
	for c := range top.Walk() {
		if c.Role != code.Compare {
			continue
		}
		for _, side := range []*code.Node{c.Kid(code.Left), c.Kid(code.Right)} {
			if side != nil && side.Text() == value.Text() {
				n++
			}
		}
	}
	return n > 1
}

// mostSizes bounds of how many collections the size is asked.
const mostSizes = 3

// sizesAt are the sizes of what the function looks up by a value.
func (s *site) sizesAt(value string) (out []string) {
	fn, seen := s.Function(), map[string]bool{}
	if fn == nil {
		return nil
	}
	for n := range fn.Own() {
		at, object := n.Kid(code.At), n.Kid(code.Object)
		if n.Role != code.Index || at == nil || at.Text() != value || object == nil || seen[object.Text()] || len(out) == mostSizes {
			continue
		}
		seen[object.Text()] = true
		out = append(out, s.size(name{text: object.Text(), typ: s.of(object)}))
	}
	return out
}

// longEnough asks whether there is an element before a condition looks at it, where looking at one that is not there is an error.
func (s *site) longEnough(try func(change)) {
	if s.fact().Silent || !s.Is(code.Compare, code.Call, code.Not) || !s.condition() || s.Parent.Is(code.Not) || s.Part == code.Right && s.Parent.Is(code.Logic) && s.Parent.Op == s.fact().And {
		return
	}
	seen := map[string]bool{}
	for n := range s.Walk() {
		there := s.thereIs(n)
		if there == "" || seen[there] || mentions(s.Function().Text(), there) {
			continue
		}
		seen[there] = true
		text := there + " " + s.fact().And + " " + s.Text()
		if s.Parent.Is(code.Logic) && s.Parent.Op != s.fact().And {
			text = "(" + text + ")"
		}
		try(replace(s.Node, text, 0.9, "the condition looks at what need not be there: it lacks %s", quote(there+" "+s.fact().And)))
	}
}

// thereIs asks whether a node finds what it looks at in a text or a list; no text if it is not known how.
func (s *site) thereIs(n *code.Node) string {
	object := n.Kid(code.Object)
	if object == nil || !plainValue(object) {
		return ""
	}
	size := s.size(name{text: object.Text(), typ: s.of(object)})
	if t := s.of(object); size == "" || t.known() && !t.is(kText|kList) {
		return ""
	}
	at, atLeast := n.Kid(code.At), n.Kid(code.High)
	switch {
	case n.Is(code.Index) && at.Is(code.Int):
		return size + " > " + at.Text()
	case n.Is(code.Index) && at.Is(code.Arith) && at.Op == "+" && at.Kid(code.Left).Is(code.Name):
		return at.Text() + " < " + size
	case n.Is(code.Index) && at.Is(code.Arith) && at.Op == "-" && at.Kid(code.Left).Is(code.Name) && at.Kid(code.Right).Is(code.Int):
		return at.Kid(code.Left).Text() + " >= " + at.Kid(code.Right).Text()
	case n.Is(code.Slice) && atLeast.Is(code.Int) && !s.fact().Wraps:
		return size + " >= " + atLeast.Text()
	}
	return ""
}

// ranges are the letters at one end of what people mean by a kind of letters, each with the one at the other end.
var ranges = map[string]string{"a": "z", "z": "a", "A": "Z", "Z": "A", "0": "9", "9": "0"}

// otherLetter asks for the other end of the letters, or of the digits, where one end alone is asked for: c > 'z' lets in all that comes before 'a'.
func (s *site) otherLetter(try func(change)) {
	at, end := s.Kid(code.Left), s.Kid(code.Right)
	if s.Role != code.Compare || !strings.ContainsAny(s.Op, "<>") || !end.Is(code.Str, code.Char) || len(end.Text()) != len(`"z"`) || s.bounded(at) {
		return
	}
	other := ranges[end.Text()[1:2]]
	if other == "" {
		return
	}
	op, word := map[byte]string{'<': ">", '>': "<"}[s.Op[0]], s.fact().Or
	if inside := end.Text()[1:2] < other == (s.Op[0] == '>'); inside {
		op, word = op+"=", s.fact().And
	}
	text := at.Text() + " " + op + " " + end.Text()[:1] + other + end.Text()[2:]
	s.bound(at, s.Text()+" "+word+" "+text, word, 1, try)
}

// roundTheEnd lets a stretch go on at the beginning where it goes over the end, as an evening does at midnight: where it begins behind where it ends, it is enough to be
// behind the one or before the other.
func (s *site) roundTheEnd(try func(change)) {
	from, to, f := s.Kid(code.Left), s.Kid(code.Right), s.fact()
	if !s.Is(code.Logic) || s.Op != f.And || !from.Is(code.Compare) || !to.Is(code.Compare) || from.Op == "" || to.Op == "" || s.Parent.Is(code.Logic, code.Not) {
		return
	}
	at, low, high := from.Kid(code.Left).Text(), from.Kid(code.Right), to.Kid(code.Right)
	if from.Op[0] != '>' || to.Op[0] != '<' || to.Kid(code.Left).Text() != at || literal(low) || literal(high) || strings.Contains(s.Function().Text(), low.Text()+" > "+high.Text()) {
		return
	}
	more := low.Text() + " > " + high.Text() + " " + f.And + " (" + from.Text() + " " + f.Or + " " + to.Text() + ")"
	try(replace(s.Node, s.Text()+" "+f.Or+" "+more, 0.8, "what begins at %s may go over the end and come to %s from the beginning", quote(low.Text()), quote(high.Text())))
}
