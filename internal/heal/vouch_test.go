package heal_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fettle/internal/check"
	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/heal"
	"fettle/internal/learn"
	"fettle/internal/verdict"
)

// secretly is the check of a project that minds a word in somebody else's file, and does not say so.
func secretly(name, word, file string) check.Check {
	c := project(name)
	c.Run = []string{"sh", "-c", "! grep -q " + word + " " + file + " || { echo " + file + ":1:what a word; exit 1; }"}
	return c
}

// says is a fixer that puts a word in the place of each BAD.
func says(word string) *script {
	return &script{name: "says " + word, rung: fix.RungPlugin, answers: func(t fix.Task) []fix.Candidate {
		return []fix.Candidate{replace(t, t.Diagnostics[0].File, "BAD", word)}
	}}
}

// A goal's check that cannot run is no reason to leave another broken.
func TestWhatBrokeUnnoticedIsTakenBackWhenHalted(t *testing.T) {
	unable := check.Check{Name: "type", Run: []string{"no-such-program-anywhere"}, Files: []string{"three/**"}}
	b := set(t, map[string]string{"one/a.txt": "BAD\n", "two/a.txt": "fine\n", "three/x": "x\n"},
		[]check.Check{project("one"), secretly("two", "worse", "one/a.txt"), unable}, says("worse"))
	s, end := b.start(t, heal.Goal{Checks: []string{"lint.one", "lint.two", "type"}})
	if end == verdict.Converged || b.read(t, "one/a.txt") != "BAD\n" {
		t.Errorf("ended %s (%s) with %q", end, s.Reason, b.read(t, "one/a.txt"))
	}
}

// twoCulprits breaks three in its first round and two in its second, and cannot heal one/c.txt.
func twoCulprits(t *testing.T) *bench {
	f := &script{name: "careless", rung: fix.RungPlugin, answers: func(t fix.Task) []fix.Candidate {
		a, _ := t.Place.ReadFile("one/a.txt")
		switch d := t.Diagnostics[0]; {
		case d.File == "one/a.txt":
			return []fix.Candidate{replace(t, "one/a.txt", "BAD", "worse")}
		case d.File == "one/b.txt" && string(a) != "BAD\n":
			return []fix.Candidate{replace(t, "one/b.txt", "BAD", "worst")}
		}
		return nil
	}}
	return set(t, map[string]string{"one/a.txt": "BAD\n", "one/b.txt": "BAD\n", "one/c.txt": "BAD\n", "two/a.txt": "fine\n", "three/a.txt": "fine\n"},
		[]check.Check{project("one"), secretly("two", "worst", "one/b.txt"), secretly("three", "worse", "one/a.txt")}, f)
}

// All that was broken is taken back when a session ends, not the first of it.
func TestEverythingThatBrokeIsTakenBack(t *testing.T) {
	b := twoCulprits(t)
	s, end := b.start(t, heal.Goal{Checks: []string{"lint.one"}, Iterations: 2})
	if end != verdict.Exhausted || b.read(t, "one/a.txt") != "BAD\n" || b.read(t, "one/b.txt") != "BAD\n" {
		t.Errorf("ended %s (%s) with %q and %q; %v", end, s.Reason, b.read(t, "one/a.txt"), b.read(t, "one/b.txt"), s.Notes)
	}
	if len(s.Findings) != 3 {
		t.Errorf("left: %+v", s.Findings)
	}
}

// What is taken back at the end has healed nothing, whoever of the session's fixers has made it: the turn counts as refused, the answer is not paid for again, and what is kept for a person is the
// change that was to blame, as its own round's and with nobody else's word on it.
func TestWhatIsTakenBackHasHealedNothing(t *testing.T) {
	answers := func(name, file, with string, when func(a string) bool) *script {
		return &script{name: name, rung: fix.RungModel, answers: func(t fix.Task) []fix.Candidate {
			if a, _ := t.Place.ReadFile("one/a.txt"); t.Diagnostics[0].File != file || !when(string(a)) {
				return nil
			}
			c := replace(t, file, "BAD", with)
			c.Author, c.Question = name, "question of "+name
			return []fix.Candidate{c}
		}}
	}
	culprit := answers("model-fast", "one/a.txt", "worse", func(string) bool { return true })
	innocent := answers("model-deep", "one/b.txt", "fine", func(a string) bool { return a != "BAD\n" })
	b := set(t, map[string]string{"one/a.txt": "BAD\n", "one/b.txt": "BAD\n", "one/c.txt": "BAD\n", "two/a.txt": "fine\n"},
		[]check.Check{project("one"), secretly("two", "worse", "one/a.txt")}, culprit, innocent)
	b.loop.Book = &learn.Book{DB: b.loop.Sessions.DB}
	s, end := b.start(t, heal.Goal{Checks: []string{"lint.one"}, Iterations: 2})
	if end != verdict.Exhausted || b.read(t, "one/a.txt") != "BAD\n" || b.read(t, "one/b.txt") != "BAD\n" {
		t.Fatalf("ended %s (%s) with %q and %q", end, s.Reason, b.read(t, "one/a.txt"), b.read(t, "one/b.txt"))
	}
	scores, err := b.loop.Book.Scores(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, score := range scores {
		if score.Healed != 0 || score.Refused == 0 {
			t.Errorf("%s: %+v", score.Fixer, score)
		}
	}
	for _, name := range []string{"model-fast", "model-deep"} {
		if s.Turns[name].Misses == 0 {
			t.Errorf("%s has missed nothing: %+v", name, s.Turns)
		}
	}
	if a, known, err := b.loop.Book.Recall(t.Context(), "question of model-fast"); err != nil || !known || !strings.Contains(a.Useless, "it broke lint.two") {
		t.Errorf("the culprit's answer: %+v, %v, %v", a, known, err)
	}
	if _, known, err := b.loop.Book.Recall(t.Context(), "question of model-deep"); err != nil || known {
		t.Errorf("the innocent's answer is known: %v", err)
	}
	if k := s.Kept; k == nil || k.Author != "model-fast" || k.Iteration != 1 || len(k.Words)+len(k.Ideas) != 0 || !k.Bad {
		t.Errorf("kept for a person: %+v", k)
	}
	if r := s.History[0].Refused; len(r) == 0 || r[len(r)-1].Author != "model-fast" || len(s.History[1].Refused) != 0 {
		t.Errorf("refused: %+v, then %+v", r, s.History[1].Refused)
	}
}

// stopAt cancels a session when it enters a node for the nth time.
func (b *bench) stopAt(node string, nth int) context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	b.loop.Tell = func(e heal.Event) {
		if e.Kind == heal.Entered && e.Node == node {
			if nth--; nth == 0 {
				cancel()
			}
		}
	}
	return ctx
}

// A session whose time is over with a change in the tree names the checks that did not run since: they were to run at the end.
func TestWhatWasNotRunAgainIsNamed(t *testing.T) {
	ctx, timeIsOver := context.WithCancelCause(t.Context())
	f := &script{name: "slow", rung: fix.RungPlugin, answers: func(t fix.Task) []fix.Candidate {
		if a, _ := t.Place.ReadFile("one/a.txt"); string(a) != "BAD\n" {
			timeIsOver(heal.ErrTime)
			return nil
		}
		return []fix.Candidate{replace(t, "one/a.txt", "BAD", "fine")}
	}}
	b := set(t, map[string]string{"one/a.txt": "BAD\n", "one/b.txt": "BAD\n", "two/a.txt": "fine\n", "three/a.txt": "fine\n"},
		[]check.Check{project("one"), project("two"), project("three")}, f)
	s, end, err := b.loop.Start(ctx, heal.Goal{Checks: []string{"lint.one", "lint.two"}, Iterations: 10, Time: time.Hour})
	if err != nil || end != verdict.Budget || b.read(t, "one/a.txt") != "fine\n" {
		t.Fatalf("ended %s (%v, %s) with %q", end, err, s.Reason, b.read(t, "one/a.txt"))
	}
	if want := "not run since the last change, which should not concern them: lint.two, lint.three"; !slices.Contains(s.Notes, want) {
		t.Errorf("the notes: %q", s.Notes)
	}
}

// What a person took back, while the session stood still, is not taken back again, nor blamed; and when it seems clean already
// when it goes on, what broke unnoticed is found then.
func TestWhatIsTakenBackAlready(t *testing.T) {
	b := twoCulprits(t)
	s, _, err := b.loop.Start(b.stopAt("round", 3), heal.Goal{Checks: []string{"lint.one"}, Iterations: 10})
	if err != nil || len(s.History) < 2 || s.History[1].Applied != 1 {
		t.Fatalf("%v, %+v", err, s.History)
	}
	b.loop.Tell = nil
	if _, err := b.tree.Rollback(t.Context(), s.Session, 2); err != nil {
		t.Fatal(err)
	}
	b.write(t, "one/b.txt", "by hand\n")
	b.write(t, "one/c.txt", "by hand\n")
	s, end, err := b.loop.Resume(t.Context(), s.Session)
	if err != nil || b.read(t, "one/a.txt") != "BAD\n" || b.read(t, "one/b.txt") != "by hand\n" {
		t.Errorf("ended %s (%v, %s) with %q and %q", end, err, s.Reason, b.read(t, "one/a.txt"), b.read(t, "one/b.txt"))
	}
	if !slices.Equal(s.Spread, []string{"lint.three"}) {
		t.Errorf("spread: %v", s.Spread)
	}
}

// An end while the tree without the session's changes is looked at leaves a session that goes on.
func TestInterruptedInAHearing(t *testing.T) {
	b := set(t, map[string]string{"one/a.txt": "BAD\n", "two/a.txt": "fine\n"},
		[]check.Check{project("one"), secretly("two", "worse", "one/a.txt")}, says("worse"))
	ctx, cancel := context.WithCancel(t.Context())
	var mu sync.Mutex
	looks := -1
	b.loop.Lab.Run.Events = func(e check.Event) {
		mu.Lock()
		defer mu.Unlock()
		if e.Result != nil && e.Result.Check == "lint.two" && e.Result.Status == check.Failed {
			looks = max(looks, 0)
		}
	}
	digest := b.loop.Lab.Digest
	b.loop.Lab.Digest = func(ctx context.Context) (edit.Hash, error) {
		mu.Lock()
		defer mu.Unlock()
		if looks >= 0 {
			if looks++; looks == 2 { // the first is that of the check's own run
				cancel()
				return "", ctx.Err()
			}
		}
		return digest(ctx)
	}
	s, end, err := b.loop.Start(ctx, heal.Goal{Checks: []string{"lint.one", "lint.two"}, Iterations: 3})
	if end != verdict.Interrupted || errors.Is(err, context.Canceled) {
		t.Fatalf("ended %s: %v", end, err)
	}
	b.loop.Lab.Digest, b.loop.Lab.Run.Events = digest, nil
	if _, end, err := b.loop.Resume(t.Context(), s.Session); err != nil || b.read(t, "one/a.txt") != "BAD\n" {
		t.Errorf("resumed to %s, %v, with %q", end, err, b.read(t, "one/a.txt"))
	}
}

// A check that fails now and then is not held against the changes.
func TestWhatFailsNowAndThenIsNotOurs(t *testing.T) {
	two := project("two")
	two.Run = []string{"sh", "-c", "test -e somebody"}
	b := set(t, map[string]string{"one/a.txt": "BAD\n", "two/a.txt": "fine\n"}, []check.Check{project("one"), two}, says("fine"))
	once := sync.Once{}
	b.loop.Lab.Run.Events = func(e check.Event) {
		if e.Result != nil && e.Result.Check == "lint.two" {
			once.Do(func() { b.write(t, "somebody", "was here\n") })
		}
	}
	s, end := b.start(t, heal.Goal{Checks: []string{"lint.one"}, Iterations: 3})
	if end != verdict.Converged || b.read(t, "one/a.txt") != "fine\n" || len(s.Spread) > 0 {
		t.Errorf("ended %s (%s) with %q, %v", end, s.Reason, b.read(t, "one/a.txt"), s.Notes)
	}
}

// Somebody edits after a check has read a file, and before the tree has been read for what the check's answer is about.
func TestAnEditWhileTheTreeIsRead(t *testing.T) {
	b := set(t, map[string]string{"one/a.txt": "BAD\n", "one/b.txt": "fine\n"}, []check.Check{project("one")}, says("fine"))
	edited, confirming := make(chan struct{}), make(chan struct{})
	b.loop.Tell = func(e heal.Event) {
		if e.Kind == heal.Entered && e.Node == "confirm" {
			close(confirming)
		}
	}
	now := func(c chan struct{}) bool {
		select {
		case <-c:
			return true
		default:
			return false
		}
	}
	b.loop.Lab.Run.Events = func(e check.Event) {
		if e.Result != nil && now(confirming) && !now(edited) {
			b.write(t, "one/b.txt", "BAD\n")
			close(edited)
		}
	}
	digest := b.loop.Lab.Digest
	b.loop.Lab.Digest = func(ctx context.Context) (edit.Hash, error) {
		if now(confirming) {
			<-edited
		}
		return digest(ctx)
	}
	s, end := b.start(t, heal.Goal{Checks: []string{"lint.one"}, Iterations: 1})
	if end == verdict.Converged {
		t.Errorf("a tree with %q was called healthy: %s", b.read(t, "one/b.txt"), s.Reason)
	}
}

// A tool's configuration that is edited between a change and its confirmation costs no round.
func TestAConfigurationThatIsEditedBeforeTheConfirmation(t *testing.T) {
	b := set(t, map[string]string{"one/a.txt": "BAD\n", "ruff.toml": "a = 1\n"}, []check.Check{project("one")}, says("fine"))
	once := sync.Once{}
	b.loop.Tell = func(e heal.Event) {
		b.said = append(b.said, e)
		if e.Kind == heal.Applied {
			once.Do(func() { b.write(t, "ruff.toml", "a = 22\n") })
		}
	}
	s, end := b.start(t, heal.Goal{Checks: []string{"lint.one"}, Iterations: 1})
	if end != verdict.Converged || b.read(t, "one/a.txt") != "fine\n" {
		t.Errorf("ended %s (%s) with %q", end, s.Reason, b.read(t, "one/a.txt"))
	}
	if !slices.ContainsFunc(b.said, func(e heal.Event) bool { return strings.Contains(e.Text, "the round begins again") }) {
		t.Errorf("nobody was told: %v", b.said)
	}
}
