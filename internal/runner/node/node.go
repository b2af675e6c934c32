// Package node answers "how do JavaScript and TypeScript run their tests, fast?" for node:test, jest, vitest, mocha and tape.
//
// One warm process a core (the program in serve/, embedded, without dependencies) loads the repository's modules again and again,
// each time from nothing and with a candidate's text in place of a file's, and runs the wanted tests with a lean stand-in for
// the runner. Steps are counted by calls that are put into the sources ([steps]), so that a loop without end costs milliseconds.
// What the process cannot do, and every candidate that looks good, is run by the user's own command, with the changed files laid over by
// a preloaded module (serve/overlay.cjs): nothing is ever written to the place but its scratch folder.
package node

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"fettle/internal/check"
	"fettle/internal/check/parse"
	"fettle/internal/diag"
	"fettle/internal/lang"
	"fettle/internal/proc"
	"fettle/internal/runner"
)

// Harness runs tests of JavaScript and TypeScript.
type Harness struct{}

var _ runner.Harness = Harness{}

// New makes a harness.
func New() Harness { return Harness{} }

// Language implements [runner.Harness]. TypeScript may be changed as well.
func (Harness) Language() lang.Language { return lang.JavaScript }

// Takes implements [runner.Harness]: checks whose command is one of the runners', see [readCommand], or runs a script that tells tests as one
// of them does: whether one is all there is to the script is seen when its tests are asked for.
func (Harness) Takes(c check.Check) bool {
	if _, ok := readCommand(c); ok {
		return true
	}
	_, known := runners[c.Parser]
	return known && c.RunsScript()
}

// oldest is the first version of Node that is good enough.
const oldest = 18

// Suites implements [runner.Harness]: one suite for each file that failing tests stand in; where node:test never ended, also for each that does not end.
func (Harness) Suites(ctx context.Context, job runner.Job) ([]runner.Suite, error) {
	if direct, ok := job.Check.Direct(job.Place.Root()); ok {
		job.Check = direct
	}
	cmd, ok := readCommand(job.Check)
	if !ok {
		return nil, fmt.Errorf("%s does more than start node:test, jest, vitest, mocha or tape: %w", strings.Join(job.Check.Run, " "), runner.ErrForeign)
	}
	if err := available(ctx, job); err != nil {
		return nil, err
	}
	files, err := testFiles(ctx, job, cmd)
	if err != nil {
		return nil, err
	}
	if len(job.Failing) == 0 { // it never ended: what fails, or never ends, when each file has its time
		for _, f := range files {
			job.Failing = append(job.Failing, f.ids(parse.Fail)...)
		}
	}
	var out []runner.Suite
	for i, f := range files {
		if len(f.failing(job.Failing)) > 0 {
			out = append(out, newSuite(job, cmd, files, i))
		}
	}
	slices.SortStableFunc(out, func(a, b runner.Suite) int { return len(b.Failing()) - len(a.Failing()) })
	return out, nil
}

// available asks for Node's version.
func available(ctx context.Context, job runner.Job) error {
	r, err := job.Place.Run(ctx, proc.Cmd{Argv: []string{"node", "--version"}, Dir: job.Place.Root(), Env: environ(job.Check, nil), Limits: proc.Limits{Time: time.Minute}})
	if err != nil {
		return fmt.Errorf("ask for Node's version: %w", err)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	said := strings.TrimSpace(r.Stdout.String())
	major, err := strconv.Atoi(strings.TrimPrefix(strings.SplitN(said, ".", 2)[0], "v"))
	switch {
	case !r.OK() || err != nil:
		return fmt.Errorf("node --version: %s: %q", r.Ended, said)
	case major < oldest:
		return fmt.Errorf("node is %s; tests are run here from version %d on", said, oldest)
	}
	return nil
}

// environ is the environment of what is run for a check.
func environ(c check.Check, extra map[string]string) []string {
	env := map[string]string{}
	for _, m := range []map[string]string{c.Env, extra} {
		for k, v := range m {
			env[k] = v
		}
	}
	return proc.Environ(env)
}

// testFile is a file with tests, and how they came out.
type testFile struct {
	path  string
	tests []test
}

type test struct {
	id      string
	outcome parse.Outcome
	took    time.Duration
}

func (f testFile) ids(outcome parse.Outcome) []string {
	var out []string
	for _, t := range f.tests {
		if t.outcome == outcome && !slices.Contains(out, t.id) {
			out = append(out, t.id)
		}
	}
	return out
}

// failing are those of the file's tests that fail and are among the wanted.
func (f testFile) failing(wanted []string) []string {
	return slices.DeleteFunc(f.ids(parse.Fail), func(id string) bool { return !slices.Contains(wanted, id) })
}

// passing are its tests that pass; those that hold a failing one are none.
func (f testFile) passing() []string {
	return slices.DeleteFunc(f.ids(parse.Pass), func(id string) bool { return id == f.path })
}

// testFiles are the files with tests, as their ids tell it. Those of node:test and tape do not: there a program of ours listens to a run.
func testFiles(ctx context.Context, job runner.Job, cmd command) ([]testFile, error) {
	var files []testFile
	add := func(file string, t test) {
		i := slices.IndexFunc(files, func(f testFile) bool { return f.path == file })
		if i < 0 {
			i = len(files)
			files = append(files, testFile{path: file})
		}
		files[i].tests = append(files[i].tests, t)
	}
	if cmd.dialect == "node" || cmd.dialect == "tape" {
		if err := survey(ctx, job, cmd, add); err != nil {
			return nil, err
		}
	} else {
		for id, outcome := range job.Baseline.Tests {
			if file, _, ok := strings.Cut(id, "::"); ok {
				add(file, test{id: id, outcome: outcome})
			}
		}
		for i := range files {
			slices.SortFunc(files[i].tests, func(a, b test) int { return strings.Compare(a.id, b.id) })
		}
	}
	for _, id := range job.Failing { // of files that break before they have a test, and tests that were not reached this time
		if slices.ContainsFunc(files, func(f testFile) bool { return slices.Contains(f.ids(parse.Fail), id) }) {
			continue
		}
		if file := fileOf(id, job.Baseline); file != "" {
			if _, err := job.Place.ReadFile(file); err == nil {
				add(file, test{id: id, outcome: parse.Fail})
			}
		}
	}
	slices.SortFunc(files, func(a, b testFile) int { return strings.Compare(a.path, b.path) })
	return files, nil
}

// fileOf is the file in which a failing test stands, by its id or by what was found; "" if that does not tell.
func fileOf(id string, baseline check.Result) string {
	if file, _, _ := strings.Cut(id, "::"); isSource(file) {
		return file
	}
	for _, d := range baseline.Diagnostics {
		if d.Test != id {
			continue
		}
		for _, f := range append(slices.Clone(d.Frames), diag.Frame{File: d.File}) {
			if isSource(f.File) && lang.IsTest(f.File) {
				return f.File
			}
		}
	}
	return ""
}

// isSource reports whether a file is JavaScript or TypeScript by its name.
func isSource(file string) bool {
	l := lang.Of(file)
	return (l == lang.JavaScript || l == lang.TypeScript) && !strings.HasSuffix(file, ".d.ts") && !strings.HasSuffix(file, ".d.mts") && !strings.HasSuffix(file, ".d.cts")
}

// owns reports whether a file is source that may be changed.
func owns(file string) bool {
	return isSource(file) && !lang.IsHistory(file) && !lang.IsTest(file) && !lang.IsCheckConfig(file) && !lang.IsGenerated(file, nil) && !strings.Contains("/"+file, "/node_modules/") && path.Clean(file) == file
}

var errAlone = errors.New("the failing tests pass when they are run on their own: there is nothing to search for")
