package search

import (
	"slices"
	"strings"

	"fettle/internal/code"
)

// keyed is how a language spells what is done with what a collection {C} holds under a key {K}.
type keyed struct{ has, get, put, drop, orNone string } // put: {V}; orNone: what is there, or 0

// The spellings of collections that are indexed, by language, and of those that have methods for it.
var (
	byIndex = map[string]keyed{
		"Python":     {"{K} in {C}", "{C}[{K}]", "{C}[{K}] = {V}", "del {C}[{K}]", "{C}.get({K}, 0)"},
		"Go":         {"_, ok := {C}[{K}]; ok", "{C}[{K}]", "{C}[{K}] = {V}", "delete({C}, {K})", "{C}[{K}]"},
		"JavaScript": {"{K} in {C}", "{C}[{K}]", "{C}[{K}] = {V}", "delete {C}[{K}]", "{C}[{K}] ?? 0"},
	}
	byMethod = map[string]keyed{
		"JavaScript": {"{C}.has({K})", "{C}.get({K})", "{C}.set({K}, {V})", "{C}.delete({K})", "{C}.get({K}) ?? 0"},
		"Java":       {"{C}.containsKey({K})", "{C}.get({K})", "{C}.put({K}, {V})", "{C}.remove({K})", "{C}.getOrDefault({K}, 0)"},
	}
)

// stored is a value that a statement puts into a collection under a key.
type stored struct {
	keyed
	in, key string
	value   *code.Node // nil: what is there already, less
}

func (e stored) spell(form string) string { return underKey(form, e.in, e.key) }

func underKey(form, collection, key string) string {
	return strings.NewReplacer("{C}", collection, "{K}", key).Replace(form)
}

// stored is the one that a statement makes or changes; false: it does not, or in a list.
func (s *site) stored(stmt *code.Node) (e stored, ok bool) {
	what, lang := assignment(stmt), s.fact().Family
	at, args := what.Kid(code.Target), what.All(code.Arg)
	switch callee := what.Kid(code.Callee); {
	case what.Is(code.Step):
		at = what.Kid(code.Operand)
	case what.Is(code.Call) && callee.Is(code.Attr) && len(args) == 2 && (callee.Name == "put" || callee.Name == "set"):
		at = callee.Kid(code.Object)
		e = stored{keyed: byMethod[lang], in: at.Text(), key: args[0].Text(), value: args[1]}
	case what.Is(code.Assign):
		e.value = what.Kid(code.Value)
	}
	if at.Is(code.Index) && e.in == "" {
		e.keyed, e.in, e.key = byIndex[lang], at.Kid(code.Object).Text(), at.Kid(code.At).Text()
		at = at.Kid(code.Object)
	}
	t := s.of(at)
	return e, e.drop != "" && (t.is(kMap) || !t.known()) && !strings.Contains(stmt.Text(), "\n")
}

// drops reports whether a function takes something out of a collection.
func drops(fn *code.Node, collection string) bool {
	if strings.Contains(fn.Text(), "del "+collection+"[") || strings.Contains(fn.Text(), "delete "+collection+"[") {
		return true
	}
	for n := range fn.Own() {
		if n.Is(code.Call) && (slices.Contains(takers, methodOn(n, collection)) || n.Calls() == "delete" && n.Kid(code.Arg).Text() == collection) {
			return true
		}
	}
	return false
}

// usedUp takes out of a collection what nothing is left of, behind the statement that takes from it.
func (s *site) usedUp(try func(change)) {
	e, ok := s.stored(s.Node)
	what := assignment(s.Node)
	s.usedUpAt(what, try)
	less := what.Op == "--" || what.Op == "-=" || what.Op != "+=" && e.value.Is(code.Arith) && e.value.Op == "-"
	if !ok || !less || drops(s.Function(), e.in) {
		return
	}
	none := e.spell(e.get) + " " + s.fact().Equal + " 0"
	text := s.guard(none, s.statement(e.spell(e.drop)), s.Indent())
	try(insert(s.End, "\n"+s.Indent()+text, 0.9, "what is used up stays in %s", quote(e.in)))
}

// takeFound takes out of a list that the function has made what it has looked for there and found: each is there for one.
func (s *site) takeFound(try func(change)) {
	cond, then := s.Kid(code.Cond), s.Kid(code.Then).All(code.Stmt)
	if !s.Is(code.If) || len(then) == 0 || s.Function() == nil {
		return
	}
	last := s.at(then[len(then)-1])
	if !last.Alone() || ends(last.Node) {
		return
	}
	for n := range cond.Walk() {
		text, in := s.takingFound(n)
		if text == "" || drops(s.Function(), in) || !s.begun(in) {
			continue
		}
		try(insert(last.End+len(last.end(last.Node)), "\n"+last.Indent()+s.statement(text), 0.9, "what is found in %s stays in it", quote(in)))
	}
}

// takingFound is what takes out of a list what a part of a condition has found there, and the list: x in xs, and at of at = xs.indexOf(x).
func (s *site) takingFound(n *code.Node) (text, in string) {
	if n.Is(code.Compare) && n.Op == "in" && n.Kid(code.Right).Is(code.Name) {
		list := n.Kid(code.Right)
		if forms := s.takingAway(s.of(list)); len(forms) > 0 && s.fact().Family == "Python" {
			return strings.NewReplacer("{C}", list.Name, "{X}", n.Kid(code.Left).Text()).Replace(forms[0]), list.Name
		}
		return "", ""
	}
	if n.Role != code.Name || n.Part != code.Left && n.Part != code.Operand {
		return "", ""
	}
	made := s.declaring(n).Parent
	if a := assignment(made); a.Is(code.Assign) {
		made = a
	}
	found := made.Kid(code.Value)
	of := found.Kid(code.Callee).Kid(code.Object)
	if !found.Is(code.Call) || !of.Is(code.Name) || !slices.Contains([]string{"indexOf", "findIndex", "find", "index"}, found.Calls()) {
		return "", ""
	}
	return strings.NewReplacer("{C}", of.Name, "{I}", n.Name).Replace(droppings[s.fact().Family]), of.Name
}

// usedUpAt has an iterator of Java's take out what nothing is left of.
func (s *site) usedUpAt(call *code.Node, try func(change)) {
	entry, args := call.Kid(code.Callee).Kid(code.Object), call.All(code.Arg)
	if call.Calls() != "setValue" || !entry.Is(code.Name) || len(args) != 1 || !args[0].Is(code.Arith) || args[0].Op != "-" || strings.Contains(s.Function().Text(), ".remove(") {
		return
	}
	for n := range s.Function().Own() {
		if made := n.Kid(code.Value); n.Is(code.Assign) && n.Kid(code.Target).Text() == entry.Name && made.Is(code.Call) && made.Calls() == "next" && made.Kid(code.Callee).Is(code.Attr) {
			from := made.Kid(code.Callee).Kid(code.Object).Text()
			text := s.guard(entry.Name+".getValue() == 0", s.statement(from+".remove()"), s.Indent())
			try(insert(s.End, "\n"+s.Indent()+text, 0.9, "what is used up stays where %s comes from", quote(entry.Name)))
			return
		}
	}
}

// inStep takes out of one collection what another one leads to no longer: of two that lead to one another, each is to hold what the other one does.
func (s *site) inStep(try func(change)) {
	one, ok := s.stored(s.Node)
	if !ok || one.value == nil {
		return
	}
	s.countedInStep(one, try)
	s.refile(one, try)
	for n := s.Next(); n != nil; n = n.Next() {
		two, ok := s.stored(n)
		if !ok || two.value == nil || one.in == two.in || one.key != two.value.Text() || two.key != one.value.Text() {
			continue
		}
		for i, p := range [][2]stored{{one, two}, {two, one}} {
			if drops(s.Function(), p[1].in) {
				continue
			}
			text := s.guard(p[0].spell(p[0].has), s.statement(underKey(p[1].drop, p[1].in, p[0].spell(p[0].get))), s.Indent())
			try(insert(s.Start, text+"\n"+s.Indent(), 1-0.2*float64(i), "what %s led to before stays in %s", quote(p[0].in), quote(p[1].in)))
		}
		return
	}
}

// countedInStep takes one off what is counted for what was kept under a key before, where one more is counted for what is kept there from now on: who votes anew has voted
// once.
func (s *site) countedInStep(one stored, try func(change)) {
	for _, n := range s.Parent.All(code.Stmt) {
		two, less, ok := s.countsOne(n)
		if n == s.Node || !ok || two.in == one.in || two.key != one.value.Text() || strings.Contains(s.Function().Text(), underKey(less, two.in, one.spell(one.get))) {
			continue
		}
		first := s
		if n.Start < s.Start {
			first = s.at(n)
		}
		text := first.guard(one.spell(one.has), s.statement(underKey(less, two.in, one.spell(one.get))), first.Indent())
		try(insert(first.Start, text+"\n"+first.Indent(), 1, "what %s held before is still counted in %s", quote(one.in), quote(two.in)))
		return
	}
}

// countsOne is what a statement counts one more of under a key, and how one less is spelled there.
func (s *site) countsOne(stmt *code.Node) (of stored, less string, ok bool) {
	call := assignment(stmt)
	if args := call.All(code.Arg); call.Calls() == "merge" && len(args) == 3 && args[1].Text() == "1" && call.Kid(code.Callee).Is(code.Attr) {
		return stored{keyed: byMethod["Java"], in: call.Kid(code.Callee).Kid(code.Object).Text(), key: args[0].Text()}, "{C}.merge({K}, -1, " + args[2].Text() + ")", true
	}
	of, ok = s.stored(stmt)
	switch what := assignment(stmt); {
	case !ok, strings.Contains(stmt.Text(), "-"):
		return of, "", false
	case what.Is(code.Step), what.Op == "+=" && of.value.Text() == "1":
		less = "{C}[{K}] -= 1"
	case of.value.Is(code.Arith) && of.value.Op == "+" && of.value.Kid(code.Right).Text() == "1":
		less = "{C}[{K}] -= 1"
		if what.Is(code.Call) {
			less = strings.ReplaceAll(of.put, "{V}", of.get+" - 1")
		}
	default:
		return of, "", false
	}
	return of, less, true
}

// replaced takes off a total what was kept under a key before something else is, where what is kept is added to the total.
func (s *site) replaced(try func(change)) {
	e, ok := s.stored(s.Node)
	if !ok || e.value == nil {
		return
	}
	for _, n := range s.Parent.All(code.Stmt) {
		o, ok := operationOf(n)
		if !ok || n == s.Node || o.op != "+=" || o.value != e.value.Text() || strings.Contains(s.Function().Text(), o.target+" -= ") {
			continue
		}
		text := s.statement(o.target + " -= " + e.spell(e.orNone))
		c := s.before(text, 1)
		c.why = "what was kept in " + quote(e.in) + " before stays in " + quote(o.target) + ": " + c.why
		try(c)
		return
	}
}

// mostPlaces bounds how many places of a list are kept that what is taken out of it may move.
const mostPlaces = 2

// shifted moves a place in a list that is kept somewhere where something before it is taken out of the list, or put in.
func (s *site) shifted(try func(change)) {
	what := assignment(s.Node)
	list, args := what.Kid(code.Callee).Kid(code.Object), what.All(code.Arg)
	ask, op := shiftOf(what)
	if ask == "" || !s.isStatement() || !s.Alone() || !plainValue(args[0]) || !plainValue(list) {
		return
	}
	seen := map[string]bool{args[0].Text(): true}
	for n := range s.File.Root.Walk() {
		at, object := elementOf(n)
		if at == nil || object.Text() != list.Text() || !plainValue(at) || seen[at.Text()] || len(seen) > mostPlaces || !s.placeKnown(at) {
			continue
		}
		seen[at.Text()] = true
		text := s.guard(args[0].Text()+ask+at.Text(), s.statement(at.Text()+op), s.Indent())
		try(insert(s.End, "\n"+s.Indent()+text, 0.9, "%s is another element once one before it has gone or come", quote(list.Text()+"["+at.Text()+"]")))
	}
}

// shiftOf is how a call of a list's moves the places behind the one that it is given: which these are, and where they go; empty if it moves none.
func shiftOf(call *code.Node) (ask, op string) {
	args := len(call.All(code.Arg))
	if !call.Is(code.Call) || !call.Kid(code.Callee).Is(code.Attr) || args == 0 {
		return "", ""
	}
	switch name := call.Kid(code.Callee).Name; {
	case name == "pop", name == "remove", name == "removeAt", name == "splice" && args < 3:
		return " < ", " -= 1"
	case name == "insert", name == "splice", name == "add" && args == 2:
		return " <= ", " += 1"
	}
	return "", ""
}

// placeKnown reports whether a variable that stands elsewhere is known where the site stands, as one of the function's or a member of its object; members of others are.
func (s *site) placeKnown(n *code.Node) bool {
	return !n.Is(code.Name) || s.declared(n.Name) || slices.Contains(s.Fields(), s.fact().Self+"."+n.Name)
}

// rest keeps of what a loop gathers and divides into whole parts what is left of it, behind the statement that divides it.
func (s *site) rest(try func(change)) {
	a := assignment(s.Node)
	quotient := a.Kid(code.Value)
	if a.Is(code.Call) && len(a.All(code.Arg)) == 1 { // handed on at once: full.append(all // size)
		quotient = a.Kid(code.Arg)
	}
	if !s.isStatement() || !a.Is(code.Assign, code.Call) || !quotient.Is(code.Arith) && !quotient.Is(code.Call) || s.Up(code.For, code.Each, code.While, code.Function).Is(code.Function) {
		return
	}
	if quotient.Is(code.Call) && quotient.Calls() == "floor" { // of a quotient in JavaScript
		quotient = quotient.Kid(code.Arg)
	}
	whole, by := quotient.Kid(code.Left), quotient.Kid(code.Right)
	if quotient.Op != "//" && quotient.Op != "/" || !whole.Is(code.Name, code.Attr) || mentions(a.Kid(code.Target).Text(), whole.Text()) || strings.Contains(s.Function().Text(), whole.Text()+" %= ") {
		return
	}
	if loop := s.Up(code.For, code.Each, code.While); whole.Is(code.Name) && !grows(loop, whole.Name) {
		return
	}
	text := s.statement(whole.Text() + " %= " + by.Text())
	try(s.after(text, 0.9))
	if last := lastOf(s.Parent); last != s.Node && last.Alone() && !ends(last) {
		try(s.at(last).after(text, 0.8))
	}
}
