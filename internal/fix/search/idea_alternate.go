package search

import (
	"slices"

	"fettle/internal/code"
)

// alternate turns a sign over at the end of a loop's round, where one that begins with one is a factor in the loop and nothing ever changes it: the terms of a row
// that are added and taken away in turn.
func (s *site) alternate(try func(change)) {
	last := lastOf(s.Kid(code.Body))
	if last == nil || !last.Alone() || ends(last) || s.Function() == nil {
		return
	}
	for n := range s.Function().Own() {
		v := n.Kid(code.Target)
		if !n.Is(code.Assign) || n.Start > s.Start || len(n.All(code.Target)) != 1 || !v.Is(code.Name) || !slices.Contains([]string{"1", "-1", "1.0", "-1.0"}, n.Kid(code.Value).Text()) ||
			s.writes(v.Name) != 1 || !isFactor(s.Node, v.Name) {
			continue
		}
		text := s.statement(v.Name + " = -" + v.Name)
		try(insert(last.End, "\n"+last.Indent()+text, 1, "%s never changes: %s was missing at the end of the loop", quote(v.Name), quote(text)))
	}
}

// writes is how often the function gives a variable a value.
func (s *site) writes(name string) (times int) {
	for n := range s.Function().Own() {
		if n.Is(code.Name) && n.Name == name && s.at(n).written() {
			times++
		}
	}
	return times
}

// isFactor reports whether something is multiplied by a variable.
func isFactor(in *code.Node, name string) bool {
	for n := range in.Own() {
		if n.Is(code.Arith) && n.Op == "*" && slices.ContainsFunc(n.Kids, func(k *code.Node) bool { return k.Is(code.Name) && k.Name == name }) {
			return true
		}
	}
	return false
}
