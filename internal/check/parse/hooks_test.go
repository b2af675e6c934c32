package parse_test

import (
	"fmt"
	"strings"
	"testing"

	"fettle/internal/check/parse"

	"github.com/google/go-cmp/cmp"
	"gotest.tools/v3/assert"
	"pgregory.net/rapid"
)

// statusLine is a line as pre-commit prints it, of 79 letters.
func statusLine(name, marker string) string {
	return name + strings.Repeat(".", 79-len([]rune(name))-len(marker)) + marker + "\n"
}

// hookRules are the hooks that a report says have failed.
func hookRules(r parse.Report) []string {
	out := []string{}
	for _, d := range r.Diagnostics {
		out = append(out, d.Rule)
	}
	return out
}

// Status lines are read from their end (C16), so that dots in a name survive (C17); four words and signs mark them (C18), and
// each that failed is told by its name (C19).
func TestHookStatusLines(t *testing.T) {
	for _, tc := range []struct {
		line string
		want []string
	}{
		{"ruff-check.............................................................. ❌", []string{"ruff-check"}},
		{"ruff-check.............................................................. ✅", []string{}},
		{"mypy................................................................Failed", []string{"mypy"}},
		{"mypy................................................................Passed", []string{}},
		{"mypy............................................................... Failed", []string{"mypy"}},
		{"mypy............................................................. Failed  ", []string{"mypy"}},
		{"test.integration.api.................................................... ❌", []string{"test.integration.api"}},
		{"test.integration.api................................................Failed", []string{"test.integration.api"}},
		{"a. Failed", []string{"a"}},
		{"check v1.2.3...done..... Failed", []string{"check v1.2.3...done"}},
		{"checking……………………Failed", []string{"checking"}},
		{"prüfen · alles···················Failed", []string{"prüfen · alles"}},
		{"nothing..............(no files to check)Skipped", []string{}},
		{"skipped.............................................................Skipped", []string{}},
		{"\x1b[1mmypy\x1b[0m.......\x1b[41mFailed\x1b[m", []string{"mypy"}},
		// what is none
		{"", []string{}},
		{"...... Failed", []string{}},
		{"Failed", []string{}},
		{"❌", []string{}},
		{"the build has Failed", []string{}},
		{"It is over.. Failed to start", []string{}},
		{"mypy.......................... FAILED", []string{}},
		{"mypy.......................... ❌ 3 errors", []string{}},
		{"x..Failed", []string{}},
	} {
		assert.DeepEqual(t, hookRules(read(t, "hooks", tc.line+"\n", parse.Options{})), tc.want)
	}
}

// Whatever a hook's name is, its status line gives it back, and what stands between changes nothing.
func TestHookNamesSurvive(t *testing.T) {
	noise := []string{"", "[WARNING] Unstaged files detected.", "[INFO] Stashing unstaged files to /home/x/patch1.", "[INFO] Initializing environment for x.",
		"diff --git a/x b/x", "@@ -1,2 +1,2 @@", "-old", "+new", "- exit code: 1", "- duration: 0.1s", strings.Repeat("long ", 1000), "\xff\xfe", "Warning: ........"}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[a-z](?:[a-z0-9.…· ()/:-]{0,30}[a-z0-9)])?`).Draw(t, "name")
		failed := rapid.Bool().Draw(t, "failed")
		marker := map[bool][]string{false: {"Passed", " ✅", " Passed"}, true: {"Failed", " ❌", " Failed"}}[failed]
		line := name + strings.Repeat(".", rapid.IntRange(3, 40).Draw(t, "dots")) + rapid.SampledFrom(marker).Draw(t, "marker") + "\n"
		between := strings.Join(rapid.SliceOf(rapid.SampledFrom(noise)).Draw(t, "between"), "\n") + "\n"
		f, _ := parse.Lookup("hooks")
		r, err := f.Parse(strings.NewReader(between+line+between), among())
		if err != nil {
			t.Fatal(err)
		}
		if want := map[bool][]string{false: {}, true: {name}}[failed]; fmt.Sprint(hookRules(r)) != fmt.Sprint(want) {
			t.Fatalf("%q gave %q", line, hookRules(r))
		}
		if diff := cmp.Diff([]parse.Hook{{Name: name, Passed: !failed}}, r.Hooks); diff != "" {
			t.Fatalf("%q: %s", line, diff)
		}
	})
}

func among(files ...string) parse.Options {
	return parse.Options{Check: "check", Root: "/repo", Exists: func(name string) bool {
		for _, f := range files {
			if f == name {
				return true
			}
		}
		return false
	}}
}

// What tools say inside of hooks, each in its own way. Only the first hook has failed.
func TestToolsInHooks(t *testing.T) {
	o := among("a.py", "src/a b.js", "conf/x.yaml", "c.json", "lib.rs", "README.md", "big.bin", "t.ts")
	for name, tc := range map[string]struct{ text, want string }{
		"flake8":            {"a.py:1:80: E501 line too long", "a.py:1:80 x error rule=E501\n\tline too long\n"},
		"mypy and its note": {"a.py:3: error: Bad  [misc]\na.py:3: note: because", "a.py:3:0 x error rule=misc\n\tBad\n\t| note: because\n"},
		"pylint":            {"a.py:1:0: C0114: Missing module docstring (missing-module-docstring)", "a.py:1:0 x error rule=C0114\n\tMissing module docstring (missing-module-docstring)\n"},
		"ruff, broken code": {"invalid-syntax: Expected `)`\n --> a.py:2:3\n  |", "a.py:2:3 x error\n\tinvalid-syntax: Expected `)`\n"},
		"rustc":             {"error[E0308]: mismatched types\n --> lib.rs:2:5\n  |\n2 |     1\n", "lib.rs:2:5 x error rule=E0308\n\tmismatched types\n"},
		"eslint":            {"/repo/src/a b.js\n  1:7  error    'x' is not used  no-unused-vars\n  2:1  warning  Odd.             odd-rule\n\n✖ 2 problems", "src/a b.js:1:7 x error rule=no-unused-vars\n\t'x' is not used\nsrc/a b.js:2:1 x warning rule=odd-rule\n\tOdd.\n"},
		"tsc":               {"t.ts(4,2): error TS2322: No.", "t.ts:4:2 x error rule=TS2322\n\tNo.\n"},
		"tsc, for people":   {"t.ts:4:2 - error TS2322: No.", "t.ts:4:2 x error rule=TS2322\n\tNo.\n"},
		"codespell":         {"README.md:2: foo ==> bar", "README.md:2:0 x error\n\tfoo ==> bar\n"},
		"check-yaml":        {"while scanning\n  in \"conf/x.yaml\", line 2, column 1", "conf/x.yaml:2:1 x error\n\twhile scanning\n"},
		"check-json":        {"c.json: Failed to json decode (Expecting value: line 3 column 1 (char 9))", "c.json:3:1 x error rule=x\n\thook x failed: c.json: Failed to json decode (Expecting value: line 3 column 1 (char 9))\n\t| c.json: Failed to json decode (Expecting value: line 3 column 1 (char 9))\n"},
		"added-large-files": {"big.bin (600 KB) exceeds 500 KB.", "big.bin:0:0 x error rule=x\n\thook x failed: big.bin (600 KB) exceeds 500 KB.\n\t| big.bin (600 KB) exceeds 500 KB.\n"},
		"prettier":          {"[warn] src/a b.js\n[warn] Code style issues found.", "src/a b.js:0:0 x error rule=x\n\thook x failed: [warn] src/a b.js\n\t| [warn] src/a b.js\n\t| [warn] Code style issues found.\n"},
		"an example":        {"see a.py for what to do\nno file here: b.py:1:2: E501", ":0:0 x error rule=x\n\thook x failed: see a.py for what to do\n\t| see a.py for what to do\n\t| no file here: b.py:1:2: E501\n"},
		"no output":         {"", ":0:0 x error rule=x\n\thook x failed\n"},
		"times of a clock":  {"12:03:55 starting\n10:20: done", ":0:0 x error rule=x\n\thook x failed: 12:03:55 starting\n\t| 12:03:55 starting\n\t| 10:20: done\n"},
		"a missing program": {"Executable `x` not found", ""},
	} {
		text := statusLine("hook", "Failed") + "- hook id: x\n- exit code: 1\n\n" + tc.text + "\n\n" + statusLine("next", "Passed") + "- hook id: next\n\na.py:9:9: E999 of a hook that passed\n"
		assert.Equal(t, describe(read(t, "hooks", text, o)), tc.want, name)
		indented := statusLine("hook", "Failed") + "- hook id: x\n- exit code: 1\n\n  " + strings.ReplaceAll(tc.text, "\n", "\n  ") + "\n" + statusLine("next", "Passed")
		assert.Equal(t, describe(read(t, "hooks", indented, o)), tc.want, name+", by prek")
	}
}

// What hooks have changed, and what pre-commit says around it.
func TestHooksThatChangeFiles(t *testing.T) {
	text := "[WARNING] Unstaged files detected.\n[INFO] Stashing unstaged files to /root/.cache/pre-commit/patch1-2.\n[INFO] Installing environment for https://example.com/a.py.\n" +
		statusLine("trim", "Failed") + "- hook id: trailing-whitespace\n- exit code: 1\n- files were modified by this hook\n\nFixing a.py\nFixing my notes.txt\n\n" +
		statusLine("line ends", "Failed") + "- hook id: mixed-line-ending\n- exit code: 1\n- files were modified by this hook\n\na.py: fixed mixed line endings\n\n" +
		statusLine("silent", "Failed") + "- hook id: silent\n- files were modified by this hook\n" +
		statusLine("lint --fix", "Failed") + "- hook id: both\n- exit code: 1\n- files were modified by this hook\n\nb.py:1:1: F401 unused\nfixed a.py\n\n" +
		"pre-commit hook(s) made changes.\nIf you are seeing this message in CI, reproduce locally with: `pre-commit run --all-files`.\nAll changes made by hooks:\n" +
		"diff --git a/b.py b/b.py\n--- a/b.py\n+++ b/b.py\n@@ -1 +1 @@\n-c.......................Failed\n+b.py:1:2: E501 x\n" +
		"[INFO] Restored changes from /root/.cache/pre-commit/patch1-2.\n"
	r := read(t, "hooks", text, among("a.py", "b.py", "my notes.txt"))
	assert.Equal(t, describe(r), "a.py:0:0 trailing-whitespace error rule=trailing-whitespace fixable\n\thook trailing-whitespace changes this file: Fixing a.py\n\t| Fixing a.py\n\t| Fixing my notes.txt\n"+
		"my notes.txt:0:0 trailing-whitespace error rule=trailing-whitespace fixable\n\thook trailing-whitespace changes this file: Fixing my notes.txt\n"+
		"a.py:0:0 mixed-line-ending error rule=mixed-line-ending fixable\n\thook mixed-line-ending changes this file: a.py: fixed mixed line endings\n\t| a.py: fixed mixed line endings\n"+
		":0:0 silent error rule=silent fixable\n\thook silent changes files\n"+
		"b.py:1:1 both error rule=F401\n\tunused\n"+
		"a.py:0:0 both error rule=both fixable\n\thook both changes this file: fixed a.py\n\t| b.py:1:1: F401 unused\n\t| fixed a.py\n")
}

// Runners that say ids align their status lines; what looks like one in a tool's own output is no hook.
func TestListsOfTestsInHooks(t *testing.T) {
	text := statusLine("tests", "Failed") + "- hook id: tests\n- exit code: 1\n\nfirst............Passed\nsecond...........Failed\n  a.py:3: wrong\n\n" +
		statusLine("日本語のフック", "Failed") + "- hook id: wide\n- exit code: 1\n\n" +
		"other project......Failed\n- hook id: other\n- exit code: 1\n"
	assert.Equal(t, describe(read(t, "hooks", text, among("a.py"))), "a.py:3:0 tests error\n\twrong\n"+
		":0:0 wide error rule=wide\n\thook wide failed\n:0:0 other error rule=other\n\thook other failed\n")
}

func TestLefthook(t *testing.T) {
	o := among("a.py", "b.py")
	for name, tc := range map[string]struct{ text, want string }{
		"only the summary": {"summary: (done in 0.10 seconds)\n✔️ fine (0.01 seconds)\n🥊 lint: exit status 1 (0.02 seconds)\n🥊 types (0.02 seconds)\n",
			":0:0 lint error rule=lint\n\thook lint failed\n:0:0 types error rule=types\n\thook types failed\n"},
		"an exit status in the output": {"┃  lint ❯ \nexit status 1\na.py:1:2: is only mentioned\n\n┃  types ❯ \nb.py:3:4: bad\n\nexit status 2\n  ────────────────────\nsummary: (done in 0.1 seconds)\n✗ types (0.02 seconds)\n",
			"b.py:3:4 types error\n\tbad\n"},
		"changes": {"┃  fmt ❯ \n\nError: files were modified by a hook, and fail_on_changes is enabled\n",
			":0:0 lefthook error rule=fail_on_changes fixable\n\ta command of lefthook changes files\n"},
		"a missing program": {"┃  x ❯ \nsh: 1: x: not found\n\nexit status 127\n  ─────────\nsummary: (done in 0.1 seconds)\n✗ x (0.02 seconds)\n", ""},
		"skipped":           {"│  x (skip) name\n│  y (skip) no files for inspection\n", ""},
	} {
		assert.Equal(t, describe(read(t, "lefthook", tc.text, o)), tc.want, name)
	}
}

func FuzzLefthook(f *testing.F) {
	fuzz(f, "lefthook", "┃  a ❯ \na.py:1: x\nexit status 1\nsummary: \n🥊 b (0.1 seconds)\n")
}
