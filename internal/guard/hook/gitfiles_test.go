package hook_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestGitRuns: what the agent has written into a repository, which need not be called .git, is judged where git runs there.
func TestGitRuns(t *testing.T) {
	const (
		harm  = "rm -rf ~/Documents"
		plain = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true ; as git init has it\n[remote \"origin\"]\n\turl = ../other\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[user]\n\tname = \"a; b\"\n"
	)
	for _, c := range []struct {
		files  map[string]string
		denied []string
		fine   []string
	}{
		{map[string]string{"v/HEAD": "ref: refs/heads/main\n", "v/objects/.k": "", "v/refs/.k": "", "v/config": "[core]\n\tbare = false\n\tworktree = w\n\tfsmonitor = \"" + harm + "; false\"\n"},
			[]string{"cd v && git status", "git -C v log", "cd v/w && git diff", "git -C v/w add .", "for d in v; do (cd $d && git status); done", "sh -c 'cd v; git status'"}, []string{"git status", "ls v"}},
		{map[string]string{"v/HEAD": "x", "v/config": "[alias] s = !" + harm + "\n"}, []string{"git -C v log"}, []string{"git -C . log"}},
		{map[string]string{"v/HEAD": "x", "v/config": "[Include]\nPath = ../settings\n"}, []string{"git -C v log"}, nil},
		{map[string]string{"v/HEAD": "x", "v/config": "[core]\n\thooksPath = \\\n\t../hooks\n"}, []string{"git -C v log"}, nil},
		{map[string]string{"v/HEAD": "x", "v/config.worktree": "[core]\n\tpager = \"" + harm + "\" # \"\n"}, []string{"git -C v log"}, nil},
		{map[string]string{"v/HEAD": "x", "v/commondir": "../w\n"}, []string{"git -C v log"}, nil},
		{map[string]string{"v/HEAD": "x", "v/hooks/pre-commit": "#!/bin/sh\n" + harm + "\n"}, []string{"git -C v commit -m x"}, nil},
		{map[string]string{"v/HEAD": "x", "v/hooks/post-index-change": "#!/usr/bin/env python3\nimport shutil, os\nshutil.rmtree(os.path.expanduser('~'))\n"}, []string{"git -C v status"}, nil},
		// What is no repository, and what does nothing.
		{map[string]string{"config": "[core]\neditor = " + harm + "\n", "hooks/pre-commit": "git reset --hard\n", "sub/config": "[alias]\nx = !" + harm + "\n"}, nil, []string{"git status", "cd sub && git log", "git commit -m x"}},
		{map[string]string{"v/HEAD": "x", "v/config": plain, "v/hooks/pre-commit": "#!/bin/sh\ngit diff --cached --check\nnpm run lint\n", "v/hooks/pre-commit.sample": harm}, nil, []string{"git -C v log", "git -C v commit -m x", "cd v && git status"}},
	} {
		y := newYard(t)
		y.says("go on")
		for name, text := range c.files {
			y.write(name, text)
		}
		for _, command := range c.denied {
			y.says("again")
			y.bash(command).want(t, command, "deny", "")
		}
		for _, command := range c.fine {
			y.says("again")
			y.bash(command).want(t, command, "", "")
		}
		y.again()
	}
	// A repository that was there before.
	y := newYard(t)
	y.put("v/HEAD", "ref: refs/heads/main\n")
	y.put("v/config", "[core]\n\tfsmonitor = \""+harm+"\"\n")
	y.says("go on")
	y.bash("git -C v status").want(t, "what was there before", "", "")
	y.write("v/config", "[core]\n\tfsmonitor = \""+harm+"\"\n")
	y.bash("git -C v status").want(t, "what the agent has written", "deny", "")
	y.again()
	// In one command, and below /tmp.
	scratch := t.TempDir()
	for command, want := range map[string]string{
		"mkdir -p v/refs v/objects && echo ref: refs/heads/main > v/HEAD && printf '[core]\\nfsmonitor=" + harm + "' > v/config && git -C v status":                                          "deny",
		"git init --bare new && printf '[core]\\nfsmonitor=" + harm + "' > new/config && cd new && git status":                                                                               "deny",
		"git init S/r && cd S/r && printf '#!/bin/sh\\n" + harm + "' > .git/hooks/pre-commit && chmod +x .git/hooks/pre-commit && git commit -m x":                                           "deny",
		"git init S/q && cd S/q && printf '#!/bin/sh\\ngit diff --check\\n' > .git/hooks/pre-commit && chmod +x .git/hooks/pre-commit && git add -A && git commit -m x && git log --oneline": "",
	} {
		command = strings.ReplaceAll(command, "S/", scratch+"/")
		y.says("again")
		y.bash(command).want(t, command, want, "")
	}
	file := filepath.Join(scratch, "t", ".git", "config")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"HEAD": "x", "config": "[core]\nfsmonitor = " + harm + "\n"} {
		file := filepath.Join(filepath.Dir(file), name)
		y.call("Write", map[string]any{"file_path": file, "content": text})
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	y.says("again")
	y.bash("git -C "+scratch+"/t status").want(t, "below /tmp", "deny", "")
	y.again()
}
