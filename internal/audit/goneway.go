package audit

import (
	"slices"
	"strings"

	"fettle/internal/audit/parts"
	"fettle/internal/pattern"
)

// definition is a function or a type of a source that tests may ask.
type definition struct {
	body       string // without white space
	deprecated bool   // it said that it would go
}

var (
	// definitionHead matches where functions and types begin, in languages that say so by a word.
	definitionHead = pattern.New(`^\s*(?:@\w+\s+)?(?:(?:pub(?:\([^)]*\))?|public|private|protected|internal|open|export|default|static|final|abstract|async|unsafe|const|override|inline|sealed|data|virtual)\s+)*(?:fn|func|def|defp|defmacro|fun|function|sub|class|struct|enum|trait|interface|type|module|defmodule|object|union)\s+(?:\([^)]*\)\s*)?(?:self\.)?([A-Za-z_]\w*[?!]?)`)
	// goesSoon matches what is said of something that people should use no more.
	goesSoon = pattern.New(`(?i)deprecat|@?obsolete\b`)
)

// definedIn are the functions and types that a source defines, by their names.
func definedIn(src []byte) map[string]definition {
	all := make(map[string]definition)
	lines := strings.Split(string(src), "\n")
	for i, text := range lines {
		name := ""
		if m := definitionHead.FindStringSubmatch(text); m != nil {
			name = m[1]
		} else if m := functionDefined.FindStringSubmatch(text); m != nil && !statement.MatchString(text) && strings.HasSuffix(strings.TrimSpace(text), "{") {
			name = m[1]
		}
		if name == "" {
			continue
		}
		above := i
		for above > 0 && strings.TrimSpace(lines[above-1]) != "" && indentOf(lines[above-1]) >= indentOf(text) && !strings.HasPrefix(strings.TrimSpace(lines[above-1]), "}") {
			above--
		}
		body := bodyAt(lines, i)
		_, inside, _ := strings.Cut(body, "\n")
		all[name] = definition{parts.Bare(inside), goesSoon.MatchString(strings.Join(lines[above:i], "\n") + body)}
	}
	return all
}

// definitions are the functions and types that the file defined, read once: each test that is gone may have asked any of them.
func (f *fileView) definitions() map[string]definition {
	if f.defined == nil {
		f.defined = definedIn(f.before)
	}
	return f.defined
}

// goneWithSubject is what it means that a person takes a test away together with all that it asked of this change's files. What was deprecated may go with its tests; of what was not, a person has to say
// that nobody uses it. It is nothing, if something that the test calls is still there, or does what it did under another name: then the test has to stay.
func (v *patchView) goneWithSubject(test string) Effect {
	if v.goal.By != Person {
		return ""
	}
	var gone []definition
	for _, f := range v.files {
		if f.formatted || f.test || !f.text() || !isSource(f.path) {
			continue
		}
		for name, d := range f.definitions() {
			switch {
			case !calls(test, name) || testNamed.MatchString(name) || parts.Mentions([]byte(firstLine(test)), name):
			case v.stillNamed(name):
				return ""
			case len(d.body) >= tellingBody && v.stillWritten(d.body):
				return ""
			default:
				gone = append(gone, d)
			}
		}
	}
	switch {
	case len(gone) == 0:
		return ""
	case slices.ContainsFunc(gone, func(d definition) bool { return !d.deprecated }):
		return Ask
	}
	return Note
}

// tellingBody is how long what a function does has to be so that the same elsewhere is no chance.
const tellingBody = 16

// testNamed matches the names of tests themselves.
var testNamed = pattern.New(`^(?i:test)|_test$|Tests?$|^Example`)

// calls reports whether a test calls something, or makes it.
func calls(test, name string) bool {
	for rest := test; ; {
		i := strings.Index(rest, name)
		if i < 0 {
			return false
		}
		end := i + len(name)
		if (i == 0 || !parts.IsWord(rest[i-1])) && end < len(rest) && strings.ContainsRune("(<!.:{ ?", rune(rest[end])) {
			return true
		}
		rest = rest[end:]
	}
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// stillNamed reports whether something is named in a source of the patch afterwards, outside of comments.
func (v *patchView) stillNamed(name string) bool {
	return slices.ContainsFunc(v.files, func(f *fileView) bool {
		if !isSource(f.path) || !parts.Mentions(f.after, name) {
			return false
		}
		for text := range strings.Lines(string(f.after)) {
			if parts.Mentions([]byte(text), name) && !commentLine(f.path, text) {
				return true
			}
		}
		return false
	})
}

// stillWritten reports whether a body stands in a source of the patch afterwards.
func (v *patchView) stillWritten(body string) bool {
	return slices.ContainsFunc(v.files, func(f *fileView) bool { return strings.Contains(parts.Bare(string(f.after)), body) })
}

// testGone says of a test that is gone, which began at a line, whether all that it asked went with it.
func (v *patchView) testGone(f *fileView, name string, line int) Finding {
	test := bodyAt(strings.Split(string(f.before), "\n"), max(0, line-1))
	switch effect := v.goneWithSubject(test); effect {
	case "":
		return Finding{Path: f.path, Line: line, Effect: v.gone(f, name), Evidence: name + " is gone: keep the test and mend the code"}
	case Note:
		return Finding{Path: f.path, Line: line, Effect: Note, Evidence: name + " is gone, together with what it tested, which was deprecated"}
	default:
		return Finding{Path: f.path, Line: line, Effect: effect, Evidence: name + " is gone, together with all that it tested: let a person confirm that nobody uses that"}
	}
}
