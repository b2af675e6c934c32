//go:build !race

package parse_test

import (
	"runtime"
	"strings"
	"testing"

	"fettle/internal/check/parse"
	"fettle/internal/testenv"

	"gotest.tools/v3/assert"
)

// The race detector's own memory and slowness would drown what is measured here: make test runs this test once without it.

// Any amount of anything stays within bounds: of noise, of one line, of findings, of what looks like JSON or XML. Findings
// may hold what the most that are kept hold, everything else only a line. A few megabytes are enough to go beyond these
// bounds; in continuous integration two formats, one of lines and one of XML, are read for a hundred.
func TestBoundedMemory(t *testing.T) {
	const findingsLimit, otherLimit = 30 << 20, 4 << 20
	pieces := map[string]string{
		"noise":     strings.Repeat("some noise that no tool means anything by 12:34:56\n", 100),
		"one line":  strings.Repeat("x", 4096),
		"brackets":  "[\n[\n{\n",
		"open text": `{"Issues":[{"Text":"` + strings.Repeat("y", 4096),
	}
	for _, name := range parse.Names() {
		mine := map[string]string{"noise": pieces["noise"], "one line": pieces["one line"]}
		switch name {
		case "golangci", "ruff", "sarif":
			mine["brackets"], mine["open text"] = pieces["brackets"], pieces["open text"]
		case "gotest":
			mine["output"] = `{"Action":"output","Package":"p","Test":"T","Output":"` + strings.Repeat("z", 900) + `\n"}` + "\n"
			mine["no line end"] = `{"Action":"output","Package":"p","Test":"T","Output":"` + strings.Repeat("z", 900) + `"}` + "\n"
		case "gobuild", "errorformat", "flake8":
			mine["findings"] = "a.go:1:1: E501 " + strings.Repeat("w", 500) + "\n"
		case "pytest":
			mine["failures"] = "=== FAILURES ===\n____ test_a ____\nE   " + strings.Repeat("w", 500) + "\n"
		case "junit", "pytest-junit", "java-junit":
			mine["text"] = "<testsuite><testcase><failure>" + strings.Repeat("v", 4096)
			mine["attribute"] = `<testcase name="` + strings.Repeat("v", 4096)
			mine["tags"] = "<a " + strings.Repeat("b=c ", 100)
		}
		for what, piece := range mine {
			size, limit := 6<<20, int64(otherLimit)
			if what == "findings" || what == "failures" {
				size, limit = 32<<20, findingsLimit
			}
			if testenv.CI() && what == "noise" && (name == "gotest" || name == "junit") {
				size = 100 << 20
			}
			f, _ := parse.Lookup(name)
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			r := &watching{endless: endless{piece: piece, left: size}, every: size / 5}
			report, err := f.Parse(r, options(name))
			assert.NilError(t, err, "%s: %s", name, what)
			runtime.GC()
			runtime.ReadMemStats(&after)
			runtime.KeepAlive(report)
			if held := int64(max(r.peak, after.HeapAlloc)) - int64(before.HeapAlloc); held > limit {
				t.Errorf("%s: %d MB of %s held %d MB", name, size>>20, what, held>>20)
			}
		}
	}
}

// watching looks at the heap now and then while it is read.
type watching struct {
	endless
	every int // how many bytes are between two looks
	next  int // how many bytes are left at the next look
	peak  uint64
}

func (w *watching) Read(b []byte) (int, error) {
	if w.left <= w.next || w.next == 0 {
		w.next = w.left - w.every
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		w.peak = max(w.peak, m.HeapAlloc)
	}
	return w.endless.Read(b)
}
