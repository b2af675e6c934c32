package code

import (
	"strings"

	program "fettle/internal/code"
	"fettle/internal/syntax"
)

// Functions that are handed to others: what these call them with is told by the name of who is called, or by the file's own function that takes them.

// eachTaken are methods that call a function with what is in their object, one by one, or with what it holds.
var eachTaken = set("forEach map flatMap filter some every find findIndex findFirst anyMatch allMatch noneMatch then ifPresent each removeIf")

// handOn are functions that call the first function that they are given with what stands behind it.
var handOn = set("submit partial apply_async to_thread run_in_threadpool run_sync start_new_thread setImmediate nextTick")

// callsBack gives the parameters of functions that are handed over what they are called with.
func (s *scan) callsBack(n *program.Node) {
	callee, args := n.Kid(program.Callee), n.All(program.Arg)
	switch {
	case s.file.Lang == syntax.Python && (n.Calls() == "map" || n.Calls() == "filter") && len(args) == 2: // its own, or an executor's
		s.calledWith(args[0], flow{node: args[1], by: each, call: true})
	case callee.Is(program.Attr) && eachTaken[callee.Name] && len(args) > 0:
		s.calledWith(args[0], flow{node: callee.Kid(program.Object), by: each, call: true})
	case handOn[n.Calls()] && len(args) > 1:
		s.calledWith(args[0], callFlows(args[1:])...)
	case strings.HasSuffix(n.Calls(), "Thread"):
		s.thread(args)
	case callee.Is(program.Name):
		s.callsParameter(callee, args)
	}
}

// callFlows are the ways of what a call gives.
func callFlows(args []*program.Node) []flow {
	var all []flow
	for _, a := range args {
		all = append(all, flow{node: a, call: true})
	}
	return all
}

// calledWith gives the parameters of a function of the file, in their order, what it is called with.
func (s *scan) calledWith(fn *program.Node, given ...flow) {
	f := s.written(fn)
	if !f.Is(program.Function) {
		return
	}
	params := s.takes(f)
	for i, g := range given[:min(len(given), len(params))] {
		s.taken(f, variable(params[i]), g)
	}
}

// thread gives a function what a thread of Python's calls it with: Thread(target=f, args=(x,)).
func (s *scan) thread(args []*program.Node) {
	var target, with *program.Node
	for _, a := range args {
		switch {
		case a.Role == program.Keyword && a.Name == "target":
			target = a.Kid(program.Value)
		case a.Role == program.Keyword && a.Name == "args":
			with = s.written(a.Kid(program.Value))
		}
	}
	if target != nil && with.Is(program.List) {
		s.calledWith(target, callFlows(with.All(program.Elem))...)
	}
}

// callsParameter gives the functions that calls hand to a function of the file what it calls its parameter with.
func (s *scan) callsParameter(callee *program.Node, args []*program.Node) {
	f := s.definer(callee)
	if f == nil {
		return
	}
	for _, c := range s.linked().callers[f] {
		for p, a := range s.passed(c, f) {
			if p.Name == callee.Name {
				s.calledWith(a, callFlows(args)...)
			}
		}
	}
}
