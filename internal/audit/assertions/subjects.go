package assertions

import (
	"slices"
	"strings"

	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/pattern"
	danger "fettle/internal/policy/code"
)

// Subject is a function that a test asks, so that something is demanded of what it gives.
type Subject struct {
	Name  string // the last word of what is called
	Path  string // what that stands for outside of the file; empty for what is the file's own, or not known
	Text  string // how it is spelled
	Alone bool   // it is a name alone
	Given bool   // it is a parameter of the test
	Heard bool   // only how it was called is asked, and the test does not call it
}

// Subjects are the functions that a test asks.
func Subjects(test *code.Node, names *danger.Names) []Subject {
	a := asker{test: test, names: names, seen: make(map[*code.Node]bool)}
	a.visit(test)
	return a.found
}

// asker collects the subjects of one test.
type asker struct {
	test  *code.Node
	names *danger.Names
	seen  map[*code.Node]bool
	found []Subject
}

func (a *asker) visit(n *code.Node) {
	if n != a.test && TestName(n) != "" {
		return
	}
	if conds, _ := conditions(n); len(conds) > 0 {
		for _, c := range conds {
			a.collect(c)
		}
		if n.Role == code.If {
			a.collect(n.Kid(code.Init))
		}
	} else if _, ok := Called(n); ok {
		from := len(a.found)
		a.collect(Expected(n.Kid(code.Callee)))
		for i := range a.found[from:] {
			a.found[from+i].Heard = records.MatchString(parts.LastName(n)) && !a.calls(a.found[from+i].Name)
		}
		for _, arg := range n.All(code.Arg) {
			a.collect(arg)
		}
	} else if raises(n) {
		for _, k := range n.Kids {
			if k.Role == code.Block {
				a.collect(k)
			}
		}
	}
	for _, k := range n.Kids {
		a.visit(k)
	}
}

// records matches assertions of how often, and with what, something was called.
var records = pattern.New(`^toHaveBeenCalled|^toHaveBeenNthCalled|^toHaveBeenLastCalled|^assert_(called|any_call|has_calls|not_called)`)

// calls reports whether a test calls something by itself, and does not leave it to what it asks.
func (a *asker) calls(name string) bool {
	for n := range a.test.Walk() {
		if n.Role == code.Call && parts.LastName(n) == name {
			return true
		}
	}
	return false
}

// raises reports whether a block has to fail: Python's with pytest.raises(…).
func raises(n *code.Node) bool {
	head, _, _ := strings.Cut(n.Text(), "\n")
	return n.Role == code.Other && strings.HasPrefix(head, "with ") && (strings.Contains(head, "aises") || strings.Contains(head, "warns"))
}

// collect takes the calls in what is demanded something of, and those that gave the variables in it their values. What such a call is given is what it is
// asked with, and not asked itself, but for calls of the language's own, which only show what comes.
func (a *asker) collect(n *code.Node) {
	if n == nil || a.seen[n] {
		return
	}
	a.seen[n] = true
	own := n.Role == code.Call && (parts.PutsTogether(parts.LastName(n)) || OnlyShows(a.names.Path(n.Kid(code.Callee))))
	switch {
	case n.Role == code.Call && !own:
		callee := n.Kid(code.Callee)
		a.found = append(a.found, Subject{Name: parts.LastName(n), Path: a.names.Path(callee), Text: parts.Bare(callee.Text()), Alone: callee.Is(code.Name), Given: a.given(callee)})
	case n.Role == code.Name && n.Part != code.Callee:
		a.assigned(n)
	}
	for _, k := range n.Kids {
		if own || n.Role != code.Call || k.Part != code.Arg || k.Role == code.Function {
			a.collect(k)
		}
	}
}

// OnlyShows reports whether a function, by its path, gives another form, or a part, of what it is given, or compares it.
func OnlyShows(path string) bool { return shows[path] }

// shows are functions of the languages' own that give another form, or a part, of what they are given, or compare it.
var shows = map[string]bool{
	"len": true, "sorted": true, "round": true, "abs": true, "sum": true, "max": true, "min": true, "next": true, "iter": true, "type": true, "isinstance": true, "all": true, "any": true,
	"asyncio.run": true, "json.loads": true, "json.dumps": true, "math.isclose": true, "Number": true, "String": true, "JSON.parse": true, "Object.keys": true, "Object.values": true,
	"Object.entries": true, "Array.from": true, "Promise.resolve": true, "fmt.Sprint": true, "fmt.Sprintf": true, "reflect.DeepEqual": true, "bytes.Equal": true, "strings.Contains": true,
	"slices.Equal": true, "errors.Is": true, "Objects.equals": true, "Arrays.equals": true, "Math.abs": true, "math.Abs": true,
}

// given reports whether what is called is a parameter of the test.
func (a *asker) given(callee *code.Node) bool {
	return callee.Is(code.Name) && parts.HasParam(a.test, callee.Name)
}

// assigned collects from what a variable of the test was made of. What is given as it is, to be called, counts as called.
func (a *asker) assigned(name *code.Node) {
	if path := a.names.Path(name); path != "" && name.Part == code.Arg {
		a.found = append(a.found, Subject{Name: name.Name, Path: path, Text: name.Name, Alone: true})
	}
	for n := range a.test.Walk() {
		if n.Role == code.Assign && slices.ContainsFunc(n.All(code.Target), func(t *code.Node) bool {
			return parts.Mentions([]byte(t.Text()), name.Name) && !t.Is(code.Attr, code.Index)
		}) {
			a.collect(n.Kid(code.Value))
		}
	}
}
