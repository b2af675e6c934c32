package git_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fettle/internal/edit"
	"fettle/internal/git"
	"fettle/internal/testenv"
)

func TestHooksRunAsForTheUser(t *testing.T) {
	r := newRepo(t, map[string]string{"a.txt": "a\n", "b/c.txt": "c\n"})
	trace := filepath.Join(t.TempDir(), "trace")
	for _, name := range []string{"pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "post-checkout", "pre-push"} {
		r.hook(name, "echo some noise; echo "+name+` $(cat b/c.txt a.txt) $(git symbolic-ref --short HEAD) >>'`+trace+`'`)
	}
	r.hook("commit-msg", "echo commit-msg >>'"+trace+"'; echo 'Change-Id: I1' >>\"$1\"")
	r.undisturbed(func() {
		c := r.commit("fettle/1", files(map[string]string{"a.txt": "A\n"}))
		if c.ChangedByHooks != nil {
			t.Errorf("no hook changed a file: %q", c.ChangedByHooks)
		}
		if got := r.git("log", "-1", "--format=%B", "fettle/1"); !strings.Contains(got, "Change-Id: I1") {
			t.Errorf("message: %q", got)
		}
	})
	got, err := os.ReadFile(trace)
	want := "pre-commit c A fettle/1\nprepare-commit-msg c A fettle/1\ncommit-msg\npost-commit c A fettle/1\n"
	if err != nil || string(got) != want {
		t.Errorf("hooks: %q, %v", got, err)
	}
}

func TestHookThatFails(t *testing.T) {
	for _, name := range []string{"pre-commit", "prepare-commit-msg", "commit-msg"} {
		t.Run(name, func(t *testing.T) {
			r := newRepo(t, map[string]string{"a.txt": "a\n"})
			existing := r.commit("fettle/old", files(map[string]string{"b.txt": "b\n"}))
			r.hook(name, "echo the reason; echo x >a.txt; echo more; exit 3")
			for branch, tip := range map[string]string{"fettle/old": existing.ID, "fettle/new": ""} {
				r.undisturbed(func() {
					_, err := r.Commit(t.Context(), git.CommitRequest{Branch: branch, Files: files(map[string]string{"a.txt": "A\n"}), Message: "m"})
					var e *git.Error
					if !errors.As(err, &e) || !strings.Contains(e.Stderr, "the reason\nmore\n") || !strings.Contains(err.Error(), "the reason") || e.Code != 1 {
						t.Errorf("got %v", err)
					}
				})
				if got := strings.TrimSpace(r.git("for-each-ref", "--format=%(objectname)", "refs/heads/"+branch)); got != tip {
					t.Errorf("%s stands at %q, want %q", branch, got, tip)
				}
			}
		})
	}
}

func TestHookThatChangesFiles(t *testing.T) {
	r := newRepo(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n"})
	r.hook("pre-commit", "for f in $(git diff --cached --name-only); do tr a-z A-Z <$f >t && mv t $f; git add $f; done; echo unstaged >b.txt; echo x >new; git add new")
	r.undisturbed(func() {
		c := r.commit("fettle/1", files(map[string]string{"a.txt": "changed\n"}))
		if !slices.Equal(c.ChangedByHooks, []string{"a.txt", "new"}) {
			t.Errorf("changed by hooks: %q", c.ChangedByHooks)
		}
		r.holds("fettle/1", map[string]string{"a.txt": "CHANGED\n", "b.txt": "b\n", "new": "x\n"})
	})
}

// Tools write hooks into an ignored folder of the user's working tree, which the temporary worktree does not have.
func TestRelativeHooksPath(t *testing.T) {
	r := newRepo(t, map[string]string{"a.txt": "a\n", ".gitignore": ".hooks\n"})
	r.git("config", "core.hooksPath", ".hooks")
	r.write(map[string]string{".hooks/pre-commit": "#!/bin/sh\nexit 1\n"})
	if err := os.Chmod(filepath.Join(r.Root, ".hooks/pre-commit"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Commit(t.Context(), git.CommitRequest{Branch: "b", Files: files(map[string]string{"a.txt": "x"}), Message: "m"}); err == nil {
		t.Error("the hook did not run")
	}
}

func TestSigning(t *testing.T) {
	testenv.NeedTool(t, "ssh-keygen")
	r := newRepo(t, map[string]string{"a.txt": "a\n"})
	key := filepath.Join(t.TempDir(), "key")
	if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	public, err := os.ReadFile(key + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	signers := key + ".signers"
	if err := os.WriteFile(signers, append([]byte("ada@example.com "), public...), 0o600); err != nil {
		t.Fatal(err)
	}
	for k, v := range map[string]string{"gpg.format": "ssh", "user.signingKey": key, "commit.gpgSign": "true", "gpg.ssh.allowedSignersFile": signers} {
		r.git("config", k, v)
	}
	r.undisturbed(func() {
		r.commit("fettle/1", files(map[string]string{"a.txt": "b\n"}))
		r.git("verify-commit", "fettle/1")
	})
	r.git("config", "user.signingKey", key+".missing")
	_, err = r.Commit(t.Context(), git.CommitRequest{Branch: "fettle/2", Files: files(map[string]string{"a.txt": "c\n"}), Message: "m"})
	if ok, _ := r.Exists(t.Context(), "fettle/2"); err == nil || ok {
		t.Errorf("what cannot be signed was committed: %v", err)
	}
}

func TestGpgProgram(t *testing.T) {
	r := newRepo(t, map[string]string{"a.txt": "a\n"})
	fake := filepath.Join(t.TempDir(), "gpg")
	script := "#!/bin/sh\ncat >/dev/null\necho '[GNUPG:] SIG_CREATED ' >&2\necho '-----BEGIN PGP SIGNATURE-----'\necho\necho fake\necho '-----END PGP SIGNATURE-----'\n"
	if err := os.WriteFile(fake, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	r.git("config", "gpg.program", fake)
	r.git("config", "commit.gpgSign", "true")
	c := r.commit("fettle/1", files(map[string]string{"a.txt": "b\n"}))
	if got := r.git("cat-file", "commit", c.ID); !strings.Contains(got, "gpgsig -----BEGIN PGP SIGNATURE-----") {
		t.Errorf("not signed: %s", got)
	}
}

func TestFiltersAndLineEndings(t *testing.T) {
	r := newRepo(t, map[string]string{
		".gitattributes": "*.up filter=up\n*.crlf eol=crlf\n*.raw -text\n", "a.up": "stored\n", "b.crlf": "b\n", "c.raw": "c\r\n", "d.txt": "d\n",
	})
	for k, v := range map[string]string{"filter.up.clean": "tr A-Z a-z", "filter.up.smudge": "tr a-z A-Z", "core.autocrlf": "true"} {
		r.git("config", k, v)
	}
	r.git("rm", "-q", "--cached", "-r", ".")
	r.git("reset", "-q", "--hard")
	for _, p := range []string{"a.up", "b.crlf", "c.raw", "d.txt"} { // the working tree's form comes in, the stored form goes out
		data, err := os.ReadFile(filepath.Join(r.Root, p))
		if err != nil {
			t.Fatal(err)
		}
		before := edit.File{Data: data, Mode: 0o644, Exists: true}
		after := before
		after.Data = append(slices.Clone(data), "MORE\r\n"...)
		r.undisturbed(func() {
			merged, err := r.MergeOntoHead(t.Context(), p, before, after)
			if err != nil || string(merged.Data) != string(after.Data) {
				t.Errorf("%s: %q, %v", p, merged.Data, err)
			}
			r.commit("fettle/"+p, map[string]edit.File{p: merged})
		})
	}
	for p, want := range map[string]string{"a.up": "stored\nmore\n", "b.crlf": "b\nMORE\n", "c.raw": "c\r\nMORE\r\n", "d.txt": "d\nMORE\n"} {
		if got := r.git("cat-file", "blob", "fettle/"+p+":"+p); got != want {
			t.Errorf("%s is stored as %q, want %q", p, got, want)
		}
	}
}

func TestSparseCheckout(t *testing.T) {
	for _, hook := range []bool{false, true} {
		r := newRepo(t, map[string]string{"in/a.txt": "a\n", "out/b.txt": "b\n", "out/c.txt": "c\n"})
		r.git("sparse-checkout", "set", "in")
		if hook {
			r.hook("pre-commit", "test -f in/a.txt && ! test -f out/c.txt")
		}
		r.undisturbed(func() {
			want := files(map[string]string{"in/a.txt": "A\n", "out/b.txt": "B\n", "out/new.txt": "n\n"})
			r.commit("fettle/1", want)
			r.holds("fettle/1", map[string]string{"in/a.txt": "A\n", "out/b.txt": "B\n", "out/c.txt": "c\n", "out/new.txt": "n\n"})
		})
	}
}

func TestSubmodule(t *testing.T) {
	other := newRepo(t, map[string]string{"x.txt": "x\n"})
	r := newRepo(t, map[string]string{"a.txt": "a\n"})
	r.git("submodule", "--quiet", "add", other.Root, "sub")
	r.git("commit", "-qm", "submodule")
	link := strings.TrimSpace(r.git("rev-parse", "HEAD:sub"))
	r.hook("pre-commit", "test -f a.txt")
	sub := open(t, filepath.Join(r.Root, "sub"))
	sub.write(map[string]string{"x.txt": "dirty\n"})
	r.undisturbed(func() {
		r.commit("fettle/1", files(map[string]string{"a.txt": "A\n"}))
		if got := strings.TrimSpace(r.git("rev-parse", "fettle/1:sub")); got != link {
			t.Errorf("the submodule went from %s to %s", link, got)
		}
		if _, err := r.Commit(t.Context(), git.CommitRequest{Branch: "fettle/2", Files: files(map[string]string{"sub": "x"}), Message: "m"}); err == nil {
			t.Error("a submodule was replaced by a file")
		}
	})
	if got, err := r.Ignored(t.Context(), []string{"sub/x.txt", "a.txt"}); err != nil || got != nil {
		t.Errorf("Ignored: %q, %v", got, err)
	}
	if s, err := r.Status(t.Context()); err != nil || !s.Clean() {
		t.Errorf("what is inside a submodule is its own: %+v, %v", s, err)
	}
	for _, before := range []edit.File{{}, {Data: []byte("x\n"), Mode: 0o644, Exists: true}} {
		after := edit.File{Data: []byte("y\n"), Mode: 0o644, Exists: true}
		var nested *git.NestedError
		if _, err := r.MergeOntoHead(t.Context(), "sub/x.txt", before, after); !errors.As(err, &nested) || nested.Repository != "sub" {
			t.Errorf("a file of the submodule as one of ours: %v", err)
		}
	}
	if _, err := r.Commit(t.Context(), git.CommitRequest{Branch: "fettle/3", Files: files(map[string]string{"sub/new.txt": "x"}), Message: "m"}); err == nil {
		t.Error("a submodule was replaced by a folder")
	}
	var changed *git.SubmoduleError
	if _, err := r.TreeDelta(t.Context(), "HEAD"); !errors.As(err, &changed) {
		t.Errorf("a tree with another submodule than the one that is there: %v", err)
	}
	sub.write(map[string]string{"x.txt": "x\n", "built.txt": ""})
	if delta, err := r.TreeDelta(t.Context(), "HEAD"); err != nil || len(delta) != 0 {
		t.Errorf("a submodule in which something was built: %v, %v", delta, err)
	}
	sub.undisturbed(func() { // and a submodule is a repository like any other
		sub.commit("fettle/1", files(map[string]string{"y.txt": "y\n"}))
		sub.holds("fettle/1", map[string]string{"x.txt": "x\n", "y.txt": "y\n"})
	})
}

func TestLinkedWorktree(t *testing.T) {
	r := newRepo(t, map[string]string{"a.txt": "a\n"})
	keys := map[string]bool{r.WorktreeKey(): true}
	if !keys["main"] {
		t.Errorf("got %q", r.WorktreeKey())
	}
	for _, name := range []string{"one", "main"} {
		dir := filepath.Join(t.TempDir(), name)
		r.git("worktree", "add", "-q", "-b", name+"-branch", dir)
		w := open(t, dir)
		if w.CommonDir != r.CommonDir || w.Root == r.Root || keys[w.WorktreeKey()] {
			t.Errorf("got %+v, key %q", w.Repo, w.WorktreeKey())
		}
		keys[w.WorktreeKey()] = true
		w.write(map[string]string{"a.txt": name + "\n"})
		w.git("add", "a.txt")
		w.undisturbed(func() { w.commit("fettle/"+name, files(map[string]string{"a.txt": "A\n"})) })
		if _, err := r.Commit(t.Context(), git.CommitRequest{Branch: name + "-branch", Files: files(map[string]string{"a": "x"}), Message: "m"}); !errors.Is(err, git.ErrCheckedOut) {
			t.Errorf("got %v", err)
		}
	}
}
