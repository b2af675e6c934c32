package check_test

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fettle/internal/check"

	"github.com/google/go-cmp/cmp"
	"gotest.tools/v3/golden"
	"pgregory.net/rapid"
)

// load reads a fettle.yaml of this text.
func load(t testing.TB, text string) (*check.Config, error) {
	t.Helper()
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, check.FileName), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return check.Load(root)
}

const wholeFile = `version: 1
checks:
  test.unit:
    run: go test -json ./...
    parser: gotest
    timeout: 90s
    before: [docker compose up -d, [sh, -c, "sleep 1; true"]]
    after: docker compose down
    env: {PORT: 8080, DEBUG: yes}
    alone: true
    files: ["**/*.go", docs/]
  lint.mine:
    run: [./lint, "a b"]
    dir: tools/
    lang: python
    parser: errorformat
    pattern: ["%f:%l:%c: %m"]
    fix: [./lint --fix, ./lint --sort]
  test.house:
    run: [./house, "{report}"]
    parser: {run: [python3, tools/read.py, "{report}"], format: junit}
limits: {iterations: 3, time: 1h, parallel: 2, findings: 5, edits_per_file: 6, max_file_size: 1024, confidence: 0.65, output: 4096, budget: 2.5, calls: 7, tokens: 5000}
protect: [deploy/**]
scope: ["src/**"]
branch_prefix: bot/
fixers:
  order: [tool, mine]
  shares: {model: 0.5}
  confidence: {search: 0.75, agent: 0.9}
  give_up: 0
  adapt: true
  trust: {off: true, least: 0.6, most: 0.9}
  plugins:
    mine: {run: ./fix.sh --json, checks: [lint], timeout: 2m}
models:
  off: true
  roles: {fixer: {tier: deep, temperature: 0, max_tokens: 100, samples: 2, turns: 3}, challenger: {}}
  tiers: {deep: [anthropic/x, openai/y]}
  challenge: {off: true, threshold: 90, iterations: 3}
`

func amount(usd float64) *float64 { return &usd }
func often(n int) *int            { return &n }

func TestLoadWholeFile(t *testing.T) {
	got, err := load(t, wholeFile)
	if err != nil {
		t.Fatal(err)
	}
	want := &check.Config{
		Checks: []check.Check{
			{
				Name: "test.unit", Lang: "go", Run: []string{"go", "test", "-json", "./..."}, Parser: "gotest", Timeout: 90 * time.Second,
				Before: [][]string{{"docker", "compose", "up", "-d"}, {"sh", "-c", "sleep 1; true"}}, After: [][]string{{"docker", "compose", "down"}},
				Env: map[string]string{"PORT": "8080", "DEBUG": "yes"}, Alone: true, Files: []string{"**/*.go", "docs/"},
			},
			{
				Name: "lint.mine", Lang: "python", Run: []string{"./lint", "a b"}, Dir: "tools", Parser: "errorformat", Pattern: []string{"%f:%l:%c: %m"},
				Fix: [][]string{{"./lint", "--fix"}, {"./lint", "--sort"}},
			},
			{
				Name: "test.house", Run: []string{"./house", "{report}"},
				Reader: &check.Reader{Run: []string{"python3", "tools/read.py", "{report}"}, Format: "junit"},
			},
		},
		Limits:  check.Limits{Iterations: 3, Time: time.Hour, Parallel: 2, Findings: 5, EditsPerFile: 6, MaxFileSize: 1024, Confidence: 0.65, Output: 4096, Budget: amount(2.5), Calls: 7, Tokens: 5000},
		Protect: []string{"deploy/**"}, Scope: []string{"src/**"}, BranchPrefix: "bot/",
		Fixers: check.Fixers{Order: []string{"tool", "mine"}, Plugins: []check.Plugin{
			{Name: "mine", Run: []string{"./fix.sh", "--json"}, Checks: []string{"lint"}, Timeout: 2 * time.Minute},
		}, Shares: map[string]float64{"model": 0.5}, Sure: map[string]float64{"search": 0.75, "agent": 0.9}, Adapt: true, Trust: check.Trust{Off: true, Least: 0.6, Most: 0.9}},
		Models: check.Models{
			Off: true, Roles: map[string]check.Role{"fixer": {Tier: "deep", Temperature: new(float64), MaxTokens: 100, Samples: 2, Turns: often(3)}, "challenger": {}},
			Tiers: map[string][]string{"deep": {"anthropic/x", "openai/y"}}, Unjudged: true, Threshold: 90, Judged: 3,
		},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func TestLoadDefaults(t *testing.T) {
	got, err := load(t, "version: 1\n")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(check.Default(), got); d != "" {
		t.Errorf("(-default +got)\n%s", d)
	}
	if l := got.Limits; l.Iterations != 10 || l.Findings != 200 || l.EditsPerFile != 30 || l.MaxFileSize != 10485760 || l.Confidence != 0.7 || got.BranchPrefix != "fettle/" {
		t.Errorf("the promised defaults are not these: %+v", got)
	}
	if _, err := check.Load(t.TempDir()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

func TestLoadNamesEveryMistake(t *testing.T) {
	for _, c := range []struct{ name, file, want string }{
		{"what a repository may not say of models", "version: 1\nmodels:\n  providers: {anthropic: {base_url: 'https://evil.example'}}\n  roles: {fixer: {api_key: sk-1}}\n", "fettle.yaml:3:3: unknown key \"providers\" in models\nfettle.yaml:4:19: unknown key \"api_key\" in models.roles.fixer"},
		{"unknown keys", "version: 1\nchecks:\n  test:\n    rnu: go test\n    run: x\nlimit: {}\n", `fettle.yaml:4:5: unknown key "rnu" in checks.test; did you mean "run"?
fettle.yaml:6:1: unknown key "limit" in the file; did you mean "limits"?`},
		{"types", "version: one\nlimits: {iterations: many, confidence: high}\nprotect: x\nchecks: [a]\n", `fettle.yaml:1:10: version should be a whole number
fettle.yaml:2:22: limits.iterations should be a whole number
fettle.yaml:2:40: limits.confidence should be a number
fettle.yaml:3:10: protect should be a list
fettle.yaml:4:9: checks should hold keys and values`},
		{"ranges", "version: 2\nlimits: {iterations: 0, confidence: 1.5, max_file_size: -1}\n", `fettle.yaml:1:10: version should be 1: the only one that this fettle knows
fettle.yaml:2:22: limits.iterations should be at least 1
fettle.yaml:2:37: limits.confidence should be between 0 and 1
fettle.yaml:2:57: limits.max_file_size should be at least 1`},
		{"not a number", "version: 1\nlimits: {confidence: .nan}\n", `fettle.yaml:2:22: limits.confidence should be between 0 and 1`},
		{"names", "version: 1\nchecks:\n  tests: {run: x}\n  lint.: {run: x}\n  type: {}\n", `fettle.yaml:3:3: the check "tests" begins with no kind that is known (build, complexity, format, lint, security, test, type); did you mean "test"?
fettle.yaml:4:3: the check's name "lint." should be a kind, or a kind and a label such as lint.mine
fettle.yaml:5:3: checks.type has no "run"`},
		{"commands", "version: 1\nchecks:\n  test:\n    run: go test | tee x\n    fix: ['']\n    before: {a: b}\n    timeout: 90\n", "fettle.yaml:4:10: checks.test.run: `|` needs a shell, and commands run without one: put it into a script, write [sh, -c, …], or quote it\n" + `fettle.yaml:5:11: checks.test.fix: the command is empty
fettle.yaml:6:13: checks.test.before: a command should be one line, or a list of words
fettle.yaml:7:14: checks.test.timeout: should be a length of time such as 90s, 10m or 1h30m`},
		{"parsers", "version: 1\nchecks:\n  test: {run: x, parser: gotset}\n  lint: {run: x, parser: junit}\n  type: {run: 'x {report}'}\n  build: {run: x, parser: errorformat}\n  format: {run: x, pattern: ['%f']}\n", `fettle.yaml:3:26: checks.test: there is no parser "gotset"; did you mean "gotest"?
fettle.yaml:4:15: checks.lint: the parser "junit" reads a report file, but the command does not name it: write {report} where its path belongs, or name the files in reports
fettle.yaml:5:15: checks.type: the command writes a {report}, but no parser reads it: use the parser junit, pytest-junit or sarif
fettle.yaml:6:10: checks.build: pattern and the parser errorformat need each other
fettle.yaml:7:29: checks.format: pattern and the parser errorformat need each other`},
		{"an unknown parser alone", "version: 1\nchecks:\n  test: {run: 'x {report}', parser: junitt}\n  lint: {run: x, parser: serif, reports: [a.json]}\n  type: {run: x, parser: erorformat, pattern: ['%f']}\n", `fettle.yaml:3:37: checks.test: there is no parser "junitt"; did you mean "junit"?
fettle.yaml:4:26: checks.lint: there is no parser "serif"; did you mean "sarif"?
fettle.yaml:5:26: checks.type: there is no parser "erorformat"; did you mean "errorformat"?`},
		{"programs that read", `version: 1
checks:
  test: {run: x, parser: {}}
  test.a: {run: x, parser: {run: [], format: rdjson}}
  test.b: {run: x, parser: {run: y, format: junitt}}
  test.c: {run: x, parser: {run: y, format: {run: z}}}
  test.d: {run: x, parser: {rnu: y}}
  test.e: {run: x, parser: [y, z]}
  test.f: {run: x, parser: {run: y, format: errorformat}}
  test.g: {run: x, parser: {run: y}, pattern: ['%m']}
  test.h: {run: 'x {report}', parser: {run: y}}
  test.i: {run: x, parser: {run: 'y {report}'}}
  test.j: {run: x, parser: {run: y}, reports: [a.xml]}
  test.k: {run: x, parser: {run: y | z}}
  test.l: {run: x, parser: {run: y, format: none}}
`, `fettle.yaml:3:26: checks.test.parser has no "run"
fettle.yaml:4:34: checks.test.a.parser.run: the command is empty
fettle.yaml:5:45: checks.test.b: there is no format "junitt"; did you mean "junit"?
fettle.yaml:6:45: checks.test.c.parser.format should be text
fettle.yaml:7:28: checks.test.d.parser has no "run"
fettle.yaml:7:29: unknown key "rnu" in checks.test.d.parser; did you mean "run"?
fettle.yaml:8:28: checks.test.e.parser: should be the name of a format, or the run and the format of a program that reads
fettle.yaml:9:11: checks.test.f: pattern and the format errorformat need each other
fettle.yaml:10:47: checks.test.g: pattern and the format errorformat need each other
fettle.yaml:11:17: checks.test.h: the command writes a {report}, but its parser's command does not name it: write {report} where its path belongs
fettle.yaml:12:34: checks.test.i: the parser's command reads a {report}, but the check's command does not write one: write {report} where its path belongs
fettle.yaml:13:47: checks.test.j: a parser that is a program is given no reports: have it look for the files by itself
` + "fettle.yaml:14:34: checks.test.k.parser.run: `|` needs a shell, and commands run without one: put it into a script, write [sh, -c, …], or quote it" + `
fettle.yaml:15:45: checks.test.l: there is no format "none"`},
		{"places", "version: 1\nchecks:\n  test: {run: x, dir: ../y, lang: cobol, files: ['[', /x], env: {'A B': c}}\nbranch_prefix: ../x\n", `fettle.yaml:3:23: checks.test: dir "../y" lies outside the repository
fettle.yaml:3:35: checks.test: lang should be one of go, java, javascript, python, rust
fettle.yaml:3:50: checks.test.files: the glob "[" is malformed: brackets are not closed, or a backslash escapes nothing
fettle.yaml:3:55: checks.test.files: the glob "/x" leaves the repository
fettle.yaml:3:65: checks.test: "A B" cannot be the name of a variable
fettle.yaml:4:16: branch_prefix "../x" cannot begin the name of a branch`},
		{"twice", "version: 1\nversion: 1\n", `fettle.yaml:2:1: key "version" stands in the file twice; the first is on line 1`},
		{"empty", "", "fettle.yaml:1:1: the file is empty; write at least: version: 1"},
		{"no version", "limits: {}\n", "fettle.yaml:1:1: version should be 1: the only one that this fettle knows"},
		{"a list", "- 1\n", "fettle.yaml:1:1: the file should hold keys and values\nfettle.yaml:1:1: version should be 1: the only one that this fettle knows"},
		{"two documents", "version: 1\n---\nversion: 1\n", "fettle.yaml:2:1: a second document begins here; the file holds one"},
		{"sure", "version: 1\nfixers: {confidence: {models: 0.5, tool: -1}}\n", "fettle.yaml:2:31: fixers.confidence has no 'models'; there are tool, search, plugin, model and agent\nfettle.yaml:2:42: fixers.confidence.tool should be between 0 and 1"},
		{"shares", "version: 1\nfixers: {shares: {models: 0.5, agent: 2}, give_up: -1}\n", "fettle.yaml:2:27: fixers.shares has no 'models'; there are model and agent\nfettle.yaml:2:39: fixers.shares.agent should be between 0 and 1\nfettle.yaml:2:52: fixers.give_up should be 0 or more"},
		{"trust", "version: 1\nfixers: {trust: {least: 0.5, most: 1.1}}\n", "fettle.yaml:2:25: fixers.trust.least should be between 0.6 and limits.confidence (0.7): who does not say how sure it is counts as half sure, and is not tried\nfettle.yaml:2:36: fixers.trust.most should be between limits.confidence and 1"},
		{"plugins", "version: 1\nfixers: {plugins: {a: {}, b: {run: x, checks: [lnit]}}}\n", "fettle.yaml:2:20: fixers.plugins.a has no \"run\"\nfettle.yaml:2:47: \"lnit\" is no kind of check; did you mean \"lint\"?"},
		{"a plugin's checks", "version: 1\nchecks: {test.python: {run: x}}\nfixers: {plugins: {b: {run: x, checks: [test, test.python, test.pyton, lint]}}}\n", `fettle.yaml:3:40: there is no check "test.pyton"; did you mean "test.python"?`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := load(t, c.file)
			var bad *check.ConfigError
			if !errors.As(err, &bad) || got != nil {
				t.Fatalf("%v, %v", got, err)
			}
			if d := cmp.Diff(c.want, err.Error()); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
	if _, err := load(t, "version: 1\n\tx"); err == nil || !strings.HasPrefix(err.Error(), "fettle.yaml:2: this is not YAML: ") {
		t.Errorf("not YAML: %v", err)
	}
}

func TestApplyEnv(t *testing.T) {
	env := map[string]string{"FETTLE_MAX_ITERATIONS": "3", "FETTLE_CONFIDENCE_THRESHOLD": "0.9", "FETTLE_MAX_FILE_SIZE": "5"}
	c := check.Default()
	if err := c.ApplyEnv(func(k string) string { return env[k] }); err != nil {
		t.Fatal(err)
	}
	if c.Limits.Iterations != 3 || c.Limits.Confidence != 0.9 || c.Limits.MaxFileSize != 5 {
		t.Errorf("%+v", c.Limits)
	}
	for k, bad := range map[string][]string{
		"FETTLE_MAX_ITERATIONS":       {"0", "-1", "ten", "1.5"},
		"FETTLE_CONFIDENCE_THRESHOLD": {"-0.1", "1.1", "NaN", "high"},
		"FETTLE_MAX_FILE_SIZE":        {"0", "10MB"},
	} {
		for _, v := range bad {
			c := check.Default()
			err := c.ApplyEnv(func(name string) string {
				if name == k {
					return v
				}
				return ""
			})
			if err == nil || !strings.HasPrefix(err.Error(), k+"='"+v+"': should be ") || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s=%s: %v", k, v, err)
			}
			if d := cmp.Diff(check.Default(), c); d != "" {
				t.Errorf("%s=%s changed something: %s", k, v, d)
			}
		}
	}
}

func TestEffective(t *testing.T) {
	root := tree(t, "-- go.mod --\nmodule x\n-- x.go --\npackage x\n")
	t.Setenv("FETTLE_MAX_ITERATIONS", "4")
	c, err := check.Effective(context.Background(), root)
	if err != nil || c.Written || names(c.Checks) != "lint.vet format.gofmt" || c.Limits.Iterations != 4 {
		t.Fatalf("discovered: %v %v", c, err)
	}
	write := func(text string) {
		if err := os.WriteFile(filepath.Join(root, check.FileName), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("version: 1\nlimits: {iterations: 7, findings: 9}\n")
	c, err = check.Effective(context.Background(), root)
	if err != nil || !c.Written || names(c.Checks) != "lint.vet format.gofmt" || c.Limits.Iterations != 4 || c.Limits.Findings != 9 {
		t.Errorf("a file without checks: %+v %v", c, err)
	}
	write("version: 1\nchecks: {}\n")
	if c, err = check.Effective(context.Background(), root); err != nil || len(c.Checks) != 0 {
		t.Errorf("a file that wants no checks: %v %v", c, err)
	}
	write("version: 1\nx: 1\n")
	if _, err = check.Effective(context.Background(), root); err == nil {
		t.Error("a broken file counts")
	}
}

func TestMarshalGolden(t *testing.T) {
	c, err := load(t, wholeFile)
	if err != nil {
		t.Fatal(err)
	}
	golden.Assert(t, string(c.Marshal()), "whole.yaml")
	golden.Assert(t, string(check.Default().Marshal()), "default.yaml")
}

// What Marshal writes, Load reads back.
func TestMarshalRoundTrip(t *testing.T) {
	word := rapid.OneOf(rapid.StringMatching(`[a-z./-]{1,8}`), rapid.StringMatching(`[ -~]{1,12}`), rapid.SampledFrom([]string{"", "a\nb", "it's", `"`, "é", "a: b", "#x", "- y", "null", "true", "1", "{a,b}", "\t"}))
	program := rapid.StringMatching(`[a-z][a-z./-]{0,8}`)
	argv := rapid.Custom(func(t *rapid.T) []string {
		return append([]string{program.Draw(t, "program")}, rapid.SliceOfN(word, 0, 4).Draw(t, "args")...)
	})
	argvs := rapid.Custom(func(t *rapid.T) [][]string {
		if n := rapid.IntRange(0, 2).Draw(t, "n"); n > 0 {
			return rapid.SliceOfN(argv, n, n).Draw(t, "argvs")
		}
		return nil
	})
	reader := rapid.Custom(func(t *rapid.T) *check.Reader {
		if rapid.Bool().Draw(t, "none") {
			return nil
		}
		return &check.Reader{Run: argv.Draw(t, "run"), Format: rapid.SampledFrom([]string{"rdjson", "junit", "gcc"}).Draw(t, "format")}
	})
	rapid.Check(t, func(rt *rapid.T) {
		c := check.Default()
		c.Limits.Iterations = rapid.IntRange(1, math.MaxInt).Draw(rt, "iterations")
		c.Limits.Confidence = rapid.Float64Range(0, 1).Draw(rt, "confidence")
		c.Limits.Time = time.Duration(rapid.Int64Range(1, int64(time.Hour)).Draw(rt, "time"))
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"test", "lint.x", "type.mypy", "test.a.b"}), 1, 4, rapid.ID[string]).Draw(rt, "names") {
			c.Checks = append(c.Checks, check.Check{
				Name: name, Run: argv.Draw(rt, "run"), Fix: argvs.Draw(rt, "fix"), Before: argvs.Draw(rt, "before"), After: argvs.Draw(rt, "after"),
				Timeout: time.Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(rt, "timeout")),
				Env:     map[string]string{"X": word.Draw(rt, "env")}, Alone: rapid.Bool().Draw(rt, "alone"), Reader: reader.Draw(rt, "reader"),
			})
		}
		got, err := load(t, string(c.Marshal()))
		if err != nil {
			rt.Fatalf("%v\n%s", err, c.Marshal())
		}
		if d := cmp.Diff(c, got); d != "" {
			rt.Fatalf("(-written +read)\n%s\n%s", d, c.Marshal())
		}
	})
}

func FuzzLoad(f *testing.F) {
	for _, s := range []string{wholeFile, "version: 1", "a: &x [*x]", "? [a]\n: b", "{}", "version: 1\nchecks: {test: &a {run: x}, lint: *a}", "<<: {version: 1}", "\x00"} {
		f.Add(s)
	}
	root := f.TempDir()
	load := func(text []byte) (*check.Config, error) {
		if err := os.WriteFile(filepath.Join(root, check.FileName), text, 0o600); err != nil {
			f.Fatal(err)
		}
		return check.Load(root)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := load([]byte(text))
		if err != nil {
			return
		}
		again, err := load(c.Marshal())
		if err != nil {
			t.Fatalf("what was read from %q cannot be read when written: %v", text, err)
		}
		if len(again.Checks) != len(c.Checks) || !cmp.Equal(again.Limits, c.Limits) {
			t.Fatalf("%+v became %+v", c, again)
		}
	})
}
