package audit

import (
	"fmt"
	"slices"
	"strings"

	"fettle/internal/audit/trees"
	"fettle/internal/lang"
	"fettle/internal/pattern"
	"fettle/internal/phrase"
)

// twofold is a place of a source where what is compiled for tests is not what ships.
type twofold struct {
	line      int
	condition string
	what      string // the function in which it stands, or what is defined twice
}

// compiledOtherwise looks for code that is compiled in one way for tests and in another for everybody else: within functions, and as two definitions of one thing.
// That a program has no main in tests, or shows them what it hides otherwise, changes nothing that they ask.
func (v *patchView) compiledOtherwise(f *fileView) []Finding {
	var list func(string, []byte) []twofold
	switch {
	case f.formatted || !f.text():
		return nil
	case lang.Of(f.path) == lang.Rust:
		list = rustOtherwise
	case lang.Of(f.path) == lang.Go:
		list = builtOtherwise
	case isPreprocessed(f.path):
		list = chosenOtherwise
	default:
		return nil
	}
	var all []Finding
	for _, o := range trees.Lacking(list(f.path, f.after), list(f.path, f.before), func(o twofold) string { return o.condition + "\x00" + o.what }) {
		all = append(all, Finding{Line: o.line, Effect: v.unless(Healer, Tidier), Evidence: fmt.Sprintf("%q: %s is another one in tests than what ships: code must do the same in tests as elsewhere", phrase.Clip(o.condition), phrase.Clip(o.what))})
	}
	return all
}

// builtOtherwise lists the lines by which a file of Go's that is no test is built for tests alone, or for all but them.
func builtOtherwise(_ string, src []byte) []twofold {
	var all []twofold
	for i, text := range strings.Split(string(src), "\n") {
		if strings.HasPrefix(text, "package ") {
			break
		}
		if buildTag.MatchString(text) {
			all = append(all, twofold{i + 1, strings.TrimSpace(text), "the file"})
		}
	}
	return all
}

// buildTag matches such a line.
var buildTag = pattern.New(`^//\s*(?:go:build|\+build)\b.*?\b(?:(?:unit_?|go_?)?test(?:ing|s|mode|env)?|mock(?:s|ed)?|fakes?)\b`)

// rustOtherwise lists such places of Rust's.
func rustOtherwise(name string, src []byte) []twofold {
	if !strings.Contains(string(src), "test") {
		return nil
	}
	around := blocks(name, src)
	var all []twofold
	twins := make(map[string]bool) // what is defined where nothing is tested
	items := conditionals(src)
	named := func(c conditional) string {
		return strings.Join(around[c.line-1], "{") + "{" + itemName(c.about)
	}
	for _, c := range items {
		if c.about != "" && slices.Contains(c.conditions, "not(test)") {
			twins[named(c)] = true
		}
	}
	for _, c := range items {
		tests, never := slices.Contains(c.conditions, "test"), slices.Contains(c.conditions, "not(test)")
		if c.about == "" || !tests && !never || inTests(around[c.line-1]) {
			continue
		}
		switch fn := functionAround(name, around[c.line-1]); {
		case fn != "":
			if !asIs.MatchString(c.about) {
				all = append(all, twofold{c.line, condition(tests), fn})
			}
		case tests && itemName(c.about) != "" && twins[named(c)]:
			all = append(all, twofold{c.line, condition(tests), itemName(c.about)})
		}
	}
	for i, text := range strings.Split(string(src), "\n") {
		if chosenByMacro.MatchString(text) {
			all = append(all, twofold{i + 1, strings.TrimSpace(text), "what is chosen"})
		}
	}
	return all
}

// itemName is what an item of Rust's defines, by its kind and its name; of what is used, the name that it gets here.
func itemName(about string) string {
	if m := itemUsed.FindStringSubmatch(about); m != nil {
		return "use " + m[1]
	}
	return strings.TrimSpace(itemDefined.FindString(about))
}

func condition(tests bool) string {
	if tests {
		return "#[cfg(test)]"
	}
	return "#[cfg(not(test))]"
}

// inTests reports whether one of the blocks is compiled for tests alone.
func inTests(heads []string) bool {
	for _, head := range heads {
		if testsOnly.MatchString(head) {
			return true
		}
	}
	return false
}

var (
	testsOnly   = pattern.New(`#\[\s*cfg\s*\(\s*(?:test|all\s*\(\s*test\b[^)]*\))\s*\)\s*\]`)
	itemDefined = pattern.New(`\b(?:fn|const|static|struct|enum|type|mod|trait|union|impl)\b\s*(?:mut\s+)?[^({=;:]*`)
	itemUsed    = pattern.New(`^use\b.*\b(\w+)\s*;`)
	// asIs matches what tells tests more and does nothing else: a field, a count, a line of a log.
	asIs          = pattern.New(`^\w+\s*(?::[^:]|,|:$)|\+=\s*1;?$|^(?:\w+::)*(?:e?println|eprint|print|trace|debug|info|warn|error|log|dbg)!|^(?:use|fn|mod|const)\b`)
	chosenByMacro = pattern.New(`\bif\s+#\[\s*cfg\s*\(\s*(?:not\s*\(\s*)?test\b`)
)

// chosenOtherwise lists such places of what a preprocessor chooses from.
func chosenOtherwise(name string, src []byte) []twofold {
	var all []twofold
	var open []*choice
	around := blocks(name, src)
	for i, text := range strings.Split(string(src), "\n") {
		m := directive.FindStringSubmatch(text)
		if m == nil {
			for _, c := range open {
				last := len(c.branches) - 1
				c.branches[last] = append(c.branches[last], text)
			}
			continue
		}
		switch m[1] {
		case "if", "ifdef", "ifndef":
			open = append(open, &choice{line: i + 1, condition: strings.TrimSpace(text), tests: asksForTests(text), within: functionAround(name, around[min(i, len(around)-1)]), branches: make([][]string, 1)})
		case "endif":
			if len(open) > 0 {
				all = append(all, open[len(open)-1].otherwise()...)
				open = open[:len(open)-1]
			}
		default:
			if len(open) > 0 {
				c := open[len(open)-1]
				c.branches, c.tests = append(c.branches, nil), c.tests || asksForTests(text)
			}
		}
	}
	return all
}

// choice is what a preprocessor chooses from, by a condition.
type choice struct {
	line      int
	condition string
	tests     bool // the condition is whether this is built for tests
	within    string
	branches  [][]string
}

// otherwise is what is another thing in tests by a choice; none, if it is not about tests, or its branches say nothing but what they print.
func (c *choice) otherwise() []twofold {
	if !c.tests {
		return nil
	}
	if c.within != "" {
		for _, b := range c.branches {
			for _, text := range b {
				if text = strings.TrimSpace(text); text != "" && !idleLine.MatchString(text) {
					return []twofold{{c.line, c.condition, c.within}}
				}
			}
		}
		return nil
	}
	count := make(map[string]int)
	var all []twofold
	for _, b := range c.branches {
		here := make(map[string]bool)
		for _, text := range b {
			name := definedBy(text)
			if name == "" || here[name] {
				continue
			}
			here[name] = true
			if count[name]++; count[name] == 2 {
				all = append(all, twofold{c.line, c.condition, name})
			}
		}
	}
	return all
}

// definedBy is the function or the macro that a line begins to define, outside of functions; empty for what only says who may see something.
func definedBy(text string) string {
	if m := macroDefined.FindStringSubmatch(text); m != nil {
		if visibility.MatchString(m[2]) {
			return ""
		}
		return m[1]
	}
	if m := functionDefined.FindStringSubmatch(text); m != nil && m[1] != "main" {
		return m[1]
	}
	return ""
}

var (
	macroDefined    = pattern.New(`^\s*#\s*define\s+(\w+)(.*)$`)
	visibility      = pattern.New(`^\s*(?:(?:static|inline|extern|const|private|public|protected|internal|virtual|volatile|open|fileprivate|__\w+(?:\(.*\))?)\s*)*(?:/[/*].*)?$`)
	functionDefined = pattern.New(`^\s*[A-Za-z_][\w\s*&:<>,~\[\]?]*?\b(\w+)\s*\([^;]*$`)
	// idleLine matches what computes nothing: comments, braces, lines of a log.
	idleLine = pattern.New(`^(?://|/\*|\*|[{}]+$)|(?i)^(?:\w+(?:\.|->|::))*(?:printf|fprintf|puts|log\w*|\w+_log|trace\w*|debug\w*|print(?:ln)?|nslog|write(?:line)?)\s*\(.*\);?$`)
)

// asksForTests reports whether a directive asks whether this is built for tests: by a macro that is called so, or one of a library for tests.
func asksForTests(text string) bool {
	_, condition, _ := strings.Cut(text, "#")
	condition, _, _ = strings.Cut(condition, "//")
	condition, _, _ = strings.Cut(condition, "/*")
	for _, word := range macroName.FindAllString(condition, -1) {
		if libraryMacro.MatchString(word) || testMacro.MatchString(word) && !otherMacro.MatchString(word) {
			return true
		}
	}
	return false
}

var (
	macroName    = pattern.New(`\b[A-Za-z_]\w*\b`)
	testMacro    = pattern.New(`(?i)(?:^|_)(?:unit_?)?tests?(?:ing|s)?(?:_|$)`)
	libraryMacro = pattern.New(`^(?:UNITTEST\w*|UTEST\w*|GTEST_\w+|CATCH_(?:CONFIG|VERSION)\w*|DOCTEST_(?:CONFIG_IMPL|LIBRARY|VERSION)\w*|CPPUTEST\w*|CMOCKA\w*|CMOCK_\w+|CRITERION_\w+|CEEDLING\w*|UNITY_(?:INCLUDE|FRAMEWORK|INTERNALS|BEGIN|OUTPUT|SUPPORT)\w*|CHECK_MAJOR_VERSION|XCTEST\w*)$`)
	otherMacro   = pattern.New(`(?i)self_?test|_HP?P?_*$|_INCLUDED$|^HAVE_|_(?:depth|stencil|scissor|alpha)_test|test_(?:pattern|point|pin)`)
)
