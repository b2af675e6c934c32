package parse

import (
	"strings"

	"fettle/internal/pattern"
)

// A subtest's description is its message in brackets, its values in parentheses, or both: "[msg] (n=1)"; "(<subtest>)" where it has neither.
var (
	// pytest 9 has it behind the word, the plug-in pytest-subtests before it. The id begins where no part of a description stands any more.
	pytestSubfailed = pattern.New(`^SUBFAIL(?:ED)?([\[(].*?[\])]) ([^\[\]()'"=]*?::.*)$`)
	pytestSubfail   = pattern.New(`^([\[(].*?[\])]) SUBFAIL (\S.*)$`)
	// A test's name has no space in it, its parameters may.
	pytestSubtitle = pattern.New(`^([^\s\[\]()]+(?:\[.*?\])??) (\[.*\]|(?:\[.*\] )?\(.*\))$`)
)

// subtestListed reads a line of the short summary about a subtest. It cannot be selected by itself, so the id is its test's.
func subtestListed(line string) (l pytestListed, ok bool) {
	for _, p := range []*pattern.Pattern{pytestSubfailed, pytestSubfail} {
		if m := p.FindStringSubmatch(line); m != nil {
			l.sub = m[1]
			l.id, l.said = splitListed(m[2])
			return l, strings.Contains(l.id, "::")
		}
	}
	return l, false
}

// subtest parts a block's title into the test's name and the description of its subtest, if it has one.
func subtest(title string) (name, sub string) {
	if m := pytestSubtitle.FindStringSubmatch(title); m != nil {
		return m[1], m[2]
	}
	return title, ""
}

// pytestContains is what pytest 9 says of a test beside its subtests.
var pytestContains = pattern.New(`^contains \d+ failed subtests?$`)
