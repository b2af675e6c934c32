package search

import (
	"strings"

	"fettle/internal/code"
)

// clamps are how a language says the greater, and the smaller, of two values.
var clamps = map[string][2]string{
	"Python": {"max(Y, X)", "min(Y, X)"}, "JavaScript": {"Math.max(Y, X)", "Math.min(Y, X)"}, "TypeScript": {"Math.max(Y, X)", "Math.min(Y, X)"},
	"Java": {"Math.max(Y, X)", "Math.min(Y, X)"}, "Go": {"max(Y, X)", "min(Y, X)"},
}

// clamp keeps a number from becoming less, or more, than another value.
func clamp(s *site, try func(change)) {
	forms, ok := clamps[s.fact().Name]
	if !ok || !s.value() || s.condition() || literal(s.Node) || s.Is(code.Group, code.List, code.Map, code.Comprehension) {
		return
	}
	t := s.of(s.Node)
	if t.known() && !t.is(kNumber) || s.fact().Static && !t.is(kNumber) || !s.Parent.Is(code.Assign, code.Return, code.Call, code.Index, code.Slice) {
		return
	}
	weight := 1.0
	if !t.known() {
		weight = 0.5
	}
	for i, b := range s.limits() {
		for j, form := range forms {
			text := strings.NewReplacer("X", s.Text(), "Y", b).Replace(form)
			try(replace(s.Node, text, weight*(1-0.07*float64(i)-0.1*float64(j)), "%s should be %s", quote(s.Text()), quote(text)))
		}
	}
}

// limits are what a number may not go below, or beyond: 0, the variables at hand, how much is in them, 1.
func (s *site) limits() []string {
	out := []string{"0"}
	var sizes []string
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
