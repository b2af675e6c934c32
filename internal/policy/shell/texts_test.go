package shell_test

import (
	"strings"
	"testing"

	"fettle/internal/policy/shell"
)

// TestReasons is how a decision reads, also where what it is about has no name.
func TestReasons(t *testing.T) {
	for command, want := range map[string]string{
		"git push":                  "git push would show others",
		"git push origin topic":     "git push would show others: origin topic",
		"docker compose up":         "docker compose up would change a service or a container",
		"pip install":               "pip install would install packages, and packages run code when they are installed",
		"npm install left-pad":      "npm install would install left-pad, and packages run code when they are installed",
		"code .":                    "code would use a window, and what becomes of that is not known",
		"frobnicate --all":          "nothing is known of frobnicate",
		"uv cache clean":            "uv cache clean would change what is installed, or which of it is used",
		"corepack enable":           "corepack would change what is installed, or which of it is used: enable",
		"npm uninstall x":           "npm uninstall would change what is installed, or which of it is used: x",
		"git checkout main -- a.py": "git checkout would throw away what was changed in a.py (by what main has)",
		"restic forget --prune":     "restic would change what is kept elsewhere: forget",
		"uvx left-pad@1 --help":     "uvx would install left-pad@1, and packages run code when they are installed",
		"uvx --from x==1 ruff -h":   "uvx would install packages, and packages run code when they are installed",
		"uvx ruff check .":          "",
		"pipx run black a.py":       "",

		"curl -d @f https://example.com":          "curl would send something to https://example.com",
		"curl -d x https://example.com":           "curl would send something to https://example.com",
		"curl -T f https://example.com":           "curl would send something to https://example.com",
		"wget --post-file=f https://example.com":  "wget would send something to https://example.com",
		"scp f host:":                             "scp would send something to host",
		"rsync -a src host:/srv":                  "rsync would send something to host",
		"rclone copy f remote:":                   "rclone copy would send something to f remote:",
		"mv fettle.yaml x":                        "/home/dev/repo/fettle.yaml steers agents, git, or what runs by itself, and mv would take it away",
		"rm -rf .git":                             "/home/dev/repo/.git steers agents, git, or what runs by itself, and rm would take it away",
		"mv .env x":                               "mv would destroy /home/dev/repo/.env",
		"mv ~/x y":                                "mv would delete /home/dev/x, which is not this project's",
		"git remote add up https://example.com/a": "git remote add would change where this repository is fetched from and pushed to: up https://example.com/a",
		"git remote remove up":                    "git remote remove would change where this repository is fetched from and pushed to: up",
	} {
		if v := judge(command); v.Reason != want {
			t.Errorf("%s: %q, want %q (%v)", command, v.Reason, want, v.Facts)
		}
	}
}

// TestAlternatives is what somebody is told to do instead who has typed this: what helps with another command of the same kind need not help here.
func TestAlternatives(t *testing.T) {
	for command, want := range map[string][2]string{
		"gh repo delete me/x":       {"gh repo delete would change what is elsewhere", "tell the person what has to change there"},
		"gh issue close 3":          {"gh issue close would change what is elsewhere", "gh issue list"},
		"gh pr create":              {"would show others", "by which command"},
		"printenv API_KEY":          {"printenv would show secrets: API_KEY", "whether it is there"},
		"printenv":                  {"printenv would show secrets: the environment", "the one variable"},
		"gh auth token":             {"would show secrets: a token", "to the program that needs it"},
		"rm .env":                   {"rm would delete", "what may go"},
		"echo x > .env":             {"> would change", "an example file"},
		"cat ~/.ssh/id_rsa":         {"cat would read", "what for"},
		"rm tests/test_x.py":        {"rm would delete it", "why it may go"},
		"rm Makefile":               {"rm would delete it", "what may go"},
		"rm CLAUDE.md":              {"rm would delete it", "what may go"},
		"echo x > CLAUDE.md":        {"> would change it", "what would stand there"},
		"> ~/notes.txt":             {"> would empty", "what may go"},
		"truncate -s 0 ~/notes.txt": {"truncate would empty", "what may go"},
		"rm ~/notes.txt":            {"rm would delete", "what may go"},
		"touch ~/notes.txt":         {"touch would change", "in the project's folder"},
		"rm src/new.js":             {"rm would delete or empty", "commit it first"},
		"rm -r src":                 {"with everything below", "git rm -r"},
		"npm uninstall x":           {"npm uninstall would change what is installed", "leave it as it is"},
		"npm install x":             {"npm install would install x", "npm ci"},
		"git branch -D x":           {"git branch would take a branch away", "git branch -d"},
		"git tag -d v1":             {"git tag would take a tag away", "of a tag"},
		"git rebase -i HEAD~3":      {"would change what was committed", "git revert"},
		"git stash drop":            {"in a stash", "git stash apply"},
		"git stash clear":           {"all stashes", "git stash apply"},
		"git filter-branch x":       {"history", "git revert"},
		"git restore a.js":          {"in a.js", "git stash keeps it"},
		"git remote add x y":        {"git remote add would change where", "which other one is needed"},
	} {
		v := judge(command)
		if v.Decision == shell.Allow || !strings.Contains(v.Reason, want[0]) || !strings.Contains(v.Alternative, want[1]) {
			t.Errorf("%s: %s\n  %s\n  instead: %s", command, v.Decision, v.Reason, v.Alternative)
		}
	}
}

// TestInstead is what the rules' alternatives name as commands: none of it is stopped itself.
func TestInstead(t *testing.T) {
	for _, command := range []string{
		"git stash", "git switch main", "git reset --soft HEAD~1", "git rm a.go", "git remote -v", "git revert HEAD", "git commit --fixup HEAD", "git merge main",
		"npm ci", "uv sync", "npm run dev", "sleep 9 & kill %1", "docker ps", "docker logs web", "psql -c 'SELECT 1'", "terraform plan", "kubectl diff -f a.yaml",
		"chmod u+x a.sh", "chmod 644 a.txt", "chmod 755 a.sh", "fettle diff", "cat .env.example", "git rm -r src", "git stash apply", "git branch -d topic", "git commit -m x", `test -n "$API_KEY"`, "printenv HOME", "gh repo view", "gh issue list", "systemctl status x", "aws s3 ls",
	} {
		if v := judge(command); v.Decision != shell.Allow {
			t.Errorf("%s: %s (%s)", command, v.Decision, v.Reason)
		}
	}
}

// TestPrepares is files that run something later, or say what git takes from where: they are read and asked about, in the project as below it.
func TestPrepares(t *testing.T) {
	for path, want := range map[string]shell.Decision{
		".devcontainer/devcontainer.json": shell.Ask, ".devcontainer/setup.sh": shell.Ask, ".devcontainer.json": shell.Ask, ".gitmodules": shell.Ask,
		".gitattributes": shell.Ask, "src/.gitattributes": shell.Ask, ".vscode/tasks.json": shell.Deny, "docs/gitattributes.md": shell.Allow, ".gitignore": shell.Allow,
	} {
		if v := judge("echo x >> " + path); v.Decision != want {
			t.Errorf("%s: %s %v", path, v.Decision, v.Facts)
		}
		if v := judge("cat " + path); v.Decision != shell.Allow {
			t.Errorf("reading %s: %s", path, v.Decision)
		}
	}
}

// TestAttempts is what tells one attempt from another once it is left out by which program it was made: not one thing that docker removes from another.
func TestAttempts(t *testing.T) {
	seen := map[string]string{}
	for _, command := range []string{"docker image prune", "docker volume prune -f", "docker container prune", "docker system prune -a", "docker compose down", "docker rm x"} {
		facts := judge(command).Facts
		f := facts[len(facts)-1]
		f.By = ""
		if other, ok := seen[f.String()]; ok {
			t.Errorf("%s and %s are both %q", command, other, f)
		}
		seen[f.String()] = command
	}
}
