package lang

import (
	"strings"

	"fettle/internal/pattern"
)

// skips is how tests are skipped, or expected to fail, in each language.
var skips = pattern.Lazy[map[Language]*pattern.Pattern]{Made: func() map[Language]*pattern.Pattern {
	javascript := javascriptSkips()
	return map[Language]*pattern.Pattern{
		Go: oneOf(
			`\b\w+\.(?:Skip|Skipf|SkipNow)\(`,
			`^//go:build\s+ignore\b`, `^// \+build\s+ignore\b`,
		),
		Python: oneOf(
			`\bpytest\.mark\.(?:skip|skipif|xfail)\b`, `\bmark\.(?:skip|skipif|xfail)\b`,
			`\bpytest\.(?:skip|xfail|importorskip)\(`,
			`\b(?:unittest\.)?(?:skipIf|skipUnless)\(`, `\bunittest\.(?:skip|expectedFailure)\b`, `@(?:skip|expectedFailure|xfail)\b`,
			`\bself\.skipTest\(`, `\bSkipTest\b`,
			`\b__test__\s*=\s*False\b`, `\bcollect_ignore(?:_glob)?\b`,
		),
		JavaScript: javascript,
		TypeScript: javascript,
		Java: oneOf(`@(?:Disabled|Ignore)\b`, `@(?:Disabled|Enabled)(?:On|If|For)\w*\b`, `\bAssume\.assume\w+\(`, `\bassume(?:True|False|That|ThatCode|NoException|NotNull)\(`,
			`\bassumingThat\(`, `\bAssumptions\.abort\(`, `@Test\([^)]*\benabled\s*=\s*false\b`, `\bnew SkipException\(`),
		Kotlin: oneOf(`@(?:Disabled|Ignore)\b`, `@(?:Disabled|Enabled)(?:On|If|For)\w*\b`, `\bassume(?:True|False|That|NotNull)\(`, `\bassumingThat\b`,
			`\.config\([^)]*\benabled\s*=\s*false\b`, `\b(?:xtest|xit|xcontext|xdescribe|xshould)\(`),
		Scala: oneOf(`@Ignore\b`, `^\s*ignore\(`, `\bassume\(`, `\bcancel\(`),
		Rust: oneOf(`#\[\s*(?:cfg_attr\s*\(.*?,\s*)?ignore\b`, `#\[\s*should_panic\b`, `#\[\s*cfg\s*\(\s*any\s*\(\s*\)\s*\)`,
			"^\\s*(?://[/!]\\s*)?```(?:\\w+,)*(?:ignore|no_run)(?:-[\\w-]+)?\\b"), // examples in documentation
		Ruby:   oneOf(`\b(?:skip|pending)\b(?:\s*\(|\s+["'])`, `^\s*x(?:it|describe|context)\b`),
		CSharp: oneOf(`\[\s*Ignore\b`, `\bSkip\s*=\s*"`, `\bAssert\.Ignore\(`),
		PHP:    oneOf(`\bmarkTest(?:Skipped|Incomplete)\(`),
		CPP:    oneOf(`\bGTEST_SKIP\(`, `\b(?:TEST|TEST_F|TEST_P)\(\s*\w+\s*,\s*DISABLED_`),
		Shell:  oneOf(`^\s*skip\b`),
	}
}}

func javascriptSkips() *pattern.Pattern {
	return oneOf(
		`\b(?:it|test|describe|suite|context|specify|bench)(?:\.(?:each|concurrent|sequential|serial|parallel|failing))*\.(?:skip|todo|failing|fails|skipIf|runIf|only|fixme)\b`, // only: it skips all the others
		`\b(?:xit|xtest|xdescribe|xcontext|xspecify|fit|fdescribe)(?:\.\w+)*\(`,
		`\b(?:this|t|ctx|context|test)\.(?:skip|todo)\(`,
		`\{\s*(?:skip|todo|only|expectFailure)\s*:\s*(?:true\b|["'\x60])`, // options of node:test
	)
}

func oneOf(patterns ...string) *pattern.Pattern { return pattern.New(strings.Join(patterns, "|")) }

// Skips gives the marks in one line that skip a test, leave others out, or expect it to fail: t.Skip, pytest.mark.xfail, it.only.
// They are no suppressions: no tool is silenced, but a test does not speak.
func Skips(l Language, line string) []string {
	re := skips.Get()[l]
	if re == nil {
		return nil
	}
	found := re.FindAllString(line, -1)
	for i := range found {
		found[i] = strings.TrimSpace(found[i])
	}
	return found
}
