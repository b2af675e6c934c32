package search

import (
	"strings"

	"fettle/internal/code"
)

// addition is how a language adds the number {V} to what a mapping {C} has under a key {K}, if it has anything, and puts {V} into a list there.
type addition struct{ stored, number, element string }

// Each with how the mapping is given a value: by an assignment to an element, or by a method.
var addings = map[string][]addition{
	"Python":     {{"{C}[{K}] = {V}", "{C}[{K}] = {C}.get({K}, 0) + {V}", "{C}.setdefault({K}, []).append({V})"}},
	"JavaScript": {{"{C}[{K}] = {V}", "{C}[{K}] = ({C}[{K}] ?? 0) + {V}", "({C}[{K}] ??= []).push({V})"}, {"{C}.set({K}, {V})", "{C}.set({K}, ({C}.get({K}) ?? 0) + {V})", "{C}.set({K}, [...({C}.get({K}) ?? []), {V}])"}},
	"Java":       {{"{C}.put({K}, {V})", "{C}.merge({K}, {V}, Integer::sum)", ""}},
	"Go":         {{"{C}[{K}] = {V}", "", "{C}[{K}] = append({C}[{K}], {V})"}},
}

// addedUp adds to what a mapping has under a key, in a loop, where it is given anew: what comes twice counts twice.
func (s *site) addedUp(try func(change)) {
	if !s.isStatement() || s.Up(code.Each, code.For, code.While, code.Function).Is(code.Function) {
		return
	}
	where, key, value, by := s.storedUnder()
	if by == "" || strings.Contains(value.Text(), where.Text()) || value.Is(code.Str, code.Null, code.Bool, code.Map) {
		return
	}
	for _, a := range addings[s.fact().Family] {
		if a.stored != by {
			continue
		}
		form, v, w := a.number, value.Text(), 0.6
		if elems := value.All(code.Elem); value.Is(code.List) {
			if form, w = a.element, 0.8; len(elems) != 1 {
				continue
			}
			v = elems[0].Text()
		} else if t := s.of(value); t.known() && !t.is(kNumber) || value.Is(code.Int) && v == "0" {
			continue
		}
		if form != "" {
			text := strings.NewReplacer("{C}", where.Text(), "{K}", key.Text(), "{V}", v).Replace(form)
			if end := s.fact().End; strings.HasSuffix(s.Text(), end) {
				text += end
			}
			try(replace(s.Node, text, w, "what %s has under %s already was lost", quote(where.Text()), quote(key.Text())))
		}
	}
}

// storedUnder are the mapping, the key and the value of a statement that stores it there, and the form in which it does.
func (s *site) storedUnder() (where, key, value *code.Node, by string) {
	stmt := assignment(s.Node)
	if target := stmt.Kid(code.Target); stmt.Is(code.Assign) && stmt.Op == "=" && len(stmt.All(code.Target)) == 1 && target.Is(code.Index) {
		return target.Kid(code.Object), target.Kid(code.At), stmt.Kid(code.Value), "{C}[{K}] = {V}"
	}
	if args := stmt.All(code.Arg); stmt.Is(code.Call) && len(args) == 2 && stmt.Kid(code.Callee).Is(code.Attr) && (stmt.Calls() == "set" || stmt.Calls() == "put") {
		return stmt.Kid(code.Callee).Kid(code.Object), args[0], args[1], "{C}." + stmt.Calls() + "({K}, {V})"
	}
	return nil, nil, nil, ""
}
