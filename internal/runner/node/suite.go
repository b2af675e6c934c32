package node

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"fettle/internal/runner"
)

// Suite is the tests of one file that fail, with the passing ones that could break.
type Suite struct {
	started atomic.Int64 // processes
	owned   sync.Map     // by file: every candidate asks

	job     runner.Job
	command command
	files   []testFile // the suite's own first, then the others, nearest first
	targets []string
	sources *sources
	guard   runner.Guard

	once sync.Once
	base base
	err  error

	mu   sync.Mutex
	dir  string
	slow string
}

var _ runner.Suite = (*Suite)(nil)

func newSuite(job runner.Job, cmd command, files []testFile, own int) *Suite {
	s := &Suite{job: job, command: cmd, sources: newSources(job.Place, nil)}
	s.files = slices.Concat([]testFile{files[own]}, files[:own], files[own+1:])
	s.targets = files[own].failing(job.Failing)
	dir := path.Dir(files[own].path)
	slices.SortStableFunc(s.files[1:], func(a, b testFile) int { return distance(dir, a.path) - distance(dir, b.path) })
	return s
}

// distance is how many folders lie between a folder and a file.
func distance(dir, file string) int {
	a, b := strings.Split(dir, "/"), strings.Split(path.Dir(file), "/")
	common := 0
	for common < len(a) && common < len(b) && a[common] == b[common] {
		common++
	}
	return len(a) + len(b) - 2*common
}

// nearest are the passing tests of a file; those that stand in one group with a failing one come first, then some of each group.
func (s *Suite) nearest(f testFile) []string {
	failing := map[string]bool{}
	for _, t := range s.targets {
		failing[suiteOf(t)] = true
	}
	return runner.Nearest(f.passing(), func(id string) int {
		if failing[suiteOf(id)] {
			return 0
		}
		return 1
	}, suiteOf)
}

// suiteOf is the group that a test stands in.
func suiteOf(id string) string { return id[:max(strings.LastIndex(id, " > "), 0)] }

// Name implements [runner.Suite]: the file of the tests.
func (s *Suite) Name() string { return s.files[0].path }

// Failing implements [runner.Suite].
func (s *Suite) Failing() []string { return slices.Clone(s.targets) }

// Owns implements [runner.Suite].
func (s *Suite) Owns(file string) bool {
	if mine, known := s.owned.Load(file); known {
		return mine.(bool)
	}
	mine := owns(file) && !slices.ContainsFunc(s.files, func(f testFile) bool { return f.path == file })
	s.owned.Store(file, mine)
	return mine
}

// Slow implements [runner.Suite].
func (s *Suite) Slow() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.slow
}

func (s *Suite) slowBecause(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.slow == "" {
		s.slow = fmt.Sprintf(format, args...)
	}
}

// Close implements [runner.Suite].
func (s *Suite) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dir == "" {
		return nil
	}
	err := os.RemoveAll(s.dir)
	s.dir = ""
	if err != nil {
		return fmt.Errorf("scratch: %w", err)
	}
	return nil
}

func mkdirTemp(scratch string) (string, error) {
	dir, err := os.MkdirTemp(scratch, "node-")
	if err != nil {
		return "", fmt.Errorf("scratch: %w", err)
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return "", fmt.Errorf("scratch: %w", err)
	}
	if err := unpack(dir); err != nil {
		return "", errors.Join(err, os.RemoveAll(dir))
	}
	return dir, nil
}
