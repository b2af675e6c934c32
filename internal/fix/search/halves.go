package search

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
)

// Families about what comes in two: a statement and its mirror image, a loop and what it changes underneath itself, a value and how it is rounded.
var halfTemplates = []template{
	{"mirrored", 0.45, 0.85, mirrored},
	{"walk-a-copy", 0.70, 0.88, walkACopy},
	{"half-up", 0.55, 0.80, halfUp},
	{"as-letter", 0.55, 0.85, asLetter},
	{"too-early", 0.55, 0.82, tooEarly},
	{"own-state", 0.40, 0.82, ownState},
}

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

var aWordOf = regexp.MustCompile(`[\pL_][\pL\pN_]*`)

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

// mirrored does for the other side what a statement does for one: of a.next.prev = a.prev there has to be a.prev.next = a.next, too.
func mirrored(s *site, try func(change)) {
	what := s.Node
	if what.Is(code.Eval) {
		what = what.Kid(code.Value)
	}
	if !s.isStatement() || !s.Alone() || !what.Is(code.Assign, code.Step) || what.Declares {
		return
	}
	text, sides := mirror(s.Text())
	if sides < 2 || strings.Contains(s.Parent.Text(), text) {
		return
	}
	try(s.after(text, 1))
	try(s.before(text, 0.8))
}

// shrinking are the methods that take something out of a collection, or put something into its midst.
var shrinking = []string{"remove", "pop", "discard", "popleft", "popitem", "insert", "splice", "shift", "unshift", "delete", "removeAt", "append", "add"}

// walkACopy lets a loop go through a copy of what it changes: what is taken out of a list while one walks over it makes the walk skip what follows.
func walkACopy(s *site, try func(change)) {
	over := s.Kid(code.Iter)
	if s.Role != code.Each || !over.Is(code.Name, code.Attr) || !changesUnderneath(s.Kid(code.Body), over.Text()) {
		return
	}
	form := map[string]string{"Python": "list(%s)", "JavaScript": "[...%s]", "TypeScript": "[...%s]", "Java": "new ArrayList<>(%s)"}[s.fact().Name]
	if form == "" {
		return
	}
	try(replace(over, fmt.Sprintf(form, over.Text()), 1, "the loop goes through %s while it changes it", quote(over.Text())))
}

// changesUnderneath reports whether a block takes something out of a collection, or puts something in.
func changesUnderneath(block *code.Node, collection string) bool {
	for n := range block.Walk() {
		if c := n.Kid(code.Callee); n.Role == code.Call && c.Is(code.Attr) && c.Kid(code.Object).Text() == collection && slices.Contains(shrinking, c.Name) {
			return true
		}
		if n.Part == code.Stmt && strings.HasPrefix(n.Text(), "del "+collection+"[") {
			return true
		}
	}
	return false
}

// halfUp rounds what lies in the middle up, as people learn it: Python's round goes to the even neighbour.
func halfUp(s *site, try func(change)) {
	args := s.All(code.Arg)
	if s.fact().Name != "Python" || s.Role != code.Call || s.Kid(code.Callee).Text() != "round" || len(args) != 1 || args[0].Is(code.Keyword, code.Spread) {
		return
	}
	sum := code.Grouped(args[0]) + " + 0.5"
	if args[0].Is(code.Arith) && args[0].Op != "+" && args[0].Op != "-" {
		sum = args[0].Text() + " + 0.5"
	}
	why := "%s goes to the even neighbour where a value lies in the middle"
	if s.isModule("math") {
		try(replace(s.Node, "math.floor("+sum+")", 1, why, quote("round")))
	}
	try(replace(s.Node, "int("+sum+")", 0.9, why, quote("round")))
}

// asLetter makes a letter of a letter's number: in Java a char and an int are an int.
func asLetter(s *site, try func(change)) {
	if s.fact().Name != "Java" || s.Role != code.Arith || s.Op != "+" && s.Op != "-" || !s.Kid(code.Left).Is(code.Char) && !s.Kid(code.Right).Is(code.Char) {
		return
	}
	switch {
	case s.Part == code.Arg, s.Parent.Is(code.Arith) && s.Parent.Op == "+", s.Parent.Is(code.Return, code.Assign):
		try(replace(s.Node, "(char) ("+s.Text()+")", 1, "%s is a number, not a letter", quote(s.Text())))
	case s.Parent.Is(code.Group) && s.Parent.Parent.Is(code.Arith):
		try(replace(s.Parent, "(char) "+s.Parent.Text(), 1, "%s is a number, not a letter", quote(s.Text())))
	}
}

// tooEarly cuts the fraction off of a product, not of one of its factors.
func tooEarly(s *site, try func(change)) {
	if s.Role != code.Arith || s.Op != "*" && s.Op != "/" {
		return
	}
	call, by := s.Kid(code.Left), s.Kid(code.Right)
	args := call.All(code.Arg)
	if !call.Is(code.Call) || len(args) != 1 || s.of(args[0]).known() && !s.of(args[0]).is(kFloat) {
		return
	}
	to, factor := call.Kid(code.Callee).Text(), code.Grouped(by)
	switch {
	case s.fact().Name == "Go":
		if to != "time.Duration" && !strings.HasPrefix(to, "int") && !strings.HasPrefix(to, "uint") {
			return
		}
		if !by.Is(code.Int, code.Float) {
			factor = "float64(" + by.Text() + ")"
		}
	case !slices.Contains(cutting, to):
		return
	}
	try(replace(s.Node, to+"("+code.Grouped(args[0])+" "+s.Op+" "+factor+")", 1, "%s cuts the fraction off too early", quote(call.Text())))
}

// cutting are the functions that give a whole number.
var cutting = []string{"int", "round", "math.floor", "math.ceil", "math.trunc", "Math.floor", "Math.round", "Math.trunc", "Math.ceil", "parseInt"}

// ownState makes what is made once for all calls, beside the functions, in the one function that uses it: each call is to have its own.
func ownState(s *site, try func(change)) {
	if !s.Is(code.Name) || s.Function() == nil || s.written() {
		return
	}
	outermost := s.Function()
	for up := outermost.Function(); up != nil; up = up.Function() {
		outermost = up
	}
	first := firstStatement(outermost)
	if first == nil || !first.Alone() {
		return
	}
	for _, made := range s.File.Root.All(code.Stmt) {
		a := made
		if made.Is(code.Declaration) && len(made.All(code.Elem)) == 1 {
			a = made.Kid(code.Elem)
		}
		if !made.Alone() || !a.Is(code.Assign) || a.Kid(code.Target).Text() != s.Name || !holdsNothing(a) {
			continue
		}
		start, end := span(made)
		rest := s.File.Source[:start] + s.File.Source[end:outermost.Start] + s.File.Source[outermost.End:]
		if mentions(rest, s.Name) {
			continue
		}
		try(change{[]edit.Edit{{Start: start, End: end}, {Start: first.Start, End: first.Start, New: []byte(made.Text() + "\n" + first.Indent())}}, 1,
			fmt.Sprintf("%s is one and the same in all calls of %s", quote(s.Name), quote(called(outermost)))})
	}
}

// holdsNothing reports whether an assignment gives one variable a collection that is made where it stands and holds nothing as yet.
func holdsNothing(a *code.Node) bool {
	v := a.Kid(code.Value)
	if v == nil || len(a.All(code.Target)) != 1 {
		return false
	}
	text := strings.Join(strings.Fields(v.Text()), "")
	return slices.Contains([]string{"[]", "{}", "list()", "dict()", "set()", "newMap()", "newSet()"}, text) || strings.HasPrefix(text, "newMap<") || strings.HasPrefix(text, "newSet<") ||
		strings.HasPrefix(text, "map[") && strings.HasSuffix(text, "{}") || strings.HasPrefix(text, "make(map[")
}
