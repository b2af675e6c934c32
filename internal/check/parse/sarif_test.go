package parse_test

import (
	"testing"

	"fettle/internal/check/parse"
	"fettle/internal/diag"

	"gotest.tools/v3/assert"
)

// Results before the rules and artifacts that they point to, bases on bases, suppressions, and fields of the wrong shape.
const sarifReport = `{"version":"2.1.0","$schema":"x","runs":[{
 "results":[
  {"ruleIndex":1,"message":{"id":"default","arguments":["n","3"]},"locations":[{"physicalLocation":{"artifactLocation":{"index":0},"region":{"startLine":4,"startColumn":2,"endColumn":9}}}],"partialFingerprints":{"a":"b"}},
  {"ruleId":"R1/sub","message":{"text":"by rule id"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"b%20c.go","uriBaseId":"SRC"},"region":{"startLine":1}}}]},
  {"ruleId":"R1","level":"note","message":{"text":"own level"},"fixes":[{}]},
  {"ruleId":"R1","kind":"pass","message":{"text":"fine"}},
  {"ruleId":"R1","message":{"text":"suppressed"},"suppressions":[{"kind":"inSource"}]},
  {"ruleId":"R1","message":{"text":"under review"},"suppressions":[{"kind":"external","status":"underReview"}]},
  {"ruleId":"R1","message":"not an object","locations":{"not":"a list"}},
  {"ruleId":"X","message":{"text":"outside"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"file:///etc/passwd"},"region":{"startLine":1}}}]}],
 "artifacts":[{"location":{"uri":"file:///repo/src/a.go"}}],
 "originalUriBaseIds":{"SRC":{"uri":"src/","uriBaseId":"ROOT"},"ROOT":{"uri":"file:///repo/"}},
 "tool":{"driver":{"name":"scan","rules":[{"id":"R1","defaultConfiguration":{"level":"error"}},{"id":"R2","messageStrings":{"default":{"text":"{0} is {1}, not '{{}}'"}}}]}}
}]}`

func TestSARIF(t *testing.T) {
	r := read(t, "sarif", sarifReport, parse.Options{Check: "check", Root: "/repo", Dir: "sub"})
	assert.Equal(t, describe(r), `src/a.go:4:2-4:9 scan warning rule=R2
	n is 3, not '{}'
src/b c.go:1:0 scan error rule=R1/sub
	by rule id
:0:0 scan info rule=R1 fixable
	own level
:0:0 scan error rule=R1
	under review
:0:0 scan error rule=R1
	
:1:0 scan warning rule=X
	outside
`)
}

func TestSARIFSeveralRuns(t *testing.T) {
	r := read(t, "sarif", `{"runs":[{"tool":{"driver":{"name":"a"}},"results":[{"message":{"text":"1"}}]},{"results":[{"message":{"text":"2"}}],"tool":{"driver":{"name":"b"}}}]}`, parse.Options{})
	assert.Equal(t, len(r.Diagnostics), 2)
	assert.Equal(t, r.Diagnostics[0].Tool+r.Diagnostics[1].Tool, "ab")
}

// What a fix does is kept as the format says it: columns count UTF-16 unless the run says otherwise, what is absent of a region has its default, and
// files are found as locations are. A fix that cannot be applied to text ends the list.
func TestSARIFFixes(t *testing.T) {
	rng := func(l, c, el, ec int) diag.Range {
		return diag.Range{Start: diag.Position{Line: l, Column: c}, End: diag.Position{Line: el, Column: ec}}
	}
	in := func(file, replacements string) string {
		return `{"artifactLocation":{` + file + `},"replacements":[` + replacements + `]}`
	}
	of := func(changes string) string { return `{"description":{"text":"d"},"artifactChanges":[` + changes + `]}` }
	const a = `"uri":"a%20b.py","uriBaseId":"SRC"`
	for name, tc := range map[string]struct {
		fixes, run string
		want       []diag.Replacement // of the first fix
	}{
		"columns":      {of(in(a, `{"deletedRegion":{"startLine":1,"startColumn":13,"endColumn":16},"insertedContent":{"text":"é😀"}}`)), "", []diag.Replacement{{Range: rng(1, 13, 1, 16), Text: "é😀"}}},
		"code points":  {of(in(a, `{"deletedRegion":{"startLine":1,"startColumn":12,"endColumn":15}}`)), `,"columnKind":"unicodeCodePoints"`, []diag.Replacement{{Range: rng(1, 12, 1, 15), Unit: diag.Characters}}},
		"lines":        {of(in(a, `{"deletedRegion":{"startLine":2,"startColumn":1,"endLine":4,"endColumn":1},"insertedContent":{"text":"x\ny\n"}}`)), "", []diag.Replacement{{Range: rng(2, 1, 4, 1), Text: "x\ny\n"}}},
		"a whole line": {of(in(a, `{"deletedRegion":{"startLine":2},"insertedContent":{"text":"x"}}`)), "", []diag.Replacement{{Range: rng(2, 1, 2, 0), Text: "x"}}},
		"inserted":     {of(in(a, `{"deletedRegion":{"startLine":2,"startColumn":3,"endColumn":3},"insertedContent":{"text":"x"}}`)), "", []diag.Replacement{{Range: rng(2, 3, 2, 3), Text: "x"}}},
		"an offset":    {of(in(a, `{"deletedRegion":{"charOffset":7,"charLength":2},"insertedContent":{"text":"x"}}`)), "", []diag.Replacement{{Span: &diag.Span{Offset: 7, Length: 2}, Text: "x"}}},
		"at the start": {of(in(a, `{"deletedRegion":{"charOffset":0},"insertedContent":{"text":"x"}}`)), "", []diag.Replacement{{Span: &diag.Span{}, Text: "x"}}},
		"bytes":        {of(in(a, `{"deletedRegion":{"byteOffset":7,"byteLength":2}}`)), "", []diag.Replacement{{Span: &diag.Span{Offset: 7, Length: 2}}}},
		"several replacements": {of(in(a, `{"deletedRegion":{"startLine":1,"startColumn":1,"endColumn":2}},{"deletedRegion":{"startLine":3,"startColumn":1,"endColumn":2}}`)), "",
			[]diag.Replacement{{Range: rng(1, 1, 1, 2)}, {Range: rng(3, 1, 3, 2)}}},
		"several files": {of(in(a, `{"deletedRegion":{"startLine":1}}`) + "," + in(`"index":0`, `{"deletedRegion":{"startLine":2}}`)), `,"artifacts":[{"location":{"uri":"file:///repo/c.py"}}]`,
			[]diag.Replacement{{Range: rng(1, 1, 1, 0)}, {File: "c.py", Range: rng(2, 1, 2, 0)}}},
		"outside":              {of(in(a, `{"deletedRegion":{"startLine":1}}`) + "," + in(`"uri":"file:///etc/passwd"`, `{"deletedRegion":{"startLine":2}}`)), "", nil},
		"another scheme":       {of(in(`"uri":"https://example.com/a.py"`, `{"deletedRegion":{"startLine":1}}`)), "", nil},
		"no text":              {of(in(a, `{"deletedRegion":{"startLine":1},"insertedContent":{"binary":"AAAA"}}`)), "", nil},
		"no region":            {of(in(a, `{"insertedContent":{"text":"x"}}`)), "", nil},
		"below zero":           {of(in(a, `{"deletedRegion":{"charOffset":-1}}`)), "", nil},
		"an odd shape":         {of(in(a, `{"deletedRegion":{"startLine":1,"startColumn":"2"}}`)), "", nil},
		"nothing":              {of(""), "", nil},
		"none after a bad one": {of("") + "," + of(in(a, `{"deletedRegion":{"startLine":1}}`)), "", nil},
	} {
		text := `{"runs":[{"results":[{"message":{"text":"m"},"fixes":[` + tc.fixes + `]}],"originalUriBaseIds":{"SRC":{"uri":"src/"}}` + tc.run + `}]}`
		d := read(t, "sarif", text, parse.Options{Root: "/repo", Dir: "sub"}).Diagnostics[0]
		assert.Assert(t, d.Fixable, name)
		if tc.want == nil {
			assert.Equal(t, len(d.Suggestions), 0, name)
			continue
		}
		for i := range tc.want {
			r := &tc.want[i]
			if r.File == "" {
				r.File = "sub/src/a b.py"
			}
			if r.Unit == diag.Bytes && name != "bytes" {
				r.Unit = diag.UTF16
			}
		}
		assert.DeepEqual(t, d.Suggestions, []diag.Suggestion{{Replacements: tc.want}})
	}
}
