package search

import (
	"cmp"
	"context"
	"iter"
	"math"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"fettle/internal/check"
	"fettle/internal/code"
	"fettle/internal/diag"
	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/fix/complaint"
	"fettle/internal/lang"
	"fettle/internal/runner"
	"fettle/internal/syntax"
	"fettle/internal/verdict"
)

// What bounds the search for what a checker would be content with: each trial is a run of the checker.
const (
	mostComplaints = 20 // of one task
	mostRemedies   = 90 // tried for one task
	fewest         = 8  // … though the check takes its time
	longest        = 5  // … but not for longer than so many times a search
	mostGeneral    = 30 // … of edits that the complaint does not call for by its words
	generalTime    = 15 * time.Second
	mostReaders    = 60 // … of edits that read what nobody reads
	readersTime    = 40 * time.Second
	mostHits       = 4    // with which the checker is content, for one complaint: enough to know how sure one can be
	general        = 0.3  // what an edit that any code may need counts against those that the complaint calls for
	wholesome      = 0.95 // how right remedies are of whose kind one is enough: there are no two ways to drop an import
)

// understood reads a finding as a complaint about a source that can be mended here; false: it is none.
//
// What a linter hands on from a compiler is left to the check that compiles, and runs: a linter tells the first such error of many.
func understood(c check.Check, d diag.Diagnostic) (complaint.Complaint, bool) {
	said, ok := complaint.Read(d)
	switch {
	case !ok, syntax.LangOf(d.File) == "", lang.IsTest(d.File):
		return said, false
	}
	return said, c.Kind() != "lint" || !said.Kind.Typed() || d.Masks == diag.MasksNothing
}

// complains reports whether a finding is such a complaint.
func complains(c check.Check, d diag.Diagnostic) bool {
	_, ok := understood(c, d)
	return ok
}

// mending is the search for what a checker would be content with.
type mending struct {
	opts Search
	task fix.Task
	unit *unit
	watch

	complaints []complaint.Complaint
	known      map[string]typing         // by file
	left       map[diag.Fingerprint]bool // complaints for which not everything was tried

	mu      sync.Mutex      // what follows is asked while remedies are made, and changed when trials come back
	called  []remedy        // what the complaints call for
	made    []remedy        // in the order in which they are handed out
	came    map[string]bool // back, by what they change
	rest    float64         // how likely the likeliest small edit is that was not handed out; zero: none is left
	hits    []mended
	tried   int
	slowest time.Duration // of the trials: one that hangs has had a check's whole time
}

// remedy is a proposal and the complaint that it is for.
type remedy struct {
	proposal
	about diag.Fingerprint
}

// mended is a remedy with which the checker is content, in whole or in part.
type mended struct {
	remedy
	trial  verdict.Trial
	effort fix.Effort
}

// mend proposes what the check would be content with.
func (s *Search) mend(ctx context.Context, t fix.Task) ([]fix.Candidate, error) {
	m := &mending{opts: s.withDefaults(), task: t, unit: newUnit(s.Learnt), known: map[string]typing{}, came: map[string]bool{}, watch: newWatch()}
	if err := m.read(ctx); err != nil || len(m.complaints) == 0 {
		return nil, err
	}
	limit := min(max(m.opts.Time, fewest*t.Baseline.Wall), longest*m.opts.Time)
	inner, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for trial, err := range t.TryAll(inner, m.patches(inner)) {
		if err != nil {
			if inner.Err() != nil && ctx.Err() == nil {
				break // our own time is over
			}
			return nil, err
		}
		m.opts.seen(trial)
		m.onTrial()
		m.take(trial)
	}
	late := inner.Err() != nil
	m.unit.slips.tell(t.Note)
	m.left = m.untried()
	out, err := m.candidates(ctx)
	if err == nil {
		m.tell(len(out) > 0, late)
	}
	return out, err
}

// take takes in what came of a remedy.
func (m *mending) take(trial verdict.Trial) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.tried++
	m.came[m.made[trial.Index].patchKey()] = true
	m.slowest = max(m.slowest, trial.Duration)
	if len(trial.Healed) > 0 && len(trial.Broken) == 0 {
		m.hits = append(m.hits, mended{m.made[trial.Index], trial, m.passed(m.tried, trial)})
	}
}

// next reports whether a remedy is to be tried, and whether it was the last that was asked about.
func (m *mending) next(r remedy) (wanted, last bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.settled(r):
		return false, false
	case m.tried >= mostRemedies:
		return false, true
	}
	m.made = append(m.made, r)
	return true, false
}

// trials is how many came back, and how long the slowest of them took.
func (m *mending) trials() (tried int, slowest time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.tried, m.slowest
}

// seen lets tests see every trial.
func (s *Search) seen(t verdict.Trial) {
	if s.observe != nil {
		s.observe(t)
	}
}

// read understands the findings and reads the sources that they are about.
func (m *mending) read(ctx context.Context) error {
	for _, d := range m.task.Diagnostics {
		c, ok := understood(m.task.Check, d)
		if !ok || m.task.InScope != nil && !m.task.InScope(d.File) || len(m.complaints) == mostComplaints {
			continue
		}
		if m.unit.files[d.File] == nil {
			f, err := readSource(ctx, m.task.Place, d.File)
			if err != nil {
				return err
			}
			if f == nil {
				continue
			}
			m.unit.add(f)
		}
		m.complaints = append(m.complaints, c)
		m.unit.broken = m.unit.broken || c.Kind.Typed() && m.unit.files[d.File].Facts.Static
	}
	return nil
}

// patches hands out what is to be tried: first what the complaints call for, the likeliest first; then, for what a compiler cannot accept,
// small edits around it. What is known well enough is not asked about again.
func (m *mending) patches(ctx context.Context) iter.Seq[edit.Patch] {
	return func(yield func(edit.Patch) bool) {
		seen := map[string]bool{}
		emit := func(r remedy) bool {
			key := r.patchKey()
			if seen[key] {
				return true
			}
			if ctx.Err() != nil {
				return false
			}
			wanted, last := m.next(r)
			if !wanted {
				return !last
			}
			seen[key] = true
			return yield(r.patch)
		}
		all := m.remedies(ctx)
		m.calls(all)
		for _, r := range all {
			if !emit(r) {
				return
			}
		}
		if m.allSettled(general * takenUp) {
			return // nothing that comes now can be more
		}
		m.learnTypes(ctx)
		more := func(sites []*site, most int, within time.Duration, fits func(*proposal) (diag.Fingerprint, bool)) bool {
			called, _ := m.trials()
			since := time.Now()
			for p := range propose(sites) {
				about, ok := fits(&p)
				if !ok {
					continue
				}
				p.score *= general
				m.leaves(p.score)
				if !emit(remedy{p, about}) || m.allSettled(p.score) {
					return false
				}
				if tried, slowest := m.trials(); tried-called >= most || time.Since(since)-slowest > within {
					return false
				}
			}
			return true
		}
		if more(m.readers(), mostReaders, readersTime, m.reads) && more(m.sites(), mostGeneral, generalTime, func(p *proposal) (diag.Fingerprint, bool) {
			return m.about(*p), p.template.name != dropsOperand || onlyNumbers(p) // it does not complain any more, and what was worked out there is gone
		}) {
			m.leaves(0)
		}
	}
}

// onlyNumbers reports whether a proposal takes out signs and numbers alone.
func onlyNumbers(p *proposal) bool {
	had, has := p.site.File.Source[p.edits[0].Start:p.edits[0].End], string(p.edits[0].New)
	rest, ok := strings.CutPrefix(had, has)
	if !ok {
		rest, ok = strings.CutSuffix(had, has)
	}
	return ok && !strings.ContainsFunc(rest, func(r rune) bool { return unicode.IsLetter(r) || r == '_' })
}

// typing is what a compiler knows of a source, asked once.
func (m *mending) typing(ctx context.Context, file string) typing {
	t, asked := m.known[file]
	if !asked {
		t = m.opts.typingOf(ctx, m.task.Place, file)
		m.known[file] = t
	}
	return t
}

// learnTypes takes in what compilers know all the same of the sources that they cannot accept, and has them judge the edits that come.
func (m *mending) learnTypes(ctx context.Context) {
	judges := judges{}
	for _, f := range m.unit.order {
		if f.Facts.Static {
			t := m.typing(ctx, f.Path)
			m.unit.learn(t.seen)
			judges[f.Path] = t.checker
		}
	}
	m.unit.checker = judges
}

// judges tell by file which edits a compiler would accept.
type judges map[string]runner.Checker

// Compiles implements [runner.Checker].
func (j judges) Compiles(file string, edits []edit.Edit) bool {
	c := j[file]
	return c == nil || c.Compiles(file, edits)
}

// unread reports whether a compiler complains that nobody reads a name. With the name gone it is content; whether the name was to be read the tests
// say, if there are any.
func (m *mending) unread(c complaint.Complaint) bool {
	return (c.Kind == complaint.UnusedName || c.Kind == complaint.UnusedImport) && c.Name != "" && m.task.Check.NamesTests() && m.unit.files[c.Finding.File].Facts.Static
}

// readers are where a name that nobody reads may have been meant: anywhere in its function, or in its file, where it is a package.
func (m *mending) readers() (out []*site) {
	for _, c := range m.complaints {
		if !m.unread(c) {
			continue
		}
		f := m.unit.files[c.Finding.File]
		within, at := f.Root, f.Tree.Offset(c.Finding.Range.Start)
		for n := range f.Root.Walk() {
			if n.Is(code.Function) && n.Holds(at, at) {
				within = n
			}
		}
		for n := range within.Walk() {
			if n.Parent != nil && !n.Is(code.Class, code.Block) {
				out = append(out, &site{Node: n, unit: m.unit, score: 1})
			}
		}
	}
	return out
}

// reads is the complaint of a name that nobody read, if a proposal brings in that name.
func (m *mending) reads(p *proposal) (diag.Fingerprint, bool) {
	for _, c := range m.complaints {
		if !m.unread(c) || c.Finding.File != p.site.File.Path {
			continue
		}
		name := c.Name[strings.LastIndexByte(c.Name, '/')+1:]
		if slices.ContainsFunc(p.edits, func(e edit.Edit) bool { return code.Word(string(e.New), name, 0) >= 0 }) {
			return c.Finding.ID, true
		}
	}
	return "", false
}

// settled reports whether enough is known of the complaint that a remedy is for. Who asks holds the lock.
func (m *mending) settled(r remedy) bool {
	n := 0
	for _, h := range m.hits {
		if !slices.Contains(h.trial.Healed, string(r.about)) {
			continue
		}
		if m.task.Check.NamesTests() && (len(h.trial.Shown) > 0 || len(m.complaints) == 1 && !h.trial.Plausible) {
			continue // it may be the reason why they fail, or do not come to their end
		}
		if n++; n >= mostHits || h.template.precision >= wholesome || r.score < h.score*m.opts.Rivals && !h.rivalled(r) {
			return true
		}
	}
	return false
}

func (m *mending) allSettled(score float64) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range m.complaints {
		if !m.settled(remedy{proposal{score: score}, c.Finding.ID}) {
			return false
		}
	}
	return true
}

// remedies are the edits that the complaints call for, the likeliest first.
func (m *mending) remedies(ctx context.Context) []remedy {
	var out []remedy
	types := func(file string) map[complaint.Span]string { return m.typing(ctx, file).spans() }
	for _, c := range m.complaints {
		f := m.unit.files[c.Finding.File]
		for _, r := range complaint.Remedies(f, c, sources{m.task.Place, types}) {
			p, ok := m.proposal(f, r)
			if ok {
				out = append(out, remedy{p, c.Finding.ID})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b remedy) int { return cmp.Compare(b.score, a.score) })
	return out
}

func (m *mending) proposal(f *code.File, r complaint.Remedy) (proposal, bool) {
	after, ok := apply(f.Source, r.Edits)
	if !ok || after == f.Source {
		return proposal{}, false
	}
	size := 0
	for _, e := range r.Edits {
		size += e.End - e.Start + len(e.New)
	}
	t := m.unit.moved(f.Facts.Name, template{name: r.Name, prior: 1, precision: r.Precision})
	return proposal{
		template: &t, site: &site{Node: r.At, unit: m.unit, score: 1}, edits: r.Edits, why: r.Why, score: r.Weight * t.prior, size: size,
		patch: edit.Patch{{Path: f.Path, Op: edit.Modify, Base: m.unit.sum(f), Edits: r.Edits}},
	}, true
}

// sites are where small edits may content a compiler: on the lines that it complains of, and where the names that stand there are made. In a
// language whose types are not judged before it runs, any name that there is contents a checker where one was not known.
func (m *mending) sites() []*site {
	var out []*site
	for _, c := range m.complaints {
		f := m.unit.files[c.Finding.File]
		if !c.Kind.Typed() || !f.Facts.Static && (c.Kind == complaint.Mistyped || c.Kind == complaint.Undefined) {
			continue // what runs with wrong types, and passes its tests, has them right
		}
		names := map[string]bool{}
		for n := range f.Root.Walk() {
			if n.Line() == c.Finding.Range.Start.Line && n.Parent != nil && !n.Is(code.Function, code.Class, code.Block) {
				out = append(out, &site{Node: n, unit: m.unit, score: 1})
				if n.Is(code.Name) {
					names[n.Name] = true
				}
			}
		}
		for n := range f.Root.Walk() {
			if n.Is(code.Assign) && n.Line() != c.Finding.Range.Start.Line && slices.ContainsFunc(n.All(code.Target), func(t *code.Node) bool { return names[t.Name] }) {
				for k := range n.Walk() {
					out = append(out, &site{Node: k, unit: m.unit, score: declared})
				}
			}
		}
	}
	return out
}

// about is the complaint that is nearest to a proposal.
func (m *mending) about(p proposal) diag.Fingerprint {
	var best diag.Fingerprint
	least := math.MaxInt
	for _, c := range m.complaints {
		if c.Finding.File != p.site.File.Path {
			continue
		}
		by := c.Finding.Range.Start.Line - p.site.Line()
		if by = max(by, -by); by < least {
			best, least = c.Finding.ID, by
		}
	}
	return best
}
