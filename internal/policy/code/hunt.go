package code

import (
	"slices"

	program "fettle/internal/code"
	"fettle/internal/pattern"
)

// hunt looks for something in what an expression is made of: by names, members and functions of the file, through what puts values together and leaves
// them as they are. What asks, counts or picks is no part of it.
type hunt struct {
	s    *scan
	is   func(*program.Node) bool
	into func(n *program.Node, path string) []*program.Node // what a call hands on, by the path of what is called
	seen map[*program.Node]bool
}

// hunts reports whether an expression is made of something.
func (s *scan) hunts(n *program.Node, is func(*program.Node) bool, into func(*program.Node, string) []*program.Node) bool {
	return (&hunt{s, is, into, make(map[*program.Node]bool)}).finds(n)
}

func (h *hunt) finds(n *program.Node) bool {
	const most = 200
	if n == nil || h.seen[n] || len(h.seen) > most {
		return false
	}
	h.seen[n] = true
	return h.is(n) || slices.ContainsFunc(h.parts(n), h.finds)
}

// withholds matches functions that give less than what they are given.
var withholds = pattern.New(`(?i)redact|mask|scrub|saniti|censor|omit|pick|filter|without|allowed|public|safe`)

// parts are what an expression is put together from.
func (h *hunt) parts(n *program.Node) []*program.Node {
	switch n.Role {
	case program.Name:
		return h.s.standsFor(n)
	case program.Attr:
		return h.s.gets(h.s.fieldOf(n))
	case program.Call:
		if withholds.MatchString(n.Calls()) {
			return nil
		}
		if f := h.s.carriedOut(n); f != nil {
			return results(f)
		}
		return h.into(n, h.s.eval(n.Kid(program.Callee), 0).path)
	case program.Arith:
		if n.Op == "+" || n.Op == "%" || n.Op == "|" { // of Python's dictionaries, too
			return []*program.Node{n.Kid(program.Left), n.Kid(program.Right)}
		}
	case program.Logic:
		return []*program.Node{n.Kid(program.Left), n.Kid(program.Right)}
	case program.Choice:
		return []*program.Node{n.Kid(program.Then), n.Kid(program.Else)}
	case program.Str:
		return n.Kids
	case program.List:
		return n.All(program.Elem)
	case program.Map:
		return entriesOf(n)
	case program.Pair, program.Keyword:
		return n.All(program.Value)
	case program.Comprehension:
		return gone(n)
	case program.Group, program.Wait, program.Spread, program.Unary, program.Other:
		return n.All(program.Operand)
	case program.Slice:
		return n.All(program.Object)
	default: // is made of nothing
	}
	return nil
}

// secretEntries matches names of what is kept from others.
var secretEntries = pattern.New(`(?i)passw|token|secret|authori[sz]ation|cookie|card|cvc`)

// entriesOf are the entries of an object: without what it copies, where something secret of that is put over.
func entriesOf(n *program.Node) []*program.Node {
	all := n.All(program.Elem)
	if slices.ContainsFunc(all, func(e *program.Node) bool {
		return e.Role == program.Pair && secretEntries.MatchString(e.Kid(program.Key).Text())
	}) {
		all = slices.DeleteFunc(all, func(e *program.Node) bool { return e.Role == program.Spread })
	}
	return all
}

// gone are what a comprehension goes through where it takes all of it, what stands under a name with the name.
func gone(n *program.Node) []*program.Node {
	var all []*program.Node
	for _, k := range n.Kids {
		if k.Role == program.Each && len(n.All(program.Cond)) == 0 && len(k.All(program.Target)) > 1 {
			all = append(all, k.All(program.Iter)...)
		}
	}
	return all
}

// standsFor are the expressions that a name stands for: what it was given whole, what was put to its end, and what calls give a parameter.
func (s *scan) standsFor(n *program.Node) []*program.Node {
	name := s.identifier(n.Name)
	var all []*program.Node
	for _, b := range s.bindings(n, name) {
		if b.node != nil && b.member == "" {
			all = append(all, b.node)
		}
	}
	if f := definer(n); f != nil {
		all = append(all, s.arguments(f, name)...)
	}
	for _, v := range s.laidInto(n.Name) {
		if v.Function() == n.Function() {
			all = append(all, v)
		}
	}
	return all
}

// laidInto are what is put into a table of a name under keys: out.put("a", x), out["a"] = x.
func (s *scan) laidInto(name string) []*program.Node {
	if s.laid != nil {
		return s.laid[name]
	}
	s.laid = make(map[string][]*program.Node)
	for n := range s.file.Root.Walk() {
		var table, v *program.Node
		switch n.Role {
		case program.Call:
			if args := n.All(program.Arg); len(args) == 2 && (n.Calls() == "put" || n.Calls() == "set") {
				table, v = n.Kid(program.Callee).Kid(program.Object), args[1]
			}
		case program.Assign:
			if t := n.Kid(program.Target); t.Is(program.Index) || t.Is(program.Attr) && s.plain.written(t.Kid(program.Object)).Is(program.Map) {
				table, v = t.Kid(program.Object), n.Kid(program.Value)
			}
		default: // puts nothing
		}
		if table.Is(program.Name) && v != nil {
			s.laid[table.Name] = append(s.laid[table.Name], v)
		}
	}
	return s.laid[name]
}
