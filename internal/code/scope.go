package code

import (
	"slices"

	"fettle/internal/syntax"
)

// Variable is a name that can be read somewhere.
type Variable struct {
	Name  string
	Kind  Kind
	Decl  *Node  // what makes it: a Param, a Name, a Function, a Class
	Type  string // as declared; empty: not said
	Near  int    // functions and classes between it and where it was asked for
	scope *Node  // where it is known
	from  int    // … from this byte on
}

// Kind is what a variable is.
type Kind uint8

// The kinds, nearest first.
const (
	Local Kind = iota
	Parameter
	Global    // of the file
	Callable  // a function or a class of the file
	Namespace // what an import makes known
)

// Scope are the variables that are known where the node stands and may have a value there, nearest first; of equals the last made first.
// A variable that its own declaration would read is not among them.
func (n *Node) Scope() []Variable {
	var out []Variable
	near := 0
	seen := map[string]bool{}
	for p := n; p != nil; p = p.Parent {
		if p.Role != Function && p.Role != Module {
			continue
		}
		made := n.File.made(p)
		for _, v := range slices.Backward(made) {
			if seen[v.Name] || !v.knownAt(n, p) {
				continue
			}
			seen[v.Name] = true
			v.Near = near
			out = append(out, v)
		}
		near++
	}
	return out
}

// knownAt reports whether a variable of the function, or file, holder may have a value at the node.
func (v *Variable) knownAt(n, holder *Node) bool {
	if v.scope != nil && !v.scope.Holds(n.Start, n.End) {
		return false
	}
	switch {
	case v.Kind == Parameter || v.Kind == Callable || v.Kind == Namespace:
		return true
	case holder.Role == Module && n.Up(Function) != nil:
		return true // it is read when the function is called
	case n.Start >= v.from:
		return true
	case n.File.Facts.BlockScoped:
		return false
	}
	// Made further down, but in a loop around both: known from the second round on.
	for p := n.Up(While, For, Each); p != nil && p.Start > holder.Start; p = p.Up(While, For, Each) {
		if p.Holds(v.from, v.from) && v.Decl.Start >= p.Start {
			return true
		}
	}
	return false
}

// made are the variables that a function or a file makes, in order.
func (f *File) made(holder *Node) []Variable {
	f.mu.Lock()
	defer f.mu.Unlock()
	if out, ok := f.scopes[holder]; ok {
		return out
	}
	m := &maker{file: f, holder: holder}
	m.visit(holder)
	f.scopes[holder] = m.out
	return m.out
}

type maker struct {
	file   *File
	holder *Node
	out    []Variable
}

func (m *maker) visit(n *Node) {
	for _, k := range n.Kids {
		switch {
		case n == m.holder && k.Part == Params:
			m.parameter(k)
		case k.Is(Function, Class):
			if k.Name != "" && (k.Role != Class || m.file.Facts.Name != "Java") && k.Parent.Is(Module, Block) && !k.Parent.Parent.Is(Class) {
				m.add(k, k.Name, Callable, "", nil, k.Start)
			}
			if k.Role == Class && m.holder.Role == Module {
				continue
			}
		case k.Is(Assign, Each) && (k.Declares || m.file.Lang == "python"):
			m.declared(k)
			m.visit(k)
		case k.Role == Import:
			m.imported(k)
		default:
			m.visit(k)
		}
	}
}

// parameter takes in a parameter, and the names in one that takes things apart.
func (m *maker) parameter(p *Node) {
	if p == nil {
		return
	}
	switch p.Role {
	case Param:
		if p.Name != "" && p.Name != "_" {
			m.add(p, p.Name, Parameter, p.Type, nil, p.Start)
			return
		}
		for _, k := range p.Kids {
			if k.Part != Value {
				m.parameter(k)
			}
		}
	case Name:
		m.add(p, p.Name, Parameter, "", nil, p.Start)
	case Assign:
		m.parameter(p.Kid(Target))
	default:
		for _, k := range p.Kids {
			if k.Part != Key {
				m.parameter(k)
			}
		}
	}
}

// declared takes in the names that an assignment or a loop makes.
func (m *maker) declared(n *Node) {
	scope := n.Up(Comprehension)
	if scope == nil || n.Role == Assign {
		scope = nil
		if m.file.Facts.BlockScoped {
			scope = n.Up(Block, For, Each, If, Switch, Case, Function, Module)
		}
	}
	if n.Role == Each && n.Kid(Body) != nil && m.file.Facts.BlockScoped {
		scope = n.Kid(Body)
	}
	from := n.End
	if n.Role == Each {
		from = n.Start
		if n.Kid(Body) == nil && scope != nil {
			from = scope.Start // what a comprehension gives is written before its loops
		}
	}
	var names func(t *Node)
	names = func(t *Node) {
		switch t.Role {
		case Name:
			if t.Name != "_" {
				kind := Local
				if m.holder.Role == Module {
					kind = Global
				}
				m.add(t, t.Name, kind, n.Type, scope, from)
			}
		case List, Map, Spread, Group, Pair, Assign:
			for _, k := range t.Kids {
				if k.Part != Key && k.Part != Value || t.Role == Pair && k.Part == Value {
					names(k)
				}
			}
		default: // a member or an element: no name is made
		}
	}
	for _, t := range n.All(Target) {
		names(t)
	}
}

// imported takes in what an import makes known, by its last words: a, b in "from x import a, y as b".
func (m *maker) imported(n *Node) {
	var words []string
	switch m.file.Lang {
	case syntax.Python:
		words = pythonImports(n.Text())
	case syntax.JavaScript, syntax.TypeScript, syntax.TSX:
		words = scriptImports(n.Text())
	default: // its packages and classes are known by how they are used
	}
	for _, w := range words {
		m.add(n, w, Namespace, "", nil, n.Start)
	}
}

func (m *maker) add(decl *Node, name string, kind Kind, typ string, scope *Node, from int) {
	for i, v := range m.out {
		if v.Name == name && v.scope == scope {
			if v.Type == "" {
				m.out[i].Type = typ
			}
			return
		}
	}
	m.out = append(m.out, Variable{Name: name, Kind: kind, Decl: decl, Type: typ, scope: scope, from: from})
}

// Fields are the members of the object that a method has of its own, as the class around the node writes to or declares them: "self.size", in the
// order of the source. Outside of a class there are none.
func (n *Node) Fields() []string {
	class := n.Up(Class)
	if class == nil {
		return nil
	}
	var out []string
	self := selfOf(n)
	if self == "" {
		return nil
	}
	for k := range class.Walk() {
		if k.Role != Assign {
			continue
		}
		for _, t := range k.All(Target) {
			name := ""
			switch {
			case t.ofSelf():
				name = t.Name
			case k.Declares && k.Up(Block) != nil && k.Up(Block).Parent == class:
				name = t.Text()
			}
			if name != "" && !slices.Contains(out, self+"."+name) {
				out = append(out, self+"."+name)
			}
		}
	}
	return out
}

// FieldTypes are the types that a class declares its fields to have, as they are spelled, by the fields' names; of those it does not say there is nothing.
func (n *Node) FieldTypes() map[string]string {
	types := map[string]string{}
	for k := range n.Walk() {
		if !k.Is(Assign) || !k.Declares || k.Type == "" || k.Up(Block) == nil || k.Up(Block).Parent != n {
			continue
		}
		for _, t := range k.All(Target) {
			if types[t.Text()] == "" {
				types[t.Text()] = k.Type
			}
		}
	}
	return types
}

// ofSelf reports a member of the method's own object.
func (n *Node) ofSelf() bool {
	object := n.Kid(Object)
	return n.Role == Attr && (object.Is(Self) || object.Is(Name) && object.Name == selfOf(n))
}

// selfOf is what a method calls its object.
func selfOf(n *Node) string {
	if s := n.File.Facts.Self; s != "" {
		return s
	}
	fn := n.Function()
	for up := fn.Function(); up != nil; up = up.Function() {
		fn = up
	}
	if fn == nil || n.File.Lang != "python" {
		return ""
	}
	if p := fn.Kid(Params); p.Is(Name) {
		return p.Name
	}
	return ""
}
