package golang_test

import (
	"slices"
	"strings"
	"testing"

	checks "fettle/internal/check"
	"fettle/internal/check/parse"
	"fettle/internal/edit"
	"fettle/internal/runner"
	"fettle/internal/runner/golang"
)

const ranges = `
-- go.mod --
module example.com/ranges

go 1.22
-- lib/lib.go --
package lib

import "errors"

var calls int

// Position is where x belongs in what is in order.
func Position(x int, in []int) int {
	for i := 0; i < len(in); i++ {
		if in[i] > x {
			return i
		}
	}
	return len(in)
}

// Span is from one number to another.
type Span struct{ From, To int }

// Has reports whether a number lies in it.
func (s *Span) Has(n int) (bool, error) {
	if s.From > s.To {
		return false, errors.New("upside down")
	}
	return n >= s.From && n < s.To, nil
}

// Sort puts numbers in order, in place.
func Sort(in ...int) {
	for i := range in {
		for j := i; j > 0 && in[j] > in[j-1]; j-- {
			in[j], in[j-1] = in[j-1], in[j]
		}
	}
}

// Halve is how often a number can be halved.
func Halve(n int) int {
	k := 0
	for n > 0 {
		n /= 3
		k++
	}
	return k
}

// Count is how often it was called.
func Count(by int) int {
	calls++
	return calls + by - 1
}

type box struct{ hidden int }

func (b box) get(n int) int { return b.hidden - n }

// Get asks a box.
func Get(n int) int { return box{n}.get(1) }
-- ranges.go --
package ranges

import "example.com/ranges/lib"

// Position asks the library.
func Position(x int, in []int) int { return lib.Position(x, in) }
-- ranges_test.go --
package ranges

import (
	"testing"

	"example.com/ranges/lib"
)

func TestPosition(t *testing.T) {
	for _, c := range []struct{ x, want int; in []int }{{5, 1, []int{1, 5, 9}}, {2, 1, []int{1, 5, 9}}, {0, 0, []int{1, 5}}, {7, 4, []int{1, 2, 3, 4}}, {3, 0, nil}} {
		if got := Position(c.x, c.in); got != c.want {
			t.Errorf("Position(%d, %v) = %d", c.x, c.in, got)
		}
	}
}

func TestSpan(t *testing.T) {
	for n, want := range []bool{false, true, true, false} {
		if got, err := (&lib.Span{1, 3}).Has(n); got != want || err != nil {
			t.Error(n, got, err)
		}
	}
	if _, err := (&lib.Span{3, 1}).Has(2); err == nil {
		t.Error("no error")
	}
}

func TestSort(t *testing.T) {
	in := []int{3, 1, 2}
	lib.Sort(in...)
	if in[0] != 1 || in[2] != 3 {
		t.Error(in)
	}
	lib.Sort(5, 4, 4)
}

func TestHalve(t *testing.T) {
	for n, want := range map[int]int{0: 0, 1: 1, 5: 3, 9: 4, 12: 4} {
		if got := lib.Halve(n); got != want {
			t.Error(n, got)
		}
	}
}

func TestCount(t *testing.T) {
	if lib.Count(1) != 1 || lib.Count(1) != 2 || lib.Get(3) != 2 {
		t.Error("not counted")
	}
}
`

// comparing is a suite of the archive's tests.
func comparing(t *testing.T, p place, failing ...string) runner.Comparer {
	t.Helper()
	job := runner.Job{Place: p, Check: checks.Check{Name: "test", Run: []string{"go", "test", "./..."}, Parser: "gotest", Env: map[string]string{"GOFLAGS": "", "GOWORK": "off"}}, Failing: failing,
		Baseline: checks.Result{Tests: map[string]parse.Outcome{".:TestCount": parse.Pass}}}
	suites, err := golang.New().Suites(t.Context(), job)
	if err != nil || len(suites) != 1 {
		t.Fatal(suites, err)
	}
	return suites[0].(runner.Comparer)
}

func same(c runner.Comparison, i, j int) bool {
	return slices.EqualFunc(c.Answers[i], c.Answers[j], func(a, b runner.Answer) bool { return a.Digest == b.Digest })
}

// Patches that do the same are told from those that part ways on inputs that no test has, but only on such as the tests' own are like. What panics
// or never ends is an answer.
func TestCompare(t *testing.T) {
	p := lay(t, ranges)
	patch := func(old, now string) edit.Patch { return replace(t, p, "lib/lib.go", old, now, 0) }
	for _, c := range []struct {
		name    string
		patches []edit.Patch
		same    [][2]int
		apart   [][2]int
		never   string   // no input holds it
		said    []string // some answer begins so
	}{
		{"a function of a package below", []edit.Patch{
			patch("in[i] > x", "in[i] >= x"), patch("in[i] > x", "!(in[i] < x)"), patch("in[i] > x", "in[i] >= x && x < 9"), patch("in[i] > x", "in[i] >= x || x > 9 && in[99] > 0"),
		}, [][2]int{{0, 1}}, [][2]int{{0, 2}, {0, 3}}, "-", []string{"0", "panics: runtime error: index out of range"}},
		{"what never ends", []edit.Patch{
			patch("n /= 3", "n /= 2"), patch("n /= 3", "n >>= 1"), patch("n /= 3", "n = n/2 + n/16*8"),
		}, [][2]int{{0, 1}}, [][2]int{{0, 2}}, "-", []string{"never ends"}},
		{"a method, and an error", []edit.Patch{
			patch("n >= s.From", "n > s.From-1"), patch("n >= s.From", "s.From <= n"), patch("n >= s.From", "n != s.From-1"), patch("upside down", "no span"),
		}, [][2]int{{0, 1}}, [][2]int{{0, 2}, {0, 3}}, "-", []string{"true, nil", `false, error "no span"`}},
		{"what is changed in place", []edit.Patch{
			patch("in[j] > in[j-1]", "in[j] < in[j-1]"), patch("in[j] > in[j-1]", "in[j] <= in[j-1]"), patch("in[j] > in[j-1]", "in[j] < in[j-1] && j < 4"),
		}, [][2]int{{0, 1}}, [][2]int{{0, 2}}, "", []string{"leaves (["}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := comparing(t, p, ".:TestPosition", ".:TestSpan", ".:TestSort", ".:TestHalve").Compare(t.Context(), c.patches, nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Inputs) < 12 || len(got.Answers) != len(c.patches) {
				t.Fatalf("%d inputs: %q", len(got.Inputs), got.Inputs)
			}
			for _, s := range c.same {
				if !same(got, s[0], s[1]) {
					t.Errorf("%v part ways", s)
				}
			}
			for _, s := range c.apart {
				if same(got, s[0], s[1]) {
					t.Errorf("%v are the same", s)
				}
			}
			for _, said := range c.said {
				if !slices.ContainsFunc(slices.Concat(got.Answers...), func(a runner.Answer) bool { return strings.HasPrefix(a.Text, said) }) {
					t.Errorf("no answer begins with %q", said)
				}
			}
			for _, in := range got.Inputs {
				if c.never != "" && strings.Contains(in, c.never) {
					t.Errorf("%s: no test gives such", in)
				}
			}
		})
	}
}

// What is told of a function whose answers depend on more than its arguments, or that cannot be called from outside, would be wrong.
func TestNotCompared(t *testing.T) {
	p := lay(t, ranges)
	patch := func(old, now string) edit.Patch { return replace(t, p, "lib/lib.go", old, now, 0) }
	for name, patches := range map[string][]edit.Patch{
		"counts its calls":          {patch("by - 1", "by - 1 + 0"), patch("by - 1", "-1 + by")},
		"of what nobody sees":       {patch("b.hidden - n", "b.hidden - n - 0"), patch("b.hidden - n", "-n + b.hidden")},
		"outside of functions":      {patch("var calls int", "var calls int = 0"), patch("var calls int", "var calls = 0")},
		"one of them is elsewhere":  {patch("by - 1", "by - 1 + 0"), replace(t, p, "ranges.go", "lib.Position(x", "lib.Position(x+0", 0)},
		"only one can be looked at": {patch("in[i] > x", "in[i] >= x"), patch("var calls int", "var calls = 0")},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := comparing(t, p, ".:TestPosition").Compare(t.Context(), patches, nil)
			if err != nil || len(got.Inputs) > 0 || len(got.Answers) != len(patches) {
				t.Errorf("%d inputs: %q, %v", len(got.Inputs), got.Inputs, err)
			}
		})
	}
}

// A patch that changes a function of which nothing can be told is not taken for one that does the same as others where these are asked.
func TestComparedApart(t *testing.T) {
	p := lay(t, ranges)
	patch := func(old, now string) edit.Patch { return replace(t, p, "lib/lib.go", old, now, 0) }
	got, err := comparing(t, p, ".:TestPosition").Compare(t.Context(), []edit.Patch{patch("in[i] > x", "in[i] >= x"), patch("by - 1", "by - 2"), patch("in[i] > x", "x <= in[i]")}, nil)
	if err != nil || len(got.Inputs) < 12 || got.Answers[1] != nil || !same(got, 0, 2) || len(got.Answers[0]) != len(got.Inputs) {
		t.Errorf("%d inputs, %v", len(got.Inputs), err)
	}
}
