package git

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Head is what is checked out.
type Head struct {
	Branch string // without refs/heads/; empty when HEAD is detached
	Commit string // empty when there is no commit yet
}

// Detached reports whether no branch is checked out.
func (h Head) Detached() bool { return h.Branch == "" }

// Unborn reports whether the branch has no commit yet.
func (h Head) Unborn() bool { return h.Commit == "" }

// Head tells what is checked out.
func (r *Repo) Head(ctx context.Context) (Head, error) {
	ref, err := r.line(ctx, "symbolic-ref", "-q", "HEAD")
	if err != nil && code(err) != 1 { // 1: not symbolic
		return Head{}, err
	}
	commit, err := r.commitOf(ctx, "HEAD")
	return Head{Branch: strings.TrimPrefix(ref, "refs/heads/"), Commit: commit}, err
}

// commitOf is the commit that a ref names, or "" when there is none.
func (r *Repo) commitOf(ctx context.Context, ref string) (string, error) {
	id, err := r.line(ctx, "rev-parse", "-q", "--verify", "--end-of-options", ref+"^{commit}")
	if code(err) == 1 {
		return "", nil
	}
	return id, err
}

// Resolve is the id of the commit that rev names.
func (r *Repo) Resolve(ctx context.Context, rev string) (string, error) {
	id, err := r.commitOf(ctx, rev)
	if err == nil && id == "" {
		err = fmt.Errorf("%q names no commit", rev)
	}
	return id, err
}

// treeOf is the id of the tree that a commit or tree names.
func (r *Repo) treeOf(ctx context.Context, rev string) (string, error) {
	id, err := r.line(ctx, "rev-parse", "-q", "--verify", "--end-of-options", rev+"^{tree}")
	if code(err) == 1 {
		err = fmt.Errorf("%q names no commit", rev)
	}
	return id, err
}

// MergeBase is the best common ancestor of two revisions, or "" when they have none.
func (r *Repo) MergeBase(ctx context.Context, a, b string) (string, error) {
	for _, rev := range []*string{&a, &b} {
		id, err := r.Resolve(ctx, *rev)
		if err != nil {
			return "", err
		}
		*rev = id
	}
	id, err := r.line(ctx, "merge-base", a, b)
	if code(err) == 1 {
		return "", nil
	}
	return id, err
}

// Shallow reports a clone that has not all of the history.
func (r *Repo) Shallow() bool {
	_, err := os.Lstat(filepath.Join(r.CommonDir, "shallow"))
	return err == nil
}

// Log is one commit as people see it.
type Log struct {
	ID      string
	Author  Identity
	When    time.Time // of the author
	Subject string
	Body    string
}

// LastCommit is the commit that rev names ("HEAD", a branch, an id).
func (r *Repo) LastCommit(ctx context.Context, rev string) (Log, error) {
	id, err := r.Resolve(ctx, rev)
	if err != nil {
		return Log{}, err
	}
	out, err := r.read(ctx, "log", "-1", "--no-show-signature", "--no-patch", "--format=%H%x00%an%x00%ae%x00%at%x00%s%x00%b", id)
	if err != nil {
		return Log{}, err
	}
	f := strings.SplitN(strings.TrimSuffix(string(out), "\n"), "\x00", 6)
	if len(f) != 6 {
		return Log{}, fmt.Errorf("git log of %s: cannot read %q", id, out)
	}
	at, err := strconv.ParseInt(f[3], 10, 64)
	if err != nil {
		return Log{}, fmt.Errorf("git log of %s: %w", id, err)
	}
	return Log{ID: f[0], Author: Identity{f[1], f[2]}, When: time.Unix(at, 0), Subject: f[4], Body: strings.TrimRight(f[5], "\n")}, nil
}

// InProgress names what the user has begun and not finished ("merge", "rebase", "am", "cherry-pick", "revert", "bisect"),
// or is "".
func (r *Repo) InProgress() string {
	for _, p := range []struct{ file, what string }{
		{"rebase-merge", "rebase"}, {"rebase-apply/applying", "am"}, {"rebase-apply", "rebase"}, {"MERGE_HEAD", "merge"},
		{"CHERRY_PICK_HEAD", "cherry-pick"}, {"REVERT_HEAD", "revert"}, {"BISECT_LOG", "bisect"},
	} {
		if _, err := os.Lstat(filepath.Join(r.Dir, p.file)); err == nil {
			return p.what
		}
	}
	return ""
}
