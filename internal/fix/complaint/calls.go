package complaint

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fettle/internal/code"
	"fettle/internal/pattern"
)

// awaitPromise waits for what a promise promises.
func awaitPromise(b *bench) {
	if b.Kind == Mistyped && !strings.Contains(b.Got, "Coroutine[") && !strings.HasPrefix(b.Got, "Promise<") {
		return
	}
	fn := b.function()
	if fn == nil || fn.Kid(code.Body) == nil || !strings.Contains(b.file.Source[fn.Start:fn.Kid(code.Body).Start], "async") {
		return
	}
	var calls []*code.Node
	if n := b.asked(); n.Is(code.Call) {
		calls = append(calls, n)
	}
	for n := b.at; n != nil && n != fn; n = n.Parent {
		if n.Is(code.Call) {
			calls = append(calls, n)
		}
		if n.Is(code.Block) {
			break
		}
	}
	if len(calls) == 0 {
		for n := range fn.Own() {
			if n.Is(code.Call) && n.Line() == b.Finding.Range.Start.Line {
				calls = append(calls, n)
			}
		}
	}
	calls = append(b.stored(fn), calls...)
	for i, n := range calls[:min(len(calls), 4)] {
		if n.Parent.Is(code.Wait) {
			continue
		}
		text := "await " + n.Text()
		if n.Parent.Is(code.Attr, code.Index, code.Call) && n.Part != code.Arg {
			text = "(" + text + ")"
		}
		b.propose(1-0.2*float64(i), fmt.Sprintf("nothing waits for what %s gives", quote(n.Text())), replaced(n.Start, n.End, text))
	}
}

// asked is the value of which a member is asked, where the complaint stands at the member's name; nil: it stands elsewhere.
func (b *bench) asked() *code.Node {
	attr := b.at
	if !attr.Is(code.Attr) {
		attr = attr.Parent
	}
	object := attr.Kid(code.Object)
	if !attr.Is(code.Attr) || object == nil || b.start < object.End {
		return nil
	}
	return object
}

// stored are the calls that gave the variables of the complaint's line their values, where nothing waits for them.
func (b *bench) stored(fn *code.Node) []*code.Node {
	used, line := map[string]bool{}, b.Finding.Range.Start.Line
	for n := range fn.Own() {
		if n.Is(code.Name) && n.Line() == line && (b.at.Is(code.Name) && n.Name == b.at.Name || !b.at.Is(code.Name)) {
			used[n.Name] = true
		}
	}
	var out []*code.Node
	for n := range fn.Own() {
		v := n.Kid(code.Value)
		if n.Is(code.Assign) && n.Line() < line && v.Is(code.Call) && slices.ContainsFunc(n.All(code.Target), func(t *code.Node) bool { return t.Is(code.Name) && used[t.Name] }) {
			out = append(out, v)
		}
	}
	slices.Reverse(out) // the last before the line
	return out
}

// besideError is what a function of Go's gives back with an error, err: nothing for its other results; false: it gives none back.
func besideError(fn *code.Node) (values string, ok bool) {
	results := code.GoResults(fn.Type)
	if len(results) == 0 || results[len(results)-1] != "error" {
		return "", false
	}
	all := make([]string, 0, len(results))
	for _, t := range results[:len(results)-1] {
		all = append(all, code.GoZero(t))
	}
	return strings.Join(append(all, "err"), ", "), true
}

// handOnError gives an error that nobody looks at to the caller, together with nothing for the other results.
func handOnError(b *bench) {
	stmt := b.at.Statement()
	fn := b.function()
	if stmt == nil || fn == nil || !stmt.Is(code.Eval) || strings.HasPrefix(b.Name, "fmt.") || b.file.Facts.Name != "Go" || !stmt.Alone() {
		return
	}
	values, ok := besideError(fn)
	if !ok {
		return
	}
	indent := stmt.Indent()
	for i, targets := range []string{"err", "_, err", "_, _, err"} { // the compiler knows how many results it has
		text := fmt.Sprintf("if %s := %s; err != nil {\n%s\treturn %s\n%s}", targets, stmt.Text(), indent, values, indent)
		b.propose(1-0.3*float64(i), fmt.Sprintf("the error of %s was lost", quote(stmt.Text())), replaced(stmt.Start, stmt.End, text))
	}
}

// missingArgument gives a format the argument that it lacks: a variable that is known there and is not yet among the arguments, the one
// that was used last before.
func missingArgument(b *bench) {
	call := b.call()
	if call == nil {
		return
	}
	args := call.All(code.Arg)
	if len(args) == 0 {
		return
	}
	all := b.nearest(call, "")
	at := args[len(args)-1].End
	for i, name := range all[:min(len(all), 6)] {
		b.propose(1-0.15*float64(i), fmt.Sprintf("the format asks for one more argument, and %s is the nearest", quote(name)), replaced(at, at, ", "+name))
	}
}

// handedOn reports whether a value is given to a call, or indexes something: there are libraries to which x == None is a question for later.
func handedOn(n *code.Node) bool {
	for p := n.Parent; p != nil && !p.Is(code.Block, code.Module, code.Function); p = p.Parent {
		if p.Is(code.Call, code.Index) {
			return true
		}
	}
	return false
}

// plainTruth takes a truth value for what it says, where it is compared with true or false; and asks None who it is.
func plainTruth(b *bench) {
	facts := b.file.Facts
	for n := range b.file.Root.Walk() {
		if n.Role != code.Compare || n.Line() != b.Finding.Range.Start.Line || facts.Name == "Python" && handedOn(n) || !slices.Contains(equalities, n.Op) {
			continue
		}
		if b.start > b.lineStart() && b.there(n) {
			continue // another one on the line is meant
		}
		x, c := n.Kid(code.Left), n.Kid(code.Right)
		if x.Is(code.Bool, code.Null) {
			x, c = c, x
		}
		switch equal := strings.HasPrefix(n.Op, "="); {
		case c.Is(code.Bool):
			b.truth(n, x, (c.Text() == facts.True) == equal)
		case c.Is(code.Null) && facts.Name == "Python":
			op := " is "
			if !equal {
				op = " is not "
			}
			b.propose(1, "None is compared by what it is, not by what it equals", replaced(n.Start, n.End, n.Kid(code.Left).Text()+op+n.Kid(code.Right).Text()))
		}
	}
}

var equalities = []string{"==", "!=", "===", "!=="}

// truth puts a truth value, or its contrary, in the place of a comparison.
func (b *bench) truth(compared, x *code.Node, same bool) {
	why := quote(x.Text()) + " is true or false by itself"
	switch {
	case same:
		b.propose(1, why, replaced(compared.Start, compared.End, x.Text()))
	case compared.Parent.Is(code.Group) && compared.Parent.Parent.Is(code.Not):
		not := compared.Parent.Parent
		b.propose(1, why, replaced(not.Start, not.End, x.Text()))
	default:
		b.propose(1, why, replaced(compared.Start, compared.End, b.file.Facts.Negated(x)))
	}
}

// lineStart is where the complaint's line begins.
func (b *bench) lineStart() int {
	start, _, _ := lineOf(b.file, b.Finding.Range.Start.Line)
	return start
}

// there reports whether another comparison of a comparison's line holds the complaint's column, and this one does not.
func (b *bench) there(n *code.Node) bool {
	if n.Holds(b.start, b.start) {
		return false
	}
	for k := range b.file.Root.Walk() {
		if k.Is(code.Compare) && k.Line() == n.Line() && k.Holds(b.start, b.start) {
			return true
		}
	}
	return false
}

// strictComparison compares without converting. What equals null by converting may be undefined, too: that is left to people.
func strictComparison(b *bench) {
	for n := range b.file.Root.Walk() {
		if n.Role != code.Compare || n.Op != "==" && n.Op != "!=" || n.OpStart > b.start || b.start > n.OpEnd {
			continue
		}
		if l, r := n.Kid(code.Left), n.Kid(code.Right); !l.Is(code.Null) && !r.Is(code.Null) {
			b.propose(1, quote(n.Op)+" converts what it compares", replaced(n.OpStart, n.OpEnd, n.Op+"="))
		}
	}
}

var number = pattern.New(`\d+`)

// count is the first number in the complaint's words.
func (b *bench) count() int {
	n, _ := strconv.Atoi(number.FindString(b.Finding.Message))
	return n
}
