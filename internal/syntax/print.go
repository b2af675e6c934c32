package syntax

import "strings"

// String is the node as tree-sitter writes trees: the named nodes in brackets, their roles before them, (ERROR) and (MISSING) among
// them. It is made for tests and for getting to know a grammar.
func (n Node) String() string {
	var b strings.Builder
	var open []uint32 // where the nodes end whose bracket is still to be closed
	for c := range n.Walk() {
		for len(open) > 0 && open[len(open)-1] <= c.at {
			open = open[:len(open)-1]
			b.WriteByte(')')
		}
		if !c.Named() && !c.IsMissing() {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		if f := c.Field(); f != "" && c != n {
			b.WriteString(f + ": ")
		}
		b.WriteByte('(')
		switch {
		case c.IsMissing() && c.Named():
			b.WriteString("MISSING " + c.Kind())
		case c.IsMissing():
			b.WriteString(`MISSING "` + c.Kind() + `"`)
		default:
			b.WriteString(c.Kind())
		}
		open = append(open, c.at+c.record().size)
	}
	b.WriteString(strings.Repeat(")", len(open)))
	return b.String()
}
