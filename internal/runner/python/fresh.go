package python

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"
	"unicode/utf8"

	"fettle/internal/edit"
	"fettle/internal/proc"
	"fettle/internal/runner"
	"fettle/internal/verdict"
)

// freshTrial tries a candidate in a fresh process of the user's own kind. Only what passes there is plausible. What would turn down a candidate that
// heals everything has to fail each time.
func (w *worker) freshTrial(ctx context.Context, c candidate, t verdict.Trial) (plausible bool) {
	t, ok := w.afresh(ctx, c, t)
	if ok {
		w.found(ctx, c, t)
	}
	return t.Plausible
}

// patientTrial does so with a candidate that heals something and may then go on without end. It is what it is already as soon as another one passes.
func (w *worker) patientTrial(ctx context.Context, c candidate, known verdict.Trial) {
	t, ok := w.afresh(w.patience, c, known)
	if !ok {
		t = known
	}
	w.found(ctx, c, t)
}

// afresh is what a fresh process says of a candidate; not ok when the context or all trials ended before.
func (w *worker) afresh(ctx context.Context, c candidate, t verdict.Trial) (_ verdict.Trial, ok bool) {
	t.Used = proc.Used()
	select {
	case w.fresh <- struct{}{}:
		defer func() { <-w.fresh }()
	case <-ctx.Done():
		return t, false
	}
	began := time.Now()
	w.alone.RLock()
	out, err := w.suite.fresh(ctx, c.patch, w.plan)
	w.alone.RUnlock()
	if err != nil {
		if ctx.Err() == nil {
			w.fail(err)
		}
		return t, false
	}
	toHeal := w.plan.healed()
	t.Note, t.Built = "", !out.unbuilt
	t.Healed, t.Broken = w.told(out)
	if out.note == "" && len(t.Healed) == len(toHeal) && len(t.Broken) > 0 {
		t.Broken = w.insist(ctx, c, t.Broken)
	}
	switch {
	case out.note != "":
		t.Note = out.note
	case len(t.Healed) < len(toHeal):
		t.Note = runner.StillFails(firstMissing(toHeal, t.Healed))
	case len(t.Broken) > 0:
		t.Note = runner.Breaks(t.Broken[0])
	default:
		t.Plausible = true
		w.pass()
	}
	t.Duration += time.Since(began)
	return t, true
}

// insist asks again for the tests that a candidate has broken, and is those that it breaks each time. No other fresh process runs meanwhile: two that
// share a file or a port are a usual reason of what comes out otherwise than alone.
func (w *worker) insist(ctx context.Context, c candidate, broken []string) []string {
	w.alone.Lock()
	defer w.alone.Unlock()
	broken, _ = w.doubts.Insist(broken, func() ([]string, bool, error) {
		next, err := w.suite.fresh(ctx, c.patch, w.plan)
		_, still := w.told(next)
		return still, next.note == "", err
	})
	return broken // also where it cannot be run again
}

// told are the tests that were to be healed and pass, and those that passed before and do not.
func (w *worker) told(out outcome) (healed, broken []string) {
	for _, id := range w.plan.healed() {
		if out.passed[id] {
			healed = append(healed, id)
		}
	}
	for _, id := range w.plan.passing() {
		if !out.passed[id] {
			broken = append(broken, id)
		}
	}
	return healed, broken
}

// outcome is how tests came out in a fresh process.
type outcome struct {
	passed  map[string]bool
	failed  map[string]bool
	unbuilt bool
	note    string // why nothing can be said for it
}

// freshTime is what a fresh process may take: interpreters start slowly on a busy machine. What the tests took before comes on top, twenty times. It
// is never much more than what the check itself may take, to which the repaired project has to keep.
const (
	freshTime  = 30 * time.Second
	freshTimes = 2 // as long as the check, for others run beside it
)

// limit is how long a fresh process may take for the plan's tests.
func (s *suite) limit(p *plan) time.Duration {
	seconds := 0.0
	for _, s := range append(slices.Clone(p.Failing), p.Passing...) {
		if m, ok := s[1].(measure); ok && !m.Dry {
			seconds += m.Seconds
		}
	}
	limit := freshTime + 20*time.Duration(seconds*float64(time.Second))
	if own := s.check.Timeout; own > 0 {
		limit = min(limit, freshTimes*own)
	}
	return limit
}

// fresh runs the plan's tests by the user's own command with a patch laid over.
func (s *suite) fresh(ctx context.Context, patch edit.Patch, p *plan) (outcome, error) {
	out := outcome{passed: map[string]bool{}, failed: map[string]bool{}}
	texts, err := s.texts(patch)
	if err != nil {
		out.note = err.Error()
		return out, nil
	}
	cmd, dir, err := s.start(settings{Mode: "plain", IDs: append(p.healed(), p.passing()...), Texts: texts})
	if dir != "" {
		defer os.RemoveAll(dir)
	}
	if err != nil {
		return out, err
	}
	cmd.Limits = proc.Limits{Time: s.limit(p), Grace: 100 * time.Millisecond, Output: 64 << 20}
	r, err := s.place.Run(ctx, cmd)
	switch {
	case err != nil:
		return out, fmt.Errorf("run pytest: %w", err)
	case r.Ended == proc.Cancelled:
		return out, context.Canceled
	case r.Ended == proc.TimedOut:
		out.note = runner.NoteTime
	case r.Ended == proc.OutputLimit:
		out.note = runner.NoteOutput
	}
	ended, err := out.read(dir + "/outcomes")
	if err == nil && !ended && out.note == "" {
		out.note = "pytest does not come to its end"
	}
	return out, err
}

// read takes the outcomes from the file that the program wrote, and tells whether pytest came to its end.
func (o *outcome) read(name string) (ended bool, err error) {
	b, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("scratch: %w", err)
	}
	for sc := bufio.NewScanner(bytes.NewReader(b)); sc.Scan(); {
		var line [2]string
		if json.Unmarshal(sc.Bytes(), &line) != nil {
			break // the process died as it wrote it
		}
		switch id, said := line[0], line[1]; {
		case id == "":
			ended = said == "end"
		case said == "passed":
			o.passed[id] = true
		default:
			o.failed[id] = true
		}
	}
	for id := range o.failed {
		delete(o.passed, id)
	}
	return ended, nil
}

// texts are the contents of the patch's files after it.
func (s *suite) texts(p edit.Patch) (map[string]string, error) {
	after, err := p.Apply(runner.Source(s.place))
	if err != nil {
		return nil, err
	}
	texts := map[string]string{}
	for path, f := range after {
		switch {
		case !f.Exists:
			return nil, fmt.Errorf("%s is removed: that cannot be laid over", path)
		case !utf8.Valid(f.Data):
			return nil, fmt.Errorf("%s is not UTF-8", path)
		}
		texts[path] = string(f.Data)
	}
	return texts, nil
}
