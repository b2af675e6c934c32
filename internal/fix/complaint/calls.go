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

// handOnError gives an error that nobody looks at to the caller, together with nothing for the other results.
func handOnError(b *bench) {
	stmt := b.at.Statement()
	fn := b.function()
	if stmt == nil || fn == nil || !stmt.Is(code.Eval) || strings.HasPrefix(b.Name, "fmt.") || b.file.Facts.Name != "Go" || !stmt.Alone() {
		return
	}
	results := code.GoResults(fn.Type)
	if len(results) == 0 || results[len(results)-1] != "error" {
		return
	}
	values := make([]string, 0, len(results))
	for _, t := range results[:len(results)-1] {
		values = append(values, code.GoZero(t))
	}
	indent := stmt.Indent()
	for i, targets := range []string{"err", "_, err", "_, _, err"} { // the compiler knows how many results it has
		text := fmt.Sprintf("if %s := %s; err != nil {\n%s\treturn %s\n%s}", targets, stmt.Text(), indent, strings.Join(append(slices.Clone(values), "err"), ", "), indent)
		b.propose(1-0.3*float64(i), fmt.Sprintf("the error of %s was lost", quote(stmt.Text())), replaced(stmt.Start, stmt.End, text))
	}
}

// verbs are what fits a type, likely ones first.
func verbs(typ string) []string {
	base, _, _ := strings.Cut(strings.TrimPrefix(typ, "*"), " ")
	switch {
	case base == "string", base == "error", strings.HasPrefix(typ, "[]byte"):
		return []string{"s", "q", "v"}
	case base == "bool":
		return []string{"t", "v"}
	case strings.HasPrefix(base, "float"):
		return []string{"f", "g", "v"}
	case strings.HasPrefix(base, "int"), strings.HasPrefix(base, "uint"), base == "byte", base == "rune":
		return []string{"d", "v"}
	}
	return []string{"v", "s"}
}

var verbForm = pattern.New(`%[-+# 0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?[a-zA-Z]`)

// fittingVerb puts a verb that suits the value's type in the place of one that does not.
func fittingVerb(b *bench) {
	bad := b.Name[len(b.Name)-1]
	start, end := b.callRange()
	for _, at := range verbForm.FindAllStringSubmatchIndex(b.file.Source[start:end], -1) {
		last := start + at[1] - 1
		if b.file.Source[last] != bad {
			continue
		}
		for i, v := range verbs(b.Got) {
			if v[0] != bad { // the plain one is what is nearly always meant
				b.propose(1/float64(1+2*i), fmt.Sprintf("%s stands for a value of type %s, which it does not fit", quote("%"+string(bad)), quote(b.Got)), replaced(last, last+1, v))
			}
		}
	}
}

// exchangedVerbs exchanges the verb that does not fit with another of the format that does; or the values that they stand for.
func exchangedVerbs(b *bench) {
	call := b.call()
	if call == nil {
		return
	}
	args := call.All(code.Arg)
	at := slices.IndexFunc(args, func(a *code.Node) bool { return a.Is(code.Str) })
	if at < 0 {
		return
	}
	format, values := args[at], args[at+1:]
	found := verbForm.FindAllStringSubmatchIndex(strings.ReplaceAll(format.Text(), "%%", "\x00\x00"), -1)
	if len(found) != len(values) || strings.ContainsAny(format.Text(), "*[") {
		return // who stands for what is not plain
	}
	bad := slices.IndexFunc(found, func(m []int) bool { return format.Text()[m[1]-1] == b.Name[len(b.Name)-1] })
	for i, m := range found {
		verb := format.Text()[m[1]-1]
		if bad < 0 || i == bad || !slices.Contains(verbs(b.Got), string(verb)) || verb == 'v' {
			continue
		}
		x, y := format.Start+found[bad][1]-1, format.Start+m[1]-1
		b.propose(1, "two verbs of the format stand in each other's place", replaced(x, x+1, string(verb)), replaced(y, y+1, b.Name[len(b.Name)-1:]))
		b.propose(0.8, "two values of the format stand in each other's place", replaced(values[bad].Start, values[bad].End, values[i].Text()), replaced(values[i].Start, values[i].End, values[bad].Text()))
	}
}

// callRange are the bytes of the call that the complaint is about, or of its line.
func (b *bench) callRange() (start, end int) {
	if call := b.call(); call != nil {
		return call.Start, call.End
	}
	start, end, _ = lineOf(b.file, b.Finding.Range.Start.Line)
	return start, end
}

func (b *bench) call() *code.Node {
	if b.at.Is(code.Call) {
		return b.at
	}
	if n := b.at.Up(code.Call); n != nil {
		return n
	}
	for n := range b.file.Root.Walk() {
		if n.Is(code.Call) && b.file.Tree.Position(n.Start).Line == b.Finding.Range.Start.Line && verbForm.MatchString(n.Text()) {
			return n
		}
	}
	return nil
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
		if n.Role != code.Compare || n.Line() != b.Finding.Range.Start.Line || facts.Name == "Python" && handedOn(n) || n.Op != "==" && n.Op != "!=" && n.Op != "===" && n.Op != "!==" {
			continue
		}
		x, c := n.Kid(code.Left), n.Kid(code.Right)
		if x.Is(code.Bool, code.Null) {
			x, c = c, x
		}
		equal := strings.HasPrefix(n.Op, "=")
		switch {
		case c.Is(code.Bool) && (c.Text() == facts.True) == equal:
			b.propose(1, quote(x.Text())+" is true or false by itself", replaced(n.Start, n.End, x.Text()))
		case c.Is(code.Bool):
			b.propose(1, quote(x.Text())+" is true or false by itself", replaced(n.Start, n.End, facts.Negated(x)))
		case c.Is(code.Null) && facts.Name == "Python":
			op := " is "
			if !equal {
				op = " is not "
			}
			b.propose(1, "None is compared by what it is, not by what it equals", replaced(n.Start, n.End, n.Kid(code.Left).Text()+op+n.Kid(code.Right).Text()))
		}
	}
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
