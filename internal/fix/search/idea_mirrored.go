package search

import (
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/pattern"
)

// opposites are the names of the two sides of what has two, as in lists that are linked both ways, trees and intervals.
var opposites = func() map[string]string {
	out := map[string]string{}
	for _, p := range [][2]string{
		{"prev", "next"}, {"previous", "next"}, {"before", "after"}, {"left", "right"}, {"head", "tail"}, {"first", "last"}, {"front", "back"}, {"top", "bottom"}, {"min", "max"},
		{"low", "high"}, {"lo", "hi"}, {"start", "end"}, {"source", "target"}, {"from", "to"}, {"x", "y"}, {"row", "col"}, {"rows", "cols"}, {"row", "column"}, {"width", "height"},
	} {
		for _, p := range [][2]string{p, {upperFirst(p[0]), upperFirst(p[1])}} {
			for _, q := range [][2]string{p, {"_" + p[0], "_" + p[1]}} {
				if out[q[0]] == "" {
					out[q[0]] = q[1]
				}
				if out[q[1]] == "" {
					out[q[1]] = q[0]
				}
			}
		}
	}
	return out
}()

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

var aWordOrNumber = pattern.New(`[\pL\pN_]+`)

var aWordOf = pattern.New(`[\pL_][\pL\pN_]*`)

// mirror is a text with each side's name exchanged for the other's, and how many there are.
func mirror(text string) (other string, sides int) {
	other = aWordOf.ReplaceAllStringFunc(text, func(w string) string {
		o := opposites[w]
		if o == "" {
			return w
		}
		sides++
		return o
	})
	return other, sides
}

// mirrored does for the other side what a statement does for one: of a.next.prev = a.prev there has to be a.prev.next = a.next, too; and where a
// bracket that opens counts one more, the one that closes counts one less.
func mirrored(s *site, try func(change)) {
	what := assignment(s.Node)
	if !s.isStatement() || !s.Alone() || !what.Is(code.Assign, code.Step) || what.Declares && s.fact().BlockScoped {
		return
	}
	text, sides := mirror(s.Text())
	if sides < 2 || strings.Contains(s.Parent.Text(), text) {
		return
	}
	try(s.after(text, 1))
	try(s.before(text, 0.8))
}

// otherEndOf keeps a value from going beyond the other one of two bounds, as a branch keeps it from going beyond one: what is less than low is low, and what is more than high is high.
func (s *site) otherEndOf(try func(change)) {
	cond, then := s.Kid(code.Cond), s.Kid(code.Then).All(code.Stmt)
	if !s.isStatement() || !s.Is(code.If) || s.Kid(code.Else) != nil || !cond.Is(code.Compare) || len(then) != 1 || turned(cond) == "" {
		return
	}
	text, sides := mirror(s.File.Source[s.Start:cond.Start] + turned(cond) + s.File.Source[cond.End:s.End])
	if sides < 2 || strings.Contains(unspaced(s.Function().Text()), unspaced(text)) {
		return
	}
	try(s.after(text, 1))
}

// overturned are the comparisons by size, each with the one the other way round.
var overturned = map[string]string{"<": ">", ">": "<", "<=": ">=", ">=": "<="}

// lastTakers are the calls that take back what others put last.
var lastTakers = map[string]string{"append": "pop()", "push": "pop()", "addLast": "removeLast()", "offerLast": "pollLast()"}

// takenBack takes back, behind a function's call of itself, what was put before it: the next way begins where this one did.
func (s *site) takenBack(try func(change)) {
	if !s.isStatement() || !s.Alone() {
		return
	}
	self := named(s.Function())
	if self == "" {
		return
	}
	text := s.takingBack(assignment(s.Node))
	if text == "" || strings.Contains(s.Parent.Text(), text) {
		return
	}
	for n := s.Next(); n != nil; n = n.Next() {
		if n.Alone() && !ends(n) && calls(n, self) {
			try(s.at(n).after(s.statement(text), 1))
		}
	}
}

// calls reports whether a statement calls a function.
func calls(stmt *code.Node, name string) bool {
	for k := range stmt.Walk() {
		if k.Is(code.Call) && k.Calls() == name {
			return true
		}
	}
	return false
}

// takingBack is what takes back what a call, or Go's append, puts into a collection; empty: it puts nothing into one.
func (s *site) takingBack(put *code.Node) string {
	if s.fact().Family == "Go" && put.Is(code.Assign) && put.Kid(code.Value).Calls() == "append" {
		list := put.Kid(code.Target).Text()
		return list + " = " + list + "[:len(" + list + ")-1]"
	}
	callee, what := put.Kid(code.Callee), put.Kid(code.Arg)
	of := callee.Kid(code.Object)
	if !put.Is(code.Call) || !callee.Is(code.Attr) || !of.Is(code.Name, code.Attr) || what == nil {
		return ""
	}
	list := of.Text()
	set := s.fact().Family != "Java" || s.of(of).begins("Set") || s.of(of).begins("HashSet")
	switch take := lastTakers[callee.Name]; {
	case take != "":
		return list + "." + take
	case callee.Name != "add":
		return ""
	case !set:
		return list + ".remove(" + list + ".size() - 1)"
	case s.fact().Silent:
		return list + ".delete(" + what.Text() + ")"
	}
	return list + ".remove(" + what.Text() + ")"
}

// otherBranch does in one branch the opposite of what the other one does, where only the other one does anything to it: it takes a step back, or puts in what that
// one does not.
func (s *site) otherBranch(try func(change)) {
	if !s.Is(code.If) {
		return
	}
	then, otherwise := s.Kid(code.Then), s.Kid(code.Else)
	if otherwise.Is(code.If) {
		otherwise = otherwise.Kid(code.Then)
	}
	for _, side := range [][2]*code.Node{{then, otherwise}, {otherwise, then}} {
		stmts := side[1].All(code.Stmt)
		if len(stmts) == 0 {
			continue
		}
		first, last := s.at(stmts[0]), s.at(stmts[len(stmts)-1])
		put := func(text string, weight float64) {
			if first.Alone() {
				try(first.before(text, weight))
			}
			if last.Alone() && !ends(last.Node) {
				try(last.after(text, 0.8*weight))
			}
		}
		for _, stmt := range side[0].All(code.Stmt) {
			if o, ok := operationOf(stmt); ok && (o.op == "+=" || o.op == "-=") && !s.at(side[1]).gives(o.target) {
				text := s.statement(o.target + " " + inverses[o.op] + " " + o.value)
				if assignment(stmt).Is(code.Step) {
					text = s.statement(o.target + inverses[o.op][:1] + inverses[o.op][:1])
				}
				put(text, 1)
			}
			for i, text := range s.fillings(stmt, side[1]) {
				put(text, 1-0.2*float64(i))
			}
		}
	}
}

// fillings are what one branch may put into a collection as the other one does with a statement, if it puts nothing there: the opposite, or the same.
func (s *site) fillings(stmt, branch *code.Node) (out []string) {
	call := stmt.Kid(code.Value)
	object := call.Kid(code.Callee).Kid(code.Object)
	if !stmt.Is(code.Eval) || !call.Is(code.Call) || !object.Is(code.Name) || !slices.Contains(growing, methodOn(call, object.Name)) || grows(branch, object.Name) || strings.Contains(stmt.Text(), "\n") {
		return nil
	}
	for n := range call.Walk() {
		if !n.Is(code.Member, code.Name) || n.Part == code.Object && n.Parent.Part == code.Callee && n.Parent.Parent == call {
			continue
		}
		for _, pair := range siblings {
			if at := slices.Index(pair, n.Name); len(pair) == 2 && at >= 0 && n.Parent.Parent != call {
				out = append(out, stmt.Text()[:n.Start-stmt.Start]+pair[1-at]+stmt.Text()[n.End-stmt.Start:])
			}
		}
	}
	return append(out, stmt.Text())
}
