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
	"fettle/internal/model"
	"fettle/internal/testenv"
	"fettle/internal/testenv/oracle"
	"fettle/internal/verdict"
	"fettle/scripts/benchrepair/rows"
	"fettle/scripts/figures"
	"fettle/scripts/lay"
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
	whole := testenv.CI() && !testenv.Race()
	langs := []struct {
		name string
		ways int // together each of them, most where a session takes least
	}{{"python", 13}, {"javascript", 9}, {"go", 4}, {"java", 2}}
	if testenv.Race() {
		langs = langs[:2] // two at a time is what happens side by side
	}
	var cases []Case
	for _, lang := range langs {
		testenv.NeedTool(t, tools[lang.name])
		n := lang.ways
		if !whole {
			n = 1
		}
		for _, row := range all {
			if row.Language != lang.name || row.Set == rows.StudentAny || n == 0 {
				continue
			}
			if c := makeCase(row, len(cases)); c.wrong == oracle.Wrongs[len(cases)].Name { // not each way can be made of each row
				cases = append(cases, c)
				n--
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
	if whole && len(tried) != len(oracle.Wrongs) {
		t.Errorf("%d of %d wrong ways were tried", len(tried), len(oracle.Wrongs))
	}
}

// What was of no use is paid for once: a second session asks only what is new, and one after fettle stats --reset asks again.
func TestNeverPaidTwice(t *testing.T) {
	if testenv.Race() {
		t.Skip("one session after the other, of the whole program; runs without the race detector")
	}
	testenv.NeedTool(t, "pytest")
	fettle, err := exec.LookPath("fettle")
	assert.NilError(t, err)
	row := rows.Row{ID: "area", Language: "python", Source: "area.py", Files: map[string]string{
		"area.py":      "def area(width, height):\n    return width + height\n",
		"test_area.py": "from area import area\n\n\ndef test_area():\n    assert area(17, 5) == 85\n",
	}, Reference: "def area(width, height):\n    return width * height\n"}
	b := bench{fettle: fettle}
	shut, err := b.open()
	assert.NilError(t, err)
	defer shut()
	b.fixers = "model-fast"
	one := strings.NewReplacer("standard-", "fast-", "deep-", "fast-").Replace(oracle.Config("oracle", "area"))
	for name, c := range map[string]struct {
		answer oracle.Answer
		first  int // questions of the first session
	}{
		"nothing to propose":              {oracle.Says("it is right", []any{}), 1},
		"the same patch, and it is wrong": {oracle.Says("so", []any{map[string]any{"path": "area.py", "old": "    return width + height", "new": "    return width - height"}}), 2},
		"words that are no form":          {oracle.Answer{Line: model.Line{Say: "It should multiply."}}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			o := oracle.New(c.answer)
			b.house.Put("area", o)
			dir := t.TempDir()
			repo := filepath.Join(dir, "repo")
			assert.NilError(t, lay.Repository(t.Context(), repo, row.Repository(one, patience)))
			session := func() (asked int, notes string) {
				before := len(o.Asked())
				doc, err := b.fix(t.Context(), repo, dir, &Result{})
				assert.NilError(t, err)
				assert.Assert(t, doc.End != verdict.Converged)
				return len(o.Asked()) - before, strings.Join(doc.Notes, "\n")
			}
			first, _ := session()
			if first != c.first {
				t.Errorf("the first session has asked %d times", first)
			}
			if again, notes := session(); again != 0 || !strings.Contains(notes, "the very same was asked before") {
				t.Errorf("the second has asked %d times, and notes %s", again, notes)
			}
			reset := exec.Command(fettle, "-C", repo, "stats", "--reset")
			out, err := reset.CombinedOutput()
			assert.NilError(t, err, string(out))
			if again, _ := session(); again != first {
				t.Errorf("after it was forgotten, it has asked %d times", again)
			}
			assert.NilError(t, os.WriteFile(filepath.Join(repo, "area.py"), []byte("def area(width, height):\n    return width + height\n\n\nUNIT = 1\n"), 0o644))
			if again, _ := session(); again == 0 {
				t.Error("about another source it has not asked")
			}
		})
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
