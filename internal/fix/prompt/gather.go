package prompt

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/diag"
	"fettle/internal/fix"
	"fettle/internal/fix/nearby"
	"fettle/internal/lang"
	"fettle/internal/locate"
	"fettle/internal/phrase"
	"fettle/internal/policy/secret"
	"fettle/internal/quote"
)

// rank is how early a piece is chosen. What is left out for lack of room is left out from the end.
type rank int

// The ranks, and with that the order in which pieces are cut: the last first.
const (
	rankFailure rank = iota // what became of the last attempt
	rankFinding             // what the check says
	rankPlace               // the lines where the fault may be, and what speaks for them
	rankSuspect             // the functions in which the fault may be
	rankTest                // the failing test
	rankHead                // imports and what stands above the first function
	rankWhole               // the rest of a small file
	rankCallee              // functions that a suspect calls
	rankNote                // what the project says about this check
	rankCaller              // functions that call a suspect
	rankTail                // the end of what the check printed
	rankTried               // what became of earlier attempts
	rankCustom              // conventions of the project
)

var rankNames = [...]string{"the last failure", "findings", "lines where the fault may be", "functions in which the fault may be", "failing tests", "heads of files", "rests of files", "functions that these call", "the project's notes on the check", "functions that call these", "the check's output", "earlier attempts", "conventions of the project"}

// piece is something that may go into the request.
type piece struct {
	rank rank
	kind string
	meta map[string]any
	body string
	file *file   // whose lines it shows; nil: none
	part stretch // which
	test bool    // of a test
	must bool    // it goes in, however small the room is
}

// gathering is what is known of a task while the request is made.
type gathering struct {
	ctx      context.Context
	task     fix.Task
	redactor *secret.Redactor // for what is kept
	out      secret.Outbound  // for what is sent
	files    map[string]*file
	project  *nearby.Project
	raw      map[string][]byte // what stands in the files that were read
	pieces   []piece
	notes    []string
	narrow   bool // a file was not made because the goal is narrower
}

// What goes in of each thing, at most.
const (
	mostPlaces   = 8  // where the fault may be
	mostFindings = 12 // of the check
	mostDetail   = 1800
	mostFailure  = 3000
	mostTail     = 1500
	mostEvidence = 1200 // of what speaks for the places
	wideFunction = 120  // lines of a function; of a longer one only those around the place are shown
	around       = 25   // lines on each side of a place that stands in no function, or in too long a one
	smallFile    = 150  // lines; such a file is shown whole where there is room

	mostFailureTokens = 900 // beside its bytes: diffs and numbers are many for theirs
)

func (g *gathering) add(p piece) { g.pieces = append(g.pieces, p) }

// clip is a text about the sources, as it may be sent: of one that is too long the beginning and the end, and its metadata say that it is not all of it.
func (g *gathering) clip(p piece, most int) piece {
	p.body = g.out.Text(strings.ToValidUTF8(p.body, "\ufffd"))
	if len(p.body) <= most {
		return p
	}
	if p.meta == nil {
		p.meta = map[string]any{}
	}
	p.meta["bytes"], p.meta["shown"] = len(p.body), "its beginning and its end"
	p.body = phrase.Ends(p.body, most)
	return p
}

// all gathers everything that may go into the request.
func (g *gathering) all(extra string) error {
	g.feedback()
	g.findings()
	places, err := g.places()
	if err != nil {
		return err
	}
	for i, p := range places {
		if err := g.around(p, i == 0); err != nil {
			return err
		}
	}
	if err := g.tests(); err != nil {
		return err
	}
	if tail := strings.TrimSpace(g.task.Baseline.Tail); tail != "" {
		g.add(g.clip(piece{rank: rankTail, kind: "output", body: tail}, mostTail))
	}
	g.conventions(extra)
	return nil
}

// feedback is what became of earlier attempts: of the last one all, of the others why they led nowhere and as much of the rest as there is room for.
func (g *gathering) feedback() {
	for i, failed := range slices.Backward(g.task.Feedback) {
		p, most := piece{rank: rankTried, kind: "earlier failure"}, mostDetail/2
		if i == len(g.task.Feedback)-1 {
			p, most = piece{rank: rankFailure, kind: "failure", must: true}, mostFailure
		}
		p.body, p.meta = failed.String(), map[string]any{"yours": failed.Own}
		p = g.clip(p, most)
		for Tokens(p.body) > mostFailureTokens {
			most = most * 3 / 4
			p = g.clip(p, most)
		}
		g.add(p)
	}
}

// findings is what the check says.
func (g *gathering) findings() {
	c := g.task.Check
	for i, d := range g.task.Diagnostics {
		if i == mostFindings {
			g.notes = append(g.notes, fmt.Sprintf("%d of %d findings were shown", mostFindings, len(g.task.Diagnostics)))
			break
		}
		meta := map[string]any{"check": c.Name}
		for k, v := range map[string]string{"file": d.File, "rule": d.Rule, "test": d.Test, "tool": d.Tool} {
			if v != "" {
				meta[k] = g.out.Text(v)
			}
		}
		if d.Range.Start.Line > 0 {
			meta["line"] = d.Range.Start.Line
		}
		body := d.Message
		if d.Detail != "" && d.Detail != d.Message {
			body += "\n" + d.Detail
		}
		g.add(g.clip(piece{rank: rankFinding, kind: "finding", meta: meta, body: body, must: i == 0}, mostDetail))
	}
}

// spot is a place where the fault may be.
type spot struct {
	file string
	line int
}

// places are where the fault may be: what the tests' runs say, where the findings are, and what their stacks name, tests apart.
func (g *gathering) places() ([]spot, error) {
	var out []spot
	add := func(s spot) {
		if s.file == "" || lang.IsTest(s.file) && g.task.Check.Kind() == "test" || slices.ContainsFunc(out, func(o spot) bool { return o.file == s.file && o.line == s.line }) {
			return
		}
		out = append(out, s)
	}
	suspects, err := g.suspects()
	if err != nil {
		return nil, err
	}
	if len(suspects) > 0 {
		g.add(g.clip(piece{rank: rankPlace, kind: "where the fault may be", body: strings.TrimSpace(locate.Told(suspects))}, mostEvidence))
	}
	for _, s := range suspects {
		add(spot{s.File, s.Line})
	}
	for _, d := range g.task.Diagnostics {
		add(spot{d.File, d.Range.Start.Line})
		for _, f := range d.Frames {
			add(spot{f.File, f.Line})
		}
	}
	return out[:min(len(out), mostPlaces)], nil
}

// suspects asks where the fault may be, which leaves the place as it was. A model can do without.
func (g *gathering) suspects() ([]locate.Suspect, error) {
	if g.task.Suspects == nil {
		return nil, nil
	}
	found, err := g.task.Suspects(g.ctx)
	if e := fix.Restore(g.ctx, g.task.Place, nil); e != nil {
		return nil, e
	}
	if err != nil && g.ctx.Err() == nil {
		g.notes = append(g.notes, fmt.Sprintf("the model was not told where the fault may be: %v", err))
	}
	return found[:min(len(found), mostPlaces)], context.Cause(g.ctx)
}

// around adds what stands around a place: its function, the head of its file, the rest of it if that is small, and the functions on both sides of a call.
func (g *gathering) around(s spot, first bool) error {
	f, err := g.readFile(s.file)
	if err != nil || f == nil {
		return err
	}
	fn := functionAt(f, s.line)
	part := stretch{max(1, s.line-around), min(f.Count(), max(1, s.line)+around)}
	if fn != nil {
		if own := span(f, fn); own.to-own.from < wideFunction {
			part = own
		}
	}
	g.source(piece{rank: rankSuspect, must: first}, f, part)
	if end := headEnd(f); end > 0 {
		g.source(piece{rank: rankHead}, f, stretch{1, end})
	}
	if f.Count() <= smallFile {
		g.source(piece{rank: rankWhole}, f, stretch{1, f.Count()})
	}
	if fn != nil {
		return g.calls(f, fn)
	}
	return nil
}

// source adds lines of a file.
func (g *gathering) source(p piece, f *file, part stretch) {
	p.kind, p.file, p.part = "source", f, part
	for _, have := range g.pieces {
		if have.file == f && have.part == part && have.rank <= p.rank {
			return
		}
	}
	g.add(p)
}

// calls adds the functions of the file, and then of the package's other files, that a function calls, and those that call it.
func (g *gathering) calls(f *file, fn *code.Node) error {
	called := map[string]bool{}
	for n := range fn.Walk() {
		if n.Is(code.Call) {
			called[calleeOf(n)] = true
		}
	}
	delete(called, "")
	elsewhere := maps.Clone(called)
	for n := range f.code.Root.Walk() {
		if n.Is(code.Function) {
			delete(elsewhere, n.Name)
		}
		if !n.Is(code.Function) || n == fn || n.Name == "" || fn.Holds(n.Start, n.End) {
			continue
		}
		own := span(f, n)
		if own.to-own.from >= wideFunction {
			continue
		}
		if called[n.Name] {
			g.source(piece{rank: rankCallee}, f, own)
			continue
		}
		if callsTo(n, fn.Name) {
			g.source(piece{rank: rankCaller}, f, own)
		}
	}
	return g.callsElsewhere(f, fn, elsewhere)
}

// calleeOf is the name of what a call calls.
func calleeOf(call *code.Node) string {
	c := call.Kid(code.Callee)
	if c.Is(code.Attr) {
		c = c.Kid(code.Mem)
	}
	if c == nil {
		return ""
	}
	return c.Name
}

// tests adds the source of failing tests: where findings and their stacks stand in tests.
func (g *gathering) tests() error {
	if g.task.Check.Kind() != "test" {
		return nil
	}
	for i, d := range g.task.Diagnostics {
		if i == mostFindings/3 {
			break
		}
		at := []diag.Frame{{File: d.File, Line: d.Range.Start.Line}}
		for _, fr := range append(at, d.Frames...) {
			if !lang.IsTest(fr.File) {
				continue
			}
			f, err := g.readFile(fr.File)
			if err != nil {
				return err
			}
			if f == nil {
				continue
			}
			part := stretch{max(1, fr.Line-around), min(f.Count(), max(1, fr.Line)+around)}
			if fn := cmp.Or(functionAt(f, fr.Line), functionNamed(f, d.Test)); fn != nil && span(f, fn).to-span(f, fn).from < wideFunction {
				part = span(f, fn)
			}
			g.source(piece{rank: rankTest, test: true}, f, part)
			break
		}
	}
	return nil
}

// text is the piece between boundaries.
func (p piece) text(c *gathering) quote.Text {
	if p.file == nil {
		return quote.Text{Kind: p.kind, Meta: p.meta, Body: p.body}
	}
	meta := map[string]any{"path": p.file.path, "lines": fmt.Sprintf("%d-%d of %d", p.part.from, p.part.to, p.file.Count()), "editable": c.editable(p.file)}
	kind := "source"
	if p.test {
		kind = "failing test"
	}
	return quote.Text{Kind: kind, Meta: meta, Body: p.file.Numbered(p.part.from, p.part.to)}
}

func (g *gathering) editable(f *file) bool {
	return !evidence(g.task.Check, f) && (g.task.InScope == nil || g.task.InScope(f.path))
}
