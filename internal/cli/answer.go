package cli

import (
	"context"
	"strings"

	"fettle/internal/heal"
	"fettle/internal/verdict"

	"github.com/spf13/cobra"
)

func (a *app) approveCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "approve [SESSION]",
		Short: "Say yes to the change a paused session waits with, and go on",
		Args:  cobra.MaximumNArgs(1),
		RunE:  func(cmd *cobra.Command, args []string) error { return a.resume(cmd.Context(), arg(args), "yes") },
	}
}

func (a *app) rejectCmd() *cobra.Command {
	var because string
	cmd := &cobra.Command{
		Use:   "reject [SESSION]",
		Short: "Say no to the change a paused session waits with; the session ends",
		Args:  cobra.MaximumNArgs(1),
		RunE:  func(cmd *cobra.Command, args []string) error { return a.reject(cmd.Context(), arg(args), because) },
	}
	cmd.Flags().StringVar(&because, "because", "", "the reason, for the record")
	return cmd
}

func (a *app) reject(ctx context.Context, id, because string) error {
	h, err := a.open(ctx)
	if err != nil {
		return err
	}
	defer h.Close()
	if err := h.lock(ctx, a, "fettle reject"); err != nil {
		return err
	}
	rec, err := h.resumable(ctx, id)
	if err != nil {
		return err
	}
	if err := h.answer(ctx, rec, "no", because); err != nil {
		return err
	}
	if rec.Kept != nil {
		if err := h.book().Rejected(ctx, rec.Session, rec.Kept.Lesson); err != nil {
			return err
		}
	}
	return a.done(map[string]any{"version": 1, "kind": "reject", "session": rec.Session}, "%s: rejected; the change that waited is not applied%s", rec.Session, standingChanges(rec))
}

// standingChanges tells of what the session applied before.
func standingChanges(rec heal.Record) string {
	for _, r := range rec.History {
		if r.Applied > 0 && len(r.Changes) > 0 && r.Successful > 0 {
			return "; what was applied before stays, fettle rollback " + rec.Session + " takes it back"
		}
	}
	return ""
}

// answer records what a person said to a paused session's question.
func (h *house) answer(ctx context.Context, rec heal.Record, answer, because string) error {
	if rec.End != verdict.Paused {
		return usage("session %s does not wait for an answer (it is %s)", rec.Session, standing(rec))
	}
	if rec.Goal.DryRun {
		return usage("session %s was a dry run: take its patch with fettle accept %[1]s, drop it with fettle discard %[1]s", rec.Session)
	}
	end := rec.End
	if answer == "no" {
		end = verdict.Rejected
	}
	return h.sessions.Update(ctx, rec.Session, end, func(s *heal.State) error {
		s.Answer, s.Because = answer, because
		if answer == "no" {
			s.Kept = nil
			s.Reason = strings.TrimSuffix("a person said no: "+because, ": ")
		}
		return nil
	})
}

// standing is a session's state in a word.
func standing(rec heal.Record) string {
	if rec.End == "" {
		return "running, or was killed"
	}
	if rec.Goal.DryRun && rec.Answer != "" {
		return rec.Answer
	}
	return string(rec.End)
}
