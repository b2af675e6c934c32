package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// hereDoc is the text of a here document.
func (s *shell) hereDoc(r *syntax.Redirect) value {
	if r.Hdoc == nil {
		return value{}
	}
	text := s.hereText(r)
	if r.Op == syntax.DashHdoc {
		lines := strings.Split(text.text, "\n")
		for i := range lines {
			lines[i] = strings.TrimLeft(lines[i], "\t")
		}
		text.text = strings.Join(lines, "\n")
	}
	return text
}

// hereText expands a here document, unless its mark is quoted.
func (s *shell) hereText(r *syntax.Redirect) value {
	for _, p := range r.Word.Parts {
		lit, plain := p.(*syntax.Lit)
		if plain && !strings.Contains(lit.Value, `\`) {
			continue
		}
		var raw strings.Builder
		for _, p := range r.Hdoc.Parts {
			if lit, ok := p.(*syntax.Lit); ok {
				raw.WriteString(lit.Value)
			}
		}
		return known(raw.String())
	}
	var out value
	for _, piece := range s.quoted(&syntax.DblQuoted{Parts: r.Hdoc.Parts}) {
		out = out.plus(piece.value)
	}
	return out
}
