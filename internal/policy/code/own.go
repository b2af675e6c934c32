package code

import (
	"iter"
	"maps"
	"slices"
	"strings"

	program "fettle/internal/code"
	"fettle/internal/syntax"
)

// What the file's own functions do with values: a parameter is what its callers give, and a call is what its function gives back. Which function a
// call carries out is told by its name and the class of what it is called on, and not at all where several would do.

// called is the name of a function: its own, or that of the variable or member that it is given to.
func called(f *program.Node) string {
	up := f.Parent
	switch {
	case f.Name != "":
		return f.Name
	case up.Is(program.Assign) && f.Part == program.Value:
		if t := up.Kid(program.Target); t != nil {
			return t.Name
		}
	case up.Is(program.Pair) && f.Part == program.Value:
		return strings.Trim(up.Kid(program.Key).Text(), `"'`)
	}
	return ""
}

// body is the only function of the file that has a name, or the only one that is no member of anything, or nil.
func (s *scan) body(name string) *program.Node {
	all := s.bodies[name]
	if len(all) > 1 {
		all = s.free(name)
	}
	if name == "" || len(all) != 1 {
		return nil
	}
	return all[0]
}

// free are the functions of a name that are called by it alone; in Java all are.
func (s *scan) free(name string) []*program.Node {
	if s.file.Lang == syntax.Java {
		return s.bodies[name]
	}
	return slices.DeleteFunc(slices.Clone(s.bodies[name]), func(f *program.Node) bool { return s.owner(f) != "" || f.Parent.Is(program.Pair, program.Map) })
}

// carriedOut is the function of the file that a call carries out: of a class its constructor. It is nil where that is not known.
func (s *scan) carriedOut(n *program.Node) *program.Node {
	if !s.bound || !n.Is(program.Call) {
		return nil
	}
	if f, ok := s.targets[n]; ok {
		return f
	}
	s.targets[n] = nil // what asks for itself on the way is not known
	f := s.plain.findTarget(n)
	s.targets[n] = f
	return f
}

func (s *scan) findTarget(n *program.Node) *program.Node {
	callee := n.Kid(program.Callee)
	switch {
	case callee != nil && callee.Text() == "super":
		return s.fitting(n, s.constructors(s.classes[s.super(callee)]))
	case callee.Is(program.Attr):
		return s.method(n, callee)
	case callee.Is(program.TypeRef), callee.Is(program.Name) && s.classes[callee.Name] != nil:
		name, _, _ := strings.Cut(callee.Text(), "<")
		return s.fitting(n, s.constructors(s.classes[name]))
	case callee.Is(program.Name) && spelling[callee.Name] != "":
		return s.spelled(n, spelling[callee.Name])
	case callee.Is(program.Name):
		if all := s.bindings(callee, s.identifier(callee.Name)); len(all) == 0 || all[0].value.outside() {
			if s.file.Lang != syntax.Java {
				return nil
			}
		}
		if f := s.written(callee); f.Is(program.Function) {
			return f
		}
		return s.fitting(n, s.free(callee.Name))
	}
	return nil
}

// spelling are functions that make a text of an object, and the method that says how.
var spelling = map[string]string{"str": "__str__", "String": "toString"}

// spelled is the method by which an object of a class of the file is made a text of.
func (s *scan) spelled(n *program.Node, method string) *program.Node {
	class := s.classOf(n.Kid(program.Arg))
	for _, f := range s.bodies[method] {
		if class != "" && s.owner(f) == class {
			return f
		}
	}
	return nil
}

// method is what a call under a name of something carries out: of an object of the file's own classes, or of what is made of functions.
func (s *scan) method(n, callee *program.Node) *program.Node {
	all := s.bodies[callee.Name]
	if len(all) == 0 {
		return nil
	}
	if class := s.classOf(callee.Kid(program.Object)); class != "" {
		return s.fitting(n, s.ofClass(class, all))
	}
	object := s.written(callee.Kid(program.Object))
	if object.Is(program.Call) {
		if f := s.carriedOut(object); f != nil && slices.ContainsFunc(results(f), func(r *program.Node) bool {
			return s.written(r).Is(program.Map) && all[0].Up(program.Map) == s.written(r)
		}) {
			return s.fitting(n, all)
		}
	}
	if object.Is(program.Map) && all[0].Up(program.Map) == object {
		return s.fitting(n, all)
	}
	return nil
}

// fitting is the only one of some functions that takes as many arguments as a call gives; of one alone that is not asked.
func (s *scan) fitting(n *program.Node, all []*program.Node) *program.Node {
	if len(all) > 1 {
		given := len(n.All(program.Arg))
		all = slices.DeleteFunc(slices.Clone(all), func(f *program.Node) bool { return len(s.takes(f)) != given })
	}
	if len(all) != 1 || all[0].Holds(n.Start, n.End) {
		return nil
	}
	return all[0]
}

// constructors are those of a class, or of the nearest that it is made from.
func (s *scan) constructors(class *program.Node) []*program.Node {
	if class == nil {
		return nil
	}
	for _, of := range s.lineage(class.Name) {
		var all []*program.Node
		for _, name := range []string{"__init__", "constructor", of} {
			for _, f := range s.bodies[name] {
				if f.Up(program.Class) == s.classes[of] {
					all = append(all, f)
				}
			}
		}
		if len(all) > 0 {
			return all
		}
	}
	return nil
}

// owner is the class of a method; in Go the type of what it is called on.
func (s *scan) owner(f *program.Node) string {
	if s.file.Lang == syntax.Go {
		if r := receiver(f); r != nil {
			return bare(r.Type)
		}
		return ""
	}
	class := f.Up(program.Class, program.Function)
	if !class.Is(program.Class) {
		return ""
	}
	return class.Name
}

// receiver is what a method of Go is called on.
func receiver(f *program.Node) *program.Node {
	if f.Is(program.Function) && strings.HasPrefix(f.Text(), "func (") && f.Name != "" {
		return f.Kid(program.Params)
	}
	return nil
}

// bare is a type without what says how it is held.
func bare(t string) string {
	t, _, _ = strings.Cut(strings.TrimSpace(strings.TrimLeft(t, ":*& ")), "<")
	return t
}

// classOf is the class of the file that something is an object of.
func (s *scan) classOf(n *program.Node) string { return s.classAt(n, 0) }

func (s *scan) classAt(n *program.Node, depth int) string {
	const furthest = 8 // names may stand for each other in a circle
	switch {
	case n == nil, depth > furthest:
		return ""
	case s.super(n) != "":
		return s.super(n)
	case n.Role == program.Self, n.Role == program.Name && (n.Name == "self" || n.Name == "cls") && s.file.Lang == syntax.Python:
		if class := n.Up(program.Class); class != nil {
			return class.Name
		}
		return ""
	case n.Role == program.Call:
		return s.madeBy(n)
	case n.Role == program.Name:
		if t := bare(s.typeOf(n)); t != "" && t != "var" {
			return t
		}
		if s.classes[n.Name] != nil {
			return n.Name // a static method
		}
		if w := s.written(n); w != n && w != nil {
			return s.classAt(w, depth+1)
		}
	case n.Role == program.Map, n.Role == program.List:
		if s.file.Lang == syntax.Go {
			t, _, _ := strings.Cut(n.Text(), "{")
			return t
		}
	case n.Role == program.Unary, n.Role == program.Group:
		return s.classAt(n.Kid(program.Operand), depth+1)
	}
	return ""
}

// madeBy is the class of what a call gives: the one that it makes an object of, or the one that the function declares.
func (s *scan) madeBy(n *program.Node) string {
	if name := bare(n.Kid(program.Callee).Text()); s.classes[name] != nil {
		return name
	}
	f := s.carriedOut(n)
	if f != nil && isConstructor(f, s.owner(f)) {
		return s.owner(f)
	}
	return s.declaredClass(f)
}

// declaredClass is the type that a function says it gives.
func (s *scan) declaredClass(f *program.Node) string {
	if f == nil || s.file.Lang == syntax.Python {
		return ""
	}
	return bare(f.Type)
}

func isConstructor(f *program.Node, class string) bool {
	return f.Name == "__init__" || f.Name == "constructor" || f.Name == class
}

// takes are a function's parameters without what it is called on.
func (s *scan) takes(f *program.Node) []*program.Node {
	all := f.All(program.Params)
	switch s.file.Lang {
	case syntax.Go:
		if receiver(f) != nil {
			all = all[1:]
		}
		all = slices.DeleteFunc(slices.Clone(all), func(p *program.Node) bool { return p.Name == "" })
	case syntax.Python:
		if len(all) > 0 && (all[0].Name == "self" || all[0].Name == "cls") {
			all = all[1:]
		}
	default:
	}
	return all
}

// passed are the parameters of a function, each with what a call gives for it.
func (s *scan) passed(n, f *program.Node) iter.Seq2[*program.Node, *program.Node] {
	return func(yield func(param, arg *program.Node) bool) {
		params := s.takes(f)
		at := 0
		for _, a := range n.All(program.Arg) {
			if a.Role == program.Keyword {
				if i := slices.IndexFunc(params, func(p *program.Node) bool { return variable(p).Name == a.Name }); i >= 0 && !yield(variable(params[i]), a.Kid(program.Value)) {
					return
				}
				continue
			}
			if at >= len(params) {
				return
			}
			p := params[at]
			if p.Role != program.Spread && !strings.Contains(p.Text(), "...") {
				at++
			}
			if !yield(variable(p), a) {
				return
			}
		}
	}
}

// variable is what a parameter makes: a name, or what takes the argument apart.
func variable(p *program.Node) *program.Node {
	switch {
	case p.Role == program.Assign:
		return p.Kid(program.Target)
	case p.Role == program.Spread && p.Kid(program.Operand) != nil:
		return p.Kid(program.Operand)
	case p.Role == program.Param && len(p.Kids) > 0 && p.Kids[0].Is(program.Map, program.List):
		return p.Kids[0]
	}
	return p
}

// results are what a function gives back: what it returns, and what its only expression is.
func results(f *program.Node) []*program.Node {
	body := f.Kid(program.Body)
	if body == nil {
		return nil
	}
	if !body.Is(program.Block) {
		return []*program.Node{body}
	}
	var all []*program.Node
	for n := range f.Own() {
		if n.Role == program.Return {
			all = append(all, n.All(program.Value)...)
		}
	}
	return all
}

// yielded are the values that a generator gives one by one.
func yielded(f *program.Node) []*program.Node {
	var all []*program.Node
	for n := range f.Own() {
		if n.Role == program.Other && strings.HasPrefix(n.Text(), "yield") && len(n.Kids) > 0 {
			all = append(all, n.Kids[0])
		}
	}
	return all
}

// mostEntered bounds how many expressions of a file are looked at inside of calls.
const mostEntered = 30_000

// unfollowed says that calls were not looked into any more: what they do is for a person to see, where the file has to do with anything that could do harm.
func (s *scan) unfollowed() {
	if s.entered < mostEntered {
		return
	}
	grade := Note
	for _, all := range s.names[nil] {
		for _, b := range all {
			v := b.value
			if b.node != nil {
				v = s.eval(b.node, 0)
			}
			if slices.ContainsFunc(s.rules.modules, func(m string) bool { return v.path == m || strings.HasPrefix(v.path, m+".") }) {
				grade = Review
			}
		}
	}
	s.found = append(s.found, Capability{Class: Dynamic, Grade: grade, Name: "not all of it could be followed", Line: 1})
}

// inside is the file as it is while a call carries a function out: its parameters are what the call gives. It is nil where calls stand in each other too deep.
func (s *scan) inside(n, f *program.Node) *scan {
	const deepestCall = 4
	if s.nested >= deepestCall || s.entered >= mostEntered {
		return nil
	}
	given := make(map[string][]binding)
	for p, a := range s.passed(n, f) {
		if name := s.identifier(p.Name); name != "" && a.Role != program.Spread {
			given[name] = []binding{{node: a}}
		}
	}
	inner := s.with(f, given)
	inner.nested++
	s.entered++
	return inner
}

// with is the file as it is where names of a function mean something that is known.
func (s *scan) with(f *program.Node, given map[string][]binding) *scan {
	inner := &scan{facts: s.facts, assumed: maps.Clone(s.assumed), values: newAnswers[value](), nested: s.nested}
	if inner.assumed == nil {
		inner.assumed = make(map[*program.Node]map[string][]binding)
	}
	inner.assumed[f] = given
	return inner
}

// means is what a name was made to mean in a function.
func (s *scan) means(f *program.Node, name string) []binding {
	if all := s.assumed[f][name]; len(all) > 0 {
		return all
	}
	return s.names[f][name]
}

// gives is what is known of what a call of a function of the file gives: what comes from outside before what does not, an unknown text before a known one.
func (s *scan) gives(n *program.Node, depth int) (value, bool) {
	f := s.carriedOut(n)
	if f == nil {
		return value{}, false
	}
	all := results(f)
	if len(all) == 0 || len(all) > 8 {
		return value{}, false
	}
	inner := s.inside(n, f)
	if inner == nil {
		return value{}, false
	}
	var found value
	open := false
	for _, r := range all {
		v := inner.eval(r, depth+1)
		if v.outside() {
			return v, true
		}
		open = open || !v.isText && !v.isList && !r.Is(program.Null)
		if v.isText && (!found.isText || found.known()) || v.isList && !found.isText {
			found = v
		}
	}
	if open && (found.known() || found.isList) {
		return value{}, false // or something else
	}
	return found, found.isText || found.isList
}
