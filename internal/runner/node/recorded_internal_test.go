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
	const made = "function one(){\nreturn 1}\none();\n"
	// The map of what was made: its lines stand for the lines 3, 4 and 6 of the source.
	mapping := func(of string) string {
		return "\n//# sourceMappingURL=data:application/json;charset=utf-8;base64," + base64.StdEncoding.EncodeToString([]byte(`{"version":3,"sources":["../src/`+of+`"],"mappings":"AAEA;AACA;AAEA"}`))
	}
	for _, c := range []struct {
		name, before, text string
		function           string // that of which is told, each time
		told               []bool // whether it ran
		want               []int
	}{
		{"its own text, all of it", "", source, source[strings.Index(source, "function"):strings.Index(source, "one();")], []bool{true}, []int{2, 3, 4, 5, 6}},
		{"its own text, without a function", module, source, "function one() {\n  return 1;\n}", []bool{false}, []int{2, 6}},
		{"a function that ran later", module, source, "function one() {\n  return 1;\n}", []bool{false, true}, []int{2, 3, 4, 5, 6}},
		{"a function that is not spoken of", module, source, "function one() {\n  return 1;\n}", nil, []int{2, 3, 4, 5, 6}},
		{"another text, with a map", module, made + mapping("one.js"), "{\nreturn 1}", []bool{false}, []int{3, 6}},
		{"another text, without a map", module, made, "{\nreturn 1}", []bool{false}, []int{2, 3, 4, 5, 6}},
		{"another text, with a map of something else", module, made + mapping("two.js"), "{\nreturn 1}", []bool{false}, []int{2, 3, 4, 5, 6}},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := script{File: "src/one.js", Text: c.before + c.text}
			x.Ran = append(x.Ran, [][2]int{{0, units(x.Text)}, {0, units(x.Text)}})
			for _, ran := range c.told {
				at := within(x.Text, c.function)
				of := [][2]int{at}
				if ran {
					of = append(of, at)
				}
				x.Ran = append(x.Ran, of)
			}
			if got := x.lines(source); !slices.Equal(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}
