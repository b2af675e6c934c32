package agent

import (
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"gotest.tools/v3/golden"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/fix"
	"fettle/internal/quote"
)

// TestPrompt holds all that an agent is told against the texts as they should read.
func TestPrompt(t *testing.T) {
	k := fix.Task{
		Check:       check.Check{Name: "test.go", Run: []string{"go", "test", "./..."}},
		Feedback:    []fix.Failure{{Why: "the last one broke TestB"}},
		Diagnostics: []diag.Diagnostic{{Test: "TestSum", File: "sum_test.go", Range: diag.Range{Start: diag.Position{Line: 7, Column: 3}}, Message: "got -1"}},
	}
	text, err := prompt(k, briefing{texts: Options{}.texts(k), subagents: true, resumed: true})
	if err != nil {
		t.Fatal(err)
	}
	golden.Assert(t, regexp.MustCompile(`data-[a-z]{14}`).ReplaceAllString(text, "data-NONCE"), "prompt.golden")
}

// TestOwnWords: a person's texts are told in the place of the program's, the most special first; what data is, and how an answer is read, is told all the same.
func TestOwnWords(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	of := func(checks ...string) fix.Task {
		k := fix.Task{Check: check.Check{Name: checks[0]}}
		for _, name := range checks[1:] {
			k.Also = append(k.Also, fix.Part{Check: check.Check{Name: name}})
		}
		return k
	}
	own := fstest.MapFS{"agent/task.md": file("MINE"), "agent/task.test.md": file("OF TESTS"), "agent/task.test.go.md": file("OF GO"), "agent/again.md": file("ONCE MORE"), "fixer/system.md": file("NOT THIS")}
	for _, c := range []struct {
		task fix.Task
		want string
	}{{of("lint.go"), "MINE"}, {of("test.py"), "OF TESTS"}, {of("test.go"), "OF GO"}, {of("test.go", "test.py"), "OF TESTS"}, {of("test.go", "lint.go"), "MINE"}} {
		text, err := prompt(c.task, briefing{texts: Options{Templates: own}.texts(c.task), resumed: true})
		if err != nil || !strings.HasPrefix(text, c.want+"\n") || strings.Contains(text, "NOT THIS") {
			t.Errorf("%v: %v, %s", c.task.Check.Name, err, text)
		}
		for _, always := range []string{quote.Told, "end with one JSON object", "[REDACTED:…]", "ONCE MORE"} {
			if !strings.Contains(text, always) {
				t.Errorf("%s: %q is not told:\n%s", c.want, always, text)
			}
		}
	}
	empty := fstest.MapFS{"agent/task.md": file(" \n")}
	if _, err := prompt(of("a"), briefing{texts: Options{Templates: empty}.texts(of("a"))}); err == nil || !strings.Contains(err.Error(), "agent/task.md of yours is empty") {
		t.Errorf("%v", err)
	}
}
