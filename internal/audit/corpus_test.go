package audit_test

import (
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fettle/internal/audit"
	"fettle/internal/verdict"
)

var update = flag.Bool("update", false, "rewrite the list of the changes that are judged otherwise than their makers meant")

// sets are changes of one file each that people made who did not know the rules, 660 of them, and 97 of configurations by which somebody who did know them has
// checks see or demand less: what they held to be tampering, a matter for a person, or legitimate.
var sets = []string{"changes.jsonl", "further.jsonl.gz", "configurations.jsonl.gz"}

// otherwise lists the changes that are judged otherwise than their makers meant: a name, what it is, what is said of it.
const otherwise = "testdata/otherwise.txt"

// changes reads one of the sets.
func changes(t *testing.T, name string) []row {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var text io.Reader = f
	if strings.HasSuffix(name, ".gz") {
		if text, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	var rows []row
	for d := json.NewDecoder(text); d.More(); {
		var r row
		if err := d.Decode(&r); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	return rows
}

// TestChanges: a person's change that tampers does not pass, one that is legitimate does, and of the others a person is asked.
func TestChanges(t *testing.T) {
	meant := map[string]verdict.Decision{"review": verdict.Ask, "legit": verdict.Approve}
	var list strings.Builder
	for _, set := range sets {
		count := make(map[string]int)
		for _, r := range changes(t, set) {
			before, after := files{r.Path: r.Before}, files{r.Path: r.After}
			if r.Before == "" {
				before = files{}
			}
			if r.After == "" {
				after = files{}
			}
			in := input(before, after)
			in.Goal.By = audit.Person
			d := audit.Audit(t.Context(), in).Decision()
			count[r.Label+" "+string(d)]++
			if want, tells := meant[r.Label]; tells && d != want || !tells && d == verdict.Approve {
				fmt.Fprintf(&list, "%s %s %s: %s, %s\n", r.ID, r.Label, d, r.Path, r.Pattern)
			}
		}
		t.Log(set, count)
	}
	if *update {
		if err := os.WriteFile(otherwise, []byte(list.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(otherwise)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(list.String(), "\n")); d != "" {
		t.Errorf("judged otherwise than meant (-update, if that is right): %s", d)
	}
}
