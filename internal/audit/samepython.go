package audit

import (
	"slices"
	"strconv"
	"strings"

	"fettle/internal/pattern"
)

// samePython compares two Python files by their tokens, after what formatters may choose is written in one way.
func samePython(before, after []byte) bool {
	a, ok := pyForm(before)
	if !ok {
		return false
	}
	b, ok := pyForm(after)
	return ok && a.equal(b)
}

func pyForm(src []byte) (form, bool) {
	tokens, err := pyTokens(src)
	if err != nil {
		return form{}, false
	}
	var f form
	tokens = f.pyComments(tokens)
	tokens = pyBlocks(tokens)
	tokens = pyTrailingCommas(tokens)
	tokens = pyParens(tokens)
	for _, l := range sortImports(pyLines(tokens)) {
		f.tokens = append(f.tokens, l...)
	}
	return f, true
}

// pyDirective matches comments that tools obey: they count in the logical line in which they stand.
var pyDirective = pattern.New(`(?i)^#\s*(!|type:|noqa|nosec|nosemgrep|pragma|pylint:|ruff:|flake8:|mypy:|pyright:|pyre-|isort:|fmt:|yapf:|-\*-|doctest:|sourcery|skipcq)`)

// pyComments takes the comments out of the tokens and keeps their folded text.
func (f *form) pyComments(tokens []pyToken) []pyToken {
	var code []pyToken
	logical := 0
	for _, t := range tokens {
		switch {
		case t.kind != pyComment:
			code = append(code, t)
			if t.kind == pyNewline {
				logical++
			}
		case pyDirective.MatchString(t.text):
			f.comments = append(f.comments, strconv.Itoa(logical)+strings.Join(strings.Fields(strings.TrimPrefix(t.text, "#")), " "))
		default:
			f.comments = append(f.comments, strings.Join(strings.Fields(strings.TrimLeft(t.text, "#")), " "))
		}
	}
	return code
}

// pyCompound begins the statements whose block may stand on the same line.
var pyCompound = map[string]bool{
	"if": true, "elif": true, "else": true, "for": true, "while": true, "try": true, "except": true, "finally": true,
	"with": true, "def": true, "class": true, "async": true,
}

// pyBlocks gives every block its own lines and every simple statement too: "if x: a; b" becomes three lines.
func pyBlocks(tokens []pyToken) []pyToken {
	var out []pyToken
	for i := 0; i < len(tokens); {
		end := i
		for end < len(tokens) && tokens[end].kind != pyNewline {
			end++
		}
		line := tokens[i:end]
		i = end + 1
		for len(line) > 0 && (line[0].kind == pyIndent || line[0].kind == pyDedent) {
			out, line = append(out, line[0]), line[1:]
		}
		if len(line) == 0 {
			continue
		}
		if colon := blockColon(line); colon >= 0 && colon+1 < len(line) {
			out = append(out, line[:colon+1]...)
			out = append(out, pyToken{kind: pyNewline, line: line[colon].line}, pyToken{kind: pyIndent, line: line[colon].line})
			out = append(out, statements(line[colon+1:])...)
			out = append(out, pyToken{kind: pyDedent, line: line[colon].line})
			continue
		}
		out = append(out, statements(line)...)
	}
	return out
}

// blockColon is the index of the colon that opens a compound statement's block, -1 if there is none.
func blockColon(line []pyToken) int {
	if !pyCompound[line[0].text] || line[0].kind != pyName {
		return -1
	}
	depth, lambdas := 0, 0
	for i, t := range line {
		switch {
		case t.kind == pyName && t.text == "lambda" && depth == 0:
			lambdas++
		case t.kind != pyOp:
		case t.opens():
			depth++
		case t.closes():
			depth--
		case t.text == ":" && depth == 0 && lambdas > 0:
			lambdas--
		case t.text == ":" && depth == 0:
			return i
		}
	}
	return -1
}

// statements ends each simple statement by a newline, also those that a semicolon ended.
func statements(line []pyToken) []pyToken {
	var out []pyToken
	for _, t := range line {
		if t.kind == pyOp && t.text == ";" {
			t = pyToken{kind: pyNewline, line: t.line}
		}
		if t.kind != pyNewline || len(out) > 0 && out[len(out)-1].kind != pyNewline {
			out = append(out, t)
		}
	}
	if n := len(out); n > 0 && out[n-1].kind != pyNewline {
		out = append(out, pyToken{kind: pyNewline, line: out[n-1].line})
	}
	return out
}

// pyTrailingCommas drops the comma before a closing bracket, except where it makes a tuple of one.
func pyTrailingCommas(tokens []pyToken) []pyToken {
	type bracket struct {
		commas int
		tuple  bool // a comma may make a tuple: a parenthesis that is no call, or a subscript
	}
	var open []bracket
	var out []pyToken
	for _, t := range tokens {
		if t.kind == pyOp {
			switch n := len(open); {
			case t.opens():
				open = append(open, bracket{tuple: makesTuple(out, t.text)})
			case t.text == "," && n > 0:
				open[n-1].commas++
			case t.closes() && n > 0:
				last := len(out) - 1
				if out[last].text == "," && out[last].kind == pyOp && (open[n-1].commas > 1 || !open[n-1].tuple) {
					out = out[:last]
				}
				open = open[:n-1]
			}
		}
		out = append(out, t)
	}
	return out
}

// makesTuple reports whether one comma inside a bracket that opens after these tokens would make a tuple.
func makesTuple(before []pyToken, bracket string) bool {
	called := false
	if n := len(before); n > 0 {
		p := before[n-1]
		called = p.kind == pyName && !pyKeyword[p.text] || p.kind == pyString || p.closes()
	}
	switch bracket {
	case "(":
		return !called
	case "[":
		return called
	}
	return false
}

// pyKeyword holds the words, soft ones included, after which a parenthesis is no call.
var pyKeyword = func() map[string]bool {
	words := make(map[string]bool)
	for _, w := range strings.Fields("and as assert async await case del elif else except for from if in is lambda match not or raise return type while with yield") {
		words[w] = true
	}
	return words
}()

// pyParens drops the parentheses around the whole right side of an assignment, a returned value or a condition, which
// formatters add and remove. They stay around tuples, generators, yields and walruses, where they may mean something.
func pyParens(tokens []pyToken) []pyToken {
	drop := make(map[int]bool)
	for i, t := range tokens {
		if t.kind != pyOp || t.text != "(" || i == 0 || !opensValue(tokens[i-1]) {
			continue
		}
		end, plain := closing(tokens, i)
		if plain && end+1 < len(tokens) && endsValue(tokens[i-1], tokens[end+1]) {
			drop[i], drop[end] = true, true
		}
	}
	var out []pyToken
	for i, t := range tokens {
		if !drop[i] {
			out = append(out, t)
		}
	}
	return out
}

func opensValue(t pyToken) bool {
	if t.kind == pyOp {
		return strings.HasSuffix(t.text, "=") && !slices.Contains([]string{"==", "!=", "<=", ">=", ":="}, t.text)
	}
	return t.kind == pyName && slices.Contains([]string{"return", "assert", "if", "elif", "while"}, t.text)
}

// endsValue reports whether a value that began after opener ends before next.
func endsValue(opener, next pyToken) bool {
	switch {
	case opener.kind == pyName && opener.text == "assert":
		return next.kind == pyNewline || next.kind == pyOp && next.text == ","
	case opener.kind == pyName && opener.text != "return":
		return next.kind == pyOp && next.text == ":"
	}
	return next.kind == pyNewline
}

// closing is the index of the parenthesis that closes the one at open, and whether what stands between is a plain
// expression: not empty, no comma, generator, yield, walrus or star at its top level.
func closing(tokens []pyToken, open int) (end int, plain bool) {
	plain = tokens[open+1].text != ")" && tokens[open+1].text != "*" && tokens[open+1].text != "yield"
	depth := 0
	for i := open; i < len(tokens); i++ {
		t := tokens[i]
		switch {
		case t.opens():
			depth++
		case t.closes():
			if depth--; depth == 0 {
				return i, plain
			}
		case depth == 1 && (t.kind == pyOp && (t.text == "," || t.text == ":=") || t.kind == pyName && t.text == "for"):
			plain = false
		}
	}
	return len(tokens), false
}

// pyLines writes tokens as text, one list for each logical line, its newline at the end.
func pyLines(tokens []pyToken) [][]string {
	var lines [][]string
	var line []string
	for i, t := range tokens {
		switch t.kind {
		case pyNewline:
			lines, line = append(lines, append(line, "\n")), nil
		case pyIndent:
			line = append(line, "indent")
		case pyDedent:
			line = append(line, "dedent")
		case pyString:
			first := i == 0 || tokens[i-1].kind == pyIndent
			form := pyStringForm(t.text, first && i+1 < len(tokens) && tokens[i+1].kind == pyNewline)
			if i > 0 && tokens[i-1].kind == pyString {
				if joined, ok := pyJoin(line[len(line)-1], form); ok {
					line[len(line)-1] = joined
					continue
				}
			}
			line = append(line, form)
		case pyNumber:
			line = append(line, strings.ToLower(t.text))
		default:
			line = append(line, " "+t.text) // the space keeps a name apart from a structural word
		}
	}
	if line != nil {
		lines = append(lines, line)
	}
	return lines
}
