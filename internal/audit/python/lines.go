package python

import (
	"slices"
	"strings"
)

// Line is one logical line with the depth of its block.
type Line struct {
	Depth  int
	Number int
	Words  []string // its tokens' text
}

// Text is the line with a blank between its words.
func (l Line) Text() string { return strings.Join(l.Words, " ") }

// Lines reads the logical lines of Python source, every statement on its own and without comments.
func Lines(src []byte) ([]Line, bool) {
	tokens, err := Tokens(src)
	if err != nil {
		return nil, false
	}
	var lines []Line
	var cur Line
	depth := 0
	for _, t := range Statements(slices.DeleteFunc(tokens, func(t Token) bool { return t.Kind == Comment })) {
		switch t.Kind {
		case Indent:
			depth++
		case Dedent:
			depth--
		case Newline:
			lines, cur = append(lines, cur), Line{}
		default:
			if len(cur.Words) == 0 {
				cur.Depth, cur.Number = depth, t.line
			}
			cur.Words = append(cur.Words, t.Text)
		}
	}
	return lines, true
}

// Block is the lines of the block that the statement at i opens.
func Block(lines []Line, i int) []Line {
	end := i + 1
	for end < len(lines) && lines[end].Depth > lines[i].Depth {
		end++
	}
	return lines[i+1 : end]
}

// compound begins the statements whose block may stand on the same line.
var compound = map[string]bool{
	"if": true, "elif": true, "else": true, "for": true, "while": true, "try": true, "except": true, "finally": true,
	"with": true, "def": true, "class": true, "async": true,
}

// Statements gives every block its own lines and every simple statement too: "if x: a; b" becomes three lines.
func Statements(tokens []Token) []Token {
	var out []Token
	for i := 0; i < len(tokens); {
		end := i
		for end < len(tokens) && tokens[end].Kind != Newline {
			end++
		}
		line := tokens[i:end]
		i = end + 1
		for len(line) > 0 && (line[0].Kind == Indent || line[0].Kind == Dedent) {
			out, line = append(out, line[0]), line[1:]
		}
		if len(line) == 0 {
			continue
		}
		if colon := blockColon(line); colon >= 0 && colon+1 < len(line) {
			out = append(out, line[:colon+1]...)
			out = append(out, Token{Kind: Newline, line: line[colon].line}, Token{Kind: Indent, line: line[colon].line})
			out = append(out, statements(line[colon+1:])...)
			out = append(out, Token{Kind: Dedent, line: line[colon].line})
			continue
		}
		out = append(out, statements(line)...)
	}
	return out
}

// blockColon is the index of the colon that opens a compound statement's block, -1 if there is none.
func blockColon(line []Token) int {
	if !compound[line[0].Text] || line[0].Kind != Name {
		return -1
	}
	depth, lambdas := 0, 0
	for i, t := range line {
		switch {
		case t.Kind == Name && t.Text == "lambda" && depth == 0:
			lambdas++
		case t.Kind != Op:
		case t.Opens():
			depth++
		case t.Closes():
			depth--
		case t.Text == ":" && depth == 0 && lambdas > 0:
			lambdas--
		case t.Text == ":" && depth == 0:
			return i
		}
	}
	return -1
}

// statements ends each simple statement by a newline, also those that a semicolon ended.
func statements(line []Token) []Token {
	var out []Token
	for _, t := range line {
		if t.Kind == Op && t.Text == ";" {
			t = Token{Kind: Newline, line: t.line}
		}
		if t.Kind != Newline || len(out) > 0 && out[len(out)-1].Kind != Newline {
			out = append(out, t)
		}
	}
	if n := len(out); n > 0 && out[n-1].Kind != Newline {
		out = append(out, Token{Kind: Newline, line: out[n-1].line})
	}
	return out
}
