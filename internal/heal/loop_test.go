package heal_test

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fettle/internal/budget"
	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/heal"
	"fettle/internal/journal"
	"fettle/internal/proc"
	"fettle/internal/store"
	"fettle/internal/verdict"
	"fettle/internal/verify"
	"fettle/internal/workspace"

	"golang.org/x/sys/unix"
)

// nobad complains about every line of *.txt that says BAD, and about lines it cannot read.
var nobad = check.Check{
	Name: "lint", Run: []string{"sh", "-c", `! grep -nE 'BAD|^\)' *.txt /dev/null`},
	Parser: "errorformat", Pattern: []string{"%f:%l:%m"}, Files: []string{"*.txt"},
}

// script is a fixer that plays what it is given, one candidate a call.
type script struct {
	name     string
	rung     fix.Rung
	answers  func(t fix.Task) []fix.Candidate
	proposed atomic.Int32
}

func (s *script) Name() string                            { return s.name }
func (s *script) Rung() fix.Rung                          { return s.rung }
func (s *script) Takes(check.Check, diag.Diagnostic) bool { return true }
func (s *script) Propose(_ context.Context, t fix.Task) iter.Seq2[fix.Candidate, error] {
	return func(yield func(fix.Candidate, error) bool) {
		s.proposed.Add(1)
		for _, c := range s.answers(t) {
			if !yield(c, nil) {
				return
			}
		}
	}
}

// replace is a candidate that replaces text in one file of a task's place.
func replace(t fix.Task, path, old, with string) fix.Candidate {
	data, err := t.Place.ReadFile(path)
	if err != nil {
		panic(err)
	}
	at := bytes.Index(data, []byte(old))
	if at < 0 {
		return fix.Candidate{}
	}
	return fix.Candidate{
		Author: "script", Explanation: fmt.Sprintf("%s becomes %s.", old, with), Confidence: 0.9,
		Patch: edit.Patch{{Path: path, Op: edit.Modify, Base: edit.Sum(data), Edits: []edit.Edit{{Start: at, End: at + len(old), New: []byte(with)}}}},
	}
}

// bench is a repository with a loop over it.
type bench struct {
	state string
	root  string
	loop  *heal.Loop
	tree  *workspace.Tree
	said  []heal.Event
}

func set(t testing.TB, files map[string]string, checks []check.Check, fixers ...fix.Fixer) *bench {
	t.Helper()
	root, state := t.TempDir(), filepath.Join(t.TempDir(), "state")
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	db, err := store.Open(t.Context(), state)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	j, err := journal.Open(db, state)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := workspace.OpenTree(root, j, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tree.Close() })
	ladder, err := fix.NewLadder(fixers...)
	if err != nil {
		t.Fatal(err)
	}
	var copies atomic.Int64
	b := &bench{root: root, state: state, tree: tree}
	config := check.Default()
	config.Checks = checks
	stock := workspace.OpenStock(root, filepath.Join(state, "stock"))
	lab := &verify.Lab{
		Open: func(ctx context.Context, online bool) (verify.Copy, error) {
			o := workspace.CopyOptions{Root: root, State: filepath.Join(state, "copies", strconv.FormatInt(copies.Add(1), 10)), Network: workspace.NetworkLoopback}
			if online {
				o.Network = workspace.NetworkHost
			}
			return workspace.OpenCopy(ctx, o)
		},
		Digest: func(ctx context.Context) (edit.Hash, error) {
			m, err := stock.Take(ctx)
			if err != nil {
				return "", err
			}
			return m.Digest(), nil
		},
		Part:  func(digest edit.Hash, c check.Check) (edit.Hash, bool) { return stock.Part(digest, c) },
		Setup: stock.Setup, Reconfigured: stock.Reconfigured, Between: stock.Between,
		Changed: stock.Changed,
		Checks:  checks, Memory: &verify.Memory{DB: db},
	}
	b.loop = &heal.Loop{
		Config: config, Tree: tree, Journal: j, Lab: lab, Ladder: ladder, Sessions: &heal.Sessions{DB: db},
		Tell: func(e heal.Event) { b.said = append(b.said, e) },
	}
	return b
}

func (b *bench) read(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(b.root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func (b *bench) start(t testing.TB, g heal.Goal) (*heal.State, verdict.End) {
	t.Helper()
	if g.Checks == nil {
		g.Checks = []string{"lint"}
	}
	if g.Iterations == 0 {
		g.Iterations = 10
	}
	s, end, err := b.loop.Start(t.Context(), g)
	if err != nil {
		t.Fatalf("the loop could not go on: %v", err)
	}
	return s, end
}

func TestGraphIsWhole(t *testing.T) {
	if err := new(heal.Loop).Graph().Validate(); err != nil {
		t.Error(err)
	}
}

func TestHealsAndConverges(t *testing.T) {
	f := &script{name: "good", rung: fix.RungTool, answers: func(t fix.Task) []fix.Candidate {
		return []fix.Candidate{replace(t, "a.txt", "BAD", "good")}
	}}
	b := set(t, map[string]string{"a.txt": "one\nBAD\n"}, []check.Check{nobad}, f)
	s, end := b.start(t, heal.Goal{})
	if end != verdict.Converged || b.read(t, "a.txt") != "one\ngood\n" {
		t.Fatalf("ended %s (%s) with %q", end, s.Reason, b.read(t, "a.txt"))
	}
	r := s.History[0]
	if len(s.History) != 1 || r.Applied != 1 || r.Successful != 1 || r.Findings != 1 || r.Status != "converged" || r.Failing[0] != "lint" {
		t.Errorf("the history is %+v", s.History)
	}
	if !s.Evidence.Green || !s.Evidence.Seen {
		t.Errorf("the evidence is %+v", s.Evidence)
	}
}

// What was spent with nothing to show for it counts.
func TestSpentForNothing(t *testing.T) {
	for name, answers := range map[string]func(t fix.Task) []fix.Candidate{
		"told":     func(t fix.Task) []fix.Candidate { t.Spent(5, true); return nil },
		"no patch": func(fix.Task) []fix.Candidate { return []fix.Candidate{{Cost: 5}} },
	} {
		t.Run(name, func(t *testing.T) {
			b := set(t, map[string]string{"a.txt": "BAD\n"}, []check.Check{nobad}, &script{name: "dear", rung: fix.RungAgent, answers: answers})
			if s, end := b.start(t, heal.Goal{Budget: 1}); end != verdict.Budget || s.Cost != 5 {
				t.Errorf("ended %s (%s) at $%v", end, s.Reason, s.Cost)
			}
		})
	}
}

// penniless is a fixer whose question the person's own limit does not let it ask.
type penniless struct{ script }

func (p *penniless) Propose(context.Context, fix.Task) iter.Seq2[fix.Candidate, error] {
	return func(yield func(fix.Candidate, error) bool) {
		p.proposed.Add(1)
		yield(fix.Candidate{}, fmt.Errorf("ask a model: %w", &budget.ExceededError{Limit: "day", Of: budget.Dollar, Spent: budget.Dollar, Wanted: budget.Cent}))
	}
}

// A limit of money that is met while somebody is asked ends the session, and it is said what is left; nobody dearer is asked.
func TestNoMoneyForTheNextCall(t *testing.T) {
	poor := &penniless{script{name: "poor", rung: fix.RungModel}}
	rich := &script{name: "rich", rung: fix.RungAgent, answers: func(fix.Task) []fix.Candidate { return nil }}
	b := set(t, map[string]string{"a.txt": "BAD\n", "b.txt": "fine\n"}, []check.Check{nobad}, poor, rich)
	s, end := b.start(t, heal.Goal{})
	if end != verdict.Budget || !strings.Contains(s.Reason, "the budget of this day is $1.00") || !strings.Contains(s.Reason, "1 finding left: lint: a.txt:1") || rich.proposed.Load() != 0 {
		t.Errorf("ended %s: %s", end, s.Reason)
	}
}

func TestNothingToDo(t *testing.T) {
	b := set(t, map[string]string{"a.txt": "fine\n"}, []check.Check{nobad})
	if s, end := b.start(t, heal.Goal{}); end != verdict.Converged || len(s.History) != 1 || len(s.History[0].Changes) != 0 {
		t.Errorf("ended %s: %+v", end, s.History)
	}
}

// A fixer that never helps is asked in exactly as many rounds as the limits allow, and nothing is changed.
func TestAlwaysTerminates(t *testing.T) {
	for _, tc := range []struct {
		name   string
		limit  int
		end    verdict.End
		rounds int
	}{
		{"one round", 1, verdict.Exhausted, 1},
		{"two rounds", 2, verdict.Exhausted, 2},
		{"two without progress", 10, verdict.Stuck, 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			n := 0
			f := &script{name: "useless", rung: fix.RungTool, answers: func(t fix.Task) []fix.Candidate {
				n++
				return []fix.Candidate{replace(t, "a.txt", "BAD", fmt.Sprintf("BAD %d", n))}
			}}
			b := set(t, map[string]string{"a.txt": "BAD\n"}, []check.Check{nobad}, f)
			s, end := b.start(t, heal.Goal{Iterations: tc.limit})
			if end != tc.end || s.Iteration != tc.rounds || int(f.proposed.Load()) != tc.rounds {
				t.Errorf("ended %s after %d rounds, asked %d times; want %s after %d", end, s.Iteration, f.proposed.Load(), tc.end, tc.rounds)
			}
			if b.read(t, "a.txt") != "BAD\n" {
				t.Errorf("the file was changed to %q", b.read(t, "a.txt"))
			}
			if len(s.Failures) == 0 || s.Kept == nil {
				t.Error("nothing was learnt, or the patch was not kept")
			}
		})
	}
}

// What one round learnt reaches the next round's fixers, and the same patch is never tried twice.
func TestFeedbackReachesTheNextRound(t *testing.T) {
	var heard [][]fix.Failure
	f := &script{name: "learner", rung: fix.RungTool, answers: func(t fix.Task) []fix.Candidate {
		heard = append(heard, t.Feedback)
		out := []fix.Candidate{replace(t, "a.txt", "BAD", "BAD again")}
		if len(t.Feedback) > 0 {
			out = append(out, replace(t, "a.txt", "BAD", "good"))
		}
		return out
	}}
	b := set(t, map[string]string{"a.txt": "BAD\n"}, []check.Check{nobad}, f)
	if s, end := b.start(t, heal.Goal{}); end != verdict.Converged || s.Iteration != 2 {
		t.Fatalf("ended %s after %d rounds: %s", end, s.Iteration, s.Reason)
	}
	if len(heard) != 2 || len(heard[0]) != 0 || !strings.Contains(heard[1][0].Why, "new finding") {
		t.Errorf("the fixer heard %+v", heard)
	}
}

// Candidates of one rung are merged; one that overlaps waits for the next round; a bad one does not spoil the good one.
func TestProposalsAreMergedAndTriedApart(t *testing.T) {
	first := &script{name: "a", rung: fix.RungTool, answers: func(t fix.Task) []fix.Candidate {
		return []fix.Candidate{replace(t, "a.txt", "BAD", "good")}
	}}
	spoiler := &script{name: "b", rung: fix.RungTool, answers: func(t fix.Task) []fix.Candidate {
		return []fix.Candidate{replace(t, "b.txt", "fine", "BAD")}
	}}
	b := set(t, map[string]string{"a.txt": "BAD\n", "b.txt": "fine\n"}, []check.Check{nobad}, first, spoiler)
	s, end := b.start(t, heal.Goal{})
	if end != verdict.Converged || b.read(t, "a.txt") != "good\n" || b.read(t, "b.txt") != "fine\n" {
		t.Errorf("ended %s (%s) with %q, %q", end, s.Reason, b.read(t, "a.txt"), b.read(t, "b.txt"))
	}
}

// Cheap first: a higher rung is asked only for what the lower one could not heal.
func TestLadderIsClimbedOnlyWhenNeeded(t *testing.T) {
	tool := &script{name: "tool", rung: fix.RungTool, answers: func(t fix.Task) []fix.Candidate {
		return []fix.Candidate{replace(t, "a.txt", "BAD", "good")}
	}}
	dear := &script{name: "dear", rung: fix.RungPlugin, answers: func(t fix.Task) []fix.Candidate {
		return []fix.Candidate{replace(t, "b.txt", "BAD", "good")}
	}}
	b := set(t, map[string]string{"a.txt": "BAD\n"}, []check.Check{nobad}, tool, dear)
	if _, end := b.start(t, heal.Goal{}); end != verdict.Converged || dear.proposed.Load() != 0 {
		t.Errorf("ended %s, the dear fixer was asked %d times", end, dear.proposed.Load())
	}
	b = set(t, map[string]string{"a.txt": "BAD\n", "b.txt": "BAD\n"}, []check.Check{nobad}, tool, dear)
	if s, end := b.start(t, heal.Goal{}); end != verdict.Converged || dear.proposed.Load() != 1 {
		t.Errorf("ended %s (%s), the dear fixer was asked %d times", end, s.Reason, dear.proposed.Load())
	}
}

// More findings than a person would read after the tools' own fixes ask for a narrower goal.
func TestTooManyFindings(t *testing.T) {
	dear := &script{name: "dear", rung: fix.RungPlugin, answers: func(fix.Task) []fix.Candidate { return nil }}
	b := set(t, map[string]string{"a.txt": strings.Repeat("BAD\n", 201)}, []check.Check{nobad}, dear)
	s, end := b.start(t, heal.Goal{})
	if end != verdict.Halted || !strings.Contains(s.Reason, "narrow the goal") || dear.proposed.Load() != 0 {
		t.Errorf("ended %s: %s", end, s.Reason)
	}
}

// What fails once on the user's own tree, and passes when it runs again, is flaky: a good change stands.
func TestConfirmHearsTwice(t *testing.T) {
	f := &script{name: "good", rung: fix.RungTool, answers: func(t fix.Task) []fix.Candidate {
		return []fix.Candidate{replace(t, "a.txt", "BAD", "good")}
	}}
	needNetwork(t)
	moody := check.Check{Name: "moody", Run: []string{"bash", "-c",
		`test "$(wc -l < /proc/net/dev)" = 3 || ! grep -q good a.txt || { exec 3<>/dev/tcp/` + answering(t, "no", "yes") + ` && read -r said <&3 && test "$said" = yes; }`}}
	b := set(t, map[string]string{"a.txt": "BAD\n"}, []check.Check{nobad, moody}, f)
	s, end := b.start(t, heal.Goal{})
	if end != verdict.Converged || b.read(t, "a.txt") != "good\n" {
		t.Fatalf("ended %s (%s) with %q", end, s.Reason, b.read(t, "a.txt"))
	}
	if !slices.ContainsFunc(s.Notes, func(n string) bool { return strings.Contains(n, "moody failed and passed on the same content") }) {
		t.Errorf("notes: %q", s.Notes)
	}
}

// answering is HOST/PORT of a server that says one line to each who comes, the last to all that come later.
func answering(t *testing.T, lines ...string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	t.Cleanup(func() { l.Close(); <-done })
	go func() {
		defer close(done)
		for n := 0; ; n++ {
			c, err := l.Accept()
			if err != nil {
				return
			}
			fmt.Fprintln(c, lines[min(n, len(lines)-1)])
			c.Close()
		}
	}()
	return strings.Replace(l.Addr().String(), ":", "/", 1)
}

// A change that turns out worse on the user's own tree is taken back.
func TestConfirmTakesBack(t *testing.T) {
	// Candidates see no network but loopback (two lines of heading and one for lo); the user's own checks see what is there.
	f := &script{name: "good", rung: fix.RungTool, answers: func(t fix.Task) []fix.Candidate {
		return []fix.Candidate{replace(t, "a.txt", "BAD", "good")}
	}}
	moody := check.Check{Name: "moody", Run: []string{"sh", "-c", `test "$(wc -l < /proc/net/dev)" = 3 || ! grep -q good a.txt`}}
	b := set(t, map[string]string{"a.txt": "BAD\n"}, []check.Check{nobad, moody}, f)
	needNetwork(t)
	s, end := b.start(t, heal.Goal{})
	if end == verdict.Converged || b.read(t, "a.txt") != "BAD\n" {
		t.Fatalf("ended %s (%s) with %q", end, s.Reason, b.read(t, "a.txt"))
	}
	if s.History[0].Status != "rolled back" || s.Kept == nil || !strings.Contains(s.Kept.Why, "rolled back") {
		t.Errorf("the history is %+v, kept %+v", s.History, s.Kept)
	}
}

// A session that is cut after any node and resumed ends as an uncut one does, with the same files and one change.
func TestResumeAfterAnyNode(t *testing.T) {
	good := func() *script {
		return &script{name: "good", rung: fix.RungTool, answers: func(t fix.Task) []fix.Candidate {
			return []fix.Candidate{replace(t, "a.txt", "BAD", "good")}
		}}
	}
	for cut := 1; ; cut++ {
		b := set(t, map[string]string{"a.txt": "BAD\n"}, []check.Check{nobad}, good())
		ctx, cancel := context.WithCancel(t.Context())
		entered := 0
		b.loop.Tell = func(e heal.Event) {
			if e.Kind == heal.Entered {
				if entered++; entered == cut {
					cancel()
				}
			}
		}
		s, end, err := b.loop.Start(ctx, heal.Goal{Checks: []string{"lint"}, Iterations: 5})
		cancel()
		if err != nil {
			t.Fatalf("cut %d: %v", cut, err)
		}
		if end == verdict.Converged {
			if cut < 8 {
				t.Fatalf("the session had only %d nodes to cut", cut)
			}
			return // the cut came after the last node
		}
		if end != verdict.Interrupted {
			t.Fatalf("cut %d: ended %s: %s", cut, end, s.Reason)
		}
		b.loop.Tell = nil
		s, end, err = b.loop.Resume(t.Context(), s.Session)
		if err != nil || end != verdict.Converged || b.read(t, "a.txt") != "good\n" {
			t.Fatalf("cut %d: resumed to %s (%v, %s) with %q", cut, end, err, s.Reason, b.read(t, "a.txt"))
		}
		sets, err := b.loop.Journal.List(t.Context(), journal.Filter{Session: s.Session})
		if err != nil || len(sets) != 1 {
			t.Errorf("cut %d: %d changes in the journal, want 1 (%v)", cut, len(sets), err)
		}
	}
}

// cutAt starts a session and cuts it when it enters a node; it returns the session's id.
func (b *bench) cutAt(t *testing.T, node string) string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	b.loop.Tell = func(e heal.Event) {
		if e.Kind == heal.Entered && e.Node == node {
			cancel()
		}
	}
	s, end, err := b.loop.Start(ctx, heal.Goal{Checks: []string{"lint"}, Iterations: 5})
	if err != nil || end != verdict.Interrupted {
		t.Fatalf("cut at %s: ended %s (%v)", node, end, err)
	}
	b.loop.Tell = nil
	return s.Session
}

func TestTimeLimit(t *testing.T) {
	b := set(t, map[string]string{"a.txt": "BAD\n"}, []check.Check{{Name: "lint", Run: []string{"sleep", "60"}}})
	start := time.Now()
	s, end := b.start(t, heal.Goal{Time: 300 * time.Millisecond})
	if end != verdict.Budget || !strings.Contains(s.Reason, "time limit") || time.Since(start) > 20*time.Second {
		t.Errorf("ended %s (%s) after %s", end, s.Reason, time.Since(start))
	}
}

// BenchmarkIteration measures a round over a repository of 10,000 files, with private copies, tests of a candidate, planted
// faults, the change to the tree and its confirmation. What the checks' commands themselves take is taken off: as much as the
// same command takes on the bare machine.
func BenchmarkIteration(b *testing.B) {
	const rounds = 5
	files := map[string]string{}
	for i := range 10_000 {
		files[fmt.Sprintf("d%d/e%d/f%d.dat", i%20, i%100, i)] = strings.Repeat("some text in a file\n", 50)
	}
	f := &script{name: "good", rung: fix.RungPlugin, answers: func(t fix.Task) []fix.Candidate {
		return []fix.Candidate{replace(t, t.Diagnostics[0].File, "BAD", "good")}
	}}
	at := set(b, files, []check.Check{nobad}, f)
	git := exec.Command("git", "init", "-q")
	git.Dir = at.root
	if err := git.Run(); err != nil {
		b.Fatal(err)
	}
	if _, err := at.loop.Lab.Digest(b.Context()); err != nil { // the first one hashes every file
		b.Fatal(err)
	}
	at.loop.Tell = nil
	m := at.metered()
	reset := func() {
		if err := os.WriteFile(filepath.Join(at.root, "a.txt"), bytes.Repeat([]byte("BAD\n"), rounds), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	reset()
	unix.Sync() // or the new files' own way to the disk would be measured
	bare := time.Now()
	const samples = 50
	for range samples {
		if _, err := proc.Run(b.Context(), proc.Cmd{Argv: nobad.Run, Dir: at.root}); err != nil {
			b.Fatal(err)
		}
	}
	command := time.Since(bare) / samples
	for b.Loop() {
		b.StopTimer()
		reset()
		b.StartTimer()
		if s, end := at.start(b, heal.Goal{}); end != verdict.Converged || s.Iteration != rounds {
			b.Fatalf("ended %s after %d rounds: %s", end, s.Iteration, s.Reason)
		}
	}
	n := float64(b.N * rounds)
	b.ReportMetric(float64((b.Elapsed()-time.Duration(m.commands.Load())*command).Microseconds())/n/1000, "own-ms/iteration")
	b.ReportMetric(float64(b.Elapsed().Microseconds())/n/1000, "ms/iteration")
	b.ReportMetric(float64(m.commands.Load())/n, "commands/iteration")
	b.ReportMetric(0, "ns/op")
}

// meter measures the commands that run in private copies.
type meter struct{ commands, took atomic.Int64 }

// metered has the loop's copies measured.
func (b *bench) metered() *meter {
	m, open := &meter{}, b.loop.Lab.Open
	b.loop.Lab.Open = func(ctx context.Context, online bool) (verify.Copy, error) {
		c, err := open(ctx, online)
		return meteredCopy{c, m}, err
	}
	return m
}

type meteredCopy struct {
	verify.Copy
	m *meter
}

func (c meteredCopy) Run(ctx context.Context, cmd proc.Cmd) (proc.Result, error) {
	start := time.Now()
	defer func() {
		c.m.commands.Add(1)
		c.m.took.Add(int64(time.Since(start)))
	}()
	return c.Copy.Run(ctx, cmd)
}
