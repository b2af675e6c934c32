package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/report"
	"fettle/internal/verdict"
	"fettle/scripts/release"
)

// Fate is what became of one fault.
type Fate string

// The fates, from best to worst.
const (
	Exact      Fate = "exact"      // healed, and every byte is as it was before the fault
	Equivalent Fate = "equivalent" // healed by another text, which a person has read and found to do the same
	Unread     Fate = "unread"     // every check is green, by a text that nobody has read yet
	Waiting    Fate = "waiting"    // proposed, not applied: the proposal is right
	Doubtful   Fate = "doubtful"   // proposed, not applied: the proposal is another text
	Left       Fate = "left"       // not healed, and the report names it where it is
	Hidden     Fate = "hidden"     // not healed, and its check cannot speak of it: another fault keeps the code from being built
	Unnamed    Fate = "unnamed"    // not healed, and the report does not name it, or names it elsewhere
	Wrong      Fate = "wrong"      // something was applied that should not have been
)

// Outcome is the fate of one of a session's faults.
type Outcome struct {
	Fault int    `json:"fault"` // its place in the project's list
	Fate  Fate   `json:"fate"`
	Named string `json:"named"` // where fettle run saw it
}

// Session is what one session came to.
type Session struct {
	Faults   []Outcome   `json:"faults"`
	End      verdict.End `json:"end"`
	Exit     int         `json:"exit"`
	Seconds  float64     `json:"seconds"` // of fettle fix, from its start to its end
	Rounds   int         `json:"rounds"`
	Also     []string    `json:"also,omitempty"`     // checks that fail beside those that the faults are for
	Text     string      `json:"text,omitempty"`     // what differs from the original in the end, where that is not a fault as it was put in
	Troubles []string    `json:"troubles,omitempty"` // what fettle must never do
}

// trial is one session under way.
type trial struct {
	*tree
	fettle string
	put    []int             // the faults that are in
	clean  map[string][]byte // the files that faults concern, as they are in the original
	faulty map[string][]byte // and with the faults
	before picture           // of the tree with the faults
	limit  time.Duration

	session Session
}

// measure puts faults into the tree, has fettle mend it, and judges what it did. The tree is restored in the end.
func (t *tree) measure(ctx context.Context, fettle string, put []int, limit time.Duration) (s Session, err error) {
	if err := t.Restore(ctx); err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, t.Restore(context.WithoutCancel(ctx))) }()
	m := &trial{tree: t, fettle: fettle, put: put, limit: limit}
	if m.clean, err = t.read(); err != nil {
		return s, err
	}
	m.faulty = maps.Clone(m.clean)
	for _, i := range put {
		f := t.Faults[i]
		if m.faulty[f.File], err = f.put(m.faulty[f.File]); err != nil {
			return s, err
		}
	}
	if err := t.write(m.faulty); err != nil {
		return s, err
	}
	if m.before, err = t.look(ctx); err != nil {
		return s, err
	}
	err = m.all(ctx)
	return m.session, err
}

func (m *trial) all(ctx context.Context) error {
	seen, err := m.check(ctx, m.fettle)
	if err != nil {
		return err
	}
	if seen.Success {
		return fmt.Errorf("no check sees what was put in (%s)", m.describe())
	}
	m.attribute(seen)
	if err := m.untouched(ctx, "fettle run"); err != nil {
		return err
	}
	if err := m.Forget(); err != nil {
		return err
	}
	rep, err := m.fix(ctx)
	if err != nil {
		return err
	}
	if err := m.judge(ctx, rep); err != nil {
		return err
	}
	return m.rollback(ctx, rep)
}

func (m *trial) describe() string {
	var what []string
	for _, i := range m.put {
		what = append(what, m.Faults[i].What)
	}
	return strings.Join(what, "; ")
}

func (m *trial) trouble(format string, args ...any) {
	m.session.Troubles = append(m.session.Troubles, fmt.Sprintf(format, args...))
}

// check is fettle run, as JSON.
func (t *tree) check(ctx context.Context, fettle string) (report.Run, error) {
	var r report.Run
	out, errs, code, err := release.Run(ctx, t.Dir, t.Env, fettle, "run", "--json")
	if err != nil {
		return r, fmt.Errorf("fettle run: %w", err)
	}
	if err := json.Unmarshal(out, &r); err != nil {
		return r, fmt.Errorf("fettle run (exit code %d) printed no report: %w\n%s", code, err, release.LastLines(append(out, errs...), 15))
	}
	if code != r.ExitCode {
		return r, fmt.Errorf("fettle run ended with exit code %d and reports %d", code, r.ExitCode)
	}
	return r, nil
}

// untouched reports it as a trouble when the tree is not what it was with the faults in it.
func (m *trial) untouched(ctx context.Context, after string) error {
	now, err := m.look(ctx)
	if err != nil {
		return err
	}
	if d := now.differs(m.before); len(d) > 0 {
		m.trouble("after %s the tree is not what it was: %s", after, some(d))
	}
	return nil
}

func some(names []string) string {
	const few = 4
	if len(names) > few {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
	}
	return strings.Join(names, ", ")
}

// attribute notes where fettle sees each fault.
func (m *trial) attribute(seen report.Run) {
	asked := map[string]bool{}
	for _, i := range m.put {
		asked[m.Faults[i].Check] = true
		m.session.Faults = append(m.session.Faults, Outcome{Fault: i, Named: m.where(i, findings(seen))})
	}
	for _, c := range seen.Checks {
		if c.Status == check.Broken {
			m.trouble("%s could not do its work: %s", c.Check, c.Reason)
		}
		if c.Status == check.Failed && !asked[c.Check] {
			m.session.Also = append(m.session.Also, c.Check)
		}
	}
}

func findings(r report.Run) (all []diag.Diagnostic) {
	for _, c := range r.Checks {
		all = append(all, c.Diagnostics...)
	}
	return all
}

// near is how far from the changed lines a finding may be and still be at them: a tool may point at the end of a statement.
const near = 2

// where says how well findings name a fault: "line" for one at its lines, "test" for a failed test, "file" for one
// elsewhere in its file, "check" for one anywhere else, "" for none. A finding of another check counts when it is at the lines.
func (m *trial) where(i int, found []diag.Diagnostic) string {
	f := m.Faults[i]
	first := f.line(m.clean[f.File])
	best := ""
	for _, d := range found {
		here := ""
		switch at := d.Range.Start.Line; {
		case d.File == f.File && at >= first-near && at <= first+f.lines()+near, d.File == f.File && f.Kind == "format" && at == 0:
			here = "line"
		case d.Check != f.Check:
		case d.Test != "":
			here = "test"
		case d.File == f.File:
			here = "file"
		default:
			here = "check"
		}
		if rank[here] > rank[best] {
			best = here
		}
	}
	return best
}

var rank = map[string]int{"": 0, "check": 1, "file": 2, "test": 3, "line": 4}

// fix is fettle fix, as JSON.
func (m *trial) fix(ctx context.Context) (report.Session, error) {
	var rep report.Session
	const grace = 2 * time.Minute // for the checks that run when the time is over
	ctx, cancel := context.WithTimeout(ctx, m.limit+grace)
	defer cancel()
	began := time.Now()
	out, errs, code, err := release.Run(ctx, m.Dir, m.Env, m.fettle, "fix", "--json", "--time", m.limit.String())
	m.session.Seconds, m.session.Exit = time.Since(began).Seconds(), code
	if err != nil {
		return rep, fmt.Errorf("fettle fix: %w\n%s", err, release.LastLines(errs, 15))
	}
	if err := json.Unmarshal(out, &rep); err != nil {
		return rep, fmt.Errorf("fettle fix (exit code %d) printed no report: %w\n%s", code, err, release.LastLines(append(out, errs...), 15))
	}
	m.session.End, m.session.Rounds = rep.End, len(rep.Iterations)
	if rep.End == verdict.Interrupted { // by somebody on this machine: that says nothing of the project
		return rep, fmt.Errorf("fettle fix was interrupted (%s)", rep.Reason)
	}
	if code != rep.End.ExitCode() {
		m.trouble("fettle fix ended %s with exit code %d, not %d", rep.End, code, rep.End.ExitCode())
	}
	return rep, nil
}
