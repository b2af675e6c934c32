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

func FuzzRDJSON(f *testing.F) {
	fuzz(f, "rdjson", rdLine, `{"diagnostics":[`+rdLine+`],"severity":3}`, `{"diagnostics":null,"message":"x"}`, `[{"message":"x"`)
}
