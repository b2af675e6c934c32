package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"gotest.tools/v3/assert"

	"fettle/internal/cli"
	"fettle/internal/testenv"
	"fettle/internal/testenv/oracle"
	"fettle/scripts/benchrepair/rows"
	"fettle/scripts/figures"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"fettle": func() { os.Exit(cli.Main(os.Args[1:], cli.Stdio())) }})
}

// tools are what rows are run with.
var tools = map[string]string{"python": "pytest", "go": "go", "javascript": "node", "java": "javac"}

// TestOracle has fettle ask a model that first answers in each of the wrong ways, about rows in four languages: the right answer gets through, and nothing else does.
func TestOracle(t *testing.T) {
	fettle, err := exec.LookPath("fettle")
	assert.NilError(t, err)
	all, err := rows.All()
	assert.NilError(t, err)
	each := 7 // each of the ways once
	switch {
	case testenv.Race():
		each = 2
	case testenv.CI():
		each = 12
	}
	var cases []Case
	for i, lang := range []string{"python", "go", "javascript", "java"} {
		testenv.NeedTool(t, tools[lang])
		n := 0
		for _, row := range all {
			if row.Language == lang && row.Set != rows.StudentAny && n < each {
				cases = append(cases, makeCase(row, i*len(oracle.Wrongs)/4+n))
				n++
			}
		}
	}
	kept, err := figures.Open(filepath.Join(t.TempDir(), "results"), func(r Result) string { return r.Key() }, func(Result) bool { return true })
	assert.NilError(t, err)
	defer kept.Close()
	b := bench{fettle: fettle, kept: kept}
	tried := map[string]bool{}
	assert.NilError(t, b.all(t.Context(), cases, 2, func(r Result) {
		tried[r.Wrong] = true
		if !r.Good() {
			t.Error(r)
		}
	}))
	if !testenv.Race() && len(tried) != len(oracle.Wrongs) {
		t.Errorf("%d of %d wrong ways were tried", len(tried), len(oracle.Wrongs))
	}
}

// Every row gets as many wrong ways as are asked for, in turn, and each can be made of some row in each language that knows it.
func TestChoice(t *testing.T) {
	all, err := rows.All()
	assert.NilError(t, err)
	cases, err := choice{wrongs: 1}.of(all)
	assert.NilError(t, err)
	seen := map[string]map[string]int{}
	for _, c := range cases {
		if seen[c.wrong] == nil {
			seen[c.wrong] = map[string]int{}
		}
		seen[c.wrong][c.row.Language]++
		assert.Equal(t, c.answers[0].Name, c.wrong)
		assert.Equal(t, len(c.answers), 4)
	}
	for _, w := range oracle.Wrongs {
		if len(seen[w.Name]) < 3 {
			t.Errorf("%s: only %v", w.Name, seen[w.Name])
		}
	}
	two, err := choice{wrongs: 2, ids: cases[3].row.ID}.of(all)
	assert.NilError(t, err)
	assert.Equal(t, len(two), 2)
	for _, c := range []choice{{part: "5/4", wrongs: 1}, {ids: "none such", wrongs: 1}, {}} {
		_, err := c.of(all)
		assert.Assert(t, err != nil, "%+v", c)
	}
}

// What is measured is counted as what it is.
func TestTable(t *testing.T) {
	results := []Result{
		{Row: "a", Language: "go", Wrong: "refused", Form: "diff, prose", Stands: oracle.IsRight, End: "converged", Given: []string{"refused", "diff"}, CPU: 2},
		{Row: "b", Language: "go", Wrong: "refused", Form: "diff", Stands: oracle.IsAsItWas, End: "stuck", Given: []string{"refused"}},
		{Row: "c", Language: "python", Wrong: "hangs", Form: "edits", Stands: "pytest.ini", End: "converged"},
		{Row: "d", Language: "python", Wrong: "hangs", Form: "edits", Error: "no report", Stands: oracle.IsAsItWas},
	}
	got := table(results)
	for _, want := range []string{
		"| refused | 2 | 1 (50.0 %) | 0 | 1.5 |\n", "| hangs | 2 | 0 (0.0 %) | 1 | 0.0 |\n", "| diff | 2 | 1 (50.0 %) | 0 | 1.5 |\n",
		"| python | 2 | 0 (0.0 %) | 1 | 0.0 |\n", "| **all** | 4 | 1 (25.0 %) | 1 | 0.8 |\n", "1 sessions could not be measured",
	} {
		assert.Assert(t, strings.Contains(got, want), "%s is not in\n%s", want, got)
	}
	assert.Assert(t, results[0].Good() && !slices.ContainsFunc(results[1:], Result.Good))
}
