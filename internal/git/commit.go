package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fettle/internal/edit"
)

// CommitRequest is a commit to be made.
type CommitRequest struct {
	// Branch gets the commit. It is created at HEAD when it is missing. It must not be checked out anywhere.
	Branch string
	// Files are the after-images of exactly the paths to commit, as they would stand in a working tree of the commit (see
	// [Repo.MergeOnto]); the zero File deletes. A symbolic link or submodule cannot be replaced.
	Files map[string]edit.File
	// Message is kept as it is, but for white space at the ends of lines and of the whole; hooks may change it.
	Message string
	// Verify, if set, is called with the id of the tree before the commit is made; an error stops it. It is called again
	// when somebody else has committed other files to the branch in the meantime.
	Verify func(ctx context.Context, tree string) error
}

// Commit is a commit that was made.
type Commit struct {
	ID      string
	Branch  string
	Parent  string // empty for the first commit of all
	Tree    string
	Created bool // the branch is new
	// ChangedByHooks are the paths in which the commit differs from the tree that was verified, because a hook staged
	// something else.
	ChangedByHooks []string
}

// Commit makes a commit of exactly these files on a branch, without touching the user's HEAD, index, stash or files. The
// user's filters, hooks (pre-commit, prepare-commit-msg, commit-msg, post-commit) and signing apply, as in a linked
// worktree; a hook that fails is an [*Error] with its output, and the branch stays as it was.
//
// Without an identity the error is [ErrNoIdentity], before anything is done. When the branch holds these files already, it
// is [ErrNothingToCommit] together with the commit that holds them: so a caller that was killed after committing may simply
// ask again. [ErrMoved] says that somebody else changed one of the files on the branch meanwhile, [ErrCheckedOut] that the
// branch is in use, [ErrLocked] that a lock was held for too long.
func (r *Repo) Commit(ctx context.Context, req CommitRequest) (Commit, error) {
	if strings.TrimSpace(req.Message) == "" {
		return Commit{}, errors.New("commit: the message is empty")
	}
	return r.withBench(ctx, req.Branch, func(b *bench) (Commit, error) {
		return b.commitOnto(ctx, req, func(tip string) (string, error) { return b.buildTree(ctx, tip, req.Files) })
	})
}

// withBench does what is the same for all commits before and after.
func (r *Repo) withBench(ctx context.Context, branch string, do func(*bench) (Commit, error)) (Commit, error) {
	if err := ValidBranchName(branch); err != nil {
		return Commit{}, err
	}
	if _, err := r.UserIdentity(ctx); err != nil {
		return Commit{}, err
	}
	err := r.locked(ctx, func() error {
		if err := r.clean(); err != nil {
			return fmt.Errorf("remove what an earlier commit left behind: %w", err)
		}
		return r.checkedOut(ctx, branch)
	})
	if err != nil {
		return Commit{}, err
	}
	b, err := r.openBench()
	if err != nil {
		return Commit{}, err
	}
	c, err := do(b)
	return c, errors.Join(err, b.close())
}

// commitOnto builds, verifies and commits; and does so again when others committed other files to the branch meanwhile.
func (b *bench) commitOnto(ctx context.Context, req CommitRequest, build func(tip string) (string, error)) (Commit, error) {
	for {
		s, err := b.r.start(ctx, req.Branch)
		if err != nil {
			return Commit{}, err
		}
		tree, err := build(s.tip)
		if err != nil {
			return Commit{}, err
		}
		if s.tip != "" {
			if old, err := b.r.treeOf(ctx, s.tip); err != nil {
				return Commit{}, err
			} else if old == tree {
				return Commit{ID: s.tip, Branch: req.Branch, Tree: tree}, ErrNothingToCommit
			}
		}
		if req.Verify != nil {
			if err := req.Verify(ctx, tree); err != nil {
				return Commit{}, err
			}
		}
		c, err := b.commit(ctx, s, tree, req.Message)
		if !errors.Is(err, ErrMoved) {
			return c, err
		}
		if again, disjoint := b.movedAside(ctx, s, tree); disjoint != nil || !again {
			return Commit{}, errors.Join(err, disjoint)
		}
	}
}

// start is where a commit begins.
type start struct {
	branch string
	exists bool
	tip    string // the branch's, or HEAD's when the branch is to be created; empty when there is no commit at all
}

func (r *Repo) start(ctx context.Context, branch string) (start, error) {
	tip, err := r.commitOf(ctx, "refs/heads/"+branch)
	if err != nil || tip != "" {
		return start{branch, true, tip}, err
	}
	tip, err = r.commitOf(ctx, "HEAD")
	return start{branch, false, tip}, err
}

// movedAside reports whether what others committed to the branch since s has nothing to do with our files.
func (b *bench) movedAside(ctx context.Context, s start, tree string) (bool, error) {
	now, err := b.r.start(ctx, s.branch)
	if err != nil || s.tip == "" || now.tip == "" {
		return false, err
	}
	theirs, err := b.r.DiffTree(ctx, s.tip, now.tip)
	if err != nil {
		return false, err
	}
	ours, err := b.r.DiffTree(ctx, s.tip, tree)
	if err != nil {
		return false, err
	}
	taken := map[string]bool{}
	for _, p := range theirs {
		taken[p] = true
	}
	for _, p := range ours {
		if taken[p] {
			return false, nil
		}
	}
	return true, nil
}

// commit commits a tree that was built on s, if the branch is still there.
func (b *bench) commit(ctx context.Context, s start, tree, message string) (Commit, error) {
	hooks, err := b.r.hooks(ctx)
	if err != nil {
		return Commit{}, err
	}
	text := filepath.Join(b.folder, "message")
	if err := os.WriteFile(text, []byte(message), 0o600); err != nil {
		return Commit{}, fmt.Errorf("commit: %w", err)
	}
	at := s.tip
	if at == "" {
		if at, err = b.emptyCommit(ctx); err != nil {
			return Commit{}, err
		}
	}
	var made Commit
	err = b.inWorktree(ctx, at, hooks.any, func() error {
		if err := b.fill(ctx, at, tree, hooks.any); err != nil {
			return err
		}
		if err := b.attach(ctx, s); err != nil {
			return err
		}
		_, err := run(ctx, command{
			args: []string{"commit", "--quiet", "--cleanup=whitespace", "--file=" + text},
			dir:  b.worktree(), level: asUser, config: [][2]string{{"core.hooksPath", hooks.dir}},
		})
		if err != nil {
			return errors.Join(err, b.takeBack(ctx, s))
		}
		made, err = b.made(ctx, s, tree)
		return err
	})
	return made, err
}

// made reads back what was committed.
func (b *bench) made(ctx context.Context, s start, tree string) (Commit, error) {
	c := Commit{Branch: s.branch, Parent: s.tip, Created: !s.exists}
	var err error
	if c.ID, err = b.r.Resolve(ctx, "refs/heads/"+s.branch); err != nil {
		return c, err
	}
	if c.Tree, err = b.r.treeOf(ctx, c.ID); err != nil {
		return c, err
	}
	c.ChangedByHooks, err = b.r.DiffTree(ctx, tree, c.Tree)
	return c, err
}

// fill puts the tree into the linked worktree's index, and its files, where hooks may want to see them, into its folder.
func (b *bench) fill(ctx context.Context, at, tree string, files bool) error {
	c := command{args: []string{"read-tree", tree}, dir: b.worktree(), level: building, config: [][2]string{{"core.sparseCheckout", "false"}}}
	if files {
		c.args, c.config = []string{"read-tree", "-m", "-u", at, tree}, nil
	}
	_, err := run(ctx, c)
	return err
}

// emptyCommit is a commit without files or parents that no ref names: a linked worktree needs some commit to begin with.
func (b *bench) emptyCommit(ctx context.Context) (string, error) {
	tree, err := b.r.build(ctx, "mktree")
	if err != nil {
		return "", err
	}
	id, err := b.r.build(ctx, "commit-tree", "-m", "empty", strings.TrimSpace(string(tree)))
	return strings.TrimSpace(string(id)), err
}

// attach checks the branch out in the linked worktree, without touching its files, if the branch still stands where the
// tree was built. From here on git itself refuses to check it out elsewhere.
func (b *bench) attach(ctx context.Context, s start) error {
	if err := b.r.checkedOut(ctx, s.branch); err != nil {
		return err
	}
	now, err := b.r.start(ctx, s.branch)
	if err != nil {
		return err
	}
	if now.exists != s.exists || s.exists && now.tip != s.tip {
		return fmt.Errorf("%s: %w", s.branch, ErrMoved)
	}
	if !s.exists && s.tip != "" {
		if err := b.r.newRef(ctx, s.branch, s.tip); err != nil {
			return err
		}
	}
	_, err = b.git(ctx, "symbolic-ref", "HEAD", "refs/heads/"+s.branch)
	return err
}

// takeBack removes the branch that attach created, if no commit came of it.
func (b *bench) takeBack(ctx context.Context, s start) error {
	if s.exists || s.tip == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	if tip, err := b.r.commitOf(ctx, "refs/heads/"+s.branch); err != nil || tip != s.tip {
		return err
	}
	return b.r.dropRef(ctx, s.branch, s.tip)
}

// hooks are the user's hooks for commits.
type hooks struct {
	dir string // absolute: a relative core.hooksPath means the user's working tree, where a tool may have written them
	any bool   // there is one that a commit runs
}

func (r *Repo) hooks(ctx context.Context) (hooks, error) {
	dir, err := run(ctx, command{args: []string{"rev-parse", "--git-path", "hooks"}, dir: r.Root, level: asUser})
	if err != nil {
		return hooks{}, err
	}
	h := hooks{dir: strings.TrimSuffix(string(dir), "\n")}
	if !filepath.IsAbs(h.dir) {
		h.dir = filepath.Join(r.Root, h.dir)
	}
	for _, name := range []string{"pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"} {
		info, err := os.Stat(filepath.Join(h.dir, name))
		h.any = h.any || err == nil && info.Mode()&0o111 != 0
	}
	return h, nil
}
