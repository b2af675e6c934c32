package git

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// ValidBranchName says what is wrong with a name for a branch, by the rules of git-check-ref-format(1) for branches; it
// also refuses names over 200 bytes, which many file systems cannot hold beside ".lock".
func ValidBranchName(name string) error {
	bad := func(why string) error { return fmt.Errorf("%q cannot name a branch: %s", name, why) }
	switch {
	case name == "":
		return bad("it is empty")
	case len(name) > 200:
		return bad("it is longer than 200 bytes")
	case name == "HEAD" || name == "@":
		return bad("it means what is checked out")
	case name[0] == '-':
		return bad("it begins with -")
	case strings.HasSuffix(name, "."):
		return bad("it ends with a dot")
	case strings.Contains(name, "..") || strings.Contains(name, "@{"):
		return bad(`it contains ".." or "@{"`)
	}
	for _, c := range []byte(name) {
		if c <= ' ' || c == 0x7f || strings.IndexByte(`~^:?*[\`, c) >= 0 {
			return bad(fmt.Sprintf("it contains %q", rune(c)))
		}
	}
	for part := range strings.SplitSeq(name, "/") {
		switch {
		case part == "":
			return bad("it has an empty part between slashes")
		case part[0] == '.':
			return bad("a part of it begins with a dot")
		case strings.HasSuffix(part, ".lock"):
			return bad("a part of it ends with .lock")
		}
	}
	return nil
}

// Exists reports whether a branch of this name exists.
func (r *Repo) Exists(ctx context.Context, branch string) (bool, error) {
	_, err := r.read(ctx, "show-ref", "--verify", "--quiet", "refs/heads/"+branch)
	if code(err) == 1 {
		return false, nil
	}
	return err == nil, err
}

// FreeBranch is the name, or with -2, -3 … at its end the first that no branch has.
func (r *Repo) FreeBranch(ctx context.Context, name string) (string, error) {
	if err := ValidBranchName(name); err != nil {
		return "", err
	}
	free := name
	for n := 2; ; n++ {
		taken, err := r.Exists(ctx, free)
		if err != nil || !taken {
			return free, err
		}
		free = name + "-" + strconv.Itoa(n)
	}
}

// CreateBranch creates a branch at a revision (empty: HEAD) without checking it out, and returns its name. A branch of that
// name that stands there already is fine; one that stands elsewhere is left alone, and the next free name (name-2, name-3 …)
// is taken.
func (r *Repo) CreateBranch(ctx context.Context, name, from string) (string, error) {
	if err := ValidBranchName(name); err != nil {
		return "", err
	}
	if from == "" {
		from = "HEAD"
	}
	at, err := r.Resolve(ctx, from)
	if err != nil {
		return "", fmt.Errorf("create branch %s: %w", name, err)
	}
	free := name
	for n := 2; ; n++ {
		tip, err := r.commitOf(ctx, "refs/heads/"+free)
		switch {
		case err != nil:
			return "", err
		case tip == at:
			return free, nil
		case tip == "":
			return free, r.newRef(ctx, free, at)
		}
		free = name + "-" + strconv.Itoa(n)
	}
}

// newRef creates a branch that must not exist.
func (r *Repo) newRef(ctx context.Context, branch, at string) error {
	_, err := r.build(ctx, "update-ref", "-m", "branch: Created by fettle", "refs/heads/"+branch, at, "")
	return err
}

// dropRef removes a branch if it still stands where we left it.
func (r *Repo) dropRef(ctx context.Context, branch, at string) error {
	_, err := r.build(ctx, "update-ref", "-d", "refs/heads/"+branch, at)
	return err
}

// build runs a command that writes to git's own folder, in the working tree's top folder.
func (r *Repo) build(ctx context.Context, args ...string) ([]byte, error) {
	return run(ctx, command{args: args, dir: r.Root, level: building})
}

// worktree is one working tree of the repository.
type worktree struct{ path, branch string }

// worktrees lists all working trees of the repository.
func (r *Repo) worktrees(ctx context.Context) ([]worktree, error) {
	out, err := r.read(ctx, "worktree", "list", "--porcelain", "-z")
	if err != nil {
		return nil, err
	}
	var trees []worktree
	for rec := range strings.SplitSeq(string(out), "\x00") {
		switch key, value, _ := strings.Cut(rec, " "); key {
		case "worktree":
			trees = append(trees, worktree{path: value})
		case "branch":
			trees[len(trees)-1].branch = strings.TrimPrefix(value, "refs/heads/")
		}
	}
	return trees, nil
}

// checkedOut says in which working tree a branch is checked out, if in any.
func (r *Repo) checkedOut(ctx context.Context, branch string) error {
	trees, err := r.worktrees(ctx)
	if err != nil {
		return err
	}
	for _, w := range trees {
		if w.branch == branch {
			return fmt.Errorf("%s: %w in %s; choose another branch", branch, ErrCheckedOut, w.path)
		}
	}
	return nil
}
