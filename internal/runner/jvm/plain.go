package jvm

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fettle/internal/proc"
	"fettle/internal/verdict"
)

// plain tries a candidate as the user's own build would, among files that are whole.
func (s *suite) plain(ctx context.Context, c candidate) (t verdict.Trial, err error) {
	err = s.guard.Sure(ctx, func() (err error) {
		t, err = s.byItself(ctx, c)
		return err
	})
	return t, err
}

// byItself compiles a candidate's sources as they are into a folder that comes first on the class path, and runs the tests in a fresh machine with the
// options of the user's.
func (s *suite) byItself(ctx context.Context, c candidate) (t verdict.Trial, err error) {
	t = verdict.Trial{Index: c.Index, Patch: c.Patch, Used: proc.Used()}
	s.trying.Lock()
	defer s.trying.Unlock()
	began := time.Now()
	defer func() { t.Duration = time.Since(began) }()
	dir, err := os.MkdirTemp(s.dir, "plain-")
	if err != nil {
		return t, fmt.Errorf("scratch: %w", err)
	}
	defer os.RemoveAll(dir)
	work, err := s.aloneTask(ctx, c, false)
	if err != nil {
		return t, err
	}
	out, err := s.builder.build(ctx, plan{classPath: s.project.classPath, options: s.project.flags(), tasks: []task{work}, folder: dir})
	if err != nil {
		return t, err
	}
	if r := out[work.label]; r == nil || !r.ok {
		t.Note = "does not compile: " + r.first()
		return t, nil
	}
	t.Built = true
	if err := s.apart(ctx, dir); err != nil {
		return t, err
	}
	runs, err := s.plainRuns(ctx, dir, s.alone)
	if err != nil {
		return t, err
	}
	s.judge(&t, runs, s.alone)
	return t, nil
}

// apart finds out, once, which tests pass in a machine of their own on the project as it is: those that do not among others may.
func (s *suite) apart(ctx context.Context, dir string) error {
	if s.alone != nil || s.group.program {
		return nil
	}
	b := &s.baseline
	all := slices.Concat(b.passing, b.apart)
	place(all)
	runs, err := s.plainRuns(ctx, filepath.Join(dir, "none"), all)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(b.targets, func(x test) bool { return !x.passed(runs[0].passed) }) {
		return errNothing
	}
	s.alone = []test{}
	for _, x := range all {
		if len(runs) > 1 && x.passed(runs[1].passed) {
			s.alone = append(s.alone, x)
		}
	}
	place(s.alone)
	return nil
}

// plainRuns runs the targets and tests that passed on the classes of a folder and, behind it, the project's own.
func (s *suite) plainRuns(ctx context.Context, dir string, passing []test) ([]ran, error) {
	m, b := &s.group.machine, &s.baseline
	limits := proc.Limits{Time: 2*(b.one.time+b.two.time) + time.Minute, Grace: 100 * time.Millisecond, Output: 256 << 20}
	if s.group.program {
		cp := append([]string{dir}, s.project.classPath...)
		argv := slices.Concat([]string{m.java()}, m.keptOptions(), []string{"-cp", join(cp), m.mainClass()}, m.arguments())
		r, err := s.lab.job.Place.Run(ctx, proc.Cmd{Argv: argv, Dir: m.dir(), Env: m.env, Limits: limits})
		if err != nil || r.Ended == proc.Cancelled {
			return nil, ended(ctx, err)
		}
		one := ran{how: how(r), passed: "0", time: r.Wall}
		if r.OK() {
			one.passed = "1"
		}
		return []ran{one}, nil
	}
	cp := slices.Concat([]string{dir}, s.project.classPath, []string{s.lab.served, s.project.adapters})
	var options []string
	properties := m.keptProperties()
	for _, k := range slices.Sorted(maps.Keys(properties)) {
		options = append(options, "-D"+k+"="+properties[k])
	}
	got := &results{passed: map[string]bool{}}
	argv := slices.Concat([]string{m.java()}, options, m.keptOptions(), []string{"-cp", join(cp), "fettle_jvm.Plain"})
	two := place(passing)
	words := slices.Concat([]string{b.kind}, b.one.keys, two)
	r, err := s.lab.job.Place.Run(ctx, proc.Cmd{Argv: argv, Dir: m.dir(), Env: m.env, Limits: limits, Stdout: heard(got.hear), Stdin: strings.NewReader(line(words...) + "\n")})
	if err != nil || r.Ended == proc.Cancelled {
		return nil, ended(ctx, err)
	}
	out := []ran{{how: how(r), passed: got.bits(b.one.keys), time: r.Wall}}
	if len(two) > 0 {
		out = append(out, ran{how: how(r), passed: got.bits(two)})
	}
	return out, nil
}

func join(paths []string) string { return strings.Join(paths, string(filepath.ListSeparator)) }

func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil {
		return context.Canceled
	}
	return fmt.Errorf("run the tests in a fresh machine: %w", err)
}

func how(r proc.Result) string {
	switch r.Ended {
	case proc.TimedOut, proc.OutputLimit:
		return "time"
	case proc.Exited:
		return "ok"
	case proc.Signalled, proc.Cancelled:
	}
	return "gone"
}

// results is how tests ended, as a machine said it.
type results struct{ passed map[string]bool }

func (r *results) hear(w []string) {
	if w[0] == "test" && len(w) == 3 {
		r.passed[w[1]] = w[2] == "pass"
	}
}

func (r *results) bits(keys []string) string {
	var b strings.Builder
	for _, k := range keys {
		if r.passed[k] {
			b.WriteByte('1')
		} else {
			b.WriteByte('0')
		}
	}
	return b.String()
}
