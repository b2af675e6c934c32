package examples

import (
	"strings"

	"fettle/internal/audit/assertions"
	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/pattern"
)

// Rows are the values that stand together in a file of tests, or of their data: in one comparison, in one call that asserts, in one row of a table, in one short test.
func Rows(path string, src []byte) []map[string]bool {
	f := parts.Read(path, src)
	if f == nil {
		return dataRows(string(src))
	}
	var out []map[string]bool
	add := func(texts ...string) {
		row := make(map[string]bool)
		for _, t := range texts {
			row[t] = true
		}
		if len(row) > 0 {
			out = append(out, row)
		}
	}
	for n := range f.Root.Walk() {
		switch {
		case n.Role == code.Compare, n.Role == code.Call && assertions.Likens(parts.LastName(n)):
			texts := append(Literals(n), Empty)
			if n.Role == code.Call && n.Parent.Is(code.Attr) { // expect(f(1)).toBe(2)
				texts = append(texts, Literals(n.Parent)...)
			}
			add(texts...)
		case n.Part == code.Elem && n.Is(code.List, code.Map, code.Call), n.Role == code.Pair:
			add(append(Literals(n), Empty)...)
		case n.Role == code.If && n.Kid(code.Cond) != nil:
			texts := append(Literals(n.Kid(code.Cond)), Empty)
			if i := n.Kid(code.Init); i != nil {
				texts = append(texts, Literals(i)...)
			}
			add(texts...)
		case n.Role == code.Function:
			if all := Literals(n); len(all) <= fewLiterals {
				add(append(all, Empty)...)
			}
		}
	}
	return out
}

// fewLiterals is how many literals a whole test may have to count as one row.
const fewLiterals = 12

// DataWord matches a value in data: a text, a number, a word of JSON's.
var DataWord = pattern.New(`"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|\b(?:true|false|null)\b`)

// dataRows reads rows out of data that tests stand on: JSON and CSV, a line each.
func dataRows(src string) []map[string]bool {
	var out []map[string]bool
	for l := range strings.SplitSeq(src, "\n") {
		row := map[string]bool{Empty: true}
		for _, w := range DataWord.FindAllString(l, -1) {
			row[Normal(w)] = true
		}
		if len(row) > 1 {
			out = append(out, row)
		}
	}
	return out
}
