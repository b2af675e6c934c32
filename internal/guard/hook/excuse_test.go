package hook_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"fettle/internal/policy/shell"
)

// git runs git in the yard's project.
func (y *yard) git(args ...string) {
	y.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false", "-c", "core.hooksPath=/dev/null"}, args...)...)
	cmd.Dir = y.project
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	if out, err := cmd.CombinedOutput(); err != nil {
		y.t.Fatalf("git %v: %v: %s", args, err, out)
	}
}

// put puts a file there that is older than what git notes of it.
func (y *yard) put(name, text string) {
	y.t.Helper()
	file := filepath.Join(y.project, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		y.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		y.t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(file, old, old); err != nil {
		y.t.Fatal(err)
	}
}

// TestKept: deleting what git gives back is ordinary, and nothing else is.
func TestKept(t *testing.T) {
	y := newYard(t)
	y.git("init", "-q", "-b", "main")
	for _, name := range []string{"a.py", "src/b.py", "c.py", "changed.py", "marked.py", "tests/test_a.py"} {
		y.put(name, "x = 1\n")
	}
	y.git("add", "-A")
	y.git("commit", "-q", "-m", "first")
	y.git("update-index", "--assume-unchanged", "marked.py")
	y.put("changed.py", "x = 2\n")
	y.put("untracked.py", "x = 1\n")
	for _, c := range []struct{ command, want string }{
		{"rm a.py", ""},
		{"rm -f a.py src/b.py", ""},
		{"cd src && rm b.py && git status", ""},
		{"rm changed.py", "ask"},
		{"rm untracked.py", "ask"},
		{"rm marked.py", "ask"},
		{"rm a.py untracked.py", "ask"},
		{"rm *.py", "ask"},
		{"rm -r src", "ask"},
		{"rm tests/test_a.py", "ask"},
		{"rm .git/index", "deny"},
		{"rm -rf a.py", ""},
		{"rm -rf node_modules a.py && npm install", ""},
		{"rm -rf node_modules untracked.py", "ask"},
		{"git restore changed.py", "ask"},
		{"git restore a.py", ""},
		{"git checkout -- a.py src/b.py", ""},
		{"git checkout -- a.py changed.py", "ask"},
		{"git checkout HEAD -- a.py", "ask"},
		{"git restore --staged --worktree a.py", "ask"},
	} {
		y.says("again")
		y.bash(c.command).want(t, c.command, c.want, "")
	}
	// A working tree beside another one has its index elsewhere.
	y.git("worktree", "add", "-q", "../beside")
	beside := filepath.Join(filepath.Dir(y.project), "beside")
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(beside, "c.py"), old, old); err != nil {
		t.Fatal(err)
	}
	y.git("-C", beside, "update-index", "--refresh")
	y.env["CLAUDE_PROJECT_DIR"] = beside
	y.says("again")
	y.event("PreToolUse", map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": "rm c.py"}, "cwd": beside}).want(t, "in a working tree beside", "", "")
	if err := os.WriteFile(filepath.Join(y.project, ".git", "index"), []byte("DIRC\x00\x00\x00\x02\xff\xff\xff\xff"), 0o644); err != nil {
		t.Fatal(err)
	}
	y.env["CLAUDE_PROJECT_DIR"] = y.project
	y.says("again")
	y.bash("rm c.py").want(t, "with an index that is none", "ask", "")
}

// TestUndone: an agent may take back what it has done to a file that git held, as long as nobody else has touched it.
func TestUndone(t *testing.T) {
	y := newYard(t)
	y.git("init", "-q", "-b", "main")
	for _, name := range []string{"a.py", "b.py", "mixed.py", "before.py", "sub/c.py"} {
		y.put(name, "x = 1\n")
	}
	y.git("add", "-A")
	y.git("commit", "-q", "-m", "first")
	y.put("before.py", "x = 100\n") // the person's own work
	y.says("go on")
	edit := func(name, text string) {
		t.Helper()
		file := filepath.Join(y.project, name)
		call := map[string]any{"tool_name": "Write", "tool_input": map[string]any{"file_path": file, "content": text}}
		y.event("PreToolUse", call).want(t, name, "", "")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		y.event("PostToolUse", call)
	}
	for _, name := range []string{"a.py", "b.py", "mixed.py", "before.py", "sub/c.py"} {
		edit(name, "x = 20\n")
	}
	edit("a.py", "x = 300\n")
	y.put("mixed.py", "x = 4000\n") // the person writes to it, and then the agent again
	edit("mixed.py", "x = 50000\n")
	for _, c := range []struct{ command, want string }{
		{"git restore a.py", ""},
		{"git checkout -- a.py b.py", ""},
		{"git restore sub/c.py && git status", ""},
		{"git restore mixed.py", "ask"},
		{"git restore before.py", "ask"},
		{"git restore a.py before.py", "ask"},
		{"git restore --staged --worktree a.py", "ask"},
		{"git checkout HEAD -- a.py", "ask"},
		{"cd sub && git restore c.py", ""},
		{"git -C sub restore c.py", ""},
		{"cd sub; git restore c.py", "ask"}, // where there is no such folder, it would be another file
		{"cd\tsub && git restore a.py", "ask"},
		{"env --chdir=sub git restore before.py", "ask"},
		{"git submodule foreach git restore a.py", "ask"},
		{"GIT_WORK_TREE=sub git restore a.py", "ask"},
		{"git --work-tree=sub restore a.py", "ask"},
		{"git restore -SW a.py", "ask"},
		{"git status\ngit restore a.py", ""},
		{"git restore a.py && echo tree -C", ""},
		{"git restore '*.py'", "ask"},
		{"git restore .", "deny"},
		{"git stash drop", "ask"},
	} {
		y.says("again")
		y.bash(c.command).want(t, c.command, c.want, "")
	}
	y.put("a.py", "x = 600000\n") // the person's work, after the agent's
	y.says("again")
	y.bash("git restore a.py").want(t, "written to since", "ask", "")
}

// TestAmend: a commit that nobody else has seen may be made again.
func TestAmend(t *testing.T) {
	y := newYard(t)
	y.git("init", "-q", "-b", "main")
	y.put("a.py", "x = 1\n")
	y.git("add", "-A")
	y.says("go on")
	y.bash("git commit --amend --no-edit").want(t, "without a commit", "ask", "")
	y.git("commit", "-q", "-m", "first")
	y.says("again")
	y.bash("git commit --amend --no-edit").want(t, "unpushed", "", "")
	y.bash("git add -A && git commit -q --amend -m 'first of all'").want(t, "unpushed, with all", "", "")
	other := exec.Command("git", "clone", "-q", y.project, filepath.Join(y.home, "other"))
	if out, err := other.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := os.Remove(filepath.Join(y.home, "other", ".git", "packed-refs")); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(y.home, "other", ".git", "refs", "remotes")); err != nil {
		t.Fatal(err)
	}
	for _, message := range []string{"title\n\nbody", "set X-Custom header", "no eval, no GIT_DIR, no cd "} {
		y.says("again")
		y.bash("git commit --amend -m '"+message+"'").want(t, message, "", "")
	}
	for _, command := range []string{"cd\t../other && git commit --amend --no-edit", "env -C ../other git commit --amend --no-edit", "git submodule foreach git commit --amend --no-edit", "git commit --amend --no-edit --no-verify", "git -C ../other commit --amend --no-edit", "cd ../other && git commit --amend --no-edit", "git commit --amend --no-edit && git rebase main", "git push --force"} {
		y.says("again")
		if a := y.bash(command); a.Specific.Decision == "" {
			t.Errorf("%s passed", command)
		}
	}
	y.git("update-ref", "refs/remotes/origin/main", "HEAD")
	y.says("again")
	y.bash("git commit --amend --no-edit").want(t, "pushed", "ask", "")
	y.git("pack-refs", "--all")
	y.says("again")
	y.bash("git commit --amend --no-edit").want(t, "pushed, and packed", "ask", "")
	y.put("a.py", "x = 200\n")
	y.git("commit", "-q", "-a", "-m", "second")
	y.says("again")
	y.bash("git commit --amend --no-edit").want(t, "a second one", "", "")
	y.git("checkout", "-q", "--detach", "origin/main")
	y.says("again")
	y.bash("git commit --amend --no-edit").want(t, "pushed, and no branch", "ask", "")
	// What a rule of one's own asks about is asked about.
	y.git("checkout", "-q", "main")
	y.says("again")
	y.bash("git commit --amend --no-edit").want(t, "before the rule", "", "")
	y.hook.Policy = &shell.Policy{Rules: []shell.Rule{{ID: "own", Kinds: []shell.Kind{shell.Rewrite}, Decision: shell.Ask}}}
	y.says("again")
	y.bash("git commit --amend --no-edit").want(t, "by a rule of one's own", "ask", "")
}
