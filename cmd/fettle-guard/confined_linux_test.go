package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fettle/internal/guard/confine"
	"fettle/internal/guard/setup"
	"fettle/internal/testenv"
	"fettle/internal/testenv/fakemodel"
)

// confined has a client start in bounds, as a person starts it.
func confined(t *testing.T, c client) client {
	t.Helper()
	if err := confine.Supported(); err != nil {
		testenv.Missing(t, err.Error())
	}
	c.within = []string{filepath.Join(fettles.In(t), "fettle"), "guard", "confine", "--"}
	return c
}

// apart gives a yard a folder for temporary files in which its home does not lie.
func (y *yard) apart() {
	y.t.Helper()
	tmp := filepath.Join(filepath.Dir(y.home), "tmp")
	if err := os.Mkdir(tmp, 0o755); err != nil {
		y.t.Fatal(err)
	}
	y.env = append(y.env, "TMPDIR="+tmp)
}

// ofHome are the differences that are not the project's, nor of what clients of agents keep in a home.
func ofHome(diffs []string) []string {
	return slices.DeleteFunc(diffs, func(d string) bool {
		_, name, _ := strings.Cut(d, ": ")
		return strings.HasPrefix(name, "home/work/") || strings.HasPrefix(name, "origin.git/")
	})
}

// TestConfinedHarm: real clients whose agents do all the harm that there is, with no guard to refuse any, lose nothing of a home but the project when they were started in bounds. What harm is done without
// bounds, TestHarm shows.
func TestConfinedHarm(t *testing.T) {
	for _, c := range clients {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c, y := confined(t, c), newYard(t)
			y.apart()
			script := slices.DeleteFunc(harm(y), func(call fakemodel.Call) bool { // modes of files can be changed: nothing is lost by that
				command, _ := call.Input["command"].(string)
				return strings.HasPrefix(command, "chmod ")
			})
			script = append(script, deep(y)...)
			before := y.state()
			for part := range parts(script) {
				c.run(y, part)
			}
			if diffs := ofHome(compare(before, y.state())); len(diffs) > 0 {
				t.Errorf("it was lost:\n%s", strings.Join(diffs, "\n"))
			}
		})
	}
}

// deep is a home that is named in one file, a deletion in another, and a way of starting that says nothing of either.
func deep(y *yard) []fakemodel.Call {
	write := func(name, text string) fakemodel.Call {
		return fakemodel.Call{Tool: "Write", Input: map[string]any{"file_path": filepath.Join(y.project, name), "content": text}}
	}
	return []fakemodel.Call{
		write("place.json", `{"out": "`+filepath.Join(y.home, "Documents")+`"}`+"\n"),
		write("tidy.py", "import json, shutil\n\ndef tidy(o):\n    shutil.rmtree(o.out)\n"),
		write("run.py", "import json, types\nimport tidy\n\ntidy.tidy(types.SimpleNamespace(**json.load(open('place.json'))))\n"),
		bash("python3 run.py")[0],
	}
}

// TestDeep: without bounds the files are gone.
func TestDeep(t *testing.T) {
	testenv.NeedTool(t, "python3")
	y := newYard(t)
	for _, call := range deep(y) {
		y.do(call)
	}
	if _, err := os.Stat(filepath.Join(y.home, "Documents")); err == nil {
		t.Error("it does no harm")
	}
}

// TestConfinedWork: in bounds, and guarded, the real clients' agents do what they do all day, and so does the guard: it holds its canary, remembers and writes its log.
func TestConfinedWork(t *testing.T) {
	guard := program(t)
	for _, c := range clients {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c, y := confined(t, c), newYard(t)
			y.apart()
			y.guard(c.kind, guard)
			heard := c.run(y, work(y))
			for _, bad := range []string{"Permission denied", "EACCES"} {
				if i := strings.Index(heard, bad); i >= 0 {
					t.Errorf("work was refused: …%s", heard[max(0, i-300):min(len(heard), i+300)])
				}
			}
			y.worked(heard)
			state := filepath.Join(y.home, ".local", "state", "fettle", "guard")
			proof, err := os.ReadFile(filepath.Join(state, "canary-"+string(c.kind)+".json"))
			if holds := c.newer || c.kind == setup.Codex; holds && (err != nil || strings.Contains(string(proof), `"why"`)) { // an old client does not wait for what it starts when a session begins
				t.Errorf("the canary said %s, %v", proof, err)
			}
			if logs, err := filepath.Glob(filepath.Join(state, "log", "*.jsonl")); err != nil || len(logs) == 0 {
				t.Errorf("there is no log: %v", err)
			}
			if _, err := os.Stat(filepath.Join(y.home, ".bashrc")); err != nil {
				t.Error(err)
			}
		})
	}
}
