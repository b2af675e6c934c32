package complaint

import (
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
	"fettle/internal/pattern"
)

// spacing puts white space where pycodestyle misses it, and takes out what it finds too much
// (https://pycodestyle.pycqa.org/en/latest/intro.html#error-codes).
func spacing(b *bench) {
	start, end, _ := lineOf(b.file, b.Finding.Range.Start.Line)
	at := start + max(b.Finding.Range.Start.Column-1, 0)
	why, edits := b.lineSpacing(start, end)
	if edits == nil {
		why, edits = b.wordSpacing(start, end, min(at, end))
	}
	if len(edits) > 0 {
		b.propose(1, why, edits...)
	}
}

// lineSpacing mends what lies between lines, and at their ends.
func (b *bench) lineSpacing(start, end int) (why string, edits []edit.Edit) {
	src := b.file.Source
	switch rule := b.Name; {
	case rule == "W291" || rule == "W293":
		for n := b.file.At(end, end); n != nil; n = n.Parent {
			if n.Is(code.Str) && n.Start < end && end < n.End {
				return "", nil // it is a part of a value
			}
		}
		text := strings.TrimSuffix(src[start:end], "\r")
		return "there is white space at the line's end", []edit.Edit{replaced(start+len(strings.TrimRight(text, " \t\f\v")), start+len(text), "")}
	case rule == "W391":
		return "there are empty lines at the file's end", []edit.Edit{replaced(len(strings.TrimRight(src, " \t\r\n")), len(src), lineEnd(strings.TrimSpace(src)))}
	case rule == "W292":
		return "the last line has no end", []edit.Edit{replaced(len(src), len(src), "\n")}
	case strings.HasPrefix(rule, "E30"):
		return "there are too many empty lines, or too few", b.emptyLines(rule, start)
	}
	return "", nil
}

// lineEnd is what a text ends with: nothing, if there is none.
func lineEnd(text string) string {
	if text == "" {
		return ""
	}
	return "\n"
}

// wordSpacing mends what lies between the words of a line.
func (b *bench) wordSpacing(start, end, at int) (why string, edits []edit.Edit) {
	src, rule := b.file.Source, b.Name
	from, to := b.blanks(start, end, at)
	switch rule {
	case "E225", "E226", "E227", "E228":
		return "an operator stands without spaces around it", b.aroundOperator(start, end, at)
	case "E231":
		for _, i := range []int{at, at - 1} {
			if i >= start && i < end && strings.IndexByte(",:;", src[i]) >= 0 {
				return "a space is missing there", []edit.Edit{replaced(i+1, i+1, " ")}
			}
		}
	case "E261":
		return "two spaces belong before a comment", []edit.Edit{replaced(from, to, "  ")}
	case "E262", "E265":
		if i := strings.IndexByte(src[at:end], '#'); i >= 0 {
			rest := strings.TrimLeft(src[at+i+1:end], ": \t")
			return "a space belongs between # and a comment", []edit.Edit{replaced(at+i+1, end-len(rest), " ")}
		}
	case "E201", "E202", "E203", "E204", "E211", "E251":
		return "there is a space too many", []edit.Edit{replaced(from, to, "")}
	case "E252", "E275":
		return "a space is missing there", []edit.Edit{replaced(at, at, " ")}
	}
	if strings.HasPrefix(rule, "E22") || strings.HasPrefix(rule, "E24") || strings.HasPrefix(rule, "E27") {
		return "there are spaces too many", []edit.Edit{replaced(from, to, " ")}
	}
	return "", nil
}

// blanks are the blanks around a byte of a line.
func (b *bench) blanks(start, end, at int) (from, to int) {
	blank := func(i int) bool { return b.file.Source[i] == ' ' || b.file.Source[i] == '\t' }
	from, to = min(at, end), min(at, end)
	for from > start && blank(from-1) {
		from--
	}
	for to < end && blank(to) {
		to++
	}
	return from, to
}

var operator = pattern.New(`->|:=|\*\*=|//=|>>=|<<=|[-+*/%&|^@=!<>]=|\*\*|//|>>|<<|[-+*/%&|^@=<>]`)

// aroundOperator puts one space on both sides of the operator that stands at a byte, or next to it.
func (b *bench) aroundOperator(start, end, at int) []edit.Edit {
	for _, m := range operator.FindAllStringSubmatchIndex(b.file.Source[start:end], -1) {
		from, to := start+m[0], start+m[1]
		if at < from-1 || at > to {
			continue
		}
		left, _ := b.blanks(start, end, from)
		_, right := b.blanks(start, end, to)
		return []edit.Edit{replaced(left, right, " "+b.file.Source[from:to]+" ")}
	}
	return nil
}

// emptyLines makes the number of empty lines before a line the one that is expected.
func (b *bench) emptyLines(rule string, start int) []edit.Edit {
	for start > 0 { // comments that stand directly above belong to the line
		above := strings.LastIndexByte(b.file.Source[:start-1], '\n') + 1
		if !strings.HasPrefix(strings.TrimSpace(b.file.Source[above:start]), "#") {
			break
		}
		start = above
	}
	before := strings.TrimRight(b.file.Source[:start], " \t\r\n")
	if before == "" {
		return nil
	}
	want := 2
	indented := start < len(b.file.Source) && (b.file.Source[start] == ' ' || b.file.Source[start] == '\t')
	switch rule {
	case "E301":
		want = 1
	case "E303":
		if indented {
			want = 1
		}
	case "E304":
		want = 0
	case "E306":
		want = 1
	default:
		if n := b.count(); n > 0 {
			want = n
		}
	}
	return []edit.Edit{replaced(len(before), start, strings.Repeat("\n", want+1))}
}

// missingSign puts the sign in that a source cannot be read without: at its place, or at the end of the line where only that is known.
func missingSign(b *bench) {
	at := b.start
	if b.Hint == "comma" {
		b.Hint = ","
	}
	if b.Finding.Range.Start.Column == 0 || b.Hint == ":" || b.file.Facts.Name == "Go" {
		start, end, _ := lineOf(b.file, b.Finding.Range.Start.Line)
		text := b.file.Source[start:end]
		if i := strings.Index(text, b.file.Facts.Comment); i >= 0 && !strings.ContainsAny(text[:i], "\"'`") {
			text = text[:i]
		}
		at = start + len(strings.TrimRight(text, " \t\r"))
	}
	b.propose(1, quote(b.Hint)+" is missing", replaced(at, at, b.Hint))
}
