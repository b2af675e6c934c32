package golang

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/tools/cover"

	"fettle/internal/proc"
	"fettle/internal/runner"
)

// CoverOptions bound what coverage may cost.
type CoverOptions struct {
	runner.TraceOptions
	Workers int // tests at a time; zero: GOMAXPROCS
}

func (o CoverOptions) withDefaults() CoverOptions {
	o.TraceOptions = o.WithDefaults()
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	return o
}

// Run is one test's run on its own. One that left no profile has run the functions of its stack frames at least.
type Run struct {
	runner.Run
	Ended bool // in its time; when the time was up, the test may be slow or never end
}

// Coverage runs tests one by one and tells what each of them ran: first the failing tests, then the passing
// ones, as many as the options allow. Only tests that come out as they are said to are told: a test that fails alone and not
// together with others, or the other way round, says nothing about its lines.
func (s *Suite) Coverage(ctx context.Context, l *Listing, failing, passing []string, o CoverOptions) ([]Run, error) {
	o = o.withDefaults()
	dir, err := os.MkdirTemp(s.Place.Scratch(), "cover-")
	if err != nil {
		return nil, fmt.Errorf("coverage: %w", err)
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "cover.test")
	r, err := s.Place.Run(ctx, s.testBinary(binary, "-cover", "-covermode=set", "-coverpkg="+coverPattern(l)))
	if err != nil {
		return nil, fmt.Errorf("coverage: %w", err)
	}
	if !r.OK() {
		return nil, failed("build the tests with coverage", r)
	}
	c := &coverage{suite: s, listing: l, binary: binary, dir: dir, opts: o, extents: newExtents(s)}
	return c.all(ctx, s.names(o.Sample(failing, topOf)), s.names(passing))
}

// coverPattern names the user's own packages. Very many are named by their modules instead, since an argument has a limit.
func coverPattern(l *Listing) string {
	var paths []string
	for _, p := range l.Own {
		if len(p.GoFiles)+len(p.CgoFiles) > 0 {
			paths = append(paths, p.ImportPath)
		}
	}
	if len(paths) == 0 {
		return "."
	}
	if len(paths) > 500 && l.Target.Module != nil {
		return l.Target.Module.Path + "/..."
	}
	return strings.Join(paths, ",")
}

// coverage is one Coverage under way.
type coverage struct {
	suite   *Suite
	listing *Listing
	binary  string
	dir     string
	opts    CoverOptions
	extents *extents
}

func (c *coverage) all(ctx context.Context, failing, passing []string) ([]Run, error) {
	type job struct {
		test   string
		failed bool
	}
	var jobs []job
	for _, t := range failing {
		jobs = append(jobs, job{t, true})
	}
	for _, t := range passing[:min(len(passing), c.opts.MaxPassing)] {
		jobs = append(jobs, job{t, false})
	}
	deadline := time.Now().Add(c.opts.Time)
	runs := make([]*Run, len(jobs))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(c.opts.Workers)
	for i, j := range jobs {
		g.Go(func() error {
			if !j.failed && time.Now().After(deadline) {
				return nil
			}
			run, err := c.one(gctx, i, j.test, j.failed)
			if err == nil && j.failed && (run.lost() || !run.Ended && len(run.Frames) == 0) {
				// A goroutine that is busy on another thread may tell no stack when the test times out; on one thread it does.
				run, err = c.one(gctx, i, j.test, j.failed, "GOMAXPROCS=1")
			}
			if err == nil && run.lost() && j.failed {
				run.Lines = c.target() // os.Exit leaves neither a profile nor a stack: it may have run anything
			}
			runs[i] = run
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	var out []Run
	for i, r := range runs {
		if r != nil && r.Failed == jobs[i].failed {
			out = append(out, *r)
		}
	}
	return out, ctx.Err()
}

// lost reports whether a run failed without telling anything of where it was.
func (r *Run) lost() bool { return r.Failed && !r.Exact && len(r.Lines) == 0 }

func (c *coverage) one(ctx context.Context, n int, test string, failing bool, env ...string) (*Run, error) {
	profile := filepath.Join(c.dir, fmt.Sprintf("%d.out", n))
	r, err := c.suite.Place.Run(ctx, proc.Cmd{
		Argv: append([]string{c.binary, "-test.run=" + exactly(test), "-test.count=1", "-test.coverprofile=" + profile,
			"-test.timeout=" + c.opts.PerTest.String()}, c.suite.Args...),
		Dir:    c.suite.abs(),
		Env:    c.suite.environ(env...),
		Limits: proc.Limits{Time: c.opts.PerTest + 5*time.Second, Output: 64 << 20},
	})
	if err != nil {
		return nil, fmt.Errorf("coverage of %s: %w", test, err)
	}
	run := &Run{Run: runner.Run{ID: c.suite.id(test), Failed: !r.OK(), Duration: r.Wall}, Ended: r.Wall < c.opts.PerTest}
	profiles, err := cover.ParseProfiles(profile)
	switch {
	case err == nil && len(profiles) > 0:
		run.Exact, run.Lines = true, c.blocks(profiles)
	case err != nil && !errors.Is(err, fs.ErrNotExist) && r.OK():
		return nil, fmt.Errorf("coverage of %s: %w", test, err)
	}
	if failing {
		run.Frames = c.suite.frames(r.Stdout.String() + "\n" + r.Stderr.String())
	}
	if !run.Exact {
		run.Lines = c.extents.of(run.Frames)
	}
	return run, nil
}

// target is every function of the package under test.
func (c *coverage) target() (out []runner.Lines) {
	c.extents.mu.Lock()
	defer c.extents.mu.Unlock()
	for _, file := range c.listing.Files(c.listing.Target) {
		out = append(out, c.extents.funcs(file)...)
	}
	return out
}

// blocks are the stretches that ran. A profile names files by import path and base name.
func (c *coverage) blocks(profiles []*cover.Profile) []runner.Lines {
	var out []runner.Lines
	for _, p := range profiles {
		file := c.local(p.FileName)
		if file == "" {
			continue
		}
		for _, b := range p.Blocks {
			if b.Count > 0 {
				out = append(out, runner.Lines{File: file, Line: b.StartLine, EndLine: lastLine(b)})
			}
		}
	}
	return out
}

// lastLine leaves out a line on which nothing but the block's closing brace stands.
func lastLine(b cover.ProfileBlock) int {
	if b.EndLine > b.StartLine && b.EndCol <= 2 {
		return b.EndLine - 1
	}
	return b.EndLine
}

func (c *coverage) local(name string) string {
	p := c.listing.byPath[path.Dir(name)]
	if p == nil {
		return ""
	}
	rel, ok := c.suite.rel(filepath.Join(p.Dir, path.Base(name)))
	if !ok {
		return ""
	}
	return rel
}
