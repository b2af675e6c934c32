package node

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fettle/internal/check"
	"fettle/internal/check/parse"
	"fettle/internal/proc"
	"fettle/internal/runner"
)

// surveyed is what the programs serve/survey*.* tell of a test.
type surveyed struct {
	Names   []string
	File    string
	Passed  bool
	Skipped bool
	Suite   bool
	MS      float64
}

// survey runs the user's command with a program of ours that listens.
func survey(ctx context.Context, job runner.Job, cmd command, add func(string, test)) error {
	dir, err := os.MkdirTemp(job.Place.Scratch(), "node-survey-")
	if err != nil {
		return fmt.Errorf("scratch: %w", err)
	}
	defer os.RemoveAll(dir)
	if err := unpack(dir); err != nil {
		return err
	}
	argv, env := cmd.survey(dir, nodeOptions(job.Check), endless(job))
	if cmd.shell {
		argv = []string{"sh", "-c", "exec " + strings.Join(quoted(argv, cmd), " ")}
	}
	root := job.Place.Root()
	type placed struct {
		file string
		test test
	}
	var seen []placed
	failed := map[string]bool{}
	out := &runner.MarkedLines{Each: func(said []byte) {
		var t surveyed
		if json.Unmarshal(said, &t) != nil || t.Suite {
			return
		}
		if file, id := t.id(root, job.Check); file != "" {
			x := test{id: id, outcome: t.outcome(), took: time.Duration(t.MS * float64(time.Millisecond))}
			seen = append(seen, placed{file, x})
			failed[id] = failed[id] || x.outcome == parse.Fail
		}
	}}
	_, err = job.Place.Run(ctx, proc.Cmd{
		Argv: argv, Dir: folder(job), Env: environ(job.Check, env), Stdout: out,
		Limits: proc.Limits{Time: patience(job), Output: 256 << 20},
	})
	switch {
	case err != nil:
		return fmt.Errorf("run the tests to learn where they stand: %w", err)
	case ctx.Err() != nil:
		return ctx.Err()
	}
	for _, x := range seen {
		if x.test.outcome == parse.Pass && job.Baseline.Tests[x.test.id] == parse.Fail && !failed[x.test.id] {
			x.test.outcome = parse.Fail // it passes now and then; of two with that name, one failed again
		}
		add(x.file, x.test)
	}
	return nil // a test that does not end tells nothing; what came before it is known
}

// quoted are words for a shell; positional ones stay as they were, for it to expand.
func quoted(argv []string, cmd command) []string {
	out := make([]string, len(argv))
	for i, w := range argv {
		if i >= len(cmd.program) && !strings.HasPrefix(w, "-") {
			out[i] = w
			continue
		}
		out[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	return out
}

// folder is where a check's commands run.
func folder(job runner.Job) string {
	return filepath.Join(job.Place.Root(), filepath.FromSlash(job.Check.Dir))
}

// patience is how long a run of all tests may take.
func patience(job runner.Job) time.Duration {
	if endless(job) > 0 {
		return mostSurvey
	}
	return 3*job.Baseline.Wall + 30*time.Second
}

// What a file may take where some never ends, and the run of all of them.
const (
	mostFile   = 10 * time.Second
	mostSurvey = 2 * time.Minute
)

// endless is how long each file may take where a test never ends, so that the check could not say which; zero: it has said which tests fail.
func endless(job runner.Job) time.Duration {
	if len(job.Failing) > 0 {
		return 0
	}
	return mostFile
}

var nameEscapes = strings.NewReplacer("\b", `\b`, "\f", `\f`, "\t", `\t`, "\n", `\n`, "\r", `\r`, "\v", `\v`)

// id is the file in which the test stands, and its id.
func (t surveyed) id(root string, c check.Check) (file, id string) {
	names := make([]string, len(t.Names))
	for i, n := range t.Names {
		names[i] = strings.TrimSpace(nameEscapes.Replace(n))
	}
	if rel, ok := inside(root, c, names[0]); ok { // a file that broke, or in which there is no test
		if len(names) > 1 {
			return rel, rel + "::" + strings.Join(names[1:], " > ")
		}
		return rel, rel
	}
	rel, ok := inside(root, c, t.File)
	if !ok {
		return "", ""
	}
	return rel, strings.Join(names, " > ")
}

// inside is the slash path from the root of a source that is named by an absolute path, or by one from the check's folder.
func inside(root string, c check.Check, name string) (string, bool) {
	name = strings.TrimPrefix(name, "file://")
	if !isSource(name) || !strings.Contains(name, "/") {
		return "", false
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(root, filepath.FromSlash(c.Dir), name)
	}
	return runner.Inside(root, name)
}

// outcome is how the test came out just now.
func (t surveyed) outcome() parse.Outcome {
	switch {
	case t.Skipped:
		return parse.Skip
	case t.Passed:
		return parse.Pass
	}
	return parse.Fail
}
