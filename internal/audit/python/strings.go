package python

import (
	"strings"

	"fettle/internal/pattern"
)

// stringEnd is the length of the string literal that s begins with, whose prefix (r, b, f, …) has the given length.
func stringEnd(s string, prefix int) (int, bool) {
	quote := s[prefix : prefix+1]
	if strings.HasPrefix(s[prefix:], strings.Repeat(quote, 3)) {
		quote = strings.Repeat(quote, 3)
	}
	formatted := strings.ContainsAny(s[:prefix], "fFtT")
	for i := prefix + len(quote); i < len(s); {
		switch {
		case strings.HasPrefix(s[i:], quote):
			return i + len(quote), true
		case s[i] == '\\':
			i += 2 // also in raw strings a backslash keeps the quote from ending the string
		case s[i] == '\n' && len(quote) == 1:
			return 0, false
		case formatted && (strings.HasPrefix(s[i:], "{{") || strings.HasPrefix(s[i:], "}}")):
			i += 2
		case formatted && s[i] == '{':
			n, ok := fieldEnd(s[i:], quote)
			if !ok {
				return 0, false
			}
			i += n
		default:
			i++
		}
	}
	return 0, false
}

// fieldEnd is the length of the replacement field {…} that s begins with, inside an f-string with the given quote. Its
// expression may hold strings (since 3.12 with the same quotes); its format specification may hold fields, but no strings.
func fieldEnd(s, quote string) (int, bool) {
	depth := 0
	for i := 1; i < len(s); {
		switch c := s[i]; {
		case c == '\'' || c == '"':
			n, ok := stringEnd(s[i:], 0)
			if !ok {
				return 0, false
			}
			i += n
		case c == '(' || c == '[' || c == '{':
			depth++
			i++
		case c == '}' && depth == 0:
			return i + 1, true
		case c == ')' || c == ']' || c == '}':
			depth--
			i++
		case c == ':' && depth == 0:
			n, ok := specEnd(s[i:], quote)
			return i + n, ok
		case c == '\n' && len(quote) == 1 && depth < 0:
			return 0, false
		default:
			i++
		}
	}
	return 0, false
}

// specEnd is the length of a format specification, from its colon to the brace that ends the field.
func specEnd(s, quote string) (int, bool) {
	for i := 1; i < len(s); {
		switch {
		case s[i] == '}':
			return i + 1, true
		case s[i] == '{':
			n, ok := fieldEnd(s[i:], quote)
			if !ok {
				return 0, false
			}
			i += n
		case strings.HasPrefix(s[i:], quote), s[i] == '\n' && len(quote) == 1:
			return 0, false
		default:
			i++
		}
	}
	return 0, false
}

// NormalString writes a string literal in one way of the several that mean the same: the prefix in lower case and without
// u, and the quotes as " where the content says nothing against it. A docstring is folded as inspect.cleandoc does, since
// formatters re-indent it.
func NormalString(lit string, docstring bool) string {
	cut := strings.IndexAny(lit, `'"`)
	prefix, body := strings.ReplaceAll(strings.ToLower(lit[:cut]), "u", ""), lit[cut:]
	quote := body[:1]
	if len(body) >= 6 && body[1:3] == quote+quote {
		quote = body[:3]
	}
	content := body[len(quote) : len(body)-len(quote)]
	kind := strings.Repeat(`"`, len(quote))
	if strings.ContainsAny(content, `'"`) {
		if strings.ContainsAny(prefix, "rft") {
			kind = quote // the quotes inside may not be read as text: keep the style
		} else {
			content = unescapeQuotes(content)
		}
	}
	if docstring && prefix == "" {
		content, kind = cleandoc(content), `"""`
	}
	return prefix + kind + content + kind
}

// JoinStrings joins the forms of two string literals that stand side by side, which is one string to Python, as formatters do
// when there is room. It keeps apart what differs in kind, and a number in an escape that the next string would make longer.
func JoinStrings(a, b string) (string, bool) {
	cut := strings.IndexAny(a, `'"`)
	kind := a[:cut] + `"`
	triple := strings.HasPrefix(a[cut:], `"""`) && len(a)-cut >= 6
	if triple || !strings.HasPrefix(a, kind) || !strings.HasPrefix(b, kind) || strings.HasPrefix(b, a[:cut]+`"""`) || openEscape.MatchString(a) {
		return "", false
	}
	return a[:len(a)-1] + b[cut+1:], true
}

var openEscape = pattern.New(`\\[0-7]{1,2}"$`)

// unescapeQuotes takes the backslashes away that stand only before quotes.
func unescapeQuotes(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
			if s[i] != '\'' && s[i] != '"' {
				b.WriteByte('\\')
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// cleandoc folds the indentation and the trailing white space of a docstring.
func cleandoc(s string) string {
	lines := strings.Split(s, "\n")
	margin := -1
	for i, l := range lines {
		l = strings.TrimRight(strings.ReplaceAll(l, "\t", "        "), " ")
		lines[i] = l
		if indent := len(l) - len(strings.TrimLeft(l, " ")); i > 0 && l != "" && (margin < 0 || indent < margin) {
			margin = indent
		}
	}
	for i := range lines {
		if i > 0 && lines[i] != "" {
			lines[i] = lines[i][margin:]
		}
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
