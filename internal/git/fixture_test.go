package git_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"fettle/internal/edit"
	"fettle/internal/git"
)

// TestMain gives git a home of its own, so that nothing of the machine's configuration matters.
func TestMain(m *testing.M) {
	home, err := os.MkdirTemp("", "git-home-")
	if err != nil {
		panic(err)
	}
	config := filepath.Join(home, "config")
	text := "[user]\n\tname = Ada\n\temail = ada@example.com\n[init]\n\tdefaultBranch = main\n[protocol \"file\"]\n\tallow = always\n" +
		"[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n[core]\n\tfsync = none\n"
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		panic(err)
	}
	for _, name := range []string{"GIT_DIR", "GIT_INDEX_FILE", "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "EMAIL"} {
		if err := os.Unsetenv(name); err != nil {
			panic(err)
		}
	}
	temp := filepath.Join(home, "tmp") // so that a test can see what is left behind
	if err := os.Mkdir(temp, 0o700); err != nil {
		panic(err)
	}
	for name, value := range map[string]string{"HOME": home, "TMPDIR": temp, "GIT_CONFIG_GLOBAL": config, "GIT_CONFIG_NOSYSTEM": "1"} {
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	status := m.Run()
	if err := goleak.Find(); status == 0 && err != nil {
		fmt.Fprintln(os.Stderr, err)
		status = 1
	}
	_ = os.RemoveAll(home)
	os.Exit(status)
}

// repo is a repository of a user, used by hand.
type repo struct {
	*git.Repo
	t testing.TB
}

// newRepo makes a repository with one commit of the files.
func newRepo(t testing.TB, files map[string]string) repo {
	t.Helper()
	r := unborn(t)
	r.write(files)
	r.git("add", "-A")
	r.git("commit", "-q", "--allow-empty", "-m", "first")
	return r
}

// unborn makes a repository without commits.
func unborn(t testing.TB) repo {
	t.Helper()
	dir := t.TempDir()
	gitIn(t, dir, "init", "-q")
	return open(t, dir)
}

func open(t testing.TB, dir string) repo {
	t.Helper()
	r, err := git.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return repo{r, t}
}

func gitIn(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, &stderr)
	}
	return string(out)
}

func (r repo) git(args ...string) string { r.t.Helper(); return gitIn(r.t, r.Root, args...) }

func (r repo) write(files map[string]string) {
	r.t.Helper()
	for name, text := range files {
		p := filepath.Join(r.Root, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			r.t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			r.t.Fatal(err)
		}
	}
}

// hook installs a hook of the user.
func (r repo) hook(name, script string) {
	r.t.Helper()
	p := filepath.Join(r.CommonDir, "hooks", name)
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		r.t.Fatal(err)
	}
}

// state is everything of the user's that must stay as it is.
func (r repo) state() string {
	r.t.Helper()
	var b strings.Builder
	index, err := os.ReadFile(filepath.Join(r.Dir, "index"))
	if err != nil && !os.IsNotExist(err) {
		r.t.Fatal(err)
	}
	fmt.Fprintf(&b, "index %x\n", sha256.Sum256(index))
	head, err := os.ReadFile(filepath.Join(r.Dir, "HEAD"))
	if err != nil {
		r.t.Fatal(err)
	}
	fmt.Fprintf(&b, "HEAD %s", head)
	for _, args := range [][]string{
		{"status", "--porcelain=v2", "-z", "--branch", "--untracked-files=all"}, {"stash", "list"}, {"worktree", "list", "--porcelain"}, {"config", "--local", "--list"},
	} {
		fmt.Fprintf(&b, "%s: %q\n", args[0], r.git(append([]string{"--no-optional-locks"}, args...)...))
	}
	b.WriteString(r.tree(r.Root))
	return b.String()
}

// tree lists the files below a folder, without .git.
func (r repo) tree(root string) string {
	r.t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Name() == ".git":
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.Type()&fs.ModeSymlink != 0:
			to, err := os.Readlink(p)
			fmt.Fprintf(&b, "%q -> %q\n", p[len(root):], to)
			return err
		case d.IsDir():
			return nil
		}
		data, err := os.ReadFile(p)
		info, infoErr := d.Info()
		if err != nil || infoErr != nil {
			return errors.Join(err, infoErr)
		}
		fmt.Fprintf(&b, "%q %v %q\n", p[len(root):], info.Mode(), data)
		return nil
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return b.String()
}

// undisturbed runs do and fails the test if anything of the user's is not as it was, or anything of ours is left.
func (r repo) undisturbed(do func()) {
	r.t.Helper()
	before := r.state()
	do()
	if after := r.state(); after != before {
		r.t.Errorf("the user was disturbed: before\n%s\nafter\n%s", before, after)
	}
	r.nothingLeft()
}

func (r repo) nothingLeft() {
	r.t.Helper()
	left, err := os.ReadDir(os.TempDir())
	if err != nil {
		r.t.Fatal(err)
	}
	for _, e := range left {
		if strings.HasPrefix(e.Name(), "fettle-") {
			r.t.Errorf("left behind: %s", e.Name())
		}
	}
	if left, _ := filepath.Glob(filepath.Join(r.CommonDir, "worktrees", "fettle-*")); len(left) > 0 {
		r.t.Errorf("left behind: %v", left)
	}
}

// files are after-images of ordinary files.
func files(of map[string]string) map[string]edit.File {
	out := map[string]edit.File{}
	for name, text := range of {
		out[name] = edit.File{Data: []byte(text), Mode: 0o644, Exists: true}
	}
	return out
}

// commit makes a commit with nothing unusual about it.
func (r repo) commit(branch string, of map[string]edit.File) git.Commit {
	r.t.Helper()
	c, err := r.Commit(r.t.Context(), git.CommitRequest{Branch: branch, Files: of, Message: "fix: it\n"})
	if err != nil {
		r.t.Fatal(err)
	}
	return c
}

// holds fails the test unless a commit holds exactly these files.
func (r repo) holds(rev string, want map[string]string) {
	r.t.Helper()
	var have []string
	for _, p := range strings.Split(strings.TrimSuffix(r.git("ls-tree", "-r", "-z", "--name-only", rev), "\x00"), "\x00") {
		if p != "" {
			have = append(have, p)
		}
	}
	if names := slices.Sorted(maps.Keys(want)); !slices.Equal(slices.Sorted(slices.Values(have)), names) {
		r.t.Errorf("%s holds %q, want %q", rev, have, names)
		return
	}
	for p, text := range want {
		if got := r.git("cat-file", "blob", rev+":"+p); got != text {
			r.t.Errorf("%s:%s is %q, want %q", rev, p, got, text)
		}
	}
}

// gitErr is git by hand where it may fail.
func gitErr(dir string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}
