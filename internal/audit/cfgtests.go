package audit

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"fettle/internal/audit/parts"
	"fettle/internal/audit/trees"
	"fettle/internal/lang"
	"fettle/internal/pattern"
	"fettle/internal/phrase"
)

// conditional is an item of Rust's that is compiled under conditions, with these: "test", `feature="x"`.
type conditional struct {
	about      string // its first line; empty for the whole file
	line       int
	conditions []string
	tests      bool // it holds tests, or is one
}

// configured matches the conditions under which something is compiled.
var configured = pattern.New(`^#(!?)\[\s*cfg\s*\((.*)\)\s*\]`)

// testMark matches what makes a test of a function.
var testMark = pattern.New(`^#\[\s*(?:\w+::)*(?:test|rstest|test_case|bench|quickcheck|proptest)\b`)

// conditionals are the items of a source that are compiled under conditions, and its tests.
func conditionals(src []byte) []conditional {
	lines := strings.Split(string(src), "\n")
	var all []conditional
	var at conditional
	for i, text := range lines {
		text = strings.TrimSpace(text)
		m := configured.FindStringSubmatch(text)
		switch {
		case m != nil && m[1] == "!":
			all = append(all, conditional{line: i + 1, conditions: allOf(m[2])})
		case m != nil:
			at.conditions = append(at.conditions, allOf(m[2])...)
			at.line = i + 1
		case testMark.MatchString(text):
			at.tests = true
		case text == "", strings.HasPrefix(text, "#["), strings.HasPrefix(text, "//"):
		default:
			if len(at.conditions) > 0 || at.tests {
				at.about = strings.TrimSuffix(strings.TrimSpace(strings.TrimPrefix(text, "pub ")), "{")
				at.tests = at.tests || slices.Contains(at.conditions, "test")
				if at.line == 0 {
					at.line = i + 1
				}
				all = append(all, at)
			}
			at = conditional{}
		}
	}
	return all
}

// allOf takes apart what has to hold together: all(test, unix) are two conditions.
func allOf(text string) []string {
	text = parts.Bare(text)
	inner, is := strings.CutPrefix(text, "all(")
	if !is || !strings.HasSuffix(inner, ")") {
		return []string{text}
	}
	inner = strings.TrimSuffix(inner, ")")
	var all []string
	depth, begin := 0, 0
	for i := 0; i <= len(inner); i++ {
		switch {
		case i == len(inner) || inner[i] == ',' && depth == 0:
			if begin < i {
				all = append(all, allOf(inner[begin:i])...)
			}
			begin = i + 1
		case inner[i] == '(':
			depth++
		case inner[i] == ')':
			depth--
		}
	}
	return all
}

// leftOutTests compares under which conditions tests in Rust are compiled before and after.
func leftOutTests(v *patchView, f *fileView) []Finding {
	if lang.Of(f.path) != lang.Rust || f.formatted || len(f.before) == 0 || len(f.after) == 0 {
		return nil
	}
	had := make(map[string][]conditional)
	for _, c := range conditionals(f.before) {
		had[c.about] = append(had[c.about], c)
	}
	tested := f.test || slices.ContainsFunc(conditionals(f.before), func(c conditional) bool { return c.tests })
	var all []Finding
	for _, is := range conditionals(f.after) {
		var was conditional
		if left := had[is.about]; len(left) > 0 {
			was, had[is.about] = left[0], left[1:]
		}
		whole := is.about == "" && f.test
		moduleOf := tested && testModuleHead.MatchString(is.about) && was.about == "" && strings.Contains(string(f.before), is.about)
		if !whole && !moduleOf && !was.tests {
			continue
		}
		for _, c := range trees.Without(is.conditions, was.conditions) {
			if c == "test" || strings.HasPrefix(c, "any(test,") {
				continue
			}
			all = append(all, Finding{Line: is.line, Effect: v.ofCondition(f, c), Evidence: fmt.Sprintf("the tests in %q are compiled only where %s holds", orFile(is.about), phrase.Clip(c))})
		}
	}
	return all
}

// testModuleHead matches the head of a module of tests.
var testModuleHead = pattern.New(`^mod\s+\w*tests?\b`)

// ofCondition is what it means that tests are compiled under one more condition: that of a machine may have its reasons, one that never holds has none.
func (v *patchView) ofCondition(f *fileView, c string) Effect {
	if machine.MatchString(c) {
		return v.unordered()
	}
	if m := featureName.FindStringSubmatch(c); m != nil {
		for dir := path.Dir(f.path); ; dir = path.Dir(dir) {
			if manifest := v.content(path.Join(dir, "Cargo.toml")); len(manifest) > 0 && parts.Mentions(manifest, m[1]) {
				return v.unordered()
			}
			if dir == "." || dir == "/" {
				break
			}
		}
	}
	return v.weakens()
}

var (
	machine     = pattern.New(`^(not\()?(unix|windows|miri|loom|target_\w+|debug_assertions|panic|has_\w+)\b`)
	featureName = pattern.New(`^feature="([^"]+)"$`)
)
