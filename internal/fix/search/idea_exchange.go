package search

import (
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
)

// exchange exchanges two literals of one kind, two variables, or the conditions of two branches: each was written where the other belongs.
func exchange(s *site, try func(change)) {
	if s.Role == code.If {
		s.exchangeConditions(try)
		s.inOrder(try)
		return
	}
	s.exchangeNames(try)
	s.exchangeLiterals(try)
	s.exchangeCalls(try)
	s.inEitherOrder(try)
}

// callsApart is how likely two functions were exchanged in statements that do not follow one another, against those that do.
const callsApart = 0.4

// exchangeCalls exchanges two functions that are taken for one another, where one function calls both: the earlier end and the later start.
func (s *site) exchangeCalls(try func(change)) {
	called := s.calledHere()
	if called == nil || s.Function() == nil {
		return
	}
	for n := range s.Function().Own() {
		other := s.at(n).calledHere()
		if other == nil || n.Start <= s.Start || n.Role != s.Role || other.Name == called.Name || !takenForOneAnother(called.Name, other.Name) {
			continue
		}
		w := 1.0
		if here, there := s.Statement(), n.Statement(); here != there && here.Next() != there {
			w = callsApart
		}
		c := replace(called, other.Name, w, "%s and %s were exchanged", quote(called.Name), quote(other.Name))
		c.edits = append(c.edits, edit.Edit{Start: other.Start, End: other.End, New: []byte(called.Name)})
		try(c)
	}
}

// calledHere is the name of what is called, where the site is that name: f of f(x), and of a.f(x); else nil.
func (s *site) calledHere() *code.Node {
	if s.Is(code.Name, code.Member) && (s.Part == code.Callee || s.Is(code.Member) && s.Parent.Part == code.Callee) {
		return s.Node
	}
	return nil
}

// eitherOrder are how a language exchanges A and B, of type T, where they come in the wrong order; I is the indentation, U one step more.
var eitherOrder = map[string]string{
	"Python": "if B < A:\nIUA, B = B, A", "Go": "if B < A {\nIUA, B = B, A\nI}", "Java": "if (B < A) {\nIUT smaller = B;\nIUB = A;\nIUA = smaller;\nI}",
	"JavaScript": "if (B < A) [A, B] = [B, A];",
}

// inEitherOrder puts two bounds into their order before a loop from the first to the second: a person may give them the other way round.
func (s *site) inEitherOrder(try func(change)) {
	form := eitherOrder[s.fact().Family]
	if form == "" || !s.isStatement() || !s.Is(code.Each, code.For) {
		return
	}
	from, to := s.fromTo()
	if from == nil || to == nil || from.Name == to.Name {
		return
	}
	a, b := s.assignable(from.Name), s.assignable(to.Name)
	if a == nil || b == nil || a.Type != b.Type || a.Type == "" && s.fact().Family == "Java" || s.has("smaller") {
		return
	}
	text := strings.NewReplacer("A", from.Name, "B", to.Name, "T", a.Type, "I", s.Indent(), "U", s.unit.pool(s.File).unit).Replace(form)
	c := s.before(text, 0.8)
	c.why = quote(from.Name) + " and " + quote(to.Name) + " may come in the other order"
	try(c)
}

// fromTo are the variables from which and up to which a loop counts; nil: it does not count up from one to another.
func (s *site) fromTo() (from, to *code.Node) {
	made, cond := assignment(s.Kid(code.Init)), s.Kid(code.Cond)
	first, last := made.Kid(code.Value), cond.Kid(code.Right)
	if over := s.Kid(code.Iter); over.Is(code.Call) && over.Calls() == "range" && len(over.All(code.Arg)) == 2 {
		first, last = over.All(code.Arg)[0], over.All(code.Arg)[1]
	} else if !cond.Is(code.Compare) || cond.Op != "<" && cond.Op != "<=" || cond.Kid(code.Left).Text() != made.Kid(code.Target).Text() {
		return nil, nil
	}
	if last.Is(code.Arith) {
		last = last.Kid(code.Left)
	}
	if !first.Is(code.Name) || !last.Is(code.Name) {
		return nil, nil
	}
	return first, last
}

// assignable is a variable of the function that can be given another value; nil: it is none, or a constant.
func (s *site) assignable(name string) *code.Variable {
	for _, v := range s.Scope() {
		if v.Name != name {
			continue
		}
		made := v.Decl
		if d := v.Decl.Up(code.Declaration); d != nil && s.Function().Holds(d.Start, d.End) {
			made = d
		}
		if v.Kind != code.Parameter && v.Kind != code.Local || strings.HasPrefix(made.Text(), "const ") || strings.HasPrefix(made.Text(), "final ") {
			return nil
		}
		return &v
	}
	return nil
}

// exchangeConditions exchanges the condition of a branch with that of the next one.
func (s *site) exchangeConditions(try func(change)) {
	next := s.Kid(code.Else)
	if next == nil && s.Part == code.Else && s.Parent.Role == code.If {
		next = s.Next() // the branches of one statement stand beside each other
	}
	a, b := s.Kid(code.Cond), next.Kid(code.Cond)
	if !next.Is(code.If) || a == nil || b == nil {
		return
	}
	c := replace(a, b.Text(), 1, "the conditions %s and %s were exchanged", quote(a.Text()), quote(b.Text()))
	c.edits = append(c.edits, edit.Edit{Start: b.Start, End: b.End, New: []byte(a.Text())})
	try(c)
}

// literals is how likely two literals were exchanged, against two conditions.
const literals = 0.79

// exchangeLiterals exchanges two literals of one kind.
func (s *site) exchangeLiterals(try func(change)) {
	if !exchangeable(s.Node) || s.Function() == nil {
		return
	}
	stmt := s.Statement()
	for n := range s.Function().Own() {
		if n.Start <= s.Start || n.Role != s.Role || !exchangeable(n) || n.Text() == s.Text() {
			continue
		}
		w := literals
		if n.Up(code.Logic) == nil || s.Up(code.Logic) == nil || n.Statement() != stmt { // not two parts of one question
			w *= 0.5
		}
		if s.Role == code.Int {
			w *= 0.5
		}
		c := replace(s.Node, n.Text(), w, "%s and %s were exchanged", quote(s.Text()), quote(n.Text()))
		c.edits = append(c.edits, edit.Edit{Start: n.Start, End: n.End, New: []byte(s.Text())})
		try(c)
	}
}

// exchangeable reports whether a node is a literal that says what is meant, and could be taken for another one.
func exchangeable(n *code.Node) bool {
	switch n.Role {
	case code.Str:
		return len(n.Kids) == 0 && !docString(n) && n.Part != code.Key && !n.Up(code.Import, code.Function).Is(code.Import)
	case code.Char, code.Int:
		return n.Part != code.Key
	case code.Other: // a regular expression
		return len(n.Kids) == 0 && len(n.Text()) > 2 && n.Text()[0] == '/' && n.Text()[1] != '/' && n.Text()[1] != '*'
	default:
		return false
	}
}
