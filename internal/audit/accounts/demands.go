package accounts

import (
	"slices"
	"strconv"
	"strings"

	"fettle/internal/audit/assertions"
	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/pattern"
	"fettle/internal/syntax"
)

// twoSided are the assertions that compare two values, by what they ask.
var twoSided = map[string]string{
	"assertEqual": "==", "assertEquals": "==", "assertListEqual": "==", "assertDictEqual": "==", "assertTupleEqual": "==", "assertSetEqual": "==", "assertSequenceEqual": "==",
	"assertMultiLineEqual": "==", "Equal": "==", "isEqualTo": "==", "assertNotEqual": "!=", "assertNotEquals": "!=", "NotEqual": "!=", "isNotEqualTo": "!=",
	"assertSame": "is", "isSameAs": "is", "isSameInstanceAs": "is", "assertNotSame": "is not", "isNotSameAs": "is not", "isNotSameInstanceAs": "is not",
	"isInstanceOf": "instanceof", "assertInstanceOf": "instanceof", "isGreaterThan": ">", "isGreaterThanOrEqualTo": ">=", "isAtLeast": ">=", "isLessThan": "<", "isLessThanOrEqualTo": "<=", "isAtMost": "<=",
	"assertIs": "is", "assertIsNot": "is not", "assertIn": "in", "assertNotIn": "not in", "assertIsInstance": "isinstance", "ErrorIs": "is error", "AreEqual": "==",
	"assertGreater": ">", "assertGreaterEqual": ">=", "assertLess": "<", "assertLessEqual": "<=", "Greater": ">", "GreaterOrEqual": ">=", "Less": "<", "LessOrEqual": "<=",
}

// oneSided are those that ask one thing of one value.
var oneSided = map[string]string{
	"assertTrue": "true", "True": "true", "isTrue": "true", "ok": "true", "assert": "true", "assertFalse": "false", "False": "false", "isFalse": "false",
	"assertIsNone": "null", "assertNull": "null", "Nil": "null", "isNull": "null", "NoError": "null",
	"assertIsNotNone": "some", "assertNotNull": "some", "NotNil": "some", "isNotNull": "some", "Error": "some",
}

// expectsFirst are the languages whose comparing assertions are mostly given what is expected first.
func expectsFirst(n *code.Node) bool { return n.File.Lang == syntax.Java || n.File.Lang == syntax.Go }

// demanded tells what a call demands.
func (r *teller) demanded(n *code.Node) ([]fact, bool) {
	if all, ok := r.thrownBy(n); ok {
		return all, true
	}
	name, callee, args := parts.LastName(n), n.Kid(code.Callee), n.All(code.Arg)
	if about := assertions.Expected(callee); about != nil {
		if ownChain(callee) {
			return nil, false
		}
		return r.expectation(n, about), true
	}
	if !AssertsByName(n) {
		return nil, false
	}
	args = comparedArgs(n, args)
	switch {
	case name == "Len" && len(args) >= 2 && n.File.Lang == syntax.Go:
		return r.compared("==", "len("+r.canon(args[0])+")", r.canon(args[1]), false), true
	case name == "assertAlmostEqual" && len(args) >= 2:
		return r.near(args), true
	case twoSided[name] != "" && len(args) >= 2:
		left, right := args[0], args[1]
		if expectsFirst(n) && !orders[twoSided[name]] {
			left, right = right, left
		}
		return r.compared(twoSided[name], r.canon(left), r.canon(right), left.Text() == right.Text()), true
	case oneSided[name] != "" && len(args) >= 1:
		return r.asked(oneSided[name], args[0]), true
	}
	return []fact{r.matcher(name, args)}, true
}

// AssertsByName reports whether a call is an assertion of a library's, as far as its name tells.
func AssertsByName(n *code.Node) bool {
	name, callee := parts.LastName(n), n.Kid(code.Callee)
	if assertions.Matcher(name) == assertions.Nothing && oneSided[name] == "" {
		return false
	}
	return (callee.Role != code.Attr || assertions.IsAsserting(callee)) && (n.File.Lang != syntax.Go || callee.Text() != "t."+name)
}

// comparedArgs are the arguments of an assertion without the test itself, and what JUnit 4 is told first to say.
func comparedArgs(n *code.Node, args []*code.Node) []*code.Node {
	name := parts.LastName(n)
	switch {
	case n.File.Lang == syntax.Go && len(args) > 0 && args[0].Text() == "t":
		return args[1:]
	case len(args) == 3 && n.File.Lang == syntax.Java && args[0].Role == code.Str && strings.HasPrefix(name, "assert") && twoSided[name] != "" && !strings.Contains(n.File.Source, "jupiter"):
		return args[1:]
	}
	return args
}

// matcher tells an assertion of which is known how much it demands, and no more.
func (r *teller) matcher(name string, args []*code.Node) fact {
	var texts []string
	about := ""
	for _, a := range args {
		text := r.canon(a)
		if about == "" && !constantText(text) {
			about = text
		}
		texts = append(texts, text)
	}
	f := fact{about: about, op: name, want: strings.Join(texts, ","), says: assertions.Matcher(name), demand: true}
	f.text = name + "(" + f.want + ")"
	return f
}

var orders = map[string]bool{">": true, ">=": true, "<": true, "<=": true, "in": true, "not in": true, "isinstance": true, "is error": true}

// asked tells an assertion of one value.
func (r *teller) asked(says string, n *code.Node) []fact {
	switch says {
	case "true", "false":
		return r.condition(n, says == "false")
	case "null":
		return r.compared("==", r.canon(n), "null", false)
	}
	return r.compared("!=", r.canon(n), "null", false)
}

// expectation tells a chain of calls that begins with what it is about: expect(x).not.toBe(1), assertThat(x).isEqualTo(1).
func (r *teller) expectation(n, about *code.Node) []fact {
	name, args := parts.LastName(n), n.All(code.Arg)
	asked := r.canon(about)
	text := parts.Bare(n.Kid(code.Callee).Text())
	_, chain, _ := strings.Cut(text, parts.Bare(about.Text())+")")
	if all, ok := r.fluent(n, asked, chain); ok {
		return all
	}
	switch {
	case chain == "."+name && twoSided[name] != "" && len(args) == 1:
		return r.compared(twoSided[name], asked, r.canon(args[0]), about.Text() == args[0].Text())
	case chain == "."+name && oneSided[name] != "" && len(args) == 0 && strings.HasPrefix(name, "is"):
		return r.asked(oneSided[name], about)
	}
	var wants []string
	for _, a := range args {
		wants = append(wants, r.canon(a))
	}
	f := fact{about: asked, op: chain, want: strings.Join(wants, ","), says: assertions.Within, demand: true}
	if says := assertions.Matcher(name); says > assertions.Nothing {
		f.says = says
	}
	if f.says == assertions.Equal && len(args) > 0 && constantText(f.want) {
		f.says = assertions.Constantly
	}
	if strings.Contains(chain, ".not.") {
		f.says = min(f.says, assertions.Different)
	}
	if constantText(asked) || len(args) == 1 && about.Text() == args[0].Text() {
		return nil
	}
	f.text = asked + chain + "(" + f.want + ")"
	return []fact{f}
}

// askingCalls are functions that ask something of two values, by what they ask.
var askingCalls = map[string]string{"errors.Is": "is error", "isinstance": "isinstance"}

// condition tells what has to hold, or, negated, what must not.
func (r *teller) condition(n *code.Node, negated bool) []fact {
	switch {
	case n.Role == code.Group && n.Kid(code.Operand) != nil:
		return r.condition(n.Kid(code.Operand), negated)
	case n.Role == code.Not && n.Kid(code.Operand) != nil:
		return r.condition(n.Kid(code.Operand), !negated)
	case n.Role == code.Logic && (n.Op == "and" || n.Op == "&&") != negated:
		return append(r.condition(n.Kid(code.Left), negated), r.condition(n.Kid(code.Right), negated)...)
	case n.Role == code.Compare:
		left, right, op := n.Kid(code.Left), n.Kid(code.Right), n.Op
		if negated {
			op = assertions.Opposite(op)
		}
		if all := r.approximate(op, left, right); all != nil {
			return all
		}
		return r.compared(op, r.canon(left), r.canon(right), left.Text() == right.Text())
	case n.Role == code.Call && !negated && askingCalls[parts.Bare(n.Kid(code.Callee).Text())] != "" && len(n.All(code.Arg)) == 2:
		return r.compared(askingCalls[parts.Bare(n.Kid(code.Callee).Text())], r.canon(n.All(code.Arg)[0]), r.canon(n.All(code.Arg)[1]), false)
	}
	text := r.canon(n)
	if constantText(text) {
		return nil // it says nothing
	}
	f := fact{about: text, op: "true", says: assertions.Truthy, demand: true}
	if n.Is(code.Logic, code.Call) {
		f.says = assertions.OfCondition(n, negated)[0].Says
	}
	if negated {
		f.op = "false"
	}
	f.text = text + " is " + f.op
	return []fact{f}
}

// compared tells a comparison: with what is constant on the right.
func (r *teller) compared(op, left, right string, same bool) []fact {
	if r.root.File.Lang == syntax.Java {
		left, right = plainJava(left), plainJava(right)
	}
	if constantText(left) && !constantText(right) {
		left, right, op = right, left, facing(op)
	}
	if constantText(left) && op != "in" || same {
		return nil // it says nothing
	}
	if right == "null" {
		op = plainly(op)
	}
	if op == "instanceof" {
		right = strings.TrimSuffix(right, ".class")
	}
	f := fact{about: left, op: op, want: right, says: assertions.Comparing(op), demand: true}
	switch {
	case parts.OnlyBools(r.root) && truthOfTyped(op, right):
		f.op = strconv.FormatBool((op == "==") == (right == "true"))
		f.want, f.says, f.text = "", assertions.Truthy, left+" is "+f.op
		return []fact{f}
	case op == "isinstance":
		f.says = assertions.Within
	case op == "is error":
		f.says = assertions.Equal
	case f.says == assertions.Equal && constantText(right):
		f.says = assertions.Constantly
	case f.says == assertions.Equal && op == "==" && left > right:
		f.text = right + "==" + left
		return []fact{f}
	}
	f.text = left + op + right
	return []fact{f}
}

// truthOfTyped reports whether a comparison is one with true or false.
func truthOfTyped(op, right string) bool {
	return (right == "true" || right == "false") && (op == "==" || op == "!=")
}

// plainly is how it is asked whether something is nothing, in one spelling.
func plainly(op string) string {
	switch op {
	case "is", "===":
		return "=="
	case "is not", "!==":
		return "!="
	}
	return op
}

func facing(op string) string {
	switch op {
	case "<", "<=":
		return ">" + op[1:]
	case ">", ">=":
		return "<" + op[1:]
	}
	return op
}

var (
	quotedText = pattern.New(`[a-z]*"[^"]*"`)
	plainWord  = pattern.New(`[\p{L}_]\w*`)
)

// constantText reports whether an expression as it is told names nothing.
func constantText(text string) bool {
	if text == "" {
		return false
	}
	text = quotedText.ReplaceAllString(text, "")
	for _, w := range plainWord.FindAllString(text, -1) {
		switch w {
		case "true", "false", "null", "e", "undefined":
		default:
			return false
		}
	}
	return true
}

// raised tells the head of a block that has to fail: pytest.raises(ValueError, match="x").
func (r *teller) raised(head *code.Node) (fact, bool) {
	n := head
	for n.Is(code.Other) && len(n.Kids) == 1 {
		n = n.Kids[0]
	}
	target := n.Kid(code.Target)
	if n.Is(code.Assign) {
		n = n.Kid(code.Value)
	}
	if !n.Is(code.Call) || target != nil && !target.Is(code.Name) {
		return fact{}, false
	}
	f, rest, ok := r.throwing(n)
	if !ok || len(rest) > 0 {
		return fact{}, false
	}
	if target != nil {
		r.env[target.Name] = "thrown"
	}
	return f, true
}

// throwing tells which error has to come, and which arguments of the assertion say from where.
func (r *teller) throwing(n *code.Node) (f fact, rest []*code.Node, ok bool) {
	args := n.All(code.Arg)
	name := parts.LastName(n)
	if len(args) == 0 || name != "raises" && name != "assertRaises" && name != "assertRaisesRegex" && name != "assertThrows" || args[0].Role == code.Keyword {
		return fact{}, nil, false
	}
	f = fact{op: "throws", about: strings.TrimSuffix(r.canon(args[0]), ".class"), says: assertions.Within, demand: true}
	args = args[1:]
	if name == "assertRaisesRegex" && len(args) > 0 {
		f.want, args = r.canon(args[0]), args[1:]
	}
	for _, a := range args {
		switch {
		case a.Role == code.Keyword && a.Name == "match":
			f.want = r.canon(a.Kid(code.Value))
		case a.Role == code.Keyword:
			return fact{}, nil, false
		default:
			rest = append(rest, a)
		}
	}
	f.text = "throws " + f.about + " " + f.want
	return f, rest, true
}

// thrownBy tells an assertion that is given what has to fail: assertRaises(E, f, 1), assertThrows(E.class, () -> f(1)).
func (r *teller) thrownBy(n *code.Node) ([]fact, bool) {
	if !n.Is(code.Call) {
		return nil, false
	}
	f, rest, ok := r.throwing(n)
	if !ok || len(rest) == 0 {
		return nil, false
	}
	switch first := rest[0]; {
	case first.Role == code.Function:
		f.inner = r.lambdaFacts(first)
	case n.File.Lang == syntax.Python:
		var args []string
		for _, a := range rest[1:] {
			args = append(args, r.canon(a))
		}
		f.inner = []fact{{text: r.canon(first) + "(" + strings.Join(args, ",") + ")"}}
	default:
		return nil, false
	}
	return []fact{f}, true
}

func (r *teller) lambdaFacts(fn *code.Node) []fact {
	if body := fn.Kid(code.Body); body != nil && body.Role != code.Block {
		return r.value(body, false)
	}
	return r.one(parts.Statements(fn)...)
}

// thrown tells a test that an annotation wants to fail as one that asserts it.
func thrown(test *code.Node, facts []fact) []fact {
	if test.File.Lang != syntax.Java {
		return facts
	}
	for _, m := range annotations(test) {
		if e := javaThrows.FindStringSubmatch(m); e != nil && strings.HasPrefix(m, "@Test(") {
			return []fact{{text: "throws " + e[1] + " ", about: e[1], op: "throws", says: assertions.Within, demand: true, inner: facts}}
		}
	}
	return facts
}

// covers reports whether what a test does now is what it did, or a demand for more.
func (f fact) covers(now fact) bool {
	switch {
	case f.demand != now.demand || f.skip != now.skip || f.awaited && !now.awaited:
		return false
	case f.op == "throws" && now.op == "throws":
		return f.throwsLess(now)
	case !f.demand && f.text == now.text && len(f.inner) > 0:
		return embedded(f.inner, now.inner)
	case f.text == now.text:
		return sameFacts(f.inner, now.inner)
	}
	return f.demand && f.demandsLess(now)
}

// sameFacts reports whether two parts of tests do the same.
func sameFacts(a, b []fact) bool {
	return slices.EqualFunc(a, b, func(x, y fact) bool { return x.covers(y) && y.covers(x) })
}

// demandsLess reports whether another demand of the same is this one and more.
func (f fact) demandsLess(now fact) bool {
	switch {
	case f.about != now.about || f.about == "" || len(f.inner) > 0 || len(now.inner) > 0:
		return false
	case f.closer(now):
		return true
	case f.op == now.op && f.want == "" && now.want != "" && strings.Contains(f.op, "hrow"):
		return true
	}
	return now.says > f.says && writtenOut(now.want) && !f.contradicts(now)
}

// writtenOut reports whether what is expected is a constant, or made of one by a class.
func writtenOut(text string) bool {
	if m := madeOf.FindStringSubmatch(text); m != nil {
		text = m[1]
	}
	return constantText(text)
}

var madeOf = pattern.New(`^(?:new )?(?:\w+\.)?[A-Z]\w*\((.*)\)$`)

// throwsLess reports whether an error that has to come is another one's kind now, or says something, and comes from the same.
func (f fact) throwsLess(now fact) bool {
	kind := f.about == now.about || anyError[f.about] && !anyError[now.about]
	words := f.want == now.want || f.want == ""
	return kind && words && sameFacts(f.inner, now.inner)
}

// anyError are the errors of which every other one is a kind.
var anyError = map[string]bool{"Exception": true, "BaseException": true, "Throwable": true, "RuntimeException": true, "AssertionError": true, "AssertionFailedError": true, "Error": true}

// contradicts reports whether a stronger demand is not the weaker one and more, but something else.
func (f fact) contradicts(now fact) bool {
	if strings.Contains(f.op, "not.") || strings.Contains(now.op, "not") || now.op == "!=" || now.op == "!==" || now.op == "false" {
		return true
	}
	if !equalOps[now.op] {
		return !f.allows(now)
	}
	switch f.op {
	case "false", ".toBeFalsy":
		return !falsy[now.want]
	case "true", ".toBeTruthy", ".toBeDefined", "isinstance", ".toBeInstanceOf":
		return falsy[now.want]
	case "!=", "!==":
		return f.want == now.want || now.want == "null" || !constantText(f.want) || !constantText(now.want) && f.want != "null"
	case "in":
		return !slices.Contains(strings.Split(strings.Trim(f.want, "[](){}"), ","), now.want)
	}
	return !ordersHold(f, now)
}

// allows reports whether a demand of an order, or of a kind, is a stronger form of one that asks for something at all.
func (f fact) allows(now fact) bool {
	switch f.op {
	case "true":
		return now.op == ">" && constantText(now.want) && !strings.HasPrefix(now.want, "-")
	case "!=":
		return f.want == "null" && now.op != "true"
	}
	return f.op == ".toHaveBeenCalled" || f.op == ".toBeDefined" || f.op == "assert_called"
}

var equalOps = map[string]bool{"==": true, "===": true, "is": true, ".toBe": true, ".toEqual": true, ".toStrictEqual": true, "strictEqual": true, "equal": true}

// ordersHold reports whether a number that has to come is one that had to be less, or more, than another.
func ordersHold(f, now fact) bool {
	was, err1 := strconv.ParseFloat(f.want, 64)
	is, err2 := strconv.ParseFloat(now.want, 64)
	if err1 != nil || err2 != nil {
		return false
	}
	return map[string]bool{"<": is < was, "<=": is <= was, ">": is > was, ">=": is >= was, ".toBeGreaterThan": is > was, ".toBeLessThan": is < was}[f.op]
}

var falsy = map[string]bool{"false": true, "null": true, "undefined": true, "0": true, `""`: true, "[]": true, "{}": true, "()": true}

// embedded reports whether all that was done is still done in this order, and what else is done now are demands. What kept a test from running may go.
func embedded(was, is []fact) bool {
	i := 0
	for _, f := range is {
		for i < len(was) && was[i].skip && !was[i].covers(f) {
			i++
		}
		switch {
		case i < len(was) && was[i].covers(f):
			i++
		case !f.demand || f.says == assertions.Nothing:
			return false
		}
	}
	for i < len(was) && was[i].skip {
		i++
	}
	return i == len(was)
}
