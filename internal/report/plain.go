package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Plain is a text with what a terminal would obey, or would not show, spelled out: names, messages and sources are other people's. Ends of lines and tabs
// stay, and so does what the style dresses words with.
func (s Style) Plain(text string) string {
	var b strings.Builder
	for len(text) > 0 {
		if own := s.dressing(text); own != "" {
			b.WriteString(own)
			text = text[len(own):]
			continue
		}
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[0])
		case r == '\n', r == '\t', unicode.IsGraphic(r):
			b.WriteRune(r)
		default:
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
		text = text[size:]
	}
	return b.String()
}

// dressing is the sequence of the style's own that a text begins with; empty when it begins with none.
func (s Style) dressing(text string) string {
	if !s.Color || text[0] != escape[0] {
		return ""
	}
	for _, code := range []string{bold, dim, good, bad, warn, plain} {
		if own := sequence(code); strings.HasPrefix(text, own) {
			return own
		}
	}
	return ""
}

// Block is a text of several lines that may have them: see [WriteLine].
type Block string

// WriteLine writes one line. A text in it that is no [Block] cannot begin another, whatever it is the name of.
func WriteLine(w io.Writer, format string, args ...any) {
	fmt.Fprintf(w, format+"\n", onOneLine(args)...)
}

func onOneLine(args []any) []any {
	args = slices.Clone(args)
	for i, arg := range args {
		var text string
		switch v := arg.(type) {
		case string:
			text = v
		case error:
			text = v.Error()
		case fmt.Stringer:
			text = v.String()
		}
		if strings.Contains(text, "\n") {
			args[i] = strings.ReplaceAll(text, "\n", `\n`)
		}
	}
	return args
}
