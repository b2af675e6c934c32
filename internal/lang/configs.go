package lang

// checkConfigs are the files that decide what a check looks at and how strict it is. A change to one can turn a check green
// without any change to the code. Files that also hold other things (pyproject.toml, package.json) count whole.
var checkConfigs = indexed(rules{names: []string{
	// fettle's own, and runners of checks
	"fettle.yaml", "fettle.yml", "fettle-baseline.json", ".pre-commit-config.yaml", ".pre-commit-config.yml", ".pre-commit-hooks.yaml",
	"lefthook.yml", "lefthook.yaml", ".lefthook.yml", "lefthook.toml",
	"Makefile", "makefile", "GNUmakefile", "*.mk", "justfile", "Justfile", ".justfile", "Taskfile.yml", "Taskfile.yaml",
	".editorconfig", "sonar-project.properties", ".codecov.yml", "codecov.yml", ".semgrep.yml", ".semgrepignore",
	// Go
	".golangci.*", ".revive.toml", "revive.toml", "staticcheck.conf", ".testcoverage.yml",
	// Python
	"pyproject.toml", "setup.cfg", "tox.ini", "tox.toml", "pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", "ruff.toml",
	".ruff.toml", "mypy.ini", ".mypy.ini", ".flake8", ".pylintrc", "pylintrc", ".pylintrc.toml", "pylintrc.toml", ".coveragerc",
	".isort.cfg", ".style.yapf", ".pydocstyle", ".bandit", "bandit.yaml", "pyrightconfig.json", "noxfile.py", "ty.toml",
	"tasks.py", "sitecustomize.py", "usercustomize.py",
	// JavaScript and TypeScript
	"package.json", "tsconfig.json", "tsconfig.*.json", "jsconfig.json", ".eslintrc", ".eslintrc.*", "eslint.config.*", ".eslintignore",
	".prettierrc", ".prettierrc.*", "prettier.config.*", ".prettierignore", "biome.json", "biome.jsonc", ".stylelintrc", ".stylelintrc.*",
	"stylelint.config.*", "jest.config.*", "vitest.config.*", "vitest.workspace.*", "vite.config.*", "karma.conf.*", ".mocharc.*",
	"babel.config.*", ".babelrc", "playwright.config.*", "cypress.config.*", ".nycrc", ".nycrc.*", ".c8rc.json", "deno.json", "deno.jsonc",
	"bunfig.toml", "nx.json", "turbo.json", ".oxlintrc.json", ".biome.json", ".biome.jsonc", "ava.config.*", ".taprc", ".swcrc",
	"pnpm-workspace.yaml", ".lintstagedrc", ".lintstagedrc.*", "lint-staged.config.*", "dprint.json", ".jshintrc", ".xo-config.*",
	// JVM
	"pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", "gradle.properties", "build.sbt",
	"*.gradle", "*.gradle.kts", "checkstyle*.xml", "google_checks.xml", "sun_checks.xml", "pmd.xml", "pmd-*.xml", "spotbugs*.xml", "detekt*.yml", "detekt*.yaml",
	"ktlint-baseline.xml", "testng.xml", "junit-platform.properties", "lombok.config", ".scalafmt.conf", ".scalafix.conf",
	// Rust
	"rustfmt.toml", ".rustfmt.toml", "clippy.toml", ".clippy.toml", "deny.toml", "nextest.toml", "Cargo.toml", "rust-toolchain", "rust-toolchain.toml",
	"tarpaulin.toml", ".tarpaulin.toml",
	// others
	".clang-format", ".clang-tidy", "CMakePresets.json", ".rubocop.yml", ".rubocop_todo.yml", ".rspec", "Rakefile", "phpunit.xml",
	"phpunit.xml.dist", "phpstan.neon", "phpstan.neon.dist", "phpstan-baseline.neon", "psalm.xml", ".swiftlint.yml", ".luacheckrc",
	".shellcheckrc", ".yamllint", ".yamllint.yml", ".yamllint.yaml", ".markdownlint.*", ".hadolint.yaml", ".sqlfluff", "buf.yaml",
	"typos.toml", ".typos.toml", "_typos.toml", ".codespellrc",
}, under: []string{".cargo/config", ".config/nextest", ".mvn/", "config/checkstyle/", "config/pmd/", "config/detekt/", "config/spotbugs/"}})

// IsCheckConfig reports whether the file configures a test runner, linter, formatter, type checker or build.
func IsCheckConfig(file string) bool { return checkConfigs().match(file) }

// ci are the files that continuous integration runs from.
var ci = indexed(rules{
	names: []string{
		".gitlab-ci.yml", ".gitlab-ci.yaml", "*.gitlab-ci.yml", "Jenkinsfile", "Jenkinsfile.*", "azure-pipelines.yml", "azure-pipelines.yaml",
		"azure-pipelines-*.yml", ".travis.yml", "appveyor.yml", ".appveyor.yml", "bitbucket-pipelines.yml", ".drone.yml", ".drone.yaml",
		".cirrus.yml", ".cirrus.star", ".woodpecker.yml", ".woodpecker.yaml", "cloudbuild.yaml", "cloudbuild.yml", "buildspec.yml",
		"buildkite.yml", "wercker.yml", ".semaphore.yml", "circle.yml", "renovate.json", ".renovaterc",
		".renovaterc.json", "CODEOWNERS",
	},
	under: []string{
		".github/workflows/", ".github/actions/", ".gitea/workflows/", ".forgejo/workflows/", ".gitlab/ci/", ".circleci/", ".buildkite/",
		".azure-pipelines/", ".woodpecker/", ".semaphore/", ".teamcity/", ".ci/",
	},
})

// IsCI reports whether the file is part of continuous integration: what it runs, and who must approve.
func IsCI(file string) bool { return ci().match(file) }
