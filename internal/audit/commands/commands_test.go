package commands_test

import (
	"slices"
	"strings"
	"testing"

	"fettle/internal/audit/commands"
)

// TestChecks tells what a line has look at the code: not what is only printed, listed, or a word of something else.
func TestChecks(t *testing.T) {
	for line, want := range map[string]string{
		"pytest -q":                                      "pytest",
		"CI=1 sudo -u x pytest":                          "", // whose option has a value
		"CI=1 sudo pytest tests":                         "pytest",
		"python -m pytest -x":                            "pytest",
		"poetry run -q mypy src":                         "mypy",
		"uv run -- ruff check .":                         "ruff",
		"npx eslint . && npm test":                       "eslint npm test",
		"npm run lint:css; yarn typecheck":               "npm lint:css yarn typecheck",
		"npm run build":                                  "",
		"go test ./... | tee log":                        "go test",
		"go build ./...":                                 "",
		"cargo clippy -- -D warnings":                    "cargo clippy",
		"./gradlew check":                                "gradlew check",
		"/usr/bin/golangci-lint run":                     "golangci-lint",
		"echo pytest":                                    "",
		"# pytest":                                       "",
		"make build # && pytest":                         "",
		"pytest -k '# a' && mypy .":                      "pytest mypy",
		"(cd web && pytest)":                             "pytest",
		"{ pytest; }":                                    "pytest",
		"(pytest $(cat args))":                           "pytest",
		"pytest --collect-only":                          "",
		"ruff --version":                                 "",
		"jest --listTests":                               "",
		"go test -run '^$' ./...":                        "",
		"go test -run=NONE -bench . ./...":               "",
		"mvn verify -DskipTests":                         "",
		"\"$VENV/bin/python\" -m pytest":                 "pytest",
		"coverage run -m unittest && coverage report":    "unittest",
		"bundle exec rspec || bundle exec rspec --retry": "rspec rspec",
		"": "",
	} {
		if got := strings.Join(commands.Checks(line), " "); got != want {
			t.Errorf("Checks(%s) = %q, want %q", line, got, want)
		}
	}
}

// TestInPipes tells which checks of a line hand their output on, so that their failure is lost.
func TestInPipes(t *testing.T) {
	for _, c := range []struct{ line, handing, others string }{
		{"pytest | tee log", "pytest", ""},
		{"pytest && mypy . | head", "mypy", "pytest"},
		{"cat x | pytest", "", "pytest"},
		{"pytest || true", "", "pytest"},
		{"pytest &", "pytest", ""},
	} {
		handing, others := commands.InPipes(c.line)
		if strings.Join(handing, " ") != c.handing || strings.Join(others, " ") != c.others {
			t.Errorf("%s: %q and %q", c.line, handing, others)
		}
	}
}

// TestCompare holds a command against what it was: whether it demands less, looks at less, or demands as much, or more.
func TestCompare(t *testing.T) {
	const loosened, less, asMuch, more, other = "loosened", "looks at less", "as much", "more", "other"
	for _, c := range []struct{ was, is, want string }{
		{"go test ./...", "go test ./...", asMuch},
		{"go test ./...", "go test -race ./...", more},
		{"go test -race ./...", "go test ./...", loosened},
		{"go test ./...", "go test -short ./...", loosened},
		{"go test ./...", "go test -run TestA ./...", loosened},
		{"go test -run TestA ./...", "go test ./...", other}, // a word that is gone may have been anything
		{"go test ./...", "go test -v -count=1 ./...", asMuch},
		{"go test ./...", "go test ./api", less},
		{"go test ./...", "cd api && go test ./...", loosened},
		{"go vet ./...", "go vet -printf=false ./...", loosened},
		{"pytest", "pytest tests", other}, // where it looks by itself, unless its settings say otherwise
		{"pytest", "pytest tests/unit", less},
		{"pytest", "cd tests && pytest", other},
		{"pytest", "cd tests/unit && pytest", loosened},
		{"pytest", "pytest --lf", loosened},
		{"pytest", "pytest -n auto --tb=short", asMuch},
		{"pytest", "pytest --cov=src", other},
		{"pytest --cov=src --cov-fail-under=90", "pytest --cov=src --cov-fail-under=80", loosened},
		{"pytest --cov=src --cov-fail-under=80", "pytest --cov=src --cov-fail-under=90", other},
		{"pytest --reruns 1", "pytest --reruns 3", loosened},
		{"eslint src", "eslint src --max-warnings 0", more},
		{"eslint src --max-warnings 0", "eslint src --max-warnings 9", loosened},
		{"eslint src", "eslint src test", more},
		{"eslint src test", "eslint src", less},
		{"eslint src", "eslint src --fix", loosened},
		{"ruff check .", "ruff check . --select E", loosened},
		{"ruff check --select E,F .", "ruff check --select E .", loosened},
		{"tox", "tox -e py312", loosened},
		{"mypy src", "mypy --strict src", more},
		{"mypy --strict src", "mypy src", loosened},
		{"black --check .", "black .", loosened},
		{"mvn verify", "mvn verify -Dmaven.test.failure.ignore", loosened},
		{"golangci-lint run", "golangci-lint run --issues-exit-code 0", loosened},
		{"cargo test --workspace", "cargo test", loosened},
		{"cargo test", "cargo test --workspace", more},
		{"pytest || pytest", "pytest", asMuch},
		{"pytest", "pytest || true", other},
		{"pytest", "mypy .", other},
		{"npm run build", "npm run make", other},
	} {
		got := other
		switch {
		case commands.Loosened(c.was, c.is):
			got = loosened
		case commands.LooksAtLess(c.was, c.is):
			got = less
		case commands.More(c.was, c.is) && !commands.More(c.is, c.was) && commands.Loosened(c.is, c.was):
			got = more
		case commands.More(c.was, c.is) && len(strings.Fields(c.is)) > len(strings.Fields(c.was)) && !strings.Contains(c.is, " -"):
			got = more
		case commands.AsMuch(c.was, c.is):
			got = asMuch
		}
		if got != c.want {
			t.Errorf("%s -> %s: %s, want %s", c.was, c.is, got, c.want)
		}
		if (got == loosened || got == less) && commands.AsMuch(c.was, c.is) {
			t.Errorf("%s -> %s: less, and as much", c.was, c.is)
		}
	}
}

// TestTightened is of commands that differ in one option alone.
func TestTightened(t *testing.T) {
	for _, c := range []struct {
		was, is string
		want    bool
	}{
		{"go test ./...", "go test -race ./...", true},
		{"go test -short ./...", "go test ./...", true},
		{"pytest --cov-fail-under 80 tests", "pytest --cov-fail-under 90 tests", true},
		{"pytest --cov-fail-under 90 tests", "pytest --cov-fail-under 80 tests", false},
		{"pytest -k fast --lf", "pytest", false}, // two are gone
		{"pytest --deselect tests/test_a.py", "pytest", false},
		{"pytest", "pytest", false},
	} {
		if got := commands.Tightened(c.was, c.is); got != c.want {
			t.Errorf("%s -> %s: %v", c.was, c.is, got)
		}
	}
}

// TestKinds tells what a command does beside looking: it mends, takes away, builds, tries again, fetches.
func TestKinds(t *testing.T) {
	for _, c := range []struct {
		command                     string
		only, mends, cleans, builds bool
	}{
		{"pytest -q", true, false, false, false},
		{"golangci-lint run ./...", true, false, false, false},
		{"golangci-lint run --fix", false, true, false, false},
		{"black .", false, true, false, false},
		{"black --check .", true, false, false, false},
		{"jest -u", false, true, false, false},
		{"npm run fix:lint", false, true, false, false},
		{"npx eslint@9 .", false, false, false, false},
		{"go run example.com/tool@latest test", false, false, false, false},
		{"pytest && mypy .", false, false, false, false},
		{"pytest > log", false, false, false, false},
		{"pytest $(cat args)", false, false, false, false},
		{"rm -rf dist", false, false, true, false},
		{"docker rm -f db || true", false, false, true, false},
		{"docker compose -f x.yml down; true", false, false, true, false},
		{"rm -rf dist; pytest || true", false, false, false, false},
		{"rm $(pytest)", false, false, false, false},
		{"true", false, false, false, false},
		{"mkdocs build --strict", false, false, false, true},
		{"mkdocs build || true", false, false, false, false},
	} {
		if only, mends, cleans, builds := commands.OnlyChecks(c.command), commands.MendFirst(c.command), commands.CleansUp(c.command), commands.Builds(c.command); only != c.only || mends != c.mends || cleans != c.cleans || builds != c.builds {
			t.Errorf("%s: only checks %v, mends %v, cleans %v, builds %v", c.command, only, mends, cleans, builds)
		}
	}
	for line, want := range map[string]bool{"pytest || pytest --lf": true, "pytest || mypy .": false, "pytest": false, "true || true": false} {
		if _, again := commands.Retried(line); again != want {
			t.Errorf("Retried(%s) = %v", line, again)
		}
	}
}

// TestByTool tells in which folder a line starts its tools.
func TestByTool(t *testing.T) {
	for line, want := range map[string]string{
		"pytest":                       "pytest@",
		"cd a && cd b && pytest":       "pytest@a/b",
		"cd a && cd .. && pytest":      "pytest@",
		"(cd web; npm test) && mypy .": "mypy@ npm test@web",
		"cd $DIR && pytest":            "pytest@/",
		"pytest && cd a && pytest":     "pytest@",
		"(cd a) && pytest":             "pytest@",
	} {
		var all []string
		for tool, s := range commands.ByTool(line) {
			all = append(all, tool+"@"+s.Folder)
		}
		slices.Sort(all)
		if got := strings.Join(all, " "); got != want {
			t.Errorf("ByTool(%s) = %q, want %q", line, got, want)
		}
	}
	for _, c := range []struct {
		tool, was, is string
		want          bool
	}{
		{"pytest", "", "tests", false}, // where it looks by itself
		{"go test", "", "tests", true},
		{"go test", "a", "a/b", true},
		{"go test", "a", "ab", false},
		{"go test", "a", "a", false},
		{"go test", "", "../b", false},
		{"go test", "", "/b", false},
	} {
		if got := commands.Below(c.tool, c.was, c.is); got != c.want {
			t.Errorf("Below(%s, %q, %q) = %v", c.tool, c.was, c.is, got)
		}
	}
}
