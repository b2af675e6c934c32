package names

import "fettle/internal/syntax"

// scope is a stretch of source in which names are known.
type scope struct {
	up    *scope
	kind  kind
	names map[string]bool
	outer map[string]bool // names that belong to the whole file, although they are bound in here
}

// kind is how far a scope reaches.
type kind uint8

const (
	block    kind = iota // a comprehension, a block in braces
	function             // what is in it is known to functions within
	class                // what is in it is not known to functions within
	module
)

// read is a use of a name before it is known what defines it.
type read struct {
	name string
	at   syntax.Node
	in   *scope
}

// source collects what a source binds and reads.
type source struct {
	root    *scope
	reads   []read
	bound   map[string]bool
	excused map[string]bool // names that the source itself is prepared to miss
	open    bool
	shared  bool
}

func newSource() *source {
	s := &source{bound: make(map[string]bool), excused: make(map[string]bool)}
	s.root = s.inside(nil, module)
	return s
}

func (s *source) inside(up *scope, k kind) *scope {
	return &scope{up: up, kind: k, names: make(map[string]bool), outer: make(map[string]bool)}
}

// bind makes a name known in a scope.
func (s *source) bind(in *scope, name string) {
	if name == "" {
		return
	}
	s.bound[name] = true
	for at := in; at != nil; at = at.up {
		if at.outer[name] {
			in = s.root
			break
		}
		if at.kind != block {
			break
		}
	}
	in.names[name] = true
}

// hoist makes a name known in the function around.
func (s *source) hoist(in *scope, name string) {
	for in.kind == block && in.up != nil {
		in = in.up
	}
	s.bind(in, name)
}

func (s *source) use(in *scope, n syntax.Node) {
	s.reads = append(s.reads, read{n.Text(), n, in})
}

// sees reports whether a name is known in a scope. What a class binds is known in its own statements, not in its methods.
func (in *scope) sees(name string) bool {
	within := false
	for at := in; at != nil; at = at.up {
		if at.names[name] && (at.kind != class || !within) {
			return true
		}
		within = within || at.kind == function
	}
	return false
}

// names decides each read, when everything that is bound is known.
func (s *source) names(globals map[string]bool) *Names {
	n := &Names{Open: s.open, Shared: s.shared, bound: s.bound}
	if s.open {
		return n
	}
	said := make(map[string]bool)
	for _, r := range s.reads {
		if said[r.name] || globals[r.name] || s.excused[r.name] || r.in.sees(r.name) {
			continue
		}
		said[r.name] = true
		n.Undefined = append(n.Undefined, Use{r.name, r.at.Range().Start.Line})
	}
	return n
}
