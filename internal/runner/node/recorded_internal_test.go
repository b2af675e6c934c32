package node

import (
	"encoding/base64"
	"slices"
	"strings"
	"testing"
)

func TestLinesOfWhatRan(t *testing.T) {
	const source = "\n// ä\nfunction one() {\n  return 1;\n}\none();\n"
	const module = `({"Object.<anonymous>":function(module,exports,require,__dirname,__filename,jest){`
	within := func(text, part string) [2]int {
		at := strings.Index(text, part)
		return [2]int{units(text[:at]), units(text[:at+len(part)])}
	}
	ran := func(r [2]int, n int) [3]int { return [3]int{r[0], r[1], n} }
	const made = "function one(){\nreturn 1}\none();\n"
	// The map of what was made: its lines stand for the lines 3, 4 and 6 of the source.
	mapping := "\n//# sourceMappingURL=data:application/json;charset=utf-8;base64," + base64.StdEncoding.EncodeToString([]byte(`{"version":3,"sources":["../src/one.js"],"mappings":"AAEA;AACA;AAEA"}`))
	for _, c := range []struct {
		name, before, text string
		function           string // that of which each look tells
		looks              []int  // how often it ran
		want               []int
	}{
		{"its own text, all of it", "", source, source[strings.Index(source, "function"):strings.Index(source, "one();")], []int{1}, []int{2, 3, 4, 5, 6}},
		{"its own text, without a function", module, source, "function one() {\n  return 1;\n}", []int{0}, []int{2, 6}},
		{"a function that ran at first", module, source, "function one() {\n  return 1;\n}", []int{1, 0}, []int{2, 3, 4, 5, 6}},
		{"a function that is not spoken of later", module, source, "function one() {\n  return 1;\n}", []int{0, -1}, []int{2, 6}},
		{"another text, with a map", module, made + mapping, "{\nreturn 1}", []int{0}, []int{3, 6}},
		{"another text, without a map", module, made, "{\nreturn 1}", []int{0}, []int{2, 3, 4, 5, 6}},
		{"another text, with a map of something else", module, made + strings.Replace(mapping, base64.StdEncoding.EncodeToString([]byte(`{"version":3,"sources":["../src/one.js"]`))[:8], "bm90aGlu", 1), "{\nreturn 1}", []int{0}, []int{2, 3, 4, 5, 6}},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := script{File: "src/one.js", Text: c.before + c.text}
			for _, n := range c.looks {
				look := [][][3]int{{{0, units(x.Text), 1}}}
				if n >= 0 {
					look = append(look, [][3]int{ran(within(x.Text, c.function), n)})
				}
				x.Ran = append(x.Ran, look)
			}
			if got := x.lines(source); !slices.Equal(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}
