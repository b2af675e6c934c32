package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"fettle/internal/locate"
	"fettle/internal/report"
	"fettle/internal/verdict"
)

type bench struct {
	fettle, clone string
	places        bool // fettle fix is not asked
}

// Result is what fettle made of a bug.
type Result struct {
	Bug
	Seen   bool    // a test fails, and could be traced
	Place  int     // of the first stretch of lines that the fix changed, in the order of suspicion, from 1; zero: not among them
	Lines  int     // that were ranked before it ended, in its suite
	Locate float64 // seconds
	Fixed  string  // what fettle fix did; empty: it was not asked
	Patch  string  // its diff
	Fix    float64 // seconds
	Note   string
}

func (r Result) String() string {
	return fmt.Sprintf("%s  %-28s place %3d of %3d, %5.1f s; %s, %5.1f s  %s", r.SHA[:9], r.File, r.Place, r.Lines, r.Locate, r.Fixed, r.Fix, r.Note)
}

// most lines that fettle locate is asked for, and what each command may take.
const (
	most  = 200
	limit = 6 * time.Minute
)

func (b *bench) measure(ctx context.Context, bug Bug) (Result, error) {
	r := Result{Bug: bug}
	dir, err := os.MkdirTemp("", "fettle-locate-")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(dir)
	repo := filepath.Join(dir, "repo")
	if err := b.layOut(ctx, repo, bug); err != nil {
		return r, err
	}
	diff, err := b.git(ctx, "diff", "--unified=0", bug.SHA+"^", bug.SHA, "--", bug.File)
	if err != nil {
		return r, err
	}
	home := filepath.Join(dir, "home")

	var places report.Places
	began := time.Now()
	if err := b.ask(ctx, repo, home, &places, "locate", "--json", "-n", strconv.Itoa(most)); err != nil {
		r.Note = err.Error()
	}
	r.Locate = time.Since(began).Seconds()
	r.rank(places, touched(diff))
	if b.places {
		return r, nil
	}

	var session report.Session
	began = time.Now()
	if err := b.ask(ctx, repo, home, &session, "fix", "--json", "--quiet"); err != nil {
		r.Note = err.Error()
	}
	r.Fix = time.Since(began).Seconds()
	r.Fixed = "left"
	changes := 0
	for _, round := range session.Iterations {
		changes += len(round.Changes)
	}
	switch {
	case session.End == verdict.Converged:
		r.Fixed = "healed"
	case changes > 0:
		r.Fixed = "changed"
	}
	r.Patch, err = output(ctx, repo, "git", "diff")
	return r, err
}

// layOut makes a repository of the project as the fix left it, but for the file that it mended.
func (b *bench) layOut(ctx context.Context, repo string, bug Bug) error {
	if err := os.MkdirAll(repo, 0o755); err != nil {
		return err
	}
	archive, err := b.git(ctx, "archive", bug.SHA)
	if err != nil {
		return err
	}
	unpack := exec.CommandContext(ctx, "tar", "-x", "-C", repo)
	unpack.Stdin = strings.NewReader(archive)
	if out, err := unpack.CombinedOutput(); err != nil {
		return fmt.Errorf("unpack: %w: %s", err, out)
	}
	before, err := b.git(ctx, "show", bug.SHA+"^:"+bug.File)
	if err != nil {
		return err
	}
	files := map[string]string{bug.File: before, "fettle.yaml": "version: 1\nchecks:\n  test:\n    run: go test ./...\nlimits:\n  confidence: 0\n  iterations: 1\n"}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(repo, filepath.FromSlash(name)), []byte(text), 0o644); err != nil {
			return err
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=b", "-c", "user.email=b@localhost", "commit", "-qm", "as it is"}} {
		if out, err := output(ctx, repo, "git", args...); err != nil {
			return fmt.Errorf("git %s: %w: %s", args[0], err, out)
		}
	}
	return nil
}

func (b *bench) git(ctx context.Context, args ...string) (string, error) {
	return output(ctx, b.clone, "git", args...)
}

func output(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s %s: %w: %s", name, args[0], err, errs.String())
	}
	return out.String(), nil
}

// ask runs fettle, as a person would, with a home of its own, and reads the document that it prints.
func (b *bench) ask(ctx context.Context, repo, home string, doc any, args ...string) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, b.fettle, args...)
	cmd.Dir = repo
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+home)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // it ends its children itself
	cmd.WaitDelay = 20 * time.Second
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return err
	}
	if err := json.Unmarshal(out.Bytes(), doc); err != nil {
		return fmt.Errorf("fettle %s wrote no report: %s", args[0], strings.TrimSpace(errs.String()))
	}
	return nil
}

// touched are the lines of the old file that a diff without context changes. What it only puts in stands between two lines: both count.
func touched(diff string) map[int]bool {
	lines := map[int]bool{}
	for line := range strings.Lines(diff) {
		rest, ok := strings.CutPrefix(line, "@@ -")
		if !ok {
			continue
		}
		old, _, _ := strings.Cut(rest, " ")
		first, count, more := strings.Cut(old, ",")
		start, _ := strconv.Atoi(first)
		n := 1
		if more {
			n, _ = strconv.Atoi(count)
		}
		if n == 0 {
			lines[start], lines[start+1] = true, true
		}
		for i := range n {
			lines[start+i] = true
		}
	}
	return lines
}

// rank is the best place, in any suite, of a line that the fix changed.
func (r *Result) rank(places report.Places, lines map[int]bool) {
	for _, s := range places.Suites {
		r.Seen = true
		for i, l := range s.Lines {
			if r.Place > 0 && i+1 >= r.Place {
				break
			}
			if hits(l.Suspect, r.File, lines) {
				r.Place, r.Lines = i+1, len(s.Lines)+s.More
				break
			}
		}
		if r.Place == 0 {
			r.Lines = max(r.Lines, len(s.Lines)+s.More)
		}
	}
}

func hits(s locate.Suspect, file string, lines map[int]bool) bool {
	for n := s.Line; s.File == file && n <= s.EndLine; n++ {
		if lines[n] {
			return true
		}
	}
	return false
}
