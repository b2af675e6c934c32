package parse

import (
	"io"
	"strings"

	"fettle/internal/diag"
	"fettle/internal/pattern"
)

// parsePytest reads pytest's text in any of its traceback styles, with or without the short summary, -v, -r or xdist.
//
// Errors of collection that interrupted the run hide every other finding, as does a run that stopped at its first failure.
// A module that could not be collected while the others ran hides the tests in its folder.
func parsePytest(r io.Reader, o Options) (Report, error) {
	p := &pytest{collector: newCollector(o, "pytest")}
	in := newLines(r)
	for line, ok := in.next(); ok; line, ok = in.next() {
		p.line(line)
	}
	p.finish()
	return p.report, in.failed()
}

// The parts of pytest's output that are read in different ways.
type pytestPart int

const (
	pytestRun      pytestPart = iota // the progress of the tests, and whatever stands before it
	pytestErrors                     // === ERRORS ===
	pytestFailures                   // === FAILURES ===
	pytestSummary                    // === short test summary info ===
	pytestOther                      // === warnings summary ===, === PASSES ===, a plug-in's table
)

type pytest struct {
	*collector
	part    pytestPart
	blocks  []*pytestBlock // what ERRORS and FAILURES told
	block   *pytestBlock   // under way
	listed  []pytestListed // what the short summary lists
	early   *pytestBlock   // a conftest that cannot be imported, or an internal error: nothing ran
	usage   string         // what pytest said of the way in which it was called
	none    bool           // no tests ran
	collect bool           // interrupted: errors during collection
	stopped bool           // stopped after so many failures
	failed  []string       // the tests that -v named as failed
}

// pytestListed is a line of the short summary: FAILED id - message.
type pytestListed struct {
	error    bool
	id, said string
	sub      string // the description of the subtest that failed
}

var (
	pytestSection = pattern.New(`^=+ (.+?) =+$`)
	pytestTitle   = pattern.New(`^_{3,} (.+) _{3,}$`)
	pytestBang    = pattern.New(`^!+ (.+?) !+$`)
	pytestVerbose = pattern.New(`^(\S.*?\.\w+::.*?) (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)(?: +\(.*\))?(?: +\[ *\d+%\])?$`)
	pytestWorker  = pattern.New(`^\[gw\d+\](?: \[ *\d+%\])? (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS) (\S.*?::.*?)\s*$`)
	pytestListing = pattern.New(`^(FAILED|ERROR|PASSED|XFAIL|XPASS) (\S.*)$`)
	pytestNone    = pattern.New(`^(?:=+ )?(?:no tests ran|no tests collected|\d+ deselected) in `)
	pytestConf    = pattern.New(`^\w*Error while loading conftest '(.+)'\.$`)
	pytestUsage   = pattern.New(`^(?:ERROR: |pytest: error: |\S+\.py: error: |__main__\.py: error: )(.+)$`)
)

func (p *pytest) line(line string) {
	if m := pytestSection.FindStringSubmatch(line); m != nil && p.section(m[1]) {
		return
	}
	if pytestNone.MatchString(line) {
		p.none = true
		return
	}
	if m := pytestBang.FindStringSubmatch(line); m != nil {
		p.collect = p.collect || strings.HasPrefix(m[1], "Interrupted:") && strings.Contains(m[1], "during collection")
		p.stopped = p.stopped || strings.HasPrefix(m[1], "stopping after ")
		return
	}
	if said, ok := strings.CutPrefix(line, "INTERNALERROR>"); ok {
		if p.early == nil {
			p.early = &pytestBlock{title: "internal error"}
		}
		p.early.add(strings.TrimPrefix(said, " "))
		return
	}
	switch p.part {
	case pytestRun:
		p.running(line)
	case pytestErrors, pytestFailures:
		p.inBlock(line)
	case pytestSummary:
		p.inSummary(line)
	case pytestOther:
	}
}

// section begins a part of the output; false when the line only looks like a heading.
func (p *pytest) section(title string) bool {
	switch {
	case title == "ERRORS":
		p.part = pytestErrors
	case title == "FAILURES":
		p.part = pytestFailures
	case title == "short test summary info":
		p.part = pytestSummary
	case title == "test session starts":
		p.part = pytestRun
	case strings.HasPrefix(title, "warnings summary"), title == "PASSES", title == "XFAILURES", title == "XPASSES",
		strings.HasPrefix(title, "slowest "), strings.HasPrefix(title, "tests coverage"):
		p.part = pytestOther
	case pytestNone.MatchString(title + " in "), pytestNone.MatchString(title):
		p.none = true
	default:
		return false
	}
	p.block = nil
	return true
}

// running is a line of the progress: with -v it names tests and how they came out.
func (p *pytest) running(line string) {
	if p.early != nil {
		p.early.add(line)
		return
	}
	if m := pytestVerbose.FindStringSubmatch(line); m != nil {
		p.outcome(m[1], m[2])
	} else if m := pytestWorker.FindStringSubmatch(line); m != nil {
		p.outcome(m[2], m[1])
	} else if m := pytestConf.FindStringSubmatch(line); m != nil {
		p.early = &pytestBlock{title: "conftest"}
		p.early.add(line)
	} else if m := pytestUsage.FindStringSubmatch(line); m != nil && p.usage == "" {
		p.usage = m[1]
	}
}

func (p *pytest) outcome(id, word string) {
	outcome := Fail
	switch word {
	case "PASSED", "XPASS":
		outcome = Pass
	case "SKIPPED", "XFAIL":
		outcome = Skip
	}
	if !strings.Contains(id, "::") {
		return
	}
	p.test(p.nodeID(id), outcome, 0)
	if outcome == Fail && len(p.failed) < maxFindings {
		p.failed = append(p.failed, id)
	}
}

func (p *pytest) inSummary(line string) {
	if l, ok := subtestListed(line); ok {
		if len(p.listed) < maxFindings {
			p.listed = append(p.listed, l)
		}
		return
	}
	m := pytestListing.FindStringSubmatch(line)
	if m == nil {
		return
	}
	if m[1] != "FAILED" && m[1] != "ERROR" {
		id, _ := splitListed(m[2])
		p.outcome(id, m[1])
		return
	}
	if len(p.listed) < maxFindings {
		id, said := splitListed(m[2])
		p.listed = append(p.listed, pytestListed{error: m[1] == "ERROR", id: id, said: said})
	}
}

// splitListed parts "id - message". A parameter may hold " - " too, so an id with parameters ends at a bracket.
func splitListed(s string) (id, said string) {
	dash := strings.Index(s, " - ")
	if open := strings.IndexByte(s, '['); open >= 0 && (dash < 0 || open < dash) && strings.Contains(s[:open], "::") {
		if i := strings.Index(s, "] - "); i >= 0 {
			return s[:i+1], s[i+4:]
		}
		if strings.HasSuffix(s, "]") {
			return s, ""
		}
	}
	if dash < 0 {
		return s, ""
	}
	return s[:dash], s[dash+3:]
}

// nodeID is a test's id with its file as a path from the repository's root.
func (c *collector) nodeID(id string) string {
	file, rest, ok := strings.Cut(id, "::")
	if f := c.places.file(file); f != "" {
		file = f
	}
	if !ok {
		return file
	}
	return file + "::" + rest
}

// finish turns what was gathered into findings, now that it is known what interrupted the run.
func (p *pytest) finish() {
	if p.early != nil {
		d := p.explain(p.early)
		d.Message = p.early.title + ": " + d.Message
		d.Masks = diag.MasksCheck
		p.add(d)
	}
	for _, l := range p.listed {
		if b := p.blockOf(l); b != nil {
			b.used = true
			p.finding(b, l)
		} else {
			p.finding(nil, l)
		}
	}
	for _, b := range p.blocks {
		if !b.used {
			p.finding(b, b.unlisted(p))
		}
	}
	if !p.found() { // --no-summary
		for _, id := range p.failed {
			p.finding(nil, pytestListed{id: id})
		}
	}
	if p.found() {
		return
	}
	switch {
	case p.usage != "":
		p.add(diag.Diagnostic{Message: p.usage, Masks: diag.MasksCheck})
	case p.none:
		p.add(diag.Diagnostic{Message: "pytest found no tests to run", Masks: diag.MasksCheck})
	}
}

func (p *pytest) finding(b *pytestBlock, l pytestListed) {
	var d diag.Diagnostic
	if b != nil {
		d = p.explain(b)
	}
	if d.Message == "" {
		d.Message = l.said
	}
	if p.found() && pytestContains.MatchString(d.Message) {
		return // they have been listed before it
	}
	file, _, isTest := strings.Cut(l.id, "::")
	file = p.places.file(file)
	if d.File == "" {
		d.File = file
	}
	d.Dir = dirOf(file)
	switch {
	case isTest:
		d.Test = p.nodeID(l.id)
		p.test(d.Test, Fail, 0)
		if l.error && b != nil && b.when != "" {
			d.Message = "at " + b.when + ": " + d.Message
		}
		if l.sub != "" {
			d.Message = l.sub + ": " + d.Message
		}
	case p.collect:
		d.Masks = diag.MasksCheck
	default:
		d.Masks = diag.MasksDir
	}
	if !isTest && l.error {
		d.Message = strings.TrimSuffix("cannot collect "+l.id+": "+d.Message, ": ")
	}
	if p.stopped {
		d.Masks = diag.MasksCheck
	}
	if d.Message == "" {
		d.Message = "failed"
	}
	p.add(d)
}
