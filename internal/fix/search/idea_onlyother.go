package search

import (
	"strings"

	"fettle/internal/code"
)

// walks are how languages go through all keys {K} of a mapping {C}, and ask whether another one {O} lacks one.
var walks = map[string][]struct{ all, keys, lacks string }{
	"Python":     {{"{C}.items()", "for {K} in {C}", "{K} not in {O}"}, {"{C}", "for {K} in {C}", "{K} not in {O}"}},
	"JavaScript": {{"Object.entries({C})", "for (const {K} of Object.keys({C}))", "!({K} in {O})"}, {"Object.keys({C})", "for (const {K} of Object.keys({C}))", "!({K} in {O})"}, {"{C}", "for (const {K} of {C}.keys())", "!{O}.has({K})"}},
	"Go":         {{"{C}", "for {K} := range {C}", ""}},
	"Java":       {{"{C}.keySet()", "for (var {K} : {C}.keySet())", "!{O}.containsKey({K})"}, {"{C}.entrySet()", "for (var {K} : {C}.keySet())", "!{O}.containsKey({K})"}},
}

// onlyOther does for what only the second of two mappings holds, behind the loop through the first, what the loop does for some: who sends what is newer here fetches what is there
// alone.
func (s *site) onlyOther(try func(change)) {
	targets, over := s.All(code.Target), s.Kid(code.Iter)
	if !s.Is(code.Each) || !s.Alone() || len(targets) == 0 {
		return
	}
	key := targets[0]
	if key.Is(code.List) {
		key = key.Kid(code.Elem)
	}
	if !key.Is(code.Name) {
		return
	}
	for _, walk := range walks[s.fact().Family] {
		before, after, _ := strings.Cut(walk.all, "{C}")
		first := strings.TrimSuffix(strings.TrimPrefix(over.Text(), before), after)
		if over.Text() != before+first+after || strings.ContainsAny(first, "()[] ") {
			continue
		}
		if second := s.lookedUpBy(key.Name, first); second != "" {
			s.walkOther(walk.keys, walk.lacks, key.Name, first, second, try)
		}
		return
	}
}

// lookedUpBy is the mapping, other than the first, in which a loop looks its keys up, and which the function never goes through; empty: there is none.
func (s *site) lookedUpBy(key, first string) string {
	for n := range s.Kid(code.Body).Walk() {
		at, object := elementOf(n)
		if n.Is(code.Compare, code.Arith) && strings.HasSuffix(n.Op, "in") {
			at, object = n.Kid(code.Left), n.Kid(code.Right)
		}
		if at == nil || at.Text() != key || !object.Is(code.Name, code.Attr) || object.Text() == first {
			continue
		}
		for loop := range s.Function().Walk() {
			if loop.Is(code.Each) && mentions(loop.Kid(code.Iter).Text(), object.Text()) {
				return ""
			}
		}
		return object.Text()
	}
	return ""
}

// walkOther goes through the second mapping, and does for each key that the first lacks one of the things that the loop does.
func (s *site) walkOther(keys, lacks, key, first, second string, try func(change)) {
	spell := strings.NewReplacer("{K}", key, "{C}", second, "{O}", first)
	known := s.knownNames()
	known[key] = true
	tried := 0
	for n := range s.Kid(code.Body).Walk() {
		if n.Part != code.Stmt || !n.Is(code.Eval, code.Assign) || strings.Contains(n.Text(), "\n") || !allKnown(n, known) || tried == mostOwnCalls {
			continue
		}
		does := strings.ReplaceAll(n.Text(), first+"["+key+"]", second+"["+key+"]")
		step := s.unit.pool(s.File).unit
		inner := s.guard(spell.Replace(lacks), does, s.Indent()+step)
		if lacks == "" {
			inner = s.guard("_, ok := "+first+"["+key+"]; !ok", does, s.Indent()+step)
		}
		text := s.block(spell.Replace(keys), []string{inner}, s.Indent())
		tried++
		try(insert(s.End, "\n"+s.Indent()+text, 0.9-0.05*float64(tried), "what only %s holds was left out", quote(second)))
	}
}
