package locate_test

import (
	"fmt"
	"strings"
	"testing"

	"fettle/internal/locate"
)

// Of lines that tests tell little apart, those come first that speak of what the failing test is about.
func TestByName(t *testing.T) {
	files := map[string]string{
		"a.go": strings.Repeat("\n", 9) + "func parse() {}\n" + strings.Repeat("\n", 9) + "func unexportedFields() {}\n", // lines 10 and 20
		"b.go": "func test() {}\n",
	}
	read := func(file string) ([]byte, error) {
		text, ok := files[file]
		if !ok {
			return nil, fmt.Errorf("%s: not there", file)
		}
		return []byte(text), nil
	}
	at := func(file string, line int, score float64) locate.Suspect {
		return locate.Suspect{File: file, Line: line, EndLine: line, Score: score, Why: "run"}
	}
	for _, c := range []struct {
		name     string
		test     string
		suspects []locate.Suspect
		want     string
	}{
		{"of equals, the one that is named", "pkg:TestX/unexported_field", []locate.Suspect{at("a.go", 10, 1), at("a.go", 20, 1), at("b.go", 1, 1)}, "a.go:20 b.go:1 a.go:10"},
		{"beside it is near enough", "pkg:TestUnexportedField", []locate.Suspect{at("a.go", 10, 1), at("a.go", 17, 1)}, "a.go:17 a.go:10"},
		{"a little less suspicious is not much", "test_fields", []locate.Suspect{at("a.go", 10, 0.6), at("a.go", 20, 0.5)}, "a.go:20 a.go:10"},
		{"but much less is", "test_fields", []locate.Suspect{at("a.go", 10, 0.9), at("a.go", 20, 0.5)}, "a.go:10 a.go:20"},
		{"the rarer word counts more", "HTTPParse func fields", []locate.Suspect{at("a.go", 10, 0.5), at("b.go", 1, 0.5), at("a.go", 20, 0.5)}, "a.go:10 a.go:20 b.go:1"},
		{"a name that says nothing", "TestIssue12", []locate.Suspect{at("a.go", 20, 0.5), at("a.go", 10, 0.5)}, "a.go:20 a.go:10"},
		{"a word that all have", "func", []locate.Suspect{at("a.go", 10, 0.5), at("b.go", 1, 0.5)}, "a.go:10 b.go:1"},
		{"a file that cannot be read", "TestParse", []locate.Suspect{at("c.go", 1, 0.5), at("a.go", 10, 0.5)}, "a.go:10 c.go:1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			last := 1.0
			for _, x := range locate.ByName(c.suspects, []string{c.test}, read) {
				got = append(got, fmt.Sprintf("%s:%d", x.File, x.Line))
				if x.Score > last || x.Score < 0 {
					t.Errorf("score %v after %v", x.Score, last)
				}
				last = x.Score
			}
			if g := strings.Join(got, " "); g != c.want {
				t.Errorf("got %s, want %s", g, c.want)
			}
		})
	}
	named := locate.ByName([]locate.Suspect{at("a.go", 10, 1), at("a.go", 20, 1)}, []string{"TestFields"}, read)
	if named[0].Why != "run; speaks of fields, as the test's name does" || named[1].Why != "run" {
		t.Errorf("%+v", named)
	}
}
