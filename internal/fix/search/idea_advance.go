package search

import (
	"slices"
	"strings"

	"fettle/internal/code"
)

// takers are the methods that take something out of a collection.
var takers = []string{"pop", "popleft", "popitem", "shift", "splice", "poll", "pollFirst", "pollLast", "remove", "removeFirst", "removeLast", "discard", "delete", "clear"}

// linked are the members by which one object leads to the next, the likeliest first.
var linked = []string{"next", "parent", "left", "right", "prev", "previous", "tail", "rest", "child", "link"}

// What an update counts that a loop may lack.
const (
	inDigits   = 1.0 // the loop looks at the last digit, and never goes on to the next one
	counting   = 0.9
	leading    = 0.9 // to the next object
	takenAway  = 0.9 // what the loop chose from a collection
	halving    = 0.5
	notTheLast = 0.85
)

// advance changes what a loop's condition asks, where nothing in the loop does: such a loop never ends.
func (s *site) advance(try func(change)) {
	cond, last := s.Kid(code.Cond), lastOf(s.Kid(code.Body))
	if cond == nil || last == nil || !last.Alone() || ends(last) || s.Is(code.For) && s.Kid(code.Update) != nil {
		return
	}
	var asked []*code.Node
	for n := range cond.Walk() {
		if n.Role != code.Name || n.Part == code.Callee || slices.ContainsFunc(asked, func(a *code.Node) bool { return a.Name == n.Name }) {
			continue
		}
		if s.gives(n.Name) || s.shrinks(n.Name) {
			return
		}
		asked = append(asked, n)
	}
	for i, n := range asked {
		w := 1 - (1-notTheLast)*float64(i)
		s.progressOf(n, cond, func(text string, by float64) { try(s.at(last).after(s.statement(text), w*by)) })
		s.takeFrom(n, try)
	}
}

// progressOf proposes what brings the variable of a condition nearer to where the condition no longer holds.
func (s *site) progressOf(v, cond *code.Node, propose func(text string, weight float64)) {
	t := s.of(v)
	if !t.known() || t.is(kNumber) {
		for _, by := range s.digitsOf(v.Name) {
			propose(s.quotient(v.Name, by), inDigits)
		}
		for _, step := range towards(v, cond) {
			propose(v.Name+step, counting)
		}
		propose(s.quotient(v.Name, "2"), halving)
	}
	if !t.known() || t.is(kOther) {
		for i, member := range s.linksOf(v.Name) {
			propose(v.Name+" = "+v.Name+"."+member, leading*(1-0.1*float64(min(i, 5))))
		}
	}
}

// digitsOf are the numbers by which the loop divides a variable to look at the remainder.
func (s *site) digitsOf(name string) (out []string) {
	for n := range s.Kid(code.Body).Own() {
		if n.Is(code.Arith) && n.Op == "%" && n.Kid(code.Left).Text() == name && n.Kid(code.Right).Is(code.Int, code.Name) && !slices.Contains(out, n.Kid(code.Right).Text()) {
			out = append(out, n.Kid(code.Right).Text())
		}
	}
	return out
}

// quotient is a statement, without what ends it, that gives a variable the whole part of what it is divided by a number.
func (s *site) quotient(name, by string) string {
	switch s.fact().Family {
	case "Python":
		return name + " //= " + by
	case "JavaScript":
		return name + " = Math.floor(" + name + " / " + by + ")"
	}
	return name + " /= " + by
}

// towards are the steps by which a variable comes to where a condition no longer holds, the likelier first.
func towards(v, cond *code.Node) []string {
	up, down := " += 1", " -= 1"
	if c := v.Up(code.Compare, code.While); c.Is(code.Compare) && c.Start >= cond.Start && c.End <= cond.End && c.Op != "" {
		less := c.Op[0] == '<'
		if right := c.Kid(code.Right); right != nil && v.Start >= right.Start {
			less = !less
		}
		if less {
			return []string{up, down}
		}
	}
	return []string{down, up}
}

// linksOf are the members by which a variable's value may lead to the next one: those that the function reads of something, of the variable first.
func (s *site) linksOf(name string) (out []string) {
	var others []string
	for n := range s.Function().Walk() {
		if n.Role != code.Attr || n.Part == code.Callee || !slices.Contains(linked, strings.TrimLeft(n.Name, "_")) {
			continue
		}
		if n.Kid(code.Object).Text() == name {
			out = append(out, n.Name)
		} else {
			others = append(others, n.Name)
		}
	}
	return unique(append(append(out, others...), linked[0]))
}

// unique are texts without those that stood before.
func unique(all []string) (out []string) {
	for _, x := range all {
		if !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}

// shrinks reports whether a loop takes something out of a collection.
func (s *site) shrinks(name string) bool {
	for n := range s.Own() {
		if slices.Contains(takers, methodOn(n, name)) || n.Part == code.Stmt && strings.HasPrefix(n.Text(), "del "+name+"[") {
			return true
		}
	}
	return false
}

// takeChosen takes out of a collection what each round of a loop chooses from it, where nothing does: each round chooses the same one.
func (s *site) takeChosen(try func(change)) {
	var seen []string
	for n := range s.Kid(code.Body).Own() {
		from := s.chosenFrom(n)
		if from == nil || slices.Contains(seen, from.Name) || s.gives(from.Name) || s.shrinks(from.Name) {
			continue
		}
		seen = append(seen, from.Name)
		s.takeFrom(from, try)
		if n.Is(code.Call) {
			s.takeBehind(n.Statement(), from, n.Text(), try)
		}
	}
}

// chosenFrom is the collection that a node goes through, or takes the greatest or the least of; nil if it does neither.
func (s *site) chosenFrom(n *code.Node) *code.Node {
	var from *code.Node
	switch {
	case n.Is(code.Each):
		from = n.Kid(code.Iter)
	case n.Is(code.Call) && (n.Kid(code.Callee).Text() == "max" || n.Kid(code.Callee).Text() == "min") && len(n.All(code.Arg)) == 1:
		from = n.Kid(code.Arg)
	}
	if !from.Is(code.Name) {
		return nil
	}
	return from
}

// takeFrom takes a value that the loop has chosen out of a collection, behind the statement that chose it.
func (s *site) takeFrom(c *code.Node, try func(change)) {
	if t := s.of(c); t.known() && !t.is(kList|kMap) {
		return
	}
	for _, stmt := range s.Kid(code.Body).All(code.Stmt) {
		for _, v := range s.choices(stmt, c.Name) {
			s.takeBehind(stmt, c, v, try)
		}
	}
}

// takeBehind takes a value out of a collection behind a statement.
func (s *site) takeBehind(stmt, c *code.Node, value string, try func(change)) {
	if !stmt.Alone() || ends(stmt) {
		return
	}
	for i, form := range s.takingAway(s.of(c)) {
		text := s.statement(strings.NewReplacer("{C}", c.Name, "{X}", value).Replace(form))
		try(s.at(stmt).after(text, takenAway*(1-0.2*float64(i))))
	}
}

// choices are the variables that a statement of a loop's body gives their last value in a round, from a collection, and what it puts together and keeps.
func (s *site) choices(stmt *code.Node, from string) (out []string) {
	for n := range stmt.Own() {
		if n.Part == code.Arg && n.Is(code.List, code.Group) && slices.Contains(growing, n.Parent.Calls()) {
			out = append(out, n.Text()) // what it is put together to
		}
		if n.Role != code.Name || n.Part != code.Target || !n.Parent.Is(code.Assign) || slices.Contains(out, n.Name) || n.Name == from {
			continue
		}
		later := slices.ContainsFunc(behindIn(stmt.Parent, stmt), func(k *code.Node) bool { return s.at(k).gives(n.Name) })
		if !later && mentions(s.Text(), from) {
			out = append(out, n.Name)
		}
	}
	return out
}

// takingAway is how the language takes the value {X} out of the collection {C}.
func (s *site) takingAway(t typ) []string {
	switch s.fact().Family {
	case "Python":
		return []string{"{C}.remove({X})"}
	case "JavaScript":
		if t.is(kMap) {
			return []string{"{C}.delete({X})"}
		}
		return []string{"{C}.splice({C}.indexOf({X}), 1)"}
	case "Java":
		return []string{"{C}.remove({X})", "{C}.remove(Integer.valueOf({X}))"}
	}
	return nil
}

// droppings are how languages take the element at a place {I} out of a list {C}.
var droppings = map[string]string{
	"Python": "del {C}[{I}]", "JavaScript": "{C}.splice({I}, 1)", "Java": "{C}.remove({I})", "Go": "{C} = append({C}[:{I}], {C}[{I}+1:]...)",
}

// takePlace takes an element out of a list that the function has made itself, behind the statement of a loop that hands it on, where nothing ever does: what is taken is there no
// longer.
func (s *site) takePlace(try func(change)) {
	loop := s.Up(code.For, code.Each, code.While, code.Function)
	if !s.isStatement() || !s.Alone() || !s.Is(code.Eval, code.Assign) || !loop.Is(code.For, code.Each, code.While) || ends(s.Node) {
		return
	}
	for n := range s.Walk() {
		at, list := elementOf(n)
		if at == nil || !at.Is(code.Name) || !list.Is(code.Name) || n.Part == code.Target || n.Parent.Part == code.Callee || s.at(s.Function()).shrinks(list.Name) || s.at(loop).gives(list.Name) || !s.begun(list.Name) {
			continue
		}
		if t := s.of(list); t.known() && !t.is(kList) || slices.ContainsFunc(loop.All(code.Target), func(x *code.Node) bool { return x.Name == at.Name }) {
			continue
		}
		text := s.statement(strings.NewReplacer("{C}", list.Name, "{I}", at.Name).Replace(droppings[s.fact().Family]))
		try(s.after(text, 0.8))
		return
	}
}
