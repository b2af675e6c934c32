package shell_test

import (
	"slices"
	"strings"
	"testing"

	"fettle/internal/policy/shell"
)

// TestEndings is what the end of a command tells of the tests that it runs: a failure must not be lost where it says that they passed.
func TestEndings(t *testing.T) {
	for command, want := range map[string]shell.Ending{
		"pytest": shell.Told, "cd sub && pytest": shell.Told, "cd sub; pytest": shell.Told, "timeout 60 pytest -x": shell.Told, "(cd sub && pytest)": shell.Told, "{ pytest; }": shell.Told,
		"pytest && echo ok": shell.Told, "set -e; pytest; echo done": shell.Told, "bash -c 'cd sub && pytest'": shell.Told, "time pytest": shell.Told, "pytest > log 2>&1": shell.Told,
		"set -o pipefail; pytest | tee log": shell.Told, "set -euo pipefail\npytest | tail -3\necho": shell.Told, "f() { pytest; }; f": shell.Told, "echo x | pytest": shell.Told,
		"pytest | tail -5": shell.Piped, "pytest 2>&1 | tee log | tail": shell.Piped, "cd sub && pytest | cat": shell.Piped,
		"pytest || true": shell.Hushed, "pytest || echo failed": shell.Hushed, "pytest; true": shell.Hushed, "pytest; echo $?": shell.Hushed, "pytest\nls": shell.Hushed, "pytest &": shell.Hushed, "! pytest": shell.Hushed,
		"bash -c 'pytest; true'": shell.Hushed, "(pytest || :) && ls": shell.Hushed, "if pytest; then echo ok; fi": shell.Hushed, "for d in a b; do pytest; done": shell.Hushed, "while ! pytest; do sleep 1; done": shell.Hushed,
		"echo $(pytest)": shell.Hushed, "f() { pytest; true; }; f": shell.Hushed, "pytest | tail || true": shell.Hushed, "pytest | tail; true": shell.Hushed, "eval 'pytest || true'": shell.Hushed, "cat <(pytest)": shell.Hushed,
		"false || pytest": shell.Hushed, "set +e; pytest; ls": shell.Hushed, "case x in x) pytest;; esac": shell.Hushed,
	} {
		facts := (*shell.Policy)(nil).Facts(command, place)
		i := slices.IndexFunc(facts, func(f shell.Fact) bool { return f.Kind == shell.Run })
		if i < 0 || len(facts[i].Given()) != 1 || facts[i].Given()[0].Ending != want {
			t.Errorf("%s: %v, want %q", command, facts, want)
		}
	}
}

// TestGiven is how the project's checks are started: where, and with what.
func TestGiven(t *testing.T) {
	for command, want := range map[string]shell.Given{
		"pytest -k slow tests":                 {Dir: "/home/dev/repo", Args: []string{"-k", "slow", "tests"}, Operands: []string{"tests"}},
		"cd sub && go test -run X ./...":       {Dir: "/home/dev/repo/sub", Args: []string{"-run", "X", "./..."}, Operands: []string{"./..."}},
		"uv run pytest --co":                   {Dir: "/home/dev/repo", Args: []string{"--co"}},
		"black --check src":                    {Dir: "/home/dev/repo", Args: []string{"--check", "src"}, Operands: []string{"src"}},
		"cd sub; pytest":                       {Dir: "/home/dev/repo/sub"},
		"npm run test -- a":                    {Dir: "/home/dev/repo", Args: []string{"test", "--", "a"}, Operands: []string{"test", "a"}},
		`for x in 1 2; do pytest -q src; done`: {Dir: "/home/dev/repo", Args: []string{"-q", "src"}, Operands: []string{"src"}, Ending: shell.Hushed},
	} {
		facts := (*shell.Policy)(nil).Facts(command, place)
		i := slices.IndexFunc(facts, func(f shell.Fact) bool { return f.Kind == shell.Run })
		if i < 0 || len(facts[i].Given()) != 1 {
			t.Errorf("%s: %v", command, facts)
			continue
		}
		if got := facts[i].Given()[0]; got.Dir != want.Dir || !slices.Equal(got.Args, want.Args) || !slices.Equal(got.Operands, want.Operands) || got.Ending != want.Ending {
			t.Errorf("%s: %+v, want %+v", command, got, want)
		}
	}
	facts := (*shell.Policy)(nil).Facts("pytest -k a; pytest -k b", place)
	if n := len(facts); n != 2 || len(facts[1].Given()) != 2 {
		t.Errorf("two runs that differ in an option: %v", facts)
	}
}

// TestInTree is in which folder's repository git throws work away, or makes a commit again: none is known where another program, an option or a variable says which.
func TestInTree(t *testing.T) {
	for before, want := range map[string][]string{
		"": {""}, "cd\tweb && ": {"web"}, "cd web; ": {"web", ""}, "env --chdir=web ": {"web"}, "timeout 9 env -C web ": {"web"}, "bash -c 'cd web && exec \"$@\"' - ": {"web"},
		"for d in a b; do cd /home/dev/repo/$d && ": {"a", "b"}, "(cd web) && ": {""}, "cd $X && ": {"?"}, "GIT_DIR=x ": {"?"}, "export GIT_WORK_TREE=..; ": {"?"}, "trap 'cd web' DEBUG; ": {"?"},
		"git submodule foreach ": {"?"}, "find . -execdir ": {"?"}, "pnpm -r exec ": {"?"}, "ssh host ": {"?"}, "docker exec c ": {"?"}, "find . -execdir sh -c 'eval \"$*\"' - ": {"?"},
	} {
		for _, command := range []string{"git restore a.json", "git checkout -- a.json", "git commit --amend --no-edit"} {
			command = before + command
			if strings.HasPrefix(before, "for ") {
				command += "; done"
			}
			facts := (*shell.Policy)(nil).Facts(command, place)
			i := slices.IndexFunc(facts, func(f shell.Fact) bool { return f.Kind == shell.Discard || f.Kind == shell.Rewrite })
			if i < 0 {
				t.Errorf("%s: %v", command, facts)
				continue
			}
			var got []string
			for _, g := range facts[i].Given() {
				dir, known := strings.CutPrefix(g.Dir, place.Root)
				if !known {
					dir = "?"
				}
				got = append(got, strings.TrimPrefix(dir, "/"))
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", command, got, want)
			}
		}
	}
	for command, known := range map[string]bool{"git restore -s HEAD~1 a.json": true, "git restore -SW a.json": false, "git restore --staged --worktree a.json": false, "git --work-tree=web restore a.json": false, "git -C web restore a.json": true} {
		facts := (*shell.Policy)(nil).Facts(command, place)
		i := slices.IndexFunc(facts, func(f shell.Fact) bool { return f.Kind == shell.Discard })
		if i < 0 || len(facts[i].Given()) != 1 || (facts[i].Given()[0].Dir != "") != known {
			t.Errorf("%s: %v", command, facts)
		}
	}
}
