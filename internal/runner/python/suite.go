package python

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"sync"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/lang"
	"fettle/internal/runner"
)

// suite is the tests of one check.
type suite struct {
	place   check.Place
	check   check.Check
	command command
	failing []string          // ids that are to pass
	passing []string          // ids that pass, nearest first
	found   []string          // ids of tests, where it is not known yet which of them fail
	said    []diag.Diagnostic // by the check
	scratch string            // a folder of our own

	mu       sync.Mutex
	idle     []*server // servers that wait for work
	patterns []string  // pytest's patterns of names of test files
	plan     *plan     // what was measured
	slow     string
	spawns   bool // tests start Pythons that have to see changed files too
}

// open starts the first server and learns which tests there are.
func (s *suite) open(ctx context.Context) (err error) {
	if s.scratch, err = os.MkdirTemp(s.place.Scratch(), "python-"); err != nil {
		return fmt.Errorf("scratch: %w", err)
	}
	defer func() {
		if err != nil {
			_ = s.Close()
		}
	}()
	if err := os.Mkdir(s.scratch+"/cache", 0o700); err != nil {
		return fmt.Errorf("scratch: %w", err)
	}
	if err := unpack(s.scratch); err != nil {
		return err
	}
	v, err := s.serve(ctx)
	if err != nil && s.command.unittest && strings.Contains(err.Error(), "No module named pytest") {
		return fmt.Errorf("%w: unittest's tests are tried by pytest, which %s does not have; install it there, it runs them as they are", runner.ErrForeign, s.command.program[0])
	}
	if err != nil {
		return s.openSlow(ctx, err)
	}
	s.give(v)
	if s.patterns = v.hello.PythonFiles; len(s.failing) == 0 {
		s.found = v.hello.Found
		return nil
	}
	there := func(id string) bool { return slices.Contains(v.hello.Found, id) }
	if len(v.hello.Found) == 0 && len(v.hello.Errors) > 0 {
		return errors.New("pytest cannot collect the tests: " + v.hello.Errors[0])
	}
	s.failing = slices.DeleteFunc(slices.Clone(s.failing), func(id string) bool { return !there(id) })
	s.passing = slices.DeleteFunc(slices.Clone(s.passing), func(id string) bool { return !there(id) || slices.Contains(s.failing, id) })
	return nil
}

// take is a server that waits for work, or a new one.
func (s *suite) take(ctx context.Context) (*server, error) {
	s.mu.Lock()
	if n := len(s.idle); n > 0 {
		v := s.idle[n-1]
		s.idle = s.idle[:n-1]
		s.mu.Unlock()
		return v, nil
	}
	s.mu.Unlock()
	return s.serve(ctx)
}

// give takes a server back that can be used again.
func (s *suite) give(v *server) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idle = append(s.idle, v)
}

// Name implements [runner.Suite].
func (s *suite) Name() string {
	files := map[string]bool{}
	first := ""
	for _, id := range s.failing {
		file, _, _ := strings.Cut(parted(id), "::")
		if files[file] = true; first == "" {
			first = file
		}
	}
	if len(files) > 1 {
		return fmt.Sprintf("%s and %d more", first, len(files)-1)
	}
	return first
}

// Failing implements [runner.Suite].
func (s *suite) Failing() []string { return slices.Clone(s.failing) }

// Slow implements [runner.Suite].
func (s *suite) Slow() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.slow
}

// Close implements [runner.Suite].
func (s *suite) Close() error {
	s.mu.Lock()
	idle := s.idle
	s.idle = nil
	s.mu.Unlock()
	for _, v := range idle {
		v.close()
	}
	if err := os.RemoveAll(s.scratch); err != nil {
		return fmt.Errorf("scratch: %w", err)
	}
	return nil
}

// foreign are folders that hold other people's code, wherever they stand.
var foreign = []string{"site-packages", "dist-packages", "node_modules", "__pycache__"}

// Owns implements [runner.Suite]: Python source of the repository that is no test by pytest's patterns or by the usual names, and no
// part of an environment.
func (s *suite) Owns(file string) bool {
	if path.Ext(file) != ".py" || file != path.Clean(file) || lang.IsTest(file) || lang.IsVendored(file) {
		return false
	}
	base := path.Base(file)
	for _, p := range s.patterns {
		if ok, _ := path.Match(p, base); ok {
			return false
		}
	}
	dir := path.Dir(file)
	for ; dir != "."; dir = path.Dir(dir) {
		name := path.Base(dir)
		if strings.HasPrefix(name, ".") || slices.Contains(foreign, name) {
			return false
		}
		if _, err := s.place.ReadFile(dir + "/pyvenv.cfg"); err == nil {
			return false
		}
	}
	return !strings.HasPrefix(file, "/") && !strings.HasPrefix(file, "../")
}
