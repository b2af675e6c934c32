package verify_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/edit"
	"fettle/internal/store"
	"fettle/internal/testenv"
	"fettle/internal/verdict"
	"fettle/internal/verify"
	"fettle/internal/workspace"

	"github.com/rogpeppe/go-internal/txtar"
)

// shop is a Go module with one failing test, one passing test and one file that is not formatted.
const shop = `
-- go.mod --
module example.com/shop

go 1.22
-- price/price.go --
package price

// Off is five per cent from 100 on.
func Off(sum int) int {
	if sum > 100 {
		return sum / 20
	}
	return 0
}

// Half is half.
func Half(sum int) int { return sum / 2 }
-- price/price_test.go --
package price

import "testing"

func TestOff(t *testing.T) {
	if got := Off(100); got != 5 {
		t.Errorf("Off(100) = %d, want 5", got)
	}
}

func TestHalf(t *testing.T) {
	if got := Half(10); got != 5 {
		t.Errorf("Half(10) = %d, want 5", got)
	}
}
-- ugly.go --
package shop

var  ugly = 1
-- notes.txt --
nothing looks at this file
`

var (
	test   = check.Check{Name: "test", Lang: "go", Run: []string{"go", "test", "-json", "./..."}, Parser: "gotest", Files: []string{"**/*.go", "go.mod"}}
	format = check.Check{Name: "format.gofmt", Lang: "go", Run: []string{"gofmt", "-l", "."}, Parser: "gofmt", Files: []string{"**/*.go"}}
)

// lab lays out a repository and opens a laboratory over it.
func lab(t *testing.T, archive string, checks ...check.Check) (*verify.Lab, edit.Source) {
	t.Helper()
	testenv.NeedTool(t, "go")
	root := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		to := filepath.Join(root, f.Name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	state := t.TempDir()
	db, err := store.Open(t.Context(), filepath.Join(state, "db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	var copies atomic.Int64
	stock := workspace.OpenStock(root, filepath.Join(state, "stock"))
	l := &verify.Lab{
		Open: func(ctx context.Context, online bool) (verify.Copy, error) {
			o := workspace.CopyOptions{Root: root, State: filepath.Join(state, "copies", strconv.FormatInt(copies.Add(1), 10)), Network: workspace.NetworkLoopback}
			if online {
				o.Network = workspace.NetworkHost
			}
			return workspace.OpenCopy(ctx, o)
		},
		Digest: func(ctx context.Context) (edit.Hash, error) {
			m, err := stock.Take(ctx)
			if err != nil {
				return "", err
			}
			return m.Digest(), nil
		},
		Part:    func(digest edit.Hash, c check.Check) (edit.Hash, bool) { return stock.Part(digest, c) },
		Changed: stock.Changed,
		Checks:  checks,
		Memory:  &verify.Memory{DB: db},
	}
	t.Cleanup(l.Close)
	return l, func(path string) (edit.File, error) {
		data, err := os.ReadFile(filepath.Join(root, path))
		if os.IsNotExist(err) {
			return edit.File{}, nil
		}
		return edit.File{Data: data, Mode: 0o644, Exists: err == nil}, err
	}
}

// replace is the patch that replaces text in a file.
func replace(t *testing.T, src edit.Source, path, old, with string) edit.Patch {
	t.Helper()
	f, err := src(path)
	if err != nil || !strings.Contains(string(f.Data), old) {
		t.Fatalf("%s does not hold %q (%v)", path, old, err)
	}
	after := f
	after.Data = []byte(strings.Replace(string(f.Data), old, with, 1))
	c, _ := edit.Compare(path, f, after)
	return edit.Patch{c}
}

func baseline(t *testing.T, l *verify.Lab) (*verify.Known, []diag.Diagnostic) {
	t.Helper()
	k, err := l.Look(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Baseline(t.Context(), k, l.Checks); err != nil {
		t.Fatal(err)
	}
	var all []diag.Diagnostic
	for _, c := range l.Checks {
		all = append(all, k.Online[c.Name].Diagnostics...)
	}
	return k, all
}

func TestVerify(t *testing.T) {
	l, src := lab(t, shop, test, format)
	known, findings := baseline(t, l)
	failing := slices.DeleteFunc(slices.Clone(findings), func(d diag.Diagnostic) bool { return d.Check != "test" })
	unformatted := slices.DeleteFunc(slices.Clone(findings), func(d diag.Diagnostic) bool { return d.Check != "format.gofmt" })
	if len(failing) != 1 || failing[0].Test != "price:TestOff" || len(unformatted) != 1 {
		t.Fatalf("the baseline says %+v", findings)
	}
	join := func(ps ...edit.Patch) edit.Patch {
		m, _, err := edit.Merge(src, ps...)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	right := replace(t, src, "price/price.go", "sum > 100", "sum >= 100")
	for _, tc := range []struct {
		name    string
		patch   edit.Patch
		targets []diag.Diagnostic
		green   bool
		reason  string // a part of it
		target  string // a part of what the first stage said
	}{
		{"the right edit", right, failing, true, "", "test: the failing test passes alone"},
		{"a formatted file", replace(t, src, "ugly.go", "var  ugly", "var ugly"), unformatted, true, "", "format.gofmt: 1 finding gone"},
		{"an edit that heals nothing", replace(t, src, "price/price.go", "sum > 100", "sum > 101"), failing, false, "nothing of what was to be healed is gone", "test: the failing test does not pass alone"},
		{"an edit that breaks another test", join(right, replace(t, src, "price/price.go", "sum / 2 ", "sum / 3 ")), failing, false, "price:TestHalf", ""},
		{"an edit that does not build", replace(t, src, "price/price.go", "sum > 100", "sum >"), failing, false, "nothing of what was to be healed is gone", ""},
		{"an edit elsewhere that heals nothing", join(right, replace(t, src, "ugly.go", "ugly = 1\n", "ugly = 1\n\nvar  uglier = 2\n")), failing, false, "looks at ugly.go", ""},
		{"a file that no check looks at", join(right, replace(t, src, "notes.txt", "nothing", "something")), failing, false, "looks at notes.txt", ""},
		{"a test taken away", join(right, replace(t, src, "price/price_test.go", "func TestHalf", "func testHalf")), failing, false, "price:TestHalf", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			ev, err := l.Verify(t.Context(), verify.Request{Patch: tc.patch, Targets: tc.targets, Known: known})
			if err != nil {
				t.Fatal(err)
			}
			if ev.Green != tc.green || !strings.Contains(ev.Reason, tc.reason) {
				t.Errorf("green = %v, reason = %q; want %v, %q\nsteps: %+v", ev.Green, ev.Reason, tc.green, tc.reason, ev.Steps)
			}
			if said := ev.Steps[0].Detail; !strings.Contains(said, tc.target) {
				t.Errorf("the first stage said %q; want %q", said, tc.target)
			}
			if ev.Green && !ev.Seen {
				t.Error("green without a planted fault that was seen")
			}
		})
	}
}

// A check that takes long is asked last: the failing tests are run once more before it, and the tests around them, unless those are all that there are. One that is
// over soon is asked at once.
func TestLongChecksAreAskedLast(t *testing.T) {
	elsewhere := shop + "-- stock/stock_test.go --\npackage stock\n\nimport \"testing\"\n\nfunc TestStock(*testing.T) {}\n"
	for _, tc := range []struct {
		source string
		took   time.Duration
		want   string
	}{
		{elsewhere, time.Second, "affected"},
		{elsewhere, time.Minute, "package"},
		{shop, time.Minute, "affected"},
	} {
		l, src := lab(t, tc.source, test)
		known, findings := baseline(t, l)
		breaks, _, err := edit.Merge(src, replace(t, src, "price/price.go", "sum > 100", "sum >= 100"), replace(t, src, "price/price.go", "sum / 2 ", "sum / 3 "))
		if err != nil {
			t.Fatal(err)
		}
		was := known.Online["test"]
		was.Wall = tc.took
		known.Online["test"] = was
		ev, err := l.Verify(t.Context(), verify.Request{Patch: breaks, Targets: findings, Known: known})
		if err != nil {
			t.Fatal(err)
		}
		if last := ev.Steps[len(ev.Steps)-1]; ev.Green || last.Name != tc.want || !strings.Contains(ev.Reason, "price:TestHalf") {
			t.Errorf("a check of %d tests that took %s: it ended with %+v: %s", len(was.Tests), tc.took, last, ev.Reason)
		}
	}
}

// A test that passes only where nothing has run before stumbles over what an earlier stage has left, and not over the patch.
func TestStagesLeaveThingsBehind(t *testing.T) {
	once := strings.Replace(shop, "import \"testing\"\n", `import (
	"os"
	"testing"
)

func TestOnce(t *testing.T) {
	if err := os.Mkdir("made", 0o755); err != nil {
		t.Error(err)
	}
	if Half(6) != 3 {
		t.Error("no half")
	}
}
`, 1)
	l, src := lab(t, once, test)
	known, findings := baseline(t, l)
	was := known.Online["test"]
	was.Wall = time.Minute
	known.Online["test"] = was
	for half, green := range map[string]bool{"sum / (1 + 1) ": true, "sum / 4 ": false} {
		patch, _, err := edit.Merge(src, replace(t, src, "price/price.go", "sum > 100", "sum >= 100"), replace(t, src, "price/price.go", "sum / 2 ", half))
		if err != nil {
			t.Fatal(err)
		}
		ev, err := l.Verify(t.Context(), verify.Request{Patch: patch, Targets: findings, Known: known})
		if err != nil {
			t.Fatal(err)
		}
		if ev.Green != green || green == (ev.Reason != "") {
			t.Errorf("half is %s: green %v: %s", half, ev.Green, ev.Reason)
		}
	}
}

// A patch made for other content is refused, whatever it would do.
func TestVerifyRefusesAPatchForOtherContent(t *testing.T) {
	l, src := lab(t, shop, test)
	known, findings := baseline(t, l)
	p := replace(t, src, "price/price.go", "sum > 100", "sum >= 100")
	p[0].Base = edit.Sum([]byte("something else"))
	ev, err := l.Verify(t.Context(), verify.Request{Patch: p, Targets: findings, Known: known})
	if err != nil || ev.Green || !strings.Contains(ev.Reason, "does not apply") {
		t.Errorf("evidence %+v, %v", ev, err)
	}
}

// A finding that a healed build makes visible is progress, not a new fault.
func TestUnmaskedFindingsAreProgress(t *testing.T) {
	l, src := lab(t, strings.Replace(shop, "package price\n\n// Off", "package price\n\nimport \"os\"\n\n// Off", 1), test)
	known, findings := baseline(t, l)
	ev, err := l.Verify(t.Context(), verify.Request{Patch: replace(t, src, "price/price.go", "import \"os\"\n\n", ""), Targets: findings, Known: known})
	if err != nil {
		t.Fatal(err)
	}
	if !ev.Green || len(ev.Delta.Unmasked) != 1 || ev.Delta.Unmasked[0].Test != "price:TestOff" {
		t.Errorf("green = %v (%s), unmasked = %+v", ev.Green, ev.Reason, ev.Delta.Unmasked)
	}
}

func TestReproduceNamesFlakyTests(t *testing.T) {
	// The test fails unless it runs alone, as one does that depends on the others.
	const moody = `
-- go.mod --
module example.com/moody

go 1.22
-- moody_test.go --
package moody

import "testing"

var ran int

func TestFirst(t *testing.T) { ran++ }

func TestMoody(t *testing.T) {
	if ran > 0 {
		t.Error("another test ran before")
	}
}

func TestSteady(t *testing.T) { t.Error("always") }
`
	l, _ := lab(t, moody, test)
	known, findings := baseline(t, l)
	if len(findings) != 2 {
		t.Fatalf("the baseline says %+v", findings)
	}
	stable, unstable, err := l.Reproduce(t.Context(), known, findings)
	if err != nil || len(stable) != 2 || len(unstable) != 0 {
		t.Errorf("it fails behind the others each time: stable %+v, unstable %+v, %v", stable, unstable, err)
	}
	long := known.Online[test.Name]
	long.Wall = time.Hour // nobody runs that once more to see
	known.Online[test.Name] = long
	stable, unstable, err = l.Reproduce(t.Context(), known, findings)
	if err != nil {
		t.Fatal(err)
	}
	if len(stable) != 1 || stable[0].Test != ".:TestSteady" || len(unstable) != 1 || unstable[0].Test != ".:TestMoody" {
		t.Errorf("stable %+v, unstable %+v", stable, unstable)
	}
}

// A result is remembered for the same content only.
func TestMemory(t *testing.T) {
	runs := 0
	l, _ := lab(t, shop, format)
	l.Run.Events = func(e check.Event) {
		if e.Result == nil {
			runs++
		}
	}
	baseline(t, l)
	baseline(t, l)
	if runs != 1 {
		t.Errorf("the check ran %d times on the same content, want once", runs)
	}
	l.Checks = []check.Check{format}
	l.Checks[0].Run = []string{"gofmt", "-l", "price"}
	baseline(t, l)
	if runs != 2 {
		t.Errorf("another command was answered from memory")
	}
	k, _ := baseline(t, l)
	if !k.Recalled["format.gofmt"] || k.Firsthand("format.gofmt") {
		t.Errorf("what was recalled passes for measured: %+v", k)
	}
	if err := l.Measured(t.Context(), k, l.Checks); err != nil || runs != 3 || !k.Firsthand("format.gofmt") {
		t.Errorf("Measured was answered from memory (%d runs, %v)", runs, err)
	}
	if _, err := l.Again(t.Context(), k, func(check.Check) bool { return true }); err != nil || runs != 4 {
		t.Errorf("Again was answered from memory (%d runs, %v)", runs, err)
	}
	for i, reader := range []check.Reader{{Run: []string{"true"}, Format: "gcc"}, {Run: []string{"true"}, Format: "tap"}, {Run: []string{"true", "--"}, Format: "tap"}} {
		l.Checks[0].Reader, l.Checks[0].Parser = &reader, ""
		baseline(t, l)
		if baseline(t, l); runs != 5+i {
			t.Errorf("with the reader %v the check had run %d times, want %d", reader, runs, 5+i)
		}
	}
}

// What is remembered of a check outlives a change to a file that does not concern it, and no other change.
func TestMemoryOfParts(t *testing.T) {
	runs := 0
	read := format
	read.Parser, read.Reader = "", &check.Reader{Run: []string{"sh", "tools/read.sh"}, Format: "gofmt"}
	l, _ := lab(t, shop, read)
	l.Run.Events = func(e check.Event) {
		if e.Result == nil {
			runs++
		}
	}
	c, release, err := l.Borrow(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	root := c.Root()
	release()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	write("tools/read.sh", "true")
	for _, step := range []struct {
		what, name, text string
		want             int
	}{
		{"at first", "other.txt", "one", 1},
		{"after a change to a file that does not concern it", "other.txt", "two", 1},
		{"after a change to a file that does", "price/price.go", "package price\n", 2},
		{"after something was installed", "node_modules/x/index.js", "x", 3},
		{"after a new file that concerns it", "new.go", "package shop\n", 4},
		{"after a change to what reads it", "tools/read.sh", "cat", 5},
	} {
		write(step.name, step.text)
		if baseline(t, l); runs != step.want {
			t.Errorf("%s the check had run %d times, want %d", step.what, runs, step.want)
		}
	}
}

// A result that is too old is not believed, nor is one that says that it comes from the future, which is gone with the next.
func TestMemoryOfAnotherTime(t *testing.T) {
	runs := 0
	l, _ := lab(t, shop, format)
	l.Run.Events = func(e check.Event) {
		if e.Result == nil {
			runs++
		}
	}
	shift := func(d time.Duration) {
		t.Helper()
		if _, err := l.Memory.DB.ExecContext(t.Context(), `UPDATE results SET at = at + ?`, d.Milliseconds()); err != nil {
			t.Fatal(err)
		}
	}
	baseline(t, l)
	for i, d := range []time.Duration{time.Hour, -25 * time.Hour, 24 * 365 * time.Hour} {
		shift(d)
		baseline(t, l)
		if runs != i+2 {
			t.Errorf("shifted by %v, the check ran %d times, want %d", d, runs, i+2)
		}
	}
	shift(24 * 365 * time.Hour)
	l.Checks = []check.Check{format}
	l.Checks[0].Run = []string{"gofmt", "-l", "price"}
	baseline(t, l)
	var left int
	if err := l.Memory.DB.QueryRowContext(t.Context(), `SELECT count(*) FROM results`).Scan(&left); err != nil || left != 1 {
		t.Errorf("%d results are left, %v; want the new one alone", left, err)
	}
}

// The oracle that every language can use tries candidates one by one and leaves the copy as it found it.
func TestSlowOracle(t *testing.T) {
	testenv.NeedTool(t, "pytest")
	const py = `
-- pyproject.toml --
[tool.pytest.ini_options]
pythonpath = ["."]
-- m.py --
def double(x):
    return x * 3
-- tests/test_m.py --
from m import double


def test_double():
    assert double(2) == 4


def test_zero():
    assert double(0) == 0
`
	pytest := check.Check{Name: "test", Lang: "python", Parser: "pytest-junit",
		Run: []string{"pytest", "-q", "--tb=short", "-o", "junit_family=xunit1", "--junit-xml={report}"}}
	l, src := lab(t, py, pytest)
	known, findings := baseline(t, l)
	place, err := l.Open(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer place.Close()
	try := l.Oracle(place, pytest, findings, known.Online["test"])
	if try == nil {
		t.Fatal("there is no oracle")
	}
	candidates := []edit.Patch{
		replace(t, src, "m.py", "x * 3", "x + 3"),
		replace(t, src, "m.py", "x * 3", "x * 2"),
		replace(t, src, "m.py", "x * 3", "4"),
		replace(t, src, "m.py", "return", "retrun"),
	}
	var got []verdict.Trial
	for trial, err := range try(t.Context(), slices.Values(candidates)) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, trial)
	}
	want := []bool{false, true, false, false}
	for i, w := range want {
		if got[i].Index != i || got[i].Plausible != w {
			t.Errorf("trial %d: plausible = %v (%s), want %v", i, got[i].Plausible, got[i].Note, w)
		}
	}
	if !slices.Equal(got[2].Broken, []string{"tests/test_m.py::test_zero"}) {
		t.Errorf("broken = %v", got[2].Broken)
	}
	if p, err := place.Changes(t.Context()); err != nil || len(p) != 0 {
		t.Errorf("the copy was left changed: %v, %v", p.Paths(), err)
	}
}

// Findings that are no tests are tried by the check itself: what is gone, what is new, and what could not be seen before.
func TestReadingOracle(t *testing.T) {
	const tree = `
-- a.txt --
fine
BAD one
BAD two
`
	lint := check.Check{Name: "lint", Parser: "errorformat", Pattern: []string{"%f:%l:%m"}, Run: []string{"sh", "-c", "! grep -Hn 'BAD\\|WORSE' a.txt"}}
	l, src := lab(t, tree, lint)
	known, findings := baseline(t, l)
	if len(findings) != 2 {
		t.Fatalf("findings: %+v", findings)
	}
	place, err := l.Open(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer place.Close()
	var got []verdict.Trial
	for trial, err := range l.Oracle(place, lint, findings, known.Online["lint"])(t.Context(), slices.Values([]edit.Patch{
		replace(t, src, "a.txt", "BAD one\n", "good\n"),
		replace(t, src, "a.txt", "BAD one\nBAD two\n", "good\n"),
		replace(t, src, "a.txt", "BAD one\nBAD two\n", "WORSE\n"),
		replace(t, src, "a.txt", "fine\n", "good\n"),
	})) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, trial)
	}
	for i, want := range []struct {
		plausible      bool
		healed, broken int
	}{{false, 1, 0}, {true, 2, 0}, {false, 2, 1}, {false, 0, 0}} {
		if g := got[i]; g.Plausible != want.plausible || len(g.Healed) != want.healed || len(g.Broken) != want.broken {
			t.Errorf("trial %d: %+v, want %+v", i, g, want)
		}
	}
}
