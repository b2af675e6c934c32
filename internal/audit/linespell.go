package audit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fettle/internal/lang"
	"fettle/internal/pattern"
)

var (
	calledLine  = pattern.New(`^(?:\$this->|self::|static::|self\.|Assert\.|Assertions\.)?(\w+[?!]?)\s*\((.*)\)\s*;?$`)
	rubyLine    = pattern.New(`^(assert|assert_equal|assert_nil|refute|assert_not|assert_same)\s+(.*)$`)
	rspecLine   = pattern.New(`^expect\((.*)\)\.to eq[ (](.*?)\)?$`)
	equalLine   = pattern.New(`^(.*[^=!<>]) ?(?:==|===) ?([^=].*)$`)
	throwsLine  = pattern.New(`^(?:(?:var|\w+) (\w+) = )?Assert\.Throws<(\w+)>\((?:("[^"]*"), )?\(\) => (.*)\);?$`)
	thatLine    = pattern.New(`^Assert\.That\((.*), Is\.(EqualTo|True|False|Null)(?:\((.*)\))?\);?$`)
	discarded   = pattern.New(`\bout (?:var )?(\w+)\b`)
	equalNames  = []string{"Equal", "AreEqual", "assert_eq!", "assert_equal", "EXPECT_EQ", "ASSERT_EQ", "XCTAssertEqual"}
	trueNames   = []string{"True", "IsTrue", "assert!", "assert", "EXPECT_TRUE", "ASSERT_TRUE", "XCTAssertTrue", "XCTAssert"}
	falseNames  = []string{"False", "IsFalse", "refute", "assert_not", "EXPECT_FALSE", "ASSERT_FALSE", "XCTAssertFalse"}
	nothingThat = []string{"Null", "IsNull", "assert_nil", "XCTAssertNil"}
)

// spelledLine tells one statement: an assertion by what it demands, whatever the library, anything else as it is.
func spelledLine(text string) []lineFact {
	text = inSeconds(text)
	name, args := "", []string(nil)
	if m := throwsLine.FindStringSubmatch(text); m != nil {
		all := []lineFact{{"throws " + m[2] + " " + m[4], true}}
		if m[3] != "" {
			all = append(all, equalFacts("thrown.ParamName", m[3])...)
		}
		if m[1] != "" {
			all = append(all, lineFact{"thrown is " + m[1], true})
		}
		return all
	}
	if m := thatLine.FindStringSubmatch(text); m != nil {
		args, name = []string{m[1]}, m[2]
		if name == "EqualTo" {
			args, name = append(args, m[3]), "Equal"
		}
	} else if m := rspecLine.FindStringSubmatch(text); m != nil {
		args, name = []string{m[1], m[2]}, "Equal"
	} else if m := rubyLine.FindStringSubmatch(text); m != nil {
		name, args = m[1], arguments(m[2])
	} else if m := calledLine.FindStringSubmatch(text); m != nil {
		name, args = m[1], arguments(m[2])
	}
	switch {
	case slices.Contains(equalNames, name) && len(args) == 2:
		return equalFacts(args[0], args[1])
	case slices.Contains(nothingThat, name) && len(args) >= 1:
		return equalFacts(args[0], "null")
	case slices.Contains(falseNames, name) && len(args) >= 1:
		return []lineFact{{"not " + args[0], true}}
	case slices.Contains(trueNames, name) && len(args) >= 1:
		if m := equalLine.FindStringSubmatch(args[0]); m != nil && !strings.ContainsAny(args[0], "&|?") {
			return equalFacts(m[1], m[2])
		}
		return []lineFact{{"holds " + args[0], true}}
	}
	return []lineFact{{strings.TrimSuffix(text, ";"), false}}
}

// inSeconds has spans of time that are written out in whole minutes, hours or days in seconds, as .NET takes them for the same.
func inSeconds(text string) string {
	for _, m := range timeSpan.FindAllStringSubmatch(text, -1) {
		if n, err := strconv.Atoi(m[2]); err == nil {
			text = strings.ReplaceAll(text, m[0], fmt.Sprintf("TimeSpan.FromSeconds(%d)", n*secondsIn[m[1]]))
		}
	}
	return text
}

var (
	timeSpan  = pattern.New(`\bTimeSpan\.From(Minutes|Hours|Days)\((\d{1,6})\)`)
	secondsIn = map[string]int{"Minutes": 60, "Hours": 60 * 60, "Days": 24 * 60 * 60}
)

// equalFacts are the demands that two values are equal; of two lists that are written out, each of their parts.
func equalFacts(a, b string) []lineFact {
	a, b = strings.TrimSpace(a), strings.TrimSpace(b)
	if strings.HasPrefix(a, "(") && strings.HasPrefix(b, "(") {
		if x, y := arguments(a[1:len(a)-1]), arguments(b[1:len(b)-1]); len(x) == len(y) && len(x) > 1 {
			var all []lineFact
			for i := range x {
				all = append(all, equalFacts(x[i], y[i])...)
			}
			return all
		}
	}
	if vacuousPair.MatchString(a) && vacuousPair.MatchString(b) || a == b {
		return nil
	}
	return []lineFact{{min(a, b) + " == " + max(a, b), true}}
}

var vacuousPair = pattern.New(`^` + written + `$`)

// withoutNames gives an error that was caught, and what is put out and not asked, the same name in every test.
func withoutNames(a lineAccount) lineAccount {
	var all []lineFact
	for i, f := range a.facts {
		if name, is := strings.CutPrefix(f.text, "thrown is "); is {
			for j := i + 1; j < len(a.facts); j++ {
				a.facts[j].text = replaceWord(a.facts[j].text, name, "thrown")
			}
			continue
		}
		all = append(all, lineFact{discarded.ReplaceAllString(f.text, "out _"), f.demand})
	}
	a.facts = all
	return a
}

// holds reports whether a test does all that another does, by the same marks, and besides only demands; one that was there as it is may do at its beginning what the other did.
func (is lineAccount) holds(was lineAccount) bool {
	if !slices.Equal(was.marks, is.marks) {
		return false
	}
	i := 0
	for _, f := range is.facts {
		switch {
		case i < len(was.facts) && was.facts[i] == f:
			i++
		case i == len(was.facts) && is.stood:
			return !slices.ContainsFunc(is.facts, func(f lineFact) bool { return handlesError.MatchString(f.text) })
		case !f.demand:
			return false
		}
	}
	return i == len(was.facts)
}

// handlesError matches what may hear of a failure in the place of the runner.
var handlesError = pattern.New(`\b(rescue|ensure|catch|recover|finally)\b`)

// lineRetold reports whether a test of a person's that has another form now, or is gone, is still carried out by one that demands all that it did, with the same around it.
func (v *patchView) lineRetold(f *fileView, name string) bool {
	l := lang.Of(f.path)
	if v.goal.By != Person || testHeads()[l] == nil || f.programAfter != nil || len(f.after) == 0 || l == lang.Shell || l == lang.PHP {
		return false
	}
	t := f.lineTelling(l)
	if !t.around {
		return false
	}
	var old []lineAccount
	for _, s := range t.was {
		if s.name == name {
			old = append(old, lineAccounts(s, l, true)...)
		}
	}
	return len(old) > 0 && !slices.ContainsFunc(old, func(o lineAccount) bool {
		return !slices.ContainsFunc(o.facts, func(f lineFact) bool { return f.demand }) || !slices.ContainsFunc(t.now, func(n lineAccount) bool { return n.holds(o) })
	})
}

// lineTelling is what the tests of a file that is read line by line tell.
type lineTelling struct {
	was    []lineSegment
	now    []lineAccount // of those that are carried out
	around bool          // what is around them is as it was
}

// lineTelling is what the file's tests tell, read once: each of them is held against all.
func (f *fileView) lineTelling(l lang.Language) *lineTelling {
	if f.telling != nil {
		return f.telling
	}
	t := &lineTelling{was: segments(f.path, f.before)}
	f.telling = t
	is := segments(f.path, f.after)
	if t.around = slices.Equal(aroundLines(t.was[0], l), aroundLines(is[0], l)); !t.around {
		return t
	}
	for _, s := range is {
		if s.name == "" || len(lang.Skips(l, strings.Join(s.lines, "\n"))) > 0 {
			continue
		}
		stood := slices.ContainsFunc(t.was, func(o lineSegment) bool { return o.name == s.name && slices.Equal(o.told(l), s.told(l)) })
		for _, a := range lineAccounts(s, l, false) {
			a.stood = stood
			t.now = append(t.now, a)
		}
	}
	return t
}

// aroundLines are the lines above the first test that do something for tests, whatever library has them.
func aroundLines(s lineSegment, l lang.Language) []string {
	return slices.DeleteFunc(s.told(l), func(line string) bool {
		return l == lang.CSharp && (testUsing.MatchString(line) || plainMark.MatchString(line) || strings.Trim(line, "{}; ") == "")
	})
}
