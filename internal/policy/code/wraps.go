package code

import (
	"strings"

	program "fettle/internal/code"
	"fettle/internal/pattern"
)

// Functions of others in whose place a program puts its own, which hands on to them: whoever calls them goes through it, and does not know.

// wrappable matches what programs wrap of everybody's as a matter of course: what is called when something happens, and what they say themselves.
var wrappable = pattern.New(`(^|\.)(on[a-z]+|_*on[A-Z]\w*|console\.\w+|module\.exports(\.\w+)?|exports\.\w+|displayhook|breakpointhook|formatwarning|showwarning)$`)

// wraps judges that a function of the file is put where one of others was, and calls that one.
func (s *scan) wraps(target, value *program.Node) *hit {
	if !target.Is(program.Attr, program.Index) || s.tries(target) {
		return nil
	}
	v := s.eval(target, 0)
	if !theirs(v) {
		return nil
	}
	return s.wrapping(v.path, value, target.Text())
}

// theirs reports something that has a name outside of the project.
func theirs(v value) bool {
	return v.outside() && !strings.HasPrefix(v.path, ".") && !strings.HasPrefix(v.path, "@/") && !strings.HasSuffix(v.path, "[]") && !strings.ContainsAny(v.path, "()") && !wrappable.MatchString(v.path)
}

// wrapping judges a function that is put where something is, of which it has kept what was there.
func (s *scan) wrapping(path string, value *program.Node, spelled string) *hit {
	f := s.written(value)
	if f.Is(program.Call) { // what makes the function is given the one before
		if made := s.carriedOut(f); made != nil {
			f = made
		}
	}
	if !f.Is(program.Function) {
		return nil
	}
	for n := range f.Walk() {
		if !n.Is(program.Name, program.Attr) || n.Part == program.Target || n.Text() == spelled {
			continue
		}
		if s.kept(n, path) {
			return &hit{Interference, Review, path + " goes through a function of this file"}
		}
	}
	return nil
}

// kept reports a name of the file under which a function of others was kept, bound to what it is called on or not.
func (s *scan) kept(n *program.Node, path string) bool {
	if n.Role == program.Attr && n.Part != program.Callee && n.Parent.Part != program.Callee {
		return false
	}
	was := strings.TrimSuffix(s.eval(n, 0).path, ".bind()")
	if was != path {
		return false
	}
	last := path[strings.LastIndexByte(path, '.')+1:]
	for _, b := range s.bindings(n, s.identifier(n.Name)) {
		if n.Role == program.Name && (b.member == last || b.node != nil && strings.Contains(b.node.Text(), last)) {
			return true
		}
	}
	return n.Role == program.Attr && len(s.gets(s.fieldOf(n))) > 0
}
