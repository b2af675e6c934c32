package search

import (
	"strconv"
	"strings"

	"fettle/internal/code"
)

// What number is meant.

// beginsAt has a loop begin at 0 or 1 where it begins at a variable.
func (s *site) beginsAt(try func(change)) {
	switch made := s.Parent; {
	case !s.Is(code.Name):
		return
	case s.Part == code.Arg && made.Calls() == "range" && len(made.All(code.Arg)) > 1 && s.Prev() == nil:
	case s.Part == code.Value && made.Is(code.Assign) && (made.Part == code.Init || made.Parent.Part == code.Init):
	default:
		return
	}
	for i, first := range []string{"0", "1"} {
		try(replace(s.Node, first, 0.6-0.1*float64(i), "the loop begins at %s, not at %s", quote(first), quote(s.Name)))
	}
}

// knownOthers takes half of a number, twice of it, or the other thousand.
func (s *site) knownOthers(try func(change)) {
	n, err := strconv.Atoi(s.Text())
	if err != nil || n < leastDoubled {
		return
	}
	others := []string{thousands[s.Text()], strconv.Itoa(2 * n)}
	if n%2 == 0 {
		others = append(others, strconv.Itoa(n/2))
	}
	for i, other := range others {
		if other != "" {
			try(replace(s.Node, other, 0.5-0.1*float64(i), "%s should be %s", quote(s.Text()), quote(other)))
		}
	}
	s.mistyped(try)
}

// summed is a number by which a variable is changed together with another one by which the function changes it elsewhere: both were meant here.
func (s *site) summed(try func(change)) {
	update := s.Parent
	if s.Role != code.Int || s.Part != code.Value || !updates(update) || s.Function() == nil {
		return
	}
	own, err := strconv.Atoi(s.Text())
	if err != nil {
		return
	}
	tried := map[int]bool{}
	for n := range s.Function().Own() {
		if n == update || !updates(n) || n.Op != update.Op || n.Kid(code.Target).Text() != update.Kid(code.Target).Text() {
			continue
		}
		by, err := strconv.Atoi(n.Kid(code.Value).Text())
		if err != nil || tried[by] {
			continue
		}
		tried[by] = true
		try(replace(s.Node, strconv.Itoa(own+by), 0.3, "%s should be %s", quote(s.Text()), quote(strconv.Itoa(own+by))))
	}
}

// updates reports whether a node adds a number that is written out to a variable, or takes it away.
func updates(n *code.Node) bool {
	return n.Is(code.Assign) && (n.Op == "+=" || n.Op == "-=") && n.Kid(code.Value).Is(code.Int)
}

// leastMistyped is how many digits a number has of which two may have been typed in the wrong order.
const leastMistyped = 3

// mistyped exchanges two digits of a number that stand beside each other: 84600 for 86400.
func (s *site) mistyped(try func(change)) {
	text := s.Text()
	if len(text) < leastMistyped {
		return
	}
	for i := 1; i < len(text); i++ {
		if a, b := text[i-1], text[i]; a != b && (i > 1 || b != '0') {
			other := text[:i-1] + string(b) + string(a) + text[i+1:]
			try(replace(s.Node, other, 0.4, "%s should be %s: two digits were exchanged", quote(text), quote(other)))
		}
	}
}

// roundsDown reports a division of which whole numbers come.
func (s *site) roundsDown() bool {
	switch s.fact().Family {
	case "Python":
		return s.Op == "//"
	case "Go", "Java":
		return s.Op == "/"
	}
	return s.Op == "/" && s.Part == code.Arg && strings.HasPrefix(s.Parent.Kid(code.Callee).Text(), "Math.")
}

// roundsUp takes what is added before a division for another way of rounding: (cents + 50) / 100 is the nearest, (cents + 99) / 100 the next one up.
func (s *site) roundsUp(try func(change)) {
	sum := s.Parent
	if !sum.Is(code.Arith) || sum.Op != "+" {
		return
	}
	for sum.Parent.Is(code.Group) {
		sum = sum.Parent
	}
	quotient := sum.Parent
	if !quotient.Is(code.Arith) || sum.Part != code.Left || !s.at(quotient).roundsDown() {
		return
	}
	by := quotient.Kid(code.Right)
	up, half := by.Text()+" - 1", by.Text()+" "+quotient.Op+" 2"
	switch n, err := strconv.Atoi(by.Text()); {
	case err == nil && n > 1:
		up, half = strconv.Itoa(n-1), strconv.Itoa(n/2)
	case !by.Is(code.Name, code.Attr):
		return
	}
	for _, other := range []string{up, half} {
		if other != s.Text() {
			try(replace(s.Node, other, 0.9, "%s should be %s: it rounds otherwise", quote(s.Text()), quote(other)))
		}
	}
}

// longestRound is the largest number that counts as that of a round of days, months or hours.
const longestRound = 24

// around is the number after which a sum begins afresh, where the literal is a part of such a sum: in (day + 1) % 7 the 1 is one of seven. Zero: it is not.
func (s *site) around() int {
	sum := s.Parent
	if s.Role != code.Int || !sum.Is(code.Arith) || sum.Op != "+" && sum.Op != "-" {
		return 0
	}
	for sum.Parent.Is(code.Group) {
		sum = sum.Parent
	}
	if !sum.Parent.Is(code.Arith) || sum.Parent.Op != "%" || sum.Part != code.Left {
		return 0
	}
	m, err := strconv.Atoi(sum.Parent.Kid(code.Right).Text())
	if err != nil || m < 2 || m > longestRound {
		return 0
	}
	return m
}

// steps are the numbers of a round, those at its end and its beginning first.
func steps(m int) (out []string) {
	for i := 1; len(out) < m-1; i++ {
		out = append(out, strconv.Itoa(m-i))
		if i != m-i && len(out) < m-1 {
			out = append(out, strconv.Itoa(i))
		}
	}
	return append(out, "0")
}
