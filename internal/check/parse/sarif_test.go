package parse_test

import (
	"testing"

	"fettle/internal/check/parse"

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
