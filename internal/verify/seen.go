package verify

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"slices"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/edit"
	"fettle/internal/phrase"
)

// seen plants a fault in each patched file and demands that a check that complained turns red: otherwise that check does
// not look at the file where candidates run (it tests an installed copy, say), and its green proves nothing.
//
// All files get their fault at once; a check that names a file in a new finding has seen it. The rest is planted one by one.
func (v *trial) seen(ctx context.Context) (string, error) {
	checks := v.targetChecks()
	if len(checks) == 0 {
		checks = v.lab.Checks
	}
	blind := v.files()
	if len(blind) == 0 {
		v.ev.Seen = true
		return "the patch only deletes files: there is nowhere to plant a fault", nil
	}
	for _, c := range checks {
		if len(blind) == 0 {
			break
		}
		var err error
		if blind, err = v.blindTo(ctx, c, blind); err != nil {
			return "", err
		}
	}
	blind = slices.DeleteFunc(blind, v.answered)
	if len(blind) > 0 {
		v.refuse("", "no check that complained looks at %s: a fault planted there went unnoticed, so that they pass proves nothing about it", phrase.Some(blind, mostNamed))
		return "a planted fault went unnoticed", nil
	}
	v.ev.Seen = true
	return "a planted fault in each patched file turned a check red", nil
}

// answered reports whether a check's own answer shows that it looks at the file: it named the file on the baseline, and does
// not in the patched copy. Not every tool minds a planted fault (isort reads imports only).
func (v *trial) answered(file string) bool {
	return slices.ContainsFunc(v.ev.Delta.Gone, func(d diag.Diagnostic) bool { return d.File == file && d.Test == "" })
}

// files are the patched files that exist afterwards.
func (v *trial) files() []string {
	var out []string
	for _, c := range v.req.Patch {
		if c.Op != edit.Delete {
			out = append(out, c.Path)
		}
	}
	return out
}

// blindTo plants faults and returns the files whose fault the check did not notice.
func (v *trial) blindTo(ctx context.Context, c check.Check, files []string) ([]string, error) {
	var todo []string
	for _, f := range files {
		if !v.req.Known.Seen[c.Name+"\x00"+f] && c.Concerns(f) {
			todo = append(todo, f)
		}
	}
	elsewhere := slices.DeleteFunc(slices.Clone(files), c.Concerns)
	if len(todo) == 0 {
		return elsewhere, nil
	}
	probe := c
	if narrow, ok := narrowed(c, v.req.Targets); ok {
		probe = narrow
	}
	calm, err := v.lab.one(ctx, v.copy, probe)
	if err != nil {
		return nil, err
	}
	for len(todo) > 0 {
		noticed, err := v.plant(ctx, probe, calm, todo)
		if err != nil {
			return nil, err
		}
		if len(noticed) == 0 {
			break
		}
		for _, f := range noticed {
			v.req.Known.Seen[c.Name+"\x00"+f] = true
		}
		todo = without(todo, noticed)
	}
	return append(todo, elsewhere...), nil
}

// plant puts a fault into all of the files, runs the check, and returns those files whose fault it noticed. When it turned
// red without naming any of them, the first one is tried alone.
func (v *trial) plant(ctx context.Context, c check.Check, calm check.Result, files []string) ([]string, error) {
	red, named, err := v.red(ctx, c, calm, files)
	if err != nil || !red {
		return nil, err
	}
	if len(named) > 0 || len(files) == 1 {
		if len(files) == 1 {
			return files, nil
		}
		return named, nil
	}
	for _, f := range files {
		if red, _, err := v.red(ctx, c, calm, []string{f}); err != nil {
			return nil, err
		} else if red {
			return []string{f}, nil
		}
	}
	return nil, nil
}

// red reports whether the check says something worse with a fault in the files than without, and which files it names.
func (v *trial) red(ctx context.Context, c check.Check, calm check.Result, files []string) (bool, []string, error) {
	fault, err := v.fault(files)
	if err != nil {
		return false, nil, err
	}
	undo, err := fault.Invert(v.copy.Source())
	if err != nil {
		return false, nil, err
	}
	if err := v.copy.Apply(ctx, fault); err != nil {
		return false, nil, fmt.Errorf("plant a fault: %w", err)
	}
	r, err := v.lab.one(ctx, v.copy, c)
	if err != nil {
		return false, nil, err
	}
	if err := v.copy.Apply(ctx, undo); err != nil {
		return false, nil, fmt.Errorf("take the planted fault out again: %w", err)
	}
	worse := diag.Compare(calm.Diagnostics, r.Diagnostics)
	fresh := slices.Concat(worse.New, worse.Unmasked)
	var named []string
	for _, f := range files {
		if slices.ContainsFunc(fresh, func(d diag.Diagnostic) bool { return d.File == f }) {
			named = append(named, f)
		}
	}
	turned := calm.Status == check.Passed && r.Status != check.Passed
	return turned || len(fresh) > 0 || len(Broken(calm.Tests, r.Tests)) > 0, named, nil
}

// fault is a patch that puts a line into each file that no language of ours can read.
func (v *trial) fault(files []string) (edit.Patch, error) {
	line := fmt.Appendf(nil, ")fettle planted this fault %s(\n", rand.Text())
	var p edit.Patch
	for _, path := range files {
		f, err := v.copy.Source()(path)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		at := 0
		if bytes.HasPrefix(f.Data, []byte("#!")) { // a program must still start
			at = bytes.IndexByte(f.Data, '\n') + 1
		}
		p = append(p, edit.Change{Path: path, Op: edit.Modify, Base: edit.Sum(f.Data), Edits: []edit.Edit{{Start: at, End: at, New: line}}})
	}
	return p, nil
}
