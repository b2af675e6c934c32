package parse

import (
	"io"
	"strings"
	"time"

	"fettle/internal/diag"
	"fettle/internal/pattern"
)

// parseTAP reads the Test Anything Protocol, versions 13 and 14 (https://testanything.org), with subtests indented by four
// columns and YAML blocks below the results, as node --test --test-reporter=tap, tap and ava print it.
//
// A passing test does not say in which file it stands, so a test's id is its names alone: "parent > child". Node names a
// test file that ends by itself, or breaks, by its path: that path is its id.
func parseTAP(r io.Reader, o Options) (Report, error) {
	p := &tap{collector: newCollector(o, "tap")}
	err := p.read(r)
	return p.report, err
}

// read reads all lines, and settles what waits.
func (p *tap) read(r io.Reader) error {
	in := newLines(r)
	for line, ok := in.next(); ok; line, ok = in.next() {
		p.line(line)
	}
	p.finishBlock()
	p.flush()
	p.close(-1, nil)
	return in.failed()
}

// tap holds the results whose parents have not come yet: a parent's result follows those of its children.
type tap struct {
	*collector
	waiting []tapResult
	current *tapResult // the result that a YAML block may follow
	block   *tapBlock  // the YAML block that is being read
	weight  int        // bytes of the blocks that wait
	said    kept       // comments since the last result of the outermost level: what a test file printed
	under   *tapTest   // the test that results belong to, where a comment names it; nil: results are tests
}

// tapResult is one line "ok" or "not ok" with what stands below it.
type tapResult struct {
	level   int
	names   []string // its own, after those of the tests around it
	test    string   // the test that it belongs to, where it is no test itself
	outcome Outcome
	block   tapBlock
	said    string
	blamed  bool // a test inside it is to blame for its failure
	suite   bool // only holds tests
}

// How many results may wait for a parent that never comes, and with how many bytes below them.
const (
	maxWaiting       = 20_000
	maxWaitingWeight = 2 << 20
)

var (
	tapLine      = pattern.New(`^((?:    )*)(ok|not ok)\b(?: +(\d+))?(?: *(?:- )?(.*))?$`)
	tapDirective = pattern.New(`(?i)(?:^|[^\\])# ?(skip|todo)\b.*$`)
	tapTime      = pattern.New(` # time=[\d.]+m?s$`)
	tapBail      = pattern.New(`^\s*Bail out!\s*(.*)$`)
	tapUnescape  = strings.NewReplacer(`\\`, `\`, `\#`, `#`)
)

func (p *tap) line(line string) {
	if p.block != nil && p.block.line(line) {
		return
	}
	p.finishBlock()
	if m := tapLine.FindStringSubmatch(line); m != nil && len(m[1])/4 <= maxDepth {
		p.flush()
		p.result(len(m[1])/4, m[2] == "ok", m[3], m[4])
		return
	}
	trimmed := strings.TrimSpace(line)
	switch {
	case trimmed == "---" && p.current != nil:
		p.block = &tapBlock{mark: strings.Index(line, "---")}
	case p.under != nil && p.begins(line):
	case strings.HasPrefix(line, "# ") && !strings.HasPrefix(line, "# Subtest: "):
		p.said.add(tapUnescape.Replace(line[2:]))
	default:
		if m := tapBail.FindStringSubmatch(line); m != nil {
			p.add(diag.Diagnostic{Message: "the test run was given up: " + m[1], Masks: diag.MasksCheck})
		}
	}
}

// finishBlock gives the YAML block to the result above it.
func (p *tap) finishBlock() {
	if p.block != nil && p.current != nil {
		p.block.end()
		p.current.block = *p.block
	}
	p.block = nil
	if p.current != nil && p.current.block.closed {
		p.flush()
	}
}

func (p *tap) result(level int, ok bool, number, rest string) {
	r := &tapResult{level: level, outcome: Pass}
	name := rest
	directive := ""
	if at := tapDirective.FindStringSubmatchIndex(rest); at != nil {
		directive = rest[at[2]:at[3]]
		name = rest[:strings.LastIndex(rest[:at[2]], "#")]
	}
	name = strings.TrimSuffix(strings.TrimSpace(name), " {") // a subtest that node-tap prints below its result
	name = tapUnescape.Replace(tapTime.ReplaceAllString(name, ""))
	if name == "" && number != "" {
		name = "test " + number
	}
	r.names = []string{name}
	switch {
	case directive != "":
		r.outcome = Skip // a test that is to do may fail
	case !ok:
		r.outcome = Fail
	}
	if level == 0 {
		r.said = p.said.String()
		p.said = kept{}
	}
	if p.under != nil {
		r.test = p.under.name
	}
	p.current = r
}

// flush puts the current result among those that wait, and ends those that it is the parent of.
func (p *tap) flush() {
	r := p.current
	if r == nil {
		return
	}
	p.current = nil
	r.suite = r.block.value("type") == "suite"
	p.close(r.level, r)
	p.weight += r.block.headSize + r.block.tailSize
	if len(p.waiting) >= maxWaiting || p.weight > maxWaitingWeight {
		p.close(-1, nil)
	}
	p.waiting = append(p.waiting, *r)
	if r.level == 0 {
		p.close(-1, nil)
	}
}

// close gives the results below a level to their parent; without a parent it reports them.
func (p *tap) close(level int, parent *tapResult) {
	first := len(p.waiting)
	for first > 0 && p.waiting[first-1].level > level {
		first--
		child := &p.waiting[first]
		if parent == nil {
			continue
		}
		child.names = append([]string{parent.names[0]}, child.names...)
		if child.outcome == Fail {
			parent.blamed = parent.blamed || child.block.value("failureType") != "cancelledByParent"
		}
	}
	if parent != nil {
		for i := first; i < len(p.waiting); i++ {
			p.waiting[i].level = level // they are settled, and go where their parent goes
		}
		return
	}
	for _, r := range p.waiting[first:] {
		p.settle(r)
	}
	p.waiting, p.weight = p.waiting[:first], 0
}

// settle reports one result.
func (p *tap) settle(r tapResult) {
	if r.test != "" {
		p.assertion(r)
		return
	}
	file := ""
	if f := p.places.file(r.names[0]); f != "" && strings.Contains(r.names[0], "/") && jsSource.MatchString(f) {
		file, r.names[0] = f, f
	}
	id := jsTestID("", r.names...)
	if file != "" && len(r.names) > 1 { // before version 20, Node puts the tests of a file below its path
		id = jsTestID(file, r.names[1:]...)
	}
	if !r.suite && id != "" {
		p.test(id, r.outcome, r.block.duration())
	}
	if r.outcome == Fail {
		p.failure(r, id, file)
	}
}

// jsSource is the name of a file that Node, or what compiles for it, runs.
var jsSource = pattern.New(`\.(?:[mc]?[jt]s|[jt]sx)$`)

func (p *tap) failure(r tapResult, id, file string) {
	kind := r.block.value("failureType")
	if kind == "subtestsFailed" || kind == "cancelledByParent" || kind == "" && r.blamed {
		return // another test is to blame, and has a finding
	}
	d := diag.Diagnostic{Test: id, Message: r.block.message(), Detail: p.stripped(r.block.String()), Frames: p.blockFrames(&r.block)}
	d.File, d.Range = p.location(&r.block)
	if file != "" && len(r.names) == 1 {
		p.brokenFile(&d, file, r)
	}
	switch name := r.names[len(r.names)-1]; {
	case d.Message == "":
		d.Message = name + " failed without a word"
	case r.test != "":
		d.Message = name + ": " + d.Message
	}
	p.locate(&d)
	d.Dir = dirOf(d.File)
	if loc, _ := p.location(&r.block); loc != "" {
		d.Dir = dirOf(loc)
	} else if file != "" {
		d.Dir = dirOf(file)
	}
	if kind == "hookFailed" {
		d.Masks = diag.MasksDir
	}
	p.add(d)
}

// brokenFile is a test file that ended with a fault: what it printed before tells more than its result.
func (p *tap) brokenFile(d *diag.Diagnostic, file string, r tapResult) {
	d.File, d.Range, d.Masks = file, diag.Range{}, diag.MasksDir
	message, frames := p.jsError(r.said)
	d.Frames, d.Detail = frames, p.stripped(r.said)
	if code := r.block.value("exitCode"); message == "" && code != "" {
		message = "the test file ended with exit code " + code
	}
	if message != "" {
		d.Message = message
	}
}

// location is the place that Node and others give for a test.
func (p *tap) location(b *tapBlock) (string, diag.Range) {
	if f, ok := p.jsFrame(b.value("location")); ok {
		return f.File, at(f.Line, 0)
	}
	for _, key := range []string{"file", "fileName"} {
		if f := p.jsFile(b.value(key)); f != "" {
			return f, at(number(b.value("line")+b.value("lineNumber")), 0)
		}
	}
	return "", diag.Range{}
}

// blockFrames are the frames of the block's stack, or the one place that it gives; Node leaves their "at" out.
func (p *tap) blockFrames(b *tapBlock) []diag.Frame {
	var frames []diag.Frame
	for _, key := range []string{"stack", "at"} {
		for line := range strings.Lines(b.value(key)) {
			if f, ok := p.jsFrame(strings.TrimPrefix(strings.TrimSpace(line), "at ")); ok {
				frames = append(frames, f)
			}
		}
		if len(frames) > 0 {
			break
		}
	}
	return frames
}

// tapFrame is a line of a stack, with or without its "at".
var tapFrame = pattern.New(`^async |\(<anonymous>\)$|:\d+:\d+\)?$`)

// stripped is a text without the stack frames of Node itself and of installed packages.
func (p *tap) stripped(text string) string {
	var out []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		frame := strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "at "), " {")
		if tapFrame.MatchString(frame) {
			if _, own := p.jsFrame(frame); !own {
				continue
			}
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

func (b *tapBlock) duration() time.Duration { return milliseconds(b.number("duration_ms")) }
