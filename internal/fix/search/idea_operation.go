package search

import (
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
)

// inverses are the operators of updates, each with the one that takes back what it does.
var inverses = map[string]string{"+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "<<=": ">>=", ">>=": "<<="}

// operation is an update by an operator that another one takes back: n += 1, which n++ and n = n + 1 are, too.
type operation struct{ target, op, value string }

// undoes reports whether one operation takes back what the other one does.
func (o operation) undoes(other operation) bool {
	return o.target == other.target && o.value == other.value && o.op == inverses[other.op]
}

// operationOf is the update that a statement is.
func operationOf(n *code.Node) (operation, bool) {
	n = assignment(n)
	target, value := n.Kid(code.Target), n.Kid(code.Value)
	switch {
	case n.Is(code.Step):
		return operation{n.Kid(code.Operand).Text(), n.Op[:1] + "=", "1"}, true
	case !n.Is(code.Assign) || value == nil || len(n.All(code.Target)) != 1:
		return operation{}, false
	case inverses[n.Op] != "":
		return operation{target.Text(), n.Op, value.Text()}, true
	case n.Op == "=" && value.Is(code.Arith) && value.Kid(code.Left).Text() == target.Text():
		return operation{target.Text(), value.Op + "=", value.Kid(code.Right).Text()}, true
	}
	return operation{}, false
}

// operationIn is the update that a statement's text says.
func operationIn(text string) (operation, bool) {
	text = strings.TrimRight(text, ";")
	for op := range inverses {
		if target, value, ok := strings.Cut(text, " "+op+" "); ok {
			return operation{target, op, value}, true
		}
		sign := strings.TrimSuffix(op, "=")
		if target, ok := strings.CutSuffix(text, sign+sign); ok {
			return operation{target, op, "1"}, true
		}
		target, sum, _ := strings.Cut(text, " = ")
		if value, ok := strings.CutPrefix(sum, target+" "+sign+" "); ok {
			return operation{target, op, value}, true
		}
	}
	return operation{}, false
}

// takesBack reports whether a change puts a statement into a block that only takes back what another one there does: a reviewer would delete that one, which
// is another candidate. Where something between the two looks at what they change, or the function calls itself there, both may be meant.
func (s *site) takesBack(c change) bool {
	return slices.ContainsFunc(c.edits, func(e edit.Edit) bool {
		text := strings.TrimSpace(string(e.New))
		now, ok := operationIn(text)
		if !ok || e.Start != e.End || strings.Contains(text, "\n") {
			return false
		}
		beside := s.besideInsertion(e)
		at := slices.IndexFunc(beside, func(n *code.Node) bool { return n.Start >= e.Start })
		if at < 0 {
			at = len(beside)
		}
		before := slices.Clone(beside[:at])
		slices.Reverse(before)
		return s.undone(now, before, c.edits) || s.undone(now, beside[at:], c.edits)
	})
}

// undone reports whether one of these statements, which go away from where an operation is put, is taken back by it before anything looks at what it does.
func (s *site) undone(now operation, stmts []*code.Node, edits []edit.Edit) bool {
	own := ""
	if fn := s.Function(); fn != nil {
		own = named(fn)
	}
	for _, n := range stmts {
		if slices.ContainsFunc(edits, func(e edit.Edit) bool { return e.Start < n.End && e.End > n.Start }) {
			return false
		}
		if other, ok := operationOf(n); ok && now.undoes(other) {
			return true
		}
		if mentions(n.Text(), now.target) || own != "" && mentions(n.Text(), own) {
			return false
		}
	}
	return false
}

// besideInsertion are the statements of the block that an edit puts a statement into: of those that end or begin there, the one that stands as deep.
func (s *site) besideInsertion(e edit.Edit) []*code.Node {
	text := string(e.New)
	indent := strings.Trim(strings.Replace(text, strings.TrimSpace(text), "", 1), "\n")
	n := s.File.At(e.Start, e.End).Statement()
	for n != nil && n.Indent() != indent {
		n = n.Parent.Statement()
	}
	if n == nil {
		return nil
	}
	return n.Parent.All(code.Stmt)
}
