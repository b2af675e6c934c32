package silence_test

import (
	"slices"
	"testing"

	"fettle/internal/lang"
	"fettle/internal/pattern"
	"fettle/internal/silence"
)

func TestPatterns(t *testing.T) {
	for text, err := range pattern.Check() {
		t.Errorf("%s: %v", text, err)
	}
}

func TestMarks(t *testing.T) {
	for _, tc := range []struct {
		lang  lang.Language
		line  string
		tool  string // "": none
		rules []string
	}{
		{lang.Python, "import os  # noqa", "ruff/flake8", nil},
		{lang.Python, "import os  # NOQA: F401, E501 needed", "ruff/flake8", []string{"F401", "E501"}},
		{lang.Python, "import os  #noqa:F401,PLR0913", "ruff/flake8", []string{"F401", "PLR0913"}},
		{lang.Python, "# ruff: noqa: F401", "ruff/flake8", []string{"F401"}},
		{lang.Python, "# flake8: noqa", "ruff/flake8", nil},
		{lang.Python, "x = f()  # type: ignore", "mypy", nil},
		{lang.Python, "x = f()  # type: ignore[arg-type, misc]", "mypy", []string{"arg-type", "misc"}},
		{lang.Python, "# mypy: ignore-errors", "mypy", []string{"ignore-errors"}},
		{lang.Python, "x = f()  # pyright: ignore[reportGeneral]", "pyright", []string{"reportGeneral"}},
		{lang.Python, "eval(x)  # nosec B307", "bandit", []string{"B307"}},
		{lang.Python, "if x:  # pragma: no cover", "coverage", nil},
		{lang.Python, "# pylint: disable=unused-import, too-many-lines", "pylint", []string{"unused-import", "too-many-lines"}},
		{lang.Python, "# fmt: off", "black/ruff format", nil},
		{lang.Python, "x = [1,2]  # fmt: skip", "black/ruff format", nil},
		{lang.Python, "# fmt: on", "", nil},
		{lang.Python, "# isort: skip_file", "isort", nil},
		{lang.Python, "# the noqa mark is not used", "", nil},
		{lang.Python, "x: int = 1  # type: int", "", nil},
		{lang.Python, "noqa = 1", "", nil},
		{lang.Go, "x() //nolint", "golangci-lint", nil},
		{lang.Go, "x() //nolint:errcheck,gosec // because", "golangci-lint", []string{"errcheck", "gosec"}},
		{lang.Go, "//lint:ignore SA1019 old API", "staticcheck", []string{"SA1019"}},
		{lang.Go, "exec.Command(x) // #nosec G204", "gosec", []string{"G204"}},
		{lang.Go, "// nolinting here", "", nil},
		{lang.TypeScript, "// @ts-ignore", "typescript", nil},
		{lang.TypeScript, "// @ts-expect-error wrong types", "typescript", nil},
		{lang.JavaScript, "foo() // eslint-disable-line no-undef, no-unused-vars", "eslint", []string{"no-undef", "no-unused-vars"}},
		{lang.JavaScript, "/* eslint-disable */", "eslint", nil},
		{lang.JavaScript, "// eslint-disable-next-line @typescript-eslint/no-explicit-any -- reason", "eslint", []string{"@typescript-eslint/no-explicit-any"}},
		{lang.JavaScript, "// biome-ignore lint/suspicious/noExplicitAny: no other way", "biome", []string{"lint/suspicious/noExplicitAny"}},
		{lang.TypeScript, "// biome-ignore-all format: by hand", "biome", []string{"format"}},
		{lang.TypeScript, "  // prettier-ignore", "prettier", nil},
		{lang.JavaScript, "/* node:coverage ignore next */", "istanbul", nil},
		{lang.JavaScript, "// $FlowFixMe[incompatible-type]", "flow", nil},
		{lang.JavaScript, "const eslintDisable = 1 // prettier is fine", "", nil},
		{lang.Java, `@SuppressWarnings({"unchecked", "rawtypes"})`, "javac", []string{"unchecked", "rawtypes"}},
		{lang.Rust, "#[allow(dead_code, clippy::all)]", "rustc/clippy", []string{"dead_code", "clippy::all"}},
		{lang.Rust, "#![cfg_attr(not(test), allow(dead_code))]", "rustc/clippy", []string{"dead_code"}},
		{lang.Rust, "#[expect(unused)]", "rustc/clippy", []string{"unused"}},
		{lang.Rust, "#[rustfmt::skip]", "rustfmt", nil},
		{lang.Rust, "#[deny(unused)]", "", nil},
		{lang.Java, "int a = 1; // NOPMD", "pmd", nil},
		{lang.Java, "// CHECKSTYLE:OFF", "checkstyle", nil},
		{lang.Java, "// CHECKSTYLE.OFF: MagicNumber", "checkstyle", []string{"MagicNumber"}},
		{lang.Java, "// CHECKSTYLE IGNORE MagicNumber FOR NEXT 1 LINES", "checkstyle", []string{"MagicNumber"}},
		{lang.Java, "/* spotless:off */", "spotless", nil},
		{lang.Java, `@SuppressFBWarnings(value = "NP_NULL")`, "spotbugs", []string{"NP_NULL"}},
		{lang.Java, "// CHECKSTYLE:ON", "", nil},
		{lang.Kotlin, `@Suppress("UNCHECKED_CAST")`, "kotlinc", []string{"UNCHECKED_CAST"}},
		{lang.Kotlin, "// ktlint-disable no-wildcard-imports", "ktlint", []string{"no-wildcard-imports"}},
		{lang.Shell, "# shellcheck disable=SC2086,SC2046", "shellcheck", []string{"SC2086", "SC2046"}},
		{lang.CPP, "x(); // NOLINTNEXTLINE(bugprone-x)", "clang-tidy", []string{"bugprone-x"}},
		{lang.Unknown, "# noqa", "", nil},
	} {
		got := silence.Marks(tc.lang, tc.line)
		switch {
		case tc.tool == "" && len(got) > 0:
			t.Errorf("%q: %+v", tc.line, got)
		case tc.tool != "" && (len(got) != 1 || got[0].Tool != tc.tool || !slices.Equal(got[0].Rules, tc.rules)):
			t.Errorf("%q: %+v, want %s %q", tc.line, got, tc.tool, tc.rules)
		}
	}
	two := silence.Marks(lang.Python, "x = 1  # type: ignore[misc]  # noqa: E501")
	if len(two) != 2 || two[0].Tool != "mypy" || two[1].Text != "# noqa: E501" || two[1].Column != 29 {
		t.Errorf("two marks: %+v", two)
	}
}

func FuzzMarks(f *testing.F) {
	f.Add("python", "x  # noqa: E501  # type: ignore[misc]")
	f.Add("go", "t.Skip() //nolint:a,b // #nosec G1")
	f.Fuzz(func(t *testing.T, l, line string) {
		end := 0
		for _, s := range silence.Marks(lang.Language(l), line) {
			if s.Column < end || s.Column+len(s.Text) > len(line) || s.Text == "" {
				t.Fatalf("marks overlap or lie outside of the line: %+v", s)
			}
			end = s.Column + len(s.Text)
		}
	})
}
