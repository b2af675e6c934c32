package heal_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"fettle/internal/check"
	"fettle/internal/fix"
	"fettle/internal/heal"
	"fettle/internal/verdict"
)

// six is a test that says what it has found instead.
var six = check.Check{Name: "test", Parser: "tap", Run: []string{"sh", "-c", `if grep -q '(' a.txt; then echo 'Bail out! the ( is not closed'; exit 1; elif test "$(cat a.txt)" = 6; then echo 'ok 1 - total'; else printf 'not ok 1 - total\n  ---\n  error: assert %s == 6\n  ...\n' "$(cat a.txt)"; exit 1; fi`}}

// Whoever tries again is told what was tried, and what the checks said with it, without what is secret.
func TestWhatFailedIsToldInFull(t *testing.T) {
	long := strings.Repeat("x", 5000)
	for name, c := range map[string]struct {
		check check.Check
		tries string
		told  []string
	}{
		"a test still fails": {six, "8", []string{"a patch by script (BAD becomes 8.) was refused: it did not pass verification", "-BAD", "+8", "assert 8 == 6"}},
		"a new finding":      {nobad, "BAD indeed", []string{"new finding", "-BAD", "+BAD indeed", "a.txt:1: BAD indeed"}},
		"no test runs":       {six, "(", []string{"+(", "the ( is not closed"}},
		"a secret":           {six, "hush 8", []string{"+[mark] 8", "assert [mark] 8 == 6"}},
		"more than is told":  {six, long, []string{"-BAD", "[…]", "xx == 6"}},
	} {
		t.Run(name, func(t *testing.T) {
			var told []fix.Failure
			f := &script{name: "model", rung: fix.RungModel, answers: func(k fix.Task) []fix.Candidate {
				if told = k.Feedback; len(told) == 0 {
					return []fix.Candidate{replace(k, "a.txt", "BAD", c.tries)}
				}
				return []fix.Candidate{replace(k, "a.txt", "BAD", "6")}
			}}
			b := set(t, map[string]string{"a.txt": "BAD\n"}, []check.Check{c.check}, f)
			b.loop.Lab.Redact = func(text string) string { return strings.ReplaceAll(text, "hush", "[mark]") }
			if s, end := b.start(t, heal.Goal{Checks: []string{c.check.Name}}); end != verdict.Converged || len(told) != 1 {
				t.Fatalf("ended %s (%s), and it was told %q", end, s.Reason, told)
			}
			all := told[0].String()
			for _, want := range c.told {
				if !strings.Contains(all, want) {
					t.Errorf("it is not told %q: %s", want, all)
				}
			}
			if len(told[0].Patch)+len(told[0].Report) > 4000 || strings.Contains(all, "hush") || !told[0].Own {
				t.Errorf("it is told %+v", told[0])
			}
		})
	}
}

// All that the audit has against a patch is told at once, not one thing a round; of very much only so much.
func TestAllObjectionsOfTheAuditAreTold(t *testing.T) {
	python := check.Check{Name: "lint", Run: []string{"sh", "-c", `! grep -nE 'BAD|^\)' *.py /dev/null`}, Parser: "errorformat", Pattern: []string{"%f:%l:%m"}, Files: []string{"*.py"}}
	danger := []string{"os.system(NAME)", "eval(NAME)", "pickle.loads(NAME)", "exec(NAME)", "marshal.loads(NAME)", "shelve.open(NAME)", "subprocess.run(NAME, shell=True)"}
	for n, want := range map[int][]string{
		1: {"os.system"},
		3: {"os.system", "eval", "pickle.loads"},
		7: {"; and "},
	} {
		mends := "1\n\n\ndef f():\n    return [\n        " + strings.Join(danger[:n], ",\n        ") + ",\n    ]"
		f := &script{name: "model", rung: fix.RungModel, answers: func(k fix.Task) []fix.Candidate {
			return []fix.Candidate{replace(k, "a.py", "BAD", mends)}
		}}
		b := set(t, map[string]string{"a.py": "import marshal, os, pickle, shelve, subprocess\n\nNAME = BAD\n"}, []check.Check{python}, f)
		s, end := b.start(t, heal.Goal{})
		if end == verdict.Converged || len(s.Failures) == 0 {
			t.Fatalf("%d: ended %s: %+v", n, end, s.Failures)
		}
		for _, want := range want {
			if !strings.Contains(s.Failures[0].Why, want) {
				t.Errorf("%d: %q is not told: %s", n, want, s.Failures[0].Why)
			}
		}
	}
}

// What failed at one finding is told to whoever is asked about it, and to nobody who is asked about another.
func TestFailuresAreOfTheirFindings(t *testing.T) {
	var mu sync.Mutex
	heard := map[string][]fix.Failure{} // by fixer and file: what it was told the last time
	asks := func(name string, answer func(k fix.Task, file string) []fix.Candidate) *script {
		return &script{name: name, rung: fix.RungModel, answers: func(k fix.Task) []fix.Candidate {
			mu.Lock()
			defer mu.Unlock()
			file := k.Diagnostics[0].File
			heard[name+" "+file] = k.Feedback
			return answer(k, file)
		}}
	}
	fast := asks("fast", func(k fix.Task, file string) []fix.Candidate {
		if file != "a.txt" || len(k.Feedback) > 0 {
			return nil
		}
		return []fix.Candidate{replace(k, file, "BAD", "BAD too")}
	})
	deep := asks("deep", func(k fix.Task, file string) []fix.Candidate {
		return []fix.Candidate{replace(k, file, "BAD", "good")}
	})
	deep.rung += 2
	b := set(t, map[string]string{"a.txt": "BAD\n", "b.txt": "BAD\n"}, []check.Check{nobad}, fast, deep)
	if s, end := b.start(t, heal.Goal{}); end != verdict.Converged {
		t.Fatalf("ended %s: %s", end, s.Reason)
	}
	if own, others := heard["fast a.txt"], heard["deep a.txt"]; len(own) != 1 || !own[0].Own || len(others) != 1 || others[0].Own || own[0].Why != others[0].Why {
		t.Errorf("of a.txt they were told %+v and %+v", own, others)
	}
	if none := slices.Concat(heard["fast b.txt"], heard["deep b.txt"]); len(none) > 0 {
		t.Errorf("of b.txt, at which nobody failed, they were told %+v", none)
	}
}
