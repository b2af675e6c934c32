package audit_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"fettle/internal/audit"
	"fettle/internal/verdict"
)

// changes reads what people who did not know the rules held to be tampering, a matter for a person, or legitimate: 360 changes of one file each.
func changes(t *testing.T) []row {
	t.Helper()
	text, err := os.ReadFile("testdata/changes.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var rows []row
	for line := range bytes.Lines(text) {
		var r row
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	return rows
}

// judgedOtherwise are the changes of which fettle says something else than who wrote them.
var judgedOtherwise = strings.Fields(`
tb-082
tc-019
tc-036
tc-062
`)

// TestChanges: a person's change that tampers does not pass, one that is legitimate does, and of the others a person is asked.
func TestChanges(t *testing.T) {
	want := map[string][]verdict.Decision{"tamper": {verdict.Refuse, verdict.Ask}, "review": {verdict.Ask}, "legit": {verdict.Approve}}
	otherwise := make(map[string]bool)
	for _, id := range judgedOtherwise {
		otherwise[id] = true
	}
	count := make(map[string]int)
	for _, r := range changes(t) {
		before, after := files{r.Path: r.Before}, files{r.Path: r.After}
		if r.Before == "" {
			before = files{}
		}
		if r.After == "" {
			after = files{}
		}
		in := input(before, after)
		in.Goal.By = audit.Person
		report := audit.Audit(t.Context(), in)
		d := report.Decision()
		count[r.Label+" "+string(d)]++
		as := false
		for _, w := range want[r.Label] {
			as = as || d == w
		}
		if as == otherwise[r.ID] {
			t.Errorf("%s %s, %s (%s) is %s: %v\n%s", r.ID, r.Label, r.Path, r.Pattern, d, report.Findings, r.Note)
		}
	}
	t.Log(count)
}
