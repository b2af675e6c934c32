package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/heal"
	"fettle/internal/report"
	"fettle/internal/verdict"
	"fettle/scripts/lay"
	"fettle/scripts/release"
)

// The test program stands in for fettle when it is told how to behave.
func TestMain(m *testing.M) {
	if how := os.Getenv("BENCHREAL_FAKE"); how != "" {
		os.Exit(fake(how, os.Args[1:]))
	}
	os.Exit(m.Run())
}

// fake is a fettle over one file: it is healthy when no line of it is bad.
func fake(how string, args []string) int {
	b, err := os.ReadFile("a.txt")
	if err != nil {
		return 99
	}
	old := string(b)
	found := bad(old)
	const kept = ".git/fettle/a.txt"
	printed := func(doc any, code int) int {
		out, err := json.Marshal(doc)
		if err != nil {
			return 99
		}
		fmt.Println(string(out))
		return code
	}
	switch args[0] {
	case "run":
		r := report.OfRun([]check.Result{{Check: "lint.bad", Status: check.Passed}})
		if len(found) > 0 {
			r = report.OfRun([]check.Result{{Check: "lint.bad", Status: check.Failed, Diagnostics: found}})
		}
		return printed(r, r.ExitCode)
	case "fix":
		rep := report.Session{ID: "s1", End: verdict.Converged, Iterations: []heal.Iteration{{Number: 1}}}
		text := strings.ReplaceAll(old, "bad", "good")
		switch how {
		case "gives up", "ends with the wrong code":
			text, rep.End, rep.Left = old, verdict.Stuck, found
		case "gives up in silence":
			text, rep.End = old, verdict.Stuck
		case "lies":
			text = old
		case "writes elsewhere":
			err = os.WriteFile("b.txt", []byte("mine\n"), 0o644)
		case "writes something else":
			text = strings.ReplaceAll(old, "bad", "great")
		case "breaks":
			text, rep.End, rep.Left = strings.ReplaceAll(old, "bad", "bad bad"), verdict.Stuck, found
		case "is interrupted":
			rep.End, rep.Reason = verdict.Interrupted, "a signal"
		case "heals half":
			text, rep.End = strings.Replace(old, "bad", "good", 1), verdict.Stuck
			rep.Left = bad(text)
		}
		if err != nil || os.MkdirAll(filepath.Dir(kept), 0o755) != nil || os.WriteFile(kept, b, 0o644) != nil || os.WriteFile("a.txt", []byte(text), 0o644) != nil {
			return 99
		}
		if rep.End != verdict.Converged && how == "ends with the wrong code" {
			return printed(rep, 0)
		}
		return printed(rep, rep.End.ExitCode())
	case "rollback":
		if how == "keeps" {
			return 0
		}
		b, err := os.ReadFile(kept)
		if err != nil || os.WriteFile("a.txt", b, 0o644) != nil {
			return 99
		}
		return 0
	}
	return 2
}

func bad(text string) (found []diag.Diagnostic) {
	for i, line := range strings.Split(text, "\n") {
		if strings.Contains(line, "bad") {
			found = append(found, diag.Diagnostic{Check: "lint.bad", File: "a.txt", Range: diag.Range{Start: diag.Position{Line: i + 1}}, Message: line})
		}
	}
	return found
}

// one is a project of one file, with two faults.
func one() Project {
	far := strings.Repeat("-\n", 20)
	return Project{Release: release.Release{Name: "one", Version: "v1"}, Language: "Go", Checks: []string{"lint.bad"}, Faults: []Fault{
		{Kind: "lint", What: "the first is bad", Check: "lint.bad", File: "a.txt", Find: "first good\n", Replace: "first bad\n"},
		{Kind: "logic", What: "the second is bad", Check: "lint.bad", File: "a.txt", Find: "second good\n" + far, Replace: "second bad\n" + far},
	}}
}

func laidOut(t *testing.T, how string) *tree {
	t.Helper()
	far := strings.Repeat("-\n", 20)
	work := t.TempDir()
	archive := filepath.Join(work, "one.zip")
	if err := lay.Zip(archive, map[string]string{"top/one@v1/a.txt": "first good\n" + far + "second good\n" + far, "top/one@v1/b.txt": "other\n"}); err != nil {
		t.Fatal(err)
	}
	p := one()
	p.Env = map[string]string{"BENCHREAL_FAKE": how}
	tr, err := layOut(t.Context(), p, archive, filepath.Join(work, "tree"), "stamp")
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func TestMeasure(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		how      string
		fates    []Fate
		troubles []string // what they begin with
	}{
		{"heals", []Fate{Exact, Exact}, nil},
		{"heals half", []Fate{Exact, Left}, nil},
		{"gives up", []Fate{Left, Left}, nil},
		{"gives up in silence", []Fate{Unnamed, Unnamed}, nil},
		{"ends with the wrong code", []Fate{Unnamed, Unnamed}, []string{"fettle fix ended stuck with exit code 0, not 5", "it ended stuck (exit code 0)"}},
		{"lies", []Fate{Unnamed, Unnamed}, []string{"it ended converged"}},
		{"writes elsewhere", []Fate{Exact, Exact}, []string{"it changed b.txt", "after fettle rollback the tree"}},
		{"writes something else", []Fate{Unread, Unread}, nil},
		{"breaks", []Fate{Wrong, Wrong}, nil},
		{"keeps", []Fate{Exact, Exact}, []string{"after fettle rollback the tree"}},
	} {
		t.Run(c.how, func(t *testing.T) {
			tr := laidOut(t, c.how)
			s, err := tr.measure(t.Context(), self, []int{0, 1}, 1e9)
			if err != nil {
				t.Fatal(err)
			}
			var fates []Fate
			for _, o := range s.Faults {
				fates = append(fates, o.Fate)
				if o.Named != "line" {
					t.Errorf("fault %d is seen at %q", o.Fault, o.Named)
				}
			}
			if !slices.Equal(fates, c.fates) {
				t.Errorf("fates %v, want %v", fates, c.fates)
			}
			if !slices.EqualFunc(s.Troubles, c.troubles, strings.HasPrefix) {
				t.Errorf("troubles %q, want %q", s.Troubles, c.troubles)
			}
			if out, err := tr.Git(t.Context(), "status", "--porcelain"); err != nil || len(out) > 0 {
				t.Errorf("the tree is left as\n%s%v", out, err)
			}
		})
	}
}

// A session that was interrupted has measured nothing.
func TestInterrupted(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if s, err := laidOut(t, "is interrupted").measure(t.Context(), self, []int{0}, 1e9); err == nil || !strings.Contains(err.Error(), "interrupted (a signal)") {
		t.Errorf("%+v, %v", s, err)
	}
}

// A text that a person has read counts as what they found it to be.
func TestReviewed(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, equivalent := range []bool{true, false} {
		tr := laidOut(t, "writes something else")
		tr.Faults[0].Reviewed = []Reviewed{{Text: "first great\n", Equivalent: equivalent, Because: "it is read"}}
		s, err := tr.measure(t.Context(), self, []int{0}, 1e9)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := s.Faults[0].Fate, map[bool]Fate{true: Equivalent, false: Wrong}[equivalent]; got != want {
			t.Errorf("reviewed as equivalent %v: %s, want %s", equivalent, got, want)
		}
	}
}

// A project that is not green, or has other checks than its file says, is not measured.
func TestSound(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	b := bench{fettle: self}
	var r Result
	tr := laidOut(t, "heals")
	tr.Language = "none"
	if err := b.sound(t.Context(), tr, &r); err != nil {
		t.Error(err)
	}
	tr.Checks = []string{"test"}
	if err := b.sound(t.Context(), tr, &r); err == nil || !strings.Contains(err.Error(), "finds the checks lint.bad, not test") {
		t.Error(err)
	}
	red := laidOut(t, "heals")
	if err := os.WriteFile(filepath.Join(red.Dir, "a.txt"), []byte("bad\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := red.Git(t.Context(), "commit", "-qam", "red"); err != nil {
		t.Fatal(err)
	}
	if err := b.sound(t.Context(), red, &r); err == nil || !strings.Contains(err.Error(), "not green") {
		t.Error(err)
	}
}

// A table without some of the projects would look like one of all: it is not written.
func TestUnmeasured(t *testing.T) {
	all := []Project{{Release: named("a"), Faults: make([]Fault, 1)}, {Release: named("b"), Faults: make([]Fault, 1)}, {Release: named("c")}}
	results := []Result{{Project: all[0], Sessions: map[string]Session{"0": {}, together: {}}}, {Project: all[1], Sessions: map[string]Session{"0": {}}}}
	if got := unmeasured(all, results); !slices.Equal(got, []string{"b", "c"}) {
		t.Errorf("%q", got)
	}
}

func named(name string) release.Release { return release.Release{Name: name} }
