package code

import program "fettle/internal/code"

// further judges a call by what it is given, whatever the tables say of it.
func (s *scan) further(n *program.Node) {
	if n.Kid(program.Callee) == nil {
		return
	}
	for _, judge := range []func(*scan, *program.Node) *hit{(*scan).timed, (*scan).keysIn} {
		s.add(n, judge(s, n))
	}
}
