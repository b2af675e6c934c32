package git_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fettle/internal/git"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// line is what git prints, without the end of the line.
func (r repo) line(args ...string) string {
	r.t.Helper()
	return strings.TrimSuffix(r.git(args...), "\n")
}

// TestCommitHere: a commit on the branch that is checked out holds what was looked at and nothing else, and leaves what else is staged and changed as it was.
func TestCommitHere(t *testing.T) {
	for _, tt := range []struct {
		name   string
		paths  []string
		commit []string // of the files in the commit against its parent
		staged []string // afterwards
		dirty  []string
		others []string
	}{
		{"what is staged", nil, []string{"a", "new"}, nil, []string{"b"}, []string{"odd [x]*.txt", "other"}},
		{"named", []string{"b"}, []string{"b"}, []string{"a", "new"}, nil, []string{"odd [x]*.txt", "other"}},
		{"named and new", []string{"b", "odd [x]*.txt"}, []string{"b", "odd [x]*.txt"}, []string{"a", "new"}, nil, []string{"other"}},
		{"named and gone", []string{"c"}, []string{"c"}, []string{"a", "new"}, []string{"b"}, []string{"odd [x]*.txt", "other"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRepo(t, map[string]string{"a": "1\n", "b": "1\n", "c": "1\n"})
			r.write(map[string]string{"a": "2\n", "b": "2\n", "new": "1\n", "other": "1\n", "odd [x]*.txt": "1\n"})
			r.git("add", "a", "new")
			if slices.Contains(tt.paths, "c") {
				must(t, os.Remove(filepath.Join(r.Root, "c")))
			}
			head, err := r.Head(t.Context())
			must(t, err)
			tree, err := r.Prospect(t.Context(), tt.paths)
			must(t, err)
			made, err := r.CommitHere(t.Context(), head, tt.paths, tree, "say `why` $(not)\n\n- a point\n")
			must(t, err)
			if made.Tree != tree || made.Parent != head.Commit || made.Branch != "main" || made.ChangedByHooks != nil {
				t.Errorf("%+v, tree %s", made, tree)
			}
			got, err := r.DiffTree(t.Context(), made.Parent, made.ID)
			must(t, err)
			s, err := r.Status(t.Context())
			must(t, err)
			if !slices.Equal(got, tt.commit) || !slices.Equal(s.Staged(), tt.staged) || !slices.Equal(s.Unstaged(), tt.dirty) || !slices.Equal(s.Untracked(), tt.others) {
				t.Errorf("commit %q, staged %q, changed %q, untracked %q", got, s.Staged(), s.Unstaged(), s.Untracked())
			}
			last, err := r.LastCommit(t.Context(), "HEAD")
			must(t, err)
			if last.Subject != "say `why` $(not)" || last.Body != "- a point" {
				t.Errorf("the message is %q %q", last.Subject, last.Body)
			}
		})
	}
}

// TestCommitHereFirst: also the first commit of all.
func TestCommitHereFirst(t *testing.T) {
	r := unborn(t)
	r.write(map[string]string{"a": "1\n", "b": "1\n"})
	head, err := r.Head(t.Context())
	must(t, err)
	tree, err := r.Prospect(t.Context(), []string{"a"})
	must(t, err)
	made, err := r.CommitHere(t.Context(), head, []string{"a"}, tree, "add a")
	must(t, err)
	if made.Parent != "" || made.Tree != tree || r.line("ls-tree", "--name-only", "HEAD") != "a" {
		t.Errorf("%+v", made)
	}
}

// TestCommitHereChanged: what has changed since it was looked at is not committed.
func TestCommitHereChanged(t *testing.T) {
	for name, spoil := range map[string]func(r repo){
		"a file": func(r repo) { r.write(map[string]string{"a": "3\n"}) },
		"HEAD":   func(r repo) { r.git("commit", "-q", "--allow-empty", "-m", "somebody else's") },
		"branch": func(r repo) { r.git("switch", "-qc", "other") },
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepo(t, map[string]string{"a": "1\n"})
			r.write(map[string]string{"a": "2\n"})
			head, err := r.Head(t.Context())
			must(t, err)
			tree, err := r.Prospect(t.Context(), []string{"a"})
			must(t, err)
			spoil(r)
			was := r.line("rev-parse", "HEAD")
			if _, err := r.CommitHere(t.Context(), head, []string{"a"}, tree, "edit a"); !errors.Is(err, git.ErrChanged) {
				t.Error(err)
			}
			if now := r.line("rev-parse", "HEAD"); now != was {
				t.Error("it was committed")
			}
		})
	}
}

// TestCommitHereRefused: a hook that refuses leaves the index as it was, and one that changes files is told of.
func TestCommitHereRefused(t *testing.T) {
	r := newRepo(t, map[string]string{"a": "1\n"})
	r.write(map[string]string{"a": "2\n", "new": "1\n"})
	r.git("add", "a")
	before := r.git("status", "--porcelain")
	head, err := r.Head(t.Context())
	must(t, err)
	tree, err := r.Prospect(t.Context(), []string{"new"})
	must(t, err)
	r.hook("pre-commit", "echo 'house rules: no'; exit 1")
	var said *git.Error
	if _, err := r.CommitHere(t.Context(), head, []string{"new"}, tree, "add new"); !errors.As(err, &said) || !strings.Contains(said.Stderr, "house rules: no") {
		t.Error(err)
	}
	if after := r.git("status", "--porcelain"); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
	r.hook("pre-commit", "echo 9 > new && git add new")
	made, err := r.CommitHere(t.Context(), head, []string{"new"}, tree, "add new")
	must(t, err)
	if !slices.Equal(made.ChangedByHooks, []string{"new"}) {
		t.Errorf("%+v", made)
	}
}

// TestPush: what is ahead goes to the upstream, and to nowhere else; never by force.
func TestPush(t *testing.T) {
	r := newRepo(t, map[string]string{"a": "1\n"})
	upstream := func() (git.Upstream, error) {
		head, err := r.Head(t.Context())
		must(t, err)
		return r.Upstream(t.Context(), head)
	}
	if _, err := upstream(); !errors.Is(err, git.ErrNoUpstream) {
		t.Error(err)
	}
	origin := filepath.Join(t.TempDir(), "origin.git")
	r.git("clone", "-q", "--bare", ".", origin)
	r.git("remote", "add", "origin", origin)
	r.git("push", "-qu", "origin", "main:trunk")
	u, err := upstream()
	must(t, err)
	if u.Remote != "origin" || u.Branch != "trunk" || u.Ahead != nil {
		t.Errorf("%+v", u)
	}
	r.write(map[string]string{"a": "2\n"})
	r.git("commit", "-qam", "second")
	r.git("tag", "-a", "v1", "-m", "v1")
	r.git("config", "push.followTags", "true")
	u, err = upstream()
	must(t, err)
	if len(u.Ahead) != 1 || !strings.HasSuffix(u.Ahead[0], " second") {
		t.Errorf("%+v", u)
	}
	must(t, r.Push(t.Context(), u, r.line("rev-parse", "HEAD")))
	if got := gitIn(t, origin, "log", "--format=%s", "-1", "trunk"); got != "second\n" {
		t.Errorf("there is %q", got)
	}
	if got := gitIn(t, origin, "tag"); got != "" {
		t.Errorf("a tag went along: %q", got)
	}
	r.git("reset", "-q", "--hard", "HEAD~")
	r.git("commit", "-q", "--allow-empty", "-m", "another way")
	if err := r.Push(t.Context(), u, r.line("rev-parse", "HEAD")); err == nil {
		t.Error("what is there was overwritten")
	}
	r.git("config", "remote.pushDefault", "fork")
	if _, err := upstream(); err == nil || !strings.Contains(err.Error(), "remote.pushDefault") {
		t.Error(err)
	}
}

// TestBetween: the commits on the way from one revision to another, those of a branch that was merged too; from nothing, all.
func TestBetween(t *testing.T) {
	r := newRepo(t, map[string]string{"a": "1\n"})
	r.git("switch", "-qc", "side")
	r.git("commit", "-q", "--allow-empty", "-m", "on the side")
	r.git("switch", "-q", "main")
	r.git("commit", "-q", "--allow-empty", "-m", "straight on")
	r.git("merge", "-q", "--no-ff", "side", "-m", "both")
	for from, want := range map[string]int{"HEAD": 0, "side": 2, "HEAD~2": 3, "": 4} {
		commits, err := r.Between(t.Context(), from, "HEAD")
		if err != nil || len(commits) != want || want > 0 && strings.TrimSpace(commits[want-1].Message) != "both" {
			t.Errorf("from %q: %v, %v", from, commits, err)
		}
	}
}

// TestUnpublished: what a push shows to others for the first time is told by the place that is pushed to, and as others get it.
func TestUnpublished(t *testing.T) {
	r := newRepo(t, map[string]string{"a": "1\n"})
	origin := filepath.Join(t.TempDir(), "origin.git")
	r.git("clone", "-q", "--bare", ".", origin)
	r.git("remote", "add", "origin", origin)
	r.git("push", "-qu", "origin", "main")
	r.git("switch", "-qc", "side")
	r.git("commit", "-q", "--allow-empty", "-m", "on the side\n\nfor a reason")
	r.git("switch", "-q", "main")
	r.git("commit", "-q", "--allow-empty", "-m", "straight on")
	r.git("merge", "-q", "--no-ff", "side", "-m", "both")
	fresh := func() ([]string, error) {
		head, err := r.Head(t.Context())
		must(t, err)
		u, err := r.Upstream(t.Context(), head)
		must(t, err)
		commits, err := r.Unpublished(t.Context(), u, head.Commit)
		var said []string
		parents := map[string]bool{head.Commit: true}
		for _, c := range slices.Backward(commits) {
			if !parents[c.ID] {
				t.Errorf("%q comes after what follows it", c.Message)
			}
			for _, p := range c.Parents {
				parents[p] = true
			}
			said = append(said, strings.TrimSpace(c.Message))
		}
		slices.Sort(said)
		return said, err
	}
	check := func(when string, want ...string) {
		t.Helper()
		if got, err := fresh(); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v", when, got, err)
		}
	}
	check("all that is new", "both", "on the side\n\nfor a reason", "straight on")
	r.git("replace", "--graft", "HEAD", "origin/main")
	check("with a commit that stands here in another's place", "both", "on the side\n\nfor a reason", "straight on")
	r.git("replace", "-d", "HEAD")
	r.git("push", "-q", "origin", "side")
	r.git("update-ref", "-d", "refs/remotes/origin/side")
	check("the side is there by its own name", "both", "straight on")
	r.git("update-ref", "refs/remotes/origin/main", "HEAD~")
	if _, err := fresh(); !errors.Is(err, git.ErrStale) {
		t.Error(err)
	}
	r.git("fetch", "-q")
	gitIn(t, origin, "update-ref", "-d", "refs/heads/main")
	if _, err := fresh(); !errors.Is(err, git.ErrStale) {
		t.Error(err)
	}
	r.git("remote", "set-url", "--add", "--push", "origin", origin)
	r.git("remote", "set-url", "--add", "--push", "origin", origin+"2")
	if _, err := fresh(); err == nil || !strings.Contains(err.Error(), "several places") {
		t.Error(err)
	}
}
