package search

import (
	"slices"
	"strconv"
	"strings"

	"fettle/internal/code"
	"fettle/internal/pattern"
)

// comparison compares by another operator, or by another one with the next number.
func comparison(s *site, try func(change)) {
	if s.Role != code.Compare || s.OpEnd == 0 {
		return
	}
	s.neighbour(try)
	likely := 1.0
	if len(s.missed()) > 0 {
		likely = askedAmiss
	}
	for i, op := range s.fact().Confusions(s.Op) {
		if w := []float64{1, 0.8, 0.6, 0.5, 0.5, 0.4}[min(i, 5)] * s.meant(op) * likely; w > 0 {
			try(operator(s.Node, op, w, "%s should be %s: %s", quote(s.Op), quote(op), comparisonReason(s.Op, op)))
		}
	}
}

// meant is how likely a comparison is meant to have this operator, as far as what is compared, and for what, tells; 0: it cannot be.
func (s *site) meant(op string) float64 {
	left, right := s.Kid(code.Left), s.Kid(code.Right)
	switch {
	case (op == "<" || op == ">=") && least(left, right): // it never holds, or always
		return 0
	case (op == "in" || op == "not in") && !s.mayHold(right):
		return 0
	case op == "is" && s.Op != "is not" && !right.Is(code.Null, code.Bool): // a value that is one of its kind is not compared with ==
		return 0
	}
	w := 1.0
	if strings.ContainsAny(op, "<>") && (!s.ordered(left) || s.sameTexts()) {
		w *= notInOrder
	}
	if s.Op == "<" && op == "<=" && s.Part == code.Cond && s.Parent.Is(code.For) && measures(right) {
		w *= beyondEnd
	}
	if s.ordering() && !strings.ContainsAny(op, "<>") {
		w *= unordered
	}
	return w
}

// notInOrder is how likely it is asked which of two comes first, of what has no order, or of two texts that are asked whether they are the same.
const notInOrder = 0.3

// sameTexts reports whether a comparison asks whether two texts are the same.
func (s *site) sameTexts() bool {
	return !strings.ContainsAny(s.Op, "<>") && s.of(s.Kid(code.Left)).kind == kText && s.of(s.Kid(code.Right)).kind == kText
}

// askedAmiss is how likely a branch that hears of something asks in the wrong way for something else.
const askedAmiss = 0.4

// beyondEnd is how likely a loop over indices is to go one step beyond what it indexes, against one that lacks its last step otherwise.
const beyondEnd = 0.4

// unordered is how likely what puts things into order asks only whether they are equal.
const unordered = 0.1

// ordering reports whether the comparison is what a function answers by which others put things into order: handed to one that sorts, or of two things, as a.x < b.x.
func (s *site) ordering() bool {
	if !strings.ContainsAny(s.Op, "<>") {
		return false
	}
	if choice := s.Parent; s.Part == code.Cond && (choice.Is(code.Choice) || choice.Is(code.If)) && s.at(s.Kid(code.Left)).alike() {
		return strings.Contains(choice.Text(), "-1")
	}
	if s.Part != code.Value || !s.Parent.Is(code.Return) {
		return false
	}
	fn := s.Function()
	return fn != nil && fn.Part == code.Arg && strings.Contains(strings.ToLower(fn.Parent.Calls()), "sort") || s.at(s.Kid(code.Left)).alike()
}

// measures reports whether a node asks how many elements something has.
func measures(n *code.Node) bool {
	switch n.Calls() {
	case "len", "length", "size":
		return true
	}
	return n.Is(code.Attr) && n.Name == "length"
}

// least reports whether a value is compared with the least that there is of its kind: a text with the empty one, or how many there are with none.
func least(n, with *code.Node) bool {
	return with.Is(code.Str) && len(with.Text()) == len(`""`) || with.Is(code.Int) && with.Text() == "0" && measures(n)
}

// ordered reports whether values like this are compared by size.
func (s *site) ordered(n *code.Node) bool {
	t := s.of(n)
	return !t.known() || t.is(kInt|kFloat|kText)
}

// mayHold reports whether a value can be asked for what it holds.
func (s *site) mayHold(n *code.Node) bool {
	t := s.of(n)
	return !t.known() && !literal(n) || t.is(kList|kMap|kText)
}

func comparisonReason(old, op string) string {
	strict := func(t string) bool { return t == "<" || t == ">" }
	up := func(t string) bool { return strings.HasPrefix(t, "<") }
	ordered := func(t string) bool { return strings.HasPrefix(t, "<") || strings.HasPrefix(t, ">") }
	switch {
	case !ordered(old) && !ordered(op):
		return "the comparison was the wrong way round"
	case !ordered(old) || !ordered(op):
		return "it compared in the wrong way"
	case up(old) != up(op):
		return "the comparison pointed the wrong way"
	case strict(old):
		return "the case in which both are equal was left out"
	}
	return "the case in which both are equal was let in"
}

// nextNumber is how likely the number is another one, too, against the operator alone.
const nextNumber = 0.31

// neighbour exchanges a comparison with a number for one of another operator with the next number: size == 0 is size <= 1.
func (s *site) neighbour(try func(change)) {
	if !s.Kid(code.Right).Is(code.Int) || !s.ordered(s.Kid(code.Left)) {
		return
	}
	l, r := s.Kid(code.Left), s.Kid(code.Right)
	v, err := strconv.ParseInt(r.Text(), 0, 64)
	if err != nil {
		return
	}
	text := func(op string, n int64) string {
		return s.File.Source[l.Start:s.OpStart] + op + s.File.Source[s.OpEnd:r.Start] + strconv.FormatInt(n, 10)
	}
	op := s.Op
	if len(op) == 3 { // === and !==
		op = op[:2]
	}
	for i, x := range neighbours[op] {
		n := v + x.by
		if n < 0 {
			continue
		}
		now := text(x.op, n)
		try(replace(s.Node, now, nextNumber*(1-0.15*float64(i)), "%s should be %s", quote(s.Text()), quote(now)))
	}
}

// neighbours are the comparisons that one may be taken for together with a step of its number, likely ones first. What one edit alone
// would reach is left out: x < 3 is x <= 2.
var neighbours = map[string][]struct {
	op string
	by int64
}{
	"==": {{"<=", 1}, {">=", -1}, {"<=", 2}}, "!=": {{">", 1}, {"<", -1}}, "<": {{">", 1}, {">=", -1}}, "<=": {{">=", 1}, {">", -1}, {"==", 1}},
	">": {{"<", -1}, {"<=", 1}}, ">=": {{"<=", -1}, {"<", 1}, {"==", -1}},
}

// missingValue asks whether something is there at all before a condition looks into it.
func missingValue(s *site, try func(change)) {
	if !s.condition() || s.Is(code.Not, code.Group) || s.Parent.Role == code.Group {
		return
	}
	f := s.fact()
	seen := map[string]bool{}
	for n := range s.Walk() {
		var o *code.Node
		switch {
		case n.Is(code.Attr, code.Index):
			o = n.Kid(code.Object)
		default:
			continue
		}
		if !o.Is(code.Name, code.Attr) || seen[o.Text()] || o.Is(code.Name) && (s.isModule(o.Name) || o.Name == selfName(s)) {
			continue
		}
		seen[o.Text()] = true
		t := s.of(o)
		text := s.Text()
		if s.Role == code.Logic || s.Role == code.Choice {
			text = "(" + text + ")"
		}
		absent, present := o.Text()+" "+f.Same+" "+f.Null, o.Text()+" "+contraries[f.Same]+" "+f.Null
		var pairs [][2]string
		switch {
		case f.Static && t.known() && !t.is(kOther|kNull|kMap|kText|kList):
			continue
		case f.Family == "Go" && t.is(kText|kList|kMap), n.Role == code.Index:
			pairs = [][2]string{{s.none(o), s.some(o)}}
		default:
			pairs = [][2]string{{absent, present}}
		}
		for _, p := range pairs {
			try(replace(s.Node, p[0]+" "+f.Or+" "+text, 1, "%s may be missing", quote(o.Text())))
			try(replace(s.Node, p[1]+" "+f.And+" "+text, 0.9, "%s may be missing", quote(o.Text())))
		}
	}
}

// none and some ask whether a list, text or mapping is empty.
func (s *site) none(o *code.Node) string {
	switch f := s.fact(); f.Family {
	case "Python":
		return f.Not + o.Text()
	case "Go":
		return "len(" + o.Text() + ") == 0"
	case "Java":
		return o.Text() + ".length == 0"
	default:
		return o.Text() + ".length " + f.Equal + " 0"
	}
}

func (s *site) some(o *code.Node) string {
	switch s.fact().Family {
	case "Python":
		return o.Text()
	case "Go":
		return "len(" + o.Text() + ") > 0"
	default:
		return o.Text() + ".length > 0"
	}
}

// half is for a == 1 or 2: what stands alone is meant to be compared, too.
func half(s *site, try func(change)) {
	if s.Role != code.Logic {
		return
	}
	s.halves(try)
	l, r := s.Kid(code.Left), s.Kid(code.Right)
	if l.Is(code.Compare) && r.Is(code.Int, code.Str, code.Float, code.List, code.Char, code.Map, code.Name) {
		text := l.Kid(code.Left).Text() + " " + l.Op + " " + r.Text()
		try(replace(r, text, 1, "%s was not compared with anything", quote(r.Text())))
	}
}

// compareSynthesis puts another condition of the pool in the place of a whole one.
func compareSynthesis(s *site, try func(change)) {
	if !s.condition() && (s.Part != code.Value || s.Parent.Role != code.Return || s.of(s.Node).kind != kBool) {
		return
	}
	likely := 1.0
	if s.Parent.Is(code.Not) {
		likely = turnedAsWell
	}
	for i, c := range s.conditions() {
		if text := s.asOperand(c); c != s.Text() && text != "" {
			try(replace(s.Node, text, likely*max(1-0.03*float64(i), 0.2), "the condition %s should be %s", quote(s.Text()), quote(c)))
		}
	}
}

// turnedAsWell is how likely it is that another condition was meant where one is turned round: nobody writes !(n <= 1), and the not alone may be what is wrong.
const turnedAsWell = 0.5

// asOperand spells a condition as it has to stand in the site's place: !x <= 1 asks something else than !(x <= 1). Empty: what is turned round would be turned round again.
func (s *site) asOperand(cond string) string {
	not := s.fact().Not
	switch {
	case !s.Parent.Is(code.Not, code.Logic):
		return cond
	case s.Parent.Is(code.Not) && strings.HasPrefix(cond, not):
		return ""
	case s.Parent.Is(code.Not) && not == "!", connected.MatchString(cond):
		return grouped(cond)
	}
	return cond
}

// connected are conditions that consist of several.
var connected = pattern.New(`&&|\|\||\?\?|\b(and|or)\b`)

// grouped is a condition's text in parentheses, unless it is a name or one call.
func grouped(text string) string {
	if strings.HasSuffix(text, ")") && strings.Count(text, "(") == 1 && !strings.Contains(text[:strings.IndexByte(text, '(')], " ") || !strings.ContainsAny(text, " (") {
		return text
	}
	return "(" + text + ")"
}

// sameObject asks whether two objects are equal, where Java asks whether they are one and the same.
func sameObject(s *site, try func(change)) {
	if s.fact().Family != "Java" || s.Role != code.Compare || s.Op != "==" && s.Op != "!=" {
		return
	}
	left, right := s.Kid(code.Left), s.Kid(code.Right)
	w := min(s.objectness(left), s.objectness(right))
	if w == 0 {
		return
	}
	not := ""
	if s.Op == "!=" {
		not = "!"
	}
	if needed, ok := s.importing("java.util.Objects"); ok && !literal(left) && !literal(right) { // either may be null
		c := replace(s.Node, not+"Objects.equals("+left.Text()+", "+right.Text()+")", 0.9*w, "%s asks whether both are one and the same object", quote(s.Op))
		c.edits = append(needed, c.edits...)
		try(c)
	}
	if !code.Primary(left) || literal(left) {
		return
	}
	try(replace(s.Node, not+left.Text()+".equals("+right.Text()+")", w, "%s asks whether both are one and the same object", quote(s.Op)))
}

// objectness is how likely it is that a value is an object with an equality of its own, in Java.
func (s *site) objectness(n *code.Node) float64 {
	switch t := s.of(n); {
	case n.Is(code.Null, code.Int, code.Float, code.Char, code.Bool, code.Self, code.Arith):
		return 0
	case n.Role == code.Str:
		return 1
	case len(t.names) > 0 && !slices.ContainsFunc(t.names, boxed):
		return 0
	case len(t.names) > 0:
		return 1
	case n.Is(code.Call) && slices.Contains(javaElements, n.Calls()) && n.Calls() != "charAt":
		return 0.9
	}
	return 0.3
}

// boxed reports whether Java compares values of this type by == as objects although they are but values.
func boxed(name string) bool {
	return slices.Contains([]string{"String", "Integer", "Long", "Short", "Byte", "Character", "Double", "Float", "Boolean", "BigInteger", "BigDecimal"}, name)
}
