package audit

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"fettle/internal/audit/doubles"
	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/lang"
	"fettle/internal/pattern"
	danger "fettle/internal/policy/code"
	"fettle/internal/syntax"
)

// probe is a place where code looks at what is around it, to see whether it is tested.
type probe struct {
	what   string // what it looks at
	line   int
	within string
	effect Effect
	says   string
}

// probes compares where a program looks for its tests before and after. What only moved from one function to another is not new.
func (v *patchView) probes(f *fileView) []Finding {
	here, more := make(map[string]int), make(map[string]int)
	was, is := f.names()
	for _, p := range v.looks(f.programBefore, was) {
		here[p.what+"\x00"+p.within]++
		more[p.what]--
	}
	looks := v.looks(f.programAfter, is)
	for _, p := range looks {
		more[p.what]++
	}
	var all []Finding
	for _, p := range looks {
		at := p.what + "\x00" + p.within
		if here[at]--; here[at] >= 0 || more[p.what] <= 0 || p.effect == "" {
			continue
		}
		more[p.what]--
		all = append(all, Finding{Line: p.line, Effect: p.effect, Evidence: fmt.Sprintf("%s %s", p.what, p.says)})
	}
	return all
}

const (
	asksTested = "tells whether this is being tested: code must do the same in tests as elsewhere"
	asksCaller = "tells who has called: code must do the same for tests as for others"
	endsTests  = "keeps tests from failing, which is no business of code: give a value or an error"
	usesMocks  = "is made for tests: code has to do the work itself"
	readsTests = "is a test, which code has no business to read: compute the answer"
)

// looks lists the places of a program.
func (v *patchView) looks(f *code.File, names *danger.Names) []probe {
	if f == nil {
		return nil
	}
	var all []probe
	for n := range f.Root.Walk() {
		for _, p := range []probe{v.ofRunner(n, names), v.ofLibrary(n, names), v.ofAround(n, names), v.ofTests(n, names)} {
			if p.what == "" {
				continue
			}
			p.line = n.Line()
			if fn := n.Function(); fn != nil {
				p.within = parts.Title(fn)
			}
			all = append(all, p)
		}
	}
	return slices.CompactFunc(all, func(a, b probe) bool { return a.what == b.what && a.line == b.line })
}

// runnerWord matches the names of runners, and of what they set: the variables of their processes, their modules and programs.
var (
	runnerVariable = pattern.New(`^(PYTEST_CURRENT_TEST|PYTEST_VERSION|PYTEST_XDIST_\w+|_PYTEST\w*|JEST_WORKER_ID|VITEST|VITEST_(WORKER_ID|POOL_ID|MODE)|NODE_TEST_(CONTEXT|WORKER_ID)|MOCHA_WORKER_ID|PLAYWRIGHT_TEST|TEST_WORKER_INDEX|TEST_PARALLEL_INDEX|NEXTEST|NEXTEST_\w+|BAZEL_TEST|` + runnersOwn + `)$`)
	runnerWord     = pattern.New(`(?i)pytest|unittest|nose2|conftest|\bjest\b|vitest|mocha|jasmine|\bkarma\b|node:test|junit|surefire|testng|\.test$|\.test\b|[._-]test\.(go|py|[jt]sx?)|\btestrunner\b`)
	testWord       = pattern.New(`(?i)(^|[^a-z])tests?([^a-z]|$)|Test([A-Z_]|$)|\.spec\.`)
)

// ofRunner is a use of what only runners of tests set or define: their variables, in JavaScript their functions, in Go what package testing says.
func (v *patchView) ofRunner(n *code.Node, names *danger.Names) probe {
	if !n.Is(code.Name, code.Attr, code.Index, code.Str, code.Arith, code.Call) || n.Part == code.Target || n.Part == code.Params {
		return probe{}
	}
	where := pathOf(n, names)
	last := where[strings.LastIndex(where, ".")+1:]
	if text, known := names.Text(n); known && n.Role != code.Name {
		last = text
	}
	switch {
	case runnerVariable.MatchString(last) && (strings.Contains(where, "env") || where == ""):
		return probe{what: last, effect: Refuse, says: asksTested}
	case n.Parent.Is(code.Unary, code.Compare, code.Logic, code.Not, code.If, code.Choice) && runnerGlobals[where] && parts.IsScript(n.File.Lang):
		return probe{what: where, effect: Refuse, says: asksTested}
	case runnerMeta.MatchString(where) && parts.IsScript(n.File.Lang) && !suiteInSource(n):
		return probe{what: where, effect: Refuse, says: asksTested}
	case toldTest(n, names):
		return probe{what: cmp.Or(where, parts.Bare(n.Text())), effect: v.ofEnvironment(n), says: asksTested}
	case where == "testing.Testing" && n.Role != code.Call:
		return probe{what: where, effect: Refuse, says: asksTested}
	}
	return probe{}
}

// ofLibrary is a use of what libraries have for tests: an end without a failure, a mock; and of a module of tests that is loaded.
func (v *patchView) ofLibrary(n *code.Node, names *danger.Names) probe {
	if !n.Is(code.Name, code.Attr, code.Index, code.TypeRef) || n.Part == code.Target || n.Part == code.Params {
		return probe{}
	}
	switch where := names.Path(n); {
	case n.Is(code.Name, code.Attr, code.TypeRef) && endings[where] && n.Part != code.Object:
		return probe{what: where, effect: v.unless(Healer, Tidier), says: endsTests}
	case n.Is(code.Name, code.Attr) && strings.HasPrefix(where, "unittest.mock.") && !equalToAll[where] && n.Part != code.Object:
		return probe{what: where, effect: v.ofFixers(), says: usesMocks}
	case n.Role == code.Index && doubles.IsModuleTable(names.Path(n.Kid(code.Object))) && pythonTest.MatchString(where):
		return probe{what: where, effect: v.unless(Healer, Tidier), says: readsTests}
	}
	return probe{}
}

// ofFixers is a question to a person about what people do for good reasons, and a fixer has none for.
func (v *patchView) ofFixers() Effect {
	if v.goal.By == Person {
		return ""
	}
	return Ask
}

// endings are what ends a test without a failure.
var endings = map[string]bool{
	"pytest.skip": true, "pytest.xfail": true, "pytest.exit": true, "pytest.importorskip": true, "_pytest.outcomes.Skipped": true, "_pytest.outcomes.skip": true, "_pytest.outcomes.XFailed": true,
	"unittest.SkipTest": true, "unittest.case.SkipTest": true, "nose.SkipTest": true, "TestAbortedException": true, "AssumptionViolatedException": true, "SkipException": true,
}

// runnerGlobals are the names that runners of JavaScript define for everything that they load.
var runnerGlobals = map[string]bool{
	"jest": true, "vi": true, "vitest": true, "mocha": true, "describe": true, "beforeEach": true, "afterEach": true, "beforeAll": true, "afterAll": true, "jasmine": true, "__karma__": true,
	"QUnit": true, "Cypress": true, "expect": true, "__vitest_worker__": true,
}

// surroundings are what a process knows of how it was started, and stacks of who has called, in each language.
var (
	surroundings = map[string]bool{
		"sys.argv": true, "sys.orig_argv": true, "sys.modules": true, "process.argv": true, "process.argv0": true, "process.execArgv": true,
		"process.title": true, "process.mainModule": true, "require.main": true, "require.cache": true, "module.parent": true, "os.Args": true, "os.Executable": true, "flag.Lookup": true,
		"__main__": true, "psutil.Process": true, "System.getProperty": true, "ProcessHandle.current": true,
	}
	stacks = map[string]bool{
		"inspect.stack": true, "inspect.currentframe": true, "inspect.getouterframes": true, "inspect.trace": true, "sys._getframe": true, "sys._current_frames": true, "traceback.extract_stack": true,
		"traceback.format_stack": true, "traceback.walk_stack": true, "traceback.print_stack": true, "Error.captureStackTrace": true, "runtime.Caller": true, "runtime.Callers": true,
		"debug.Stack": true, "runtime/debug.Stack": true, "runtime.Stack": true, "Thread.getStackTrace": true, "StackWalker.getInstance": true,
	}
)

// ofAround is a look at how the process was started, or at who has called, together with a word that only tests have.
func (v *patchView) ofAround(n *code.Node, names *danger.Names) probe {
	if !n.Is(code.Name, code.Attr, code.Index) || n.Parent.Is(code.Attr) && n.Part == code.Mem {
		return probe{}
	}
	where := names.Path(n)
	stack := stacks[where] || n.Role == code.Attr && (n.Name == "stack" && strings.HasSuffix(parts.Bare(n.Kid(code.Object).Text()), "Error()") || n.Name == "getStackTrace")
	switch {
	case stack && (says(n.Function(), names, runnerWord, testWord) || says(asking(n), names, runnerWord, testWord)):
		return probe{what: lookedAt(where, n), effect: v.unless(Healer, Tidier), says: asksTested}
	case stack: // who logs may ask; who mends may not
		return probe{what: lookedAt(where, n), effect: v.ofFixers(), says: asksCaller}
	case surroundings[where] && says(asking(n), names, runnerWord):
		return probe{what: where, effect: Refuse, says: asksTested}
	}
	return probe{}
}

func lookedAt(where string, n *code.Node) string {
	if where == "" {
		return parts.Bare(n.Text())
	}
	return where
}

// asking is the part of a program in which a value is asked something: a condition, a comparison, a call that looks into texts; nil, if it is asked nothing.
func asking(n *code.Node) *code.Node {
	var found *code.Node
	for at := n; at != nil && at.Part != code.Stmt && !at.Is(code.Function); at = at.Parent {
		if at.Part == code.Cond || at.Is(code.Compare, code.Comprehension) || at.Role == code.Call && looking[parts.LastName(at)] {
			found = at
		}
	}
	return found
}

// looking are calls that ask a text or a list what is in it.
var looking = map[string]bool{
	"get": true, "has": true, "any": true, "some": true, "every": true, "includes": true, "startsWith": true, "startswith": true, "endsWith": true, "endswith": true, "indexOf": true, "find": true,
	"match": true, "search": true, "test": true, "Contains": true, "HasPrefix": true, "HasSuffix": true, "Index": true, "EqualFold": true, "MatchString": true, "contains": true, "matches": true,
	"Lookup": true, "filter": true, "fnmatch": true, "fullmatch": true, "count": true, "equals": true,
}

// says reports whether a text that matches one of the patterns stands in a part of a program.
func says(part *code.Node, names *danger.Names, words ...*pattern.Pattern) bool {
	for n := range part.Walk() {
		if !n.Is(code.Str, code.Arith) {
			continue
		}
		text, _ := names.Text(n)
		if slices.ContainsFunc(words, func(w *pattern.Pattern) bool { return w.MatchString(text) }) {
			return true
		}
	}
	return false
}

// readers are calls that read files, or list or load them.
var readers = map[string]bool{
	"open": true, "read_text": true, "read_bytes": true, "ReadFile": true, "Open": true, "ReadDir": true, "readFileSync": true, "readFile": true, "createReadStream": true, "readString": true,
	"readAllLines": true, "readAllBytes": true, "lines": true, "glob": true, "iglob": true, "rglob": true, "listdir": true, "scandir": true, "walk": true, "readdirSync": true, "readdir": true,
	"globSync": true, "Glob": true, "import_module": true, "__import__": true, "require": true, "import": true, "FileReader": true, "File": true, "run_path": true, "getsource": true, "WalkDir": true,
}

// ofTests is a call that reads tests, or the data that they compare with; and an import of them.
func (v *patchView) ofTests(n *code.Node, names *danger.Names) probe {
	effect := v.unless(Healer, Tidier)
	if n.Role == code.Import {
		for _, name := range importedFiles(n) {
			if isTestFile(name) {
				return probe{what: name, effect: effect, says: readsTests}
			}
		}
		return probe{}
	}
	if n.Role != code.Call || !readers[parts.LastName(n)] || writing(n) || n.Parent.Is(code.Attr) && n.Parent.Parent.Is(code.Call) && readers[n.Parent.Name] {
		return probe{}
	}
	for k := range n.Walk() {
		for _, text := range pathsIn(k, names) {
			if parts.LastName(n) == "require" || parts.LastName(n) == "import" {
				text += ".js"
			}
			if isTestFile(text) {
				return probe{what: path.Base(text), effect: effect, says: readsTests}
			}
		}
	}
	return probe{}
}

// writing reports whether a call opens a file to write it.
func writing(n *code.Node) bool {
	args := n.All(code.Arg)
	return len(args) > 1 && strings.ContainsAny(strings.Trim(parts.Unnamed(args[1]).Text(), `"'`), "wax") && parts.Unnamed(args[1]).Role == code.Str && len(parts.Unnamed(args[1]).Text()) < 6
}

// pathsIn are the texts that an expression gives, the texts of a path put together.
func pathsIn(n *code.Node, names *danger.Names) []string {
	if n.Role == code.Arith && n.Op == "/" && !n.Parent.Is(code.Arith) {
		var texts []string
		for k := range n.Walk() {
			if text, known := names.Text(k); known && k.Is(code.Str, code.Name) {
				texts = append(texts, text)
			}
		}
		return []string{strings.Join(texts, "/")}
	}
	if text, _ := names.Text(n); text != "" && n.Is(code.Str, code.Name, code.Call, code.Arith) {
		return []string{strings.ReplaceAll(text, "\x00", "x")}
	}
	return nil
}

// isTestFile reports whether a text is the name of a file of tests, or of data beside them. What programs call fixtures is often no test's.
func isTestFile(text string) bool {
	name := strings.TrimLeft(path.Clean(strings.ReplaceAll(text, `\`, "/")), "./")
	if strings.ContainsAny(text, " \n") || path.Ext(name) == "" || strings.Contains(name, "fixtures") || strings.Contains(text, "://") {
		return false
	}
	return lang.IsTest(strings.ReplaceAll(name, "*", "x"))
}

// importedFiles are the files that an import may mean which are called as tests are: of Python's modules, and of what JavaScript names.
func importedFiles(n *code.Node) []string {
	var all []string
	for word := range strings.FieldsFuncSeq(n.Text(), func(r rune) bool { return strings.ContainsRune(" ,;()'\"`/", r) }) {
		switch {
		case parts.IsScript(n.File.Lang) && testModule.MatchString(word):
			all = append(all, word+".js")
		case n.File.Lang == syntax.Python:
			if name := word[strings.LastIndex(word, ".")+1:]; pythonTest.MatchString(name) {
				all = append(all, name+".py")
			}
		}
		if word == "import" && strings.HasPrefix(n.Text(), "from ") {
			break // what follows is what is taken from there
		}
	}
	return all
}

var (
	testModule = pattern.New(`\.(test|spec)(\.[cm]?[jt]sx?)?$`)
	pythonTest = pattern.New(`^(test_\w+|\w+_test|conftest)$`)
)
