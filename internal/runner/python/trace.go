package python

import (
	"cmp"
	"context"
	"slices"
	"time"

	"fettle/internal/diag"
	"fettle/internal/runner"
)

// traced is what a server tells of one test's run.
type traced struct {
	ID      string              `json:"id"`
	Outcome string              `json:"outcome"` // "passed", "failed", "skipped"; "died": it took its process along
	Why     string              `json:"why"`
	Cut     bool                `json:"cut"` // it took longer than a traced test may: what it ran until then is known
	Micros  int64               `json:"us"`
	Lines   map[string][][2]int `json:"lines"`
	Frames  []frame             `json:"frames"`
}

// tooLate is what a server says of a test that had to be ended from outside.
const tooLate = "it did not end in time"

// frame is [file, line, function].
type frame [3]any

// seen is [file, start, end, types].
type seen [4]any

// valuedPassing is how many passing tests are run for the values that they see, beside the failing ones.
const valuedPassing = 8

type traceRequest struct {
	Do      string   `json:"do"`
	IDs     []string `json:"ids"`
	Values  []string `json:"values"`  // ids of the tests whose values are to be told
	Failing []string `json:"failing"` // of these ids
	PerTest float64  `json:"per_test"`
}

// Trace implements [runner.Suite].
func (s *suite) Trace(ctx context.Context, o runner.TraceOptions) (runner.Trace, error) {
	if s.Slow() != "" {
		return s.traceSlow(), nil
	}
	o = o.WithDefaults()
	v, err := s.take(ctx)
	if err != nil {
		return runner.Trace{}, err
	}
	t := &tracer{suite: s, types: map[place]map[string]bool{}}
	err = t.run(ctx, v, o)
	if err != nil {
		v.close()
		return runner.Trace{}, err
	}
	s.give(v)
	return t.trace(), nil
}

// tracer gathers what tests were seen to do.
type tracer struct {
	suite *suite
	out   runner.Trace
	types map[place]map[string]bool
}

type place struct {
	file       string
	start, end int
}

// run traces tests in portions, so that the time is kept.
func (t *tracer) run(ctx context.Context, v *server, o runner.TraceOptions) error {
	began := time.Now()
	failing := o.Sample(t.suite.failing, function)
	ids := slices.Concat(failing, t.suite.passing[:min(o.MaxPassing, len(t.suite.passing))])
	for i, id := range ids {
		if i > 0 && time.Since(began) > o.Time {
			t.out.Notes = append(t.out.Notes, "the time was over before all tests had been traced")
			break
		}
		request := traceRequest{Do: "trace", IDs: []string{id}, PerTest: o.PerTest.Seconds(), Values: []string{}, Failing: []string{}}
		if i < len(failing) {
			request.Failing = request.IDs
		}
		if o.Values && i < len(failing)+valuedPassing {
			request.Values = request.IDs
		}
		if err := v.ask(ctx, request, t.hear); err != nil {
			return err
		}
	}
	return nil
}

func (t *tracer) hear(r reply) error {
	for _, x := range r.Seen {
		t.see(x)
	}
	if r.Run != nil {
		t.hearRun(*r.Run)
	}
	return nil
}

func (t *tracer) hearRun(r traced) {
	shouldFail := slices.Contains(t.suite.failing, r.ID)
	switch {
	case r.Outcome == "skipped":
		return
	case r.Cut && !shouldFail: // the check has seen it pass
	case r.Why == tooLate && !shouldFail:
		t.out.Notes = append(t.out.Notes, r.ID+" takes so long that nobody knows what it runs")
		return
	case shouldFail != (r.Outcome != "passed"):
		note := r.ID + " fails when it is run alone"
		if shouldFail {
			note = r.ID + " passes when it is run alone"
		}
		t.out.Notes = append(t.out.Notes, note)
		return
	}
	run := runner.Run{ID: r.ID, Failed: shouldFail, Exact: r.Outcome != "died", Duration: time.Duration(r.Micros) * time.Microsecond}
	for file, spans := range r.Lines {
		if !t.suite.Owns(file) {
			continue
		}
		for _, s := range spans {
			run.Lines = append(run.Lines, runner.Lines{File: file, Line: s[0], EndLine: s[1]})
		}
	}
	slices.SortFunc(run.Lines, func(a, b runner.Lines) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	for _, f := range r.Frames {
		file, _ := f[0].(string)
		line, _ := f[1].(float64)
		name, _ := f[2].(string)
		run.Frames = append(run.Frames, diag.Frame{File: file, Line: int(line), Func: name})
	}
	t.out.Runs = append(t.out.Runs, run)
}

func (t *tracer) see(x seen) {
	file, _ := x[0].(string)
	start, _ := x[1].(float64)
	end, _ := x[2].(float64)
	types, _ := x[3].([]any)
	if !t.suite.Owns(file) {
		return
	}
	p := place{file, int(start), int(end)}
	if t.types[p] == nil {
		t.types[p] = map[string]bool{}
	}
	for _, name := range types {
		if name, ok := name.(string); ok {
			t.types[p][name] = true
		}
	}
}

func (t *tracer) trace() runner.Trace {
	for p, types := range t.types {
		x := runner.Seen{File: p.file, Start: p.start, End: p.end}
		for name := range types {
			x.Types = append(x.Types, name)
		}
		slices.Sort(x.Types)
		t.out.Seen = append(t.out.Seen, x)
	}
	slices.SortFunc(t.out.Seen, func(a, b runner.Seen) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	return t.out
}
