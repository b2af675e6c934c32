package search

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
)

// addElse gives an if statement without one an else branch.
func addElse(s *site, try func(change)) {
	if s.Role != code.If || s.Kid(code.Else) != nil || s.Function() == nil || s.Part == code.Else && s.Next() != nil {
		return
	}
	indent := s.Indent()
	for _, c := range slices.Concat(s.copies(), s.renamed()) {
		try(insert(s.End, s.otherwise(c.text, indent), 0.9*c.weight, "an else branch with %s was missing", quote(c.text)))
	}
	s.otherCase(try)
	for text, w := range s.resets() {
		try(insert(s.End, s.otherwise(text, indent), w, "an else branch with %s was missing", quote(text)))
	}
	for i, r := range s.answers() {
		text := s.statement("return " + r)
		if s.Next() != nil && s.Next().Text() == text && ends(lastOf(s.Kid(code.Then))) {
			continue // that comes next anyhow
		}
		try(insert(s.End, s.otherwise(text, indent), 0.8*max(1-0.06*float64(i), 0.3), "an else branch with %s was missing", quote(text)))
	}
}

// resets are what lets variables begin again where none of a chain's conditions holds, of those that grow in its branches from one turn of a loop to the next:
// a row of what belongs together ends with what does not. Each with how likely it is.
func (s *site) resets() iter.Seq2[string, float64] {
	return func(yield func(text string, weight float64) bool) {
		loop := s.Up(code.For, code.Each, code.While, code.Function)
		links := chainOf(outermost(s.Node))
		if loop.Is(code.Function) || loop == nil {
			return
		}
		seen := map[string]bool{}
		for n := range links[0].Kid(code.Then).Own() {
			if n.Role != code.Name || seen[n.Name] || !s.at(n).written() || within(s.declaring(n), loop) {
				continue
			}
			seen[n.Name] = true
			w := 1.0
			for _, link := range links {
				if !grows(link.Kid(code.Then), n.Name) {
					w *= 0.6
				}
			}
			if first := s.first(s.Function(), n); first != "" && !yield(s.statement(n.Name+" = "+first), w) {
				return
			}
		}
	}
}

// declaring is where a variable is made, or the node itself if that is not known.
func (s *site) declaring(n *code.Node) *code.Node {
	for _, v := range s.at(n).Scope() {
		if v.Name == n.Name {
			return v.Decl
		}
	}
	return n
}

// otherJump goes on with a loop's next round where it was left, and the other way round.
func otherJump(s *site, try func(change)) {
	was, is := "break", "continue"
	if s.Role == code.Continue {
		was, is = is, was
	} else if s.Role != code.Break {
		return
	}
	if loop := s.Up(code.While, code.For, code.Each, code.Function); loop.Is(code.While, code.For, code.Each) && strings.HasPrefix(s.Text(), was) {
		word := edit.Edit{Start: s.Start, End: s.Start + len(was), New: []byte(is)} // a label after it stays
		try(change{[]edit.Edit{word}, 1, fmt.Sprintf("%s should be %s", quote(was), quote(is))})
	}
}

// otherElse gives an else to the other one of two ifs, where the inner one ends the branch of the outer one: it was written, or indented, at the wrong depth.
func otherElse(s *site, try func(change)) {
	if s.Role == code.If && s.Part == code.Then && s.Parent.Is(code.If) {
		danglingElse(s, try)
		return
	}
	outer := s.Parent.Up(code.If)
	if s.Role != code.If || s.Next() != nil || s.Parent == nil || outer == nil || s.Parent != outer.Kid(code.Then) || !s.Parent.Is(code.Block) {
		return
	}
	inner, far := s.Kid(code.Else), outer.Kid(code.Else)
	switch {
	case inner.Is(code.Block) && far == nil && outer.Part != code.Else:
		try(change{[]edit.Edit{
			{Start: s.Kid(code.Then).End, End: s.End},
			{Start: outer.End, End: outer.End, New: []byte(s.otherwise(s.bodyAt(inner, outer.Indent()), outer.Indent()))},
		}, 1, fmt.Sprintf("the else belongs to %s, not to %s", quote(firstOf(outer.Text())), quote(firstOf(s.Text())))})
	case inner == nil && far.Is(code.Block):
		moved := s.otherwise(s.bodyAt(far, s.Indent()), s.Indent())
		why := fmt.Sprintf("the else belongs to %s, not to %s", quote(firstOf(s.Text())), quote(firstOf(outer.Text())))
		rest := s.File.Source[s.End:s.Parent.End] // what closes the branch
		try(change{[]edit.Edit{{Start: s.End, End: outer.End, New: []byte(moved + rest)}}, 1, why})
	}
}

// joined asks a condition only where the one before it does not hold, or, where that is so, whatever the one before it says.
func (s *site) joined(try func(change)) {
	if s.Role != code.If {
		return
	}
	source, braces := s.File.Source, s.fact().Braces
	switch before := s.Prev(); {
	case s.Part == code.Stmt && before.Is(code.If) && !hasElse(before):
		c := change{[]edit.Edit{{Start: before.End, End: s.Start, New: []byte(" else ")}}, 1, quote(firstOf(s.Text())) + " is to be asked only where the conditions before it do not hold"}
		if !braces {
			c.edits = []edit.Edit{{Start: s.Start, End: s.Start, New: []byte("el")}}
		}
		try(c)
	case s.Part == code.Else && s.Parent.Is(code.If):
		why := quote(firstOf(s.Text())) + " is to be asked whether or not the conditions before it hold"
		if braces {
			if chain := outermost(s.Node); chain.Part == code.Stmt {
				try(change{[]edit.Edit{{Start: s.Parent.Kid(code.Then).End, End: s.Start, New: []byte("\n" + chain.Indent())}}, 0.8, why})
			}
		} else if strings.HasPrefix(source[s.Start:], "elif") {
			try(change{[]edit.Edit{{Start: s.Start, End: s.Start + len("el")}}, 0.8, why})
		}
	}
}

// hasElse reports whether the last branch of a chain is done where no condition holds.
func hasElse(n *code.Node) bool {
	for _, link := range chainOf(n) {
		if slices.ContainsFunc(link.All(code.Else), func(k *code.Node) bool { return !k.Is(code.If) }) {
			return true
		}
	}
	return false
}

// outermost is the statement whose chain of branches a branch is in.
func outermost(n *code.Node) *code.Node {
	for n.Part == code.Else && n.Parent.Is(code.If) {
		n = n.Parent
	}
	return n
}

// danglingElse gives an else to the outer one of two ifs without braces between them, to whose inner one it belongs whatever its indentation says: with all that follows in a
// chain of them, or less.
func danglingElse(s *site, try func(change)) {
	outer, source := s.Parent, s.File.Source
	if !s.fact().Braces {
		return
	}
	indent := outer.Indent()
	deeper := "\n" + indent + s.unit.pool(s.File).unit
	start := len(strings.TrimRight(source[:s.Start], " \t\r\n"))
	for link := s.Node; link.Is(code.If) && link.Kid(code.Else) != nil; link = link.Kid(code.Else) {
		kept := strings.ReplaceAll(source[s.Start:link.Kid(code.Then).End], "\n"+s.Indent(), deeper)
		moved := reindented(link.Kid(code.Else), indent)
		try(change{[]edit.Edit{{Start: start, End: s.End, New: []byte(" {" + deeper + kept + "\n" + indent + "} else " + moved)}}, 1,
			fmt.Sprintf("the else belongs to %s, not to %s", quote(firstOf(outer.Text())), quote(firstOf(link.Text())))})
	}
}

// bodyAt is what a block holds, as the body of a branch at another depth.
func (s *site) bodyAt(block *code.Node, indent string) string {
	indent += s.unit.pool(s.File).unit
	var lines []string
	for _, stmt := range block.All(code.Stmt) {
		lines = append(lines, reindented(stmt, indent)+s.end(stmt))
	}
	return strings.Join(lines, "\n"+indent)
}
