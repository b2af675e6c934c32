package search

import (
	"slices"
	"strings"

	"fettle/internal/code"
)

// byValue takes a number out of a list of numbers where what stands at that place is taken out: of a list's two methods of this name Java takes the one for places.
func (s *site) byValue(try func(change)) {
	args := s.All(code.Arg)
	if s.fact().Family != "Java" || linkOf(s.Node) != "remove" || len(args) != 1 {
		return
	}
	meant := args[0]
	if meant.Is(code.Arith) && literal(meant.Kid(code.Right)) {
		meant = meant.Kid(code.Left) // as if it stood that many places from the begin
	}
	if !meant.Is(code.Name, code.Attr) {
		return
	}
	list, number := s.of(s.Kid(code.Callee).Kid(code.Object)), s.of(meant)
	if !number.is(kInt) || !slices.ContainsFunc(list.names, func(name string) bool { return strings.HasSuffix(name, "List<Integer>") }) {
		return
	}
	try(replace(args[0], "Integer.valueOf("+meant.Text()+")", 0.5, "what stands at the place %s is taken out, where the number itself is meant", quote(args[0].Text())))
}
