package jvm

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"fettle/internal/edit"
	"fettle/internal/runner"
	"fettle/internal/verdict"
)

// TryAll implements [runner.Suite].
func (s *suite) TryAll(ctx context.Context, candidates iter.Seq[edit.Patch]) iter.Seq2[verdict.Trial, error] {
	return func(yield func(verdict.Trial, error) bool) {
		err := s.guard.Watch(ctx, s.lab.job.Place)
		if err == nil {
			err = s.prepare(ctx)
		}
		if err == nil {
			err = s.guard.Learn(ctx)
		}
		if err != nil {
			yield(verdict.Trial{}, err)
			return
		}
		crew := &crew{suite: s}
		defer crew.close()
		most := mostBatch
		if s.baseline.fresh {
			most = freshBatch
		}
		tries := runner.Batches[*bundle]{
			First: firstBatch, Most: most, Ahead: ahead,
			Making: runner.Side{Many: compilers(), Soon: builders}, Running: runner.Side{Many: cores(), Soon: testers},
			Make: s.bundle, Run: crew.run, Drop: (*bundle).close,
		}
		for t, err := range tries.Try(ctx, candidates) {
			if !yield(t, err) {
				return
			}
		}
	}
}

// How many candidates a batch holds: the first ones few, so that the first trials are there soon.
const (
	firstBatch = 48
	mostBatch  = 512
	freshBatch = 160 // classes that are loaded anew for each candidate should be small
	ahead      = 128 // candidates pulled from the sequence and not yet in a batch
)

// After how many candidates more machines are started: a shorter search would pay more for their start than it gives. A machine that compiles has to
// run for seconds until the compiler itself is compiled.
const (
	testers  = 1000
	builders = 4000
)

// cores is how many machines of a kind there are at most.
func cores() int { return min(runtime.GOMAXPROCS(0), 8) }

// crew is the machines that run candidates. At first all of them run the same batch and leave a core to the one that compiles. In a long search there are
// as many as there are cores, and as many that compile, and each takes a batch of its own: which of the two sorts has more to do is different in each
// project, and none waits for another at the end of a batch.
type crew struct {
	suite *suite

	mu   sync.Mutex
	free []*tester
	all  []*tester
}

// take takes the machines that are to run a batch: those that are free, or a new one.
func (c *crew) take(b *bundle) []*tester {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 1
	if b.first < testers {
		n = max(1, cores()-1)
	}
	for len(c.free) < n && (len(c.free) == 0 || len(c.all) < n) {
		t := c.suite.ready()
		c.all, c.free = append(c.all, t), append(c.free, t)
	}
	n = min(n, len(c.free))
	took := slices.Clone(c.free[:n])
	c.free = slices.Delete(c.free, 0, n)
	return took
}

func (c *crew) give(back []*tester) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.free = append(c.free, back...)
}

func (c *crew) close() {
	for _, t := range c.all {
		t.close()
	}
}

// ready is a machine that knows the tests: first of all the one that ran them as they are.
func (s *suite) ready() *tester {
	b := &s.baseline
	t := s.spare
	if s.spare = nil; t == nil {
		t = s.newTester(b.kind, b.woven)
	}
	if !b.hangs {
		t.warm = &stage{b.one.keys, surveyFuel, surveyTime}
	}
	lines := []string{line("restage") + "\n", b.one.line()}
	if len(b.two.keys) > 0 {
		lines = append(lines, b.two.line())
	}
	if b.fresh {
		lines = append(lines, line("fresh", "yes")+"\n")
	}
	t.learn(lines...)
	return t
}

// run tries every candidate of a bundle.
func (c *crew) run(ctx context.Context, b *bundle, emit func(verdict.Trial)) error {
	for _, t := range b.refused {
		emit(t)
	}
	for _, p := range b.plain {
		t, err := c.suite.plain(ctx, p)
		if err != nil {
			return err
		}
		emit(t)
	}
	if len(b.members) == 0 {
		return nil
	}
	took := c.take(b)
	defer c.give(took)
	g, gctx := errgroup.WithContext(ctx)
	for n, t := range took {
		var mine []member
		for i := n; i < len(b.members); i += len(took) {
			mine = append(mine, b.members[i])
		}
		g.Go(func() error { return t.tryAll(gctx, g, b.file, mine, emit) })
	}
	return g.Wait()
}

// tryAll tries candidates on one machine, among files that are whole. Those that pass are tried as the user's build would, beside the others.
func (t *tester) tryAll(ctx context.Context, g *errgroup.Group, file string, all []member, emit func(verdict.Trial)) error {
	numbers := make([]int, len(all))
	for i := range all {
		numbers[i] = i
	}
	return runner.Guarded[int, verdict.Trial]{Guard: &t.suite.guard, Run: func(ctx context.Context, numbers []int, each func(int, verdict.Trial) error) error {
		some := make([]member, len(numbers))
		for i, n := range numbers {
			some[i] = all[n]
		}
		return t.tryEach(ctx, file, some, func(i int, trial verdict.Trial) error { return each(numbers[i], trial) })
	}, Tell: func(n int, trial verdict.Trial, changes bool) error {
		if trial.Plausible {
			g.Go(func() error {
				sure, err := t.suite.plain(ctx, all[n].candidate)
				if err == nil {
					sure.Duration += trial.Duration
					emit(sure)
				}
				return err
			})
			return nil
		}
		if changes {
			trial.Note = runner.NoteFiles
		}
		emit(trial)
		return nil
	}}.Try(ctx, numbers)
}

// tryEach tries candidates on one machine, in order. When one of them takes the machine along, the rest goes on in a new one.
func (t *tester) tryEach(ctx context.Context, file string, all []member, each func(i int, trial verdict.Trial) error) error {
	s := t.suite
	at := 0
	limit := s.baseline.one.time + s.baseline.two.time + grace
	for len(all) > 0 {
		began := time.Now()
		done, err := t.some(ctx, file, all, limit, func(m member, runs []ran) error {
			trial := verdict.Trial{Index: m.Index, Patch: m.Patch, Built: true}
			s.judge(&trial, runs, s.baseline.passing)
			trial.Duration = time.Since(began)
			began = time.Now()
			at++
			return each(at-1, trial)
		})
		all = all[done:]
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, errOver):
		case errors.Is(err, errGone) || errors.Is(err, context.DeadlineExceeded):
			at++
			if err := each(at-1, verdict.Trial{Index: all[0].Index, Patch: all[0].Patch, Built: true, Note: endings[t.last], Duration: time.Since(began)}); err != nil {
				return err
			}
			all = all[1:]
		case err != nil:
			return err
		}
	}
	return nil
}

// errOver says that a machine has given itself up after a candidate.
var errOver = errors.New("the machine is given up")

// some hands candidates to the machine and hands on what comes of each, in order, and tells how many came to an end.
func (t *tester) some(ctx context.Context, file string, all []member, limit time.Duration, each func(member, []ran) error) (done int, err error) {
	if err := t.start(ctx); err != nil {
		return 0, fmt.Errorf("%w", notGone(err))
	}
	var b strings.Builder
	b.WriteString(line("bundle", file) + "\n")
	for _, m := range all {
		b.WriteString(line(m.words("try")...) + "\n")
	}
	p := t.p
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		_ = p.write(b.String()) // a machine that is gone is noticed below
	}()
	defer func() {
		if err != nil {
			t.last = "time"
			if errors.Is(err, errGone) {
				t.last = p.howGone()
			}
			t.close()
		}
		<-sent
	}()
	for done < len(all) {
		w, err := p.receive(ctx, limit)
		if err != nil {
			return done, err
		}
		switch w[0] {
		case "tried":
			if err := each(all[done], readRuns(w[2:])); err != nil {
				return done, notGone(err)
			}
			done++
		case "over":
			return done, errOver
		case "broken":
			return done, fmt.Errorf("the machine for tests broke down: %s", strings.Join(w[1:], " "))
		}
	}
	return done, nil
}

// gone reports whether a machine has ended, or was ended because it took too long, and not because nobody waits any more.
func gone(ctx context.Context, err error) bool {
	return errors.Is(err, errGone) || errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil
}

// notGone is an error that is not about this machine.
func notGone(err error) error {
	if errors.Is(err, errGone) || errors.Is(err, context.DeadlineExceeded) {
		return errors.New(err.Error())
	}
	return err
}

// judge fills in what the runs say of a candidate; passing are the tests of the second one.
func (s *suite) judge(t *verdict.Trial, runs []ran, passing []test) {
	b := &s.baseline
	if len(runs) == 0 {
		t.Note = "the tests could not be run"
		return
	}
	one := runs[0]
	var still string
	for _, x := range b.targets {
		if x.passed(one.passed) {
			t.Healed = append(t.Healed, x.id)
		} else if still == "" {
			still = x.id
		}
	}
	stopped := ""
	if !one.ended(s.group.program) {
		stopped = one.how
	}
	if len(runs) > 1 {
		for _, x := range passing {
			if !x.passed(runs[1].passed) {
				t.Broken = append(t.Broken, x.id)
			}
		}
		if !runs[1].ended(s.group.program) && stopped == "" {
			stopped = runs[1].how
		}
	}
	switch {
	case stopped != "":
		t.Note = endings[stopped]
	case still != "":
		t.Note = runner.StillFails(still)
	case len(t.Broken) > 0:
		t.Note = runner.Breaks(t.Broken[0])
	case len(runs) < 2 && len(passing) > 0:
		t.Note = runner.NoteUntested
	default:
		t.Plausible = true
	}
	if stopped != "" {
		t.Healed = slices.DeleteFunc(t.Healed, func(string) bool { return s.group.program })
	}
}

var endings = map[string]string{
	"time":   runner.NoteTime,
	"fuel":   runner.NoteFuel,
	"exit":   "the tests ended the machine",
	"memory": "the tests need more memory than there is",
	"gone":   "the machine that ran the tests ended with it",
}
