package search

import (
	"slices"
	"strings"

	"fettle/internal/code"
)

// How likely a member has to be emptied where another one is changed.
const (
	emptiedWithOther = 1.0 // another method takes from the one and puts into the other
	emptiedBeside    = 0.8 // that other one is emptied here
	mostEmptied      = 3
)

// filledMember is a member of the object that a statement puts something into; nil: it does not.
func (s *site) filledMember(stmt *code.Node) *code.Node {
	what := assignment(stmt)
	of := what.Kid(code.Callee).Kid(code.Object)
	switch to := what.Kid(code.Target); {
	case what.Is(code.Call) && what.Kid(code.Callee).Is(code.Attr) && (slices.Contains(growing, what.Calls()) || lastTakers[what.Calls()] != "" || what.Calls() == "offer"):
	case what.Is(code.Assign) && to.Is(code.Index):
		of = to.Kid(code.Object)
	case what.Is(code.Assign) && what.Kid(code.Value).Calls() == "append":
		of = to
	default:
		return nil
	}
	return s.memberOfObject(of)
}

// memberOfObject is a node that stands for a member of the function's object: this.x, and in Java x, where no function makes it; else nil.
func (s *site) memberOfObject(n *code.Node) *code.Node {
	switch {
	case n.Is(code.Attr) && n.Kid(code.Object).Is(code.Self):
		return n
	case n.Is(code.Attr) && n.Kid(code.Object).Is(code.Name) && n.Kid(code.Object).Name == objectName(n.Function()):
		return n
	case n.Is(code.Name) && n.File.Facts.Family == "Java" && n.Up(code.Class) != nil && s.unit.types.fieldsOf(n.Up(code.Class))[n.Name] != "":
		if !slices.ContainsFunc(n.Scope(), func(v code.Variable) bool { return v.Name == n.Name && v.Decl.Function() != nil }) {
			return n
		}
	}
	return nil
}

// objectName is what a method calls its object, in Go and Python; empty: it is no method.
func objectName(fn *code.Node) string {
	first := fn.Kid(code.Params)
	switch {
	case first == nil:
	case fn.File.Facts.Family == "Go" && strings.HasPrefix(fn.Text(), "func ("), fn.File.Facts.Family == "Python" && fn.Up(code.Class) != nil:
		return first.Name
	}
	return ""
}

// memberName is the name of a member, without its object.
func memberName(n *code.Node) string { return lastWord(n.Text()) }

// emptyOther empties a member that an object begins with as empty, where another member is filled, or emptied, to which other methods carry what is in the first one: what was
// undone can be done again only until something new is done.
func (s *site) emptyOther(try func(change)) {
	fn := s.Function()
	if begins(fn) {
		return
	}
	w := emptiedWithOther
	one := s.filledMember(s.Node)
	if one == nil {
		one, w = s.emptiedMember(s.Node), emptiedBeside
	}
	if one == nil {
		return
	}
	seen := map[string]bool{memberName(one): true}
	for _, other := range s.unit.pool(s.File).functions {
		if other == fn || begins(other) || other.Up(code.Class) != fn.Up(code.Class) || w == emptiedWithOther && !mentions(other.Text(), memberName(one)) {
			continue
		}
		for n := range other.Own() {
			if n.Part != code.Stmt || len(seen) > mostEmptied {
				continue
			}
			two := s.filledMember(n)
			if two == nil || seen[memberName(two)] || mentions(fn.Text(), memberName(two)) {
				continue
			}
			seen[memberName(two)] = true
			if text := s.emptying(one, two); text != "" {
				c := s.after(s.statement(text), w)
				c.why = quote(memberName(two)) + " keeps what it had: " + c.why
				try(c)
			}
		}
	}
}

// emptiedMember is the member of the object that a statement gives nothing, or clears; nil: it does not.
func (s *site) emptiedMember(stmt *code.Node) *code.Node {
	what := assignment(stmt)
	switch {
	case what.Is(code.Call) && what.Calls() == "clear" && what.Kid(code.Callee).Is(code.Attr):
		return s.memberOfObject(what.Kid(code.Callee).Kid(code.Object))
	case what.Is(code.Assign) && what.Op == "=" && emptyMade(what.Kid(code.Value)):
		return s.memberOfObject(what.Kid(code.Target))
	}
	return nil
}

// emptyMade reports whether a value is a collection in which nothing is.
func emptyMade(v *code.Node) bool {
	if v.Is(code.Null) && v.File.Facts.Family == "Go" {
		return true
	}
	made := v.Is(code.List, code.Map) || v.Is(code.Call) && (fresh(v) || v.Calls() == "make" || strings.HasPrefix(v.Text(), "new "))
	return made && (v.Calls() == "make" || len(v.All(code.Arg))+len(v.All(code.Elem)) == 0)
}

// emptying is what empties the second of two members, as the object begins with it; empty where it does not begin so.
func (s *site) emptying(one, two *code.Node) string {
	name := memberName(two)
	here := strings.TrimSuffix(one.Text(), memberName(one)) + name
	if s.fact().Family == "Java" {
		return here + ".clear()"
	}
	for n := range s.File.Root.Walk() {
		switch {
		case n.Is(code.Assign) && (begins(n.Function()) || n.Function() == nil) && n.Kid(code.Target) != nil && memberName(n.Kid(code.Target)) == name && emptyMade(n.Kid(code.Value)):
			return here + " = " + n.Kid(code.Value).Text()
		case n.Is(code.Pair) && s.fact().Family == "Go" && n.Kid(code.Key).Text() == name && emptyMade(n.Kid(code.Value)):
			return here + " = " + n.Kid(code.Value).Text()
		}
	}
	if put := assignment(two.Statement()); put.Is(code.Assign) && put.Kid(code.Value).Calls() == "append" {
		return here + " = " + s.fact().Null
	}
	return ""
}
