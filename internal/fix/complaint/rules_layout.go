package complaint

import (
	"strings"

	"fettle/internal/pattern"
)

// What Checkstyle's rules say of where things stand.

// oneStatement puts what stands behind another statement on a line of its own.
func oneStatement(b *bench) {
	n := b.file.Tree.Enclosing(b.start, b.start)
	for ; !n.IsZero() && !n.Parent().Is("block", "class_body", "switch_block_statement_group"); n = n.Parent() {
	}
	if p := n.Prev(); !p.IsZero() && b.lineAt(p.End()) == b.lineAt(n.Start()) {
		oneStatementAt(b, p.End())
	}
}

// oneStatementAt ends a line behind a statement.
func oneStatementAt(b *bench, at int) {
	rest := restOfLine(b.file.Source, at)
	text := strings.TrimLeft(rest, " \t")
	if strings.TrimSpace(text) == "" || strings.HasPrefix(text, "//") {
		return
	}
	b.put(at, at+len(rest)-len(text), "\n"+b.lineIndent(at))
}

// closingBrace puts a closing brace and what belongs behind it on one line.
func closingBrace(b *bench) {
	if !strings.Contains(b.Finding.Message, "should be on the same line") || !strings.HasPrefix(b.file.Source[b.start:], "}") {
		return
	}
	rest := b.file.Source[b.start+1:]
	text := strings.TrimLeft(rest, " \t\r\n")
	for _, word := range []string{"else", "catch", "finally", "while"} {
		if strings.HasPrefix(text, word) {
			b.put(b.start+1, b.start+1+len(rest)-len(text), " ")
			return
		}
	}
}

// emptyLineBefore parts a declaration from the one above, with what is written about it.
func emptyLineBefore(b *bench) {
	if !strings.Contains(b.Finding.Message, "should be separated from previous line") {
		return
	}
	n := b.file.Tree.Enclosing(b.start, b.start)
	for ; !n.IsZero() && !n.Parent().Is("class_body", "interface_body", "enum_body_declarations", "program"); n = n.Parent() {
	}
	start := n.Start()
	for c := n.Prev(); c.Is("line_comment", "block_comment") && b.lineAt(c.End())+1 == b.lineAt(start); c = c.Prev() {
		start = c.Start()
	}
	if n.IsZero() || !blankBefore(b.file.Source, start) {
		return
	}
	at := strings.LastIndexByte(b.file.Source[:start], '\n') + 1
	b.put(at, at, "\n")
}

// endOfFile ends the last line.
func endOfFile(b *bench) {
	if src := b.file.Source; !strings.HasSuffix(src, "\n") {
		b.put(len(src), len(src), "\n")
	}
}

// trailingSpace takes white space off a line's end.
func trailingSpace(b *bench) {
	start, end, _ := lineOf(b.file, b.Finding.Range.Start.Line)
	text := strings.TrimSuffix(b.file.Source[start:end], "\r")
	b.put(start+len(strings.TrimRight(text, " \t")), start+len(text), "")
}

var expectedLevel = pattern.New(`incorrect indentation level (\d+), expected level should be (?:one of the following: )?(\d+)`)

// indentation puts a line where it belongs.
func indentation(b *bench) {
	m := expectedLevel.FindStringSubmatch(b.Finding.Message)
	start, _, _ := lineOf(b.file, b.Finding.Range.Start.Line)
	had := b.lineIndent(start)
	if m == nil || strings.Contains(had, "\t") || len(had) != atoi(m[1]) {
		return
	}
	b.put(start, start+len(had), strings.Repeat(" ", atoi(m[2])))
}

// wrapOperator takes an operator from a line's end to the beginning of the next.
func wrapOperator(b *bench) {
	m := quoted.FindStringSubmatch(b.Finding.Message)
	if m == nil || !strings.Contains(b.Finding.Message, "should be on a new line") || !strings.HasPrefix(b.file.Source[b.start:], m[1]) {
		return
	}
	end := b.start + len(m[1])
	if strings.TrimSpace(restOfLine(b.file.Source, end)) != "" {
		return
	}
	rest := b.file.Source[end:]
	next := end + len(rest) - len(strings.TrimLeft(rest, " \t\r\n"))
	before := len(strings.TrimRight(b.file.Source[:b.start], " \t"))
	b.ask(replaced(before, end, ""), replaced(next, next, m[1]+" "))
}

var spaceSaid = pattern.New(`^'(.+)' is (not )?(preceded|followed) (?:with|by) whitespace`)

// signSpacing puts a blank beside a sign, or takes it away.
func signSpacing(b *bench) {
	m := spaceSaid.FindStringSubmatch(b.Finding.Message)
	if m == nil {
		return
	}
	src, at := b.file.Source, b.start
	for _, i := range []int{b.start, b.start - 1, b.start - len(m[1])} {
		if i >= 0 && strings.HasPrefix(src[i:], m[1]) {
			at = i
			break
		}
	}
	if m[1] == "typecast" {
		if b.start < len(src) && src[b.start] == ')' {
			b.put(b.start+1, b.start+1, " ")
		}
		return
	}
	if !strings.HasPrefix(src[at:], m[1]) {
		return
	}
	end := at + len(m[1])
	blank := func(i int) bool { return i >= 0 && i < len(src) && (src[i] == ' ' || src[i] == '\t') }
	switch {
	case m[2] != "" && m[3] == "preceded":
		b.put(at, at, " ")
	case m[2] != "":
		b.put(end, end, " ")
	case m[3] == "preceded":
		from := at
		for blank(from - 1) {
			from--
		}
		if !blankBefore(src, at) {
			b.put(from, at, "")
		}
	default:
		to := end
		for blank(to) {
			to++
		}
		b.put(end, to, "")
	}
}
