package search

import (
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
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

// asksWhetherThere asks whether a mapping holds anything under a key, where a condition counts with what it gives for one that it does not hold: nothing is a number, too.
func (s *site) asksWhetherThere(try func(change)) {
	cond := s.Kid(code.Cond)
	if s.File.Lang != syntax.Go || !s.Is(code.If) || !s.isStatement() || s.Kid(code.Init) != nil || cond.Is(code.Logic) && cond.Op == "||" || s.has("ok") {
		return
	}
	for n := range cond.Walk() {
		object, at := n.Kid(code.Object), n.Kid(code.At)
		if n.Role != code.Index || at == nil || !plainValue(object) || !s.of(object).is(kMap) && !s.madeAsMap(object) || n == cond {
			continue
		}
		had := "had"
		for s.has(had) {
			had += "Then"
		}
		try(change{[]edit.Edit{
			{Start: cond.Start, End: cond.Start, New: []byte(had + ", ok := " + n.Text() + "; ok && ")}, {Start: n.Start, End: n.End, New: []byte(had)},
		}, 0.8, quote(object.Text()) + " may hold nothing under " + quote(at.Text())})
	}
}

// madeAsMap reports whether a variable is given a mapping where it is declared.
func (s *site) madeAsMap(variable *code.Node) bool {
	made := s.declaring(variable).Parent.Kid(code.Value).Text()
	return strings.HasPrefix(made, "map[") || strings.HasPrefix(made, "make(map[")
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
