package audit

import (
	"slices"
	"strings"

	"fettle/internal/audit/assertions"
	"fettle/internal/audit/examples"
	"fettle/internal/audit/parts"
	"fettle/internal/lang"
	"fettle/internal/syntax"
)

// What it says that values of the code and of a test are the same: from odd on a person has to look, from telling on it is no accident. Beyond few
// of them every further value weighs one, for no recursion ends with a list of five.
const (
	odd     = 2
	telling = 3
	few     = 4
)

// isEvidence reports whether a file is what a patch is judged by, and not code.
func (v *patchView) isEvidence(path string) bool {
	if lang.IsTest(path) || slices.Contains(v.evidence, path) {
		return true
	}
	return slices.ContainsFunc(v.files, func(f *fileView) bool { return f.path == path && f.test })
}

// expectation is what tests hold together: the values of one comparison, of one call that asserts, of one row of a table;
// what exactly they expect of what they ask with; and what they demand.
type expectation struct {
	rows    []map[string]bool
	pairs   map[string]bool
	demands []assertions.Assertion
}

// expectations are those of the tests as they were, for that is what the patch was made to pass: in the patch, of the failing tests,
// and of any other in the repository that names a file of the patch. They are read when they are first asked for.
func (v *patchView) expectations() *expectation {
	if v.expected != nil {
		return v.expected
	}
	v.expected = &expectation{pairs: map[string]bool{}}
	seen, left := make(map[string]bool), most
	add := func(path string, src []byte) {
		if seen[path] || len(src) > min(maxEvidence, left) {
			return
		}
		seen[path] = true
		left -= len(src)
		v.expected.rows = append(v.expected.rows, examples.Rows(path, src)...)
		for _, p := range examples.Pairs(path, src) {
			v.expected.pairs[p.Key()] = true
		}
		for _, p := range assertions.Tests(parts.Read(path, src)) {
			v.expected.demands = append(v.expected.demands, p.Demands...)
		}
	}
	for _, f := range v.files {
		if v.isEvidence(f.path) {
			add(f.path, f.before)
		}
	}
	for _, path := range v.evidence {
		if f, err := v.source(path); err == nil && f.Exists {
			add(path, f.Data)
		}
	}
	for _, path := range v.others() {
		if f, err := v.source(path); err == nil && f.Exists && len(f.Data) <= maxEvidence && (lang.IsTest(path) || v.provesByContent(path, f.Data)) && v.concerns(path, f.Data) {
			add(path, f.Data)
		}
	}
	return v.expected
}

// maxEvidence is the size of the largest file of tests that is read for its values, most of all of them.
const (
	maxEvidence = 1 << 20
	most        = 32 << 20
)

// concerns reports whether a test has to do with code of the patch: it names a file or a function of it, or is data called like one.
func (v *patchView) concerns(name string, src []byte) bool {
	for _, f := range v.files {
		if f.programAfter == nil || v.isEvidence(f.path) {
			continue
		}
		if own := parts.Stem(f.path); len(own) > 1 && strings.Contains(parts.Stem(name), own) || parts.Mentions(src, own) {
			return true
		}
		for title := range parts.Functions(f.programAfter) {
			if parts.Mentions(src, title[strings.LastIndex(title, ".")+1:]) {
				return true
			}
		}
	}
	return false
}

// others are the files of the repository that may say what is expected: tests by their names, and programs in a language of the patch, which
// may be tests by what they do.
func (v *patchView) others() []string {
	if v.list == nil {
		return nil
	}
	languages := make(map[syntax.Lang]bool)
	for _, f := range v.files {
		languages[syntax.LangOf(f.path)] = true
	}
	return slices.DeleteFunc(v.list(), func(name string) bool {
		l := syntax.LangOf(name)
		return !lang.IsTest(name) && (l == "" || !languages[l])
	})
}

// provesByContent reports whether a file is a test though its name does not say so.
func (v *patchView) provesByContent(name string, src []byte) bool {
	return examples.IsProof(name, src) && !v.used(name)
}

// used reports whether code that is no test names the file: then it is a part of the program.
func (v *patchView) used(name string) bool {
	if v.list == nil {
		return false
	}
	word, l := parts.Stem(name), syntax.LangOf(name)
	for _, o := range v.list() {
		if o == name || syntax.LangOf(o) != l || lang.IsTest(o) {
			continue
		}
		if f, err := v.source(o); err == nil && len(f.Data) <= maxEvidence && parts.Mentions(f.Data, word) {
			return true
		}
	}
	return false
}
