package audit

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"fettle/internal/audit/examples"
	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/lang"
	"fettle/internal/pattern"
	"fettle/internal/phrase"
	"fettle/internal/syntax"
)

// special is what a function gives, written out, for an input that is written out: by a branch, a case, an entry of a table that it looks into.
type special struct {
	at           *code.Node // where it is asked
	asked, given []string
	data         bool // what is asked for is data, as a test would have it, and no word or number that programs know
}

func (s special) key() string {
	return strings.Join(s.asked, "\x00") + "\x01" + strings.Join(s.given, "\x00")
}

// specialCases looks for functions that go through what they are given to compute an answer, and begin to have the answers for some inputs ready, ahead of that or in its place. No test is needed to see that: what a program knows
// by itself are words, small and round numbers, and where a recursion ends; of data as tests have them there are too many to write down.
func specialCases(_ *patchView, f *fileView) []Finding {
	if f.test || f.programBefore == nil || f.programAfter == nil || lang.IsVendored(f.path) || lang.IsGenerated(f.path, f.after) {
		return nil
	}
	was, is := parts.Functions(f.programBefore), parts.Functions(f.programAfter)
	var all []Finding
	for _, name := range slices.Sorted(maps.Keys(is)) {
		old, now := was[name], is[name]
		if old == nil || parts.Bare(old.Text()) == parts.Bare(now.Text()) && parts.Bare(f.programBefore.Source) == parts.Bare(f.programAfter.Source) {
			continue
		}
		from := worksThrough(old)
		if from == nil {
			continue
		}
		to := math.MaxInt
		if still := worksThrough(now); still != nil {
			to = still.Start
		}
		if found := telltale(specials(now), specials(old), to); found != nil {
			all = append(all, Finding{Line: found.at.Line(), Effect: Ask, Evidence: fmt.Sprintf("%s has the answer for one input (%s) ready (%s), which it computes for others: compute it",
				name, phrase.Clip(strings.Join(found.asked, ", ")), phrase.Clip(strings.Join(found.given, ", ")))})
		}
	}
	return all
}

// telltale is one of those that are new, ahead of a place, if together they are what nobody writes down but for tests; nil, if they are not.
func telltale(is, was []special, to int) *special {
	had := make(map[string]bool)
	for _, s := range was {
		had[s.key()] = true
	}
	is = slices.DeleteFunc(is, func(s special) bool { return had[s.key()] || s.at.Start > to })
	says, answers := 0, make(map[string]bool)
	for _, s := range is {
		says += examples.Weight(s.given)
		answers[strings.Join(s.given, "\x00")] = true
	}
	i := slices.IndexFunc(is, func(s special) bool { return s.data })
	if i < 0 || says < telling || len(is) > 1 && len(answers) < 2 {
		return nil
	}
	return &is[i]
}

// worksThrough is where a function goes through what it is given, and computes something by that; nil, if it does not.
func worksThrough(fn *code.Node) *code.Node {
	for n := range fn.Own() {
		switch {
		case n.Is(code.While, code.For, code.Each) && n.Kid(code.Body) != nil && ofParams(n, fn) && computes(n.Kid(code.Body)):
			return n
		case n.Role == code.Call && takesApart.MatchString(parts.Bare(n.Kid(code.Callee).Text())) && ofParams(n, fn):
			return n
		case n.Is(code.Comprehension) && ofParams(n, fn) && computes(n):
			return n
		case n.Role == code.Call && ofParams(n, fn) && (parts.LastName(n) == parts.OwnName(fn) && len(parts.OwnName(fn)) > 0 || slices.ContainsFunc(n.All(code.Arg), func(a *code.Node) bool { return a.Is(code.Function) && computes(a) })):
			return n
		}
	}
	return nil
}

// takesApart matches what takes a text apart by a pattern.
var takesApart = pattern.New(`(?i)(?:\bre|_re|regexp?|pattern|/\w*)\.(?:match|fullmatch|search|findall|finditer|exec|matcher|Find\w+)$|\.(?:match|matchAll)$`)

// ofParams reports whether a node mentions what a function is given.
func ofParams(n, fn *code.Node) bool {
	for k := range n.Walk() {
		if k.Role == code.Name && parts.HasParam(fn, k.Name) {
			return true
		}
	}
	return false
}

// computes reports whether a part of a program puts values together.
func computes(n *code.Node) bool {
	for k := range n.Walk() {
		if k.Is(code.Arith, code.Step) || k.Role == code.Assign && k.Op != "=" && k.Op != ":=" && k.Op != "" {
			return true
		}
	}
	return false
}

// specials lists those of a function.
func specials(fn *code.Node) []special {
	var all []special
	for n := range fn.Own() {
		switch n.Role {
		case code.If:
			if asked, parts := equalities(n.Kid(code.Cond), fn); len(asked) > 0 {
				if given := onlyGives([]*code.Node{n.Kid(code.Then)}); len(given) > 0 {
					all = append(all, special{n, asked, given, parts > 1 && examples.Weight(asked) >= telling || slices.ContainsFunc(asked, examples.IsDatum)})
				}
			}
		case code.Case:
			asked := casesAsked(n)
			given := onlyGives(slices.DeleteFunc(slices.Clone(n.Kids), func(k *code.Node) bool { return k.Part == code.Value || k.Is(code.TypeRef) }))
			if s := n.Up(code.Switch); s != nil && s.Kid(code.Cond) != nil && ofParams(s.Kid(code.Cond), fn) && len(asked) > 0 && len(given) > 0 {
				all = append(all, special{n, asked, given, slices.ContainsFunc(asked, examples.IsDatum)})
			}
		case code.Index, code.Call:
			if table := lookedInto(n, fn); table != nil {
				for _, e := range entriesOf(table) {
					all = append(all, special{n, e.Asked, e.Given, slices.ContainsFunc(e.Asked, examples.IsDatum)})
				}
			}
		default: // gives nothing for nothing
		}
	}
	return all
}

// equalities are the literals that a condition asks what a function was given to be equal to, and of how many things; none, if it asks for anything else.
func equalities(cond, fn *code.Node) (asked []string, parts int) {
	switch {
	case cond.Is(code.Group):
		return equalities(cond.Kid(code.Operand), fn)
	case cond.Is(code.Logic) && (cond.Op == "and" || cond.Op == "&&"):
		left, l := equalities(cond.Kid(code.Left), fn)
		right, r := equalities(cond.Kid(code.Right), fn)
		if len(left) == 0 || len(right) == 0 {
			return nil, 0
		}
		return append(left, right...), l + r
	case cond == nil || !asksEqual(cond) || !ofParams(cond, fn):
		return nil, 0
	}
	for k := range cond.Walk() {
		if k.Is(code.Arith, code.Slice) {
			return nil, 0 // a rest, or a part: what many inputs have in common
		}
	}
	return examples.Literals(cond), 1
}

// onlyGives are the literals of what statements give, if they do nothing but give what is written out.
func onlyGives(stmts []*code.Node) []string {
	if len(stmts) == 1 && stmts[0].Is(code.Block) {
		stmts = stmts[0].Kids
	}
	if len(stmts) != 1 || !stmts[0].Is(code.Return) {
		return nil
	}
	var all []string
	for _, v := range stmts[0].Kids {
		if !fixed(v) {
			return nil
		}
		all = append(all, examples.Literals(v)...)
	}
	return all
}

// fixed reports whether a value is the same whatever a function is given: literals, names of libraries, and what is put together of these.
func fixed(n *code.Node) bool {
	some := false
	for k := range n.Walk() {
		if k.Is(code.Self, code.Function, code.Comprehension) || k.Role == code.Name && parts.Variable(k) {
			return false
		}
		some = some || parts.Literal(k)
	}
	return some
}

// casesAsked are the literals of a case.
func casesAsked(n *code.Node) []string {
	var all []string
	for _, v := range n.All(code.Value) {
		all = append(all, examples.Literals(v)...)
	}
	if n.File.Lang == syntax.Python {
		if m := matched.FindStringSubmatch(n.Text()); m != nil {
			all = append(all, examples.Normal(m[1]))
		}
	}
	return all
}

// matched matches the head of a case of Python's that is about one literal.
var matched = pattern.New(`^case\s+("[^"]*"|'[^']*'|-?[\d.]+)\s*:`)

// lookedInto is the table, written out, in which a node looks up what a function was given; nil, if it does not.
func lookedInto(n, fn *code.Node) *code.Node {
	var in, at *code.Node
	switch {
	case n.Role == code.Index:
		in, at = n.Kid(code.Object), n.Kid(code.At)
	case n.Kid(code.Callee).Is(code.Attr) && (parts.LastName(n) == "get" || parts.LastName(n) == "getOrDefault") && len(n.All(code.Arg)) > 0:
		in, at = n.Kid(code.Callee).Kid(code.Object), n.All(code.Arg)[0]
	}
	if in == nil || at == nil || !ofParams(at, fn) {
		return nil
	}
	if !in.Is(code.Name) {
		return in
	}
	for k := range fn.Own() {
		if k.Role == code.Assign && k.Kid(code.Target).Is(code.Name) && k.Kid(code.Target).Name == in.Name {
			return k.Kid(code.Value)
		}
	}
	if k := defined(n.File, in.Name); k != nil {
		return k.Kid(code.Value)
	}
	return nil
}

// entriesOf are the entries of a table that is written out, as far as they are literals.
func entriesOf(table *code.Node) []examples.Pair {
	var all []examples.Pair
	add := func(key, given *code.Node) {
		if key == nil || given == nil || !fixed(given) {
			return
		}
		asked := examples.Literals(key)
		if len(asked) == 0 {
			asked = []string{`"` + key.Text() + `"`}
		}
		all = append(all, examples.Pair{Asked: asked, Given: examples.Literals(given)})
	}
	switch {
	case table.Is(code.Map):
		for _, k := range table.Kids {
			if k.Role == code.Pair {
				add(k.Kid(code.Key), k.Kid(code.Value))
			}
		}
	case table.Is(code.Call) && parts.LastName(table) == "of":
		args := table.All(code.Arg)
		for i := 0; i+1 < len(args); i += 2 {
			add(args[i], args[i+1])
		}
	case table.Is(code.Call) && parts.LastName(table) == "Map" && len(table.All(code.Arg)) == 1:
		for _, row := range table.All(code.Arg)[0].Kids {
			if len(row.Kids) == 2 {
				add(row.Kids[0], row.Kids[1])
			}
		}
	}
	return all
}
