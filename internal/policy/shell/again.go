package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// substitutions runs what stands in substitutions somewhere within a node that is not followed otherwise: in arithmetic, in
// subscripts, in tests.
func (s *shell) substitutions(n syntax.Node) {
	if n == nil {
		return
	}
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			s.substitute(n)
			return false
		case *syntax.ProcSubst:
			s.process(n)
			return false
		case *syntax.ParamExp:
			if n.Param != nil {
				s.arithmetic(n.Param.Value)
			}
		case *syntax.Lit:
			s.arithmetic(n.Value)
		case *syntax.SglQuoted:
			s.prompt(known(n.Value))
		}
		return true
	})
}

// arithmetic notes a variable whose value bash would evaluate as an expression, and with it a substitution in a subscript:
// x='a[$(cmd)]'; (( x )).
func (s *shell) arithmetic(name string) {
	for range maxDepth {
		v, ok := s.vars.get(s.target(name))
		if !ok {
			return
		}
		if strings.ContainsAny(v.text, "$`") {
			s.prompt(v)
			return
		}
		name = v.text // an expression, too, or the name of one
	}
}

// prompt runs the substitutions in a text that bash expands once more: a prompt, a subscript, a variable's @P. Quotation marks
// mean nothing in it, but within the substitutions, as in a here document.
func (s *shell) prompt(v value) {
	if !strings.ContainsAny(v.text, "$`\x00") {
		return
	}
	text, all := v.literal().exact()
	if !all {
		s.unseen(v)
		return
	}
	if s.depth >= maxDepth {
		s.opaque("shells within shells, too deep to be followed")
		return
	}
	sub := s.fork()
	sub.depth++
	parser := parsers.Get().(*syntax.Parser)
	word, err := parser.Document(strings.NewReader(strings.ToValidUTF8(text, "\ufffd")))
	parsers.Put(parser)
	if err != nil {
		s.opaque("this is no valid text for a shell to expand: " + complaint(err))
		return
	}
	sub.quoted(&syntax.DblQuoted{Parts: word.Parts})
}
