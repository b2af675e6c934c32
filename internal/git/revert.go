package git

import (
	"context"
	"fmt"
	"strings"
)

// RevertRequest asks for a commit that takes back another.
type RevertRequest struct {
	Branch  string // as in [CommitRequest]
	Commit  string // what to take back
	Message string // empty: the words of git revert
	Verify  func(ctx context.Context, tree string) error
}

// Revert makes a commit on a branch that takes back what a commit did, in the same way as [Repo.Commit] and with the same
// errors. Where later commits changed the same lines, the error is an [*OverlapError].
func (r *Repo) Revert(ctx context.Context, req RevertRequest) (Commit, error) {
	old, err := r.LastCommit(ctx, req.Commit)
	if err != nil {
		return Commit{}, fmt.Errorf("revert: %w", err)
	}
	if req.Message == "" {
		req.Message = fmt.Sprintf("Revert %q\n\nThis reverts commit %s.\n", old.Subject, old.ID)
	}
	return r.withBench(ctx, req.Branch, func(b *bench) (Commit, error) {
		return b.commitOnto(ctx, CommitRequest{Branch: req.Branch, Message: req.Message, Verify: req.Verify},
			func(tip string) (string, error) { return b.revertTree(ctx, tip, old.ID) })
	})
}

// revertTree is the tree of tip without what a commit did. Git works it out in the linked worktree, which is removed again.
func (b *bench) revertTree(ctx context.Context, tip, commit string) (string, error) {
	if tip == "" {
		return "", fmt.Errorf("revert %s: there is no commit to revert it on", commit)
	}
	tree := ""
	err := b.inWorktree(ctx, tip, true, func() error {
		if _, err := b.git(ctx, "revert", "--no-commit", commit); err != nil {
			unmerged, listErr := b.git(ctx, "diff", "--name-only", "-z", "--diff-filter=U", "--no-ext-diff", "--no-textconv")
			if paths := fields(unmerged); listErr == nil && len(paths) > 0 {
				return &OverlapError{Path: paths[0], Reason: fmt.Sprintf("later commits changed what %.12s did there", commit)}
			}
			return err
		}
		out, err := b.git(ctx, "write-tree")
		tree = strings.TrimSpace(string(out))
		return err
	})
	return tree, err
}
