package audit

import (
	"context"
	"slices"
	"strings"

	"fettle/internal/audit/assertions"
	"fettle/internal/audit/doubles"
	"fettle/internal/audit/parts"
	"fettle/internal/audit/trees"
	"fettle/internal/code"
	"fettle/internal/pattern"
	danger "fettle/internal/policy/code"
	"fettle/internal/syntax"
)

// origin is what a value of a test is made by, as far as that can be followed through variables, rows, fixtures and helpers.
type origin struct {
	asked map[string]bool // functions of the code whose answers it is made of
	code  bool            // code has a part in it at all: its classes too
	open  bool            // something has that nobody can follow
}

// fabric is a state of the tests: a file of them, and those whose fixtures and helpers it may use.
type fabric struct {
	v       *patchView
	files   []*code.File // the first is the one that is asked about
	read    map[*code.File]*contents
	visited map[*code.Node]bool
	found   origin
}

// contents are what a file makes known, by its names: functions and classes, and what is given to variables and members.
type contents struct {
	names         *danger.Names
	defs, assigns map[string][]*code.Node
}

// weave makes the fabric of a file. Files that could not be read, or are not there, have no part in it.
func (v *patchView) weave(f *code.File, helpers []*code.File) *fabric {
	w := &fabric{v: v, files: []*code.File{f}, read: make(map[*code.File]*contents)}
	for _, h := range helpers {
		if h != nil && h.Path != f.Path {
			w.files = append(w.files, h)
		}
	}
	return w
}

// of is the origin of some values.
func (w *fabric) of(values ...*code.Node) origin {
	w.visited, w.found = make(map[*code.Node]bool), origin{asked: make(map[string]bool)}
	for _, n := range values {
		w.follow(n)
	}
	return w.found
}

// in reads what a file makes known.
func (w *fabric) in(f *code.File) *contents {
	if c := w.read[f]; c != nil {
		return c
	}
	c := &contents{names: danger.NamesOf(context.Background(), f), defs: make(map[string][]*code.Node), assigns: make(map[string][]*code.Node)}
	for n := range f.Root.Walk() {
		switch {
		case n.Is(code.Function, code.Class) && parts.OwnName(n) != "" && !n.Parent.Is(code.Pair) && n.Up(code.Class) == nil:
			c.defs[parts.OwnName(n)] = append(c.defs[parts.OwnName(n)], n)
		case n.Is(code.Assign, code.Each):
			for i, t := range n.All(code.Target) {
				for _, name := range parts.Targets(t) {
					if value := valueFor(n, i); value != nil {
						c.assigns[name] = append(c.assigns[name], value)
					}
				}
			}
		}
	}
	w.read[f] = c
	return c
}

// valueFor is what one target of an assignment, or of a loop, is given.
func valueFor(n *code.Node, i int) *code.Node {
	if n.Role == code.Each {
		return n.Kid(code.Iter)
	}
	values := n.All(code.Value)
	if len(values) == 0 {
		return nil
	}
	return values[min(i, len(values)-1)]
}

func (w *fabric) path(n *code.Node) string { return w.in(n.File).names.Path(n) }

func (w *fabric) follow(n *code.Node) {
	if n == nil || w.visited[n] {
		return
	}
	w.visited[n] = true
	switch n.Role {
	case code.Call:
		w.called(n)
	case code.Name:
		w.named(n)
	case code.Attr:
		if values := w.members(n); len(values) > 0 {
			w.all(values)
		} else {
			w.follow(n.Kid(code.Object))
		}
	case code.Index:
		w.follow(n.Kid(code.Object))
	case code.Pair, code.Keyword:
		w.follow(n.Kid(code.Value))
	case code.Function:
		w.all(gives(n))
	case code.Class:
		for k := range n.Walk() {
			if k.Part == code.Arg || k.Role == code.Call {
				w.follow(k)
			}
		}
	case code.TypeRef, code.Import, code.Member:
	default:
		w.all(n.Kids)
	}
}

func (w *fabric) all(nodes []*code.Node) {
	for _, n := range nodes {
		w.follow(n)
	}
}

// called follows what a call gives: code's answer, what a helper makes, what comes of its arguments.
func (w *fabric) called(n *code.Node) {
	callee, where := n.Kid(code.Callee), w.path(n.Kid(code.Callee))
	local, own := w.defined(callee), callee.Is(code.Attr) && where == "" // a method of what the tests made
	switch {
	case len(local) > 0:
		w.all(local)
		w.all(n.All(code.Arg))
	case w.ours(callee, where):
		w.ask(strings.Join(lastTwo(where, callee), "."))
	case own && w.made(callee.Kid(code.Object)):
		w.ask("." + callee.Name)
	default:
		w.found.open = w.found.open || !own && !indifferent(n, where)
		w.all(n.All(code.Arg))
		if own {
			w.follow(callee.Kid(code.Object))
		}
	}
}

// ask notes that a function of the code gives an answer. What it is asked with is not followed.
func (w *fabric) ask(name string) {
	w.found.asked[name], w.found.code = true, true
}

// lastTwo are the last words of a path; for what has none, the name that is called.
func lastTwo(where string, callee *code.Node) []string {
	all := doubles.Words(where)
	if len(all) == 0 {
		return []string{callee.Text()}
	}
	return all[max(0, len(all)-2):]
}

// made reports whether an object is made by the code, so that its methods are the code's.
func (w *fabric) made(object *code.Node) bool {
	if object == nil {
		return false
	}
	outer := w.found
	w.found = origin{asked: make(map[string]bool)}
	w.follow(object)
	inner := w.found
	outer.code, outer.open = outer.code || inner.code, outer.open || inner.open
	w.found = outer
	return inner.code
}

// indifferent reports whether a call puts together what it is given, or makes a thing that stands for others, and so has nothing of the code in it.
func indifferent(n *code.Node, where string) bool {
	name := parts.LastName(n)
	return parts.PutsTogether(name) || assertions.OnlyShows(where) || parts.MakesEmpty(name) || doubles.IsMock(name) || inert.MatchString(where) || inert.MatchString(name)
}

// inert matches what has nothing of the code in it by itself: stand-ins, name spaces, what shows or puts together values.
var inert = pattern.New(`^(unittest\.mock\.|types\.SimpleNamespace$|collections\.namedtuple$|(jest|vi|sinon)\.(fn|stub|spy)$|pytest\.(approx|param)$|type$|print$|lambda$|range$|zip$|enumerate$|map$|filter$|append$|make$)`)

// ours reports whether what is called belongs to the code that is tested: it is imported from a file of the repository that is no test, or in Go of the package.
func (w *fabric) ours(callee *code.Node, where string) bool {
	all := doubles.Words(where)
	switch l := callee.File.Lang; {
	case l == syntax.Go && callee.Is(code.Name):
		return !assertions.OnlyShows(callee.Name) && !parts.PutsTogether(callee.Name) && !goBuiltins[callee.Name]
	case len(all) < 2, equalToAll[where], inert.MatchString(where):
		return false
	case l == syntax.Go:
		return strings.Contains(strings.SplitN(where, "/", 2)[0], ".") && !testingModule.MatchString(where)
	case parts.IsScript(l):
		return strings.HasPrefix(where, ".") || strings.HasPrefix(where, "@/") || strings.HasPrefix(where, "~/")
	}
	return w.v.holds(all[0])
}

var testingModule = pattern.New(`testify|gomega|ginkgo|go-cmp|gotest\.tools|quicktest|gomock`)

var goBuiltins = map[string]bool{"append": true, "cap": true, "copy": true, "delete": true, "panic": true, "new": true, "min": true, "max": true, "any": true, "error": true, "uint": true, "uint8": true, "uint64": true, "int32": true, "float32": true}

// holds reports whether the repository has a module of Python of this name that is no test; where nobody knows its files, it may have any that Python has not.
func (v *patchView) holds(name string) bool {
	if v.list == nil {
		return !pythonOwn[name]
	}
	if v.modules == nil {
		v.modules = make(map[string]bool)
		for _, file := range v.list() {
			if !strings.HasSuffix(file, ".py") || v.isEvidence(file) {
				continue
			}
			for word := range strings.SplitSeq(strings.TrimSuffix(file, ".py"), "/") {
				v.modules[word] = true
			}
		}
	}
	return v.modules[name]
}

// pythonOwn are the modules of Python that tests use most.
var pythonOwn = map[string]bool{
	"json": true, "os": true, "sys": true, "re": true, "math": true, "time": true, "datetime": true, "pathlib": true, "collections": true, "itertools": true, "functools": true, "types": true, "io": true,
	"textwrap": true, "decimal": true, "random": true, "copy": true, "unittest": true, "pytest": true, "typing": true, "enum": true, "uuid": true, "operator": true, "string": true, "asyncio": true,
}

// defined are the functions and classes of the tests that a callee may mean: of its own file, or of a helper's that it comes from.
func (w *fabric) defined(callee *code.Node) []*code.Node {
	if !callee.Is(code.Name) && !callee.Is(code.Attr) {
		return nil
	}
	if callee.Is(code.Name) {
		if all := w.in(callee.File).defs[callee.Name]; len(all) > 0 {
			return all
		}
	}
	from := doubles.Words(w.path(callee))
	for _, f := range w.files {
		switch {
		case f == callee.File:
		case len(from) > 1 && from[len(from)-2] == parts.Stem(f.Path), f.Lang == syntax.Go && callee.Is(code.Name):
			if all := w.in(f).defs[callee.Name]; len(all) > 0 {
				return all
			}
		}
	}
	return nil
}

// gives are the values that a function gives.
func gives(fn *code.Node) []*code.Node {
	body := fn.Kid(code.Body)
	if body != nil && body.Role != code.Block {
		return []*code.Node{body}
	}
	var all []*code.Node
	for n := range fn.Own() {
		if n.Role == code.Return || n.Role == code.Other && strings.HasPrefix(n.Text(), "yield") {
			all = append(all, n.Kids...)
		}
	}
	return all
}

// named follows what a name stands for where it is read: a variable, a parameter, something of the file's, something that is imported.
func (w *fabric) named(n *code.Node) {
	for fn := n.Function(); fn != nil; fn = fn.Function() {
		if values := w.valuesIn(fn, n); len(values) > 0 {
			w.all(values)
			return
		}
		for i, p := range fn.All(code.Params) {
			if p.Name == n.Name {
				w.parameter(fn, p, i)
				return
			}
		}
	}
	values := append(w.valuesIn(nil, n), w.in(n.File).defs[n.Name]...)
	if len(values) == 0 {
		where := w.path(n)
		values = w.defined(n)
		switch {
		case len(values) > 0:
		case where != "" && w.ours(n, where):
			w.found.code = true
		default:
			w.found.open = w.found.open || !parts.Literal(n) && !common(n, where)
		}
	}
	w.all(values)
}

// common reports whether a name is a language's own, or of a library for tests.
func common(n *code.Node, where string) bool {
	return where != "" && (assertions.OnlyShows(where) || inert.MatchString(where)) || parts.PutsTogether(n.Name) || n.Name == "self" || n.Name == "_"
}

// valuesIn are what a function, or the file outside of any, gives a variable as the value that is read at a place; what is carried out before tests counts.
func (w *fabric) valuesIn(holder, n *code.Node) []*code.Node {
	var all, before []*code.Node
	for _, value := range w.in(n.File).assigns[n.Name] {
		fn, assign := value.Function(), value.Parent
		if fn != holder && (fn == nil || !isHook(fn)) || !visible(assign, n) || value.Holds(n.Start, n.End) {
			continue
		}
		all = append(all, value)
		if value.Start < n.Start {
			before = append(before, value)
		}
	}
	if len(before) > 0 {
		return before
	}
	return all
}

// visible reports whether what is declared in one place is known in another.
func visible(k, n *code.Node) bool {
	if !k.File.Facts.BlockScoped || !k.Declares {
		return true
	}
	block := k.Up(code.Block, code.For, code.Each, code.If, code.While, code.Switch, code.Case, code.Function, code.Module)
	return block.Holds(n.Start, n.End)
}

// isHook reports whether a function is carried out before tests.
func isHook(fn *code.Node) bool {
	call := parts.GivenTo(fn)
	return assertions.RunsBefore(fn.Name) || call != nil && (assertions.RunsAround(parts.LastName(call)) || assertions.ScriptCall(call, "describe", "suite", "context"))
}

// members are the values that a class, or a file without, gives a member of its own object: self.want.
func (w *fabric) members(n *code.Node) []*code.Node {
	if object := n.Kid(code.Object); !object.Is(code.Self) && object.Text() != "self" {
		return nil
	}
	class := n.Up(code.Class)
	return slices.DeleteFunc(slices.Clone(w.in(n.File).assigns[parts.Bare(n.Text())]), func(value *code.Node) bool { return value.Up(code.Class) != class })
}

// parameter follows what a function is given: rows, a fixture, or what its callers hand it.
func (w *fabric) parameter(fn, p *code.Node, i int) {
	switch values := append(rowsFor(fn, p.Name, i), w.fixtures(fn, p.Name)...); {
	case len(values) > 0:
		w.all(values)
	case p.Name == "self" || fn.File.Lang == syntax.Go && strings.HasPrefix(p.Type, "*testing."):
	default:
		values := handed(fn, i)
		w.found.open = w.found.open || len(values) == 0
		w.all(values)
	}
}

// fixtures are the functions of pytest's that give a test, or another of them, what it asks for by a name.
func (w *fabric) fixtures(fn *code.Node, name string) []*code.Node {
	if fn.File.Lang != syntax.Python || assertions.TestName(fn) == "" && !assertions.IsFixture(fn) {
		return nil
	}
	for _, f := range append([]*code.File{fn.File}, w.files...) {
		for n := range f.Root.Walk() {
			if n.Role == code.Function && n.Name == name && n != fn && assertions.IsFixture(n) {
				return []*code.Node{n}
			}
		}
	}
	return nil
}

// handed are the values that the callers of a function in its file give it in one place.
func handed(fn *code.Node, i int) []*code.Node {
	var all []*code.Node
	for n := range fn.File.Root.Walk() {
		if n.Role != code.Call || !n.Kid(code.Callee).Is(code.Name) || n.Kid(code.Callee).Name != parts.OwnName(fn) || parts.OwnName(fn) == "" {
			continue
		}
		if args := n.All(code.Arg); len(args) > i {
			all = append(all, args[i])
		}
	}
	return all
}

// rowsFor are the values that tables give a parameter of a test: pytest's parametrize by its name, test.each by its place.
func rowsFor(fn *code.Node, name string, i int) []*code.Node {
	if call := parts.GivenTo(fn); call != nil && call.Kid(code.Callee).Is(code.Call) {
		if table := call.Kid(code.Callee).All(code.Arg); len(table) > 0 {
			return column(table[0], i, len(fn.All(code.Params)) == 1)
		}
	}
	var all []*code.Node
	for at := range parts.Decorators(fn) {
		for n := range at.Walk() {
			args := n.All(code.Arg)
			if n.Role != code.Call || parts.LastName(n) != "parametrize" || len(args) < 2 {
				continue
			}
			asks := trees.Items(args[0].Text())
			if at := slices.Index(asks, name); at >= 0 {
				all = append(all, column(args[1], at, len(asks) == 1)...)
			}
		}
	}
	return all
}

// column is what stands in one place of each row of a table.
func column(table *code.Node, i int, alone bool) []*code.Node {
	var all []*code.Node
	for _, row := range table.All(code.Elem) {
		given := append(row.All(code.Elem), row.All(code.Arg)...)
		switch {
		case alone || !row.Is(code.List, code.Call):
			all = append(all, row)
		case len(given) > i:
			all = append(all, given[i])
		}
	}
	return all
}
