package search

import (
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/pattern"
)

// What decides between two that an order has for equal: another member of theirs, or the elements themselves.

// nextKey compares by one more member of those that a source makes known and the comparison leaves out, where it goes on to the next one if two are equal.
func (s *site) nextKey(try func(change)) {
	cond, last := s.Kid(code.Cond), lastOf(s.Kid(code.Then))
	if !s.isStatement() || !s.Is(code.If) || !s.Alone() || s.Kid(code.Else) != nil || !cond.Is(code.Compare) || cond.Op[0] != '!' || !last.Is(code.Return) {
		return
	}
	differ, ok := sides(cond)
	left := cond.Kid(code.Left)
	if !ok || !left.Is(code.Attr) || strings.Contains(differ[0], ".") || !strings.Contains(s.Kid(code.Then).Text(), "."+left.Name) {
		return
	}
	for i, o := range s.unit.shelf(s.File).beside(left.Name) {
		if mentions(s.Function().Text(), o.Name) || o.Kind != code.Global {
			continue
		}
		text := replaceWord(s.Text(), left.Name, o.Name)
		for j, way := range []string{text, turnedOver(text)} {
			try(s.after(way, 0.9-0.2*float64(j)-0.05*float64(min(i, 8))))
		}
	}
}

// untold is why an order lacks a part.
const untold = "of two that count as much, nothing says which comes first: "

// nextInKey orders by one more member, or by the element itself, where two are equal by a function that says what each counts, in Python, or what they differ by, in JavaScript.
func (s *site) nextInKey(try func(change)) {
	params, body := s.All(code.Params), s.Kid(code.Body)
	if !s.Is(code.Function) || body == nil || body.Is(code.Block) || slices.ContainsFunc(params, func(p *code.Node) bool { return !p.Is(code.Name) }) {
		return
	}
	switch {
	case s.fact().Family == "Python" && s.Parent.Is(code.Keyword) && s.Parent.Name == "key" && len(params) == 1:
		s.nextOfKey(params[0].Name, body, try)
	case s.fact().Silent && len(params) == 2 && s.Part == code.Arg && strings.Contains(strings.ToLower(s.Parent.Calls()), "sort"):
		s.nextOfDifference(params, body, try)
	}
}

// nextOfKey gives a key of Python's one more part.
func (s *site) nextOfKey(x string, body *code.Node, try func(change)) {
	if body.Text() == x {
		return
	}
	for i, more := range append(s.otherMembers(body, x), x) {
		for j, sign := range []string{"", "-"} {
			for k, text := range tupled(body, sign+more) {
				try(replace(body, text, 1-0.05*float64(i)-0.3*float64(j)-0.1*float64(min(k, 2)), untold+"%s should be %s", quote(body.Text()), quote(text)))
			}
		}
	}
}

// nextOfDifference asks one thing more of two of which the difference is nothing.
func (s *site) nextOfDifference(params []*code.Node, body *code.Node, try func(change)) {
	a, b := params[0].Name, params[1].Name
	for i, m := range s.otherMembers(body, a) {
		other := b + strings.TrimPrefix(m, a)
		for j, more := range []string{m + " - " + other, other + " - " + m, m + ".localeCompare(" + other + ")"} {
			text := body.Text() + " || " + more
			try(replace(body, text, 0.8-0.05*float64(i)-0.1*float64(j), untold+"%s should be %s", quote(body.Text()), quote(text)))
		}
	}
	if !s.ordersByDifference(body, params) {
		return
	}
	for _, more := range []string{a + " - " + b, b + " - " + a, a + ".localeCompare(" + b + ")"} {
		text := body.Text() + " || " + more
		try(replace(body, text, 0.8, untold+"%s should be %s", quote(body.Text()), quote(text)))
	}
}

// ordersByDifference reports whether a function is handed to one that sorts, and gives what two things differ by that it works out of them.
func (s *site) ordersByDifference(body *code.Node, params []*code.Node) bool {
	if s.Part != code.Arg || !strings.Contains(strings.ToLower(s.Parent.Calls()), "sort") || !body.Is(code.Arith) || body.Op != "-" {
		return false
	}
	first := body.Kid(code.Left).Text()
	return first != params[0].Name && first != params[1].Name
}

// turnedOver is a text with what is less for what is more.
func turnedOver(text string) string {
	return strings.NewReplacer(" < ", " > ", " > ", " < ").Replace(text)
}

// tupled are the keys that one is with one more part: behind it, and at each place of several.
func tupled(key *code.Node, more string) (out []string) {
	var parts []string
	for _, e := range key.All(code.Elem) {
		parts = append(parts, e.Text())
	}
	if !key.Is(code.List) || len(parts) == 0 {
		return []string{"(" + key.Text() + ", " + more + ")", "(" + more + ", " + key.Text() + ")"}
	}
	for at := range slices.Backward(append(parts, "")) {
		out = append(out, "("+strings.Join(slices.Insert(slices.Clone(parts), at, more), ", ")+")")
	}
	return out
}

// mostTies bounds by how many members it is tried to decide.
const mostTies = 5

var (
	keysWritten    = pattern.New(`\[["'](\w+)["']\]|["'](\w+)["']\s*:`)
	namedTuples    = pattern.New(`namedtuple\(\s*["']\w+["'],\s*[\["']+([\w ,"']+?)["'\]]+`)
	membersWritten = pattern.New(`\.([a-z_]\w*)\b(?:[^\w(]|$)|[{,]\s*(\w+):`)
)

// otherMembers are the members of an element x that the function, or its documentation, names, and what orders by others of its members does not look at.
func (s *site) otherMembers(body *code.Node, x string) (out []string) {
	top := s.Function().Outermost()
	form, written := x+"[%s]", keysWritten
	switch text := body.Text(); {
	case strings.Contains(text, x+"["):
	case strings.Contains(text, x+"."):
		form, written = x+".%s", membersWritten
	default:
		return nil
	}
	var names []string
	for _, m := range written.FindAllStringSubmatch(documentation(top)+top.Text(), -1) {
		names = append(names, m[1]+m[2])
	}
	for _, m := range namedTuples.FindAllStringSubmatch(s.File.Source, -1) {
		if fields := strings.FieldsFunc(m[1], func(r rune) bool { return strings.ContainsRune(" ,\"'", r) }); written == membersWritten && slices.ContainsFunc(fields, func(f string) bool { return mentions(body.Text(), f) }) {
			names = append(fields, names...)
		}
	}
	for _, name := range names {
		if written == keysWritten {
			name = s.mark() + name + s.mark()
		}
		member := strings.Replace(form, "%s", name, 1)
		if !strings.Contains(strings.ReplaceAll(body.Text(), "'", `"`), strings.ReplaceAll(member, "'", `"`)) && !slices.Contains(out, member) && len(out) < mostTies {
			out = append(out, member)
		}
	}
	return out
}

// keyBehind decides by another member where what a function answers with finds two equal: in Go behind a comparison, and in Java behind the last of some comparators.
func (s *site) keyBehind(try func(change)) {
	switch {
	case s.Is(code.Compare):
		s.bestBehind(try)
	case s.Is(code.Return):
		s.lessBehind(try)
	case s.Is(code.Call) && s.fact().Family == "Java":
		s.thenComparing(try)
	case s.Is(code.Call) && s.fact().Family == "Go" && s.Kid(code.Callee).Text() == "cmp.Or":
		if all := s.All(code.Arg); len(all) > 0 {
			s.compareBehind(all[len(all)-1], "%s, %s", try)
		}
	case s.Is(code.Call) && s.fact().Family == "Go" && compares[s.Kid(code.Callee).Text()] && s.Parent.Is(code.Return):
		s.compareBehind(s.Node, "cmp.Or(%s, %s)", try)
	}
}

// compares are Go's functions that say which of two comes first.
var compares = map[string]bool{"cmp.Compare": true, "strings.Compare": true}

// compareBehind puts a comparison by another member behind one.
func (s *site) compareBehind(n *code.Node, form string, try func(change)) {
	args := n.All(code.Arg)
	if !n.Is(code.Call) || len(args) != 2 || !args[0].Is(code.Attr) || !args[1].Is(code.Attr) || args[0].Name != args[1].Name {
		return
	}
	for i, o := range s.membersBeside(args[0].Name) {
		more := strings.Replace(n.Text(), args[0].Text(), args[0].Kid(code.Object).Text()+"."+o, 1)
		more = strings.Replace(more, args[1].Text(), args[1].Kid(code.Object).Text()+"."+o, 1)
		more = "cmp.Compare" + strings.TrimPrefix(more, n.Kid(code.Callee).Text())
		text := strings.Replace(strings.Replace(form, "%s", n.Text(), 1), "%s", more, 1)
		try(replace(n, text, 0.8-0.05*float64(i), untold+"%s was missing", quote(more)))
	}
}

// membersBeside are the names of members beside one in a class or structure that the function does not compare by.
func (s *site) membersBeside(name string) (out []string) {
	for _, o := range s.unit.shelf(s.File).beside(name) {
		if o.Name != name && (o.Kind == code.Global || s.fact().Family == "Java" && o.Params == 0) && !mentions(s.Function().Text(), o.Name) && len(out) < mostTies {
			out = append(out, o.Name)
		}
	}
	return out
}

// bestBehind has what is as good as the best one so far be judged by another member: a.size > best.size || a.size == best.size && a.price < best.price.
func (s *site) bestBehind(try func(change)) {
	f, chosen := s.fact(), s.Up(code.If, code.Function)
	if !strings.ContainsAny(s.Op, "<>") || !chosen.Is(code.If) || !chosen.Kid(code.Cond).Holds(s.Start, s.End) || s.Parent.Is(code.Logic) && s.Parent.Op != f.Or {
		return
	}
	one, best := becomesBest(chosen)
	if one == nil {
		return
	}
	equal := s.Kid(code.Left).Text() + " " + f.Equal + " " + s.Kid(code.Right).Text()
	for i, m := range s.membersOf(one, best) {
		for j, op := range []string{"<", ">"} {
			more := equal + " " + f.And + " " + one.Text() + m + " " + op + " " + best.Text() + m
			try(insert(s.End, " "+f.Or+" "+more, 0.8-0.05*float64(i)-0.2*float64(j), "of two that count as much, nothing says which is taken: the condition lacks %s", quote(f.Or+" "+more)))
		}
	}
}

// becomesBest are the variable that a branch keeps in another one, and that other one; nil if it keeps none.
func becomesBest(chosen *code.Node) (one, best *code.Node) {
	for _, stmt := range chosen.Kid(code.Then).All(code.Stmt) {
		a := assignment(stmt)
		if to, from := a.Kid(code.Target), a.Kid(code.Value); a.Is(code.Assign) && to.Is(code.Name) && from.Is(code.Name) {
			return from, to
		}
	}
	return nil, nil
}

// membersOf are the members of a variable, and of the best one so far, that the condition around does not look at: .price, ["price"].
func (s *site) membersOf(v, best *code.Node) (out []string) {
	cond := s.Up(code.If).Kid(code.Cond).Text()
	add := func(member string) {
		if !slices.Contains(out, member) && !mentions(cond, strings.Trim(member, ".[]\"'")) && len(out) < mostTies {
			out = append(out, member)
		}
	}
	for n := range s.Function().Walk() {
		if !n.Is(code.Attr, code.Index) || n.Part == code.Callee || !n.Kid(code.Object).Is(code.Name) || n.Kid(code.Object).Name != v.Name && n.Kid(code.Object).Name != best.Name {
			continue
		}
		if s.fact().Static {
			for _, o := range s.unit.shelf(s.File).beside(n.Name) {
				if o.Kind == code.Global {
					add("." + o.Name)
				}
			}
			continue
		}
		for _, m := range s.otherMembers(n, n.Kid(code.Object).Name) {
			add(strings.TrimPrefix(m, n.Kid(code.Object).Name))
		}
		add(strings.TrimPrefix(n.Text(), n.Kid(code.Object).Name))
	}
	return out
}

// lessBehind has a function that says which of two is less decide by another member where those it compares are equal.
func (s *site) lessBehind(try func(change)) {
	cond := s.Kid(code.Value)
	if !s.isStatement() || !s.Alone() || !cond.Is(code.Compare) || !strings.ContainsAny(cond.Op, "<>") || !s.at(cond).ordering() {
		return
	}
	left, right := cond.Kid(code.Left), cond.Kid(code.Right)
	if !left.Is(code.Attr) || !right.Is(code.Attr) || left.Name != right.Name {
		return
	}
	unequal := left.Text() + " " + contraries[s.fact().Equal] + " " + right.Text()
	for i, o := range s.membersBeside(left.Name) {
		for j, op := range []string{"<", ">"} {
			more := left.Kid(code.Object).Text() + "." + o + " " + op + " " + right.Kid(code.Object).Text() + "." + o
			text := s.guard(unequal, s.Text(), s.Indent()) + "\n" + s.Indent() + s.statement("return "+more)
			try(replace(s.Node, text, 0.8-0.05*float64(i)-0.2*float64(j), untold+"%s was missing", quote(more)))
		}
	}
}

// methodOf matches the reference to a method that a comparator is made of: Book::year.
var methodOf = pattern.New(`^(\w+)::(\w+)$`)

// thenComparing puts another comparator behind the last one of a chain.
func (s *site) thenComparing(try func(change)) {
	name := s.Calls()
	if !strings.HasPrefix(name, "comparing") && !strings.HasPrefix(name, "thenComparing") && name != "reversed" || s.Part == code.Object {
		return
	}
	by := s.Kid(code.Arg)
	if name == "reversed" {
		by = s.Kid(code.Callee).Kid(code.Object).Kid(code.Arg)
	}
	m := methodOf.FindStringSubmatch(by.Text())
	if m == nil {
		return
	}
	for i, o := range s.membersBeside(m[2]) {
		more := ".thenComparing(" + m[1] + "::" + o + ")"
		try(insert(s.End, more, 0.8-0.05*float64(i), untold+"%s was missing", quote(more)))
	}
}
