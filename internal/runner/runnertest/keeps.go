package runnertest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"fettle/internal/check"
	"fettle/internal/edit"
	"fettle/internal/runner"
	"fettle/internal/workspace"
)

// Kept is a project with a fault, and candidates for it that do something to the project's own files.
type Kept struct {
	Files  string // a txtar archive
	Check  check.Check
	File   string   // where candidates change something
	Does   string   // what stands there, and does nothing to the files
	Wrong  []string // what stands there with the wrong candidates
	Fault  string
	Rights []string // what heals it, one for each wrong candidate, no two alike
}

// harmless is how many candidates there are between two that do something to files: wrong ones that do nothing.
const harmless = 6

// Keeps has a harness try candidates that remove and overwrite what the tests need, each with a right one behind it, in a private copy. Every right one has to
// be found, nothing else, and the copy has to be whole in the end.
func Keeps(t *testing.T, h runner.Harness, k Kept) {
	t.Helper()
	c := k.open(t)
	job := runner.Job{Place: c, Check: k.Check}
	results, err := check.Run(t.Context(), c, []check.Check{k.Check}, check.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	job.Baseline = results[0]
	if job.Failing = runner.Failing(k.Check, job.Baseline.Diagnostics); len(job.Failing) == 0 {
		t.Fatalf("nothing fails: %s %s", results[0].Status, results[0].Tail)
	}
	suites, err := h.Suites(t.Context(), job)
	if err != nil || len(suites) != 1 {
		t.Fatalf("%d suites: %v", len(suites), err)
	}
	defer func() {
		if err := suites[0].Close(); err != nil {
			t.Error(err)
		}
	}()
	before, err := c.Changes(t.Context()) // what the check itself has made
	if err != nil {
		t.Fatal(err)
	}
	candidates, right := k.candidates(t, c)
	told := 0
	for trial, err := range suites[0].TryAll(t.Context(), slices.Values(candidates)) {
		if err != nil {
			t.Fatal(err)
		}
		told++
		if trial.Plausible != right[trial.Index] {
			t.Errorf("candidate %d, %s: plausible %t, %q", trial.Index, candidates[trial.Index][0].Edits[0].New, trial.Plausible, trial.Note)
		}
		if trial.Plausible && trial.Used <= 0 {
			t.Errorf("candidate %d is plausible, and what had been used by then is not told", trial.Index)
		}
	}
	if told != len(candidates) {
		t.Errorf("%d trials of %d candidates", told, len(candidates))
	}
	if after, err := c.Changes(t.Context()); err != nil || !reflect.DeepEqual(after, before) {
		t.Errorf("changed in the end: %v, not %v: %v", after.Paths(), before.Paths(), err)
	}
}

// open lays the project and opens a private copy of it.
func (k *Kept) open(t *testing.T) *workspace.Copy {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range txtar.Parse([]byte(k.Files)).Files {
		name := filepath.Join(root, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c, err := workspace.OpenCopy(t.Context(), workspace.CopyOptions{Root: root, State: filepath.Join(t.TempDir(), "copy"), Network: workspace.NetworkLoopback})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// candidates are all of them, and which are right.
func (k *Kept) candidates(t *testing.T, place check.Place) (all []edit.Patch, right map[int]bool) {
	t.Helper()
	src, err := place.ReadFile(k.File)
	if err != nil {
		t.Fatal(err)
	}
	add := func(was, is string) {
		at := bytes.Index(src, []byte(was))
		if at < 0 {
			t.Fatalf("%q is not in %s", was, k.File)
		}
		e := edit.Edit{Start: at, End: at + len(was), New: []byte(is)}
		all = append(all, edit.Patch{{Path: k.File, Op: edit.Modify, Base: edit.Sum(src), Edits: []edit.Edit{e}}})
	}
	right = map[int]bool{}
	for i, wrong := range k.Wrong {
		for n := range harmless {
			add(k.Does, strings.ReplaceAll(k.Does, "nothing", fmt.Sprintf("nothing%d", i*harmless+n)))
		}
		add(k.Does, wrong)
		add(k.Fault, k.Rights[i])
		right[len(all)-1] = true
	}
	return all, right
}
