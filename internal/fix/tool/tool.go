// Package tool answers "what would the tool itself change?": it runs a check's own fix (gofmt -w, ruff check --fix,
// golangci-lint run --fix, …) in a private copy and hands on what changed as a patch. Of a tool that only reports, it takes
// the fixes that the report itself carries.
//
// It claims nothing: that the tool ran says neither that a finding is gone nor that the code still works. It keeps to what
// the findings are about: changes to files out of scope, and to files that no finding names, are left out and the
// explanation says so. What the tool changed in tests and in checks' configurations beyond their form comes as a candidate
// of its own, since a person has to confirm it.
package tool

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/proc"
)

// Name is the fixer's name in reports and after --fixer.
const Name = "tool"

// defaultTime bounds one command of a check that sets no time limit of its own, as for the check itself.
const defaultTime = 10 * time.Minute

// singles is the number of files up to which the files of a patch are also proposed one by one: a tool that breaks one
// file then still heals the others.
const singles = 20

type fixer struct{}

// New is the fixer that runs the tools' own fixes. One value serves every check.
func New() fix.Fixer { return fixer{} }

func (fixer) Name() string { return Name }

func (fixer) Rung() fix.Rung { return fix.RungTool }

// Takes reports whether the check has a fix, written in fettle.yaml or known by its tool, or the finding itself has one or
// carries one, and the fix would be no guess.
func (fixer) Takes(c check.Check, d diag.Diagnostic) bool {
	return len(commands(c, []diag.Diagnostic{d})) > 0 && !guessed(c, d) || carries(c, d)
}

// commands are what mends these findings of a check.
func commands(c check.Check, ds []diag.Diagnostic) [][]string {
	if len(c.Fix) > 0 {
		return c.Fix
	}
	if fix := DefaultFix(c); fix != nil {
		return fix
	}
	if fix := boundFix(c, ds); fix != nil {
		return fix
	}
	return importFix(c, ds)
}

// Propose runs the check's fix in the task's place, takes what changed, and takes the place back to the baseline. After it come
// the fixes that the findings carry, also when the check's own cannot work.
func (fixer) Propose(ctx context.Context, t fix.Task) iter.Seq2[fix.Candidate, error] {
	return func(yield func(fix.Candidate, error) bool) {
		p, failed := run(ctx, t)
		if failed == nil {
			for c := range p.candidates(t) {
				if !yield(c, nil) {
					return
				}
			}
		}
		if ctx.Err() == nil {
			for c, err := range gather(t).candidates(ctx, t) {
				if !yield(c, err) || err != nil {
					return
				}
			}
		}
		if failed != nil {
			yield(fix.Candidate{}, failed)
		}
	}
}

// run runs every command and reads what they changed. The place is at the baseline again afterwards, whatever happened.
func run(ctx context.Context, t fix.Task) (p proposal, err error) {
	defer func() {
		if err = fix.Restore(ctx, t.Place, err); err == nil {
			err = p.readBefore(t.Place)
		}
	}()
	failed, err := p.runAll(ctx, t, commands(t.Check, t.Diagnostics), named(t))
	if err != nil {
		return proposal{}, err
	}
	changes, err := t.Place.Changes(ctx)
	if err == nil && len(changes) == 0 && failed != nil {
		return proposal{}, failed
	}
	if err == nil {
		changes, err = p.format(ctx, t, changes)
	}
	if err != nil {
		return proposal{}, fmt.Errorf("read what the fix of %s changed: %w", t.Check.Name, err)
	}
	return p, p.take(t, changes)
}

// runAll runs the commands of a check's fix for some files.
func (p *proposal) runAll(ctx context.Context, t fix.Task, argvs [][]string, files []string) (failed, err error) {
	for _, argv := range argvs {
		for _, a := range expand(argv, from(t.Check.Dir, files)) {
			e, err := runOne(ctx, t, a)
			if err != nil {
				return nil, err
			}
			failed = errors.Join(failed, e)
		}
		p.commands = append(p.commands, brief(argv))
	}
	return failed, nil
}

// format has the formatters look over what was changed: a linter that takes an import away leaves the blank lines after it.
func (p *proposal) format(ctx context.Context, t fix.Task, changes edit.Patch) (edit.Patch, error) {
	for _, f := range t.Formatters {
		files := slices.DeleteFunc(changes.Paths(), func(path string) bool { return !f.Concerns(path) })
		if len(files) == 0 {
			continue
		}
		said, task := p.commands, t
		task.Check = f
		if _, err := p.runAll(ctx, task, commands(f, nil), files); err != nil {
			return nil, err
		}
		after, err := t.Place.Changes(ctx)
		if err != nil {
			return nil, err
		}
		if after.Digest() == changes.Digest() {
			p.commands = said
		}
		changes = after
	}
	return changes, nil
}

// brief is a command for people, without the list of files that it may have.
func brief(argv []string) string {
	const most = 60
	said := argv[0]
	for i, word := range argv[1:] {
		switch {
		case word == "{files}":
			continue
		case len(said)+len(word) > most:
			return fmt.Sprintf("%s … (%d more)", said, len(argv)-1-i)
		}
		said += " " + word
	}
	return said
}

// hint says how to get a tool, where one command does.
func hint(tool string) string {
	if tool == "goimports" {
		return " (go install golang.org/x/tools/cmd/goimports@latest)"
	}
	return ""
}

// runOne runs one command. Its exit code says little: many tools fail when a finding is left. A code above 1 is given as
// failed, for the case that nothing has changed either.
func runOne(ctx context.Context, t fix.Task, argv []string) (failed, err error) {
	limit := t.Check.Timeout
	if limit == 0 {
		limit = defaultTime
	}
	r, err := t.Place.Run(ctx, proc.Cmd{
		Argv:   argv,
		Dir:    filepath.Join(t.Place.Root(), filepath.FromSlash(t.Check.Dir)),
		Env:    proc.Environ(t.Check.Env),
		Limits: proc.Limits{Time: limit},
	})
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return nil, fmt.Errorf("the fix of %s needs %s, which is not installed%s: %w", t.Check.Name, argv[0], hint(argv[0]), err)
	case err != nil:
		return nil, fmt.Errorf("run the fix of %s: %w", t.Check.Name, err)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case r.Ended != proc.Exited:
		return nil, fmt.Errorf("the fix of %s (%s) did not end by itself: %s", t.Check.Name, strings.Join(argv, " "), r.Ended)
	case r.Code > 1:
		return fmt.Errorf("the fix of %s (%s) ended with code %d and changed nothing: %s", t.Check.Name, strings.Join(argv, " "), r.Code, lastLine(r)), nil
	}
	return nil, nil
}

func lastLine(r proc.Result) string {
	for _, tail := range []proc.Tail{r.Stderr, r.Stdout} {
		if lines := strings.Fields(tail.String()); len(lines) > 0 {
			all := strings.Split(strings.TrimSpace(tail.String()), "\n")
			return all[len(all)-1]
		}
	}
	return "it printed nothing"
}

// named lists the files that the findings name, in scope, in order. It is empty when a finding names none: then any file
// may be the one that has to change.
func named(t fix.Task) []string {
	var files []string
	for _, d := range t.Diagnostics {
		if d.File == "" {
			return nil
		}
		if inScope(t, d.File) {
			files = append(files, d.File)
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// from writes slash paths from the root as a command that runs in dir needs them. None of them can be taken for an option.
func from(dir string, files []string) []string {
	out := make([]string, len(files))
	for i, f := range files {
		rel, err := filepath.Rel(filepath.FromSlash(dir), filepath.FromSlash(f))
		if err != nil {
			rel = f // both are relative, so this cannot be
		}
		if strings.HasPrefix(rel, "-") {
			rel = "." + string(filepath.Separator) + rel
		}
		out[i] = rel
	}
	return out
}

func inScope(t fix.Task, path string) bool { return t.InScope == nil || t.InScope(path) }

// take keeps those of the changes that the findings are about, and reads what the files hold now.
func (p *proposal) take(t fix.Task, changes edit.Patch) error {
	files, guesses := named(t), broken(t.Check, t.Baseline.Diagnostics)
	p.after = make(map[string][]byte)
	for _, c := range changes {
		switch {
		case !inScope(t, c.Path):
			p.outside++
		case len(files) > 0 && !slices.Contains(files, c.Path), guesses[c.Path]:
			p.unnamed++
		default:
			p.kept = append(p.kept, c)
			if c.Op == edit.Delete {
				continue
			}
			b, err := t.Place.ReadFile(c.Path)
			if err != nil {
				return fmt.Errorf("read what the fix of %s wrote: %w", t.Check.Name, err)
			}
			p.after[c.Path] = b
		}
	}
	return nil
}
