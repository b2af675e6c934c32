package code

import (
	"slices"
	"strings"

	program "fettle/internal/code"
	"fettle/internal/syntax"
)

// binding is one thing that a name was made to mean.
type binding struct {
	node   *program.Node // an expression; nil: see value
	member string        // of what the expression gives, where it is taken apart
	more   bool          // it is put to the end of what the name meant
	value  value
}

// bind notes what every name of the file is made to mean, by the function in which it is.
func (s *scan) bind() {
	for n := range s.file.Root.Walk() {
		switch n.Role {
		case program.Import:
			s.imported(n)
		case program.Assign:
			s.assigned(n)
		case program.Function, program.Class:
			s.declared(n)
			if up := n.Up(program.Function, program.Class); n.Name != "" && (up == nil || up == n || up.Role != program.Class) {
				s.own(outer(n), n.Name)
			}
		case program.Param:
			s.own(n.Function(), n.Name)
			s.offer(n.Function(), n.Name, binding{node: n.Kid(program.Value)})
		case program.Call:
			s.promised(n)
		case program.Name:
			if n.Part == program.Params || n.Part == program.Target && n.Parent.Is(program.Each) ||
				n.Parent.Is(program.Spread) && n.Parent.Part == program.Params {
				s.own(n.Function(), s.identifier(n.Name))
			}
		default: // makes no name
		}
	}
	s.gather()
}

// declared notes a class by its name, the last of several, and a function.
func (s *scan) declared(n *program.Node) {
	if n.Role == program.Class {
		s.classes[n.Name] = n
	} else if name := called(n); name != "" {
		s.bodies[name] = append(s.bodies[name], n)
	}
}

// outer is the function around a node that is not the node itself.
func outer(n *program.Node) *program.Node {
	if n.Parent == nil {
		return nil
	}
	return n.Parent.Function()
}

func (s *scan) put(scope *program.Node, name string, b binding) {
	if s.names[scope] == nil {
		s.names[scope] = make(map[string][]binding)
	}
	s.names[scope][name] = append(s.names[scope][name], b)
}

// own notes that a name is the file's own.
func (s *scan) own(scope *program.Node, name string) {
	s.put(scope, name, binding{value: value{path: "?" + name}})
}

// valuesOf are what the targets of an assignment are given, one for each where that is told: of Python's a, b = x, y the one list stands for its elements.
func valuesOf(n *program.Node) []*program.Node {
	targets, values := n.All(program.Target), n.All(program.Value)
	if len(targets) < 2 || len(values) != 1 || !values[0].Is(program.List) {
		return values
	}
	all := values[0].All(program.Elem)
	if spreads := func(e *program.Node) bool { return e.Is(program.Spread) }; len(all) != len(targets) || slices.ContainsFunc(all, spreads) || slices.ContainsFunc(targets, spreads) {
		return values
	}
	return all
}

func (s *scan) assigned(n *program.Node) {
	targets, values := n.All(program.Target), valuesOf(n)
	scope := n.Function()
	if n.Part == program.Params {
		for _, t := range targets {
			s.own(scope, t.Name)
			s.offer(scope, t.Name, binding{node: n.Kid(program.Value)})
		}
		return
	}
	if n.Op == "+=" {
		return // see gather
	}
	if n.Op != "=" && n.Op != ":=" && n.Op != "" {
		for _, t := range targets {
			s.own(scope, s.identifier(t.Name))
		}
		return
	}
	for i, t := range targets {
		if t.Role == program.Name && i < len(values) {
			if pieces := s.selfish(t.Name, values[i]); pieces != nil {
				s.more(n, t.Name, pieces...)
				continue
			}
		}
		switch {
		case i < len(values):
			s.target(scope, t, binding{node: values[i]})
		case t.Role == program.Name:
			s.own(scope, t.Name)
		}
	}
}

// target notes what a part of an assignment's left side means: names, lists of them, and objects taken apart.
func (s *scan) target(scope, t *program.Node, b binding) {
	switch t.Role {
	case program.Name:
		s.put(scope, s.identifier(t.Name), b)
	case program.List:
		elems := t.All(program.Elem)
		for i, e := range elems {
			inner := binding{value: value{path: "?" + e.Text()}}
			if b.node != nil && b.node.Role == program.List && len(b.node.All(program.Elem)) == len(elems) {
				inner = binding{node: b.node.All(program.Elem)[i]}
			}
			s.target(scope, e, inner)
		}
	case program.Map:
		for _, e := range t.All(program.Elem) {
			switch e.Role {
			case program.Name:
				s.put(scope, e.Name, binding{node: b.node, member: e.Name})
			case program.Pair:
				key := e.Kid(program.Key)
				if key == nil {
					continue
				}
				name := key.Name
				if v := s.eval(key, 0); key.Role == program.Str && v.known() {
					name = v.text
				}
				if to := e.Kid(program.Value); to != nil && to.Role == program.Name && b.node != nil {
					s.put(scope, to.Name, binding{node: b.node, member: name})
				}
			default: // no name
			}
		}
	default: // a part of something that has its name already
	}
}

func (s *scan) imported(n *program.Node) {
	at := s.file.Tree.Enclosing(n.Start, n.End)
	put := func(name, path string) {
		s.put(n.Function(), s.identifier(name), binding{value: named(s.identifier(path))})
	}
	switch s.file.Lang {
	case syntax.Python:
		pythonImport(at, put)
		for range at.Find("wildcard_import") {
			s.dots = append(s.dots, at.Child("module_name").Text())
		}
	case syntax.Go:
		for spec := range at.Find("import_spec") {
			path := strings.Trim(spec.Child("path").Text(), "\"`")
			names := []string{spec.Child("name").Text()}
			switch names[0] {
			case "":
				names = goPackages(path)
			case ".":
				s.dots = append(s.dots, path)
			}
			for _, name := range names {
				put(name, path)
			}
		}
	case syntax.Java:
		path := strings.TrimSuffix(strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(at.Text(), "import "), "static ")), ";")
		last := path[strings.LastIndexByte(path, '.')+1:]
		if strings.HasPrefix(at.Text(), "import static") && last != "*" {
			path = strings.TrimSuffix(path, "."+last)
			put(last, path[strings.LastIndexByte(path, '.')+1:]+"."+last)
		} else if last != "*" {
			put(last, last)
		}
	default:
		moduleImport(at, put)
	}
}

func pythonImport(at syntax.Node, put func(name, path string)) {
	module := at.Child("module_name").Text()
	for c := range at.NamedChildren() {
		if c.Field() != "name" {
			continue
		}
		name, alias := c.Text(), ""
		if c.Kind() == "aliased_import" {
			name, alias = c.Child("name").Text(), c.Child("alias").Text()
		}
		switch {
		case module != "" && alias == "":
			put(name, module+"."+name)
		case module != "":
			put(alias, module+"."+name)
		case alias != "":
			put(alias, name)
		default:
			top, _, _ := strings.Cut(name, ".")
			put(top, top)
		}
	}
}

func moduleImport(at syntax.Node, put func(name, path string)) {
	module := strings.Trim(at.Child("source").Text(), "\"'`")
	for spec := range at.Find("import_specifier") {
		name, alias := spec.Child("name").Text(), spec.Child("alias").Text()
		if alias == "" {
			alias = name
		}
		put(alias, module+"."+name)
	}
	for clause := range at.Find("import_clause") {
		for c := range clause.NamedChildren() {
			if c.Kind() == "identifier" {
				put(c.Text(), module)
			}
		}
	}
	for space := range at.Find("namespace_import") {
		for c := range space.NamedChildren() {
			put(c.Text(), module)
		}
	}
}
