package assertions

import (
	"slices"
	"strings"

	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/pattern"
)

// In JavaScript a test is over when its function is, or what that returns. What fails later, or in a promise that nobody has, fails nothing.

// unheard reports whether an assertion, which is a call or stands in a function, may fail without a test that hears of it.
func unheard(n *code.Node) bool {
	if !parts.IsScript(n.File.Lang) {
		return false
	}
	h := hearing{thrown: make(map[*code.Node]bool), given: make(map[*code.Node]bool)}
	switch n.Role {
	case code.Call:
		return promised.MatchString(parts.Bare(n.Kid(code.Callee).Text())) && h.lost(n) && !signals(n)
	case code.Function:
		return h.forgotten(n)
	default:
		return false
	}
}

// promised matches assertions that give a promise, and say nothing before that is done.
var promised = pattern.New(`\.(resolves|rejects|eventually)\.|^(assert|t)(\.strict)?\.(rejects|doesNotReject|throwsAsync|notThrowsAsync)$`)

// hearing follows failures to those who hear of them. It remembers the functions that it was asked about, for they may call each other.
type hearing struct{ thrown, given map[*code.Node]bool }

// forgotten reports whether nobody hears of it when a function fails, wherever it is called.
func (h hearing) forgotten(fn *code.Node) bool {
	if h.thrown[fn] {
		return false
	}
	h.thrown[fn] = true
	fails := h.thrownAt
	if parts.IsAsync(fn) {
		fails = h.droppedAt
	}
	return everywhere(fn, func(place *code.Node) bool { return fails(place) && !signals(place) })
}

// dropped reports whether nobody takes the promise that a function gives, wherever it is called.
func (h hearing) dropped(fn *code.Node) bool {
	if h.given[fn] {
		return false
	}
	h.given[fn] = true
	return everywhere(fn, h.droppedAt)
}

// thrownAt reports whether nobody hears of what is thrown by a function that is called, or given to a call, at a place: it is called later, or a promise is
// made of that, and lost.
func (h hearing) thrownAt(place *code.Node) bool {
	call := place.Parent
	switch name := parts.LastName(call); {
	case place.Part == code.Callee:
		return h.withinForgotten(call)
	case timers[name]:
		return !advanced(call) && !waitsBehind(call)
	case chained[name], waiters[name], makesPromise(call):
		return h.lost(call)
	}
	return emptied(call)
}

// droppedAt reports whether nobody takes the promise of a function that is called, or given to a call, at a place.
func (h hearing) droppedAt(place *code.Node) bool {
	call := place.Parent
	switch name := parts.LastName(call); {
	case place.Part == code.Callee:
		return h.lost(call) || h.withinForgotten(call)
	case timers[name]:
		return !advanced(call)
	case name == "forEach", makesPromise(call):
		return true
	case chained[name], waiters[name], name == "map", name == "flatMap":
		return h.lost(call)
	}
	return false
}

// withinForgotten reports whether a call stands in a function whose failures nobody hears of.
func (h hearing) withinForgotten(call *code.Node) bool {
	for fn := call.Function(); fn != nil; fn = fn.Function() {
		if h.forgotten(fn) {
			return true
		}
	}
	return false
}

// everywhere reports whether something holds at every place where a function is called, or given to a call. It does not, where a place is not known.
func everywhere(fn *code.Node, holds func(place *code.Node) bool) bool {
	place := fn
	for place.Parent.Is(code.Group) {
		place = place.Parent
	}
	if used(place) {
		return holds(place)
	}
	name, some := parts.OwnName(fn), false
	if name == "" || fn.Up(code.Class) != nil {
		return false
	}
	for n := range fn.File.Root.Walk() {
		if !n.Is(code.Name) || n.Name != name || n.Part == code.Target || fn.Holds(n.Start, n.End) {
			continue
		}
		if !used(n) || !holds(n) {
			return false
		}
		some = true
	}
	return some && !parts.Exports(fn.File)[name] // read at last: it takes longest
}

// used reports whether a function is called, or given to a call, where a node stands.
func used(n *code.Node) bool {
	return n.Parent.Is(code.Call) && (n.Part == code.Callee || n.Part == code.Arg)
}

// lost reports whether nothing becomes of the promise that an expression gives: it is a statement by itself, or its failure is caught and forgotten.
func (h hearing) lost(n *code.Node) bool {
	for p := n.Parent; p != nil; n, p = p, p.Parent {
		switch p.Role {
		case code.Group, code.Logic, code.Choice, code.List, code.Spread:
		case code.Attr:
			if !chained[p.Name] {
				return false
			}
		case code.Call:
			if forgives(n, p) {
				return true
			}
			if takes(n, p) {
				return false
			}
		case code.Eval:
			return true
		case code.Unary:
			return p.Op == "void"
		case code.Assign:
			return n.Part == code.Value && unread(p)
		case code.Return, code.Function:
			fn := p
			if p.Role == code.Return {
				fn = p.Function()
			}
			return fn != nil && h.dropped(fn)
		default:
			return false
		}
	}
	return false
}

var (
	// timers call a function later.
	timers = map[string]bool{"setTimeout": true, "setInterval": true, "setImmediate": true, "queueMicrotask": true, "nextTick": true, "requestAnimationFrame": true, "requestIdleCallback": true}
	// chained are the methods of promises that give another, which fails where the function fails that they are given.
	chained = map[string]bool{"then": true, "catch": true, "finally": true}
	// waiters give a promise of what the function says that they are given.
	waiters = map[string]bool{"waitFor": true, "waitUntil": true, "waitForElementToBeRemoved": true, "act": true}
)

// makesPromise reports whether a call is new Promise(…).
func makesPromise(call *code.Node) bool {
	return call.Kid(code.Callee).Text() == "Promise" && strings.HasPrefix(call.Text(), "new")
}

// gathers reports whether a call makes one promise of many.
func gathers(call *code.Node) bool {
	return strings.HasPrefix(call.Kid(code.Callee).Text(), "Promise.")
}

// takes reports whether a call has somebody else take the promise that it is called on, or given: then(done, done), check(promise).
func takes(promise, call *code.Node) bool {
	if promise.Part == code.Arg {
		return !gathers(call)
	}
	return slices.ContainsFunc(call.All(code.Arg), func(a *code.Node) bool { return !a.Is(code.Function) })
}

// forgives reports whether a call catches every failure of the promise that it is called on, or given, and nothing is made of it.
func forgives(promise, call *code.Node) bool {
	if promise.Part == code.Arg {
		return gathers(call) && parts.LastName(call) == "allSettled" && call.Parent.Is(code.Wait) && call.Parent.Parent.Is(code.Eval)
	}
	i, catches := map[string]int{"catch": 0, "then": 1}[parts.LastName(call)]
	args := call.All(code.Arg)
	return catches && len(args) > i && args[i].Is(code.Function) && !minds(args[i])
}

// unread reports whether nothing reads the variable that is given a value.
func unread(assign *code.Node) bool {
	t, src := assign.Kid(code.Target), assign.File.Source
	return t.Is(code.Name) && !parts.Mentions([]byte(src[:assign.Start]+" "+src[assign.End:]), t.Name)
}

// emptied reports whether a call goes through a list that has nothing in it.
func emptied(call *code.Node) bool {
	on := call.Kid(code.Callee).Kid(code.Object)
	return on.Is(code.List) && len(on.Kids) == 0
}

// around is the function of the test, or of what is carried out around tests, in which a node stands; nil outside of them.
func around(n *code.Node) *code.Node {
	for fn := n.Function(); fn != nil; fn = fn.Function() {
		if call := parts.GivenTo(fn); call != nil && (TestName(call) != "" || RunsAround(parts.LastName(call))) {
			return fn
		}
	}
	return nil
}

// RunsAround reports whether what a call of this name is given is carried out before or after tests.
func RunsAround(name string) bool { return hooks[name] }

// hooks are carried out before and after tests, which wait for them as for tests.
var hooks = map[string]bool{"beforeEach": true, "afterEach": true, "beforeAll": true, "afterAll": true, "before": true, "after": true}

// advanced reports whether a test moves its own clock on, so that what was put off happens within it.
func advanced(call *code.Node) bool {
	fn := around(call)
	return fn != nil && movesClock.MatchString(fn.Text())
}

var movesClock = pattern.New(`advanceTimers|[rR]unAll|runOnlyPending|runToLast|\.tick(Async)?\(|\bflush\w*\(`)

// waitsBehind reports whether the function that puts something off waits for another thing afterwards: as long as a test runs, what is thrown fails it.
func waitsBehind(call *code.Node) bool {
	for fn := call.Function(); fn != nil; fn = fn.Function() {
		for n := range fn.Own() {
			if n.Role == code.Wait && n.Start > call.End && n.Kid(code.Operand).Is(code.Call) && !gathers(n.Kid(code.Operand)) {
				return true
			}
		}
		if parts.IsAsync(fn) {
			break
		}
	}
	return false
}

// signals reports whether a test is told by somebody when it is over, or how many assertions it has to see: then one that fails, or comes too late, is missed.
func signals(n *code.Node) bool {
	test := around(n)
	if test == nil {
		return false
	}
	if countsAssertions.MatchString(test.Text()) {
		return true
	}
	for fn := n.Function(); fn != nil; fn = fn.Function() {
		for _, name := range signalsOf(fn, test) {
			if saysSo(fn, n, name) {
				return true
			}
		}
		if fn == test {
			break
		}
	}
	return false
}

var countsAssertions = pattern.New(`\bexpect\.(assertions|hasAssertions)\(|\b(t|assert)\.(plan|expect|async)\(`)

// signalsOf are the parameters by which a function may say that all is done: what a test is given first, and what makes a promise.
func signalsOf(fn, test *code.Node) []string {
	call, params := parts.GivenTo(fn), fn.All(code.Params)
	if fn != test && (call == nil || !makesPromise(call)) {
		return nil
	}
	var names []string
	for i, p := range params {
		each := fn == test && call.Kid(code.Callee).Is(code.Call) // what it is given are rows of a table
		if p.Name != "" && (each && doneName.MatchString(p.Name) || !each && i < 2) {
			names = append(names, p.Name)
		}
	}
	return names
}

var doneName = pattern.New(`(?i)^(done|cb|callback|next|end|finish)$`)

// saysSo reports whether such a parameter is called later than the function itself, or given to somebody else.
func saysSo(fn, n *code.Node, name string) bool {
	for k := range fn.Walk() {
		if !k.Is(code.Name) || k.Name != name {
			continue
		}
		direct := k.Function() == fn && !n.Holds(k.Start, k.End)
		switch {
		case k.Part == code.Callee && !direct, k.Part == code.Arg && !assertingCall(k.Parent):
			return true
		case k.Part == code.Object && k.Parent.Parent.Is(code.Call) && !direct && endsTest[k.Parent.Name]:
			return true
		}
	}
	return false
}

var endsTest = map[string]bool{"end": true, "done": true}

func assertingCall(n *code.Node) bool {
	_, is := Called(n)
	return is
}
