// Package silence answers "which tool is told to be silent here, and about what?": the comments and attributes by which a line keeps a linter, a type checker or a formatter from
// complaining, in each language, as the tools' own manuals have them. It looks at the text alone: a mark in a string literal counts as one.
package silence

import (
	"cmp"
	"slices"
	"strings"

	"fettle/internal/lang"
	"fettle/internal/pattern"
)

// Mark is one place in a line that tells a tool to be silent.
type Mark struct {
	Tool   string   // as people call it: "ruff/flake8", "mypy", "golangci-lint", "eslint"
	Text   string   // the mark as written, without its reasons: "# noqa: F401"
	Rules  []string // what it silences; empty: everything
	Column int      // byte of the line, from 0, where the mark begins
}

// form is how one tool is told to be silent. The group named "rules" holds the rules, separated by commas or blanks.
type form struct {
	tool string
	re   *pattern.Pattern
}

func told(tool, text string) form { return form{tool, pattern.New(text)} }

// Rules as tools write them: letters with digits, dashes, slashes, dots, and plugins' @scope.
const (
	ruleList  = `(?P<rules>[@\w./-]+(?:[ \t]*,[ \t]*[@\w./-]+)*)`
	noqaCodes = `(?P<rules>[A-Za-z]+[0-9]+(?:[,\s]+[A-Za-z]+[0-9]+)*)`
)

// marks is what each language's tools understand; see the tools' own manuals for the words.
var marks = pattern.Table(func() map[lang.Language][]form {
	javascript, c := javascriptMarks(), cMarks()
	return map[lang.Language][]form{
		lang.Python: {
			told("ruff/flake8", `(?i)#\s*(?:ruff|flake8)\s*[:=]\s*noqa\b(?:\s*:\s*`+noqaCodes+`)?`),
			told("ruff/flake8", `(?i)#\s*noqa\b(?:\s*:\s*`+noqaCodes+`)?`),
			told("ruff", `#\s*ruff:\s*(?:ignore|disable|file-ignore)\[(?P<rules>[^\]]*)\]`),
			told("mypy", `#\s*type:\s*ignore\b(?:\[(?P<rules>[^\]]*)\])?`),
			told("mypy", `#\s*mypy:\s*(?P<rules>(?:ignore-errors|disable-error-code|disallow-|no-|allow-)[\w="-]*)`),
			told("pyright", `#\s*pyright:\s*(?:ignore\b(?:\[(?P<rules>[^\]]*)\])?|basic\b|report\w+\s*=\s*(?:false|none)\b)`),
			told("ty", `#\s*ty:\s*ignore\b(?:\[(?P<rules>[^\]]*)\])?`),
			told("pylint", `#\s*pylint:\s*(?:disable(?:-next|-msg)?\s*=\s*`+ruleList+`|skip-file)`),
			told("bandit", `(?i)#\s*nosec\b(?:\s*:?\s*(?P<rules>B[0-9]+(?:[,\s]+B[0-9]+)*))?`),
			told("coverage", `#\s*pragma:\s*no\s?(?:cover|branch)\b`),
			told("black/ruff format", `#\s*fmt:\s*(?:off|skip)\b`),
			told("yapf", `#\s*yapf:\s*disable\b`),
			told("isort", `#\s*isort:\s*(?:skip_file|skip|off)\b`),
			told("semgrep", `#\s*nosemgrep\b(?::\s*`+ruleList+`)?`),
		},
		lang.Go: {
			told("golangci-lint", `//\s*nolint\b(?::\s*`+ruleList+`)?`),
			told("staticcheck", `//lint:(?:file-)?ignore\s+`+ruleList),
			told("gosec", `#nosec\b(?:\s+(?P<rules>G[0-9]+(?:[,\s]+G[0-9]+)*))?`),
			told("revive", `//\s*revive:disable(?:-next-line|-line)?\b(?::`+ruleList+`)?`),
			told("golangci-lint", `//\s*exhaustive:ignore\b`),
		},
		lang.JavaScript: javascript,
		lang.TypeScript: javascript,
		lang.Java: {
			told("javac", `@SuppressWarnings\s*\(\s*\{?\s*(?P<rules>[^)}]*)`),
			told("sonar", `//\s*NOSONAR\b`),
			told("checkstyle", `(?://|/\*)\s*CHECKSTYLE(?:[:.]\s*|\s+)(?:OFF|IGNORE|SUPPRESS|DISABLE)\b(?:\s*:?\s*(?P<rules>\w+))?`),
			told("pmd", `//\s*NOPMD\b`),
			told("spotless", `(?://|/\*)\s*spotless:off\b`),
			told("google-java-format", `(?://|/\*)\s*@formatter:off\b`),
			told("spotbugs", `@SuppressFBWarnings\b(?:\s*\(\s*(?:value\s*=\s*)?\{?\s*(?P<rules>"[^)}]*))?`),
		},
		lang.Kotlin: {
			told("kotlinc", `@(?:file:)?Suppress\s*\((?P<rules>[^)]*)`),
			told("ktlint", `//\s*ktlint-disable\b(?:[ \t]+`+ruleList+`)?`),
			told("detekt", `@SuppressWarnings\s*\((?P<rules>[^)]*)`),
			told("spotless", `(?://|/\*)\s*(?:spotless:off|@formatter:off)\b`),
		},
		lang.Rust: {
			told("rustc/clippy", `#!?\[\s*(?:cfg_attr\s*\(.*?,\s*)?(?:allow|expect)\s*\((?P<rules>[^)]*)\)`),
			told("rustfmt", `#!?\[\s*(?:cfg_attr\s*\(\s*\w+\s*,\s*)?(?:rustfmt::skip|rustfmt_skip)\b`),
			told("coverage", `#\[\s*(?:cfg_attr\s*\(.*?,\s*)?coverage\s*\(\s*off\s*\)`),
			told("tarpaulin", `#\[\s*(?:cfg\s*\(\s*not\s*\(\s*tarpaulin|cfg_attr\s*\(\s*tarpaulin)`),
		},
		lang.Shell: {told("shellcheck", `#\s*shellcheck\s+disable=`+ruleList)},
		lang.Ruby:  {told("rubocop", `#\s*rubocop:(?:disable|todo)\s+`+ruleList)},
		lang.C:     c,
		lang.CPP:   c,
		lang.PHP: {
			told("phpstan", `@phpstan-ignore(?:-next-line|-line)?\b`),
			told("psalm", `@psalm-suppress\s+`+ruleList),
			told("phpcs", `//\s*phpcs:(?:ignore|disable)\b`),
		},
		lang.CSharp: {told("roslyn", `#pragma\s+warning\s+disable\b(?:\s+`+ruleList+`)?`)},
		lang.CSS:    {told("stylelint", `stylelint-disable(?:-next-line|-line)?\b`)},
		lang.YAML: {
			told("yamllint", `#\s*yamllint\s+disable(?:-line|-file)?\b`),
			told("semgrep", `#\s*nosemgrep\b`),
		},
		lang.Docker:   {told("hadolint", `#\s*hadolint\s+(?:global\s+)?ignore=`+ruleList)},
		lang.Markdown: {told("markdownlint", `<!--\s*markdownlint-(?:disable|capture|configure-file)`)},
	}
})

func javascriptMarks() []form {
	return []form{
		told("eslint", `(?://|/\*)\s*eslint-disable(?:-next-line|-line)?\b(?:[ \t]+`+ruleList+`)?`),
		told("eslint", `/\*\s*eslint\s+(?P<rules>[@\w./-]+)\s*:\s*(?:0|"off"|'off'|\["off")`),
		told("typescript", `(?://|/\*)\s*@ts-(?:ignore|nocheck|expect-error)\b`),
		told("biome", `(?://|/\*)\s*biome-ignore(?:-all|-start)?\b(?:\s+(?P<rules>[\w/]+))?`),
		told("prettier", `(?://|/\*)\s*prettier-ignore\b`),
		told("biome", `(?://|/\*)\s*rome-ignore\b(?:\s+(?P<rules>[\w/]+))?`),
		told("istanbul", `(?://|/\*)\s*(?:istanbul|c8|v8|node:coverage)\s+(?:ignore|disable)\b`),
		told("oxlint", `(?://|/\*)\s*oxlint-disable(?:-next-line|-line)?\b`),
		told("flow", `(?://|/\*)\s*\$Flow(?:FixMe|Ignore|ExpectedError|Issue)\b`),
		told("webpack/vite", `/\*\s*@vite-ignore\b`),
		told("deno", `//\s*deno-lint-ignore(?:-file)?\b`),
		told("tslint", `(?://|/\*)\s*tslint:disable(?:-next-line|-line)?\b`),
	}
}

func cMarks() []form {
	return []form{
		told("clang-tidy", `//\s*NOLINT(?:NEXTLINE|BEGIN)?\b(?:\((?P<rules>[^)]*)\))?`),
		told("clang-format", `(?://|/\*)\s*clang-format\s+off\b`),
		told("gcc/clang", `#pragma\s+(?:GCC|clang)\s+diagnostic\s+ignored\s+"(?P<rules>[^"]*)"`),
		told("cppcheck", `//\s*cppcheck-suppress\b`),
	}
}

// Marks gives the marks in one line that tell a tool to be silent, from left to right. A line of a language without known
// marks has none.
func Marks(l lang.Language, line string) []Mark {
	var out []Mark
	for _, k := range marks()[l] {
		for _, at := range k.re.FindAllStringSubmatchIndex(line, -1) {
			if overlaps(out, at[0], at[1]) {
				continue // "# ruff: noqa" is also found as "# noqa" by a looser rule
			}
			s := Mark{Tool: k.tool, Text: strings.TrimSpace(line[at[0]:at[1]]), Column: at[0]}
			if g := k.re.SubexpIndex("rules"); g > 0 && at[2*g] >= 0 {
				s.Rules = splitRules(line[at[2*g]:at[2*g+1]])
			}
			out = append(out, s)
		}
	}
	slices.SortFunc(out, func(a, b Mark) int { return cmp.Compare(a.Column, b.Column) })
	return out
}

func overlaps(found []Mark, start, end int) bool {
	for _, s := range found {
		if start < s.Column+len(s.Text) && s.Column < end {
			return true
		}
	}
	return false
}

func splitRules(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(", \t\"'{}", r) })
}
