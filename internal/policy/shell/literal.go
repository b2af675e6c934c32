package shell

import (
	"strings"
)

// nameLetters are those of which a variable's name is made.
const nameLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"

// literal is unquoted text: backslashes go, a tilde at its beginning is a home, stars are patterns.
func (s *shell) literal(text string, first, arguments bool) value {
	if !strings.ContainsAny(text, `\*?[~`) {
		return known(text)
	}
	if first && text[0] == '~' {
		name, rest, slash := strings.Cut(text[1:], "/")
		if slash {
			rest = "/" + rest
		}
		if home, ok := s.home(name); ok {
			return home.plus(s.literal(rest, false, arguments))
		}
	}
	if name, rest, ok := strings.Cut(text, "="); first && ok && strings.HasPrefix(rest, "~") && strings.Trim(name, nameLetters) == "" {
		return known(name + "=").plus(s.literal(rest, true, arguments)) // it looks like an assignment: dd of=~/x
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text):
			if i++; text[i] != '\n' {
				b.WriteByte(text[i])
			}
		case !arguments:
			b.WriteByte(c)
		case c == '*':
			b.WriteByte(star)
		case c == '?':
			b.WriteByte(one)
		case c == '[' && bracket(text[i:]) > 0:
			b.WriteByte(one)
			i += bracket(text[i:])
		default:
			b.WriteByte(c)
		}
	}
	return known(b.String())
}

// bracket is where the expression in brackets ends with which a text begins; 0 if that is none. A closing bracket that comes first
// is one of its characters.
func bracket(text string) int {
	first := 1
	if len(text) > 1 && (text[1] == '!' || text[1] == '^') {
		first = 2
	}
	if len(text) <= first+1 {
		return 0
	}
	for i := first + 1; i < len(text); i++ {
		switch text[i] {
		case '/':
			return 0
		case ']':
			return i
		case '[':
			if k := strings.Index(text[i:], ":]"); strings.HasPrefix(text[i:], "[:") && k > 0 {
				i += k + 1
			}
		}
	}
	return 0
}

// home is what ~NAME stands for.
func (s *shell) home(name string) (value, bool) {
	switch name {
	case "":
		at, _ := s.attrs.get("HOME")
		if v, ok := s.vars.get("HOME"); ok && !at.gone {
			return v, true
		}
		return known(s.at.Home), true
	case "+":
		return s.variable("PWD")
	case "-":
		return anything, true
	case "root":
		return known("/root"), true
	}
	if strings.ContainsAny(name, "*?[\\") {
		return value{}, false
	}
	return known("/home/" + name), true
}

// patterns makes marks of the stars that an expansion leaves outside quotation marks.
func patterns(v value) value {
	if !strings.ContainsAny(v.text, "*?[") {
		return v
	}
	text := v.text
	for i := strings.IndexByte(text, '['); i >= 0; {
		if n := bracket(text[i:]); n > 0 {
			text = text[:i] + string(one) + text[i+n+1:]
		}
		k := strings.IndexByte(text[i+1:], '[')
		if k < 0 {
			break
		}
		i += 1 + k
	}
	return value{globbed.Replace(text), v.from}
}

// unescape removes the backslashes before the characters of set; a line that ends in one goes on.
func unescape(text, set string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) && strings.IndexByte(set, text[i+1]) >= 0 {
			if i++; text[i] == '\n' {
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}
