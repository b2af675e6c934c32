package check_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/testenv"
)

// inGit puts everything of a place into the index of a new git repository, which runners of hooks need.
func inGit(t *testing.T, p place) {
	t.Helper()
	testenv.NeedTool(t, "git")
	t.Setenv("PRE_COMMIT_HOME", t.TempDir())
	t.Setenv("PREK_HOME", t.TempDir())
	for _, argv := range [][]string{{"init", "-q", "."}, {"add", "-A"}} {
		cmd := exec.Command("git", argv...)
		cmd.Dir = p.root
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
}

// fixed runs the fix of a check where it stands.
func fixed(t *testing.T, p place, c check.Check) {
	t.Helper()
	for _, argv := range c.Fix {
		cmd := exec.Command(argv[0], argv[1:]...)
		cmd.Dir, cmd.Env = filepath.Join(p.root, c.Dir), os.Environ()
		for k, v := range c.Env {
			cmd.Env = append(cmd.Env, k+"="+v)
		}
		if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
			t.Fatal(err)
		}
	}
}

func write1(t *testing.T, p place, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(p.root, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

const sickC = `
-- Makefile --
.PHONY: all test fmt fmt-check
all: main
main: main.c lib/lib.c
	$(MAKE) -C lib
	$(CC) -o main main.c lib/lib.o
test: main
	./main
fmt-check:
	@! grep -n 'BAD' main.c | sed 's/^\([0-9]*\):.*/main.c:\1: warning: bad format [form]/' | grep .
fmt:
	sed -i s/BAD/good/ main.c
-- lib/Makefile --
lib.o: lib.c
	$(CC) -c lib.c
-- lib/lib.c --
int twice(int n) {
	return 2 * m;
}
-- main.c --
#include <assert.h>
int twice(int n); // BAD
int main(void) {
	assert(twice(2) == 5);
	return 0;
}
`

func TestRealMake(t *testing.T) {
	testenv.NeedTool(t, "make")
	testenv.NeedTool(t, "cc")
	t.Setenv("LC_ALL", "C")
	p := newPlace(t, sickC)
	checks, results := discovered(t, p, check.RunOptions{})
	if len(checks) != 3 {
		t.Fatalf("%v", checks)
	}
	build := results["build.make"]
	if build.Status != check.Failed || files(build.Diagnostics) != "lib/lib.c" || build.Diagnostics[0].Masks != diag.MasksCheck || build.Diagnostics[0].Range.Start.Line != 2 {
		t.Errorf("build: %+v", build)
	}
	if r := results["test.make"]; r.Status != check.Failed || files(r.Diagnostics) != "lib/lib.c" {
		t.Errorf("test: %+v", r)
	}
	if r := results["format.make"]; r.Status != check.Failed || files(r.Diagnostics) != "main.c" || r.Diagnostics[0].Rule != "form" {
		t.Errorf("format: %+v", r)
	}
	fixed(t, p, checks["format.make"])
	write1(t, p, "lib/lib.c", "int twice(int n) {\n\treturn 2 * n;\n}\n")
	_, results = discovered(t, p, check.RunOptions{})
	if r := results["test.make"]; r.Status != check.Failed || files(r.Diagnostics) != "main.c" || r.Diagnostics[0].Range.Start.Line != 4 {
		t.Errorf("test that asserts: %+v", r)
	}
	for _, name := range []string{"build.make", "format.make"} {
		if r := results[name]; r.Status != check.Passed {
			t.Errorf("%s: %+v", name, r)
		}
	}
	gone := checks["test.make"]
	gone.Run = []string{"make", "no-such-target"}
	if r := runOne(t, p, gone, check.RunOptions{}); r.Status != check.Broken || !strings.Contains(r.Reason, "no-such-target") {
		t.Errorf("a target that is gone: %+v", r)
	}
}

func TestRealJust(t *testing.T) {
	testenv.NeedTool(t, "just")
	p := newPlace(t, "-- justfile --\ntest:\n    @echo 'a.txt:1:2: error: it is bad'\n    @exit 3\nlint: test\n-- a.txt --\nbad\n")
	checks, results := discovered(t, p, check.RunOptions{})
	if r := results["test.just"]; r.Status != check.Failed || files(r.Diagnostics) != "a.txt" || r.Diagnostics[0].Message != "it is bad" {
		t.Errorf("%+v", r)
	}
	gone := checks["lint.just"]
	gone.Run = []string{"just", "no-such-recipe"}
	if r := runOne(t, p, gone, check.RunOptions{}); r.Status != check.Broken || !strings.Contains(r.Reason, "no-such-recipe") {
		t.Errorf("a recipe that is gone: %+v", r)
	}
}

const hooked = `
-- .pre-commit-config.yaml --
repos:
  - repo: local
    hooks:
      - {id: no-commit-to-branch, name: not on main, entry: "false", language: system, pass_filenames: false}
      - {id: newline, name: "ends...with a newline", entry: sh newline.sh, language: system, files: \.txt$}
      - {id: lines, name: lines, entry: sh lines.sh, language: system, files: \.txt$}
      - {id: fine, name: fine, entry: "true", language: system}
` + hookScripts

const hookScripts = `
-- newline.sh --
for f; do [ -z "$(tail -c1 "$f")" ] || { echo "Fixing $f"; echo >> "$f"; }; done
-- lines.sh --
! grep -n foo "$@" /dev/null | sed 's/:[^:]*$/:1: W101 foo ==> bar/' | grep .
-- a.txt --
foo first
-- b.txt --
no end`

func TestRealHooks(t *testing.T) {
	for _, runner := range []string{"pre-commit", "prek"} {
		t.Run(runner, func(t *testing.T) {
			testenv.NeedTool(t, runner)
			p := newPlace(t, hooked)
			write1(t, p, "b.txt", "no end")
			inGit(t, p)
			checks, results := discovered(t, p, check.RunOptions{})
			c := withRunner(checks["lint.pre-commit"], runner)
			r := results["lint.pre-commit"]
			if runner != "pre-commit" {
				write1(t, p, "b.txt", "no end")
				r = runOne(t, p, c, check.RunOptions{})
			}
			if r.Status != check.Failed || len(r.Diagnostics) != 2 || files(r.Diagnostics) != "a.txt b.txt" {
				t.Fatalf("%+v", r)
			}
			if d := r.Diagnostics[0]; d.File != "b.txt" || d.Rule != "newline" || !d.Fixable {
				t.Errorf("the hook that fixes: %+v", d)
			}
			if d := r.Diagnostics[1]; d.Tool != "lines" || d.Rule != "W101" || d.Range.Start.Line != 1 || d.Message != "foo ==> bar" || d.Excerpt != "foo first" {
				t.Errorf("the hook that finds: %+v", d)
			}
			write1(t, p, "b.txt", "no end")
			fixed(t, p, c)
			write1(t, p, "a.txt", "bar first\n")
			if r := runOne(t, p, c, check.RunOptions{}); r.Status != check.Passed {
				t.Errorf("fixed: %+v", r)
			}
		})
	}
}

func withRunner(c check.Check, runner string) check.Check {
	c.Run = slices.Clone(c.Run)
	c.Run[0] = runner
	c.Fix = [][]string{c.Run}
	return c
}

// Hooks that cannot be run are broken, and it is said what would help.
func TestRealHooksThatCannotRun(t *testing.T) {
	for name, tc := range map[string]struct{ config, why string }{
		"a hook's program is missing": {"repos: [{repo: local, hooks: [{id: x, name: x, entry: no-such-program, language: system}]}]", "no-such-program"},
		"the configuration is broken": {"repos: [{repo: local, hooks: [{id: x}]}]", "could not do its work"},
		"nothing is installed":        {"repos: [{repo: 'http://127.0.0.1:9/none', rev: v1, hooks: [{id: x}]}]", "install-hooks` once, with the network"},
	} {
		for _, runner := range []string{"pre-commit", "prek"} {
			t.Run(name+" "+runner, func(t *testing.T) {
				testenv.NeedTool(t, runner)
				p := newPlace(t, "-- .pre-commit-config.yaml --\n"+tc.config+"\n-- a.txt --\n")
				inGit(t, p)
				c := check.Check{Name: "lint.pre-commit", Run: []string{runner, "run", "--all-files", "--color=never"}, Parser: "hooks"}
				if r := runOne(t, p, c, check.RunOptions{}); r.Status != check.Broken || !strings.Contains(r.Reason, tc.why) {
					t.Errorf("%+v", r)
				} else {
					t.Log(r.Reason)
				}
			})
		}
	}
}

const leftHooked = `
-- lefthook.yml --
pre-commit:
  jobs:
    - name: newline
      glob: "*.txt"
      run: sh newline.sh {staged_files}
    - name: lines
      glob: "*.txt"
      run: sh lines.sh {staged_files}
pre-push:
  jobs:
    - name: group
      group:
        jobs:
          - name: tests
            run: go test ./...
          - name: missing
            run: no-such-program
-- go.mod --
module example.com/m

go 1.21
-- a_test.go --
package m
`

func TestRealLefthook(t *testing.T) {
	testenv.NeedTool(t, "lefthook")
	testenv.NeedTool(t, "go")
	p := newPlace(t, leftHooked+hookScripts)
	write1(t, p, "b.txt", "no end")
	inGit(t, p)
	checks, results := discovered(t, p, check.RunOptions{})
	r := results["lint.lefthook"]
	if r.Status != check.Failed || !strings.Contains(files(r.Diagnostics), "a.txt") || !slices.ContainsFunc(r.Diagnostics, func(d diag.Diagnostic) bool { return d.Tool == "lines" && d.Rule == "W101" }) {
		t.Errorf("%+v", r)
	}
	if r := results["lint.lefthook-push"]; r.Status != check.Broken || !strings.Contains(r.Reason, "no-such-program") || strings.Contains(r.Tail, "no test files") {
		t.Errorf("only a program is missing: %+v", r)
	}
	write1(t, p, "a.txt", "bar first\n")
	write1(t, p, "b.txt", "no end")
	r = runOne(t, p, checks["lint.lefthook"], check.RunOptions{})
	if r.Status != check.Failed || len(r.Diagnostics) != 1 || r.Diagnostics[0].Rule != "fail_on_changes" {
		t.Errorf("a command changes files: %+v", r)
	}
	fixed(t, p, checks["lint.lefthook"])
	if r := runOne(t, p, checks["lint.lefthook"], check.RunOptions{}); r.Status != check.Passed {
		t.Errorf("fixed: %+v", r)
	}
}
