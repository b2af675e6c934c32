package search

import (
	"fmt"
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
)

// clamps are how a language says the greater, and the smaller, of two values.
var clamps = map[string][2]string{
	"Python": {"max(Y, X)", "min(Y, X)"}, "JavaScript": {"Math.max(Y, X)", "Math.min(Y, X)"},
	"Java": {"Math.max(Y, X)", "Math.min(Y, X)"}, "Go": {"max(Y, X)", "min(Y, X)"},
}

// choose gives min or max two values to choose from.
func (s *site) choose(try func(change)) {
	if s.Role != code.Call || !slices.Contains([]string{"min", "max"}, s.Calls()) {
		return
	}
	args := s.All(code.Arg)
	if len(args) == 0 {
		return
	}
	names := s.names()
	names = names[:min(len(names), 10)]
	from, to := args[0].Start, args[len(args)-1].End
	for i, a := range names {
		for j, b := range names {
			if i != j && !a.fn && !b.fn && fits(a.typ, b.typ) >= 0.6 {
				text := a.text + ", " + b.text
				try(change{[]edit.Edit{{Start: from, End: to, New: []byte(text)}}, fits(a.typ, b.typ) * (1 - 0.03*float64(i+j)), fmt.Sprintf("the choice is between %s and %s", quote(a.text), quote(b.text))})
			}
		}
	}
}

// unbounded is how likely a number is to be kept within bounds, against a choice between other values.
const unbounded = 0.73

// bitOperators make numbers whose bits are what counts: none of them is too great, or too small.
var bitOperators = []string{"&", "|", "^", "&^", "<<", ">>", ">>>"}

// clamp keeps a number from becoming less, or more, than another value.
func (s *site) clamp(try func(change)) {
	forms, ok := clamps[s.fact().Family]
	if !ok || !s.value() || s.condition() || literal(s.Node) || s.Is(code.Group, code.List, code.Map, code.Comprehension) || slices.Contains(bitOperators, s.Op) {
		return
	}
	t := s.of(s.Node)
	if t.known() && !t.is(kNumber) || s.fact().Static && !t.is(kNumber) || !s.Parent.Is(code.Assign, code.Return, code.Call, code.Index, code.Slice) {
		return
	}
	weight := unbounded
	if !t.known() {
		weight *= 0.5
	}
	for i, b := range s.limits() {
		for j, form := range forms {
			text := strings.NewReplacer("X", s.Text(), "Y", b).Replace(form)
			try(replace(s.Node, text, weight*(1-0.07*float64(i)-0.1*float64(j)), "%s should be %s", quote(s.Text()), quote(text)))
		}
	}
}

// mostIdle bounds how many values are made of parameters that nothing is done with.
const mostIdle = 4

// idleParameters are the parameters that nothing is done with in their function, numbers as far as is known.
func (s *site) idleParameters() (out []string) {
	fn := s.Function()
	if fn == nil {
		return nil
	}
	for _, p := range fn.All(code.Params) {
		if s.untouched(p) && s.variableType(s.Node, p.Name).kind&^kNumber == 0 {
			out = append(out, p.Name)
		}
	}
	return out
}

// untouched reports a parameter of the function that nothing is done with in it.
func (s *site) untouched(p *code.Node) bool {
	return p.Name != "" && p.Name != s.fact().Self && p.Name != selfName(s) && count(s.Function().Text(), p.Name) == 1
}

// limits are what a number may not go below, or beyond: 0, the variables at hand, how much is in them, 1.
func (s *site) limits() []string {
	var out, sizes []string
	for _, p := range s.idleParameters() {
		out = append(out, p)
		for _, v := range s.Function().All(code.Params) {
			if v.Name != p && v.Name != s.Text() && v.Name != "" && s.variableType(s.Node, v.Name).kind&^kNumber == 0 && len(out) < mostIdle {
				out = append(out, p+" - "+v.Name)
			}
		}
	}
	out = append(out, "0")
	for i, v := range s.names() {
		switch {
		case i >= 8 || v.fn || !v.local || v.text == s.Text():
		case !v.typ.known() || v.typ.is(kNumber):
			out = append(out, v.text)
		case v.typ.is(kList | kText):
			sizes = append(sizes, s.size(v))
		}
	}
	return append(append(out, sizes...), "1")
}
