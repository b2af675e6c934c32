package heal_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"fettle/internal/audit/challenge"
	"fettle/internal/budget"
	"fettle/internal/check"
	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/heal"
	"fettle/internal/learn"
	"fettle/internal/model"
	"fettle/internal/verdict"
)

// judges gives these scores, one after the other, and keeps what it was asked.
type judges struct {
	scores []int
	err    error
	asked  []challenge.Case
}

func (j *judges) ask(_ context.Context, c challenge.Case) (challenge.Opinion, error) {
	j.asked = append(j.asked, c)
	if j.err != nil {
		return challenge.Opinion{Cost: 3_000_000}, j.err
	}
	score := j.scores[0]
	j.scores = j.scores[1:]
	o := challenge.Opinion{Threshold: 95, Score: score, Approved: score >= 95, Judge: "test/judge", Cost: 2_000_000}
	o.Scores = []challenge.Score{{Code: c.Issues[0].Code, Score: score, Solved: o.Approved, Feedback: "the second line is not needed"}}
	return o, nil
}

// better has a model that answers with each of these texts in turn; the last one stays.
func better(texts ...string) *script {
	n := 0
	return &script{name: "model", rung: fix.RungModel, answers: func(t fix.Task) []fix.Candidate {
		text := texts[min(n, len(texts)-1)]
		n++
		return []fix.Candidate{replace(t, "a.txt", "BAD", text)}
	}}
}

func TestTheChallengerHasTheLastWord(t *testing.T) {
	down := &model.Error{Kind: model.Overloaded, Message: "the challenger is asleep"}
	for name, c := range map[string]struct {
		texts  []string
		judges judges
		end    verdict.End
		left   string // what stands in the file
		asked  int
		reason string
	}{
		"approved":                         {[]string{"good"}, judges{scores: []int{95}}, verdict.Converged, "good\n", 1, ""},
		"sent back, and mended":            {[]string{"good", "best"}, judges{scores: []int{60, 99}}, verdict.Converged, "best\n", 2, ""},
		"sent back, and not mended":        {[]string{"good", "best"}, judges{scores: []int{60, 94}}, verdict.Paused, "BAD\n", 2, "the second line is not needed"},
		"sent back, and its author stands": {[]string{"good"}, judges{scores: []int{60}}, verdict.Paused, "BAD\n", 1, "its author stands by it"},
		"nobody can be asked":              {[]string{"good"}, judges{err: down}, verdict.Paused, "BAD\n", 1, "the challenger is asleep"},
		"no money is left":                 {[]string{"good"}, judges{err: fmt.Errorf("ask the challenger: %w", &budget.ExceededError{Limit: "day", Of: budget.Dollar, Spent: budget.Dollar, Wanted: budget.Cent})}, verdict.Budget, "BAD\n", 1, "the budget of this day is $1.00"},
		"no call is left":                  {[]string{"good"}, judges{err: &budget.CountError{}}, verdict.Budget, "BAD\n", 1, "1 finding left: lint: a.txt:1"},
		"its answer cannot be read":        {[]string{"good"}, judges{err: challenge.ErrUnreadable}, verdict.Paused, "BAD\n", 1, "cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			b := set(t, map[string]string{"a.txt": "BAD\n"}, []check.Check{nobad}, better(c.texts...))
			b.loop.Challenger = c.judges.ask
			s, end := b.start(t, heal.Goal{})
			if end != c.end || b.read(t, "a.txt") != c.left || len(c.judges.asked) != c.asked || !strings.Contains(s.Reason, c.reason) && c.reason != "" {
				t.Fatalf("ended %s (%s) with %q after %d questions", end, s.Reason, b.read(t, "a.txt"), len(c.judges.asked))
			}
			if kept := s.Kept != nil && !s.Kept.Bad; kept != (c.end != verdict.Converged) {
				t.Errorf("kept is %+v", s.Kept)
			}
			first := c.judges.asked[0]
			if !first.Fresh || first.Evidence == nil || !first.Evidence.Green || first.Issues[0].Code != "lint" || first.Issues[0].Files[0] != "a.txt" || !strings.Contains(first.Issues[0].Text, "a.txt:1") || !strings.Contains(first.Diff, "+good") {
				t.Errorf("it was asked %+v", first)
			}
			if !slices.Equal(first.Makers, []string{model.Unknown}) {
				t.Errorf("nobody said which model has made it, and the makers are %q", first.Makers)
			}
			if s.Cost == 0 {
				t.Error("what it has cost is not counted")
			}
			if len(c.judges.asked) == 2 && (len(c.judges.asked[1].Earlier) != 1 || len(s.Failures) == 0) {
				t.Errorf("the second time nobody knew of the first: %+v, %q", c.judges.asked[1], s.Failures)
			}
		})
	}
}

// TestWhatTheChallengerMaySee: where it may look it sees the files as they would be, and not those of the person, and the words in which it is asked may be those for the check.
func TestWhatTheChallengerMaySee(t *testing.T) {
	b := set(t, map[string]string{"a.txt": "BAD\n", "b.txt": "beside\n"}, []check.Check{nobad}, better("good"))
	var seen []string
	b.loop.Challenger = func(ctx context.Context, c challenge.Case) (challenge.Opinion, error) {
		files, done, err := c.Tree.Open(ctx)
		if err != nil {
			return challenge.Opinion{}, err
		}
		defer done()
		for _, name := range []string{"a.txt", "b.txt"} {
			text, err := fs.ReadFile(files, name)
			if err != nil {
				return challenge.Opinion{}, err
			}
			seen = append(seen, string(text))
		}
		seen = append(seen, b.read(t, "a.txt"))
		seen = append(seen, c.About...)
		return challenge.Opinion{Approved: true, Score: 100, Judge: "test/judge"}, nil
	}
	s, end := b.start(t, heal.Goal{})
	if want := []string{"good\n", "beside\n", "BAD\n", "lint", "lint"}; end != verdict.Converged || !slices.Equal(seen, want) {
		t.Errorf("ended %s (%s), and it saw %q, want %q", end, s.Reason, seen, want)
	}
}

// TestIterations: how often a change goes back to its author is configured.
func TestIterations(t *testing.T) {
	for iterations, asked := range map[int]int{0: 2, 1: 1, 2: 2, 3: 3} {
		b := set(t, map[string]string{"a.txt": "BAD\n"}, []check.Check{nobad}, better("good", "better", "best", "perfect"))
		j := judges{scores: []int{50, 50, 50, 50, 50}}
		b.loop.Challenger, b.loop.Config.Models.Judged = j.ask, iterations
		if s, end := b.start(t, heal.Goal{}); end != verdict.Paused || len(j.asked) != asked {
			t.Errorf("with %d iterations it ended %s (%s) after %d questions, want %d", iterations, end, s.Reason, len(j.asked), asked)
		}
	}
}

// marked is a challenger that gives each finding what is said of its file, and keeps how many it was asked about at a time. What no score is left of has 100.
type marked struct {
	scores map[string][]int
	asked  []int
}

func (m *marked) ask(_ context.Context, c challenge.Case) (challenge.Opinion, error) {
	m.asked = append(m.asked, len(c.Issues))
	o := challenge.Opinion{Threshold: 95, Score: 100, Approved: true, Judge: "test/judge"}
	for _, i := range c.Issues {
		s := challenge.Score{Code: i.Code, Score: 100, Solved: true}
		if left := m.scores[i.Files[0]]; len(left) > 0 {
			s.Score, s.Solved, m.scores[i.Files[0]] = left[0], left[0] >= 95, left[1:]
		}
		if !s.Solved {
			s.Feedback = i.Files[0] + " is odd"
		}
		o.Scores, o.Score, o.Approved = append(o.Scores, s), min(o.Score, s.Score), o.Approved && s.Solved
	}
	return o, nil
}

// attempts is a model that mends each file for itself, in other words each time, and keeps what it was told of each.
func attempts() (f *script, told map[string][]string) {
	told = map[string][]string{}
	var mu sync.Mutex
	return &script{name: "model", rung: fix.RungModel, answers: func(t fix.Task) []fix.Candidate {
		mu.Lock()
		defer mu.Unlock()
		file := t.Diagnostics[0].File
		told[file] = append(told[file], fmt.Sprint(t.Feedback))
		return []fix.Candidate{replace(t, file, "BAD", []string{"good", "better", "best"}[min(2, len(told[file])-1)])}
	}}, told
}

// TestOneObjectionHoldsBackOneChange: what the challenger approves of goes in, whatever it says of what else was proposed in the round; each finding goes back by itself as often as it may, and whatever its neighbours do.
func TestOneObjectionHoldsBackOneChange(t *testing.T) {
	for name, c := range map[string]struct {
		iterations int
		scores     map[string][]int
		end        verdict.End
		a, b       string // what stands in the files
		asked      string // about how many findings at a time
		applied    int    // changes, in the first round
	}{
		"both are good":        {0, nil, verdict.Converged, "good", "good", "[2]", 2},
		"one goes back":        {0, map[string][]int{"b.txt": {76}}, verdict.Converged, "good", "better", "[2 1]", 1},
		"one goes to a person": {0, map[string][]int{"b.txt": {76, 76}}, verdict.Paused, "good", "BAD", "[2 1]", 1},
		"at once":              {1, map[string][]int{"b.txt": {76}}, verdict.Paused, "good", "BAD", "[2]", 1},
		"both go back":         {0, map[string][]int{"a.txt": {50}, "b.txt": {76}}, verdict.Converged, "better", "better", "[2 2]", 0},
		"the other goes back":  {0, map[string][]int{"a.txt": {50}}, verdict.Converged, "better", "good", "[2 1]", 1},
	} {
		t.Run(name, func(t *testing.T) {
			f, told := attempts()
			b := set(t, map[string]string{"a.txt": "BAD\n", "b.txt": "BAD\n"}, []check.Check{nobad}, f)
			m := marked{scores: c.scores}
			b.loop.Challenger, b.loop.Config.Models.Judged = m.ask, c.iterations
			s, end := b.start(t, heal.Goal{})
			if end != c.end || b.read(t, "a.txt") != c.a+"\n" || b.read(t, "b.txt") != c.b+"\n" || fmt.Sprint(m.asked) != c.asked {
				t.Fatalf("ended %s (%s) with %q and %q after %v", end, s.Reason, b.read(t, "a.txt"), b.read(t, "b.txt"), m.asked)
			}
			if got := s.History[0].Applied; got != c.applied {
				t.Errorf("of the first round %d changes were applied, want %d", got, c.applied)
			}
			if c.end == verdict.Paused && (!strings.Contains(s.Reason, "b.txt is odd") || s.Kept == nil || !slices.Equal(s.Kept.Patch.Paths(), []string{"b.txt"})) {
				t.Errorf("%s: %+v", s.Reason, s.Kept)
			}
			if strings.Contains(fmt.Sprint(told["a.txt"]), "b.txt is odd") || strings.Contains(fmt.Sprint(told["b.txt"]), "a.txt is odd") {
				t.Errorf("an author is told of the other's fault: %q", told)
			}
		})
	}
}

// TestEachFindingGoesBack: that a finding's patch went back before takes nothing from the next finding.
func TestEachFindingGoesBack(t *testing.T) {
	f, told := attempts()
	mends := f.answers
	f.answers = func(t fix.Task) []fix.Candidate {
		if a, err := t.Place.ReadFile("a.txt"); t.Diagnostics[0].File == "b.txt" && (err != nil || string(a) == "BAD\n") {
			return nil // it takes one after the other
		}
		return mends(t)
	}
	b := set(t, map[string]string{"a.txt": "BAD\n", "b.txt": "BAD\n"}, []check.Check{nobad}, f)
	m := marked{scores: map[string][]int{"a.txt": {50}, "b.txt": {60}}}
	b.loop.Challenger = m.ask
	if s, end := b.start(t, heal.Goal{}); end != verdict.Converged || len(told["b.txt"]) != 2 || !strings.Contains(told["b.txt"][1], "b.txt is odd") {
		t.Errorf("ended %s (%s); of b.txt its author was told %q", end, s.Reason, told["b.txt"])
	}
}

// TestWhoIsNotIndependent: what the very model, or one of its family, says for what it has made counts for nothing, and that is said; what it says against it counts as anybody's.
func TestWhoIsNotIndependent(t *testing.T) {
	for name, c := range map[string]struct {
		of    challenge.Opinion
		score int
		end   verdict.End
		judge string
		noted string
	}{
		"another family approves": {challenge.Opinion{}, 97, verdict.Converged, "test/judge", ""},
		"its family approves":     {challenge.Opinion{Related: true, Family: "test"}, 97, verdict.Converged, "evidence", "no independent model has judged what here/judge has made: test/judge (of test, as is its author"},
		"it approves itself":      {challenge.Opinion{Related: true, Same: true, Family: "test"}, 97, verdict.Converged, "evidence", "test/judge (the very model that has made it"},
		"it refuses itself":       {challenge.Opinion{Related: true, Same: true, Family: "test"}, 60, verdict.Paused, "test/judge (the very model", ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := better("good", "best")
			was := f.answers
			f.answers = func(t fix.Task) []fix.Candidate {
				all := was(t)
				all[0].Model = "here/judge"
				return all
			}
			b := set(t, map[string]string{"a.txt": "BAD\n"}, []check.Check{nobad}, f)
			b.loop.Challenger = func(_ context.Context, of challenge.Case) (challenge.Opinion, error) {
				o := c.of
				o.Judge, o.Threshold, o.Score, o.Approved = "test/judge", 95, c.score, c.score >= 95
				o.Scores = []challenge.Score{{Code: of.Issues[0].Code, Score: o.Score, Solved: o.Approved}}
				return o, nil
			}
			s, end := b.start(t, heal.Goal{})
			v := s.Verdict
			if end != c.end || v == nil || !strings.HasPrefix(v.Judge, c.judge) || v.Independent != (name == "another family approves") {
				t.Fatalf("ended %s (%s): %+v", end, s.Reason, v)
			}
			if v.Judge == "evidence" && v.Score != 100 {
				t.Errorf("the evidence gives it %d", v.Score)
			}
			if noted := strings.Join(s.Notes, "\n"); !strings.Contains(noted, c.noted) || c.noted == "" && strings.Contains(noted, "independent") {
				t.Errorf("noted: %q", noted)
			}
		})
	}
}

// TestIssues: each finding that is gone is an issue of its own, with its file where it can lie in no other; those that are too many are one.
func TestIssues(t *testing.T) {
	many := strings.Repeat("BAD\n", 11)
	for name, c := range map[string]struct {
		check string
		files map[string]string
		heals []string
		want  []string
	}{
		"a finding each":         {"lint", map[string]string{"a.txt": "BAD\nx\nBAD\n", "b.txt": "BAD\n"}, []string{"a.txt", "b.txt"}, []string{"lint a.txt:1 [a.txt]", "lint a.txt:3 [a.txt]", "lint b.txt:1 [b.txt]"}},
		"only what is gone":      {"lint", map[string]string{"a.txt": "BAD\n", "b.txt": "BAD\n"}, []string{"b.txt"}, []string{"lint [b.txt]"}},
		"too many":               {"lint", map[string]string{"a.txt": many}, []string{"a.txt"}, []string{"lint a.txt:1 [a.txt]", "lint a.txt:2 [a.txt]", "lint a.txt:3 [a.txt]", "lint a.txt:4 [a.txt]", "lint a.txt:5 [a.txt]", "lint a.txt:6 [a.txt]", "lint a.txt:7 [a.txt]", "lint a.txt:8 [a.txt]", "lint [a.txt]"}},
		"a test's fault":         {"test", map[string]string{"a.txt": "BAD\n"}, []string{"a.txt"}, []string{"test []"}},
		"what a compiler misses": {"type", map[string]string{"a.txt": "BAD\n"}, []string{"a.txt"}, []string{"type []"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := &script{name: "model", rung: fix.RungModel, answers: func(fix.Task) []fix.Candidate {
				var p edit.Patch
				for _, file := range c.heals {
					was := edit.File{Data: []byte(c.files[file]), Mode: 0o644, Exists: true}
					now := was
					now.Data = []byte(strings.ReplaceAll(c.files[file], "BAD", "good"))
					change, _ := edit.Compare(file, was, now)
					p = append(p, change)
				}
				return []fix.Candidate{{Author: "script", Explanation: "all of it", Confidence: 0.9, Patch: p}}
			}}
			ch := nobad
			ch.Name = c.check
			b := set(t, c.files, []check.Check{ch}, f)
			b.loop.Config.Limits.EditsPerFile = 100
			j := judges{scores: []int{100, 100, 100}}
			b.loop.Challenger = j.ask
			if _, end := b.start(t, heal.Goal{Checks: []string{c.check}, Iterations: 1}); len(j.asked) == 0 {
				t.Fatalf("ended %s, and nobody was asked", end)
			}
			var got []string
			for _, i := range j.asked[0].Issues {
				got = append(got, fmt.Sprintf("%s %v", i.Code, i.Files))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("the issues are %q, want %q", got, c.want)
			}
		})
	}
}

// TestMeasuredBeforeTheEdit: what was measured before somebody changed a test says nothing of it, and a change to files that are no longer what they were is shown to nobody.
func TestMeasuredBeforeTheEdit(t *testing.T) {
	names := nobad // the file that the finding names is not the one in which the fault is
	names.Name, names.Run = "test", []string{"sh", "-c", `if grep -qE 'BAD|^\)' a.txt; then echo 't.txt:1:a is bad'; exit 1; fi`}
	for edited, want := range map[string]string{"": "[true]", "other.txt": "[true]", "t.txt": "[false]", "a.txt": "[]"} {
		b := set(t, map[string]string{"a.txt": "BAD\n", "t.txt": "a is not bad\n"}, []check.Check{names}, better("good"))
		j := judges{scores: []int{100, 100}}
		b.loop.Challenger = j.ask
		done := false
		b.loop.Tell = func(e heal.Event) {
			if e.Kind != heal.Measured || done || edited == "" {
				return
			}
			done = true
			if err := os.WriteFile(filepath.Join(b.root, edited), []byte("BAD, and more\n"), 0o644); err != nil {
				t.Error(err)
			}
		}
		s, end := b.start(t, heal.Goal{Checks: []string{"test"}, Iterations: 1})
		var fresh []bool
		for _, c := range j.asked {
			fresh = append(fresh, c.Fresh)
		}
		if fmt.Sprint(fresh) != want || end == verdict.Halted {
			t.Errorf("with %q edited it ended %s (%s), and %v was asked %v", edited, end, s.Reason, fresh, s.Notes)
		}
	}
}

// TestOnlyModelsAreChallenged: what tools and searches make is proven by evidence alone, and what evidence refuses is shown to nobody.
func TestOnlyModelsAreChallenged(t *testing.T) {
	refuses := judges{err: errors.New("nobody asked")}
	tool := better("good")
	tool.rung = fix.RungSearch
	b := set(t, map[string]string{"a.txt": "BAD\n"}, []check.Check{nobad}, tool)
	b.loop.Challenger = refuses.ask
	if _, end := b.start(t, heal.Goal{}); end != verdict.Converged || len(refuses.asked) > 0 {
		t.Errorf("ended %s after %d questions", end, len(refuses.asked))
	}
	b = set(t, map[string]string{"a.txt": "BAD\n"}, []check.Check{nobad}, better("BAD too"))
	b.loop.Challenger = refuses.ask
	if _, end := b.start(t, heal.Goal{}); end != verdict.Stuck || len(refuses.asked) > 0 {
		t.Errorf("what does not heal: ended %s after %d questions", end, len(refuses.asked))
	}
}

// TestAPersonMayOverruleTheChallenger: what it did not approve waits, and goes on where a person says yes.
func TestAPersonMayOverruleTheChallenger(t *testing.T) {
	low := judges{scores: []int{10, 10, 10}}
	b := set(t, map[string]string{"a.txt": "BAD\n"}, []check.Check{nobad}, better("good", "best"))
	b.loop.Challenger = low.ask
	b.loop.Ask = func(context.Context, *heal.State) (heal.Answer, error) { return heal.Answer{Yes: true}, nil }
	s, end := b.start(t, heal.Goal{})
	if end != verdict.Converged || b.read(t, "a.txt") != "best\n" {
		t.Errorf("ended %s (%s) with %q", end, s.Reason, b.read(t, "a.txt"))
	}
	if c := s.History[1].Challenge; c == nil || c.Approved || s.History[0].Challenge == nil {
		t.Errorf("what was said is not in the record: %+v", s.History)
	}
}

// TestAnAuthorAnswers: what an author makes of objections is written down and told to the person, and whoever judges is of another family where one can be.
func TestAnAuthorAnswers(t *testing.T) {
	j := judges{scores: []int{60}}
	var sent int
	f := better("good")
	was := f.answers
	f.answers = func(t fix.Task) []fix.Candidate {
		all := was(t)
		all[0].Author, all[0].Model = "model", "here/claude-9"
		if len(t.SentBack) > 0 {
			sent++
			all[0].Explanation = "the second line is needed by others"
			all[0].Stance = &fix.Stance{Decision: "DISAGREE", Reason: "the second line is needed by others"}
		}
		return all
	}
	b := set(t, map[string]string{"a.txt": "BAD\n"}, []check.Check{nobad}, f)
	b.loop.Challenger = j.ask
	s, end := b.start(t, heal.Goal{})
	if s.Kept == nil || s.Kept.Explanation != "BAD becomes good." {
		t.Errorf("what the patch does is told as %+v", s.Kept)
	}
	if end != verdict.Paused || sent != 1 || !strings.Contains(s.Reason, "DISAGREE: the second line is needed by others") {
		t.Errorf("ended %s: %s", end, s.Reason)
	}
	if got := s.History[1].Stances; len(got) != 1 || got[0].Author != "model" || got[0].Decision != "DISAGREE" {
		t.Errorf("the record says %+v", got)
	}
	if got := j.asked[0].Makers; len(got) != 1 || got[0] != "here/claude-9" {
		t.Errorf("the makers are %v", got)
	}
}

// TestAPersonDecidesOnWhatIsHeld: what went in is not asked about again, what waits is asked about in the next round without being made anew, and whoever made it gets the credit for it.
func TestAPersonDecidesOnWhatIsHeld(t *testing.T) {
	for yes, want := range map[bool]string{true: "good\n", false: "BAD\n"} {
		f, told := attempts()
		b := set(t, map[string]string{"a.txt": "BAD\n", "b.txt": "BAD\n"}, []check.Check{nobad}, f)
		b.loop.Book = &learn.Book{DB: b.loop.Sessions.DB}
		m := marked{scores: map[string][]int{"b.txt": {76}}}
		b.loop.Challenger, b.loop.Config.Models.Judged = m.ask, 1
		asked := 0
		b.loop.Ask = func(_ context.Context, s *heal.State) (heal.Answer, error) {
			if asked++; len(s.Proposals) != 1 || s.Proposals[0].Targets[0].File != "b.txt" {
				t.Errorf("asked is about %+v", s.Proposals)
			}
			return heal.Answer{Yes: yes}, nil
		}
		s, end := b.start(t, heal.Goal{})
		if yes != (end == verdict.Converged) || asked != 1 || b.read(t, "a.txt") != "good\n" || b.read(t, "b.txt") != want || len(told["b.txt"]) != 1 {
			t.Errorf("yes %v: ended %s (%s) after %d questions, with %q", yes, end, s.Reason, asked, b.read(t, "b.txt"))
		}
		healed := 1
		if yes {
			healed = 2
		}
		if scores, err := b.loop.Book.Scores(t.Context()); err != nil || len(scores) != 1 || scores[0].Turns != 2 || scores[0].Healed != healed {
			t.Errorf("yes %v: %+v, %v", yes, scores, err)
		}
	}
}
