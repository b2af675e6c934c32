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
		{"two checks in a line, one of which changes", "go vet ./... && go test ./...", "go vet ./... && go test -short ./...", "less"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, text := range []struct{ path, before, behind string }{
				{".github/workflows/ci.yml", "jobs:\n  test:\n    steps:\n      - run: ", "\n"},
				{".github/workflows/more.yml", "jobs:\n  test:\n    steps:\n      - run: |\n          ", "\n          cat log.txt\n"},
				{"Makefile", "all:\n\t", "\n"},
				{"package.json", "{\n  \"scripts\": {\n    \"verify\": \"", "\"\n  }\n}\n"},
			} {
				in := input(files{text.path: text.before + c.was + text.behind}, files{text.path: text.before + c.is + text.behind})
				in.Goal = audit.Goal{By: audit.Person, Tests: true, Configs: true}
				want := map[string]string{"less": "weakened-check"}[c.want]
				t.Run(text.path, func(t *testing.T) { expect(t, in, want) })
			}
		})
	}
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
		{"eslint: a folder instead of all, beside another script", "package.json", "{\"scripts\": {\"lint\": \"eslint .\", \"test\": \"jest\"}}\n", "eslint .", "eslint src", "weakened-check"},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := files{c.path: c.before}
			after := files{c.path: c.new}
			if c.before != "" {
				after = before.changed(t, c.path, c.old, c.new)
			}
			in := input(before, after)
			in.Goal = audit.Goal{By: audit.Person, Tests: true, Configs: true}
			expect(t, in, c.want)
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
		{change{"a target", "Makefile", "test:\n\tgo test ./...\n", "test:\n", "docs:\n\tmkdocs build\n\ntest:\n"}, ""},
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
