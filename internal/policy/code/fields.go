package code

import (
	"slices"
	"strings"

	program "fettle/internal/code"
	"fettle/internal/syntax"
)

// links are the calls of each function of the file, and what the members of its classes are given: whichever object of the class it is, and whenever.
type links struct {
	callers map[*program.Node][]*program.Node
	members map[field][]*program.Node
	loose   map[string]bool // names of members that something of which nothing is known is given
}

// field is a member of the objects of a class of the file, or of what stands for itself outside of every class; the zero one is none.
type field struct{ class, name string }

// linked are the links of the file, found when they are first asked for; none while its names are not all known.
func (s *scan) linked() *links {
	if !s.bound {
		return new(links)
	}
	if s.links == nil {
		s.links = &links{make(map[*program.Node][]*program.Node), make(map[field][]*program.Node), make(map[string]bool)}
		for n := range s.file.Root.Walk() {
			s.plain.linking(n)
		}
	}
	return s.links
}

// linking notes what a node has to do with functions and members.
func (s *scan) linking(n *program.Node) {
	switch n.Role {
	case program.Call:
		if f := s.carriedOut(n); f != nil {
			s.links.callers[f] = append(s.links.callers[f], n)
		} else {
			s.made(n)
		}
		s.grows(n)
		s.putByName(n)
	case program.Assign:
		s.linkTargets(n, valuesOf(n))
	case program.Each:
		s.linkTargets(n, n.All(program.Iter))
	case program.Map:
		s.laidOut(n)
	default: // links nothing
	}
}

// linkTargets notes what an assignment, or a loop, gives to members; of one of something else's only the name.
func (s *scan) linkTargets(n *program.Node, values []*program.Node) {
	if len(values) == 0 {
		return
	}
	for i, t := range n.All(program.Target) {
		parts := []*program.Node{t}
		if t.Role == program.List {
			parts = t.All(program.Elem)
		}
		for _, p := range parts {
			to := s.memberOf(p)
			if to == (field{}) && p.Role == program.Attr {
				s.links.loose[p.Name] = true
			}
			s.link(to, values[min(i, len(values)-1)])
		}
	}
}

// link notes what a member is given.
func (s *scan) link(to field, values ...*program.Node) {
	if to != (field{}) {
		s.links.members[to] = append(s.links.members[to], values...)
	}
}

// memberOf is the member of a class of the file that the target of an assignment is, in a method or in the class itself.
func (s *scan) memberOf(t *program.Node) field {
	if t.Role == program.Attr {
		return s.fieldOf(t)
	}
	if block := t.Parent.Parent; t.Is(program.Name, program.Member) && block.Is(program.Block) && block.Parent.Is(program.Class) {
		return field{block.Parent.Name, t.Name}
	}
	return field{}
}

// made gives the members of a class without a constructor what an object of it is made of: a record, a dataclass.
func (s *scan) made(n *program.Node) {
	class := s.classes[bare(n.Kid(program.Callee).Text())]
	if class == nil {
		return
	}
	declared := declaredMembers(class)
	for i, a := range n.All(program.Arg) {
		switch {
		case a.Role == program.Keyword:
			s.link(field{class.Name, a.Name}, a.Kid(program.Value))
		case i < len(declared):
			s.link(field{class.Name, declared[i]}, a)
		}
	}
}

// declaredMembers are the members of a class in the order in which it is made of them.
func declaredMembers(class *program.Node) []string {
	var names []string
	for _, p := range class.All(program.Params) {
		names = append(names, p.Name)
	}
	for _, k := range class.Kid(program.Body).All(program.Stmt) {
		if t := k.Kid(program.Target); k.Role == program.Assign && k.Type != "" && t != nil {
			names = append(names, t.Name)
		}
	}
	return names
}

// laidOut gives the members of a struct of Go what is written for them.
func (s *scan) laidOut(n *program.Node) {
	if s.file.Lang != syntax.Go {
		return
	}
	class := s.classOf(n)
	for _, e := range n.All(program.Elem) {
		if key := e.Kid(program.Key); e.Role == program.Pair && key.Is(program.Name) && class != "" {
			s.link(field{class, key.Name}, e.Kid(program.Value))
		}
	}
}

// grows gives a member of an object what is put to the end of it.
func (s *scan) grows(n *program.Node) {
	callee := n.Kid(program.Callee)
	if callee.Is(program.Attr) && growers[callee.Name] && callee.Kid(program.Object).Is(program.Attr) {
		s.link(s.fieldOf(callee.Kid(program.Object)), n.All(program.Arg)...)
	}
}

// fieldOf is the member of the file's own that something is, or none.
func (s *scan) fieldOf(n *program.Node) field {
	class := s.classOf(n.Kid(program.Object))
	if class == "" && !n.Kid(program.Object).Is(program.Self) {
		return field{}
	}
	return field{class, strings.TrimPrefix(n.Name, "#")}
}

// putByName gives a member what is given to it by its name: setattr(job, "path", p).
func (s *scan) putByName(n *program.Node) {
	args := n.All(program.Arg)
	if s.file.Lang != syntax.Python || n.Calls() != "setattr" || len(args) != 3 {
		return
	}
	class := s.classOf(args[0])
	if name := s.eval(args[1], 0); name.known() && class != "" {
		s.link(field{class, name.text}, args[2])
	} else {
		s.links.loose[name.text] = true
	}
}

// held is what is known of a member of an object of the file's own: what comes from outside, or the only text or list that it is given.
func (s *scan) held(n *program.Node, depth int) (value, bool) {
	if len(s.linked().members) == 0 || s.linked().loose[n.Name] {
		return value{}, false
	}
	all := s.gets(s.fieldOf(n))
	for _, m := range all[:min(len(all), mostMade)] {
		if v := s.eval(m, depth+1); v.outside() || len(all) == 1 && (v.isText || v.isList) {
			return v, true
		}
	}
	return value{}, false
}

// arguments are the expressions that the calls of a function give a parameter of it.
func (s *scan) arguments(f *program.Node, name string) []*program.Node {
	var all []*program.Node
	for _, n := range s.linked().callers[f] {
		for p, a := range s.passed(n, f) {
			if s.identifier(p.Name) == name {
				all = append(all, a)
			}
		}
	}
	return all
}

// argued is a text with unknown parts that calls give a parameter of which nothing else is known, where each of them gives a text. Known ones say nothing:
// others may give another.
func (s *scan) argued(f *program.Node, name string, depth int) (value, bool) {
	if f == nil || s.nested > 0 {
		return value{}, false
	}
	var found value
	for _, a := range s.arguments(f, name) {
		v := s.eval(a, depth+1)
		if !v.isText {
			return value{}, false
		}
		if !v.known() && strings.Trim(v.text, unknown) != "" {
			found = v
		}
	}
	return found, found.isText
}

// oneOf is what a loop goes through that is worst, where all of it is known: the path of a file that starts programs or holds keys.
func (s *scan) oneOf(scope, n *program.Node, name string, depth int) (value, bool) {
	for loop := n.Up(program.Each); loop != nil && loop.Function() == scope; loop = loop.Up(program.Each) {
		targets := loop.All(program.Target)
		i := slices.IndexFunc(targets, func(t *program.Node) bool { return t.Role == program.Name && t.Name == name })
		if i < 0 || i > 0 && len(targets) == 3 { // of what a walk gives the first is a path
			continue
		}
		for _, e := range s.eval(loop.Kid(program.Iter), depth+1).list {
			if e.isText && e.text != unknown && away(e.text) {
				return e, true
			}
		}
	}
	return s.walked(scope, name, depth)
}

// handsTo gives the parameters of a function of the file what a call gives them.
func (s *scan) handsTo(n *program.Node) {
	if f := s.carriedOut(n); f != nil {
		for p, a := range s.passed(n, f) {
			s.taken(f, p, flow{node: a, call: true})
		}
	}
}

// flowsOf are the ways of values that are all known.
func flowsOf(all []*program.Node) []flow {
	flows := make([]flow, 0, len(all))
	for _, n := range all {
		flows = append(flows, flow{node: n})
	}
	return flows
}

// back is what a function gives back, each thing of a list that it gives, and what a generator gives one by one.
func back(f *program.Node) []flow {
	var all []*program.Node
	for _, r := range append(results(f), yielded(f)...) {
		if r.Role == program.List {
			all = append(all, r.All(program.Elem)...)
		} else {
			all = append(all, r)
		}
	}
	return flowsOf(all)
}

// iterated is what a loop goes through: a list, or what an object of a class of the file gives one by one.
func (s *scan) iterated(n *program.Node) []flow {
	if class := s.classOf(n); class != "" {
		for _, f := range s.bodies["__iter__"] {
			if s.owner(f) == class {
				return back(f)
			}
		}
	}
	return []flow{{node: n, by: each}}
}

// fieldFlows is what a member of an object was given.
func (s *scan) fieldFlows(n *program.Node) []flow {
	return flowsOf(s.gets(s.fieldOf(n)))
}
