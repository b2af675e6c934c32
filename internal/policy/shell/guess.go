package shell

import "mvdan.cc/sh/v3/syntax"

// luck says which of several texts an expansion is taken to give. A statement is interpreted again and again, until all have
// been taken.
type luck struct {
	turn, of []int
	at       int
}

// next takes the next choice, and reports whether there is one.
func (l *luck) next() bool {
	l.turn, l.of, l.at = l.turn[:l.at], l.of[:l.at], 0
	for i := len(l.turn) - 1; i >= 0; i-- {
		if l.turn[i]++; l.turn[i] < l.of[i] {
			l.turn, l.of = l.turn[:i+1], l.of[:i+1]
			return true
		}
	}
	return false
}

// choose takes one of several texts.
func (s *shell) choose(texts []value) value {
	l := s.luck
	switch {
	case len(texts) == 1:
		return texts[0]
	case l == nil:
		return s.joined(texts)
	case l.at == len(l.turn):
		l.turn, l.of = append(l.turn, 0), append(l.of, len(texts))
	}
	l.at++
	if l.of[l.at-1] != len(texts) {
		return s.joined(texts) // the statement went another way this time
	}
	return texts[l.turn[l.at-1]]
}

// guess interprets a statement once for every choice that it comes to, and goes on in all worlds that it leaves.
func (s *shell) guess(f func(*shell) value) value {
	var l luck
	var ends []*shell
	was := s.luck
	for range maxWorlds {
		w := s.branch()
		w.luck = &l
		w.said = f(w)
		all := w.worlds()
		for _, other := range all {
			other.also, other.luck = nil, was
		}
		ends = append(ends, all...)
		if !l.next() {
			return s.become(ends)
		}
	}
	w := s.branch() // the rest, with what is not known
	w.luck = nil
	w.said = f(w)
	ends = append(ends, w.worlds()...)
	for _, other := range ends {
		other.also, other.luck = nil, was
	}
	return s.become(ends)
}

// choosy reports a statement in whose words commands are substituted.
func choosy(st *syntax.Stmt) bool {
	for _, r := range st.Redirs {
		if r.Word != nil && substitutes(r.Word.Parts) || r.Hdoc != nil && substitutes(r.Hdoc.Parts) {
			return true
		}
	}
	switch c := st.Cmd.(type) {
	case *syntax.CallExpr:
		return choosyAssigns(c.Assigns) || choosyWords(c.Args)
	case *syntax.DeclClause:
		return choosyAssigns(c.Args)
	case *syntax.ForClause:
		iter, ok := c.Loop.(*syntax.WordIter)
		return ok && choosyWords(iter.Items)
	case *syntax.CaseClause:
		return substitutes(c.Word.Parts)
	}
	return false
}

func choosyWords(words []*syntax.Word) bool {
	for _, w := range words {
		if substitutes(w.Parts) {
			return true
		}
	}
	return false
}

func choosyAssigns(list []*syntax.Assign) bool {
	for _, a := range list {
		if a.Value != nil && substitutes(a.Value.Parts) {
			return true
		}
		if a.Array == nil {
			continue
		}
		for _, e := range a.Array.Elems {
			if e.Value != nil && substitutes(e.Value.Parts) {
				return true
			}
		}
	}
	return false
}

func substitutes(parts []syntax.WordPart) bool {
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			return true
		case *syntax.DblQuoted:
			if substitutes(p.Parts) {
				return true
			}
		case *syntax.ParamExp:
			if p.Exp != nil && p.Exp.Word != nil && substitutes(p.Exp.Word.Parts) {
				return true
			}
		}
	}
	return false
}
