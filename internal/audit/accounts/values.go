package accounts

import (
	"slices"
	"strconv"
	"strings"

	"fettle/internal/audit/assertions"
	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/syntax"
)

// assigned tells what gives a variable its value. A value that is asked right away stands in the place of the variable.
func (r *teller) assigned(n *code.Node) []fact {
	targets, values := n.All(code.Target), n.All(code.Value)
	own := len(targets) == 1 && len(values) == 1 && targets[0].Role == code.Name && plainAssign[n.Op]
	if own && values[0].Is(code.Name) && targets[0].Name == values[0].Name {
		return nil // the loop's variable, for this round alone
	}
	if all, ok := r.madeByHelper(n, targets, values); ok {
		return all
	}
	if own {
		return r.named(n, targets[0].Name, values[0])
	}
	if all, ok := r.sideBySide(n, targets, values); ok {
		return all
	}
	if temporary(n) {
		r.env[targets[0].Name], r.env[targets[1].Name] = temporaryFolder, "null"
		return nil
	}
	return r.givenTo(n, targets, values)
}

// givenTo tells what gives values to targets that are no variables of their own, or several at once.
func (r *teller) givenTo(n *code.Node, targets, values []*code.Node) []fact {
	var rights, lefts []string
	for _, v := range values {
		rights = append(rights, r.canon(v))
	}
	for _, t := range targets {
		for _, name := range parts.Targets(t) {
			if !strings.Contains(name, ".") && plainAssign[n.Op] && (name == "_" || r.local(name)) {
				r.name(name)
			}
		}
		lefts = append(lefts, r.canon(t))
	}
	op := n.Op
	if plainAssign[op] {
		op = "="
	}
	return []fact{{text: strings.Join(lefts, ",") + op + strings.Join(rights, ",")}}
}

// sideBySide tells variables of Go's and others' that are given their values at once as if that were done one after the other, where no value is about one of them: got, want := f(1), 2.
func (r *teller) sideBySide(n *code.Node, targets, values []*code.Node) ([]fact, bool) {
	if len(targets) < 2 || len(targets) != len(values) || !plainAssign[n.Op] {
		return nil, false
	}
	for _, t := range targets {
		if !t.Is(code.Name) || !r.local(t.Name) || slices.ContainsFunc(values, func(v *code.Node) bool { return namesVariable(v, t.Name) }) {
			return nil, false
		}
	}
	var all []fact
	for i, t := range targets {
		all = append(all, r.named(n, t.Name, values[i])...)
	}
	return all, true
}

var plainAssign = map[string]bool{"=": true, ":=": true, "": true}

// namesVariable reports whether a part of a program is about a variable.
func namesVariable(n *code.Node, name string) bool {
	for k := range n.Walk() {
		if k.Is(code.Name) && k.Name == name {
			return true
		}
	}
	return false
}

// name gives a variable its number.
func (r *teller) name(name string) string {
	r.env[name] = "v" + strconv.Itoa(r.next)
	r.next++
	return r.env[name]
}

func (r *teller) named(n *code.Node, name string, value *code.Node) []fact {
	waits := value.Is(code.Wait)
	if asserts := value; asserts.Is(code.Call, code.Wait) {
		if waits {
			asserts = asserts.Kid(code.Operand)
		}
		if all, ok := r.thrownBy(asserts); ok {
			r.env[name] = "thrown"
			return all
		}
	}
	return r.namedAs(n, name, value, r.canon(value))
}

// namedAs tells what gives a variable a value, as a text.
func (r *teller) namedAs(n *code.Node, name string, value *code.Node, text string) []fact {
	if name == "_" {
		return []fact{{text: text}}
	}
	if !r.local(name) {
		return []fact{{text: r.canon(n.Kid(code.Target)) + "=" + text}}
	}
	steady := r.steady(name)
	if steady && (text == temporaryFolder || r.inline(n, name, value)) {
		if fields := r.fields(value); fields != nil && r.root.Holds(value.Start, value.End) {
			r.rows[name] = fields
		}
		r.env[name] = text
		return nil
	}
	if _, named := r.env[name]; named && !steady {
		return []fact{{text: r.env[name] + "=" + text}}
	}
	return []fact{{text: r.name(name) + "=" + text}}
}

// givesTo reports whether a node gives a variable a value.
func givesTo(k *code.Node, name string) bool {
	return k.Is(code.Assign, code.Each, code.Step) && slices.ContainsFunc(append(k.All(code.Target), k.All(code.Operand)...), func(t *code.Node) bool { return slices.Contains(parts.Targets(t), name) })
}

// local reports whether a variable is the function's own.
func (r *teller) local(name string) bool {
	some := false
	for k := range r.root.Walk() {
		if k.Role == code.Other && (strings.HasPrefix(k.Text(), "global ") || strings.HasPrefix(k.Text(), "nonlocal ")) && parts.Mentions([]byte(k.Text()), name) {
			return false
		}
		some = some || k.Is(code.Assign) && (k.Declares || k.File.Lang == syntax.Python) && givesTo(k, name)
	}
	return some
}

// steady reports whether a variable is given its values one after the other, and not in a branch, later, or by what it was.
func (r *teller) steady(name string) bool {
	for k := range r.root.Walk() {
		if !givesTo(k, name) {
			continue
		}
		if k.Role == code.Step || k.Role == code.Assign && !plainAssign[k.Op] || r.nested(k) {
			return false
		}
		for at := k; at.Parent != nil && at != r.root; at = at.Parent {
			if at.Parent.Is(code.If, code.Switch, code.Choice, code.Logic) && at.Part != code.Init || at.Parent.Role == code.Other && strings.HasPrefix(at.Parent.Text(), "try") {
				return false
			}
		}
	}
	return true
}

// inline reports whether a value can stand in the place of a variable: it is written out, or asked at once.
func (r *teller) inline(n *code.Node, name string, value *code.Node) bool {
	var uses []*code.Node
	end := r.root.End
	for k := range r.root.Walk() {
		switch {
		case givesTo(k, name) && k.Start > n.Start:
			end = min(end, k.Start)
		case k.Role == code.Name && k.Name == name && k.Part != code.Target && k.Start >= n.End && k.Start < end && !inMessage(k):
			uses = append(uses, k)
		}
	}
	switch {
	case parts.Literal(value) && len(value.Kids) == 0, value.Is(code.Unary) && parts.Literal(value.Kid(code.Operand)):
		return true
	case parts.Constant(value) && !slices.ContainsFunc(uses, func(u *code.Node) bool { return !isTable(u) }):
		return true
	}
	if r.spelledOut || len(uses) > 1 && slices.ContainsFunc(uses, actedUpon) {
		return false
	}
	return len(uses) > 0 && !slices.ContainsFunc(uses, func(u *code.Node) bool { return r.nested(u) }) && askedAtOnce(n, uses)
}

// actedUpon reports whether something is called of an object, or is given it, that may do more than read it.
func actedUpon(u *code.Node) bool {
	if u.Part == code.Arg {
		return u.Parent.Is(code.Call) && !AssertsByName(u.Parent) && !onlyReads.MatchString(parts.LastName(u.Parent)+"(")
	}
	on := u.Parent
	return u.Part == code.Object && on.Is(code.Attr) && on.Part == code.Callee && !onlyReads.MatchString(on.Name+"(") && assertions.Matcher(on.Name) == assertions.Nothing && oneSided[on.Name] == ""
}

// isTable reports whether a variable is gone through where it is read.
func isTable(u *code.Node) bool {
	return u.Part == code.Iter || u.Part == code.Object && u.Parent.Name == "forEach"
}

// nested reports whether something may be carried out more often than once, or later, or never.
func (r *teller) nested(n *code.Node) bool {
	for at := n.Parent; at != nil && at != r.root; at = at.Parent {
		switch at.Role {
		case code.For, code.While, code.Comprehension:
			return true
		case code.Each:
			if len(r.rowsOf(at)) == 0 && n.Part != code.Iter {
				return true
			}
		case code.Function:
			if call := parts.GivenTo(at); call == nil || runsInside(call) != at && r.forEach(call) == nil {
				return true
			}
		default: // is carried out when it is its turn
		}
	}
	return false
}

// inMessage reports whether a value only stands in what is said of a failure.
func inMessage(n *code.Node) bool {
	for at := n; at.Parent != nil; at = at.Parent {
		if at.Part == code.Arg && at.Parent.Role == code.Call && (assertions.FailsGo(parts.LastName(at.Parent)) || assertions.Prints(at.Parent)) {
			return true
		}
	}
	return false
}

// askedAtOnce reports whether nothing is done between an assignment and what asks its value but to demand something: then it is as if that were asked itself.
func askedAtOnce(n *code.Node, uses []*code.Node) bool {
	if n.Part == code.Init {
		return !slices.ContainsFunc(uses, func(u *code.Node) bool { return !n.Parent.Kid(code.Cond).Holds(u.Start, u.End) })
	}
	at := n
	for at.Part != code.Stmt && at.Parent != nil {
		at = at.Parent
	}
	last := slices.MaxFunc(uses, func(a, b *code.Node) int { return a.Start - b.Start })
	some := 0
	for next := at.Next(); next != nil; next = next.Next() {
		asked, assigned := len(assertions.OfStatement(next)) > 0, next.Is(code.Assign, code.Declaration)
		holds := next.Holds(last.Start, last.End)
		for _, u := range uses {
			if next.Holds(u.Start, u.End) {
				some++
				if !asked && len(uses) > 1 {
					return false
				}
			}
		}
		if holds {
			return some == len(uses)
		}
		if !asked && !assigned {
			return false
		}
	}
	return false
}
