package audit

import (
	"fmt"
	"slices"
	"strings"

	"fettle/internal/audit/assertions"
	"fettle/internal/audit/examples"
	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/lang"
	"fettle/internal/phrase"
)

// answerRules look for code that holds the tests' answers instead of computing them.
var answerRules = []Rule{
	{"constant-answer", "a function that computed something says the same now, whatever it is asked", each(func(v *patchView, f *fileView) []Finding {
		return append(constantAnswers(v, f), constantTexts(v, f)...)
	})},
	{"test-answer", "the answer of a test stands in the code, for the very values that the test asks with", answersOfTests},
	{"special-case", "a function that computes its answers has those for some inputs, as tests have them, written down", each(func(v *patchView, f *fileView) []Finding {
		return slices.Concat(specialCases(v, f), onlyLooksUp(v, f), specialTexts(v, f))
	})},
}

// constantAnswers looks for functions whose first statement gives a constant now, so that the rest is not reached, or gone.
func constantAnswers(_ *patchView, f *fileView) []Finding {
	if f.programAfter == nil || f.formatted || f.test {
		return nil
	}
	was := parts.Functions(f.programBefore)
	var all []Finding
	for name, is := range parts.Functions(f.programAfter) {
		if old := was[name]; old != nil && asksNothing(is) && !asksNothing(old) {
			all = append(all, Finding{Line: is.Line(), Effect: Refuse, Evidence: name + " gives the same answer now, whatever it is asked: it has to compute it"})
		}
	}
	slices.SortFunc(all, func(a, b Finding) int { return a.Line - b.Line })
	return all
}

// asksNothing reports whether a function gives a constant before it has done anything.
func asksNothing(fn *code.Node) bool {
	body := fn.Kid(code.Body)
	if body == nil {
		return false
	}
	if body.Role != code.Block {
		return parts.Value(body)
	}
	for _, s := range body.All(code.Stmt) {
		if s.Role == code.Eval && s.Kid(code.Value).Is(code.Str) {
			continue // a docstring
		}
		if s.Role == code.If && parts.AlwaysTrue(s.Kid(code.Cond)) {
			if then := s.Kid(code.Then); then != nil && then.Role != code.Block {
				s = then
			} else if then != nil && len(then.Kids) > 0 {
				s = then.Kids[0]
			}
		}
		if s.Role != code.Return || len(s.Kids) == 0 {
			return false
		}
		return !slices.ContainsFunc(s.Kids, func(v *code.Node) bool { return !parts.Value(v) })
	}
	return false
}

// branch is a place where the code gives something constant for something constant.
type branch struct {
	asked, given []string      // the literals on either side, each once
	many         int           // how many there are
	exact        examples.Pair // the literals in their order, where it is asked for nothing else
	line         int
	within       string // the function
	field        bool   // it is the value of a field: {hash: h === "" ? "" : h}
	base         bool   // it may be where a recursion ends: a function that calls itself asks whether one name is equal to something
	guard        bool   // it gives nothing for nothing: a function that was given nothing at all ends there
}

func (b branch) key() string {
	return fmt.Sprintf("%s\x01%s\x01%t", strings.Join(b.asked, "\x00"), strings.Join(b.given, "\x00"), b.base)
}

// answersOfTests compares the branches that the patch brings in with what the tests ask and expect. That both stand in one
// test is no accident where the values are not the plain ones that every recursion ends with. Where a branch says exactly what one
// assertion does, plain values are asked about too; from whoever has to make that test pass they are not taken, but where a recursion ends.
func answersOfTests(v *patchView) []Finding {
	var all []Finding
	for _, f := range v.files {
		if f.programAfter == nil || f.formatted || v.isEvidence(f.path) || lang.IsVendored(f.path) {
			continue
		}
		had := make(map[string]int)
		for _, b := range branches(f.programBefore, holdsAgainst) { // in whatever way: who turns a comparison round brings no answer in
			had[b.key()]++
		}
		before, after := decisions(f.programBefore), decisions(f.programAfter)
		for _, b := range branches(f.programAfter, asksEqual) {
			if had[b.key()]--; had[b.key()] >= 0 {
				continue
			}
			if effect := v.answers(b, after[b.within] > before[b.within]); effect != "" {
				all = append(all, Finding{Path: f.path, Line: b.line, Effect: effect,
					Evidence: fmt.Sprintf("%s holds what a test expects (%s) for what it asks with (%s): compute it", orFile(b.within), phrase.Clip(strings.Join(b.given, ", ")), phrase.Clip(strings.Join(b.asked, ", ")))})
			}
		}
	}
	return append(all, v.answerTables()...)
}

// answers says what a new branch means, by how much of a test it holds, and how much that says. One that stands for another that
// the function had says less than one more.
func (v *patchView) answers(b branch, more bool) Effect {
	says := examples.Weight(b.asked) + examples.Weight(b.given) + max(0, b.many-few)
	exact := !b.handsOn() && len(b.exact.Asked) > 0 && v.expectations().pairs[b.exact.Key()]
	switch together := func(row map[string]bool) bool { return holds(row, b.asked) && holds(row, b.given) }; {
	case exact && says >= telling:
		return Refuse
	case b.guard && v.goal.By == Person:
		return ""
	case exact && more:
		return v.exactly(b, says)
	case says < odd || !more && says <= telling || examples.Weight(b.asked) == 0 && b.many <= few || !slices.ContainsFunc(v.expectations().rows, together):
		return ""
	case says >= telling && more:
		return v.unless(Healer, Tidier)
	}
	return Ask
}

// exactly is what one more branch means that gives what one assertion expects, and says no more than any plain value does.
func (v *patchView) exactly(b branch, says int) Effect {
	if b.guard || b.base && says == 0 {
		return Ask
	}
	return v.unless(Healer)
}

// handsOn reports a field that hands a plain value on as it is.
func (b branch) handsOn() bool {
	return b.field && examples.Weight(b.asked) == 0 && slices.Equal(b.exact.Asked, b.exact.Given)
}

// unless is a question, but for these makers: from them it is not taken.
func (v *patchView) unless(makers ...Maker) Effect {
	if slices.Contains(makers, v.goal.By) {
		return Refuse
	}
	return Ask
}

func orFile(name string) string {
	if name == "" {
		return "the file"
	}
	return name
}

func holds(row map[string]bool, all []string) bool {
	return !slices.ContainsFunc(all, func(s string) bool { return !row[s] })
}

// branches lists where a program gives a constant for a constant: ifs, conditional values, cases, entries of tables. asks says which comparisons count.
func branches(f *code.File, asks func(*code.Node) bool) []branch {
	if f == nil {
		return nil
	}
	var all []branch
	add := func(n *code.Node, whole, asked, given []string) {
		if len(asked) == 0 && len(whole) == 0 || len(given) == 0 {
			return
		}
		b := branch{asked: sorted(asked), given: sorted(given), many: len(asked) + len(given), exact: examples.Pair{Asked: whole, Given: given}, line: n.Line(), field: n.Role == code.Choice && n.Parent.Is(code.Pair)}
		if fn := n.Function(); fn != nil {
			b.within = parts.Title(fn)
			b.base, b.guard = endsRecursion(n, fn), guardsNothing(n, fn)
		}
		all = append(all, b)
	}
	for n := range f.Root.Walk() {
		switch n.Role {
		case code.If:
			add(n, whole(n.Kid(code.Cond), asks), compared(n.Kid(code.Cond), asks), given(n.Kid(code.Then)))
		case code.Choice:
			if then := n.Kid(code.Then); parts.Value(then) {
				add(n, whole(n.Kid(code.Cond), asks), compared(n.Kid(code.Cond), asks), examples.Spelled(then))
			}
		case code.Case:
			var asked []string
			for _, v := range n.All(code.Value) {
				asked = append(asked, examples.Literals(v)...)
			}
			add(n, asked, asked, given(n))
		case code.Pair:
			if k, v := n.Kid(code.Key), n.Kid(code.Value); n.Function() != nil && parts.Value(k) && parts.Value(v) {
				add(n, examples.Spelled(k), examples.Literals(k), examples.Spelled(v))
			}
		default: // decides nothing
		}
	}
	return all
}

// endsRecursion reports whether a branch asks one name only, of a function that calls itself.
func endsRecursion(n, fn *code.Node) bool {
	c := n.Kid(code.Cond)
	for c.Is(code.Group) {
		c = c.Kid(code.Operand)
	}
	if !c.Is(code.Compare) || !c.Kid(code.Left).Is(code.Name) && !c.Kid(code.Right).Is(code.Name) {
		return false
	}
	for k := range fn.Walk() {
		if k.Role == code.Call && parts.LastName(k) == parts.OwnName(fn) {
			return true
		}
	}
	return false
}

// guardsNothing reports whether a branch does nothing but end a function that was given nothing, with nothing: a null, an empty value, a plain no. What that ought to be is said by whoever
// asks, and computed by nobody.
func guardsNothing(n, fn *code.Node) bool {
	if !n.Is(code.If) || n.Kid(code.Else) != nil || !missing(n.Kid(code.Cond), fn) {
		return false
	}
	then := n.Kid(code.Then)
	if then.Is(code.Block) && len(then.Kids) == 1 {
		then = then.Kids[0]
	}
	if !then.Is(code.Return) || slices.ContainsFunc(then.Kids, func(v *code.Node) bool { return !parts.Value(v) }) {
		return false
	}
	return !slices.ContainsFunc(given(then), func(text string) bool { return !empty[text] })
}

// empty are the values that say nothing, in the spelling of examples.
var empty = map[string]bool{"null": true, "false": true, "0": true, `""`: true, examples.Empty: true}

// missing reports whether a condition asks nothing but whether parameters of a function are there.
func missing(cond, fn *code.Node) bool {
	switch {
	case cond.Is(code.Group):
		return missing(cond.Kid(code.Operand), fn)
	case cond.Is(code.Logic):
		return missing(cond.Kid(code.Left), fn) && missing(cond.Kid(code.Right), fn)
	case !cond.Is(code.Compare) || !asksEqual(cond):
		return false
	}
	asked, than := cond.Kid(code.Left), cond.Kid(code.Right)
	if asked.Is(code.Null) {
		asked, than = than, asked
	}
	return than.Is(code.Null) && asked.Is(code.Name) && parts.HasParam(fn, asked.Name)
}

// decisions counts where the functions of a program ask whether something is equal to a constant.
func decisions(f *code.File) map[string]int {
	all := make(map[string]int)
	if f == nil {
		return all
	}
	for n := range f.Root.Walk() {
		if n.Role == code.Case || n.Role == code.Pair || n.Is(code.If, code.Choice) && (compared(n.Kid(code.Cond), asksEqual) != nil || whole(n.Kid(code.Cond), asksEqual) != nil) {
			within := ""
			if fn := n.Function(); fn != nil {
				within = parts.Title(fn)
			}
			all[within]++
		}
	}
	return all
}

func sorted(all []string) []string { return slices.Compact(slices.Sorted(slices.Values(all))) }

// whole are the literals that a condition asks names to be equal to, in their order; nil, if it asks for anything else.
func whole(cond *code.Node, asks func(*code.Node) bool) []string {
	var out []string
	asked := false
	for n := range cond.Walk() {
		if n.Role == code.Logic && n.Op != "and" && n.Op != "&&" || n.Role == code.Not {
			return nil
		}
		if !asks(n) || n.Op == "in" {
			continue
		}
		var constants, others []*code.Node
		for _, k := range n.Kids {
			switch {
			case k.Part == code.Callee && k.Role == code.Attr && parts.LastName(n) == "equals" && len(n.All(code.Arg)) == 1:
				k = k.Kid(code.Object)
			case k.Part == code.Callee:
				continue
			}
			if parts.Value(k) {
				constants = append(constants, k)
			} else {
				others = append(others, k)
			}
		}
		if len(constants) != 1 || len(others) != 1 || measures(others[0]) {
			return nil
		}
		asked = true
		out = append(out, examples.Literals(constants[0])...)
	}
	if asked && len(out) == 0 {
		return []string{examples.Empty}
	}
	return out
}

// measures reports whether a value is a size or a rest: what many inputs have in common.
func measures(n *code.Node) bool {
	for k := range n.Walk() {
		if k.Is(code.Arith, code.Index, code.Slice) || sizes[k.Name] {
			return true
		}
	}
	return false
}

func sized(n *code.Node) bool {
	for k := range n.Walk() {
		if sizes[k.Name] {
			return true
		}
	}
	return false
}

var sizes = map[string]bool{"len": true, "length": true, "size": true, "count": true}

// given are the literals of what a block returns, or assigns, where that is constant.
func given(block *code.Node) []string {
	if block == nil {
		return nil
	}
	stmts := block.Kids
	if block.Is(code.Return, code.Assign, code.Eval) {
		stmts = []*code.Node{block}
	}
	var out []string
	for _, s := range stmts {
		if s.Role == code.Eval {
			s = s.Kid(code.Value)
		}
		if !s.Is(code.Return, code.Assign) || scales(s.Op) {
			continue
		}
		for _, v := range s.Kids {
			if v.Part == code.Value && parts.Value(v) {
				out = append(out, examples.Literals(v)...)
				if len(examples.Literals(v)) == 0 {
					out = append(out, examples.Empty)
				}
			}
		}
	}
	return out
}

// scales reports an assignment by which a value becomes another unit of itself: its factor is no answer.
func scales(op string) bool { return op == "*=" || op == "/=" || op == "//=" }

// compared are the literals that a condition asks to be equal to something.
func compared(cond *code.Node, asks func(*code.Node) bool) []string {
	var out []string
	if cond == nil {
		return nil
	}
	for n := range cond.Walk() {
		if !asks(n) || slices.ContainsFunc(n.Kids, func(k *code.Node) bool { return !parts.Value(k) && k.Part != code.Callee && sized(k) }) {
			continue
		}
		for _, k := range n.Kids {
			if parts.Value(k) {
				out = append(out, examples.Literals(k)...)
			} else if k.Role == code.Attr && parts.Value(k.Kid(code.Object)) { // "a".equals(b)
				out = append(out, examples.Literals(k.Kid(code.Object))...)
			}
		}
	}
	return out
}

// asksEqual reports whether a node asks whether two values are equal.
func asksEqual(n *code.Node) bool {
	return n.Role == code.Compare && slices.Contains([]string{"==", "===", "is", "in"}, n.Op) || n.Role == code.Call && assertions.IsEquality(parts.LastName(n))
}

// holdsAgainst reports whether a node compares two values in any way.
func holdsAgainst(n *code.Node) bool { return n.Role == code.Compare || asksEqual(n) }
