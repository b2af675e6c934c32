package search

import (
	"strings"

	"fettle/internal/code"
)

// emptyings are how languages let all elements of {C} from {I} on begin again, the likelier first; each for what is declared so, or, empty, for anything.
var emptyings = map[string][]arrangement{
	"Python":     {{"del {C}[{I}:]", "", "", 1}, {"{C}[{I}:] = [0] * (len({C}) - {I})", "", "", 0.9}},
	"JavaScript": {{"{C}.fill(0, {I})", "", "", 1}, {"{C}.length = {I}", "", "", 0.9}},
	"Java":       {{"Arrays.fill({C}, {I}, {C}.length, 0)", "int[]", "java.util.Arrays", 1}, {"Arrays.fill({C}, {I}, {C}.length, 0)", "long[]", "java.util.Arrays", 1}, {"{C}.subList({I}, {C}.size()).clear()", "List", "", 1}, {"{C}.subList({I}, {C}.size()).clear()", "ArrayList", "", 1}},
	"Go":         {{"clear({C}[{I}:])", "[]", "", 1}, {"{C} = {C}[:{I}]", "[]", "", 0.9}},
}

// deeper lets the counts of all deeper levels begin again where one of a level goes on: behind chapter 2 comes section 2.1, wherever chapter 1 ended.
func (s *site) deeper(try func(change)) {
	o, ok := operationOf(s.Node)
	what := assignment(s.Node)
	at := what.Kid(code.Target)
	if what.Is(code.Step) {
		at = what.Kid(code.Operand)
	}
	if !ok || o.op != "+=" || !at.Is(code.Index) || s.typeOf(at.Kid(code.Object)).kind&^(kList|kOther) != 0 {
		return
	}
	list, level := at.Kid(code.Object), at.Kid(code.At)
	loop := s.Up(code.For, code.Each, code.While, code.Function)
	if !plainValue(list) || list.Is(code.Name) && (loop.Is(code.Function) || loop == nil || within(s.declaring(list), loop)) {
		return
	}
	from := level.Text() + " + 1"
	switch less, by := level.Kid(code.Left), level.Kid(code.Right); {
	case level.Is(code.Int):
		return
	case level.Is(code.Arith) && level.Op == "-" && by.Text() == "1":
		from = less.Text()
	case s.fact().Family == "Go":
		from = level.Text() + "+1"
	}
	for _, form := range emptyings[s.fact().Family] {
		needed, ok := s.importing(form.needs)
		if form.on != "" && !s.typeOf(list).begins(form.on) || !ok {
			continue
		}
		text := s.statement(strings.NewReplacer("{C}", list.Text(), "{I}", from).Replace(form.form))
		c := s.after(text, 0.9*form.weight)
		c.edits = append(needed, c.edits...)
		try(c)
	}
}
