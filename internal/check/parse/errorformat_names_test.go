package parse_test

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fettle/internal/check/parse"
	"fettle/internal/testenv"

	"github.com/reviewdog/errorformat/fmts"
	"gotest.tools/v3/assert"
)

// okPlace is a finding in the library's own samples: "file|line col 3 error| message".
var okPlace = regexp.MustCompile(`(?m)^([^|\n]*)\|(\d*)(?: col (\d+))?[^|\n]*\|`)

// Every ready errorformat reads the sample that its authors keep beside it, and finds in it what they do.
func TestReadyErrorformats(t *testing.T) {
	testenv.NeedTool(t, "go")
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", "github.com/reviewdog/errorformat/fmts").Output()
	assert.NilError(t, err)
	samples := 0
	for name := range fmts.DefinedFmts() {
		assert.NilError(t, parse.CheckPattern([]string{name}))
		sample := filepath.Join(strings.TrimSpace(string(dir)), "testdata", name)
		in, err := os.ReadFile(sample + ".in")
		if err != nil {
			continue
		}
		samples++
		ok, err := os.ReadFile(sample + ".ok")
		assert.NilError(t, err)
		var want, got []string
		for _, m := range okPlace.FindAllStringSubmatch(string(ok), -1) {
			if m[0] == "||" {
				continue // a line that is no finding
			}
			want = append(want, cmp.Or(m[2], "0")+":"+m[3])
		}
		for _, d := range read(t, "errorformat", string(in), parse.Options{Pattern: []string{name}}).Diagnostics {
			column := ""
			if d.Range.Start.Column > 0 {
				column = strconv.Itoa(d.Range.Start.Column)
			}
			got = append(got, fmt.Sprintf("%d:%s", d.Range.Start.Line, column))
			assert.Equal(t, d.Tool, name)
		}
		assert.DeepEqual(t, got, want)
	}
	if samples < 40 {
		t.Errorf("only %d of %d formats have a sample", samples, len(fmts.DefinedFmts()))
	}
}

// The manual lists every name.
func TestReadyErrorformatsAreDocumented(t *testing.T) {
	manual, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "checks.md"))
	assert.NilError(t, err)
	list := "`" + strings.Join(slices.Sorted(maps.Keys(fmts.DefinedFmts())), "`, `") + "`"
	if !strings.Contains(strings.Join(strings.Fields(string(manual)), " "), list) {
		t.Errorf("docs/checks.md should list the ready errorformats: %s", list)
	}
}
