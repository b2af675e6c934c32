package jobs_test

import (
	"strings"
	"testing"

	"fettle/internal/audit/jobs"
)

const workflow = `on:
  push:
    branches: [main, next]
  pull_request:
jobs:
  test:
    runs-on: ${{ matrix.os }}
    strategy:
      matrix:
        os: [ubuntu-latest, windows-latest]
        python: ["3.10", "3.11", "3.12"]
    steps:
      - run: ruff check .
      - run: pytest
`

// TestLosses tells what of a workflow checks less than it did.
func TestLosses(t *testing.T) {
	for _, c := range []struct {
		name, old, with string
		look            func(before, after []byte) []jobs.Loss
		want            string
	}{
		{"nothing starts it for a change", "  pull_request:\n", "", jobs.Triggers, "pull_request does not start these checks any more"},
		{"fewer branches", "  pull_request:\n", "  pull_request:\n    branches: [main]\n", jobs.Triggers, "pull_request starts these checks for less than before (branches)"},
		{"what is pushed is proposed first", "[main, next]", "[main]", jobs.Triggers, ""},
		{"a step never runs", "      - run: pytest\n", "      - run: pytest\n        if: false\n", jobs.Idle, "pytest is not run any more by itself (if: false)"},
		{"a new step never runs", "      - run: pytest\n", "      - run: pytest\n      - run: mypy .\n        if: false\n", jobs.Idle, ""},
		{"fewer systems", ", windows-latest", "", jobs.Machines, "test: these checks run on less than before (Windows); test: these checks run on less than before (os: windows-latest)"},
		{"fewer versions", `"3.10", `, "", jobs.Machines, "test: these checks run on less than before (python: 3.10)"},
		{"other versions", `"3.10"`, `"3.13"`, jobs.Machines, ""},
		{"a folder", "      - run: ruff check .\n", "      - run: ruff check .\n        working-directory: src\n", jobs.Below, "ruff is started in src alone"},
		{"a pipe", "run: pytest\n", "run: pytest | tee log\n", jobs.InPipes, `"- run: pytest | tee log": how pytest ends counts no more, in a pipe without pipefail or behind the shell's back`},
	} {
		after := strings.Replace(workflow, c.old, c.with, 1)
		if after == workflow {
			t.Fatalf("%s: nothing is changed", c.name)
		}
		var all []string
		for _, l := range c.look([]byte(workflow), []byte(after)) {
			all = append(all, l.Evidence)
		}
		if got := strings.Join(all, "; "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestOldest tells versions that are no longer supported from others that are gone.
func TestOldest(t *testing.T) {
	for gone, want := range map[string]bool{`"3.10", `: true, `, "3.12"`: false} {
		all := jobs.Machines([]byte(workflow), []byte(strings.Replace(workflow, gone, "", 1)))
		if len(all) != 1 || all[0].Oldest != want || len(all[0].Values) != 1 {
			t.Errorf("without %s: %+v", gone, all)
		}
	}
}
