package search

import (
	"fmt"
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
)

// Families about what a language does otherwise than people who write it think.
var slipTemplates = []template{
	{"own-default", 0.80, 0.90, each((*site).ofItsRound, ownDefault)},
	{"of-a-copy", 0.70, 0.90, each((*site).keepOwn, ofACopy)},
	{"hidden-variable", 0.70, 0.85, hiddenVariable},
	{"await", wrongInItself, 0.85, missingAwait},
	{"number-order", wrongInItself, 0.90, numberOrder},
	{"same-object", wrongInItself, 0.90, each((*site).copyAsSaid, (*site).byValue, sameObject)},
	{"fall-through", 0.70, 0.85, fallThrough},
	{"computed-member", 0.45, 0.85, computedMember},
	{"midpoint", 0.65, 0.85, midpoint},
	{"whole-letters", 0.50, 0.85, wholeLetters},
	{"walk-a-copy", 0.70, 0.88, walkACopy},
	{"half-up", 0.55, 0.80, halfUp},
	{"as-letter", 0.55, 0.85, asLetter},
	{"too-early", 0.55, 0.82, tooEarly},
	{"own-state", 0.40, 0.82, ownState},
}

// wrongInItself is how likely an idea is whose place is a mistake by all that is known of the language: it is so even where tests that pass run it as well.
const wrongInItself = 1.5

// ownDefault makes a collection anew for each call, or each object, where it is made once: as a parameter's default or a class's attribute in Python, as a static field in Java.
func ownDefault(s *site, try func(change)) {
	if s.fact().Family == "Java" {
		s.ownField(try)
		return
	}
	if s.fact().Family != "Python" {
		return
	}
	switch fn := s.Function(); {
	case s.Role == code.Param && s.Part == code.Params && fresh(s.Kid(code.Value)):
		first := firstStatement(s.Parent)
		if first == nil || !first.Alone() {
			return
		}
		made, name, in := s.Kid(code.Value), s.Name, first.Indent()
		try(change{[]edit.Edit{
			{Start: made.Start, End: made.End, New: []byte("None")},
			{Start: first.Start, End: first.Start, New: []byte("if " + name + " is None:\n" + in + s.unit.pool(s.File).unit + name + " = " + made.Text() + "\n" + in)},
		}, 1, fmt.Sprintf("the default %s of %s is one and the same in all calls", quote(made.Text()), quote(name))})
	case s.Role == code.Attr && s.Kid(code.Object).Is(code.Name) && fn != nil && s.Kid(code.Object).Name == selfName(s):
		s.ownAttribute(fn, try)
	}
}

// ownField takes static from a field that holds what is made where it stands and changes, where a method of objects reads it.
func (s *site) ownField(try func(change)) {
	if !s.Is(code.Name) || s.Part == code.Target || s.Function() == nil {
		return
	}
	class := s.Up(code.Class)
	for n := range class.Kid(code.Body).Own() {
		if !n.Is(code.Assign, code.Declaration) || n.Function() != nil || n.Parent != class.Kid(code.Body) && n.Up(code.Class) != class {
			continue
		}
		text := n.Text()
		at := code.Word(text, "static", 0)
		value := strings.Index(text, "= new ")
		if at < 0 || value < at || code.Word(text[:value], s.Name, 0) < 0 {
			continue
		}
		end := at + len("static")
		for end < len(text) && text[end] == ' ' {
			end++
		}
		try(change{[]edit.Edit{{Start: n.Start + at, End: n.Start + end}}, 0.9, fmt.Sprintf("%s is one and the same in all objects of %s", quote(s.Name), quote(class.Name))})
		return
	}
}

// fresh reports whether a value is a collection that is made where it stands.
func fresh(n *code.Node) bool {
	if n.Is(code.Call) {
		return slices.Contains([]string{"list", "dict", "set", "deque", "defaultdict"}, n.Calls())
	}
	return n.Is(code.List, code.Map, code.Comprehension) && !strings.HasPrefix(n.Text(), "(")
}

// firstStatement is a function's first one behind its text for people.
func firstStatement(fn *code.Node) *code.Node {
	first := fn.Kid(code.Body).Kid(code.Stmt)
	if first.Is(code.Eval) && first.Kid(code.Value).Is(code.Str) {
		return first.Next()
	}
	return first
}

// ownAttribute takes what a class makes once for all its objects into its constructor.
func (s *site) ownAttribute(method *code.Node, try func(change)) {
	class := method.Up(code.Class)
	var shared, constructor *code.Node
	for _, n := range class.Kid(code.Body).All(code.Stmt) {
		switch t := n.Kid(code.Target); {
		case n.Role == code.Function && n.Name == "__init__":
			constructor = n
		case n.Role == code.Assign && t.Is(code.Name) && t.Name == s.Name && len(n.All(code.Target)) == 1 && n.Alone() && fresh(n.Kid(code.Value)):
			shared = n
		}
	}
	if shared == nil {
		return
	}
	why := fmt.Sprintf("%s is one and the same in all objects of %s", quote(s.Name), quote(class.Name))
	text := "self." + s.Name + " = " + shared.Kid(code.Value).Text()
	start, end := span(shared)
	if constructor == nil {
		in := shared.Indent()
		made := "def __init__(self):\n" + in + s.unit.pool(s.File).unit + text
		try(change{[]edit.Edit{{Start: shared.Start, End: shared.End, New: []byte(made)}}, 1, why})
		return
	}
	if first := firstStatement(constructor); first != nil && first.Alone() {
		try(change{[]edit.Edit{{Start: start, End: end}, {Start: first.Start, End: first.Start, New: []byte(text + "\n" + first.Indent())}}, 1, why})
	}
}

// ofACopy takes a pointer to an element whose fields are changed, where Go makes a copy of it.
func ofACopy(s *site, try func(change)) {
	if s.fact().Family != "Go" {
		s.alias(try)
		return
	}
	switch {
	case s.Role == code.Assign && s.Declares && len(s.All(code.Target)) == 1 && s.Kid(code.Value).Is(code.Index, code.Attr):
		if name, v := s.Kid(code.Target).Name, s.Kid(code.Value); changesFields(s.Parent, name) {
			try(insert(v.Start, "&", 1, "%s is a copy of %s, and changes of it are lost", quote(name), quote(v.Text())))
		}
	case s.Role == code.Each && len(s.All(code.Target)) == 2:
		at, x := s.All(code.Target)[0], s.All(code.Target)[1]
		over, first := s.Kid(code.Iter), s.Kid(code.Body).Kid(code.Stmt)
		if first == nil || !first.Alone() || !x.Is(code.Name) || !over.Is(code.Name, code.Attr) || !changesFields(s.Kid(code.Body), x.Name) {
			return
		}
		index := at.Text()
		if index == "_" {
			index = unusedName(s.Function(), "i", "j", "n")
		}
		try(change{[]edit.Edit{
			{Start: at.Start, End: x.End, New: []byte(index)},
			{Start: first.Start, End: first.Start, New: []byte(x.Name + " := &" + over.Text() + "[" + index + "]\n" + first.Indent())},
		}, 1, fmt.Sprintf("%s is a copy of an element of %s, and changes of it are lost", quote(x.Name), quote(over.Text()))})
	}
}

// copies are how languages copy a list.
var copies = map[string]string{"Python": "list(%s)", "JavaScript": "[...%s]", "Java": "new ArrayList<>(%s)"}

// alias copies what a function was given and changes under another name.
func (s *site) alias(try func(change)) {
	a, fn := assigned(s.Node), s.Function()
	if !s.isStatement() || a == nil || fn == nil || !a.Kid(code.Target).Is(code.Name) || !a.Kid(code.Value).Is(code.Name) {
		return
	}
	v := a.Kid(code.Value)
	given := slices.ContainsFunc(fn.All(code.Params), func(p *code.Node) bool { return p.Name == v.Name })
	if t := s.of(v); given && (t.is(kList) || !t.known()) && changesUnderneath(fn, a.Kid(code.Target).Name) {
		try(replace(v, fmt.Sprintf(copies[s.fact().Family], v.Name), 1, "%s is %s itself, which is not to be changed", quote(a.Kid(code.Target).Name), quote(v.Name)))
	}
}

// changesFields reports whether a variable's own fields are given values somewhere in a block.
func changesFields(block *code.Node, name string) bool {
	for n := range block.Walk() {
		if n.Is(code.Attr) && (n.Part == code.Target || n.Part == code.Operand && n.Parent.Role == code.Step) && n.Kid(code.Object).Is(code.Name) && n.Kid(code.Object).Name == name {
			return true
		}
	}
	return false
}

// unusedName is the first of these names that a function does not use.
func unusedName(fn *code.Node, names ...string) string {
	for _, name := range names {
		if !mentions(fn.Text(), name) {
			return name
		}
	}
	return names[0] + names[0]
}

// hiddenVariable gives a value to the variable outside, where a block makes another one of the same name.
func hiddenVariable(s *site, try func(change)) {
	if s.Role != code.Assign || !s.Declares || !s.fact().BlockScoped || s.fact().Family == "Java" {
		return
	}
	var fresh []*code.Node
	hides := ""
	for _, t := range s.All(code.Target) {
		switch {
		case !t.Is(code.Name) || t.Name == "_":
		case s.outside(t.Name):
			hides = t.Name
		default:
			fresh = append(fresh, t)
		}
	}
	if hides == "" {
		return
	}
	why := fmt.Sprintf("this %s is another one than that outside, which keeps its value", quote(hides))
	if s.fact().Family != "Go" {
		if d := s.Parent; d.Is(code.Declaration) && len(d.All(code.Elem)) == 1 && len(fresh) == 0 {
			try(change{[]edit.Edit{{Start: d.Start, End: s.Start}}, 1, why})
		}
		return
	}
	if s.Op != ":=" {
		return
	}
	var declared strings.Builder
	for _, t := range fresh {
		names := s.of(t).names
		if len(names) != 1 || s.Part != code.Stmt {
			return // nobody knows how to declare it
		}
		declared.WriteString("var " + t.Name + " " + names[0] + "\n" + s.Indent())
	}
	edits := []edit.Edit{{Start: s.OpStart, End: s.OpEnd, New: []byte("=")}}
	if declared.Len() > 0 {
		edits = slices.Insert(edits, 0, edit.Edit{Start: s.Start, End: s.Start, New: []byte(declared.String())})
	}
	try(change{edits, 1, why})
}

// outside reports whether a variable of that name is known in the function, outside of the block that the site stands in.
func (s *site) outside(name string) bool {
	block := s.Up(code.Block, code.Case)
	if block == nil || s.Function() == nil {
		return false
	}
	return slices.ContainsFunc(block.Scope(), func(v code.Variable) bool {
		return v.Name == name && (v.Kind == code.Local || v.Kind == code.Parameter) && v.Near == 0 && !block.Holds(v.Decl.Start, v.Decl.End)
	})
}

// missingAwait waits for what will be there later.
func missingAwait(s *site, try func(change)) {
	if s.Role != code.Call || s.Parent.Is(code.Wait) || s.Part == code.Callee || !async(s.Function()) {
		return
	}
	w := s.promises()
	switch {
	case w == 0:
		return
	case s.Part == code.Arg, s.Part == code.Elem, s.Parent.Is(code.Return): // somebody else may wait for it
		w *= 0.4
	}
	text := "await " + s.Text()
	if s.Part == code.Object {
		text = "(" + text + ")"
	}
	try(replace(s.Node, text, w, "nothing waits for %s", quote(firstOf(s.Text()))))
}

// promises is how likely it is that what a call gives will only be there later.
func (s *site) promises() float64 {
	switch {
	case slices.ContainsFunc(s.of(s.Node).names, func(n string) bool { return n == "Promise" || n == "coroutine" }):
		return 1
	case async(s.function(s.Calls())), strings.HasPrefix(s.Text(), "Promise."):
		return 0.9
	case s.Part == code.Value && s.Parent.Is(code.Eval):
		return 0.2 // perhaps
	}
	return 0
}

// async reports whether a function may wait for something.
func async(fn *code.Node) bool {
	if fn == nil || fn.Kid(code.Body) == nil {
		return false
	}
	head := fn.File.Source[fn.Start:fn.Kid(code.Body).Start]
	if p := fn.Kid(code.Params); p != nil {
		head = fn.File.Source[fn.Start:p.Start]
	}
	return mentions(head, "async")
}

// numberOrder puts numbers in their order, where JavaScript puts them in that of their texts.
func numberOrder(s *site, try func(change)) {
	callee := s.Kid(code.Callee)
	if s.Role != code.Call || s.fact().Family != "JavaScript" || !callee.Is(code.Attr) || callee.Name != "sort" || len(s.All(code.Arg)) > 0 {
		return
	}
	at := s.End - 1
	try(insert(at, "(a, b) => a - b", 1, "%s puts numbers in the order of their texts", quote("sort")))
	try(insert(at, "(a, b) => b - a", 0.4, "%s puts numbers in the order of their texts, the smallest first", quote("sort")))
}

// computedMember asks for the member that a variable names, where one of the variable's own name was asked for.
func computedMember(s *site, try func(change)) {
	member := s.Kid(code.Mem)
	if s.Role != code.Attr || s.fact().Family != "JavaScript" || member == nil || s.Part == code.Callee {
		return
	}
	for _, v := range s.names() {
		if v.text == member.Text() && v.local && !v.fn {
			o := s.Kid(code.Object)
			try(replace(s.Node, o.Text()+"["+v.text+"]", 1, "the member is called as %s says, and not %s", quote(v.text), quote(v.text)))
		}
	}
}

// midpoint halves the way between two numbers, where their sum may be more than their type holds.
func midpoint(s *site, try func(change)) {
	halves := map[string]string{"/": "2", ">>": "1"}
	if s.Role != code.Arith || !s.fact().Static || s.Kid(code.Right).Text() != halves[s.Op] {
		return
	}
	sum := s.Kid(code.Left).Kid(code.Operand)
	if !s.Kid(code.Left).Is(code.Group) || !sum.Is(code.Arith) || sum.Op != "+" || !s.of(sum).is(kInt) {
		return
	}
	a, b := sum.Kid(code.Left), sum.Kid(code.Right)
	if a.Is(code.Name) && b.Is(code.Name) {
		try(replace(s.Node, fmt.Sprintf("%s + (%s-%s)/2", a.Name, b.Name, a.Name), 1, "%s may be more than its type holds", quote(sum.Text())))
	}
}

// fallThrough ends a case that goes on into the next one.
func fallThrough(s *site, try func(change)) {
	all := s.All(code.Stmt)
	if s.Role != code.Case || len(all) == 0 || !s.Next().Is(code.Case) || s.fact().Family == "Go" || !s.fact().Braces {
		return
	}
	last := all[len(all)-1]
	if last.Is(code.Block) && lastOf(last) != nil {
		last = lastOf(last)
	}
	if ends(last) || !last.Alone() || strings.Contains(s.File.Source[s.Start:all[0].Start], "->") {
		return
	}
	try(insert(last.End, "\n"+last.Indent()+s.statement("break"), 1, "the case goes on into the next one behind %s", quote(firstOf(last.Text()))))
}

// wholeLetters takes a text apart into letters, and not into bytes, in Go, or the other way round.
func wholeLetters(s *site, try func(change)) {
	if s.fact().Family != "Go" || s.Role != code.Other {
		return
	}
	for i, t := range []string{"[]byte", "[]rune"} {
		if rest, ok := strings.CutPrefix(s.Text(), t+"("); ok {
			other := []string{"[]rune", "[]byte"}[i]
			try(replace(s.Node, other+"("+rest, 1-0.6*float64(i), "a letter may be several bytes: %s should be %s", quote(t), quote(other)))
		}
	}
}

// shifting are the methods after which others stand in the places of a collection, or its walk has another end.
var shifting = []string{"remove", "pop", "discard", "popleft", "popitem", "insert", "splice", "shift", "unshift", "delete", "removeAt", "append", "add"}

// walkACopy lets a loop go through a copy of what it changes: what is taken out of a list while one walks over it makes the walk skip what follows.
func walkACopy(s *site, try func(change)) {
	over := s.Kid(code.Iter)
	if s.Role != code.Each || !over.Is(code.Name, code.Attr) || !changesUnderneath(s.Kid(code.Body), over.Text()) {
		return
	}
	form := copies[s.fact().Family]
	if form == "" {
		return
	}
	try(replace(over, fmt.Sprintf(form, over.Text()), 1, "the loop goes through %s while it changes it", quote(over.Text())))
}

// changesUnderneath reports whether a block takes something out of a collection, or puts something in.
func changesUnderneath(block *code.Node, collection string) bool {
	for n := range block.Walk() {
		if slices.Contains(shifting, methodOn(n, collection)) || n.Part == code.Stmt && strings.HasPrefix(n.Text(), "del "+collection+"[") {
			return true
		}
	}
	return false
}

// halfUp rounds what lies in the middle up, as people learn it: Python's round goes to the even neighbour.
func halfUp(s *site, try func(change)) {
	args := s.All(code.Arg)
	if s.fact().Family != "Python" || s.Role != code.Call || s.Kid(code.Callee).Text() != "round" || len(args) != 1 || args[0].Is(code.Keyword, code.Spread) {
		return
	}
	sum := code.Grouped(args[0]) + " + 0.5"
	if args[0].Is(code.Arith) && args[0].Op != "+" && args[0].Op != "-" {
		sum = args[0].Text() + " + 0.5"
	}
	why := "%s goes to the even neighbour where a value lies in the middle"
	if s.isModule("math") {
		try(replace(s.Node, "math.floor("+sum+")", 1, why, quote("round")))
	}
	try(replace(s.Node, "int("+sum+")", 0.9, why, quote("round")))
}

// asLetter makes a letter of a letter's number: in Java a char and an int are an int.
func asLetter(s *site, try func(change)) {
	if s.fact().Family != "Java" || s.Role != code.Arith || s.Op != "+" && s.Op != "-" || !s.Kid(code.Left).Is(code.Char) && !s.Kid(code.Right).Is(code.Char) {
		return
	}
	switch {
	case s.Part == code.Arg, s.Parent.Is(code.Arith) && s.Parent.Op == "+", s.Parent.Is(code.Return, code.Assign):
		try(replace(s.Node, "(char) ("+s.Text()+")", 1, "%s is a number, not a letter", quote(s.Text())))
	case s.Parent.Is(code.Group) && s.Parent.Parent.Is(code.Arith):
		try(replace(s.Parent, "(char) "+s.Parent.Text(), 1, "%s is a number, not a letter", quote(s.Text())))
	}
}

// tooEarly cuts the fraction off of a product, not of one of its factors.
func tooEarly(s *site, try func(change)) {
	if s.Role != code.Arith || s.Op != "*" && s.Op != "/" {
		return
	}
	call, by := s.Kid(code.Left), s.Kid(code.Right)
	args := call.All(code.Arg)
	if !call.Is(code.Call) || len(args) != 1 || s.of(args[0]).known() && !s.of(args[0]).is(kFloat) {
		return
	}
	to, factor := call.Kid(code.Callee).Text(), code.Grouped(by)
	switch {
	case s.fact().Family == "Go":
		if to != "time.Duration" && !strings.HasPrefix(to, "int") && !strings.HasPrefix(to, "uint") {
			return
		}
		if !by.Is(code.Int, code.Float) {
			factor = "float64(" + by.Text() + ")"
		}
	case !slices.Contains(cutting, to):
		return
	}
	try(replace(s.Node, to+"("+code.Grouped(args[0])+" "+s.Op+" "+factor+")", 1, "%s cuts the fraction off too early", quote(call.Text())))
}

// cutting are the functions that give a whole number.
var cutting = []string{"int", "round", "math.floor", "math.ceil", "math.trunc", "Math.floor", "Math.round", "Math.trunc", "Math.ceil", "parseInt"}

// ownState makes what is made once for all calls, beside the functions, in the one function that uses it: each call is to have its own.
func ownState(s *site, try func(change)) {
	if !s.Is(code.Name) || s.Function() == nil || s.written() {
		return
	}
	outermost := s.Outermost()
	first := firstStatement(outermost)
	if first == nil || !first.Alone() {
		return
	}
	for _, made := range s.File.Root.All(code.Stmt) {
		a := assignment(made)
		if !made.Alone() || !a.Is(code.Assign) || a.Kid(code.Target).Text() != s.Name || !holdsNothing(a) {
			continue
		}
		start, end := span(made)
		gone := []edit.Edit{{Start: start, End: end}, {Start: outermost.Start, End: outermost.End}}
		slices.SortFunc(gone, func(a, b edit.Edit) int { return a.Start - b.Start })
		if rest, ok := apply(s.File.Source, gone); !ok || mentions(rest, s.Name) {
			continue
		}
		try(change{[]edit.Edit{{Start: start, End: end}, {Start: first.Start, End: first.Start, New: []byte(made.Text() + "\n" + first.Indent())}}, 1,
			fmt.Sprintf("%s is one and the same in all calls of %s", quote(s.Name), quote(called(outermost)))})
	}
}

// holdsNothing reports whether an assignment gives one variable a collection that is made where it stands and holds nothing as yet.
func holdsNothing(a *code.Node) bool {
	v := a.Kid(code.Value)
	if v == nil || len(a.All(code.Target)) != 1 {
		return false
	}
	text := unspaced(v.Text())
	return slices.Contains([]string{"[]", "{}", "list()", "dict()", "set()", "newMap()", "newSet()"}, text) || strings.HasPrefix(text, "newMap<") || strings.HasPrefix(text, "newSet<") ||
		strings.HasPrefix(text, "map[") && strings.HasSuffix(text, "{}") || strings.HasPrefix(text, "make(map[")
}
