package parse_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fettle/internal/check/parse"
	"fettle/internal/diag"
	"fettle/internal/testenv"

	"golang.org/x/tools/txtar"
	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"
)

// With -record the outputs in testdata/recorded are made anew from the tools on PATH (then -update the golden files).
var record = flag.Bool("record", false, "record the tools' outputs")

// recording is a real tool's output about one of the broken samples in testdata.
type recording struct {
	name   string
	format string
	sample string
	run    []string // {report} is a file whose content is the output instead
	dir    string
	needs  []string // programs besides the first
	env    []string
}

var recordings = []recording{
	{name: "gotest", format: "gotest", sample: "go", run: []string{"go", "test", "-json", "-timeout", "2s", "./..."}},
	// It is compiled as make test compiles what the race detector watches: the standard library is there by then.
	{name: "gotest-race", format: "gotest", sample: "go", run: []string{"go", "test", "-json", "-race", "./race"}, needs: []string{"gcc"}, env: []string{"GOFLAGS=-gcflags=all=-dwarf=false"}},
	{name: "gotest-subfolder", format: "gotest", sample: "nested", dir: "services/api", run: []string{"go", "test", "-json", "./..."}},
	{name: "gobuild", format: "gobuild", sample: "go", run: []string{"go", "build", "./broken", "./user", "./syntax", "./good", "./fmt"}},
	{name: "gobuild-missing", format: "gobuild", sample: "go", run: []string{"go", "build", "./..."}},
	{name: "gobuild-cycle", format: "gobuild", sample: "go", run: []string{"go", "build", "./cycle/a"}},
	{name: "gobuild-gosum", format: "gobuild", sample: "gosum", run: []string{"go", "build", "./..."}},
	{name: "govet", format: "gobuild", sample: "go", run: []string{"go", "vet", "./vetted", "./brokentest", "./broken"}},
	{name: "gofmt", format: "gofmt", sample: "go", run: []string{"gofmt", "-l", "fmt", "syntax", "cart"}},
	{name: "goimports", format: "gofmt", sample: "go", run: []string{"goimports", "-l", "fmt", "cart"}},
	{name: "golangci", format: "golangci", sample: "lint", run: []string{"golangci-lint", "run", "--allow-parallel-runners", "--output.json.path=stdout", "--show-stats=false", "./..."}},
	{name: "golangci-typecheck", format: "golangci", sample: "go", run: []string{"golangci-lint", "run", "--allow-parallel-runners", "--output.json.path=stdout", "./broken"}},
	{name: "golangci-text", format: "golangci", sample: "lint", run: []string{"golangci-lint", "run", "--allow-parallel-runners", "./..."}},
	{name: "golangci-text-typecheck", format: "golangci", sample: "go", run: []string{"golangci-lint", "run", "--allow-parallel-runners", "./broken"}},
	{name: "pytest", format: "pytest", sample: "py", run: []string{"pytest", "tests"}},
	{name: "pytest-short", format: "pytest", sample: "py", run: []string{"pytest", "--tb=short", "-q", "-rA", "tests"}},
	{name: "pytest-line", format: "pytest", sample: "py", run: []string{"pytest", "--tb=line", "-v", "tests"}},
	{name: "pytest-native", format: "pytest", sample: "py", run: []string{"pytest", "--tb=native", "tests"}},
	{name: "pytest-no-summary", format: "pytest", sample: "py", run: []string{"pytest", "--no-summary", "-v", "tests"}},
	{name: "pytest-no-traceback", format: "pytest", sample: "py", run: []string{"pytest", "--tb=no", "tests"}},
	{name: "pytest-short-no-list", format: "pytest", sample: "py", run: []string{"pytest", "--tb=short", "-rN", "--color=yes", "tests"}},
	{name: "pytest-collect", format: "pytest", sample: "py", run: []string{"pytest", "collect"}},
	{name: "pytest-collect-go-on", format: "pytest", sample: "py", run: []string{"pytest", "--continue-on-collection-errors", "collect", "tests/test_calc.py::test_add"}},
	{name: "pytest-stops", format: "pytest", sample: "py", run: []string{"pytest", "-x", "tests"}},
	{name: "pytest-subtests", format: "pytest", sample: "subtests", run: []string{"pytest", "-q", "test_calc.py"}},
	{name: "pytest-subtests-no-list", format: "pytest", sample: "subtests", run: []string{"pytest", "-q", "-rN", "test_calc.py"}},
	{name: "pytest-none", format: "pytest", sample: "py", run: []string{"pytest", "-k", "no_such_name", "tests"}},
	{name: "pytest-usage", format: "pytest", sample: "py", run: []string{"pytest", "no/such/file.py"}},
	{name: "pytest-conftest", format: "pytest", sample: "conftest", run: []string{"pytest"}},
	{name: "pytest-internal", format: "pytest", sample: "internal", run: []string{"pytest"}},
	{name: "pytest-junit", format: "pytest-junit", sample: "py", run: []string{"pytest", "--junit-xml={report}", "tests"}},
	{name: "pytest-junit-xunit1", format: "junit", sample: "py", run: []string{"pytest", "--junit-xml={report}", "-o", "junit_family=xunit1", "tests"}},
	{name: "pytest-junit-collect", format: "pytest-junit", sample: "py", run: []string{"pytest", "--junit-xml={report}", "collect"}},
	{name: "unittest", format: "unittest", sample: "py", run: []string{"python", "-m", "unittest", "discover", "-t", ".", "-s", "units"}},
	{name: "unittest-verbose", format: "unittest", sample: "py", run: []string{"python", "-m", "unittest", "-v", "units.test_units"}},
	{name: "ruff", format: "ruff", sample: "py", run: []string{"ruff", "check", "--isolated", "--no-cache", "--output-format", "json", "app", "syntax"}},
	{name: "ruff-lines", format: "ruff", sample: "py", run: []string{"ruff", "check", "--isolated", "--no-cache", "--output-format", "json-lines", "app", "syntax"}},
	{name: "ruff-full", format: "ruff", sample: "py", run: []string{"ruff", "check", "--isolated", "--no-cache", "app", "syntax"}},
	{name: "ruff-concise", format: "ruff", sample: "py", run: []string{"ruff", "check", "--isolated", "--no-cache", "--output-format", "concise", "app", "syntax"}},
	{name: "ruff-sarif", format: "sarif", sample: "py", run: []string{"ruff", "check", "--isolated", "--no-cache", "--output-format", "sarif", "-o", "{report}", "app", "syntax"}},
	{name: "ruff-junit", format: "junit", sample: "py", run: []string{"ruff", "check", "--isolated", "--no-cache", "--output-format", "junit", "-o", "{report}", "app"}},
	{name: "ruff-format", format: "ruff", sample: "py", run: []string{"ruff", "format", "--isolated", "--no-cache", "--check", "."}},
	{name: "mypy", format: "mypy", sample: "py", run: []string{"mypy", "--cache-dir=/dev/null", "--check-untyped-defs", "app", "typed"}},
	{name: "mypy-end", format: "mypy", sample: "py", run: []string{"mypy", "--cache-dir=/dev/null", "--show-column-numbers", "--show-error-end", "app", "typed"}},
	{name: "mypy-json", format: "mypy", sample: "py", run: []string{"mypy", "--cache-dir=/dev/null", "--output", "json", "app", "typed"}},
	{name: "mypy-syntax", format: "mypy", sample: "py", run: []string{"mypy", "--cache-dir=/dev/null", "syntax"}},
	{name: "pyright", format: "pyright", sample: "py", run: []string{"pyright", "app", "typed", "syntax"}},
	{name: "pyright-json", format: "pyright", sample: "py", run: []string{"pyright", "--outputjson", "app", "typed", "syntax"}},
	{name: "flake8", format: "flake8", sample: "py", run: []string{"flake8", "--isolated", "app", "syntax"}},
	{name: "black", format: "black", sample: "py", run: []string{"black", "--check", "app", "syntax"}},
	{name: "pre-commit", format: "hooks", sample: "hooks", run: inGit("PRE_COMMIT_HOME=$PWD/.git/home pre-commit run --all-files --color=never"), needs: []string{"pre-commit", "ruff", "mypy", "gofmt"}},
	{name: "prek", format: "hooks", sample: "hooks", run: inGit("PREK_HOME=$PWD/.git/home prek run --all-files --color=never"), needs: []string{"prek", "ruff", "mypy", "gofmt"}},
	{name: "lefthook", format: "lefthook", sample: "hooks", run: inGit("lefthook run pre-commit --all-files --no-auto-install --no-tty"), needs: []string{"lefthook", "ruff", "gofmt"}},
	{name: "make", format: "gcc", sample: "c", run: []string{"make", "-k", "all"}, needs: []string{"gcc"}},
	{name: "make-link", format: "gcc", sample: "c", run: []string{"make", "link", "CC=gcc"}, needs: []string{"gcc"}},
	{name: "make-assert", format: "gcc", sample: "c", run: []string{"make", "assert"}, needs: []string{"gcc"}},
	{name: "ruff-rdjson", format: "rdjson", sample: "py", run: []string{"ruff", "check", "--isolated", "--no-cache", "--output-format", "rdjson", "app", "syntax"}},
	{name: "isort", format: "isort", sample: "py", run: []string{"isort", "--check-only", "app", "syntax"}},
	{name: "cargo-test", format: "cargo-test", sample: "rust", run: []string{"cargo", "test", "--workspace", "--no-fail-fast", "--offline", "--message-format=json"}},
	{name: "cargo-test-text", format: "cargo-test", sample: "rust", run: []string{"cargo", "test", "--workspace", "--no-fail-fast", "--offline"}},
	{name: "cargo-test-threads", format: "cargo-test", sample: "rust", run: []string{"cargo", "test", "-p", "calc", "--lib", "--offline", "--", "--test-threads=1", "--nocapture"}},
	{name: "cargo-test-broken", format: "cargo-test", sample: "rustbroken", run: []string{"cargo", "test", "--workspace", "--no-fail-fast", "--offline", "--message-format=json"}},
	{name: "cargo-test-early", format: "cargo-test", sample: "rustbroken", run: []string{"cargo", "test", "-p", "early", "--no-fail-fast", "--offline", "--message-format=json"}},
	{name: "cargo-check", format: "cargo", sample: "rustbroken", run: []string{"cargo", "check", "--workspace", "--all-targets", "--offline", "--message-format=json"}},
	{name: "cargo-check-text", format: "cargo", sample: "rustbroken", run: []string{"cargo", "check", "--workspace", "--offline"}},
	{name: "cargo-clippy", format: "cargo", sample: "rust", run: []string{"cargo", "clippy", "--workspace", "--all-targets", "--offline", "--message-format=json", "--", "-D", "warnings"}},
	{name: "cargo-manifest", format: "cargo", sample: "rustbroken", dir: "manifest", run: []string{"cargo", "check", "--offline"}},
	{name: "rustfmt", format: "rustfmt", sample: "rust", run: []string{"cargo", "fmt", "--all", "--check"}},
	{name: "rustfmt-syntax", format: "rustfmt", sample: "rustsyntax", run: []string{"cargo", "fmt", "--check"}},
	{name: "maven-broken", format: "maven", sample: "mavenbroken", run: []string{"mvn", "-B", "-ntp", "--fail-at-end", "test"}},
	{name: "maven-pom", format: "maven", sample: "mavenpom", run: []string{"mvn", "-B", "-ntp", "--fail-at-end", "test"}},
	{name: "surefire", format: "java-junit", sample: "maven", needs: []string{"mvn"}, run: []string{"sh", "-c",
		"mvn -B -ntp -q --fail-at-end test; cat calc/target/surefire-reports/TEST-*CalcTest*.xml calc/target/surefire-reports/TEST-*FixtureTest.xml | grep -v '<property ' > {report}"}},
	{name: "javac", format: "javac", sample: "mavenbroken", run: []string{"javac", "-d", "out", "-Xlint:all", "calc/src/main/java/com/x/Calc.java"}},
}

func (rec recording) options(root string) parse.Options {
	o := parse.Options{Check: "check", Root: root, Dir: rec.dir}
	switch rec.sample {
	case "hooks", "c":
		o.Exists = rec.has
	case "go", "lint", "gosum":
		o.Module = "example.com/shop"
	case "nested":
		o.Module = "example.com/api"
	case "maven":
		o.Report = "calc/target/surefire-reports/TEST-com.x.CalcTest.xml"
		o.Exists = func(p string) bool {
			return slices.Contains([]string{"calc/src/main/java/com/x/Calc.java", "calc/src/test/java/com/x/CalcTest.java", "calc/src/test/java/com/x/FixtureTest.java"}, p)
		}
	}
	return o
}

// inGit is a command in a new git repository that has everything in its index.
func inGit(command string) []string {
	return []string{"sh", "-c", "git init -q . && git add -A && " + command}
}

// has reports whether the sample has a file.
func (rec recording) has(name string) bool {
	a, err := txtar.ParseFile(filepath.Join("testdata", rec.sample+".txtar"))
	return err == nil && slices.ContainsFunc(a.Files, func(f txtar.File) bool { return f.Name == name })
}

// TestRecorded reads what the tools printed when they were last recorded.
func TestRecorded(t *testing.T) {
	for _, rec := range recordings {
		t.Run(rec.name, func(t *testing.T) {
			if *record {
				rec.write(t)
			}
			b, err := os.ReadFile(filepath.Join("testdata", "recorded", rec.name+".out"))
			assert.NilError(t, err)
			report := read(t, rec.format, string(b), rec.options("/repo"))
			golden.Assert(t, describe(report)+describeHooks(report), rec.name+".golden")
		})
	}
}

// TestReal runs the tools and expects of their output what the recorded one says.
func TestReal(t *testing.T) {
	for _, rec := range recordings {
		t.Run(rec.name, func(t *testing.T) {
			t.Parallel()
			b, err := os.ReadFile(filepath.Join("testdata", "recorded", rec.name+".out"))
			assert.NilError(t, err)
			want := outline(read(t, rec.format, string(b), rec.options("/repo")))
			root, out := rec.real(t)
			got := outline(read(t, rec.format, out, rec.options(root)))
			assert.DeepEqual(t, got, want)
		})
	}
}

// real runs the tool in a fresh copy of the sample.
func (rec recording) real(t *testing.T) (root, out string) {
	t.Helper()
	for _, tool := range append([]string{rec.run[0]}, rec.needs...) {
		testenv.NeedTool(t, tool)
	}
	root = filepath.Join(t.TempDir(), "repo")
	sample(t, rec.sample, root)
	linkModules(t, rec.sample, root)
	report := filepath.Join(t.TempDir(), "report")
	argv := slices.Clone(rec.run)
	for i := range argv {
		argv[i] = strings.ReplaceAll(argv[i], "{report}", report)
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = filepath.Join(root, rec.dir)
	cmd.Env = append(append(os.Environ(), testenv.JVM...), "MAKEFLAGS=", "GOFLAGS=", "GOWORK=off", "GOPROXY=off", "GOTOOLCHAIN=local", "PYTHONDONTWRITEBYTECODE=1",
		"PYTEST_ADDOPTS=-p no:cacheprovider", "PYTHONHASHSEED=0", "LC_ALL=C.UTF-8", "RUST_BACKTRACE=1", "COLUMNS=80", "PYTEST_DISABLE_PLUGIN_AUTOLOAD=1")
	cmd.Env = append(cmd.Env, rec.env...)
	var stdout, stderr, both bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	format, _ := parse.Lookup(rec.format)
	if format.Stream == parse.Combined || format.Stream == parse.Joined {
		cmd.Stdout, cmd.Stderr = &both, &both
	}
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	switch format.Stream {
	case parse.Stderr:
		return root, stderr.String()
	case parse.Combined, parse.Joined:
		return root, both.String()
	case parse.File:
		b, err := os.ReadFile(report)
		assert.NilError(t, err)
		return root, string(b)
	case parse.Stdout:
	}
	return root, stdout.String()
}

func sample(t *testing.T, name, root string) {
	t.Helper()
	a, err := txtar.ParseFile(filepath.Join("testdata", name+".txtar"))
	assert.NilError(t, err)
	for _, f := range a.Files {
		p := filepath.Join(root, filepath.FromSlash(f.Name))
		assert.NilError(t, os.MkdirAll(filepath.Dir(p), 0o755))
		assert.NilError(t, os.WriteFile(p, f.Data, 0o644))
	}
}

// write records the tool's output, with this machine's folders replaced.
func (rec recording) write(t *testing.T) {
	t.Helper()
	root, out := rec.real(t)
	names := []string{root, "/repo", strings.TrimPrefix(root, "/"), "repo"}
	if python, err := exec.Command("python", "-c", "import sys, sysconfig; print(sys.prefix); print(sysconfig.get_path('stdlib')); print(sys.base_prefix)").Output(); err == nil {
		dirs := strings.Fields(string(python))
		names = append(names, dirs[1], "/usr/lib/python3", dirs[0], "/venv", dirs[2], "/usr")
	}
	names = append(names, nodeFolders()...)
	out = strings.NewReplacer(names...).Replace(out)
	p := filepath.Join("testdata", "recorded", rec.name+".out")
	assert.NilError(t, os.MkdirAll(filepath.Dir(p), 0o755))
	assert.NilError(t, os.WriteFile(p, []byte(out), 0o644))
}

func read(t testing.TB, format, text string, o parse.Options) parse.Report {
	t.Helper()
	f, ok := parse.Lookup(format)
	if !ok {
		t.Fatalf("there is no format %q", format)
	}
	report, err := f.Parse(strings.NewReader(text), o)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// describe is a report as text for people who compare golden files.
func describe(r parse.Report) string {
	var b strings.Builder
	for _, d := range r.Diagnostics {
		fmt.Fprintf(&b, "%s:%d:%d", d.File, d.Range.Start.Line, d.Range.Start.Column)
		if e := d.Range.End; e.Line > 0 {
			fmt.Fprintf(&b, "-%d:%d", e.Line, e.Column)
		}
		fmt.Fprintf(&b, " %s %s", d.Tool, d.Severity)
		for _, f := range []struct{ name, value string }{{"rule", d.Rule}, {"test", d.Test}, {"dir", d.Dir}, {"masks", masks(d.Masks)}} {
			if f.value != "" {
				fmt.Fprintf(&b, " %s=%s", f.name, f.value)
			}
		}
		if d.Fixable {
			b.WriteString(" fixable")
		}
		fmt.Fprintf(&b, "\n\t%s\n", d.Message)
		for _, f := range d.Frames {
			fmt.Fprintf(&b, "\tat %s:%d %s\n", f.File, f.Line, f.Func)
		}
		for line := range strings.Lines(d.Detail) {
			if !strings.Contains(line, "0x") {
				fmt.Fprintf(&b, "\t| %s\n", strings.TrimRight(line, "\n"))
			}
		}
	}
	for _, test := range r.Tests {
		fmt.Fprintf(&b, "%s %s\n", test.Outcome, test.ID)
	}
	return b.String()
}

func describeHooks(r parse.Report) string {
	var b strings.Builder
	for _, hook := range r.Hooks {
		fmt.Fprintf(&b, "hook %s: %s\n", hook.Name, map[bool]string{true: "passed", false: "failed"}[hook.Passed])
	}
	return b.String()
}

func masks(m diag.Masks) string { return [...]string{"", "file", "dir", "check"}[m] }

// outline is what must be the same on every machine and with every near version of a tool, in any order.
func outline(r parse.Report) []string {
	var all []string
	for _, d := range r.Diagnostics {
		b, _ := json.Marshal([]any{d.File, d.Range.Start.Line, d.Rule, d.Test, d.Dir, masks(d.Masks), d.Fixable})
		all = append(all, string(b))
	}
	for _, t := range r.Tests {
		all = append(all, string(t.Outcome)+" "+t.ID)
	}
	slices.Sort(all)
	return all
}
