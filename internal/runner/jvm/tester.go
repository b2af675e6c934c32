package jvm

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"fettle/internal/proc"
)

// tester is a machine that runs tests. What it has to know is said to it again when it has to be started anew. It is used by one at a time.
type tester struct {
	suite *suite
	setup []string // lines
	warm  *stage   // run before anything else: what it loads and compiles is at nobody's expense
	then  []string // lines behind that
	last  string   // how the machine ended that ended last
	p     *process
}

// newTester prepares a machine; it is started when it is needed. woven is the bundle of the woven sources; empty: classes are those on
// the disk.
func (s *suite) newTester(kind, woven string) *tester {
	t := &tester{suite: s}
	t.always("tests", kind)
	if s.group.program {
		t.always(append([]string{"arguments"}, s.group.machine.arguments()...)...)
		t.always(append([]string{"judges"}, s.judges()...)...)
	}
	for _, r := range s.project.roots {
		t.always("root", r)
	}
	properties := s.group.machine.keptProperties()
	for _, k := range slices.Sorted(maps.Keys(properties)) {
		t.always("property", k, properties[k])
	}
	if woven == "" {
		t.always("open")
	} else {
		t.always("open", woven)
	}
	return t
}

func (t *tester) always(words ...string) { t.setup = append(t.setup, line(words...)+"\n") }

// learn says lines that the machine has to know from now on, whenever it is started anew.
func (t *tester) learn(lines ...string) {
	t.then = append(t.then, lines...)
	if t.p != nil && t.p.write(strings.Join(lines, "")) != nil {
		t.close() // the next one hears them when it starts
	}
}

// testerFlags bound what a candidate may eat.
var testerFlags = []string{"-Xmx768m", "-XX:-OmitStackTraceInFastThrow", "-XX:MaxMetaspaceSize=512m", "-XX:+ExitOnOutOfMemoryError"}

func (t *tester) start(ctx context.Context) error {
	for t.p == nil {
		switch err := t.launch(ctx); {
		case errors.Is(err, errOver) && t.warm != nil:
			t.warm = nil // it makes a machine that is good for nothing afterwards
		case err != nil:
			return t.failed(fmt.Errorf("start a machine for tests: %w", err))
		}
	}
	return nil
}

// launch starts a machine and tells it all that it has to know. It is left to the caller to give it up if that fails.
func (t *tester) launch(ctx context.Context) error {
	s := t.suite
	m := &s.group.machine
	cp := []string{s.lab.served}
	if s.project.adapters != "" {
		cp = append(cp, s.project.adapters)
	}
	cp = append(cp, s.project.libraries...)
	argv := slices.Concat([]string{m.java()}, machineFlags, testerFlags, m.keptOptions(),
		[]string{"-cp", strings.Join(cp, string(filepath.ListSeparator)), "fettle_jvm.Run"})
	p, err := start(ctx, s.lab.job.Place, proc.Cmd{Argv: argv, Dir: m.dir(), Env: m.env})
	if err != nil {
		return err
	}
	t.p = p
	w, err := p.receive(ctx, startTime)
	if err == nil && w[0] != "ready" {
		err = errors.New(strings.Join(w, " "))
	}
	if err == nil {
		err = p.write(strings.Join(t.setup, ""))
	}
	if err == nil && t.warm != nil {
		if _, err = t.once(ctx, *t.warm); err == nil {
			_, err = t.answer(ctx, grace, "there", nil, line("there")+"\n")
		}
	}
	if err == nil {
		err = p.write(strings.Join(t.then, ""))
	}
	return err
}

// startTime bounds how long a machine may take to be there.
const startTime = time.Minute

// failed gives the machine up, and tells more of why if it ended by itself.
func (t *tester) failed(err error) error {
	if t.p == nil {
		return err
	}
	t.p.close()
	if errors.Is(err, errGone) {
		err = fmt.Errorf("%w: %s", err, t.p.why())
	}
	t.p = nil
	return err
}

func (t *tester) close() {
	if t.p != nil {
		t.p.close()
		t.p = nil
	}
}

// ask says lines and hands on what is answered until a line that begins with last. A machine that had given itself up after what it was asked
// before is replaced by another, which has loaded none of the classes yet.
func (t *tester) ask(ctx context.Context, limit time.Duration, last string, each func([]string), lines ...string) ([]string, error) {
	if err := t.start(ctx); err != nil {
		return nil, err
	}
	w, err := t.answer(ctx, limit, last, each, lines...)
	if !errors.Is(err, errOver) {
		return w, err
	}
	if err := t.start(ctx); err != nil {
		return nil, err
	}
	return t.answer(ctx, limit, last, each, lines...)
}

// answer asks the machine that is there. The error is [errOver] if it has given itself up before it heard of it.
func (t *tester) answer(ctx context.Context, limit time.Duration, last string, each func([]string), lines ...string) ([]string, error) {
	_ = t.p.write(strings.Join(lines, "")) // a machine that is gone is noticed below, and what it said last
	until := time.Now().Add(limit)
	for {
		w, err := t.p.receive(ctx, time.Until(until))
		switch {
		case err != nil:
			return nil, t.failed(err)
		case w[0] == last:
			return w, nil
		case w[0] == "over":
			t.close()
			return nil, errOver
		case w[0] == "broken":
			return nil, t.failed(fmt.Errorf("the machine for tests broke down: %s", strings.Join(w[1:], " ")))
		}
		if each != nil {
			each(w)
		}
	}
}

// event is a test as a machine saw it run.
type event struct {
	key     string
	outcome string // pass, fail, none
	names   []string
}

// survey runs whole classes.
func (t *tester) survey(ctx context.Context, classes []string, limit time.Duration) (events []event, how string, err error) {
	words := append([]string{"survey", itoa(surveyFuel), millis(limit)}, classes...)
	end, err := t.ask(ctx, limit+grace, "surveyed", func(w []string) {
		if w[0] == "test" && len(w) > 3 {
			events = append(events, event{key: w[1], outcome: w[2], names: w[3:]})
		}
	}, line(words...)+"\n")
	if gone(ctx, err) {
		return events, "gone", nil
	}
	if err != nil {
		return nil, "", fmt.Errorf("run the tests as they are: %w", err)
	}
	return events, end[1], nil
}

// surveyFuel is what tests may take that nobody has seen run.
const surveyFuel = 1 << 28

// grace is how much later than a machine itself we say that its time is over.
const grace = 30 * time.Second

func millis(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// ran is how one stage of tests came out.
type ran struct {
	how    string // ok, fuel, time, exit, memory, gone
	fuel   int64
	time   time.Duration
	passed string // a 1 for each key that passed
}

// ended reports whether the tests came to their end.
func (r *ran) ended(program bool) bool { return r.how == "ok" || program && r.how == "exit" }

func readRuns(w []string) []ran {
	var out []ran
	for ; len(w) >= 4; w = w[4:] {
		fuel, _ := strconv.ParseInt(w[1], 10, 64)
		micros, _ := strconv.ParseInt(w[2], 10, 64)
		out = append(out, ran{how: w[0], fuel: fuel, time: time.Duration(micros) * time.Microsecond, passed: w[3]})
	}
	return out
}
