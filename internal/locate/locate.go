// Package locate answers "where is it?": from what failing and passing tests ran, and from what a failure itself names, it
// ranks the lines that are most likely at fault.
//
// The package knows no language and does no I/O: runners hand it what ran, and it counts. The measure is Ochiai's
// (Abreu, Zoeteweij, van Gemund: "An evaluation of similarity coefficients for software fault localization", 2006): a line
// is the more suspicious the more of the failing tests and the fewer of the passing tests run it.
package locate

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"fettle/internal/diag"
	"fettle/internal/lang"
)

// Span is some lines of a file, EndLine included.
type Span struct {
	File          string // slash path from the root
	Line, EndLine int
}

// Suspect is a stretch of lines that share one suspicion.
type Suspect struct {
	File    string  `json:"file"`
	Line    int     `json:"line"`
	EndLine int     `json:"end_line"`
	Score   float64 `json:"score"` // 0–1
	Failing int     `json:"failing"`
	Passing int     `json:"passing"`          // how many passing tests ran it: none means that nothing holds it in place
	Why     string  `json:"why"`              // the evidence, for people
	Values  []Value `json:"values,omitempty"` // what its variables hold, as far as that is known; of the most suspicious alone
}

// String is the suspect in one line: where, how suspicious, what speaks for it, and what its variables hold.
func (s Suspect) String() string {
	where := fmt.Sprintf("%s:%d", s.File, s.Line)
	if s.EndLine > s.Line {
		where += fmt.Sprintf("-%d", s.EndLine)
	}
	out := strings.TrimSpace(fmt.Sprintf("%s %.2f %s", where, s.Score, s.Why))
	if holds := s.Holds(); holds != "" {
		out += "; " + holds
	}
	return out
}

// Told are suspects as text, a line each.
func Told(suspects []Suspect) string {
	var b strings.Builder
	for _, s := range suspects {
		b.WriteString(s.String() + "\n")
	}
	return b.String()
}

// line is one line of one file.
type line struct {
	file string
	n    int
}

// count is how many tests ran a line.
type count struct {
	failed, passed int
	weight         float64 // of the failing tests, those that are only known by their stack counted less
}

// Spectrum counts which lines failing and passing tests run. The zero value is empty and ready for use.
type Spectrum struct {
	lines          map[line]*count
	failed, passed int
	weight         float64
}

// How much a failing test counts.
const (
	exactWeight = 1.0 // its coverage is known
	stackWeight = 0.5 // only the functions on its stack are known
)

// Add adds one test: whether it failed, whether the spans are exactly what it ran (or only the functions that its stack
// names), and the spans. Spans may overlap; a line counts once.
func (s *Spectrum) Add(failed, exact bool, spans []Span) {
	if s.lines == nil {
		s.lines = map[line]*count{}
	}
	w := exactWeight
	if !exact {
		w = stackWeight
	}
	if failed {
		s.failed++
		s.weight += w
	} else {
		s.passed++
	}
	for l := range distinct(spans) {
		c := s.lines[l]
		if c == nil {
			c = &count{}
			s.lines[l] = c
		}
		if failed {
			c.failed++
			c.weight += w
		} else {
			c.passed++
		}
	}
}

// Tests is how many failing and passing tests were added.
func (s *Spectrum) Tests() (failed, passed int) { return s.failed, s.passed }

func distinct(spans []Span) map[line]bool {
	out := map[line]bool{}
	for _, sp := range spans {
		for n := sp.Line; n <= sp.EndLine; n++ {
			out[line{sp.File, n}] = true
		}
	}
	return out
}

// ochiai is failed(l) / sqrt(failed · (failed(l) + passed(l))).
func (s *Spectrum) ochiai(c *count) float64 {
	if c.weight == 0 || s.weight == 0 {
		return 0
	}
	return c.weight / math.Sqrt(s.weight*(c.weight+float64(c.passed)))
}

// Evidence is what failures name by themselves.
type Evidence struct {
	Stacks [][]diag.Frame // stack frames of each failure, innermost first
	Recent []Recent       // lines that were changed lately
}

// Recent is lines that were changed lately: what never failed before is seldom what is wrong now.
type Recent struct {
	Span
	Age int    // 0: not committed; then the file's commits, newest first
	Why string // for people
}

// How far evidence moves a score towards 1: the innermost frame half the way, each frame further out less.
const (
	frameShare = 0.5
	frameDecay = 0.7
	freshShare = 0.25 // a line that is not committed; each commit further back less
	freshDecay = 0.6
)

// Rank orders the lines that failing tests ran or that failures name, most suspicious first. Where the tests say the same of two lines
// and nothing could be more suspicious, what else speaks for them decides; equal ones stand in order of place. Neighbouring lines with
// equal suspicion come as one suspect. skip, which may be nil, leaves out files, such as the tests' own.
func Rank(s *Spectrum, ev Evidence, skip func(file string) bool) []Suspect {
	marks := newMarks(s, ev)
	type ranked struct {
		Suspect
		share float64
	}
	var all []ranked
	for _, l := range marks.places() {
		if lang.IsHistory(l.file) || skip != nil && skip(l.file) {
			continue
		}
		x := ranked{marks.suspect(l), marks.share[l]}
		if x.Score <= 0 {
			continue
		}
		if n := len(all); n > 0 && all[n-1].share == x.share && joins(all[n-1].Suspect, x.Suspect) {
			all[n-1].EndLine = x.EndLine
			continue
		}
		all = append(all, x)
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.share, a.share)) })
	out := make([]Suspect, len(all))
	for i, x := range all {
		out[i] = x.Suspect
	}
	return out
}

func joins(a, b Suspect) bool {
	return a.File == b.File && a.EndLine+1 == b.Line && a.Score == b.Score && a.Why == b.Why && a.Passing == b.Passing && a.Failing == b.Failing
}

// marks is everything known of each line.
type marks struct {
	spectrum *Spectrum
	share    map[line]float64 // from stacks and messages, 0–1
	why      map[line][]string
}

func newMarks(s *Spectrum, ev Evidence) *marks {
	m := &marks{spectrum: s, share: map[line]float64{}, why: map[line][]string{}}
	for _, stack := range ev.Stacks {
		share := frameShare
		for i, f := range stack {
			m.add(line{f.File, f.Line}, share, frameReason(i))
			share *= frameDecay
		}
	}
	for _, r := range ev.Recent {
		share := freshShare * math.Pow(freshDecay, float64(r.Age))
		for l := range distinct([]Span{r.Span}) {
			if c := m.spectrum.lines[l]; c != nil && c.failed > 0 || m.share[l] > 0 { // a line is not at fault for being new alone
				m.add(l, share, r.Why)
			}
		}
	}
	return m
}

func frameReason(i int) string {
	if i == 0 {
		return "innermost stack frame"
	}
	return fmt.Sprintf("stack frame %d", i+1)
}

// add strengthens the evidence for a line; what says the same twice counts once, at its strongest.
func (m *marks) add(l line, share float64, why string) {
	m.share[l] = max(m.share[l], share)
	if !slices.Contains(m.why[l], why) {
		m.why[l] = append(m.why[l], why)
	}
}

func (m *marks) places() []line {
	all := map[line]bool{}
	for l := range m.spectrum.lines {
		all[l] = true
	}
	for l := range m.share {
		all[l] = true
	}
	out := make([]line, 0, len(all))
	for l := range all {
		out = append(out, l)
	}
	slices.SortFunc(out, func(a, b line) int { return cmp.Or(strings.Compare(a.file, b.file), cmp.Compare(a.n, b.n)) })
	return out
}

// told says which tests run a line.
func (s *Spectrum) told(c *count) string {
	if s.passed == 0 {
		return fmt.Sprintf("run by %d of %d failing tests; no passing one could be traced", c.failed, s.failed)
	}
	return fmt.Sprintf("run by %d of %d failing and %d of %d passing tests", c.failed, s.failed, c.passed, s.passed)
}

func (m *marks) suspect(l line) Suspect {
	x := Suspect{File: l.file, Line: l.n, EndLine: l.n}
	var why []string
	if c := m.spectrum.lines[l]; c != nil && c.failed > 0 {
		x.Score = m.spectrum.ochiai(c)
		x.Failing, x.Passing = c.failed, c.passed
		why = append(why, m.spectrum.told(c))
	} else if c != nil {
		x.Passing = c.passed
	}
	if share := m.share[l]; share > 0 {
		x.Score = 1 - (1-x.Score)*(1-share)
		why = append(why, m.why[l]...)
	}
	x.Why = strings.Join(why, "; ")
	return x
}
