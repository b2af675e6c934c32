package heal_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"fettle/internal/check"
	"fettle/internal/fix"
	"fettle/internal/heal"
	"fettle/internal/verdict"
)

// talker is an agent that tells of its conversations, and keeps in which it was asked about which files.
type talker struct {
	script
	whole bool
	tasks [][]string
	talks []string
}

func (a *talker) Whole() bool { return a.whole }

func (a *talker) Propose(ctx context.Context, t fix.Task) iter.Seq2[fix.Candidate, error] {
	var files []string
	for _, p := range t.Parts() {
		for _, d := range p.Diagnostics {
			files = append(files, d.File)
		}
	}
	a.tasks, a.talks = append(a.tasks, files), append(a.talks, t.Talk)
	t.Talked(fmt.Sprintf("talk-%d", len(a.talks)))
	return a.script.Propose(ctx, t)
}

// What an agent is asked about a finding again belongs to the conversation that it had about it, also for who goes on with the session later; the store has its id until the session has ended.
func TestTheSameFindingIsOneConversation(t *testing.T) {
	a := &talker{script: script{name: "agent", rung: fix.RungAgent}}
	a.answers = func(t fix.Task) []fix.Candidate {
		return []fix.Candidate{replace(t, "a.txt", "BAD", []string{"good", "best"}[len(a.talks)-1])}
	}
	b := set(t, map[string]string{"a.txt": "BAD\n"}, []check.Check{nobad}, a)
	b.loop.Config.Limits.Parallel = 1
	j := judges{scores: []int{60, 10}}
	b.loop.Challenger = j.ask
	s, end := b.start(t, heal.Goal{})
	if end != verdict.Paused || !slices.Equal(a.talks, []string{"", "talk-1"}) {
		t.Fatalf("ended %s (%s) after the conversations %q", end, s.Reason, a.talks)
	}
	open, err := b.loop.Sessions.Conversations(t.Context())
	if err != nil || !slices.Equal(open, []string{"talk-2"}) {
		t.Errorf("the store has the conversations %q, %v", open, err)
	}
	if err := b.loop.Sessions.Update(t.Context(), s.Session, verdict.Stuck, func(*heal.State) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if open, err := b.loop.Sessions.Conversations(t.Context()); err != nil || len(open) > 0 {
		t.Errorf("of a session that has ended the store has the conversations %q, %v", open, err)
	}
}

// noworse complains of what else stands in these files.
var noworse = check.Check{
	Name: "lint.worse", Run: []string{"sh", "-c", `! grep -n 'WORSE' *.txt /dev/null`},
	Parser: "errorformat", Pattern: []string{"%f:%l:%m"}, Files: []string{"*.txt"},
}

// Who splits the work itself is called once a round for all findings of all checks, the others file by file; the conversation that they had then is gone on with.
func TestWhoeverSplitsTheWorkIsCalledOnce(t *testing.T) {
	for _, whole := range []bool{true, false} {
		a := &talker{script: script{name: "agent", rung: fix.RungAgent, answers: func(fix.Task) []fix.Candidate { return nil }}, whole: whole}
		files := faults(3)
		files["f0.txt"], files["w.txt"] = "BAD\nWORSE\n", "WORSE\n"
		b := set(t, files, []check.Check{nobad, noworse}, a)
		b.loop.Config.Limits.Parallel = 1
		b.start(t, heal.Goal{Checks: []string{"lint", "lint.worse"}})
		want := [][]string{{"f0.txt"}, {"f1.txt"}, {"f2.txt"}, {"f0.txt"}, {"w.txt"}}
		if whole {
			want = [][]string{{"f0.txt", "f1.txt", "f2.txt", "f0.txt", "w.txt"}}
		}
		if fmt.Sprint(a.tasks) != fmt.Sprint(want) {
			t.Errorf("whole %v: it was asked about %v", whole, a.tasks)
		}
	}
}

// One call about two checks heals what both complain of; its second round goes on with its conversation.
func TestOneCallForAllChecks(t *testing.T) {
	a := &talker{script: script{name: "agent", rung: fix.RungAgent}, whole: true}
	a.answers = func(t fix.Task) []fix.Candidate {
		first, second := replace(t, "a.txt", "BAD", "good"), replace(t, "b.txt", "WORSE", "good")
		if len(a.talks) == 1 { // the first time it sees only a half of it
			return []fix.Candidate{first}
		}
		return []fix.Candidate{second}
	}
	b := set(t, map[string]string{"a.txt": "BAD\n", "b.txt": "WORSE\n"}, []check.Check{nobad, noworse}, a)
	s, end := b.start(t, heal.Goal{Checks: []string{"lint", "lint.worse"}})
	if end != verdict.Converged || fmt.Sprint(a.tasks) != "[[a.txt b.txt] [b.txt]]" || !slices.Equal(a.talks, []string{"", "talk-1"}) {
		t.Fatalf("ended %s (%s) after %v in the conversations %q", end, s.Reason, a.tasks, a.talks)
	}
	if got := s.History[0].Changes; len(got) != 1 || len(got[0].Healed) != 1 || !strings.HasPrefix(got[0].Healed[0], "lint: a.txt:1") {
		t.Errorf("the record says %+v", got)
	}
}

// What one call has made is tried as a whole, and file by file where that does not pass: what is wrong about one file does not spoil the others.
func TestOneFileDoesNotSpoilTheOthers(t *testing.T) {
	for name, c := range map[string]struct {
		whole bool
		texts [3]string // for the files, of which the third has nothing to be healed
		want  string    // what stands in them afterwards
		end   verdict.End
	}{
		"all are good": {true, [3]string{"good", "good", "ok"}, "good good ok", verdict.Converged},
		"one is bad":   {true, [3]string{"good", "WORSE", "ok"}, "good BAD ok", verdict.Stuck},
		"one is bad, and who splits nothing is taken at its word": {false, [3]string{"good", "WORSE", "ok"}, "BAD BAD ok", verdict.Stuck},
		"what nobody asked for is bad":                            {true, [3]string{"good", "good", "WORSE"}, "good good ok", verdict.Converged},
		"all are bad":                                             {true, [3]string{"WORSE", "WORSE", "ok"}, "BAD BAD ok", verdict.Stuck},
	} {
		t.Run(name, func(t *testing.T) {
			a := &talker{script: script{name: "agent", rung: fix.RungAgent}, whole: c.whole}
			a.answers = func(t fix.Task) []fix.Candidate {
				if len(a.talks) > 1 {
					return nil
				}
				all := replace(t, "a.txt", "BAD", c.texts[0])
				all.Patch = append(all.Patch, replace(t, "b.txt", "BAD", c.texts[1]).Patch...)
				if c.texts[2] != "ok" {
					all.Patch = append(all.Patch, replace(t, "c.txt", "ok", c.texts[2]).Patch...)
				}
				return []fix.Candidate{all}
			}
			b := set(t, map[string]string{"a.txt": "BAD\n", "b.txt": "BAD\n", "c.txt": "ok\n"}, []check.Check{nobad, noworse}, a)
			b.loop.Config.Limits.Parallel = 1
			s, end := b.start(t, heal.Goal{Checks: []string{"lint", "lint.worse"}})
			got := strings.Join(strings.Fields(b.read(t, "a.txt")+b.read(t, "b.txt")+b.read(t, "c.txt")), " ")
			if end != c.end || got != c.want {
				t.Fatalf("ended %s (%s) with %s", end, s.Reason, got)
			}
			if k := s.Kept; name == "all are bad" && (k == nil || len(k.Patch) != 2) {
				t.Errorf("kept for a person: %+v", k)
			}
		})
	}
}
