package git_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fettle/internal/edit"
	"fettle/internal/git"
	"fettle/internal/testenv"
)

func TestOpen(t *testing.T) {
	r := newRepo(t, map[string]string{"dir/sub/a.txt": "a\n"})
	where, err := filepath.EvalSymlinks(r.Root)
	if err != nil {
		t.Fatal(err)
	}
	got := open(t, filepath.Join(r.Root, "dir", "sub"))
	if got.Root != where || got.Dir != filepath.Join(where, ".git") || got.CommonDir != got.Dir {
		t.Errorf("got %+v", got.Repo)
	}
	newline := filepath.Join(t.TempDir(), "a\nb\n")
	if err := os.Mkdir(newline, 0o755); err != nil {
		t.Fatal(err)
	}
	gitIn(t, newline, "init", "-q")
	if got := open(t, newline); filepath.Base(got.Root) != "a\nb\n" || got.Dir != filepath.Join(got.Root, ".git") {
		t.Errorf("got %+v", got.Repo)
	}
}

func TestShallow(t *testing.T) {
	r := newRepo(t, map[string]string{"a": "1\n"})
	r.write(map[string]string{"a": "2\n"})
	r.git("commit", "-qam", "second")
	if r.Shallow() {
		t.Error("nothing of it is missing")
	}
	to, linked := filepath.Join(t.TempDir(), "clone"), filepath.Join(t.TempDir(), "linked")
	gitIn(t, r.Root, "clone", "-q", "--depth=1", "file://"+r.Root, to)
	gitIn(t, to, "worktree", "add", "-q", "--detach", linked)
	for _, dir := range []string{to, linked} {
		if !open(t, dir).Shallow() {
			t.Errorf("%s lacks its first commit", dir)
		}
	}
	gitIn(t, to, "fetch", "-q", "--unshallow")
	if open(t, linked).Shallow() {
		t.Error("it lacks nothing any more")
	}
}

func TestOpenRefusals(t *testing.T) {
	bare := t.TempDir()
	gitIn(t, bare, "init", "-q", "--bare")
	r := newRepo(t, nil)
	for name, tc := range map[string]struct {
		dir string
		is  error
	}{
		"no repository": {t.TempDir(), git.ErrNotRepository},
		"bare":          {bare, git.ErrBare},
		"git's folder":  {r.Dir, git.ErrNotRepository},
	} {
		if _, err := git.Open(t.Context(), tc.dir); !errors.Is(err, tc.is) || !strings.Contains(err.Error(), tc.dir) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := git.Open(t.Context(), filepath.Join(r.Root, "missing")); err == nil || errors.Is(err, git.ErrNotRepository) {
		t.Errorf("a missing folder: %v", err)
	}
	t.Run("dubious", func(t *testing.T) {
		t.Setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
		_, err := git.Open(t.Context(), r.Root)
		if !errors.Is(err, git.ErrDubious) || !strings.Contains(err.Error(), "safe.directory '"+r.Root+"'") || strings.Contains(err.Error(), "\n") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("no git", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		if _, err := git.Open(t.Context(), r.Root); err == nil || !strings.Contains(err.Error(), "git is not installed") {
			t.Errorf("got %v", err)
		}
	})
}

// The environment of a hook that called us ties us to nothing.
func TestOpenIgnoresTheCallersRepository(t *testing.T) {
	other := newRepo(t, nil)
	r := newRepo(t, map[string]string{"a.txt": "a\n"})
	for name, value := range map[string]string{
		"GIT_DIR": other.Dir, "GIT_WORK_TREE": other.Root, "GIT_INDEX_FILE": filepath.Join(other.Dir, "index"), "GIT_LITERAL_PATHSPECS": "0",
		"GIT_GLOB_PATHSPECS": "1", "GIT_TRACE": "1", "GIT_EXTERNAL_DIFF": "false",
	} {
		t.Setenv(name, value)
	}
	got, err := git.Open(t.Context(), r.Root)
	if err != nil || got.Root != r.Root {
		t.Fatalf("got %+v, %v", got, err)
	}
	if names, err := got.ListFiles(t.Context()); err != nil || !slices.Equal(names, []string{"a.txt"}) {
		t.Errorf("got %q, %v", names, err)
	}
	if _, err := got.Commit(t.Context(), git.CommitRequest{Branch: "fettle/1", Files: files(map[string]string{"b": "b"}), Message: "m"}); err != nil {
		t.Error(err)
	}
}

func TestStatus(t *testing.T) {
	r := newRepo(t, map[string]string{"a": "a\n", "b": "b\n", "c": "c\n", "d d": "d\n", "same": "s\n", ".gitignore": "ign\n"})
	r.write(map[string]string{"a": "A\n", "b": "B\n", "new file": "n\n", "dir/u\nv": "u\n", "ign": "i\n"})
	r.git("add", "a", "new file")
	r.git("mv", "d d", "moved")
	r.write(map[string]string{"a": "AA\n"})
	if err := os.Remove(filepath.Join(r.Root, "c")); err != nil {
		t.Fatal(err)
	}
	s, err := r.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := []any{s.Staged(), s.Unstaged(), s.Untracked(), s.Conflicts(), s.Clean()}
	want := []any{[]string{"a", "d d", "moved", "new file"}, []string{"a", "b", "c"}, []string{"dir/u\nv"}, []string(nil), false}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q", got)
	}
	changed, err := r.ChangedSince(t.Context(), "HEAD")
	if want := []string{"a", "b", "c", "d d", "dir/u\nv", "moved", "new file"}; err != nil || !slices.Equal(changed, want) {
		t.Errorf("changed since HEAD: %q, %v", changed, err)
	}
	listed, err := r.ListFiles(t.Context())
	if want := []string{".gitignore", "a", "b", "c", "dir/u\nv", "moved", "new file", "same"}; err != nil || !slices.Equal(listed, want) {
		t.Errorf("listed: %q, %v", listed, err)
	}
	ignored, err := r.Ignored(t.Context(), []string{"a", "ign", "deep/ign", "nowhere", ":(glob)x/ign", ":!ign", "*"})
	if want := []string{"ign", "deep/ign", ":(glob)x/ign"}; err != nil || !slices.Equal(ignored, want) {
		t.Errorf("ignored: %q, %v", ignored, err)
	}
	if ok, err := r.IsTracked(t.Context(), "dir"); ok || err != nil {
		t.Errorf("a folder is tracked: %v", err)
	}
}

func TestConflictsAndWhatIsInProgress(t *testing.T) {
	r := newRepo(t, map[string]string{"a": "a\n"})
	r.git("checkout", "-q", "-b", "other")
	r.write(map[string]string{"a": "other\n"})
	r.git("commit", "-qam", "other")
	r.git("checkout", "-q", "main")
	r.write(map[string]string{"a": "main\n"})
	r.git("commit", "-qam", "main")
	for _, begin := range []string{"merge", "rebase", "cherry-pick", "revert"} {
		if err := r.tryGit(begin, "other"); err == nil {
			t.Fatalf("%s did not conflict", begin)
		}
		s, err := r.Status(t.Context())
		if err != nil || !slices.Equal(s.Conflicts(), []string{"a"}) || s.Staged() != nil {
			t.Errorf("%s: %+v, %v", begin, s, err)
		}
		if got := r.InProgress(); got != begin {
			t.Errorf("%s: in progress is %q", begin, got)
		}
		r.git(begin, "--abort")
	}
	r.git("bisect", "start")
	if got := r.InProgress(); got != "bisect" {
		t.Errorf("got %q", got)
	}
	r.git("bisect", "reset")
	if got := r.InProgress(); got != "" {
		t.Errorf("got %q", got)
	}
}

func TestHeadAndHistory(t *testing.T) {
	r := newRepo(t, map[string]string{"a": "1\n"})
	ctx := t.Context()
	first := strings.TrimSpace(r.git("rev-parse", "HEAD"))
	r.git("checkout", "-q", "-b", "feature/x")
	r.write(map[string]string{"a": "2\n", "b": "b\n"})
	r.git("add", "b")
	r.git("commit", "-qam", "second: ünï\n\nbody\n\nmore")
	h, err := r.Head(ctx)
	if err != nil || h.Branch != "feature/x" || h.Unborn() || h.Detached() {
		t.Errorf("got %+v, %v", h, err)
	}
	if base, err := r.MergeBase(ctx, "main", "feature/x"); err != nil || base != first {
		t.Errorf("merge base %q, %v", base, err)
	}
	r.git("checkout", "-q", "--orphan", "lonely")
	r.git("commit", "-qm", "lonely")
	if base, err := r.MergeBase(ctx, "main", "lonely"); err != nil || base != "" {
		t.Errorf("merge base %q, %v", base, err)
	}
	r.git("checkout", "-q", "--detach", "feature/x")
	if got, err := r.Head(ctx); err != nil || !got.Detached() || got.Commit != h.Commit {
		t.Errorf("got %+v, %v", got, err)
	}
	l, err := r.LastCommit(ctx, "HEAD")
	if err != nil || l.ID != h.Commit || l.Subject != "second: ünï" || l.Body != "body\n\nmore" || l.Author != (git.Identity{Name: "Ada", Email: "ada@example.com"}) || l.When.IsZero() {
		t.Errorf("got %+v, %v", l, err)
	}
	if got, err := r.ChangedSince(ctx, "main"); err != nil || !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("got %q, %v", got, err)
	}
	r.write(map[string]string{"a": "1\n"}) // as it was in main
	if got, err := r.ChangedSince(ctx, "main"); err != nil || !slices.Equal(got, []string{"b"}) {
		t.Errorf("got %q, %v", got, err)
	}
	for _, rev := range []string{"nowhere", "--all", "HEAD:a"} {
		if _, err := r.Resolve(ctx, rev); err == nil {
			t.Errorf("%q was resolved", rev)
		}
	}
	if _, err := r.Show(ctx, "main", "b"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	if v, ok, err := r.Config(ctx, "user.name"); err != nil || !ok || v != "Ada" {
		t.Errorf("got %q, %v, %v", v, ok, err)
	}
	if _, ok, err := r.Config(ctx, "no.such"); err != nil || ok {
		t.Errorf("got %v, %v", ok, err)
	}
}

// Nothing that a repository's own configuration, attributes or hooks name is executed by looking at it.
func TestReadingExecutesNothing(t *testing.T) {
	r := newRepo(t, map[string]string{"a.txt": "a\n", "b.bin": "b\n"})
	marker := filepath.Join(t.TempDir(), "marker")
	evil := filepath.Join(r.Dir, "evil.sh")
	if err := os.WriteFile(evil, []byte("#!/bin/sh\necho \"$0 $*\" >>'"+marker+"'\ncat\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, h := range []string{"post-index-change", "reference-transaction", "pre-commit", "post-checkout", "pre-auto-gc"} {
		r.hook(h, evil)
	}
	r.write(map[string]string{".gitattributes": "*.txt diff=evil filter=evil merge=evil\n*.bin filter=a=b.c\n"})
	for k, v := range map[string]string{
		"core.fsmonitor": evil, "core.pager": evil, "pager.log": evil, "diff.external": evil, "diff.evil.textconv": evil, "diff.evil.command": evil,
		"filter.evil.clean": evil, "filter.evil.smudge": evil, "filter.evil.process": evil, "filter.evil.required": "true", "filter.a=b.c.clean": evil,
		"core.sshCommand": evil, "gpg.program": evil, "log.showSignature": "true", "core.editor": evil, "alias.status": "!" + evil, "core.askPass": evil,
		"credential.helper": evil, "core.gitProxy": evil, "merge.evil.driver": evil, "uploadpack.packObjectsHook": evil,
	} {
		r.git("config", k, v)
	}
	r.write(map[string]string{"a.txt": "a\n", "b.bin": "b\n", "new.txt": "n\n"}) // touched: git must look into them
	if err := os.WriteFile(marker, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	_, errStatus := r.Status(ctx)
	_, errList := r.ListFiles(ctx)
	_, errIgnored := r.Ignored(ctx, []string{"a.txt"})
	_, errTracked := r.IsTracked(ctx, "a.txt")
	_, errShow := r.Show(ctx, "HEAD", "a.txt")
	_, errHead := r.Head(ctx)
	_, errLog := r.LastCommit(ctx, "HEAD")
	_, errSince := r.ChangedSince(ctx, "HEAD")
	_, errDiff := r.DiffTree(ctx, "HEAD", "HEAD")
	_, errWho := r.UserIdentity(ctx)
	_, errBase := r.MergeBase(ctx, "HEAD", "main")
	_, errBlame := r.Blame(ctx, "a.txt", 3)
	_, errOpen := git.Open(ctx, r.Root)
	if err := errors.Join(errStatus, errList, errIgnored, errTracked, errShow, errHead, errLog, errSince, errDiff, errWho, errBase, errBlame, errOpen); err != nil {
		t.Error(err)
	}
	if got, err := os.ReadFile(marker); err != nil || len(got) > 0 {
		t.Errorf("executed: %s %v", got, err)
	}
	// The same repository does execute it when the user looks: the test can fail.
	_, _ = gitErr(r.Root, "diff") // fails: the filter that was planted is none
	if got, err := os.ReadFile(marker); err != nil || len(got) == 0 {
		t.Errorf("nothing was planted: %v", err)
	}
}

func TestReadingLeavesTheIndexAlone(t *testing.T) {
	r := newRepo(t, map[string]string{"a.txt": "a\n"})
	index := filepath.Join(r.Dir, "index")
	before, err := os.ReadFile(index)
	if err != nil {
		t.Fatal(err)
	}
	r.write(map[string]string{"a.txt": "a\n"}) // only its time is new, which git status would write down
	if _, err := r.Status(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := r.ChangedSince(t.Context(), "HEAD"); err != nil {
		t.Error(err)
	}
	if after, err := os.ReadFile(index); err != nil || string(after) != string(before) {
		t.Errorf("the index was written: %v", err)
	}
}

func TestErrorsAreInGitsWords(t *testing.T) {
	r := newRepo(t, map[string]string{"a": "a\n"})
	if err := os.RemoveAll(filepath.Join(r.Root, ".git")); err != nil {
		t.Fatal(err)
	}
	_, err := r.ListFiles(t.Context())
	var e *git.Error
	if !errors.As(err, &e) || e.Code != 128 && e.Code != 1 || e.Dir != r.Root || len(e.Args) == 0 {
		t.Errorf("got %+v", err)
	}
	e = &git.Error{Args: []string{"commit"}, Code: 1, Stderr: "hint: try this\nwarning: x\nerror: the reason\nfatal: more\n"}
	if got := e.Error(); got != "git commit: error: the reason" {
		t.Errorf("got %q", got)
	}
	if got := (&git.Error{Args: []string{"commit"}, Code: 7}).Error(); got != "git commit failed with exit code 7" {
		t.Errorf("got %q", got)
	}
}

func TestManyFiles(t *testing.T) {
	many := 300
	if testenv.CI() {
		many = 3000
	}
	of := map[string]edit.File{}
	for i := range many {
		of[fmt.Sprintf("dir%d/%d.txt", i%50, i)] = edit.File{Data: []byte(strconv.Itoa(i)), Exists: true}
	}
	r := newRepo(t, map[string]string{"a": "a\n"})
	r.undisturbed(func() {
		c := r.commit("fettle/1", of)
		if got, err := r.DiffTree(t.Context(), "HEAD", c.ID); err != nil || len(got) != len(of) {
			t.Errorf("%d files, %v", len(got), err)
		}
	})
}
