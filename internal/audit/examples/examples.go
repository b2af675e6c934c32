// Package examples answers "with which values do tests ask, and which do they expect?".
//
// What a test gives and what it expects are literals, each in one spelling for all languages, so that they can be looked for in the code that the test is about: exactly, as
// what is asked with what is expected ([Pairs]), or as values that stand together ([Rows]). How much it says that two have a value in common is its [Weight]. A program that asks with
// values and fails where others come is a test, whatever it is called ([IsProof]).
//
// It is given one file of tests, or of their data. Whether code holds the answers of its tests is the rules' affair.
package examples

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"fettle/internal/audit/assertions"
	"fettle/internal/audit/parts"
	"fettle/internal/code"
)

// Pair is one thing that a test asks, and what it expects: the literals of a call's arguments, and of what it is compared with.
type Pair struct{ Asked, Given []string }

// Key is what tells a pair from others.
func (p Pair) Key() string {
	return strings.Join(p.Asked, "\x00") + "\x01" + strings.Join(p.Given, "\x00")
}

// Spelled are the literals of values one after the other; of values without any that they are empty.
func Spelled(values ...*code.Node) []string {
	var all []string
	for _, v := range values {
		all = append(all, Literals(v)...)
	}
	if len(all) == 0 {
		return []string{Empty}
	}
	return all
}

// Pairs lists what a test file asks and expects in one breath: calls that are compared, rows of tables.
func Pairs(name string, src []byte) []Pair {
	f := parts.Read(name, src)
	if f == nil {
		return dataPairs(name, src)
	}
	var all []Pair
	named := make(map[string]*code.Node) // results of calls by the variable that holds them
	for n := range f.Root.Walk() {
		switch {
		case n.Role == code.Assign:
			if t, v := n.All(code.Target), n.Kid(code.Value); len(t) > 0 && t[0].Role == code.Name && asks(v) {
				named[t[0].Name] = v
			}
		case n.Role == code.Compare:
			for _, side := range []code.Part{code.Left, code.Right} {
				if call := named[n.Kid(side).Text()]; call != nil {
					all = append(all, expecting(call, n.Kid(other(side)))...)
				}
			}
		case n.Role == code.Call && assertions.Likens(parts.LastName(n)):
			args := n.All(code.Arg)
			for i, a := range args {
				if call := named[a.Text()]; call != nil {
					all = append(all, expecting(call, slices.Delete(slices.Clone(args), i, i+1)...)...)
				}
			}
		}
		if asks(n) {
			all = append(all, besides(n)...)
		}
		if n.Is(code.List, code.Map, code.Call) && n.Part == code.Elem {
			all = append(all, OfRow(n)...)
		}
	}
	return all
}

func other(side code.Part) code.Part {
	if side == code.Left {
		return code.Right
	}
	return code.Left
}

// asks reports whether a node is a call with arguments that are written out.
func asks(n *code.Node) bool {
	if n == nil || n.Role != code.Call || len(n.All(code.Arg)) == 0 || assertions.Likens(parts.LastName(n)) || parts.PutsTogether(parts.LastName(n)) {
		return false
	}
	return !slices.ContainsFunc(n.All(code.Arg), func(a *code.Node) bool { return !parts.Value(parts.Unnamed(a)) })
}

func expecting(call *code.Node, values ...*code.Node) []Pair {
	var all []Pair
	for _, v := range values {
		if parts.Value(v) {
			all = append(all, Pair{Spelled(call.All(code.Arg)...), Spelled(v)})
		}
	}
	return all
}

// besides finds what a call is compared with: on the way up through what only wraps it.
func besides(call *code.Node) []Pair {
	says, inList := "true", false
	for at := call; at.Parent != nil; at = at.Parent {
		switch p := at.Parent; {
		case p.Role == code.Compare:
			return expecting(call, p.Kid(other(at.Part)))
		case p.Role == code.Not:
			says = map[string]string{"true": "false", "false": "true"}[says]
		case p.Role == code.Other && strings.HasPrefix(p.Text(), "assert"):
			return []Pair{{Spelled(call.All(code.Arg)...), []string{says}}}
		case p.Role == code.Call && at.Part == code.Arg && parts.PutsTogether(parts.LastName(p)):
			inList = true
		case p.Role == code.Call && at.Part == code.Arg:
			if all, done := asked(call, p, at); done {
				return all
			}
		case p.Role == code.Attr && p.Parent.Is(code.Call) && p.Part == code.Callee:
			if args := p.Parent.All(code.Arg); len(args) > 0 {
				return expecting(call, args...)
			}
		case wraps(p, at):
		default:
			if inList && assertions.AtOnce(call) {
				return []Pair{{Spelled(call.All(code.Arg)...), []string{says}}} // one of a list of what must hold
			}
			return nil
		}
	}
	return nil
}

// wraps reports whether a node says nothing of what stands in it: parentheses, a cast, a call without arguments on it.
func wraps(p, at *code.Node) bool {
	return p.Is(code.Group, code.Wait, code.Attr, code.Other) || p.Role == code.Call && at.Part == code.Callee && len(p.All(code.Arg)) == 0
}

// asked is what a call that asserts expects of one of its arguments. It is not done where the call has no other argument: expect(f(1)).
func asked(call, asserts, at *code.Node) (all []Pair, done bool) {
	for _, says := range []string{"false", "true"} {
		if strings.Contains(strings.ToLower(parts.LastName(asserts)), says) {
			return []Pair{{Spelled(call.All(code.Arg)...), []string{says}}}, true
		}
	}
	rest := slices.DeleteFunc(asserts.All(code.Arg), func(a *code.Node) bool { return a == at })
	return expecting(call, rest...), len(rest) > 0
}

// OfRow are a row of a table: all of it but what is expected, and each part alone. What is expected stands last, or says so.
func OfRow(row *code.Node) []Pair {
	var cells []*code.Node
	wanted := -1
	for _, k := range row.Kids {
		switch {
		case k.Part == code.Callee:
			continue
		case k.Role == code.Pair:
			if expectedWords[strings.ToLower(strings.Trim(k.Kid(code.Key).Text(), `"'`))] {
				wanted = len(cells)
			}
			k = k.Kid(code.Value)
		}
		if !parts.Value(k) {
			return nil
		}
		cells = append(cells, k)
	}
	if len(cells) < 2 {
		return nil
	}
	if wanted < 0 {
		wanted = len(cells) - 1
	}
	rest := slices.Delete(slices.Clone(cells), wanted, wanted+1)
	all := []Pair{{Spelled(rest...), Spelled(cells[wanted])}}
	for _, r := range rest {
		all = append(all, Pair{Spelled(r), Spelled(cells[wanted])})
	}
	return all
}

// expectedWords are how fields of tables call what is expected.
var expectedWords = map[string]bool{
	"want": true, "expected": true, "expect": true, "result": true, "out": true, "output": true, "exp": true, "wants": true, "answer": true, "returns": true,
}

// dataPairs reads JSON: a value, or one on each line. A list of two is what is asked and what is expected.
func dataPairs(name string, src []byte) []Pair {
	if ext := path.Ext(name); ext != ".json" && ext != ".jsonl" {
		return nil
	}
	var all []Pair
	var whole any
	if json.Unmarshal(src, &whole) == nil {
		return jsonPairs(whole)
	}
	for l := range strings.SplitSeq(string(src), "\n") {
		var v any
		if json.Unmarshal([]byte(l), &v) == nil {
			all = append(all, jsonPairs(v)...)
		}
	}
	return all
}

func jsonPairs(v any) []Pair {
	rows, _ := v.([]any)
	var all []Pair
	if len(rows) == 2 {
		all = append(all, Pair{OfJSON(rows[0]), OfJSON(rows[1])})
	}
	for _, r := range rows {
		if inner, ok := r.([]any); ok && len(inner) == 2 {
			all = append(all, Pair{OfJSON(inner[0]), OfJSON(inner[1])})
		}
	}
	return all
}

// OfJSON are the literals of a value of JSON, spelled as those of code are; of one without any that it is empty.
func OfJSON(v any) []string {
	if all := jsonLiterals(v); len(all) > 0 {
		return all
	}
	return []string{Empty}
}

func jsonLiterals(v any) []string {
	switch v := v.(type) {
	case []any:
		var all []string
		for _, e := range v {
			all = append(all, jsonLiterals(e)...)
		}
		return all
	case map[string]any:
		return []string{"{}"} // no order, so no spelling
	case string:
		return []string{`"` + v + `"`}
	default:
		text, err := json.Marshal(v)
		if err != nil {
			return nil
		}
		return []string{Normal(string(text))}
	}
}
