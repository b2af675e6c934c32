package shell

import "strings"

// quoted is a text that stands between other marks than quotation marks: perl's q(…), Ruby's %w[…], Lua's [[…]].
type quoted struct {
	text string
	form byte // w: words; x: a command; q: a text as it is; Q: one with values in it
	end  int  // the place behind it; zero: there is none
}

// wordLetters are those of plain words.
const wordLetters = nameLetters + " \n\t"

// quotedAt is the text between such marks that begins at i. One that has no end is none.
func (l *Language) quotedAt(src string, i int) quoted {
	switch l.Name {
	case "perl":
		return perlQuoted(src, i)
	case "ruby":
		return rubyQuoted(src, i)
	case "lua":
		return luaQuoted(src, i)
	}
	return quoted{}
}

// perlQuoted is q(…), qq{…}, qw/…/ or qx|…|. A name of these letters that is a key or a method's is none.
func perlQuoted(src string, i int) quoted {
	if src[i] != 'q' || i > 0 && strings.IndexByte("&%>", src[i-1]) >= 0 {
		return quoted{}
	}
	form, at := byte('q'), i+1
	if at < len(src) && strings.IndexByte("qwx", src[at]) >= 0 {
		if form = src[at]; form == 'q' {
			form = 'Q'
		}
		at++
	}
	open := at + len(src[at:]) - len(strings.TrimLeft(src[at:], " \t\n"))
	if open >= len(src) || strings.IndexByte(nameLetters+",;)]}>", src[open]) >= 0 || src[open] == '#' && open > at || strings.HasPrefix(src[open:], "=>") {
		return quoted{}
	}
	return between(src, open, form)
}

// rubyQuoted is %q(…), %w[…], %x{…}, %(…) and their like. Before a blank the sign divides.
func rubyQuoted(src string, i int) quoted {
	if src[i] != '%' || i+2 >= len(src) {
		return quoted{}
	}
	form, open := src[i+1], i+2
	switch form {
	case 'q', 'Q', 'w', 'x':
	case 's', 'i', 'I', 'W', 'r':
		form = map[byte]byte{'s': 'q', 'i': 'w', 'I': 'w', 'W': 'w', 'r': 'Q'}[form]
	default:
		form, open = 'Q', i+1
	}
	if strings.IndexByte(wordLetters+",;)]}>=", src[open]) >= 0 {
		return quoted{}
	}
	return between(src, open, form)
}

// luaQuoted is [[…]], or [==[…]==].
func luaQuoted(src string, i int) quoted {
	level := len(src[i:]) - len(strings.TrimLeft(src[i+1:], "=")) - 1
	begin := i + level + 2
	if src[i] != '[' || begin > len(src) || src[begin-1] != '[' {
		return quoted{}
	}
	end := "]" + strings.Repeat("=", level) + "]"
	text, _, closed := strings.Cut(src[begin:], end)
	if !closed {
		return quoted{}
	}
	return quoted{text: strings.TrimPrefix(text, "\n"), form: 'q', end: begin + len(text) + len(end)}
}

// between is the text from the mark at i up to the one that closes it. Brackets may stand within each other, and a backslash takes the next character along.
func between(src string, i int, form byte) quoted {
	open, end := src[i], closer(src[i])[0]
	depth := 1
	for j := i + 1; j < len(src); j++ {
		switch src[j] {
		case '\\':
			j++
		case end:
			if depth--; depth == 0 {
				return quoted{src[i+1 : j], form, j + 1}
			}
		case open:
			depth++
		}
	}
	return quoted{}
}

// tokensOf is such a text as the quotation marks would have it that could stand in its place: words are a list of texts.
func (l *Language) tokensOf(q quoted) []token {
	switch q.form {
	case 'w':
		out := []token{{kind: otherToken, text: "["}}
		for i, word := range strings.Fields(q.text) {
			if i > 0 {
				out = append(out, token{kind: otherToken, text: ","})
			}
			out = append(out, l.doubleQuoted(textToken, word))
		}
		return append(out, token{kind: otherToken, text: "]"})
	case 'x':
		return []token{l.doubleQuoted(shellToken, q.text)}
	case 'Q':
		return []token{l.doubleQuoted(textToken, ansi(q.text))}
	}
	return []token{{kind: textToken, text: q.text}}
}

// doubleQuoted is a text in which the language may put values.
func (l *Language) doubleQuoted(kind tokenKind, text string) token {
	return token{kind: kind, text: text, part: l.knownPart(`"`, text)}
}
