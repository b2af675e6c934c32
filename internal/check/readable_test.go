package check_test

import (
	"strings"
	"testing"
)

// What a person types at a terminal is read where fettle knows the command, and run so that it can be read.
func TestKnownCommandsAreRead(t *testing.T) {
	for _, c := range []struct{ entry, parser, run string }{
		{"run: go test ./...", "gotest", "go test -json ./..."},
		{"run: go test ./...\n    parser: gotest", "gotest", "go test -json ./..."},
		{"run: /usr/local/go/bin/go test -race -json ./sum", "gotest", ""},
		{"run: env GOFLAGS=-mod=vendor go test --json", "gotest", ""},
		{"run: go vet ./...", "gobuild", ""},
		{"run: go generate ./...", "", ""},
		{"run: gofmt -l .", "gofmt", ""},
		{"run: golangci-lint run ./...", "golangci", "golangci-lint run --max-issues-per-linter=0 --max-same-issues=0 ./..."},
		{"run: golangci-lint run --max-same-issues 9 --out-format=json", "golangci", "golangci-lint run --max-issues-per-linter=0 --max-same-issues 9 --out-format=json"},
		{"run: golangci-lint fmt --diff", "", ""},
		{"run: gofmt -d .", "", ""},
		{"run: pytest -q", "pytest", ""},
		{"run: uv run --frozen pytest", "pytest", ""},
		{"run: uv run --with x pytest", "", ""},
		{"run: .venv/bin/python -m pytest tests --junit-xml={report}", "pytest-junit", ""},
		{"run: python3 -m unittest", "unittest", "python3 -m unittest -v"},
		{"run: python3 -m unittest discover -s tests", "unittest", "python3 -m unittest discover -v -s tests"},
		{"run: python3 -m compileall .", "", ""},
		{"run: python3 check.py", "", ""},
		{"run: [pyright]", "pyright", "pyright"},
		{"run: npx pyright --outputjson src", "pyright", ""},
		{"run: python3 -m pylint shop", "pylint", ""},
		{"run: ruff format --check .", "ruff", ""},
		{"run: ruff format .", "", ""},
		{"run: npx eslint src", "eslint", "npx eslint --format=json src"},
		{"run: eslint -f json .", "eslint", ""},
		{"run: eslint --format stylish .", "", ""},
		{"run: pnpm exec prettier -l .", "prettier", ""},
		{"run: biome ci .", "biome", "biome ci --reporter=github ."},
		{"run: biome ci --reporter=json .", "", ""},
		{"run: npx jest --ci --watch", "jest", "npx jest --ci --json --testLocationInResults --outputFile={report}"},
		{"run: node --test test", "tap", "node --test --test-reporter=tap test"},
		{"run: node build.js", "", ""},
		{"run: npx tape test/*.js", "tape", ""},
		{"run: npx tape test/*.js\n    parser: tap", "tape", ""},
		{"run: npx tap test/*.js\n    parser: tap", "tap", ""},
		{"run: make test\n    parser: tap", "tap", ""},
		{"run: cargo test --workspace", "cargo-test", ""},
		{"run: ./mvnw -q verify", "maven", ""},
		{"run: ./gradlew spotlessCheck", "gradle", ""},
		{"run: make test", "", ""},
		{"run: npm test", "", ""},
		{"run: env", "", ""},
		{"run: uv", "", ""},
		{"run: go test ./...\n    parser: none", "", ""},
		{"run: go test ./...\n    parser: gcc", "gcc", ""},
		{"run: pytest\n    parser: gotest", "gotest", ""},
		{"run: mypy .\n    parser: errorformat\n    pattern: ['%f:%l: %m']", "errorformat", ""},
	} {
		config, err := load(t, "version: 1\nchecks:\n  test:\n    "+c.entry+"\n")
		if err != nil {
			t.Errorf("%s: %v", c.entry, err)
			continue
		}
		run := c.run
		if run == "" {
			line, _, _ := strings.Cut(c.entry, "\n")
			run = strings.TrimPrefix(line, "run: ")
		}
		if got := config.Checks[0]; got.Parser != c.parser || strings.Join(got.Run, " ") != run {
			t.Errorf("%s: parser %q of %q", c.entry, got.Parser, strings.Join(got.Run, " "))
		}
	}
	config, err := load(t, "version: 1\nchecks:\n  test:\n    run: mvn verify\n  build:\n    run: mvn compile\n")
	if err != nil || len(config.Checks[0].Reports) == 0 || len(config.Checks[1].Reports) != 0 {
		t.Errorf("reports of mvn verify %q, of mvn compile %q (%v)", config.Checks[0].Reports, config.Checks[1].Reports, err)
	}
}
