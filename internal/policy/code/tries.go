package code

import (
	program "fettle/internal/code"
	"fettle/internal/pattern"
)

// testing matches files, and functions, by which a program is tried out.
var (
	testFiles     = pattern.New(`(?i)(^|/)(test[-_.]?setup|setup[-_.]?tests?)\.\w+$|(^|/)(tests?|testing|testdata|__tests__|specs?|fixtures|e2e)/|(^|/)test_[^/]*$|[._-](test|spec|e2e)s?\.\w+$|(^|/)conftest\.py$|Tests?\.java$`)
	testFunctions = pattern.New(`(^|\.)([tT]est|Benchmark|Fuzz|Example)(_|[A-Z]|\b)`)
)

// tries reports what stands in a test: nobody is harmed by how it asks.
func (s *scan) tries(n *program.Node) bool {
	return testFiles.MatchString(s.file.Path) || testFunctions.MatchString(function(n))
}
