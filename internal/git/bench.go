package git

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// benchPrefix begins the names of the private folders of all repositories, and of the linked worktrees in them. What follows is the
// repository's own, and a number.
const benchPrefix = "fettle-git-"

// benches begins the names of this repository's private folders.
func (r *Repo) benches() string {
	sum := sha256.Sum256([]byte(r.CommonDir))
	return fmt.Sprintf("%s%x-", benchPrefix, sum[:6])
}

// bench is a private folder in which something is prepared. It holds a lock (as long as its process lives), and what the work
// needs: for a commit a temporary index, and at the end a linked worktree of the same name as the folder.
type bench struct {
	r      *Repo
	folder string
	lock   *flock.Flock
}

func (b *bench) worktree() string { return filepath.Join(b.folder, filepath.Base(b.folder)) }

// openBench makes the private folder: only the user may enter it, and nobody can know its name beforehand.
func (r *Repo) openBench() (*bench, error) {
	for {
		folder, err := os.MkdirTemp("", r.benches())
		if err == nil {
			folder, err = filepath.EvalSymlinks(folder)
		}
		if err != nil {
			return nil, fmt.Errorf("make a private folder: %w", err)
		}
		b := &bench{r: r, folder: folder, lock: flock.New(filepath.Join(folder, benchLock))}
		held, err := b.lock.TryLock()
		if err != nil {
			return nil, errors.Join(fmt.Errorf("make a private folder: %w", err), os.RemoveAll(folder))
		}
		if _, err := os.Lstat(b.lock.Path()); held && err == nil {
			return b, nil
		}
		_ = b.close() // Clean was quicker, and took it for one that was left
	}
}

// benchLock is the name of the lock in a private folder, and unready how long there may be none, while its process makes it.
const (
	benchLock = "lock"
	unready   = time.Minute
)

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

// Clean removes what a fettle that came to an end in the middle of a commit left behind in this repository: its temporary
// worktrees and their folders. Those of a process that still runs are left alone.
// Another fettle that commits has cleaned before, and is not waited for.
func (r *Repo) Clean() (err error) {
	if len(r.ownWorktrees())+len(r.ownFolders()) == 0 {
		return nil
	}
	lock, err := r.lock()
	if err != nil {
		return err
	}
	held, err := lock.TryLock()
	if err != nil || !held {
		return errors.Join(err, lock.Close())
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	return r.clean()
}

// ownWorktrees are git's own folders for our temporary worktrees.
func (r *Repo) ownWorktrees() []string {
	return named(filepath.Join(r.CommonDir, "worktrees"), benchPrefix)
}

// ownFolders are the private folders of this repository.
func (r *Repo) ownFolders() []string { return named(os.TempDir(), r.benches()) }

// named are the paths in a folder whose names begin so. A folder that cannot be read has none.
func named(dir, prefix string) (found []string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), prefix) {
			found = append(found, filepath.Join(dir, e.Name()))
		}
	}
	return found
}

// clean is Clean for whoever holds the lock. Nobody else makes temporary worktrees meanwhile, so all that are there are left
// over. They are removed by hand: git looks at each worktree before it does anything with one, and gives up at what a power cut
// left of its files.
func (r *Repo) clean() error {
	var errs []error
	for _, own := range r.ownWorktrees() {
		name, at := filepath.Base(own), ""
		if text, err := os.ReadFile(filepath.Join(own, "gitdir")); err == nil {
			at = filepath.Dir(strings.TrimSpace(string(text)))
		}
		folder := filepath.Dir(at)
		if filepath.IsAbs(at) {
			if filepath.Base(at) != name || filepath.Base(folder) != name {
				continue // somebody else likes our names
			}
			errs = append(errs, r.cleanFolder(folder))
		}
		errs = append(errs, os.RemoveAll(own))
		_ = os.Remove(filepath.Dir(own)) // as git does, when it was the last one
	}
	for _, f := range r.ownFolders() { // left before the worktree was made
		errs = append(errs, r.cleanFolder(f))
	}
	return errors.Join(errs...)
}

// cleanFolder removes a private folder of this repository that nobody holds.
func (r *Repo) cleanFolder(folder string) error {
	if !strings.HasPrefix(filepath.Base(folder), r.benches()) {
		return nil // somebody else's
	}
	lock := flock.New(filepath.Join(folder, benchLock), flock.SetFlag(os.O_RDWR)) // never created anew: its owner may be removing it
	held, err := lock.TryLock()
	if errors.Is(err, os.ErrNotExist) {
		if info, err := os.Lstat(folder); err == nil && info.IsDir() && time.Since(info.ModTime()) > unready {
			return os.RemoveAll(folder)
		}
		return nil
	}
	if err != nil || !held {
		return err
	}
	return (&bench{r, folder, lock}).close()
}
