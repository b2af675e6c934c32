package heal_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fettle/internal/check"
	"fettle/internal/fix"
	"fettle/internal/heal"
	"fettle/internal/journal"
	"fettle/internal/verdict"
	"fettle/internal/workspace"
)

// mender heals one line of its file a round.
func mender(path string) *script {
	return &script{name: "mend-" + strings.TrimSuffix(path, ".txt"), rung: fix.RungTool, answers: func(t fix.Task) []fix.Candidate {
		if c := replace(t, path, "BAD", "good"); len(c.Patch) > 0 {
			return []fix.Candidate{c}
		}
		return nil
	}}
}

// accept applies the patch that a session keeps, as a person would.
func (b *bench) accept(t *testing.T, s *heal.State) {
	t.Helper()
	if s.Kept == nil {
		t.Fatalf("the session keeps nothing: %s", s.Reason)
	}
	if _, err := b.tree.Apply(t.Context(), s.Kept.Patch, workspace.Why{Kind: journal.Accept}); err != nil {
		t.Fatal(err)
	}
}

// A dry run goes through every round, and its patch is what all of them together would have done.
func TestDryRunGoesAllTheWay(t *testing.T) {
	b := set(t, map[string]string{"a.txt": "BAD\none\nBAD\n", "b.txt": "BAD\n"}, []check.Check{nobad}, mender("a.txt"), mender("b.txt"))
	s, end := b.start(t, heal.Goal{DryRun: true})
	if end != verdict.Paused || s.Iteration != 2 || len(s.Findings) != 0 || !strings.Contains(s.Reason, "every chosen check passes") {
		t.Fatalf("ended %s after %d rounds with %d findings: %s", end, s.Iteration, len(s.Findings), s.Reason)
	}
	if b.read(t, "a.txt") != "BAD\none\nBAD\n" || b.read(t, "b.txt") != "BAD\n" {
		t.Errorf("the tree was changed: %q, %q", b.read(t, "a.txt"), b.read(t, "b.txt"))
	}
	if sets, err := b.loop.Journal.List(t.Context(), journal.Filter{}); len(sets) != 0 || err != nil {
		t.Errorf("in the journal: %v, %v", sets, err)
	}
	if s.Kept.Author != "script" || s.Kept.Iteration != 2 {
		t.Errorf("kept: %+v", s.Kept)
	}
	b.accept(t, s)
	if b.read(t, "a.txt") != "good\none\ngood\n" || b.read(t, "b.txt") != "good\n" {
		t.Errorf("accepted: %q, %q", b.read(t, "a.txt"), b.read(t, "b.txt"))
	}
}

// What a dry run cannot heal is said, and what it can is offered.
func TestDryRunOffersWhatItCan(t *testing.T) {
	b := set(t, map[string]string{"a.txt": "BAD\n", "b.txt": "BAD\n"}, []check.Check{nobad}, mender("a.txt"))
	s, end := b.start(t, heal.Goal{DryRun: true})
	if end != verdict.Paused || len(s.Findings) != 1 || !strings.Contains(s.Reason, "does not heal everything") {
		t.Errorf("ended %s with %d findings: %s", end, len(s.Findings), s.Reason)
	}
	if p := s.Kept.Patch.Paths(); len(p) != 1 || p[0] != "a.txt" {
		t.Errorf("kept a patch for %q", p)
	}
}

// With nothing to offer, a dry run ends as any other does.
func TestDryRunWithNothingToOffer(t *testing.T) {
	b := set(t, map[string]string{"a.txt": "BAD\n", "b.txt": "fine\n"}, []check.Check{nobad}, mender("b.txt"))
	if s, end := b.start(t, heal.Goal{DryRun: true}); end != verdict.Stuck || s.Kept != nil {
		t.Errorf("ended %s: %s, kept %+v", end, s.Reason, s.Kept)
	}
	b = set(t, map[string]string{"a.txt": "fine\n"}, []check.Check{nobad})
	if _, end := b.start(t, heal.Goal{DryRun: true}); end != verdict.Converged {
		t.Errorf("a healthy tree ended %s", end)
	}
}

// A dry run that is interrupted goes on where it was, with what was ahead.
func TestDryRunResumes(t *testing.T) {
	b := set(t, map[string]string{"a.txt": "BAD\nBAD\nBAD\n"}, []check.Check{nobad}, mender("a.txt"))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	b.loop.Tell = func(e heal.Event) {
		if e.Kind == heal.Entered && e.Node == "verify" && e.Iteration == 2 {
			cancel()
		}
	}
	s, end, err := b.loop.Start(ctx, heal.Goal{DryRun: true, Checks: []string{"lint"}, Iterations: 10})
	if end != verdict.Interrupted || err != nil || len(s.Ahead) != 1 {
		t.Fatalf("ended %s, %v, with %d rounds ahead", end, err, len(s.Ahead))
	}
	b.loop.Tell = nil
	s, end, err = b.loop.Resume(t.Context(), s.Session)
	if end != verdict.Paused || err != nil || s.Iteration != 3 {
		t.Fatalf("ended %s, %v, after %d rounds: %s", end, err, s.Iteration, s.Reason)
	}
	if _, _, err := b.loop.Resume(t.Context(), s.Session); !errors.Is(err, heal.ErrClosed) || !strings.Contains(err.Error(), "fettle accept") {
		t.Errorf("resumed after its end: %v", err)
	}
	b.accept(t, s)
	if got := b.read(t, "a.txt"); got != "good\ngood\ngood\n" {
		t.Errorf("accepted: %q", got)
	}
}

// Somebody edits a file that the dry run has changed in its picture: nothing is offered that would not fit.
func TestDryRunWhileFilesChange(t *testing.T) {
	b := set(t, map[string]string{"a.txt": "BAD\nBAD\n"}, []check.Check{nobad}, mender("a.txt"))
	b.loop.Tell = func(e heal.Event) {
		if e.Kind == heal.Entered && e.Node == "plan" && e.Iteration == 2 {
			if err := os.WriteFile(filepath.Join(b.root, "a.txt"), []byte("mine BAD\n"), 0o644); err != nil {
				t.Error(err)
			}
		}
	}
	s, end, err := b.loop.Start(t.Context(), heal.Goal{DryRun: true, Checks: []string{"lint"}, Iterations: 10})
	if end != verdict.Halted || err == nil || !strings.Contains(s.Reason, "start it again") || s.Kept != nil {
		t.Errorf("ended %s, %v: %s, kept %+v", end, err, s.Reason, s.Kept)
	}
	if got := b.read(t, "a.txt"); got != "mine BAD\n" {
		t.Errorf("the file was changed to %q", got)
	}
}

// A change that needs a person is not part of a dry run's patch.
func TestDryRunLeavesOutWhatAPersonMustDecide(t *testing.T) {
	config := check.Default()
	protected := mender("b.txt")
	protected.rung = fix.RungPlugin
	b := set(t, map[string]string{"a.txt": "BAD\n", "b.txt": "BAD\n"}, []check.Check{nobad}, mender("a.txt"), protected)
	config.Checks, config.Protect = b.loop.Config.Checks, []string{"b.txt"}
	b.loop.Config = config
	s, end := b.start(t, heal.Goal{DryRun: true})
	if end != verdict.Paused || !strings.Contains(strings.Join(s.Notes, "\n"), "not part of the patch") {
		t.Fatalf("ended %s: %s; notes %q", end, s.Reason, s.Notes)
	}
	if p := s.Kept.Patch.Paths(); len(p) != 1 || p[0] != "a.txt" {
		t.Errorf("kept a patch for %q", p)
	}
}

// A dry run minds no edit to a file that its patches do not touch.
func TestDryRunAndAnUnrelatedEdit(t *testing.T) {
	b := set(t, map[string]string{"a.txt": "BAD\nBAD\n", "notes.md": "one\n"}, []check.Check{nobad})
	n := 0
	f := &script{name: "typing", rung: fix.RungPlugin, answers: func(task fix.Task) []fix.Candidate {
		n++
		b.write(t, "notes.md", strings.Repeat("more\n", n))
		return []fix.Candidate{replace(task, "a.txt", "BAD", "good")}
	}}
	b.loop.Ladder = fix.Ladder{f}
	s, end := b.start(t, heal.Goal{DryRun: true})
	if end != verdict.Paused || s.Kept == nil || !strings.Contains(s.Reason, "every chosen check passes") {
		t.Errorf("ended %s: %s", end, s.Reason)
	}
}
