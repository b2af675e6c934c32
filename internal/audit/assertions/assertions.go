// Package assertions answers "what does this test demand, and would anybody hear of it?".
//
// A demand is a statement that can fail a test: an assert, a call of a library's, an if whose block fails. [Of] lists those of a test that are reached and
// heard, each with what it is about and how much it demands ([Strength]), so that two versions of a test can be held against each other. Which parts of a program are
// tests, suites, hooks and fixtures, what fails them and what leaves them is told here too, as nothing can be said of demands without it.
//
// It is given one file that is read as a program, and carries nothing out. What a test does beside its demands is told by package accounts.
package assertions

import (
	"slices"
	"strconv"
	"strings"

	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/pattern"
)

// Strength is how much an assertion demands: the more, the fewer values it lets pass.
type Strength int

// What assertions demand, from least to most.
const (
	Nothing    Strength = iota
	Truthy              // assert x
	Different           // x != y, x is not None
	Within              // x in y, isinstance(x, y), raises anything
	Ordered             // x < y
	Equal               // x == y
	Settled             // x == True, x is None: one of few
	Constantly          // x == 1
)

// Assertion is one thing that a test demands.
type Assertion struct {
	About string // what it asks, without white space
	Text  string // all of it, without white space
	Says  Strength
	Line  int
	Lost  bool // nobody hears of it when it fails, so it says nothing
	At    *code.Node
}

// Stands reports whether another assertion demands the same word by word, and is heard as well.
func (a Assertion) Stands(b Assertion) bool {
	return b.Text == a.Text && (a.Lost || !b.Lost)
}

// Of are what a part of a test demands, in order. What stands in functions inside of it counts, but for tests of their own.
func Of(part *code.Node) []Assertion {
	var all []Assertion
	var visit func(n *code.Node, lost bool)
	visit = func(n *code.Node, lost bool) {
		if n != part && TestName(n) != "" || Dead(n) {
			return
		}
		lost = lost || n != part && unheard(n)
		if own := demandsOf(n); len(own) > 0 {
			all = append(all, own...)
			for i := range own {
				if a := &all[len(all)-1-i]; lost {
					a.Lost, a.Says = true, Nothing
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
func demandsOf(n *code.Node) []Assertion {
	if conds, negated := conditions(n); len(conds) > 0 {
		var all []Assertion
		for _, c := range conds {
			all = append(all, OfCondition(c, negated)...)
		}
		return all
	}
	if a, ok := Called(n); ok {
		return []Assertion{a}
	}
	return nil
}

// Dead reports whether what stands in a part is not reached, or its failure is caught and forgotten.
func Dead(n *code.Node) bool {
	if behindEnd(n) || unreached(n) || handlesWhatMayNotCome(n) {
		return true
	}
	switch n.Role {
	case code.Function:
		return n.Function() != nil && Uncalled(n)
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

// conditions are the conditions that a statement makes a test fail by: of an assert statement, of an if whose block fails (negated).
func conditions(n *code.Node) (conds []*code.Node, negated bool) {
	switch {
	case n.Role == code.Other && strings.HasPrefix(n.Text(), "assert") && len(n.Kids) > 0 && n.Part == code.Stmt:
		return n.Kids[:1], false
	case n.Role == code.Call && plainAsserts[n.Kid(code.Callee).Text()] && len(n.All(code.Arg)) > 0:
		return n.All(code.Arg)[:1], false
	case n.Role == code.Call && parts.PutsTogether(parts.LastName(n)) && AtOnce(n):
		return n.All(code.Arg), false
	case n.Role == code.If && n.Kid(code.Cond) != nil && failsIn(n.Kid(code.Then)):
		return []*code.Node{n.Kid(code.Cond)}, true
	}
	return nil, false
}

var plainAsserts = map[string]bool{"assert": true, "assert.ok": true, "console.assert": true, "assertTrue": true, "self.assertTrue": true, "assert.True": true, "require.True": true, "Assert.assertTrue": true, "Assertions.assertTrue": true}

// OfCondition takes a condition apart: of "and" each side is demanded, of "or" the weaker one.
func OfCondition(n *code.Node, negated bool) []Assertion {
	one := Assertion{About: parts.Bare(n.Text()), Text: parts.Bare(n.Text()), Says: Truthy, Line: n.Line(), At: n}
	if negated {
		one.Text = "not " + one.Text
	}
	switch {
	case n.Role == code.Group && n.Kid(code.Operand) != nil:
		return OfCondition(n.Kid(code.Operand), negated)
	case n.Role == code.Not && n.Kid(code.Operand) != nil:
		return OfCondition(n.Kid(code.Operand), !negated)
	case n.Role == code.Logic && (n.Op == "and" || n.Op == "&&") != negated:
		return append(OfCondition(n.Kid(code.Left), negated), OfCondition(n.Kid(code.Right), negated)...)
	case n.Role == code.Logic:
		one.Says = Constantly
		for _, side := range []code.Part{code.Left, code.Right} {
			for _, d := range OfCondition(n.Kid(side), negated) {
				one.Says = min(one.Says, d.Says)
			}
		}
		one.Says = max(one.Says-1, Nothing)
	case n.Role == code.Compare:
		one.About, one.Says = comparison(n, negated)
	case n.Role == code.Call:
		one.About, one.Says = question(n, negated)
	case parts.Value(n):
		one.Says = Nothing
	}
	return []Assertion{one}
}

// comparison is what a comparison is about, and how much it demands.
func comparison(n *code.Node, negated bool) (about string, says Strength) {
	left, right, op := n.Kid(code.Left), n.Kid(code.Right), n.Op
	if negated {
		op = Opposite(op)
	}
	says = Comparing(op)
	if parts.Value(left) && !parts.Value(right) {
		left, right = right, left
	}
	switch {
	case parts.Value(left) && parts.Value(right):
		says = Nothing
	case parts.Value(right):
		says = against(says, right)
	}
	return parts.Bare(left.Text()), says
}

// against is how much a comparison demands that is made with this value. Where types are checked, to be true, or not to be false, is no more than to hold.
func against(says Strength, value *code.Node) Strength {
	switch {
	case says != Equal && says != Different:
		return says
	case parts.Truth(value) != "" && parts.OnlyBools(value):
		return Truthy
	case says == Different:
		return says
	case value.Is(code.Bool, code.Null):
		return Settled
	}
	return Constantly
}

// question is what a call that gives true or false is about, and how much that demands.
func question(n *code.Node, negated bool) (about string, says Strength) {
	args, name := n.All(code.Arg), parts.LastName(n)
	switch {
	case IsEquality(name) && !negated && n.Kid(code.Callee).Role == code.Attr && len(args) == 1:
		says = Equal
		if parts.Value(args[0]) {
			says = against(says, args[0])
		}
		return parts.Bare(n.Kid(code.Callee).Kid(code.Object).Text()), says
	case errorCalls[parts.Bare(n.Kid(code.Callee).Text())] > Nothing && !negated && len(args) == 2:
		return parts.Bare(args[0].Text()), errorCalls[parts.Bare(n.Kid(code.Callee).Text())]
	case name == "isinstance" && len(args) > 0:
		return parts.Bare(args[0].Text()), Within
	case name == "includes" || name == "contains":
		return parts.Bare(n.Text()), Within
	}
	return parts.Bare(n.Text()), Truthy
}

// errorCalls are functions of Go's that ask which error came.
var errorCalls = map[string]Strength{"errors.Is": Equal, "errors.As": Within}

// Called reads an assertion that is a call: assertEqual(f(1), 2), expect(f(1)).toBe(2), assertThat(f(1)).isEqualTo(2).
func Called(n *code.Node) (Assertion, bool) {
	if n.Role != code.Call {
		return Assertion{}, false
	}
	says := Matcher(parts.LastName(n))
	callee := n.Kid(code.Callee)
	if says == Nothing || callee.Role == code.Attr && !IsAsserting(callee) {
		return Assertion{}, false
	}
	args := n.All(code.Arg)
	a := Assertion{Text: parts.Bare(n.Text()), Says: says, Line: n.Line(), At: n}
	if about := Expected(callee); about != nil { // expect(about).toBe(…)
		a.About = parts.Bare(about.Text())
		if strings.Contains(callee.Text(), ".not.") {
			a.Says = min(says, Different)
		}
	} else {
		for _, arg := range args {
			if !parts.Value(arg) && parts.Bare(arg.Text()) != "t" {
				a.About = parts.Bare(arg.Text())
				break
			}
		}
	}
	if i := slices.IndexFunc(args, parts.Value); i >= 0 {
		a.Says = against(a.Says, args[i])
	}
	if nearlyEqual(n, args) {
		a.Says = Constantly
	}
	if len(args) > 0 && !slices.ContainsFunc(args, func(x *code.Node) bool { return !parts.Value(x) }) && Expected(callee) == nil {
		a.Says = Nothing // assertEqual(1, 1)
	}
	if e := Expected(callee); e != nil && parts.Value(e) {
		a.Says = Nothing
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

// Expected is what expect(…) or assertThat(…) is given in a chain of calls.
func Expected(callee *code.Node) *code.Node {
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

// OfStatement is what a statement demands by itself.
func OfStatement(s *code.Node) []Assertion {
	if s.Is(code.Eval) && s.Kid(code.Value) != nil {
		s = s.Kid(code.Value)
	}
	if s.Is(code.Wait) && s.Kid(code.Operand) != nil {
		s = s.Kid(code.Operand)
	}
	if s.Role == code.If && !OnlyFails(s.Kid(code.Then)) {
		return nil
	}
	return demandsOf(s)
}
