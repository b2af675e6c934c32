package searchgo_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fettle/internal/check"
	"fettle/internal/check/parse"
	"fettle/internal/diag"
	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/proc"
)

// place is a temporary folder that stands in for a private copy. The fixer never writes to it.
type place struct {
	proc.Host
	root, scratch string
}

func (p place) Root() string                                { return p.root }
func (p place) FS() fs.FS                                   { return os.DirFS(p.root) }
func (p place) Scratch() string                             { return p.scratch }
func (p place) ReadFile(name string) ([]byte, error)        { return os.ReadFile(filepath.Join(p.root, name)) }
func (p place) Changes(context.Context) (edit.Patch, error) { return nil, nil }
func (p place) Reset(context.Context) error                 { return nil }

func lay(t testing.TB, files map[string]string) place {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := place{root: root, scratch: t.TempDir()}
	for name, text := range files {
		name = filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// task runs the tests as a check would and makes the task of what fails.
func task(t testing.TB, p place) fix.Task { t.Helper(); return taskFor(t, p, ample) }

// taskFor is task for tests of which some may not end within the limit.
func taskFor(t testing.TB, p place, limit time.Duration) fix.Task {
	t.Helper()
	c := check.Check{Name: "test", Lang: "go", Run: []string{"go", "test", "-json", "./..."}, Parser: "gotest", Env: map[string]string{"GOFLAGS": "", "GOWORK": "off"}}
	var out bytes.Buffer
	_, err := p.Run(t.Context(), proc.Cmd{Argv: []string{"go", "test", "-json", "-vet=off", "-timeout=" + limit.String(), "./..."}, Dir: p.root, Env: proc.Environ(c.Env), Stdout: &out})
	if err != nil {
		t.Fatal(err)
	}
	module := ""
	if mod, err := os.ReadFile(filepath.Join(p.root, "go.mod")); err == nil {
		module = strings.Fields(string(mod))[1]
	}
	res := check.Result{Check: "test", Tests: map[string]parse.Outcome{}}
	running := map[string]bool{} // a test that was running when its package's time was over has no end of its own
	for dec := json.NewDecoder(&out); dec.More(); {
		var e struct{ Action, Package, Test string }
		if err := dec.Decode(&e); err != nil {
			t.Fatal(err)
		}
		id := path.Join(".", strings.TrimPrefix(strings.TrimPrefix(e.Package, module), "/")) + ":" + e.Test
		switch o := parse.Outcome(e.Action); {
		case e.Test == "":
		case e.Action == "run":
			running[id] = true
		case o == parse.Pass || o == parse.Fail || o == parse.Skip:
			res.Tests[id] = o
			delete(running, id)
		}
	}
	for id := range running {
		res.Tests[id] = parse.Fail
	}
	for _, id := range slices.Sorted(maps.Keys(res.Tests)) {
		if res.Tests[id] == parse.Fail {
			res.Diagnostics = append(res.Diagnostics, diag.Diagnostic{Check: "test", Test: id, Message: "fails"})
		}
	}
	return fix.Task{Check: c, Diagnostics: res.Diagnostics, Baseline: res, Place: p}
}
