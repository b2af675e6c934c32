package search

import "fettle/internal/code"

// mostTwinsAsked bounds how often what is asked of one variable is asked of another one.
const mostTwinsAsked = 2

// ofTwins asks of a variable what the site asks of another one like it, or of its opposite, where the function makes both, and neither asks for the one nor gives it back.
func (s *site) ofTwins() (out []string) {
	fn := s.Function()
	if fn == nil || !s.Is(code.Call, code.Compare) {
		return nil
	}
	for n := range s.Walk() {
		if n.Role != code.Name || n.Part == code.Callee {
			continue
		}
		for _, v := range s.names() {
			_, alike := affixOf(n.Name, v.text)
			alike = alike || opposites[n.Name] == v.text
			if len(out) == mostTwinsAsked || !alike || !v.local || v.fn || v.text == n.Name || mentions(s.Text(), v.text) || fits(v.typ, s.of(n)) < 0.85 {
				continue
			}
			if !asksFor(fn, v.text) && !givesBack(fn, v.text) {
				out = append(out, renamedIn(s.Node, map[string]string{n.Name: v.text}))
			}
		}
	}
	return out
}

// mostPlacesAsked bounds how often what is asked of one place is asked of another one.
const mostPlacesAsked = 4

// ofAnotherPlace asks what the site asks about a number that it computes about the numbers at hand, too: who looks at what is before a word has to look behind it, too.
func (s *site) ofAnotherPlace() (out []string) {
	call := s.Node
	if call.Is(code.Not) {
		call = call.Kid(code.Operand)
	}
	if !call.Is(code.Call) {
		return nil
	}
	for _, arg := range call.All(code.Arg) {
		if !arg.Is(code.Arith) {
			continue
		}
		for _, v := range s.names() {
			if len(out) < mostPlacesAsked && v.local && !v.fn && !mentions(call.Text(), v.text) && (!v.typ.known() || v.typ.is(kNumber)) {
				out = append(out, s.Text()[:arg.Start-s.Start]+v.text+s.Text()[arg.End-s.Start:])
			}
		}
	}
	return out
}

// givesBack reports whether a variable has to do with what a function gives back.
func givesBack(fn *code.Node, name string) bool {
	for n := range fn.Own() {
		if n.Role == code.Name && n.Name == name && n.Up(code.Return, code.Function).Is(code.Return) {
			return true
		}
	}
	return false
}
