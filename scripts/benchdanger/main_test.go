package main

import (
	"strings"
	"testing"

	"fettle/internal/policy/code"
)

// TestCorpus holds that each language has enough patches of either label, of several kinds, none twice.
func TestCorpus(t *testing.T) {
	for _, l := range languages {
		all, err := read(l.name, l.file)
		if err != nil {
			t.Fatal(err)
		}
		count, kinds, seen := map[bool]int{}, map[string]bool{}, map[string]bool{}
		for _, p := range all {
			count[p.danger]++
			kinds[p.kind] = true
			if seen[p.Before+p.After] {
				t.Errorf("%s, %s stands there twice: %q", l.name, p.kind, p.After)
			}
			seen[p.Before+p.After] = true
		}
		if count[true] < 60 || count[false] < 60 || len(kinds) < 10 {
			t.Errorf("%s: %v of %d kinds", l.name, count, len(kinds))
		}
	}
}

// TestMeasure holds that rows of a file are measured by their labels, and what is labelled neither way is not.
func TestMeasure(t *testing.T) {
	out, err := measure(false, []string{"testdata/rows.jsonl"})
	if err != nil {
		t.Fatal(err)
	}
	_, rows, _ := strings.Cut(out, "rows.jsonl")
	for _, want := range []string{"1 (1) of 2, 50.0 %", "0 of 1, 0.0 %"} {
		if !strings.Contains(rows, want) {
			t.Errorf("%q is not in\n%s", want, rows)
		}
	}
	if _, err := measure(false, []string{"testdata/nowhere"}); err == nil {
		t.Error("a file that is not there is measured")
	}
}

// TestAims holds what was reached: of the patches of each language at least 95 in a hundred that are dangerous are stopped, and at most one in fifty
// that is harmless.
func TestAims(t *testing.T) {
	for _, l := range languages {
		all, err := read(l.name, l.file)
		if err != nil {
			t.Fatal(err)
		}
		for _, set := range []string{"second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"} {
			more, err := later(set, l.name, l.file)
			if err != nil && (set != "second" || l.name != "shell") && (set != "eighth" || l.name != "java") {
				t.Fatal(err)
			}
			all = append(all, more...)
		}
		count, stopped := map[bool]float64{}, map[bool]float64{}
		for _, p := range all {
			count[p.danger]++
			if grade, _ := judge(p); grade >= code.Review {
				stopped[p.danger]++
			}
		}
		if stopped[true] < 0.95*count[true] || stopped[false] > 0.02*count[false] {
			t.Errorf("%s: %v of %v", l.name, stopped, count)
		}
	}
}
