package loose

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"fettle/internal/pattern"
)

// quote is a string as strict JSON, with every character that the text had.
func quote(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string can always be written
	return strings.TrimSuffix(b.String(), "\n")
}

var (
	nameStart = pattern.New(`^[A-Za-z_$][A-Za-z0-9_$-]*`)
	number    = pattern.New(`^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?`)
)

// name reads a member's name.
func (p *parser) name() (string, *Broken) {
	if p.at >= len(p.text) {
		return "", p.fail(p.at, "")
	}
	switch p.text[p.at] {
	case '"', '\'', '`':
		return p.str()
	}
	found := nameStart.FindString(p.text[p.at:])
	if found == "" {
		return "", p.fail(p.at, "the name of a member should stand here, not %s", show(p.text[p.at:]))
	}
	p.at += len(found)
	p.mend("a name without quotes")
	return found, nil
}

// words are the literals, and what they are in JSON.
var words = map[string]string{"true": "true", "false": "false", "null": "null", "True": "true", "False": "false", "None": "null", "undefined": "null"}

func (p *parser) literal(out *strings.Builder) *Broken {
	rest := p.text[p.at:]
	if word := nameStart.FindString(rest); word != "" {
		strict, known := words[word]
		if !known {
			if len(word) == len(rest) { // perhaps only the beginning of one
				return p.fail(len(p.text), "")
			}
			return p.fail(p.at, "a value should stand here, not %s", show(rest))
		}
		if strict != word {
			p.mend("the literal " + word)
		}
		p.at += len(word)
		out.WriteString(strict)
		return nil
	}
	digits := number.FindString(rest)
	if digits == "" {
		return p.fail(p.at, "a value should stand here, not %s", show(rest))
	}
	if len(digits) == len(rest) {
		return p.fail(len(p.text), "")
	}
	strict := digits
	if !json.Valid([]byte(digits)) {
		f, err := strconv.ParseFloat(digits, 64)
		if err != nil {
			return p.fail(p.at, "%s is no number", show(digits))
		}
		p.mend("a number that is none of JSON's")
		strict = strconv.FormatFloat(f, 'g', -1, 64)
	}
	p.at += len(digits)
	out.WriteString(strict)
	return nil
}

// str reads a string in whatever quotes.
func (p *parser) str() (string, *Broken) {
	for _, three := range []string{`"""`, `'''`} {
		if p.has(three) {
			return p.verbatim(three)
		}
	}
	q := p.text[p.at]
	if q == '`' {
		return p.verbatim("`")
	}
	if q == '\'' {
		p.mend("single quotes")
	}
	start := p.at
	p.at++
	var b strings.Builder
	odd, escaped := -1, false // a backslash that JSON does not know; whether there are others
	for {
		if p.at >= len(p.text) {
			return "", p.fail(p.at, "")
		}
		switch c := p.text[p.at]; {
		case c == q:
			p.at++
			if odd >= 0 && escaped {
				return "", p.fail(odd, `the backslash in %s is no escape of JSON, and others in the string that begins on its line may be none either: write every backslash of the code twice`, show(p.text[odd:]))
			}
			return b.String(), nil
		case c == '\\':
			known, err := p.escape(&b, &odd)
			if err != nil {
				return "", err
			}
			escaped = escaped || known
		case c == '\n' || c == '\r' || c == '\t':
			p.mend("a line break or tab inside of a string")
			b.WriteByte(c)
			p.at++
		case c < 0x20:
			return "", p.fail(start, "there is a control character inside of the string")
		default:
			b.WriteByte(c)
			p.at++
		}
	}
}

// verbatim reads a string in which a backslash and what a template computes could be meant in two ways, so that neither may be there.
func (p *parser) verbatim(q string) (string, *Broken) {
	start := p.at
	rest := p.text[p.at+len(q):]
	n := strings.Index(rest, q)
	if n < 0 {
		return "", p.fail(len(p.text), "")
	}
	if strings.ContainsAny(rest[:n], "\\") || q == "`" && strings.Contains(rest[:n], "${") {
		return "", p.fail(start, "a string in %s holds a backslash or ${, which may be meant or not: write it as JSON does, in double quotes with \\n and \\\\", q)
	}
	p.mend("a string in " + q)
	p.at += len(q) + n + len(q)
	return rest[:n], nil
}

// escapes are those that stand for one byte.
var escapes = map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escape reads a backslash and what follows it, and reports whether it is an escape that code may hold as well.
func (p *parser) escape(b *strings.Builder, odd *int) (known bool, _ *Broken) {
	if p.at+1 >= len(p.text) {
		return false, p.fail(len(p.text), "")
	}
	c := p.text[p.at+1]
	if plain, ok := escapes[c]; ok {
		b.WriteByte(plain)
		p.at += 2
		return c != '"' && c != '/', nil
	}
	switch c {
	case '\'', '`':
		p.mend("a backslash before a quote that needs none")
		b.WriteByte(c)
		p.at += 2
		return false, nil
	case 'u':
		return true, p.unicode(b)
	}
	if *odd < 0 {
		*odd = p.at
	}
	p.mend("a backslash that should have been two")
	b.WriteByte('\\')
	p.at++
	return false, nil
}

func (p *parser) unicode(b *strings.Builder) *Broken {
	if p.at+6 > len(p.text) {
		return p.fail(len(p.text), "")
	}
	end := p.at + 6
	if p.at+12 <= len(p.text) && strings.HasPrefix(p.text[end:], `\u`) {
		var pair string
		if json.Unmarshal([]byte(`"`+p.text[p.at:p.at+12]+`"`), &pair) == nil && utf8.RuneCountInString(pair) == 1 {
			b.WriteString(pair)
			p.at += 12
			return nil
		}
	}
	var one string
	if json.Unmarshal([]byte(`"`+p.text[p.at:end]+`"`), &one) != nil || one == "\ufffd" && !strings.EqualFold(p.text[p.at+2:end], "fffd") {
		return p.fail(p.at, "%s is no escape of JSON: write every backslash of the code twice", show(p.text[p.at:end]))
	}
	b.WriteString(one)
	p.at = end
	return nil
}
