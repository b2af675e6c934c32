package heal_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fettle/internal/check"
	"fettle/internal/fix"
	"fettle/internal/heal"
	"fettle/internal/journal"
	"fettle/internal/verdict"
)

func good(path string) func(t fix.Task) []fix.Candidate {
	return func(t fix.Task) []fix.Candidate { return []fix.Candidate{replace(t, path, "BAD", "good")} }
}

func (b *bench) write(t testing.TB, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(b.root, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// An edit while a check runs must not make its answer stand for the content from before.
func TestAnEditDuringARunPoisonsNoMemory(t *testing.T) {
	b := set(t, map[string]string{"a.txt": "BAD\n"}, []check.Check{nobad})
	b.loop.Lab.Run.Events = func(e check.Event) {
		if e.Result == nil {
			b.write(t, "a.txt", "fine\n")
		}
	}
	b.start(t, heal.Goal{})
	b.loop.Lab.Run.Events = nil
	b.write(t, "a.txt", "BAD\n")
	if s, end := b.start(t, heal.Goal{}); end == verdict.Converged {
		t.Errorf("a bad file was called healthy: %s", s.Reason)
	}
}

// A patch to a script that judges needs a person: it could make its check say anything.
func TestScriptsThatJudgeNeedAPerson(t *testing.T) {
	rules := check.Check{Name: "lint", Run: []string{"sh", "rules.sh"}}
	cheat := &script{name: "cheat", rung: fix.RungPlugin, answers: func(t fix.Task) []fix.Candidate {
		return []fix.Candidate{replace(t, "rules.sh", "exit 1", "exit 0")}
	}}
	b := set(t, map[string]string{"rules.sh": "exit 1\n"}, []check.Check{rules}, cheat)
	if s, end := b.start(t, heal.Goal{}); end != verdict.Paused || b.read(t, "rules.sh") != "exit 1\n" {
		t.Errorf("ended %s (%s) with %q", end, s.Reason, b.read(t, "rules.sh"))
	}
}

// What a failing test expects is not changed by whoever has to make it pass: nobody is asked, and the patch is kept. For another check a person is asked.
func TestExpectationsAreNotForWhoeverHasToMeetThem(t *testing.T) {
	const test = "def test_add():\n    assert add(1, 2) == 3\n"
	for name, want := range map[string]verdict.End{"test": verdict.Stuck, "lint": verdict.Paused} {
		c := check.Check{Name: name, Parser: "tap", Run: []string{"sh", "-c", `cmp -s test_a.py want.txt && echo "ok 1 - t" || { echo "not ok 1 - t"; exit 1; }`}}
		cheat := &script{name: "cheat", rung: fix.RungPlugin, answers: func(t fix.Task) []fix.Candidate {
			if c := replace(t, "test_a.py", "== 3", "== 4"); len(c.Patch) > 0 {
				return []fix.Candidate{c}
			}
			return nil
		}}
		b := set(t, map[string]string{"test_a.py": test, "want.txt": strings.Replace(test, "== 3", "== 4", 1)}, []check.Check{c}, cheat)
		s, end := b.start(t, heal.Goal{Checks: []string{name}})
		if end != want || b.read(t, "test_a.py") != test {
			t.Errorf("%s ended %s (%s) with %q, kept %+v", name, end, s.Reason, b.read(t, "test_a.py"), s.Kept)
		}
		if name == "test" && (s.Kept == nil || !strings.Contains(s.Kept.Why, "test_add asks or expects something else now")) {
			t.Errorf("kept: %+v", s.Kept)
		}
	}
}

// Over the limit of findings nobody above the tools is asked, also when the tools have had their turn in vain.
func TestTooManyFindingsAfterTheToolsHadTheirTurn(t *testing.T) {
	tool := &script{name: "tool", rung: fix.RungTool, answers: func(fix.Task) []fix.Candidate { return nil }}
	dear := &script{name: "dear", rung: fix.RungPlugin, answers: good("a.txt")}
	b := set(t, map[string]string{"a.txt": strings.Repeat("BAD\n", 5)}, []check.Check{nobad}, tool, dear)
	b.loop.Config.Limits.Findings = 4
	if s, end := b.start(t, heal.Goal{}); end != verdict.Halted || tool.proposed.Load() != 1 || dear.proposed.Load() != 0 || s.Iteration != 1 {
		t.Errorf("ended %s (%s), asked %d and %d times in %d rounds", end, s.Reason, tool.proposed.Load(), dear.proposed.Load(), s.Iteration)
	}
	b.loop.Config.Limits.Findings = 5
	if _, end := b.start(t, heal.Goal{}); end != verdict.Converged || dear.proposed.Load() != 5 {
		t.Errorf("ended %s, asked %d times", end, dear.proposed.Load())
	}
}

// One fault can fail hundreds of tests: those of one file count as one finding.
func TestFailingTestsOfOneFileAreOneFinding(t *testing.T) {
	tap := check.Check{Name: "test", Parser: "tap", Run: []string{"sh", "-c", `for i in 1 2 3 4 5 6; do grep -q good a.txt && echo "ok $i - t$i" || echo "not ok $i - t$i"; done; grep -q good a.txt`}}
	goal := heal.Goal{Checks: []string{"test", "lint"}}
	dear := &script{name: "dear", rung: fix.RungPlugin, answers: good("a.txt")}
	b := set(t, map[string]string{"a.txt": "BAD\n"}, []check.Check{tap, nobad}, dear)
	b.loop.Config.Limits.Findings = 2
	if s, end := b.start(t, goal); end != verdict.Converged {
		t.Errorf("ended %s (%s)", end, s.Reason)
	}
	b = set(t, map[string]string{"a.txt": "BAD\nBAD\n"}, []check.Check{tap, nobad}, dear)
	b.loop.Config.Limits.Findings = 2
	if s, end := b.start(t, goal); end != verdict.Halted || !strings.Contains(s.Reason, "3 findings are left after the tools' own fixes, more than 2 (the failing tests of one file count as one)") {
		t.Errorf("ended %s (%s)", end, s.Reason)
	}
}

// A check of the goal that is not configured any more has not passed.
func TestAGoalsCheckThatIsGoneIsNotHealthy(t *testing.T) {
	b := set(t, map[string]string{"a.txt": "fine\n"}, []check.Check{nobad})
	if s, end := b.start(t, heal.Goal{Checks: []string{"lint", "test"}}); end != verdict.Halted || !strings.Contains(s.Reason, "test: there is no such check") {
		t.Errorf("ended %s: %s", end, s.Reason)
	}
}

// hangsWhenHealed passes in candidates' copies and never ends on a healed tree with a network.
var hangsWhenHealed = check.Check{
	Name: "slow", Run: []string{"sh", "-c", `test "$(wc -l < /proc/net/dev)" = 3 || ! grep -q good a.txt || sleep 60`},
}

func needNetwork(t *testing.T) {
	t.Helper()
	if dev, err := os.ReadFile("/proc/net/dev"); err != nil || bytes.Count(dev, []byte("\n")) <= 3 {
		t.Skip("this machine has no network but loopback: nothing can differ between the two kinds of copies")
	}
}

// A session whose time is over before its change is confirmed takes the change back.
func TestNothingUnconfirmedIsLeft(t *testing.T) {
	needNetwork(t)
	b := set(t, map[string]string{"a.txt": "BAD\n"}, []check.Check{nobad, hangsWhenHealed}, &script{name: "good", rung: fix.RungTool, answers: good("a.txt")})
	s, end := b.start(t, heal.Goal{Time: 6 * time.Second})
	if end != verdict.Budget || b.read(t, "a.txt") != "BAD\n" {
		t.Fatalf("ended %s (%s) with %q", end, s.Reason, b.read(t, "a.txt"))
	}
	if s.History[0].Status != "rolled back" || s.Kept == nil {
		t.Errorf("the history is %+v, kept %+v", s.History, s.Kept)
	}
}

// A session that was cut between its change and the confirmation, and whose change a person took back meanwhile, does not
// claim it.
func TestATakenBackChangeIsNotClaimed(t *testing.T) {
	b := set(t, map[string]string{"a.txt": "BAD\n"}, []check.Check{nobad}, &script{name: "good", rung: fix.RungTool, answers: good("a.txt")})
	id := b.cutAt(t, "confirm")
	if _, err := b.tree.Undo(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	s, end, err := b.loop.Resume(t.Context(), id)
	if err != nil || end == verdict.Converged || b.read(t, "a.txt") != "BAD\n" {
		t.Fatalf("resumed to %s (%v, %s) with %q", end, err, s.Reason, b.read(t, "a.txt"))
	}
	if r := s.History[0]; r.Successful != 0 || len(r.Changes) != 0 || r.Status != "rolled back" {
		t.Errorf("the history is %+v", s.History)
	}
}

// A tree that was edited while a session was away is measured anew: the person's own fix is not credited to the patch.
func TestResumeMeasuresAChangedTreeAnew(t *testing.T) {
	b := set(t, map[string]string{"a.txt": "BAD\n"}, []check.Check{nobad}, &script{name: "good", rung: fix.RungTool, answers: good("a.txt")})
	id := b.cutAt(t, "verify")
	b.write(t, "a.txt", "mended by hand\n")
	s, end, err := b.loop.Resume(t.Context(), id)
	if err != nil || end != verdict.Converged || b.read(t, "a.txt") != "mended by hand\n" {
		t.Fatalf("resumed to %s (%v, %s) with %q", end, err, s.Reason, b.read(t, "a.txt"))
	}
	if sets, err := b.loop.Journal.List(t.Context(), journal.Filter{}); err != nil || len(sets) != 0 {
		t.Errorf("something was changed: %v, %v", sets, err)
	}
}

func TestOnlyNamesFoldersToo(t *testing.T) {
	f := &script{name: "good", rung: fix.RungTool, answers: func(t fix.Task) []fix.Candidate {
		if !t.InScope("sub/a.txt") || t.InScope("subway/a.txt") || t.InScope("a.txt") {
			return nil
		}
		return []fix.Candidate{replace(t, "sub/a.txt", "BAD", "good")}
	}}
	c := nobad
	c.Run, c.Files = []string{"sh", "-c", `! grep -nE 'BAD|^\)' sub/*.txt /dev/null`}, nil
	b := set(t, map[string]string{"sub/a.txt": "BAD\n"}, []check.Check{c}, f)
	for _, only := range []string{"sub", "sub/", "sub/**"} {
		b.write(t, "sub/a.txt", "BAD\n")
		if s, end := b.start(t, heal.Goal{Only: []string{only}}); end != verdict.Converged {
			t.Errorf("--only %s: ended %s: %s", only, end, s.Reason)
		}
	}
}
