package cli

import (
	"context"
	"errors"

	"fettle/internal/heal"
	"fettle/internal/verdict"
)

// outcome hears how a session ended. The state is nil where none came to be: because of the error, or, without one, because no check is concerned.
type outcome func(ctx context.Context, h *house, s *heal.State, end verdict.End, err error) error

// tells writes the session's report, with the evidence where that is wanted.
func (a *app) tells(explain bool) outcome {
	return func(ctx context.Context, h *house, s *heal.State, end verdict.End, err error) error {
		return a.tellSession(ctx, h, s, end, err, explain)
	}
}

// heal runs a session of the loop, as the flags want it, and hands on how it ended.
func (a *app) heal(ctx context.Context, f fixFlags, names, extra []string, then outcome) error {
	h, err := a.open(ctx)
	if err != nil {
		return err
	}
	defer h.Close()
	h.fresh = f.fresh
	checks, err := h.choose(names, extra)
	if err != nil {
		return err
	}
	if f.legacy.since != "" {
		_, changed, err := h.legacy(ctx, f.legacy)
		if err != nil {
			return err
		}
		if checks = affected(checks, changed); len(checks) == 0 {
			return then(ctx, h, nil, "", nil)
		}
	}
	goal, err := h.goal(f, checks, extra)
	if err != nil {
		return err
	}
	if text := h.older(ctx); text != "" && !a.json {
		a.say("%s", text)
	}
	if err := h.lock(ctx, a, "fettle fix"); err != nil {
		return err
	}
	if err := h.recordTo(f.record); err != nil {
		return err
	}
	if err := h.announce(a, h.config.Checks, true); err != nil {
		return err
	}
	return a.session(ctx, h, goal, then, func(l *heal.Loop) (*heal.State, verdict.End, error) { return l.Start(ctx, goal) })
}

// session runs the loop towards a goal and hands on how it ended. When the configuration is changed meanwhile, it goes on with that.
func (a *app) session(ctx context.Context, h *house, goal heal.Goal, then outcome, begin func(*heal.Loop) (*heal.State, verdict.End, error)) error {
	live := a.live()
	defer live.stop()
	loop, err := h.loop(ctx, a, live, goal)
	if err != nil {
		return err
	}
	s, end, err := begin(loop)
	for moved := (*heal.MovedError)(nil); errors.As(err, &moved); {
		live.note(moved.Error())
		if h.configure(ctx) != nil {
			break // the session's end says why
		}
		if err := h.announce(a, h.config.Checks, true); err != nil {
			return err
		}
		if loop, err = h.loop(ctx, a, live, goal); err != nil {
			return err
		}
		s, end, err = loop.Resume(ctx, s.Session)
	}
	live.stop()
	if errors.Is(err, heal.ErrClosed) {
		return usage("%v", err)
	}
	if end == verdict.Stuck && h.mindless {
		a.say("no model or agent is set up that could go on: fettle doctor --models says how")
	}
	if err := h.forgetTalks(context.WithoutCancel(ctx)); err != nil {
		a.say("what agents have kept cannot be cleared away: %v", err)
	}
	return then(context.WithoutCancel(ctx), h, s, end, err)
}
