package audit

import (
	"slices"
	"strconv"
	"strings"

	"fettle/internal/audit/parts"
	"fettle/internal/edit"
	"fettle/internal/lang"
	"fettle/internal/pattern"
)

// lineSegment is a test of a language that is read line by line, from what is said above its head to the next one's; the first has no name.
type lineSegment struct {
	name  string
	first int // its first line, from 1
	lines []string
}

// segments are a file's tests with all that stands between them, and before that what stands above the first.
func segments(name string, src []byte) []lineSegment {
	text, l := string(src), lang.Of(name)
	lines := strings.Split(text, "\n")
	all := []lineSegment{{first: 1}}
	for _, m := range testHeads()[l].FindAllStringSubmatchIndex(text, -1) {
		at := strings.Count(text[:m[0]], "\n")
		for strings.TrimSpace(lines[at]) == "" && at+1 < len(lines) {
			at++
		}
		for at > 0 && aboveHead(lines[at-1], l) {
			at--
		}
		all = append(all, lineSegment{name: firstGroup(text, m), first: at + 1})
	}
	for i := range all {
		end := len(lines)
		if i+1 < len(all) {
			end = all[i+1].first - 1
		}
		all[i].lines = lines[min(all[i].first-1, end):end]
	}
	return all
}

// aboveHead reports whether a line says something of the test below.
func aboveHead(l string, of lang.Language) bool {
	l = strings.TrimSpace(l)
	_, says := comment(l, of.Comments())
	return l != "" && (says || strings.HasPrefix(l, "#[") || strings.HasPrefix(l, "@") && of != lang.Shell || strings.HasPrefix(l, "[") && of == lang.CSharp)
}

// told are the lines of a segment that do something, in one spelling. What only closes blocks behind the last of them may be another one's.
func (s lineSegment) told(l lang.Language) []string {
	var all []string
	for _, text := range s.lines {
		text = strings.Join(strings.Fields(text), " ")
		if _, says := comment(text, l.Comments()); text == "" || says {
			continue
		}
		all = append(all, text)
	}
	for len(all) > 0 && strings.Trim(all[len(all)-1], "})];") == "" {
		all = all[:len(all)-1]
	}
	return all
}

// keepsLineTests reports whether a file of tests in a language that is read line by line holds all that it did: nothing of it is gone or another thing but for
// assertions that became stronger, and what is new are assertions and tests.
func (v *patchView) keepsLineTests(f *fileView) bool {
	l := lang.Of(f.path)
	if testHeads()[l] == nil || f.change.Op != edit.Modify || f.programAfter != nil {
		return false
	}
	was, is := segments(f.path, f.before), segments(f.path, f.after)
	imports := func(text string) bool {
		m := importLine.FindStringSubmatch(text)
		return m != nil && !parts.Mentions(f.before, m[1])
	}
	tests := lineTests(f.path, f.after)
	for _, s := range was {
		i := slices.IndexFunc(is, func(n lineSegment) bool { return n.name == s.name })
		if i < 0 && s.name != "" {
			i = slices.IndexFunc(is, func(n lineSegment) bool { return s.clearer(n, was, f.before, l) })
		}
		var head func(string) bool
		if s.name == "" {
			head = imports
		}
		retold := s.name != "" && v.lineRetold(f, s.name)
		switch {
		case i < 0 && retold:
			continue
		case i < 0, s.name == is[i].name && !retold && !keepsLines(s.told(l), is[i].told(l), l, head) && (s.name != "" || !slices.Equal(aroundLines(s, l), aroundLines(is[i], l))):
			return false
		}
		delete(tests, is[i].name)
		is = slices.Delete(is, i, i+1)
	}
	return len(is) == len(tests) && newLineTests(f, is, tests)
}

// clearer reports whether a test is another one by a name that was not there, and is the same for whoever runs it.
func (s lineSegment) clearer(is lineSegment, was []lineSegment, before []byte, l lang.Language) bool {
	if slices.ContainsFunc(was, func(o lineSegment) bool { return o.name == is.name }) || !onlyClearer(s.name, is.name, string(before)) {
		return false
	}
	old, now := s.told(l), is.told(l)
	for i := range now {
		now[i] = strings.Replace(now[i], is.name, s.name, 1)
	}
	return slices.Equal(old, now)
}

// keepsLines reports whether each line still stands, or a stronger one in its place, in order, and others are assertions; above the first test imports.
func keepsLines(was, is []string, l lang.Language, head func(string) bool) bool {
	i := 0
	for _, text := range is {
		for i < len(was) && was[i] != text && onlySkipping(was[i], l) {
			i++
		}
		switch {
		case i < len(was) && (was[i] == text || strongerLine(was[i], text)):
			i++
		case head != nil && head(text):
		case head != nil || !assertionLine(text, l):
			return false
		}
	}
	for i < len(was) && onlySkipping(was[i], l) {
		i++
	}
	return i == len(was)
}

// importLine matches what brings something in, with its last word.
var importLine = pattern.New(`^(?:use|import|using|require|bats_load_library|#include)\b.*?(\w+)\W*$`)

// onlySkipping reports whether a line does nothing but keep a test from running.
func onlySkipping(text string, l lang.Language) bool {
	marks := lang.Skips(l, text)
	return len(marks) == 1 && strings.HasPrefix(text, marks[0]) && !strings.Contains(text, "should_panic") && !strings.ContainsAny(text, "{;|&")
}

var (
	asserts    = pattern.New(`^(\$this->|self\.|Assert\.|static::|\w+\.)?(assert|refute|expect|require|XCTAssert|must|verify)\w*!?[\s(]`)
	shellTests = pattern.New(`^(\[ .* \]|\[\[ .* \]\])$|^(assert|refute)_\w+\b`)
	otherwise  = pattern.New(`\|\||\breturn\b|\bexit\b|;\s*\S|\{$`)
)

// assertionLine reports whether a line is an assertion that can fail, and nothing else.
func assertionLine(text string, l lang.Language) bool {
	if vacuous.MatchString(text) || otherwise.MatchString(text) || strings.Count(text, "(") != strings.Count(text, ")") {
		return false
	}
	if l == lang.Shell {
		return shellTests.MatchString(text) && strings.Contains(text, "$") || strings.HasPrefix(text, "assert_") || strings.HasPrefix(text, "refute_")
	}
	return asserts.MatchString(text) && demanding.MatchString(text)
}

var (
	holdsLine  = pattern.New(`^(?:\$this->|self\.|Assert\.)?(?:assert|assertTrue|assert_true|XCTAssert|XCTAssertTrue|True)!?\(([^()]*(?:\([^()]*\)[^()]*)*) == ([^,]*(?:\([^()]*\)[^,()]*)*)\);?$`)
	equalsLine = pattern.New(`^(?:\$this->|self\.|Assert\.)?(?:assert_eq|assertEquals|assert_equal|XCTAssertEqual|Equal|AreEqual|assertSame)!?\((.*)\);?$`)
	shellAsks  = pattern.New(`^\[\[? ("?\$\{?\w+\}?"?) (-eq|-ne|-gt|-ge|-lt|-le|=|==|!=) ("?[\w. /:-]*"?) \]\]?$`)
	looseEqual = pattern.New(`\b(assertEquals|assertContains)\(`)
)

// strongerLine reports whether a line demands what another does, by another assertion, or more.
func strongerLine(was, is string) bool {
	if namesOne(was, is) {
		return true
	}
	if m := holdsLine.FindStringSubmatch(was); m != nil {
		if e := equalsLine.FindStringSubmatch(is); e != nil && (e[1] == m[1]+", "+m[2] || e[1] == m[2]+", "+m[1]) {
			return true
		}
	}
	if looseEqual.MatchString(was) && strings.HasPrefix(was, "$this->") && strings.Replace(was, "assertEquals(", "assertSame(", 1) == is {
		return true
	}
	a, b := shellAsks.FindStringSubmatch(was), shellAsks.FindStringSubmatch(is)
	if a == nil || b == nil || strings.Trim(a[1], `"`) != strings.Trim(b[1], `"`) || b[2] != "-eq" && b[2] != "=" && b[2] != "==" {
		return false
	}
	n, err1 := strconv.Atoi(strings.Trim(a[3], `"`))
	k, err2 := strconv.Atoi(strings.Trim(b[3], `"`))
	if a[2] == "!=" {
		return strings.Trim(a[3], `"`) != strings.Trim(b[3], `"`)
	}
	return err1 == nil && err2 == nil && map[string]bool{"-ne": k != n, "-gt": k > n, "-ge": k >= n, "-lt": k < n, "-le": k <= n}[a[2]]
}

var (
	panicSays   = pattern.New(`#\[\s*should_panic\s*\(\s*expected\s*=\s*"[^"]{4,}"`)
	replacesAll = pattern.New(`(?i)\b(mock|stub|fake|spy|double|allow_any_instance)|\bPATH=|\bexit 0\b`)
)

// newLineTests reports whether tests that are new can fail, are not left out right away, and replace nothing, as far as can be seen in a language that is read line by line.
func newLineTests(f *fileView, fresh []lineSegment, tests map[string]lineTest) bool {
	l := lang.Of(f.path)
	if fresh == nil {
		fresh = segments(f.path, f.after)
	}
	for _, s := range fresh {
		text := strings.Join(s.lines, "\n")
		panics := panicSays.MatchString(text) && strings.Contains(text, "(")
		for _, line := range s.lines {
			for _, mark := range lang.Skips(l, line) {
				if !panics || !strings.Contains(mark, "should_panic") {
					return false
				}
			}
		}
		if replacesAll.MatchString(text) || s.name != "" && tests[s.name].checks == 0 && !panics {
			return false
		}
	}
	return true
}

// withoutNewPanics leaves out of the marks that keep tests from running those of a person's new tests of Rust's that have to panic, and say with which words.
func (v *patchView) withoutNewPanics(f *fileView, all []Finding) []Finding {
	if v.goal.By != Person || lang.Of(f.path) != lang.Rust || len(all) == 0 {
		return all
	}
	had := lineTests(f.path, f.before)
	for _, s := range segments(f.path, f.after) {
		if _, was := had[s.name]; was || s.name == "" || !panicSays.MatchString(strings.Join(s.lines, "\n")) {
			continue
		}
		all = slices.DeleteFunc(all, func(found Finding) bool {
			return found.Line >= s.first && found.Line < s.first+len(s.lines) && panicSays.MatchString(lineAt(f.after, found.Line))
		})
	}
	return all
}
