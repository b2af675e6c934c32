package git_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"fettle/internal/edit"
	"fettle/internal/git"

	"github.com/gofrs/flock"
)

func TestCommit(t *testing.T) {
	r := newRepo(t, map[string]string{"a.txt": "a\n", "dir/b.txt": "b\n", "old.txt": "old\n"})
	head := strings.TrimSpace(r.git("rev-parse", "HEAD"))
	want := files(map[string]string{"a.txt": "A\n", "dir/new/c.txt": "c\n"})
	want["old.txt"] = edit.File{}
	want["run.sh"] = edit.File{Data: []byte("#!/bin/sh\n"), Mode: 0o755, Exists: true}
	r.undisturbed(func() {
		var verified string
		c, err := r.Commit(t.Context(), git.CommitRequest{
			Branch: "fettle/1", Files: want, Message: "fix: `touch x` $(touch y)\n\n# not a comment\n",
			Verify: func(_ context.Context, tree string) error { verified = tree; return nil },
		})
		if err != nil {
			t.Fatal(err)
		}
		if c.Tree != verified || c.Parent != head || !c.Created || c.ChangedByHooks != nil || c.Branch != "fettle/1" {
			t.Errorf("got %+v, verified %s", c, verified)
		}
		r.holds("fettle/1", map[string]string{"a.txt": "A\n", "dir/b.txt": "b\n", "dir/new/c.txt": "c\n", "run.sh": "#!/bin/sh\n"})
		if got := r.git("ls-tree", "fettle/1", "run.sh"); !strings.HasPrefix(got, "100755") {
			t.Errorf("mode: %s", got)
		}
		if got := r.git("log", "-1", "--format=%an <%ae>%n%P%n%B", "fettle/1"); got != "Ada <ada@example.com>\n"+head+"\nfix: `touch x` $(touch y)\n\n# not a comment\n\n" {
			t.Errorf("log: %q", got)
		}
	})
	r.undisturbed(func() { // a second one goes on top
		c := r.commit("fettle/1", files(map[string]string{"a.txt": "AA\n"}))
		if c.Created || c.Parent == head {
			t.Errorf("got %+v", c)
		}
	})
}

// Whatever state the user's index and files are in, a commit leaves every byte of it.
func TestCommitDisturbsNobody(t *testing.T) {
	dirty := func(r repo) {
		r.write(map[string]string{"a.txt": "stashed\n"})
		r.git("stash", "-q")
		r.write(map[string]string{"a.txt": "staged\n", "new.txt": "x\n", "untracked file": "u\n", "ita.txt": "i\n", ".gitignore": "ignored\n", "ignored": "i\n"})
		r.git("add", "a.txt", "new.txt")
		r.git("add", "-N", "ita.txt")
		r.write(map[string]string{"a.txt": "staged\nand more\n"})
		r.git("rm", "-q", "--cached", "gone.txt")
	}
	for name, prepare := range map[string]func(r repo){
		"staged, unstaged, untracked, intent to add, stash": dirty,
		"detached": func(r repo) { dirty(r); r.git("checkout", "-q", "--detach") },
		"assume unchanged, skip worktree": func(r repo) {
			r.git("update-index", "--assume-unchanged", "a.txt")
			r.git("update-index", "--skip-worktree", "b.txt")
			r.write(map[string]string{"a.txt": "hidden\n", "b.txt": "hidden\n"})
		},
		"conflicted merge": func(r repo) {
			r.git("checkout", "-q", "-b", "other")
			r.write(map[string]string{"a.txt": "other\n"})
			r.git("commit", "-qam", "other")
			r.git("checkout", "-q", "main")
			r.write(map[string]string{"a.txt": "main\n"})
			r.git("commit", "-qam", "main")
			if err := r.tryGit("merge", "other"); err == nil {
				t.Fatal("no conflict")
			}
		},
		"index locked": func(r repo) {
			if err := os.WriteFile(filepath.Join(r.Dir, "index.lock"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		},
		"split index": func(r repo) { r.git("update-index", "--split-index"); dirty(r) },
		"config that would interfere": func(r repo) {
			for k, v := range map[string]string{
				"commit.template": "/nowhere", "commit.cleanup": "strip", "commit.verbose": "true", "core.commentChar": ";", "core.splitIndex": "true",
				"branch.autoSetupMerge": "always", "status.renames": "copies", "diff.noprefix": "true", "core.editor": "false", "core.quotePath": "true",
				"core.bare": "false", "extensions.worktreeConfig": "true", "worktree.guessRemote": "true", "core.logAllRefUpdates": "false",
			} {
				r.git("config", k, v)
			}
			dirty(r)
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepo(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n", "gone.txt": "g\n"})
			prepare(r)
			base := map[string]string{}
			for _, p := range []string{"a.txt", "b.txt", "gone.txt"} {
				base[p] = r.git("show", "HEAD:"+p)
			}
			r.undisturbed(func() {
				r.commit("fettle/1", files(map[string]string{"b.txt": "# B\n", "new.txt": "committed\n"}))
				base["b.txt"], base["new.txt"] = "# B\n", "committed\n"
				r.holds("fettle/1", base)
			})
		})
	}
}

func (r repo) tryGit(args ...string) error {
	_, err := gitErr(r.Root, args...)
	return err
}

func TestOddPaths(t *testing.T) {
	odd := map[string]string{
		"with space": "1", "new\nline": "2", "-dash": "3", "--force": "4", "ünï/cødé.txt": "5", "tab\tname": "6", `quote"back\slash`: "7",
		":(glob)*": "8", "*.go": "9", "a[b]c?": "10", "not\xffutf8": "11", "$(touch x)": "12",
	}
	r := newRepo(t, odd)
	changed := map[string]string{"more\n\n lines": "13"}
	for p := range odd {
		changed[p] = odd[p] + "!"
	}
	r.undisturbed(func() {
		r.commit("fettle/odd", files(changed))
		r.holds("fettle/odd", changed)
	})
	for p, text := range odd {
		if got, err := r.Show(t.Context(), "HEAD", p); err != nil || string(got) != text {
			t.Errorf("Show %q: %q, %v", p, got, err)
		}
		if got, err := r.IsTracked(t.Context(), p); err != nil || !got {
			t.Errorf("IsTracked %q: %v, %v", p, got, err)
		}
	}
	listed, err := r.ListFiles(t.Context())
	if err != nil || len(listed) != len(odd) {
		t.Errorf("ListFiles: %q, %v", listed, err)
	}
}

func TestCommitRefusals(t *testing.T) {
	r := newRepo(t, map[string]string{"a.txt": "a\n"})
	if err := os.Symlink("a.txt", filepath.Join(r.Root, "link")); err != nil {
		t.Fatal(err)
	}
	r.git("add", "link")
	r.git("commit", "-qm", "link")
	wrong := errors.New("the tests fail")
	for name, tc := range map[string]struct {
		req  git.CommitRequest
		is   error
		says string
	}{
		"checked out":    {git.CommitRequest{Branch: "main"}, git.ErrCheckedOut, r.Root},
		"bad name":       {git.CommitRequest{Branch: "a..b"}, nil, "cannot name a branch"},
		"no message":     {git.CommitRequest{Message: " \n"}, nil, "message is empty"},
		"nothing":        {git.CommitRequest{Files: files(map[string]string{"a.txt": "a\n"})}, git.ErrNothingToCommit, ""},
		"verify":         {git.CommitRequest{Verify: func(context.Context, string) error { return wrong }}, wrong, "the tests fail"},
		"link":           {git.CommitRequest{Files: files(map[string]string{"link": "x"})}, nil, "link is a symbolic link"},
		"outside":        {git.CommitRequest{Files: files(map[string]string{"../x": "x"})}, nil, "not the path of a file"},
		"absolute":       {git.CommitRequest{Files: files(map[string]string{"/etc/x": "x"})}, nil, "not the path of a file"},
		"git's own":      {git.CommitRequest{Files: files(map[string]string{".git/config": "x"})}, nil, ".git/config"},
		"folder in file": {git.CommitRequest{Files: files(map[string]string{"x": "x", "x/y": "y"})}, nil, "x"},
	} {
		t.Run(name, func(t *testing.T) {
			if tc.req.Branch == "" {
				tc.req.Branch = "fettle/1"
			}
			if tc.req.Message == "" {
				tc.req.Message = "m"
			}
			if tc.req.Files == nil {
				tc.req.Files = files(map[string]string{"a.txt": "changed\n"})
			}
			r := repo{r.Repo, t}
			r.undisturbed(func() {
				_, err := r.Commit(t.Context(), tc.req)
				if err == nil || tc.is != nil && !errors.Is(err, tc.is) || !strings.Contains(err.Error(), tc.says) {
					t.Errorf("got %v", err)
				}
				if refs := r.git("for-each-ref", "refs/heads/fettle"); refs != "" {
					t.Errorf("a branch was left: %s", refs)
				}
			})
		})
	}
}

// A caller that was killed after the commit asks again and gets the commit.
func TestCommitTwice(t *testing.T) {
	r := newRepo(t, map[string]string{"a.txt": "a\n"})
	want := files(map[string]string{"a.txt": "b\n"})
	first := r.commit("fettle/1", want)
	again, err := r.Commit(t.Context(), git.CommitRequest{Branch: "fettle/1", Files: want, Message: "m"})
	if !errors.Is(err, git.ErrNothingToCommit) || again.ID != first.ID || again.Tree != first.Tree {
		t.Errorf("got %+v, %v", again, err)
	}
}

func TestFileInPlaceOfFolderAndBack(t *testing.T) {
	r := newRepo(t, map[string]string{"a": "a\n", "b/c": "c\n"})
	want := files(map[string]string{"a/x": "x\n", "b": "b\n"})
	want["a"], want["b/c"] = edit.File{}, edit.File{}
	r.undisturbed(func() {
		r.commit("fettle/1", want)
		r.holds("fettle/1", map[string]string{"a/x": "x\n", "b": "b\n"})
	})
}

func TestUnborn(t *testing.T) {
	r := unborn(t)
	r.write(map[string]string{"a.txt": "a\n"})
	r.hook("pre-commit", "test -f a.txt") // the hook sees the files
	if h, err := r.Head(t.Context()); err != nil || !h.Unborn() || h.Branch != "main" {
		t.Errorf("got %+v, %v", h, err)
	}
	r.undisturbed(func() {
		c := r.commit("fettle/1", files(map[string]string{"a.txt": "A\n"}))
		if c.Parent != "" || !c.Created {
			t.Errorf("got %+v", c)
		}
		r.holds("fettle/1", map[string]string{"a.txt": "A\n"})
		if n := strings.TrimSpace(r.git("rev-list", "--count", "fettle/1")); n != "1" {
			t.Errorf("%s commits, want a root commit", n)
		}
	})
}

func TestNoIdentity(t *testing.T) {
	r := newRepo(t, nil)
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	r.undisturbed(func() {
		_, err := r.Commit(t.Context(), git.CommitRequest{
			Branch: "fettle/1", Files: files(map[string]string{"a": "a"}), Message: "m",
			Verify: func(context.Context, string) error { t.Error("it was begun"); return nil },
		})
		if !errors.Is(err, git.ErrNoIdentity) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "git config --global user.email") {
			t.Errorf("got %v", err)
		}
	})
	t.Setenv("GIT_AUTHOR_NAME", "Eve")
	t.Setenv("GIT_AUTHOR_EMAIL", "eve@example.com")
	if _, err := r.UserIdentity(t.Context()); !errors.Is(err, git.ErrNoIdentity) {
		t.Errorf("an author without a committer: %v", err)
	}
	t.Setenv("GIT_COMMITTER_NAME", "Bob")
	t.Setenv("GIT_COMMITTER_EMAIL", "bob@example.com")
	if who, err := r.UserIdentity(t.Context()); err != nil || who != (git.Identity{Name: "Eve", Email: "eve@example.com"}) {
		t.Errorf("got %v, %v", who, err)
	}
}

func TestCommitsSideBySide(t *testing.T) {
	for name, branch := range map[string]func(i int) string{
		"branches of their own": func(i int) string { return fmt.Sprintf("fettle/%d", i) },
		"one branch":            func(int) string { return "fettle/same" },
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepo(t, map[string]string{"a.txt": "a\n"})
			r.undisturbed(func() {
				var wg sync.WaitGroup
				for i := range 4 {
					wg.Go(func() {
						_, err := r.Commit(t.Context(), git.CommitRequest{
							Branch: branch(i), Files: files(map[string]string{fmt.Sprintf("%d.txt", i): "x\n"}), Message: strconv.Itoa(i),
						})
						if err != nil && !errors.Is(err, git.ErrCheckedOut) {
							t.Errorf("%d: %v", i, err)
						}
					})
				}
				wg.Wait()
				for i := range 4 {
					if _, err := r.Show(t.Context(), branch(i), fmt.Sprintf("%d.txt", i)); err != nil {
						t.Errorf("%d was lost: %v", i, err)
					}
				}
			})
		})
	}
}

// Somebody who commits to the branch while we verify is never overwritten.
func TestBranchMovesMeanwhile(t *testing.T) {
	for name, tc := range map[string]struct {
		theirs string
		is     error
		calls  int
	}{
		"another file":  {"b.txt", nil, 2},
		"the same file": {"a.txt", git.ErrMoved, 1},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepo(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n"})
			calls := 0
			_, err := r.Commit(t.Context(), git.CommitRequest{
				Branch: "fettle/1", Message: "m", Files: files(map[string]string{"a.txt": "ours\n"}),
				Verify: func(context.Context, string) error {
					if calls++; calls == 1 {
						r.commit("fettle/1", files(map[string]string{tc.theirs: "theirs\n"}))
					}
					return nil
				},
			})
			if !errors.Is(err, tc.is) || calls != tc.calls {
				t.Errorf("got %v after %d calls", err, calls)
			}
			if got := r.git("show", "fettle/1:"+tc.theirs); got != "theirs\n" {
				t.Errorf("theirs became %q", got)
			}
			r.nothingLeft()
		})
	}
}

func TestCancelledCommitLeavesNothing(t *testing.T) {
	r := newRepo(t, map[string]string{"a.txt": "a\n"})
	ctx, cancel := context.WithCancel(t.Context())
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	r.hook("commit-msg", "echo began >'"+pipe+"'; exec sleep 1000")
	r.undisturbed(func() {
		go func() {
			_, _ = os.ReadFile(pipe) // returns when the hook has begun
			cancel()
		}()
		_, err := r.Commit(ctx, git.CommitRequest{Branch: "fettle/1", Message: "m", Files: files(map[string]string{"a.txt": "b\n"})})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		if ok, err := r.Exists(t.Context(), "fettle/1"); ok || err != nil {
			t.Errorf("the branch is there: %v", err)
		}
	})
}

// benchName is a name as private folders of the repository have it.
func benchName(t *testing.T, r repo) string {
	t.Helper()
	name := ""
	_, err := r.Commit(t.Context(), git.CommitRequest{
		Branch: "fettle/names", Message: "m", Files: files(map[string]string{"name.txt": t.Name()}),
		Verify: func(context.Context, string) error {
			found, err := filepath.Glob(filepath.Join(os.TempDir(), "fettle-git-*"))
			if len(found) == 1 {
				name = filepath.Base(found[0])
			}
			return err
		},
	})
	if err != nil || name == "" {
		t.Fatalf("no private folder: %v", err)
	}
	r.git("branch", "-q", "-D", "fettle/names")
	return name
}

// A folder that its process had not locked yet when it was killed is nobody's a while later.
func TestCleanFoldersThatWereNeverLocked(t *testing.T) {
	r := newRepo(t, map[string]string{"a.txt": "a\n"})
	other := newRepo(t, map[string]string{"a.txt": "a\n"})
	folder := filepath.Join(os.TempDir(), benchName(t, r))
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	there := func(want bool) {
		t.Helper()
		if _, err := os.Lstat(folder); (err == nil) != want {
			t.Errorf("there: %v", err)
		}
	}
	if err := r.Clean(); err != nil {
		t.Fatal(err)
	}
	there(true)
	if err := os.Chtimes(folder, time.Time{}, time.Now().Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	if err := other.Clean(); err != nil {
		t.Fatal(err)
	}
	there(true)
	if err := r.Clean(); err != nil {
		t.Fatal(err)
	}
	there(false)
}

// What a killed process leaves is a worktree that Clean removes; those of living processes, and of the user, stay.
func TestClean(t *testing.T) {
	r := newRepo(t, map[string]string{"a.txt": "a\n"})
	user := filepath.Join(t.TempDir(), "theirs")
	r.git("worktree", "add", "-q", user)
	unmounted := filepath.Join(t.TempDir(), "unmounted")
	r.git("worktree", "add", "-q", unmounted)
	if err := os.RemoveAll(unmounted); err != nil {
		t.Fatal(err)
	}
	dead := func(name string, keep bool) {
		folder := filepath.Join(os.TempDir(), name)
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		r.git("worktree", "add", "-q", "-B", "fettle/1", filepath.Join(folder, name))
		r.git("worktree", "lock", filepath.Join(folder, name))
		if err := os.WriteFile(filepath.Join(folder, "lock"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if !keep {
			if err := os.RemoveAll(folder); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, keep := range []bool{true, false} {
		dead(benchName(t, r), keep)
		_, err := r.Commit(t.Context(), git.CommitRequest{
			Branch: "fettle/1", Message: "m", Files: files(map[string]string{"a.txt": strconv.FormatBool(keep)}),
			Verify: func(context.Context, string) error { return r.Clean() }, // ours is alive
		})
		if err != nil {
			t.Fatal(err)
		}
		r.nothingLeft()
	}
	trees := strings.Count(r.git("worktree", "list"), "\n")
	if trees != 3 {
		t.Errorf("%d working trees are left, want 3", trees)
	}
}

// A power cut may leave any of the files of a temporary worktree empty or not at all, and git then refuses to do anything with
// worktrees.
func TestCleanAfterAPowerCut(t *testing.T) {
	for _, file := range []string{"commondir", "gitdir", "HEAD", "index", "locked"} {
		for _, gone := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, %v", file, gone), func(t *testing.T) {
				r := newRepo(t, map[string]string{"a.txt": "a\n"})
				name := benchName(t, r)
				r.git("worktree", "add", "-q", "-b", "fettle/1", filepath.Join(os.TempDir(), name, name))
				own := filepath.Join(r.CommonDir, "worktrees", name)
				err := os.WriteFile(filepath.Join(own, file), nil, 0o600)
				if gone {
					err = os.Remove(filepath.Join(own, file))
				}
				if err := errors.Join(err, os.RemoveAll(filepath.Join(os.TempDir(), name)), r.Clean()); err != nil {
					t.Fatal(err)
				}
				if trees := r.git("worktree", "list"); strings.Count(trees, "\n") != 1 {
					t.Errorf("left:\n%s", trees)
				}
				r.commit("fettle/1", files(map[string]string{"a.txt": "b\n"}))
				r.nothingLeft()
			})
		}
	}
}

// What a commit needs is synced before a branch names it, whatever the user's git is told.
func TestCommitIsSynced(t *testing.T) {
	r := newRepo(t, map[string]string{"a.txt": "a\n"})
	r.git("config", "core.fsync", "none")
	trace := filepath.Join(t.TempDir(), "trace")
	r.hook("pre-commit", "git config core.fsync > '"+trace+"'")
	r.commit("fettle/1", files(map[string]string{"a.txt": "b\n"}))
	if said, err := os.ReadFile(trace); err != nil || strings.TrimSpace(string(said)) != "committed" {
		t.Errorf("core.fsync is %q, %v", said, err)
	}
}

func TestLocksAreWaitedForAndLeft(t *testing.T) {
	r := newRepo(t, map[string]string{"a.txt": "a\n"})
	r.git("branch", "fettle/1")
	lock := filepath.Join(r.CommonDir, "refs", "heads", "fettle", "1.lock")
	if err := os.WriteFile(lock, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := r.Commit(t.Context(), git.CommitRequest{Branch: "fettle/1", Message: "m", Files: files(map[string]string{"a.txt": "b\n"})})
	if !errors.Is(err, git.ErrLocked) || !strings.Contains(err.Error(), "1.lock") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(lock); err != nil {
		t.Errorf("somebody else's lock was removed: %v", err)
	}
	r.hook("commit-msg", "rm '"+lock+"'") // its owner finishes just before we need it
	r.commit("fettle/1", files(map[string]string{"a.txt": "b\n"}))
	r.nothingLeft()
}

// Another fettle that commits is waited for, with a word about it; not for ever, and not longer than the context lasts.
func TestAnotherFettleCommits(t *testing.T) {
	r := newRepo(t, map[string]string{"a.txt": "a\n"})
	request := git.CommitRequest{Branch: "fettle/1", Message: "m", Files: files(map[string]string{"a.txt": "b\n"})}
	name := filepath.Join(r.CommonDir, "fettle", "commit.lock")
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte("4711"), 0o600); err != nil {
		t.Fatal(err)
	}
	other := flock.New(name)
	if held, err := other.TryLock(); err != nil || !held {
		t.Fatal(held, err)
	}
	r.Patience = time.Millisecond
	_, err := r.Commit(t.Context(), request)
	if !errors.Is(err, git.ErrLocked) || !strings.Contains(err.Error(), "another fettle (process 4711) has been committing in this repository for more than 1ms; try again when it has ended, or end it") {
		t.Errorf("out of patience: %v", err)
	}
	r.Patience = 0
	ending, cancel := context.WithCancel(t.Context())
	r.Waiting = func(string) { cancel() }
	if _, err := r.Commit(ending, request); !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "wait for another fettle (process 4711)") {
		t.Errorf("the context ended: %v", err)
	}
	var told []string
	r.Waiting = func(text string) {
		told = append(told, text)
		if err := other.Unlock(); err != nil { // it ends
			t.Error(err)
		}
	}
	if _, err := r.Commit(t.Context(), request); err != nil {
		t.Error(err)
	}
	if want := []string{"waiting for another fettle (process 4711), which commits in this repository"}; !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
	r.nothingLeft()
}

func TestDiffTree(t *testing.T) {
	r := newRepo(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n"})
	c := r.commit("fettle/1", map[string]edit.File{"a.txt": {}, "c.txt": {Data: []byte("a\n"), Exists: true}})
	got, err := r.DiffTree(t.Context(), "HEAD", c.Tree)
	if err != nil || !slices.Equal(got, []string{"a.txt", "c.txt"}) {
		t.Errorf("got %q, %v", got, err)
	}
	for _, ends := range [][2]string{{"HEAD", "nowhere"}, {"nowhere", "HEAD"}} {
		if _, err := r.DiffTree(t.Context(), ends[0], ends[1]); err == nil || err.Error() != `"nowhere" names no commit` {
			t.Errorf("%q: %v", ends, err)
		}
	}
}
