package audit

import (
	"slices"
	"strconv"
	"strings"

	"fettle/internal/audit/parts"

	"fettle/internal/code"
	"fettle/internal/pattern"
	"fettle/internal/syntax"
)

// strength is how much an assertion demands: the more, the fewer values it lets pass.
type strength int

const (
	nothing    strength = iota
	truthy              // assert x
	different           // x != y, x is not None
	within              // x in y, isinstance(x, y), raises anything
	ordered             // x < y
	equal               // x == y
	settled             // x == True, x is None: one of few
	constantly          // x == 1
)

// assertion is one thing that a test demands.
type assertion struct {
	about string // what it asks, without white space
	text  string // all of it, without white space
	says  strength
	line  int
	lost  bool // nobody hears of it when it fails, so it says nothing
	at    *code.Node
}

// assertions are what a part of a test demands, in order. What stands in functions inside of it counts, but for tests of their own.
func assertions(part *code.Node) []assertion {
	var all []assertion
	var visit func(n *code.Node, lost bool)
	visit = func(n *code.Node, lost bool) {
		if n != part && testName(n) != "" || never(n) {
			return
		}
		lost = lost || n != part && unheard(n)
		if own := demandsOf(n); len(own) > 0 {
			all = append(all, own...)
			for i := range own {
				if a := &all[len(all)-1-i]; lost {
					a.lost, a.says = true, nothing
				}
			}
			return
		}
		for _, k := range n.Kids {
			visit(k, lost)
		}
	}
	visit(part, false)
	return all
}

// demandsOf is what a statement or a call demands by itself.
func demandsOf(n *code.Node) []assertion {
	if conds, negated := demanded(n); len(conds) > 0 {
		var all []assertion
		for _, c := range conds {
			all = append(all, demands(c, negated)...)
		}
		return all
	}
	if a, ok := calledAssertion(n); ok {
		return []assertion{a}
	}
	return nil
}

// never reports whether what stands in a part is not reached, or its failure is caught and forgotten.
func never(n *code.Node) bool {
	if behindEnd(n) || unreached(n) || handlesWhatMayNotCome(n) {
		return true
	}
	switch n.Role {
	case code.Function:
		return n.Function() != nil && uncalled(n)
	case code.If:
		return parts.AlwaysFalse(n.Kid(code.Cond)) && n.Kid(code.Else) == nil
	case code.While, code.For:
		return parts.AlwaysFalse(n.Kid(code.Cond))
	case code.Each:
		return n.Kid(code.Iter).Is(code.List) && len(n.Kid(code.Iter).Kids) == 0
	case code.Block:
		if raises(n.Parent) && failureExpected.MatchString(n.Parent.Text()) {
			return true
		}
		if n.Parent.Role != code.Other || !strings.HasPrefix(n.Parent.Text(), "try") || n.Parent.Kids[0] != n {
			return false
		}
		return slices.ContainsFunc(n.Parent.Kids, func(k *code.Node) bool {
			return strings.HasPrefix(k.Text(), "catch") && !minds(k)
		})
	default:
		return false
	}
}

// behindEnd reports whether a statement stands behind one that leaves its block whatever happens. Functions are known all the same.
func behindEnd(n *code.Node) bool {
	if n.Part != code.Stmt || !n.Parent.Is(code.Block) || n.Role == code.Function {
		return false
	}
	for at := n.Prev(); at != nil; at = at.Prev() {
		if at.Is(code.Return, code.Raise, code.Break, code.Continue) {
			return true
		}
	}
	return false
}

// failureExpected matches the head of a block of Python's that is asked to fail by any error, a failed assertion too.
var failureExpected = pattern.New(`^with [^\n]*[rR]aises\(\s*(AssertionError|Exception|BaseException)\s*\)`)

// minds reports whether a handler makes something of an error: passes it on, keeps it, or fails.
func minds(handler *code.Node) bool {
	for n := range handler.Walk() {
		if n.Is(code.Raise, code.Assign) || n.Role == code.Call && minding.MatchString(n.Kid(code.Callee).Text()) {
			return true
		}
	}
	return false
}

var minding = pattern.New(`(?i)fail|assert|expect|reject|fatal|error|push|done|exit`)

// returns is where a test, or a helper of tests, first ends before it has demanded everything, and does not fail there; -1, if it does not.
func returns(part *code.Node) int {
	all := assertions(part)
	for n := range part.Walk() {
		if n.Role != code.Return || len(n.Kids) > 0 || n.Parent.Role != code.Block || fails(n.Parent) {
			continue
		}
		fn := n.Function()
		if (fn == part || fn != nil && fn.Parent == part) && slices.ContainsFunc(all, func(a assertion) bool { return a.at.Start > n.Start }) {
			return n.Start
		}
	}
	return -1
}

// demanded are the conditions that a statement makes a test fail by: of an assert statement, of an if whose block fails (negated).
func demanded(n *code.Node) (conds []*code.Node, negated bool) {
	switch {
	case n.Role == code.Other && strings.HasPrefix(n.Text(), "assert") && len(n.Kids) > 0 && n.Part == code.Stmt:
		return n.Kids[:1], false
	case n.Role == code.Call && plainAsserts[n.Kid(code.Callee).Text()] && len(n.All(code.Arg)) > 0:
		return n.All(code.Arg)[:1], false
	case n.Role == code.Call && parts.PutsTogether(parts.LastName(n)) && listed(n):
		return n.All(code.Arg), false
	case n.Role == code.If && n.Kid(code.Cond) != nil && fails(n.Kid(code.Then)):
		return []*code.Node{n.Kid(code.Cond)}, true
	}
	return nil, false
}

var plainAsserts = map[string]bool{"assert": true, "assert.ok": true, "console.assert": true, "assertTrue": true, "self.assertTrue": true, "assert.True": true, "require.True": true, "Assert.assertTrue": true, "Assertions.assertTrue": true}

// fails reports whether a block makes a test fail.
func fails(block *code.Node) bool {
	for n := range block.Walk() {
		if n.Role == code.Raise || n.Role == code.Call && (slices.Contains(goFails, parts.LastName(n)) || makesFail(n) && plainExit(n)) {
			return true
		}
	}
	return false
}

// listed reports whether a call puts together what a main demands all at once, and fails by an AssertionError.
func listed(n *code.Node) bool {
	fn := n.Function()
	return fn != nil && fn.Name == "main" && strings.Contains(fn.Text(), "AssertionError")
}

func plainExit(n *code.Node) bool { return strings.EqualFold(parts.LastName(n), "exit") }

// demands takes a condition apart: of "and" each side is demanded, of "or" the weaker one.
func demands(n *code.Node, negated bool) []assertion {
	one := assertion{about: parts.Bare(n.Text()), text: parts.Bare(n.Text()), says: truthy, line: n.Line(), at: n}
	if negated {
		one.text = "not " + one.text
	}
	switch {
	case n.Role == code.Group && n.Kid(code.Operand) != nil:
		return demands(n.Kid(code.Operand), negated)
	case n.Role == code.Not && n.Kid(code.Operand) != nil:
		return demands(n.Kid(code.Operand), !negated)
	case n.Role == code.Logic && (n.Op == "and" || n.Op == "&&") != negated:
		return append(demands(n.Kid(code.Left), negated), demands(n.Kid(code.Right), negated)...)
	case n.Role == code.Logic:
		one.says = constantly
		for _, side := range []code.Part{code.Left, code.Right} {
			for _, d := range demands(n.Kid(side), negated) {
				one.says = min(one.says, d.says)
			}
		}
		one.says = max(one.says-1, nothing)
	case n.Role == code.Compare:
		one.about, one.says = comparison(n, negated)
	case n.Role == code.Call:
		one.about, one.says = question(n, negated)
	case parts.Value(n):
		one.says = nothing
	}
	return []assertion{one}
}

// comparison is what a comparison is about, and how much it demands.
func comparison(n *code.Node, negated bool) (about string, says strength) {
	left, right, op := n.Kid(code.Left), n.Kid(code.Right), n.Op
	if negated {
		op = opposite[op]
	}
	says = compares[op]
	if parts.Value(left) && !parts.Value(right) {
		left, right = right, left
	}
	switch {
	case parts.Value(left) && parts.Value(right):
		says = nothing
	case says == equal && parts.Value(right):
		says = exactly(right)
	}
	return parts.Bare(left.Text()), says
}

// exactly is how much it demands that something is equal to a value. Where types are checked, to be true is no more than to hold.
func exactly(want *code.Node) strength {
	switch {
	case want.Is(code.Bool) && typed(want):
		return truthy
	case want.Is(code.Bool, code.Null):
		return settled
	}
	return constantly
}

// typed reports whether a condition is true or false, and nothing else, in the language of a node.
func typed(n *code.Node) bool { return n.File.Lang == syntax.Java || n.File.Lang == syntax.Go }

// question is what a call that gives true or false is about, and how much that demands.
func question(n *code.Node, negated bool) (about string, says strength) {
	args, name := n.All(code.Arg), parts.LastName(n)
	switch {
	case equalCalls[name] && !negated && n.Kid(code.Callee).Role == code.Attr && len(args) == 1:
		says = equal
		if parts.Value(args[0]) {
			says = exactly(args[0])
		}
		return parts.Bare(n.Kid(code.Callee).Kid(code.Object).Text()), says
	case errorCalls[parts.Bare(n.Kid(code.Callee).Text())] > nothing && !negated && len(args) == 2:
		return parts.Bare(args[0].Text()), errorCalls[parts.Bare(n.Kid(code.Callee).Text())]
	case name == "isinstance" && len(args) > 0:
		return parts.Bare(args[0].Text()), within
	case name == "includes" || name == "contains":
		return parts.Bare(n.Text()), within
	}
	return parts.Bare(n.Text()), truthy
}

// errorCalls are functions of Go's that ask which error came.
var errorCalls = map[string]strength{"errors.Is": equal, "errors.As": within}

var compares = map[string]strength{
	"==": equal, "===": equal, "is": equal, "<": ordered, "<=": ordered, ">": ordered, ">=": ordered, "in": within, "not in": different,
	"!=": different, "!==": different, "is not": different, "instanceof": within,
}

var opposite = map[string]string{
	"==": "!=", "!=": "==", "===": "!==", "!==": "===", "<": ">=", ">=": "<", ">": "<=", "<=": ">", "in": "not in", "not in": "in", "is": "is not", "is not": "is",
}

// matchers are the names of assertions by what they demand; of what is not here nobody knows.
var matchers = func() map[string]strength {
	all := make(map[string]strength)
	for s, names := range map[strength]string{
		equal: "assertEqual assertEquals Equal equal strictEqual deepEqual deepStrictEqual toBe toEqual toStrictEqual isEqualTo assertListEqual assertDictEqual assertTupleEqual " +
			"assertSetEqual assertSequenceEqual assertCountEqual assertArrayEquals assertIterableEquals assertSame assertIs isSameAs Same Exactly EqualValues JSONEq ElementsMatch " +
			"containsExactly eql eq assertMultiLineEqual EqualError toHaveReturnedWith toHaveBeenCalledWith toHaveBeenNthCalledWith assert_called_once_with toMatchSnapshot toMatchInlineSnapshot ErrorIs " +
			"toHaveText toHaveURL toHaveTitle toHaveValue toHaveTextContent toHaveDisplayValue toHaveAttribute toHaveCount",
		settled: "NoError assertNull assertIsNone Nil toBeNull toBeUndefined isNull toBeVisible toBeHidden toBeChecked toBeDisabled toBeEnabled",
		ordered: "assertGreater assertGreaterEqual assertLess assertLessEqual Greater GreaterOrEqual Less LessOrEqual toBeGreaterThan toBeGreaterThanOrEqual toBeLessThan " +
			"toBeLessThanOrEqual toBeCloseTo assertAlmostEqual InDelta InEpsilon isGreaterThan isLessThan isBetween isCloseTo Len toHaveLength hasSize toHaveBeenCalledTimes assert_called_with",
		within: "assertIn toContain toContainEqual toMatch toMatchObject contains Contains assertRegex Regexp isInstanceOf assertIsInstance toBeInstanceOf assertInstanceOf IsType " +
			"Subset assertRaisesRegex throws toThrow rejects assertRaises raises assertThrows Panics Error ErrorAs ErrorContains toThrowError doesNotMatch match toHaveProperty include " +
			"assert_called_once toHaveBeenCalledOnce Empty isEmpty toBeNaN Zero toContainText toHaveClass toBeInTheDocument",
		different: "assertNotEqual assertNotEquals NotEqual notEqual notStrictEqual notDeepEqual assertNotIn NotContains assertIsNotNone assertNotNull NotNil toBeDefined isNotNull isNotEqualTo " +
			"NotEmpty isNotEmpty assertIsNot assertNotSame notDeepStrictEqual toHaveBeenCalled assert_called",
		truthy: "assertTrue assertFalse True False ok toBeTruthy toBeFalsy isTrue isFalse doesNotThrow assertDoesNotThrow NotPanics",
	} {
		for name := range strings.FieldsSeq(names) {
			all[name] = s
		}
	}
	return all
}()

var asserting = pattern.New(`(?i)(^|\W)(assert|assertions|require|expect|should|t|self|this|softly|mock\w*)\b|assert`)

// calledAssertion reads an assertion that is a call: assertEqual(f(1), 2), expect(f(1)).toBe(2), assertThat(f(1)).isEqualTo(2).
func calledAssertion(n *code.Node) (assertion, bool) {
	if n.Role != code.Call {
		return assertion{}, false
	}
	says, known := matchers[parts.LastName(n)]
	callee := n.Kid(code.Callee)
	if !known || callee.Role == code.Attr && !asserting.MatchString(callee.Text()) {
		return assertion{}, false
	}
	args := n.All(code.Arg)
	a := assertion{text: parts.Bare(n.Text()), says: says, line: n.Line(), at: n}
	if about := expected(callee); about != nil { // expect(about).toBe(…)
		a.about = parts.Bare(about.Text())
		if strings.Contains(callee.Text(), ".not.") {
			a.says = min(says, different)
		}
	} else {
		for _, arg := range args {
			if !parts.Value(arg) && parts.Bare(arg.Text()) != "t" {
				a.about = parts.Bare(arg.Text())
				break
			}
		}
	}
	if i := slices.IndexFunc(args, parts.Value); a.says == equal && i >= 0 {
		a.says = exactly(args[i])
	}
	if nearlyEqual(n, args) {
		a.says = constantly
	}
	if len(args) > 0 && !slices.ContainsFunc(args, func(x *code.Node) bool { return !parts.Value(x) }) && expected(callee) == nil {
		a.says = nothing // assertEqual(1, 1)
	}
	if e := expected(callee); e != nil && parts.Value(e) {
		a.says = nothing
	}
	return a, true
}

// nearlyEqual reports whether an assertion asks for a number to nine places at least: more than that differs between machines.
func nearlyEqual(n *code.Node, args []*code.Node) bool {
	if len(args) == 0 {
		return false
	}
	last := args[len(args)-1]
	if last.Is(code.Keyword) {
		last = last.Kid(code.Value)
	}
	by, err := strconv.ParseFloat(last.Text(), 64)
	switch name := parts.LastName(n); {
	case err != nil:
		return false
	case name == "toBeCloseTo":
		return len(args) == 2 && by >= 9
	case name == "assertAlmostEqual":
		return len(args) == 3 && (by >= 9 && args[2].Name == "places" || by <= 1e-9 && args[2].Name == "delta")
	case name == "InDelta":
		return by <= 1e-9
	}
	return false
}

// expected is what expect(…) or assertThat(…) is given in a chain of calls.
func expected(callee *code.Node) *code.Node {
	for n := callee; n != nil; {
		switch n.Role {
		case code.Attr:
			n = n.Kid(code.Object)
		case code.Wait, code.Group:
			n = n.Kid(code.Operand)
		case code.Call:
			if name := parts.LastName(n); (name == "expect" || name == "assertThat" || name == "that") && len(n.All(code.Arg)) > 0 {
				return n.All(code.Arg)[0]
			}
			n = n.Kid(code.Callee)
		default:
			return nil
		}
	}
	return nil
}
