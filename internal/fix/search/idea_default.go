package search

import (
	"strings"

	"fettle/internal/code"
)

// defaultAfresh begins to count anew where none of a switch's cases is so, of which one counts up what goes on from one turn of the loop around it to the next:
// a row ends with what does not belong to it.
func (s *site) defaultAfresh(try func(change)) {
	loop := s.Up(code.For, code.Each, code.While, code.Function)
	if !s.Is(code.Switch) || !s.Alone() || !loop.Is(code.For, code.Each, code.While) || !strings.HasSuffix(s.Text(), "}") {
		return
	}
	var cases []*code.Node
	for n := range s.Own() {
		if n.Is(code.Case) && n.Up(code.Switch) == s.Node {
			cases = append(cases, n)
		}
	}
	if len(cases) == 0 {
		return
	}
	for _, c := range cases {
		if strings.HasPrefix(c.Text(), "default") || strings.Contains(firstOf(c.Text()), "->") {
			return
		}
	}
	for v, first := range s.growing() {
		if within(v, loop) {
			continue
		}
		indent := cases[0].Indent()
		text := s.statement(v.Name + " = " + first)
		lead := strings.TrimPrefix(indent, s.Indent()) // the line begins as that of the closing brace does
		try(insert(s.End-1, lead+"default:\n"+indent+s.unit.pool(s.File).unit+text+"\n"+s.Indent(), 1, "the case was missing in which none of these is so, and %s", quote(text)))
	}
}
