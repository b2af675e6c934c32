package complaint

import (
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
	"fettle/internal/syntax"
)

// rule is what a linter's rule asks for, where the tool itself does not do it, or not by itself.
type rule struct {
	make      func(*bench)
	why       string
	precision float64
}

// rules are those of each tool's that are understood, by their names. Each asks for one edit, which changes nothing of what the program does but what
// the rule is about.
var rules = map[string]map[string]rule{"checkstyle": javaRules, "eslint": scriptRules, "python": pythonRules, "go": goRules}

// byRule makes the edit that a linter's rule asks for.
func byRule(b *bench) {
	tool := speaker(b.Finding.Tool)
	if b.file.Facts.Name == "Python" {
		tool = "python"
	}
	hint := b.Hint
	switch { // the words that have no name in them
	case strings.Contains(b.Finding.Message, "call needs "):
		hint = "arguments"
	case strings.Contains(b.Finding.Message, "to the blank identifier"):
		hint = "range"
	case tool == "python" && hint == "":
		hint = "self"
	}
	r, ok := rules[tool][hint]
	if !ok {
		return
	}
	b.idea.precision = r.precision
	b.why = r.why
	r.make(b)
}

// ask proposes what the rule asks for.
func (b *bench) ask(edits ...edit.Edit) { b.propose(1, b.why, edits...) }

// put is [bench.ask] for one part of the source.
func (b *bench) put(start, end int, text string) { b.ask(replaced(start, end, text)) }

// putNode puts a text in the place of a part of the grammar's.
func (b *bench) putNode(n syntax.Node, text string) { b.put(n.Start(), n.End(), text) }

// outer is the largest statement or value of one of some roles that begins at the place, or the nearest around it.
func (b *bench) outer(roles ...code.Role) *code.Node {
	for n := b.at; n != nil; n = n.Parent {
		if n.Is(roles...) {
			return n
		}
	}
	return nil
}

// onLine is the first node of one of some roles that stands on the complaint's line.
func (b *bench) onLine(roles ...code.Role) *code.Node {
	for n := range b.file.Root.Walk() {
		if n.Is(roles...) && b.lineAt(n.Start) == b.Finding.Range.Start.Line {
			return n
		}
	}
	return nil
}

// lineIndent is the white space with which a byte's line begins.
func (b *bench) lineIndent(at int) string {
	src := b.file.Source
	line := src[strings.LastIndexByte(src[:at], '\n')+1:]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// step is what a block's lines are further in.
func (b *bench) step() string {
	src := b.file.Source
	switch {
	case strings.Count(src, "\n\t") > strings.Count(src, "\n  "):
		return "\t"
	case strings.Contains(src, "\n  ") && !strings.Contains(src, "\n    "), hasStep(src, 2):
		return "  "
	}
	return "    "
}

// hasStep reports whether some line is so many blanks in, and no more.
func hasStep(src string, n int) bool {
	for line := range strings.Lines(src) {
		if text := strings.TrimLeft(line, " "); len(line)-len(text) == n && strings.TrimSpace(text) != "" && text[0] != '*' {
			return true
		}
	}
	return false
}

// dropStatement takes out the statement at the place, if working it out does nothing that is left then.
func dropStatement(b *bench) {
	stmt := b.at.Statement()
	if stmt == nil {
		stmt = b.onLine(code.Eval, code.Assign, code.Import)
	}
	if stmt != nil && stmt.Alone() {
		b.ask(b.withoutStatement(stmt))
	}
}

// dropUnreachable takes out the statement at the place and those behind it, which nothing comes to either; functions are known there all the same.
func dropUnreachable(b *bench) {
	stmt := b.at.Statement()
	if stmt == nil || !stmt.Alone() || stmt.Is(code.Function) {
		return
	}
	last := stmt
	for n := stmt.Next(); n != nil && !n.Is(code.Function, code.Class, code.Case); n = n.Next() {
		last = n
	}
	if !last.Alone() {
		return
	}
	start, _ := code.Lines(b.file.Source, stmt.Start, stmt.End)
	_, end := code.Lines(b.file.Source, last.Start, last.End)
	b.put(start, end, "")
}

// dropSign takes out the sign at the place, and its line if it holds nothing else.
func dropSign(sign string) func(*bench) {
	return func(b *bench) {
		at := b.start
		if !strings.HasPrefix(b.file.Source[at:], sign) {
			return
		}
		end := at + len(sign)
		if blankBefore(b.file.Source, at) && strings.TrimSpace(restOfLine(b.file.Source, end)) == "" {
			b.ask(wholeLines(b.file.Source, at, end))
			return
		}
		b.put(at, end, "")
	}
}
