package parse

import (
	"encoding/json"
	"io"
	"slices"
	"strings"

	"fettle/internal/diag"
)

// parseGoTest reads go test -json: the events of test2json (see go doc test2json and cmd/go/internal/test), and plain lines
// between them, which older versions of Go use for what the compiler says.
//
// A test that takes its whole package down (a panic, a call of os.Exit, a timeout) hides the tests after it, as a package
// that does not build hides all of its tests. A test that fails only because a subtest failed is no finding of its own.
func parseGoTest(r io.Reader, o Options) (Report, error) {
	c := newCollector(o, "go test")
	p := &goTests{collector: c, packages: map[string]*goPackage{}, builds: map[string]*goBuild{}, plain: newGoBuild(c)}
	p.plain.always = true
	in := newLines(r)
	for line, ok := in.next(); ok; line, ok = in.next() {
		var e goEvent
		switch start := strings.IndexByte(line, '{'); {
		case start < 0:
			p.plain.line(line)
		case json.Unmarshal([]byte(line[start:]), &e) == nil && e.Action != "":
			p.event(e)
		case start > 0:
			p.plain.line(line)
		}
	}
	p.plain.end()
	return p.report, in.failed()
}

// goEvent is test2json's TestEvent and the go command's build events in one.
type goEvent struct {
	Action      string
	Package     string
	Test        string
	Output      string
	OutputType  string
	ImportPath  string
	FailedBuild string
	Elapsed     float64
}

type goTests struct {
	*collector
	packages map[string]*goPackage // those under way
	builds   map[string]*goBuild   // by ImportPath, under way
	plain    *goBuild              // for the lines between the events
}

// goPackage is a package whose tests are under way.
type goPackage struct {
	name, dir string
	tests     map[string]*goTest
	order     []string
	out       goOutput
	silent    []string // tests that failed and printed nothing: a panic's text goes to the test around them
	found     bool     // a finding explains why the package fails
}

// goTest is a test under way, or one that failed.
type goTest struct {
	out         goOutput
	paused      bool
	failedChild bool
}

// maxPackages bounds how many packages, or tests of one, can be under way in a stream that never ends any.
const maxPackages = 100_000

func (p *goTests) event(e goEvent) {
	switch e.Action {
	case "build-output":
		p.buildOutput(e)
	case "build-fail":
		if b := p.builds[e.ImportPath]; b != nil {
			b.end()
		}
	default:
		if e.Package != "" {
			p.testEvent(p.pkg(e.Package), e)
		}
	}
}

func (p *goTests) buildOutput(e goEvent) {
	b := p.builds[e.ImportPath]
	if b == nil {
		if len(p.builds) >= maxPackages {
			return
		}
		b = newGoBuild(p.collector)
		b.always, b.masked, b.seen = true, p.plain.masked, p.plain.seen
		p.builds[e.ImportPath] = b
	}
	for line := range strings.Lines(cleanText(e.Output)) {
		b.line(strings.TrimRight(line, "\r\n"))
	}
}

func (p *goTests) pkg(name string) *goPackage {
	g := p.packages[name]
	if g == nil {
		g = &goPackage{name: name, dir: p.goFolder(name), tests: map[string]*goTest{}}
		if len(p.packages) < maxPackages {
			p.packages[name] = g
		}
	}
	return g
}

func (p *goTests) testEvent(g *goPackage, e goEvent) {
	if e.Test == "" {
		switch e.Action {
		case "output":
			g.out.add(e)
		case "pass", "skip", "fail":
			p.endPackage(g, e)
		}
		return
	}
	t := g.test(e.Test)
	switch e.Action {
	case "pause":
		t.paused = true
	case "cont", "run":
		t.paused = false
	case "output":
		t.out.add(e)
	case "pass", "bench":
		p.endTest(g, e, Pass)
	case "skip":
		p.endTest(g, e, Skip)
	case "fail":
		p.endTest(g, e, Fail)
	}
}

func (g *goPackage) test(name string) *goTest {
	t := g.tests[name]
	if t == nil {
		t = &goTest{}
		if len(g.tests) < maxPackages {
			g.tests[name] = t
			g.order = append(g.order, name)
		}
	}
	return t
}

func (p *goTests) id(g *goPackage, test string) string {
	if g.dir == "" {
		return g.name + ":" + test
	}
	return g.dir + ":" + test
}

func (p *goTests) endTest(g *goPackage, e goEvent, outcome Outcome) {
	t := g.test(e.Test)
	p.test(p.id(g, e.Test), outcome, seconds(e.Elapsed))
	delete(g.tests, e.Test)
	if outcome != Fail {
		return
	}
	g.blameParents(e.Test)
	switch {
	case t.out.crashed():
		p.finding(g, g.silentBelow(e.Test), t)
	case t.failedChild:
	case t.out.empty() && strings.Contains(e.Test, "/"):
		g.silent = append(g.silent, e.Test)
	default:
		p.finding(g, e.Test, t)
	}
}

// silentBelow is the subtest of a crashed test that failed without a word, for it is the one that crashed; else the test.
func (g *goPackage) silentBelow(test string) string {
	i := slices.IndexFunc(g.silent, func(s string) bool { return strings.HasPrefix(s, test+"/") })
	if i < 0 {
		return test
	}
	below := g.silent[i]
	g.silent = slices.Delete(g.silent, i, i+1)
	return below
}

// blameParents tells the tests around a failing subtest that they fail because of it.
func (g *goPackage) blameParents(test string) {
	for i := strings.LastIndexByte(test, '/'); i > 0; i = strings.LastIndexByte(test, '/') {
		test = test[:i]
		if t := g.tests[test]; t != nil {
			t.failedChild = true
		}
	}
}

func (p *goTests) finding(g *goPackage, name string, t *goTest) {
	d := p.explain(g, &t.out)
	d.Test, d.Dir = p.id(g, name), g.dir
	if d.Message == "" {
		d.Message = name + " failed without a word"
	}
	g.found = true
	p.add(d)
}

// endPackage closes a package. When it failed and no test says why, the package itself is the finding.
func (p *goTests) endPackage(g *goPackage, e goEvent) {
	delete(p.packages, g.name)
	if e.Action != "fail" {
		return
	}
	if e.FailedBuild != "" || g.out.says("[build failed]") || g.out.says("[setup failed]") {
		p.notBuilt(g, e.FailedBuild)
		return
	}
	p.unfinished(g)
	for _, name := range g.silent {
		p.finding(g, name, &goTest{})
	}
	if g.found {
		return
	}
	d := p.explain(g, &g.out)
	d.Dir, d.Masks = g.dir, diag.MasksDir
	if d.Message == "" {
		d.Message = "the tests of " + g.name + " failed without a word"
	}
	p.add(d)
}

// notBuilt is a package whose tests could not be built: the compiler's lines say why, unless they are about another
// package that it needs.
func (p *goTests) notBuilt(g *goPackage, build string) {
	if b := p.builds[build]; b != nil {
		b.end()
	}
	p.plain.end()
	if p.plain.masked[g.dir] && g.dir != "" {
		return
	}
	message := g.name + " does not build"
	if build, _, _ = strings.Cut(build, " ["); build != "" && build != g.name {
		message += " because " + build + " does not"
	}
	p.add(diag.Diagnostic{Dir: g.dir, Message: message, Masks: diag.MasksDir})
}

// unfinished are the tests that ran when their package went down. The one that crashed is to blame; where none did, such
// as after os.Exit, all that were running are; after a timeout, those that it names.
func (p *goTests) unfinished(g *goPackage) {
	var running, guilty []string
	for _, name := range g.leaves() {
		t := g.tests[name]
		switch {
		case t.out.crashed():
			guilty = append(guilty, name)
		case t.failedChild:
			p.test(p.id(g, name), Fail, 0)
			continue
		}
		if !t.paused {
			running = append(running, name)
		}
	}
	timeout := g.timedOut()
	if named := timeout.names(running); len(named) > 0 {
		guilty = named
	} else if len(guilty) == 0 && !g.found && !g.out.crashed() {
		guilty = running
	}
	for _, name := range guilty {
		p.takenDown(g, name, timeout)
	}
}

// takenDown is a test that ended the whole program.
func (p *goTests) takenDown(g *goPackage, name string, timeout *goOutput) {
	p.test(p.id(g, name), Fail, 0)
	out := &g.tests[name].out
	if timeout != nil {
		out = timeout
	}
	d := p.explain(g, out)
	if d.Message == "" {
		d.Message = name + " ended the whole test program (os.Exit, or killed)"
	}
	d.Test, d.Dir, d.Masks = p.id(g, name), g.dir, diag.MasksDir
	g.found = true
	p.add(d)
}

// leaves are the tests under way that wait for no subtest, in the order in which they began.
func (g *goPackage) leaves() []string {
	parents := map[string]bool{}
	for name := range g.tests {
		for i := strings.LastIndexByte(name, '/'); i > 0; i = strings.LastIndexByte(name, '/') {
			name = name[:i]
			parents[name] = true
		}
	}
	var leaves []string
	for _, name := range g.order {
		if g.tests[name] != nil && !parents[name] {
			parents[name] = true // a test that ran several times is named several times
			leaves = append(leaves, name)
		}
	}
	return leaves
}

// timedOut is the output that tells of a timeout; nil when there was none.
func (g *goPackage) timedOut() *goOutput {
	for _, t := range g.tests {
		if t.out.timedOut() {
			return &t.out
		}
	}
	if g.out.timedOut() {
		return &g.out
	}
	return nil
}
