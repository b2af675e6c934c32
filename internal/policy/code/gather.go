package code

import (
	"slices"
	"strings"

	program "fettle/internal/code"
	"fettle/internal/syntax"
)

// growers are methods that put more to the end of a text or list, of whatever object.
var growers = set("push append add addAll WriteString Write write extend")

// printers are functions that write more into what their first argument points to.
var printers = set("fmt.Fprintf fmt.Fprint fmt.Fprintln io.WriteString")

// gather notes what is put to the end of texts and lists step by step, after it is known which names there are: q += x, q = q + x, list.push(x),
// b.WriteString(x).
func (s *scan) gather() {
	for n := range s.file.Root.Walk() {
		switch n.Role {
		case program.Assign:
			if t, v := n.Kid(program.Target), n.Kid(program.Value); n.Op == "+=" && t.Is(program.Name) && v != nil {
				s.more(n, t.Name, v)
			}
		case program.Call:
			s.grown(n)
		default: // gathers nothing
		}
	}
}

func (s *scan) grown(n *program.Node) {
	callee, args := n.Kid(program.Callee), n.All(program.Arg)
	if !callee.Is(program.Attr) || len(args) == 0 {
		return
	}
	if to := args[0].Kid(program.Operand); to.Is(program.Name) && printers[s.eval(callee, 0).path] {
		s.more(n, to.Name, args[1:]...)
		return
	}
	if !growers[callee.Name] {
		return
	}
	root := callee.Kid(program.Object)
	for root.Is(program.Call) && root.Kid(program.Callee).Is(program.Attr) && growers[root.Kid(program.Callee).Name] {
		root = root.Kid(program.Callee).Kid(program.Object)
	}
	if root.Is(program.Name) {
		s.more(n, root.Name, args...)
	}
}

// more notes that what a name means goes on with values.
func (s *scan) more(n *program.Node, name string, values ...*program.Node) {
	name = s.identifier(name)
	for scope := n.Function(); ; scope = outer(scope) {
		if len(s.names[scope][name]) > 0 {
			for _, v := range values {
				s.names[scope][name] = append(s.names[scope][name], binding{node: v, more: true})
			}
			return
		}
		if scope == nil {
			return
		}
	}
}

// selfish reports an assignment that only puts more to what its name means: q = q + x, list = append(list, x).
func (s *scan) selfish(name string, v *program.Node) []*program.Node {
	if v.Is(program.Call) && s.file.Lang == syntax.Go && v.Kid(program.Callee).Text() == "append" {
		if args := v.All(program.Arg); len(args) > 1 && args[0].Is(program.Name) && args[0].Name == name {
			return args[1:]
		}
	}
	var pieces []*program.Node
	for v.Is(program.Arith) && v.Op == "+" {
		pieces = append(pieces, v.Kid(program.Right))
		v = v.Kid(program.Left)
	}
	if !v.Is(program.Name) || v.Name != name {
		return nil
	}
	slices.Reverse(pieces)
	return pieces
}

// withMore is what a name means with all that was put to its end.
func (s *scan) withMore(v value, all []binding, depth int) value {
	const most = 64
	for i, b := range all {
		if !b.more || i > most {
			continue
		}
		n := b.node
		if n.Is(program.Spread) {
			n = n.Kid(program.Operand)
		}
		switch next := s.eval(n, depth+1); {
		case v.isText:
			v.text += next.part()
		case next.isList:
			v.list = append(slices.Clone(v.list), next.list...)
		default:
			v.list = append(slices.Clone(v.list), next)
		}
	}
	return v
}

// built is the text that was gathered in a builder: b.String(), sb.toString().
func (s *scan) built(callee *program.Node, depth int) (value, bool) {
	object := callee.Kid(program.Object)
	if !object.Is(program.Name) || callee.Name != "String" && (callee.Name != "toString" || s.file.Lang != syntax.Java) {
		return value{}, false
	}
	all := s.bindings(object, s.identifier(object.Name))
	if !slices.ContainsFunc(all, func(b binding) bool { return b.more }) {
		return value{}, false
	}
	first := text("")
	for _, b := range all {
		if b.node.Is(program.Call) && !b.more && b.node.Kid(program.Arg) != nil {
			if v := s.eval(b.node.Kid(program.Arg), depth+1); v.isText {
				first = v
			}
		}
	}
	return s.withMore(first, all, depth), true
}

// lists is what functions give that make lists of lists, or of their arguments.
func lists(f string, args []value) (value, bool) {
	switch f {
	case "List.of", "Arrays.asList", "Set.of", "Stream.of", "ImmutableList.of", "Lists.newArrayList", "Collections.singletonList":
		if len(args) == 1 && args[0].isList {
			return args[0], true
		}
		return value{isList: true, list: args}, true
	case "ArrayList", "LinkedList", "ArrayDeque", "Vector", "List.copyOf", "Array.from", "list", "tuple", "slices.Clone", "Collections.unmodifiableList":
		if len(args) == 0 {
			return value{isList: true}, f == "ArrayList" || f == "LinkedList"
		}
		return args[0], args[0].isList
	case "append", "slices.Concat":
		if len(args) == 0 || !args[0].isList {
			return value{}, false
		}
		v := value{isList: true, list: slices.Clone(args[0].list)}
		for _, a := range args[1:] {
			if f == "slices.Concat" {
				v.list = append(v.list, a.list...)
			} else {
				v.list = append(v.list, a)
			}
		}
		return v, true
	case "strings.Join":
		if len(args) == 2 && args[0].isList {
			return joinedBy(args[0].list, args[1].part()), true
		}
	case "String.join":
		if len(args) == 2 && args[1].isList {
			return joinedBy(args[1].list, args[0].part()), true
		}
		if len(args) > 1 {
			return joinedBy(args[1:], args[0].part()), true
		}
	}
	return finds(f, args)
}

func joinedBy(list []value, by string) value {
	parts := make([]string, 0, len(list))
	for _, v := range list {
		parts = append(parts, v.part())
	}
	return text(strings.Join(parts, by))
}

// listMethod is what a method of a list gives.
func listMethod(v value, name string, args []value) (value, bool) {
	switch name {
	case "join":
		by := ","
		if len(args) > 0 {
			by = args[0].part()
		}
		return joinedBy(v.list, by), true
	case "reverse", "toReversed":
		list := slices.Clone(v.list)
		slices.Reverse(list)
		return value{isList: true, list: list}, true
	case "concat":
		list := slices.Clone(v.list)
		for _, a := range args {
			if a.isList {
				list = append(list, a.list...)
			} else {
				list = append(list, a)
			}
		}
		return value{isList: true, list: list}, true
	}
	return value{}, false
}
