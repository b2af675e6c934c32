package search

import (
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
)

// longestRow bounds the rows of steps that are put into another order.
const longestRow = 12

// stepOrder takes one of a row of like steps to its beginning, or to its end: what one step puts in, another one takes for what was there before. Whoever escapes
// a text has to begin with the sign by which it escapes.
func (s *site) stepOrder(try func(change)) {
	for _, row := range [][]edit.Edit{s.links(), s.likeSteps()} {
		n := len(row)
		if n < 2 || n > longestRow {
			continue
		}
		for from := range row {
			w := 0.7
			if from == 0 || from == n-1 {
				w = 1 // from one end to the other
			}
			if from > 0 {
				try(reordered(row, from, 0, w, "first"))
			}
			if from < n-1 && n > 2 {
				try(reordered(row, from, n-1, w, "last"))
			}
		}
	}
}

// reordered is a row of steps in which one of them has been taken to another place.
func reordered(row []edit.Edit, from, to int, weight float64, place string) change {
	moved := slices.Insert(slices.Delete(slices.Clone(row), from, from+1), to, row[from])
	var edits []edit.Edit
	for i, step := range row {
		if string(step.New) != string(moved[i].New) {
			edits = append(edits, edit.Edit{Start: step.Start, End: step.End, New: moved[i].New})
		}
	}
	return change{edits, weight, quote(firstOf(strings.TrimSpace(string(row[from].New)))) + " has to be the " + place + " of these steps"}
}

// links are the calls of one method that follow one another, as in text.replace(a, b).replace(c, d), where the site is the last of them: each as an edit that leaves it as it is.
func (s *site) links() (row []edit.Edit) {
	name := linkOf(s.Node)
	if name == "" || s.Part == code.Object && linkOf(s.Parent.Parent) == name {
		return nil
	}
	for at := s.Node; linkOf(at) == name; at = at.Kid(code.Callee).Kid(code.Object) {
		start := at.Kid(code.Callee).Kid(code.Object).End
		row = append(row, edit.Edit{Start: start, End: at.End, New: []byte(at.File.Source[start:at.End])})
	}
	slices.Reverse(row)
	return row
}

// linkOf is the name of the method that a call is of; empty if it is none.
func linkOf(n *code.Node) string {
	if callee := n.Kid(code.Callee); n.Is(code.Call) && callee.Is(code.Attr) && callee.Kid(code.Object) != nil {
		return callee.Name
	}
	return ""
}

// likeSteps are the statements from the site on, the first of them, that do the same to one variable, as text = text.replace(a, b) does; two of them swapStatements exchanges.
func (s *site) likeSteps() (row []edit.Edit) {
	step := stepOf(s.Node)
	if step == "" || !s.isStatement() || stepOf(s.Prev()) == step {
		return nil
	}
	for n := s.Node; stepOf(n) == step; n = n.Next() {
		row = append(row, edit.Edit{Start: n.Start, End: n.End, New: []byte(n.Text())})
	}
	if len(row) == 2 {
		return nil
	}
	return row
}

// stepOf is what a statement does to a variable, what it is given aside: the same text for two like steps, empty for what is none.
func stepOf(n *code.Node) string {
	if n.Is(code.Eval) {
		n = n.Kid(code.Value) // an assignment is a value, too
	}
	target, call := n.Kid(code.Target), n.Kid(code.Value)
	if !n.Is(code.Assign) || n.Declares && n.File.Facts.BlockScoped || len(n.All(code.Target)) != 1 || !target.Is(code.Name) || !call.Is(code.Call) || !mentions(call.Text(), target.Name) {
		return ""
	}
	return target.Name + " " + call.Kid(code.Callee).Text()
}
