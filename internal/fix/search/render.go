package search

import (
	"strings"

	"fettle/internal/code"
)

// block spells a statement that holds others: if, else. The head is without what opens the block.
func (s *site) block(head string, body []string, indent string) string {
	step := s.unit.pool(s.File).unit
	lines := make([]string, len(body))
	for i, b := range body {
		lines[i] = indent + step + b
	}
	inner := strings.Join(lines, "\n")
	if s.fact().Braces {
		return head + " {\n" + inner + "\n" + indent + "}"
	}
	return head + ":\n" + inner
}

// guard spells an if statement with one statement in it.
func (s *site) guard(cond, body, indent string) string {
	if s.fact().Parens {
		cond = "(" + cond + ")"
	}
	return s.block("if "+cond, []string{body}, indent)
}

// otherwise spells an else branch, to be put behind the one before it.
func (s *site) otherwise(body, indent string) string {
	if s.fact().Braces {
		return " " + s.block("else", []string{body}, indent)
	}
	return "\n" + indent + s.block("else", []string{body}, indent)
}

// statement ends a text as a statement.
func (s *site) statement(text string) string { return text + s.fact().End }

// reindented is a statement's text as it stands at another depth.
func reindented(n *code.Node, indent string) string {
	old := n.Indent()
	lines := strings.Split(n.Text(), "\n")
	for i := 1; i < len(lines); i++ {
		if rest, ok := strings.CutPrefix(lines[i], old); ok {
			lines[i] = indent + rest
		}
	}
	return strings.Join(lines, "\n")
}

// span is a statement with the lines that it alone stands on.
func span(n *code.Node) (start, end int) {
	if !n.Alone() {
		return n.Start, n.End
	}
	return code.Lines(n.File.Source, n.Start, n.End)
}
