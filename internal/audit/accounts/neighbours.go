package accounts

import (
	"slices"
	"strings"

	"fettle/internal/audit/assertions"
	"fettle/internal/audit/doubles"
	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/lang"
	"fettle/internal/pattern"
	"fettle/internal/syntax"
)

// neighbour is what stands in a file, or in a class or suite, beside its tests.
type neighbour struct {
	node  *code.Node
	names []string // what it makes known
	marks []string
	facts []fact // of a function, what it does
	text  string // of what is none, all of it
}

// neighbours are those of a file or suite, but for tests, imports, and suites of tests, and what is told together with these.
func neighbours(holder *code.Node, how manner) []neighbour {
	var all []neighbour
	for _, k := range membersOf(holder) {
		if how != apart && toldWithTests(k) || startsTests(k) {
			continue
		}
		if k.Role == code.Import || parts.IsDecorator(k) || isRequire(k) || assertions.IsTest(parts.Inner(k)) || assertions.HoldsTests(parts.Inner(k)) {
			continue
		}
		all = append(all, neighbourOf(k))
	}
	if holder.Role == code.Class {
		bases := slices.DeleteFunc(holder.All(code.Arg), func(n *code.Node) bool { return plainBase.MatchString(n.Text()) })
		if len(bases) > 0 {
			all = append(all, neighbour{node: holder, text: "class of " + parts.Bare(bases[0].Text())})
		}
		for _, m := range suiteMarks(holder) {
			all = append(all, neighbour{node: holder, text: m, marks: []string{m}})
		}
	}
	if holder.Role == code.Call {
		if mark := strings.TrimPrefix(plainSuite.ReplaceAllString(parts.Bare(holder.Kid(code.Callee).Text()), ""), "."); mark != "" {
			all = append(all, neighbour{node: holder, text: "." + mark, marks: []string{"." + mark}})
		}
	}
	return all
}

var (
	plainBase  = pattern.New(`^(object|(unittest\.)?TestCase)$`)
	plainSuite = pattern.New(`^(describe|suite|context)\b`)
)

// startsTests reports whether a statement of a module of Python's only starts a runner, where somebody carries the file out by itself.
func startsTests(n *code.Node) bool {
	then := n.Kid(code.Then)
	if !n.Is(code.If) || n.File.Lang != syntax.Python || n.Kid(code.Else) != nil || !then.Is(code.Block) || parts.Bare(n.Kid(code.Cond).Text()) != `__name__=="__main__"` {
		return false
	}
	return !slices.ContainsFunc(then.Kids, func(s *code.Node) bool { return !runnerStart.MatchString(parts.Bare(s.Text())) })
}

var runnerStart = pattern.New(`^((sys\.)?exit\()?(unittest|pytest)\.main\([^()]*\)\)?$`)

func suiteMarks(class *code.Node) []string {
	if class.File.Lang == syntax.Java {
		return annotations(class)
	}
	var all []string
	for _, m := range parts.Marks(class) {
		all = append(all, parts.Bare(m))
	}
	return all
}

// membersOf are the statements of a file, a class, or what a suite is given.
func membersOf(holder *code.Node) []*code.Node {
	switch holder.Role {
	case code.Module:
		return holder.Kids
	case code.Class:
		return holder.Kid(code.Body).All(code.Stmt)
	case code.Call:
		if fn := parts.FunctionIn(holder); fn != nil {
			return parts.Statements(fn)
		}
	default: // holds no statements
	}
	return nil
}

func isRequire(n *code.Node) bool {
	return n.Role == code.Declaration && strings.Contains(n.Text(), "require(")
}

func neighbourOf(n *code.Node) neighbour {
	m := neighbour{node: n}
	r := &teller{root: n, env: make(map[string]string), rows: make(map[string]map[string]string)}
	at := parts.Inner(n)
	switch {
	case at.Is(code.Function):
		m.names = []string{at.Name}
		m.marks = suiteMarks(at)
		var params []string
		for _, p := range at.All(code.Params) {
			params = append(params, parts.Bare(p.Text()))
		}
		r.root = at
		m.facts = append([]fact{{text: at.Name + "(" + strings.Join(params, ",") + ")"}}, r.one(parts.Statements(at)...)...)
	case at.Is(code.Assign, code.Declaration):
		for k := range at.Walk() {
			if k.Role == code.Assign && k.Function() == n.Function() {
				for _, t := range k.All(code.Target) {
					m.names = append(m.names, parts.Targets(t)...)
				}
			}
		}
		m.text = strings.Join(append(fieldMarks(n), r.canon(at)), " ")
	case at.Is(code.Class):
		m.names, m.text = []string{at.Name}, strings.Join(suiteMarks(at), " ")+r.canon(at)
	case at.Is(code.Call):
		m.facts = r.one(n)
	default:
		m.text = r.canon(at)
	}
	return m
}

// fieldMarks are those of a field of Java.
func fieldMarks(n *code.Node) []string {
	if n.File.Lang != syntax.Java {
		return nil
	}
	return javaMark.FindAllString(n.Text(), -1)
}

// same reports whether a neighbour does what another did; what skips tests may be gone from it.
func (m neighbour) same(now neighbour, l lang.Language) bool {
	if m.facts == nil || now.facts == nil {
		return m.text == now.text && m.text != "" && len(m.facts) == len(now.facts)
	}
	return marked(m.marks, now.marks, l) && embedded(m.facts, now.facts) && m.text == now.text
}

// around reports whether what stands around tests does for them what it did: what is gone was not used, or skipped tests; what is new is used by new tests alone.
func (c comparison) around(was, is []neighbour) bool {
	left := slices.Clone(is)
	for _, m := range was {
		i := slices.IndexFunc(left, func(n neighbour) bool { return m.same(n, c.l) })
		switch {
		case i >= 0:
			left = slices.Delete(left, i, i+1)
		case !c.mayGo(m):
			return false
		}
	}
	return !slices.ContainsFunc(left, func(m neighbour) bool { return !c.mayCome(m) })
}

// mayGo reports whether nothing is lost with a neighbour: it kept tests from running, or nothing names it any more.
func (c comparison) mayGo(m neighbour) bool {
	at := parts.Inner(m.node)
	switch {
	case onlySkips(m, c.l):
		return true
	case len(m.names) == 0 || hooked(m) || IsConftest(c.before.Program.Path):
		return false
	case at.Is(code.Assign, code.Declaration) && !harmlessValues(at):
		return false
	}
	return !slices.ContainsFunc(m.names, func(name string) bool { return parts.Mentions([]byte(c.after.Program.Source), name) })
}

// mayCome reports whether a neighbour is new to what was there: it has a name that nothing had, and does nothing by itself.
func (c comparison) mayCome(m neighbour) bool {
	if at := parts.Inner(m.node); at.Is(code.Function) && at.Name == "TestMain" {
		return !parts.Mentions([]byte(c.before.Program.Source), "TestMain") && assertions.HonestMain(at)
	}
	if len(m.names) == 0 || hooked(m) || IsConftest(c.before.Program.Path) { // whose fixtures are for every file below
		return false
	}
	for k := range m.node.Walk() {
		if k.Role == code.Call && k.Function() == m.node.Function() && (doubles.ReplacesModule(k) || assertions.GoodExit.MatchString(k.Text())) {
			return false
		}
	}
	return !slices.ContainsFunc(m.names, func(name string) bool {
		return parts.Mentions([]byte(c.before.Program.Source), name) || strings.Contains(name, ".") || reservedNames.MatchString(name) || parts.IsScript(m.node.File.Lang) && globalNames.MatchString(name)
	})
}

// reservedNames are what runners give a meaning of its own.
var reservedNames = pattern.New(`^(pytest_\w+|pytestmark|pytest_plugins|collect_ignore\w*|setup_\w+|teardown_\w+|setUp\w*|tearDown\w*|__\w+__|init|TestMain|load_tests|_)$`)

// hooked reports whether somebody else carries a neighbour out, before or after tests.
func hooked(m neighbour) bool {
	at := parts.Inner(m.node)
	if slices.ContainsFunc(m.marks, func(mark string) bool { return hookMark.MatchString(mark) }) || slices.ContainsFunc(m.names, reservedNames.MatchString) {
		return true
	}
	return at.Is(code.Call) || at.Is(code.Function) && assertions.RunsBefore(at.Name) && !parts.IsScript(at.File.Lang)
}

var hookMark = pattern.New(`autouse|hookimpl|^@(Before|After|Extend|Rule|ClassRule|RegisterExtension)`)

// IsConftest reports whether a file holds what pytest gives to every test below its folder.
func IsConftest(name string) bool { return strings.HasSuffix(name, "conftest.py") }

// harmlessValues reports whether what a statement assigns calls nothing that could change something. What a function that it assigns would call, it does not.
func harmlessValues(n *code.Node) bool {
	defined := func(k *code.Node) bool {
		fn := k.Function()
		return fn != n.Function() && fn.Parent.Is(code.Assign) && fn.Part == code.Value
	}
	for k := range n.Walk() {
		if defined(k) {
			continue
		}
		if k.Role == code.Call && (assertions.Replaces(parts.LastName(k)) || strings.Contains(parts.Bare(k.Kid(code.Callee).Text()), "mock")) {
			return false
		}
	}
	return true
}

// onlySkips reports whether a neighbour does nothing but keep tests from running: a hook that marks them, a list of files that are left out.
func onlySkips(m neighbour, l lang.Language) bool {
	at := parts.Inner(m.node)
	switch {
	case len(m.marks) == 1 && m.text == m.marks[0]:
		return skipMark(l, m.text)
	case at.Is(code.Assign):
		return len(m.names) == 1 && (m.names[0] == "pytestmark" && len(lang.Skips(l, at.Text())) > 0 && strings.Count(at.Text(), "mark.") == 1 || strings.HasPrefix(m.names[0], "collect_ignore"))
	case !at.Is(code.Function):
		return len(m.facts) > 0 && !slices.ContainsFunc(m.facts, func(f fact) bool { return !f.skip })
	case skippingHooks[at.Name], hooked(m):
		some, only := skipsIn(at)
		return some && only
	}
	return false
}

// skippingHooks are those of pytest's by which tests are kept from running.
var skippingHooks = map[string]bool{"pytest_collection_modifyitems": true, "pytest_runtest_setup": true, "pytest_ignore_collect": true, "pytest_itemcollected": true}

// skipsIn reports whether a function skips tests, and whether it does nothing else.
func skipsIn(fn *code.Node) (some, only bool) {
	only = true
	for n := range fn.Kid(code.Body).Walk() {
		if n.Part != code.Stmt {
			continue
		}
		switch value := parts.Inner(n); {
		case n.Is(code.If, code.Each, code.Continue, code.Pass, code.Block, code.Break):
		case parts.Literal(value):
		case value.Is(code.Call):
			if !skippingCalls[parts.LastName(value)] || parts.LastName(value) == "add_marker" && !skipWords.MatchString(value.Text()) {
				return some, false
			}
			some = some || parts.LastName(value) != "append"
		case n.Is(code.Assign):
			target := n.Kid(code.Target).Text()
			if strings.Contains(target, ".") || strings.Contains(target, "[") && target != "items[:]" {
				return some, false
			}
			some = some || target == "items[:]"
		case n.Is(code.Return) && fn.Name == "pytest_ignore_collect":
			some = true
		case n.Is(code.Return) && len(n.Kids) == 0:
		default:
			return some, false
		}
	}
	return some, only
}

var (
	skippingCalls = map[string]bool{"add_marker": true, "skip": true, "xfail": true, "skipTest": true, "remove": true, "pytest_deselected": true, "append": true}
	skipWords     = pattern.New(`\b(skip|skipif|xfail)\b`)
)

// sameImports reports whether what names stand for is what it was, as far as files bring them in.
func (c comparison) sameImports() bool {
	was, is := bindings(c.before.Program), bindings(c.after.Program)
	for name, from := range is {
		old, had := was[name]
		switch {
		case had && old != from && (!testLibrary.MatchString(old) || !testLibrary.MatchString(from)):
			return false
		case !had && runnerGives(name, from):
		case !had && (asserting(name) || globalNames.MatchString(name)) && !testLibrary.MatchString(from):
			return false // what asserts, or runs, may be anybody's
		case !had && name != "" && parts.Mentions([]byte(withoutImports(c.before.Program)), name):
			return false
		}
	}
	return openImports(c.after.Program) == openImports(c.before.Program)
}

// asserting reports whether a name is one by which libraries assert.
func asserting(name string) bool {
	return assertions.Matcher(name) > assertions.Nothing || oneSided[name] != "" || twoSided[name] != "" || name == "expect" || name == "assertThat" || name == "assertWithMessage" || name == "assert"
}

// runnerGives reports whether a runner of JavaScript's gives a name that others of them make known everywhere.
func runnerGives(name, from string) bool {
	return globalNames.MatchString(name) && ownGlobals.MatchString(from)
}

var (
	globalNames = pattern.New(`^(describe|it|test|expect|suite|before|after|beforeEach|afterEach|beforeAll|afterAll|vi|jest)$`)
	ownGlobals  = pattern.New(`^(vitest|@jest/globals|node:test|mocha|bun:test)\.\w+$`)
)

// testLibrary matches what libraries for tests are called where they are imported, which is nothing of the project's own.
var testLibrary = pattern.New(`(?i)^(?:[^./].*)?(?:junit|jupiter|hamcrest|assertj|common\.truth|testng|testify|unittest|pytest|jest|vitest|mocha|chai|node:test|node:assert|ioutil|playwright/test|bun:test|quicktest|gotest\.tools)|^(?:assert|expect|expect-type|tsd|ava|tap|uvu|qunit|should)(?:[./]|$)`)

// openImports are the imports of a program by which all names of something become known, but for those of libraries for tests.
func openImports(f *code.File) string {
	var b strings.Builder
	for n := range f.Root.Walk() {
		if n.Role != code.Import || !strings.Contains(n.Text(), "*") {
			continue
		}
		from := strings.TrimPrefix(strings.TrimPrefix(n.Text(), "import "), "static ")
		if n.File.Lang != syntax.Java || !testLibrary.MatchString(from) {
			b.WriteString(n.Text() + "\n")
		}
	}
	return b.String()
}

func withoutImports(f *code.File) string {
	src := f.Source
	for n := range f.Root.Walk() {
		if n.Role == code.Import || isRequire(n) {
			src = src[:n.Start] + strings.Repeat(" ", n.End-n.Start) + src[n.End:]
		}
	}
	return src
}

// bindings are the names that imports make known, each with where it comes from.
func bindings(f *code.File) map[string]string {
	all := make(map[string]string)
	for n := range f.Root.Walk() {
		if n.Role != code.Import && !isRequire(n) {
			continue
		}
		for name, from := range bound(f.Lang, n.Text()) {
			all[name] = from
		}
	}
	return all
}

var (
	quotedModule = pattern.New(`["'` + "`" + `]([^"'` + "`" + `]+)["'` + "`" + `]`)
	renamedTo    = pattern.New(`^(.*?)\s+(?:as|:)\s+(.*)$`)
)

// bound are the names that one import makes known.
func bound(l syntax.Lang, text string) map[string]string {
	all := make(map[string]string)
	text = strings.TrimSuffix(strings.Join(strings.Fields(text), " "), ";")
	switch {
	case l == syntax.Go:
		for _, m := range importedGo.FindAllStringSubmatch(text, -1) {
			name := m[1]
			if name == "" {
				name = m[2][strings.LastIndex(m[2], "/")+1:]
			}
			all[name] = m[2]
		}
	case strings.HasPrefix(text, "package "):
	case l == syntax.Java:
		from := strings.TrimPrefix(strings.TrimPrefix(text, "import "), "static ")
		all[from[strings.LastIndex(from, ".")+1:]] = from
	case l == syntax.Python && strings.HasPrefix(text, "import "):
		for part := range strings.SplitSeq(strings.TrimPrefix(text, "import "), ",") {
			part = strings.TrimSpace(part)
			if m := renamedTo.FindStringSubmatch(part); m != nil {
				all[m[2]] = m[1]
				continue
			}
			first, _, _ := strings.Cut(part, ".")
			all[first] = first
		}
	case l == syntax.Python:
		from, names, _ := strings.Cut(strings.TrimPrefix(text, "from "), " import ")
		namesFrom(all, strings.Trim(names, "() "), from)
	default:
		m := quotedModule.FindStringSubmatch(text)
		if m == nil {
			return all
		}
		head, _, _ := strings.Cut(text, m[0])
		head = strings.NewReplacer("import type ", "", "import ", "", "const ", "", "let ", "", "var ", "", " from ", "", "= require(", "", "{", ",", "}", ",").Replace(head)
		namesFrom(all, head, m[1])
	}
	delete(all, "")
	delete(all, "*")
	return all
}

var importedGo = pattern.New(`(?:([\w.]+) )?"([^"]+)"`)

// namesFrom reads a list of names, some of which are called otherwise.
func namesFrom(all map[string]string, list, from string) {
	for part := range strings.SplitSeq(list, ",") {
		part = strings.TrimSpace(part)
		name, origin := part, from+"."+part
		if m := renamedTo.FindStringSubmatch(part); m != nil {
			name, origin = m[2], from+"."+m[1]
		}
		all[name] = origin
	}
}
