package audit

import (
	"bytes"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"
)

// pyKind is what a Python token is.
type pyKind int

const (
	pyName pyKind = iota
	pyNumber
	pyString
	pyOp
	pyNewline // ends a logical line
	pyIndent
	pyDedent
	pyComment
)

// pyToken is one token of Python source. Line breaks inside brackets, joined lines and blank lines make no token.
type pyToken struct {
	kind pyKind
	text string // as written; empty for newline, indent, dedent
	line int    // 1-based, where it begins
}

func (t pyToken) opens() bool {
	return t.kind == pyOp && (t.text == "(" || t.text == "[" || t.text == "{")
}

func (t pyToken) closes() bool {
	return t.kind == pyOp && (t.text == ")" || t.text == "]" || t.text == "}")
}

// errPython says that a source is not tokens of Python: an open string or bracket, a dedent to no outer level.
var errPython = errors.New("not Python")

// pyTokens splits Python source into tokens as its reference describes (Lexical analysis, 3.14), with f-strings as one
// token each. It accepts every version of Python 3.
func pyTokens(src []byte) ([]pyToken, error) {
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	text := strings.ReplaceAll(strings.ReplaceAll(string(src), "\r\n", "\n"), "\r", "\n")
	s := pyScanner{src: text, line: 1, indents: []int{0}}
	if err := s.run(); err != nil {
		return nil, err
	}
	return s.out, nil
}

type pyScanner struct {
	src     string
	at      int
	line    int
	indents []int  // columns of the open blocks
	open    []byte // brackets that are open
	out     []pyToken
}

func (s *pyScanner) run() error {
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
		return errPython
	}
	if !s.fresh() {
		s.add(pyNewline, "")
	}
	for len(s.indents) > 1 {
		s.indents = s.indents[:len(s.indents)-1]
		s.add(pyDedent, "")
	}
	return nil
}

// fresh reports whether the next token begins a logical line.
func (s *pyScanner) fresh() bool {
	for i := len(s.out) - 1; i >= 0; i-- {
		if s.out[i].kind != pyComment {
			return s.out[i].kind != pyName && s.out[i].kind != pyNumber && s.out[i].kind != pyString && s.out[i].kind != pyOp
		}
	}
	return true
}

func (s *pyScanner) add(k pyKind, text string) {
	s.out = append(s.out, pyToken{kind: k, text: text, line: s.line})
}

// indentation reads the white space before a logical line. Lines that are blank or hold only a comment do not count.
func (s *pyScanner) indentation() error {
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
		s.add(pyIndent, "")
	}
	for column < s.indents[len(s.indents)-1] {
		s.indents = s.indents[:len(s.indents)-1]
		s.add(pyDedent, "")
	}
	if column != s.indents[len(s.indents)-1] {
		return errPython
	}
	return nil
}

// next reads one token, or one piece of white space.
func (s *pyScanner) next() error {
	if s.at >= len(s.src) {
		return nil
	}
	c := s.src[s.at]
	switch {
	case c == '\n':
		if len(s.open) == 0 && !s.fresh() {
			s.add(pyNewline, "")
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
		s.add(pyComment, s.src[s.at:s.at+end])
		s.at += end
	case c >= '0' && c <= '9' || c == '.' && s.at+1 < len(s.src) && isDigit(s.src[s.at+1]):
		s.take(pyNumber, pyNumberEnd(s.src[s.at:]))
	case c == '"' || c == '\'':
		return s.str(0)
	default:
		return s.word(c)
	}
	return nil
}

// take adds a token of n bytes.
func (s *pyScanner) take(k pyKind, n int) {
	s.add(k, s.src[s.at:s.at+n])
	s.line += strings.Count(s.src[s.at:s.at+n], "\n")
	s.at += n
}

func (s *pyScanner) word(c byte) error {
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
		s.take(pyName, n)
		return nil
	}
	return s.op(c)
}

// pyOps are the operators of more than one character, longest first.
var pyOps = []string{"**=", "//=", ">>=", "<<=", "...", "!=", "->", ":=", "**", "//", "<<", ">>", "<=", ">=", "==", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "@="}

func (s *pyScanner) op(c byte) error {
	switch c {
	case '(', '[', '{':
		s.open = append(s.open, c)
	case ')', ']', '}':
		n := len(s.open)
		if n == 0 || s.open[n-1] != map[byte]byte{')': '(', ']': '[', '}': '{'}[c] {
			return errPython
		}
		s.open = s.open[:n-1]
	}
	for _, op := range pyOps {
		if strings.HasPrefix(s.src[s.at:], op) {
			s.take(pyOp, len(op))
			return nil
		}
	}
	if !strings.ContainsRune("()[]{}:,;.+-*/%&|^~<>=@!", rune(c)) {
		return errPython
	}
	s.take(pyOp, 1)
	return nil
}

func (s *pyScanner) str(prefix int) error {
	n, ok := pyStringEnd(s.src[s.at:], prefix)
	if !ok {
		return errPython
	}
	s.take(pyString, n)
	return nil
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// pyNumberEnd is the length of the number that s begins with.
func pyNumberEnd(s string) int {
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
