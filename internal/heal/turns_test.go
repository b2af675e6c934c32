package heal_test

import (
	"context"
	"strings"
	"testing"

	"fettle/internal/check"
	"fettle/internal/fix"
	"fettle/internal/heal"
	"fettle/internal/learn"
	"fettle/internal/verdict"
)

// What came of each turn is written down: what was refused, what had nothing to offer, what heals.
func TestTurnsAreWrittenDown(t *testing.T) {
	wrong := &script{name: "model-fast", rung: fix.RungModel, answers: func(t fix.Task) []fix.Candidate {
		if len(t.Feedback) > 0 {
			return nil
		}
		c := replace(t, "a.txt", "BAD", "BAD too")
		c.Cost = 0.25
		return []fix.Candidate{c}
	}}
	right := better("good")
	right.name, right.rung = "model-deep", fix.RungModel+2
	b := set(t, map[string]string{"a.txt": "BAD\n"}, []check.Check{nobad}, wrong, right)
	b.loop.Book = &learn.Book{DB: b.loop.Sessions.DB}
	if s, end := b.start(t, heal.Goal{}); end != verdict.Converged {
		t.Fatalf("ended %s (%s)", end, s.Reason)
	}
	scores, err := b.loop.Book.Scores(t.Context())
	if err != nil || len(scores) != 2 {
		t.Fatalf("%+v, %v", scores, err)
	}
	deep, fast := scores[0], scores[1]
	if fast.Fixer != "model-fast" || fast.Turns != 2 || fast.Refused != 1 || fast.Nothing != 1 || fast.Healed != 0 || fast.USD != 0.25 || fast.Kind != "lint" {
		t.Errorf("%+v", fast)
	}
	if deep.Fixer != "model-deep" || deep.Turns != 1 || deep.Healed != 1 || deep.Took <= 0 {
		t.Errorf("%+v", deep)
	}
	if _, err := b.loop.Book.Reset(context.Background()); err != nil {
		t.Fatal(err)
	}
	if scores, err := b.loop.Book.Scores(t.Context()); err != nil || len(scores) != 0 {
		t.Errorf("%+v, %v", scores, err)
	}
}

// Who heals nothing is not asked for ever, and no rung spends more than its share: the next one has its turn.
func TestWhoIsAskedNoMore(t *testing.T) {
	for name, c := range map[string]struct {
		config func(*check.Fixers)
		goal   heal.Goal
		asked  int32 // questions to the model, in both files
		note   string
	}{
		"as it is": {func(*check.Fixers) {}, heal.Goal{}, 4, ""},
		"given up": {func(f *check.Fixers) { f.GiveUp = 2 }, heal.Goal{}, 2, "give_up: 2"},
		"a share":  {func(f *check.Fixers) { f.Shares = map[string]float64{"model": 0.2} }, heal.Goal{Budget: 10}, 2, "shares: {model: 0.2}"},
	} {
		t.Run(name, func(t *testing.T) {
			n := 0
			model := &script{name: "model-fast", rung: fix.RungModel, answers: func(t fix.Task) []fix.Candidate {
				n++
				c := replace(t, t.Diagnostics[0].File, "BAD", strings.Repeat("BAD ", n+1))
				c.Cost = 1
				return []fix.Candidate{c}
			}}
			b := set(t, map[string]string{"a.txt": "BAD\n", "b.txt": "BAD\n"}, []check.Check{nobad}, model)
			b.loop.Config.Limits.Parallel = 1
			c.config(&b.loop.Config.Fixers)
			s, _ := b.start(t, c.goal)
			if got := model.proposed.Load(); got != c.asked {
				t.Errorf("it was asked %d times (%s)", got, s.Reason)
			}
			if notes := strings.Join(s.Notes, "\n"); !strings.Contains(notes, c.note) {
				t.Errorf("nobody says why: %q", notes)
			}
		})
	}
}
