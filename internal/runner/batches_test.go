package runner_test

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"fettle/internal/edit"
	"fettle/internal/runner"
	"fettle/internal/verdict"
)

// patches are n patches, each of one file with its number as its name.
func patches(n int) iter.Seq[edit.Patch] {
	return func(yield func(edit.Patch) bool) {
		for i := range n {
			if !yield(edit.Patch{{Path: strconv.Itoa(i)}}) {
				return
			}
		}
	}
}

// side counts how many are at something at the same time.
type side struct{ now, most atomic.Int64 }

func (s *side) enter() (leave func()) {
	n := s.now.Add(1)
	for most := s.most.Load(); n > most && !s.most.CompareAndSwap(most, n); most = s.most.Load() {
	}
	return func() { s.now.Add(-1) }
}

// batching is a Batches that makes nothing of its batches, and counts.
type batching struct {
	making, running side
	made, dropped   atomic.Int64
	run             func(ctx context.Context, batch []runner.Candidate) error
}

func (b *batching) of(settings runner.Batches[[]runner.Candidate]) runner.Batches[[]runner.Candidate] {
	settings.Make = func(_ context.Context, batch []runner.Candidate) ([]runner.Candidate, error) {
		defer b.making.enter()()
		b.made.Add(1)
		return batch, nil
	}
	settings.Run = func(ctx context.Context, batch []runner.Candidate, emit func(verdict.Trial)) error {
		defer b.running.enter()()
		for _, c := range batch {
			emit(verdict.Trial{Index: c.Index, Patch: c.Patch})
		}
		if b.run != nil {
			return b.run(ctx, batch)
		}
		return nil
	}
	settings.Drop = func([]runner.Candidate) { b.dropped.Add(1) }
	return settings
}

func TestBatchesTryEachOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 300).Draw(t, "candidates")
		settings := runner.Batches[[]runner.Candidate]{
			First: rapid.IntRange(1, 20).Draw(t, "first"), Most: rapid.IntRange(1, 50).Draw(t, "most"), Ahead: rapid.IntRange(0, 20).Draw(t, "ahead"),
			Making:  runner.Side{Many: rapid.IntRange(0, 4).Draw(t, "making"), Soon: rapid.IntRange(0, 350).Draw(t, "making soon")},
			Running: runner.Side{Many: rapid.IntRange(0, 4).Draw(t, "running"), Soon: rapid.IntRange(0, 350).Draw(t, "running soon")},
		}
		stop := rapid.IntRange(0, 2*n+1).Draw(t, "stop")
		var b batching
		var got []int
		for trial, err := range b.of(settings).Try(context.Background(), patches(n)) {
			if err != nil {
				t.Fatal(err)
			}
			if trial.Patch[0].Path != strconv.Itoa(trial.Index) {
				t.Fatalf("%d is %s", trial.Index, trial.Patch[0].Path)
			}
			if got = append(got, trial.Index); len(got) > stop {
				break
			}
		}
		slices.Sort(got)
		if len(slices.Compact(slices.Clone(got))) != len(got) || stop >= n && len(got) != n {
			t.Fatalf("of %d, these were tried: %v", n, got)
		}
		if b.made.Load() != b.dropped.Load() {
			t.Fatalf("%d were made, and %d dropped", b.made.Load(), b.dropped.Load())
		}
		most := func(s *side, n int) bool { return s.most.Load() <= int64(max(1, n)) }
		if !most(&b.making, settings.Making.Many) || !most(&b.running, settings.Running.Many) {
			t.Fatalf("%d were made at the same time, and %d run, with %+v", b.making.most.Load(), b.running.most.Load(), settings)
		}
	})
}

// TestBatchesSideBySide has each batch of a long search wait for another that runs beside it.
func TestBatchesSideBySide(t *testing.T) {
	const soon, size, n = 40, 10, 120
	var b batching
	var mu sync.Mutex
	met := make(chan struct{})
	waiting := false
	b.run = func(ctx context.Context, batch []runner.Candidate) error {
		if batch[0].Index < soon {
			return nil
		}
		mu.Lock()
		other := waiting
		waiting = !waiting
		meet := met
		if other {
			close(met)
			met = make(chan struct{})
		}
		mu.Unlock()
		if !other {
			select {
			case <-meet:
			case <-ctx.Done():
			}
		}
		return ctx.Err()
	}
	tried := 0
	for _, err := range b.of(runner.Batches[[]runner.Candidate]{First: size, Most: size, Making: runner.Side{Many: 2, Soon: soon}, Running: runner.Side{Many: 2, Soon: soon}}).Try(t.Context(), patches(n)) {
		if err != nil {
			t.Fatal(err)
		}
		tried++
	}
	if tried != n {
		t.Fatalf("%d of %d were tried", tried, n)
	}
}

func TestBatchesEndWithAnError(t *testing.T) {
	broken := errors.New("broken")
	var b batching
	b.run = func(_ context.Context, batch []runner.Candidate) error {
		if batch[0].Index >= 50 {
			return broken
		}
		return nil
	}
	var err error
	for _, e := range b.of(runner.Batches[[]runner.Candidate]{First: 5, Most: 5, Making: runner.Side{Many: 3, Soon: 20}, Running: runner.Side{Many: 3, Soon: 40}}).Try(t.Context(), patches(1000)) {
		if e != nil {
			err = e
		}
	}
	if !errors.Is(err, broken) || b.made.Load() != b.dropped.Load() || b.made.Load() > 30 {
		t.Fatalf("%v, after %d batches, of which %d were dropped", err, b.made.Load(), b.dropped.Load())
	}
}
