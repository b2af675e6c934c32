package audit_test

import (
	"testing"

	"fettle/internal/audit"
)

// TestOptions are commands of checks that are told something else than before: of CI, of make, and of package.json.
func TestOptions(t *testing.T) {
	for _, c := range []struct{ name, was, is, want string }{
		{"go: some tests", "go test ./...", "go test -run TestA ./...", "less"},
		{"go: some tests left out", "go test ./...", "go test ./... -skip TestA", "less"},
		{"go: the short ones", "go test ./...", "go test -short ./...", "less"},
		{"go: without the race detector", "go test -race ./...", "go test ./...", "less"},
		{"go: in another order", "go test ./...", "go test -shuffle=on -count=1 -timeout 5m ./...", "other"},
		{"cargo: the library alone", "cargo test", "cargo test --lib", "less"},
		{"cargo: not the whole workspace", "cargo test --workspace --locked", "cargo test --locked", "less"},
		{"cargo: locked", "cargo test --workspace", "cargo test --workspace --locked --verbose", "other"},
		{"clippy: a warning is allowed", "cargo clippy -- -D warnings", "cargo clippy -- -D warnings -A clippy::all", "less"},
		{"clippy: warnings are no errors", "cargo clippy --all-targets -- -D warnings", "cargo clippy --all-targets", "less"},
		{"clippy: warnings are errors", "cargo clippy", "cargo clippy -- -D warnings", "other"},
		{"cargo: it formats instead", "cargo fmt --check", "cargo fmt", "less"},
		{"pytest: a folder of tests", "pytest", "pytest tests/unit", "less"},
		{"pytest: the folder of tests", "pytest", "pytest tests", "other"},
		{"pytest: into a file", "pytest -v", "pytest -v > out/log.txt", "other"},
		{"pytest: a lower number", "pytest --cov-fail-under=80", "pytest --cov-fail-under=20", "less"},
		{"pytest: a higher number", "pytest --cov-fail-under=80", "pytest --cov-fail-under=85", "other"},
		{"maven: failures count no more, by a property", "mvn -B verify", "mvn -B verify -Dmaven.test.failure.ignore=true", "less"},
		{"maven: failures count no more, in front", "mvn test", "mvn -Dmaven.test.failure.ignore test", "less"},
		{"maven: it never fails", "./mvnw verify", "./mvnw verify -fn", "less"},
		{"maven: one test", "mvn test", "mvn test -Dtest=CalcTest", "less"},
		{"maven: failures count", "mvn -B verify", "mvn -B verify -Dmaven.test.failure.ignore=false", "other"},
		{"maven: another encoding", "mvn -B verify", "mvn -B verify -Dfile.encoding=UTF-8 --no-transfer-progress", "other"},
		{"gradle: a task left out", "./gradlew check", "./gradlew check -x test", "less"},
		{"gradle: some tests", "./gradlew test", "./gradlew test --tests CalcTest", "less"},
		{"gradle: with more words", "./gradlew check", "./gradlew check --stacktrace --no-daemon", "other"},
		{"npm: a script that need not be there", "npm test", "npm test --if-present", "less"},
		{"npm: some tests", "npm test", "npm test -- -t adds", "less"},
		{"npm: with a report", "npm test", "npm test -- --coverage --ci", "other"},
		{"jest: what has changed", "npx jest", "npx jest --onlyChanged", "less"},
		{"eslint: any number of warnings", "eslint . --max-warnings 0", "eslint .", "less"},
		{"eslint: more warnings", "eslint . --max-warnings=0", "eslint . --max-warnings=50", "less"},
		{"eslint: fewer warnings", "eslint . --max-warnings 50", "eslint . --max-warnings 0", "other"},
		{"eslint: no warnings", "eslint .", "eslint . --max-warnings 0", "other"},
		{"tsc: libraries are not looked at", "npx tsc --noEmit", "npx tsc --noEmit --skipLibCheck", "less"},
		{"tsc: another project", "npx tsc --noEmit", "npx tsc --noEmit --pretty", "other"},
		{"golangci-lint: what is new", "golangci-lint run", "golangci-lint run --new", "less"},
		{"golangci-lint: what is new since a commit", "golangci-lint run", "golangci-lint run --new-from-rev=HEAD~1", "less"},
		{"golangci-lint: it never fails", "golangci-lint run", "golangci-lint run --issues-exit-code 0", "less"},
		{"golangci-lint: a linter less", "golangci-lint run", "golangci-lint run --disable errcheck", "less"},
		{"golangci-lint: a folder", "golangci-lint run", "golangci-lint run ./internal/a", "less"},
		{"golangci-lint: more time", "golangci-lint run", "golangci-lint run --timeout 5m ./...", "other"},
		{"golangci-lint: another code", "golangci-lint run", "golangci-lint run --issues-exit-code 3", "other"},
		{"ruff: it mends instead", "ruff check .", "ruff check --fix .", "less"},
		{"ruff: in another form", "ruff check .", "ruff check --output-format=github .", "other"},
		{"ruff: it formats instead", "ruff format --check .", "ruff format .", "less"},
		{"mypy: imports are skipped", "mypy src", "mypy src --follow-imports=skip", "less"},
		{"pyright: errors alone", "pyright src", "pyright --level error src", "less"},
		{"pyright: warnings count no more", "pyright --warnings src", "pyright src", "less"},
		{"pyright: as JSON", "pyright src", "pyright --outputjson src", "other"},
		{"shellcheck: errors alone", "shellcheck a.sh", "shellcheck -S error a.sh", "less"},
		{"shellcheck: a rule less", "shellcheck a.sh", "shellcheck -e SC2086 a.sh", "less"},
		{"shellcheck: another form", "shellcheck a.sh", "shellcheck -f gcc a.sh", "other"},
		{"semgrep: errors alone", "semgrep --config auto .", "semgrep --config auto --severity ERROR .", "less"},
		{"biome: errors alone", "npx biome ci .", "npx biome ci --diagnostic-level=error .", "less"},
		{"ctest: some tests", "ctest --output-on-failure", "ctest --output-on-failure -E slow", "less"},
		{"ctest: side by side", "ctest", "ctest -j4 --output-on-failure", "other"},
		{"bazel: some tests", "bazel test //...", "bazel test //... --test_tag_filters=-slow", "less"},
		{"bazel: what it says", "bazel test //...", "bazel test //... --test_output=errors", "other"},
		{"mix: some tests", "mix test", "mix test --exclude slow", "less"},
		{"deno: some tests", "deno test", "deno test --filter adds", "less"},
		{"swift: some tests", "swift test", "swift test --skip SlowTests", "less"},
		{"unittest: some tests", "python -m unittest discover", "python -m unittest discover -k adds", "less"},
		{"npm audit: what is worst", "npm audit", "npm audit --audit-level=critical", "less"},
		{"cargo audit: one is let through", "cargo audit", "cargo audit --ignore RUSTSEC-2020-0001", "less"},
		{"maven: a group less", "mvn verify", "mvn verify -DexcludedGroups=slow", "less"},
		{"nyc: coverage counts no more", "nyc --check-coverage mocha", "nyc mocha", "less"},
		{"c8: with a report", "c8 --check-coverage mocha", "c8 --check-coverage --reporter=lcov mocha", "other"},
		{"mypy: not strict", "mypy --strict src", "mypy src", "less"},
		{"mypy: a python", "mypy src", "mypy src --python-version 3.12", "other"},
		{"rspec: a mark", "bundle exec rspec", "bundle exec rspec --tag ~slow", "less"},
		{"rspec: a folder", "rspec", "rspec spec/models", "less"},
		{"rspec: in another form", "rspec", "rspec --format documentation", "other"},
		{"rspec: the folder of tests", "rspec", "rspec spec", "other"},
		{"pylint: a message off", "pylint src", "pylint src --disable=W0611", "less"},
		{"pylint: a lower mark", "pylint --fail-under=9.5 src", "pylint --fail-under=5 src", "less"},
		{"phpunit: some tests", "vendor/bin/phpunit", "vendor/bin/phpunit --filter Cart", "less"},
		{"phpunit: in colours", "vendor/bin/phpunit", "vendor/bin/phpunit --colors=always", "other"},
		{"black: it formats instead", "black --check .", "black .", "less"},
		{"dotnet: some tests", "dotnet test", "dotnet test --filter Category!=Slow", "less"},
		{"dotnet: what was built before", "dotnet test", "dotnet test --no-build -c Release", "other"},
		{"vitest: coverage counts no more", "npx vitest run --coverage", "npx vitest run", "less"},
		{"vitest: coverage is off", "npx vitest run --coverage", "npx vitest run --coverage=false", "less"},
		{"vitest: a reporter", "npx vitest run --coverage", "npx vitest run --coverage --reporter=dot", "other"},
		{"vitest: no tests are enough", "npx vitest run", "npx vitest run --passWithNoTests", "less"},
		{"pytest: coverage counts no more", "pytest --cov=src", "pytest", "less"},
		{"pytest: coverage is told otherwise", "pytest --cov=src --cov-report=xml", "pytest --cov=src", "other"},
		{"playwright: some tests", "npx playwright test", "npx playwright test --grep @smoke", "less"},
		{"playwright: no tests are enough", "npx playwright test", "npx playwright test --pass-with-no-tests", "less"},
		{"playwright: until they pass", "npx playwright test", "npx playwright test --retries 5", "less"},
		{"playwright: more often", "npx playwright test --retries=1", "npx playwright test --retries=3", "less"},
		{"playwright: never again", "npx playwright test", "npx playwright test --retries=0", "other"},
		{"playwright: fewer at once", "npx playwright test", "npx playwright test --workers 2 --reporter=github", "other"},
		{"tox: one environment", "tox", "tox -e lint", "less"},
		{"tox: fewer environments", "tox -e py312,lint", "tox -e lint", "less"},
		{"tox: another environment", "tox -e py311", "tox -e py312", "other"},
		{"tox: at once", "tox", "tox -p auto --skip-missing-interpreters=false", "other"},
		{"nox: one session", "nox", "nox -s lint", "less"},
		{"pytest: what failed last", "pytest", "pytest --lf", "less"},
		{"pytest: to the first failure, and on from there", "pytest", "pytest --sw", "less"},
		{"pytest: what failed last comes first", "pytest", "pytest --ff -q", "other"},
		{"pytest: in a folder", "pytest", "cd tests/unit && pytest", "less"},
		{"pytest: in a folder below", "cd backend && pytest", "cd backend/unit && pytest", "less"},
		{"pytest: in the folder of tests", "pytest", "cd tests && pytest", "other"},
		{"pytest: in another folder", "cd old && pytest", "cd new && pytest", "other"},
		{"pytest: in this folder", "pytest", "cd . && pytest", "other"},
		{"go: the short ones, by a variable", "go test ./...", "GOFLAGS=-short go test ./...", "less"},
		{"go: modules as they are, by a variable", "go test ./...", "GOFLAGS=-mod=readonly go test ./...", "other"},
		{"go: in a folder", "go test ./...", "cd internal && go test ./...", "less"},
		{"npm: one package", "npm test", "npm test -w packages/a", "less"},
		{"npm: not every package", "npm test --workspaces", "npm test", "less"},
		{"npm: quietly", "npm test", "npm test --silent", "other"},
		{"pnpm: not every package", "pnpm test -r", "pnpm test", "less"},
		{"ruff: some rules", "ruff check .", "ruff check --select E .", "less"},
		{"ruff: fewer rules", "ruff check --select E,F .", "ruff check --select E .", "less"},
		{"ruff: not all rules", "ruff check --select ALL .", "ruff check --select E,F .", "less"},
		{"ruff: all rules", "ruff check --select E .", "ruff check --select ALL .", "other"},
		{"ruff: some more rules", "ruff check .", "ruff check --extend-select B .", "other"},
		{"staticcheck: one rule", "staticcheck ./...", "staticcheck -checks SA1000 ./...", "less"},
		{"staticcheck: a rule less", "staticcheck -checks=all ./...", "staticcheck -checks=all,-SA1019 ./...", "less"},
		{"staticcheck: all rules", "staticcheck ./...", "staticcheck -checks all ./...", "other"},
		{"staticcheck: a rule more", "staticcheck ./...", "staticcheck -checks inherit,ST1003 ./...", "other"},
		{"vet: a rule less", "go vet ./...", "go vet -printf=false ./...", "less"},
		{"vet: one rule", "go vet ./...", "go vet -printf ./...", "less"},
		{"vet: it never fails", "go vet ./...", "go vet -json ./...", "less"},
		{"vet: with a tag", "go vet ./...", "go vet -tags=integration ./...", "other"},
		{"two checks in a line, one of which changes", "go vet ./... && go test ./...", "go vet ./... && go test -short ./...", "less"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, text := range []struct{ path, before, behind string }{
				{".github/workflows/ci.yml", "jobs:\n  test:\n    steps:\n      - run: ", "\n"},
				{".github/workflows/more.yml", "jobs:\n  test:\n    steps:\n      - run: |\n          ", "\n          cat log.txt\n"},
				{"Makefile", "all:\n\t", "\n"},
				{"package.json", "{\n  \"scripts\": {\n    \"verify\": \"", "\"\n  }\n}\n"},
			} {
				was, is := files{text.path: text.before + c.was + text.behind}, files{text.path: text.before + c.is + text.behind}
				want := map[string]string{"less": "weakened-check"}[c.want]
				t.Run(text.path, func(t *testing.T) { expect(t, byPerson(was, is), want) })
				if c.want == "less" {
					t.Run(text.path+", the other way round", func(t *testing.T) { expect(t, byPerson(is, was), "") })
				}
			}
		})
	}
}

// byPerson is a change of a person's who means to change checks.
func byPerson(before, after files) audit.Input {
	in := listed(before, after)
	in.Goal = audit.Goal{By: audit.Person, Tests: true, Configs: true}
	return in
}

// TestSwitches are settings of linters and compilers by which they say less.
func TestSwitches(t *testing.T) {
	for _, c := range []struct{ name, path, before, old, new, want string }{
		{"golangci: folders left out", ".golangci.yml", "issues:\n  max-same-issues: 0\n", "issues:\n", "issues:\n  exclude-dirs:\n    - internal/a\n", "weakened-check"},
		{"golangci: generated folders left out", ".golangci.yml", "issues:\n  max-same-issues: 0\n", "issues:\n", "issues:\n  exclude-dirs:\n    - node_modules\n", ""},
		{"golangci: paths left out", ".golangci.yml", "linters:\n  default: standard\n", "standard\n", "standard\n  exclusions:\n    paths:\n      - internal/a\n", "weakened-check"},
		{"golangci: what is new", ".golangci.yml", "issues:\n  max-same-issues: 0\n", "issues:\n", "issues:\n  new-from-rev: HEAD~1\n", "weakened-check"},
		{"golangci: no tests", ".golangci.yml", "run:\n  timeout: 5m\n", "run:\n", "run:\n  tests: false\n", "weakened-check"},
		{"golangci: tests", ".golangci.yml", "run:\n  timeout: 5m\n", "run:\n", "run:\n  tests: true\n", ""},
		{"golangci: tests no more", ".golangci.yml", "run:\n  tests: true\n", "true", "false", "weakened-check"},
		{"golangci: functions left out", ".golangci.yml", "linters-settings:\n  errcheck:\n    check-blank: true\n", "    check-blank: true\n", "    check-blank: true\n    exclude-functions:\n      - io.Copy\n", "weakened-check"},
		{"golangci: a linter for functions", ".golangci.yml", "linters-settings:\n  funlen:\n    lines: 60\n", "    lines: 60\n", "    lines: 60\n    ignore-comments: true\n", ""},
		{"mypy: imports are skipped", "mypy.ini", "[mypy]\nstrict = true\n", "true\n", "true\nfollow_imports = skip\n", "weakened-check"},
		{"mypy: imports are skipped, in quotes", "pyproject.toml", "[tool.mypy]\nstrict = true\n", "true\n", "true\nfollow_imports = \"skip\"\n", "weakened-check"},
		{"mypy: imports are followed", "mypy.ini", "[mypy]\nfollow_imports = skip\n", "skip", "normal", ""},
		{"tsc: libraries are not looked at", "tsconfig.json", "{\n  \"compilerOptions\": {\n    \"strict\": true\n  }\n}\n", "\"strict\": true", "\"strict\": true,\n    \"skipLibCheck\": true", "weakened-check"},
		{"tsc: libraries are not looked at, on one line", "tsconfig.json", "{\"compilerOptions\": {\"strict\": true, \"skipLibCheck\": false}}\n", "false", "true", "weakened-check"},
		{"tsc: libraries are looked at", "tsconfig.json", "{\"compilerOptions\": {\"strict\": true, \"skipLibCheck\": true}}\n", "\"skipLibCheck\": true", "\"skipLibCheck\": false", ""},
		{"tsc: a new file", "tsconfig.json", "", "", "{\n  \"compilerOptions\": {\n    \"strict\": true,\n    \"skipLibCheck\": true\n  }\n}\n", ""},
		{"golangci: no linters to begin with", ".golangci.yml", "linters:\n  enable: [errcheck]\n", "linters:\n", "linters:\n  default: none\n", "weakened-check"},
		{"golangci: the standard's instead of all", ".golangci.yml", "linters:\n  default: all\n", "all", "standard", "weakened-check"},
		{"golangci: the standard's, as without a word", ".golangci.yml", "linters:\n  enable: [errcheck]\n", "linters:\n", "linters:\n  default: standard\n", ""},
		{"golangci: all but some", ".golangci.yml", "linters:\n  default: standard\n", "standard", "all\n  enable: [gosec]", ""},
		{"golangci: no linters to begin with, in the old form", ".golangci.yml", "linters:\n  enable: [errcheck]\n", "linters:\n", "linters:\n  disable-all: true\n", "weakened-check"},
		{"ruff: rules off for some files", "pyproject.toml", "[tool.ruff]\nselect = [\"E\", \"F\"]\n", "\"F\"]\n", "\"F\"]\n\n[tool.ruff.lint.per-file-ignores]\n\"src/*\" = [\"F\"]\n", "weakened-check"},
		{"ruff: one more rule off for some files", "ruff.toml", "[lint.per-file-ignores]\n\"src/*\" = [\"F\"]\n\n[format]\nquote-style = \"double\"\n", "[\"F\"]", "[\"F\", \"E\"]", "weakened-check"},
		{"ruff: rules off for some files, on one line", "ruff.toml", "[lint]\nselect = [\"E\"]\n", "\"E\"]\n", "\"E\"]\nextend-per-file-ignores = { \"src/*\" = [\"F\"] }\n", "weakened-check"},
		{"ruff: another section behind it", "ruff.toml", "[lint.per-file-ignores]\n\"src/*\" = [\"F\"]\n\n[format]\nquote-style = \"double\"\n", "[format]\n", "[format]\nindent-style = \"tab\"\n", ""},
		{"tsc: one thing that strictness stands for", "tsconfig.json", "{\"compilerOptions\":{\"target\":\"es2020\",\"strict\":true}}\n", "\"strict\":true", "\"strict\":true,\"noImplicitAny\":false", "weakened-check"},
		{"tsc: one thing of what it builds on", "tsconfig.json", "{\n  \"extends\": \"@tsconfig/strictest\",\n  \"compilerOptions\": {\n    \"target\": \"es2022\"\n  }\n}\n", "\"es2022\"", "\"es2022\",\n    \"strictNullChecks\": false", "weakened-check"},
		{"tsc: as without a word", "tsconfig.json", "{\"compilerOptions\":{\"target\":\"es2020\"}}\n", "\"es2020\"", "\"es2020\",\"noImplicitAny\":false", ""},
		{"tsc: strict but for one thing", "tsconfig.json", "{\"compilerOptions\":{\"target\":\"es2020\"}}\n", "\"es2020\"", "\"es2020\",\"strict\":true,\"noImplicitAny\":false", ""},
		{"mypy: one thing that strictness stands for", "mypy.ini", "[mypy]\nstrict = True\n", "True\n", "True\nwarn_return_any = False\n", "weakened-check"},
		{"variables: go's short tests", ".github/workflows/ci.yml", "env:\n  CGO_ENABLED: 0\njobs:\n  test:\n    steps:\n      - run: go test ./...\n", "  CGO_ENABLED: 0\n", "  CGO_ENABLED: 0\n  GOFLAGS: -short\n", "weakened-check"},
		{"variables: go's modules", ".github/workflows/ci.yml", "env:\n  CGO_ENABLED: 0\njobs:\n  test:\n    steps:\n      - run: go test ./...\n", "  CGO_ENABLED: 0\n", "  CGO_ENABLED: 0\n  GOFLAGS: -mod=readonly\n", ""},
		{"variables: what failed last", "tox.ini", "[testenv]\nsetenv =\n    A = 1\n", "    A = 1\n", "    A = 1\n    PYTEST_ADDOPTS = --lf\n", "weakened-check"},
		{"eslint: a folder instead of all, beside another script", "package.json", "{\"scripts\": {\"lint\": \"eslint .\", \"test\": \"jest\"}}\n", "eslint .", "eslint src", "weakened-check"},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := files{c.path: c.before}
			after := files{c.path: c.new}
			if c.before != "" {
				after = before.changed(t, c.path, c.old, c.new)
			}
			t.Run("so", func(t *testing.T) { expect(t, byPerson(before, after), c.want) })
			if c.want != "" {
				t.Run("the other way round", func(t *testing.T) { expect(t, byPerson(after, before), "") })
			}
		})
	}
}

// TestMore are commands of checks that demand more than before, or seem to, in a change that is meant to be about tests alone.
func TestMore(t *testing.T) {
	for _, c := range []struct{ name, was, is, want string }{
		{"the long ones, too", "go test -short ./...", "go test ./...", ""},
		{"all tests", "go test -run TestA ./...", "go test ./...", ""},
		{"with the race detector", "go test ./...", "go test -race ./...", ""},
		{"all tests that there are", "dotnet test --filter Fast", "dotnet test", ""},
		{"all environments", "tox -e lint", "tox", ""},
		{"all rules", "ruff check --select E .", "ruff check --select ALL .", ""},
		{"fewer warnings", "eslint . --max-warnings 50", "eslint . --max-warnings 0", ""},
		{"coverage", "npx vitest run", "npx vitest run --coverage", ""},
		{"it complains again", "black .", "black --check .", ""},
		{"a folder less", "go test -short ./a ./b", "go test ./b", "protected"},
		{"a file less", "pytest --lf a.py b.py", "pytest b.py", "protected"},
		{"an option of which nothing is known, too", "pytest --lf", "pytest -p no:randomly", "protected"},
		{"in another way", "go test ./...", "go test -count=1 ./...", "protected"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := func(command string) files {
				return files{".github/workflows/ci.yml": "jobs:\n  test:\n    steps:\n      - run: " + command + "\n"}
			}
			in := input(text(c.was), text(c.is))
			in.Goal = audit.Goal{By: audit.Person, Tests: true}
			expect(t, in, c.want)
		})
	}
}

// TestFolders are checks of CI that are started elsewhere than before.
func TestFolders(t *testing.T) {
	const one, two = "jobs:\n  test:\n    steps:\n      - run: pytest\n", "jobs:\n  test:\n    steps:\n      - run: |\n          pip install -e .\n          pytest -q\n"
	for _, c := range []struct{ name, path, before, old, new, want string }{
		{"a step in a folder below", ".github/workflows/ci.yml", one, "pytest\n", "pytest\n        working-directory: tests/unit\n", "weakened-check"},
		{"a step in the folder of tests", ".github/workflows/ci.yml", one, "pytest\n", "pytest\n        working-directory: tests\n", ""},
		{"a step in this folder", ".github/workflows/ci.yml", one, "pytest\n", "pytest\n        working-directory: .\n", ""},
		{"a step in a folder of which nobody can tell", ".github/workflows/ci.yml", one, "pytest\n", "pytest\n        working-directory: ${{ matrix.folder }}\n", ""},
		{"all steps of a job in a folder below", ".github/workflows/ci.yml", one, "    steps:", "    defaults:\n      run:\n        working-directory: backend\n    steps:", "weakened-check"},
		{"a command before that goes there", ".github/workflows/ci.yml", two, "          pytest", "          cd tests/unit\n          pytest", "weakened-check"},
		{"a command before that goes where it was", ".github/workflows/ci.yml", two, "          pytest", "          cd .\n          pytest", ""},
		{"a command that goes there and back", ".github/workflows/ci.yml", two, "          pytest", "          cd docs\n          make html\n          cd ..\n          pytest", ""},
		{"one more step, in a folder below", ".github/workflows/ci.yml", one, "pytest\n", "pytest\n      - run: pytest\n        working-directory: more\n", ""},
		{"a script in a folder below", ".gitlab-ci.yml", "test:\n  script:\n    - pip install -e .\n    - pytest\n", "    - pytest", "    - cd tests/unit\n    - pytest", "weakened-check"},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := files{c.path: c.before}
			after := before.changed(t, c.path, c.old, c.new)
			t.Run("so", func(t *testing.T) { expect(t, byPerson(before, after), c.want) })
			if c.want != "" {
				t.Run("the other way round", func(t *testing.T) { expect(t, byPerson(after, before), "") })
			}
		})
	}
}

// TestChosen are settings that list what of a repository a check looks at.
func TestChosen(t *testing.T) {
	others := files{"src/a/x.py": "x = 1\n", "src/b/y.py": "y = 1\n", "src/a/x.ts": "export const x = 1\n", "test/y.ts": "export const y = 1\n", "app/src/z.ts": "export const z = 1\n"}
	for _, c := range []struct{ name, path, before, old, new, want string }{
		{"mypy: a folder instead of the one around it", "mypy.ini", "[mypy]\nstrict = True\nfiles = src\n", "files = src", "files = src/a", "weakened-check"},
		{"mypy: a folder of what is not there yet", "mypy.ini", "[mypy]\nfiles = lib\n", "files = lib", "files = lib/a", "weakened-check"},
		{"mypy: another folder of what is not there yet", "mypy.ini", "[mypy]\nfiles = lib\n", "files = lib", "files = pkg", ""},
		{"mypy: in another file", "pyproject.toml", "[project]\nname = \"a\"\n\n[tool.mypy]\nfiles = [\"src/a\", \"src/b\"]\n", ", \"src/b\"", "", "weakened-check"},
		{"mypy: each folder by itself", "mypy.ini", "[mypy]\nfiles = src\n", "files = src", "files = src/a, src/b", ""},
		{"mypy: files of another tool", "pyproject.toml", "[tool.mypy]\nstrict = true\n\n[tool.flit]\nfiles = [\"src\"]\n", "\"src\"", "\"src/a\"", ""},
		{"mypy: others decided", "mypy.ini", "[mypy]\nstrict = True\n", "True\n", "True\nfiles = src/a\n", ""},
		{"pyright: a folder instead of all", "pyrightconfig.json", "{\"strict\": [\"src\"]}\n", "{", "{\"include\": [\"src/a\"], ", "weakened-check"},
		{"tsc: without the tests", "tsconfig.json", "{\n  \"include\": [\n    \"src\",\n    \"test\"\n  ]\n}\n", ",\n    \"test\"", "", "weakened-check"},
		{"tsc: a folder instead of all", "tsconfig.json", "{\"compilerOptions\":{\"strict\":true}}\n", "{\"strict\":true}", "{\"strict\":true},\"include\":[\"src/**/*\"]", "weakened-check"},
		{"tsc: the same by a glob", "tsconfig.json", "{\"include\":[\"src\"]}\n", "\"src\"", "\"src/**/*\"", ""},
		{"tsc: of a folder", "app/tsconfig.json", "{\"include\":[\"src\"]}\n", "\"src\"", "\"lib\"", "weakened-check"},
		{"tsc: what it builds on decided", "tsconfig.json", "{\"extends\":\"./base.json\"}\n", "}", ",\"include\":[\"src\"]}", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := others.with(files{c.path: c.before})
			after := before.changed(t, c.path, c.old, c.new)
			t.Run("so", func(t *testing.T) { expect(t, byPerson(before, after), c.want) })
			if c.want != "" {
				t.Run("the other way round", func(t *testing.T) { expect(t, byPerson(after, before), "") })
			}
		})
	}
}

// TestOrdinarySettings are edits of files that hold the settings of checks, and much else, by a person who means to change tests alone. A fixer may not touch them.
func TestOrdinarySettings(t *testing.T) {
	for _, c := range []struct {
		change
		want string
	}{
		{change{"a version", "package.json", "{\"version\": \"1.0.0\", \"scripts\": {\"test\": \"jest\"}}\n", "1.0.0", "1.0.1"}, ""},
		{change{"a script", "package.json", "{\"version\": \"1.0.0\", \"scripts\": {\"test\": \"jest\"}}\n", "\"jest\"", "\"jest\", \"serve\": \"vite\""}, ""},
		{change{"a setting", "package.json", "{\"version\": \"1.0.0\", \"jest\": {\"verbose\": true}}\n", "true", "false"}, "protected"},
		{change{"a version of a package of Python", "pyproject.toml", "[project]\nversion = \"1.0.0\"\n", "1.0.0", "1.0.1"}, ""},
		{change{"a length", "pyproject.toml", "[tool.ruff]\nline-length = 80\n", "80", "100"}, "protected"},
		{change{"a target", "Makefile", "test:\n\tgo test ./...\n", "./...\n", "./...\n\ndocs:\n\tmkdocs build\n"}, ""},
		{change{"another first target", "Makefile", "test:\n\tgo test ./...\n", "test:\n", "docs:\n\tmkdocs build\n\ntest:\n"}, "protected"},
		{change{"another command", "Makefile", "test:\n\tgo test ./...\n", "go test ./...", "gotestsum ./..."}, "protected"},
		{change{"what is made", "tsconfig.json", "{\"compilerOptions\": {\"target\": \"ES2020\"}}\n", "ES2020", "ES2022"}, ""},
		{change{"where things are", "tsconfig.json", "{\"extends\": \"./a.json\"}\n", "a.json", "b.json"}, "protected"},
		{change{"how lines look", ".editorconfig", "[*]\nindent_size = 4\n", "4", "2"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := c.input(t)
			expect(t, in, c.want)
			in.Goal = audit.Goal{}
			expect(t, in, "protected")
		})
	}
}
