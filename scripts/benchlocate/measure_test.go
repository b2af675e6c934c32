package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fettle/internal/locate"
	"fettle/internal/report"
	"fettle/scripts/figures"
)

// Lines that are changed or taken out count, and those beside what is put in.
func TestTouched(t *testing.T) {
	diff := "diff --git a/x b/x\n@@ -3,2 +3 @@ func f()\n-a\n-b\n+c\n@@ -10 +10 @@\n-x\n+y\n@@ -20,0 +21,3 @@\n+p\n+q\n+r\n"
	if got, want := slices.Sorted(maps.Keys(touched(diff))), []int{3, 4, 10, 20, 21}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// The place is the best of all suites.
func TestRank(t *testing.T) {
	line := func(file string, from, to int) report.Line {
		return report.Line{Suspect: locate.Suspect{File: file, Line: from, EndLine: to}}
	}
	places := report.Places{Suites: []report.Suspects{
		{Lines: []report.Line{line("b.go", 3, 3), line("a.go", 1, 2), line("a.go", 3, 5)}, More: 4},
		{Lines: []report.Line{line("a.go", 9, 9), line("a.go", 4, 4)}},
	}}
	r := Result{Bug: Bug{File: "a.go"}}
	r.rank(places, map[int]bool{4: true})
	if !r.Seen || r.Place != 2 || r.Lines != 2 {
		t.Errorf("%+v", r)
	}
	r = Result{Bug: Bug{File: "c.go"}}
	r.rank(places, map[int]bool{4: true})
	if !r.Seen || r.Place != 0 || r.Lines != 7 {
		t.Errorf("%+v", r)
	}
}

// The rows are whole, and the table tells of each.
func TestTable(t *testing.T) {
	var bugs []Bug
	if err := json.Unmarshal(bugsJSON, &bugs); err != nil {
		t.Fatal(err)
	}
	var all []Result
	for _, b := range bugs {
		if len(b.SHA) != 40 || b.File == "" || b.Repo != bugs[0].Repo {
			t.Errorf("%+v", b)
		}
		all = append(all, Result{Bug: b, Seen: true, Fixed: "left", Place: 3})
	}
	all[0].Fixed, all[1].Place, all[2].Fixed = "healed", 7, ""
	text := table(all)
	for _, want := range []string{"of 15 of these `fettle fix` was asked, and 1 are healed", "is the first in 0, among the first five in 14, and among the first ten in 15", bugs[2].SHA[:9], "| 0.0 | – | – |"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

// What was measured is known the next time, by another program not.
func TestResultsAreKept(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	program := filepath.Join(t.TempDir(), "fettle")
	build := func(text string, force bool) *figures.Store[Result] {
		t.Helper()
		if err := os.WriteFile(program, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
		s, err := openStore(program, force)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	}
	first := build("one", false)
	for _, sha := range []string{"a", "b"} {
		if err := first.Keep(Result{Bug: Bug{SHA: sha, Lines: 5}, Place: 3, Lines: 7, Fixed: "left"}); err != nil {
			t.Fatal(err)
		}
	}
	again := build("one", false)
	if _, ok := again.Has("a"); !ok {
		t.Error("a is not kept")
	}
	if b, ok := again.Has("b"); !ok || b.Place != 3 || b.Fixed != "left" || b.Bug.Lines != 5 || b.Lines != 7 {
		t.Errorf("kept: %v", b)
	}
	if _, ok := build("two", false).Has("a"); ok {
		t.Error("known by another program")
	}
	if _, ok := build("one", true).Has("a"); ok {
		t.Error("known though it is forced")
	}
}
