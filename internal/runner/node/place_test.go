package node_test

import (
	"context"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"
	"golang.org/x/tools/txtar"

	"fettle/internal/check"
	"fettle/internal/edit"
	"fettle/internal/proc"
	"fettle/internal/runner"
	"fettle/internal/runner/node"
	"fettle/internal/testenv"
	"fettle/internal/verdict"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(testenv.Tidy(m)) }

// place is a temporary folder that stands in for a private copy.
type place struct {
	proc.Host
	root, scratch string
}

func (p place) Root() string                         { return p.root }
func (p place) FS() fs.FS                            { return os.DirFS(p.root) }
func (p place) Scratch() string                      { return p.scratch }
func (p place) ReadFile(path string) ([]byte, error) { return os.ReadFile(filepath.Join(p.root, path)) }

func lay(t testing.TB, files map[string]string) place {
	t.Helper()
	testenv.NeedTool(t, "node")
	p := place{root: t.TempDir(), scratch: t.TempDir()}
	for name, text := range files {
		full := filepath.Join(p.root, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func archive(text string) map[string]string {
	files := map[string]string{}
	for _, f := range txtar.Parse([]byte(text)).Files {
		files[f.Name] = string(f.Data)
	}
	return files
}

// nodeTest is the check of node:test.
func nodeTest(words ...string) check.Check {
	return check.Check{Name: "test", Lang: "javascript", Parser: "tap", Run: slices.Concat([]string{"node", "--test", "--test-reporter=tap"}, words)}
}

// suites are those of the check's failing tests.
func suites(t testing.TB, p check.Place, c check.Check) []runner.Suite {
	t.Helper()
	results, err := check.Run(t.Context(), p, []check.Check{c}, check.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r := results[0]
	var failing []string
	for _, d := range r.Diagnostics {
		if d.Test != "" && !slices.Contains(failing, d.Test) {
			failing = append(failing, d.Test)
		}
	}
	if len(failing) == 0 {
		t.Fatalf("nothing fails: %s %s\n%s", r.Status, r.Reason, r.Tail)
	}
	h := node.New()
	if !h.Takes(c) {
		t.Fatalf("%v is not taken", c.Run)
	}
	out, err := h.Suites(t.Context(), runner.Job{Place: p, Check: c, Baseline: r, Failing: failing})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range out {
		t.Cleanup(func() {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	return out
}

func suite(t testing.TB, p check.Place, c check.Check) runner.Suite {
	t.Helper()
	all := suites(t, p, c)
	if len(all) == 0 {
		t.Fatal("there is no suite")
	}
	return all[0]
}

// replace is the patch that replaces the first occurrence of was in a file.
func replace(t testing.TB, p check.Place, path, was, is string) edit.Patch {
	t.Helper()
	src, err := p.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	i := strings.Index(string(src), was)
	if i < 0 {
		t.Fatalf("%q is not in %s", was, path)
	}
	e := edit.Edit{Start: i, End: i + len(was), New: []byte(is)}
	return edit.Patch{{Path: path, Op: edit.Modify, Base: edit.Sum(src), Edits: []edit.Edit{e}}}
}

// tryAll gathers the trials by index.
func tryAll(t testing.TB, s runner.Suite, candidates iter.Seq[edit.Patch]) map[int]verdict.Trial {
	t.Helper()
	out := map[int]verdict.Trial{}
	for trial, err := range s.TryAll(context.WithoutCancel(t.Context()), candidates) {
		if err != nil {
			t.Fatal(err)
		}
		if _, twice := out[trial.Index]; twice {
			t.Fatalf("candidate %d has two trials", trial.Index)
		}
		out[trial.Index] = trial
	}
	return out
}

type editPatch = edit.Patch

var traceAll = runner.TraceOptions{Values: true}

// modules links the tools that make deps has installed into the place.
func modules(t testing.TB, p place, program string) {
	t.Helper()
	bin := filepath.Dir(testenv.NeedTool(t, program))
	if err := os.Symlink(filepath.Dir(bin), filepath.Join(p.root, "node_modules")); err != nil {
		t.Fatal(err)
	}
}

var mochaTest = check.Check{Name: "test", Lang: "javascript", Parser: "mocha", Run: []string{"node_modules/.bin/mocha", "--reporter", "json", "--reporter-option", "output={report}"}}
