package golang

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fettle/internal/edit"
	"fettle/internal/proc"
	"fettle/internal/runner"
	"fettle/internal/verdict"
)

// outcome is how some tests came out.
type outcome struct {
	passed, failed map[string]bool
	built          bool
	end            string // "ok", "failed", "time", "fuel", "output"
	wall           time.Duration
	said           string // the compiler's first complaint
}

// stopped reports whether the run was ended from outside.
func (o *outcome) stopped() bool { return o.end != "ok" && o.end != "failed" }

// plain tries a patch by itself, among files that are whole.
func (o *Oracle) plain(ctx context.Context, c candidate) (t verdict.Trial, err error) {
	err = o.guard.Sure(ctx, func() (err error) {
		t, err = o.alone(ctx, c)
		return err
	})
	return t, err
}

// alone is one build, one run of the failing tests, one of the others.
func (o *Oracle) alone(ctx context.Context, c candidate) (verdict.Trial, error) {
	began := time.Now()
	t := verdict.Trial{Index: c.Index, Patch: c.Patch, Used: proc.Used()}
	dir, err := o.folder("plain-")
	if err != nil {
		return t, err
	}
	defer os.RemoveAll(dir)
	overlay, err := o.overlay(dir, c.Patch)
	if err != nil {
		t.Note = err.Error()
		t.Duration = time.Since(began)
		return t, nil
	}
	binary, said, err := o.build(ctx, dir, overlay)
	if err != nil {
		return t, err
	}
	b := &o.baseline
	one, two, believed := &outcome{said: said}, (*outcome)(nil), o.others.names
	part, tried := false, false
	if said == "" {
		one, two, believed, err = o.runAll(ctx, binary, func(one *outcome) bool {
			part = b.healsSome(one) && !b.heals(one)
			tried = b.healsSome(one) && (!part || !o.others.slow.Load() || o.others.newPart(one, b.targets, true))
			return tried
		})
		if err != nil {
			return t, err
		}
	}
	o.judge(&t, one, two, believed)
	if said == "" {
		if err := o.insist(ctx, binary, &t); err != nil {
			return t, err
		}
	}
	switch {
	case part && !tried:
		t.Healed, t.Note = nil, untried
	case part && len(t.Broken) == 0:
		o.others.keepPart(one, b.targets)
	}
	t.Duration = time.Since(began)
	return t, nil
}

// runAll runs the failing tests in a candidate's own binary and, where wanted says so of how these came out, the others, and says which of
// the others are to be believed.
func (o *Oracle) runAll(ctx context.Context, binary string, wanted func(one *outcome) bool) (one, two *outcome, believed []string, err error) {
	believed = o.others.names
	one, err = o.runTests(ctx, binary, o.baseline.run, o.limit(o.baseline.time))
	if err == nil && wanted(one) && o.others.run != "" {
		two, believed, err = o.tryOthers(ctx, binary)
	}
	return one, two, believed, err
}

// untried is said of candidates of which nobody knows what they break.
const untried = "it heals a part, as others do, and the other tests take too long to be run for that"

// othersFactor is how many times as long as the check took a candidate's other tests may take: a busy machine runs several at a time.
const othersFactor = 3

// tryOthers runs the other tests in a candidate's own binary, and says which of them are to be believed: where any fails, those that pass on
// the baseline when they are run in this way.
func (o *Oracle) tryOthers(ctx context.Context, binary string) (two *outcome, believed []string, err error) {
	limit := max(o.limit(o.Expect), othersFactor*o.Took) + unknownTime
	if two, err = o.runTests(ctx, binary, o.others.run, limit); err != nil || two.end == "ok" {
		return two, o.others.names, err
	}
	r, err := o.rest(ctx)
	if err != nil {
		return nil, nil, err
	}
	if longer := o.limit(r.plain.time); two.end == "time" && longer > limit {
		two, err = o.runTests(ctx, binary, r.run, longer)
	}
	return two, r.plain.pass, err
}

// heals reports whether every target passed.
func (b *baseline) heals(one *outcome) bool {
	return !slices.ContainsFunc(b.targets, func(n string) bool { return !one.passed[n] })
}

// healsSome reports whether a target passed in a run that came to its end.
func (b *baseline) healsSome(one *outcome) bool {
	return !one.stopped() && slices.ContainsFunc(b.targets, func(n string) bool { return one.passed[n] })
}

// judge fills in what the runs say of a candidate. two is nil when it was not needed; believed are those of its tests that pass unchanged.
func (o *Oracle) judge(t *verdict.Trial, one, two *outcome, believed []string) {
	b := &o.baseline
	t.Built = one.built
	if !one.built {
		t.Note = "does not compile: " + one.said
		return
	}
	var still []string
	for _, n := range b.targets {
		if one.passed[n] {
			t.Healed = append(t.Healed, o.Suite.id(n))
		} else {
			still = append(still, n)
		}
	}
	broken := one.breaks(b.passing)
	if two != nil {
		broken = append(broken, two.breaks(believed)...)
	}
	for _, n := range broken {
		t.Broken = append(t.Broken, o.Suite.id(n))
	}
	stopped := one
	if two != nil && !one.stopped() {
		stopped = two
	}
	switch {
	case stopped.stopped():
		t.Note = endings[stopped.end]
	case len(still) > 0:
		t.Note = runner.StillFails(still[0])
	case len(t.Broken) > 0:
		t.Note = runner.Breaks(t.Broken[0])
	case one.end != "ok" && !one.failsBeside(b.targets, b.passing) || two != nil && two.end != "ok" && !two.failsBeside(believed):
		t.Note = runner.NoteError
	case two == nil && o.others.run != "":
		t.Note = runner.NoteUntested
	default:
		t.Plausible = true
	}
}

var endings = map[string]string{
	"time":   runner.NoteTime,
	"fuel":   runner.NoteFuel,
	"output": runner.NoteOutput,
}

// breaks are those of these tests that failed.
func (o *outcome) breaks(passing []string) (failed []string) {
	for _, n := range passing {
		if o.failed[n] {
			failed = append(failed, n)
		}
	}
	return failed
}

// failsBeside reports whether tests failed that are none of these: they fail on the baseline, too, and excuse the exit code.
func (o *outcome) failsBeside(known ...[]string) bool {
	all := slices.Concat(known...)
	for n := range o.failed {
		if !slices.Contains(all, n) {
			return true
		}
	}
	return false
}

// overlay writes the files of a patch into dir, and the file that lays them over the repository's.
func (o *Oracle) overlay(dir string, p edit.Patch) (string, error) {
	for _, c := range p {
		if !strings.HasSuffix(c.Path, ".go") {
			return "", fmt.Errorf("%s is not Go source: the fast trial cannot lay it over", c.Path)
		}
	}
	after, err := p.Apply(o.source())
	if err != nil {
		return "", err
	}
	files := map[string][]byte{}
	for path, f := range after {
		if f.Exists {
			files[path] = f.Data
		} else {
			files[path] = nil
		}
	}
	name, _, err := o.writeOverlay(dir, files)
	return name, err
}

// writeOverlay takes contents by slash path from the root; nil takes the file away. It also tells which path each file that
// it wrote stands for, since the compiler speaks of those.
func (o *Oracle) writeOverlay(dir string, files map[string][]byte) (name string, paths map[string]string, err error) {
	replace := map[string]string{}
	paths = map[string]string{}
	for n, path := range slices.Sorted(maps.Keys(files)) {
		data := files[path]
		abs := filepath.Join(o.Suite.Place.Root(), filepath.FromSlash(path))
		if data == nil {
			replace[abs] = ""
			continue
		}
		to := filepath.Join(dir, fmt.Sprintf("%d.go", n))
		paths[filepath.Base(to)] = path
		if err := os.WriteFile(to, data, 0o644); err != nil {
			return "", nil, fmt.Errorf("scratch: %w", err)
		}
		replace[abs] = to
	}
	b, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", nil, fmt.Errorf("scratch: %w", err)
	}
	name = filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(name, b, 0o644); err != nil {
		return "", nil, fmt.Errorf("scratch: %w", err)
	}
	return name, paths, nil
}

// buildTime is what a build may take on top of a run.
const buildTime = 2 * time.Minute

// build makes the test binary with files laid over; an empty overlay is the baseline. What the compiler says against it is
// no error.
func (o *Oracle) build(ctx context.Context, dir, overlay string) (binary, said string, err error) {
	binary = filepath.Join(dir, "plain.test")
	var flags []string
	if overlay != "" {
		flags = append(flags, "-overlay="+overlay)
	}
	cmd := o.Suite.testBinary(binary, flags...)
	cmd.Limits.Time = buildTime
	r, err := o.Suite.Place.Run(ctx, cmd)
	switch {
	case err != nil:
		return "", "", fmt.Errorf("go test -c: %w", err)
	case r.Ended == proc.Cancelled:
		return "", "", context.Cause(ctx)
	case !r.OK():
		return "", firstLine(r.Stderr.String() + "\n" + r.Stdout.String()), nil
	}
	return binary, "", nil
}

// runTests runs a test binary. The limit holds for everything it does, its initialisation included, which the binary's own
// timeout does not see.
func (o *Oracle) runTests(ctx context.Context, binary, run string, limit time.Duration) (*outcome, error) {
	s := &o.Suite
	out := &outcome{passed: map[string]bool{}, failed: map[string]bool{}, built: true, end: "failed"}
	events := &outcomeReader{out: out}
	argv := append([]string{binary, "-test.run=" + run, "-test.v=test2json", "-test.count=1"}, s.Args...)
	r, err := s.Place.Run(ctx, proc.Cmd{
		Argv: argv, Dir: s.abs(), Env: s.environ(), Stdout: events,
		Limits: proc.Limits{Time: limit, Grace: 100 * time.Millisecond, Output: 64 << 20, Memory: o.memory()},
	})
	if err != nil {
		return nil, fmt.Errorf("run tests: %w", err)
	}
	events.end()
	out.wall = r.Wall
	switch {
	case r.OK():
		out.end = "ok"
	case r.Ended == proc.Cancelled:
		return nil, context.Cause(ctx)
	case r.Ended == proc.TimedOut:
		out.end = "time"
	case r.Ended == proc.OutputLimit:
		out.end = "output"
	}
	return out, nil
}

// outcomeReader reads outcomes out of what a test binary prints with -test.v=test2json: each line of its own begins with a
// marker byte, or, for subtests, with spaces.
type outcomeReader struct {
	out  *outcome
	line []byte
}

const (
	ownWord  = 0x16 // the byte before what the test binary itself says
	longName = 4096 // no test's name is longer
)

func (r *outcomeReader) Write(p []byte) (int, error) {
	for _, c := range p {
		switch {
		case c == '\n':
			r.end()
		case c == ownWord:
			r.line = r.line[:0]
		case len(r.line) < longName:
			r.line = append(r.line, c)
		}
	}
	return len(p), nil
}

// end reads the line that has come to its end.
func (r *outcomeReader) end() {
	line := strings.TrimLeft(string(r.line), " ")
	r.line = r.line[:0]
	kind, rest, ok := strings.Cut(line, ": ")
	i := strings.LastIndex(rest, " (")
	if !ok || i < 0 {
		return
	}
	switch kind {
	case "--- PASS":
		r.out.passed[rest[:i]] = true
	case "--- FAIL":
		r.out.failed[rest[:i]] = true
	}
}

func firstLine(s string) string {
	for sc := bufio.NewScanner(strings.NewReader(s)); sc.Scan(); {
		line := strings.TrimSpace(sc.Text())
		if m := complaint.FindStringSubmatch(line); m != nil {
			return m[3] // without the file, which is one of ours
		}
		if line != "" && !strings.HasPrefix(line, "#") {
			return line
		}
	}
	return "the build failed"
}
