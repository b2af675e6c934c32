package parse_test

import (
	"strings"
	"testing"

	"fettle/internal/check/parse"
	"fettle/internal/diag"

	"gotest.tools/v3/assert"
)

const rdLine = `{"message":"haya14busa","location":{"path":"a.txt","range":{"start":{"line":1,"column":5},"end":{"line":1,"column":7}}},"severity":"WARNING","code":{"value":"R1"},"source":{"name":"tool"}}`

// Both forms of the format say the same, whatever stands around them and in which order their keys come.
func TestRDJSON(t *testing.T) {
	want := "a.txt:1:5-1:7 tool warning rule=R1\n\thaya14busa\n"
	for name, text := range map[string]string{
		"a line":                rdLine + "\n",
		"lines":                 "tool 1.0 says:\n" + rdLine + "\n{\"log\":\"noise\"}\ndone\n",
		"a result":              `{"source":{"name":"other"},"severity":"ERROR","diagnostics":[` + rdLine + `]}`,
		"defaults come last":    `{"diagnostics":[` + strings.NewReplacer(`,"severity":"WARNING"`, "", `,"source":{"name":"tool"}`, "").Replace(rdLine) + `],"severity":"WARNING","source":{"name":"tool"}}`,
		"numbers of severities": strings.Replace(rdLine, `"WARNING"`, "2", 1),
		"odd shapes":            `{"diagnostics":[` + strings.Replace(rdLine, `{"value":"R1"}`, `{"value":"R1","url":7}`, 1) + `,{"message":7},null,"x"],"source":{"name":"tool"}}`,
		"a bare list":           "[" + rdLine + "]",
	} {
		for _, format := range []string{"rdjson", "rdjsonl"} {
			assert.Equal(t, describe(read(t, format, text, parse.Options{Check: "check", Root: "/repo"})), want, name)
		}
	}
}

// Columns are bytes of UTF-8 and ends are exclusive, in the format as here: nothing is converted.
func TestRDJSONColumns(t *testing.T) {
	text := `{"message":"m","location":{"path":"/repo/a.txt","range":{"start":{"line":2,"column":6},"end":{"line":3,"column":1}}}}
{"message":"whole lines","location":{"path":"a.txt","range":{"start":{"line":5},"end":{"line":6}}}}
{"message":"a point","location":{"path":"a.txt","range":{"start":{"line":5,"column":2}}}}
{"message":"no range","location":{"path":"a.txt"}}
{"message":"outside","location":{"path":"/etc/passwd"}}
{"message":"nowhere"}
`
	var got []diag.Range
	ds := read(t, "rdjsonl", text, parse.Options{Root: "/repo"}).Diagnostics
	for _, d := range ds {
		got = append(got, d.Range)
	}
	pos := func(l, c int) diag.Position { return diag.Position{Line: l, Column: c} }
	assert.DeepEqual(t, got, []diag.Range{{Start: pos(2, 6), End: pos(3, 1)}, {Start: pos(5, 0), End: pos(6, 0)}, {Start: pos(5, 2)}, {}, {}, {}})
	assert.Equal(t, ds[4].File, "")
	assert.Equal(t, ds[0].Severity, diag.Error)
}

func TestRDJSONSuggestions(t *testing.T) {
	text := `{"message":"m","location":{"path":"a.txt"},"suggestions":[{"range":{"start":{"line":1,"column":5},"end":{"line":1,"column":7}},"text":"15"},{"range":{"start":{"line":2,"column":1},"end":{"line":3,"column":1}},"text":""},{"range":{"start":{"line":4,"column":2}},"text":"in\n"}]}`
	d := read(t, "rdjsonl", text, parse.Options{Root: "/repo"}).Diagnostics[0]
	assert.Equal(t, d.Detail, "suggested for 1:5-1:7: 15\nsuggested: remove 2:1-3:1\nsuggested for 4:2-4:2: in")
	assert.Assert(t, d.Fixable)
}

// What a suggestion does is kept as the format says it: columns are bytes, an end that is left out is the start, a range without columns is
// of lines. One that nobody could apply ends the list.
func TestRDJSONReplacements(t *testing.T) {
	rng := func(l, c, el, ec int) diag.Range {
		return diag.Range{Start: diag.Position{Line: l, Column: c}, End: diag.Position{Line: el, Column: ec}}
	}
	for name, tc := range map[string]struct {
		path, suggestions string
		want              []diag.Replacement
	}{
		"replaced":      {"a.txt", `{"range":{"start":{"line":1,"column":3},"end":{"line":1,"column":7}},"text":"é😀"}`, []diag.Replacement{{Range: rng(1, 3, 1, 7), Text: "é😀"}}},
		"several lines": {"/repo/a.txt", `{"range":{"start":{"line":2,"column":1},"end":{"line":4,"column":1}},"text":"x\ny\n"}`, []diag.Replacement{{Range: rng(2, 1, 4, 1), Text: "x\ny\n"}}},
		"inserted":      {"a.txt", `{"range":{"start":{"line":2,"column":4}},"text":"x"}`, []diag.Replacement{{Range: rng(2, 4, 2, 4), Text: "x"}}},
		"deleted":       {"a.txt", `{"range":{"start":{"line":2,"column":4},"end":{"line":2,"column":9}}}`, []diag.Replacement{{Range: rng(2, 4, 2, 9)}}},
		"a line":        {"a.txt", `{"range":{"start":{"line":2}},"text":"x"}`, []diag.Replacement{{Range: rng(2, 0, 2, 0), Text: "x"}}},
		"lines":         {"a.txt", `{"range":{"start":{"line":2},"end":{"line":3}},"text":"x"}`, []diag.Replacement{{Range: rng(2, 0, 3, 0), Text: "x"}}},
		"alternatives":  {"a.txt", `{"range":{"start":{"line":1,"column":1}},"text":"x"},{"range":{"start":{"line":1,"column":1}},"text":"y"}`, []diag.Replacement{{Range: rng(1, 1, 1, 1), Text: "x"}, {Range: rng(1, 1, 1, 1), Text: "y"}}},
		"nowhere":       {"a.txt", `{"text":"x"},{"range":{"start":{"line":1,"column":1}},"text":"y"}`, nil},
		"outside":       {"../a.txt", `{"range":{"start":{"line":1,"column":1}},"text":"x"}`, nil},
		"backwards":     {"a.txt", `{"range":{"start":{"line":3,"column":1},"end":{"line":2,"column":1}},"text":"x"}`, nil},
		"below zero":    {"a.txt", `{"range":{"start":{"line":3,"column":-1}},"text":"x"}`, nil},
		"odd shape":     {"a.txt", `{"range":{"start":{"line":3,"column":"1"}},"text":"x"}`, nil},
		"not UTF-8":     {"a.txt", `{"range":{"start":{"line":3,"column":1}},"text":"` + "\xff" + `"}`, nil},
		"too large":     {"a.txt", `{"range":{"start":{"line":3,"column":1}},"text":"` + strings.Repeat("x", 65<<10) + `"}`, nil},
	} {
		text := `{"message":"m","location":{"path":"` + tc.path + `"},"suggestions":[` + tc.suggestions + `]}`
		d := read(t, "rdjsonl", text, parse.Options{Root: "/repo"}).Diagnostics[0]
		var want []diag.Suggestion
		for _, r := range tc.want {
			r.File = "a.txt"
			want = append(want, diag.Suggestion{Replacements: []diag.Replacement{r}})
		}
		assert.Equal(t, len(d.Suggestions), len(want), name)
		if len(want) > 0 {
			assert.DeepEqual(t, d.Suggestions, want)
		}
		assert.Assert(t, d.Fixable, name)
	}
}

// Of many large suggestions as many are kept as a session can hold, and the findings all the same.
func TestSuggestionsAreBounded(t *testing.T) {
	one := `{"range":{"start":{"line":1,"column":1}},"text":"` + strings.Repeat("x", 60<<10) + `"}`
	line := `{"message":"m","location":{"path":"a.txt"},"suggestions":[` + strings.Repeat(one+",", 9) + one + "]}\n"
	size := 0
	ds := read(t, "rdjsonl", strings.Repeat(line, 20), parse.Options{Root: "/repo"}).Diagnostics
	for _, d := range ds {
		assert.Assert(t, len(d.Suggestions) <= 8)
		for _, s := range d.Suggestions {
			size += len(s.Replacements[0].Text)
		}
	}
	assert.Equal(t, len(ds), 20)
	assert.Assert(t, size > 3<<20 && size <= 4<<20, "%d", size)
}

func FuzzRDJSON(f *testing.F) {
	fuzz(f, "rdjson", rdLine, strings.TrimSuffix(rdLine, "}")+`,"suggestions":[{"range":{"start":{"line":1}},"text":"x"}]}`, `{"diagnostics":[`+rdLine+`],"severity":3}`, `{"diagnostics":null,"message":"x"}`, `[{"message":"x"`)
}
