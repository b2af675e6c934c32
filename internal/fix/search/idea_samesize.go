package search

import (
	"slices"
	"strings"

	"fettle/internal/code"
)

// walksFor are the methods that look through what they are called on, and keysFor the calls that give what is to be looked through of an object.
var (
	walksFor = []string{"every", "some", "forEach", "allMatch", "anyMatch", "stream", "entrySet", "keySet", "items", "keys", "values", "entries"}
	keysFor  = []string{"Object.keys", "Object.entries"}
)

// sameSize asks of two that are held to be equal whether as much is in both, before one of them alone is looked through: what only the other one has is never seen.
func (s *site) sameSize(try func(change)) {
	fn := s.Function()
	if !s.isStatement() || !s.Alone() || fn == nil || s.Parent != fn.Kid(code.Body) || !s.refuses() {
		return
	}
	through := s.lookedThrough()
	if through == nil {
		return
	}
	one, byKeys := lookedAt(through)
	other := s.counterpartOf(one)
	if other == "" {
		return
	}
	t := s.typeOf(one)
	sizes := [2]string{s.sizeOf(one.Text(), t, byKeys), s.sizeOf(other, t, byKeys)}
	if strings.Contains(unspaced(fn.Text()), unspaced(sizes[1])) {
		return
	}
	differ := strings.Replace(s.fact().Equal, "=", "!", 1)
	asked := sizes[0] + " " + differ + " " + sizes[1]
	text := s.guard(asked, s.statement("return "+s.fact().False), s.Indent())
	try(insert(s.Start, text+"\n"+s.Indent(), 1, "only %s is looked through, and %s may hold more", quote(one.Text()), quote(other)))
}

// refuses reports whether the function tells whether something holds.
func (s *site) refuses() bool {
	for n := range s.Function().Own() {
		if v := n.Kid(code.Value); n.Is(code.Return) && (v.Is(code.Bool, code.Compare, code.Logic) || v.Is(code.Call) && slices.Contains([]string{"every", "all", "allMatch"}, v.Calls())) {
			return true
		}
	}
	return false
}

// lookedThrough is what the statement looks through: what a loop is over, or a method that asks each.
func (s *site) lookedThrough() *code.Node {
	for n := range s.Walk() {
		callee := n.Kid(code.Callee)
		switch {
		case n.Is(code.Each):
			return n.Kid(code.Iter)
		case n.Is(code.For) && n.Kid(code.Cond).Is(code.Compare) && n.Kid(code.Cond).Kid(code.Right).Is(code.Attr, code.Call):
			if right := n.Kid(code.Cond).Kid(code.Right); measures(right) {
				return measured(right)
			}
		case n.Is(code.Call) && callee.Is(code.Attr) && slices.Contains([]string{"every", "some", "forEach", "allMatch", "anyMatch"}, callee.Name):
			return callee.Kid(code.Object)
		}
	}
	return nil
}

// measured is what a node asks the size of.
func measured(n *code.Node) *code.Node {
	switch callee := n.Kid(code.Callee); {
	case n.Is(code.Attr):
		return n.Kid(code.Object)
	case callee.Is(code.Attr):
		return callee.Kid(code.Object)
	}
	return n.Kid(code.Arg)
}

// lookedAt is the variable, or the member, of which something is looked through, and whether it is by its keys, as JavaScript's objects are.
func lookedAt(n *code.Node) (one *code.Node, byKeys bool) {
	for n != nil {
		callee, args := n.Kid(code.Callee), n.All(code.Arg)
		switch {
		case n.Is(code.Call) && slices.Contains(keysFor, callee.Text()) && len(args) == 1:
			n, byKeys = args[0], true
		case n.Is(code.Call) && callee.Is(code.Attr) && slices.Contains(walksFor, callee.Name):
			n = callee.Kid(code.Object)
		case n.Is(code.Call) && callee.Is(code.Name) && slices.Contains([]string{"enumerate", "zip", "range"}, callee.Name) && len(args) > 0:
			n = args[0]
		case n.Is(code.Call) && measures(n):
			n = measured(n)
		case n.Is(code.Name):
			made := made(n)
			if !made.Is(code.Call) {
				return n, byKeys
			}
			n = made
		case n.Is(code.Attr):
			return n, byKeys
		default:
			return nil, false
		}
	}
	return nil, false
}

// made is the value that a name of the function begins with; nil: none that is known.
func made(n *code.Node) *code.Node {
	for _, v := range n.Scope() {
		if v.Name == n.Name && v.Kind == code.Local && v.Decl.Parent.Is(code.Assign) {
			return v.Decl.Parent.Kid(code.Value)
		}
	}
	return nil
}

// counterpartOf is what the site's one of two is held against: the function's other parameter, or the same member of another object; empty: there is none, or the function
// does not look at it.
func (s *site) counterpartOf(one *code.Node) string {
	fn := s.Function()
	params := fn.All(code.Params)
	if one.Is(code.Name) {
		i := slices.IndexFunc(params, func(p *code.Node) bool { return p.Name == one.Name })
		for j, p := range params {
			if i >= 0 && (j == i+1 || j == i-1) && fits(s.at(one).of(one), s.typeOf(p)) >= 0.6 && mentions(s.onwards(), p.Name) && p.Name != objectName(fn) {
				return p.Name
			}
		}
		return ""
	}
	if s.memberOfObject(one) == nil {
		return ""
	}
	for _, p := range params {
		if other := p.Name + "." + memberName(one); p.Name != "" && p.Name != objectName(fn) && strings.Contains(fn.Text(), other) {
			return other
		}
	}
	return ""
}

// onwards is the function from the site on.
func (s *site) onwards() string { return s.File.Source[s.Start:s.Function().End] }

// sizeOf spells how much something holds, of an object by its keys.
func (s *site) sizeOf(value string, t typ, byKeys bool) string {
	switch {
	case byKeys:
		return "Object.keys(" + value + ").length"
	case s.fact().Family == "JavaScript" && slices.ContainsFunc(t.names, func(n string) bool { return isOf(n, "Map") || isOf(n, "Set") }):
		return value + ".size"
	}
	return s.size(name{text: value, typ: t})
}
