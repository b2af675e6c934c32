package cli

import (
	"context"

	"fettle/internal/heal"
	"fettle/internal/verdict"

	"github.com/spf13/cobra"
)

func (a *app) resumeCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "resume [SESSION]",
		Short: "Go on with a session that was interrupted, paused or killed",
		Long: `Go on with a session at the step it had not finished: after an interrupt, a crash, a power cut, or a pause for approval.
Without SESSION, the latest one.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.resume(cmd.Context(), arg(args), "") },
	}
}

// arg is the only argument, or nothing.
func arg(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// resumable is the session of this id; without one, the latest that can go on, or else the latest.
func (h *house) resumable(ctx context.Context, id string) (heal.Record, error) {
	latest, err := h.sessions.Load(ctx, id)
	if err != nil || id != "" || !latest.Closed() {
		return latest, err
	}
	recs, err := h.sessions.List(ctx, 20)
	for _, r := range recs {
		if !r.Closed() && r.Answer == "" {
			return r, err
		}
	}
	return latest, err
}

// resume goes on with a session. An answer, when there is one, is given to the question it waits with.
func (a *app) resume(ctx context.Context, id, answer string) error {
	h, err := a.open(ctx)
	if err != nil {
		return err
	}
	defer h.Close()
	if err := h.lock(ctx, a, "fettle resume"); err != nil {
		return err
	}
	rec, err := h.resumable(ctx, id)
	if err != nil {
		return err
	}
	if answer != "" {
		if err := h.answer(ctx, rec, answer, ""); err != nil {
			return err
		}
	}
	if err := h.announce(a, h.config.Checks, true); err != nil {
		return err
	}
	return a.session(ctx, h, rec.Goal, a.tells(false), func(l *heal.Loop) (*heal.State, verdict.End, error) { return l.Resume(ctx, rec.Session) })
}
