package check_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/proc"
	"fettle/internal/testenv"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(testenv.Tidy(m)) }

// place is a folder of this machine in which checks run unconfined.
type place struct {
	proc.Host
	root, scratch string
}

func (p place) Root() string                         { return p.root }
func (p place) FS() fs.FS                            { return os.DirFS(p.root) }
func (p place) Scratch() string                      { return p.scratch }
func (p place) ReadFile(name string) ([]byte, error) { return os.ReadFile(filepath.Join(p.root, name)) }

func newPlace(t testing.TB, text string) place {
	root, err := filepath.EvalSymlinks(tree(t, text))
	if err != nil {
		t.Fatal(err)
	}
	return place{root: root, scratch: t.TempDir()}
}

// sh is a check that runs a shell line and reads FILE:LINE:COLUMN: MESSAGE.
func sh(name, line string) check.Check {
	return check.Check{Name: name, Run: []string{"sh", "-c", line}, Parser: "errorformat", Pattern: []string{"%f:%l:%c: %m"}}
}

func runOne(t *testing.T, p check.Place, c check.Check, o check.RunOptions) check.Result {
	t.Helper()
	rs, err := check.Run(t.Context(), p, []check.Check{c}, o)
	if err != nil || len(rs) != 1 {
		t.Fatalf("%v, %v", rs, err)
	}
	return rs[0]
}

func TestExitCodeIsTheTruth(t *testing.T) {
	p := newPlace(t, "-- a.x --\none\n  two\r\n")
	r := runOne(t, p, sh("lint", "echo a.x:2:3: bad; exit 0"), check.RunOptions{})
	if r.Status != check.Passed || len(r.Diagnostics) != 1 || r.Tail != "" {
		t.Errorf("0 and a complaint: %+v", r)
	}
	r = runOne(t, p, sh("lint", "echo a.x:2:3: bad; echo more >&2; exit 3"), check.RunOptions{})
	if r.Status != check.Failed || r.Code != 3 || len(r.Diagnostics) != 1 || !strings.Contains(r.Tail, "more") || r.Wall <= 0 {
		t.Fatalf("3 and a complaint: %+v", r)
	}
	if d := r.Diagnostics[0]; d.File != "a.x" || d.Excerpt != "  two" || d.ID == "" || d.Check != "lint" || d.Masks != diag.MasksNothing {
		t.Errorf("the diagnostic: %+v", d)
	}
	if r.Tests != nil {
		t.Errorf("a format without tests tells tests: %v", r.Tests)
	}
}

func TestFailureWithoutAReadableWord(t *testing.T) {
	p := newPlace(t, "")
	for line, want := range map[string]string{
		"echo reading; echo 'Error: no such table'; echo; echo 'exit status 1'; exit 1": "Error: no such table",
		"echo working; echo gave up; exit 1":                                            "gave up",
		"exit 7":                                                                        "sh ended with exit code 7 and printed nothing",
		"kill -KILL $$":                                                                 "it was ended by SIGKILL",
		`printf '\033[31mfatal: red\033[0m\n'; exit 1`:                                  "fatal: red",
		`printf 'bad \377 byte error'; exit 1`:                                          "bad \uFFFD byte error",
	} {
		r := runOne(t, p, sh("lint", line), check.RunOptions{})
		if r.Status != check.Failed || len(r.Diagnostics) != 1 {
			t.Errorf("%s: %+v", line, r)
		} else if d := r.Diagnostics[0]; d.Message != want || d.Masks != diag.MasksCheck || d.Tool != "sh" || d.ID == "" {
			t.Errorf("%s: %+v", line, d)
		}
	}
}

// Whoever ends pytest from within one of its tests keeps it from saying which tests fail; what it says by itself is another matter.
func TestTestsThatEndPytest(t *testing.T) {
	p := newPlace(t, "")
	for line, want := range map[string]bool{
		"printf '.F.'; exit 3":                                        true,
		"printf 'collected 2 items\n\ntest_m.py .'; exit 0":           true,
		"printf '.F.'; kill -SEGV $$":                                 true,
		"printf '..F [100%%]\n1 failed, 2 passed in 0.01s\n'; exit 1": false,
		"printf '.\nINTERNALERROR> KeyError\n'; exit 3":               false,
		"printf 'ERROR: usage: pytest [options]\n'; exit 4":           false,
		"printf '!!!!!!!!! KeyboardInterrupt !!!!!!!!!!!\n'; exit 2":  false,
		"printf 'no tests ran in 0.00s\n'; exit 5":                    false,
	} {
		c := sh("test", line)
		c.Parser = "pytest-junit"
		if r := runOne(t, p, c, check.RunOptions{}); r.Cut != want || want && (r.Status != check.Failed || !r.Untold() || len(r.Diagnostics) != 1) {
			t.Errorf("%s: %+v", line, r)
		}
	}
}

// unconfigured is what eslint says where it finds no configuration: what is wrong stands in its midst, and an invitation to talk about it at the end.
const unconfigured = `
Oops! Something went wrong! :(

ESLint: 9.39.5

ESLint couldn't find an eslint.config.(js|mjs|cjs) file.

From ESLint v9.0.0, the default configuration file is now eslint.config.js.

If you still have problems after following the migration guide, please stop by
https://eslint.org/chat/help to chat with the team.
`

// eslint is a check of eslint's that prints something and can do no more.
func eslint(dir, text string) check.Check {
	return check.Check{Name: "lint.eslint", Lang: "javascript", Parser: "eslint", Dir: dir, Run: []string{"sh", "-c", `printf '%s' "$1" >&2; exit 2`, "sh", text}}
}

func TestBroken(t *testing.T) {
	p := newPlace(t, "-- plain --\nnot a program\n-- old/.eslintrc.json --\n{}\n")
	for _, c := range []struct {
		check check.Check
		want  string
	}{
		{check.Check{Name: "lint.ruff", Run: []string{"no-such-ruff", "check"}}, `no-such-ruff is not installed or not on PATH; install it, or leave check "lint.ruff" out of a fettle.yaml (fettle init writes one)`},
		{check.Check{Name: "test", Run: []string{"python3", "-m", "no_such_module"}}, `no_such_module is not installed for python3; install it, or leave check "test" out of a fettle.yaml (fettle init writes one)`},
		{check.Check{Name: "test", Run: []string{"./plain"}}, "./plain"},
		{check.Check{Name: "test", Run: []string{"true"}, Dir: "no/where"}, "it runs in the folder no/where, which is not there; make it, or change dir in a fettle.yaml (fettle init writes one)"},
		{sh("lint", "no-such-command-of-ours"), "a command that it needs cannot be run (exit code 127): "},
		{check.Check{Name: "lint.golangci", Parser: "golangci", Run: []string{"sh", "-c", "echo 'Error: unknown flag: --out-format' >&2; exit 3"}},
			"sh could not do its work (exit code 3): Error: unknown flag: --out-format; its configuration is written for version 1, and version 2 is installed: golangci-lint migrate rewrites it"},
		{check.Check{Name: "lint.golangci", Parser: "golangci", Run: []string{"sh", "-c", "echo 'Error: unknown flag: --output.json.path' >&2; exit 3"}},
			"sh could not do its work (exit code 3): Error: unknown flag: --output.json.path; its configuration is written for version 2, and version 1 is installed"},
		{eslint(".", unconfigured), "sh could not do its work (exit code 2): ESLint couldn't find an eslint.config.(js|mjs|cjs) file; write one (npm init @eslint/config asks what for), or leave check \"lint.eslint\" out of a fettle.yaml (fettle init writes one)"},
		{eslint("old", unconfigured), "sh could not do its work (exit code 2): ESLint couldn't find an eslint.config.(js|mjs|cjs) file; old/.eslintrc.json is for versions before 9: npx @eslint/migrate-config .eslintrc.json rewrites it"},
		{check.Check{Name: "type.mypy", Parser: "mypy", Run: []string{"sh", "-c", "echo 'mypy: error: bad flag' >&2; exit 2"}}, "sh could not do its work (exit code 2): mypy: error: bad flag"},
		{check.Check{Name: "test", Run: []string{"true"}, Before: [][]string{{"true"}, {"sh", "-c", "echo no daemon; exit 4"}}}, "the command before it, sh -c 'echo no daemon; exit 4', ended with exit code 4: no daemon"},
		{check.Check{Name: "test", Run: []string{"true"}, Before: [][]string{{"no-such-docker"}}}, "no-such-docker is not installed"},
	} {
		if c.check.Run[0] == "python3" {
			c.check.Lang = "python"
		}
		r := runOne(t, p, c.check, check.RunOptions{})
		if r.Status != check.Broken || !strings.HasPrefix(r.Reason, c.want) || strings.Contains(r.Reason, "\n") || len(r.Diagnostics) != 0 {
			t.Errorf("%v: %+v", c.check.Run, r)
		}
		if r := runOne(t, p, c.check, check.RunOptions{Written: true}); !strings.HasPrefix(r.Reason, strings.Replace(c.want, "a fettle.yaml (fettle init writes one)", "fettle.yaml", 1)) {
			t.Errorf("with a file: %s", r.Reason)
		}
	}
}

func TestNoTestsIsNoFailure(t *testing.T) {
	p := newPlace(t, "")
	r := runOne(t, p, check.Check{Name: "test", Parser: "pytest", Run: []string{"sh", "-c", "echo 'no tests ran in 0.01s'; exit 5"}}, check.RunOptions{})
	if r.Status != check.Passed || r.Code != 5 || r.Reason != "pytest found no tests to run" || r.Tests == nil || len(r.Tests) != 0 {
		t.Errorf("%+v", r)
	}
}

func TestConftestThatDoesNotLoadIsAFailure(t *testing.T) {
	p := newPlace(t, "")
	line := "echo \"ImportError while loading conftest '/x/conftest.py'.\" >&2; echo \"E   ModuleNotFoundError: No module named 'x'\" >&2; exit 4"
	r := runOne(t, p, check.Check{Name: "test", Parser: "pytest-junit", Run: []string{"sh", "-c", line, "{report}"}}, check.RunOptions{})
	if r.Status != check.Failed || len(r.Diagnostics) != 1 || r.Diagnostics[0].Message != "E   ModuleNotFoundError: No module named 'x'" {
		t.Errorf("%+v", r)
	}
}

func TestListingIsTheAnswerOfGofmt(t *testing.T) {
	p := newPlace(t, "-- a.go --\npackage a\n")
	r := runOne(t, p, check.Check{Name: "format.gofmt", Parser: "gofmt", Run: []string{"sh", "-c", "echo a.go"}}, check.RunOptions{})
	if r.Status != check.Failed || r.Code != 0 || len(r.Diagnostics) != 1 || r.Diagnostics[0].File != "a.go" {
		t.Errorf("%+v", r)
	}
}

func TestLimits(t *testing.T) {
	p := newPlace(t, "")
	c := sh("test", "echo a.x:1:1: first; while :; do sleep 5; done")
	c.Timeout = 300 * time.Millisecond
	r := runOne(t, p, c, check.RunOptions{})
	if r.Status != check.TimedOut || r.Reason != "it did not end within 300ms" || len(r.Diagnostics) != 2 || !strings.Contains(r.Tail, "first") {
		t.Errorf("a check that never ends: %+v", r)
	}
	r = runOne(t, p, sh("test", "while :; do echo yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy; done"), check.RunOptions{Output: 1 << 20})
	if r.Status != check.TimedOut || !strings.Contains(r.Reason, "printed more") || len(r.Tail) > 8<<10 {
		t.Errorf("a check that never stops talking: %s %s %d", r.Status, r.Reason, len(r.Tail))
	}
}

func TestAfterAlwaysRuns(t *testing.T) {
	mark := func(p place, name string) [][]string {
		return [][]string{{"sh", "-c", "echo after >> " + filepath.Join(p.scratch, name)}}
	}
	happened := func(p place, name string) bool {
		_, err := os.Stat(filepath.Join(p.scratch, name))
		return err == nil
	}
	p := newPlace(t, "")
	for name, c := range map[string]check.Check{
		"passed": sh("test", "exit 0"), "failed": sh("test", "exit 1"), "missing": {Name: "test", Run: []string{"no-such-tool"}},
		"before": {Name: "test", Run: []string{"true"}, Before: [][]string{{"false"}}},
	} {
		c.After = mark(p, name)
		runOne(t, p, c, check.RunOptions{})
		if !happened(p, name) {
			t.Errorf("not after a check that %s", name)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	c := sh("test", "echo started; sleep 60")
	c.Before = [][]string{{"true"}}
	c.After = mark(p, "cancelled")
	started := func(e check.Event) {
		if e.Result == nil {
			cancel()
		}
	}
	rs, err := check.Run(ctx, p, []check.Check{c}, check.RunOptions{Events: started})
	if !errors.Is(err, context.Canceled) || len(rs) != 0 || !happened(p, "cancelled") {
		t.Errorf("cancelled: %v, %v, after ran: %v", rs, err, happened(p, "cancelled"))
	}
	c = sh("test", "exit 0")
	c.After = [][]string{{"sh", "-c", "exit 9"}}
	if r := runOne(t, p, c, check.RunOptions{}); r.Status != check.Passed || r.Reason != "the command after it, sh -c 'exit 9', ended with exit code 9" {
		t.Errorf("%+v", r)
	}
}

func TestArgvAndEnvironment(t *testing.T) {
	p := newPlace(t, "-- sub/x --\n")
	c := check.Check{Name: "test", Lang: "python", Dir: "sub", Env: map[string]string{"A": "check", "B": "check"}, Parser: "junit",
		Run: []string{"sh", "-c", `echo "$0 $* A=$A B=$B W=$PYTHONDONTWRITEBYTECODE in $(pwd)"; exit 1`, "--out={report}"}}
	r := runOne(t, p, c, check.RunOptions{Args: []string{"-k", "a b"}, Env: map[string]string{"B": "run"}})
	words := strings.Fields(r.Tail)
	if len(words) < 6 || !strings.HasPrefix(words[0], "--out="+p.scratch) || !strings.HasSuffix(r.Tail, "-k a b A=check B=run W=1 in "+p.root+"/sub") {
		t.Errorf("%q", r.Tail)
	}
	if left, err := os.ReadDir(p.scratch); err != nil || len(left) != 0 {
		t.Errorf("the report's folder is left behind: %v %v", left, err)
	}
}

func TestReportFile(t *testing.T) {
	p := newPlace(t, "-- a.xml --\n<testsuite><testcase classname=\"c\" name=\"t\"><failure message=\"no\">a.py:1: no</failure></testcase></testsuite>\n")
	r := runOne(t, p, check.Check{Name: "test", Parser: "junit", Run: []string{"sh", "-c", `cp a.xml "$0"; exit 1`, "{report}"}}, check.RunOptions{})
	if r.Status != check.Failed || len(r.Diagnostics) != 1 || r.Diagnostics[0].Test == "" || len(r.Tests) != 1 {
		t.Errorf("%+v", r)
	}
	// What is no file is not read: a pipe would be read for ever.
	r = runOne(t, p, check.Check{Name: "test", Parser: "junit", Run: []string{"sh", "-c", `mkfifo "$0"; exit 1`, "{report}"}}, check.RunOptions{})
	if r.Status != check.Failed || len(r.Diagnostics) != 1 || r.Diagnostics[0].Masks != diag.MasksCheck {
		t.Errorf("%+v", r)
	}
}

// Three checks wait for each other, so that they end only if they run side by side; the one that must be alone sees that
// all of them are done.
func TestManyChecks(t *testing.T) {
	p := newPlace(t, "")
	meet := func(name string) string {
		return "touch " + p.scratch + "/" + name + "; while [ $(ls " + p.scratch + " | wc -l) -lt 3 ]; do sleep 0.01; done; exit 1"
	}
	alone := sh("test.alone", "exit 0")
	alone.Alone = true
	checks := []check.Check{sh("lint.a", meet("a")), alone, sh("lint.b", meet("b")), sh("type.c", meet("c"))}
	var told []string
	running, beside := 0, false
	rs, err := check.Run(t.Context(), p, checks, check.RunOptions{Parallel: 3, Timeout: 30 * time.Second, Events: func(e check.Event) {
		if e.Result == nil {
			running++
			beside = beside || e.Check == "test.alone" && running > 1
			return
		}
		running--
		told = append(told, e.Check+" "+string(e.Result.Status))
	}})
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, r := range rs {
		order = append(order, r.Check+" "+string(r.Status))
	}
	if strings.Join(order, ", ") != "lint.a failed, test.alone passed, lint.b failed, type.c failed" {
		t.Errorf("the results: %v", order)
	}
	if beside || len(told) != 4 || told[3] != "test.alone passed" || running != 0 {
		t.Errorf("beside the one that must be alone: %v, told %v", beside, told)
	}
}

// failing is a place that cannot run anything.
type failing struct{ place }

func (failing) Run(context.Context, proc.Cmd) (proc.Result, error) {
	return proc.Result{}, errors.New("the copy is gone")
}

func TestPlaceThatFailsIsAnError(t *testing.T) {
	rs, err := check.Run(t.Context(), failing{newPlace(t, "")}, []check.Check{sh("test", "true")}, check.RunOptions{})
	if err == nil || len(rs) != 0 || !strings.Contains(err.Error(), "the copy is gone") {
		t.Errorf("%v, %v", rs, err)
	}
}

func TestFreshOnlyConcernsGoTest(t *testing.T) {
	p := recorder{place: newPlace(t, ""), argv: new([]string)}
	for run, want := range map[string]string{
		"go test ./...":            "go test -count=1 ./...",
		"go test -count=3 ./...":   "go test -count=3 ./...",
		"go vet ./...":             "go vet ./...",
		"python3 -m pytest -count": "python3 -m pytest -count",
	} {
		if _, err := check.Run(t.Context(), p, []check.Check{{Name: "test", Run: strings.Fields(run)}}, check.RunOptions{Fresh: true}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(*p.argv, " "); got != want {
			t.Errorf("%s ran as %s", run, got)
		}
	}
}

// recorder notes what it is asked to run, and runs nothing.
type recorder struct {
	place
	argv *[]string
}

func (r recorder) Run(_ context.Context, c proc.Cmd) (proc.Result, error) {
	*r.argv = c.Argv
	return proc.Result{Ended: proc.Exited}, nil
}

// A tool that the project itself brings is found where PATH has none, and one on PATH comes first.
func TestProjectsOwnTools(t *testing.T) {
	p := newPlace(t, "-- .venv/bin/mine --\n#!/bin/sh\necho from the project\nexit 3\n-- .venv/bin/sh --\nnot this one\n-- sub/node_modules/.bin/nested --\n#!/bin/sh\nexit 4\n")
	for _, file := range []string{".venv/bin/mine", ".venv/bin/sh", "sub/node_modules/.bin/nested"} {
		if err := os.Chmod(filepath.Join(p.root, file), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, tc := range []struct {
		c    check.Check
		code int
	}{
		{check.Check{Name: "lint", Run: []string{"mine"}}, 3},
		{check.Check{Name: "lint", Run: []string{"mine"}, Dir: "sub"}, 3},
		{check.Check{Name: "lint", Run: []string{"nested"}, Dir: "sub"}, 4},
		{check.Check{Name: "lint", Run: []string{"sh", "-c", "exit 5"}}, 5},
	} {
		if r := runOne(t, p, tc.c, check.RunOptions{}); r.Code != tc.code {
			t.Errorf("%q in %q: exit code %d, %s", tc.c.Run, tc.c.Dir, r.Code, r.Reason)
		}
	}
}
