package accounts

import (
	"slices"

	"fettle/internal/audit/assertions"
	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/pattern"
)

// outcome is what a helper of the file gives, told by itself, and what it is written as.
type outcome struct {
	text  string
	value *code.Node
	of    *teller // who has told the helper
}

// madeByHelper tells an assignment of what a helper of the file makes as if that were made there: what the helper does, and then what it gives. Only a helper is told so that goes through to its
// end, gives something there, and demands nothing.
func (r *teller) madeByHelper(n *code.Node, targets, values []*code.Node) ([]fact, bool) {
	if len(values) != 1 || !plainAssign[n.Op] {
		return nil, false
	}
	before := r.next
	all, given, ok := r.outcomes(values[0])
	if !ok {
		return nil, false
	}
	names := given.names(targets)
	if len(names) == 0 || slices.ContainsFunc(names, func(o named) bool { return o.name == "" || o.name != "_" && !r.local(o.name) }) {
		r.next = before
		return nil, false
	}
	for _, o := range names {
		if ownNumber.MatchString(o.text) && !touches(o.text, before) && r.steady(o.name) {
			r.env[o.name] = o.text // the helper's own variable, by the test's name
			continue
		}
		all = append(all, r.namedAs(n, o.name, o.value, o.text)...)
	}
	return all, true
}

var ownNumber = pattern.New(`^v\d+$`)

// outcomes tells the helper that a value calls.
func (r *teller) outcomes(value *code.Node) ([]fact, outcomes, bool) {
	waits := value.Is(code.Wait)
	if waits {
		value = value.Kid(code.Operand)
	}
	if !value.Is(code.Call) {
		return nil, nil, false
	}
	fn := r.helper(value, waits)
	if fn == nil || waits != parts.IsAsync(fn) || len(assertions.Of(fn)) > 0 {
		return nil, nil, false
	}
	inner, ok := r.entered(fn, value)
	if !ok {
		return nil, nil, false
	}
	inner.spelledOut = r.spelledOut
	stmts := parts.Statements(fn)
	var all []fact
	var values []*code.Node
	switch last := stmts[len(stmts)-1]; {
	case fn.Kid(code.Body).Role != code.Block:
		values = stmts
	case !last.Is(code.Return) || returns(fn) != 1:
		return nil, nil, false
	default:
		all, values = inner.one(stmts[:len(stmts)-1]...), last.Kids
	}
	var given outcomes
	for _, v := range values {
		given = append(given, outcome{inner.canon(v), v, inner})
	}
	r.next, r.lost = inner.next, r.lost || inner.lost
	return all, given, len(given) > 0
}

// entered is a teller of a helper, that knows what its parameters stand for; not, where that cannot be told.
func (r *teller) entered(fn, call *code.Node) (*teller, bool) {
	params, args := fn.All(code.Params), call.All(code.Arg)
	if len(params) > 0 && (params[0].Name == "self" || params[0].Name == "cls") {
		params = params[1:]
	}
	if len(params) != len(args) || slices.ContainsFunc(args, func(a *code.Node) bool { return a.Is(code.Keyword, code.Spread) }) || len(parts.Statements(fn)) == 0 {
		return nil, false
	}
	inner := &teller{root: fn, env: make(map[string]string), rows: make(map[string]map[string]string), next: r.next, depth: r.depth + 1}
	for i, p := range params {
		if p.Name == "" {
			return nil, false
		}
		inner.env[p.Name] = r.canon(args[i])
	}
	return inner, true
}

// returns is in how many places a function ends by giving something.
func returns(fn *code.Node) int {
	count := 0
	for n := range fn.Own() {
		if n.Is(code.Return) {
			count++
		}
	}
	return count
}

// named is a variable of a test, with what it is given.
type named struct {
	name string
	outcome
}

// outcomes are what a helper gives, in their order.
type outcomes []outcome

// names are the variables that are given these: one, as many as there are, or those into which a list or an object is taken apart. None, where they do not fit.
func (all outcomes) names(targets []*code.Node) []named {
	var out []named
	if len(targets) == 1 && len(all) == 1 && targets[0].Is(code.Map) {
		return all[0].takenApart(targets[0])
	}
	if len(all) == 1 && all[0].value.Is(code.List) && (len(targets) > 1 || targets[0].Is(code.List)) {
		if len(targets) == 1 {
			targets = targets[0].Kids
		}
		all = all[0].elements()
	}
	if len(targets) != len(all) {
		return nil
	}
	for i, t := range targets {
		if !t.Is(code.Name) {
			return nil
		}
		out = append(out, named{t.Name, all[i]})
	}
	return out
}

func (o outcome) elements() outcomes {
	var all outcomes
	for _, e := range o.value.Kids {
		all = append(all, outcome{o.of.canon(e), e, o.of})
	}
	return all
}

// takenApart are the variables of a pattern, each with the part of an object that it names, in the order in which the object is made.
func (o outcome) takenApart(pattern *code.Node) []named {
	if !o.value.Is(code.Map) {
		return nil
	}
	wanted := make(map[string]string)
	for _, k := range pattern.Kids {
		key, name := fieldOf(k)
		if key == "" || !name.Is(code.Name) {
			return nil
		}
		wanted[key] = name.Name
	}
	var all []named
	for _, k := range o.value.Kids {
		key, value := fieldOf(k)
		if key == "" {
			return nil
		}
		if name, is := wanted[key]; is {
			all = append(all, named{name, outcome{o.of.canon(value), value, o.of}})
			delete(wanted, key)
		}
	}
	if len(wanted) > 0 {
		return nil
	}
	return all
}

// fieldOf is a part of an object, or of a pattern that takes one apart: what it is called, and its value.
func fieldOf(n *code.Node) (key string, value *code.Node) {
	switch {
	case n.Is(code.Name):
		return n.Name, n
	case n.Is(code.Pair) && n.Kid(code.Key) != nil && n.Kid(code.Value) != nil:
		return n.Kid(code.Key).Text(), n.Kid(code.Value)
	}
	return "", nil
}
