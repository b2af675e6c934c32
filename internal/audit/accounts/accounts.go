// Package accounts answers "does this test still do and demand all that it did, however it is written now?".
//
// A test is told as an account: what it does and demands in order, once for each row of its tables, with the values of the row in the place of names, helpers in the
// place of their calls, and one spelling for what can be spelled in many ways. Two tests with one account are one test. [Compare] holds the accounts of two versions of a
// file against each other, with what stands around its tests; whatever cannot be told is not the same.
//
// What comes with tests that are new is looked at too ([Brings]): a new one has no account to be held against.
//
// Tests are told here for people's changes alone: who has to make tests pass may not tell them anew.
package accounts

import (
	"maps"
	"slices"
	"strings"

	"fettle/internal/audit/assertions"
	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/syntax"
)

// fact is one thing that a test does or demands, told so that it does not matter how it is written: with the values of its row in the place of names, and
// variables by their order.
type fact struct {
	text    string // all of it
	about   string // of a demand: what it asks
	op      string // by which question
	want    string // what it expects
	says    assertions.Strength
	demand  bool
	skip    bool // it keeps the test from running
	awaited bool
	inner   []fact // what stands in its block; of what has to fail, that
}

// account is a test with the values of one row: what it does, by which marks.
type account struct {
	marks []string
	facts []fact
}

// mostTold bounds what one test is told as. A test of more rows is not told at all.
const mostTold = 500

// teller tells what a test does.
type teller struct {
	root  *code.Node                   // the function whose variables are named
	env   map[string]string            // what names stand for
	rows  map[string]map[string]string // what the fields of a row stand for
	next  int                          // the number of the next variable
	depth int                          // of helpers
	lost  bool                         // there is too much of it

	spelledOut bool // a variable is never told as its value
}

// manner is how what is made before a test is told: apart, as what stands around it, or together with the test.
type manner int

const (
	apart manner = iota
	together
	spelledOut // together, and variables as they are, also where a value could stand in their place
)

// tell tells a test, once for each of its rows; nil where that cannot be done.
func tell(test *code.Node, how manner) []account {
	fn := parts.FunctionIn(test)
	if fn == nil || fn.Kid(code.Body) == nil {
		return nil
	}
	marks, bindings, ok := markings(test, fn)
	if !ok {
		return nil
	}
	var before []premade
	if how != apart {
		before = madeBefore(test, fn)
		marks = slices.DeleteFunc(marks, func(m string) bool {
			return slices.ContainsFunc(before, func(o premade) bool { return m == "wants "+o.name })
		})
	}
	var all []account
	for _, b := range bindings {
		r := &teller{root: fn, env: maps.Clone(b.env), rows: maps.Clone(b.rows), spelledOut: how == spelledOut}
		first := r.making(before, fn)
		runs := r.body(fn)
		if r.lost || len(all)+len(runs) > mostTold {
			return nil
		}
		if name := assertions.TestName(test); fn.File.Lang == syntax.Go && strings.HasPrefix(name, "Example") {
			runs = [][]fact{{{text: test.Text()}}} // its output is its check
		}
		for _, facts := range runs {
			all = append(all, account{marks: slices.Concat(marks, b.marks), facts: slices.Concat(first, thrown(test, facts))})
		}
	}
	return all
}

// body tells a function: in as many ways as it goes through rows.
func (r *teller) body(fn *code.Node) [][]fact {
	body := fn.Kid(code.Body)
	if body == nil {
		return [][]fact{nil}
	}
	if body.Role != code.Block {
		return [][]fact{r.value(body, false)}
	}
	return r.block(body.Kids)
}

func (r *teller) block(stmts []*code.Node) [][]fact {
	all := [][]fact{nil}
	restored := restoredVariables(stmts)
	for _, s := range stmts {
		ways := r.putBack(restored, s)
		if ways == nil {
			ways = r.statement(s)
		}
		if len(all)*len(ways) > mostTold {
			r.lost = true
			return all
		}
		var grownTo [][]fact
		for _, a := range all {
			if ended(a) {
				grownTo = append(grownTo, a)
				continue
			}
			for _, w := range ways {
				grownTo = append(grownTo, slices.Concat(a, w))
			}
		}
		all = grownTo
	}
	return all
}

// ended reports whether what is told ends there, so that what stands behind is not reached.
func ended(way []fact) bool {
	return len(way) > 0 && (way[len(way)-1].text == "continue" || way[len(way)-1].text == "return")
}

// left tells ways without what leaves the round of a loop, or the part of a test, that is told with them.
func left(ways [][]fact, by string) [][]fact {
	for i, way := range ways {
		if ended(way) && way[len(way)-1].text == by {
			ways[i] = way[:len(way)-1]
		}
	}
	return ways
}

// one tells statements that go through no rows; what does is told with all of them, one after the other.
func (r *teller) one(stmts ...*code.Node) []fact {
	var all []fact
	for _, way := range r.block(stmts) {
		all = append(all, way...)
	}
	return all
}

func (r *teller) statement(s *code.Node) [][]fact {
	switch s.Role {
	case code.Pass, code.Import:
		return [][]fact{nil}
	case code.Eval:
		return r.evaluated(s.Kid(code.Value))
	case code.Declaration:
		return r.block(s.Kids)
	case code.Assign:
		return [][]fact{r.assigned(s)}
	case code.If:
		return r.branch(s)
	case code.Each:
		return r.loop(s)
	case code.Block:
		return r.block(s.Kids)
	case code.Other:
		return r.other(s)
	default:
		return [][]fact{{{text: r.canon(s)}}}
	}
}

// evaluated tells a statement that is a value.
func (r *teller) evaluated(n *code.Node) [][]fact {
	switch {
	case n == nil, parts.Literal(n):
		return [][]fact{nil}
	case n.Role == code.Assign:
		return [][]fact{r.assigned(n)}
	case n.Role != code.Call:
		return [][]fact{r.value(n, false)}
	}
	if fn := runsInside(n); fn != nil {
		return left(r.body(fn), "return")
	}
	if rows := r.forEach(n); rows != nil {
		return r.through(rows, n.All(code.Arg)[0].Kid(code.Body).Kids)
	}
	return [][]fact{r.value(n, false)}
}

// runsInside is the function that a call carries out as a part of the test: t.Run("a", func(t *testing.T) { … }).
func runsInside(n *code.Node) *code.Node {
	args := n.All(code.Arg)
	if len(args) == 2 && args[1].Role == code.Function && parts.LastName(n) == "Run" && n.Kid(code.Callee).Is(code.Attr) {
		return args[1]
	}
	return nil
}

// value tells a call, or another value, that stands alone.
func (r *teller) value(n *code.Node, awaited bool) []fact {
	switch {
	case n.Is(code.Group):
		return r.value(n.Kid(code.Operand), awaited)
	case n.Is(code.Wait):
		return r.value(n.Kid(code.Operand), true)
	case n.Role != code.Call:
		return []fact{{text: r.canon(n), awaited: awaited}}
	case assertions.Prints(n), idleCalls[parts.LastName(n)]:
		return nil
	case isSkipCall(n):
		return []fact{{text: "skip", skip: true}}
	}
	if own := n.Kid(code.Callee); own.Is(code.Name) && parts.FunctionOf(own) != nil {
		if all, ok := r.helped(n, awaited); ok {
			return all // a helper that is called like a library's assertion
		}
	}
	if all, ok := r.demanded(n); ok {
		for i := range all {
			all[i].awaited = awaited
		}
		return all
	}
	if all, ok := r.helped(n, awaited); ok {
		return all
	}
	return []fact{{text: r.canon(n), awaited: awaited}}
}

// idleCalls change nothing of what a test demands.
var idleCalls = map[string]bool{"Parallel": true, "Helper": true}

func isSkipCall(n *code.Node) bool {
	switch parts.LastName(n) {
	case "Skip", "Skipf", "SkipNow", "skip", "skipTest", "xfail":
		return true
	}
	return false
}

// helper is the function of the file that a call leaves its demands to; nil, if there is none, or nobody knows what it does.
func (r *teller) helper(n *code.Node, awaited bool) *code.Node {
	callee := n.Kid(code.Callee)
	fn := parts.FunctionOf(callee)
	if callee.Is(code.Attr) && (callee.Kid(code.Object).Is(code.Self) || callee.Kid(code.Object).Text() == "self") {
		fn = methodOf(n.Up(code.Class), callee.Name)
	}
	if fn == nil || !onlyOne(fn) || parts.IsAsync(fn) && !awaited || r.depth > 2 || fn.Kid(code.Body) == nil || assertions.TestName(fn) != "" || assertions.IsFixture(fn) || parts.Yields(fn) {
		return nil
	}
	return fn
}

// helped tells what a helper of the file does in the place of its call.
func (r *teller) helped(n *code.Node, awaited bool) ([]fact, bool) {
	fn := r.helper(n, awaited)
	if fn == nil {
		return nil, false
	}
	inner, ok := r.entered(fn, n)
	if !ok || len(assertions.Of(fn)) == 0 {
		return nil, false
	}
	all := inner.one(fn.Kid(code.Body).Kids...)
	r.next, r.lost = inner.next, r.lost || inner.lost
	return all, true
}

// onlyOne reports whether a function is what its name stands for, and nothing is made of it.
func onlyOne(fn *code.Node) bool {
	count := 0
	for n := range fn.File.Root.Walk() {
		named := n.Is(code.Function, code.Class) && parts.OwnName(n) == parts.OwnName(fn)
		if named || n.Is(code.Assign, code.Each) && !n.Kid(code.Value).Is(code.Function) && givesTo(n, parts.OwnName(fn)) {
			count++
		}
	}
	return count == 1 && len(parts.Marks(fn)) == 0
}

// methodOf is a method of a class.
func methodOf(class *code.Node, name string) *code.Node {
	if class == nil || class.Kid(code.Body) == nil {
		return nil
	}
	for _, m := range class.Kid(code.Body).Kids {
		if m.Role == code.Function && m.Name == name {
			return m
		}
	}
	return nil
}

// branch tells an if: that it fails the test, or what it does besides. One that is decided by a row is only that.
func (r *teller) branch(s *code.Node) [][]fact {
	cond, then, otherwise := s.Kid(code.Cond), s.Kid(code.Then), s.Kid(code.Else)
	var all []fact
	if i := s.Kid(code.Init); i != nil {
		outer := maps.Clone(r.env)
		all = r.one(i)
		defer func() { // what is declared there is known there
			for _, name := range declaredBy(i) {
				if text, known := outer[name]; known {
					r.env[name] = text
				} else {
					delete(r.env, name)
				}
			}
		}()
	}
	if cond == nil || then == nil {
		return [][]fact{{{text: r.canon(s)}}}
	}
	if assertions.OnlyFails(then) && otherwise == nil {
		return [][]fact{append(all, r.condition(cond, true)...)}
	}
	text := r.canon(cond)
	switch {
	case text == "true":
		return [][]fact{append(all, r.one(then)...)}
	case text == "false" && otherwise == nil:
		return [][]fact{all}
	case text == "false":
		return [][]fact{append(all, r.one(otherwise)...)}
	}
	inner := r.one(then)
	if len(inner) == 1 && inner[0].skip && otherwise == nil {
		return [][]fact{append(all, fact{text: "skip if " + text, skip: true})}
	}
	if len(inner) > 0 {
		all = append(all, fact{text: "if " + text, inner: inner})
	}
	if otherwise != nil {
		all = append(all, fact{text: "unless " + text, inner: r.one(otherwise)})
	}
	return [][]fact{all}
}

// declaredBy are the names that a statement makes known.
func declaredBy(s *code.Node) []string {
	var all []string
	for k := range s.Walk() {
		if k.Is(code.Assign) && k.Declares {
			for _, t := range k.All(code.Target) {
				all = append(all, parts.Targets(t)...)
			}
		}
	}
	return all
}

// other tells a statement that has no role of its own: an assertion, a block with a head.
func (r *teller) other(s *code.Node) [][]fact {
	text := s.Text()
	if parts.IsDecorator(s) {
		return [][]fact{nil}
	}
	if strings.HasPrefix(text, "assert") && len(s.Kids) > 0 {
		return [][]fact{r.condition(s.Kids[0], false)}
	}
	if !strings.HasPrefix(text, "with ") || len(s.Kids) == 0 {
		told := r.canon(s)
		if strings.TrimSpace(told) == "defer os.RemoveAll("+temporaryFolder+")" {
			return [][]fact{nil}
		}
		return [][]fact{{{text: told}}}
	}
	head, body := s.Kids[:len(s.Kids)-1], s.Kids[len(s.Kids)-1]
	if len(head) == 1 && body.Role == code.Block {
		if strings.HasPrefix(head[0].Text(), "self.subTest(") {
			return r.block(body.Kids)
		}
		if f, ok := r.raised(head[0]); ok {
			f.inner = r.one(body.Kids...)
			return [][]fact{{f}}
		}
	}
	var heads []string
	for _, h := range head {
		heads = append(heads, r.canon(h))
	}
	return [][]fact{{{text: "with " + strings.Join(heads, ","), inner: r.one(body)}}}
}
