package heal_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/fix"
	"fettle/internal/heal"
	"fettle/internal/verdict"
)

// waiter is a fixer that mends a file after something that takes no processor: a model's answer, say.
type waiter struct {
	wait func(ctx context.Context, file string)
	cost float64
	n    atomic.Int64
}

func (w *waiter) Name() string                            { return "waiter" }
func (w *waiter) Rung() fix.Rung                          { return fix.RungPlugin }
func (w *waiter) Takes(check.Check, diag.Diagnostic) bool { return true }
func (w *waiter) Propose(ctx context.Context, t fix.Task) iter.Seq2[fix.Candidate, error] {
	return func(yield func(fix.Candidate, error) bool) {
		w.n.Add(1)
		file := t.Diagnostics[0].File
		w.wait(ctx, file)
		if c := replace(t, file, "BAD", "good"); len(c.Patch) > 0 {
			c.Explanation, c.Cost = file+" is mended.", w.cost
			yield(c, nil)
		}
	}
}

// faults are files with one fault each.
func faults(n int) map[string]string {
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("f%d.txt", i)] = "BAD\n"
	}
	return files
}

// Independent findings are healed side by side, in one round, and what comes out has one order, whoever was first.
func TestIndependentFindingsAreHealedSideBySide(t *testing.T) {
	var orders []string
	for range 2 {
		var here atomic.Int64
		four, second := make(chan struct{}), make(chan struct{})
		w := &waiter{wait: func(ctx context.Context, file string) {
			if here.Add(1) == 4 {
				close(four)
			}
			select {
			case <-four: // four at a time, at least
			case <-ctx.Done():
			}
			switch file {
			case "f0.txt":
				<-second // the first does not answer first
			case "f1.txt":
				close(second)
			}
		}}
		b := set(t, faults(8), []check.Check{nobad}, w)
		s, end := b.start(t, heal.Goal{})
		if end != verdict.Converged || s.Iteration != 1 || w.n.Load() != 8 {
			t.Fatalf("ended %s after %d rounds and %d questions: %s", end, s.Iteration, w.n.Load(), s.Reason)
		}
		var order []string
		for _, c := range s.History[0].Changes {
			order = append(order, c.Explanation)
		}
		orders = append(orders, strings.Join(order, " "))
	}
	if orders[0] != orders[1] || !strings.HasPrefix(orders[0], "f0.txt") {
		t.Errorf("the orders are %q", orders)
	}
}

// The budget is one for all: when it is spent, nobody else is asked.
func TestFixersShareTheBudget(t *testing.T) {
	w := &waiter{wait: func(context.Context, string) {}, cost: 0.3}
	b := set(t, faults(8), []check.Check{nobad}, w)
	b.loop.Config.Limits.Parallel = 1
	s, end := b.start(t, heal.Goal{Budget: 0.5})
	if end != verdict.Budget || w.n.Load() != 2 || s.Cost < 0.59 || s.Cost > 0.61 {
		t.Errorf("ended %s after %d questions for $%.2f", end, w.n.Load(), s.Cost)
	}
}

// Side by side, those that are under way when the budget is spent may end; nobody else is asked.
func TestFixersShareTheBudgetSideBySide(t *testing.T) {
	const width, cost, budget = 4, 0.3, 0.5
	var here atomic.Int64
	all := make(chan struct{})
	w := &waiter{cost: cost, wait: func(ctx context.Context, _ string) {
		if here.Add(1) == width {
			close(all)
		}
		select {
		case <-all:
		case <-ctx.Done():
		}
	}}
	b := set(t, faults(12), []check.Check{nobad}, w)
	b.loop.Config.Limits.Parallel = width
	s, end := b.start(t, heal.Goal{Budget: budget})
	if most := budget + width*cost; end != verdict.Budget || s.Cost <= budget || s.Cost > most+0.01 || w.n.Load() == 12 {
		t.Errorf("ended %s after %d questions for $%.2f, at most $%.2f is meant", end, w.n.Load(), s.Cost, most)
	}
}

// One at a time or side by side, what comes out is the same, byte for byte and in the same order; changes that touch one another too.
func TestWidthChangesNothing(t *testing.T) {
	heals := func(width int) string {
		quick := &waiter{wait: func(context.Context, string) {}}
		greedy := &script{name: "greedy", rung: fix.RungPlugin, answers: func(t fix.Task) []fix.Candidate {
			return []fix.Candidate{replace(t, t.Diagnostics[0].File, "BAD\n", "better\n")}
		}}
		files := faults(6)
		files["f2.txt"] = "BAD\nBAD\nfine\n"
		b := set(t, files, []check.Check{nobad}, quick, greedy)
		b.loop.Config.Limits.Parallel = width
		s, end := b.start(t, heal.Goal{})
		if end != verdict.Converged {
			t.Fatalf("width %d: ended %s: %s", width, end, s.Reason)
		}
		var out strings.Builder
		for _, name := range slices.Sorted(maps.Keys(files)) {
			fmt.Fprintf(&out, "%s: %q\n", name, b.read(t, name))
		}
		for _, round := range s.History {
			for _, c := range round.Changes {
				fmt.Fprintf(&out, "round %d: %s by %s\n", round.Number, c.Explanation, c.Author)
			}
		}
		return out.String()
	}
	one := heals(1)
	for _, width := range []int{2, 8} {
		if other := heals(width); other != one {
			t.Errorf("one at a time:\n%s\n%d side by side:\n%s", one, width, other)
		}
	}
}

// When one of several changes is bad, the others are applied all the same.
func TestOneBadChangeDoesNotSpoilTheRest(t *testing.T) {
	good := &waiter{wait: func(context.Context, string) {}}
	spoiler := &script{name: "spoiler", rung: fix.RungPlugin, answers: func(t fix.Task) []fix.Candidate {
		return []fix.Candidate{replace(t, "fine.txt", "fine", "BAD")}
	}}
	files := faults(6)
	files["fine.txt"] = "fine\n"
	b := set(t, files, []check.Check{nobad, {
		Name: "lint.other", Run: []string{"sh", "-c", "! grep -n BAD f0.txt fine.txt"}, Parser: "errorformat", Pattern: []string{"%f:%l:%m"}, Files: []string{"f0.txt", "fine.txt"},
	}}, spoiler, good)
	s, end := b.start(t, heal.Goal{Checks: []string{"lint", "lint.other"}})
	if end != verdict.Converged || b.read(t, "fine.txt") != "fine\n" {
		t.Fatalf("ended %s: %s; fine.txt is %q", end, s.Reason, b.read(t, "fine.txt"))
	}
	if n := slices.IndexFunc(s.Failures, func(f heal.Failure) bool { return f.Fixer == "spoiler" }); n < 0 {
		t.Errorf("nothing was learnt: %+v", s.Failures)
	}
}

// BenchmarkEightFaults heals eight independent faults: one after the other, from one baseline but one at a time, and side by
// side. Waiting: the fixer waits 100 ms for each, and the check 50 ms. Busy: both compute instead, so that there is no more to gain
// than processors, and nothing to be lost.
func BenchmarkEightFaults(b *testing.B) {
	b.Run("waiting", func(b *testing.B) {
		eightFaults(b, "sleep 0.05", func(context.Context, string) { time.Sleep(100 * time.Millisecond) })
	})
	b.Run("busy", func(b *testing.B) {
		eightFaults(b, "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done", func(context.Context, string) {
			for sum, i := sha256.Sum256(nil), 0; i < 500_000; i++ {
				sum = sha256.Sum256(sum[:])
			}
		})
	})
}

func eightFaults(b *testing.B, work string, wait func(context.Context, string)) {
	slow := nobad
	slow.Run = []string{"sh", "-c", work + "; " + nobad.Run[2]}
	lay := func(parallel int) *bench {
		at := set(b, faults(8), []check.Check{slow}, &waiter{wait: wait})
		at.loop.Config.Limits.Parallel = parallel
		return at
	}
	var serial, merged, parallel time.Duration
	timed := func(sum *time.Duration, run func()) {
		began := time.Now()
		run()
		*sum += time.Since(began)
	}
	for b.Loop() {
		one, together, side := lay(1), lay(1), lay(0)
		timed(&serial, func() {
			for i := range 8 {
				one.start(b, heal.Goal{Only: []string{fmt.Sprintf("f%d.txt", i)}, Iterations: 1})
			}
		})
		timed(&merged, func() { together.start(b, heal.Goal{}) })
		timed(&parallel, func() { side.start(b, heal.Goal{}) })
		for _, at := range []*bench{one, together, side} {
			if got := at.read(b, "f7.txt"); got != "good\n" {
				b.Fatalf("f7.txt is %q", got)
			}
		}
	}
	b.ReportMetric(float64(serial.Milliseconds())/float64(b.N), "serial-ms")
	b.ReportMetric(float64(merged.Milliseconds())/float64(b.N), "merged-ms")
	b.ReportMetric(float64(parallel.Milliseconds())/float64(b.N), "parallel-ms")
	b.ReportMetric(float64(serial)/float64(parallel), "times-faster")
	b.ReportMetric(0, "ns/op")
}

// asked is a fixer that notes about how many findings it is asked at once, and mends all of them.
type asked struct {
	rung  fix.Rung
	tasks []string
}

func (a *asked) Name() string                            { return "asked" }
func (a *asked) Rung() fix.Rung                          { return a.rung }
func (a *asked) Takes(check.Check, diag.Diagnostic) bool { return true }
func (a *asked) Propose(_ context.Context, t fix.Task) iter.Seq2[fix.Candidate, error] {
	var at []string
	for _, d := range t.Diagnostics {
		at = append(at, fmt.Sprintf("%s:%d", d.File, d.Range.Start.Line))
	}
	a.tasks = append(a.tasks, strings.Join(at, " "))
	return func(yield func(fix.Candidate, error) bool) {
		for _, file := range []string{"f0.txt", "f1.txt"} {
			if c := replace(t, file, "BAD", "good"); strings.Contains(strings.Join(at, " "), file) && len(c.Patch) > 0 {
				c.Explanation = file + " is mended."
				if !yield(c, nil) {
					return
				}
			}
		}
	}
}

// Alike findings are one task: for a tool all of a check's, above it those of a file.
func TestAlikeFindingsAreOneTask(t *testing.T) {
	for _, c := range []struct {
		rung fix.Rung
		want []string
	}{
		{fix.RungTool, []string{"f0.txt:1 f0.txt:2 f1.txt:1"}},
		{fix.RungPlugin, []string{"f0.txt:1 f0.txt:2", "f1.txt:1"}},
	} {
		f := &asked{rung: c.rung}
		b := set(t, map[string]string{"f0.txt": "BAD\nBAD\n", "f1.txt": "BAD\n"}, []check.Check{nobad}, f)
		b.loop.Config.Limits.Parallel = 1
		_, end := b.start(t, heal.Goal{})
		if end != verdict.Converged || len(f.tasks) < len(c.want) || !slices.Equal(f.tasks[:len(c.want)], c.want) {
			t.Errorf("%v: ended %s, was asked about %q", c.rung, end, f.tasks)
		}
	}
}
