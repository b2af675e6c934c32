// Package python answers "of which words and lines is this Python source made?".
//
// It reads no grammar: [Tokens] and [Lines] are what is there also where a version of the language is newer than any grammar, or a file is only a part of one. What a
// string of text says in one spelling of the many, [NormalString] tells.
package python

import (
	"bytes"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind is what a Python token is.
type Kind int

// The kinds of tokens.
const (
	Name Kind = iota
	Number
	String
	Op
	Newline // ends a logical line
	Indent
	Dedent
	Comment
)

// Token is one token of Python source. Line breaks inside brackets, joined lines and blank lines make no token.
type Token struct {
	Kind Kind
	Text string // as written; empty for newline, indent, dedent
	line int    // 1-based, where it begins
}

// Opens reports whether a token opens a bracket.
func (t Token) Opens() bool {
	return t.Kind == Op && (t.Text == "(" || t.Text == "[" || t.Text == "{")
}

// Closes reports whether a token closes a bracket.
func (t Token) Closes() bool {
	return t.Kind == Op && (t.Text == ")" || t.Text == "]" || t.Text == "}")
}

// errSyntax says that a source is not tokens of Python: an open string or bracket, a dedent to no outer level.
var errSyntax = errors.New("not Python")

// Tokens splits Python source into tokens as its reference describes (Lexical analysis, 3.14), with f-strings as one
// token each. It accepts every version of Python 3.
func Tokens(src []byte) ([]Token, error) {
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	text := strings.ReplaceAll(strings.ReplaceAll(string(src), "\r\n", "\n"), "\r", "\n")
	s := scanner{src: text, line: 1, indents: []int{0}}
	if err := s.run(); err != nil {
		return nil, err
	}
	return s.out, nil
}

type scanner struct {
	src     string
	at      int
	line    int
	indents []int  // columns of the open blocks
	open    []byte // brackets that are open
	out     []Token
}

func (s *scanner) run() error {
	for s.at < len(s.src) {
		if len(s.open) == 0 && s.fresh() {
			if err := s.indentation(); err != nil {
				return err
			}
		}
		if err := s.next(); err != nil {
			return err
		}
	}
	if len(s.open) > 0 {
		return errSyntax
	}
	if !s.fresh() {
		s.add(Newline, "")
	}
	for len(s.indents) > 1 {
		s.indents = s.indents[:len(s.indents)-1]
		s.add(Dedent, "")
	}
	return nil
}

// fresh reports whether the next token begins a logical line.
func (s *scanner) fresh() bool {
	for i := len(s.out) - 1; i >= 0; i-- {
		if s.out[i].Kind != Comment {
			return s.out[i].Kind != Name && s.out[i].Kind != Number && s.out[i].Kind != String && s.out[i].Kind != Op
		}
	}
	return true
}

func (s *scanner) add(k Kind, text string) {
	s.out = append(s.out, Token{Kind: k, Text: text, line: s.line})
}

// indentation reads the white space before a logical line. Lines that are blank or hold only a comment do not count.
func (s *scanner) indentation() error {
	if s.at > 0 && s.src[s.at-1] != '\n' {
		return nil // after a comment or a semicolon's rest: the same line
	}
	column, i := 0, s.at
	for ; i < len(s.src); i++ {
		switch s.src[i] {
		case ' ':
			column++
		case '\t':
			column = column/8*8 + 8
		case '\f':
			column = 0
		default:
			goto counted
		}
	}
counted:
	s.at = i
	if i == len(s.src) || s.src[i] == '\n' || s.src[i] == '#' {
		return nil
	}
	if column > s.indents[len(s.indents)-1] {
		s.indents = append(s.indents, column)
		s.add(Indent, "")
	}
	for column < s.indents[len(s.indents)-1] {
		s.indents = s.indents[:len(s.indents)-1]
		s.add(Dedent, "")
	}
	if column != s.indents[len(s.indents)-1] {
		return errSyntax
	}
	return nil
}

// next reads one token, or one piece of white space.
func (s *scanner) next() error {
	if s.at >= len(s.src) {
		return nil
	}
	c := s.src[s.at]
	switch {
	case c == '\n':
		if len(s.open) == 0 && !s.fresh() {
			s.add(Newline, "")
		}
		s.at, s.line = s.at+1, s.line+1
	case c == ' ' || c == '\t' || c == '\f':
		s.at++
	case strings.HasPrefix(s.src[s.at:], "\\\n"):
		s.at, s.line = s.at+2, s.line+1
	case c == '#':
		end := strings.IndexByte(s.src[s.at:], '\n')
		if end < 0 {
			end = len(s.src) - s.at
		}
		s.add(Comment, s.src[s.at:s.at+end])
		s.at += end
	case c >= '0' && c <= '9' || c == '.' && s.at+1 < len(s.src) && isDigit(s.src[s.at+1]):
		s.take(Number, numberEnd(s.src[s.at:]))
	case c == '"' || c == '\'':
		return s.str(0)
	default:
		return s.word(c)
	}
	return nil
}

// take adds a token of n bytes.
func (s *scanner) take(k Kind, n int) {
	s.add(k, s.src[s.at:s.at+n])
	s.line += strings.Count(s.src[s.at:s.at+n], "\n")
	s.at += n
}

func (s *scanner) word(c byte) error {
	r, _ := utf8.DecodeRuneInString(s.src[s.at:])
	if r == '_' || unicode.IsLetter(r) {
		n := strings.IndexFunc(s.src[s.at:], func(r rune) bool {
			return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
		})
		if n < 0 {
			n = len(s.src) - s.at
		}
		if rest := s.src[s.at+n:]; n <= 2 && rest != "" && (rest[0] == '"' || rest[0] == '\'') && strings.Trim(strings.ToLower(s.src[s.at:s.at+n]), "rbuft") == "" {
			return s.str(n)
		}
		s.take(Name, n)
		return nil
	}
	return s.op(c)
}

// operators are the operators of more than one character, longest first.
var operators = []string{"**=", "//=", ">>=", "<<=", "...", "!=", "->", ":=", "**", "//", "<<", ">>", "<=", ">=", "==", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "@="}

func (s *scanner) op(c byte) error {
	switch c {
	case '(', '[', '{':
		s.open = append(s.open, c)
	case ')', ']', '}':
		n := len(s.open)
		if n == 0 || s.open[n-1] != map[byte]byte{')': '(', ']': '[', '}': '{'}[c] {
			return errSyntax
		}
		s.open = s.open[:n-1]
	}
	for _, op := range operators {
		if strings.HasPrefix(s.src[s.at:], op) {
			s.take(Op, len(op))
			return nil
		}
	}
	if !strings.ContainsRune("()[]{}:,;.+-*/%&|^~<>=@!", rune(c)) {
		return errSyntax
	}
	s.take(Op, 1)
	return nil
}

func (s *scanner) str(prefix int) error {
	n, ok := stringEnd(s.src[s.at:], prefix)
	if !ok {
		return errSyntax
	}
	s.take(String, n)
	return nil
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// numberEnd is the length of the number that s begins with.
func numberEnd(s string) int {
	hex := len(s) > 1 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')
	for i := 0; i < len(s); i++ {
		c := s[i]
		sign := (c == '+' || c == '-') && i > 0 && (s[i-1] == 'e' || s[i-1] == 'E') && !hex
		if !sign && c != '.' && c != '_' && !isDigit(c) && (c|0x20 < 'a' || c|0x20 > 'z') {
			return i
		}
	}
	return len(s)
}
