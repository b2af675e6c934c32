package node

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"fettle/internal/check"
	"fettle/internal/check/parse"
	"fettle/internal/edit"
	"fettle/internal/proc"
	"fettle/internal/runner"
	"fettle/internal/verdict"
)

// outcome is how a run in the user's own way came out.
type outcome struct {
	passed map[string]bool
	failed map[string]bool
	known  map[string]bool // those, and skipped ones
	clean  bool            // the command says that all is well
	broken string          // why it could not do its work, or did not end
	took   time.Duration
}

// gone reports whether a test is not there any more in a run in which all is well: a file that breaks is a test by itself, and some tests are
// only made where something has gone wrong.
func (o outcome) gone(id string) bool {
	return o.clean && !o.known[id] && (len(o.passed) > 0 || isSource(id))
}

// own runs tests by the user's own command in a fresh process, with a patch's files laid over.
func (s *Suite) own(ctx context.Context, p edit.Patch, ids []string) (outcome, error) {
	c := s.narrowed(ids)
	if len(p) > 0 {
		list, program, err := s.overlay(p)
		if err != nil {
			return outcome{}, err
		}
		defer os.RemoveAll(filepath.Dir(list))
		c = preloading(c, program, map[string]string{"FETTLE_OVERLAY": list})
	}
	return s.launch(ctx, c)
}

// preloading is a check with a program of ours that is loaded first, and what that is told by the environment.
func preloading(c check.Check, program string, env map[string]string) check.Check {
	env["NODE_OPTIONS"] = preload(nodeOptions(c), program)
	for k, v := range c.Env {
		if _, ours := env[k]; !ours {
			env[k] = v
		}
	}
	c.Env = env
	return c
}

// launch runs a check that is made of the user's own in a fresh process.
func (s *Suite) launch(ctx context.Context, c check.Check) (outcome, error) {
	c.Timeout = patience(s.job)
	results, err := check.Run(ctx, s.job.Place, []check.Check{c}, check.RunOptions{Output: 64 << 20, Fresh: true})
	if err != nil {
		return outcome{}, fmt.Errorf("run the tests: %w", err)
	}
	r := results[0]
	o := outcome{passed: map[string]bool{}, failed: map[string]bool{}, known: map[string]bool{}, clean: r.Status == check.Passed, took: r.Wall}
	switch r.Status {
	case check.Broken:
		o.broken = r.Reason
	case check.TimedOut:
		o.broken = runner.NoteTime
	case check.Passed, check.Failed:
	}
	for id, how := range r.Tests {
		o.known[id] = true
		switch how {
		case parse.Pass:
			o.passed[id] = true
		case parse.Fail:
			o.failed[id] = true
		case parse.Skip:
		}
	}
	return o, nil
}

// narrowed is the check with these tests alone, as far as its command can be told.
func (s *Suite) narrowed(ids []string) check.Check {
	c, _ := s.narrow(ids)
	return c
}

// narrow also tells whether the command can be told.
func (s *Suite) narrow(ids []string) (check.Check, bool) {
	var targets []check.Target
	for _, f := range s.files {
		var here []string
		for _, t := range f.tests {
			if slices.Contains(ids, t.id) && !slices.Contains(here, t.id) {
				here = append(here, t.id)
			}
		}
		if slices.Contains(ids, f.path) {
			targets = append(targets, check.Target{Path: f.path})
		} else if len(here) > 0 {
			targets = append(targets, check.Target{Path: f.path, IDs: here})
		}
	}
	if c, ok := s.job.Check.Narrow(targets...); ok {
		return c, true
	}
	return s.job.Check, false
}

// nodeOptions are the options that Node has by the environment already.
func nodeOptions(c check.Check) string {
	if v, ok := c.Env["NODE_OPTIONS"]; ok {
		return v
	}
	return os.Getenv("NODE_OPTIONS")
}

// overlay writes a patch's files, and tells the list of them and the program that lays them over.
func (s *Suite) overlay(p edit.Patch) (list, program string, err error) {
	after, err := p.Apply(runner.Source(s.job.Place))
	if err != nil {
		return "", "", &untriedError{err.Error()}
	}
	programs, err := s.folder()
	if err != nil {
		return "", "", err
	}
	dir, err := os.MkdirTemp(programs, "overlay-")
	if err != nil {
		return "", "", fmt.Errorf("scratch: %w", err)
	}
	files := map[string]string{}
	for _, name := range p.Paths() {
		to := filepath.Join(dir, strconv.Itoa(len(files))+path.Ext(name))
		if err := os.WriteFile(to, after[name].Data, 0o600); err != nil {
			return "", "", fmt.Errorf("scratch: %w", err)
		}
		for _, root := range runner.Roots(s.job.Place.Root()) {
			files[filepath.Join(root, filepath.FromSlash(name))] = to
		}
	}
	list = filepath.Join(dir, "files.json")
	if err := writeJSON(list, map[string]any{"files": files}); err != nil {
		return "", "", err
	}
	return list, filepath.Join(programs, "overlay.cjs"), nil
}

// plain tries a patch in the user's own way: first the failing tests, then, if they pass, all of them. What the warm process has
// seen to pass already is run at once.
func (s *Suite) plain(ctx context.Context, it *item, seen bool) (t verdict.Trial, err error) {
	t = verdict.Trial{Index: it.index, Patch: it.patch, Built: true, Used: proc.Used()}
	began := time.Now()
	defer func() { t.Duration = time.Since(began) }()
	b := &s.base
	all := slices.Concat(b.targets, b.passing)
	first := b.targets
	if seen {
		first = all
	}
	o, err := s.own(ctx, it.patch, first)
	if err != nil {
		return t, err
	}
	if o.clean && len(o.passed) == 0 { // the tests are not there any more: does all of their file pass?
		if o, err = s.own(ctx, it.patch, []string{s.Name()}); err != nil {
			return t, err
		}
	}
	s.judge(&t, o, seen || len(b.passing) == 0)
	if seen || len(t.Healed) == 0 || t.Note != "" && len(t.Healed) == len(b.targets) || len(b.passing) == 0 {
		return t, nil
	}
	o, err = s.own(ctx, it.patch, all)
	if err != nil {
		return t, err
	}
	s.judge(&t, o, true)
	return t, nil
}

// judge says of a candidate what a run in the user's own way shows. whole: all tests that matter were run.
func (s *Suite) judge(t *verdict.Trial, o outcome, whole bool) {
	b := &s.base
	t.Healed, t.Broken, t.Note, t.Plausible = nil, nil, "", false
	still := ""
	for _, id := range b.targets {
		if o.passed[id] && !o.failed[id] || o.gone(id) {
			t.Healed = append(t.Healed, id)
		} else if still == "" {
			still = id
		}
	}
	other := false // a test fails that failed before, too: it excuses the exit code
	for id := range o.failed {
		other = other || s.failedBefore(id)
	}
	for _, id := range b.passing {
		if whole && (!o.passed[id] || o.failed[id]) {
			t.Broken = append(t.Broken, id)
		}
	}
	switch {
	case o.broken != "":
		t.Note = o.broken
	case still != "":
		t.Note = runner.StillFails(still)
	case len(t.Broken) > 0:
		t.Note = runner.Breaks(t.Broken[0])
	case !o.clean && !other:
		t.Note = runner.NoteError
	case whole:
		t.Plausible = true
	}
}

// failedBefore reports whether a test that is none of the targets failed in the baseline.
func (s *Suite) failedBefore(id string) bool {
	return s.job.Baseline.Tests[id] == parse.Fail && !slices.Contains(s.base.targets, id)
}
