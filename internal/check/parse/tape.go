package parse

import (
	"io"
	"strings"

	"fettle/internal/diag"
	"fettle/internal/pattern"
)

// tapTest is a test whose results are being read.
type tapTest struct {
	name  string
	ended bool // the plan has come: what follows are totals
}

// parseTape reads TAP as tape prints it (https://github.com/tape-testing/tape): flat results, each of them an assertion, under a comment
// that names the test they belong to. A test's id is that name. When no plan follows, the program has ended in the last test.
//
// What tests print by t.comment cannot be told from a test's name: results behind it belong to a test of that name.
func parseTape(r io.Reader, o Options) (Report, error) {
	p := &tap{collector: newCollector(o, "tape"), under: &tapTest{}}
	err := p.read(r)
	if t := p.under; t.name != "" && !t.ended {
		p.test(t.name, Fail, 0)
		p.add(diag.Diagnostic{Test: t.name, Message: "the program ended before this test did", Masks: diag.MasksCheck})
	}
	return p.report, err
}

var tapPlan = pattern.New(`^\d+\.\.\d+$`)

// begins reads the lines that stand between results, and reports whether this is one of them.
func (p *tap) begins(line string) bool {
	if tapPlan.MatchString(line) {
		p.under.ended = true
		return true
	}
	name, ok := strings.CutPrefix(line, "# ")
	if !ok {
		return false
	}
	p.flush()
	if p.under.ended {
		return true
	}
	if skipped, ok := strings.CutPrefix(name, "SKIP "); ok {
		p.test(tapeID(skipped), Skip, 0)
		return true
	}
	outcome := Pass // until a result says otherwise: one without any passes
	if todo, ok := strings.CutPrefix(name, "TODO "); ok {
		name, outcome = todo, Skip // it may fail
	}
	p.under.name = tapeID(name)
	p.test(p.under.name, outcome, 0)
	return true
}

// tapeID is a test's id: its name, with each stretch of white space as one blank, which is what tape makes of most names.
func tapeID(name string) string { return jsTestID("", strings.Join(strings.Fields(name), " ")) }

// assertion reports one result of a test.
func (p *tap) assertion(r tapResult) {
	if r.outcome == Fail {
		p.test(r.test, Fail, 0)
		p.failure(r, r.test, "")
	}
}
