package same

import (
	"slices"
	"strconv"
	"strings"

	"fettle/internal/audit/python"
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
	tokens, err := python.Tokens(src)
	if err != nil {
		return form{}, false
	}
	var f form
	tokens = f.pyComments(tokens)
	tokens = python.Statements(tokens)
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
func (f *form) pyComments(tokens []python.Token) []python.Token {
	var code []python.Token
	logical := 0
	for _, t := range tokens {
		switch {
		case t.Kind != python.Comment:
			code = append(code, t)
			if t.Kind == python.Newline {
				logical++
			}
		case pyDirective.MatchString(t.Text):
			f.comments = append(f.comments, strconv.Itoa(logical)+strings.Join(strings.Fields(strings.TrimPrefix(t.Text, "#")), " "))
		default:
			f.comments = append(f.comments, strings.Join(strings.Fields(strings.TrimLeft(t.Text, "#")), " "))
		}
	}
	return code
}

// pyTrailingCommas drops the comma before a closing bracket, except where it makes a tuple of one.
func pyTrailingCommas(tokens []python.Token) []python.Token {
	type bracket struct {
		commas int
		tuple  bool // a comma may make a tuple: a parenthesis that is no call, or a subscript
	}
	var open []bracket
	var out []python.Token
	for _, t := range tokens {
		if t.Kind == python.Op {
			switch n := len(open); {
			case t.Opens():
				open = append(open, bracket{tuple: makesTuple(out, t.Text)})
			case t.Text == "," && n > 0:
				open[n-1].commas++
			case t.Closes() && n > 0:
				last := len(out) - 1
				if out[last].Text == "," && out[last].Kind == python.Op && (open[n-1].commas > 1 || !open[n-1].tuple) {
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
func makesTuple(before []python.Token, bracket string) bool {
	called := false
	if n := len(before); n > 0 {
		p := before[n-1]
		called = p.Kind == python.Name && !pyKeyword[p.Text] || p.Kind == python.String || p.Closes()
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
func pyParens(tokens []python.Token) []python.Token {
	drop := make(map[int]bool)
	for i, t := range tokens {
		if t.Kind != python.Op || t.Text != "(" || i == 0 || !opensValue(tokens[i-1]) {
			continue
		}
		end, plain := closing(tokens, i)
		if plain && end+1 < len(tokens) && endsValue(tokens[i-1], tokens[end+1]) {
			drop[i], drop[end] = true, true
		}
	}
	var out []python.Token
	for i, t := range tokens {
		if !drop[i] {
			out = append(out, t)
		}
	}
	return out
}

func opensValue(t python.Token) bool {
	if t.Kind == python.Op {
		return strings.HasSuffix(t.Text, "=") && !slices.Contains([]string{"==", "!=", "<=", ">=", ":="}, t.Text)
	}
	return t.Kind == python.Name && slices.Contains([]string{"return", "assert", "if", "elif", "while"}, t.Text)
}

// endsValue reports whether a value that began after opener ends before next.
func endsValue(opener, next python.Token) bool {
	switch {
	case opener.Kind == python.Name && opener.Text == "assert":
		return next.Kind == python.Newline || next.Kind == python.Op && next.Text == ","
	case opener.Kind == python.Name && opener.Text != "return":
		return next.Kind == python.Op && next.Text == ":"
	}
	return next.Kind == python.Newline
}

// closing is the index of the parenthesis that closes the one at open, and whether what stands between is a plain
// expression: not empty, no comma, generator, yield, walrus or star at its top level.
func closing(tokens []python.Token, open int) (end int, plain bool) {
	plain = tokens[open+1].Text != ")" && tokens[open+1].Text != "*" && tokens[open+1].Text != "yield"
	depth := 0
	for i := open; i < len(tokens); i++ {
		t := tokens[i]
		switch {
		case t.Opens():
			depth++
		case t.Closes():
			if depth--; depth == 0 {
				return i, plain
			}
		case depth == 1 && (t.Kind == python.Op && (t.Text == "," || t.Text == ":=") || t.Kind == python.Name && t.Text == "for"):
			plain = false
		}
	}
	return len(tokens), false
}

// pyLines writes tokens as text, one list for each logical line, its newline at the end.
func pyLines(tokens []python.Token) [][]string {
	var lines [][]string
	var line []string
	for i, t := range tokens {
		switch t.Kind {
		case python.Newline:
			lines, line = append(lines, append(line, "\n")), nil
		case python.Indent:
			line = append(line, "indent")
		case python.Dedent:
			line = append(line, "dedent")
		case python.String:
			first := i == 0 || tokens[i-1].Kind == python.Indent
			form := python.NormalString(t.Text, first && i+1 < len(tokens) && tokens[i+1].Kind == python.Newline)
			if i > 0 && tokens[i-1].Kind == python.String {
				if joined, ok := python.JoinStrings(line[len(line)-1], form); ok {
					line[len(line)-1] = joined
					continue
				}
			}
			line = append(line, form)
		case python.Number:
			line = append(line, strings.ToLower(t.Text))
		default:
			line = append(line, " "+t.Text) // the space keeps a name apart from a structural word
		}
	}
	if line != nil {
		lines = append(lines, line)
	}
	return lines
}
