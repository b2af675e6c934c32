package searchgo_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/tools/txtar"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/edit"
	"fettle/internal/fix"
	search "fettle/internal/fix/searchgo"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestHeal mends each module in testdata/heal.txtar: NAME/want holds a line that the first candidate must put into a file,
// and a word of its explanation.
func TestHeal(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/heal.txtar")
	if err != nil {
		t.Fatal(err)
	}
	modules := map[string]map[string]string{}
	var names []string
	for _, f := range archive.Files {
		name, file, _ := strings.Cut(f.Name, "/")
		if modules[name] == nil {
			modules[name] = map[string]string{}
			names = append(names, name)
		}
		modules[name][file] = string(f.Data)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // most of them wait
			files := modules[name]
			want := strings.Split(strings.TrimSpace(files["want"]), "\n")
			delete(files, "want")
			p := lay(t, files)
			patience := ample
			if name == "hang" {
				patience = time.Second // that is what ends its tests
			}
			found := propose(t, taskFor(t, p, 3*patience), patience)
			if len(found) == 0 {
				t.Fatal("nothing was found")
			}
			c := found[0]
			path := c.Patch[0].Path
			if after := patched(t, p, c.Patch, path); !strings.Contains(after, want[0]) {
				t.Errorf("%q is not in %s after the patch: %s\n%s", want[0], path, c.Explanation, difference(t, p, c.Patch))
			}
			if !strings.Contains(c.Explanation, want[1]) || !strings.HasSuffix(c.Explanation, ".") {
				t.Errorf("the explanation is %q", c.Explanation)
			}
			if c.Confidence <= 0 || c.Confidence > 1 || c.Author != "search" {
				t.Errorf("%+v", c)
			}
		})
	}
}

// ample is more time than the slowest machine takes for what is to end by itself.
const ample = 5 * time.Minute

// propose searches for as long as it takes. A test that runs for perTest hangs.
func propose(t *testing.T, k fix.Task, perTest time.Duration) []fix.Candidate {
	t.Helper()
	var out []fix.Candidate
	g := search.NewGo()
	g.Time, g.Gather = ample, ample
	g.Cover.PerTest, g.Cover.Time = perTest, ample
	for c, err := range g.Propose(context.Background(), k) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

var scoped = map[string]string{
	"go.mod":         "module example.com/m\n\ngo 1.22\n",
	"m.go":           "package m\n\n// Less compares.\nfunc Less(a, b int) bool {\n\treturn a > b\n}\n",
	"m_test.go":      "package m\n\nimport \"testing\"\n\nfunc TestLess(t *testing.T) {\n\tif !Less(1, 2) || Less(2, 1) || Less(1, 1) {\n\t\tt.Error()\n\t}\n}\n\nfunc TestOther(t *testing.T) {}\n",
	"deep/d.go":      "package deep\n\nfunc D() int { return 0 }\n",
	"deep/d_test.go": "package deep\n\nimport \"testing\"\n\nfunc TestD(t *testing.T) {\n\tif D() != 7000 {\n\t\tt.Error()\n\t}\n}\n",
}

func TestNothingOutOfScopeIsTouched(t *testing.T) {
	t.Parallel()
	k := task(t, lay(t, scoped))
	k.InScope = func(path string) bool { return path != "m.go" }
	if found := propose(t, k, ample); len(found) != 0 {
		t.Errorf("found %+v", found)
	}
}

func TestNoLiteralComesFromATest(t *testing.T) {
	t.Parallel()
	k := task(t, lay(t, scoped))
	k.Diagnostics = slices.DeleteFunc(k.Diagnostics, func(d diag.Diagnostic) bool { return d.Test != "deep:TestD" })
	if found := propose(t, k, ample); len(found) != 0 {
		t.Errorf("found %+v", found)
	}
}

func TestTheTasksOwnOracleIsUsed(t *testing.T) {
	t.Parallel()
	k := task(t, lay(t, scoped))
	k.Diagnostics = slices.DeleteFunc(k.Diagnostics, func(d diag.Diagnostic) bool { return d.Test != ".:TestLess" })
	o := &oracle{}
	k.TryAll = o.tryAll
	found := propose(t, k, ample)
	if o.tried == 0 || len(found) != 1 || found[0].Alternatives != 0 {
		t.Fatalf("tried %d, found %+v", o.tried, found)
	}
	if got := patched(t, k.Place.(place), found[0].Patch, "m.go"); !strings.Contains(got, "a < b") {
		t.Errorf("got %s", got)
	}
	// One failing test, and no passing one that runs the line: that is weak evidence.
	if c := found[0].Confidence; c >= 0.75 {
		t.Errorf("confidence %v", c)
	}
}

func TestTakes(t *testing.T) {
	g := search.NewGo()
	gotest := check.Check{Name: "test", Parser: "gotest"}
	for _, c := range []struct {
		check check.Check
		d     diag.Diagnostic
		want  bool
	}{
		{gotest, diag.Diagnostic{Test: "a/b:TestX/y"}, true},
		{gotest, diag.Diagnostic{Test: ".:FuzzX"}, true},
		{gotest, diag.Diagnostic{Dir: "a", Masks: diag.MasksDir}, false},
		{gotest, diag.Diagnostic{Test: "tests/x.py::test_y"}, false},
		{check.Check{Name: "lint", Parser: "golangci"}, diag.Diagnostic{Test: "a:TestX"}, false},
	} {
		if got := g.Takes(c.check, c.d); got != c.want {
			t.Errorf("%+v: got %v", c.d, got)
		}
	}
	if g.Name() != "search" || g.Rung() != fix.RungSearch {
		t.Error(g.Name(), g.Rung())
	}
}

func TestPatchesAreFormattedWhereTheFileWas(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"go.mod":    "module example.com/m\n\ngo 1.22\n",
		"m.go":      "package m\n\n// Last is the last one.\nfunc Last(xs []int) int {\n\treturn xs[len(xs)]\n}\n",
		"m_test.go": "package m\n\nimport \"testing\"\n\nfunc TestLast(t *testing.T) {\n\tif Last([]int{1, 2, 3}) != 3 {\n\t\tt.Error()\n\t}\n}\n",
	}
	p := lay(t, files)
	found := propose(t, task(t, p), ample)
	if len(found) == 0 || !strings.Contains(patched(t, p, found[0].Patch, "m.go"), "xs[len(xs)-1]") {
		t.Errorf("found %+v", found)
	}
	for _, c := range found {
		if len(c.Patch) != 1 || c.Patch[0].Op != edit.Modify {
			t.Errorf("%+v", c.Patch)
		}
	}
}
