package golang_test

import (
	"context"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fettle/internal/runner"
	"fettle/internal/runner/golang"
)

func TestSplitID(t *testing.T) {
	for _, c := range []struct {
		id, dir, test string
		ok            bool
	}{
		{".:TestX", ".", "TestX", true},
		{"a/b:TestX/sub: case", "a/b", "TestX/sub: case", true},
		{"a:FuzzX/seed#0", "a", "FuzzX/seed#0", true},
		{"a:TestX/:TestY", "a", "TestX/:TestY", true},
		{"a:ExampleX", "a", "ExampleX", true},
		{"tests/x.py::test_y", "", "", false},
		{"", "", "", false},
	} {
		dir, test, ok := golang.SplitID(c.id)
		if dir != c.dir || test != c.test || ok != c.ok {
			t.Errorf("%q: got %q, %q, %v", c.id, dir, test, ok)
		}
	}
}

func TestFlags(t *testing.T) {
	for _, c := range []struct{ argv, build, test string }{
		{"go test ./...", "", ""},
		{"go test -race -tags=a,b -run X -v ./...", "-race -tags=a,b", ""},
		{"go test -tags a --mod vendor -short -count=1 .", "-tags=a -mod=vendor", "-test.short"},
		{"go test -race=true -coverprofile=x -cpu=1,2 ./... -args -tags q", "-race=true", "-test.cpu=1,2 -tags q"},
	} {
		argv := strings.Fields(c.argv)
		if got := strings.Join(golang.BuildFlags(argv), " "); got != c.build {
			t.Errorf("%s: build flags %q", c.argv, got)
		}
		if got := strings.Join(golang.TestArgs(argv), " "); got != c.test {
			t.Errorf("%s: test arguments %q", c.argv, got)
		}
	}
}

// layers is a module with packages that are under test and one that is not, and a test for each way to fail.
const layers = `
-- go.mod --
module example.com/layers

go 1.22
-- low/low.go --
package low

func Pick(n int) string {
	if n > 1 {
		return "many"
	}
	return "one"
}

func Crash(xs []int) int {
	n := len(xs)
	return xs[n]
}
-- help/help.go --
package help

import "testing"

func Equal(t *testing.T, a, b string) {
	if a != b {
		t.Errorf("%q, want %q", a, b)
	}
}
-- top/top.go --
package top

import "example.com/layers/low"

func Name(n int) string { return low.Pick(n) }
-- top/tagged.go --
//go:build special

package top

const special = true
-- top/top_test.go --
package top_test

import (
	"os"
	"testing"

	"example.com/layers/help"
	"example.com/layers/low"
	"example.com/layers/top"
)

func TestOne(t *testing.T)  { help.Equal(t, top.Name(1), "one") }
func TestFew(t *testing.T)  { help.Equal(t, top.Name(2), "few") }
func TestDie(t *testing.T)  { low.Crash([]int{1}) }
func TestExit(t *testing.T) { os.Exit(len(top.Name(1))) }
func TestHang(t *testing.T) {
	for top.Name(1) == "one" {
	}
}
`

func TestList(t *testing.T) {
	p := lay(t, layers)
	s := suite(p, "top", "-tags=special")
	l, err := s.List(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var own []string
	for _, q := range l.Own {
		name := q.ImportPath
		if !l.UnderTest(q) {
			name += " (tests only)"
		}
		own = append(own, name)
	}
	want := []string{"example.com/layers/help (tests only)", "example.com/layers/low", "example.com/layers/top"}
	if d := cmp.Diff(want, own); d != "" {
		t.Error(d)
	}
	if q := l.Holding("low/low.go"); q == nil || q.Name != "low" {
		t.Errorf("low/low.go is held by %+v", q)
	}
	if q := l.Holding("top/top_test.go"); q != nil {
		t.Errorf("a test is held by %+v", q)
	}
	if got := l.Files(l.Target); !slices.Contains(got, "top/tagged.go") || !slices.Contains(got, "top/top.go") || len(got) != 2 {
		t.Errorf("files %v", got)
	}
	r, err := l.OpenExport(context.Background(), l.Target, "example.com/layers/low")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if b, err := io.ReadAll(r); err != nil || len(b) == 0 {
		t.Errorf("%d bytes of export data, %v", len(b), err)
	}
	if _, err := l.OpenExport(context.Background(), l.Target, "no/such"); err == nil {
		t.Error("export data of a package that does not exist")
	}
}

func TestCoverage(t *testing.T) {
	p := lay(t, layers)
	s := suite(p, "top")
	l, err := s.List(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	failing := []string{"top:TestFew", "top:TestDie", "top:TestHang", "top:TestExit"}
	runs, err := s.Coverage(context.Background(), l, failing, []string{"top:TestOne", "low:TestX"}, golang.CoverOptions{TraceOptions: runner.TraceOptions{PerTest: 1e9}})
	if err != nil {
		t.Fatal(err)
	}
	by := map[string]golang.Run{}
	for _, r := range runs {
		by[r.ID] = r
	}
	covers := func(id string, line int) bool {
		return slices.ContainsFunc(by[id].Lines, func(b runner.Lines) bool {
			return b.File == "low/low.go" && b.Line <= line && line <= b.EndLine
		})
	}
	if r := by["top:TestFew"]; !r.Failed || !r.Exact || !covers(r.ID, 5) || covers(r.ID, 7) {
		t.Errorf("%+v", r)
	}
	if r := by["top:TestOne"]; r.Failed || !r.Exact || covers(r.ID, 5) || !covers(r.ID, 7) {
		t.Errorf("%+v", r)
	}
	r := by["top:TestDie"]
	if !r.Failed || r.Exact || len(r.Frames) == 0 || r.Frames[0].File != "low/low.go" || r.Frames[0].Line != 12 || r.Frames[0].Func != "Crash" {
		t.Errorf("%+v", r)
	}
	if !covers(r.ID, 11) || covers(r.ID, 5) {
		t.Errorf("a crash covers the function it was in, and no other: %+v", r.Lines)
	}
	if r := by["top:TestHang"]; !r.Failed || len(r.Frames) == 0 {
		t.Errorf("%+v", r)
	}
	if r := by["top:TestExit"]; !r.Failed || r.Exact || !slices.Contains(r.Lines, runner.Lines{File: "top/top.go", Line: 5, EndLine: 5}) || covers(r.ID, 5) {
		t.Errorf("what ends the process may have run all of its package: %+v", r)
	}
	if len(runs) != 5 {
		t.Errorf("%d runs", len(runs))
	}
}

func TestCandidatesInAPackageBelow(t *testing.T) {
	p := lay(t, layers)
	o := &golang.Oracle{Suite: suite(p, "top", "-tags=special"), Targets: []string{"top:TestFew"}, Passing: []string{"top:TestOne"}}
	trials := try(t, o,
		replace(t, p, "low/low.go", `"many"`, `"few"`, 0),
		replace(t, p, "low/low.go", `"one"`, `"few"`, 0),
		replace(t, p, "top/top.go", `low.Pick(n)`, `"few"`, 0),
		replace(t, p, "top/top.go", `low.Pick(n)`, `low.Pick(n+1)[:3]`, 0),
	)
	for i, want := range []string{"", "TestFew still fails", "top:TestOne passed before and fails with it", "TestFew still fails"} {
		if trials[i].Plausible != (want == "") || trials[i].Note != want {
			t.Errorf("%d: %+v", i, trials[i])
		}
	}
}
