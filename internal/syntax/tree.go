package syntax

import (
	"sort"
	"strings"
	"sync"

	"fettle/internal/diag"
)

// Tree is a source and how it is built. It never changes, and may be read by many at once.
type Tree struct {
	grammar *grammar
	source  string
	nodes   []record
	lines   func() []int
}

// record is a node. Nodes stand in pre-order: the first child of node i is i+1, and behind it and all below it comes i+size.
type record struct {
	start, end, size, parent uint32
	kind                     uint16
	field, flags             uint8
}

// flags of a record, as in build/parse.c
const (
	isNamed = 1 << iota
	isExtra
	isMissing
	hasError
)

func newTree(g *grammar, source string, nodes []record) *Tree {
	return &Tree{grammar: g, source: source, nodes: nodes, lines: sync.OnceValue(func() []int { return lineStarts(source) })}
}

// Lang is the language that the source was read as.
func (t *Tree) Lang() Lang { return t.grammar.lang }

// Source is the source, to the byte.
func (t *Tree) Source() string { return t.source }

// Root is the node that holds all others. White space before the first of them is outside of it.
func (t *Tree) Root() Node { return Node{t, 0} }

// Errors are the faults of the source in its order: text that fits nowhere ([Node.IsError]), what the language wants and is not there
// ([Node.IsMissing]), and the smallest node around a fault that has no node of its own. They tell where the grammar lost its way,
// which is seldom where a person would put the blame. A block of Python's in which no statement stands is one, too: its grammar takes it.
func (t *Tree) Errors() []Node {
	var faults []Node
	blocks := t.Lang() == Python
	for n, skip := range t.Root().Walk() {
		switch {
		case blocks && n.Is("block") && n.empty():
			faults = append(faults, n)
			skip()
		case !n.HasError() && blocks:
		case !n.HasError():
			skip()
		case n.IsError() || n.IsMissing() || !n.anyChildHasError():
			faults = append(faults, n)
		}
	}
	return faults
}

// empty reports whether nothing but comments stands in a node.
func (n Node) empty() bool {
	for c := range n.NamedChildren() {
		if !c.IsExtra() {
			return false
		}
	}
	return true
}

func (n Node) anyChildHasError() bool {
	for c := range n.Children() {
		if c.HasError() {
			return true
		}
	}
	return false
}

// Enclosing is the smallest named node that covers the bytes from start up to end; the root, if nothing smaller does; none, if they are not
// bytes of the source. An empty range may touch two nodes: the later one is taken.
func (t *Tree) Enclosing(start, end int) Node {
	if start < 0 || end < start || end > len(t.source) {
		return Node{}
	}
	smallest := t.Root()
	for at := smallest; !at.IsZero(); {
		inner := Node{}
		for c := range at.Children() {
			if c.Start() > start {
				break
			}
			if c.End() >= end && (c.Named() || inner.IsZero()) {
				inner = c
			}
		}
		if inner.Named() {
			smallest = inner
		}
		at = inner
	}
	return smallest
}

// Position is the line and column of a byte, as findings have them: both from 1 up, columns in bytes. Beyond the end of the source it is the end.
func (t *Tree) Position(offset int) diag.Position {
	offset = min(max(offset, 0), len(t.source))
	starts := t.lines()
	line := sort.SearchInts(starts, offset+1)
	return diag.Position{Line: line, Column: offset - starts[line-1] + 1}
}

// Offset is the byte at a line and column: what [Tree.Position] takes back. It is -1 for a position that the source does not have. A column of 0 is
// the line's first; one beyond the line is its end.
func (t *Tree) Offset(p diag.Position) int {
	starts := t.lines()
	if p.Line < 1 || p.Line > len(starts) || p.Column < 0 {
		return -1
	}
	end := len(t.source)
	if p.Line < len(starts) {
		end = starts[p.Line] - 1
	}
	return min(starts[p.Line-1]+max(p.Column-1, 0), end)
}

func lineStarts(source string) []int {
	starts := make([]int, 1, 2+strings.Count(source, "\n"))
	for i := range len(source) {
		if source[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}
