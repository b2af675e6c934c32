package plugin_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	"go.uber.org/goleak"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/fix/fixtest"
	"fettle/internal/fix/plugin"
	"fettle/internal/locate"
	"fettle/internal/testenv"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const text = "one\ntwo\nthree\n"

func task(place fix.Place) fix.Task {
	return fix.Task{
		Check:       check.Check{Name: "lint.x", Lang: "python", Run: []string{"x", "."}},
		Diagnostics: []diag.Diagnostic{{Check: "lint.x", File: "a.txt", Range: diag.Range{Start: diag.Position{Line: 2, Column: 1}}, Rule: "R1", Message: "two is bad", Suggestions: []diag.Suggestion{{Replacements: []diag.Replacement{{File: "a.txt", Span: &diag.Span{}, Unit: diag.UTF16, Text: "x"}, {File: "a.txt", Range: diag.Range{Start: diag.Position{Line: 2}, End: diag.Position{Line: 2}}}}}}, Frames: []diag.Frame{{File: "b.txt", Line: 1}}}},
		Feedback:    []fix.Failure{{Why: "the last one broke test_a", Patch: "-a\n+b\n"}},
		Place:       place,
	}
}

func propose(t *testing.T, place *fixtest.Place, f fix.Fixer, k fix.Task) ([]fix.Candidate, error) {
	t.Helper()
	var all []fix.Candidate
	var failed error
	for c, err := range f.Propose(t.Context(), k) {
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
	if len(left) > 0 {
		t.Errorf("the place was not taken back: %v", left.Paths())
	}
	return all, failed
}

func script(name, body string) fix.Fixer {
	return plugin.New(check.Plugin{Name: name, Run: []string{"sh", "-c", body}})
}

func place(t *testing.T) *fixtest.Place {
	return fixtest.New(t, map[string]string{"a.txt": text, "b.txt": "b\r\n", "c.txt": "c\n"})
}

// answer is a script that prints one candidate with this patch.
func answer(patch string) string {
	return "cat <<'EOF'\n{\"version\": 1, \"confidence\": 0.8, \"explanation\": \"two was bad\", \"cost_usd\": 0.01, \"patch\": " + patch + "}\nEOF\n"
}

func TestEveryForm(t *testing.T) {
	cases := map[string]string{
		"line edits":     `{"file": "a.txt", "edits": [{"line": 2, "old": "two", "new": "2"}]}`,
		"whole file":     `{"path": "a.txt", "content": "one\n2\nthree\n"}`,
		"unified diff":   `"--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"`,
		"search/replace": `"a.txt\n<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE\n"`,
	}
	for name, patch := range cases {
		t.Run(name, func(t *testing.T) {
			p := place(t)
			all, err := propose(t, p, script("mine", answer(patch)), task(p))
			if err != nil || len(all) != 1 {
				t.Fatalf("%d candidates, %v", len(all), err)
			}
			files, err := all[0].Patch.Apply(p.Source)
			if err != nil || string(files["a.txt"].Data) != "one\n2\nthree\n" {
				t.Errorf("got %q, %v", files["a.txt"].Data, err)
			}
			c := all[0]
			if c.Author != "mine" || c.Confidence != 0.8 || c.Cost != 0.01 || !strings.HasPrefix(c.Explanation, "two was bad") {
				t.Errorf("got %+v", c)
			}
		})
	}
}

func TestSeveralCandidatesKeepTheirOrder(t *testing.T) {
	p := place(t)
	body := answer(`{"path": "a.txt", "content": "1\n"}`) + answer(`{"path": "a.txt", "content": "2\n"}`)
	all, err := propose(t, p, script("mine", body), task(p))
	if err != nil || len(all) != 2 {
		t.Fatalf("%d candidates, %v", len(all), err)
	}
	if files, err := all[1].Patch.Apply(p.Source); err != nil || string(files["a.txt"].Data) != "2\n" {
		t.Errorf("got %q, %v", files["a.txt"].Data, err)
	}
	for range script("mine", body).Propose(t.Context(), task(p)) {
		break // the consumer may stop
	}
}

func TestNothingToPropose(t *testing.T) {
	p := place(t)
	if all, err := propose(t, p, script("mine", "cat > /dev/null; echo new > made.txt; echo x >> a.txt"), task(p)); err != nil || len(all) != 0 {
		t.Errorf("%v, %v", all, err)
	}
}

// A plug-in may do without knowing where the fault may be; the person is told what kept it from being found.
func TestNobodyKnowsWhere(t *testing.T) {
	p := place(t)
	k := task(p)
	noted := ""
	k.Note = func(text string) { noted = text }
	k.Suspects = func(context.Context) ([]locate.Suspect, error) { return nil, errors.New("the tests do not build") }
	all, err := propose(t, p, script("mine", answer(`{"path": "a.txt", "content": "1\n"}`)), k)
	if err != nil || len(all) != 1 || !strings.Contains(noted, "the tests do not build") {
		t.Errorf("%d candidates, %v, %q", len(all), err, noted)
	}
}

func TestTheTask(t *testing.T) {
	p := place(t)
	k := task(p)
	k.InScope = func(name string) bool { return name != "b.txt" }
	suspects := make([]locate.Suspect, 30)
	for i := range suspects {
		suspects[i] = locate.Suspect{File: "c.txt", Line: 30 - i, EndLine: 31 - i, Score: 1 - float64(i)/30, Failing: 1, Passing: i, Why: "run by 1 of 1 failing tests"}
	}
	k.Suspects = func(context.Context) ([]locate.Suspect, error) {
		return suspects, os.WriteFile(filepath.Join(p.Root(), "left-by-a-test.txt"), nil, 0o600)
	}
	out := p.Scratch() + "/task.json"
	if _, err := propose(t, p, script("mine", "test ! -e left-by-a-test.txt && cat > "+out), k); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var got plugin.Task
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	want := plugin.Task{
		Version:     1,
		Root:        p.Root(),
		Check:       plugin.Check{Name: "lint.x", Kind: "lint", Lang: "python", Run: []string{"x", "."}},
		Diagnostics: k.Diagnostics,
		Files:       []plugin.File{{Path: "a.txt", SHA256: edit.Sum([]byte(text)), Size: len(text)}, {Path: "c.txt", SHA256: edit.Sum([]byte("c\n")), Size: 2}},
		Suspects:    suspects[:20],
		Feedback:    []string{"the last one broke test_a\n\nThe patch:\n-a\n+b"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	validate(t, "plugin-task.schema.json", b)
}

// validate checks a message against its published schema.
func validate(t *testing.T, name string, message []byte) {
	t.Helper()
	b, err := os.ReadFile("../../../docs/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(b, &s); err != nil {
		t.Fatal(err)
	}
	r, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(message, &v); err != nil {
		t.Fatal(err)
	}
	if err := r.Validate(v); err != nil {
		t.Errorf("%s: %v", name, err)
	}
}

func TestFailuresAreNeverHalf(t *testing.T) {
	good := answer(`{"path": "a.txt", "content": "1\n"}`)
	cases := []struct{ name, body, want string }{
		{"exit code", good + "echo 'no such model' >&2; exit 3", "it ended with code 3: no such model"},
		{"crash", good + "kill -SEGV $$", "it was ended by a signal"},
		{"garbage", "echo hello", "candidate 1 is not what docs/plugins.md describes"},
		{"garbage after a candidate", good + "echo hello", "candidate 2 is not what docs/plugins.md describes"},
		{"half a candidate", "printf '{\"version\": 1, \"patch'", "candidate 1 is not what docs/plugins.md describes"},
		{"unknown field", `echo '{"version": 1, "patch": {}, "explanation": "x", "confidence": 1, "sure": true}'`, `unknown field "sure"`},
		{"another version", `echo '{"version": 2, "patch": "x", "explanation": "x", "confidence": 1}'`, "version is 2"},
		{"no explanation", `echo '{"version": 1, "patch": "x", "confidence": 1}'`, "explanation is missing"},
		{"no confidence", `echo '{"version": 1, "patch": "x", "explanation": "x"}'`, "confidence must be a number"},
		{"too sure", `echo '{"version": 1, "patch": "x", "explanation": "x", "confidence": 95}'`, "confidence must be a number"},
		{"it pays us", `echo '{"version": 1, "patch": "x", "explanation": "x", "confidence": 1, "cost_usd": -1}'`, "cost_usd"},
		{"no patch", `echo '{"version": 1, "explanation": "x", "confidence": 1}'`, "candidate 1"},
		{"a patch that does not fit", good + answer(`{"file": "a.txt", "edits": [{"line": 2, "old": "zwei", "new": "2"}]}`), "candidate 2: a.txt"},
		{"a patch that changes nothing", answer(`{"path": "a.txt", "content": "one\ntwo\nthree\n"}`), "changes nothing"},
		{"a path that leaves", answer(`{"path": "../a.txt", "content": "1\n"}`), "candidate 1"},
		{"huge output", "yes", "printed more than 10485760 bytes"},
		{"huge noise", "yes >&2", "printed more than 10485760 bytes"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := place(t)
			all, err := propose(t, p, script("mine", c.body), task(p))
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "plug-in mine: ") {
				t.Errorf("error %v, want %q", err, c.want)
			}
			if len(all) > 0 {
				t.Errorf("candidates in spite of it: %v", all)
			}
		})
	}
}

func TestHang(t *testing.T) {
	p := place(t)
	f := plugin.New(check.Plugin{Name: "slow", Run: []string{"sh", "-c", "echo changed > a.txt; sleep 60"}, Timeout: 100 * time.Millisecond})
	if _, err := propose(t, p, f, task(p)); err == nil || !strings.Contains(err.Error(), "plug-in slow: it did not end within 100ms") {
		t.Errorf("got %v", err)
	}
}

func TestMissingProgram(t *testing.T) {
	p := place(t)
	f := plugin.New(check.Plugin{Name: "gone", Run: []string{"no-such-program-here"}})
	_, err := propose(t, p, f, task(p))
	if !errors.Is(err, exec.ErrNotFound) || !strings.Contains(err.Error(), "no-such-program-here") {
		t.Errorf("got %v", err)
	}
}

func TestCancelled(t *testing.T) {
	p := place(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	n := 0
	for _, err := range script("mine", "sleep 60").Propose(ctx, task(p)) {
		n++
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
	if n != 1 {
		t.Errorf("%d results", n)
	}
}

func TestTakes(t *testing.T) {
	cases := []struct {
		checks []string
		want   bool
	}{{nil, true}, {[]string{"lint"}, true}, {[]string{"lint.ruff"}, true}, {[]string{"test", "lint.mypy"}, false}}
	for _, c := range cases {
		f := plugin.New(check.Plugin{Name: "mine", Checks: c.checks})
		if got := f.Takes(check.Check{Name: "lint.ruff"}, diag.Diagnostic{}); got != c.want {
			t.Errorf("Takes with %q = %v", c.checks, got)
		}
		if f.Name() != "mine" || f.Rung() != fix.RungPlugin {
			t.Errorf("got %s on %d", f.Name(), f.Rung())
		}
	}
}

var example = regexp.MustCompile("(?s)```python\n(.*?)```")

// The documentation's example does what it says.
func TestDocumentedExample(t *testing.T) {
	testenv.NeedTool(t, "python3")
	doc, err := os.ReadFile("../../../docs/plugins.md")
	if err != nil {
		t.Fatal(err)
	}
	body := example.FindSubmatch(doc)
	if body == nil {
		t.Fatal("docs/plugins.md has no example in Python")
	}
	p := fixtest.New(t, map[string]string{"tools/trailing_space.py": string(body[1]), "a.py": "x = 1  \r\ny = 2\r\nz = 3 \t", "b.py": "x = 1 \n"})
	w291 := func(file string, line int) diag.Diagnostic {
		return diag.Diagnostic{File: file, Rule: "W291", Range: diag.Range{Start: diag.Position{Line: line}}, Message: "trailing whitespace"}
	}
	f := plugin.New(check.Plugin{Name: "trailing-space", Run: []string{"python3", "tools/trailing_space.py"}})
	k := fix.Task{Check: check.Check{Name: "lint.flake8"}, Place: p, Diagnostics: []diag.Diagnostic{w291("a.py", 1), w291("a.py", 3), w291("b.py", 1), {File: "a.py", Rule: "E1"}}}
	all, err := propose(t, p, f, k)
	if err != nil || len(all) != 2 {
		t.Fatalf("%d candidates, %v", len(all), err)
	}
	files, err := all[0].Patch.Apply(p.Source)
	if err != nil || string(files["a.py"].Data) != "x = 1\r\ny = 2\r\nz = 3" {
		t.Errorf("got %q, %v", files["a.py"].Data, err)
	}

	out, err := exec.Command("sh", "-c", answer(`{"path": "a.txt", "content": "1\n"}`)).Output()
	if err != nil {
		t.Fatal(err)
	}
	validate(t, "plugin-candidate.schema.json", out)
}
