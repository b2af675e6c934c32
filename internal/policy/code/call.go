package code

import (
	"slices"
	"strings"

	program "fettle/internal/code"
	"fettle/internal/syntax"
)

// ruleset is what is known of a language's library.
type ruleset struct {
	mentions    map[string]*hit                            // paths that no ordinary repair mentions
	members     map[string]*hit                            // names of members, of whatever object
	calls       map[string]func(*call) *hit                // paths whose calls depend on their arguments
	methods     map[string]func(*call) *hit                // the same by the last name alone, of whatever object
	sets        func(*scan, setting) *hit                  // what is assigned to
	options     map[string]option                          // arguments and entries of objects by name, of whatever call
	functions   map[string]*hit                            // functions that the file defines
	entries     map[string]func(*scan, *program.Node) *hit // options and members by name, judged by their values
	whole       func(*scan, *program.Node) *hit            // what is judged of functions
	texts       []textRow                                  // what a literal must not say
	environment map[string]bool                            // paths of the whole environment
	modules     []string                                   // modules whose members must not be called under computed names
}

// knows reports whether a path is one of those that the rules speak of.
func (r *ruleset) knows(path string) bool {
	return r.mentions[path] != nil || r.calls[path] != nil || r.environment[path]
}

// knows reports whether a path is one of those that the rules speak of, or from which, or to which, values are followed.
func (s *scan) knows(path string) bool {
	_, sink := functionSinks()[s.file.Lang][path]
	_, key := keyed()[s.file.Lang][path]
	return sink || key || s.rules.knows(path)
}

// call is a call with what is known of its arguments.
type call struct {
	s      *scan
	n      *program.Node
	path   string // of what is called
	nodes  []*program.Node
	args   []value // without those by name
	named  map[string]*program.Node
	spread bool // some arguments are not known
}

func (s *scan) newCall(n *program.Node, path string) *call {
	c := &call{s: s, n: n, path: path, named: make(map[string]*program.Node)}
	for _, a := range n.All(program.Arg) {
		switch a.Role {
		case program.Keyword:
			c.named[a.Name] = a.Kid(program.Value)
		case program.Spread:
			c.options(a.Kid(program.Operand), true)
			if v := s.eval(a.Kid(program.Operand), 0); v.isList {
				for _, e := range v.list {
					c.nodes, c.args = append(c.nodes, a), append(c.args, e)
				}
			}
		default:
			c.options(a, false)
			c.nodes = append(c.nodes, a)
			c.args = append(c.args, s.eval(a, 0))
		}
	}
	return c
}

// options takes the entries of an object for arguments by name.
func (c *call) options(n *program.Node, spread bool) {
	if n.Is(program.Name, program.Call) && (spread || c.s.file.Lang != syntax.Python) {
		n = c.s.written(n)
	}
	c.entries(n, spread, 0)
}

func (c *call) entries(n *program.Node, spread bool, depth int) {
	if !n.Is(program.Map) || depth > 4 {
		c.spread = c.spread || spread
		return
	}
	for _, e := range n.All(program.Elem) {
		if e.Role == program.Spread {
			c.entries(c.s.written(e.Kid(program.Operand)), false, depth+1)
			continue
		}
		if key := e.Kid(program.Key); key != nil {
			c.named[c.s.key(key)] = e.Kid(program.Value)
		} else if e.Role == program.Name {
			c.named[e.Name] = e
		}
	}
}

// arg is an argument by its place or name; where an object stands at its place that holds it by that name, what stands there.
func (c *call) arg(i int, name string) value {
	n := c.named[name]
	if i >= 0 && i < len(c.args) && (n == nil || !c.holds(i)) {
		return c.args[i]
	}
	if n != nil {
		return c.s.eval(n, 0)
	}
	return value{}
}

// holds reports an argument that is an object of JavaScript's: what it holds are arguments by name.
func (c *call) holds(i int) bool {
	return c.s.isScript() && c.s.written(c.node(i)).Is(program.Map)
}

// stated is the statement that a database is asked, as a text or in an object: query("SELECT …"), query({ text: "SELECT …" }).
func (c *call) stated() *program.Node {
	if c.holds(0) {
		for _, name := range []string{"sql", "text", "query"} {
			if n := c.named[name]; n != nil {
				return n
			}
		}
	}
	return firstOf(c.node(0), c.named["sql"])
}

func (c *call) node(i int) *program.Node {
	if i < len(c.nodes) {
		return c.nodes[i]
	}
	return nil
}

// on reports whether an argument by name is given and not plainly false.
func (c *call) on(name string) bool {
	n := c.named[name]
	return n != nil && !c.s.denies(n)
}

// off reports whether an argument by name is plainly false.
func (c *call) off(name string) bool {
	_, no := c.s.says(c.named[name])
	return no
}

func (c *call) hit(class Class, grade Grade) *hit { return &hit{class, grade, c.path} }

// receiver is the text of what a method is called on.
func (c *call) receiver() string {
	if callee := c.n.Kid(program.Callee); callee.Is(program.Attr) {
		return callee.Kid(program.Object).Text()
	}
	return ""
}

// object is what is known of what a method is called on.
func (c *call) object() value {
	if callee := c.n.Kid(program.Callee); callee.Is(program.Attr) {
		return c.s.eval(callee.Kid(program.Object), 0)
	}
	return value{}
}

func (s *scan) call(n *program.Node) {
	callee := n.Kid(program.Callee)
	if callee == nil {
		return
	}
	path := s.detours(s.eval(callee, 0).path)
	if name, ok := s.getter(callee, "operator.methodcaller", 0); ok {
		path = s.eval(n.Kid(program.Arg), 0).member(name).path
	}
	s.sends(n, path)
	c := s.newCall(n, path)
	s.runs(c, path)
	s.add(n, s.exportsBy(c))
	if h := s.rules.mentions[path]; h != nil && !callee.Is(program.Name, program.Attr, program.Index, program.TypeRef) {
		s.add(n, &hit{h.class, h.grade, path})
	}
	if judge := s.rules.calls[path]; judge != nil {
		s.add(n, judge(c))
		return
	}
	if s.indirect(n, path) {
		return
	}
	if callee.Is(program.Attr) {
		if judge := s.rules.methods[callee.Name]; judge != nil {
			c.path = callee.Name
			s.add(n, judge(c))
			return
		}
	}
	s.add(n, s.computed(path))
}

// detours is the path of what is called, without JavaScript's other ways of calling it.
func (s *scan) detours(path string) string {
	switch s.file.Lang {
	case syntax.JavaScript, syntax.TypeScript, syntax.TSX:
	default:
		return path
	}
	if path == "Reflect.apply" { // with a constructor of functions it does the same
		return "Reflect.construct"
	}
	for _, by := range []string{".call", ".apply", ".bind"} {
		path = strings.TrimSuffix(path, by)
	}
	return path
}

// computed judges a call under a name that could not be computed.
func (s *scan) computed(path string) *hit {
	of, ok := strings.CutSuffix(path, "[]")
	switch {
	case path == "?getattr", path == "?getattr()":
		return &hit{Dynamic, Review, "getattr"}
	case ok && (slices.Contains(roots, of) || slices.Contains(s.rules.modules, of)):
		return &hit{Dynamic, Review, path}
	}
	return nil
}

// setting is an assignment to something.
type setting struct {
	node   *program.Node
	target *program.Node
	name   string // under which it is set, computed where it is
	path   string // of the target
	value  *program.Node
}

func (s *scan) set(n *program.Node) {
	values := valuesOf(n)
	for i, t := range n.All(program.Target) {
		if i < len(values) {
			path := s.eval(t, 0).path
			if t.Role == program.Name {
				path = t.Name
			}
			if s.rules.sets != nil {
				s.add(n, s.rules.sets(s, setting{n, t, s.memberName(t), path, values[i]}))
			}
			if t.Is(program.Attr, program.Index) {
				s.entry(n, s.memberName(t), values[i])
				s.add(n, s.wraps(t, values[i]))
				if event, ok := strings.CutPrefix(s.memberName(t), "on"); ok && s.isScript() {
					s.add(n, s.skimming(event, t.Kid(program.Object), values[i]))
				}
			}
		}
	}
}

func (s *scan) pair(n *program.Node) {
	key, v := n.Kid(program.Key), n.Kid(program.Value)
	if key == nil || v == nil {
		return
	}
	s.entry(n, s.key(key), v)
}

// entry judges what stands under a name.
func (s *scan) entry(n *program.Node, name string, v *program.Node) {
	if o, ok := s.rules.options[name]; ok && o.set(s.says(v)) {
		s.add(n, &hit{o.class, o.grade, name})
	}
	s.add(n, s.exported(n, name, v))
	s.add(n, s.exportsAll(name, v))
	if s.file.Lang == syntax.Python {
		s.add(n, pickles(name, v))
	}
	if judge := s.rules.entries[name]; judge != nil {
		s.add(n, judge(s, v))
	}
}
