package code

import (
	program "fettle/internal/code"
	"fettle/internal/syntax"
)

// compared judges a comparison: with an operator, or by a function.
func (s *scan) compared(n *program.Node) {
	s.add(n, s.timed(n))
	s.add(n, s.door(n))
	s.add(n, s.whence(n))
}

// further judges a call by what it is given, whatever the tables say of it.
func (s *scan) further(n *program.Node) {
	if n.Kid(program.Callee) == nil {
		return
	}
	s.compared(n)
	s.add(n, s.keysIn(n))
	s.add(n, s.whispers(n))
	if s.file.Lang == syntax.Python {
		s.add(n, s.pythonOrigins(n))
	}
	s.add(n, s.bulk(n))
	s.add(n, s.records(n))
	s.add(n, s.discloses(n))
	s.add(n, s.worded(n))
	s.add(n, s.skims(n))
}
