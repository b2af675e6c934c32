package shell

import (
	"slices"
	"strings"
)

// token is a name (with dots, as it is called), a text, or a character.
type token struct {
	kind tokenKind
	text string
	part string // what is known of a text with holes, with marks for these: an f-string, a template
}

type tokenKind int

const (
	nameToken tokenKind = iota
	textToken
	shellToken // a text that a shell runs
	otherToken
)

// tokens divides code. What stands in its texts to be put in there is code as well, and comes behind it.
func (l *Language) tokens(src string) []token {
	left := 4*len(src) + 1<<10 // what is open may be read again with each that stands within
	out, inner := l.divide(src, &left)
	for ; len(inner) > 0; inner = inner[1:] {
		more, deeper := l.divide(inner[0], &left)
		out = append(append(out, token{text: "\n", kind: otherToken}), more...)
		inner = append(inner, deeper...)
	}
	return out
}

// divide divides code, and returns the code that stands in its texts, as much of it as is left to be read.
func (l *Language) divide(src string, left *int) (out []token, inner []string) {
	out = make([]token, 0, len(src)/4)
	for i := 0; i < len(src); {
		c := src[i]
		q := l.quotedAt(src, i)
		switch {
		case q.end > 0:
			out, i = append(out, l.tokensOf(q)...), q.end
			if strings.Trim(q.text, wordLetters) != "" { // what stands there may be code all the same
				inner = append(inner, q.text)
			}
		case l.comment(src[i:], i == 0 || strings.IndexByte(" \t\n;{}(),", src[i-1]) >= 0):
			i += strings.IndexByte(src[i:]+"\n", '\n')
		case l.Name == "rust" && (lifetime(src[i:]) || rawRust(src[i:]) > 0):
			var t token
			if t, i = rustAt(src, i); t.text != "" {
				out = append(out, t)
			}
		case strings.IndexByte(l.Quotes, c) >= 0:
			t, end := l.textAt(src, i)
			if t.part == "" && formatted(out) && strings.Contains(t.text, "{") {
				t.part = l.holes(t.text)
			}
			if t.part != "" {
				inner = append(inner, l.embedded(src, i, end, left)...)
			}
			out, i = append(out, t), end
		case letter(c):
			j := nameEnd(src, i)
			name := dotted.Replace(src[i:j])
			out = append(out, token{kind: nameToken, text: strings.Trim(name, ".")})
			i = j
			if l.Name == "elixir" && strings.HasPrefix(src[i:], "!") { // File.rm!
				i++
			}
		case c == ' ' || c == '\t':
			i++
		default:
			out = append(out, token{kind: otherToken, text: src[i : i+1]})
			i++
		}
	}
	return out, inner
}

// formatted reports that the letters behind which a text begins make one of Python's with values in it.
func formatted(before []token) bool {
	n := len(before)
	return n > 0 && before[n-1].kind == nameToken && strings.ContainsAny(before[n-1].text, "fF") && len(before[n-1].text) <= 2
}

// openers begin code within a text: in Ruby "#{code}".
func (l *Language) openers() []string {
	switch l.Name {
	case "python":
		return []string{"{"}
	case "ruby", "elixir":
		return []string{"#{"}
	case "javascript":
		return []string{"${"}
	case "perl":
		return []string{"@{", "${"}
	case "php":
		return []string{"{$"}
	case "julia":
		return []string{"$("}
	}
	return nil
}

// knownPart is what is known of a text in such quotation marks; empty: the language puts nothing in there.
func (l *Language) knownPart(quote, text string) string {
	if !l.interpolates(quote, text) {
		return ""
	}
	return l.holes(text)
}

// holes is a text with marks in the place of what the language puts in there.
func (l *Language) holes(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		k := slices.IndexFunc(l.openers(), func(opener string) bool { return strings.HasPrefix(text[i:], opener) })
		switch {
		case k >= 0:
			opener := l.openers()[k]
			i += len(opener)
			bracket := opener[strings.IndexAny(opener, "{(")]
			i = min(len(text), i+closed(text[i:], bracket, closer(bracket)[0])+1)
		case text[i] == '$' && oneWord(" perl php julia ", l.Name):
			i = nameEnd(text, i+1)
		default:
			b.WriteByte(text[i])
			i++
			continue
		}
		b.WriteByte(hole)
	}
	return b.String()
}

// embedded is the code that begins in a text, of which a quotation mark need not be the end, and the variables that perl and PHP put there by their names.
func (l *Language) embedded(src string, begin, end int, left *int) (inner []string) {
	for i := begin; i < end; i++ {
		for _, opener := range l.openers() {
			if !strings.HasPrefix(src[i:], opener) {
				continue
			}
			k := strings.IndexAny(opener, "{(")
			code := src[i+k+1:]
			code = code[:closed(code, opener[k], closer(opener[k])[0])]
			if *left -= len(code); *left < 0 {
				return append(inner, "eval") // which hides what happens in all of these languages
			}
			inner = append(inner, code)
		}
		if src[i] == '$' && (l.Name == "perl" || l.Name == "php") {
			inner = append(inner, src[i:nameEnd(src, i)])
		}
	}
	return inner
}

// nameEnd is where a name ends that begins at i.
func nameEnd(src string, i int) int {
	j := i
	for j < len(src) && (letter(src[j]) || src[j] >= '0' && src[j] <= '9' || j > i && joins(src, j)) {
		j++
	}
	return j
}

func (l *Language) comment(rest string, fresh bool) bool {
	return fresh && slices.ContainsFunc(l.Comment, func(c string) bool { return strings.HasPrefix(rest, c) })
}

func letter(c byte) bool {
	return c == '_' || c == '$' || c == '@' || 'a' <= c|0x20 && c|0x20 <= 'z' || c >= 0x80
}

// joins reports a character that joins two names: a dot, a colon pair, an arrow.
func joins(src string, j int) bool {
	switch src[j] {
	case '.':
		return j+1 < len(src) && letter(src[j+1])
	case ':':
		return j+1 < len(src) && src[j+1] == ':' || src[j-1] == ':' && j+1 < len(src) && letter(src[j+1])
	case '?', '-':
		return j+1 < len(src) && (src[j] == '?' && src[j+1] == '.' || src[j] == '-' && src[j+1] == '>')
	case '>':
		return src[j-1] == '-'
	}
	return false
}

// textAt reads a quoted text.
func (l *Language) textAt(src string, i int) (token, int) {
	quote := src[i : i+1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(src[i:], triple) && l.Name == "python" {
		quote = triple
	}
	j := i + len(quote)
	var b strings.Builder
	for j < len(src) && !strings.HasPrefix(src[j:], quote) {
		if src[j] == '\\' && j+1 < len(src) && (quote != "`" || l.Name != "go") {
			b.WriteString(src[j : j+2])
			j += 2
			continue
		}
		b.WriteByte(src[j])
		j++
	}
	t := token{kind: textToken, text: b.String()}
	if quote != "`" || l.Name != "go" {
		t.text = ansi(t.text)
	}
	t.part = l.knownPart(quote, t.text)
	if quote == l.Shell {
		t.kind = shellToken
	}
	return t, min(j+len(quote), len(src))
}

// lifetime reports the mark of a lifetime in Rust, which begins no text: 'a.
func lifetime(src string) bool {
	return src[0] == '\'' && !strings.HasPrefix(src[min(2, len(src)):], "'") && !strings.HasPrefix(src[1:], `\`)
}

// rawRust is how many signs stand between the letter and the text of a raw text of Rust, with the quote: r#"…"# has two. Zero: it is none.
func rawRust(src string) int {
	n := 1
	for n < len(src) && src[n] == '#' {
		n++
	}
	if src[0] == 'r' && n < len(src) && src[n] == '"' {
		return n
	}
	return 0
}

// rustAt reads a raw text, or passes by the mark of a lifetime, and returns where that ends.
func rustAt(src string, i int) (token, int) {
	hashes := rawRust(src[i:])
	if hashes == 0 {
		return token{}, i + 1
	}
	text, _, _ := strings.Cut(src[i+hashes+1:], `"`+strings.Repeat("#", hashes-1))
	return token{kind: textToken, text: text}, min(i+2*hashes+1+len(text), len(src))
}

// interpolates reports a text in which the language puts values: what looks like one of a shell's is none of Python's.
func (l *Language) interpolates(quote, text string) bool {
	switch {
	case quote != "`" && quote != `"`:
		return false
	case l.Name == "javascript":
		return quote == "`" && strings.Contains(text, "${")
	case l.Name == "ruby", l.Name == "elixir":
		return strings.Contains(text, "#{")
	case l.Name == "perl", l.Name == "php", l.Name == "julia":
		return strings.ContainsAny(text, "$@")
	}
	return false
}

// closer is the character that ends what another begins.
func closer(open byte) string {
	if i := strings.IndexByte("([{<", open); i >= 0 {
		return ")]}>"[i : i+1]
	}
	return string(rune(open))
}
