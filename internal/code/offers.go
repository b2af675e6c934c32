package code

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strings"

	"fettle/internal/syntax"
)

// Offer is a name that a source makes known to others.
type Offer struct {
	Home   string // what it is taken from as HOME.NAME: a module or package, or a class
	Name   string
	Top    bool   // it stands at the source's top: its home is the module or package
	Kind   Kind   // Global, or Callable
	Type   string // of a value, as it is declared; of a function what it gives; empty: not said
	Value  *Node  // what a value is made from; nil: not said
	Params int    // how many values a function takes, its object apart; -1: it takes more or fewer
}

// Offers are the names that the source makes known to others, in its order: what stands at its top, and the members of its classes. What
// only the source itself may use, by its language's words or by custom, is left out.
func (f *File) Offers() []Offer {
	o := &offering{file: f, module: ModuleName(f.Path)}
	o.all(f.Root, o.module)
	return o.out
}

// ModuleName is what others call a source, or its package.
func ModuleName(file string) string {
	name := strings.TrimSuffix(path.Base(file), path.Ext(file))
	if syntax.LangOf(file) == syntax.Go || name == "__init__" || name == "index" {
		return path.Base(path.Dir(file))
	}
	return name
}

// offering gathers what a source offers.
type offering struct {
	file   *File
	module string
	out    []Offer
}

// all takes in what stands in a module or class, and not in a function of it. A class's own methods say which fields its objects have.
func (o *offering) all(n *Node, home string) {
	for _, k := range n.Kids {
		switch k.Role {
		case Function:
			o.function(k, home)
			if home != o.module {
				o.fields(k, home)
			}
		case Class:
			o.class(k, home)
		case Assign:
			o.assigned(k, home)
		case Other:
			if n.Role == Block && k.Part == Stmt && len(k.Kids) > 0 && k.Kids[0].Role == Name && k.Kids[0].Start == k.Start {
				o.add(Offer{Home: home, Name: k.Kids[0].Name, Kind: Global, Type: home}, k) // one of an enumeration
			}
		case Member:
			if n.Role == Block {
				o.add(Offer{Home: home, Name: k.Name, Kind: Global, Type: home}, k)
			}
		default:
			o.all(k, home)
		}
	}
}

func (o *offering) function(n *Node, home string) {
	if n.Name == "" || n.Name == "constructor" {
		return
	}
	params := n.All(Params)
	if o.file.Lang == syntax.Go && len(params) > 0 && strings.HasPrefix(n.Text(), "func (") {
		home, params = strings.TrimPrefix(params[0].Type, "*"), params[1:]
	}
	if o.file.Lang == syntax.Python && home != o.module && len(params) > 0 {
		params = params[1:]
	}
	count := len(params)
	for _, p := range params {
		if p.Is(Spread, Assign) || p.Kid(Value) != nil || strings.Contains(p.Text(), "...") {
			count = -1
			break
		}
	}
	o.add(Offer{Home: home, Name: n.Name, Kind: Callable, Type: n.Type, Params: count}, n)
}

// fields takes in what a method gives its object.
func (o *offering) fields(method *Node, home string) {
	for n := range method.Walk() {
		if n.Role != Assign {
			continue
		}
		for _, t := range n.All(Target) {
			if t.ofSelf() {
				o.add(Offer{Home: home, Name: t.Name, Kind: Global, Value: n.Kid(Value)}, t)
			}
		}
	}
}

func (o *offering) class(n *Node, home string) {
	if o.file.Lang == syntax.Go {
		o.goTypes(n)
		return
	}
	if n.Name == "" {
		return
	}
	if home == o.module && o.file.Lang != syntax.Java {
		o.add(Offer{Home: home, Name: n.Name, Kind: Callable, Params: -1}, n)
	}
	if !hidden(o.file, n.Name, n) {
		for _, p := range n.All(Params) { // of a record, by methods of their names
			o.add(Offer{Home: n.Name, Name: p.Name, Kind: Callable, Type: p.Type}, p)
		}
		o.all(n, n.Name)
	}
}

func (o *offering) assigned(n *Node, home string) {
	if !n.Declares && o.file.Lang != syntax.Python {
		return
	}
	if v := n.Kid(Value); v.Is(Function) && len(n.All(Target)) == 1 { // const f = () => …
		if t := n.Kid(Target); t.Is(Name, Member) {
			o.add(Offer{Home: home, Name: t.Name, Kind: Callable, Type: v.Type, Params: len(v.All(Params))}, n)
		}
		return
	}
	values := n.All(Value)
	for i, t := range n.All(Target) {
		if !t.Is(Name, Member) || t.Name == "_" {
			continue
		}
		offer := Offer{Home: home, Name: t.Name, Kind: Global, Type: n.Type}
		if i < len(values) {
			offer.Value = values[i]
		}
		o.add(offer, n)
	}
}

// goTypes takes in the fields of the structs that a declaration makes.
func (o *offering) goTypes(n *Node) {
	file, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+n.Text(), parser.SkipObjectResolution)
	if err != nil {
		return
	}
	for _, d := range file.Decls {
		made, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range made.Specs {
			typ, ok := spec.(*ast.TypeSpec)
			if !ok {
				continue
			}
			of, ok := typ.Type.(*ast.StructType)
			if !ok {
				continue
			}
			for _, field := range of.Fields.List {
				declared := ""
				if id, plain := field.Type.(*ast.Ident); plain {
					declared = id.Name
				}
				for _, name := range field.Names {
					o.add(Offer{Home: typ.Name.Name, Name: name.Name, Kind: Global, Type: declared}, n)
				}
			}
		}
	}
}

func (o *offering) add(x Offer, decl *Node) {
	if x.Name == "" || hidden(o.file, x.Name, decl) {
		return
	}
	x.Top = x.Home == o.module && decl.Up(Class) == nil
	for _, known := range o.out {
		if known.Home == x.Home && known.Name == x.Name {
			return
		}
	}
	o.out = append(o.out, x)
}

// hidden reports whether a name is only for the source, or class, that makes it. In Go that is for who asks to say: the same package may.
func hidden(f *File, name string, decl *Node) bool {
	switch f.Lang {
	case syntax.Go:
		return false
	case syntax.Python:
		return strings.HasPrefix(name, "_")
	default: // it is said where the name is made
	}
	for decl.Parent.Is(Declaration) {
		decl = decl.Parent
	}
	return strings.HasPrefix(name, "#") || strings.HasPrefix(decl.Text(), "private ")
}
