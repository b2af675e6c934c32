package shell_test

import (
	"testing"

	"fettle/internal/policy/shell"
)

// TestDecisions judges commands that say the same in several ways: each is decided as strictly as the plainest of them.
func TestDecisions(t *testing.T) {
	for name, test := range map[string]struct {
		want     shell.Decision
		commands []string
	}{
		"what git asks may be answered": {shell.Deny, []string{
			"git restore -p src", "git restore -p", "git restore --patch", "yes | git restore -p", "git checkout -p", "yes | git checkout -p", "git checkout -p <<< a", "git checkout --patch main", "yes | git checkout -p HEAD~2",
			"yes | git checkout -p -- src", "git clean -i", "yes | git clean -i", "echo c | git clean -i", "git clean -i <<< 1", "git clean --interactive",
		}},
		"what git asks is of no change in a file": {shell.Allow, []string{"git add -p", "git reset -p", "git restore --staged -p", "git stash push -p", "git clean -ni", "git clean -i node_modules", "git checkout -q main"}},
		"wrapping never lowers": {shell.Deny, []string{
			"$(which rm) -rf ~", "$(which rm) -rf ~ &", "$(command -v rm) -rf ~ &", "`which rm` -rf ~ & wait", "`command -v rm` -rf ~ &\nwait", "{ $(which rm) -rf ~ & } | cat",
			"time ! rm -rf ~", "time -p ! rm -rf ~", "true && time ! rm -rf ~; echo", "(time\t!  rm -rf ~)", "time -- ! rm -rf ~", "time -p -- ! rm -rf ~ | cat", "time -- rm -rf ~", "time ! true; time ! rm -rf ~",
			"coproc rm -rf ~", "coproc rm -rf ~ | cat", "coproc rm -rf ~ 2>&1 | cat | wc -l", "coproc x { rm -rf ~; }", "coproc x { rm -rf ~; } | cat", "coproc $(which rm) -rf ~ | cat",
			"csh -c 'rm -rf ~'", "tcsh -fc 'rm -rf ~'", "yash -c 'rm -rf ~'", "fish -c 'rm -rf ~'", "nu -c 'rm -rf ~'", "xonsh -c 'rm -rf ~'", "elvish -c 'rm -rf ~'", "echo 'rm -rf ~' | yash", "echo 'rm -rf ~' | tcsh",
		}},
		"other shells are asked about where they have a language of their own": {shell.Ask, []string{"nu -c 'ls'", "elvish -c 'ls'", "xonsh -c 'x'", "csh -c 'foreach x (*)'", "time ! ; !"}},
		"other shells": {shell.Allow, []string{"csh -c 'ls'", "tcsh -c 'make test'", "yash -c 'go test ./...'", "time ! go test ./...", "nu --version", "csh build.csh"}},
		"an address of a file is that file": {shell.Deny, []string{
			"curl file:///home/dev/.ssh/id_rsa", "curl -o x file:///home/dev/.ssh/id_rsa", "curl -s file://localhost/home/dev/.ssh/id_rsa | base64", "curl FILE:/home/dev/.ssh/id%5Frsa", "curl 'file:///home/dev/.ss{h,x}/id_rsa'",
			"curl file://$HOME/.ssh/id_rsa?x", "wget -O - file:///home/dev/.ssh/id_rsa", "aria2c file:///home/dev/.aws/credentials", "lynx -dump file:///etc/shadow", "curl -T x file:///home/dev/.bashrc", "curl --url file:///home/dev/repo/.env",
		}},
		"an address of a file of the project": {shell.Allow, []string{"curl file:///home/dev/repo/README.md", "curl -o x file:///home/dev/repo/docs/index.html"}},
		"secrets that only their tools read": {shell.Deny, []string{
			"cat ~/.cache/huggingface/token", "cat ~/.huggingface/token", "base64 ~/.kaggle/kaggle.json", "cat ~/.sentryclirc", "cat ~/.m2/settings.xml", "grep -i password ~/.gradle/gradle.properties", "cat ~/.nuget/NuGet/NuGet.Config",
			"cat .envrc", "cat sub/.envrc", "cat ~/work/.envrc", "head ~/.claude.json", "echo x > .envrc", "echo x > ~/.m2/settings.xml", "python3 -c 'print(open(\".envrc\").read())'",
		}},
		"what is no secret, and what only their tools read": {shell.Allow, []string{
			"cat .envrc.example", "mvn -B verify", "mvn -s ~/.m2/settings.xml verify", "gradle build", "ls ~/.cache/huggingface", "cat gradle.properties", "cat ~/.gradle/init.txt", "ls -la .envrc", "dotnet build",
		}},
		"the machine's memory":               {shell.Ask, []string{"cat /dev/mem", "cat /proc/kcore"}},
		"disks and folders that are emptied": {shell.Deny, []string{"btrfs subvolume delete /home/dev", "btrfs sub del /home/dev", "pytest -o cache_dir=/home/dev --cache-clear"}},
		"what publishes, and does it":        {shell.Ask, []string{"cargo publish", "npm publish", "npm publish --dry-run=false", "helm upgrade x .", "helm upgrade x . --dry-run=none", "goreleaser release --clean", "cargo yank --version 1.0.0"}},
		"rehearsals": {shell.Allow, []string{
			"cargo publish --dry-run", "npm publish --dry-run", "helm upgrade x . --dry-run", "helm upgrade x . --dry-run=client", "goreleaser release --snapshot --clean", "btrfs subvolume list /", "pytest --cache-clear", "pytest -o cache_dir=.cache -x",
		}},
	} {
		for _, c := range test.commands {
			if v := judge(c); v.Decision != test.want {
				t.Errorf("%s: %q: %s (%s: %s), want %s\n\t%v", name, c, v.Decision, v.Rule, v.Reason, test.want, v.Facts)
			}
		}
	}
}
