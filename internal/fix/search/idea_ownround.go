package search

import (
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
)

// doneAtOnce are the functions that call what they are given before they end, so that it sees the round in which it was made.
var doneAtOnce = []string{
	"sorted", "sort", "map", "filter", "min", "max", "any", "all", "sum", "reduce", "next", "list", "set", "dict", "forEach", "some", "every", "find", "findIndex", "findLast", "flatMap", "replace",
	"replaceAll", "groupby", "accumulate", "from", "sub",
}

// ofItsRound has a function that a loop makes, and keeps, see what its own round has: where all of them look at one variable, all see what the last round left there.
func (s *site) ofItsRound(try func(change)) {
	loop := s.loopAround()
	if !s.Is(code.Function) || loop == nil || !s.outlives(loop) {
		return
	}
	switch s.fact().Family {
	case "Python":
		s.bindRound(loop, try)
	case "JavaScript":
		s.letRound(loop, try)
	}
}

// loopAround is the outermost loop, or comprehension, of the function that the site stands in.
func (s *site) loopAround() (loop *code.Node) {
	for n := s.Parent; n != nil && !n.Is(code.Function, code.Class); n = n.Parent {
		if n.Is(code.Each, code.For, code.While, code.Comprehension) {
			loop = n
		}
	}
	return loop
}

// outlives reports whether a function may be called later than in the round of the loop in which it is made.
func (s *site) outlives(loop *code.Node) bool {
	if s.Name != "" {
		for n := range loop.Walk() {
			if n.Role == code.Name && n.Name == s.Name && n.Part == code.Callee {
				return false
			}
		}
		return true
	}
	switch s.Part {
	case code.Callee, code.Operand:
		return false
	case code.Arg:
		return !slices.Contains(doneAtOnce, s.Parent.Calls())
	default:
	}
	return !s.Parent.Is(code.Keyword) || s.Parent.Name != "key"
}

// ofRound are the variables that a loop gives a value in each of its rounds and the function reads, in that order; not those that it makes, or changes, itself.
func (s *site) ofRound(loop *code.Node) (out []string) {
	made := map[string]bool{}
	for n := range loop.Own() {
		if n.Is(code.Each) || n.Is(code.Assign) && (n.Op == "=" || n.Op == ":=") {
			for _, t := range n.All(code.Target) {
				for k := range t.Walk() {
					made[k.Name] = made[k.Name] || k.Role == code.Name && (k == t || k.Part == code.Elem)
				}
			}
		}
	}
	for n := range s.Walk() {
		if n.Part == code.Params || n.Part == code.Target {
			made[n.Name] = false
		}
	}
	for n := range s.Walk() {
		if n.Role == code.Name && made[n.Name] && !slices.Contains(out, n.Name) {
			out = append(out, n.Name)
		}
	}
	return out
}

// bindRound gives a function of Python's parameters for what the loop gives variables: a parameter's default is taken when the function is made.
func (s *site) bindRound(loop *code.Node, try func(change)) {
	names := s.ofRound(loop)
	if len(names) == 0 {
		return
	}
	var bound []string
	for _, n := range names {
		bound = append(bound, n+"="+n)
	}
	at, text := s.Start+len("lambda"), " "+strings.Join(bound, ", ")
	all := s.All(code.Params)
	switch {
	case len(all) > 0 && strings.HasPrefix(all[len(all)-1].Text(), "**"):
		at, text = all[len(all)-1].Start, text[1:]+", "
	case len(all) > 0:
		at, text = all[len(all)-1].End, ","+text
	case s.Name != "":
		open := strings.IndexByte(s.Text(), '(')
		if open < 0 {
			return
		}
		at, text = s.Start+open+1, text[1:]
	}
	try(insert(at, text, 1, "all functions that the loop makes see what its last round leaves in %s", quote(names[0])))
}

// letRound has each round of a loop of JavaScript's make its own variables, where var makes one for the whole function, and nothing behind the loop asks for them.
func (s *site) letRound(loop *code.Node, try func(change)) {
	names := s.ofRound(loop)
	var edits []edit.Edit
	for n := range loop.Own() {
		head := n.Start
		switch {
		case n.Is(code.Declaration):
		case n.Is(code.Each) && n.Kid(code.Target) != nil:
			head = max(strings.LastIndex(n.File.Source[:n.Kid(code.Target).Start], "var "), head)
		default:
			continue
		}
		if !strings.HasPrefix(n.File.Source[head:], "var ") || !slices.ContainsFunc(names, func(name string) bool { return declares(n, name) }) {
			continue
		}
		edits = append(edits, edit.Edit{Start: head, End: head + len("var"), New: []byte("let")})
	}
	end := len(s.File.Source)
	if fn := loop.Function(); fn != nil {
		end = fn.End
	}
	if behind := s.File.Source[loop.End:end]; len(edits) == 0 || slices.ContainsFunc(names, func(name string) bool { return mentions(behind, name) }) {
		return
	}
	try(change{edits, 1, "all functions that the loop makes see what its last round leaves in " + quote(names[0])})
}

// declares reports whether a declaration, or a loop, makes a variable of that name.
func declares(n *code.Node, name string) bool {
	made := []*code.Node{n}
	if n.Is(code.Declaration) {
		made = n.All(code.Elem)
	}
	return slices.ContainsFunc(made, func(m *code.Node) bool {
		return slices.ContainsFunc(m.All(code.Target), func(t *code.Node) bool { return mentions(t.Text(), name) })
	})
}
