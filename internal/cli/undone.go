package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"fettle/internal/check"
	"fettle/internal/git"
	"fettle/internal/journal"
	"fettle/internal/verify"
)

// aftermath is what an undo leaves to be said: a commit that still has the change, or what the rest of the patch breaks.
type aftermath struct {
	Commit  string   `json:"commit,omitempty"` // still has what was taken back
	Branch  string   `json:"branch,omitempty"`
	Revert  string   `json:"revert,omitempty"` // the commit that takes it back there
	Failing []string `json:"failing,omitempty"`
}

// after looks at what was taken back. A session's commit is reverted on its branch when revert says so, and named otherwise. When a
// part of a patch went and the rest stands, the checks that the files concern run again.
func (h *house) after(ctx context.Context, a *app, sets []journal.Set, revert bool) (aftermath, error) {
	var out aftermath
	for _, s := range sets {
		if rec, err := h.sessions.Load(ctx, s.Session); err == nil && s.Session != "" && rec.Commit != "" {
			out.Commit, out.Branch = rec.Commit, rec.Branch
		}
	}
	if out.Commit != "" && revert && h.repo != nil {
		c, err := h.repo.Revert(ctx, git.RevertRequest{Branch: out.Branch, Commit: out.Commit})
		if errors.Is(err, git.ErrNothingToCommit) {
			out.Commit = "" // the branch does not have it any more
		} else if err != nil {
			return out, fmt.Errorf("the files are as before, but %.12s could not be reverted on %s: %w; try again with fettle rollback --revert", out.Commit, out.Branch, err)
		}
		out.Revert = c.ID
	}
	paths, err := h.torn(ctx, sets)
	if err != nil || len(paths) == 0 {
		return out, err
	}
	out.Failing, err = h.recheck(ctx, a, paths)
	return out, err
}

// torn are the files that were taken back from sets of which another part still stands.
func (h *house) torn(ctx context.Context, sets []journal.Set) ([]string, error) {
	stack, err := h.journal.Stack(ctx)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, s := range sets {
		if slices.ContainsFunc(stack.Undo, func(st journal.Standing) bool { return st.Set.ID == s.Of }) {
			for _, e := range s.Entries {
				paths = append(paths, e.Path)
			}
		}
	}
	return paths, nil
}

// recheck runs the checks that the files concern and gives a line for each thing that is wrong.
func (h *house) recheck(ctx context.Context, a *app, paths []string) ([]string, error) {
	checks := slices.DeleteFunc(slices.Clone(h.config.Checks), func(c check.Check) bool { return !slices.ContainsFunc(paths, c.Concerns) })
	if len(checks) == 0 {
		return nil, nil
	}
	if err := h.announce(a, checks, false); err != nil {
		return nil, err
	}
	live := a.live()
	defer live.stop()
	lab := h.lab(check.RunOptions{Events: live.check}, false)
	defer lab.Close()
	place, err := lab.Open(ctx, true)
	if err != nil {
		return nil, fmt.Errorf("open a private copy: %w", err)
	}
	defer place.Close()
	results, err := lab.RunIn(ctx, place, checks)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, r := range results {
		if r.Status == check.Broken {
			out = append(out, r.Check+": "+r.Reason)
		}
		if r.Status == check.Failed || r.Status == check.TimedOut {
			for _, d := range r.Diagnostics {
				out = append(out, r.Check+": "+verify.Describe(d))
			}
		}
	}
	return out, nil
}

// tell says what an undo leaves.
func (m aftermath) tell(a *app) {
	switch {
	case m.Revert != "":
		a.say("Reverted %.12s on %s by %.12s", m.Commit, m.Branch, m.Revert)
	case m.Commit != "":
		a.say("The commit %.12s on %s still has the change; fettle rollback --revert adds one that takes it back", m.Commit, m.Branch)
	}
	if len(m.Failing) > 0 {
		a.say("Without it, the rest of the patch leaves this wrong:")
	}
	for _, line := range m.Failing {
		a.say("  %s", line)
	}
}
