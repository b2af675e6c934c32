// Package runnertest answers "does a runner leave anything behind when it is told to stop, and can a candidate spoil another's trial?".
package runnertest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"gotest.tools/v3/poll"

	"fettle/internal/check"
	"fettle/internal/edit"
	"fettle/internal/proc"
	"fettle/internal/runner"
	"fettle/internal/testenv"
)

// moments is how often a runner is told to stop: in each of the two ways twice, and in make soak more often.
func moments() int {
	if testenv.Soak() {
		return 40
	}
	return 4
}

// Stops has a harness take a job up, trace its tests and try candidates: once to the end, and then again and again, told to stop at an odd moment:
// as a process begins, says something or ends, as a file is read, a candidate pulled, a trial told. Its context is cancelled then, or nobody
// wants another trial. All that was begun has to come to its end, and no process and no file may be left that is not left by the run to the end, too.
func Stops(t *testing.T, h runner.Harness, job runner.Job, candidates []edit.Patch) {
	t.Helper()
	whole := &stopping{harness: h, job: job, candidates: candidates, mark: mark(t)}
	whole.run(t)
	scratch, root := tree(t, job.Place.Scratch()), tree(t, job.Place.Root())
	dice := rand.New(rand.NewPCG(testenv.Seed(t), 0)) //nolint:gosec // moments, not secrets
	for n := range moments() {
		at := 1 + dice.IntN(whole.seen)
		s := &stopping{harness: h, job: job, candidates: candidates, mark: mark(t), at: at, leave: n%2 == 1}
		t.Run(fmt.Sprintf("moment %d of %d, leave %t", s.at, whole.seen, s.leave), func(t *testing.T) {
			s.run(t)
			poll.WaitOn(t, s.noneLeft, poll.WithTimeout(10*time.Second)) // what was killed may still be about to go
			for dir, before := range map[string][]string{job.Place.Scratch(): scratch, job.Place.Root(): root} {
				for _, file := range tree(t, dir) {
					if !slices.Contains(before, file) {
						t.Errorf("%s is left in %s", file, dir)
					}
				}
			}
		})
	}
}

// stopping is one run that is told to stop.
type stopping struct {
	harness    runner.Harness
	job        runner.Job
	candidates []edit.Patch
	mark       string // in the environment of all processes
	at         int    // the moment; zero: never
	leave      bool   // it is left off in the next trial, and not cancelled

	mu     sync.Mutex
	seen   int // moments
	now    bool
	cancel context.CancelFunc
}

// moment is one at which the run may be told to stop.
func (s *stopping) moment() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seen++; s.seen == s.at {
		s.now = true
		if !s.leave {
			s.cancel()
		}
	}
}

// left reports whether no other trial is wanted.
func (s *stopping) left() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.leave && s.now
}

func (s *stopping) run(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s.cancel = cancel
	job := s.job
	job.Place = place{job.Place, s}
	suites, err := s.harness.Suites(ctx, job)
	s.expect(ctx, t, err)
	for _, suite := range suites {
		_, err := suite.Trace(ctx, runner.TraceOptions{Values: true})
		s.expect(ctx, t, err)
		for _, err := range suite.TryAll(ctx, s.pulled) {
			s.expect(ctx, t, err)
			if s.moment(); s.left() {
				break
			}
		}
		if err := suite.Close(); err != nil {
			t.Error(err)
		}
	}
}

// expect takes an error for one only where nobody has cancelled the run.
func (s *stopping) expect(ctx context.Context, t *testing.T, err error) {
	t.Helper()
	if err != nil && ctx.Err() == nil {
		t.Error(err)
	}
}

func (s *stopping) pulled(yield func(edit.Patch) bool) {
	for _, c := range s.candidates {
		if s.moment(); !yield(c) {
			return
		}
	}
}

// noneLeft looks for processes of the run, as far as this system tells of them.
func (s *stopping) noneLeft(poll.LogT) poll.Result {
	all, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		return poll.Error(err)
	}
	for _, file := range all {
		if env, err := os.ReadFile(file); err == nil && bytes.Contains(env, []byte(s.mark)) {
			command, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
			return poll.Continue("a process is left: %s", bytes.ReplaceAll(command, []byte{0}, []byte{' '}))
		}
	}
	return poll.Success()
}

// mark is a variable that no other process has in its environment.
func mark(t *testing.T) string { return "RUNNERTEST=" + t.TempDir() }

// tree is every path below a folder.
func tree(t *testing.T, dir string) (paths []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, _ fs.DirEntry, err error) error {
		paths = append(paths, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// place tells of what is done in it.
type place struct {
	check.Place
	stopping *stopping
}

func (p place) ReadFile(path string) ([]byte, error) {
	p.stopping.moment()
	return p.Place.ReadFile(path)
}

func (p place) Run(ctx context.Context, c proc.Cmd) (proc.Result, error) {
	p.stopping.moment()
	defer p.stopping.moment()
	if c.Env == nil {
		c.Env = os.Environ()
	}
	c.Env = append(slices.Clone(c.Env), p.stopping.mark)
	if c.Stdout != nil {
		c.Stdout = listener{c.Stdout, p.stopping}
	}
	return p.Place.Run(ctx, c)
}

type listener struct {
	io.Writer
	stopping *stopping
}

func (l listener) Write(b []byte) (int, error) {
	l.stopping.moment()
	return l.Writer.Write(b)
}
