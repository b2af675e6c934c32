package heal_test

import (
	"context"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/fix"
	"fettle/internal/heal"
	"fettle/internal/proc"
	"fettle/internal/verdict"
)

// sed is a fixer that runs a command in its copy, as a tool does; while it is at work, something happens.
type sed struct {
	script    string
	meanwhile func()
}

func (f *sed) Name() string                            { return "sed" }
func (f *sed) Rung() fix.Rung                          { return fix.RungTool }
func (f *sed) Takes(check.Check, diag.Diagnostic) bool { return true }
func (f *sed) Propose(ctx context.Context, t fix.Task) iter.Seq2[fix.Candidate, error] {
	return func(yield func(fix.Candidate, error) bool) {
		if _, err := t.Place.Run(ctx, proc.Cmd{Argv: []string{"sh", "-c", f.script}}); err != nil {
			yield(fix.Candidate{}, err)
			return
		}
		if f.meanwhile != nil {
			f.meanwhile()
		}
		p, err := t.Place.Changes(ctx)
		if err != nil {
			yield(fix.Candidate{}, err)
			return
		}
		yield(fix.Candidate{Author: "sed", Explanation: "BAD becomes good.", Confidence: 1, Patch: p}, nil)
	}
}

// What a person types while a tool is at work stays, whatever the tool made of the file that it had read before.
func TestTypedWhileAToolIsAtWork(t *testing.T) {
	f := &sed{script: "sed -i s/BAD/good/ a.txt"}
	b := set(t, map[string]string{"a.txt": "BAD\n"}, []check.Check{nobad}, f)
	typed := 0
	f.meanwhile = func() {
		if typed++; typed == 1 {
			b.write(t, "a.txt", "BAD\ntyped by hand\n")
		}
	}
	s, end := b.start(t, heal.Goal{})
	if got := b.read(t, "a.txt"); got != "good\ntyped by hand\n" || end != verdict.Converged {
		t.Errorf("ended %s: %s, with %q", end, s.Reason, got)
	}
}

// What is remembered of a tree is no evidence: the world around it can be another one by now.
func TestMemoryIsNoEvidence(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "installed")
	c := nobad
	c.Run = []string{"sh", "-c", "test -e " + outside + " || { echo a.txt:1:not installed; exit 1; }"}
	bogus := &script{name: "bogus", rung: fix.RungPlugin, answers: func(t fix.Task) []fix.Candidate {
		if c := replace(t, "a.txt", "fine", "bogus"); len(c.Patch) > 0 {
			return []fix.Candidate{c}
		}
		return nil
	}}
	b := set(t, map[string]string{"a.txt": "fine\n"}, []check.Check{c}, bogus)
	for range 2 {
		if _, end := b.start(t, heal.Goal{}); end == verdict.Converged {
			t.Fatal("nothing was installed, and it converged")
		}
	}
	if err := os.WriteFile(outside, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	s, end := b.start(t, heal.Goal{})
	if got := b.read(t, "a.txt"); end != verdict.Converged || got != "fine\n" || len(s.History[0].Changes) != 0 {
		t.Errorf("ended %s: %s, with %q and %+v", end, s.Reason, got, s.History)
	}
}

// Of several refused patches the most promising one is kept, whenever it came; every one is in the record.
func TestTheMostPromisingPatchIsKept(t *testing.T) {
	unsure := func(with string, confidence float64) fix.Candidate {
		return fix.Candidate{Author: "script", Explanation: with, Confidence: confidence}
	}
	f := &script{name: "unsure", rung: fix.RungPlugin, answers: func(t fix.Task) []fix.Candidate {
		file := t.Diagnostics[0].File
		c := replace(t, file, "BAD", "good")
		if len(c.Patch) == 0 {
			return nil
		}
		u := unsure(file, map[string]float64{"a.txt": 0.3, "b.txt": 0.6, "c.txt": 0.5}[file])
		c.Explanation, c.Confidence = u.Explanation, u.Confidence
		return []fix.Candidate{c}
	}}
	b := set(t, map[string]string{"a.txt": "BAD\n", "b.txt": "BAD\n", "c.txt": "BAD\n"}, []check.Check{nobad}, f)
	s, _ := b.start(t, heal.Goal{})
	if s.Kept == nil || s.Kept.Explanation != "b.txt" {
		t.Errorf("kept: %+v", s.Kept)
	}
	var refused []string
	for _, r := range s.History[0].Refused {
		refused = append(refused, r.Explanation)
	}
	if got := strings.Join(refused, " "); got != "a.txt b.txt c.txt" {
		t.Errorf("refused: %q", got)
	}
}

// A change that is part of another one is not credited.
func TestAPartOfAnotherChangeIsNotCredited(t *testing.T) {
	small := &script{name: "a-small", rung: fix.RungTool, answers: func(t fix.Task) []fix.Candidate {
		return []fix.Candidate{replace(t, "a.txt", "BAD", "good")}
	}}
	large := &script{name: "b-large", rung: fix.RungTool, answers: func(t fix.Task) []fix.Candidate {
		one, two := replace(t, "a.txt", "BAD", "good"), replace(t, "a.txt", "fine", "better")
		one.Patch[0].Edits = append(one.Patch[0].Edits, two.Patch[0].Edits...)
		one.Explanation = "large"
		return []fix.Candidate{one}
	}}
	b := set(t, map[string]string{"a.txt": "BAD\nfine\n"}, []check.Check{nobad}, small, large)
	s, end := b.start(t, heal.Goal{})
	if end != verdict.Converged || len(s.History[0].Changes) != 1 || s.History[0].Changes[0].Explanation != "large" {
		t.Errorf("ended %s: %+v", end, s.History[0].Changes)
	}
}

// A patch that its author was not sure of is tried at the end, and told with what it does; one that does not do gives way to
// the next.
func TestDoubtfulPatchesAreTriedAtTheEnd(t *testing.T) {
	f := &script{name: "unsure", rung: fix.RungPlugin, answers: func(t fix.Task) []fix.Candidate {
		worse, right := replace(t, "a.txt", "BAD", "BAD BAD"), replace(t, "a.txt", "BAD", "good")
		worse.Confidence, worse.Explanation = 0.6, "worse"
		right.Confidence, right.Explanation = 0.5, "right"
		return []fix.Candidate{worse, right}
	}}
	b := set(t, map[string]string{"a.txt": "BAD\n"}, []check.Check{nobad}, f)
	b.loop.Config.Limits.Confidence = 0.7
	s, end := b.start(t, heal.Goal{})
	if end == verdict.Converged || b.read(t, "a.txt") != "BAD\n" {
		t.Fatalf("ended %s with %q", end, b.read(t, "a.txt"))
	}
	if len(s.Doubtful) == 0 || s.Kept == nil {
		t.Fatalf("nothing is kept: %+v", s.Doubtful)
	}
	for _, k := range s.Doubtful {
		if k.Explanation == "worse" && (!k.Bad || !strings.Contains(k.Why, "did not do")) {
			t.Errorf("the wrong one: %+v", k)
		}
		if k.Explanation == "right" && (k.Bad || !strings.Contains(k.Why, "nothing broke")) {
			t.Errorf("the right one: %+v", k)
		}
	}
	if len(s.Doubtful) == 2 && s.Kept.Explanation != "right" {
		t.Errorf("kept: %+v", s.Kept)
	}
}

// A fixer that is not sure of what heals several tests is not asked again about those of them, one by one.
func TestUnsureOfAllIsUnsureOfEach(t *testing.T) {
	tap := check.Check{Name: "test", Parser: "tap", Run: []string{"sh", "-c", `if grep -q BAD a.txt; then printf 'not ok 1 - x\nnot ok 2 - y\nnot ok 3 - z\n'; exit 1; fi; printf 'ok 1 - x\nok 2 - y\nok 3 - z\n'`}}
	for _, c := range []struct{ heals, asked string }{
		{"x y z", "x y z"},
		{"x z", "x y z, y"},
		{"", "x y z, x, y, z"},
	} {
		var asked []string
		f := &script{name: "unsure", rung: fix.RungSearch, answers: func(t fix.Task) []fix.Candidate {
			var ids []string
			for _, d := range t.Diagnostics {
				ids = append(ids, d.Test)
			}
			asked = append(asked, strings.Join(ids, " "))
			if len(asked) > 1 {
				return nil
			}
			answer := replace(t, "a.txt", "BAD", "good")
			answer.Confidence, answer.Heals = 0.5, strings.Fields(c.heals)
			return []fix.Candidate{answer}
		}}
		b := set(t, map[string]string{"a.txt": "BAD\n"}, []check.Check{tap}, f)
		b.loop.Config.Limits.Confidence = 0.7
		s, end := b.start(t, heal.Goal{Checks: []string{"test"}})
		if end == verdict.Converged || s.Kept == nil {
			t.Errorf("ended %s: %s", end, s.Reason)
		}
		if got := strings.Join(asked, ", "); got != c.asked {
			t.Errorf("heals %q: asked about %s, want %s", c.heals, got, c.asked)
		}
	}
}

// A patch that was not tried because its author was not sure of it is tried when somebody offers it who is; and it is offered no second time by anybody who is not.
func TestADoubtedPatchMayComeAgain(t *testing.T) {
	var told []fix.Failure // whoever was asked last
	sure := func(confidence float64) func(fix.Task) []fix.Candidate {
		return func(t fix.Task) []fix.Candidate {
			told = t.Feedback
			c := replace(t, "a.txt", "BAD", "good")
			c.Confidence = confidence
			return []fix.Candidate{c}
		}
	}
	small := &script{name: "small", rung: fix.RungModel, answers: sure(0.4)}
	middle := &script{name: "middle", rung: fix.RungModel + 1, answers: sure(0.6)}
	large := &script{name: "large", rung: fix.RungModel + 2, answers: sure(0.9)}
	b := set(t, map[string]string{"a.txt": "BAD\n"}, []check.Check{nobad}, small, middle, large)
	s, end := b.start(t, heal.Goal{})
	if end != verdict.Converged || b.read(t, "a.txt") != "good\n" {
		t.Fatalf("ended %s (%s) with %q", end, s.Reason, b.read(t, "a.txt"))
	}
	if r := s.History[0].Refused; len(r) != 1 {
		t.Errorf("refused: %+v", r)
	}
	if len(told) != 1 || told[0].Patch != "" || s.Failures[0].Patch == "" {
		t.Errorf("who is to find the patch by itself was told %+v", told)
	}
	if small.proposed.Load() != 2 || middle.proposed.Load() != 1 || large.proposed.Load() != 1 { // the first is asked once more for what it is surer of
		t.Errorf("asked were %d, %d, %d times", small.proposed.Load(), middle.proposed.Load(), large.proposed.Load())
	}
}
