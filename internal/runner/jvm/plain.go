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

// plain tries a candidate as the user's own build would: its sources as they are, compiled into a folder that comes first on the class path,
// and a fresh machine with the options of the user's.
func (s *suite) plain(ctx context.Context, c candidate) (t verdict.Trial, err error) {
	t = verdict.Trial{Index: c.index, Patch: c.patch}
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
	runs, err := s.plainRuns(ctx, dir)
	if err != nil {
		return t, err
	}
	s.judge(&t, runs)
	return t, nil
}

// plainRuns runs the targets and the tests that passed on the classes of a folder and, behind it, the project's own.
func (s *suite) plainRuns(ctx context.Context, dir string) ([]ran, error) {
	m, b := &s.group.machine, &s.baseline
	limits := proc.Limits{Time: 2*(b.one.time+b.two.time) + 10*time.Second, Grace: 100 * time.Millisecond, Output: 256 << 20}
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
	heard := &results{passed: map[string]bool{}}
	argv := slices.Concat([]string{m.java()}, options, m.keptOptions(), []string{"-cp", join(cp), "fettle_jvm.Plain"})
	words := slices.Concat([]string{b.kind}, b.one.keys, b.two.keys)
	r, err := s.lab.job.Place.Run(ctx, proc.Cmd{Argv: argv, Dir: m.dir(), Env: m.env, Limits: limits, Stdout: &lineReader{each: heard.hear}, Stdin: strings.NewReader(line(words...) + "\n")})
	if err != nil || r.Ended == proc.Cancelled {
		return nil, ended(ctx, err)
	}
	out := []ran{{how: how(r), passed: heard.bits(b.one.keys), time: r.Wall}}
	if len(b.two.keys) > 0 {
		out = append(out, ran{how: how(r), passed: heard.bits(b.two.keys)})
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
