package search

import (
	"fmt"
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
	"fettle/internal/pattern"
)

// The ideas that turn a condition round.
const (
	turnedRound = "negate"
	turnedWhole = "negated-whole"
)

// comparedOtherwise is the idea of another operator between what is compared.
const comparedOtherwise = "comparison"

// joinedOtherwise is the idea of an or in the place of an and, or the other way round.
const joinedOtherwise = "logic"

// dropsOperand is the idea that leaves a part of a condition, or of a sum, out.
const dropsOperand = "drop-operand"

// Families about operators: comparison, arithmetic, logic.
var operatorTemplates = []template{
	{comparedOtherwise, 0.84, 0.84, each((*site).allBits, comparison)},
	{"arithmetic", 0.75, 0.80, arithmetic},
	{"assign-operator", 0.70, 0.80, each((*site).ofBits, (*site).addedUp, assignOperator)},
	{"swap-operands", 0.60, 0.75, swapOperands},
	{joinedOtherwise, 0.75, 0.80, logic},
	{turnedRound, 0.60, 0.70, negate},
	{turnedWhole, 0.85, 0.85, negatedWhole},
	{dropsOperand, 0.62, 0.75, dropOperand},
	{"regroup", 0.40, 0.75, regroup},
	{"add-condition", 0.22, 0.61, each((*site).saidEnd, addCondition)},
	{"asked-elsewhere", 0.30, 0.70, each((*site).asksWhetherThere, (*site).otherHalf, askedElsewhere)},
	{"compare-synthesis", 0.18, 0.60, compareSynthesis},
	{"half-comparison", 0.70, 0.90, half},
	{"missing-value", 0.30, 0.75, each((*site).alsoCase, (*site).escapeSelf, missingValue)},
	{"other-bound", 0.40, 0.85, each((*site).lowerEnds, (*site).longEnough, (*site).otherLetter, (*site).roundTheEnd, otherBound)},
	{"lost-fraction", 0.60, 0.85, lostFraction},
	{"tie", 0.50, 0.85, each((*site).nextKey, (*site).nextInKey, (*site).keyBehind, tie)},
	{"third-pair", 0.55, 0.80, each((*site).eachOfThree, thirdPair)},
}

// operator exchanges the operator of a node.
func operator(n *code.Node, op string, weight float64, format string, args ...any) change {
	c := replace(n, "", weight, format, args...)
	c.edits = []edit.Edit{{Start: n.OpStart, End: n.OpEnd, New: []byte(op)}}
	return c
}

func arithmetic(s *site, try func(change)) {
	if l := s.Kid(code.Left); s.fact().Family == "Python" && s.Role == code.Arith && s.Op != "%" && l.Is(code.Str) && strings.Contains(l.Text(), "%") {
		try(operator(s.Node, "%", 1, "%s does not put values into the text, %s does", quote(s.Op), quote("%")))
		return
	}
	if s.Role != code.Arith || s.OpEnd == 0 || s.of(s.Node).kind == kText {
		return
	}
	s.bitwise(try)
	s.remainder(try)
	for i, op := range s.fact().Ariths[s.Op] {
		w := max(1-0.25*float64(i), 0.3)
		if op == "/" && s.dividesWhole() {
			w *= fractions
		}
		try(operator(s.Node, op, w, "the arithmetic used %s where %s is meant", quote(s.Op), quote(op)))
	}
}

// remainder asks for what a division leaves where it asks for what it gives: whether that is zero, and whether it is not.
func (s *site) remainder(try func(change)) {
	asked := s.Parent
	if s.Op != "/" && s.Op != "//" || !asked.Is(code.Compare) || s.Part != code.Left || asked.Kid(code.Right).Text() != "0" || asked.Op == "" || !strings.ContainsRune("=!", rune(asked.Op[0])) {
		return
	}
	other := "!" + asked.Op[1:]
	if asked.Op[0] == '!' {
		other = s.fact().Equal
	}
	try(change{[]edit.Edit{{Start: s.OpStart, End: s.OpEnd, New: []byte("%")}, {Start: asked.OpStart, End: asked.OpEnd, New: []byte(other)}}, 0.5,
		quote(asked.Text()) + " asks what the division gives, where what it leaves is meant"})
}

// fractions is how likely a division that leaves fractions is meant where the function divides whole numbers.
const fractions = 0.3

// dividesWhole reports whether the function has a division of whole numbers.
func (s *site) dividesWhole() bool {
	if fn := s.Function(); fn != nil {
		for n := range fn.Own() {
			if (n.Is(code.Arith) || n.Is(code.Assign)) && strings.HasPrefix(n.Op, "//") {
				return true
			}
		}
	}
	return false
}

func assignOperator(s *site, try func(change)) {
	if s.OpEnd == 0 {
		return
	}
	switch s.Role {
	case code.Assign:
		targets := s.All(code.Target)
		if len(targets) != 1 || !targets[0].Is(code.Name, code.Attr, code.Index) || len(s.All(code.Value)) != 1 {
			return
		}
		if s.Op == "=" && targets[0].Role == code.Name && !s.has(targets[0].Name) || s.Op == ":=" || s.Declares && s.File.Facts.BlockScoped {
			return // it has no value yet
		}
	case code.Step:
	default:
		return
	}
	for i, op := range s.fact().Assigns[s.Op] {
		w := max(1-0.3*float64(i), 0.3)
		if s.Op == "=" {
			w *= 0.6
		}
		try(operator(s.Node, op, w, "the variable was updated with %s where %s is meant", quote(s.Op), quote(op)))
	}
	if s.Op == "+=" && s.aboutBits() {
		try(operator(s.Node, "|=", 0.5, "the variable was updated with %s where %s is meant", quote(s.Op), quote("|=")))
	}
	s.clearBits(try)
}

// has reports whether a variable has a value at the site.
func (s *site) has(name string) bool {
	return slices.ContainsFunc(s.Scope(), func(v code.Variable) bool { return v.Name == name && v.Decl.Start != s.Start })
}

// transposed takes rows for columns throughout a statement, where one element's two indices were exchanged: board[0][i] + board[1][i].
func (s *site) transposed(first change, try func(change)) {
	stmt, edits := s.Statement(), first.edits
	if stmt == nil {
		return
	}
	for n := range stmt.Walk() {
		inner := n.Kid(code.Object)
		if n == s.Node || !n.Is(code.Index) || !inner.Is(code.Index) || inner.Kid(code.Object).Text() != s.Kid(code.Object).Kid(code.Object).Text() {
			continue
		}
		a, b := inner.Kid(code.At), n.Kid(code.At)
		if a == nil || b == nil || n.Start < s.Start {
			return // the first of them says it
		}
		edits = append(edits, edit.Edit{Start: a.Start, End: a.End, New: []byte(b.Text())}, edit.Edit{Start: b.Start, End: b.End, New: []byte(a.Text())})
	}
	if len(edits) > len(first.edits) && len(edits) <= 2*mostClones {
		try(change{edits, 0.7, first.why + ", here and wherever else it stands so"})
	}
}

// exchangeSteps exchanges what is added in two indices: grid[r+k][c+2] for grid[r+2][c+k].
func (s *site) exchangeSteps(a, b *code.Node, try func(change)) {
	if !a.Is(code.Arith) || !b.Is(code.Arith) || a.Op != b.Op {
		return
	}
	x, y := a.Kid(code.Right), b.Kid(code.Right)
	if x.Text() == y.Text() {
		return
	}
	try(change{[]edit.Edit{{Start: x.Start, End: x.End, New: []byte(y.Text())}, {Start: y.Start, End: y.End, New: []byte(x.Text())}}, 0.9,
		fmt.Sprintf("%s and %s were exchanged", quote(x.Text()), quote(y.Text()))})
}

// swapOperands exchanges the sides of an operation for which that matters.
func swapOperands(s *site, try func(change)) {
	if inner := s.Kid(code.Object); s.Is(code.Index) && inner.Is(code.Index) {
		a, b := inner.Kid(code.At), s.Kid(code.At)
		if a != nil && b != nil && a.Text() != b.Text() && len(s.All(code.At)) == 1 && len(inner.All(code.At)) == 1 {
			c := replace(a, b.Text(), 1, "%s and %s were exchanged", quote(a.Text()), quote(b.Text()))
			c.edits = append(c.edits, edit.Edit{Start: b.Start, End: b.End, New: []byte(a.Text())})
			try(c)
			s.exchangeSteps(a, b, try)
			s.transposed(c, try)
		}
		return
	}
	if s.Role != code.Arith && s.Role != code.Compare {
		return
	}
	switch s.Op {
	case "-", "/", "//", "%", "<<", ">>", "**", "in", "not in":
	case "+": // of numbers, the order is nothing
		if t := s.of(s.Node); t.known() && !t.is(kText|kList) {
			return
		}
	default:
		return
	}
	l, r := s.Kid(code.Left), s.Kid(code.Right)
	if s.Op != "+" && (!code.Primary(l) || !code.Primary(r)) {
		return
	}
	middle := s.File.Source[l.End:r.Start]
	try(replace(s.Node, r.Text()+middle+l.Text(), 1, "the operands of %s were in the wrong order", quote(s.Op)))
}

func logic(s *site, try func(change)) {
	if s.Role != code.Logic {
		return
	}
	s.defaults(try)
	switch f := s.fact(); s.Op {
	case f.And:
		try(operator(s.Node, f.Or, 1, "%s should be %s: either condition is enough", quote(f.And), quote(f.Or)))
	case f.Or:
		try(operator(s.Node, f.And, 1, "%s should be %s: both conditions are needed", quote(f.Or), quote(f.And)))
	}
	if s.Parent.Is(code.Logic) && s.Parent.Op == s.Op || !s.Kid(code.Left).Is(code.Logic) {
		return
	}
	// All of a chain at once: a != 1 || a != 2 || a != 3.
	f, other, why := s.fact(), s.fact().And, "all of these conditions are needed"
	if s.Op == f.And {
		other, why = f.Or, "any of these conditions is enough"
	}
	var edits []edit.Edit
	for n := s.Node; n.Is(code.Logic) && n.Op == s.Op; n = n.Kid(code.Left) {
		edits = append(edits, edit.Edit{Start: n.OpStart, End: n.OpEnd, New: []byte(other)})
	}
	if len(edits) > 1 {
		try(change{edits, 0.9, fmt.Sprintf("%s should be %s throughout: %s", quote(s.Op), quote(other), why)})
	}
}

// defaults takes a default only where there is no value: zero, false and the empty text are values, and "or" takes it for them as well.
func (s *site) defaults(try func(change)) {
	l, r := s.Kid(code.Left), s.Kid(code.Right)
	ops := []edit.Edit{{Start: s.OpStart, End: s.OpEnd, New: []byte("??")}} // mixed with others, it would be no program
	for l.Is(code.Logic) && l.Op == s.Op && s.fact().Silent {
		ops = append(ops, edit.Edit{Start: l.OpStart, End: l.OpEnd, New: []byte("??")})
		l, r = l.Kid(code.Left), l.Kid(code.Right)
	}
	if s.Op != s.fact().Or || s.condition() || s.Parent.Is(code.Logic) || !l.Is(code.Name, code.Attr, code.Index, code.Call) {
		return
	}
	const why = "%s is taken also where %s is zero, false or empty"
	switch s.fact().Family {
	case "JavaScript":
		try(change{ops, 1, fmt.Sprintf(why, quote(r.Text()), quote(l.Text()))})
	case "Python":
		if text := fmt.Sprintf("%[1]s if %[1]s is not None else %[2]s", l.Text(), r.Text()); !l.Is(code.Call) && !strings.Contains(text, "\n") {
			if s.Parent.Is(code.Arith, code.Compare, code.Attr, code.Index) {
				text = "(" + text + ")"
			}
			try(replace(s.Node, text, 1, why, quote(r.Text()), quote(l.Text())))
		}
	}
}

// negate turns a condition, or one part of it, into its opposite. Comparisons have a template of their own.
func negate(s *site, try func(change)) {
	switch s.Role {
	case code.Not:
		x := s.bare(s.Kid(code.Operand))
		try(replace(s.Node, x.Text(), 1, "the %s before %s does not belong there", quote(strings.TrimSpace(s.fact().Not)), quote(x.Text())))
	case code.Name, code.Attr, code.Call, code.Index:
		if (s.condition() || s.value() && s.of(s.Node).kind == kBool) && s.Parent.Role != code.Not && s.Part != code.Object {
			try(replace(s.Node, s.fact().Negated(s.Node), 0.9, "the condition %s was the wrong way round", quote(s.Text())))
		}
	case code.Logic, code.Group:
		if s.condition() && s.Parent.Role != code.Not && s.Parent.Role != code.Group {
			try(replace(s.Node, s.fact().Negated(s.Node), 0.7, "the condition was the wrong way round"))
		}
	default:
	}
}

// bare is what stands in parentheses where the site is the whole condition of a statement: nobody gives that parentheses of its own, unless they hold its
// lines together.
func (s *site) bare(x *code.Node) *code.Node {
	in := x.Kid(code.Operand)
	if !x.Is(code.Group) || in == nil || s.Part != code.Cond || !s.Parent.Is(code.If, code.While) || strings.Contains(x.Text(), "\n") && !s.fact().Parens {
		return x
	}
	return in
}

// negatedWhole takes the word away that turns several conditions round together: who writes conditions seldom does so, and who does so by mistake
// changes nothing else.
func negatedWhole(s *site, try func(change)) {
	x := s.Kid(code.Operand)
	if s.Role != code.Not || !x.Is(code.Group) || !x.Kid(code.Operand).Is(code.Logic) || s.Part != code.Cond || !s.Parent.Is(code.If, code.While) {
		return
	}
	x = s.bare(x)
	try(replace(s.Node, x.Text(), 1, "the %s before %s does not belong there", quote(strings.TrimSpace(s.fact().Not)), quote(x.Text())))
}

// dropOperand leaves one side of an operation out.
func dropOperand(s *site, try func(change)) {
	w := 1.0
	switch s.Role {
	case code.Logic:
		w = 0.6
	case code.Arith:
	default:
		return
	}
	l, r := s.Kid(code.Left), s.Kid(code.Right)
	if l == nil || r == nil {
		return
	}
	try(replace(s.Node, l.Text(), w, "%s does not belong in %s", quote(r.Text()), quote(s.Text())))
	if s.Op != "/" && s.Op != "//" && s.Op != "%" && s.Op != "**" {
		try(replace(s.Node, r.Text(), 0.7*w, "%s does not belong in %s", quote(l.Text()), quote(s.Text())))
	}
	if l.Is(code.Arith) && l.Op == s.Op && w == 1 {
		try(replace(s.Node, l.Kid(code.Left).Text(), 0.5, "%s should be %s alone", quote(s.Text()), quote(l.Kid(code.Left).Text())))
	}
}

// regroup moves the parentheses of three operands: a-b/c is also (a-b)/c.
func regroup(s *site, try func(change)) {
	if s.Role != code.Arith && s.Role != code.Logic || s.of(s.Node).kind == kText {
		return
	}
	l, r := s.Kid(code.Left), s.Kid(code.Right)
	if l == nil || r == nil {
		return
	}
	const why = "the operations in %s bind in the wrong order"
	if r.Is(code.Arith, code.Logic) {
		a, b := r.Kid(code.Left), r.Kid(code.Right)
		try(replace(s.Node, "("+l.Text()+" "+s.Op+" "+a.Text()+") "+r.Op+" "+b.Text(), 1, why, quote(s.Text())))
		if s.Role == code.Arith {
			try(replace(s.Node, l.Text()+" "+r.Op+" "+b.Text()+" "+s.Op+" "+a.Text(), 0.8, why, quote(s.Text())))
		}
		if first := a; first.Is(code.Arith, code.Logic) {
			for first.Is(code.Arith, code.Logic) {
				first = first.Kid(code.Left)
			}
			try(replace(s.Node, "("+l.Text()+" "+s.Op+" "+first.Text()+")"+s.File.Source[first.End:r.End], 1, why, quote(s.Text())))
		}
	}
	if l.Is(code.Arith, code.Logic) {
		a, b := l.Kid(code.Left), l.Kid(code.Right)
		try(replace(s.Node, a.Text()+" "+l.Op+" ("+b.Text()+" "+s.Op+" "+r.Text()+")", 1, why, quote(s.Text())))
	}
	if l.Is(code.Group) {
		try(replace(s.Node, l.Kid(code.Operand).Text()+" "+s.Op+" "+r.Text(), 0.8, why, quote(s.Text())))
	}
	s.otherFirst(try)
	if r.Is(code.Group) {
		try(replace(s.Node, l.Text()+" "+s.Op+" "+r.Kid(code.Operand).Text(), 0.8, why, quote(s.Text())))
	}
}

// addCondition joins a condition with another one.
func addCondition(s *site, try func(change)) {
	if !s.condition() || s.Parent.Is(code.Logic, code.Not) && s.Part != code.Cond {
		return
	}
	f := s.fact()
	text := s.Text()
	operand := func(t string, op string) string {
		if s.Role == code.Logic && s.Op != op || s.Role == code.Choice {
			return "(" + t + ")"
		}
		return t
	}
	if s.Role == code.Bool {
		if s.Text() == f.True {
			for i, c := range s.conditions() {
				try(replace(s.Node, c, max(1-0.03*float64(i), 0.2), "%s should be %s", quote(s.Text()), quote(c)))
			}
		}
		return
	}
	s.alsoEmpty(try)
	s.alsoOther(try)
	for i, c := range s.conditions() {
		if c == text || strings.Contains(text, c) && len(c) > 3 {
			continue
		}
		w := max(1-0.03*float64(i), 0.2)
		if s.ordering() {
			w *= unordered
		}
		opposite := s.contrary(c)
		try(replace(s.Node, operand(text, f.And)+" "+f.And+" "+c, w, "the condition lacks %s", quote(f.And+" "+c)))
		try(replace(s.Node, operand(text, f.Or)+" "+f.Or+" "+c, w, "the condition lacks %s", quote(f.Or+" "+c)))
		try(replace(s.Node, operand(text, f.And)+" "+f.And+" "+opposite, 0.6*w, "the condition lacks %s", quote(f.And+" "+opposite)))
		try(replace(s.Node, operand(text, f.Or)+" "+f.Or+" "+opposite, 0.5*w, "the condition lacks %s", quote(f.Or+" "+opposite)))
		before := 0.5 * w
		if s.guards(c) {
			before = w
			try(replace(s.Node, c+" "+f.Or+" "+operand(text, f.Or), w, "the condition lacks %s", quote(c+" "+f.Or)))
		}
		try(replace(s.Node, c+" "+f.And+" "+operand(text, f.And), before, "the condition lacks %s", quote(c+" "+f.And)))
	}
}

// contraries are comparisons and what they are the other way round.
var contraries = map[string]string{"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "==", "===": "!==", "!==": "===", "is": "is not", "is not": "is", "in": "not in", "not in": "in"}

// contrary is a condition's text the other way round, as one writes it: a >= b for a < b.
func (s *site) contrary(cond string) string {
	f := s.fact()
	if rest, ok := strings.CutPrefix(cond, f.Not); ok {
		return rest
	}
	if m := aComparison.FindStringSubmatch(cond); m != nil && contraries[m[2]] != "" {
		return m[1] + " " + contraries[m[2]] + " " + m[3]
	}
	return f.Not + grouped(cond)
}

// aComparison matches a text that compares two things, and does nothing else.
var aComparison = pattern.New(`^([\w.\[\]]+(?: [-+*/%] [\w.\[\]]+)?) (<=?|>=?|[=!]==?|is not|is|not in|in) ([\w.\[\]]+(?: [-+*/%] [\w.\[\]]+)?|"\w*"|'\w*')$`)

// alsoEmpty asks for another kind of nothing as well: seq == () or seq == [].
func (s *site) alsoEmpty(try func(change)) {
	f := s.fact()
	l, r := s.Kid(code.Left), s.Kid(code.Right)
	if s.Role != code.Compare || strings.ContainsAny(s.Op, "<>") || f.Static || !r.Is(code.List, code.Map, code.Null, code.Str, code.Int) {
		return
	}
	joint := f.Or
	if strings.HasPrefix(s.Op, "!") || strings.Contains(s.Op, "not") {
		joint = f.And
	}
	for i, lit := range []string{"[]", "()", `""`, f.Null, "0", "{}"} {
		if lit != r.Text() && (lit != "()" || f.Family == "Python") {
			more := joint + " " + l.Text() + " " + s.Op + " " + lit
			try(replace(s.Node, s.Text()+" "+more, 1-0.1*float64(i), "the condition lacks %s", quote(more)))
		}
	}
}

// lostFraction converts what is divided before it is divided, as of float64(a / b) the fraction is lost already; and rounds what a conversion cuts off, as
// 19.99 * 100 is a little less than 1999.
func lostFraction(s *site, try func(change)) {
	switch s.fact().Family {
	case "Go":
		s.dividedInGo(try)
	case "Java":
		s.castInJava(try)
	}
}

// divided is what was wrong with a division of whole numbers.
func divided(n *code.Node) string {
	return quote(n.Text()) + " divides whole numbers, and what is converted then has lost its fraction"
}

func (s *site) dividedInGo(try func(change)) {
	to, args := s.Kid(code.Callee), s.All(code.Arg)
	if s.Role != code.Call || len(args) != 1 || args[0].Role != code.Arith || args[0].Op != "/" || to.Text() != "float64" && to.Text() != "float32" {
		return
	}
	text := fmt.Sprintf("%[1]s(%[2]s) / %[1]s(%[3]s)", to.Text(), args[0].Kid(code.Left).Text(), args[0].Kid(code.Right).Text())
	if s.Parent.Is(code.Arith) {
		text = "(" + text + ")"
	}
	try(replace(s.Node, text, 1, "%s", divided(args[0])))
}

func (s *site) castInJava(try func(change)) {
	value := s.Kid(code.Operand)
	if !s.Is(code.Other) || value == nil || len(s.Kids) != 1 {
		return
	}
	to := strings.TrimSpace(s.File.Source[s.Start:value.Start])
	for value.Is(code.Group) && value.Kid(code.Operand) != nil {
		value = value.Kid(code.Operand)
	}
	inner := value.Text()
	switch to {
	case "(long)":
		try(replace(s.Node, "Math.round("+inner+")", 0.7, "%s cuts the fraction off", quote("(long)")))
	case "(int)":
		try(replace(s.Node, "(int) Math.round("+inner+")", 0.7, "%s cuts the fraction off", quote("(int)")))
	case "(double)", "(float)":
		if value.Parent.Is(code.Group) && value.Is(code.Arith) && value.Op == "/" {
			try(replace(s.Node, to+" "+inner, 1, "%s", divided(value)))
		}
	}
}
