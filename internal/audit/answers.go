package audit

import (
	"fmt"
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/lang"
)

// answerRules look for code that holds the tests' answers instead of computing them.
var answerRules = []Rule{
	{"constant-answer", "a function that computed something says the same now, whatever it is asked", each(constantAnswers)},
	{"test-answer", "the answer of a test stands in the code, for the very values that the test asks with", answersOfTests},
}

// constantAnswers looks for functions whose first statement gives a constant now, so that the rest is not reached, or gone.
func constantAnswers(_ *patchView, f *fileView) []Finding {
	if f.programAfter == nil || f.formatted || lang.IsTest(f.path) {
		return nil
	}
	was := functions(f.programBefore)
	var all []Finding
	for name, is := range functions(f.programAfter) {
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
		return value(body)
	}
	for _, s := range body.All(code.Stmt) {
		if s.Role == code.Eval && s.Kid(code.Value).Is(code.Str) {
			continue // a docstring
		}
		if s.Role == code.If && alwaysTrue(s.Kid(code.Cond)) {
			if then := s.Kid(code.Then); then != nil && then.Role != code.Block {
				s = then
			} else if then != nil && len(then.Kids) > 0 {
				s = then.Kids[0]
			}
		}
		if s.Role != code.Return || len(s.Kids) == 0 {
			return false
		}
		return !slices.ContainsFunc(s.Kids, func(v *code.Node) bool { return !value(v) })
	}
	return false
}

func alwaysTrue(cond *code.Node) bool {
	return cond.Is(code.Bool, code.Int) && slices.Contains([]string{"true", "True", "1"}, cond.Text())
}

// branch is a place where the code gives something constant for something constant.
type branch struct {
	asked, given []string // the literals on either side, each once
	many         int      // how many there are
	line         int
	within       string // the function
}

func (b branch) key() string {
	return strings.Join(b.asked, "\x00") + "\x01" + strings.Join(b.given, "\x00")
}

// answersOfTests compares the branches that the patch brings in with what the tests ask and expect. That both stand in one
// test is no accident where the values are not the plain ones that every recursion ends with.
func answersOfTests(v *patchView) []Finding {
	var all []Finding
	var rows []map[string]bool
	for _, f := range v.files {
		if f.programAfter == nil || f.formatted || v.isEvidence(f.path) {
			continue
		}
		had := make(map[string]bool)
		for _, b := range branches(f.programBefore) {
			had[b.key()] = true
		}
		for _, b := range branches(f.programAfter) {
			says := weight(b.asked) + weight(b.given) + max(0, b.many-few)
			if had[b.key()] || says < odd {
				continue
			}
			effect := Ask
			if says >= telling {
				effect = Refuse
			}
			if rows == nil {
				rows = v.rows()
			}
			if slices.ContainsFunc(rows, func(row map[string]bool) bool { return holds(row, b.asked) && holds(row, b.given) }) {
				all = append(all, Finding{Path: f.path, Line: b.line, Effect: effect,
					Evidence: fmt.Sprintf("%s holds what a test expects (%s) for what it asks with (%s): compute it", orFile(b.within), clip(strings.Join(b.given, ", ")), clip(strings.Join(b.asked, ", ")))})
			}
		}
	}
	return all
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

// branches lists where a program gives a constant for a constant: ifs, conditional values, cases, entries of tables.
func branches(f *code.File) []branch {
	if f == nil {
		return nil
	}
	var all []branch
	add := func(n *code.Node, asked, given []string) {
		if len(asked) > 0 && len(given) > 0 {
			slices.Sort(asked)
			slices.Sort(given)
			b := branch{asked: slices.Compact(asked), given: slices.Compact(given), many: len(asked) + len(given), line: n.Line()}
			if fn := n.Function(); fn != nil {
				b.within = title(fn)
			}
			all = append(all, b)
		}
	}
	for n := range f.Root.Walk() {
		switch n.Role {
		case code.If:
			add(n, compared(n.Kid(code.Cond)), given(n.Kid(code.Then)))
		case code.Choice:
			if then := n.Kid(code.Then); value(then) {
				add(n, compared(n.Kid(code.Cond)), literals(then))
			}
		case code.Case:
			var asked []string
			for _, v := range n.All(code.Value) {
				asked = append(asked, literals(v)...)
			}
			add(n, asked, given(n))
		case code.Pair:
			if k, v := n.Kid(code.Key), n.Kid(code.Value); n.Function() != nil && value(k) && value(v) {
				add(n, literals(k), literals(v))
			}
		default: // decides nothing
		}
	}
	return all
}

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
		if !s.Is(code.Return, code.Assign) {
			continue
		}
		for _, v := range s.Kids {
			if v.Part == code.Value && value(v) {
				out = append(out, literals(v)...)
				if len(literals(v)) == 0 {
					out = append(out, empty)
				}
			}
		}
	}
	return out
}

// compared are the literals that a condition asks to be equal to something.
func compared(cond *code.Node) []string {
	var out []string
	if cond == nil {
		return nil
	}
	for n := range cond.Walk() {
		switch {
		case n.Role == code.Compare && slices.Contains([]string{"==", "===", "is", "in"}, n.Op), n.Role == code.Call && equalCalls[lastName(n)]:
			for _, k := range n.Kids {
				if value(k) {
					out = append(out, literals(k)...)
				} else if k.Role == code.Attr && value(k.Kid(code.Object)) { // "a".equals(b)
					out = append(out, literals(k.Kid(code.Object))...)
				}
			}
		}
	}
	return out
}

// equalCalls are functions that ask whether two values are equal.
var equalCalls = map[string]bool{
	"equals": true, "Equal": true, "DeepEqual": true, "isDeepStrictEqual": true, "deepEqual": true, "deepEquals": true, "isEqual": true, "is": true,
	"equalsIgnoreCase": true, "EqualFold": true, "includes": true, "contains": true, "__eq__": true, "eq": true, "Contains": true,
}
