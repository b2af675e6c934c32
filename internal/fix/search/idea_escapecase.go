package search

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"fettle/internal/code"
)

// arm is one of several places that each write a sign otherwise: a case of a switch, or a pair of a mapping.
type arm struct {
	whole, sign, text *code.Node
}

// fewestArms is how many signs are written otherwise where one of them may have been forgotten.
const fewestArms = 2

// escapeSelf writes the sign otherwise, too, with which all others of a switch or a mapping are written: a backslash, where a star becomes \2a, becomes \5c.
func (s *site) escapeSelf(try func(change)) {
	if !s.Is(code.Case, code.Pair) || s.fact().Family == "Python" && s.Is(code.Case) {
		return
	}
	var arms []arm
	for _, n := range s.Parent.Kids {
		if a, ok := armOf(n); ok {
			arms = append(arms, a)
		}
	}
	if len(arms) < fewestArms || arms[0].whole != s.Node {
		return
	}
	escape, coded := "", true
	for _, a := range arms {
		sign, text := said(a.sign), said(a.text)
		if escape == "" {
			escape = text[:1]
		}
		if len(text) < 2 || text[:1] != escape || sign == escape {
			return
		}
		coded = coded && strings.EqualFold(text[1:], fmt.Sprintf("%02x", sign))
	}
	if !slices.Contains([]string{`\`, "&", "%", "^", "~", "="}, escape) {
		return
	}
	meant := escape + escape
	switch {
	case coded:
		meant = escape + fmt.Sprintf("%02x", escape)
		if last := said(arms[len(arms)-1].text); strings.ToUpper(last) == last && strings.ToLower(last) != last {
			meant = strings.ToUpper(meant)
		}
	case escape == "&":
		meant = "&amp;"
	}
	a := arms[0]
	from := s.Start
	text := s.Text()[:a.sign.Start-from] + spelledLike(a.sign, escape) + s.Text()[a.sign.End-from:a.text.Start-from] + spelledLike(a.text, meant) + s.Text()[a.text.End-from:]
	between := "\n" + s.Indent()
	if s.Is(code.Pair) {
		between = s.File.Source[s.End:arms[1].whole.Start]
	}
	try(insert(s.Start, strings.TrimRight(text, " \n\t")+between, 1, "%s, with which others are written, has to be written otherwise itself", quote(spelledLike(a.sign, escape))))
}

// armOf is a case, or a pair, that stands for one sign and writes one text.
func armOf(n *code.Node) (a arm, ok bool) {
	var signs []*code.Node
	if n.Is(code.Pair) {
		signs = n.All(code.Key)
	} else if n.Is(code.Case) {
		signs = n.All(code.Value)
	}
	if len(signs) != 1 || !signs[0].Is(code.Str, code.Char) || utf8.RuneCountInString(said(signs[0])) != 1 {
		return a, false
	}
	a = arm{whole: n, sign: signs[0]}
	for k := range n.Walk() {
		if k == a.sign || !k.Is(code.Str) {
			continue
		}
		if a.text != nil || len(k.Kids) > 0 {
			return a, false
		}
		a.text = k
	}
	return a, a.text != nil && said(a.text) != ""
}

// marked are the quotation marks of a literal with what stands before them, and whether a backslash means itself between them.
func marked(n *code.Node) (opening string, raw bool) {
	at := strings.IndexAny(n.Text(), "\"'`")
	if at < 0 {
		return "", false
	}
	opening = n.Text()[:at+1]
	return opening, strings.HasPrefix(opening, "r") || n.File.Facts.Name == "Go" && opening == "`"
}

// said is what a literal of a text or a letter says, as far as backslashes in it stand for themselves.
func said(n *code.Node) string {
	opening, raw := marked(n)
	if opening == "" || len(n.Text()) < len(opening)+1 {
		return ""
	}
	text := n.Text()[len(opening) : len(n.Text())-1]
	if raw {
		return text
	}
	return strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\'`, "'").Replace(text)
}

// spelledLike is a text as a literal like another one.
func spelledLike(like *code.Node, text string) string {
	opening, raw := marked(like)
	mark := opening[len(opening)-1:]
	if !raw {
		text = strings.NewReplacer(`\`, `\\`, mark, `\`+mark).Replace(text)
	}
	return opening + text + mark
}
