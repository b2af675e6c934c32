package search

import (
	"regexp"
	"strconv"
	"strings"

	"fettle/internal/code"
)

// rounding are how a language rounds X to so many decimals: D of them, which is to the nearest part of P.
var rounding = map[string]string{
	"Python": "round(X, D)", "JavaScript": "Math.round(X * P) / P", "Java": "Math.round(X * P) / P.0", "Go": "math.Round(X*P) / P",
}

// What a rounding counts that a function may lack: its documentation speaks of one, or not.
const (
	promised   = 1.0
	unpromised = 0.2
)

var decimals = regexp.MustCompile(`(\d) *(?:decimal|digit|place)|(?:two|three|four) decimal`)

// rounded rounds what a function gives back, to as many decimals as its documentation says, else to two, as money is.
func (s *site) rounded() []wrapper {
	form := rounding[s.fact().Family]
	if t := s.of(s.Node); form == "" || !s.answer() || s.Parent.Is(code.Assign) && s.Parent.Op != "=" || t.known() && !t.is(kFloat) || s.fact().Family == "Go" && !s.isModule("math") {
		return nil
	}
	fn := s.Function().Outermost()
	if fn == nil {
		return nil
	}
	says, digits, weight := documentation(fn), 2, unpromised
	if strings.Contains(says, "round") || strings.Contains(says, "decimal") {
		weight = promised
	}
	if m := decimals.FindStringSubmatch(says); m != nil && m[1] != "" {
		digits, _ = strconv.Atoi(m[1]) // one digit
	}
	if strings.Contains(form, "*") && !code.Primary(s.Node) {
		form = strings.Replace(form, "X", "(X)", 1)
	}
	form = strings.NewReplacer("D", strconv.Itoa(digits), "P", "1"+strings.Repeat("0", digits)).Replace(form)
	return []wrapper{{form, ^kind(0), weight}}
}
