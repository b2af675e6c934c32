package search

import (
	"slices"

	"fettle/internal/code"
)

// radixCall is a call that reads a number from a text, or writes one: which of its arguments is the base, and which is how many bits the number has.
type radixCall struct {
	base   int
	bits   int  // 0: it is not asked
	unsaid kind // what it takes where no base is told; 0: one always is
}

// radixCalls are the calls that are told a base, by how they are written; a dot before the name stands for a method of any value.
var radixCalls = map[string]map[string]radixCall{
	"Python": {"int": {base: 1, unsaid: kText}},
	"JavaScript": {
		"parseInt": {base: 1, unsaid: kText}, "Number.parseInt": {base: 1, unsaid: kText}, ".toString": {base: 0, unsaid: kNumber},
	},
	"Java": {
		"Integer.parseInt": {base: 1, unsaid: kText}, "Integer.valueOf": {base: 1, unsaid: kText}, "Integer.parseUnsignedInt": {base: 1, unsaid: kText}, "Integer.toString": {base: 1, unsaid: kInt},
		"Long.parseLong": {base: 1, unsaid: kText}, "Long.valueOf": {base: 1, unsaid: kText}, "Long.parseUnsignedLong": {base: 1, unsaid: kText}, "Long.toString": {base: 1, unsaid: kInt},
		"Short.parseShort": {base: 1, unsaid: kText}, "Byte.parseByte": {base: 1, unsaid: kText}, "BigInteger": {base: 1, unsaid: kText}, "Character.digit": {base: 1}, "Character.forDigit": {base: 1},
	},
	"Go": {
		"strconv.ParseInt": {base: 1, bits: 2}, "strconv.ParseUint": {base: 1, bits: 2}, "strconv.FormatInt": {base: 1}, "strconv.FormatUint": {base: 1},
		"strconv.AppendInt": {base: 2}, "strconv.AppendUint": {base: 2}, ".SetString": {base: 1},
	},
}

// usualBases are the bases in which people write numbers, the likeliest first, and usualBits the sizes that numbers have.
var (
	usualBases = []string{"16", "10", "2", "8", "36"}
	usualBits  = []string{"64", "32", "16", "8"}
)

// How likely another base is meant, and another size; unsaidBase is for a call that is told none, as most are meant so, and nearBase for a number beside the
// one that stands there, in which nobody counts.
const (
	otherBase  = 1.0
	otherBits  = 0.6
	unsaidBase = 0.5
	nearBase   = 0.2
)

// radixOf is the call's fact, if it is one that is told a base.
func radixOf(call *code.Node) (radixCall, bool) {
	if !call.Is(code.Call) {
		return radixCall{}, false
	}
	calls, callee := radixCalls[call.File.Facts.Family], call.Kid(code.Callee)
	if r, ok := calls[callee.Text()]; ok {
		return r, true
	}
	if !callee.Is(code.Attr) {
		return radixCall{}, false
	}
	r, ok := calls["."+callee.Name]
	return r, ok
}

// tellsBase reports whether the site is the base that a call is told, and tellsBits whether it is the size.
func (s *site) tellsBase() bool {
	r, at, ok := s.told()
	return ok && at == r.base
}

func (s *site) tellsBits() bool {
	r, at, ok := s.told()
	return ok && at == r.bits && at > 0
}

// told is the call that a number is given to, and where among its arguments the number stands.
func (s *site) told() (r radixCall, at int, ok bool) {
	if s.Role != code.Int || s.Part != code.Arg {
		return r, 0, false
	}
	r, ok = radixOf(s.Parent)
	return r, slices.Index(s.Parent.All(code.Arg), s.Node), ok
}

// radix reads or writes a number in another base, or with another size.
func (s *site) radix(try func(change)) {
	switch {
	case s.tellsBase():
		s.tellOther(usualBases, otherBase, "the number's base is %s, not %s", try)
	case s.tellsBits():
		s.tellOther(usualBits, otherBits, "the number has %s bits, not %s", try)
	default:
		s.unsaid(try)
	}
}

func (s *site) tellOther(usual []string, weight float64, why string, try func(change)) {
	for i, other := range usual {
		if other != s.Text() {
			try(replace(s.Node, other, weight*(1-0.1*float64(i)), why, other, s.Text()))
		}
	}
}

// unsaid tells a call the base that it is not told: nobody reads "ff" in base ten.
func (s *site) unsaid(try func(change)) {
	r, ok := radixOf(s.Node)
	args := s.All(code.Arg)
	if !ok || r.unsaid == 0 || len(args) != r.base {
		return
	}
	of, before := s.Kid(code.Callee).Kid(code.Object), ""
	if len(args) > 0 {
		of, before = args[0], ", "
	}
	w := unsaidBase
	switch t := s.of(of); {
	case !t.known():
		w *= 0.5
	case !t.is(r.unsaid):
		return
	}
	for i, base := range []string{"16", "2"} {
		try(insert(s.End-1, before+base, w*(1-0.2*float64(i)), "the number's base is %s, which was not said", base))
	}
}
