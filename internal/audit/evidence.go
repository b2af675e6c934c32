package audit

import (
	"slices"
	"strconv"
	"strings"

	"fettle/internal/audit/assertions"
	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/lang"
	"fettle/internal/pattern"
)

// empty stands for a constant without a literal in it: an empty list.
const empty = "[]"

// What it says that values of the code and of a test are the same: from odd on a person has to look, from telling on it is no accident. Beyond few
// of them every further value weighs one, for no recursion ends with a list of five.
const (
	odd     = 2
	telling = 3
	few     = 4
)

// isEvidence reports whether a file is what a patch is judged by, and not code.
func (v *patchView) isEvidence(path string) bool {
	if lang.IsTest(path) || slices.Contains(v.evidence, path) {
		return true
	}
	return slices.ContainsFunc(v.files, func(f *fileView) bool { return f.path == path && f.test })
}

// expectation is what tests hold together: the values of one comparison, of one call that asserts, of one row of a table;
// what exactly they expect of what they ask with; and what they demand.
type expectation struct {
	rows    []map[string]bool
	pairs   map[string]bool
	demands []assertions.Assertion
}

// expectations are those of the tests as they were, for that is what the patch was made to pass: in the patch, of the failing tests,
// and of any other in the repository that names a file of the patch. They are read when they are first asked for.
func (v *patchView) expectations() *expectation {
	if v.expected != nil {
		return v.expected
	}
	v.expected = &expectation{pairs: map[string]bool{}}
	seen, left := make(map[string]bool), most
	add := func(path string, src []byte) {
		if seen[path] || len(src) > min(maxEvidence, left) {
			return
		}
		seen[path] = true
		left -= len(src)
		v.expected.rows = append(v.expected.rows, rowsOf(path, src)...)
		for _, p := range pairsOf(path, src) {
			v.expected.pairs[p.key()] = true
		}
		for _, p := range assertions.Tests(parts.Read(path, src)) {
			v.expected.demands = append(v.expected.demands, p.Demands...)
		}
	}
	for _, f := range v.files {
		if v.isEvidence(f.path) {
			add(f.path, f.before)
		}
	}
	for _, path := range v.evidence {
		if f, err := v.source(path); err == nil && f.Exists {
			add(path, f.Data)
		}
	}
	for _, path := range v.others() {
		if f, err := v.source(path); err == nil && f.Exists && len(f.Data) <= maxEvidence && (lang.IsTest(path) || v.provesByContent(path, f.Data)) && v.concerns(path, f.Data) {
			add(path, f.Data)
		}
	}
	return v.expected
}

// maxEvidence is the size of the largest file of tests that is read for its values, most of all of them.
const (
	maxEvidence = 1 << 20
	most        = 32 << 20
)

// concerns reports whether a test has to do with code of the patch: it names a file or a function of it, or is data called like one.
func (v *patchView) concerns(name string, src []byte) bool {
	for _, f := range v.files {
		if f.programAfter == nil || v.isEvidence(f.path) {
			continue
		}
		if own := parts.Stem(f.path); len(own) > 1 && strings.Contains(parts.Stem(name), own) || parts.Mentions(src, own) {
			return true
		}
		for title := range parts.Functions(f.programAfter) {
			if parts.Mentions(src, title[strings.LastIndex(title, ".")+1:]) {
				return true
			}
		}
	}
	return false
}

func rowsOf(path string, src []byte) []map[string]bool {
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
			texts := append(literals(n), empty)
			if n.Role == code.Call && n.Parent.Is(code.Attr) { // expect(f(1)).toBe(2)
				texts = append(texts, literals(n.Parent)...)
			}
			add(texts...)
		case n.Part == code.Elem && n.Is(code.List, code.Map, code.Call), n.Role == code.Pair:
			add(append(literals(n), empty)...)
		case n.Role == code.If && n.Kid(code.Cond) != nil:
			texts := append(literals(n.Kid(code.Cond)), empty)
			if i := n.Kid(code.Init); i != nil {
				texts = append(texts, literals(i)...)
			}
			add(texts...)
		case n.Role == code.Function:
			if all := literals(n); len(all) <= fewLiterals {
				add(append(all, empty)...)
			}
		}
	}
	return out
}

// fewLiterals is how many literals a whole test may have to count as one row.
const fewLiterals = 12

var dataWord = pattern.New(`"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|\b(?:true|false|null)\b`)

// dataRows reads rows out of data that tests stand on: JSON and CSV, a line each.
func dataRows(src string) []map[string]bool {
	var out []map[string]bool
	for l := range strings.SplitSeq(src, "\n") {
		row := map[string]bool{empty: true}
		for _, w := range dataWord.FindAllString(l, -1) {
			row[normal(w)] = true
		}
		if len(row) > 1 {
			out = append(out, row)
		}
	}
	return out
}

// literals are the literals in a node, each in one spelling for all languages. A sign belongs to its number.
func literals(n *code.Node) []string {
	var out []string
	for k := range n.Walk() {
		if !parts.Literal(k) {
			continue
		}
		text := normal(k.Text())
		if p := k.Parent; p.Is(code.Unary) && p.Op == "-" && k != n {
			text = "-" + text
		}
		out = append(out, text)
	}
	return out
}

// normal is a literal in one spelling: texts in double quotes, numbers without what says their type.
func normal(text string) string {
	switch text {
	case "True", "true":
		return "true"
	case "False", "false":
		return "false"
	case "None", "nil", "null", "undefined":
		return "null"
	}
	if i := strings.IndexAny(text, "'\"`"); i >= 0 && i <= 2 {
		return `"` + strings.Trim(text[i:], "'\"`") + `"`
	}
	number := strings.ReplaceAll(strings.TrimRight(text, "lLfFdDn"), "_", "")
	if f, err := strconv.ParseFloat(number, 64); err == nil {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return text
}

// weight is how much values say: nothing where every program has them (0, 1, "", true), much where few have.
func weight(all []string) int {
	sum := 0
	for _, text := range all {
		sum += weigh(text)
	}
	return sum
}

func weigh(text string) int {
	if strings.HasPrefix(text, `"`) {
		return min(max(len(text)-2, 0), 3)
	}
	n, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil, n == 0, n == 1, n == -1: // true, false, null, an empty list
		return 0
	case n == 2:
		return 1
	case n > 2 && n < 10 && n == float64(int(n)):
		return 2
	}
	return 3
}
