package audit

import (
	"slices"

	"fettle/internal/audit/assertions"
	"fettle/internal/audit/functions"
	"fettle/internal/audit/parts"
	"fettle/internal/audit/trees"
	"fettle/internal/lang"
	"fettle/internal/pattern"
)

// evasionRules look for code that makes checks pass without doing its work. They look at code, not at tests.
var evasionRules = []Rule{
	{"sees-tests", "code that asks whether it is being tested", each(seesTests)},
	{"exits", "code that ends the process as if all were well", each(exits)},
	{"always-equal", "a comparison that is always true", each(alwaysEqual)},
	{"loosely-equal", "equality that begins to hold for what is only near, or alike in a part", each(func(v *patchView, f *fileView) []Finding {
		return append(looselyEqual(v, f), comparesLess(v, f)...)
	})},
	{"changed-world", "code that silences all errors of a program, stops its clock, or takes its chance away", each(changesTheWorld)},
	{"answers-all", "an object that answers whatever it is asked", each(answersEverything)},
	{"swallowed-errors", "a handler that catches every error and says nothing", each(swallowsErrors)},
	{"test-hook", "code that changes what a test run reports", each(testHooks)},
	{"left-out-tests", "tests within source code that are compiled no more, or under a further condition only", each(leftOutTests)},
	{"weakened-script", "a script that checks ends well although a check failed: its failures are ignored, lost in a pipe or a trap, or it is tried until it passes", each(func(v *patchView, f *fileView) []Finding {
		return append(weakenedScripts(v, f), retriedChecks(v, f)...)
	})},
	{"call-counter", "a function that counts its own calls, so that it can answer each test in another way", each(countsCalls)},
}

var (
	// testProbe matches, in any language, questions that only tests answer with yes: for variables of runners, for their classes and modules, for what measures how much they run.
	testProbe = pattern.Any(
		`(?:[Ee][Nn][Vv]\w*(?:::\w+)*|environment(?:\.\w+)?|defined|getProperty|GetEnvironmentVariable)\s*(?:!?\(|\[)\s*["']?(?:`+runnersOwn+`|VITEST\w*|NODE_TEST_CONTEXT|NEXTEST\w*|BAZEL_TEST)["'\])]`,
		`PYTEST_CURRENT_TEST|PYTEST_VERSION|JEST_WORKER_ID|VITEST_WORKER_ID|process\.env\.(VITEST|JEST)`, `\bsys\._called_from_test\b|["']_called_from_test["']`, `["'](pytest|unittest|_pytest)["']\s*(not\s+)?in\s+sys\.modules`,
		`\bNSClassFromString\("XCTest`, `hasSuffix\("\.?xctest"\)`, `\bclass_exists\(\W{0,3}PHPUnit`, `\bdefined\?\(?\s*(?:::)?(?:RSpec|Minitest|Test::Unit|Spec::Runner|Cucumber)\b`, `\$(?:PROGRAM_NAME|0)\b[^\n]*\b(?:rspec|minitest|rake_test)`,
		`\bClass\.forName\("org\.(?:junit|testng)`, `\.(?:startsWith|contains|StartsWith|Contains)\(\s*"(?:org\.(?:junit|testng|scalatest|spockframework|robolectric)|io\.kotest|(?i:xunit|nunit|testhost|microsoft\.visualstudio\.test))`,
		`\bFINGERPRINT\b[^\n]*"robolectric"`, `\bensure_loaded\?\(\s*ExUnit\b|\bwhereis\(\s*ExUnit\b`, `#test\.declarer\b`, `\bis!?\s+TestWidgetsFlutterBinding\b`,
		`\btesting\.(?:Testing|CoverMode|Short|Verbose)\(\)`, `flag\.Lookup\("test\.`, `HasSuffix\(os\.Args\[0\], "\.test"\)`, `\bcfg!\s*\((?:[^")]|"[^"]*")*\btest\b`, `\bbuiltin\.is_test\b`, `^\s*(?:\$if\s+test\b|when\s+defined\(testing\))`,
		`\b(?:Bun\.main|Deno\.mainModule|import\.meta\.main)\b[^\n]*(?:\.test\.|\.spec\.|_test\.)`, `\b__coverage__\b`, `\bsys\.(?:gettrace|getprofile)\(\)\s*(?:is\b|:|!=|and\b|else\b|or\b)`, `["']coverage["']\s*(?:not\s+)?in\s+sys\.modules`, `\bCoverage\.(?:current\(\)|running\?)`,
	)
	// seesDoubles matches questions whether what code was given is a double of a test's, or comes from the addresses that tests' clients have.
	seesDoubles = pattern.Any(
		`\b_isMockFunction\b|\bisMockFunction\(`, `["'](?:assert_called\w*|_mock_(?:name|self|children|return_value)|mock_calls)["']`, `["'](?:Magic|Async|NonCallable)?Mock["']`, `\bisinstance\([^)\n]*\b(?:Magic|Async|NonCallable)?Mock\b`,
		`MockitoMock|EnhancerByMockito|ByteBuddy.{0,4}Mock|\bmockingDetails\(`, `["'](?:Castle\.Proxies|NSubstitute|Moq)\b`, `instanceof\s+\\?(?:PHPUnit\\|Prophecy\\|Mockery\\|Mock(?:ery)?\w*\b)`, `\bis_a\?\(\s*(?:RSpec::Mocks|Mocha::|Minitest::Mock)`,
		`[!=]==?\s*["']testserver["']|["']testserver["']\s*(?:[!=]==?|in\b)`, `["']192\.0\.2\.1:1234["']`, `["'](?:Symfony BrowserKit|Rails Testing|node-superagent|testclient)\b`, `["'][^"'\n]*pytest-of-`,
	)
	testHook = pattern.New(`\bdef pytest_(runtest|collection|report|sessionfinish|exception|pyfunc|terminal|ignore)\w*|\.outcome\s*=\s*['"]passed|session\.exitstatus\s*=|\bfunc TestMain\(`)
)

func seesTests(v *patchView, f *fileView) []Finding {
	if f.test || lang.IsTest(f.path) {
		return nil
	}
	all := f.introduced(testProbe, Refuse, "asks whether it is being tested: code must do the same in tests as elsewhere")
	all = append(all, f.introduced(seesDoubles, v.unless(Healer, Tidier), "tells what tests give from what others give: code must do the same for both")...)
	for _, more := range [][]Finding{v.probes(f), v.compiledOtherwise(f), v.toldByFrameworks(f)} {
		all = oncePerLine(all, more)
	}
	return all
}

func testHooks(v *patchView, f *fileView) []Finding {
	all := f.introduced(testHook, v.weakens(), "changes what a test run reports")
	for i := range all {
		if main := parts.Functions(f.programAfter)["TestMain"]; v.goal.By == Person && f.test && main != nil && main.Line() == all[i].Line && assertions.HonestMain(main) {
			all[i].Effect, all[i].Evidence = Note, "TestMain is carried out around every test of the package, and hands on how they ended"
		}
	}
	return all
}

// alwaysEqual looks for comparisons that always say yes: functions that are called so, wherever and however they are defined, and values of libraries that are made for it.
func alwaysEqual(v *patchView, f *fileView) []Finding {
	was, is := agreeing(f.programBefore, f.defsBefore), agreeing(f.programAfter, f.defsAfter)
	if f.programBefore == nil && f.programAfter == nil && !f.formatted && f.text() {
		was, is = append(was, agreeingText(f.path, f.before)...), append(is, agreeingText(f.path, f.after)...)
	}
	var all []Finding
	for _, e := range trees.Lacking(is, was, func(e agrees) string { return e.name }) {
		all = append(all, Finding{Line: e.line, Effect: v.sameForAll(f, e.name), Evidence: e.name + " says the same whatever it is asked"})
	}
	if !f.test {
		all = append(all, f.equalValues()...)
	}
	return all
}

func swallowsErrors(_ *patchView, f *fileView) []Finding {
	all := textSilences(f)
	for _, d := range f.functionsAfter {
		was, known := functions.ByKey(f.functionsBefore, d)
		renamed := !known && slices.ContainsFunc(f.functionsBefore, func(o functions.Function) bool { return o.Body == d.Body && o.Swallowed == d.Swallowed })
		if d.Swallowed > was.Swallowed && !renamed {
			all = append(all, Finding{Line: d.Line, Effect: Ask, Evidence: d.Name + " catches every error and says nothing: that hides a fault"})
		}
	}
	if len(all) > 0 {
		return all
	}
	all = reportedNoMore(f)
	return all[:min(1, len(all))] // one says it
}
