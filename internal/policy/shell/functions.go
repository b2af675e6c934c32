package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// siblings are the two sides of a pipe: a function that calls itself on both of them is a bomb.
type siblings struct {
	outer  *siblings
	within int      // how many functions were running when the pipe was made
	right  bool     // the right side is interpreted now
	left   []string // the functions that called themselves on the left
}

// saved is what a variable was before a function made one of its own of that name.
type saved struct {
	value  value
	set    bool
	list   []value
	isList bool
}

// frame is a function or an alias that is running, and what a function was called with.
type frame struct {
	name string
	args []value
	body *syntax.Stmt
}

// How often a function calls itself until its arguments and all variables count as unknown, as far as they change from call to
// call, and how often after that.
const (
	unrolled = 2
	deepest  = 8
)

// runs reports whether something is running.
func (s *shell) runs(name string) bool {
	return slices.ContainsFunc(s.within, func(f frame) bool { return f.name == name })
}

// invoke runs a function.
func (s *shell) invoke(name string, body *syntax.Stmt, args []value) value {
	depth, last := 0, []value(nil)
	for i, f := range s.within {
		if f.name != name {
			continue
		}
		if s.multiplies(name, i) {
			s.note(Bomb, name, "")
			return anything
		}
		if f.body == body { // else it is another function that has taken the name
			depth, last = depth+1, f.args
		}
	}
	switch {
	case body == nil:
		s.opaque("a function that may be one of several")
		return anything
	case len(s.within) >= 4*maxDepth:
		s.opaque("functions within functions, too deep to be followed")
		return anything
	}
	if args == nil {
		args = []value{}
	}
	within, was, local, inside, more, loops := s.within, s.args, s.local, s.inside, s.more, s.loops
	s.more = false
	if depth >= unrolled {
		if args = meldLists(args, last, s.blend); depth == deepest {
			for i := range args {
				args[i] = unknown(args[i].from)
			}
		}
		s.forget()
		if depth > deepest || depth > unrolled && slices.Equal(args, last) {
			s.more = more
			return anything
		}
		s.more = true
	}
	s.within = append(slices.Clip(within), frame{name, args, body})
	s.args, s.local, s.inside, s.loops = args, table[saved]{}, true, 0
	run := func() { s.said = s.stmt(body) }
	if s.fromFile[body] {
		s.strictly(run)
	} else {
		run()
	}
	s.every(func(w *shell) {
		w.restore()
		w.within, w.args, w.local, w.inside, w.more, w.loops = within, was, local.fork(), inside, more, loops
		if w.flow != exited {
			w.flow, w.levels = running, 0
		}
	})
	return s.said
}

// multiplies reports whether the function that is the i-th of those running makes more of itself each time it is called: it
// calls itself in the background, or on both sides of a pipe.
func (s *shell) multiplies(name string, i int) bool {
	if s.apart > i {
		return true
	}
	for p := s.beside; p != nil; p = p.outer {
		if p.within <= i {
			continue
		}
		if !p.right {
			p.left = append(p.left, name)
		} else if slices.Contains(p.left, name) {
			return true
		}
	}
	return false
}

// own makes a variable one of the function that is running.
func (s *shell) own(name string) {
	if _, ok := s.local.get(name); ok || !s.inside {
		return
	}
	var was saved
	was.value, was.set = s.vars.get(name)
	was.list, was.isList = s.lists.get(name)
	s.local.set(name, was)
}

// restore gives the variables that a function had of its own back what they were before.
func (s *shell) restore() {
	for name, was := range s.local.m {
		if was.set {
			s.vars.set(name, was.value)
		} else {
			s.vars.drop(name)
		}
		if was.isList {
			s.lists.set(name, was.list)
		} else {
			s.lists.drop(name)
		}
	}
}

// aliased runs a command whose name is also an alias: only some shells expand it, so that both is judged.
func (s *shell) aliased(name string, alias value, argv []value) value {
	plain := s.branch()
	_, function := s.funcs.get(name)
	other := function || builtin(name) != nil || s.policy.program(name) != nil
	if other {
		plain.said = plain.perform(argv)
	}
	within, was := s.within, s.args
	s.within = append(slices.Clip(within), frame{name: "alias " + name})
	text, ok := alias.exact()
	if ok {
		s.args = argv[1:]
		s.said = s.evaluate(known(text + ` "$@"`))
	} else {
		s.unseen(alias)
		s.said = anything
	}
	s.every(func(w *shell) { w.within, w.args = within, was })
	if !other {
		return s.said // there is no such program
	}
	return s.become(append(copies(s.worlds()), plain.worlds()...))
}

// isAlias reports a name that stands in the command as an alias must: without quotation marks and backslashes.
func (s *shell) isAlias(w *syntax.Word) (value, bool) {
	if len(s.names.m) == 0 {
		return value{}, false
	}
	name := w.Lit()
	if name == "" || strings.Contains(name, `\`) || s.runs("alias "+name) {
		return value{}, false
	}
	return s.names.get(name)
}
