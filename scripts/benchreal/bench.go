package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"fettle/internal/check"
	"fettle/internal/report"
	"fettle/scripts/release"
)

// bench measures projects and keeps what it has measured in a folder of the user's cache: archives, trees, results.
type bench struct {
	fettle, build string // the program and its checksum
	cache         string
	force         bool
	limit         time.Duration
	say           func(format string, args ...any)
}

// Result is all that was measured of a project.
type Result struct {
	Project  Project            `json:"-"`
	Build    string             `json:"build"`   // checksum of the fettle that was measured
	Stamp    string             `json:"stamp"`   // of the project's file
	Tools    []string           `json:"tools"`   // name and version
	Seconds  float64            `json:"seconds"` // of fettle run on the project as it is
	Sessions map[string]Session `json:"sessions"`
}

// together is the key of the session with all faults; the others have the fault's place in the list.
const together = "all"

func (p Project) stamp() string {
	b, err := json.Marshal(p)
	if err != nil {
		return "" // never equal to a stored one: strings and slices can always be marshalled
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}

// project measures one project: what is missing of it, or all of it.
func (b *bench) project(ctx context.Context, p Project) error {
	b.say("%s %s (%s)", p.Name, p.Version, p.Language)
	r := b.load(p)
	if r.Build != b.build || r.Stamp != p.stamp() || b.force {
		r = Result{Build: b.build, Stamp: p.stamp(), Sessions: map[string]Session{}}
	}
	r.Project = p
	if len(r.Sessions) == len(p.Faults)+1 {
		b.say("  is measured already")
		return nil
	}
	archive, err := p.Fetch(ctx, filepath.Join(b.cache, "archives"))
	if err != nil {
		return err
	}
	t, err := layOut(ctx, p, archive, filepath.Join(b.cache, "trees", p.Name), p.layout())
	if err != nil {
		return err
	}
	if err := b.sound(ctx, t, &r); err != nil {
		return err
	}
	for i := 0; i <= len(p.Faults); i++ {
		key, put := strconv.Itoa(i), []int{i}
		if i == len(p.Faults) {
			key, put = together, all(len(p.Faults))
		}
		if _, done := r.Sessions[key]; done {
			continue
		}
		s, err := t.measure(ctx, b.fettle, put, b.limit)
		if err != nil {
			return fmt.Errorf("session %s: %w", key, err)
		}
		r.Sessions[key] = s
		if err := b.store(r); err != nil {
			return err
		}
		b.tell(p, key, s)
	}
	return nil
}

func all(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// layout identifies what the tree is made of, the faults aside.
func (p Project) layout() string {
	p.Faults, p.Checks = nil, nil
	return p.stamp()
}

// sound proves that looking finds the checks that the project has and that all of them are green before anything is put in.
func (b *bench) sound(ctx context.Context, t *tree, r *Result) error {
	if err := t.Restore(ctx); err != nil {
		return err
	}
	before, err := t.look(ctx)
	if err != nil {
		return err
	}
	began := time.Now()
	seen, err := t.check(ctx, b.fettle)
	if err != nil {
		return err
	}
	r.Seconds = time.Since(began).Seconds()
	var names, red []string
	for _, c := range seen.Checks {
		names = append(names, c.Check)
		if c.Status != check.Passed {
			red = append(red, firstWords(c))
		}
	}
	want := slices.Clone(t.Checks)
	slices.Sort(names)
	slices.Sort(want)
	if !slices.Equal(names, want) {
		return fmt.Errorf("fettle finds the checks %s, not %s", strings.Join(names, ", "), strings.Join(want, ", "))
	}
	if len(red) > 0 {
		return fmt.Errorf("it is not green as it is: %s", strings.Join(red, "; "))
	}
	now, err := t.look(ctx)
	if err != nil {
		return err
	}
	if d := now.differs(before); len(d) > 0 {
		return fmt.Errorf("fettle run changed the tree: %s", some(d))
	}
	r.Tools, err = versions(ctx, t)
	return err
}

func firstWords(c report.CheckReport) string {
	if len(c.Diagnostics) == 0 {
		return c.Check + ": " + c.Reason
	}
	d := c.Diagnostics[0]
	return fmt.Sprintf("%s: %s:%d: %s (%d findings)", c.Check, d.File, d.Range.Start.Line, d.Message, len(c.Diagnostics))
}

// tell says in one line what a session came to.
func (b *bench) tell(p Project, key string, s Session) {
	var fates []string
	for _, o := range s.Faults {
		fates = append(fates, fmt.Sprintf("%s %s (seen: %s)", p.Faults[o.Fault].Kind, o.Fate, o.Named))
	}
	b.say("  %-4s %-10s exit %d  %5.1f s  %d rounds  %s", key, s.End, s.Exit, s.Seconds, s.Rounds, strings.Join(fates, ", "))
	for _, t := range s.Troubles {
		b.say("       TROUBLE: %s", t)
	}
}

func (b *bench) file(p Project) string { return filepath.Join(b.cache, "results", p.Name+".json") }

// load reads what was measured of a project; nothing where nothing was, or where it cannot be read.
func (b *bench) load(p Project) Result {
	var r Result
	data, err := os.ReadFile(b.file(p))
	if err != nil || json.Unmarshal(data, &r) != nil {
		return Result{}
	}
	return r
}

func (b *bench) store(r Result) error {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	name := b.file(r.Project)
	return errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name+".new", data, 0o644), os.Rename(name+".new", name))
}

// stored are the results of the projects that were measured as they are now, by whichever fettle.
func (b *bench) stored(projects []Project) ([]Result, error) {
	var out []Result
	for _, p := range projects {
		if _, err := os.Stat(b.file(p)); errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return nil, err
		}
		if r := b.load(p); r.Stamp == p.stamp() {
			r.Project = p
			out = append(out, r)
		}
	}
	return out, nil
}

// versions are the names and versions of what judges the project, as its own tools tell them.
func versions(ctx context.Context, t *tree) ([]string, error) {
	commands := map[string][]string{
		"Go": {"go version"}, "Python": {".venv/bin/python --version"}, "JavaScript": {"node --version"},
		"Rust": {"cargo --version", "cargo clippy --version", "cargo fmt --version"}, "Java": {"mvn --version"},
	}
	var out []string
	for _, c := range append(commands[t.Language], t.Versions...) {
		words := strings.Fields(c)
		printed, err := release.Capture(ctx, t.Dir, t.Env, words...)
		if err != nil {
			return nil, err
		}
		first, _, _ := strings.Cut(strings.TrimSpace(plain(string(printed))), "\n")
		if first = strings.TrimPrefix(first, "Version "); !strings.Contains(first, " ") { // a bare number: say whose
			first = filepath.Base(words[0]) + " " + first
		}
		out = append(out, first)
	}
	return out, nil
}
