package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// benchPrefix begins the names of our private folders, and of the linked worktrees in them.
const benchPrefix = "fettle-git-"

// bench is a private folder in which something is prepared. It holds a lock (as long as its process lives), the path of the
// repository it belongs to, and what the work needs: for a commit a temporary index, and at the end a linked worktree of
// the same name as the folder.
type bench struct {
	r      *Repo
	folder string
	lock   *flock.Flock
}

func (b *bench) worktree() string { return filepath.Join(b.folder, filepath.Base(b.folder)) }

// openBench makes the private folder: only the user may enter it, and nobody can know its name beforehand.
func (r *Repo) openBench() (*bench, error) {
	folder, err := os.MkdirTemp("", benchPrefix)
	if err == nil {
		folder, err = filepath.EvalSymlinks(folder)
	}
	if err != nil {
		return nil, fmt.Errorf("make a private folder: %w", err)
	}
	b := &bench{r: r, folder: folder, lock: flock.New(filepath.Join(folder, "lock"))}
	if _, err := b.lock.TryLock(); err != nil {
		return nil, errors.Join(fmt.Errorf("make a private folder: %w", err), os.RemoveAll(folder))
	}
	// Only from now on can Clean take the folder for one of ours, and then it finds it locked.
	if err := os.WriteFile(filepath.Join(folder, "repository"), []byte(r.CommonDir), 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("make a private folder: %w", err), b.close())
	}
	return b, nil
}

// close removes the folder; the worktree is gone by then.
func (b *bench) close() error { return errors.Join(os.RemoveAll(b.folder), b.lock.Unlock()) }

// inWorktree makes the linked worktree at a commit, with no branch checked out; does something in it; and removes it again,
// also when the context has ended. Its files are written only if asked for. Meanwhile no other fettle adds or removes
// worktrees of the repository or moves its branches: git itself fails when it meets a worktree that is half made.
func (b *bench) inWorktree(ctx context.Context, at string, files bool, do func() error) error {
	return b.r.locked(ctx, func() (err error) {
		defer func() {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
			defer cancel()
			if left := b.r.removeWorktree(ctx, b.worktree()); left != nil {
				err = errors.Join(err, fmt.Errorf("remove the temporary worktree: %w", left))
			}
		}()
		add := []string{"worktree", "add", "--quiet", "--detach"}
		if !files {
			add = append(add, "--no-checkout")
		}
		if _, err := b.r.build(ctx, append(add, b.worktree(), at)...); err != nil {
			return err
		}
		return do()
	})
}

// git runs a command in the linked worktree.
func (b *bench) git(ctx context.Context, args ...string) ([]byte, error) {
	return run(ctx, command{args: args, dir: b.worktree(), level: building})
}

// locked does something while no other fettle changes worktrees or branches of this repository.
func (r *Repo) locked(ctx context.Context, do func() error) (err error) {
	dir := filepath.Join(r.CommonDir, "fettle")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("lock the repository's branches: %w", err)
	}
	lock := flock.New(filepath.Join(dir, "commit.lock"))
	if _, err := lock.TryLockContext(ctx, 20*time.Millisecond); err != nil {
		return fmt.Errorf("wait for another fettle that commits: %w", err)
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	return do()
}

// removeWorktree removes one linked worktree, whether its folder is still there or not. Others are not pruned: one whose
// folder is missing may be on a disk that is not mounted.
func (r *Repo) removeWorktree(ctx context.Context, path string) error {
	_, err := r.build(ctx, "worktree", "remove", "--force", "--force", path)
	var e *Error
	if errors.As(err, &e) && strings.Contains(e.Stderr, "is not a working tree") {
		return nil
	}
	return err
}

// Clean removes what a fettle that was killed in the middle of a commit left behind in this repository: its temporary
// worktrees and their folders. Those of a process that still runs are left alone.
func (r *Repo) Clean(ctx context.Context) error {
	return r.locked(ctx, func() error { return r.clean(ctx) })
}

// clean is Clean for whoever holds the lock.
func (r *Repo) clean(ctx context.Context) error {
	trees, err := r.worktrees(ctx)
	if err != nil {
		return err
	}
	var errs []error
	for _, w := range trees {
		folder, name := filepath.Split(w.path)
		folder = filepath.Clean(folder)
		if !strings.HasPrefix(name, benchPrefix) || filepath.Base(folder) != name {
			continue
		}
		if _, err := os.Stat(folder); errors.Is(err, os.ErrNotExist) {
			errs = append(errs, r.removeWorktree(ctx, w.path))
			continue
		}
		errs = append(errs, r.cleanFolder(ctx, folder, w.path))
	}
	folders, err := filepath.Glob(filepath.Join(os.TempDir(), benchPrefix+"*"))
	if err != nil {
		errs = append(errs, err)
	}
	for _, f := range folders { // left before the worktree was made
		errs = append(errs, r.cleanFolder(ctx, f, ""))
	}
	return errors.Join(errs...)
}

// cleanFolder removes a private folder of this repository that nobody holds, and the worktree in it if there is one.
func (r *Repo) cleanFolder(ctx context.Context, folder, worktree string) error {
	if owner, _ := os.ReadFile(filepath.Join(folder, "repository")); string(owner) != r.CommonDir {
		return nil // somebody else's, or not ready yet
	}
	lock := flock.New(filepath.Join(folder, "lock"), flock.SetFlag(os.O_RDWR)) // never created anew: its owner may be removing it
	held, err := lock.TryLock()
	if errors.Is(err, os.ErrNotExist) || err == nil && !held {
		return nil
	}
	if err != nil {
		return err
	}
	if worktree != "" {
		err = r.removeWorktree(ctx, worktree)
	}
	return errors.Join(err, (&bench{r, folder, lock}).close())
}
