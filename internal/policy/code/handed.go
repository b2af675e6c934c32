package code

import (
	"slices"

	program "fettle/internal/code"
	"fettle/internal/syntax"
)

// indirect judges calls of what a class of the file is made of, and those that others make with what they are given.
func (s *scan) indirect(n *program.Node, path string) bool {
	if s.file.Lang != syntax.Python {
		return false
	}
	if base := s.inherited(n, path); s.rules.calls[base] != nil {
		c := s.newCall(n, base)
		c.spread = false // the options of whoever makes one are judged there
		s.add(n, s.rules.calls[base](c))
		return true
	}
	if c := s.handed(n, path); c != nil && s.rules.calls[c.path] != nil {
		s.add(n, s.rules.calls[c.path](c))
		return true
	}
	return false
}

// handing are functions that call what they are given, by where it stands among their arguments; its own arguments follow.
var handing = map[string]int{
	"functools.partial": 0, "functools.partialmethod": 0, "atexit.register": 0, "asyncio.to_thread": 0, "anyio.to_thread.run_sync": 0, "weakref.finalize": 1, "callback": 0, "submit": 0,
	"run_in_executor": 1, "call_soon": 0, "call_later": 1, "addCleanup": 0, "push_async_callback": 0, "apply_async": 0, "threading.Timer": 1,
}

// handed is the call that is made by what is given a function and its arguments: a partial function, a callback, a thread.
func (s *scan) handed(n *program.Node, path string) *call {
	callee := n.Kid(program.Callee)
	at, ok := handing[path]
	if !ok && callee.Is(program.Attr) {
		at, ok = handing[callee.Name]
	}
	starts := path == "threading.Thread" || path == "multiprocessing.Process"
	if !ok && !starts {
		return nil
	}
	c := s.newCall(n, path)
	if target := c.named["target"]; target != nil && starts {
		c.path = s.eval(target, 0).path
		c.args, c.nodes = nil, nil
		if list := c.named["args"]; list.Is(program.List) {
			for _, e := range list.All(program.Elem) {
				c.nodes, c.args = append(c.nodes, e), append(c.args, s.eval(e, 0))
			}
		}
		if kwargs := c.named["kwargs"]; kwargs != nil {
			c.options(kwargs, true)
		}
		return c
	}
	if !ok || at >= len(c.args) {
		return nil
	}
	c.path = c.args[at].path
	c.args, c.nodes = slices.Clone(c.args[at+1:]), slices.Clone(c.nodes[at+1:])
	if len(c.args)+len(c.named) == 0 {
		return nil // what it is called with is not known
	}
	return c
}

// inherited is what a class of the file is made of: its call, and that of its base's __init__, are calls of the base.
func (s *scan) inherited(n *program.Node, path string) string {
	callee := n.Kid(program.Callee)
	var class *program.Node
	switch {
	case callee.Is(program.Attr) && callee.Name == "__init__" && callee.Kid(program.Object).Calls() == "super":
		class = n.Up(program.Class)
	case callee.Is(program.Attr) && callee.Name == "__init__":
		return s.eval(callee.Kid(program.Object), 0).path
	case callee.Is(program.Name) && path == "?"+callee.Name:
		class = s.classes[callee.Name]
	}
	for _, base := range class.All(program.Arg) {
		if p := s.eval(base, 0).path; s.rules.calls[p] != nil {
			return p
		}
	}
	return ""
}
