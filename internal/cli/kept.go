package cli

import (
	"context"
	"errors"

	"fettle/internal/edit"
	"fettle/internal/heal"
	"fettle/internal/journal"
	"fettle/internal/phrase"
	"fettle/internal/workspace"

	"github.com/spf13/cobra"
)

func (a *app) diffCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "diff [SESSION]",
		Short: "Show the patch that waits for you, or what a session changed",
		Long: `Show, as a unified diff, the patch that a session keeps for you; where it keeps none, show what the session has changed in
the working tree. Without SESSION, the latest one.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.diff(cmd.Context(), arg(args)) },
	}
}

func (a *app) diff(ctx context.Context, id string) error {
	h, err := a.open(ctx)
	if err != nil {
		return err
	}
	defer h.Close()
	rec, err := h.sessions.Load(ctx, id)
	if err != nil {
		return err
	}
	var text string
	what := "changed"
	if k := rec.Kept; k != nil {
		what = "kept"
		text, err = k.Patch.Unified(h.tree.Source())
	} else {
		text, err = h.changes(ctx, rec.Session)
	}
	if err != nil {
		return err
	}
	if a.json {
		return a.printExactJSON(map[string]any{"version": 1, "kind": "diff", "session": rec.Session, "patch": what, "diff": text})
	}
	if text == "" {
		a.say("session %s changed nothing and keeps nothing", rec.Session)
		return nil
	}
	a.printRaw([]byte(a.colorDiff(text)))
	return nil
}

// changes is the diff of what a session changed and what still stands.
func (h *house) changes(ctx context.Context, session string) (string, error) {
	spans, err := heal.Spans(ctx, h.journal, session)
	if err != nil {
		return "", err
	}
	before, after := map[string]edit.File{}, map[string]edit.File{}
	for path, s := range spans {
		before[path], after[path] = s.Before, s.After
	}
	return edit.Diff(before, after)
}

func (a *app) acceptCmd() *cobra.Command {
	anyway := false
	cmd := &cobra.Command{
		Use:   "accept [SESSION]",
		Short: "Apply the patch that a session keeps",
		Long: `Apply the patch that a session keeps for you: a dry run's, or one that was verified but not applied, or refused. The patch
passes the same safe door as every change (fettle undo takes it back), but its evidence is what the session's report says.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.accept(cmd.Context(), arg(args), anyway) },
	}
	cmd.Flags().BoolVar(&anyway, "anyway", false, "also a patch that the audit refused, or that was tried and did not do")
	return cmd
}

func (a *app) accept(ctx context.Context, id string, anyway bool) error {
	h, rec, err := a.kept(ctx, id, "fettle accept")
	if err != nil {
		return err
	}
	defer h.Close()
	k := rec.Kept
	if k.Bad && !anyway {
		return usage("the patch of %s was refused for a reason (%s): look at it with fettle diff %[1]s, and take it with fettle accept --anyway %[1]s", rec.Session, k.Why)
	}
	set, err := h.tree.Apply(ctx, k.Patch, workspace.Why{
		Session: rec.Session, Iteration: k.Iteration, Author: k.Author, Reason: k.Explanation, Kind: journal.Accept,
	})
	if err != nil {
		return err
	}
	if err := errors.Join(h.book().Applied(ctx, set.ID, k.Lesson), h.taken(ctx, rec), h.settle(ctx, rec, accepted)); err != nil {
		return err
	}
	return a.done(map[string]any{"version": 1, "kind": "accept", "session": rec.Session, "set": set},
		"%s: applied to %s; check it with fettle run, take it back with fettle undo", rec.Session, phrase.Some(k.Patch.Paths(), 4))
}

func (a *app) discardCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "discard [SESSION]",
		Short: "Drop the patch that a session keeps",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			h, rec, err := a.kept(cmd.Context(), arg(args), "fettle discard")
			if err != nil {
				return err
			}
			defer h.Close()
			if err := errors.Join(h.book().Rejected(cmd.Context(), rec.Session, rec.Kept.Lesson), h.settle(cmd.Context(), rec, "discarded")); err != nil {
				return err
			}
			return a.done(map[string]any{"version": 1, "kind": "discard", "session": rec.Session}, "%s: the patch is dropped", rec.Session)
		},
	}
}

// taken writes down that what the fixers of a dry run offered is in the tree now.
func (h *house) taken(ctx context.Context, rec heal.Record) error {
	if !rec.Goal.DryRun {
		return nil
	}
	for _, round := range rec.History {
		for _, c := range round.Changes {
			if err := h.book().Taken(ctx, rec.Session, round.Number, c.Author); err != nil {
				return err
			}
		}
	}
	return nil
}

// accepted is the answer to a dry run whose patch was taken.
const accepted = "accepted"

// settle records that a person has decided on the patch that a session kept.
func (h *house) settle(ctx context.Context, rec heal.Record, answer string) error {
	return h.sessions.Update(ctx, rec.Session, rec.End, func(s *heal.State) error {
		s.Kept = nil
		if s.Goal.DryRun {
			s.Answer, s.Reason = answer, "dry run: its patch was "+answer
		}
		return nil
	})
}

// kept opens a session that keeps a patch, with the tree locked.
func (a *app) kept(ctx context.Context, id, who string) (*house, heal.Record, error) {
	h, err := a.open(ctx)
	if err != nil {
		return nil, heal.Record{}, err
	}
	rec, err := h.sessions.Load(ctx, id)
	switch {
	case err != nil:
	case rec.Kept == nil:
		err = usage("session %s keeps no patch", rec.Session)
	case rec.Kept.Asks:
		err = usage("session %s waits for an answer: fettle approve %[1]s or fettle reject %[1]s", rec.Session)
	}
	if err == nil {
		err = h.lock(ctx, a, who)
	}
	if err != nil {
		h.Close()
		return nil, rec, err
	}
	return h, rec, nil
}
