package search

import "fettle/internal/code"

// sameEitherWay reports whether a change makes both ways on from a condition the same, which were not before: what it asks is then asked for nothing.
func (s *site) sameEitherWay(c change) bool {
	now := func(n *code.Node) string { return dense(s.with(c.edits, n.Start, n.End)) }
	for _, e := range c.edits {
		for n := s.File.At(e.Start, e.End); n != nil && !n.Is(code.Function, code.Module); n = n.Parent {
			then, otherwise := ways(n)
			if then == nil || otherwise == nil {
				continue
			}
			if now(then) == now(otherwise) && dense(then.Text()) != dense(otherwise.Text()) {
				return true
			}
		}
	}
	return false
}

// ways are the two ways on from the condition that a node is about, or nil: what is done, or given, if it holds, and what if not, which may stand behind it where
// the first way ends with a jump.
func ways(n *code.Node) (then, otherwise *code.Node) {
	switch {
	case n.Is(code.Choice):
		return n.Kid(code.Then), n.Kid(code.Else)
	case n.Is(code.If):
		then, otherwise = only(n.Kid(code.Then)), only(n.Kid(code.Else))
		if next := n.Next(); n.Kid(code.Else) == nil && then.Is(code.Return) && next.Is(code.Return) {
			otherwise = next
		}
		return then, otherwise
	case n.Is(code.Return) && n.Prev().Is(code.If) && n.Prev().Kid(code.Else) == nil && only(n.Prev().Kid(code.Then)).Is(code.Return):
		return only(n.Prev().Kid(code.Then)), n
	}
	return nil, nil
}

// only is the one statement of a block, or the block if it has several.
func only(block *code.Node) *code.Node {
	if stmts := block.All(code.Stmt); block.Is(code.Block) && len(stmts) == 1 {
		return stmts[0]
	}
	return block
}
