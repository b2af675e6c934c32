package audit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"fettle/internal/audit/parts"
	"fettle/internal/lang"
	"fettle/internal/pattern"
	"fettle/internal/phrase"
)

// lineTest is one test of a language that is read without a syntax tree: from its head to the next one's.
type lineTest struct {
	name   string
	body   string // without white space
	checks int    // lines that demand something and can fail
	line   int
}

// quotedName matches what a runner is given as the name of a test.
const quotedName = `\(?\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')`

// testHeads matches where a test begins, with its name in the first group that is not empty, in each language that is read so.
var testHeads = pattern.Table(func() map[lang.Language]*pattern.Pattern {
	return map[lang.Language]*pattern.Pattern{
		lang.Kotlin: pattern.Any(`@(?:\w+\.)*(?:Test|ParameterizedTest|RepeatedTest)\b[^{}]*?\bfun\s+([\w]+|`+"`[^`]+`"+`)\s*\(`, `(?m)^\s*(?:test|it|should)`+quotedName),
		lang.Scala:  pattern.Any(`@Test\b[^{}]*?\bdef\s+(\w+)`, `(?m)^\s*(?:test|it)`+quotedName),
		lang.PHP:    pattern.Any(`(?i)\bfunction\s+(test\w*)\s*\(`, `(?:#\[Test\]|@test\b)[^{}]*?\bfunction\s+(\w+)\s*\(`, `(?m)^\s*(?:test|it)`+quotedName),
		lang.Ruby:   pattern.Any(`(?m)^\s*def\s+(test_\w+[?!]?)`, `(?m)^\s*(?:it|specify|test|scenario|example)`+quotedName),
		lang.Rust:   pattern.Any(`#\[\s*(?:\w+::)*(?:test|rstest|test_case|quickcheck)\b[^\]]*\](?:\s*(?:#\[[^\]]*\]|//[^\n]*))*\s*(?:pub(?:\([^)]*\))?\s+)?(?:async\s+)?(?:unsafe\s+)?fn\s+(\w+)`),
		lang.CSharp: pattern.Any(`\[\s*(?:Fact|Theory|Test|TestCase|TestMethod)\b[^{};]*?\b(\w+)\s*\(\s*[^()]*\)\s*(?:\{|=>)`),
		lang.Swift:  pattern.Any(`\bfunc\s+(test\w*)\s*\(`, `@Test\b[^{}]*?\bfunc\s+(\w+|`+"`[^`]+`"+`)`),
		lang.CPP:    pattern.Any(`\b(?:TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P)\(([^)]*)\)`, `\bTEST_CASE`+quotedName),
		lang.Shell:  pattern.Any(`(?m)^\s*@test\s+`+quotedName, `(?m)^\s*(?:function\s+)?(test_?\w+)\s*\(\)`),
	}
})

// offHead matches where a test begins that is not carried out: what it demands is not the one's above.
var offHead = pattern.New(`(?m)^\s*x(?:it|specify|test|scenario|example|describe|context)\s*` + quotedName)

// demanding matches what makes a test fail, in all of these languages.
var demanding = pattern.Any(`(?i)\b(assert|refute|expect|require|verify|must|should|fail)\w*!?\s*[\s({."']`, `(?i)\bXCT\w+\(`, `\.(should|must)\w*\b`, `\bshould\w*\s`, `\bpanic!`, `\[\[?\s`, `^\s*run\s+(?:!|-\d+)\s`)

// written is a value that is written out.
const written = "(?:true|false|nil|null|None|-?\\d+(?:\\.\\d+)?|\"[^\"]*\"|'[^']*')"

// vacuous matches what demands something of values that are written out, so that it cannot fail, or of none.
var vacuous = pattern.Any(
	`(?i)\b(?:assert|assert_?true|assert_?that|expect_?true|require|xctassert(?:true)?)!?\s*[\s(]\s*true\s*(?:[),;.]|$)`,
	`(?i)\b(?:assert_?false|refute|expect_?false|xctassertfalse)!?\s*[\s(]\s*(?:false|nil)\s*(?:[),;]|$)`,
	`(?i)\b(?:debug_)?(?:assert|xctassert|expect)_?(?:eq|equals?|same|is)\w*!?\s*[\s(]\s*`+written+`\s*,\s*`+written+`\s*(?:[),;]|$)`,
	`(?i)\bassert!?\s*[\s(]\s*`+written+`\s*={2,3}\s*`+written+`\s*(?:[),;]|$)`,
	`(?i)\bexpect\s*\(\s*`+written+`\s*\)\s*(?:\.|->)`,
	`(?i)(?:^|[\s{(])`+written+`\s*\.?\s*should`,
)

// lineTests are the tests of a file, by their names; nil for a language that is read otherwise.
func lineTests(name string, src []byte) map[string]lineTest {
	heads := testHeads()[lang.Of(name)]
	if heads == nil {
		return nil
	}
	all := make(map[string]lineTest)
	text := string(src)
	found := heads.FindAllStringSubmatchIndex(text, -1)
	ends := endsOfBlocks(name, src)
	for i, m := range found {
		end := len(text)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		if off := offHead.FindStringIndex(text[m[1]:end]); off != nil {
			end = m[1] + off[0]
		}
		line := strings.Count(text[:m[1]], "\n") + 1
		all[firstGroup(text, m)] = lineTest{firstGroup(text, m), parts.Bare(text[m[1]:end]), checksIn(name, text[m[1]:min(end, ends(line))]), line}
	}
	return all
}

// checksIn counts the lines of a test that demand something and can fail. What is demanded a second time before anything else is done says nothing more.
func checksIn(name, body string) int {
	count := 0
	said := make(map[string]bool)
	for l := range strings.SplitSeq(body, "\n") {
		_, says := comment(strings.TrimSpace(l), lang.Of(name).Comments())
		switch plain := parts.Bare(l); {
		case says || plain == "":
		case !demanding.MatchString(l):
			clear(said)
		case !vacuous.MatchString(l) && !said[plain]:
			count++
			said[plain] = true
		}
	}
	return count
}

// firstGroup is the first group of a match that is not empty.
func firstGroup(text string, m []int) string {
	for g := 2; g < len(m); g += 2 {
		if m[g] >= 0 && m[g] < m[g+1] {
			return text[m[g]:m[g+1]]
		}
	}
	return text[m[0]:m[1]]
}

// lineLosses are tests read line by line that prove less.
type lineLosses struct{ gone, weaker []Finding }

// fewerLineTests compares the tests of languages that are read line by line: one that is gone, and one that can fail in fewer ways. Rust keeps tests beside its code.
func (v *patchView) fewerLineTests() *lineLosses {
	if v.lineLost != nil {
		return v.lineLost
	}
	v.lineLost = &lineLosses{}
	all := make([]lineTested, len(v.files))
	for i, f := range v.files {
		all[i] = lineTested{f, lineTests(f.path, f.before), lineTests(f.path, f.after)}
	}
	for _, f := range all {
		if !f.test && lang.Of(f.path) != lang.Rust || f.formatted {
			continue
		}
		for _, name := range sortedKeys(f.was) {
			was := f.was[name]
			switch is, there := f.now(all, name); {
			case v.lineRetold(f.fileView, name):
			case !there:
				v.lineLost.gone = append(v.lineLost.gone, v.lineTestGone(f, was)...)
			case is.checks < was.checks:
				v.lineLost.weaker = append(v.lineLost.weaker, Finding{Path: f.path, Line: is.line, Effect: v.weakens(), Evidence: fmt.Sprintf("%s had %s that can fail, and has %d now", name, phrase.Count(was.checks, "assertion"), is.checks)})
			}
		}
	}
	return v.lineLost
}

// lineTested is a file with its tests before the patch and after it.
type lineTested struct {
	*fileView
	was, is map[string]lineTest
}

// now finds a test after the patch: in its own file, else in another one of its language.
func (f lineTested) now(all []lineTested, name string) (lineTest, bool) {
	if is, there := f.is[name]; there {
		return is, true
	}
	for _, o := range all {
		if o.fileView == f.fileView || lang.Of(o.path) != lang.Of(f.path) {
			continue
		}
		_, had := o.was[name]
		if is, there := o.is[name]; there && !had {
			return is, true
		}
	}
	return lineTest{}, false
}

// lineTestGone says of a test that is gone whether it has another name now, which is a person's to give who means to change tests.
func (v *patchView) lineTestGone(f lineTested, was lineTest) []Finding {
	for _, name := range sortedKeys(f.is) {
		if _, had := f.was[name]; had || f.is[name].body != was.body {
			continue
		}
		if v.goal.Tests {
			return nil
		}
		return []Finding{{Path: f.path, Line: f.is[name].line, Effect: v.renaming(was.name, name, string(f.before)), Evidence: was.name + " is now called " + name}}
	}
	return []Finding{v.testGone(f.fileView, was.name, was.line)}
}

func sortedKeys[T any](m map[string]T) []string {
	return slices.Sorted(maps.Keys(m))
}
