package syntax

import (
	"iter"

	"fettle/internal/diag"
)

// Node is a place in a [Tree]: a small value, compared by ==. The zero Node is none; it may be asked everything and says nothing, so
// that questions can be chained: n.Child("body").Parent().Text().
type Node struct {
	tree *Tree
	at   uint32
}

var nothing record

func (n Node) record() *record {
	if n.tree == nil {
		return &nothing
	}
	return &n.tree.nodes[n.at]
}

// IsZero reports whether this is no node.
func (n Node) IsZero() bool { return n.tree == nil }

// Tree is what the node is a part of.
func (n Node) Tree() *Tree { return n.tree }

// Kind is what the node is, in the grammar's words; that of a keyword or a sign is its text.
func (n Node) Kind() string {
	if n.tree == nil {
		return ""
	}
	return n.tree.grammar.kind(n.record().kind)
}

// Is reports whether the node is of one of these kinds.
func (n Node) Is(kinds ...string) bool {
	own := n.Kind()
	for _, k := range kinds {
		if k == own && own != "" {
			return true
		}
	}
	return false
}

// Named reports whether the grammar has a name for it: everything but keywords, brackets and other signs.
func (n Node) Named() bool { return n.record().flags&isNamed != 0 }

// Field is the role that it plays in its parent ("condition"), or "".
func (n Node) Field() string {
	if n.tree == nil {
		return ""
	}
	return n.tree.grammar.fields[n.record().field]
}

// IsExtra reports whether it may stand anywhere, as comments may.
func (n Node) IsExtra() bool { return n.record().flags&isExtra != 0 }

// IsError reports whether it holds text that fits nowhere.
func (n Node) IsError() bool { return n.tree != nil && n.record().kind == errorKind }

// IsMissing reports whether it is not there, but should be. It is empty.
func (n Node) IsMissing() bool { return n.record().flags&isMissing != 0 }

// HasError reports whether there is an error or something missing in it.
func (n Node) HasError() bool { return n.record().flags&hasError != 0 }

// Start is the offset of its first byte.
func (n Node) Start() int { return int(n.record().start) }

// End is the offset behind its last byte.
func (n Node) End() int { return int(n.record().end) }

// Text is what it spans of the source.
func (n Node) Text() string {
	if n.tree == nil {
		return ""
	}
	return n.tree.source[n.Start():n.End()]
}

// Range is where it is, in lines and columns.
func (n Node) Range() diag.Range {
	if n.tree == nil {
		return diag.Range{}
	}
	return diag.Range{Start: n.tree.Position(n.Start()), End: n.tree.Position(n.End())}
}

// Parent is the node that it is a child of; none for the root.
func (n Node) Parent() Node {
	if n.at == 0 {
		return Node{}
	}
	return Node{n.tree, n.record().parent}
}

// Next is the child behind it of the same parent.
func (n Node) Next() Node {
	up := n.Parent()
	if behind := n.at + n.record().size; !up.IsZero() && behind < up.at+up.record().size {
		return Node{n.tree, behind}
	}
	return Node{}
}

// Prev is the child before it of the same parent. It costs a look at all that come before.
func (n Node) Prev() Node {
	last := Node{}
	for c := range n.Parent().Children() {
		if c == n {
			break
		}
		last = c
	}
	return last
}

// Child is the first child that plays this role.
func (n Node) Child(field string) Node {
	for c := range n.Children() {
		if c.record().field != 0 && c.Field() == field {
			return c
		}
	}
	return Node{}
}

// Children are all its children.
func (n Node) Children() iter.Seq[Node] { return n.children(0) }

// NamedChildren are its children without keywords and signs; with comments.
func (n Node) NamedChildren() iter.Seq[Node] { return n.children(isNamed) }

func (n Node) children(flags uint8) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if n.tree == nil {
			return
		}
		nodes := n.tree.nodes
		for i, end := n.at+1, n.at+nodes[n.at].size; i < end; i += nodes[i].size {
			if nodes[i].flags&flags == flags && !yield(Node{n.tree, i}) {
				return
			}
		}
	}
}

// Walk visits the node and everything below it, parents before children, in the order of the source. What is below a node is left out
// when skip is called.
//
//	for n, skip := range root.Walk() {
//		if n.Kind() == "comment" {
//			skip()
//		}
//	}
func (n Node) Walk() iter.Seq2[Node, func()] {
	return func(yield func(Node, func()) bool) {
		if n.tree == nil {
			return
		}
		nodes := n.tree.nodes
		step := uint32(0)
		i := n.at
		skip := func() { step = nodes[i].size }
		for end := n.at + nodes[n.at].size; i < end; i += step {
			step = 1
			if !yield(Node{n.tree, i}, skip) {
				return
			}
		}
	}
}

// Find is every named node of these kinds, in it or itself, in the order of [Node.Walk].
func (n Node) Find(kinds ...string) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if n.tree == nil {
			return
		}
		wanted := n.tree.grammar.wanted(kinds)
		nodes := n.tree.nodes
		for i, end := n.at, n.at+nodes[n.at].size; i < end; i++ {
			if nodes[i].flags&isNamed != 0 && wanted(nodes[i].kind) && !yield(Node{n.tree, i}) {
				return
			}
		}
	}
}
