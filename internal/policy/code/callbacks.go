package code

import (
	"slices"
	"strings"

	program "fettle/internal/code"
	"fettle/internal/pattern"
	"fettle/internal/syntax"
)

// Functions that are handed to others: what these call them with is told by the name of who is called, or by the file's own function that takes them.

// eachTaken are methods that call a function with what is in their object, one by one, or with what it holds.
var eachTaken = set("forEach map flatMap filter some every find findIndex findFirst anyMatch allMatch noneMatch then ifPresent each removeIf")

// handing are functions that call what they are given, by their paths or last names: where it stands among their arguments, and whether what it is called with
// stands in a list of its own, or follows it.
var handing = pattern.Table(func() map[string]handedAt {
	all := make(map[string]handedAt)
	for names, at := range map[string]handedAt{
		`partial partialmethod atexit.register to_thread run_sync run_in_threadpool run_in_thread submit callback call_soon call_soon_threadsafe addCleanup push_async_callback
		add_task start_soon setImmediate nextTick`: {at: 0},
		"finalize run_in_executor call_later call_at": {at: 1},
		"apply_async start_new_thread":                {at: 0, apart: true},
		"Timer":                                       {at: 1, apart: true},
	} {
		for name := range set(names) {
			all[name] = at
		}
	}
	return all
})

type handedAt struct {
	at    int
	apart bool
}

// handover is a function that is given to another, with what that calls it with; apart: this stands in lists of its own, options in an object.
type handover struct {
	fn      *program.Node
	args    []*program.Node
	apart   bool
	options *program.Node
}

// handsOver is what a call gives to whom it calls, to be called with what follows.
func (s *scan) handsOver(n *program.Node, path string) (handover, bool) {
	last := path[strings.LastIndexByte(path, '.')+1:]
	names := []string{path, last}
	if callee := n.Kid(program.Callee); !callee.Is(program.Name) || definer(callee) == nil { // what a parameter is called says nothing of what it is
		names = append(names, n.Calls())
	}
	var at handedAt
	ok, starts := false, false
	for _, name := range names {
		if !ok {
			at, ok = handing()[name]
		}
		starts = starts || strings.HasSuffix(name, "Thread") || name == "Process"
	}
	named := make(map[string]*program.Node)
	for _, a := range n.All(program.Arg) {
		if a.Role == program.Keyword {
			named[a.Name] = a.Kid(program.Value)
		}
	}
	args := positional(n)
	switch {
	case starts && named["target"] != nil:
		return handover{named["target"], s.written(named["args"]).All(program.Elem), true, named["kwargs"]}, true
	case !ok || at.at >= len(args):
		return handover{}, false
	case !at.apart:
		return handover{fn: args[at.at], args: args[at.at+1:]}, true
	}
	over := handover{fn: args[at.at], apart: true, options: named["kwargs"]}
	list := named["args"]
	if list == nil {
		list = after(args, at.at+1)
	}
	over.args = s.written(list).All(program.Elem)
	if over.options == nil {
		over.options = after(args, at.at+2)
	}
	return over, true
}

// after is one of some nodes, if there are as many.
func after(all []*program.Node, i int) *program.Node {
	if i < len(all) {
		return all[i]
	}
	return nil
}

// callsBack gives the parameters of functions that are handed over what they are called with.
func (s *scan) callsBack(n *program.Node) {
	callee, args := n.Kid(program.Callee), n.All(program.Arg)
	switch {
	case s.file.Lang == syntax.Python && (n.Calls() == "map" || n.Calls() == "filter") && len(args) == 2: // its own, or an executor's
		s.calledWith(args[0], flow{node: args[1], by: each, call: true})
	case callee.Is(program.Attr) && eachTaken[callee.Name] && len(args) > 0:
		s.calledWith(args[0], flow{node: callee.Kid(program.Object), by: each, call: true})
	case callee.Is(program.Name, program.Attr):
		if slices.ContainsFunc(args, s.isOwnFunction) {
			if over, ok := s.handsOver(n, s.eval(callee, 0).path); ok && s.written(over.fn).Is(program.Function) {
				s.calledWith(over.fn, callFlows(over.args)...)
				return
			}
		}
		if callee.Is(program.Name) {
			s.callsParameter(callee, args)
		}
	}
}

// isOwnFunction reports an argument that stands for a function of the file.
func (s *scan) isOwnFunction(arg *program.Node) bool {
	if arg.Is(program.Keyword) {
		arg = arg.Kid(program.Value)
	}
	return s.written(arg).Is(program.Function)
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

// callsParameter gives the functions that calls hand to a function of the file what it calls its parameter with.
func (s *scan) callsParameter(callee *program.Node, args []*program.Node) {
	f := definer(callee)
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
