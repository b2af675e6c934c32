package node

import (
	"bytes"
	"slices"
	"strings"

	"fettle/internal/edit"
	"fettle/internal/pattern"
	"fettle/internal/syntax"
)

// insert is text that is put into a source. No insert has a line break, so that lines keep their numbers.
type insert struct {
	at     int
	text   string
	close  bool // it ends what another one began
	pair   bool // it is one of two
	other  int  // where the other one stands
	number int  // its place in the order in which they were made: what is outside comes first
}

// The names by which instrumented sources call what serve/loader.cjs gives them.
const (
	stepCall = "__fettle();"
	stepPart = "(__fettle(),"
	seenCall = "__fettleSeen("
)

// inserts gathers them.
type inserts struct{ all []insert }

func (in *inserts) one(at int, text string) {
	in.all = append(in.all, insert{at: at, text: text, number: len(in.all)})
}

func (in *inserts) around(start, end int, open, shut string) {
	in.all = append(in.all,
		insert{at: start, text: open, pair: true, other: end, number: len(in.all)},
		insert{at: end, text: shut, close: true, pair: true, other: start, number: len(in.all) + 1})
}

// sorted puts them in the order in which they stand in the text.
func (in *inserts) sorted() []insert {
	slices.SortStableFunc(in.all, func(a, b insert) int {
		switch {
		case a.at != b.at:
			return a.at - b.at
		case a.close != b.close:
			if a.close {
				return -1
			}
			return 1
		case a.close:
			return b.number - a.number
		}
		return a.number - b.number
	})
	return in.all
}

// steps counts in every round of a loop and on entering every function.
func steps(tree *syntax.Tree, in *inserts) {
	for n := range tree.Root().Find("for_statement", "for_in_statement", "while_statement", "do_statement", "function_declaration", "function_expression",
		"generator_function", "generator_function_declaration", "method_definition", "arrow_function") {
		body := n.Child("body")
		switch {
		case body.IsZero() || body.HasError() && body.Start() == body.End():
		case body.Is("statement_block"):
			in.one(behindDirectives(body), stepCall)
		case n.Is("arrow_function"):
			in.around(body.Start(), body.End(), stepPart, ")")
		default:
			in.around(body.Start(), body.End(), "{"+stepCall, "}")
		}
	}
}

// behindDirectives is the place in a block behind "use strict" and its like, which have to come first.
func behindDirectives(block syntax.Node) int {
	at := block.Start() + 1
	for s := range block.NamedChildren() {
		if s.IsExtra() {
			continue
		}
		if !isDirective(s) {
			break
		}
		at = s.End()
	}
	if at > block.Start()+1 && block.Tree().Source()[at-1] != ';' {
		return block.Start() + 1 // a directive without its semicolon would run into the call
	}
	return at
}

func isDirective(s syntax.Node) bool {
	if !s.Is("expression_statement") {
		return false
	}
	for c := range s.NamedChildren() {
		return c.Is("string")
	}
	return false
}

// put writes a text with inserts, which stand in order.
func put(text string, all []insert) string {
	var b strings.Builder
	size := len(text)
	for _, i := range all {
		size += len(i.text)
	}
	b.Grow(size)
	from := 0
	for _, i := range all {
		b.WriteString(text[from:i.at])
		b.WriteString(i.text)
		from = i.at
	}
	b.WriteString(text[from:])
	return b.String()
}

// mayRepeat finds what a new text may hold that has to be counted.
var mayRepeat = pattern.New(`\b(?:for|while|do|function|async|get|set|static|class)\b|=>|\)\s*\{`)

// carried writes the text that comes of edits to a source, with the inserts of the source carried over. The bool is false when an
// edit takes one of a pair apart, or adds what is to be counted: the new text then has to be looked at by itself.
func carried(text string, all []insert, edits []edit.Edit) (string, bool) {
	w := carrier{text: text, all: all}
	w.out.Grow(len(text) + len(all)*len(stepPart) + 64)
	for _, e := range edits {
		if mayRepeat.Match(e.New) || !w.edit(e) {
			return "", false
		}
	}
	w.upTo(len(text)+1, edit.Edit{Start: -1, End: -1})
	w.out.WriteString(text[w.from:])
	return w.out.String(), true
}

type carrier struct {
	text string
	all  []insert // those that have not been written yet
	from int      // what comes next of the text
	out  strings.Builder
}

// upTo writes the inserts before a place, those left out that end inside of the edit.
func (w *carrier) upTo(before int, e edit.Edit) {
	for ; len(w.all) > 0 && w.all[0].at < before; w.all = w.all[1:] {
		i := w.all[0]
		if i.at == e.Start && i.pair && !i.close && i.other < e.End {
			continue
		}
		w.out.WriteString(w.text[w.from:i.at])
		w.out.WriteString(i.text)
		w.from = i.at
	}
}

func (w *carrier) edit(e edit.Edit) bool {
	w.upTo(e.Start+1, e)
	w.out.WriteString(w.text[w.from:e.Start])
	w.out.Write(e.New)
	w.from = e.End
	for ; len(w.all) > 0 && w.all[0].at < e.End; w.all = w.all[1:] {
		i := w.all[0]
		if !i.pair && bytes.ContainsRune(e.New, '{') || i.pair && (i.close && i.other < e.Start || !i.close && i.other > e.End) {
			return false
		}
	}
	for ; len(w.all) > 0 && w.all[0].at == e.End && e.Start < e.End; w.all = w.all[1:] {
		i := w.all[0]
		if !i.pair {
			return false
		}
		if !i.close || i.other <= e.Start {
			break
		}
	}
	return true
}
