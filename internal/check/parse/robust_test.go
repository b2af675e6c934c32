package parse_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"fettle/internal/check/parse"

	"gotest.tools/v3/assert"
)

func recorded(t testing.TB, rec recording) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "recorded", rec.name+".out"))
	assert.NilError(t, err)
	return string(b)
}

// Line endings, the size of the pieces in which the text comes, and lines that are too long change nothing.
func TestSameHoweverItComes(t *testing.T) {
	long := strings.Repeat("x", 3<<20) + "\n"
	for _, rec := range recordings {
		t.Run(rec.name, func(t *testing.T) {
			format, _ := parse.Lookup(rec.format)
			text, o := recorded(t, rec), rec.options("/repo")
			want := outline(read(t, rec.format, text, o))
			report, err := format.Parse(iotest.OneByteReader(strings.NewReader(text)), o)
			assert.NilError(t, err)
			assert.DeepEqual(t, outline(report), want)
			assert.DeepEqual(t, outline(read(t, rec.format, strings.ReplaceAll(text, "\n", "\r\n"), o)), want)
			if format.Stream != parse.File {
				assert.DeepEqual(t, outline(read(t, rec.format, long+text, o)), want)
			}
		})
	}
}

// Colours, and lines of other programs before the output, change nothing.
func TestColoursAndNoise(t *testing.T) {
	const noise = "12:03:55 starting up \xff\xfe\n\n+ set -x\n{not json}\n[also not]\n{\"json\": \"of another program\"}\n"
	for _, rec := range recordings {
		t.Run(rec.name, func(t *testing.T) {
			format, _ := parse.Lookup(rec.format)
			if format.Stream == parse.File {
				return
			}
			text, o := recorded(t, rec), rec.options("/repo")
			want := outline(read(t, rec.format, text, o))
			assert.DeepEqual(t, outline(read(t, rec.format, noise+text, o)), want)
			if strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
				return
			}
			var b strings.Builder
			for line := range strings.Lines(text) {
				fmt.Fprintf(&b, "\x1b[1;31m%s\x1b[0m\n", strings.TrimRight(line, "\n"))
			}
			assert.DeepEqual(t, outline(read(t, rec.format, b.String(), o)), want)
		})
	}
}

// A report that breaks off somewhere keeps what came before: never more than the whole has, and no error.
func TestCutOff(t *testing.T) {
	for _, rec := range recordings {
		text, o := recorded(t, rec), rec.options("/repo")
		whole := len(read(t, rec.format, text, o).Diagnostics)
		for i := 1; i < 20; i++ {
			part := read(t, rec.format, text[:len(text)*i/20], o)
			if len(part.Diagnostics) > whole+1 {
				t.Errorf("%s: %d findings in %d/20 of it, %d in all", rec.name, len(part.Diagnostics), i, whole)
			}
		}
	}
	half := recordings[0]
	for _, rec := range recordings {
		if rec.name == "ruff" {
			half = rec
		}
	}
	text := recorded(t, half)
	if n := len(read(t, "ruff", text[:len(text)/2], half.options("/repo")).Diagnostics); n < 3 {
		t.Errorf("half of a JSON list gave %d findings", n)
	}
}

func TestReadError(t *testing.T) {
	broken := errors.New("the pipe broke")
	for _, name := range parse.Names() {
		f, _ := parse.Lookup(name)
		_, err := f.Parse(io.MultiReader(strings.NewReader("a line\n"), iotest.ErrReader(broken)), options(name))
		assert.ErrorIs(t, err, broken, name)
	}
}

func options(format string) parse.Options {
	o := parse.Options{Check: "check", Root: "/repo", Dir: "sub", Module: "example.com/m"}
	if format == "errorformat" {
		o.Pattern = []string{"%f:%l:%c: %m", "%EError at %f:%l", "%C  %m", "%Z"}
	}
	return o
}

// Messages are valid text, whatever the bytes.
func TestInvalidUTF8(t *testing.T) {
	for format, text := range map[string]string{
		"gobuild":      "# m\n./a.go:1:2: bad \xff name\n",
		"flake8":       "a.py:1:2: E501 bad \xff name\n",
		"mypy":         "a.py:1: error: bad \xff name  [x]\n",
		"pylint":       "a.py:1:0: E0602: bad \xff name (undefined-variable)\n",
		"pyright":      "  /repo/a.py:1:2 - error: bad \xff name (reportX)\n",
		"hooks":        "hook \xff.......Failed\n",
		"junit":        "<testsuite><testcase name='a'><failure message='bad \xff name'/></testcase></testsuite>",
		"sarif":        `{"runs":[{"results":[{"message":{"text":"bad ` + "\xff" + ` name"}}]}]}`,
		"pytest":       "=== short test summary info ===\nFAILED a.py::t - bad \xff name\n",
		"unittest":     strings.Repeat("=", 70) + "\nFAIL: t (m.C)\n" + strings.Repeat("-", 70) + "\nAssertionError: bad \xff name\n",
		"errorformat":  "a.c:1:2: bad \xff name\n",
		"pytest-junit": "<testsuite><testcase classname='t.a' name='a'><error message='bad \xff name'/></testcase></testsuite>",
	} {
		ds := read(t, format, text, options(format)).Diagnostics
		if len(ds) != 1 || !utf8.ValidString(ds[0].Message+ds[0].Detail+ds[0].Rule+ds[0].Test) || !strings.Contains(ds[0].Message, "\uFFFD") {
			t.Errorf("%s: %+v", format, ds)
		}
	}
}

// endless repeats a piece of text until so many bytes were read.
type endless struct {
	piece string
	left  int
	at    int
}

func (e *endless) Read(b []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	n := copy(b, e.piece[e.at:])
	e.at = (e.at + n) % len(e.piece)
	e.left -= n
	return n, nil
}
