package heal_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"fettle/internal/check"
	"fettle/internal/fix"
	"fettle/internal/heal"
	"fettle/internal/verdict"
)

// project is the check of one of many projects: it minds files of its folder only.
func project(name string, minds ...string) check.Check {
	return check.Check{
		Name: "lint." + name, Parser: "errorformat", Pattern: []string{"%f:%l:%m"}, Files: []string{name + "/**"},
		Run: []string{"sh", "-c", `out=$(grep -Hn BAD ` + strings.Join(append(minds, name+"/*"), " ") + ` /dev/null | sed 's/$/ is bad/'); test -z "$out" || { echo "$out"; exit 1; }`},
	}
}

// counted counts how often each check runs.
func (b *bench) counted() map[string]int {
	var mu sync.Mutex
	runs := map[string]int{}
	b.loop.Lab.Run.Events = func(e check.Event) {
		if e.Result != nil {
			mu.Lock()
			defer mu.Unlock()
			runs[e.Result.Check]++
		}
	}
	return runs
}

// A round runs the checks that its change concerns; before the tree is called healthy, all are run.
func TestOnlyWhatIsConcerned(t *testing.T) {
	f := &script{name: "good", rung: fix.RungPlugin, answers: func(t fix.Task) []fix.Candidate {
		return []fix.Candidate{replace(t, t.Diagnostics[0].File, "BAD", "good")}
	}}
	b := set(t, map[string]string{"one/a.txt": "BAD\nBAD\nBAD\n", "two/a.txt": "fine\n"}, []check.Check{project("one"), project("two")}, f)
	runs := b.counted()
	s, end := b.start(t, heal.Goal{Checks: []string{"lint.one", "lint.two"}})
	if end != verdict.Converged || s.Iteration != 3 {
		t.Fatalf("ended %s after %d rounds: %s", end, s.Iteration, s.Reason)
	}
	if runs["lint.two"] != 2 {
		t.Errorf("the check that no change concerned ran %d times, want at the beginning and at the end", runs["lint.two"])
	}
	if runs["lint.one"] < 1+3 {
		t.Errorf("the check that every change concerned ran %d times", runs["lint.one"])
	}
}

// A check that depends on more than its files say is found out at the end; what broke it is taken back, and from then on it
// has a say in every change.
func TestWhatBrokeUnnoticedIsTakenBack(t *testing.T) {
	for _, dry := range []bool{false, true} {
		t.Run(fmt.Sprintf("dry=%v", dry), func(t *testing.T) {
			// The first thing that comes to the fixer's mind would do for one, but two minds that very word.
			words := []string{"worse", "fine"}
			f := &script{name: "two minds", rung: fix.RungPlugin, answers: func(t fix.Task) []fix.Candidate {
				var out []fix.Candidate
				for _, w := range words {
					out = append(out, replace(t, t.Diagnostics[0].File, "BAD", w))
				}
				return out
			}}
			two := project("two")
			two.Run = []string{"sh", "-c", "! grep -q worse one/a.txt || { echo one/a.txt:1:what a word; exit 1; }"}
			b := set(t, map[string]string{"one/a.txt": "BAD\n", "one/b.txt": "BAD\n", "two/a.txt": "fine\n"}, []check.Check{project("one"), two}, f)
			s, end := b.start(t, heal.Goal{Checks: []string{"lint.one", "lint.two"}, DryRun: dry})
			if want := map[bool]verdict.End{false: verdict.Converged, true: verdict.Paused}[dry]; end != want {
				t.Fatalf("ended %s: %s\n%v", end, s.Reason, b.said)
			}
			if !slices.Equal(s.Spread, []string{"lint.two"}) {
				t.Errorf("it is not known of %v that it depends on more", s.Spread)
			}
			if !slices.ContainsFunc(s.History, func(r heal.Iteration) bool { return r.Status == "rolled back" }) {
				t.Errorf("nothing was taken back: %+v", s.History)
			}
			if dry {
				return
			}
			if got := b.read(t, "one/a.txt"); got != "fine\n" {
				t.Errorf("healed to %q", got)
			}
		})
	}
}

// A session that cannot heal everything takes back what broke a check unnoticed, too, and tells what is left.
func TestWhatBrokeUnnoticedIsTakenBackWhenStuck(t *testing.T) {
	f := &script{name: "one idea", rung: fix.RungPlugin, answers: func(t fix.Task) []fix.Candidate {
		if t.Diagnostics[0].File != "one/a.txt" {
			return nil
		}
		return []fix.Candidate{replace(t, "one/a.txt", "BAD", "worse")}
	}}
	two := project("two")
	two.Run = []string{"sh", "-c", "! grep -q worse one/a.txt || { echo one/a.txt:1:what a word; exit 1; }"}
	b := set(t, map[string]string{"one/a.txt": "BAD\n", "one/b.txt": "BAD\n", "two/a.txt": "fine\n"}, []check.Check{project("one"), two}, f)
	s, end := b.start(t, heal.Goal{Checks: []string{"lint.one", "lint.two"}})
	if end != verdict.Stuck || b.read(t, "one/a.txt") != "BAD\n" {
		t.Fatalf("ended %s (%s) with %q", end, s.Reason, b.read(t, "one/a.txt"))
	}
	if len(s.Findings) != 2 || s.History[0].Status != "rolled back" {
		t.Errorf("left: %+v\nhistory: %+v", s.Findings, s.History)
	}
}

// A check that fails at the end for reasons of its own is not held against the changes.
func TestWhatBreaksByItselfIsNotOurs(t *testing.T) {
	f := &script{name: "good", rung: fix.RungPlugin, answers: func(t fix.Task) []fix.Candidate {
		if t.Check.Name != "lint.one" {
			return nil
		}
		return []fix.Candidate{replace(t, t.Diagnostics[0].File, "BAD", "good")}
	}}
	two := project("two")
	two.Run = []string{"sh", "-c", "! test -e somebody"}
	b := set(t, map[string]string{"one/a.txt": "BAD\n", "two/a.txt": "fine\n"}, []check.Check{project("one"), two}, f)
	b.loop.Tell = func(e heal.Event) {
		if e.Kind == heal.Applied {
			b.write(t, "somebody", "was here\n")
		}
	}
	s, end := b.start(t, heal.Goal{Checks: []string{"lint.one", "lint.two"}})
	if end != verdict.Stuck || b.read(t, "one/a.txt") != "good\n" || len(s.Spread) > 0 {
		t.Errorf("ended %s (%s) with %q, %v", end, s.Reason, b.read(t, "one/a.txt"), s.Spread)
	}
}

// BenchmarkOneOfFifty heals a repository of fifty projects of which one fails, in four rounds, and measures the time that its
// checks take. Everything: every file concerns every check. Cold: nothing is known. Warm: all of them passed before one broke.
func BenchmarkOneOfFifty(b *testing.B) {
	const projects, rounds = 50, 4
	for _, mode := range []string{"everything", "cold", "warm"} {
		b.Run(mode, func(b *testing.B) {
			files := map[string]string{}
			var checks []check.Check
			var names []string
			for i := range projects {
				c := project(fmt.Sprintf("p%d", i))
				c.Run[2] = "sleep 0.02; " + c.Run[2]
				if mode == "everything" {
					c.Files = nil
				}
				files[fmt.Sprintf("p%d/a.txt", i)] = "fine\n"
				checks, names = append(checks, c), append(names, c.Name)
			}
			f := &script{name: "good", rung: fix.RungPlugin, answers: func(t fix.Task) []fix.Candidate {
				return []fix.Candidate{replace(t, t.Diagnostics[0].File, "BAD", "good")}
			}}
			at := set(b, files, checks, f)
			at.loop.Tell = nil
			m := at.metered()
			var took time.Duration
			for n := 0; b.Loop(); n++ {
				if mode == "cold" { // an environment that was never seen
					at.loop.Lab.Run.Env = map[string]string{"TRY": strconv.Itoa(n)}
				}
				if mode == "warm" {
					if err := os.WriteFile(filepath.Join(at.root, "p7/a.txt"), []byte("fine\n"), 0o644); err != nil {
						b.Fatal(err)
					}
					at.start(b, heal.Goal{Checks: names})
				}
				bad := strings.Repeat("BAD\n", rounds)
				if err := os.WriteFile(filepath.Join(at.root, "p7/a.txt"), []byte(bad), 0o644); err != nil {
					b.Fatal(err)
				}
				m.took.Store(0)
				if s, end := at.start(b, heal.Goal{Checks: names}); end != verdict.Converged || s.Iteration != rounds {
					b.Fatalf("ended %s after %d rounds: %s", end, s.Iteration, s.Reason)
				}
				took += time.Duration(m.took.Load())
			}
			b.ReportMetric(float64(took.Milliseconds())/float64(b.N), "check-ms/op")
			b.ReportMetric(0, "ns/op")
		})
	}
}
