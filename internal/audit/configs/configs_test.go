package configs_test

import (
	"strings"
	"testing"

	"fettle/internal/audit/configs"
)

// TestJudge holds two versions of a configuration against each other, as their tool reads them: said elsewhere or in other words, demanding more, less, or what nobody can tell.
func TestJudge(t *testing.T) {
	const (
		unproven = configs.Unproven
		taste    = configs.MatterOfTaste
		noLess   = configs.NoLess

		ruff    = "[lint]\nselect = [\"E\", \"F\", \"TCH\"]\nignore = [\"E501\"]\n\n[lint.per-file-ignores]\n\"tests/**\" = [\"F\"]\n"
		mypy    = "[mypy]\nstrict = True\n\n[mypy-a.*]\nignore_errors = True\n"
		ts      = "{\"compilerOptions\": {\"strict\": true, \"target\": \"ES2020\"}}"
		eslint  = "{\"rules\": {\"eqeqeq\": \"error\"}}"
		npm     = "{\"scripts\": {\"test\": \"npm run unit && npm run lint\", \"unit\": \"jest\", \"lint\": \"eslint .\"}}"
		tox     = "[tox]\nenvlist = py311, py312\n\n[testenv]\ndeps = pytest\ncommands = pytest {posargs}\n"
		build   = ".PHONY: check test lint\n\ncheck: test lint\n\ntest:\n\tgo test ./...\n\nlint:\n\tgolangci-lint run\n"
		gitlab  = "stages: [test]\n.base:\n  stage: test\nunit:\n  extends: .base\n  script:\n    - pytest\n"
		actions = "on: [push]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: pytest\n      - run: mypy .\n"
		pre     = "repos:\n  - repo: https://github.com/psf/black\n    rev: 24.1.0\n    hooks:\n      - id: black\n"
		golang  = "version: \"2\"\nlinters:\n  enable:\n    - errorlint\n"
		codecov = "coverage:\n  status:\n    project:\n      default:\n        target: 80%\n"
	)
	for _, c := range []struct {
		name, path, before, old, new string
		want                         configs.Judgement
	}{
		{"ruff: nothing", "ruff.toml", ruff, "", "", noLess},
		{"ruff: a family by its present name", "ruff.toml", ruff, "TCH", "TC", noLess},
		{"ruff: one rule less is ignored", "ruff.toml", ruff, "ignore = [\"E501\"]\n", "", noLess},
		{"ruff: one more is", "ruff.toml", ruff, "\"E501\"", "\"E501\", \"F401\"", unproven},
		{"ruff: of a family that is new", "ruff.toml", ruff, "\"TCH\"]\nignore = [\"E501\"]", "\"TCH\", \"B\"]\nignore = [\"E501\", \"B904\"]", noLess},
		{"ruff: a family is chosen no more", "ruff.toml", ruff, "\"E\", ", "", unproven},
		{"ruff: less is ignored in fewer files", "ruff.toml", ruff, "\"tests/**\" = [\"F\"]", "\"tests/unit/**\" = [\"F401\"]", noLess},
		{"ruff: in more files", "ruff.toml", ruff, "\"tests/**\"", "\"**\"", unproven},
		{"ruff: shorter lines", "ruff.toml", "line-length = 120\n", "120", "100", noLess},
		{"ruff: longer lines", "ruff.toml", "line-length = 100\n", "100", "120", unproven},
		{"ruff: it builds on others", "ruff.toml", "extend = \"x.toml\"\nline-length = 120\n", "120", "100", unproven},
		{"ruff: how imports stand", "ruff.toml", "[lint.isort]\nlines-after-imports = 1\n", "1", "2", taste},
		{"ruff: in a pyproject.toml", "pyproject.toml", "[project]\nname = \"a\"\n\n[tool.ruff]\nline-length = 120\n", "120", "88", noLess},
		{"ruff: a key that nobody knows", "ruff.toml", ruff, "[lint]\n", "speed = 1\n[lint]\n", unproven},
		{"ruff: what is no TOML", "ruff.toml", ruff, "[lint]\n", "[lint\n", unproven},

		{"mypy: what strictness stands for", "mypy.ini", mypy, "strict = True\n", "strict = True\ndisallow_untyped_defs = True\n", noLess},
		{"mypy: one thing taken out of it", "mypy.ini", mypy, "strict = True\n", "strict = True\nwarn_return_any = False\n", unproven},
		{"mypy: of fewer modules", "mypy.ini", mypy, "[mypy-a.*]", "[mypy-a.b.*]", noLess},
		{"mypy: of more modules", "mypy.ini", mypy, "[mypy-a.*]", "[mypy-*]", unproven},
		{"mypy: a section of somebody else's", "mypy.ini", mypy, "[mypy-a.*]", "[x]\ny = 1\n\n[mypy-a.*]", unproven},

		{"tsconfig: a part of strictness by itself", "tsconfig.json", ts, "\"strict\": true", "\"strict\": true, \"noImplicitAny\": true", noLess},
		{"tsconfig: a part of it is off", "tsconfig.json", ts, "\"strict\": true", "\"strict\": true, \"noImplicitAny\": false", unproven},
		{"tsconfig: a later edition", "tsconfig.json", ts, "ES2020", "es2022", noLess},
		{"tsconfig: an earlier one", "tsconfig.json", ts, "ES2020", "ES5", unproven},
		{"tsconfig: declarations are not looked at", "tsconfig.build.json", ts, "\"strict\": true", "\"strict\": true, \"skipLibCheck\": true", unproven},

		{"eslint: graver", ".eslintrc", strings.Replace(eslint, "error", "warn", 1), "warn", "error", noLess},
		{"eslint: less grave", ".eslintrc.json", eslint, "error", "warn", unproven},

		{"package.json: the scripts by another way", "package.json", npm, "npm run unit && npm run lint", "npm-run-all unit lint", noLess},
		{"package.json: one is called no more", "package.json", npm, " && npm run lint", "", unproven},
		{"package.json: one that fails nobody", "package.json", npm, "\"eslint .\"", "\"eslint . || true\"", unproven},
		{"package.json: a script that runs by itself", "package.json", npm, "\"lint\":", "\"postinstall\": \"eslint .\", \"lint\":", unproven},
		{"package.json: what it needs", "package.json", npm, "{\"scripts\"", "{\"devDependencies\": {\"jest\": \"30\"}, \"scripts\"", noLess},

		{"tox: names in braces", "tox.ini", tox, "py311, py312", "py{311,312}", noLess},
		{"tox: a version less", "tox.ini", tox, "py311, py312", "py312", unproven},
		{"tox: more is installed", "tox.ini", tox, "deps = pytest", "deps =\n  pytest\n  mypy", noLess},
		{"tox: a command that demands less", "tox.ini", tox, "pytest {posargs}", "pytest --lf {posargs}", unproven},
		{"tox: a command more, for one of them", "tox.ini", tox, "commands = pytest {posargs}", "commands =\n  pytest {posargs}\n  py312: mypy src", noLess},

		{"make: a target that calls another", "Makefile", build, "check: test lint\n", "check:\n\t$(MAKE) test lint\n", noLess},
		{"make: a target needs less", "Makefile", build, "check: test lint", "check: test", unproven},
		{"make: a failure counts no more", "Makefile", build, "\tgo test", "\t-go test", unproven},
		{"make: another first target", "Makefile", build, "check: test lint\n\ntest:", "test:", unproven},
		{"make: a variable with the command's word", "Makefile", build, ".PHONY: check test lint\n\ncheck: test lint\n\ntest:\n\tgo test", "GO = go\n.PHONY: check test lint\n\ncheck: test lint\n\ntest:\n\t$(GO) test", noLess},

		{"gitlab: what a job took from another", ".gitlab-ci.yml", gitlab, "  extends: .base\n", "  stage: test\n", noLess},
		{"gitlab: a failure is allowed", ".gitlab-ci.yml", gitlab, "  extends: .base\n", "  extends: .base\n  allow_failure: true\n", unproven},
		{"gitlab: a check more", ".gitlab-ci.yml", gitlab, "    - pytest\n", "    - pytest\n    - mypy .\n", noLess},
		{"gitlab: a job more", ".gitlab-ci.yml", gitlab, "unit:\n", "other:\n  script: x\nunit:\n", unproven},

		{"github: a step that keeps reports", ".github/workflows/ci.yml", actions, "      - run: mypy .\n", "      - run: mypy .\n      - uses: actions/upload-artifact@v4\n        if: always()\n        with: {path: reports/}\n", noLess},
		{"github: a step only sometimes", ".github/workflows/ci.yml", actions, "      - run: mypy .\n", "      - run: mypy .\n        if: github.ref == 'x'\n", unproven},
		{"github: another order", ".github/workflows/ci.yml", actions, "      - run: pytest\n      - run: mypy .\n", "      - run: mypy .\n      - run: pytest\n", unproven},
		{"github: it starts for less", ".github/workflows/ci.yml", actions, "[push]", "[workflow_dispatch]", unproven},
		{"github: elsewhere it is no workflow", "docs/ci.yml", actions, "      - run: mypy .\n", "      - run: mypy --strict .\n", unproven},

		{"pre-commit: a newer version", ".pre-commit-config.yaml", pre, "24.1.0", "25.1.0", noLess},
		{"pre-commit: a hook less", ".pre-commit-config.yaml", pre, "      - id: black\n", "      - id: other\n", unproven},
		{"golangci: a linter more", ".golangci.yml", golang, "    - errorlint\n", "    - errorlint\n    - gosec\n", noLess},
		{"golangci: another one", ".golangci.yaml", golang, "errorlint", "gosec", unproven},
		{"codecov: more", "codecov.yml", codecov, "80%", "90%", noLess},
		{"codecov: less", ".codecov.yml", codecov, "80%", "70%", unproven},

		{"a tool that nobody knows", "unknown.yml", "a: 1\n", "1", "2", unproven},
	} {
		if c.old != "" && !strings.Contains(c.before, c.old) {
			t.Fatalf("%s: %q is not there", c.name, c.old)
		}
		if got := configs.Judge(c.path, []byte(c.before), []byte(strings.Replace(c.before, c.old, c.new, 1))); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
	if configs.Judge("ruff.toml", nil, []byte(ruff)) != unproven || configs.Judge("ruff.toml", []byte(ruff), nil) != unproven {
		t.Error("what one version lacks altogether was judged")
	}
}

// TestWords tells what people write from what is made, which globs cover others, what actions keep, and how grave a word is.
func TestWords(t *testing.T) {
	for list, want := range map[string]string{
		`["dist", "src", "**/node_modules/", "api_pb2.py", "app.min.js", ".venv"]`: "src",
		`generated/x.go, docs`: "docs",
		`coverage.py`:          "coverage.py",
		``:                     "",
	} {
		if got := strings.Join(configs.Handmade(list), " "); got != want {
			t.Errorf("Handmade(%s) = %q, want %q", list, got, want)
		}
	}
	for _, c := range []struct{ wide, narrow string }{{"tests/**", "tests/a/*.py"}, {"tests", "tests/a.py"}, {"./a", "a"}, {"**/*.py", "a/b.py"}} {
		if len(configs.Uncovered([]string{c.wide}, []string{c.narrow})) > 0 || len(configs.Uncovered([]string{c.narrow}, []string{c.wide})) == 0 && strings.Trim(c.wide, "./") != c.narrow {
			t.Errorf("%s does not cover %s, or the other way round", c.wide, c.narrow)
		}
	}
	for _, narrow := range []string{"**", "*", "src/{a,b}", "src/[ab].py", "!src"} {
		if len(configs.Uncovered([]string{"src/a"}, []string{narrow})) == 0 {
			t.Errorf("src/a covers %s", narrow)
		}
	}
	for action, want := range map[string]bool{"actions/upload-artifact@v4": true, "github/codeql-action/upload-sarif@v3.1": true, "actions/upload-artifact@f205ea1c3313d32999d8d6a48b4f6530d4437b38": false, "someone/upload-artifact@v4": false, "actions/cache@v4": false} {
		if got := configs.Keeps(action); got != want {
			t.Errorf("Keeps(%s) = %v", action, got)
		}
	}
	for condition, want := range map[string]bool{"always()": true, "${{ !cancelled() }}": true, " failure() ": true, "always() && false": false, "github.ref == 'x'": false, "": false} {
		if got := configs.Whenever(condition); got != want {
			t.Errorf("Whenever(%s) = %v", condition, got)
		}
	}
	for paths, want := range map[string]bool{"reports/ **/*.xml": true, "": true, ".": false, "**": false, "**/*": false, "../x": false, "~/.ssh": false, "/etc/x": false, ".env": false, "reports ../x": false} {
		if got := configs.MayBeKept(paths); got != want {
			t.Errorf("MayBeKept(%q) = %v", paths, got)
		}
	}
	for word, want := range map[string]int{"off": 0, "warn": 1, "error": 2, "forbid": 2} {
		if got, known := configs.Severity(word); got != want || !known {
			t.Errorf("Severity(%s) = %d %v", word, got, known)
		}
	}
	if _, known := configs.Severity("sometimes"); known {
		t.Error("a word of no tool's is known")
	}
}
