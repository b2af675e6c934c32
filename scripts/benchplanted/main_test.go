package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"

	"fettle/internal/check"
	"fettle/internal/code"
	"fettle/internal/diag"
	"fettle/internal/fix"
	"fettle/internal/report"
	"fettle/internal/verdict"
	"fettle/scripts/figures"
	"fettle/scripts/release"
)

// What can be known of the projects without a network: that each file is whole, that no two are one, and that none names a registry's address.
func TestProjects(t *testing.T) {
	projects, err := loadProjects(os.DirFS("projects"))
	assert.NilError(t, err)
	per, seen := map[string]int{}, map[string]string{}
	for _, p := range projects {
		per[p.Language]++
		assert.Equal(t, seen[p.SHA256], "", "%s has the archive of another one", p.Name)
		seen[p.SHA256] = p.Name
		b, err := os.ReadFile(filepath.Join("projects", p.Name+".yaml"))
		assert.NilError(t, err)
		assert.Assert(t, !strings.Contains(strings.ReplaceAll(string(b), "http://maven.apache.org/POM/4.0.0", ""), "://"), "%s names an address", p.Name)
		root := t.TempDir()
		assert.NilError(t, os.WriteFile(filepath.Join(root, check.FileName), []byte(p.Config), 0o600))
		if _, err := check.Load(root); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
	for _, l := range languages {
		assert.Equal(t, per[l.name], 10, l.name)
	}
	if _, err := figures.NewReadings(readings); err != nil {
		t.Error(err)
	}
}

func TestLoadProjects(t *testing.T) {
	b, err := os.ReadFile("projects/mux.yaml")
	assert.NilError(t, err)
	for _, c := range []struct{ from, to, want string }{
		{"name: mux", "name: xum", "the file must bear it"},
		{"language: Go", "language: go", `language "go" is unknown`},
		{"registry: go", "registry: far", `registry "far" is unknown`},
		{`sources: ["*.go"]`, "sources: []", "say where faults are put"},
		{`sources: ["*.go"]`, `sources: ["["]`, "syntax error in pattern"},
		{"sources:", "source:", "field source not found"},
	} {
		assert.Assert(t, strings.Contains(string(b), c.from), c.from)
		_, err := loadProjects(fstest.MapFS{"mux.yaml": {Data: []byte(strings.Replace(string(b), c.from, c.to, 1))}})
		assert.ErrorContains(t, err, c.want)
	}
}

// source has a place for every kind of edit, in each language.
var source = map[string]string{
	"a.py":   "def f(items, n, deep=False):\n    \"\"\"What it does.\"\"\"\n    total = 0\n    items.sort()\n    for i in range(len(items)):\n        if not deep and items[i] < n:\n            continue\n        total += g(items[i], n * 2)\n    return total\n",
	"a.go":   "package a\n\nfunc f(items []int, n int, deep bool) int {\n\ttotal := 0\n\tsort(items)\n\tfor i := 0; i < len(items); i++ {\n\t\tif !deep && items[i] < n {\n\t\t\tbreak\n\t\t}\n\t\ttotal += g(items[i], n*2)\n\t}\n\treturn total\n}\n\nfunc deep() bool { return true }\n",
	"a.js":   "function f(items, n, deep = false) {\n  let total = 0;\n  items.sort();\n  for (let i = 0; i < items.length; i++) {\n    if (!deep && items[i] < n) {\n      continue;\n    }\n    total += g(items[i], n * 2);\n  }\n  return total;\n}\n",
	"A.java": "class A {\n    boolean deep = false;\n\n    int f(int[] items, int n) {\n        int total = 0;\n        sort(items);\n        for (int i = 0; i < items.length; i++) {\n            if (!deep && items[i] < n) {\n                break;\n            }\n            total += g(items[i], n * 2);\n        }\n        return total;\n    }\n\n    boolean deep() { return true; }\n}\n",
}

// Every kind of edit is made in every language, one text is put in place of another, and the order is the same each time.
func TestFaults(t *testing.T) {
	for name, text := range source {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			assert.NilError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
			p := Project{Release: release.Release{Name: "p", Version: "1"}}
			got, err := faults(t.Context(), p, dir, []string{name})
			assert.NilError(t, err)
			again, err := faults(t.Context(), p, dir, []string{name})
			assert.NilError(t, err)
			assert.DeepEqual(t, got, again)
			p.Version = "2"
			other, err := faults(t.Context(), p, dir, []string{name})
			assert.NilError(t, err)
			assert.Assert(t, !slices.Equal(got, other))
			var all strings.Builder
			made := map[string]bool{}
			for _, f := range got {
				made[f.Kind] = true
				with, err := f.put([]byte(text))
				assert.NilError(t, err)
				assert.Assert(t, string(with) != text, "%+v", f)
				all.WriteString(strings.ReplaceAll(f.String(), "\n", " ⏎ ") + "\n")
				_, err = f.put([]byte("x" + text))
				assert.ErrorContains(t, err, "is not what it was")
			}
			for _, k := range kinds {
				assert.Assert(t, made[k.name], "nothing is made by %s", k.name)
			}
			golden.Assert(t, all.String(), "faults-"+name+".golden")
		})
	}
}

// Python's own operators, and what looks like a place and is none.
func TestKinds(t *testing.T) {
	src := "def f(a, b=1, *, c):\n    \"\"\"Says a < b.\"\"\"\n    x: int = a // b\n    if a is not b or a in x:\n        return g(a, b=b)\n    with h(a) as y:\n        pass\n    return y[1:a]\n"
	f, err := code.Read(t.Context(), "python", "a.py", []byte(src))
	assert.NilError(t, err)
	var got []string
	for n := range f.Root.Walk() {
		for _, k := range kinds {
			if k.name == "variable" || k.name == "constant" {
				continue
			}
			if x, ok := k.make(n, rand.New(rand.NewPCG(1, 1))); ok {
				got = append(got, k.name+": "+src[x.Start:x.End]+" → "+x.Is)
			}
		}
	}
	golden.Assert(t, strings.Join(got, "\n")+"\n", "kinds.golden")
}

func TestNoticing(t *testing.T) {
	test, build := diag.Diagnostic{Test: "a"}, diag.Diagnostic{Masks: diag.MasksDir}
	for _, c := range []struct {
		of     []diag.Diagnostic
		status check.Status
		want   int
	}{
		{[]diag.Diagnostic{test, test}, check.Failed, 2}, {[]diag.Diagnostic{test, build}, check.Failed, 0}, {[]diag.Diagnostic{{Message: "lint"}}, check.Failed, 0}, {nil, check.Passed, 0},
		{[]diag.Diagnostic{test}, check.Broken, 0},
	} {
		assert.Equal(t, noticing(report.Run{Checks: []report.CheckReport{{Status: c.status, Diagnostics: c.of}}}), c.want, "%+v", c)
	}
}

func TestTable(t *testing.T) {
	at := Fault{Kind: "relation", File: "a.py", Line: 3, Was: "<", Is: "<="}
	one := Result{Project: "one", Release: "1.0", Language: "Python", Build: "b1", Fault: at, Caught: true, End: verdict.Converged, Likeness: same, Confidence: 0.9, Grounds: &fix.Grounds{}, Tried: 9, First: 3, Ready: 1, Until: 1.5, Took: 2, Wall: 4}
	two, three, four := one, one, one
	two.Likeness, two.Confidence, two.Why = wrong, 0.8, "In f, it was\nwrong. It never ends."
	three.Project, three.Language, three.Likeness, three.Fault.Kind, three.Build = "two", "Go", left, "constant", "b2"
	four.Likeness, four.Confidence, four.First, four.Until = equal, 0.5, 0, 0 // in parts
	golden.Assert(t, table([]Result{one, two, three, four}, []Result{one, two, three, three}), "table.golden")
}

func TestRead(t *testing.T) {
	known, err := figures.NewReadings([]byte(`[{"row": "p 3", "digest": "d", "verdict": "wrong", "why": "it never ends"}]`))
	assert.NilError(t, err)
	b := bench{readings: known}
	r := b.read(Result{Project: "p", Number: 3, Digest: "d", Caught: true, Likeness: unread, Why: "Said."})
	assert.Equal(t, r.Likeness, wrong)
	assert.Equal(t, r.Why, "Said. it never ends")
	assert.Equal(t, b.read(Result{Project: "p", Number: 4, Digest: "d", Caught: true, Likeness: unread}).Likeness, unread)
	assert.Equal(t, b.read(Result{Project: "p", Number: 3, Digest: "d", Caught: true, Likeness: left}).Likeness, left)
}
