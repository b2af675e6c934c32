package audit

import (
	"slices"
	"strings"

	"fettle/internal/audit/assertions"
	"fettle/internal/audit/functions"
	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/pattern"
	danger "fettle/internal/policy/code"
)

// agrees is a comparison that gives the same answer whatever it is asked.
type agrees struct {
	name string
	line int
}

// sentinels are comparisons by which values mark an end, or an absence, for good reasons: they are answers only for tests that ask just that.
var sentinels = map[string]assertions.Strength{"__bool__": assertions.Truthy, "__lt__": assertions.Ordered, "__gt__": assertions.Ordered, "__le__": assertions.Ordered, "__ge__": assertions.Ordered, "__contains__": assertions.Within}

// sameForAll is what it means that a comparison says the same of everything: where a test asks just that, it is the answer; a sentinel that no test asks is worth a note in a
// person's change.
func (v *patchView) sameForAll(f *fileView, name string) Effect {
	says, sentinel := sentinels[name[strings.LastIndex(name, ".")+1:]]
	switch {
	case f.test: // tests try with such values, too
		return v.unless(Healer, Tidier)
	case !sentinel || slices.ContainsFunc(v.expectations().demands, func(a assertions.Assertion) bool { return a.Says == says }):
		return Refuse
	case v.goal.By == Person:
		return Note
	}
	return Ask
}

var (
	equality   = pattern.New(`(^|\.)(__eq__|__lt__|__gt__|__le__|__ge__|__contains__|__bool__|asymmetricMatch|Equal|Equals|equals|isEqual|isEqualTo|compareTo|compare)$`)
	inequality = pattern.New(`(^|\.)__ne__$`)
)

// agreeing lists the comparisons of a file that always say yes. In a program they are found wherever a function gets such a name: by its definition, in a class
// within a function too, by an assignment, as an entry of what a class is made of.
func agreeing(f *code.File, defs []functions.Function) []agrees {
	var all []agrees
	if f == nil {
		for _, d := range defs {
			if d.AlwaysTrue && equality.MatchString(d.Name) {
				all = append(all, agrees{d.Name, d.Line})
			}
		}
		return all
	}
	for n := range f.Root.Walk() {
		name, fn := namedFunction(n)
		if fn != nil && (equality.MatchString(name) && alwaysGives(fn, true) || inequality.MatchString(name) && alwaysGives(fn, false)) {
			all = append(all, agrees{placed(n, name), n.Line()})
		}
	}
	return all
}

// placed is a name with the functions and classes around it.
func placed(n *code.Node, name string) string {
	if around := parts.Title(n.Parent); around != "" && !n.Is(code.Function) {
		return around + "." + name
	}
	if n.Is(code.Function) {
		return parts.Title(n)
	}
	return name
}

// namedFunction is the function that a node gives a name to, and that name.
func namedFunction(n *code.Node) (string, *code.Node) {
	switch n.Role {
	case code.Function:
		if n.Name == "" || n.Up(code.Class) == nil && strings.HasPrefix(n.Name, "__") {
			return "", nil
		}
		return n.Name, n
	case code.Assign:
		if t := n.Kid(code.Target); t != nil {
			return lastWord(t), parts.FunctionOf(n.Kid(code.Value))
		}
	case code.Pair:
		return strings.Trim(n.Kid(code.Key).Text(), `"'`), parts.FunctionOf(n.Kid(code.Value))
	case code.Keyword:
		return n.Name, parts.FunctionOf(n.Kid(code.Value))
	case code.Call:
		if args := n.All(code.Arg); parts.LastName(n) == "setattr" && len(args) == 3 {
			return strings.Trim(args[1].Text(), `"'`), parts.FunctionOf(args[2])
		}
	default: // names no function
	}
	return "", nil
}

// lastWord is the last name of what is assigned to.
func lastWord(t *code.Node) string {
	if t.Name != "" {
		return t.Name
	}
	return t.Text()
}

// alwaysGives reports whether a function gives nothing but constants that count as true, or as false.
func alwaysGives(fn *code.Node, truth bool) bool {
	body := fn.Kid(code.Body)
	if body == nil {
		return false
	}
	if body.Role != code.Block {
		return counts(body, fn) == verdictOf(truth)
	}
	some := false
	for n := range fn.Own() {
		if n.Role != code.Return {
			continue
		}
		if len(n.Kids) != 1 || counts(n.Kids[0], fn) != verdictOf(truth) {
			return false
		}
		some = true
	}
	return some
}

// verdictOf is what a value has to count as.
func verdictOf(truth bool) int {
	if truth {
		return 1
	}
	return -1
}

// counts is 1 for what is always true, -1 for what is always false, 0 for what depends on something. A comparison by order says 0 where things are equal.
func counts(n, fn *code.Node) int {
	switch {
	case n.Is(code.Group):
		return counts(n.Kid(code.Operand), fn)
	case n.Is(code.Not):
		return -counts(n.Kid(code.Operand), fn)
	case n.Is(code.Int) && strings.HasPrefix(strings.ToLower(parts.OwnName(fn)), "compare"):
		return map[bool]int{true: 1, false: -1}[n.Text() == "0"]
	case n.Is(code.Bool, code.Int):
		return map[bool]int{true: 1, false: -1}[n.Text() != "0" && !strings.EqualFold(n.Text(), "false")]
	case n.Is(code.Call) && parts.LastName(n) == "bool" && len(n.All(code.Arg)) == 1:
		return counts(n.All(code.Arg)[0], fn)
	case n.Is(code.Logic):
		decides := map[bool]int{true: 1, false: -1}[n.Op == "or" || n.Op == "||"]
		for _, side := range []code.Part{code.Left, code.Right} {
			if counts(n.Kid(side), fn) == decides {
				return decides
			}
		}
	case n.Is(code.Compare) && parts.Bare(n.Kid(code.Left).Text()) == parts.Bare(n.Kid(code.Right).Text()):
		return map[bool]int{true: 1, false: -1}[assertions.Comparing(n.Op) == assertions.Equal]
	}
	return 0
}

// equalToAll are values of libraries for tests that are equal to everything.
var equalToAll = map[string]bool{
	"unittest.mock.ANY": true, "mock.ANY": true, "mock.mock.ANY": true, "hamcrest.anything": true, "expect.anything": true, "expect.any": true, "sinon.match.any": true, "dirty_equals.AnyThing": true,
	"chai.match.any": true, "gomock.Any": true, "mock.Anything": true,
}

// equalValues looks for such values in code.
func (f *fileView) equalValues() []Finding {
	had := make(map[string]int)
	was, is := f.names()
	for _, e := range mentionsOf(f.programBefore, was, equalToAll) {
		had[e.name]++
	}
	var all []Finding
	for _, e := range mentionsOf(f.programAfter, is, equalToAll) {
		if had[e.name]--; had[e.name] < 0 {
			all = append(all, Finding{Line: e.line, Effect: Refuse, Evidence: e.name + " is equal to everything"})
		}
	}
	return all
}

// mentionsOf lists where a program names one of these, however it spells it.
func mentionsOf(f *code.File, names *danger.Names, paths map[string]bool) []agrees {
	if names == nil {
		return nil
	}
	var all []agrees
	for n := range f.Root.Walk() {
		if n.Is(code.Name, code.Attr, code.Index) && n.Part != code.Target && paths[names.Path(n)] {
			all = append(all, agrees{names.Path(n), n.Line()})
		}
	}
	return all
}
