package audit_test

import (
	"testing"

	"fettle/internal/audit"
	"fettle/internal/audit/configs"
	"fettle/internal/verdict"
)

// TestWhole are changes of a person's to configurations that are read as their tools read them: what demands as much as before in another form is told from what demands less in the same one, and a
// person is asked about it; nothing passes by that alone.
func TestWhole(t *testing.T) {
	const (
		tsconfig = "{\n  \"compilerOptions\": {\n    \"target\": \"ES2020\",\n    \"noImplicitAny\": true, // for good\n    \"strictNullChecks\": true\n  },\n  \"exclude\": [\"**/dist\", \"**/*.test.ts\"]\n}\n"
		ruff     = "[lint]\nselect = [\"E\", \"F\", \"TCH\", \"PGH001\"]\nignore = [\"E501\"]\n\n[lint.per-file-ignores]\n\"tests/*\" = [\"F\"]\n"
		mypy     = "[mypy]\nignore_missing_imports = True\n\n[mypy-a.legacy.*]\nignore_errors = True\n"
		pytest   = "[pytest]\naddopts = -q -p no:warnings\nfilterwarnings =\n    ignore\n"
		pyproj   = "[project]\nname = \"a\"\n\n[tool.pytest.ini_options]\naddopts = \"-ra --cov=a --cov-branch --cov-fail-under=91\"\n\n[tool.coverage.report]\nexclude_lines = [\n    \"pragma: no cover\",\n    \"if TYPE_CHECKING:\",\n]\n"
		golangci = "linters:\n  disable-all: true\n  enable:\n    - deadcode\n    - unused\n    - exportloopref\nissues:\n  exclude-rules:\n    - path: _test\\.go\n      linters:\n        - errcheck\n        - gosec\n"
		rubocop  = "AllCops:\n  Exclude:\n    - \"lib/**/*\"\nMetrics:\n  Enabled: false\nLint/RescueException:\n  Enabled: false\n"
		codecov  = "coverage:\n  status:\n    project:\n      default:\n        target: 82%\n        threshold: 5%\n    patch:\n      default:\n        target: 70%\n        informational: true\nignore:\n  - cmd\n"
		sonar    = "sonar.sources=src\nsonar.exclusions=**/api/**\nsonar.issue.ignore.multicriteria=e1\nsonar.issue.ignore.multicriteria.e1.ruleKey=*\nsonar.issue.ignore.multicriteria.e1.resourceKey=**/dto/**\n"
		phpstan  = "includes:\n    - phpstan-baseline.neon\nparameters:\n    level: 4\n    paths:\n        - src\n    ignoreErrors:\n        - '#.*undefined method.*#'\n"
		hooks    = "repos:\n  - repo: https://github.com/psf/black\n    rev: 23.12.0\n    hooks:\n      - id: black\n        args: [--line-length=100]\n  - repo: https://github.com/pycqa/flake8\n    rev: 6.1.0\n    hooks:\n      - id: flake8\n        args: [--max-line-length=100, \"--select=E,F,B\"]\n        additional_dependencies: [flake8-bugbear]\n        exclude: ^docs/\n"
		byRuff   = "repos:\n  - repo: https://github.com/astral-sh/ruff-pre-commit\n    rev: v0.1.9\n    hooks:\n      - id: ruff\n        args: [--line-length=100, \"--select=E,F,B\"]\n      - id: ruff-format\n        args: [--line-length=100]\n"
		eslint   = "import ts from 'typescript-eslint';\n\nexport default ts.config(\n  { ignores: ['dist/'] },\n  {\n    rules: {\n      'no-shadow': 'error',\n      eqeqeq: 'warn',\n    },\n  },\n);\n"
		npm      = "{\n  \"scripts\": {\n    \"build\": \"tsc -p .\",\n    \"test\": \"eslint . --max-warnings=0 && jest\"\n  },\n  \"devDependencies\": {}\n}\n"
		makefile = ".PHONY: test lint\n\ntest:\n\tgo test ./a/... ./b/...\n\tgo test -tags=it ./it/...\n\nlint:\n\t-go vet ./...\n"
		pom      = "<project>\n<build>\n<defaultGoal>verify</defaultGoal>\n<plugins>\n<plugin>\n<artifactId>maven-surefire-plugin</artifactId>\n<configuration>\n<includes>\n<include>**/*Test.java</include>\n<include>**/*IT.java</include>\n</includes>\n</configuration>\n</plugin>\n</plugins>\n</build>\n</project>\n"
		failsafe = "</includes>\n</configuration>\n</plugin>\n<plugin>\n<artifactId>maven-failsafe-plugin</artifactId>\n<configuration>\n<includes>\n<include>**/*IT.java</include>\n</includes>\n</configuration>\n<executions>\n<execution>\n<goals>\n<goal>integration-test</goal>\n<goal>verify</goal>\n</goals>\n</execution>\n</executions>\n</plugin>\n"
		tox      = "[tox]\nenvlist = py310, py311, py311-old\n\n[testenv:py310]\ndeps = -rtest.txt\ncommands = pytest -q tests\n\n[testenv:py311]\ndeps = -rtest.txt\ncommands = pytest -q tests\n\n[testenv:py311-old]\ndeps =\n    -rtest.txt\n    lxml==4.6.0\ncommands = pytest -q tests\n"
		shared   = "[tox]\nmin_version = 4\nenv_list = py3{10,11}, py311-old\n\n[testenv]\ndeps =\n    -rtest.txt\n    old: lxml==4.6.0\ncommands = pytest -q {posargs:tests}\n"
		gitlab   = "style:\n  image: php\n  allow_failure: true\n  script:\n    - vendor/bin/phpstan analyse\n  only:\n    - merge_requests\n    - main\n\nunit:\n  image: php\n  script:\n    - vendor/bin/phpunit || vendor/bin/phpunit --order-by=defects\n  only:\n    - merge_requests\n    - main\n"
		workflow = "name: it\non: [pull_request]\njobs:\n  build:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: pip install -e .\n      - run: ruff check .\n      - run: pytest tests\n"
		matrix   = "  check:\n    runs-on: ubuntu-latest\n    strategy:\n      fail-fast: false\n      matrix:\n        run:\n          - ruff check .\n          - pytest -n auto tests\n    steps:\n      - uses: actions/checkout@v4\n      - run: pip install -e .\n      - run: ${{ matrix.run }}\n  build:\n    if: always()\n    needs: check\n    runs-on: ubuntu-latest\n    steps:\n      - run: test '${{ needs.check.result }}' = success\n"
		oldJob   = "  build:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: pip install -e .\n      - run: ruff check .\n      - run: pytest tests\n"
		mayFail  = "jobs:\n  e2e:\n    steps:\n      - id: e2e\n        run: npx playwright test\n        continue-on-error: true\n      - if: steps.e2e.outcome == 'failure'\n        run: exit 1\n"
	)
	var (
		asMuch = outcome{verdict.Ask, true}
		ask    = outcome{verdict.Ask, false}
		refuse = outcome{verdict.Refuse, false}
	)
	for _, c := range []struct {
		change
		want outcome
	}{
		{change{"tsc: what strictness stands for", "tsconfig.json", tsconfig, "\"noImplicitAny\": true, // for good\n    \"strictNullChecks\": true", "\"strict\": true"}, asMuch},
		{change{"tsc: what it stands for, but for one thing", "tsconfig.json", tsconfig, "\"noImplicitAny\": true, // for good\n    \"strictNullChecks\": true", "\"strict\": true,\n    \"strictNullChecks\": false"}, refuse},
		{change{"tsc: what others may say otherwise", "tsconfig.json", tsconfig, "{\n  \"compilerOptions\": {\n    \"target\": \"ES2020\",\n    \"noImplicitAny\": true, // for good\n    \"strictNullChecks\": true", "{\n  \"extends\": \"./base.json\",\n  \"compilerOptions\": {\n    \"target\": \"ES2020\",\n    \"strict\": true"}, refuse},
		{change{"tsc: a later edition, and more files", "tsconfig.json", tsconfig, "\"ES2020\",\n    \"noImplicitAny\": true, // for good\n    \"strictNullChecks\": true\n  },\n  \"exclude\": [\"**/dist\", \"**/*.test.ts\"]", "\"ES2022\",\n    \"noImplicitAny\": true,\n    \"strictNullChecks\": true,\n    \"noImplicitOverride\": true\n  },\n  \"exclude\": [\"**/dist\"]"}, asMuch},

		{change{"ruff: renamed codes", "ruff.toml", ruff, "\"TCH\", \"PGH001\"", "\"TC\", \"S307\""}, asMuch},
		{change{"ruff: a code of another family", "ruff.toml", ruff, "\"TCH\", \"PGH001\"", "\"TC\", \"S301\""}, refuse},
		{change{"ruff: a family by its first letter", "ruff.toml", ruff, "\"E\", \"F\"", "\"EM\", \"F\""}, refuse},
		{change{"ruff: fewer files and rules left out", "ruff.toml", ruff, "\"tests/*\" = [\"F\"]", "\"tests/conftest.py\" = [\"F401\"]"}, asMuch},
		{change{"ruff: other files left out", "ruff.toml", ruff, "\"tests/*\" = [\"F\"]", "\"src/conftest.py\" = [\"F401\"]"}, refuse},
		{change{"ruff: one rule is chosen no more where its family is ignored", "ruff.toml", "[lint]\nselect = [\"E\", \"E501\"]\nignore = [\"E5\"]\n", "\"E\", \"E501\"", "\"E\""}, refuse},

		{change{"mypy: of all, for one library", "mypy.ini", mypy, "ignore_missing_imports = True\n\n[mypy-a.legacy.*]\nignore_errors = True\n", "strict = True\n\n[mypy-other.*]\nignore_missing_imports = True\n"}, asMuch},
		{change{"mypy: strict, but for one module that it was not looked for in", "mypy.ini", mypy, "ignore_missing_imports = True\n\n[mypy-a.legacy.*]\nignore_errors = True\n", "strict = True\n\n[mypy-a.cli]\ndisallow_untyped_decorators = False\n"}, asMuch},
		{change{"mypy: the errors of one more package", "mypy.ini", mypy, "ignore_missing_imports = True\n", "strict = True\n\n[mypy-a.core.*]\nignore_errors = True\n"}, refuse},
		{change{"mypy: strict no more in one module", "mypy.ini", "[mypy]\nstrict = True\n", "strict = True\n", "strict = True\n\n[mypy-a.core]\nallow_untyped_defs = True\n"}, ask},

		{change{"pytest: warnings are errors, but for one", "pytest.ini", pytest, "-q -p no:warnings\nfilterwarnings =\n    ignore\n", "--strict-markers\nxfail_strict = true\nfilterwarnings =\n    error\n    # theirs\n    ignore:'cgi' is old:DeprecationWarning:feedparser\n"}, asMuch},
		{change{"pytest: an error less", "pytest.ini", "[pytest]\nfilterwarnings =\n    error\n", "    error\n", "    error\n    ignore::DeprecationWarning\n"}, refuse},
		{change{"pytest: stricter, and some left out", "pytest.ini", pytest, "-q -p no:warnings", "--strict-markers -m fast"}, refuse},

		{change{"coverage: told by its own settings", "pyproject.toml", pyproj, "--cov=a --cov-branch --cov-fail-under=91\"\n\n[tool.coverage.report]\nexclude_lines = [\n    \"pragma: no cover\",\n    \"if TYPE_CHECKING:\",\n]\n", "--cov\"\n\n[tool.coverage.run]\nbranch = true\nsource = [\"a\"]\n\n[tool.coverage.report]\nfail_under = 91\nexclude_also = [\"if TYPE_CHECKING:\"]\n"}, asMuch},
		{change{"coverage: told by its own settings, and less", "pyproject.toml", pyproj, "--cov=a --cov-branch --cov-fail-under=91\"\n", "--cov\"\n\n[tool.coverage.run]\nbranch = true\nsource = [\"a\"]\n"}, ask},
		{change{"coverage: told by its own settings, and more lines left out", "pyproject.toml", pyproj, "    \"if TYPE_CHECKING:\",\n", "    \"if TYPE_CHECKING:\",\n    \"raise\",\n"}, refuse},

		{change{"golangci: linters that others took over", ".golangci.yml", golangci, "    - deadcode\n    - unused\n    - exportloopref\n", "    # unused does the work of deadcode\n    - copyloopvar\n    - unused\n"}, asMuch},
		{change{"golangci: linters that nobody took over", ".golangci.yml", golangci, "    - deadcode\n    - unused\n    - exportloopref\n", "    - exportloopref\n"}, refuse},
		{change{"golangci: a narrower exception", ".golangci.yml", golangci, "      linters:\n        - errcheck\n        - gosec\n", "      linters: [gosec]\n      text: G404\n"}, asMuch},
		{change{"golangci: a wider exception", ".golangci.yml", golangci, "        - errcheck\n        - gosec\n", "        - gosec\n        - govet\n"}, refuse},

		{change{"rubocop: left out in some files, not everywhere", ".rubocop.yml", rubocop, "    - \"lib/**/*\"\nMetrics:\n  Enabled: false\nLint/RescueException:\n  Enabled: false\n", "    - \"lib/schema.rb\"\nMetrics/MethodLength:\n  Max: 20\nLint/RescueException:\n  Exclude:\n    - lib/worker.rb\n"}, asMuch},
		{change{"rubocop: other words, of which a person knows", ".rubocop.yml", rubocop, "Metrics:\n", "RSpec/ContextWording:\n  Prefixes: [when, as]\nMetrics:\n"}, ask},
		{change{"rubocop: other files left out", ".rubocop.yml", rubocop, "\"lib/**/*\"", "\"app/**/*\""}, ask},
		{change{"rubocop: a cop that was on although its department was not", ".rubocop.yml", "Metrics:\n  Enabled: false\nMetrics/MethodLength:\n  Enabled: true\n  Max: 10\n", "10", "100"}, refuse},

		{change{"codecov: components, and no tolerance", "codecov.yml", codecov, "coverage:\n  status:\n    project:\n      default:\n        target: 82%\n        threshold: 5%\n    patch:\n      default:\n        target: 70%\n        informational: true\nignore:\n  - cmd\n", "component_management:\n  default_rules:\n    statuses:\n      - type: project\n        target: 82%\n        threshold: 1%\ncoverage:\n  status:\n    project:\n      default:\n        target: 82%\n        threshold: 1% # jitter\n    patch:\n      default:\n        target: 70%\n"}, asMuch},
		{change{"codecov: more tolerance", "codecov.yml", codecov, "5%", "9% # jitter"}, refuse},

		{change{"sonar: what is left out is less", "sonar-project.properties", sonar, "**/api/**\nsonar.issue.ignore.multicriteria=e1\nsonar.issue.ignore.multicriteria.e1.ruleKey=*\nsonar.issue.ignore.multicriteria.e1.resourceKey=**/dto/**", "**/api/generated/**\nsonar.issue.ignore.multicriteria=e1\nsonar.issue.ignore.multicriteria.e1.ruleKey=java:S107\nsonar.issue.ignore.multicriteria.e1.resourceKey=**/dto/wire/**"}, asMuch},
		{change{"sonar: what is left out is elsewhere", "sonar-project.properties", sonar, "e1.resourceKey=**/dto/**", "e1.resourceKey=**/*.java"}, ask},

		{change{"phpstan: a higher level, and one error by its words", "phpstan.neon", phpstan, "includes:\n    - phpstan-baseline.neon\nparameters:\n    level: 4\n    paths:\n        - src\n    ignoreErrors:\n        - '#.*undefined method.*#'\n", "parameters:\n    level: 8\n    paths:\n        - src\n        - tests\n    ignoreErrors:\n        -\n            message: '#^Call to an undefined method A\\:\\:b\\(\\)\\.$#'\n            path: src/A.php\n            count: 1\n"}, asMuch},
		{change{"phpstan: a higher level, and other errors", "phpstan.neon", phpstan, "level: 4\n    paths:\n        - src\n    ignoreErrors:\n        - '#.*undefined method.*#'\n", "level: 8\n    paths:\n        - src\n    ignoreErrors:\n        - '#.*undefined.*#'\n"}, ask},

		{change{"hooks: newer, one more, nothing left out", ".pre-commit-config.yaml", hooks, "6.1.0\n    hooks:\n      - id: flake8\n        args: [--max-line-length=100, \"--select=E,F,B\"]\n        additional_dependencies: [flake8-bugbear]\n        exclude: ^docs/\n", "7.0.0\n    hooks:\n      - id: flake8\n        args: [--max-line-length=100, \"--select=E,F,B\"]\n        additional_dependencies: [flake8-bugbear]\n"}, asMuch},
		{change{"hooks: older", ".pre-commit-config.yaml", hooks, "6.1.0", "5.0.4"}, ask},
		{change{"hooks: ruff for others", ".pre-commit-config.yaml", hooks, hooks, byRuff}, asMuch},
		{change{"hooks: one of somebody's", ".pre-commit-config.yaml", hooks, "repos:\n", "repos:\n  - repo: https://github.com/somebody/hooks\n    rev: v1.0.0\n    hooks:\n      - id: check\n"}, ask},

		{change{"eslint: the rule that knows types", "eslint.config.mjs", eslint, "  },\n);", "  },\n  {\n    files: ['**/*.ts'],\n    rules: {\n      'no-shadow': 'off',\n      '@typescript-eslint/no-shadow': 'error',\n    },\n  },\n);"}, asMuch},
		{change{"eslint: the rule that knows types only warns", "eslint.config.mjs", eslint, "  },\n);", "  },\n  {\n    files: ['**/*.ts'],\n    rules: {\n      'no-shadow': 'off',\n      '@typescript-eslint/no-shadow': 'warn',\n    },\n  },\n);"}, refuse},
		{change{"eslint: another rule that knows types", "eslint.config.mjs", eslint, "  },\n);", "  },\n  {\n    files: ['**/*.ts'],\n    rules: {\n      'no-shadow': 'off',\n      '@typescript-eslint/no-redeclare': 'error',\n    },\n  },\n);"}, refuse},
		{change{"eslint: graver, in its older form", ".eslintrc.json", "{\"rules\": {\"eqeqeq\": \"warn\"}}\n", "\"warn\"", "2"}, asMuch},

		{change{"npm: a script for each check", "package.json", npm, "\"eslint . --max-warnings=0 && jest\"\n  },\n  \"devDependencies\": {}", "\"run-p --print-label test:*\",\n    \"test:lint\": \"eslint . --max-warnings=0\",\n    \"test:unit\": \"jest\"\n  },\n  \"devDependencies\": {\n    \"npm-run-all\": \"^4.1.5\"\n  }"}, asMuch},
		{change{"npm: a script for each check, of which one is called no more", "package.json", npm, "\"eslint . --max-warnings=0 && jest\"\n", "\"run-p test:*\",\n    \"test:lint\": \"eslint . --max-warnings=0\",\n    \"unit\": \"jest\"\n"}, refuse},
		{change{"npm: the first to end well counts", "package.json", npm, "\"eslint . --max-warnings=0 && jest\"\n", "\"run-p --race test:*\",\n    \"test:lint\": \"eslint . --max-warnings=0\",\n    \"test:unit\": \"jest\"\n"}, refuse},

		{change{"make: a target for each part", "Makefile", makefile, ".PHONY: test lint\n\ntest:\n\tgo test ./a/... ./b/...\n\tgo test -tags=it ./it/...\n\nlint:\n\t-go vet ./...\n", "GO ?= go\n.DEFAULT_GOAL := test\n.PHONY: test unit it lint\n\ntest: unit it\n\nunit:\n\t$(GO) test -race ./a/... ./b/...\n\nit:\n\t$(GO) test -tags=it ./it/...\n\nlint:\n\t$(GO) vet ./...\n"}, asMuch},
		{change{"make: a target for each part, of which one is not needed", "Makefile", makefile, ".PHONY: test lint\n\ntest:\n\tgo test ./a/... ./b/...\n\tgo test -tags=it ./it/...\n", ".PHONY: test unit it lint\n\ntest: unit\n\nunit:\n\tgo test ./a/... ./b/...\n\nit:\n\tgo test -tags=it ./it/...\n"}, ask},
		{change{"make: a target that a file may stand for", "Makefile", makefile, ".PHONY: test lint\n\ntest:\n\tgo test ./a/... ./b/...\n", ".PHONY: test lint\n\ntest: unit\n\nunit:\n\tgo test ./a/... ./b/...\n"}, ask},
		{change{"make: a target that is made in another way further down", "Makefile", makefile, "lint:\n", "test:\n\ttrue\n\nlint:\n"}, ask},
		{change{"make: a variable of one target", "Makefile", makefile, "lint:\n", "test: GOFLAGS=-short\n\nlint:\n"}, refuse},

		{change{"maven: failsafe runs them", "pom.xml", pom, "<include>**/*IT.java</include>\n</includes>\n</configuration>\n</plugin>\n", failsafe}, asMuch},
		{change{"maven: failsafe runs others", "pom.xml", pom, "<include>**/*IT.java</include>\n</includes>\n</configuration>\n</plugin>\n", "</includes>\n<excludes>\n<exclude>**/*IT.java</exclude>\n</excludes>\n</configuration>\n</plugin>\n<plugin>\n<artifactId>maven-failsafe-plugin</artifactId>\n</plugin>\n"}, refuse},

		{change{"tox: what environments share", "tox.ini", tox, tox, shared}, asMuch},
		{change{"gitlab: failures count, the first ones, too", ".gitlab-ci.yml", gitlab, "  allow_failure: true\n  script:\n    - vendor/bin/phpstan analyse\n  only:\n    - merge_requests\n    - main\n\nunit:\n  image: php\n  script:\n    - vendor/bin/phpunit || vendor/bin/phpunit --order-by=defects\n  only:\n    - merge_requests\n    - main\n", "  script:\n    - vendor/bin/phpstan analyse --memory-limit=1G\n  only:\n    - merge_requests\n    - main\n\nunit:\n  image: php\n  script:\n    - vendor/bin/phpunit\n  rules:\n    - if: $CI_PIPELINE_SOURCE == \"merge_request_event\"\n    - if: $CI_COMMIT_BRANCH == \"main\"\n"}, asMuch},
		{change{"gitlab: what jobs share", ".gitlab-ci.yml", gitlab, gitlab, ".php:\n  image: php\n  only:\n    - merge_requests\n    - main\n\nstyle:\n  extends: .php\n  script:\n    - vendor/bin/phpstan analyse\n\nunit:\n  extends: .php\n  script:\n    - vendor/bin/phpunit\n"}, asMuch},
		{change{"gitlab: what jobs share, for fewer pipelines", ".gitlab-ci.yml", gitlab, gitlab, ".php:\n  image: php\n  only:\n    - main\n\nstyle:\n  extends: .php\n  script:\n    - vendor/bin/phpstan analyse\n\nunit:\n  extends: .php\n  script:\n    - vendor/bin/phpunit\n"}, refuse},
		{change{"gitlab: a second try", ".gitlab-ci.yml", "unit:\n  script:\n    - vendor/bin/phpunit\n", "phpunit\n", "phpunit || vendor/bin/phpunit --order-by=defects\n"}, refuse},

		{change{"workflow: what was left is taken away first, and the log is shown", ".github/workflows/it.yml", workflow, "      - run: ruff check .\n      - run: pytest tests\n", "      - run: |\n          docker rm -f broker || true\n          ruff check .\n      - run: pytest tests\n      - if: failure()\n        continue-on-error: true\n        run: docker logs broker\n"}, asMuch},
		{change{"workflow: what may fail is no log", ".github/workflows/it.yml", workflow, "      - run: pytest tests\n", "      - if: failure()\n        continue-on-error: true\n        run: pytest tests\n"}, refuse},
		{change{"workflow: tests are taken away first", ".github/workflows/it.yml", workflow, "      - run: pytest tests\n", "      - run: |\n          rm -rf tests/slow\n          pytest tests\n"}, ask},
		{change{"workflow: a job for each check, and one that waits for them", ".github/workflows/it.yml", workflow, oldJob, matrix}, asMuch},
		{change{"workflow: a step that fails by itself, not by another one", ".github/workflows/e2e.yml", mayFail, "      - id: e2e\n        run: npx playwright test\n        continue-on-error: true\n      - if: steps.e2e.outcome == 'failure'\n        run: exit 1\n", "      - run: npx playwright test\n"}, asMuch},
		{change{"workflow: a step that fails no more", ".github/workflows/e2e.yml", mayFail, "      - if: steps.e2e.outcome == 'failure'\n        run: exit 1\n", ""}, ask},
	} {
		t.Run(c.name, func(t *testing.T) { c.want.of(t, c.change) })
	}
	t.Run("workflow: a job that waits for them, and ends well anyway", func(t *testing.T) {
		after := replaceOnce(t, matrix, "      - run: test '${{ needs.check.result }}' = success\n", "      - run: echo '${{ needs.check.result }}'\n")
		ask.of(t, change{"", ".github/workflows/it.yml", workflow, oldJob, after})
	})
	for name, c := range map[string]change{
		"tox: an environment less":           {old: "py3{10,11}", new: "py311"},
		"tox: some tests in one environment": {old: "pytest -q {posargs:tests}", new: "!old: pytest -q tests\n    old: pytest -q tests/fast"},
		"tox: a need of another environment": {old: "    old: lxml", new: "    new: lxml"},
	} {
		t.Run(name, func(t *testing.T) {
			if after := replaceOnce(t, shared, c.old, c.new); configs.Judge("tox.ini", []byte(tox), []byte(after)) == configs.NoLess {
				t.Errorf("it is taken for as much:\n%s", after)
			}
		})
	}
	t.Run("hooks: ruff for fewer rules", func(t *testing.T) {
		ask.of(t, change{"", ".pre-commit-config.yaml", hooks, hooks, replaceOnce(t, byRuff, "E,F,B", "E,F")})
	})
	t.Run("hooks: ruff for longer lines", func(t *testing.T) {
		ask.of(t, change{"", ".pre-commit-config.yaml", hooks, hooks, replaceOnce(t, byRuff, "--line-length=100, ", "--line-length=140, ")})
	})
	t.Run("maven: failsafe is started by nobody", func(t *testing.T) {
		after := replaceOnce(t, failsafe, "<execution>\n", "<execution>\n<phase>none</phase>\n")
		ask.of(t, change{"", "pom.xml", pom, "<include>**/*IT.java</include>\n</includes>\n</configuration>\n</plugin>\n", after})
	})
}

// outcome is what is said of a change to a configuration.
type outcome struct {
	decision verdict.Decision
	asMuch   bool // by what reads it as its tool does
}

// of compares it with what is said.
func (want outcome) of(t *testing.T, c change) {
	t.Helper()
	decide(t, c, want.decision)
	after := replaceOnce(t, c.before, c.old, c.new)
	if asMuch := configs.Judge(c.path, []byte(c.before), []byte(after)) == configs.NoLess; asMuch != want.asMuch {
		t.Errorf("that it demands as much is said to be %t:\n%s", asMuch, after)
	}
}

// decide judges a change as a person makes it, and compares what is decided.
func decide(t *testing.T, c change, want verdict.Decision) {
	t.Helper()
	in := c.input(t)
	in.Goal = audit.Goal{By: audit.Person}
	if r := audit.Audit(t.Context(), in); r.Decision() != want {
		t.Errorf("got %s, want %s\n%v", r.Decision(), want, r.Findings)
	}
}
