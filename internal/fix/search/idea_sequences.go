package search

import (
	"fmt"
	"slices"
	"strings"

	"fettle/internal/code"
)

// Families about what is in an order: elements, slices, comprehensions.
var sequenceTemplates = []template{
	{"slice", 0.40, 0.72, each((*site).otherPart, slice)},
	{"element", 0.28, 0.68, each((*site).placeItself, element)},
	{"empty-literal", 0.35, 0.70, emptyLiteral},
	{"elements", 0.25, 0.65, elements},
	{"to-element", 0.16, 0.65, each((*site).throughAnother, (*site).ofFirst, toElement)},
	{"list-of-lists", 0.30, 0.80, each((*site).copyDeeper, listOfLists)},
}

// cut spells a slice; an empty bound is open.
func (s *site) cut(object, low, high string) string {
	switch s.fact().Family {
	case "Python", "Go":
		return object + "[" + low + ":" + high + "]"
	case "Java":
		if low == "" {
			low = "0"
		}
		call := ".substring("
		if s.of(s.Node).is(kList) {
			call = ".subList("
			if high == "" {
				high = object + ".size()"
			}
		}
		if high != "" {
			high = ", " + high
		}
		return object + call + low + high + ")"
	}
	if low == "" {
		low = "0"
	}
	if high != "" {
		high = ", " + high
	}
	return object + ".slice(" + low + high + ")"
}

// all is how likely a part of all is meant, against another part.
const all = 0.7

// slice takes a part of what is in an order, or another part.
func slice(s *site, try func(change)) {
	if !s.value() || !s.Is(code.Name, code.Attr, code.Call, code.Slice, code.Index) || s.Part == code.Object && s.Parent.Role == code.Attr {
		return
	}
	t := s.of(s.Node)
	if t.known() && !t.is(kList|kText) {
		return
	}
	w := all
	if !t.known() {
		w *= 0.4
	}
	if s.Parent.Role == code.Compare {
		w *= 0.15 // who asks for the size of a part writes a comparison of numbers
	}
	text := s.Text()
	part := func(low, high string, weight float64) {
		meant := s.cut(text, low, high)
		try(replace(s.Node, meant, w*weight, "%s should be %s", quote(text), quote(meant)))
	}
	part("1", "", 1)
	last := "-1"
	switch s.fact().Family {
	case "Go":
		last = "len(" + text + ")-1"
	case "Java":
		last = text + ".length() - 1"
		if t.is(kList) {
			last = text + ".size() - 1"
		}
	}
	part("", last, 0.9)
	if s.fact().Family == "Python" {
		try(replace(s.Node, text+"[:]", 0.5*w, "%s should be a copy", quote(text)))
	}
	for i, v := range s.names() {
		if i < 12 && v.typ.is(kInt) && !v.typ.is(kText) {
			part(v.text, "", 0.9-0.04*float64(i))
			part("", v.text, 0.8-0.04*float64(i))
			part(v.text+" + 1", "", 0.7-0.04*float64(i))
		}
	}
}

// otherPart changes a slice as a whole, or turns an index into one.
func (s *site) otherPart(try func(change)) {
	switch {
	case s.Role == code.Slice && s.Kid(code.Stride) == nil:
		s.rebound(try)
	case s.Role == code.Index && !s.written() && (s.fact().Family == "Python" || s.fact().Family == "Go"):
		at := s.Kid(code.At).Text()
		for i, form := range []string{at + ":", ":" + at} {
			text := s.Kid(code.Object).Text() + "[" + form + "]"
			try(replace(s.Node, text, 0.5-0.1*float64(i), "%s should be %s", quote(s.Text()), quote(text)))
		}
	}
}

// rebound opens a side of a slice, closes one, or takes all or one of it.
func (s *site) rebound(try func(change)) {
	o, low, high := s.Kid(code.Object).Text(), s.Kid(code.Low).Text(), s.Kid(code.High).Text()
	python := s.fact().Family == "Python"
	say := func(lo, hi string, w float64) {
		text := o + "[" + lo + ":" + hi + "]"
		try(replace(s.Node, text, w, "%s should be %s", quote(s.Text()), quote(text)))
	}
	switch {
	case low != "" && high != "":
		say(low, "", 0.8)
		say("", high, 0.8)
		say(high, low, 0.3)
	case low != "":
		say("", low, 0.7)
		if python {
			say(low, "-1", 0.6)
			try(replace(s.Node, o+"["+low+"]", 0.5, "the element at %s is meant", quote(low)))
			try(replace(s.Node, o+"["+low+":] + "+o+"[:"+low+"]", 0.3, "what comes before %s was left out", quote(low)))
		}
	case high != "":
		say(high, "", 0.7)
		say("1", high, 0.5)
	}
	for i, v := range s.names() {
		if i >= 10 || !v.typ.is(kInt) {
			continue
		}
		if low == "" {
			say(v.text, high, 0.7)
		}
		if high == "" {
			say(low, v.text, 0.7)
		}
	}
	try(replace(s.Node, o, 0.6, "all of %s is meant", quote(o)))
}

// element takes one element of what is in an order.
func element(s *site, try func(change)) {
	if !s.value() || !s.Is(code.Name, code.Attr, code.Index, code.Call) || s.Part == code.Object {
		return
	}
	t := s.of(s.Node)
	if t.known() && !t.is(kList|kText|kMap) {
		return
	}
	w := 1.0
	if !t.known() {
		w = 0.4
	}
	say := func(at string, weight float64) {
		try(replace(s.Node, s.elementAt(at), w*weight, "%s should be %s", quote(s.Text()), quote(s.elementAt(at))))
	}
	say("0", 0.8)
	say("1", 0.5)
	if s.fact().Family == "Python" {
		say("-1", 0.7)
	}
	for i, v := range s.names() {
		if i < 12 && v.text != s.Text() && !v.fn && (v.typ.is(kInt) || !v.typ.known() || t.is(kMap) && v.local) {
			say(v.text, (1-0.05*float64(i))*fits(v.typ, typ{kind: kInt | kText}))
			if t.is(kList) {
				say(v.text+" - 1", 0.4)
				say(v.text+" + 1", 0.3)
			}
		}
	}
}

// elementAt spells an element of what the node is.
func (s *site) elementAt(at string) string {
	return s.elementIn(name{text: s.Text(), typ: s.of(s.Node)}, at)
}

// elementIn spells an element of a variable.
func (s *site) elementIn(seq name, at string) string {
	switch t := seq.typ; {
	case s.fact().Family != "Java":
	case t.is(kText):
		return seq.text + ".charAt(" + at + ")"
	case len(t.names) > 0 && !strings.HasSuffix(t.names[0], "[]"):
		return seq.text + ".get(" + at + ")"
	}
	return seq.text + "[" + at + "]"
}

// emptyLiteral begins with something else that is empty, or with nothing in it.
func emptyLiteral(s *site, try func(change)) {
	if !s.value() || s.fact().Static || s.condition() {
		return
	}
	text := s.Text()
	empties := []string{"[]", "{}", `""`, "0"}
	if s.fact().Family == "Python" {
		empties = []string{"[]", "()", "{}", "set()", `""`, "0"}
	}
	empty := slices.Contains(empties, text) || text == "''"
	if !empty && !s.Is(code.List) || s.Is(code.Int) && !s.Parent.Is(code.Assign, code.Return) {
		return
	}
	for i, e := range empties {
		if e == text {
			continue
		}
		w := 1 - 0.1*float64(i)
		if !empty && i > 0 {
			break
		}
		try(replace(s.Node, e, w, "%s should be %s", quote(text), quote(e)))
	}
}

// toElement puts an element of what is in an order in the place of a value.
func toElement(s *site, try func(change)) {
	if !s.value() || !s.Is(code.Name, code.Int, code.Index) || s.Part == code.Object {
		return
	}
	java := s.fact().Family == "Java" // where an element is spelled as the type wants it
	names := s.names()
	names = names[:min(len(names), 14)]
	for i, seq := range names {
		if seq.fn || seq.text == s.Text() || seq.typ.known() && !seq.typ.is(kList|kText|kMap) || java && !seq.typ.known() {
			continue
		}
		if seq.typ.is(kList) && s.Text() != "0" {
			try(replace(s.Node, s.elementIn(seq, "0"), 0.7*(1-0.03*float64(i)), "%s should be %s", quote(s.Text()), quote(s.elementIn(seq, "0"))))
		}
		for j, at := range names {
			if i == j || at.fn || at.typ.known() && !at.typ.is(kInt) && !seq.typ.is(kMap) {
				continue
			}
			w := fits(at.typ, typ{kind: kInt})
			text := s.elementIn(seq, at.text)
			if text != s.Text() {
				try(replace(s.Node, text, w*(1-0.03*float64(i+j)), "%s should be %s", quote(s.Text()), quote(text)))
			}
		}
	}
}

// listOfLists is for Python's [[0] * n] * m, and for JavaScript's Array(m).fill([]), in which every row is the same list.
func listOfLists(s *site, try func(change)) {
	if s.Role == code.Call && s.fact().Silent {
		s.filled(try)
		return
	}
	if s.Role != code.Arith || s.Op != "*" || s.fact().Family != "Python" {
		return
	}
	l, n := s.Kid(code.Left), s.Kid(code.Right)
	if !l.Is(code.List) || len(l.All(code.Elem)) != 1 || !strings.HasPrefix(l.Text(), "[") {
		return
	}
	inner := l.All(code.Elem)[0]
	text := fmt.Sprintf("[%s for _ in range(%s)]", inner.Text(), n.Text())
	try(replace(s.Node, text, 1, "every element was one and the same %s", quote(inner.Text())))
}

// filled makes a value of its own for each element of Array(n).fill(value).
func (s *site) filled(try func(change)) {
	callee, args := s.Kid(code.Callee), s.All(code.Arg)
	if !callee.Is(code.Attr) || callee.Name != "fill" || len(args) != 1 || !args[0].Is(code.List, code.Map, code.Call) {
		return
	}
	made := callee.Kid(code.Object)
	sizes := made.All(code.Arg)
	if !made.Is(code.Call) || made.Kid(code.Callee).Text() != "Array" || len(sizes) != 1 {
		return
	}
	value := args[0].Text()
	if args[0].Is(code.Map) {
		value = "(" + value + ")"
	}
	text := fmt.Sprintf("Array.from({ length: %s }, () => %s)", sizes[0].Text(), value)
	try(replace(s.Node, text, 1, "every element was one and the same %s", quote(args[0].Text())))
}
