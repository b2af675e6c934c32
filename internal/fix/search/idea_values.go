package search

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"fettle/internal/code"
)

// Families about values: off by one, the wrong variable, the wrong constant.
var valueTemplates = []template{
	{"off-by-one", 0.83, 0.83, offByOne},
	{"variable", 0.80, 0.82, each((*site).keyOfAll, (*site).ofOtherPlace, otherVariable)},
	{"target", 0.45, 0.80, otherTarget},
	{"expression-to-variable", 0.35, 0.72, toVariable},
	{"every-answer", 0.25, 0.72, everyAnswer},
	{"number", 0.62, 0.67, each((*site).beginsAt, (*site).radix, number)},
	{"text", 0.58, 0.67, each((*site).allDigits, textLiteral)},
	{"boolean", 0.66, 0.72, boolean},
	{"scale", 0.25, 0.65, each((*site).divided, (*site).neverNegative, scale)},
	{"member", 0.45, 0.75, each((*site).leastNumber, otherMember)},
	{"to-size", 0.20, 0.65, each((*site).stepOfOne, toSize)},
	{"square", 0.30, 0.75, each((*site).doubled, square)},
}

// offByOne moves an integer by one where it counts or bounds.
func offByOne(s *site, try func(change)) {
	if !s.value() || s.counted() {
		return
	}
	otherEnd(s, try)
	if s.Role == code.Int {
		nudge(s, try)
		return
	}
	w := s.shifts()
	if w == 0 {
		return
	}
	if s.Part == code.Arg && s.Role == code.Arith && strings.EqualFold(s.Parent.Calls(), "abs") {
		w *= asFar // one way as the other
	}
	text := s.Text()
	if s.Is(code.Choice, code.Unary) || s.Role == code.Arith && !slices.Contains([]string{"+", "-", "*", "/", "//", "%"}, s.Op) {
		text = "(" + text + ")"
	}
	factor := s.Parent.Is(code.Arith) && strings.ContainsAny(s.Parent.Op, "*/%")
	for i, op := range []string{" - 1", " + 1"} {
		reason := []string{"too far", "too short"}[i]
		w := w
		if s.Part == code.At && (op == " - 1" && s.File.Facts.Wraps || s.File.Facts.Silent) {
			w *= wrapped
		}
		if factor {
			try(replace(s.Node, "("+text+op+")", w, "%s should be %s: it was one %s", quote(s.Text()), quote(text+op), reason))
			continue
		}
		try(replace(s.Node, text+op, w, "%s should be %s: it was one %s", quote(s.Text()), quote(text+op), reason))
	}
}

// shifts is how likely it is that one has to be added to a value or taken from it; zero where that makes no sense.
func (s *site) shifts() float64 {
	t := s.of(s.Node)
	if t.known() && !t.is(kInt|kFloat) || s.Is(code.Group, code.Float, code.Str, code.List, code.Map, code.Bool, code.Null, code.Compare, code.Logic, code.Not, code.Comprehension) {
		return 0
	}
	if s.Role == code.Arith && (s.Op == "+" || s.Op == "-") && (s.Kid(code.Right).Is(code.Int) || s.Op == "+" && s.Kid(code.Left).Is(code.Int)) {
		return 0 // its literal is moved instead
	}
	if s.Role == code.Arith && strings.ContainsAny(s.Op, "*/") && s.Kid(code.Right).Text() == "1" {
		return 0 // which does nothing: its operator is meant otherwise
	}
	switch {
	case !t.known():
		return 0.5 * s.bounds()
	case !t.is(kInt):
		return fraction * s.bounds()
	}
	return s.bounds()
}

const (
	// fromNothing: a sum begins at zero unless there is a reason for something else.
	fromNothing = 0.4
	// wrapped: an index before the first is the last one where the language has it so, or nothing and no error, which passes more tests than it deserves.
	wrapped = 0.5
	// fraction: what has one neither counts nor bounds.
	fraction = 0.3
	// asFar: a distance is as long from either side.
	asFar = 0.3
	// anyAtAll: who asks whether anything is there asks for no other number.
	anyAtAll = 0.3
	// before: what stands one before the first.
	before = 0.7
)

// startsSum reports whether the literal is what a variable begins with that is added to or taken from later in the function.
func (s *site) startsSum() bool {
	fn := s.Function()
	if fn == nil || s.Part != code.Value || !s.Parent.Is(code.Assign) || !s.Parent.Kid(code.Target).Is(code.Name) {
		return false
	}
	for n := range fn.Walk() {
		if n.Role == code.Assign && (n.Op == "+=" || n.Op == "-=") && n.Kid(code.Target).Is(code.Name) && n.Kid(code.Target).Name == s.Parent.Kid(code.Target).Name {
			return true
		}
	}
	return false
}

// nudge moves an integer literal by one or two.
func nudge(s *site, try func(change)) {
	v, err := strconv.ParseInt(s.Text(), 0, 64)
	if err != nil {
		return
	}
	begins := v == 0 && s.startsSum()
	for i, d := range []int64{1, -1, 2, -2} {
		n := strconv.FormatInt(v+d, 10)
		if v+d < 0 && !s.negatable() || s.idle(n) {
			continue
		}
		w := []float64{1, 1, 0.6, 0.6}[i]
		if v+d < 0 {
			w *= before
			if p := s.Parent; p.Role == code.Compare && (strings.HasPrefix(p.Op, "==") || strings.HasPrefix(p.Op, "!=")) && !p.Kid(code.Left).Is(code.Call) {
				w *= 0.6 // minus one is what searches give for nothing found, and seldom anything else
			}
		}
		if v > 20 {
			w *= 0.7
		}
		w *= s.nudged()
		if begins {
			w *= fromNothing
		}
		try(replace(s.Node, n, w, "%s should be %s", quote(s.Text()), quote(n)))
	}
}

// nudged is how likely an integer is another one near it, for what it says where it stands: a base is seldom one of those beside it, and whether anything
// is there at all is asked with no other number.
func (s *site) nudged() float64 {
	switch {
	case s.tellsBase(), s.tellsBits():
		return nearBase
	case s.asksForAny():
		return anyAtAll
	}
	return 1
}

// asksForAny reports whether a number is the one with which a size is compared to know whether anything is there: x.length > 0, len(x) == 0, x.size() >= 1.
func (s *site) asksForAny() bool {
	if !s.Parent.Is(code.Compare) || s.Part != code.Right || !measures(s.Parent.Kid(code.Left)) {
		return false
	}
	switch s.Parent.Op {
	case ">", "==", "===", "!=", "!==", "<=":
		return s.Text() == "0"
	case ">=", "<":
		return s.Text() == "1"
	}
	return false
}

// renumbered is how likely a number is meant to be any other one.
func (s *site) renumbered() float64 {
	switch {
	case s.Text() == "0" && s.startsSum():
		return fromNothing
	case s.asksForAny():
		return anyAtAll
	}
	return 1
}

// otherEnd takes the last where the first was taken, and the other way round: one before the first is the last one, also where a language does not count so.
func otherEnd(s *site, try func(change)) {
	seq := s.indexed()
	if seq == nil {
		return
	}
	last := s.lastOf(seq)
	switch {
	case last == "":
	case s.Text() == "0" && !s.fact().Wraps: // else it is -1, which nudge tries
		try(replace(s.Node, last, 1, "%s should be %s: the last is meant, not the first", quote(s.Text()), quote(last)))
	case strings.ReplaceAll(s.Text(), " ", "") == strings.ReplaceAll(last, " ", ""):
		try(replace(s.Node, "0", before, "%s should be %s: the first is meant, not the last", quote(s.Text()), quote("0")))
	}
}

// indexed is what the site is the index of; nil, if it is none.
func (s *site) indexed() *code.Node {
	callee := s.Parent.Kid(code.Callee)
	switch {
	case s.Part == code.At && s.Parent.Is(code.Index):
		return s.Parent.Kid(code.Object)
	case s.Part == code.Arg && s.fact().Family == "Java" && callee.Is(code.Attr) && slices.Contains(javaElements, callee.Kid(code.Mem).Name):
		return callee.Kid(code.Object)
	}
	return nil
}

// javaElements are the methods by which Java takes an element of a list or a text.
var javaElements = []string{"get", "charAt", "set"}

// lastOf spells the place of the last element; empty, where that cannot be said.
func (s *site) lastOf(seq *code.Node) string {
	t := s.of(seq)
	if !seq.Is(code.Name, code.Attr, code.Index) || t.known() && !t.is(kList|kText) || !t.known() && s.fact().Family == "Java" {
		return ""
	}
	switch s.fact().Family {
	case "Python":
		return "-1"
	case "Go":
		return "len(" + seq.Text() + ")-1"
	}
	return s.size(name{text: seq.Text(), typ: t}) + " - 1"
}

// movedBy is the text of an integer literal that is greater by so much, if it is not negative.
func movedBy(text string, by int64) (string, bool) {
	v, err := strconv.ParseInt(text, 0, 64)
	if err != nil || v+by < 0 {
		return "", false
	}
	return strconv.FormatInt(v+by, 10), true
}

// idle reports whether a number would do nothing where the literal stands: nobody writes n - 0.
func (s *site) idle(n string) bool {
	if !s.Parent.Is(code.Arith) {
		return false
	}
	right := s.Part == code.Right
	switch s.Parent.Op {
	case "+":
		return n == "0"
	case "-":
		return n == "0" && right
	case "*":
		return n == "1" || n == "0"
	case "/", "//", "%", "**":
		return right && (n == "1" || n == "0")
	}
	return false
}

// negatable reports whether a minus can stand before the literal without becoming part of another operator.
func (s *site) negatable() bool {
	return s.Parent.Is(code.Assign, code.Return, code.Call, code.List, code.Index, code.Slice, code.Keyword, code.Param, code.Pair) || s.Parent.Role == code.Compare && s.Part == code.Right
}

// bounds is how likely an off-by-one error is where the site stands; zero where it makes no sense.
func (s *site) bounds() float64 {
	p := s.Parent
	switch p.Role {
	case code.Index:
		return when(s.Part == code.At, 1)
	case code.Slice:
		return when(s.Part == code.Low || s.Part == code.High, 1)
	case code.Compare: // moving the left side of an order means the same, and a literal on the other side is moved instead
		if p.Kid(code.Left).Is(code.Int) || p.Kid(code.Right).Is(code.Int) {
			return 0
		}
		return when(strings.ContainsAny(p.Op, "<>") && s.Part == code.Right || strings.HasSuffix(p.Op, "="), 0.8)
	case code.Assign:
		return max(when(p.Part == code.Init || p.Parent.Part == code.Init, 1), 0.6)
	case code.Call:
		return when(s.Part == code.Arg, 0.6)
	case code.Function:
		return when(s.Part == code.Body, 0.5)
	default:
		return bounded[p.Role]
	}
}

func when(it bool, weight float64) float64 {
	if it {
		return weight
	}
	return 0
}

// bounded is how likely an off-by-one error is in other places.
var bounded = map[code.Role]float64{
	code.Arith: 0.35, code.Group: 0.35, code.Return: 0.6, code.Choice: 0.6, code.Unary: 0.4, code.List: 0.25, code.Pair: 0.25, code.Keyword: 0.25,
	code.Comprehension: 0.4,
}

// number exchanges a number for another one that the file uses, or for a common one.
func number(s *site, try func(change)) {
	if !s.Is(code.Int, code.Float, code.Char) {
		return
	}
	s.lastOne(try)
	pool := slices.Clone(s.unit.pool(s.File).literals[s.Role])
	if m := s.around(); m > 0 {
		s.tryLiterals(steps(m), try)
		return
	}
	if w := s.renumbered(); w < 1 {
		all := try
		try = func(c change) { c.weight *= w; all(c) }
	}
	switch s.Role {
	case code.Int:
		s.units(try)
		s.widths(try)
		s.knownOthers(try)
		s.summed(try)
		s.roundsUp(try)
		if s.counted() {
			pool = append([]string{"-1"}, pool...)
		}
		if !slices.Contains(pool, "2") && s.Text() != "2" && !s.idle("2") {
			try(replace(s.Node, "2", strange, "%s should be %s", quote(s.Text()), quote("2")))
			pool = append([]string{"0", "1", s.Text()}, pool...) // the others count as they would beside it
		} else {
			pool = append([]string{"0", "1", "2"}, pool...)
		}
		if s.negatable() {
			pool = append(pool, "-1")
		}
		if s.fact().Family == "Python" && (s.Parent.Is(code.Assign, code.Call, code.Return)) {
			pool = append(pool, "float('inf')", "-float('inf')")
		}
		if s.fact().Family == "JavaScript" && s.Parent.Is(code.Assign, code.Call, code.Return) {
			pool = append(pool, "Infinity", "-Infinity")
		}
		if s.fact().Family == "Java" && s.Parent.Is(code.Assign, code.Return) {
			pool = append(pool, "Integer.MAX_VALUE", "Integer.MIN_VALUE")
		}
	case code.Float:
		pool = append([]string{"0.0", "1.0", "2.0", "0.5"}, pool...)
	case code.Char:
		pool = append(slices.Concat(charVariants(s.Text()), pool), "' '")
	default:
	}
	s.tryLiterals(pool, try)
}

// strange is how likely a 2 is meant that the file has nowhere, against a number that it has.
const strange = 0.5

// countedCalls are Go's calls whose last argument says how often at most, and -1 that there is no limit.
var countedCalls = []string{"strings.Replace", "strings.SplitN", "strings.SplitAfterN", "bytes.Replace", "bytes.SplitN"}

// counted reports whether a number says how often something is done at most.
func (s *site) counted() bool {
	return s.Part == code.Arg && s.Next() == nil && slices.Contains(countedCalls, s.Parent.Kid(code.Callee).Text())
}

// mostUnits bounds the numbers with which another one is multiplied.
const mostUnits = 4

// units multiplies a number with others that the file has: a day is 24 * 60 minutes where an hour is 60.
func (s *site) units(try func(change)) {
	if len(s.Text()) < 2 || !s.Parent.Is(code.Assign, code.Arith, code.Compare) {
		return
	}
	n := 0
	for _, unit := range s.unit.pool(s.File).literals[code.Int] {
		if len(unit) > 1 && unit != s.Text() && n < mostUnits {
			n++
			text := s.Text() + " * " + unit
			if s.Parent.Is(code.Arith) {
				text = "(" + text + ")"
			}
			try(replace(s.Node, text, 0.5, "%s should be %s", quote(s.Text()), quote(text)))
		}
	}
}

// leastDoubled is the least number of which half or twice is another one that people know: 90 degrees are not 45, nor 180.
const leastDoubled = 12

// thousands are the two numbers that a kilo stands for.
var thousands = map[string]string{"1000": "1024", "1024": "1000"}

// charVariants is a letter in the other case.
func charVariants(lit string) []string {
	r, _, tail, err := strconv.UnquoteChar(strings.Trim(lit, "'"), '\'')
	switch {
	case err != nil || tail != "" || !unicode.IsLetter(r):
		return nil
	case unicode.IsUpper(r):
		return []string{strconv.QuoteRune(unicode.ToLower(r))}
	}
	return []string{strconv.QuoteRune(unicode.ToUpper(r))}
}

func (s *site) tryLiterals(pool []string, try func(change)) {
	tried := map[string]bool{s.Text(): true}
	for i, v := range pool {
		if tried[v] || s.idle(v) {
			continue
		}
		tried[v] = true
		try(replace(s.Node, v, 1-min(0.04*float64(i), 0.5), "%s should be %s", quote(s.Text()), quote(v)))
	}
}

// boolean exchanges true and false where they are values: never as a condition.
func boolean(s *site, try func(change)) {
	if s.Role != code.Bool || s.condition() {
		return
	}
	other := opposite(s.Node)
	try(replace(s.Node, other, 1, "%s should be %s", quote(s.Text()), quote(other)))
}
