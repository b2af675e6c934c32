package jvm_test

import (
	"bytes"
	"context"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"
	"golang.org/x/tools/txtar"

	"fettle/internal/check"
	"fettle/internal/check/parse"
	"fettle/internal/edit"
	"fettle/internal/proc"
	"fettle/internal/runner"
	"fettle/internal/runner/jvm"
	"fettle/internal/testenv"
	"fettle/internal/verdict"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(testenv.Tidy(m)) }

// place is a temporary folder that stands in for a private copy.
type place struct {
	proc.Host
	root, scratch string
	machines      *atomic.Int32 // that run tests, as many as were started
}

func (p place) Run(ctx context.Context, c proc.Cmd) (proc.Result, error) {
	if slices.Contains(c.Argv, "fettle_jvm.Run") {
		p.machines.Add(1)
	}
	return p.Host.Run(ctx, c)
}

func (p place) Root() string                         { return p.root }
func (p place) FS() fs.FS                            { return os.DirFS(p.root) }
func (p place) Scratch() string                      { return p.scratch }
func (p place) ReadFile(path string) ([]byte, error) { return os.ReadFile(filepath.Join(p.root, path)) }

// lay makes a place with these files, given as a txtar archive.
func lay(t testing.TB, archive string) place {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := place{root: root, scratch: t.TempDir(), machines: &atomic.Int32{}}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		p.put(t, f.Name, f.Data)
	}
	return p
}

func (p place) put(t testing.TB, name string, data []byte) {
	t.Helper()
	full := filepath.Join(p.root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// replace is the patch that replaces the first occurrence of was in a file.
func replace(t testing.TB, p place, path, was, is string) edit.Patch {
	t.Helper()
	src, err := p.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	i := bytes.Index(src, []byte(was))
	if i < 0 {
		t.Fatalf("%q is not in %s", was, path)
	}
	e := edit.Edit{Start: i, End: i + len(was), New: []byte(is)}
	return edit.Patch{{Path: path, Op: edit.Modify, Base: edit.Sum(src), Edits: []edit.Edit{e}}}
}

// suites runs the check and makes suites of its failing tests.
func suites(t testing.TB, p place, c check.Check) []runner.Suite {
	t.Helper()
	rs, err := check.Run(t.Context(), p, []check.Check{c}, check.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	job := runner.Job{Place: p, Check: c, Baseline: rs[0]}
	for id, o := range rs[0].Tests {
		if o == parse.Fail {
			job.Failing = append(job.Failing, id)
		}
	}
	slices.Sort(job.Failing)
	if job.Baseline.Tests == nil {
		job.Failing = []string{"Main"}
	}
	if len(job.Failing) == 0 {
		t.Fatalf("nothing fails: %s %s %s", rs[0].Status, rs[0].Reason, rs[0].Tail)
	}
	h := jvm.New()
	if !h.Takes(c) {
		t.Fatalf("the check is not taken: %+v", c)
	}
	out, err := h.Suites(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, s := range out {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	})
	return out
}

// one is the only suite.
func one(t testing.TB, p place, c check.Check) runner.Suite {
	t.Helper()
	all := suites(t, p, c)
	if len(all) != 1 {
		t.Fatalf("%d suites, want one", len(all))
	}
	return all[0]
}

// try tries patches and returns their trials in order.
func try(t testing.TB, s runner.Suite, patches iter.Seq[edit.Patch]) []verdict.Trial {
	t.Helper()
	var out []verdict.Trial
	for trial, err := range s.TryAll(t.Context(), patches) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, trial)
	}
	slices.SortFunc(out, func(a, b verdict.Trial) int { return a.Index - b.Index })
	for i := range out {
		if out[i].Index != i {
			t.Fatalf("trial %d has index %d", i, out[i].Index)
		}
	}
	return out
}

// want is a candidate and what should come of it.
type want struct {
	name, path, was, is string
	plausible           bool
	note                string // a part of it
	healed, broken      int
}

// expect tries candidates and compares.
func expect(t *testing.T, p place, s runner.Suite, wants []want) {
	t.Helper()
	trials := try(t, s, func(yield func(edit.Patch) bool) {
		for _, w := range wants {
			if !yield(replace(t, p, w.path, w.was, w.is)) {
				return
			}
		}
	})
	if len(trials) != len(wants) {
		t.Fatalf("%d trials of %d candidates", len(trials), len(wants))
	}
	for i, w := range wants {
		r := trials[i]
		if r.Plausible != w.plausible || !strings.Contains(r.Note, w.note) || len(r.Healed) != w.healed || len(r.Broken) != w.broken ||
			r.Built == strings.HasPrefix(r.Note, "does not compile") {
			t.Errorf("%s: plausible %v, built %v, healed %v, broken %v, %q", w.name, r.Plausible, r.Built, r.Healed, r.Broken, r.Note)
		}
	}
	if why := s.Slow(); why != "" {
		t.Errorf("slow: %s", why)
	}
}
