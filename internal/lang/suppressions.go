package lang

import (
	"cmp"
	"slices"
	"strings"

	"fettle/internal/pattern"
)

// Suppression is one mark in a line that tells a tool to be silent.
type Suppression struct {
	Tool   string   // as people call it: "ruff/flake8", "mypy", "golangci-lint", "eslint"
	Mark   string   // the mark as written, without its reasons: "# noqa: F401"
	Rules  []string // what it silences; empty: everything
	Column int      // byte of the line, from 0, where the mark begins
}

// mark is how one tool is told to be silent. The group named "rules" holds the rules, separated by commas or blanks.
type mark struct {
	tool string
	re   *pattern.Pattern
}

func silence(tool, text string) mark { return mark{tool, pattern.New(text)} }

// Rules as tools write them: letters with digits, dashes, slashes, dots, and plugins' @scope.
const (
	ruleList  = `(?P<rules>[@\w./-]+(?:[ \t]*,[ \t]*[@\w./-]+)*)`
	noqaCodes = `(?P<rules>[A-Za-z]+[0-9]+(?:[,\s]+[A-Za-z]+[0-9]+)*)`
)

// suppressions is what each language's tools understand; see the tools' own manuals for the words.
var suppressions = pattern.Table(func() map[Language][]mark {
	javascript, c := javascriptMarks(), cMarks()
	return map[Language][]mark{
		Python: {
			silence("ruff/flake8", `(?i)#\s*(?:ruff|flake8)\s*[:=]\s*noqa\b(?:\s*:\s*`+noqaCodes+`)?`),
			silence("ruff/flake8", `(?i)#\s*noqa\b(?:\s*:\s*`+noqaCodes+`)?`),
			silence("ruff", `#\s*ruff:\s*(?:ignore|disable|file-ignore)\[(?P<rules>[^\]]*)\]`),
			silence("mypy", `#\s*type:\s*ignore\b(?:\[(?P<rules>[^\]]*)\])?`),
			silence("mypy", `#\s*mypy:\s*(?P<rules>(?:ignore-errors|disable-error-code|disallow-|no-|allow-)[\w="-]*)`),
			silence("pyright", `#\s*pyright:\s*(?:ignore\b(?:\[(?P<rules>[^\]]*)\])?|basic\b|report\w+\s*=\s*(?:false|none)\b)`),
			silence("ty", `#\s*ty:\s*ignore\b(?:\[(?P<rules>[^\]]*)\])?`),
			silence("pylint", `#\s*pylint:\s*(?:disable(?:-next|-msg)?\s*=\s*`+ruleList+`|skip-file)`),
			silence("bandit", `(?i)#\s*nosec\b(?:\s*:?\s*(?P<rules>B[0-9]+(?:[,\s]+B[0-9]+)*))?`),
			silence("coverage", `#\s*pragma:\s*no\s?(?:cover|branch)\b`),
			silence("black/ruff format", `#\s*fmt:\s*(?:off|skip)\b`),
			silence("yapf", `#\s*yapf:\s*disable\b`),
			silence("isort", `#\s*isort:\s*(?:skip_file|skip|off)\b`),
			silence("semgrep", `#\s*nosemgrep\b(?::\s*`+ruleList+`)?`),
		},
		Go: {
			silence("golangci-lint", `//\s*nolint\b(?::\s*`+ruleList+`)?`),
			silence("staticcheck", `//lint:(?:file-)?ignore\s+`+ruleList),
			silence("gosec", `#nosec\b(?:\s+(?P<rules>G[0-9]+(?:[,\s]+G[0-9]+)*))?`),
			silence("revive", `//\s*revive:disable(?:-next-line|-line)?\b(?::`+ruleList+`)?`),
			silence("golangci-lint", `//\s*exhaustive:ignore\b`),
		},
		JavaScript: javascript,
		TypeScript: javascript,
		Java: {
			silence("javac", `@SuppressWarnings\s*\(\s*\{?\s*(?P<rules>[^)}]*)`),
			silence("sonar", `//\s*NOSONAR\b`),
			silence("checkstyle", `(?://|/\*)\s*CHECKSTYLE(?:[:.]\s*|\s+)(?:OFF|IGNORE|SUPPRESS|DISABLE)\b(?:\s*:?\s*(?P<rules>\w+))?`),
			silence("pmd", `//\s*NOPMD\b`),
			silence("spotless", `(?://|/\*)\s*spotless:off\b`),
			silence("google-java-format", `(?://|/\*)\s*@formatter:off\b`),
			silence("spotbugs", `@SuppressFBWarnings\b(?:\s*\(\s*(?:value\s*=\s*)?\{?\s*(?P<rules>"[^)}]*))?`),
		},
		Kotlin: {
			silence("kotlinc", `@(?:file:)?Suppress\s*\((?P<rules>[^)]*)`),
			silence("ktlint", `//\s*ktlint-disable\b(?:[ \t]+`+ruleList+`)?`),
			silence("detekt", `@SuppressWarnings\s*\((?P<rules>[^)]*)`),
			silence("spotless", `(?://|/\*)\s*(?:spotless:off|@formatter:off)\b`),
		},
		Rust: {
			silence("rustc/clippy", `#!?\[\s*(?:cfg_attr\s*\(.*?,\s*)?(?:allow|expect)\s*\((?P<rules>[^)]*)\)`),
			silence("rustfmt", `#!?\[\s*(?:cfg_attr\s*\(\s*\w+\s*,\s*)?(?:rustfmt::skip|rustfmt_skip)\b`),
			silence("coverage", `#\[\s*(?:cfg_attr\s*\(.*?,\s*)?coverage\s*\(\s*off\s*\)`),
			silence("tarpaulin", `#\[\s*(?:cfg\s*\(\s*not\s*\(\s*tarpaulin|cfg_attr\s*\(\s*tarpaulin)`),
		},
		Shell: {silence("shellcheck", `#\s*shellcheck\s+disable=`+ruleList)},
		Ruby:  {silence("rubocop", `#\s*rubocop:(?:disable|todo)\s+`+ruleList)},
		C:     c,
		CPP:   c,
		PHP: {
			silence("phpstan", `@phpstan-ignore(?:-next-line|-line)?\b`),
			silence("psalm", `@psalm-suppress\s+`+ruleList),
			silence("phpcs", `//\s*phpcs:(?:ignore|disable)\b`),
		},
		CSharp: {silence("roslyn", `#pragma\s+warning\s+disable\b(?:\s+`+ruleList+`)?`)},
		CSS:    {silence("stylelint", `stylelint-disable(?:-next-line|-line)?\b`)},
		YAML: {
			silence("yamllint", `#\s*yamllint\s+disable(?:-line|-file)?\b`),
			silence("semgrep", `#\s*nosemgrep\b`),
		},
		Docker:   {silence("hadolint", `#\s*hadolint\s+(?:global\s+)?ignore=`+ruleList)},
		Markdown: {silence("markdownlint", `<!--\s*markdownlint-(?:disable|capture|configure-file)`)},
	}
})

func javascriptMarks() []mark {
	return []mark{
		silence("eslint", `(?://|/\*)\s*eslint-disable(?:-next-line|-line)?\b(?:[ \t]+`+ruleList+`)?`),
		silence("eslint", `/\*\s*eslint\s+(?P<rules>[@\w./-]+)\s*:\s*(?:0|"off"|'off'|\["off")`),
		silence("typescript", `(?://|/\*)\s*@ts-(?:ignore|nocheck|expect-error)\b`),
		silence("biome", `(?://|/\*)\s*biome-ignore(?:-all|-start)?\b(?:\s+(?P<rules>[\w/]+))?`),
		silence("prettier", `(?://|/\*)\s*prettier-ignore\b`),
		silence("biome", `(?://|/\*)\s*rome-ignore\b(?:\s+(?P<rules>[\w/]+))?`),
		silence("istanbul", `(?://|/\*)\s*(?:istanbul|c8|v8|node:coverage)\s+(?:ignore|disable)\b`),
		silence("oxlint", `(?://|/\*)\s*oxlint-disable(?:-next-line|-line)?\b`),
		silence("flow", `(?://|/\*)\s*\$Flow(?:FixMe|Ignore|ExpectedError|Issue)\b`),
		silence("webpack/vite", `/\*\s*@vite-ignore\b`),
		silence("deno", `//\s*deno-lint-ignore(?:-file)?\b`),
		silence("tslint", `(?://|/\*)\s*tslint:disable(?:-next-line|-line)?\b`),
	}
}

func cMarks() []mark {
	return []mark{
		silence("clang-tidy", `//\s*NOLINT(?:NEXTLINE|BEGIN)?\b(?:\((?P<rules>[^)]*)\))?`),
		silence("clang-format", `(?://|/\*)\s*clang-format\s+off\b`),
		silence("gcc/clang", `#pragma\s+(?:GCC|clang)\s+diagnostic\s+ignored\s+"(?P<rules>[^"]*)"`),
		silence("cppcheck", `//\s*cppcheck-suppress\b`),
	}
}

// Suppressions gives the marks in one line that tell a tool to be silent, from left to right. A line of a language without known
// marks has none.
func Suppressions(l Language, line string) []Suppression {
	var out []Suppression
	for _, k := range suppressions()[l] {
		for _, at := range k.re.FindAllStringSubmatchIndex(line, -1) {
			if overlaps(out, at[0], at[1]) {
				continue // "# ruff: noqa" is also found as "# noqa" by a looser rule
			}
			s := Suppression{Tool: k.tool, Mark: strings.TrimSpace(line[at[0]:at[1]]), Column: at[0]}
			if g := k.re.SubexpIndex("rules"); g > 0 && at[2*g] >= 0 {
				s.Rules = splitRules(line[at[2*g]:at[2*g+1]])
			}
			out = append(out, s)
		}
	}
	slices.SortFunc(out, func(a, b Suppression) int { return cmp.Compare(a.Column, b.Column) })
	return out
}

func overlaps(found []Suppression, start, end int) bool {
	for _, s := range found {
		if start < s.Column+len(s.Mark) && s.Column < end {
			return true
		}
	}
	return false
}

func splitRules(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(", \t\"'{}", r) })
}
