package search

import (
	"slices"
	"strings"

	"fettle/internal/code"
)

// drop are the methods that take a key out of a collection.
var drop = []string{"pop", "delete", "remove"}

// filing is what a statement puts a value into: what a collection holds under a key, by which method.
type filing struct{ in, key, value, by string }

// filingOf is what a statement files, as in tags.setdefault(photo, set()).add(tag).
func filingOf(stmt *code.Node) (f filing, ok bool) {
	call := assignment(stmt)
	callee, args := call.Kid(code.Callee), call.All(code.Arg)
	if !call.Is(code.Call) || !callee.Is(code.Attr) || len(args) != 1 || !slices.Contains([]string{"add", "append", "push"}, callee.Name) {
		return f, false
	}
	held := callee.Kid(code.Object)
	object, key := held.Kid(code.Object), held.Kid(code.At)
	if held.Is(code.Call) {
		object, key = held.Kid(code.Callee).Kid(code.Object), held.Kid(code.Arg)
	}
	if object == nil || key == nil || !plainValue(object) || !key.Is(code.Name) || !args[0].Is(code.Name) {
		return f, false
	}
	return filing{object.Text(), key.Name, args[0].Name, callee.Name}, true
}

// unfile takes out of a second collection what led to a key that is taken out of a first one, where another function files each under the other: a photo that goes goes from
// under each of its tags.
func (s *site) unfile(try func(change)) {
	what := assignment(s.Node)
	if !s.Alone() || !slices.Contains(drop, what.Kid(code.Callee).Kid(code.Mem).Text()) && !strings.HasPrefix(s.Text(), "del ") {
		return
	}
	for _, fn := range s.unit.pool(s.File).functions {
		if fn == s.Function() {
			continue
		}
		var all []filing
		for n := range fn.Own() {
			if f, ok := filingOf(n); ok && n.Part == code.Stmt {
				all = append(all, f)
			}
		}
		for _, one := range all {
			for _, two := range all {
				if one.in == two.in || one.key != two.value || one.value != two.key || strings.Contains(s.Function().Text(), two.in) {
					continue
				}
				if key := s.droppedFrom(one.in); key != "" {
					s.unfileEach(one, two, key, try)
					return
				}
			}
		}
	}
}

// droppedFrom is the key that the statement takes out of a collection; empty if it takes none.
func (s *site) droppedFrom(collection string) string {
	what := assignment(s.Node)
	if slices.Contains(drop, methodOn(what, collection)) && what.Kid(code.Arg).Is(code.Name) {
		return what.Kid(code.Arg).Name
	}
	rest, ok := strings.CutPrefix(s.Text(), "del "+collection+"[")
	if !ok || strings.Count(rest, "]") != 1 {
		return ""
	}
	return strings.TrimSuffix(rest, "]")
}

// unfileEach takes a key out of all that a collection holds for what another one holds under it.
func (s *site) unfileEach(from, other filing, key string, try func(change)) {
	forms := map[string][2]string{
		"Python":     {"for {V} in {C}.get({K}, ())", "{O}[{V}].discard({K})"},
		"JavaScript": {"for (const {V} of {C}.get({K}) ?? [])", "{O}.get({V}).delete({K})"},
		"Java":       {"for (var {V} : {C}.getOrDefault({K}, Set.of()))", "{O}.get({V}).remove({K})"},
		"Go":         {"for _, {V} := range {C}[{K}]", "delete({O}[{V}], {K})"},
	}
	form, ok := forms[s.fact().Family]
	if !ok || other.by == "push" || from.value == key {
		return
	}
	if other.by == "append" {
		form[1] = strings.Replace(form[1], "discard", "remove", 1)
	}
	spell := strings.NewReplacer("{V}", from.value, "{C}", from.in, "{K}", key, "{O}", other.in).Replace
	text := s.block(spell(form[0]), []string{s.statement(spell(form[1]))}, s.Indent())
	try(insert(s.Start, text+"\n"+s.Indent(), 1, "what led to %s stays in %s", quote(key), quote(other.in)))
}

// refile takes a key out of all that a second collection holds for what a first one held under it, before something else is put there that the function files under each other
// in the second one: who is given other labels is found by the old ones no longer.
func (s *site) refile(one stored, try func(change)) {
	for n := s.Next(); n != nil; n = n.Next() {
		targets := n.All(code.Target)
		if !n.Is(code.Each) || len(targets) == 0 || !mentions(one.value.Text(), n.Kid(code.Iter).Text()) {
			continue
		}
		each := targets[len(targets)-1].Name
		for k := range n.Walk() {
			f, ok := filingOf(k)
			if !ok {
				f, ok = markOf(k)
			}
			if ok && f.key == each && f.value == one.key && f.in != one.in {
				s.unfileEach(filing{in: one.in, value: each}, f, one.key, try)
				return
			}
		}
	}
}

// markOf is what a statement of Go's puts into a set of a collection, as in tags[photo][tag] = true.
func markOf(stmt *code.Node) (f filing, ok bool) {
	a := assignment(stmt)
	set := a.Kid(code.Target)
	held := set.Kid(code.Object)
	if !a.Is(code.Assign) || !set.Is(code.Index) || !held.Is(code.Index) || !a.Kid(code.Value).Is(code.Bool) {
		return f, false
	}
	return filing{in: held.Kid(code.Object).Text(), key: held.Kid(code.At).Text(), value: set.Kid(code.At).Text()}, true
}
