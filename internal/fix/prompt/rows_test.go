package prompt_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/fix"
	"fettle/internal/fix/fixtest"
	"fettle/internal/fix/prompt"
	"fettle/internal/lang"
	"fettle/internal/locate"
	"fettle/scripts/benchrepair/rows"
)

// A request about a fault in one function stays within its budget, and shows the line that is at fault.
func TestTokensOfSmallFaults(t *testing.T) {
	all, err := rows.All()
	if err != nil {
		t.Fatal(err)
	}
	var sizes []int
	for i, row := range all {
		line := 1
		base, right := strings.Split(row.Files[row.Source], "\n"), strings.Split(row.Reference, "\n")
		for line < len(base) && line < len(right) && base[line-1] == right[line-1] {
			line++
		}
		if i%4 != 0 || row.Files[row.Source] == "" {
			continue
		}
		test := ""
		for name := range row.Files {
			if lang.IsTest(name) && (test == "" || name < test) {
				test = name
			}
		}
		k := fix.Task{
			Check:       check.Check{Name: "test", Lang: row.Language},
			Diagnostics: []diag.Diagnostic{{Check: "test", File: test, Range: diag.Range{Start: diag.Position{Line: 5}}, Test: test + "::test_0", Message: "it failed", Detail: strings.Repeat("E  assert 1 == 2\n", 100)}},
			Feedback:    []fix.Failure{{Why: "it still fails", Patch: strings.Repeat("+x = 1\n", 200), Report: strings.Repeat("E  assert 1 == 2\n", 100)}},
			Place:       fixtest.New(t, row.Files),
			Suspects: func(context.Context) ([]locate.Suspect, error) {
				return []locate.Suspect{{File: row.Source, Line: line, EndLine: line}}, nil
			},
		}
		r, err := prompt.Build(t.Context(), k, prompt.Options{})
		if err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, r.Tokens)
		if r.Tokens > prompt.DefaultTokens {
			t.Errorf("%s: %d tokens", row.ID, r.Tokens)
		}
		if shown := strings.TrimSpace(base[line-1]); !strings.Contains(r.User, shown) {
			t.Errorf("%s: line %d (%s) is not shown", row.ID, line, shown)
		}
	}
	slices.Sort(sizes)
	t.Logf("%d requests: half have at most %d tokens, the largest %d", len(sizes), sizes[len(sizes)/2], sizes[len(sizes)-1])
}
