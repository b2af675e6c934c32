package jvm

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"fettle/internal/diag"
	"fettle/internal/runner"
)

// Trace implements [runner.Suite]. Types of values are not told: the source declares them.
func (s *suite) Trace(ctx context.Context, o runner.TraceOptions) (runner.Trace, error) {
	o = o.WithDefaults()
	if err := s.prepare(ctx); err != nil {
		return runner.Trace{}, err
	}
	b := &s.baseline
	p := &probes{}
	bundle := filepath.Join(s.dir, "traced")
	if _, err := s.compileAll(ctx, bundle, func(src *source) string {
		if src.test {
			return src.woven()
		}
		return src.traced(p)
	}); err != nil {
		return runner.Trace{}, err
	}
	t := s.newTester(b.kind, bundle)
	defer t.close()
	var out runner.Trace
	began := time.Now()
	one := func(x test, failed bool) error {
		r, err := s.traceOne(ctx, t, x, p, min(o.PerTest, max(o.Time-time.Since(began), time.Second)))
		if err != nil {
			return err
		}
		if r.Failed == failed {
			out.Runs = append(out.Runs, r)
		} else {
			out.Notes = append(out.Notes, x.id+" comes out otherwise when it is run alone")
		}
		return nil
	}
	for _, x := range b.sample(o) {
		if err := one(x, true); err != nil {
			return out, err
		}
	}
	for _, x := range b.passing[:min(len(b.passing), o.MaxPassing)] {
		if time.Since(began) > o.Time {
			out.Notes = append(out.Notes, "the time for tracing was over before all passing tests had been run")
			break
		}
		if err := one(x, false); err != nil {
			return out, err
		}
	}
	return out, nil
}

// sample are the failing tests that are traced.
func (b *baseline) sample(o runner.TraceOptions) []test {
	var ids []string
	for _, x := range b.targets {
		ids = append(ids, x.id)
	}
	chosen := o.Sample(ids, methodOf)
	return slices.DeleteFunc(slices.Clone(b.targets), func(x test) bool { return !slices.Contains(chosen, x.id) })
}

// scantFuel is what a test may take that has used up all memory with more: what it runs until then is what it would run until the end of its time.
const scantFuel = 1 << 20

// traceOne runs one test, with less fuel if it takes its machine along. One that does so again tells nothing.
func (s *suite) traceOne(ctx context.Context, t *tester, x test, p *probes, limit time.Duration) (r runner.Run, err error) {
	for _, fuel := range []int{surveyFuel, scantFuel} {
		if r, err = s.traceWith(ctx, t, x, p, fuel, limit); err != nil || r.Exact {
			break
		}
	}
	return r, err
}

// traceWith runs one test with so much fuel; what comes of it is not exact if the machine is gone.
func (s *suite) traceWith(ctx context.Context, t *tester, x test, p *probes, fuel int, limit time.Duration) (runner.Run, error) {
	r := runner.Run{ID: x.id, Failed: true}
	words := append([]string{"trace", itoa(len(p.places)), itoa(fuel), millis(limit)}, x.keys...)
	w, err := t.ask(ctx, limit+grace, "traced", func(w []string) {
		if w[0] == "frame" && len(w) == 5 {
			if f, ok := s.frame(w); ok {
				r.Frames = append(r.Frames, f)
			}
		}
	}, line(words...)+"\n")
	if gone(ctx, err) {
		return r, nil
	}
	if err != nil {
		return r, fmt.Errorf("trace %s: %w", x.id, err)
	}
	r.Failed = w[2] != "pass"
	micros, _ := strconv.ParseInt(w[4], 10, 64)
	r.Duration = time.Duration(micros) * time.Microsecond
	r.Exact = true
	for i, c := range w[5] {
		if c == '1' {
			r.Lines = append(r.Lines, p.places[i])
		}
	}
	slices.SortFunc(r.Lines, compareLines)
	r.Lines = slices.Compact(r.Lines)
	return r, nil
}

func compareLines(a, b runner.Lines) int {
	if a.File != b.File {
		return strings.Compare(a.File, b.File)
	}
	if a.Line != b.Line {
		return a.Line - b.Line
	}
	return a.EndLine - b.EndLine
}

// frame reads a frame of a stack: "frame", class, method, file, line.
func (s *suite) frame(w []string) (diag.Frame, bool) {
	class := w[1]
	src := s.project.byKey[path.Join(path.Dir(strings.ReplaceAll(class, ".", "/")), w[3])]
	n, err := strconv.Atoi(w[4])
	if src == nil || err != nil {
		return diag.Frame{}, false
	}
	return diag.Frame{File: src.path, Line: n, Func: class + "." + w[2]}, true
}
