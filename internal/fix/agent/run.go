package agent

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fettle/internal/budget"
	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/locate"
	"fettle/internal/proc"
)

// What a run may take beside its time.
const (
	outputLimit = 64 << 20        // bytes
	grace       = 5 * time.Second // between the polite end and the other
)

// work is one run: from the task to what the agent has left of it.
func (f *fixer) work(ctx context.Context, t fix.Task) (fix.Candidate, error) {
	program, to, at, err := f.ready(t)
	if err != nil {
		return fix.Candidate{}, err
	}
	suspects, err := where(ctx, t)
	if err != nil {
		return fix.Candidate{}, err
	}
	talk, err := f.talk(ctx, t)
	if err != nil {
		return fix.Candidate{}, err
	}
	defer talk.leave()
	out := f.o.Redactor.Outbound(t.Place.Root(), f.o.Root)
	said, err := customs(t, out)
	if err != nil {
		return fix.Candidate{}, err
	}
	earlier, err := sentBack(t, talk)
	if err != nil {
		return fix.Candidate{}, err
	}
	suspect := suspicious(t, said)
	for _, place := range suspect {
		tell(t, "%s: so what it makes is applied by itself only when an independent second reader approves", place)
	}
	text, err := prompt(t, briefing{texts: f.o.texts(t), earlier: earlier, suspects: suspects, customs: said, out: out, subagents: f.o.Subagents, resumed: talk.id != ""})
	if err != nil {
		return fix.Candidate{}, err
	}
	r, left, err := f.visit(ctx, t, at, visit{program: program, to: to, talk: talk, prompt: text})
	err = fix.Restore(ctx, t.Place, err)
	var patch edit.Patch
	if err == nil {
		patch, err = putBack(f.o.Redactor.Outbound(), t.Place, left)
	}
	cost := talk.cost(r)
	asked := r.asked || r.read+r.wrote > 0 // a run that never began has cost nothing
	if t.Spent != nil && (err != nil || len(patch) == 0) && (cost > 0 || asked && !r.priced) {
		t.Spent(cost, r.priced)
	}
	if err != nil {
		return fix.Candidate{}, err
	}
	c := f.candidate(r.text)
	if len(patch) == 0 {
		tell(t, "it has changed nothing that counts, and says: %s", c.Explanation)
	}
	c.Patch, c.Cost, c.Unpriced, c.Model, c.Suspect = patch, cost, !r.priced, string(f.kind), suspect
	return c, nil
}

// ready looks whether the agent can work at all.
func (f *fixer) ready(t fix.Task) (program string, to endpoint, at fix.Guesthouse, err error) {
	if f.driver == nil {
		return "", to, nil, errNoAgent
	}
	if f.o.Model != "" && !modelName.MatchString(f.o.Model) {
		return "", to, nil, fmt.Errorf("%q is no name of a model", f.o.Model)
	}
	if program, err = look(f.o.Env, string(f.kind), t.Place.Root()); err != nil {
		return "", to, nil, err
	}
	if to, err = f.driver.endpoint(f.o.Env); err != nil {
		return "", to, nil, err
	}
	at, ok := t.Place.(fix.Guesthouse)
	if !ok {
		return "", to, nil, errors.New("the place that it was given has no door to its model, so it does not run: an agent works in a private copy of the repository alone")
	}
	if !at.HoldsWrites() {
		return "", to, nil, errors.New("nothing here can keep it from writing elsewhere, so it does not run: see fettle doctor")
	}
	return program, to, at, nil
}

// where are the places that may be at fault. An agent may do without: what keeps them from being found is only told.
func where(ctx context.Context, t fix.Task) ([]locate.Suspect, error) {
	if t.Suspects == nil {
		return nil, nil
	}
	found, err := t.Suspects(ctx)
	if e := fix.Restore(ctx, t.Place, nil); e != nil {
		return nil, e
	}
	if err != nil && ctx.Err() == nil {
		tell(t, "it was not told where the fault may be: %v", err)
	}
	return found, context.Cause(ctx)
}

// sentBack is the agent's own patch that was sent back, as a diff; nothing where it goes on with the conversation in which it made that.
func sentBack(t fix.Task, c *talk) (string, error) {
	if len(t.SentBack) == 0 || c.id != "" {
		return "", nil
	}
	diff, err := t.SentBack.Unified(fix.Source(t.Place))
	if err != nil {
		return "", fmt.Errorf("show it its earlier change: %w", err)
	}
	return diff, nil
}

// tell tells the person something, if somebody listens.
func tell(t fix.Task, format string, args ...any) {
	if t.Note != nil {
		t.Note(fmt.Sprintf(format, args...))
	}
}

// visit is what the agent is let in with.
type visit struct {
	program string
	to      endpoint
	talk    *talk
	prompt  string
}

// visit lets the agent in, and tells what it has left. What it has kept of the conversation is taken out of its home before that is gone; that it
// has failed does not spoil it.
func (f *fixer) visit(ctx context.Context, t fix.Task, at fix.Guesthouse, v visit) (report, edit.Patch, error) {
	home := filepath.Join(t.Place.Scratch(), "home")
	if err := errors.Join(os.RemoveAll(home), os.Mkdir(home, 0o700)); err != nil {
		return report{}, nil, fmt.Errorf("make a home for it: %w", err)
	}
	if err := v.talk.lay(home); err != nil {
		return report{}, nil, err
	}
	l, err := at.Listen(ctx)
	if err != nil {
		return report{}, nil, err
	}
	d := openDoor(l, v.to, f.turns(), f.o.Redactor.Outbound(), f.meter(t))
	defer d.close()
	address := "http://" + l.Addr().String()
	if err := f.driver.lay(home, address, f.o); err != nil {
		return report{}, nil, fmt.Errorf("furnish its home: %w", err)
	}
	if f.o.Guard != nil {
		if err := f.o.Guard.Lay(home); err != nil {
			return report{}, nil, fmt.Errorf("put the guard into its settings: %w", err)
		}
	}
	if err := f.hide(ctx, t); err != nil {
		return report{}, nil, err
	}
	r, res, err := f.run(ctx, t, v, home, address)
	if err != nil {
		return report{}, nil, err
	}
	d.close()
	f.after(t, v.talk, home, r, d)
	if err := f.verdict(ctx, r, d, res); err != nil {
		return *r, nil, err
	}
	left, err := leftovers(ctx, t, f.driver.hides())
	return *r, left, err
}

// hide takes out of the copy what the agent must not find there.
func (f *fixer) hide(ctx context.Context, t fix.Task) error {
	names := f.driver.hides()
	if len(names) == 0 {
		return nil
	}
	res, err := t.Place.Run(ctx, proc.Cmd{Argv: append([]string{"rm", "-f", "--"}, names...), Dir: t.Place.Root(), Env: []string{"PATH=" + environ(f.o.Env).get("PATH")}})
	if err == nil && !res.OK() {
		err = errors.New(sentence(res.Stderr.String()))
	}
	if err != nil {
		return fmt.Errorf("take the repository's settings for it out of its copy: %w", err)
	}
	return nil
}

// turns is how many answers of the model a run may have. Agents of an agent's own have theirs in the same run.
func (f *fixer) turns() int {
	if f.o.Subagents {
		return f.o.MaxTurns * subagentTurns
	}
	return f.o.MaxTurns
}

// subagentTurns is how many times as many turns a run may have whose work is split.
const subagentTurns = 8

func (f *fixer) run(ctx context.Context, t fix.Task, v visit, home, address string) (*report, proc.Result, error) {
	o := f.o
	o.Budget = f.most(t)
	r := &report{most: o.Budget}
	out := &lines{read: func(line []byte) { f.driver.read(line, r) }}
	res, err := t.Place.Run(ctx, proc.Cmd{
		Argv:   append([]string{v.program}, f.driver.argv(job{prompt: v.prompt, resume: v.talk.id, Options: o})...),
		Dir:    t.Place.Root(),
		Env:    f.outside(t, v.to, home, address),
		Stdout: out,
		Limits: proc.Limits{Time: f.o.Time, Grace: grace, Output: outputLimit},
	})
	if err != nil {
		return nil, res, err
	}
	out.end()
	return r, res, nil
}

// most is what a run may spend, in US dollars; zero: there is no limit.
func (f *fixer) most(t fix.Task) float64 {
	if t.Money > 0 && (f.o.Budget <= 0 || t.Money < f.o.Budget) {
		return t.Money
	}
	return f.o.Budget
}

// meter counts what is asked in a run; what it costs, too, where the agent does not say so itself.
func (f *fixer) meter(t fix.Task) *meter {
	m := &meter{price: f.o.Price, tokens: t.Tokens}
	if m.price != nil {
		m.most = f.most(t)
	}
	return m
}

// after tells what a run took, whatever became of it, and keeps what is needed to go on with it.
func (f *fixer) after(t fix.Task, talk *talk, home string, r *report, d *door) {
	turns, _ := d.count()
	r.asked = turns > 0
	if usd, known, begun := d.meter.sum(); begun {
		r.asked, r.priced, r.total = true, known, talk.state.Cost+usd
	}
	took := d.meter.taken(fix.Tokens{Read: r.read, Wrote: r.wrote})
	if t.Took != nil {
		t.Took(took)
	}
	text := fmt.Sprintf("%d turns, %d tokens read and %d written", turns, took.Read, took.Wrote)
	if r.priced {
		text += ", " + budget.Dollars(talk.cost(*r)).String()
	}
	tell(t, "%s", text)
	f.tellRefused(t, home, r)
	if r.session == "" {
		return
	}
	if err := talk.keep(home, r); err != nil {
		tell(t, "its conversation cannot be gone on with: %v", err)
		return
	}
	if t.Talked != nil && f.o.Conversations != "" {
		t.Talked(r.session)
	}
}

// verdict is why a run does not count; nil when it came to its own end.
func (f *fixer) verdict(ctx context.Context, r *report, d *door, res proc.Result) error {
	turns, limited := d.count()
	switch res.Ended {
	case proc.Cancelled:
		return context.Cause(ctx)
	case proc.TimedOut:
		return fmt.Errorf("it did not end within %s", f.o.Time)
	case proc.OutputLimit:
		return fmt.Errorf("it printed more than %d bytes", outputLimit)
	case proc.Exited, proc.Signalled:
	}
	trouble := d.trouble(f.kind)
	switch {
	case d.meter.why() != "":
		return errors.New(d.meter.why())
	case limited || r.limited && turns >= f.o.MaxTurns:
		return fmt.Errorf("it was not done within its %d turns", f.turns())
	case r.limited:
		return fmt.Errorf("%s (%s)", r.failed, budget.Dollars(r.most))
	case trouble != "" && (r.failed != "" || !r.ended):
		return errors.New(trouble)
	case r.failed != "":
		return errors.New(sentence(r.failed))
	case r.ended:
		return nil
	case res.Ended == proc.Signalled:
		return fmt.Errorf("it was ended by a signal (%s)", res.Signal)
	}
	return fmt.Errorf("it went (code %d) without having told of an end%s", res.Code, lastWords(r, res))
}

// lastWords is the last trouble that it told of, for people.
func lastWords(r *report, res proc.Result) string {
	lines := strings.Split(strings.TrimSpace(res.Stderr.String()), "\n")
	for _, text := range []string{lines[len(lines)-1], r.said} {
		if strings.TrimSpace(text) != "" {
			return ": " + sentence(text)
		}
	}
	return ""
}
