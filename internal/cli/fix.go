package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"time"

	"fettle/internal/check"
	"fettle/internal/fix"
	"fettle/internal/heal"
	"fettle/internal/model"
	"fettle/internal/policy/path"
	"fettle/internal/report"
	"fettle/internal/verdict"

	"github.com/spf13/cobra"
)

// fixFlags are the flags of fix; a zero value leaves the setting to the environment, the file, or the default.
type fixFlags struct {
	dryRun, commit, approve, offline, explain, fresh bool
	iterations                                       int
	fixers, only                                     []string
	budget                                           *float64
	record                                           string
	limit                                            time.Duration
	legacy                                           legacyFlags
}

func (a *app) fixCmd() *cobra.Command {
	var f fixFlags
	var budget float64
	cmd := &cobra.Command{
		Use:   "fix [CHECK|TEST…] [-- ARGS]",
		Short: "Heal the repository until the checks pass",
		Long: `Run the checks, propose changes, try each in a private copy, apply those that have evidence, and go on until every chosen
check passes or nothing more can be done. A change is applied only when something that was wrong is gone, nothing that
passed before fails, and nothing new is wrong. Tests, check configurations and CI are never edited to make a check pass.

The changes go to the working tree; HEAD does not move, nothing is staged, and fettle undo takes them back. With --commit,
what was healed is also committed on a branch of its own, verified separately on top of HEAD.

CHECK and TEST are as for fettle run.`,
		Example: `  fettle fix
  fettle fix lint format
  fettle fix internal/parse/parse_test.go:TestNested
  fettle fix --commit --time 10m`,
		RunE: func(cmd *cobra.Command, args []string) error {
			names, extra := splitArgs(cmd, args)
			if cmd.Flags().Changed("max-iterations") && f.iterations < 1 {
				return usage("--max-iterations must be 1 or more")
			}
			if cmd.Flags().Changed("budget") {
				f.budget = &budget
			}
			return a.fix(cmd.Context(), f, names, extra)
		},
	}
	f.legacy.flags(cmd)
	fl := cmd.Flags()
	fl.BoolVarP(&f.dryRun, "dry-run", "n", false, "go through every round without changing a file: show the whole patch, keep it")
	fl.BoolVar(&f.commit, "commit", false, "also commit what was healed on a branch fettle/SESSION")
	fl.BoolVar(&f.approve, "approve", false, "a person must approve each change")
	fl.BoolVar(&f.offline, "offline", false, "nothing gets the network, the checks included")
	fl.BoolVar(&f.explain, "explain", false, "show the evidence behind each change in the report")
	fl.IntVar(&f.iterations, "max-iterations", 0, "at most `N` rounds (default 10)")
	fl.StringSliceVar(&f.fixers, "fixer", nil, "ask only the fixer `NAME` (may be repeated)")
	fl.StringSliceVar(&f.only, "only", nil, "change only files below `PATH`, or that match it as a glob (may be repeated)")
	budget = check.UsualBudget
	fl.Var((*dollars)(&budget), "budget", "spend at most `USD` on fixers that cost money; 0 is no limit")
	fl.BoolVar(&f.fresh, "fresh", false, "ask models and agents anew also what they were asked before")
	fl.StringVar(&f.record, "record", "", "write what models answer into the new `FILE`, without secrets: fettle play has it once more")
	fl.DurationVar(&f.limit, "time", 0, "stop after `D` of wall time, such as 90s or 10m")
	return cmd
}

func (a *app) fix(ctx context.Context, f fixFlags, names, extra []string) error {
	return a.heal(ctx, f, names, extra, func(ctx context.Context, h *house, s *heal.State, end verdict.End, err error) error {
		if s == nil && err == nil {
			return a.done(map[string]any{"version": 1, "kind": "session", "success": true, "reason": "no check is concerned"},
				"no check is concerned by what has changed since %s", f.legacy.since)
		}
		return a.tells(f.explain)(ctx, h, s, end, err)
	})
}

// older is a line about an earlier session that could go on, if there is one: the latest, or else the latest that waits for an answer.
func (h *house) older(ctx context.Context) string {
	recs, err := h.sessions.List(ctx, 20)
	if err != nil {
		return "" // it is no reason not to begin
	}
	for i, r := range recs {
		latest, paused := i == 0, r.End == verdict.Paused
		switch {
		case r.Closed():
		case latest && !paused:
			return fmt.Sprintf("session %s was cut short; this starts a new one (fettle resume %[1]s goes on with it)", r.Session)
		case latest && r.Goal.DryRun && r.Kept != nil:
			return fmt.Sprintf("session %s, a dry run, keeps a patch; this starts a new one (fettle accept %[1]s takes the patch, fettle discard %[1]s drops it)", r.Session)
		case paused && !r.Goal.DryRun:
			return fmt.Sprintf("session %s is paused and waits for your answer; this starts a new one (fettle approve %[1]s goes on with it, fettle reject %[1]s ends it)", r.Session)
		}
	}
	return ""
}

// goal is what the flags, the environment and the file ask for.
func (h *house) goal(f fixFlags, checks []check.Check, extra []string) (heal.Goal, error) {
	limits := h.config.Limits
	g := heal.Goal{
		Args: extra, Narrow: map[string]check.Check{}, Fixers: f.fixers, DryRun: f.dryRun, Commit: f.commit, Approve: f.approve, Offline: f.offline,
		Iterations: limits.Iterations, Time: limits.Time, Since: f.legacy.since, NoBaseline: f.legacy.noBaseline,
	}
	for _, c := range checks {
		g.Checks = append(g.Checks, c.Name)
		c.Run = append(slices.Clone(c.Run), extra...) // for the goal alone: what must not get worse is measured whole
		if !slices.ContainsFunc(h.config.Checks, func(w check.Check) bool { return reflect.DeepEqual(w, c) }) {
			g.Narrow[c.Name] = c
		}
	}
	switch {
	case f.iterations < 0:
		return g, usage("--max-iterations must be 1 or more")
	case f.budget != nil && !(*f.budget >= 0): // so that NaN is refused too
		return g, usage("--budget must not be negative")
	case f.limit < 0:
		return g, usage("--time must not be negative")
	case f.iterations > 0:
		g.Iterations = f.iterations
	}
	b, err := h.bound(f.budget)
	if err != nil {
		return g, err
	}
	g.Budget, g.Usual = b.usd, b.usual
	if f.limit > 0 {
		g.Time = f.limit
	}
	for _, p := range f.only {
		rel, err := h.globArg(p)
		if err != nil {
			return g, err
		}
		g.Only = append(g.Only, rel)
	}
	return g, nil
}

// loop is THE loop over this repository.
func (h *house) loop(ctx context.Context, a *app, live *live, goal heal.Goal) (*heal.Loop, error) {
	m, err := h.minds(ctx, goal.Offline, bound{goal.Budget, goal.Usual}, live.note)
	if err != nil {
		return nil, err
	}
	ladder, chosen, asked, err := h.ladders(ctx, m, goal)
	if err != nil {
		return nil, err
	}
	legacy, _, err := h.legacy(ctx, legacyFlags{since: goal.Since, noBaseline: goal.NoBaseline})
	if err != nil {
		return nil, err
	}
	trust, err := h.trust(ctx)
	if err != nil {
		return nil, err
	}
	lab := h.lab(check.RunOptions{Events: live.check}, goal.Offline)
	l := &heal.Loop{Config: h.config, Tree: h.tree, Journal: h.journal, Lab: lab, Ladder: ladder, Locator: h.locator(), Sessions: h.sessions, Book: h.book(), Trust: trust, Legacy: legacy, Tell: live.event, Moved: h.moved}
	if minded := slices.DeleteFunc(slices.Clone(chosen), func(f fix.Fixer) bool { return f.Rung() < fix.RungModel }); len(minded) > 0 {
		for _, f := range minded {
			if h.recording != nil && f.Rung() == fix.RungAgent {
				live.note(f.Name() + " asks its model itself: that is not written down (--record)")
			}
		}
		l.Challenger = m.challenger(h.config.Models, h.root, judgements{book: h.book(), client: m.client, fresh: h.fresh, say: live.note})
		lines, code := m.sees(minded, asked, h.config.Models)
		if err := h.introduce(a, lines, code); err != nil {
			return nil, err
		}
		some, unknown := m.paid(minded, asked, h.config.Models)
		if err := h.tellBound(a, bound{goal.Budget, goal.Usual}, some, unknown); err != nil {
			return nil, err
		}
	}
	if h.purse != nil {
		_ = h.purse.Close() // of the loop before the configuration changed: what was spent is written down when it is spent
	}
	if h.purse = m.purse; h.purse != nil {
		l.Tell = func(e heal.Event) {
			if e.Kind == heal.Began || e.Kind == heal.Resumed {
				h.purse.begin(e.Text)
			}
			live.event(e)
		}
	}
	switch {
	case h.repo != nil:
		l.Files = func() []string { return h.files(ctx) }
		h.repo.Waiting = live.note
		l.Committer = &heal.GitCommitter{Repo: h.repo, Lab: lab, Prefix: h.config.BranchPrefix}
	case h.noGit != nil:
		l.Committer = heal.Unable(h.noGit.Error())
	}
	if a.io.Asks && !a.quiet && !a.json {
		l.Ask = func(ctx context.Context, s *heal.State) (heal.Answer, error) { return a.ask(ctx, live, h, s) }
	}
	return l, nil
}

// ladders are the fixers that there are here, in the order of fettle.yaml, and those of them that the goal is about. The tiers that models' fixers ask stand beside them, by their names.
func (h *house) ladders(ctx context.Context, m *minds, goal heal.Goal) (all, chosen fix.Ladder, asked map[string]model.Tier, err error) {
	agents, err := h.agents(m, goal)
	if err != nil {
		return nil, nil, nil, err
	}
	models, asked := h.models(m)
	all, err = h.ladder(ctx, append(models, agents...))
	if err != nil {
		return nil, nil, nil, usage("%v", err)
	}
	if all, err = h.ordered(all, m, asked); err != nil {
		return nil, nil, nil, usage("%s: fixers: %v", check.FileName, err)
	}
	h.mindless = m.client != nil && len(models)+len(agents)+len(goal.Fixers) == 0
	for _, name := range goal.Fixers {
		if err := m.absent(name, asked); err != nil {
			return nil, nil, nil, usage("--fixer: %v", err)
		}
	}
	chosen, err = all.Only(goal.Fixers...)
	if err != nil {
		return nil, nil, nil, usage("--fixer: %v", err)
	}
	return all, chosen, asked, nil
}

// ordered keeps the fixers that fettle.yaml names, which is written for people with a model and for those without: one that nobody can ask here is passed over. Of an agent it is said what it lacks.
func (h *house) ordered(l fix.Ladder, m *minds, asked map[string]model.Tier) (fix.Ladder, error) {
	var order []string
	var missed error
	var lack []error
	for _, name := range h.config.Fixers.Order {
		if err := m.absent(name, asked); err != nil {
			missed = err
		} else if err := h.idle(m, name, l.Names()); err != nil {
			if missed = err; !m.names(name) { // else that it cannot work was told when its own file was read
				lack = append(lack, err)
			}
		} else {
			order = append(order, name)
		}
	}
	if missed != nil && len(order) == 0 {
		return nil, missed
	}
	for _, err := range lack {
		if h.say != nil && m.client != nil {
			h.say("%s: fixers: order: %v", check.FileName, err)
		}
	}
	return l.Only(order...)
}

// tellSession writes a session's report and turns its end into the exit code.
func (a *app) tellSession(ctx context.Context, h *house, s *heal.State, end verdict.End, err error, explain bool) error {
	if s == nil {
		return err
	}
	doc := report.OfSession(heal.Record{State: s, End: end})
	doc.File = check.FileFor(h.config.Written)
	if a.json {
		if err := a.printJSON(doc); err != nil {
			return err
		}
	} else if !a.quiet || end != verdict.Converged {
		report.WriteSession(a.io.Out, doc, a.style())
		if explain {
			a.tellEvidence(ctx, h, s, doc)
		}
		if s.Goal.DryRun && s.Kept != nil {
			a.showPatch(h, s.Kept.Patch)
		}
	}
	if err != nil {
		return &exitError{code: end.ExitCode(), err: err}
	}
	return exit(end.ExitCode())
}

// tellEvidence writes what is known about each change of a session, with what it changed as far as the journal still has that, or would change.
func (a *app) tellEvidence(ctx context.Context, h *house, s *heal.State, doc report.Session) {
	doc.Diffs, doc.Refused = map[int64]string{}, map[report.Refusal]string{}
	for _, k := range s.Doubtful {
		if diff, err := k.Patch.Unified(h.tree.Source()); err == nil { // else what it would change has become something else
			doc.Refused[report.Refusal{Round: k.Iteration, Author: k.Author, Explanation: k.Explanation}] = diff
		}
	}
	for _, r := range doc.Iterations {
		for _, c := range r.Changes {
			if _, read := doc.Diffs[c.Set]; read || c.Set == 0 {
				continue // several changes are applied at once; of a dry run the whole patch follows
			}
			if diff, err := heal.Diff(ctx, h.journal, c.Set); err == nil {
				doc.Diffs[c.Set] = diff
			}
		}
	}
	report.WriteEvidence(a.io.Out, doc, a.style())
}

// globArg is a path of the command line that may be a glob, as it is seen from the root.
func (h *house) globArg(p string) (string, error) {
	rel, err := h.pathArg(p)
	if err != nil {
		return "", err
	}
	if err := check.ValidGlob(rel); err != nil {
		return "", usage("%w", err)
	}
	return rel, nil
}

// pathArg turns a path or glob that a person typed into one from the repository's root.
func (h *house) pathArg(p string) (string, error) {
	if p == "" {
		return "", usage("a path is empty")
	}
	abs := p
	if !filepath.IsAbs(p) {
		abs = filepath.Join(h.here, p)
	}
	rel, err := path.Rel(h.root, abs)
	var denied *path.Denied
	if errors.As(err, &denied) {
		return "", usage("%s is outside the repository %s", p, h.root)
	}
	return rel, err
}
