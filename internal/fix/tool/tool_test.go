package tool_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/fix/fixtest"
	"fettle/internal/fix/tool"
	"fettle/internal/testenv"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// propose collects the candidates, and checks that the place is as it was.
func propose(t *testing.T, place *fixtest.Place, task fix.Task) ([]fix.Candidate, error) {
	t.Helper()
	task.Place = place
	var all []fix.Candidate
	var failed error
	for c, err := range tool.New().Propose(t.Context(), task) {
		if err != nil {
			failed = err
			break
		}
		all = append(all, c)
	}
	left, err := place.Changes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(left) > 0 || place.Resets() == 0 {
		t.Errorf("the place was not taken back: %v", left.Paths())
	}
	return all, failed
}

// after is what a file holds after a candidate.
func after(t *testing.T, place *fixtest.Place, c fix.Candidate, name string) string {
	t.Helper()
	files, err := c.Patch.Apply(place.Source)
	if err != nil {
		t.Fatal(err)
	}
	return string(files[name].Data)
}

func found(files ...string) []diag.Diagnostic {
	var ds []diag.Diagnostic
	for _, f := range files {
		ds = append(ds, diag.Diagnostic{File: f, Rule: "R1"})
	}
	return ds
}

func TestRealTools(t *testing.T) {
	cases := []struct {
		name, tool    string
		check         check.Check
		file          string
		before, after string
	}{
		{"gofmt", "gofmt", check.Check{Name: "format", Run: []string{"gofmt", "-l", "."}}, "a.go", "package a\nfunc  f( ){}\n", "package a\n\nfunc f() {}\n"},
		{"gofmt on CRLF", "gofmt", check.Check{Name: "format", Run: []string{"gofmt", "-l", "."}}, "a.go", "package a\r\n\r\nvar  x=1\r\n", "package a\n\nvar x = 1\n"},
		{"gofmt by its parser", "gofmt", check.Check{Name: "format", Run: []string{"./script"}, Parser: "gofmt"}, "d/a.go", "package a\nvar  x=1", "package a\n\nvar x = 1\n"},
		{"goimports", "goimports", check.Check{Name: "format", Run: []string{"goimports", "-l", "."}}, "a.go", "package a\n\nvar x = os.Args\n", "package a\n\nimport \"os\"\n\nvar x = os.Args\n"},
		{"ruff", "ruff", check.Check{Name: "lint.ruff", Run: []string{"ruff", "check", "--output-format=json", "."}}, "a.py", "import os\nimport re\n\nre\n", "import re\n\nre\n"},
		{"ruff keeps CRLF", "ruff", check.Check{Name: "lint.ruff", Run: []string{"ruff", "check", "--output-format", "json", "."}}, "a.py", "import os\r\nimport re\r\n\r\nre\r\n", "import re\r\n\r\nre\r\n"},
		{"ruff keeps a BOM", "ruff", check.Check{Name: "lint.ruff", Run: []string{"ruff", "check", "."}}, "a.py", "\ufeffimport re\nimport os\n\nre\n", "\ufeffimport re\n\nre\n"},
		{"ruff keeps a missing final newline", "ruff", check.Check{Name: "lint.ruff", Run: []string{"ruff", "check", "."}}, "a.py", "import os\nimport re\n\nre", "import re\n\nre"},
		{"ruff by its parser", "ruff", check.Check{Name: "lint", Run: []string{"make", "lint"}, Parser: "ruff"}, "a.py", "import os\nimport re\n\nre\n", "import re\n\nre\n"},
		{"ruff format", "ruff", check.Check{Name: "format", Run: []string{"ruff", "format", "--check", "."}}, "a.py", "x=1", "x = 1\n"},
		{"black", "black", check.Check{Name: "format", Run: []string{"black", "--check", "--diff", "."}}, "a.py", "x=1\r\n", "x = 1\r\n"},
		{"isort", "isort", check.Check{Name: "format.isort", Run: []string{"isort", "--check-only", "."}}, "a.py", "import re\nimport os\n", "import os\nimport re\n"},
		{"a fix of the configuration", "sh", check.Check{Name: "lint", Run: []string{"x"}, Fix: [][]string{{"sh", "-c", "printf 'b\\n' > a.txt"}, {"sh", "-c", "printf 'c\\n' >> a.txt"}}}, "a.txt", "a\n", "b\nc\n"},
		{"in the check's folder", "gofmt", check.Check{Name: "format", Dir: "d", Run: []string{"./script"}, Parser: "gofmt"}, "d/-a.go", "package a\nvar  x=1", "package a\n\nvar x = 1\n"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			testenv.NeedTool(t, c.tool)
			place := fixtest.New(t, map[string]string{c.file: c.before, "other.txt": "x"})
			all, err := propose(t, place, fix.Task{Check: c.check, Diagnostics: found(c.file)})
			if err != nil || len(all) != 1 {
				t.Fatalf("%d candidates, %v", len(all), err)
			}
			if got := after(t, place, all[0], c.file); got != c.after {
				t.Errorf("got %q, want %q", got, c.after)
			}
			if all[0].Author != tool.Name || all[0].Confidence < 0.9 || !strings.Contains(all[0].Explanation, " changed "+c.file+", asked about R1") {
				t.Errorf("got %+v", all[0])
			}
		})
	}
}

func TestGolangciLint(t *testing.T) {
	testenv.NeedTool(t, "golangci-lint")
	place := fixtest.New(t, map[string]string{
		"go.mod":        "module x\n\ngo 1.24\n",
		".golangci.yml": "version: \"2\"\nlinters:\n  default: none\n  enable: [misspell]\n",
		"a.go":          "// Package x is sepe" + "rate.\npackage x\n", // in two parts, for our own linter
	})
	c := check.Check{Name: "lint", Run: []string{"golangci-lint", "run", "--allow-parallel-runners", "--output.json.path", "stdout", "--show-stats=false", "./..."}}
	all, err := propose(t, place, fix.Task{Check: c, Diagnostics: found("a.go")})
	if err != nil || len(all) != 1 {
		t.Fatalf("%d candidates, %v", len(all), err)
	}
	if got := after(t, place, all[0], "a.go"); !strings.Contains(got, "separate") {
		t.Errorf("got %q", got)
	}
}

func TestNothingToFixIsEmpty(t *testing.T) {
	testenv.NeedTool(t, "ruff")
	place := fixtest.New(t, map[string]string{"a.py": "print(undefined_name)\n"})
	c := check.Check{Name: "lint.ruff", Run: []string{"ruff", "check", "."}}
	if all, err := propose(t, place, fix.Task{Check: c, Diagnostics: found("a.py")}); err != nil || len(all) != 0 {
		t.Errorf("%d candidates, %v", len(all), err)
	}
}

func sh(script string) check.Check {
	return check.Check{Name: "lint.x", Run: []string{"x"}, Fix: [][]string{{"sh", "-c", script}}}
}

func TestFailures(t *testing.T) {
	cases := []struct {
		name  string
		check check.Check
		want  string
	}{
		{"missing tool", check.Check{Name: "lint.x", Fix: [][]string{{"no-such-tool-here", "--fix"}}}, "needs no-such-tool-here, which is not installed"},
		{"crash without a change", sh("echo first >&2; echo 'bad option' >&2; exit 2"), "ended with code 2 and changed nothing: bad option"},
		{"silent crash", sh("exit 3"), "it printed nothing"},
		{"hang", func() check.Check { c := sh("sleep 60"); c.Timeout = 100 * time.Millisecond; return c }(), "timed out"},
		{"killed", sh("kill -9 $$"), "did not end by itself"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			place := fixtest.New(t, map[string]string{"a.txt": "a\n"})
			all, err := propose(t, place, fix.Task{Check: c.check, Diagnostics: found("a.txt")})
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "lint.x") {
				t.Errorf("error %v, want %q", err, c.want)
			}
			if len(all) > 0 {
				t.Errorf("candidates in spite of it: %v", all)
			}
		})
	}
	place := fixtest.New(t, nil)
	_, err := propose(t, place, fix.Task{Check: check.Check{Name: "x", Fix: [][]string{{"no-such-tool-here"}}}})
	if !errors.Is(err, exec.ErrNotFound) {
		t.Errorf("a missing tool is not exec.ErrNotFound: %v", err)
	}
}

// A tool that exits with an error has often still mended something, and one that breaks code is proposed like any other:
// verification finds out.
func TestWhatChangedCountsNotTheExitCode(t *testing.T) {
	place := fixtest.New(t, map[string]string{"a.py": "x = 1\n"})
	all, err := propose(t, place, fix.Task{Check: sh("echo 'x = (' > a.py; exit 3"), Diagnostics: found("a.py")})
	if err != nil || len(all) != 1 || after(t, place, all[0], "a.py") != "x = (\n" {
		t.Errorf("%v, %v", all, err)
	}
}

func TestKeepsToTheFindingsAndTheScope(t *testing.T) {
	all5 := "for f in a b c d; do echo new > $f.txt; done; echo made > e.txt"
	files := map[string]string{"a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n", "d.txt": "d\n"}
	scope := func(p string) bool { return p != "b.txt" }
	cases := []struct {
		name  string
		found []diag.Diagnostic
		want  []string
		says  string
	}{
		{"findings name files", found("a.txt", "b.txt", "c.txt"), []string{"a.txt c.txt", "a.txt", "c.txt"}, "1 changed outside the scope; left out: 2 changed that no finding names"},
		{"a finding names none", append(found("a.txt"), diag.Diagnostic{Message: "it is bad"}), []string{"a.txt c.txt d.txt e.txt", "a.txt", "c.txt", "d.txt", "e.txt"}, "1 changed outside the scope"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			place := fixtest.New(t, files)
			all, err := propose(t, place, fix.Task{Check: sh(all5), Diagnostics: c.found, InScope: scope})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, k := range all {
				got = append(got, strings.Join(k.Patch.Paths(), " "))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if !strings.Contains(all[0].Explanation, c.says) {
				t.Errorf("got %q, want %q", all[0].Explanation, c.says)
			}
		})
	}
}

func TestTestsComeLast(t *testing.T) {
	place := fixtest.New(t, map[string]string{"a.py": "x=1\n", "tests/test_a.py": "def test_a( ):\n    assert 1==x\n", "tests/test_b.py": "import os\n\n\ndef test_b():\n    assert x\n"})
	script := "echo 'x = 1' > a.py; printf 'def test_a():\\n    assert 1 == x\\n' > tests/test_a.py; printf 'def test_b():\\n    assert x\\n' > tests/test_b.py"
	all, err := propose(t, place, fix.Task{Check: sh(script), Diagnostics: found("a.py", "tests/test_a.py", "tests/test_b.py")})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, k := range all {
		got = append(got, strings.Join(k.Patch.Paths(), " "))
	}
	if want := []string{"a.py tests/test_a.py", "a.py", "tests/test_a.py", "tests/test_b.py"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCancelled(t *testing.T) {
	place := fixtest.New(t, map[string]string{"a.txt": "a\n"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range tool.New().Propose(ctx, fix.Task{Check: sh("echo b > a.txt"), Diagnostics: found("a.txt"), Place: place}) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
	if left, err := place.Changes(t.Context()); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left.Paths(), err)
	}
}

func TestModesAreKept(t *testing.T) {
	place := fixtest.New(t, map[string]string{"a.txt": "a\n"})
	all, err := propose(t, place, fix.Task{Check: sh("echo b > a.txt"), Diagnostics: found("a.txt")})
	if err != nil || len(all) != 1 || all[0].Patch[0].Mode != 0 || all[0].Patch[0].Op != edit.Modify {
		t.Errorf("%v, %v", all, err)
	}
}

// A plugin that is bound to Maven's build stops the tests; its own goal mends what it complains of.
func TestBoundToTheBuild(t *testing.T) {
	bin := t.TempDir()
	script := "#!/bin/sh\ntest \"$*\" = '-B --fail-at-end spotless:apply' && printf 'class A {}\\n' > A.java\n"
	if err := os.WriteFile(filepath.Join(bin, "mvn"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	place := fixtest.New(t, map[string]string{"A.java": "class  A {}\n"})
	c := check.Check{Name: "test", Parser: "maven", Run: []string{"mvn", "-B", "--fail-at-end", "test"}}
	format := diag.Diagnostic{File: "A.java", Tool: "spotless", Rule: "format"}
	all, err := propose(t, place, fix.Task{Check: c, Diagnostics: []diag.Diagnostic{format}})
	if err != nil || len(all) != 1 || after(t, place, all[0], "A.java") != "class A {}\n" {
		t.Errorf("%v, %v", all, err)
	}
	for _, d := range []diag.Diagnostic{{Tool: "javac", File: "A.java"}, {Tool: "junit", Test: "A#b"}} {
		if tool.New().Takes(c, d) {
			t.Errorf("takes %+v", d)
		}
	}
	if tool.New().Takes(check.Check{Parser: "maven", Run: []string{"mvn", "checkstyle:check"}}, format) {
		t.Error("takes a command without a phase")
	}
}

// Where code does not compile, what the compiler suggests is a guess that no test can judge: neither asked for, nor kept when
// it comes along with what was asked for.
func TestTheCompilersGuesses(t *testing.T) {
	testenv.NeedTool(t, "cargo")
	const file = "src/lib.rs"
	text := "pub fn f(value: u32) -> (u32, u32) {\n    let div: u64 = value / 100;\n    (div, value - div * 100)\n}\n"
	place := fixtest.New(t, map[string]string{"Cargo.toml": "[package]\nname = \"x\"\nversion = \"0.1.0\"\nedition = \"2021\"\n", "Cargo.lock": "version = 3\n\n[[package]]\nname = \"x\"\nversion = \"0.1.0\"\n", file: text})
	c := check.Check{Name: "build.cargo", Parser: "cargo", Run: []string{"cargo", "check", "--message-format=json"}}
	wrong, unused := diag.Diagnostic{File: file, Rule: "E0308"}, diag.Diagnostic{File: file, Rule: "unused_variables"}
	if tool.New().Takes(c, wrong) || !tool.New().Takes(c, unused) {
		t.Error("takes an error of the compiler, or no lint")
	}
	all, err := propose(t, place, fix.Task{Check: c, Diagnostics: []diag.Diagnostic{unused}, Baseline: check.Result{Diagnostics: []diag.Diagnostic{unused, wrong}}})
	if err != nil || len(all) != 0 {
		t.Errorf("proposes %v, %v", all, err)
	}
}

func TestTakes(t *testing.T) {
	cases := []struct {
		check check.Check
		want  bool
	}{
		{check.Check{Run: []string{"go", "test", "./..."}, Parser: "gotest"}, false},
		{check.Check{Run: []string{"mypy", "."}}, false},
		{check.Check{Run: []string{"mypy", "."}, Fix: [][]string{{"x"}}}, true},
		{check.Check{Run: []string{"ruff", "check", "."}}, true},
	}
	for _, c := range cases {
		if got := tool.New().Takes(c.check, diag.Diagnostic{}); got != c.want {
			t.Errorf("Takes(%v) = %v", c.check, got)
		}
	}
}

func TestDefaultFix(t *testing.T) {
	cases := []struct {
		run, parser, want string
	}{
		{"python -m ruff check --select ALL --output-format json src", "", "python -m ruff check --fix --force-exclude --select ALL src"},
		{"/x/.venv/bin/ruff check --no-fix --output-file=r.json .", "", "/x/.venv/bin/ruff check --fix --force-exclude ."},
		{"ruff format --check --diff .", "", "ruff format --force-exclude ."},
		{"ruff rule F401", "", ""},
		{"poetry run black --check -l 100 .", "", "poetry run black -l 100 ."},
		{"isort -c --df --profile black .", "", "isort --profile black ."},
		{"gofmt -l -s .", "", "gofmt -w -s ."},
		{"go run golang.org/x/tools/cmd/goimports@latest -l .", "", "go run golang.org/x/tools/cmd/goimports@latest -w ."},
		{"golangci-lint run --output.json.path stdout --timeout 5m ./...", "", "golangci-lint run --fix --timeout 5m ./..."},
		{"golangci-lint fmt --diff", "", "golangci-lint fmt"},
		{"make lint", "golangci", "golangci-lint run --fix"},
		{"make lint", "gofmt", "gofmt -w {files}"},
		{"flake8", "flake8", ""},
		{"flake8 black", "", ""},
		{"node_modules/.bin/eslint src --ext .ts --max-warnings 0 --format json", "eslint", "node_modules/.bin/eslint --fix src --ext .ts"},
		{"npx --no-install --offline prettier --check .", "prettier", "npx --no-install --offline prettier --write ."},
		{"yarn run biome lint --reporter=github --max-diagnostics=none --colors=off src", "biome", "yarn run biome lint --write src"},
		{"biome format --reporter github .", "biome", "biome format --write ."},
		{"npm run -s lint", "eslint", "eslint --fix {files}"},
		{"npm run -s lint", "", ""},
		{"node_modules/.bin/tsc --noEmit", "tsc", ""},
		{"cargo fmt --all -- --check", "rustfmt", "cargo fmt --all --"},
		{"cargo +nightly clippy --workspace --message-format=json -- -D warnings -A dead_code", "cargo", "cargo +nightly clippy --fix --allow-dirty --allow-staged --allow-no-vcs --broken-code --workspace -- -A dead_code"},
		{"cargo check --all-targets --message-format=json", "cargo", "cargo fix --allow-dirty --allow-staged --allow-no-vcs --broken-code --all-targets"},
		{"cargo test", "cargo-test", ""},
		{"make fmt", "rustfmt", "cargo fmt --all"},
		{"./mvnw -B -pl a spotless:check@style", "maven", "./mvnw -B -pl a spotless:apply@style"},
		{"mvn test", "maven", ""},
		{"gradle :app:spotlessCheck --continue", "gradle", "gradle :app:spotlessApply --continue"},
		{"gradle myspotlessCheck", "gradle", ""},
		{"uv run --frozen ruff check src/black", "", "uv run --frozen ruff check --fix --force-exclude src/black"},
	}
	for _, c := range cases {
		var got []string
		for _, argv := range tool.DefaultFix(check.Check{Name: "lint", Run: strings.Fields(c.run), Parser: c.parser}) {
			got = append(got, strings.Join(argv, " "))
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s: got %q, want %q", c.run, got, c.want)
		}
	}
}
