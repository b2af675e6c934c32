package parse_test

import (
	"strings"
	"testing"
	"testing/iotest"

	"fettle/internal/check/parse"

	"gotest.tools/v3/assert"
)

func TestParseStrictly(t *testing.T) {
	const suite = `<testsuite><testcase name="a"/></testsuite>`
	for _, c := range []struct{ format, text, fault string }{
		{"rdjson", "", ""},
		{"rdjson", "\n", ""},
		{"rdjson", `{"diagnostics":[` + rdLine + `]}`, ""},
		{"rdjsonl", rdLine + "\n" + rdLine + "\n", ""},
		{"rdjson", "[" + rdLine + "]\n", ""},
		{"rdjson", `{"size":1e999}`, ""},
		{"rdjson", "reading\n" + rdLine, "invalid character 'r' looking for beginning of value"},
		{"rdjson", rdLine + "\ndone", "invalid character 'd' looking for beginning of value"},
		{"rdjson", "3\n", "neither an object nor a list of JSON"},
		{"rdjson", `{"diagnostics":[` + rdLine, "it breaks off"},
		{"rdjson", rdLine[:30], "it breaks off"},
		{"sarif", `{"runs": [}`, "invalid character '}' looking for beginning of value"},
		{"junit", "", ""},
		{"junit", `<?xml version="1.0"?>` + "\n<!-- mine -->\n" + suite + "\n", ""},
		{"junit", suite + suite, ""},
		{"junit", strings.Replace(suite, "/>", ">\x1b[31m&nbsp;<b></testcase>", 1), "it breaks off"},
		{"junit", strings.Replace(suite, "/>", ">\x1b[31m&nbsp;</testcase>", 1), ""},
		{"junit", suite[:40], "it breaks off"},
		{"junit", suite[:20], "it breaks off"},
		{"junit", "Traceback: no\n", "text that stands in no element of XML"},
		{"checkstyle", "3 < 4", "text that stands in no element of XML"},
		{"gcc", "whatever", ""},
	} {
		format, ok := parse.Lookup(c.format)
		assert.Assert(t, ok)
		got := ""
		said, err := format.ParseStrictly(iotest.OneByteReader(strings.NewReader(c.text)), parse.Options{Root: "/repo"})
		if err != nil {
			got = err.Error()
		}
		assert.Equal(t, got, c.fault, "%s: %q", c.format, c.text)
		loose, err := format.Parse(strings.NewReader(c.text), parse.Options{Root: "/repo"})
		assert.NilError(t, err)
		assert.DeepEqual(t, said, loose)
	}
}
