package node

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"fettle/internal/check/parse"
	"fettle/internal/diag"
	"fettle/internal/lang"
	"fettle/internal/runner"
)

// Steps that a test may take while it is traced: a test that does not end has shown by then where it turns. Where even they take too
// long, the first of them have to do.
const (
	traceFuel = 20_000_000
	firstFuel = 50_000
)

// seen is a mark and the types of the values that were seen there; in JSON [mark, [type]].
type seen struct {
	mark  int
	types []string
}

// UnmarshalJSON reads a pair.
func (s *seen) UnmarshalJSON(b []byte) error {
	return json.Unmarshal(b, &[]any{&s.mark, &s.types})
}

// Trace implements [runner.Suite]. Failing tests that cannot be run in a warm process are run in the user's own way.
func (s *Suite) Trace(ctx context.Context, o runner.TraceOptions) (runner.Trace, error) {
	t := &tracing{suite: s, opts: o.WithDefaults()}
	var v *values
	if o.Values {
		v = &values{suspect: s.Owns}
	}
	t.sources = newSources(s.job.Place, v)
	t.sources.mapped = true
	defer t.close()
	for _, id := range t.opts.Sample(s.targets, suiteOf) {
		if err := t.one(ctx, s.files[0].path, id, true); err != nil {
			return t.trace, err
		}
	}
	if err := t.apart(ctx); err != nil {
		return t.trace, err
	}
	passing := 0
	for _, f := range s.files {
		for _, id := range s.nearest(f) {
			if passing == t.opts.MaxPassing || t.spent > t.opts.Time {
				break
			}
			passing++
			if err := t.one(ctx, f.path, id, false); err != nil {
				return t.trace, err
			}
		}
	}
	if err := t.beside(ctx); err != nil {
		return t.trace, err
	}
	t.types(ctx)
	return t.trace, ctx.Err()
}

// tracing is a trace on its way.
type tracing struct {
	suite   *Suite
	opts    runner.TraceOptions
	sources *sources
	worker  *worker
	useless bool     // there can be no warm process
	left    []string // failing tests of which it does not tell what they run
	why     string
	hung    bool // one of them does not end
	spent   time.Duration
	trace   runner.Trace
}

func (t *tracing) close() {
	if t.worker != nil {
		t.worker.close()
		t.worker = nil
	}
}

// one runs a test. One that comes out otherwise than it should is left out.
func (t *tracing) one(ctx context.Context, file, id string, failing bool) error {
	began := time.Now()
	defer func() { t.spent += time.Since(began) }()
	a, err := t.run(ctx, file, id, traceFuel)
	if errors.Is(err, errHung) && failing && ctx.Err() == nil { // what it does first is enough to know of one that does not end
		t.close()
		a, err = t.run(ctx, file, id, firstFuel)
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errHung) || errors.Is(err, errDied):
		t.close()
		if failing {
			t.hung = t.hung || errors.Is(err, errHung)
			t.leave(id, err.Error())
		}
		return nil
	case err != nil:
		return err
	case a.Unfit != "" || a.Missing:
		if failing {
			t.leave(id, cmp.Or(a.Unfit, "they are not found there"))
		}
		return nil
	}
	run := runner.Run{ID: id, Failed: a.Error != "" || a.Bound != "", Exact: true, Duration: time.Duration(a.MS * float64(time.Millisecond))}
	if run.Failed != failing {
		if failing {
			t.leave(id, "they pass there")
		}
		return nil
	}
	for file, lines := range a.Lines {
		if t.suite.Owns(file) {
			run.Lines = append(run.Lines, stretches(file, lines)...)
		}
	}
	slices.SortFunc(run.Lines, func(a, b runner.Lines) int {
		if c := strings.Compare(a.File, b.File); c != 0 {
			return c
		}
		return a.Line - b.Line
	})
	if failing {
		run.Frames = t.frames(ctx, a.Error)
	}
	t.trace.Runs = append(t.trace.Runs, run)
	return nil
}

// run asks the warm process, which is started if there is none.
func (t *tracing) run(ctx context.Context, file, id string, fuel int) (answer, error) {
	if t.useless {
		return answer{Unfit: "there is no warm process"}, nil
	}
	if t.worker == nil {
		w, err := t.suite.start(ctx, t.sources, true)
		if err != nil {
			t.useless = true
			return answer{Unfit: err.Error()}, nil //nolint:nilerr // the reason is the answer
		}
		t.worker = w
	}
	return t.worker.call(ctx, map[string]any{"do": "run", "file": file, "id": id, "fuel": fuel}, t.opts.PerTest)
}

// told makes a run of what the baseline tells of a failure.
func (t *tracing) told(id string) runner.Run {
	run := runner.Run{ID: id, Failed: true}
	for _, d := range t.suite.job.Baseline.Diagnostics {
		if d.Test != id {
			continue
		}
		run.Frames = append(run.Frames, d.Frames...)
	}
	for _, f := range run.Frames {
		if t.suite.Owns(f.File) {
			run.Lines = append(run.Lines, runner.Lines{File: f.File, Line: f.Line, EndLine: f.Line})
		}
	}
	return run
}

// stretches are lines that stand in order, put together where they follow each other.
func stretches(file string, lines []int) []runner.Lines {
	var out []runner.Lines
	for _, n := range lines {
		if last := len(out) - 1; last >= 0 && out[last].EndLine+1 == n {
			out[last].EndLine = n
			continue
		}
		out = append(out, runner.Lines{File: file, Line: n, EndLine: n})
	}
	return out
}

// frames are those of a stack that lie in the root, with the lines of the sources.
func (t *tracing) frames(ctx context.Context, stack string) []diag.Frame {
	roots := runner.Roots(t.suite.job.Place.Root())
	_, frames := parse.JavaScriptError(stack, parse.Options{
		Root: roots[len(roots)-1], Dir: t.suite.job.Check.Dir,
		Exists: func(name string) bool {
			_, err := t.suite.job.Place.ReadFile(name)
			return err == nil
		},
	})
	// What runs the tests may lie in the root, in the folder of its history, and stand in the stack.
	frames = slices.DeleteFunc(frames, func(f diag.Frame) bool { return lang.IsHistory(f.File) })
	for i, f := range frames {
		if !isSource(f.File) {
			continue
		}
		if src := t.sources.get(ctx, f.File); src.served.Marks != nil {
			frames[i].Line = src.served.line(f.Line)
		}
	}
	return frames
}

// line is the line of the source that a line of the text stands for.
func (s served) line(n int) int {
	from := 0
	for range n - 1 {
		i := strings.IndexByte(s.Text[from:], '\n')
		if i < 0 {
			break
		}
		from += i + 1
	}
	at := units(s.Text[:from])
	for _, m := range s.Marks {
		if m[0] >= at {
			return m[1]
		}
	}
	return n
}

// types asks for the types of the values that were seen.
func (t *tracing) types(ctx context.Context) {
	v := t.sources.values
	if v == nil || t.worker == nil {
		return
	}
	a, err := t.worker.call(ctx, map[string]string{"do": "types"}, t.opts.PerTest)
	if err != nil {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, s := range a.Types {
		if s.mark < 0 || s.mark >= len(v.spots) {
			continue
		}
		spot := v.spots[s.mark]
		spot.Types = s.types
		t.trace.Seen = append(t.trace.Seen, spot)
	}
	slices.SortFunc(t.trace.Seen, func(a, b runner.Seen) int {
		switch {
		case a.File != b.File:
			return strings.Compare(a.File, b.File)
		case a.Start != b.Start:
			return a.Start - b.Start
		}
		return a.End - b.End
	})
}
