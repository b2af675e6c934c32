package cli

import (
	"context"
	"crypto/rand"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fettle/internal/audit"
	"fettle/internal/audit/challenge"
	"fettle/internal/check"
	"fettle/internal/edit"
	"fettle/internal/model"
	"fettle/internal/near"
	"fettle/internal/phrase"
	"fettle/internal/quote"
	"fettle/internal/report"
	"fettle/internal/verdict"

	"github.com/spf13/cobra"
)

// confirmFlags say what is confirmed.
type confirmFlags struct {
	goal    string
	in      []string
	makers  []string
	offline bool
	fresh   bool
}

func (a *app) confirmCmd() *cobra.Command {
	var f confirmFlags
	cmd := &cobra.Command{
		Use:   "confirm",
		Short: "Have the checks, the audit and a second model judge the working tree's change",
		Long: `Judge what the working tree has changed against HEAD, as fettle fix has what a model made judged: every check runs now, the audit looks for
tampering, danger and secrets, and what has passed both is read by the model for the role challenger, which sees the change, what it is for, and
what was measured, and nothing else. Nothing is changed.

The model can only hold back what the rest would let through; where it cannot be asked or understood, nothing is confirmed. With --by, one of another
family than the change's author is asked; where there is none, that is said, and its approval counts for nothing. What it has judged of the very same
change, for the same end and with the same results of the checks, counts for a day.`,
		Example: `  fettle confirm --for "totals include the tax" --by claude`,
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.confirm(cmd.Context(), f) },
	}
	cmd.Flags().StringVar(&f.goal, "for", "", "`WHAT` the change is for")
	cmd.Flags().StringSliceVar(&f.in, "in", nil, "a `FILE` in which that lies: a change to none of them does not do it (may be repeated)")
	cmd.Flags().StringSliceVar(&f.makers, "by", nil, "the agent or model `NAME` that has made it (may be repeated)")
	cmd.Flags().BoolVar(&f.offline, "offline", false, "ask no model: the checks and the audit decide")
	cmd.Flags().BoolVar(&f.fresh, "fresh", false, "ask the model also about what it has judged in the last day")
	return cmd
}

// confirmation is what fettle confirm says.
type confirmation struct {
	Version   int                `json:"version"`
	Kind      string             `json:"kind"`
	Success   bool               `json:"success"`
	Files     []string           `json:"files"`
	Verdict   verdict.Verdict    `json:"verdict"`
	Run       report.Run         `json:"run"`
	Audit     verdict.Verdict    `json:"audit"`
	Challenge *challenge.Opinion `json:"challenge,omitempty"`
}

func (a *app) confirm(ctx context.Context, f confirmFlags) error {
	h, err := a.open(ctx)
	if err != nil {
		return err
	}
	defer h.Close()
	u, err := h.uncommitted(ctx)
	if err != nil {
		return err
	}
	q, err := h.dossier(f, u)
	if err != nil {
		return err
	}
	reader, err := a.secondReader(ctx, h, f)
	if err != nil {
		return err
	}
	defer reader.done()
	if reader.missing != nil {
		return fmt.Errorf("%w; fettle confirm --offline has the checks and the audit decide", reader.missing)
	}
	g, err := a.weigh(ctx, h, u)
	if err != nil {
		return err
	}
	c := confirmation{Version: 1, Kind: "confirm", Files: u.change.Patch.Paths(), Run: g.run, Audit: g.audit.Verdict(), Verdict: g.verdict()}
	if reader.ask != nil && c.Verdict.Decision == verdict.Approve {
		o, err := reader.ask(ctx, q.with(g))
		if err != nil {
			return nobodyJudged(err)
		}
		c.judged(o, talkedTo(q.Diff), len(f.makers) > 0)
	}
	c.Success = c.Verdict.Decision == verdict.Approve
	if err := a.tellConfirmed(c); err != nil {
		return err
	}
	if !c.Success {
		return exit(verdict.Rejected.ExitCode())
	}
	return nil
}

// judged adds what the second reader says. The yes of one to whom the change itself talks counts for nothing. Only where makers are named it can be independent of them.
func (c *confirmation) judged(o challenge.Opinion, talks string, makers bool) {
	c.Challenge = &o
	c.Verdict.Feedback = o.Feedback()
	switch {
	case !o.Approved:
		c.Verdict.Decision = verdict.Refuse
	case talks != "":
		c.Verdict.Decision = verdict.Ask
		c.Verdict.Feedback = append(c.Verdict.Feedback, talks)
	}
	if !o.Approved || o.Independent() {
		c.Verdict.Judge, c.Verdict.Score, c.Verdict.Independent = o.Who(), o.Score, o.Independent() && makers
	}
}

// talkedTo is what there is to say where the lines that a change adds talk to the model that judges them; empty: they do not.
func talkedTo(diff string) string {
	found := quote.SuspiciousAdded(diff)
	if len(found) == 0 {
		return ""
	}
	return fmt.Sprintf("the change itself talks to a model that reads it: %s; a person reads it, and has fettle confirm --offline judge the rest", found[0])
}

// nobodyJudged is what follows when the second reader could not be asked, or understood.
func nobodyJudged(err error) error {
	return fmt.Errorf("nothing is confirmed, as nobody has judged it: %w", err)
}

// dossier is a change as it is put to the second reader, but for what was measured of it.
type dossier challenge.Case

// dossier makes it of the working tree's change.
func (h *house) dossier(f confirmFlags, u uncommitted) (dossier, error) {
	files, err := h.lies(f.in, u)
	if err != nil {
		return dossier{}, err
	}
	diff, err := u.change.Patch.Unified(u.change.Source)
	if err != nil {
		return dossier{}, fmt.Errorf("show the change: %w", err)
	}
	return dossier{
		Issues: []challenge.Issue{{Code: "change", Title: redactor().RedactString(goalOf(f.goal)), Files: files}}, Diff: redactor().RedactString(diff),
		Files: u.change.Patch.Paths(), Makers: f.makers, Tree: h.lookable(u.state),
	}, nil
}

// with is the case with what was measured.
func (q dossier) with(g grounds) challenge.Case {
	ev := g.evidence()
	q.Evidence, q.Fresh = &ev, g.fresh()
	return challenge.Case(q)
}

// lookable are the working tree's files, for a judge that may look at them; state is theirs.
func (h *house) lookable(state edit.Hash) *challenge.Tree {
	return &challenge.Tree{State: string(state), Open: func(context.Context) (fs.FS, func(), error) {
		root, err := os.OpenRoot(h.root)
		if err != nil {
			return nil, nil, err
		}
		return root.FS(), func() { _ = root.Close() }, nil // only read
	}}
}

// uncommitted is what the working tree has changed against HEAD, and the state of all files when it was looked at.
type uncommitted struct {
	state  edit.Hash
	change audit.Input
}

// uncommitted looks at the working tree's change. Where there is none, nobody can judge it.
func (h *house) uncommitted(ctx context.Context) (u uncommitted, err error) {
	if h.repo == nil {
		return u, usage("there is no git repository around %s: nothing says what has changed", h.here)
	}
	if u.state, err = h.digest(ctx); err != nil {
		return u, err
	}
	if u.change, err = h.compared(ctx, "", false); err != nil {
		return u, err
	}
	if len(u.change.Patch) == 0 {
		return u, usage("nothing has changed since HEAD: there is nothing to confirm")
	}
	return u, nil
}

// lies are the files in which it lies what a change is for, from the root: those of the tree, and those that the change takes away.
func (h *house) lies(in []string, u uncommitted) (files []string, err error) {
	for _, p := range in {
		rel, err := h.pathArg(p)
		if err != nil {
			return nil, err
		}
		if info, err := os.Stat(filepath.Join(h.root, filepath.FromSlash(rel))); !slices.Contains(u.change.Patch.Paths(), rel) && (err != nil || info.IsDir()) {
			return nil, usage("--in %s: there is no such file; name files of the repository", p)
		}
		files = append(files, rel)
	}
	return files, nil
}

// grounds are what a change is judged on before anybody is asked: what the checks say of it, and what the audit sees in it. Whoever lets a change pass that
// somebody else has made, an agent or a person, decides on them and on nothing less.
type grounds struct {
	run   report.Run
	audit audit.Report
	moved bool // the files are no longer those that were looked at
}

// groundsFor puts together what decides about a change. Its author answers for it: tests may change, and only weaker ones are held back.
func groundsFor(ctx context.Context, run report.Run, change audit.Input) grounds {
	change.Goal = audit.Goal{Tests: true, By: audit.Person}
	return grounds{run: run, audit: audit.Audit(ctx, change)}
}

// weigh has the checks judge the working tree now, and the audit the change in it.
func (a *app) weigh(ctx context.Context, h *house, u uncommitted) (g grounds, err error) {
	checks, err := h.choose(nil, nil)
	if err != nil {
		return g, err
	}
	if err := h.announce(a, checks, false); err != nil {
		return g, err
	}
	place, err := h.openCopy(ctx, true, true)
	if err != nil {
		return g, fmt.Errorf("open a private copy: %w", err)
	}
	defer func() { _ = place.Close() }() // what it leaves is cleared away by the next fettle that changes something
	live := a.live()
	defer live.stop()
	results, err := h.lab(check.RunOptions{Events: live.check, Fresh: true}, false).RunIn(ctx, place, checks)
	if err != nil {
		return g, err
	}
	live.stop()
	legacy, _, err := h.legacy(ctx, legacyFlags{})
	if err != nil {
		return g, err
	}
	now, err := h.digest(ctx)
	if err != nil {
		return g, err
	}
	g = groundsFor(ctx, forgiven(results, legacy), u.change)
	g.moved = now != u.state
	return g, nil
}

// fresh reports whether checks have run on the files as they are.
func (g grounds) fresh() bool {
	return !g.moved && slices.ContainsFunc(g.run.Checks, func(c report.CheckReport) bool { return c.Status == check.Passed || c.Status == check.Failed })
}

// evidence is what was measured. It is not green when the files have changed meanwhile: then others were judged than those that are there.
func (g grounds) evidence() verdict.Evidence {
	ev := verdict.Evidence{Green: g.run.Success}
	for _, c := range g.run.Checks {
		passed := c.Status == check.Passed
		ev.Steps = append(ev.Steps, verdict.Step{
			Name: c.Check, Passed: passed, Detail: phrase.Count(len(c.Diagnostics), "finding"), Duration: time.Duration(c.Wall * float64(time.Second)),
		})
		if !passed && ev.Reason == "" {
			ev.Reason = c.Check + " does not pass: fettle run says why"
		}
	}
	if g.moved && ev.Green {
		ev.Green, ev.Reason = false, "files have changed while the checks ran: confirm once more"
	}
	return ev
}

// verdict is what follows from the grounds.
func (g grounds) verdict() verdict.Verdict {
	if ev := g.evidence(); !ev.Green {
		return verdict.Verdict{Decision: verdict.Refuse, Judge: "evidence", Feedback: []string{ev.Reason}}
	}
	if v := g.audit.Verdict(); v.Decision != verdict.Approve {
		return v
	}
	return verdict.Verdict{Decision: verdict.Approve, Score: 100, Judge: "evidence"}
}

func goalOf(text string) string {
	if strings.TrimSpace(text) == "" {
		return "What the change is for is not said: judge whether it does what it seems to be meant for, and no harm."
	}
	return text
}

// secondReader is the model that reads what has passed the rest.
type secondReader struct {
	ask     func(context.Context, challenge.Case) (challenge.Opinion, error) // nil: there is none, as one of these says
	unasked string                                                           // why none is wanted here
	missing error                                                            // why none can be asked
	done    func()
}

// confirming begins the names under which the books have what is judged outside of every session.
const confirming = "confirm "

// secondReader finds it, and tells the person once who is asked.
func (a *app) secondReader(ctx context.Context, h *house, f confirmFlags) (r secondReader, err error) {
	r.done = func() {}
	b, err := h.bound(nil)
	if err != nil {
		return r, err
	}
	m, err := h.minds(ctx, f.offline, b, func(text string) { a.say("%s", text) })
	if err != nil {
		return r, err
	}
	if m.purse != nil {
		m.purse.begin(confirming + rand.Text()) // what one judgement may cost is what a session may
		r.done = func() { _ = m.purse.Close() } // what was spent is written down when it is spent
	}
	if f.offline || h.config.Models.Unjudged {
		r.unasked = "the checks and the audit decide here"
		return r, nil
	}
	if m.client == nil {
		r.missing = fmt.Errorf("no model can be asked (%s)", m.why)
		return r, nil
	}
	if err := m.makers(f.makers); err != nil {
		return r, err
	}
	if _, _, r.missing = m.client.Ready(model.Challenger, ""); r.missing != nil {
		return r, nil //nolint:nilerr // that nobody can be asked is for the judgement to say
	}
	if err := h.introduce(a, m.told(m.client.Asked(model.Challenger, ""), asSecondReader, "the working tree's change against HEAD, as a diff without the secrets that are known by their looks, and what the checks say"+m.looksAround()), ""); err != nil {
		return r, err
	}
	some, unknown := m.paid(nil, nil, h.config.Models)
	if err := h.tellBound(a, b, some, unknown); err != nil {
		return r, err
	}
	j := m.judge(h.config.Models, h.root)
	j.Known = judgements{book: h.book(), client: m.client, fresh: f.fresh, say: func(text string) { a.say("%s", text) }}
	r.ask = j.Ask
	return r, nil
}

// makers is an error where one of these names says nothing about who has made a model: everybody would be of another family.
func (m *minds) makers(names []string) error {
	var configured []string
	for _, tier := range model.Tiers {
		configured = append(configured, m.client.Models(tier)...)
	}
	for _, name := range names {
		if model.KnownFamily(name) || slices.Contains(configured, name) {
			continue
		}
		text := fmt.Sprintf("--by: whose model %q is, or uses, is not known", name)
		if meant := near.Name(name, slices.Concat(model.Beginnings(), configured)); meant != "" {
			text += fmt.Sprintf("; did you mean %q?", meant)
		}
		return usage("%s; name one whose maker is known, or leave --by out, and nobody counts as independent", text)
	}
	return nil
}

// tellConfirmed says what became of it.
func (a *app) tellConfirmed(c confirmation) error {
	if a.json {
		return a.printJSON(c)
	}
	if a.quiet && c.Success {
		return nil
	}
	report.WriteRun(a.io.Out, c.Run, a.style())
	word := "DECLINED"
	if c.Success {
		word = "CONFIRMED"
	}
	a.print("%s by %s (%d of 100)", word, c.Verdict.Judge, c.Verdict.Score)
	for _, text := range c.Verdict.Feedback {
		a.print("  %s", text)
	}
	if o := c.Challenge; o != nil && o.Known {
		a.print("  %s has judged the very same within the last day, and was not asked again: --fresh asks it", o.Who())
	}
	if o := c.Challenge; o != nil && o.Approved && !o.Independent() {
		a.print("  %s approves of it, which counts for nothing: the checks and the audit decided", o.Who())
	}
	return nil
}
