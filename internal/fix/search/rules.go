package search

import (
	"slices"
	"strings"
	"unicode"

	"fettle/internal/code"
	"fettle/internal/edit"
	"fettle/internal/pattern"
)

// breaksRules reports whether a change is one that satisfies weak tests and is hardly ever meant.
func (s *site) breaksRules(c change) bool {
	return s.collapses(c) || s.sameEitherWay(c) || s.orphansParameter(c) || s.settled(c) || s.overwrites(c) || s.takesBack(c) || s.repeats(c) || s.measuresLess(c) || s.addsTwice(c)
}

// addsTwice reports whether a change puts a statement that adds a number to a variable beside another one that does: one number says both.
func (s *site) addsTwice(c change) bool {
	if len(c.edits) != 1 || c.edits[0].Start != c.edits[0].End || !s.isStatement() {
		return false
	}
	more := adding.FindStringSubmatch(strings.TrimSpace(string(c.edits[0].New)))
	return more != nil && slices.ContainsFunc([]*code.Node{s.Node, s.Prev(), s.Next()}, func(n *code.Node) bool {
		had := adding.FindStringSubmatch(n.Text())
		return had != nil && had[1] == more[1] && had[2] == more[2]
	})
}

// adding is a statement that adds a number which is written out, or takes it away.
var adding = pattern.New(`^([\w.]+) ([+-])= \d+;?$`)

// settled reports whether a change has a branch ask for what the statements before it have just said: style = "" and then if not style. It is a constant in
// disguise, too.
func (s *site) settled(c change) bool {
	if len(c.edits) != 1 {
		return false
	}
	asked := strings.Trim(strings.TrimPrefix(strings.TrimSpace(string(c.edits[0].New)), s.fact().Not), "() ")
	top := s.Node
	for top.Parent.Is(code.Not, code.Logic, code.Group) {
		top = top.Parent
	}
	if top.Part != code.Cond || !top.Parent.Is(code.If) || !plainName(asked) || mentions(s.Text(), asked) {
		return false
	}
	block := top.Parent.Parent
	if !block.Is(code.Block) {
		return false
	}
	before := block.All(code.Stmt)
	for _, stmt := range slices.Backward(before[:max(0, slices.Index(before, top.Parent))]) {
		if !mentions(stmt.Text(), asked) {
			continue
		}
		made := []*code.Node{stmt}
		if stmt.Is(code.Declaration) {
			made = stmt.All(code.Elem)
		}
		return len(made) == 1 && says(made[0], asked)
	}
	return false
}

// collapses reports whether a change makes both sides of an operator the same, as in x < x: a constant in disguise. Each place that is changed counts.
func (s *site) collapses(c change) bool {
	return slices.ContainsFunc(c.edits, func(e edit.Edit) bool { return s.collapsed(c, e) })
}

// collapsed asks that of the place of one of a change's edits, with all of them made.
func (s *site) collapsed(c change, e edit.Edit) bool {
	text := func(n *code.Node) string { return dense(s.with(c.edits, n.Start, n.End)) }
	for n := s.File.At(e.Start, e.End); n != nil && !n.Is(code.Function, code.Block); n = n.Parent {
		if n.Role == code.Arith && idles(n, e, text) || idlesAlone(n, text) || sidesAlike(n, e, text) || neverNothing(n, text) {
			return true
		}
	}
	return false
}

// neverNothing reports whether an edit has a comparison ask whether what is reckoned is nothing at all, as in n + 1 === null, which it never is.
func neverNothing(n *code.Node, text func(*code.Node) string) bool {
	l, r := n.Kid(code.Left), n.Kid(code.Right)
	return n.Is(code.Compare) && (r.Is(code.Null) && reckons(text(l)) && !reckons(l.Text()) || l.Is(code.Null) && reckons(text(r)) && !reckons(r.Text()))
}

// reckons reports whether a text is an operation of two numbers, or texts, as a whole.
func reckons(text string) bool {
	depth := 0
	for i, p := range parted(text) {
		switch p.text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case "+", "-", "*", "/", "%":
			if depth == 0 && i > 0 {
				return true
			}
		}
	}
	return false
}

// sidesAlike reports whether both sides of an operation or an assignment are the same after an edit.
func sidesAlike(n *code.Node, e edit.Edit, text func(*code.Node) string) bool {
	switch {
	case n.Is(code.Compare, code.Logic, code.Arith) && n.Op != "+" && n.Op != "*" && n.Op != "**":
		l, r := n.Kid(code.Left), n.Kid(code.Right)
		return l != nil && r != nil && n.Holds(e.Start, e.End) && text(l) == text(r)
	case n.Role == code.Assign && n.Op == "=" && len(n.All(code.Target)) == 1 && len(n.All(code.Value)) == 1:
		return text(n.Kid(code.Target)) == text(n.Kid(code.Value))
	}
	return false
}

// idles reports whether an edit makes an operation into one that does nothing, as in 1 * x: x alone is another candidate, which says what is meant.
func idles(n *code.Node, e edit.Edit, text func(*code.Node) string) bool {
	l, r := n.Kid(code.Left), n.Kid(code.Right)
	if l == nil || r == nil || e.Start <= n.Start && n.End <= e.End { // all of it is exchanged
		return false
	}
	op := n.Op
	if n.OpStart <= e.Start && e.End <= n.OpEnd {
		op = strings.TrimSpace(n.File.Source[n.OpStart:e.Start] + string(e.New) + n.File.Source[e.End:n.OpEnd])
	}
	left, right := strings.TrimSpace(text(l)), strings.TrimSpace(text(r))
	meet := numbersMeet(left, right) && (moves(l, r, e) || !numbersMeet(l.Text(), r.Text()))
	switch op {
	case "+":
		return left == "0" || right == "0" || cancels(l, right, "-") || meet
	case "-":
		return right == "0" || cancels(l, right, "+") || meet
	case "*":
		return left == "1" || right == "1"
	case "/", "//", "**":
		return right == "1"
	}
	return false
}

// idlesAlone reports whether nothing is taken, or changed, where something should be: -0, n += 0, n *= 1.
func idlesAlone(n *code.Node, text func(*code.Node) string) bool {
	given := n.Kid(code.Value)
	switch {
	case n.Role == code.Unary:
		return (n.Op == "-" || n.Op == "+") && strings.TrimSpace(text(n.Kid(code.Operand))) == "0"
	case n.Role != code.Assign || given == nil:
		return false
	case n.Op == "+=" || n.Op == "-=":
		return strings.TrimSpace(text(given)) == "0"
	}
	return (n.Op == "*=" || n.Op == "/=" || n.Op == "//=" || n.Op == "**=") && strings.TrimSpace(text(given)) == "1"
}

// numbersMeet reports a sum that ends in a number, to which another one is added, or from which it is taken.
func numbersMeet(sum, number string) bool { return endsInNumber(sum) && wholeNumber(number) }

// moves reports whether an edit is one to a number, where the source itself has two of them meet.
func moves(l, r *code.Node, e edit.Edit) bool {
	return r.Holds(e.Start, e.End) || l.Holds(e.Start, e.End) && e.End == l.End
}

// wholeNumber reports a whole number that is written out.
func wholeNumber(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// endsInNumber reports a sum that ends in a number, which is the one to move: never x + 1 + 1.
func endsInNumber(sum string) bool {
	rest := strings.TrimRight(sum, "0123456789")
	term := strings.TrimRight(rest, " ")
	return rest != sum && strings.TrimRight(term, "+-") != term
}

// cancels reports whether a sum takes away, or adds, what the next operation adds or takes away again: x + 1 - 1.
func cancels(sum *code.Node, term, op string) bool {
	for sum.Is(code.Arith) && (sum.Op == "+" || sum.Op == "-") {
		if sum.Op == op && strings.TrimSpace(sum.Kid(code.Right).Text()) == term {
			return true
		}
		sum = sum.Kid(code.Left)
		if op == "+" && sum.Text() == term {
			return true
		}
	}
	return false
}

// takenUp is what a change counts that uses what the function makes, or is given, and never looks at: it is there for something.
const takenUp = 5

// takesUp is what a change counts for what it uses: 1 where that is used already.
func (s *site) takesUp(c change) float64 {
	for _, name := range s.unit.unused(s.Function()) {
		for _, e := range c.edits {
			if mentions(string(e.New), name) && !mentions(s.File.Source[e.Start:e.End], name) {
				return takenUp
			}
		}
	}
	return 1
}

// unused are the names that a function makes, or is given, and never looks at.
func (u *unit) unused(fn *code.Node) []string {
	if fn == nil {
		return nil
	}
	names, known := u.idle[fn]
	if known {
		return names
	}
	add := func(name string) {
		if len(name) > 1 && !strings.HasPrefix(name, "_") && !slices.Contains(names, name) && count(fn.Text(), name) == 1 {
			names = append(names, name)
		}
	}
	for n := range fn.Walk() {
		switch {
		case n == fn:
		case n.Is(code.Function):
			add(n.Name)
		case n.Role == code.Name && n.Part == code.Target && n.Parent.Is(code.Assign) && len(n.Parent.All(code.Target)) == 1: // not that of a loop
			add(n.Name)
		}
	}
	u.idle[fn] = names
	return names
}

// Oddities: what such a change counts against others of its template. It is seldom what is meant, but sometimes it is.
const (
	orphaned = 0.3 // a loop's variable is not used any more
)

// oddity is what a change counts for what it leaves behind: 1 if that is nothing odd, or has been counted.
func (e *entry) oddity() float64 {
	if e.odd {
		return 1
	}
	e.odd = true
	edits := slices.SortedFunc(slices.Values(e.change.edits), func(a, b edit.Edit) int { return a.Start - b.Start })
	first, last := edits[0].Start, edits[len(edits)-1].End
	var after string
	for n := e.site.Node; n != nil && n.Role != code.Function; n = n.Parent {
		loops := loopsOf(n)
		if len(loops) == 0 || !n.Holds(first, last) {
			continue
		}
		if after == "" {
			after, _ = apply(n.File.Source, edits)
		}
		if after != "" && orphansVariable(n, loops, first, last, after) {
			return orphaned
		}
	}
	return 1
}

// orphansVariable reports whether a change takes away the last use of a variable that a loop makes.
func orphansVariable(n *code.Node, loops []*code.Node, first, last int, after string) bool {
	grown := len(after) - len(n.File.Source)
	for _, loop := range loops {
		for _, t := range loop.All(code.Target) {
			for v := range t.Walk() {
				if v.Role != code.Name || strings.HasPrefix(v.Name, "_") || t.Holds(first, last) {
					continue
				}
				// One mention is where it is made.
				if count(n.Text(), v.Name) > 1 && count(after[n.Start:n.End+grown], v.Name) <= 1 {
					return true
				}
			}
		}
	}
	return false
}

// loopsOf are the loops over values that a node is, or that a comprehension holds.
func loopsOf(n *code.Node) []*code.Node {
	switch n.Role {
	case code.Each:
		return []*code.Node{n}
	case code.Comprehension:
		var out []*code.Node
		for _, k := range n.Kids {
			if k.Role == code.Each {
				out = append(out, k)
			}
		}
		return out
	default:
	}
	return nil
}

// count is how often a name stands in code as a word of its own.
func count(text, name string) int {
	n := 0
	for at := code.Word(text, name, 0); at >= 0; at = code.Word(text, name, at+1) {
		n++
	}
	return n
}

// orphansParameter reports whether a change takes away the last use of a parameter without taking one up that had none.
func (s *site) orphansParameter(c change) bool {
	fn := s.Function()
	if fn == nil || len(c.edits) == 0 {
		return false
	}
	lost := 0
	for _, p := range fn.All(code.Params) {
		name := p.Name
		if name == "" {
			continue
		}
		had := false
		for n := range fn.Walk() {
			if n.Role == code.Name && n.Name == name && n.Part != code.Params {
				had = true
				break
			}
		}
		body := fn.Kid(code.Body)
		if body == nil {
			return false
		}
		if slices.ContainsFunc(c.edits, func(e edit.Edit) bool { return e.Start < body.End && e.End > body.Start && !body.Holds(e.Start, e.End) }) {
			return false // it reaches further than the function
		}
		has := mentions(s.with(c.edits, body.Start, body.End), name)
		switch {
		case had && !has:
			lost++
		case !had && has:
			lost--
		}
	}
	return lost > 0
}

// with is a stretch of the source with those of the edits, which are in order, that lie in it.
func (s *site) with(edits []edit.Edit, start, end int) string {
	var b strings.Builder
	for _, e := range edits {
		if e.Start >= start && e.End <= end {
			b.WriteString(s.File.Source[start:e.Start])
			b.Write(e.New)
			start = e.End
		}
	}
	return b.String() + s.File.Source[start:end]
}

// overwrites reports whether a change puts an assignment next to another one of the same variable, so that one of the two says nothing: what is wrong in it is
// another candidate, which mends it. A number that is given to what is returned next makes a constant of all that is before it.
func (s *site) overwrites(c change) bool {
	if len(c.edits) != 1 || c.edits[0].Start != c.edits[0].End {
		return false
	}
	target, value, ok := strings.Cut(strings.TrimRight(strings.TrimSpace(string(c.edits[0].New)), ";"), " = ")
	if !ok || strings.ContainsAny(target, " (\n") || strings.Contains(value, "\n") {
		return false
	}
	stmt := s.Node
	for stmt.Part != code.Stmt && stmt.Parent != nil {
		stmt = stmt.Parent
	}
	if stmt.Parent == nil {
		return false
	}
	all := stmt.Parent.All(code.Stmt)
	at := slices.Index(all, stmt)
	if c.edits[0].Start >= stmt.End {
		at++ // it stands behind it
	}
	if at > 0 {
		if _, ok := gives(all[at-1], target); ok && !mentions(value, target) {
			return true
		}
	}
	if at < len(all) {
		next, ok := gives(all[at], target)
		return ok && !mentions(next, target) || all[at].Is(code.Return) && all[at].Kid(code.Value).Text() == target && wholeNumber(value)
	}
	return false
}

// repeats reports whether a change puts a statement, or makes one of another, that gives a variable something made of itself, beside the very same one: line = trim(line) once more.
// Taking out what is wrong there does the same, and says so.
func (s *site) repeats(c change) bool {
	if len(c.edits) != 1 {
		return false
	}
	e, stmt := c.edits[0], s.Statement()
	beside := []*code.Node{stmt.Prev(), stmt.Next()}
	now := ""
	switch {
	case stmt == nil:
		return false
	case e.Start == e.End && (e.Start <= stmt.Start || e.Start >= stmt.End):
		now, beside = strings.TrimSpace(string(e.New)), append(beside, stmt)
	case stmt.Holds(e.Start, e.End):
		now = s.with(c.edits, stmt.Start, stmt.End)
	}
	target, value, ok := strings.Cut(strings.TrimSuffix(now, s.fact().End), " = ")
	if !ok || strings.Contains(target, "\n") || !mentions(value, target) {
		return false
	}
	return slices.ContainsFunc(beside, func(n *code.Node) bool {
		return n != nil && n.Is(code.Assign, code.Eval) && dense(n.Text()) == dense(now)
	})
}

// measuresLess reports whether a change asks for the size of a part: who means len(a) <= 1 does not write len(a[1:]) == 0.
func (s *site) measuresLess(c change) bool {
	return slices.ContainsFunc(c.edits, func(e edit.Edit) bool {
		n := s.File.At(e.Start, e.End)
		for n != nil && n.Parent != nil && n.Parent.Start == n.Start && n.Parent.End == n.End {
			n = n.Parent
		}
		if n == nil || n.Start != e.Start {
			return false
		}
		measured := n.Part == code.Arg && n.Parent.Calls() == "len" || n.Part == code.Object && n.Parent.Role == code.Attr && (n.Parent.Name == "length" || n.Parent.Name == "size")
		rest, ok := strings.CutPrefix(string(e.New), n.Text())
		return measured && ok && (strings.HasPrefix(rest, "[") && strings.Contains(rest, ":") || strings.HasPrefix(rest, ".slice(") || strings.HasPrefix(rest, ".sub"))
	})
}

// gives is the value that a statement gives a variable, if it does nothing else.
func gives(n *code.Node, target string) (text string, ok bool) {
	if n.Is(code.Eval) {
		n = n.Kid(code.Value)
	}
	if !n.Is(code.Assign) || n.Op != "=" || len(n.All(code.Target)) != 1 || n.Kid(code.Target).Text() != target || n.Kid(code.Value) == nil {
		return "", false
	}
	return n.Kid(code.Value).Text(), true
}

// says reports whether a statement gives a variable a value that is written out.
func says(assign *code.Node, name string) bool {
	target, value := assign.Kid(code.Target), assign.Kid(code.Value)
	return assign.Role == code.Assign && (assign.Op == "=" || assign.Op == ":=") && len(assign.All(code.Target)) == 1 &&
		target.Is(code.Name) && target.Name == name && value != nil && literal(value) && len(value.Kids) == 0
}

// plainName reports a name without dots, calls and signs.
func plainName(text string) bool {
	return text != "" && !unicode.IsDigit(rune(text[0])) && strings.IndexFunc(text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) < 0
}
