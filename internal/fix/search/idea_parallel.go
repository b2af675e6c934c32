package search

import (
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
)

// Bounds of what is taken from places that are alike.
const (
	mostTwins   = 24  // statements taken from other functions at one place
	mostMixed   = 40  // … of which a part is that of another one
	longestTwin = 160 // letters of a statement
	twinRenamed = 0.6 // one name is another one here
	twinMixed   = 0.5
	twinBehind  = 1.0 // it stands behind the same statement there
	twinAhead   = 0.9 // … or before it
)

// insertTwin takes over a statement that other functions of the file have where they are the same as this one: behind the statement that this one
// has as well, or before it. Where this place knows another name, that one stands for it.
func insertTwin(s *site, try func(change)) {
	if !s.isStatement() || !s.Alone() || ends(s.Node) && s.Prev() != nil {
		return
	}
	here := blockTexts(s.Parent)
	seen := map[string]bool{}
	var twins []*code.Node
	put := func(text string, w float64, behind bool) {
		if seen[text] || slices.Contains(here, dense(text)) {
			return
		}
		seen[text] = true
		if behind {
			try(s.after(text, w))
		} else {
			try(s.before(text, w))
		}
	}
	own := dense(s.Text())
	for _, fn := range s.unit.pool(s.File).functions {
		if fn == s.Function() || len(twins) >= mostTwins {
			continue
		}
		for n := range fn.Own() {
			if n.Part != code.Stmt || !n.Parent.Is(code.Block) || dense(n.Text()) != own {
				continue
			}
			twins = append(twins, s.twinsBeside(n, put)...)
		}
	}
	s.mixed(twins, func(text string) { put(text, twinMixed, s.Next() == nil && !ends(s.Node)) })
}

// twinsBeside are the statements beside one that is the same here, each put where it stands there.
func (s *site) twinsBeside(n *code.Node, put func(text string, w float64, behind bool)) (out []*code.Node) {
	for _, twin := range []*code.Node{n.Next(), n.Prev()} {
		if twin == nil || !plain(twin) || len(twin.Text()) > longestTwin || strings.Contains(twin.Text(), "\n") {
			continue
		}
		behind := twin == n.Next()
		w := twinBehind
		if !behind {
			w = twinAhead
		}
		out = append(out, twin)
		for i, text := range s.translated(twin) {
			v := w * (1 - 0.1*float64(min(i, 4)))
			if text != twin.Text() {
				v *= twinRenamed
			}
			put(text, v, behind)
		}
	}
	return out
}

// blockTexts are the statements of a block, as far as their white space matters.
func blockTexts(block *code.Node) (out []string) {
	for _, n := range block.All(code.Stmt) {
		out = append(out, dense(n.Text()))
	}
	return out
}

// translated is a statement of another place as it would be here: as it stands, where all its names are known here; with another local in the place of
// one that is not.
func (s *site) translated(n *code.Node) []string {
	known := map[string]bool{}
	for _, v := range s.Scope() {
		known[v.Name] = true
	}
	local := map[string]bool{}
	for _, v := range n.Scope() {
		if v.Kind == code.Local || v.Kind == code.Parameter {
			local[v.Name] = true
		}
	}
	strange := ""
	for k := range n.Walk() {
		if k.Role != code.Name || known[k.Name] || !local[k.Name] {
			continue
		}
		if strange != "" && strange != k.Name {
			return nil
		}
		strange = k.Name
	}
	if strange == "" {
		return []string{n.Text()}
	}
	var out []string
	for _, v := range s.names() {
		if v.local && !v.fn && len(out) < 4 {
			out = append(out, renamedIn(n, map[string]string{strange: v.text}))
		}
	}
	return out
}

// renamedIn is a node's text with other names for some of its variables.
func renamedIn(n *code.Node, names map[string]string) string {
	var edits []edit.Edit
	for k := range n.Walk() {
		if to := names[k.Name]; k.Role == code.Name && to != "" {
			edits = append(edits, edit.Edit{Start: k.Start - n.Start, End: k.End - n.Start, New: []byte(to)})
		}
	}
	text, _ := apply(n.Text(), edits)
	return text
}

// mixed are calls of which several places make the same one with other arguments: each with one argument of another.
func (s *site) mixed(twins []*code.Node, try func(text string)) {
	calls := slices.DeleteFunc(slices.Clone(twins), func(n *code.Node) bool { return n.Role != code.Eval || !n.Kid(code.Value).Is(code.Call) })
	tried := 0
	for _, a := range calls {
		x := a.Kid(code.Value)
		for _, b := range calls {
			y := b.Kid(code.Value)
			if a == b || x.Kid(code.Callee).Text() != y.Kid(code.Callee).Text() || len(x.All(code.Arg)) != len(y.All(code.Arg)) {
				continue
			}
			for i, arg := range x.All(code.Arg) {
				other := y.All(code.Arg)[i]
				if arg.Text() == other.Text() || tried == mostMixed {
					continue
				}
				text := a.Text()[:arg.Start-a.Start] + other.Text() + a.Text()[arg.End-a.Start:]
				if s.knows(a) && s.knows(other) {
					tried++
					try(text)
				}
			}
		}
	}
}

// knows reports whether every variable that a node of another place reads is one here, too.
func (s *site) knows(n *code.Node) bool { t := s.translated(n); return len(t) == 1 && t[0] == n.Text() }
