// Package doubles answers "what do these tests put in the place of what they ask?".
//
// A double is a mock, a stub, a function that is set, or a module that is another one for as long as a test runs. [In] lists those of a file of tests, and [Double.Of]
// tells whether one takes the place of what a test asks, which then asks nobody but itself.
//
// It is given one file that is read as a program, with what its names stand for. Whether a double may be there is the rules' affair.
package doubles

import (
	"slices"
	"strings"

	"fettle/internal/audit/assertions"
	"fettle/internal/audit/parts"
	"fettle/internal/code"
	danger "fettle/internal/policy/code"
)

// Double is something that takes the place of a function while tests run.
type Double struct {
	Path  string     // what it takes the place of, as far as it is known
	Text  string     // how that is spelled
	At    *code.Node // what puts it there: an assignment, or a call
	whole bool       // it takes the place of all that a module, or an object, has
}

// Of reports whether it takes the place of what a test asks.
func (d Double) Of(asks assertions.Subject) bool {
	if d.Text != "" && !asks.Alone && (d.Text == asks.Text || d.whole && strings.HasPrefix(asks.Text, d.Text+".")) {
		return true
	}
	is, was := Words(d.Path), Words(asks.Path)
	if d.whole {
		return len(is) > 0 && len(was) > 1 && slices.Equal(is[len(is)-1:], was[len(was)-2:len(was)-1])
	}
	if len(is) == 0 || is[len(is)-1] != asks.Name {
		return false
	}
	if len(was) == 1 && asks.Alone { // nobody knows where it comes from
		return true
	}
	return len(is) > 1 && len(was) > 1 && slices.Equal(is[len(is)-2:], was[len(was)-2:])
}

// Name is what it takes the place of, for people.
func (d Double) Name() string {
	if d.Path != "" {
		return d.Path
	}
	return d.Text
}

// Words are the words of a path: folders, modules and names, without the endings of files.
func Words(path string) []string {
	for _, end := range []string{".js", ".mjs", ".cjs", ".ts", ".tsx", ".jsx"} {
		if at := strings.Index(path+".", end+"."); at > 0 {
			path = path[:at] + path[at+len(end):]
		}
	}
	return strings.FieldsFunc(strings.ReplaceAll(path, ".prototype.", "."), func(r rune) bool { return r == '.' || r == '/' || r == '@' || r == ':' })
}

// In lists what a file of tests puts in the place of something else.
func In(f *code.File, names *danger.Names) []Double {
	if f == nil || names == nil {
		return nil
	}
	var all []Double
	for n := range f.Root.Walk() {
		switch n.Role {
		case code.Assign:
			for _, t := range n.All(code.Target) {
				all = append(all, byAssignment(n, t, names)...)
			}
		case code.Call:
			all = append(all, byCall(n, names)...)
		default: // replaces nothing
		}
	}
	return all
}

// byAssignment are what an assignment replaces: a part of a module or an object, a module in the table of all, an object as a whole by a mock.
func byAssignment(n, t *code.Node, names *danger.Names) []Double {
	text := parts.Bare(t.Text())
	for _, told := range []string{".return_value", ".side_effect"} {
		if of, ok := strings.CutSuffix(text, told); ok {
			return []Double{{Text: of, At: n}}
		}
	}
	switch value := n.Kid(code.Value); {
	case t.Role == code.Index && IsModuleTable(names.Path(t.Kid(code.Object))):
		name, _ := names.Text(t.Kid(code.At))
		return []Double{{Path: name, whole: true, At: n}}
	case value.Is(code.Call) && IsMock(parts.LastName(value)):
		return []Double{{Path: names.Path(t), Text: text, At: n}, {Text: strings.TrimPrefix(strings.TrimPrefix(text, "self."), "this."), whole: true, At: n}, {Text: text, whole: true, At: n}}
	case t.Is(code.Attr, code.Index):
		return []Double{{Path: names.Path(t), Text: text, At: n}}
	}
	return nil
}

// IsMock reports whether a call of this name makes an object which answers whatever it is asked.
func IsMock(name string) bool { return mocks[name] }

// mocks are calls that make an object which answers whatever it is asked.
var mocks = map[string]bool{
	"Mock": true, "MagicMock": true, "AsyncMock": true, "NonCallableMock": true, "create_autospec": true, "mock": true, "createStubInstance": true, "mockDeep": true, "createMock": true,
}

// IsModuleTable reports whether what has this path holds what is imported, by name.
func IsModuleTable(path string) bool { return moduleTables[path] }

// moduleTables hold what is imported, by name.
var moduleTables = map[string]bool{"sys.modules": true, "require.cache": true}

// tabled are the modules that a call puts into such a table: monkeypatch.setitem(sys.modules, "calc", …), patch.dict("sys.modules", {"calc": …}).
func tabled(n *code.Node, names *danger.Names) []Double {
	args := n.All(code.Arg)
	first, _ := names.Text(args[0])
	if len(args) < 2 || !IsModuleTable(first) && !IsModuleTable(names.Path(args[0])) {
		return nil
	}
	var all []Double
	for k := range args[1].Walk() {
		if name, known := names.Text(k); known && k.Role == code.Str && (k == args[1] || k.Part == code.Key) {
			all = append(all, Double{Path: name, whole: true, At: n})
		}
	}
	return all
}

// byCall are what a call of a library for tests replaces.
func byCall(n *code.Node, names *danger.Names) []Double {
	args := n.All(code.Arg)
	if len(args) == 0 {
		return nil
	}
	callee, name := parts.Bare(n.Kid(code.Callee).Text()), parts.LastName(n)
	first, _ := names.Text(args[0])
	switch {
	case name == "setitem" || name == "dict":
		return tabled(n, names)
	case ReplacesModule(n) && first != "":
		return module(n, first)
	case (name == "setattr" || name == "patch" || name == "stub") && first != "":
		return []Double{{Path: first, At: n}}
	case replacesMember(n, name, callee):
		return member(n, args, names)
	case callee == "Object.assign" && len(args) > 1:
		return entries(n, args, names)
	}
	return answered(n, names)
}

// replacesMember reports whether a call is given an object, and the name of what it replaces in it.
func replacesMember(n *code.Node, name, callee string) bool {
	switch name {
	case "setattr", "patch", "stub":
		return true
	case "object", "multiple":
		return strings.Contains(callee, "patch")
	case "replace", "replaceProperty", "method":
		return IsMocker(strings.TrimSuffix(callee, "."+name))
	case "spyOn":
		return n.Parent.Is(code.Attr) && strings.HasPrefix(n.Parent.Name, "mock")
	}
	return callee == "Object.defineProperty"
}

// entries are the parts of an object that are replaced by those of another: Object.assign(calc, { add: … }).
func entries(n *code.Node, args []*code.Node, names *danger.Names) []Double {
	on := names.Path(args[0])
	var all []Double
	for k := range args[1].Walk() {
		if k.Role == code.Pair && on != "" {
			all = append(all, Double{Path: on + "." + strings.Trim(k.Kid(code.Key).Text(), `"'`), At: n})
		}
	}
	return all
}

// ReplacesModule reports whether a call has a library of JavaScript's replace a module: jest.mock("./calc").
func ReplacesModule(call *code.Node) bool {
	name := parts.LastName(call)
	return wholeModules[name] && mockers[strings.TrimSuffix(parts.Bare(call.Kid(code.Callee).Text()), "."+name)]
}

// wholeModules are the calls by which modules of JavaScript are replaced.
var wholeModules = map[string]bool{"mock": true, "doMock": true, "unstable_mockModule": true, "module": true}

// answered are the functions that a mock is told the answers of: when(calc.add(2, 3)), doReturn(5).when(calc).add(2, 3), add.mockReturnValue(5).
func answered(n *code.Node, names *danger.Names) []Double {
	name, callee := parts.LastName(n), n.Kid(code.Callee)
	on := callee.Kid(code.Object)
	switch first := n.All(code.Arg)[0]; {
	case (name == "when" || name == "given") && first.Role == code.Call:
		return []Double{{Text: parts.Bare(first.Kid(code.Callee).Text()), At: n}}
	case parts.LastCall(on) == "when":
		return []Double{{Text: parts.Bare(on.All(code.Arg)[0].Text()) + "." + name, At: n}}
	case strings.HasPrefix(name, "mockReturnValue"), strings.HasPrefix(name, "mockImplementation"), strings.HasPrefix(name, "mockResolvedValue"):
		if spy := spied(on); spy != nil {
			return member(n, spy.All(code.Arg), names)
		}
		if !madeThere(on) {
			return []Double{{Path: names.Path(on), Text: parts.Bare(on.Text()), At: n}}
		}
	}
	return nil
}

// madeThere reports whether a chain of calls begins with one that makes a mock function, which takes nobody's place by itself: jest.fn().mockReturnValueOnce(1).
func madeThere(n *code.Node) bool {
	for n.Is(code.Call, code.Attr) {
		if n.Is(code.Call) && parts.LastName(n) == "fn" {
			return true
		}
		n = n.Kid(map[bool]code.Part{true: code.Callee, false: code.Object}[n.Is(code.Call)])
	}
	return false
}

// spied is the call that made a spy which a variable holds; nil, if there is none.
func spied(n *code.Node) *code.Node {
	if !n.Is(code.Name) {
		return nil
	}
	for a := range n.File.Root.Walk() {
		if a.Role == code.Assign && a.Kid(code.Target).Is(code.Name) && a.Kid(code.Target).Name == n.Name && parts.LastCall(a.Kid(code.Value)) == "spyOn" {
			return a.Kid(code.Value)
		}
	}
	return nil
}

// IsMocker reports whether a library of this name replaces modules and functions of JavaScript.
func IsMocker(library string) bool { return mockers[library] }

// mockers are the libraries that replace modules and functions of JavaScript by name.
var mockers = map[string]bool{"jest": true, "vi": true, "vitest": true, "mock": true, "td": true, "sinon": true, "rewiremock": true, "t.mock": true, "sandbox": true}

// module is what a mocked module replaces: all of it, or, where the rest is taken from the real one, what is spelled out.
func module(n *code.Node, name string) []Double {
	text := n.Text()
	if !strings.Contains(text, "requireActual") && !strings.Contains(text, "importActual") && !strings.Contains(text, "importOriginal") {
		return []Double{{Path: name, whole: true, At: n}}
	}
	var all []Double
	for k := range n.Walk() {
		if k.Role == code.Pair {
			all = append(all, Double{Path: name + "." + strings.Trim(k.Kid(code.Key).Text(), `"'`), At: n})
		}
	}
	return all
}

// member is what a call replaces that is given an object and a name, or names.
func member(n *code.Node, args []*code.Node, names *danger.Names) []Double {
	on, _ := names.Text(args[0])
	if on == "" {
		on = names.Path(args[0])
	}
	var all []Double
	for _, a := range args[1:] {
		name, known := names.Text(a)
		if a.Role == code.Keyword {
			name, known = a.Name, true
		}
		if known {
			all = append(all, Double{Path: strings.TrimPrefix(on+"."+name, "."), Text: parts.Bare(args[0].Text()) + "." + name, At: n})
		}
	}
	return all
}

// Test is the test that a double is for: the one around it, or that which it decorates; nil where it is for all of the file.
func (d Double) Test() *code.Node {
	for at := d.At; at != nil; at = at.Parent {
		if assertions.TestName(at) != "" {
			return at
		}
		if parts.IsDecorator(at) {
			for next := at.Next(); next != nil; next = next.Next() {
				if next.Role == code.Function && assertions.TestName(next) != "" {
					return next
				}
				if !parts.IsDecorator(next) {
					break
				}
			}
		}
	}
	return nil
}
