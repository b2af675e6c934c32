package search

import (
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/near"
)

// otherVariable puts another variable of a fitting type in a variable's place.
func otherVariable(s *site, try func(change)) {
	if !s.Is(code.Name, code.Attr, code.Self) || s.written() || s.Part == code.Params || s.Part == code.Key || s.Part == code.Callee && s.Role != code.Name {
		return
	}
	text := s.Text()
	place := s.wanted()
	unknown := s.unknown()
	lacked := s.lacked()
	usual, missed := s.asOther(), s.missed()
	for i, v := range s.names() {
		if v.text == text || (s.Part == code.Callee) != v.fn && v.typ.is(kFunc) != (s.Part == code.Callee) {
			continue
		}
		fit := fits(v.typ, place)
		if lacked.known() && v.typ.known() {
			fit = max(fit, fits(v.typ, lacked))
		}
		if fit < 0.3 && s.anyKind() {
			fit = 0.3
		}
		if fit == 0 {
			continue
		}
		if unknown && (strings.HasPrefix(v.text, text) || strings.HasPrefix(text, v.text) || near.Likeness(text, v.text) >= near.Enough) {
			fit = 1 // cut short, or mistyped
		}
		w := s.likelier(v.text, missed, (1-min(0.04*float64(i), 0.4))*fit*v.weight*usual)
		try(replace(s.Node, v.text, w, "%s was used where %s is meant", quote(text), quote(v.text)))
	}
	s.namesAround(place, try)
	s.membersNear(place, try)
	s.ofAnother(try)
}

// likelier is how likely a variable is meant that was so likely, given what the call is handed beside it, and of what the branch hears that asks for none of it.
func (s *site) likelier(text string, missed []*code.Node, w float64) float64 {
	switch {
	case slices.ContainsFunc(missed, func(n *code.Node) bool { return n.Name == text }):
		return 1
	case s.handed(text):
		return w * twice
	}
	return w
}

// twice is how likely a call is meant to be handed the same thing twice, against another: its arguments are likelier to have changed places.
const twice = 0.4

// handed reports whether the call whose argument the node is has another argument that reads so.
func (s *site) handed(text string) bool {
	return s.Part == code.Arg && slices.ContainsFunc(s.Parent.All(code.Arg), func(n *code.Node) bool { return n != s.Node && n.Text() == text })
}

// fromAlike is how likely one of two members that are compared with one another is meant to be something else, against others.
const fromAlike = 0.3

// asOther is how likely the node is meant to be something else.
func (s *site) asOther() float64 {
	if s.Is(code.Attr) && s.alike() {
		return fromAlike
	}
	if len(s.keyOfOne()) > 0 {
		return otherKey
	}
	return 1
}

// alike reports whether the node is compared with what is the same of something else, as a.number with b.number.
func (s *site) alike() bool {
	if !s.Parent.Is(code.Compare) || !s.Parent.Kid(code.Left).Is(code.Attr) || !s.Parent.Kid(code.Right).Is(code.Attr) {
		return false
	}
	_, ok := sides(s.Parent)
	return ok
}

// ofAnother looks up by another key what a variable was looked up by: steps[need].wait where step is steps[name].
func (s *site) ofAnother(try func(change)) {
	if s.Role != code.Name || s.Part != code.Object || s.Function() == nil {
		return
	}
	for n := range s.Function().Own() {
		found, targets := n.Kid(code.Value), n.All(code.Target)
		if !n.Is(code.Assign) || len(targets) == 0 || targets[0].Text() != s.Name || !found.Is(code.Index) {
			continue
		}
		object, key := found.Kid(code.Object), found.Kid(code.At)
		if !key.Is(code.Name) || !s.reaches(object) {
			return
		}
		for i, v := range s.names() {
			if v.text != key.Name && v.local && !v.fn && fits(v.typ, s.of(key)) > 0.3 {
				text := object.Text() + "[" + v.text + "]"
				try(replace(s.Node, text, 0.7-min(0.05*float64(i), 0.4), "%s was used where %s is meant", quote(s.Name), quote(text)))
			}
		}
		return
	}
}

// Bounds of the members that are put in a variable's place.
const (
	mostMembers = 8
	nearMember  = 0.5 // in the same statement, against a variable; elsewhere half of that
)

// membersNear puts a member that the function reads in a variable's place.
func (s *site) membersNear(place typ, try func(change)) {
	if s.Role != code.Name || s.Part == code.Callee || s.Part == code.Object || s.Function() == nil {
		return
	}
	stmt, seen := s.Statement(), map[string]bool{}
	for n := range s.Function().Own() {
		of := n.Kid(code.Object)
		if n.Role != code.Attr || n.Part == code.Callee || !of.Is(code.Name) || s.isModule(of.Name) || !s.declared(of.Name) || seen[n.Text()] || len(seen) == mostMembers || s.at(n).written() {
			continue
		}
		seen[n.Text()] = true
		w := nearMember
		if n.Statement() != stmt {
			w /= 2
		}
		if fit := fits(s.of(n), place); fit > 0.3 {
			try(replace(s.Node, n.Text(), w*fit, "%s was used where %s is meant", quote(s.Name), quote(n.Text())))
		}
	}
}

// namesAround puts a name that other sources make known in a name's place.
func (s *site) namesAround(place typ, try func(change)) {
	if s.Role != code.Name {
		return
	}
	called := s.Part == code.Callee
	for i, o := range s.namesLike(s.Node) {
		fit := fits(o.typ(), place)
		if fit > 0 && called == (o.Kind == code.Callable) && (!called || o.takes(s.Parent)) {
			try(replace(s.Node, o.Name, fit*(0.4-0.02*float64(i)), "%s was used where %s is meant", quote(s.Name), quote(o.Name)))
		}
	}
}

// anyKind reports whether the value that stands there may be of the wrong kind altogether: what is done with it asks for none, and nothing has checked it.
func (s *site) anyKind() bool {
	if s.condition() {
		return true
	}
	return !s.fact().Static && (s.Parent.Is(code.Return, code.List) || s.Part == code.Value && s.Parent.Is(code.Assign, code.Pair) || s.Part == code.Arg && slices.Contains(growing, s.Parent.Calls()))
}

// lacked is what kind of value is asked for, where the one that stands there is of another; else it is not known.
func (s *site) lacked() typ {
	asked := s.askedFor()
	if is := s.of(s.Node); is.known() && asked.known() && fits(is, asked) == 0 {
		return asked
	}
	return typ{}
}

// askedFor is what kind of value is asked for by what is done with the one that stands there: what is compared is like what it is compared with, and so are
// the two sides of a sum; what a loop goes through, or is looked into, holds others.
func (s *site) askedFor() typ {
	other := s.Parent.Kid(code.Left)
	if s.Part == code.Left {
		other = s.Parent.Kid(code.Right)
	}
	switch {
	case s.fact().Static:
	case s.Parent.Is(code.Compare) && !strings.Contains(s.Parent.Op, "in"), s.Parent.Is(code.Arith) && s.Parent.Op != "*" && s.Parent.Op != "%":
		return typ{kind: s.of(other).kind}
	case s.Part == code.Iter:
		return typ{kind: kList | kMap | kText}
	}
	return typ{}
}

// wanted is what kind of variable could be meant where another one stands.
func (s *site) wanted() typ {
	switch {
	case s.Part == code.Callee, s.Role == code.Name && s.isCallable(s.Name):
		return typ{kind: kFunc}
	case s.unit.broken:
		return typ{} // perhaps it is of the wrong type
	case s.Role == code.Name && !s.declared(s.Name):
		return typ{} // the language's own, and perhaps taken for a variable of such a name
	}
	return s.of(s.Node)
}

// declared reports whether the source makes a name that is known at the site.
func (s *site) declared(name string) bool {
	return slices.ContainsFunc(s.Scope(), func(v code.Variable) bool { return v.Name == name })
}

// unknown reports whether the site is a name of which nobody knows what it stands for.
func (s *site) unknown() bool {
	return s.Role == code.Name && s.Part != code.Callee && !s.written() && s.Part != code.Key && !s.parameter() && !s.declared(s.Name) && !s.of(s.Node).known()
}

// isCallable reports whether a name is that of a function or class of the file.
func (s *site) isCallable(name string) bool {
	return slices.ContainsFunc(s.Scope(), func(v code.Variable) bool { return v.Name == name && v.Kind == code.Callable })
}

// otherTarget gives a value to another variable.
func otherTarget(s *site, try func(change)) {
	if s.Role == code.Index && s.Part == code.Target && s.Parent.Role == code.Assign {
		otherPlace(s, try)
		return
	}
	if !s.Is(code.Name, code.Attr) || !s.written() || s.Up(code.Comprehension) != nil && s.Part == code.Target {
		return
	}
	a := s.Up(code.Assign, code.Step, code.Each)
	if a == nil || a.Role == code.Each || a.Declares && s.File.Facts.BlockScoped {
		return
	}
	s.memberOf(try)
	place := s.of(s.Node)
	for i, v := range s.names() {
		if v.text == s.Text() || v.fn || !v.local || !readAfter(a, v.text) {
			continue
		}
		if fit := fits(v.typ, place); fit > 0.3 {
			try(replace(s.Node, v.text, (1-min(0.05*float64(i), 0.4))*fit, "%s is what should be given a value, not %s", quote(v.text), quote(s.Text())))
		}
	}
}

// otherPlace gives a value to another element or member that the statement, or one near it, reads.
func otherPlace(s *site, try func(change)) {
	seen := map[string]bool{s.Text(): true}
	for n := range s.Function().Own() {
		if !n.Is(code.Index) || n.Part == code.Target || seen[n.Text()] || strings.Contains(n.Text(), "\n") || !n.Kid(code.Object).Is(code.Name, code.Attr, code.Index) {
			continue
		}
		seen[n.Text()] = true
		w := 0.4
		if n.Start >= s.Parent.Start && n.End <= s.Parent.End {
			w = 0.9 // x[v] = min(…, x[v])
		}
		try(replace(s.Node, n.Text(), w, "%s is what should be given a value, not %s", quote(n.Text()), quote(s.Text())))
	}
}

// toVariable puts a variable in the place of a whole expression.
func toVariable(s *site, try func(change)) {
	if !s.value() || s.Is(code.Name, code.Attr, code.Group) || s.condition() && s.Role == code.Compare {
		return
	}
	w := 1.0
	if literal(s.Node) {
		w = 0.8
	}
	if s.Is(code.Null, code.Bool) {
		w = 0.4
	}
	place := s.of(s.Node)
	if place.kind == kBool && !literal(s.Node) {
		w = 0.5
	}
	for i, v := range s.names() {
		if i >= 12 || v.fn {
			continue
		}
		fit := fits(v.typ, place)
		if s.Role == code.Int && mentions(s.Parent.Text(), v.text) && s.Parent.Role == code.Arith {
			if s.Parent.Op != "*" {
				continue
			}
			fit *= 0.7 // a square is meant
		}
		if place.kind == kNull {
			fit = 0.6
		}
		if fit > 0 {
			try(replace(s.Node, v.text, w*fit*v.weight*(1-0.06*float64(i)), "%s was used where %s is meant", quote(s.Text()), quote(v.text)))
		}
	}
}

// wholeMembers are members that hold only what is left of a value, each with what is all of it: a span of two days has no seconds, and 172800 in total.
var wholeMembers = map[string]string{"Python seconds": "total_seconds()"}

// otherMember takes another member that the file knows, those of the same object first.
func otherMember(s *site, try func(change)) {
	if s.Role != code.Member || s.Parent.Part == code.Callee {
		return
	}
	tried := map[string]bool{s.Name: true}
	propose := func(other string, w float64) {
		if !tried[other] {
			tried[other] = true
			try(replace(s.Node, other, w, "the member %s was used where %s is meant", quote(s.Name), quote(other)))
		}
	}
	if whole := wholeMembers[s.fact().Family+" "+s.Name]; whole != "" && !s.at(s.Parent).written() {
		propose(whole, 0.9)
	}
	object := s.Parent.Kid(code.Object).Text()
	for _, weight := range []float64{1, 0.4} {
		for n := range s.File.Root.Walk() {
			switch {
			case n.Role == code.Member && n.Parent.Part != code.Callee && n.Part == code.Mem && (n.Parent.Kid(code.Object).Text() == object) == (weight == 1):
				propose(n.Name, weight)
			case n.Part == code.Key && n.Is(code.Name, code.Member) && weight < 1:
				propose(n.Name, weight)
			}
		}
	}
	place := s.of(s.Parent)
	for i, o := range s.membersLike(s.Node) {
		if fit := fits(o.typ(), place); o.Kind == code.Global && fit > 0 {
			propose(o.Name, fit*(0.6-0.02*float64(i)))
		}
	}
}

// toSize puts the size of something in the place of a number.
func toSize(s *site, try func(change)) {
	if !s.value() || s.condition() && s.Role == code.Compare {
		return
	}
	t := s.of(s.Node)
	if t.known() && !t.is(kInt|kNull) {
		return
	}
	for i, v := range s.names() {
		if v.fn || v.typ.known() && !v.typ.is(kList|kText|kMap) || i >= 12 {
			continue
		}
		text := s.size(v)
		if text != "" && text != s.Text() && v.text != s.Text() {
			try(replace(s.Node, text, fits(v.typ, typ{kind: kList | kText | kMap})*(1-0.05*float64(i)), "%s should be %s", quote(s.Text()), quote(text)))
		}
	}
}

// stepOfOne goes on by one where it is gone on by a size.
func (s *site) stepOfOne(try func(change)) {
	size := s.Is(code.Attr) && s.Name == "length" || s.Is(code.Call) && (s.Calls() == "len" || s.Calls() == "length" || s.Calls() == "size")
	if size && s.Part == code.Right && s.Parent.Is(code.Arith) && (s.Parent.Op == "+" || s.Parent.Op == "-") {
		try(replace(s.Node, "1", 0.6, "%s should be %s", quote(s.Text()), quote("1")))
	}
}

// size spells how much something holds.
func (s *site) size(v name) string {
	switch s.fact().Family {
	case "Python", "Go":
		return "len(" + v.text + ")"
	case "Java":
		switch {
		case v.typ.is(kText):
			return v.text + ".length()"
		case len(v.typ.names) > 0 && strings.HasSuffix(v.typ.names[0], "[]"):
			return v.text + ".length"
		}
		return v.text + ".size()"
	}
	return v.text + ".length"
}
