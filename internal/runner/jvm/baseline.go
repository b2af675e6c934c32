package jvm

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"fettle/internal/check/parse"
)

// test is one of the user's tests, and the keys under which a machine runs it. Reports call several of them by one name where they name
// no arguments.
type test struct {
	id   string
	keys []string
	at   []int // places of the keys in a stage
}

// baseline is what the tests do unchanged.
type baseline struct {
	kind    string // the class that runs them: Platform, Classic, Program
	targets []test
	passing []test
	apart   []test // tests that passed, and do so only in a machine of their own
	one     stage  // the targets
	two     stage  // the passing tests
	hangs   bool   // the targets do not come to an end
	fresh   bool   // classes have to be loaded anew for each candidate
	woven   string
	ender   string // the source, by its key, that ends the program as it is
}

// stage is tests that are run together, and what they may cost.
type stage struct {
	keys []string
	fuel int64
	time time.Duration
}

// Fuel is given in multiples of what the original used, but never so little that noise could matter nor so much that a hanging
// candidate holds up the rest.
const (
	fuelFactor = 32
	minFuel    = 8 << 20
	maxFuel    = 1 << 31
)

// Bounds of running the tests as they are.
const (
	surveyTime  = time.Minute      // for the failing classes
	passingTime = 30 * time.Second // for all others together, nearest first
	chunk       = 16               // classes at a time
)

// prepare learns what the tests do unchanged, once.
func (s *suite) prepare(ctx context.Context) error {
	s.once.Do(func() { s.err = s.measure(ctx) })
	return s.err
}

func (s *suite) measure(ctx context.Context) error {
	dir, err := s.lab.folder("suite-")
	if err != nil {
		return err
	}
	s.dir, s.builder.dir = dir, dir
	if err := s.learn(ctx); err != nil {
		return err
	}
	kinds, err := s.kinds(ctx)
	if err != nil {
		return err
	}
	b := &s.baseline
	if b.woven, err = s.weave(ctx); err != nil {
		return err
	}
	var reasons []error
	for _, woven := range []string{b.woven, ""} {
		for _, kind := range kinds {
			b.kind, b.woven = kind, woven
			t := s.newTester(kind, woven)
			err := s.calibrate(ctx, t)
			if err == nil && woven != "" {
				s.spare = t
				return nil
			}
			t.close()
			if err == nil {
				s.slow = "with counters in their loops the tests do not come out as they do without: each candidate is run by itself"
			}
			if err == nil || ctx.Err() != nil {
				return err
			}
			reasons = append(reasons, fmt.Errorf("%s: %w", kind, err))
		}
	}
	if err := errors.Join(reasons...); errors.Is(err, errNothing) {
		return errNothing
	}
	return fmt.Errorf("the tests in %s cannot be run apart from their build: %w", s.Name(), errors.Join(reasons...))
}

// errNothing says that there is nothing to heal.
var errNothing = errors.New("the failing tests pass when they are run on their own: there is nothing to search for")

// kinds are the ways of running tests that the project's libraries allow, the likeliest first.
func (s *suite) kinds(ctx context.Context) ([]string, error) {
	if s.group.program {
		return []string{"Program"}, nil
	}
	folder := filepath.Join(s.dir, "adapters")
	p := plan{classPath: append([]string{s.lab.served}, s.project.classPath...), options: []string{"-proc:none", "-nowarn"}, folder: folder}
	for _, name := range adapters {
		text, err := served.ReadFile("serve/" + name)
		if err != nil {
			return nil, fmt.Errorf("read what is embedded: %w", err)
		}
		p.tasks = append(p.tasks, task{label: name, units: []unit{{"fettle_jvm/" + name, string(text)}}})
	}
	out, err := s.builder.build(ctx, p)
	if err != nil {
		return nil, err
	}
	var kinds []string
	for _, name := range adapters {
		if b := out[name]; b != nil && b.ok {
			kinds = append(kinds, strings.TrimSuffix(name, ".java"))
		}
	}
	if len(kinds) == 0 {
		return nil, fmt.Errorf("neither JUnit 4 nor the launcher of JUnit's platform is on the class path of %s: %s", s.Name(), out[adapters[0]].first())
	}
	s.project.adapters = folder
	return kinds, nil
}

// weave compiles all of the project's sources with counters in them. Sources that do not compile apart from the build keep the classes that it
// made, and cannot be changed.
func (s *suite) weave(ctx context.Context) (string, error) {
	bundle := filepath.Join(s.dir, "woven")
	refused, err := s.compileAll(ctx, bundle, func(src *source) string { return src.woven() })
	s.project.refused = refused
	return bundle, err
}

// compileAll compiles every source in the form that it is given, those left out that the compiler refuses: it tells why, by their keys.
func (s *suite) compileAll(ctx context.Context, bundle string, form func(*source) string) (map[string]string, error) {
	refused := map[string]string{}
	const attempts = 5
	for n := range attempts {
		t := task{label: "woven"}
		for key, src := range s.project.byKey {
			if refused[key] == "" && n < attempts-1 { // at last: none
				t.units = append(t.units, unit{key, form(src)})
			}
		}
		slices.SortFunc(t.units, func(a, b unit) int { return strings.Compare(a.key, b.key) })
		p := plan{classPath: s.wovenPath(), options: s.project.flags(), bundle: bundle}
		if len(t.units) > 0 {
			p.tasks = []task{t}
		}
		out, err := s.builder.build(ctx, p)
		if err != nil {
			return nil, err
		}
		if b := out["woven"]; b == nil || b.ok {
			return refused, nil
		}
		if n == 0 && !s.project.process { // what is missing may be made by annotations' processors
			s.project.process = true
			continue
		}
		before := len(refused)
		for _, c := range out["woven"].said {
			if s.project.byKey[c.key] != nil {
				refused[c.key] = c.text
			}
		}
		if len(refused) == before || n == attempts-2 {
			for key := range s.project.byKey {
				refused[key] = out["woven"].first()
			}
		}
	}
	return refused, nil
}

// calibrate matches the tests' ids to what runs, and measures what they cost.
func (s *suite) calibrate(ctx context.Context, t *tester) error {
	b := &s.baseline
	b.targets, b.passing, b.apart, b.hangs = nil, nil, nil, false
	failing := s.group.failing
	classes := classesOf(failing)
	if s.group.program {
		classes = []string{s.group.machine.mainClass()}
	}
	events, how, err := t.survey(ctx, classes, surveyTime)
	if err != nil {
		return err
	}
	if s.group.program {
		b.targets = []test{{id: failing[0], keys: classes}}
		b.hangs = how == "fuel" || how == "time" || how == "gone"
		if len(events) > 0 && events[0].outcome == "pass" {
			return errNothing
		}
		if len(events) > 0 && len(events[0].names) > 1 {
			b.ender = events[0].names[1]
		}
		return s.measureStages(ctx, t)
	}
	n := newNaming(events)
	for _, id := range failing {
		if keys := n.keys(id); len(keys) > 0 {
			b.targets = append(b.targets, test{id: id, keys: keys})
		}
	}
	if len(b.targets) < len(failing) {
		return fmt.Errorf("%d of %d failing tests are not found by name (%s)", len(failing)-len(b.targets), len(failing), how)
	}
	if !slices.ContainsFunc(b.targets, func(x test) bool { return !n.passed(x) }) {
		return errNothing
	}
	b.hangs = how != "ok"
	if err := s.surveyPassing(ctx, t, n, classes); err != nil {
		return err
	}
	return s.measureStages(ctx, t)
}

// surveyPassing runs the classes of tests that passed, nearest first, as long as there is time.
func (s *suite) surveyPassing(ctx context.Context, t *tester, n *naming, had []string) error {
	b := &s.baseline
	var ids []string
	for id, outcome := range s.lab.job.Baseline.Tests {
		if outcome == parse.Pass && s.inside(id) {
			ids = append(ids, id)
		}
	}
	order := nearest(classesOf(ids), s.group.failing)
	rest := slices.DeleteFunc(slices.Clone(order), func(c string) bool { return slices.Contains(had, c) })
	began := time.Now()
	for len(rest) > 0 && time.Since(began) < passingTime {
		some := rest[:min(chunk, len(rest))]
		rest = rest[len(some):]
		events, _, err := t.survey(ctx, some, passingTime)
		if err != nil {
			return err
		}
		n.add(events)
	}
	slices.Sort(ids)
	for _, id := range ids {
		x := test{id: id, keys: n.keys(id)}
		switch {
		case len(x.keys) == 0:
		case n.passed(x):
			b.passing = append(b.passing, x)
		default:
			b.apart = append(b.apart, x)
		}
	}
	b.passing = s.ordered(b.passing, order)
	return nil
}

// inside reports whether a test belongs to this machine's class path.
func (s *suite) inside(id string) bool {
	outer, _, _ := strings.Cut(classOf(id), "$")
	return s.project.byKey[strings.ReplaceAll(outer, ".", "/")+".java"] != nil
}

// measureStages runs the stages as they will be run, and sets what they may cost.
func (s *suite) measureStages(ctx context.Context, t *tester) error {
	b := &s.baseline
	b.one, b.two = stage{keys: place(b.targets), fuel: minFuel, time: surveyTime}, stage{}
	if len(b.passing) > 0 {
		r, err := t.once(ctx, stage{place(b.passing), surveyFuel, surveyTime})
		if err != nil {
			return err
		}
		still := b.passing[:0:0]
		for _, x := range b.passing {
			if x.passed(r.passed) {
				still = append(still, x)
			} else {
				b.apart = append(b.apart, x)
			}
		}
		b.passing = still
		b.two = stage{place(still), fuelFor(r.fuel), timeFor(r.time)}
		b.one = stage{b.one.keys, b.two.fuel, b.two.time}
	}
	if !b.hangs {
		r, err := t.once(ctx, stage{b.one.keys, surveyFuel, surveyTime})
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(b.targets, func(x test) bool { return !x.passed(r.passed) }) {
			return errNothing
		}
		b.one = stage{b.one.keys, max(b.one.fuel, fuelFor(r.fuel)), timeFor(r.time)}
	} else if b.one.time > timeFor(0)*2 || len(b.passing) == 0 {
		b.one.time = timeFor(0) * 2
	}
	w, err := t.ask(ctx, grace, "static", nil, line("statics")+"\n")
	if err != nil {
		return err
	}
	b.fresh = w[1] != ""
	return nil
}

func fuelFor(used int64) int64 { return min(max(used*fuelFactor, minFuel), maxFuel) }

// timeFor is how long a run may take whose baseline took this long.
func timeFor(base time.Duration) time.Duration { return 5*base + 2*time.Second }

// once runs one stage on the project as it is.
func (t *tester) once(ctx context.Context, st stage) (ran, error) {
	w, err := t.ask(ctx, st.time+grace, "tried", nil, line("restage")+"\n", st.line(), line("try", "0", "")+"\n")
	if err != nil {
		return ran{}, err
	}
	runs := readRuns(w[2:])
	if len(runs) == 0 {
		return ran{}, errGone
	}
	return runs[0], nil
}

func (st *stage) line() string {
	return line(append([]string{"stage", strconv.FormatInt(st.fuel, 10), millis(st.time)}, st.keys...)...) + "\n"
}
