package search

import (
	"strings"

	"fettle/internal/code"
	"fettle/internal/syntax"
)

// errorCheck returns an error that was assigned and then forgotten: Go's own way of failing.
func errorCheck(s *site, try func(change)) {
	if s.File.Lang != syntax.Go || s.Role != code.Assign || !s.isStatement() {
		return
	}
	for _, t := range s.All(code.Target) {
		if t.Role != code.Name || t.Name == "_" || !s.isError(t) {
			continue
		}
		if next := s.Next(); next.Is(code.If) && mentions(next.Kid(code.Cond).Text(), t.Name) {
			continue
		}
		ret, ok := failure(s.Function(), t.Name)
		if !ok {
			return
		}
		indent := s.Indent()
		try(insert(s.End, "\n"+indent+s.guard(t.Name+" != nil", ret, indent), 1, "the error of %s was not looked at", quote(s.Kid(code.Value).Text())))
	}
}

func (s *site) isError(t *code.Node) bool {
	if known := s.of(t); len(known.names) > 0 {
		return known.names[0] == "error"
	}
	return t.Name == "err"
}

// failure is the return statement that hands an error on, with zero values for the other results.
func failure(fn *code.Node, err string) (string, bool) {
	var out []string
	types := code.GoResults(fn.Type)
	if len(types) == 0 || types[len(types)-1] != "error" {
		return "", false
	}
	for _, t := range types[:len(types)-1] {
		out = append(out, code.GoZero(t))
	}
	return "return " + strings.Join(append(out, err), ", "), true
}
