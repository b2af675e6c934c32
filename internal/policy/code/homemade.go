package code

import (
	"strings"

	program "fettle/internal/code"
	"fettle/internal/pattern"
)

// Ciphers of one's own: they keep nothing secret.
var (
	ciphers   = pattern.New(`(?i)(en|de)(crypt|cipher)|obfuscat|\bseal|(^|[._])x?or(_?(bytes|cipher|key|text|data))`)
	encrypted = pattern.New(`(?i)passw(or)?d|secret|token|credential|api_?key|cookie|session`)
)

// homemade judges a function that encrypts secrets and does it by turning bits over.
func (s *scan) homemade(f *program.Node) *hit {
	name := function(f)
	if !ciphers.MatchString(name) || !encrypted.MatchString(name) {
		return nil
	}
	if s.turnsBits(f, make(map[*program.Node]bool)) {
		return &hit{Weakening, Review, "a cipher of one's own"}
	}
	return nil
}

// compares matches functions that compare without telling by their time where two texts differ.
var compares = pattern.New(`(?i)equal|compare|verif|same`)

// turnsBits reports a function that, by itself or by others of the file, combines values by exclusive or.
func (s *scan) turnsBits(f *program.Node, seen map[*program.Node]bool) bool {
	if seen[f] || len(seen) > 8 || compares.MatchString(called(f)) {
		return false
	}
	seen[f] = true
	for n := range f.Walk() {
		if n.Role == program.Arith && n.Op == "^" || n.Role == program.Assign && n.Op == "^=" {
			return true
		}
		if g := s.carriedOut(n); g != nil && s.turnsBits(g, seen) {
			return true
		}
	}
	return false
}

// blocks judges a cipher that is called block by block: the same text always gives the same.
func blocks(c *call) *hit {
	made := c.s.unfolded(c.n.Kid(program.Callee).Kid(program.Object))
	return given(strings.Contains(made, "aes.NewCipher(") && c.n.Up(program.For, program.While, program.Each) != nil, Weakening, "aes, block by block")
}
