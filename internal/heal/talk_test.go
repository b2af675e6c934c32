package heal_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
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
	for _, d := range t.Diagnostics {
		files = append(files, d.File)
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

// Who splits the work itself is called once for all findings of a check; anybody else file by file.
func TestWhoeverSplitsTheWorkIsCalledOnce(t *testing.T) {
	for _, whole := range []bool{true, false} {
		a := &talker{script: script{name: "agent", rung: fix.RungAgent, answers: func(fix.Task) []fix.Candidate { return nil }}, whole: whole}
		b := set(t, faults(3), []check.Check{nobad}, a)
		b.loop.Config.Limits.Parallel = 1
		b.start(t, heal.Goal{})
		want := [][]string{{"f0.txt"}, {"f1.txt"}, {"f2.txt"}}
		if whole {
			want = [][]string{{"f0.txt", "f1.txt", "f2.txt"}}
		}
		if fmt.Sprint(a.tasks) != fmt.Sprint(want) {
			t.Errorf("whole %v: it was asked about %v", whole, a.tasks)
		}
	}
}
