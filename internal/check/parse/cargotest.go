package parse

import (
	"cmp"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"fettle/internal/diag"
	"fettle/internal/pattern"
)

// parseCargoTest reads cargo test: what the compiler says, as JSON (--message-format=json) or as text, and then the text of
// the test programs one after the other, each below a line of cargo's that names it. Both streams have to come through one
// pipe, because those lines stand in another stream than the tests. As long as anything does not compile, no test runs.
func parseCargoTest(r io.Reader, o Options) (Report, error) {
	t := &cargoTests{cargo: newCargo(newCollector(o, "cargo"))}
	t.errorsOnly = true
	in := newLines(r)
	for line, ok := in.next(); ok; line, ok = in.next() {
		if !t.message(line) {
			t.line(line)
		}
	}
	t.leave()
	t.end()
	return t.report, in.failed()
}

type cargoTests struct {
	*cargo
	target rustTarget
	block  *libtest
	lost   *libtest // a program that ended before its tests did; cargo says below why
}

// libtest is what one test program has printed so far.
type libtest struct {
	total    int                // tests that it said it runs
	passed   map[string]Outcome // what a line of its own told, by name
	order    []string           // the names, as they came
	under    []string           // tests whose line has no outcome: their output stood in between
	failed   []string           // in the order in which they failed
	output   map[string]*kept   // of tests that failed
	into     *kept              // what takes the lines that come now
	listing  bool               // below the second "failures:"
	overflow string             // the test whose stack was too small
	noise    kept               // what the tests print besides
}

var (
	cargoRunning  = pattern.New(`^\s+Running (?:unittests ?)?(?:(.*?) )?\(?([^()]+?)\)?$`)
	cargoDoctests = pattern.New(`^\s+Doc-tests (\S+)$`)
	cargoFailed   = pattern.New(`error: (?:doc)?test failed, to rerun pass `)
	cargoEnded    = pattern.New("^\\s+process didn't exit successfully: `(.+)` \\((.+)\\)$")
	cargoHash     = pattern.New(`-[0-9a-f]{16}(?:\.exe)?$`)
	libtestBegin  = pattern.New(`^running (\d+) tests?$`)
	libtestEnd    = pattern.New(`^test result: (?:ok|FAILED)\. \d+ passed; `)
	libtestLine   = pattern.New(`^test (.+?)(?: - should panic)? \.\.\. (.*)$`)
	libtestOutput = pattern.New(`^---- (.+?)(?: - should panic)? (?:stdout|stderr) ----$`)
	libtestSaid   = pattern.New(`^(ok|FAILED|ignored|bench:)(?:[ ,<].*)?$`)
	overflowed    = pattern.New(`^thread '(.+?)' (?:\(\d+\) )?has overflowed its stack`)
)

func (t *cargoTests) line(line string) {
	switch {
	case cargoFailed.MatchString(line):
		if m := libtestLine.FindStringSubmatch(line); m != nil && t.block != nil {
			t.block.outcome(m[1], m[2]) // a program that runs one test at a time had begun with it
		}
		t.leave()
	case cargoDoctests.MatchString(line):
		m := cargoDoctests.FindStringSubmatch(line)
		t.leave()
		t.target = rustTarget{name: rustName(m[1]), dir: t.libraries[rustName(m[1])].dir, doc: true}
	case strings.Contains(line, " Running ") && cargoRunning.MatchString(line) && !strings.Contains(line, "`"):
		t.leave()
		t.target = t.program(cargoRunning.FindStringSubmatch(line)[2])
	case t.lost != nil && cargoEnded.MatchString(line):
		m := cargoEnded.FindStringSubmatch(line)
		t.ended(m[1], m[2])
	case libtestBegin.MatchString(line):
		t.leave()
		t.block = &libtest{total: number(libtestBegin.FindStringSubmatch(line)[1]), passed: map[string]Outcome{}, output: map[string]*kept{}}
	case t.block != nil:
		t.libtest(line)
	default:
		t.text.line(line)
	}
}

// program is the target of a test program by its path: target/debug/deps/calc-1cd44e4e967ddba4.
func (t *cargoTests) program(p string) rustTarget {
	base := path.Base(strings.ReplaceAll(p, `\`, "/"))
	if known, ok := t.programs[base]; ok {
		return known
	}
	return rustTarget{name: rustName(cargoHash.ReplaceAllString(base, ""))}
}

// libtest reads a line of a test program. https://doc.rust-lang.org/rustc/tests/
func (t *cargoTests) libtest(line string) {
	b := t.block
	if libtestEnd.MatchString(line) {
		t.finish()
		return
	}
	if m := overflowed.FindStringSubmatch(line); m != nil {
		b.overflow = m[1]
	}
	if m := libtestOutput.FindStringSubmatch(line); m != nil {
		b.into, b.listing = &kept{}, false
		if len(b.output) < maxTests {
			b.output[m[1]] = b.into
		}
		return
	}
	switch m := libtestLine.FindStringSubmatch(line); {
	case line == "failures:":
		b.into, b.listing = nil, len(b.output) > 0 || b.listing
	case b.listing && strings.HasPrefix(line, "    "):
		b.fail(strings.TrimSpace(line))
	case b.into != nil:
		b.into.add(line)
	case m != nil:
		b.outcome(m[1], m[2])
	default:
		b.noise.add(line)
	}
}

// outcome is a line "test name ... ok". Output that is not captured may stand between the name and the outcome.
func (b *libtest) outcome(name, said string) {
	if len(b.order) >= maxTests {
		return
	}
	m := libtestSaid.FindStringSubmatch(said)
	switch {
	case m == nil:
		b.under = append(b.under, name)
		return
	case m[1] == "FAILED":
		b.fail(name)
		return
	}
	outcome := Pass
	if m[1] == "ignored" {
		outcome = Skip
	}
	b.order, b.passed[name] = append(b.order, name), outcome
}

func (b *libtest) fail(name string) {
	if name, _, _ = strings.Cut(name, " - should panic"); b.passed[name] != Fail && len(b.failed) < maxTests {
		b.failed, b.passed[name] = append(b.failed, name), Fail
	}
}

// finish is a test program that has told how its tests came out.
func (t *cargoTests) finish() {
	b := t.block
	t.block = nil
	for _, name := range b.under {
		if _, told := b.passed[name]; !told {
			b.order, b.passed[name] = append(b.order, name), Pass
		}
	}
	t.tell(b)
}

// tell records the tests of a program and why some of them failed.
func (t *cargoTests) tell(b *libtest) {
	ids := t.ids(b)
	for _, name := range b.order {
		t.test(ids[name], b.passed[name], 0)
	}
	for _, name := range b.failed {
		t.test(ids[name], Fail, 0)
		d := t.rustFault(t.outputOf(b, name), name, t.target.dir)
		if place := doctest.FindStringSubmatch(name); d.File == "" && place != nil {
			d.File, d.Range = t.rustFile(place[1]), at(number(place[3]), 0)
		}
		d.Test, d.Dir = ids[name], t.target.dir
		t.collector.add(d)
	}
}

// outputOf is what a failing test printed. When output is not captured, it stands among that of others, where its panic
// can be found by the name of its thread.
func (t *cargoTests) outputOf(b *libtest, name string) []string {
	if out := b.output[name]; out != nil {
		return out.lines()
	}
	for _, p := range t.rustPanics(b.noise.lines(), t.target.dir) {
		if p.thread == name {
			return b.noise.lines()
		}
	}
	return nil
}

// doctest is the name of an example in documentation: the file, the item, the line where it begins, what it is to do.
var doctest = pattern.New(`^(\S.*?\.\w+) - (.*?) ?\(line (\d+)\)(?: - .+)?$`)

// ids are the tests' names by what the program calls them. Lines move, so an example is named by its file and item, and
// counted when an item has several.
func (t *cargoTests) ids(b *libtest) map[string]string {
	ids := make(map[string]string, len(b.passed))
	type example struct {
		name, item string
		line       int
	}
	var examples []example
	for name := range b.passed {
		if m := doctest.FindStringSubmatch(name); m != nil {
			file := t.rustFile(m[1])
			if file == "" {
				file = m[1]
			}
			examples = append(examples, example{name, strings.TrimSpace(file + " - " + m[2]), number(m[3])})
			continue
		}
		ids[name] = strings.TrimPrefix(t.target.name+"::"+name, "::")
	}
	slices.SortFunc(examples, func(a, b example) int {
		return cmp.Or(cmp.Compare(a.item, b.item), cmp.Compare(a.line, b.line), cmp.Compare(a.name, b.name))
	})
	n := 1
	for i, e := range examples {
		if n++; i == 0 || examples[i-1].item != e.item {
			n = 1
		}
		if ids[e.name] = e.item; n > 1 {
			ids[e.name] = fmt.Sprintf("%s (%d)", e.item, n)
		}
	}
	return ids
}

// leave is called when something else begins: a program that has not told how its tests came out has been ended.
func (t *cargoTests) leave() {
	if t.lost != nil {
		t.ended("", "")
	}
	if t.block != nil {
		t.lost, t.block = t.block, nil
	}
}

// ended is a test program that ended before its tests did: the stack overflowed, it called exit, it was killed. What its
// other tests have to say is hidden.
func (t *cargoTests) ended(argv, how string) {
	b := t.lost
	t.lost = nil
	t.tell(b)
	d := diag.Diagnostic{Dir: t.target.dir, Masks: diag.MasksDir, Detail: b.noise.String(),
		Message: strings.TrimSuffix("the test program "+t.target.name+" ended before its tests did: "+how, ": ")}
	name := b.guilty(argv)
	if name != "" {
		d.Test = strings.TrimPrefix(t.target.name+"::"+name, "::")
		t.test(d.Test, Fail, 0)
		if name == b.overflow {
			d.Message = "the stack has overflowed"
		}
	}
	if f := t.rustFault(b.noise.lines(), name, t.target.dir); f.File != "" {
		d.File, d.Range, d.Frames = f.File, f.Range, f.Frames
	}
	if d.Dir == "" {
		d.Dir = dirOf(t.places.file("Cargo.toml"))
	}
	t.collector.add(d)
}

// guilty is the test that ended its program, as far as can be told: the one that overflowed its stack, the only one that
// ran, or the only one whose outcome is missing.
func (b *libtest) guilty(argv string) string {
	if b.overflow != "" && b.overflow != "main" {
		return b.overflow
	}
	under := slices.DeleteFunc(slices.Clone(b.under), func(n string) bool { return b.passed[n] != "" })
	if len(under) == 1 {
		return under[0]
	}
	if _, names, ok := strings.Cut(argv, " --exact "); ok && b.total == 1 {
		if names = strings.Trim(names, "'"); !strings.ContainsAny(names, " '") {
			return names
		}
	}
	return ""
}
