package golang

import (
	"path"
	"slices"

	"fettle/internal/pattern"
	"fettle/internal/runner"
)

// How far a passing test is from those that fail.
const (
	sameTest = iota // another part of one of them
	sameFile
	elsewhere
)

var testFunction = pattern.New(`(?m)^func ((?:Test|Example|Fuzz)\w*)\(`)

// nearest puts the passing tests in order of how far from the failing ones they stand.
func (s *packageSuite) nearest(l *Listing) []string {
	failing := tops(s.suite.names(s.failing))
	beside := s.beside(l, failing)
	return runner.Nearest(leaves(s.passing), func(id string) int {
		switch t := topOf(id); {
		case slices.Contains(failing, t):
			return sameTest
		case beside[t]:
			return sameFile
		}
		return elsewhere
	}, topOf)
}

// topOf is the function of a test.
func topOf(id string) string {
	_, test, _ := SplitID(id)
	return top(test)
}

// beside are the top-level tests in the files in which these stand. A file that cannot be read says nothing.
func (s *packageSuite) beside(l *Listing, tests []string) map[string]bool {
	out := map[string]bool{}
	for _, name := range slices.Concat(l.Target.TestGoFiles, l.Target.XTestGoFiles) {
		src, err := s.suite.Place.ReadFile(path.Join(s.suite.Dir, name))
		if err != nil {
			continue
		}
		var here []string
		for _, m := range testFunction.FindAllStringSubmatch(string(src), -1) {
			here = append(here, m[1])
		}
		if slices.ContainsFunc(here, func(t string) bool { return slices.Contains(tests, t) }) {
			for _, t := range here {
				out[t] = true
			}
		}
	}
	return out
}
