// Package plugin answers "what does a program of the user's propose?": any executable is a fixer that reads one JSON task on
// its standard input and prints JSON candidates.
//
// It runs in a private copy of the repository, with bounded time and output; whatever it changes there is forgotten, and
// only what it prints counts. It is taken at its word whole or not at all: an exit code other than 0, output that is not
// what docs/plugins.md describes, or one candidate that does not fit its file is an error that names the plug-in and the
// reason, and none of its candidates is used.
package plugin

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"os/exec"
	"slices"
	"strings"
	"time"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/fix"
	"fettle/internal/locate"
	"fettle/internal/proc"
)

// What a plug-in may take.
const (
	DefaultTime = 10 * time.Minute // when its configuration names no time
	OutputLimit = 10 << 20         // bytes of standard output and standard error together
)

type fixer struct{ p check.Plugin }

// New is the fixer that runs one configured program. Its name is the plug-in's name.
func New(p check.Plugin) fix.Fixer { return fixer{p} }

func (f fixer) Name() string { return f.p.Name }

func (fixer) Rung() fix.Rung { return fix.RungPlugin }

// Takes reports whether the plug-in is configured for the check, by its name or its kind.
func (f fixer) Takes(c check.Check, _ diag.Diagnostic) bool {
	return len(f.p.Checks) == 0 || slices.Contains(f.p.Checks, c.Name) || slices.Contains(f.p.Checks, c.Kind())
}

// Propose runs the plug-in to its end, and hands out its candidates in the order in which it printed them.
func (f fixer) Propose(ctx context.Context, t fix.Task) iter.Seq2[fix.Candidate, error] {
	return func(yield func(fix.Candidate, error) bool) {
		all, err := f.ask(ctx, t)
		if err != nil {
			yield(fix.Candidate{}, fmt.Errorf("plug-in %s: %w", f.p.Name, err))
			return
		}
		for _, c := range all {
			if !yield(c, nil) {
				return
			}
		}
	}
}

// ask runs the program and reads its answer against the baseline, to which the place is taken back first.
func (f fixer) ask(ctx context.Context, t fix.Task) ([]fix.Candidate, error) {
	source := fix.Source(t.Place)
	suspects, err := where(ctx, t)
	if err != nil {
		return nil, err
	}
	asked, err := question(t, suspects, source)
	if err != nil {
		return nil, err
	}
	answer, err := f.run(ctx, t, asked)
	if err := fix.Restore(ctx, t.Place, err); err != nil {
		return nil, err
	}
	return candidates(f.p.Name, answer, source)
}

// where are the places that may be at fault. A plug-in may do without: what keeps them from being found is only told.
func where(ctx context.Context, t fix.Task) ([]locate.Suspect, error) {
	if t.Suspects == nil {
		return nil, nil
	}
	found, err := t.Suspects(ctx)
	if e := fix.Restore(ctx, t.Place, nil); e != nil {
		return nil, e
	}
	if err != nil && ctx.Err() == nil && t.Note != nil {
		t.Note(fmt.Sprintf("it was not told where the fault may be: %v", err))
	}
	return found, context.Cause(ctx)
}

func (f fixer) run(ctx context.Context, t fix.Task, task []byte) ([]byte, error) {
	limit := f.p.Timeout
	if limit == 0 {
		limit = DefaultTime
	}
	var answer bytes.Buffer
	r, err := t.Place.Run(ctx, proc.Cmd{
		Argv:   f.p.Run,
		Dir:    t.Place.Root(),
		Env:    proc.Environ(nil),
		Stdin:  bytes.NewReader(task),
		Stdout: &answer,
		Limits: proc.Limits{Time: limit, Output: OutputLimit},
	})
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return nil, fmt.Errorf("there is no program %s: %w", f.p.Run[0], err)
	case err != nil:
		return nil, err
	}
	switch r.Ended {
	case proc.Exited:
		if r.Code != 0 {
			return nil, fmt.Errorf("it ended with code %d%s", r.Code, lastWords(r))
		}
		return answer.Bytes(), nil
	case proc.TimedOut:
		return nil, fmt.Errorf("it did not end within %s", limit)
	case proc.OutputLimit:
		return nil, fmt.Errorf("it printed more than %d bytes", OutputLimit)
	case proc.Cancelled:
		return nil, context.Cause(ctx)
	case proc.Signalled:
	}
	return nil, fmt.Errorf("it was ended by a signal: %s%s", r.Signal, lastWords(r))
}

// lastWords is the last line that the program printed to standard error, for people.
func lastWords(r proc.Result) string {
	lines := strings.Split(strings.TrimSpace(r.Stderr.String()), "\n")
	if last := lines[len(lines)-1]; last != "" {
		return ": " + last
	}
	return ""
}
