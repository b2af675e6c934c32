package search

import (
	"slices"
	"strings"

	"fettle/internal/code"
)

// mostKeyed bounds how many parameters a key is made of.
const mostKeyed = 3

// keyForm is how a language makes one key of several values: what stands before and behind all of them, before and behind each, and between two.
type keyForm struct{ begin, before, behind, between, end string }

var keyedBy = map[string]keyForm{"Python": {"(", "", "", ", ", ")"}, "JavaScript": {"`", "${", "}", ",", "`"}, "Java": {"", "", "", ` + "," + `, ""}}

// of is the key of these values.
func (k keyForm) of(values []string) string {
	var all []string
	for _, v := range values {
		all = append(all, k.before+v+k.behind)
	}
	return k.begin + strings.Join(all, k.between) + k.end
}

// keeping are the methods by which something is kept under a key, which is their first argument, and asked for.
var keeping = map[string]bool{"set": true, "put": true, "has": true, "get": true, "containsKey": true, "getOrDefault": true, "setdefault": true}

// keyOfAll keeps what a function works out under all that it is given, where it keeps it under one of its parameters alone: what was worked out for others is given back then.
func (s *site) keyOfAll(try func(change)) {
	params := s.keyOfOne()
	form, known := keyedBy[s.fact().Family]
	if len(params) == 0 || !known {
		return
	}
	others := slices.DeleteFunc(slices.Clone(params), func(p string) bool { return p == s.Name })
	try(replace(s.Node, form.of(params), 1, "what is kept under %s depends on %s as well", quote(s.Text()), quote(strings.Join(others, ", "))))
}

// otherKey is how likely the parameter under which alone something is kept is to be another one.
const otherKey = 0.5

// keyOfOne are all parameters of a function, where the site is the one under which alone it keeps what it works out; none: it is not.
func (s *site) keyOfOne() []string {
	fn := s.Function()
	if fn == nil || !s.Is(code.Name) || s.Part != code.Value || !s.Parent.Is(code.Assign) || !s.Parent.Kid(code.Target).Is(code.Name) {
		return nil
	}
	var params []string
	for _, p := range fn.All(code.Params) {
		if p.Name != "" && p.Name != "self" && p.Name != "cls" {
			params = append(params, p.Name)
		}
	}
	if n := len(params); n < 2 || n > mostKeyed || !slices.Contains(params, s.Name) || !keptUnder(fn, s.Parent.Kid(code.Target).Name) {
		return nil
	}
	return params
}

// keptUnder reports whether a function keeps something under a key, and asks for it, in what is there before it begins.
func keptUnder(fn *code.Node, key string) bool {
	kept, asked := false, false
	for n := range fn.Own() {
		switch {
		case n.Is(code.Index) && n.Kid(code.At).Is(code.Name) && n.Kid(code.At).Name == key:
			kept, asked = kept || n.Part == code.Target, asked || n.Part != code.Target
		case n.Is(code.Call) && keeping[n.Calls()] && n.Kid(code.Arg).Is(code.Name) && n.Kid(code.Arg).Name == key:
			stores := slices.Contains([]string{"set", "put", "setdefault"}, n.Calls())
			kept, asked = kept || stores, asked || !stores
		case n.Is(code.Compare) && strings.HasSuffix(n.Op, "in") && n.Kid(code.Left).Is(code.Name) && n.Kid(code.Left).Name == key:
			asked = true
		}
	}
	return kept && asked
}
