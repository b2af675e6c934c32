package parse

import (
	"io"
	"path"
	"slices"
	"strings"

	"fettle/internal/diag"
	"fettle/internal/pattern"
)

// parseUnittest reads the text of python -m unittest, with or without -v. A module that cannot be imported and a class or
// module that cannot be set up hide the tests beside them.
func parseUnittest(r io.Reader, o Options) (Report, error) {
	p := &unittest{collector: newCollector(o, "unittest")}
	in := newLines(r)
	for line, ok := in.next(); ok; line, ok = in.next() {
		p.line(line)
	}
	p.endBlock()
	p.endTest(Fail)
	if !p.ran && !p.found() && len(p.loose.head) > 0 {
		text := p.loose.lines()
		d := diag.Diagnostic{Message: raised(text), Frames: p.pyFrames(text), Detail: p.loose.String(), Masks: diag.MasksCheck}
		p.locate(&d)
		p.add(d)
	}
	return p.report, in.failed()
}

type unittest struct {
	*collector
	block   *unittestBlock // under way
	rule    bool           // the line before was a double rule
	ran     bool           // the line "Ran N tests" came
	running string         // the test whose result has not come yet (-v)
	loose   kept           // a traceback outside of any block: unittest itself failed
}

// unittestBlock is what stands between two double rules.
type unittestBlock struct {
	title string
	below bool // below the single rule
	text  kept
}

var (
	unittestTitle  = pattern.New(`^(ERROR|FAIL|UNEXPECTED SUCCESS): (.*)$`)
	unittestName   = pattern.New(`^(\w+) \(([\w.]+)\)(.*)$`)
	unittestStatus = pattern.New(`^(?:.* \.\.\. |)(ok|FAIL|ERROR|skipped .*|expected failure|unexpected success)$`)
	unittestRan    = pattern.New(`^Ran \d+ tests? in `)
)

func isRule(line string, with byte) bool {
	return len(line) == 70 && strings.Trim(line, string(with)) == ""
}

func (p *unittest) line(line string) {
	ruled := p.rule
	p.rule = isRule(line, '=')
	switch m := unittestTitle.FindStringSubmatch(line); {
	case p.rule:
		p.endBlock()
		p.endTest(Fail)
	case ruled && m != nil, m != nil && m[1] == "UNEXPECTED SUCCESS":
		p.endBlock()
		p.block = &unittestBlock{title: m[2]}
		if m[1] == "UNEXPECTED SUCCESS" {
			p.block.text.add("unexpected success")
			p.endBlock()
		}
	case unittestRan.MatchString(line):
		p.ran = true
		p.endBlock()
	case p.block != nil && !p.block.below && isRule(line, '-'):
		p.block.below = true
	case p.block != nil:
		if p.block.below && !isRule(line, '-') {
			p.block.text.add(line)
		}
	default:
		p.progress(line)
	}
}

// progress is a line before the first block: with -v, a test and its result, with whatever the test printed between.
func (p *unittest) progress(line string) {
	if strings.HasPrefix(line, "Traceback (most recent call last):") || len(p.loose.head) > 0 {
		p.loose.add(line)
	}
	if m := unittestName.FindStringSubmatch(line); m != nil && strings.Contains(m[2], ".") {
		p.endTest(Fail)
		p.running = unittestID(m[1], m[2])
	}
	if m := unittestStatus.FindStringSubmatch(line); m != nil && p.running != "" {
		switch {
		case m[1] == "ok":
			p.endTest(Pass)
		case strings.HasPrefix(m[1], "skipped"), m[1] == "expected failure":
			p.endTest(Skip)
		default:
			p.endTest(Fail)
		}
	}
}

// endTest records the result of the running test; one whose result never comes has failed in a subtest.
func (p *unittest) endTest(outcome Outcome) {
	if p.running != "" {
		p.test(p.running, outcome, 0)
		p.running = ""
	}
}

// unittestID is a test's dotted name. Before Python 3.11 the part in parentheses lacks the method.
func unittestID(method, where string) string {
	if strings.HasSuffix(where, "."+method) {
		return where
	}
	return where + "." + method
}

// endBlock makes a finding of a block.
func (p *unittest) endBlock() {
	b := p.block
	if b == nil {
		return
	}
	p.block = nil
	text := b.text.lines()
	d := diag.Diagnostic{Message: raised(text), Frames: p.pyFrames(text), Detail: b.text.String()}
	p.locate(&d)
	m := unittestName.FindStringSubmatch(b.title)
	switch {
	case strings.Contains(b.title, "unittest.loader._FailedTest"), strings.Contains(b.title, "unittest.loader.ModuleImportFailure"):
		name, _, _ := strings.Cut(b.title, " ")
		d.Dir, d.Masks = dirOf(p.moduleFile(name, d.Frames)), diag.MasksDir
		d.Message = "cannot import " + name + ": " + d.Message
	case m == nil:
		d.Message = b.title + ": " + d.Message
	case m[1] == "setUpClass", m[1] == "tearDownClass", m[1] == "setUpModule", m[1] == "tearDownModule":
		d.Dir, d.Masks = dirOf(p.moduleFile(m[2], d.Frames)), diag.MasksDir
		d.Message = m[1] + " of " + m[2] + ": " + d.Message
	default:
		d.Test = unittestID(m[1], m[2])
		d.Dir = dirOf(p.moduleFile(m[2], d.Frames))
		if sub := strings.TrimSpace(m[3]); sub != "" {
			d.Message = sub + ": " + d.Message
		}
		p.test(d.Test, Fail, 0)
	}
	p.add(d)
}

// moduleFile is the file of the module that a dotted name begins with: the outermost frame in a file of such a name, else
// what the name itself says, taking the first part in upper case to be a class.
func (c *collector) moduleFile(name string, frames []diag.Frame) string {
	parts := strings.Split(name, ".")
	for i := len(frames) - 1; i >= 0; i-- {
		if stem := strings.TrimSuffix(path.Base(frames[i].File), ".py"); slices.Contains(parts, stem) {
			return frames[i].File
		}
	}
	if i := slices.IndexFunc(parts, func(s string) bool { return s != "" && s[0] >= 'A' && s[0] <= 'Z' }); i > 0 {
		parts = parts[:i]
	}
	return c.pyModule(strings.Join(parts, "."))
}

// raised is the last line that says what was raised; the lines below it belong to its message.
func raised(text []string) string {
	for i := len(text) - 1; i >= 0; i-- {
		if m := pyRaised.FindStringSubmatch(text[i]); m != nil {
			if m[2] == "" && i+1 < len(text) && strings.TrimSpace(text[i+1]) != "" {
				return m[1] + ": " + strings.TrimSpace(text[i+1])
			}
			return strings.TrimSpace(text[i])
		}
	}
	for _, line := range text {
		if strings.TrimSpace(line) != "" {
			return strings.TrimSpace(line)
		}
	}
	return ""
}
