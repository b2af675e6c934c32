package audit_test

import (
	"slices"
	"strings"
	"testing"

	"fettle/internal/audit"
	"fettle/internal/verdict"
)

// TestStricter are changes of a person's to configurations, by the rules that ask about them or refuse them: what demands more, or nothing less, passes; what takes something out beside
// that, or that nobody can tell, does not.
func TestStricter(t *testing.T) {
	const (
		golangci = "version: \"2\"\nlinters:\n  enable:\n    - errorlint\n  settings:\n    errcheck:\n      check-type-assertions: false\n  exclusions:\n    rules:\n      - path: _test\\.go\n        linters: [errcheck]\n"
		setup    = "[metadata]\nname = a\n\n[mypy]\nwarn_unused_ignores = False\ndisallow_untyped_defs = False\n\n[mypy-tests.*]\nwarn_return_any = True\n\n[flake8]\nextend-ignore = E203, F401\n"
		scripts  = "{\n  \"scripts\": {\n    \"lint\": \"eslint src || true\",\n    \"test\": \"vitest run --passWithNoTests\"\n  },\n  \"devDependencies\": {\n    \"eslint\": \"^9.6.0\"\n  }\n}\n"
		gradle   = "plugins {\n    jacoco\n}\n\ntasks.test {\n    useJUnitPlatform()\n    ignoreFailures = true\n}\n\ntasks.jacocoTestCoverageVerification {\n    violationRules {\n        rule { limit { minimum = \"0.60\".toBigDecimal() } }\n    }\n}\n"
		cargo    = "[package]\nname = \"engine\"\nversion = \"0.9.0\"\n\n[lints.clippy]\ntodo = \"warn\"\n"
		workflow = "name: verify\non: [pull_request]\njobs:\n  verify:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: ./mvnw -B verify\n"
		gitlab   = "clippy:\n  stage: check\n  allow_failure: true\n  script: cargo clippy --all-targets\n\nunit:\n  stage: test\n  script: cargo test --workspace || true\n"
		makefile = ".PHONY: test\n\ntest:\n\tgo test ./...\n"
	)
	for _, c := range []struct{ name, path, before, old, new, rule string }{
		{"golangci: linters more", ".golangci.yml", golangci, "    - errorlint\n", "    - errorlint\n    - gosec\n", ""},
		{"golangci: a switch on", ".golangci.yml", golangci, "assertions: false", "assertions: true", ""},
		{"golangci: a switch off", ".golangci.yml", "linters:\n  settings:\n    errcheck:\n      check-blank: true\n", "blank: true", "blank: false", "protected weakened-check"},
		{"golangci: an exclusion less", ".golangci.yml", golangci, "  exclusions:\n    rules:\n      - path: _test\\.go\n        linters: [errcheck]\n", "", ""},
		{"golangci: an exclusion more", ".golangci.yml", golangci, "        linters: [errcheck]\n", "        linters: [errcheck]\n      - path: cmd\n        linters: [gosec]\n", "protected"},
		{"golangci: another exclusion", ".golangci.yml", golangci, "_test\\.go", ".*", "protected"},
		{"golangci: a linter's settings, in front of it", ".golangci.yml", golangci, "  settings:\n", "  settings:\n    nolintlint:\n      require-specific: true\n", ""},
		{"golangci: a linter's settings that allow", ".golangci.yml", golangci, "  settings:\n", "  settings:\n    nolintlint:\n      allow-unused: true\n", "protected"},
		{"golangci: a linter less beside one more", ".golangci.yml", golangci, "    - errorlint\n", "    - gosec\n", "protected weakened-check"},
		{"golangci: its second version", ".golangci.yml", "linters:\n  disable-all: true\n  enable:\n    - govet\n", "linters:\n  disable-all: true", "version: \"2\"\nlinters:\n  default: none", "protected"},
		{"golangci: none by itself", ".golangci.yml", "linters:\n  enable:\n    - govet\n", "linters:\n", "linters:\n  default: none\n", "protected weakened-check"},

		{"mypy: stricter", "setup.cfg", setup, "warn_unused_ignores = False\ndisallow_untyped_defs = False\n", "warn_unused_ignores = True\ndisallow_untyped_defs = True\nno_implicit_optional = True\n", ""},
		{"mypy: stricter, for one module", "setup.cfg", setup, "[mypy]\nwarn_unused_ignores = False\n", "[mypy]\nwarn_unused_ignores = True\n\n[mypy-other.*]\n", "protected"},
		{"mypy: stricter, and one thing is not", "setup.cfg", setup, "warn_unused_ignores = False\ndisallow_untyped_defs = False\n", "warn_unused_ignores = True\ndisallow_untyped_defs = True\nignore_errors = True\n", "protected weakened-check"},
		{"mypy: a switch in another section", "setup.cfg", "[mypy]\nwarn_return_any = True\n\n[mypy-tests.*]\nx = 1\n", "warn_return_any = True\n\n[mypy-tests.*]\n", "\n[mypy-tests.*]\nwarn_return_any = True\n", "protected"},
		{"mypy: the types of one library", "setup.cfg", setup, "[mypy-tests.*]\n", "[mypy-other.*]\nignore_missing_imports = True\n\n[mypy-tests.*]\n", "ask"},
		{"mypy: the types of one library, in TOML", "pyproject.toml", "[tool.mypy]\nstrict = true\n", "true\n", "true\n\n[[tool.mypy.overrides]]\nmodule = [\"other.*\"]\nignore_missing_imports = true\n", "ask"},
		{"mypy: the types of all", "pyproject.toml", "[tool.mypy]\nstrict = true\n", "true\n", "true\n\n[[tool.mypy.overrides]]\nmodule = [\"*\"]\nignore_missing_imports = true\n", "protected weakened-check"},
		{"flake8: less is ignored", "setup.cfg", setup, "E203, F401", "E203", ""},

		{"npm: scripts that may fail", "package.json", scripts, "\"eslint src || true\",\n    \"test\": \"vitest run --passWithNoTests\"", "\"eslint src test --max-warnings 0\",\n    \"test\": \"vitest run\",\n    \"check\": \"npm run lint && npm test\"", ""},
		{"npm: a script that may fail, and one that does not check", "package.json", scripts, "\"eslint src || true\"", "\"eslint src\",\n    \"postinstall\": \"node setup.js\"", "protected"},
		{"npm: a script that may fail, elsewhere", "package.json", scripts, "\"eslint src || true\",\n    \"test\": \"vitest run --passWithNoTests\"", "\"eslint src\",\n    \"test\": \"vitest run --passWithNoTests || true\"", "protected"},

		{"gradle: failures count, and warnings", "build.gradle.kts", gradle, "tasks.test {\n    useJUnitPlatform()\n    ignoreFailures = true\n", "kotlin {\n    compilerOptions { allWarningsAsErrors.set(true) }\n}\n\ntasks.test {\n    useJUnitPlatform()\n", ""},
		{"gradle: more is covered", "build.gradle.kts", gradle, "0.60", "0.70", ""},
		{"gradle: a property that ignores failures", "build.gradle.kts", gradle, "    ignoreFailures = true\n", "    ignoreFailures.set(true)\n", "protected"},
		{"gradle: warnings count no more", "build.gradle.kts", "kotlin {\n    compilerOptions { allWarningsAsErrors.set(true) }\n}\n", "set(true)", "set(false)", "protected weakened-check"},
		{"gradle: what is stricter is wrapped", "build.gradle.kts", gradle, "    violationRules {\n        rule { limit { minimum = \"0.60\".toBigDecimal() } }\n    }\n", "    if (false) {\n    violationRules {\n        rule { limit { minimum = \"0.70\".toBigDecimal() } }\n    }\n    }\n", "protected"},

		{"cargo: lints", "Cargo.toml", cargo, "[lints.clippy]\ntodo = \"warn\"\n", "[lints.rust]\nunsafe_code = \"forbid\"\n\n[lints.clippy]\ntodo = \"deny\"\nunwrap_used = \"deny\"\n", ""},
		{"cargo: a lint that is allowed beside", "Cargo.toml", cargo, "todo = \"warn\"\n", "todo = \"deny\"\nunwrap_used = \"allow\"\n", "protected weakened-check"},

		{"ci: reports are kept, whatever happens", ".github/workflows/ci.yml", workflow, "      - run: ./mvnw -B verify\n", "      - run: ./mvnw -B verify\n      - name: Keep reports\n        if: always()\n        uses: actions/upload-artifact@v4\n        with:\n          name: reports\n          path: |\n            **/target/surefire-reports\n            target/site\n", ""},
		{"ci: all is kept", ".github/workflows/ci.yml", workflow, "      - run: ./mvnw -B verify\n", "      - run: ./mvnw -B verify\n      - uses: actions/upload-artifact@v4\n        with:\n          path: .\n", "protected"},
		{"ci: what lies outside is kept", ".github/workflows/ci.yml", workflow, "      - run: ./mvnw -B verify\n", "      - run: ./mvnw -B verify\n      - uses: actions/upload-artifact@v4\n        with:\n          path: ~/.ssh\n", "protected"},
		{"ci: an action by a commit that may be anybody's", ".github/workflows/ci.yml", workflow, "      - run: ./mvnw -B verify\n", "      - run: ./mvnw -B verify\n      - uses: actions/upload-artifact@f205ea1c3313d32999d8d6a48b4f6530d4437b38\n        with:\n          path: target/reports\n", "protected"},
		{"ci: someone else's action", ".github/workflows/ci.yml", workflow, "      - run: ./mvnw -B verify\n", "      - run: ./mvnw -B verify\n      - if: always()\n        uses: someone/report@v1\n", "protected"},
		{"ci: reports are kept, and the check may fail", ".github/workflows/ci.yml", workflow, "      - run: ./mvnw -B verify\n", "      - run: ./mvnw -B verify\n        continue-on-error: true\n      - if: always()\n        uses: actions/upload-artifact@v4\n        with:\n          path: target/reports\n", "protected weakened-check"},
		{"ci: a condition is another step's", ".github/workflows/ci.yml", "jobs:\n  a:\n    steps:\n      - run: make build\n        if: github.ref == 'x'\n      - run: make test\n", "make build\n        if: github.ref == 'x'\n      - run: make test\n", "make build\n      - run: make test\n        if: github.ref == 'x'\n", "protected"},
		{"ci: another order", ".github/workflows/ci.yml", "jobs:\n  a:\n    steps:\n      - run: make build\n      - run: make test\n", "      - run: make build\n      - run: make test\n", "      - run: make test\n      - run: make build\n", "protected"},

		{"gitlab: failures count", ".gitlab-ci.yml", gitlab, "  allow_failure: true\n  script: cargo clippy --all-targets\n\nunit:\n  stage: test\n  script: cargo test --workspace || true", "  script: cargo clippy --all-targets --locked -- -D warnings\n\nunit:\n  stage: test\n  script: cargo test --workspace --locked", ""},
		{"gitlab: fewer targets, more warnings", ".gitlab-ci.yml", gitlab, "  allow_failure: true\n  script: cargo clippy --all-targets", "  script: cargo clippy -- -D warnings", "protected weakened-check"},
		{"gitlab: warnings are allowed", ".gitlab-ci.yml", gitlab, "  allow_failure: true\n  script: cargo clippy --all-targets", "  script: cargo clippy --all-targets -- -A warnings", "protected weakened-check"},
		{"gitlab: some tests", ".gitlab-ci.yml", gitlab, "  allow_failure: true\n  script: cargo clippy --all-targets\n\nunit:\n  stage: test\n  script: cargo test --workspace || true", "  script: cargo clippy --all-targets\n\nunit:\n  stage: test\n  script: cargo test --workspace parser || true", "protected"},

		{"make: cleaning up", "Makefile", makefile, "\tgo test ./...\n", "\tgo test ./...\n\nclean:\n\t-rm -rf bin\n\tdocker rm -f db 2>/dev/null || true\n", ""},
		{"make: something that is not known", "Makefile", makefile, "\tgo test ./...\n", "\tgo test ./...\n\nsmoke:\n\t./smoke.sh || true\n", "weakened-check"},
		{"make: a check behind what cleans up", "Makefile", makefile, "\tgo test ./...\n", "\trm -rf bin; go test ./... || true\n", "protected weakened-check"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := input(files{c.path: c.before}, files{c.path: replaceOnce(t, c.before, c.old, c.new)})
			in.Goal = audit.Goal{By: audit.Person}
			var want []string
			for rule := range strings.FieldsSeq(c.rule) {
				want = append(want, rule)
			}
			var got []string
			for _, f := range audit.Audit(t.Context(), in).Findings {
				if f.Effect != audit.Note {
					got = append(got, f.Rule)
				}
			}
			if c.rule == "ask" {
				if r := audit.Audit(t.Context(), in); r.Decision() != verdict.Ask {
					t.Errorf("got %s\n%v", r.Decision(), r.Findings)
				}
				return
			}
			slices.Sort(got)
			if got = slices.Compact(got); !slices.Equal(got, want) {
				t.Errorf("got %q, want %q\n%v", got, want, audit.Audit(t.Context(), in).Findings)
			}
		})
	}
}

// TestStricterSections are sections of mypy's about some modules that are gone.
func TestStricterSections(t *testing.T) {
	t.Parallel()
	const head = "[tool.mypy]\nwarn_unused_ignores = true\n"
	for _, c := range []struct {
		name, before, after string
		stopped             bool
	}{
		{"an exception goes", head + "\n[[tool.mypy.overrides]]\nmodule = \"legacy.*\"\nignore_errors = true\n", head + "strict = true\n", false},
		{"the second of two goes", head + "\n[[tool.mypy.overrides]]\nmodule = \"legacy.*\"\nignore_errors = true\n\n[[tool.mypy.overrides]]\nmodule = \"old.*\"\nignore_errors = true\n", head + "\n[[tool.mypy.overrides]]\nmodule = \"legacy.*\"\nignore_errors = true\n", false},
		{"what is strict goes", head + "\n[[tool.mypy.overrides]]\nmodule = \"core.*\"\nstrict = true\n", head, true},
		{"an exception for more", head + "\n[[tool.mypy.overrides]]\nmodule = \"legacy.*\"\nignore_errors = true\n", head + "strict = true\n\n[[tool.mypy.overrides]]\nmodule = \"*\"\nignore_errors = true\n", true},
		{"an exception comes", head, head + "\n[[tool.mypy.overrides]]\nmodule = \"legacy.*\"\nignore_errors = true\n", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			in := input(files{"pyproject.toml": c.before}, files{"pyproject.toml": c.after})
			in.Goal.By = audit.Person
			if report := audit.Audit(t.Context(), in); (report.Decision() != verdict.Approve) != c.stopped {
				t.Errorf("got %s: %v", report.Decision(), report.Findings)
			}
		})
	}
}
