package heal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"fettle/internal/check"
	"fettle/internal/edit"
	"fettle/internal/git"
	"fettle/internal/verify"
)

// GitCommitter commits to a branch of its own in a git repository.
//
// What it commits is HEAD plus the session's changes, nothing of the user's uncommitted work: each file is merged onto
// HEAD's, and the resulting tree is verified in a private copy before the commit is made.
type GitCommitter struct {
	Repo   *git.Repo
	Lab    *verify.Lab
	Prefix string // of the branch's name
}

// Commit implements [Committer].
func (g *GitCommitter) Commit(ctx context.Context, c Commit) (Committed, error) {
	files := map[string]edit.File{}
	for path, span := range c.Files {
		merged, err := g.Repo.MergeOntoHead(ctx, path, span.Before, span.After)
		var overlap *git.OverlapError
		var nested *git.NestedError
		switch {
		case errors.As(err, &nested):
			return Committed{Refused: nested.Error()}, nil
		case errors.As(err, &overlap):
			return Committed{Refused: fmt.Sprintf("the change to %s overlaps work of yours that is not committed", path)}, nil
		case errors.Is(err, git.ErrUntracked):
			return Committed{Refused: path + " is not in HEAD yet; commit it yourself first"}, nil
		case err != nil:
			return Committed{}, err
		}
		files[path] = merged
	}
	done, err := g.Repo.Commit(ctx, git.CommitRequest{Branch: g.Prefix + c.Session, Files: files, Message: c.Message,
		Verify: func(ctx context.Context, tree string) error { return g.verify(ctx, tree, c.Goal) },
	})
	switch {
	case errors.Is(err, git.ErrNothingToCommit):
		// A session that was killed after its commit comes here a second time: then the branch holds our files.
		made, err := g.Repo.Exists(ctx, g.Prefix+c.Session)
		if err != nil {
			return Committed{}, err
		}
		if !made {
			return Committed{Refused: "HEAD has these changes already"}, nil
		}
	case err != nil:
		return g.refused(err)
	}
	return Committed{ID: done.ID, Branch: done.Branch, ByHooks: done.ChangedByHooks}, nil
}

// refused tells a commit that must not be made, which a person can do something about, from one that could not be made.
func (g *GitCommitter) refused(err error) (Committed, error) {
	var tree *refusedTree
	var hook *git.Error
	if errors.As(err, &tree) {
		return Committed{Refused: tree.why}, nil
	}
	if errors.As(err, &hook) || errors.Is(err, git.ErrNoIdentity) || errors.Is(err, git.ErrCheckedOut) || errors.Is(err, git.ErrMoved) ||
		errors.Is(err, git.ErrLocked) {
		return Committed{Refused: err.Error()}, nil
	}
	return Committed{}, err
}

// refusedTree says that the tree to be committed is worse than HEAD.
type refusedTree struct{ why string }

func (e *refusedTree) Error() string { return e.why }

// verify runs the checks on the very tree that is going to be committed, and on HEAD's, in private copies that hold exactly
// their files: what passes only together with uncommitted work must not be committed as healed. The goal's checks have to
// pass; the others may not be worse than on HEAD.
func (g *GitCommitter) verify(ctx context.Context, tree string, goal []string) error {
	after, err := g.Results(ctx, tree)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(after, func(r check.Result) bool { return r.Status != check.Passed }) {
		return nil
	}
	for _, r := range after {
		if r.Status != check.Passed && slices.Contains(goal, r.Check) {
			return &refusedTree{"without your uncommitted work, " + r.Check + " does not pass"}
		}
	}
	head, err := g.Repo.Head(ctx)
	if err != nil {
		return err
	}
	if head.Unborn() {
		return &refusedTree{"without your uncommitted work, " + firstFailing(after) + " does not pass"}
	}
	before, err := g.Results(ctx, "HEAD")
	if err != nil {
		return err
	}
	for i, now := range after {
		was := before[i]
		w := verify.Worsened(was, now, nil)
		switch {
		case was.Status == check.Passed && now.Status != check.Passed, w.Broken != "":
			return &refusedTree{fmt.Sprintf("without your uncommitted work, %s does not pass any more", now.Check)}
		case len(w.Tests) > 0:
			return &refusedTree{fmt.Sprintf("without your uncommitted work, %s fails", w.Tests[0])}
		case len(w.Delta.New) > 0:
			return &refusedTree{"without your uncommitted work: " + verify.Describe(w.Delta.New[0])}
		}
	}
	return nil
}

func firstFailing(rs []check.Result) string {
	for _, r := range rs {
		if r.Status != check.Passed {
			return r.Check
		}
	}
	return "a check"
}

// Results runs every check on exactly the tracked files of a tree (an id, or a commit), in a private copy: what lies about in the working tree besides has no
// say in them.
func (g *GitCommitter) Results(ctx context.Context, tree string) ([]check.Result, error) {
	place, release, err := g.Lab.Borrow(ctx, true)
	if err != nil {
		return nil, err
	}
	defer release()
	delta, err := g.Repo.TreeDelta(ctx, tree)
	var submodules *git.SubmoduleError
	switch {
	case errors.As(err, &submodules):
		return nil, &refusedTree{"a submodule is " + submodules.Error()}
	case err != nil:
		return nil, err
	}
	before := map[string]edit.File{}
	for path, f := range delta {
		if f.Mode&fs.ModeSymlink != 0 {
			return nil, &refusedTree{fmt.Sprintf("the link %s differs from HEAD, so the commit could not be verified", path)}
		}
		if before[path], err = place.Source()(path); err != nil {
			return nil, err
		}
	}
	if err := place.Apply(ctx, edit.Between(before, delta)); err != nil {
		return nil, fmt.Errorf("lay out the tree to be committed: %w", err)
	}
	return g.Lab.RunIn(ctx, place, g.Lab.Checks)
}
