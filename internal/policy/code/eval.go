package code

import (
	"slices"
	"strconv"
	"strings"

	program "fettle/internal/code"
	"fettle/internal/syntax"
)

// deepest is how far values are followed, mostMade how many of what one name was made to mean.
const (
	deepest  = 24
	mostMade = 64
)

// answers are what was found out about expressions.
//
// Names are made of each other, in circles even, so that following every way would take longer than anybody waits. One question
// (depth 0) looks at each expression once: where it comes back to one that it is about, nothing more is known of it there. What was
// found on the way is true of this question alone, and forgotten with it.
type answers[T any] struct {
	known map[*program.Node]T
	asked map[*program.Node]T // what the present question has come by
}

func newAnswers[T any]() answers[T] {
	return answers[T]{make(map[*program.Node]T), make(map[*program.Node]T)}
}

// to is the answer to a question about an expression, found if it is not known yet. Nothing is known of what is too deep.
func (a answers[T]) to(n *program.Node, depth int, find func(n *program.Node, depth int) T) (found T) {
	if n == nil || depth > deepest {
		return found
	}
	if v, ok := a.known[n]; ok {
		return v
	}
	if v, ok := a.asked[n]; ok {
		return v
	}
	a.asked[n] = found
	found = find(n, depth)
	a.asked[n] = found
	if depth == 0 {
		clear(a.asked)
		a.known[n] = found
	}
	return found
}

// eval is what is known of an expression's value.
func (s *scan) eval(n *program.Node, depth int) value {
	if s.nested > 0 {
		if s.entered++; s.entered >= mostEntered {
			return value{}
		}
	}
	return s.values.to(n, depth, s.compute)
}

func (s *scan) compute(n *program.Node, depth int) value {
	switch n.Role {
	case program.Name:
		return s.lookup(n, s.identifier(n.Name), depth)
	case program.TypeRef:
		name, _, _ := strings.Cut(n.Text(), "<")
		if s.file.Lang == syntax.Java {
			name = javaName(name)
		}
		return named(name)
	case program.Str, program.Char:
		return s.literal(n, depth)
	case program.Int:
		return value{number: n.Text()}
	case program.List:
		return s.items(n, depth)
	case program.Map:
		return s.copied(n, depth)
	case program.Attr:
		return s.attribute(n, depth)
	case program.Index:
		return s.indexed(n, depth)
	case program.Slice:
		return s.sliced(n, depth)
	case program.Call:
		return s.result(n, depth)
	case program.Arith:
		return s.arith(n, depth)
	case program.Group, program.Wait, program.Unary:
		return s.eval(n.Kid(program.Operand), depth+1)
	case program.Assign:
		return s.eval(n.Kid(program.Value), depth+1)
	case program.Choice:
		return s.either(depth, n.Kid(program.Then), n.Kid(program.Else))
	case program.Logic:
		return s.either(depth, n.Kid(program.Left), n.Kid(program.Right))
	case program.Other:
		return s.other(n, depth)
	default:
		return value{}
	}
}

// attribute is what stands under a name in something. A function's constructor makes functions of text.
func (s *scan) attribute(n *program.Node, depth int) value {
	object := n.Kid(program.Object)
	for object.Is(program.Group) {
		object = object.Kid(program.Operand)
	}
	if n.Name == "constructor" && s.isFunction(object, depth) {
		return named("Function")
	}
	v := s.eval(object, depth+1).member(s.identifier(n.Name))
	if s.bound && n.Part != program.Target && !v.outside() {
		if held, ok := s.held(n, depth); ok {
			return held
		}
		if laid, ok := s.laidIn(n, n.Name, true, depth); ok {
			return laid
		}
	}
	if s.file.Lang == syntax.Java && v.outside() {
		v.path = javaName(v.path)
	}
	return s.home(v)
}

// isFunction reports a function, or what Object.getPrototypeOf says that all of its kind have.
func (s *scan) isFunction(n *program.Node, depth int) bool {
	if n.Is(program.Call) && s.eval(n.Kid(program.Callee), depth+1).path == "Object.getPrototypeOf" {
		n = n.Kid(program.Arg)
	}
	return n.Is(program.Function)
}

// other is the value of what has no role: the import of JavaScript's import(), the last of a sequence, what a cast holds.
func (s *scan) other(n *program.Node, depth int) value {
	if n.Text() == "import" {
		return named("import")
	}
	if len(n.Kids) > 0 {
		return s.eval(n.Kids[len(n.Kids)-1], depth+1)
	}
	return value{}
}

// copied is what an object was copied from that stands for a module or the like: { ...fs }.
func (s *scan) copied(n *program.Node, depth int) value {
	for _, e := range n.All(program.Elem) {
		if e.Role == program.Spread {
			if v := s.eval(e.Kid(program.Operand), depth+1); v.outside() {
				return v
			}
		}
	}
	return value{}
}

func (s *scan) either(depth int, nodes ...*program.Node) value {
	var v value
	for _, n := range nodes {
		if v = s.eval(n, depth+1); v.outside() {
			return v
		}
	}
	return v
}

func (s *scan) items(n *program.Node, depth int) value {
	v := value{isList: true}
	for _, e := range n.All(program.Elem) {
		if e.Role == program.Spread {
			if inner := s.eval(e.Kid(program.Operand), depth+1); inner.isList {
				v.list = append(v.list, inner.list...)
				continue
			}
		}
		v.list = append(v.list, s.eval(e, depth+1))
	}
	return v
}

// lookup is what a name means where a node stands.
func (s *scan) lookup(n *program.Node, name string, depth int) value {
	for scope := n.Function(); ; scope = outer(scope) {
		if all := s.means(scope, name); len(all) > 0 {
			v := s.meaning(name, all, depth)
			if v.path == "?"+name {
				if a, ok := s.argued(scope, name, depth); ok {
					return a
				}
				if o, ok := s.offered(scope, name, depth); ok {
					return o
				}
				if e, ok := s.oneOf(scope, n, name, depth); ok {
					return e
				}
			}
			return v
		}
		if scope == nil {
			break
		}
	}
	for _, path := range s.dots {
		if v := named(path + "." + name); s.knows(v.path) {
			return v
		}
	}
	if name == "self" && s.file.Lang != syntax.Python {
		return named("globalThis")
	}
	return named(name)
}

// meaning chooses among what a name was made to mean: something from outside, for it is the worst that a call could reach; a
// text or list if there is but one.
func (s *scan) meaning(name string, all []binding, depth int) value {
	own := value{path: "?" + name}
	var only value
	made := 0
	for _, b := range all {
		if b.more {
			continue
		}
		if made++; made > mostMade {
			break
		}
		v := b.value
		if b.node != nil {
			v = s.eval(b.node, depth+1)
		}
		if b.member != "" {
			v = v.member(b.member)
		}
		if v.outside() {
			return v
		}
		only = v
	}
	if made == 1 && (only.isText || only.isList) {
		return s.withMore(only, all, depth)
	}
	return own
}

func (s *scan) indexed(n *program.Node, depth int) value {
	object, at := n.Kid(program.Object), n.Kid(program.At)
	v := s.eval(object, depth+1)
	key := s.eval(at, depth+1)
	if i, err := strconv.Atoi(at.Text()); err == nil && v.isList && i >= 0 && i < len(v.list) {
		return v.list[i]
	}
	if key.known() {
		if slices.Contains(roots, v.path) {
			return s.lookup(s.file.Root, key.text, depth+1)
		}
		if v.path == "sys.modules" {
			return named(key.text)
		}
		if laid, ok := s.laidIn(n, key.text, true, depth); ok {
			return laid
		}
		return s.home(v.member(key.text))
	}
	if laid, ok := s.laidIn(n, "", false, depth); ok {
		return laid
	}
	if v.path != "" {
		return value{path: v.path + "[]"}
	}
	return value{path: "?[]"}
}

// sliced is a part of a text; only the whole turned round is computed.
func (s *scan) sliced(n *program.Node, depth int) value {
	v := s.eval(n.Kid(program.Object), depth+1)
	if v.known() && n.Kid(program.Low) == nil && n.Kid(program.High) == nil && n.Kid(program.Stride).Text() == "-1" {
		r := []rune(v.text)
		slices.Reverse(r)
		return text(string(r))
	}
	return value{}
}

// arith joins texts, formats them, and puts paths together.
func (s *scan) arith(n *program.Node, depth int) value {
	l, r := s.eval(n.Kid(program.Left), depth+1), s.eval(n.Kid(program.Right), depth+1)
	switch {
	case n.Op == "+" && (l.isText || r.isText):
		return text(l.part() + r.part())
	case n.Op == "%" && l.isText:
		args := r.list
		if !r.isList {
			args = []value{r}
		}
		return text(printf(l.text, args))
	case n.Op == "/" && l.isText:
		return text(l.text + "/" + r.part())
	case n.Op == "+" && l.isList && r.isList:
		return value{isList: true, list: append(slices.Clone(l.list), r.list...)}
	}
	return value{}
}
