package audit

import (
	"fmt"
	"maps"
	"slices"

	"fettle/internal/audit/examples"
	"fettle/internal/audit/parts"
	"fettle/internal/code"
)

// onlyLooksUp looks for functions that went through something to compute what they give, and now only look it up in a table that is new and written out.
func onlyLooksUp(_ *patchView, f *fileView) []Finding {
	if f.test || f.programBefore == nil || f.programAfter == nil {
		return nil
	}
	was, is := parts.Functions(f.programBefore), parts.Functions(f.programAfter)
	var all []Finding
	for _, name := range slices.Sorted(maps.Keys(is)) {
		old, now := was[name], is[name]
		if old == nil || !goesThrough(old) || goesThrough(now) {
			continue
		}
		if table := lookedUp(now); table != nil && defined(f.programBefore, table.Name) == nil && writtenRows(table) >= 2 {
			all = append(all, Finding{Line: table.Line(), Effect: Ask, Evidence: fmt.Sprintf("%s computed what it gives, and looks it up in %s now: compute it", name, table.Name)})
		}
	}
	return all
}

// goesThrough reports whether a function goes through something.
func goesThrough(fn *code.Node) bool {
	for n := range fn.Own() {
		if n.Is(code.For, code.While, code.Each, code.Comprehension) {
			return true
		}
	}
	return false
}

// lookedUp is the name of what every value is taken from that a function gives, if there is one: TABLE[key], TABLE.get(key, 0).
func lookedUp(fn *code.Node) *code.Node {
	var table *code.Node
	for n := range fn.Own() {
		if n.Role != code.Return || len(n.Kids) == 0 || parts.Value(n.Kids[0]) {
			continue
		}
		from := n.Kids[0]
		for from.Is(code.Group, code.Logic) && len(from.Kids) > 0 {
			from = from.Kids[0]
		}
		if from.Is(code.Call) && (parts.LastName(from) == "get" || parts.LastName(from) == "getOrDefault") {
			from = from.Kid(code.Callee)
		}
		if !from.Is(code.Index, code.Attr) || !from.Kid(code.Object).Is(code.Name) || table != nil && table.Name != from.Kid(code.Object).Name {
			return nil
		}
		table = from.Kid(code.Object)
	}
	return table
}

// writtenRows counts the rows of a table of the file that give a constant for a constant.
func writtenRows(table *code.Node) int {
	at := defined(table.File, table.Name)
	if at == nil {
		return 0
	}
	rows := 0
	for n := range at.Walk() {
		if n.Role == code.Pair && parts.Value(n.Kid(code.Value)) && len(examples.Literals(n.Kid(code.Key))) > 0 {
			rows++
		}
	}
	return rows
}
