package golang_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"fettle/internal/edit"
	"fettle/internal/runner/golang"
	"fettle/internal/verdict"
)

const shelf = `
-- go.mod --
module example.com/shelf

go 1.16
-- shelf.go --
package shelf

import (
	"errors"
	"fmt"
	"os"
	"time"
)

// ErrEmpty says that there is nothing.
var ErrEmpty = errors.New("empty")

// Highest is the highest of the numbers.
func Highest(xs []int) (int, error) {
	if len(xs) == 0 {
		return 0, ErrEmpty
	}
	best := 0
	for i := 1; i < len(xs); i++ {
		if xs[i] > best {
			best = xs[i]
		}
	}
	return best, nil
}

var _ = fmt.Sprint // so that candidates can print
var _ = os.Exit
var _ = time.Sleep
-- shelf_test.go --
package shelf

import "testing"

func TestHighest(t *testing.T) {
	for _, c := range []struct {
		name string
		xs   []int
	}{{"first", []int{5, 1}}, {"last", []int{1, 5}}} {
		c := c
		t.Run(c.name, func(t *testing.T) {
			if got, err := Highest(c.xs); got != 5 || err != nil {
				t.Errorf("Highest(%v) = %d, %v", c.xs, got, err)
			}
		})
	}
}

func TestEmpty(t *testing.T) {
	if _, err := Highest(nil); err != ErrEmpty {
		t.Error(err)
	}
}
`

func shelfTrials(t *testing.T, p place, replay bool, patches []edit.Patch) []verdict.Trial {
	t.Helper()
	o := &golang.Oracle{Suite: suite(p, "."), Targets: []string{".:TestHighest/first", ".:TestHighest"}, Passing: []string{".:TestEmpty", ".:TestHighest/last"}, Replay: replay, Workers: 2, Wait: 10 * time.Minute}
	out := try(t, o, patches...)
	for i := range out {
		out[i].Patch, out[i].Used, out[i].Duration = nil, 0, 0
		slices.Sort(out[i].Healed)
		slices.Sort(out[i].Broken)
	}
	return out
}

// Candidates that are tried in one process come out as in processes of their own, whatever they do to it.
func TestReplayIsLikeProcessesOfTheirOwn(t *testing.T) {
	t.Parallel()
	p := lay(t, shelf)
	var patches []edit.Patch
	for i, is := range []string{
		"i := 0",                             // right
		"i := 2", "i := len(xs)", "i := -1 ", // wrong, and out of range
		"i := 0; i < 0", "i := 1; true",
		`i := func() int { panic("no") }()`,
		"i := func() int { os.Exit(0); return 0 }()",
		"i := func() int { os.Exit(97); return 0 }()",
		"i := func() int { go func() { for { time.Sleep(time.Hour) } }(); return 0 }()", // right, and leaves something running
		"i := func() int { go func() { for { time.Sleep(time.Hour) } }(); return 1 }()",
		`i := func() int { fmt.Println("\n--- PASS: TestHighest/first (0.00s)"); return 1 }()`,
		`i := func() int { fmt.Print("\x16fettle-end 0\n"); return 1 }()`,
		`i := func() int { fmt.Print("no line"); return 0 }()`,
		"i := func() int { defer func() { recover() }(); var f func(); f(); return 0 }()",
		"i := func() int { var f func(int) int; f = func(n int) int { return f(n+1) + 1 }; return f(0) }()", // the stack ends
		"i := len(xs) - 2",
	} {
		patches = append(patches, replace(t, p, "shelf.go", "i := 1", is, 0))
		for j := range 8 { // many that fail by themselves around each
			patches = append(patches, replace(t, p, "shelf.go", "best := 0", fmt.Sprintf("best := %d", -i-j*100-1), 0))
		}
	}
	patches = append(patches, replace(t, p, "shelf.go", "i++", "i += 0", 0)) // never ends
	own, one := shelfTrials(t, p, false, patches), shelfTrials(t, p, true, patches)
	if diff := cmp.Diff(own, one, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("in processes of their own (-) and in one (+):\n%s", diff)
	}
	if !one[0].Plausible || len(one) != len(patches) {
		t.Errorf("%d trials, the first %+v", len(one), one[0])
	}
}

// Where something is kept after all, the original shows it, and the candidates are tried in processes of their own.
func TestReplayIsGivenUp(t *testing.T) {
	t.Parallel()
	p := lay(t, strings.NewReplacer("best := 0", "best := 0\n\tseen++\n\tif seen > 20 {\n\t\tbest = 7\n\t}", "// Highest is", "var seen int\n\n// Highest is", `{"last", []int{1, 5}}`, `{"last", []int{1, 5}}, {"other", []int{2, 5}}`).Replace(shelf))
	var patches []edit.Patch
	for j := range 40 {
		patches = append(patches, replace(t, p, "shelf.go", "best := 0", fmt.Sprintf("best := -%d", j), 0))
	}
	patches = append(patches, replace(t, p, "shelf.go", "i := 1", "i := 0", 0))
	own, one := shelfTrials(t, p, false, patches), shelfTrials(t, p, true, patches)
	if diff := cmp.Diff(own, one, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("in processes of their own (-) and in one (+):\n%s", diff)
	}
	if !one[len(one)-1].Plausible {
		t.Errorf("%+v", one[len(one)-1])
	}
}

// What a package can keep from one run of its tests to the next is seen.
func TestReplayable(t *testing.T) {
	t.Parallel()
	const around = "-- go.mod --\nmodule example.com/m\n\ngo 1.22\n-- a_test.go --\npackage m\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) { f() }\n-- a.go --\npackage m\n\n"
	for _, c := range []struct {
		is   bool
		code string
	}{
		{true, "func f() {}"},
		{true, "import \"errors\"\n\nvar ErrA, ErrB = errors.New(\"a\"), errors.New(\"b\")\n\nfunc f() error { return ErrA }"},
		{true, "import \"regexp\"\n\nvar re = regexp.MustCompile(`a+`)\n\nfunc f() bool { return re.MatchString(\"a\") }"},
		{true, "var primes = []int{2, 3}\n\nfunc f() int { n := 0; for _, p := range primes { n += p * primes[0] }; return n + len(primes) }"},
		{true, "var names = map[string]int{\"a\": 1}\n\nfunc f() bool { n, ok := names[\"a\"]; return ok && n == 1 }"},
		{true, "var days = [...]struct{ name string; n int }{{\"a\", 1}}\n\nfunc f() int { return days[0].n }"},
		{true, "import \"time\"\n\nconst most = 3\n\nvar wait = most * time.Second\n\nfunc f() time.Duration { return wait }"},
		{true, "type i interface{ g() }\n\ntype t struct{}\n\nfunc (*t) g() {}\n\nvar _ i = (*t)(nil)\n\nfunc f() {}"},
		{true, "var less = func(a, b int) bool { return a < b }\n\nfunc f() bool { return less(1, 2) }"},
		{true, "var limit = 3\n\nfunc f() int { limit := 4; return limit }"},
		{false, "var n = 0\n\nfunc f() { n++ }"},
		{false, "var n int\n\nfunc f() {}"},
		{false, "var n = 0\n\nfunc f() { n = 1 }"},
		{false, "var n = 0\n\nfunc g() (int, int) { return 1, 2 }\n\nfunc f() { var k int; k, n = g(); _ = k }"},
		{false, "var n = 0\n\nfunc f() { p := &n; *p = 1 }"},
		{false, "var n = 0\n\nfunc f() { for n = range 3 {} }"},
		{false, "var n = start()\n\nfunc start() int { return 1 }\n\nfunc f() {}"},
		{false, "var primes = []int{2, 3}\n\nfunc f() { primes[0] = 1 }"},
		{false, "var primes = []int{2, 3}\n\nfunc f() { (primes)[0]++ }"},
		{false, "var primes = []int{2, 3}\n\nfunc f() { p := primes; p[0] = 1 }"},
		{false, "var primes = []int{2, 3}\n\nfunc f() { primes = append(primes, 5) }"},
		{false, "var primes = []int{2, 3}\n\nfunc f() { g(primes) }\n\nfunc g(p []int) { p[0] = 1 }"},
		{false, "var primes = []int{2, 3}\n\nfunc f() { p := primes[:1]; p[0] = 1 }"},
		{false, "var primes = []int{2, 3}\n\nvar others = primes\n\nfunc f() { others[0] = 1 }"},
		{false, "var primes = [2]int{2, 3}\n\nfunc f() { primes[0] = 1 }"},
		{false, "var names = map[string]int{}\n\nfunc f() { names[\"a\"] = 1 }"},
		{false, "var names = map[string]int{}\n\nfunc f() { delete(names, \"a\") }"},
		{false, "var rows = [][]int{{1}}\n\nfunc f() { r := rows[0]; r[0] = 2 }"},
		{false, "var days = []struct{ n int }{{1}}\n\nfunc f() { days[0].n = 2 }"},
		{false, "type counter int\n\nfunc (c *counter) inc() { *c++ }\n\nvar n counter = 1\n\nfunc f() { n.inc() }"},
		{false, "import \"sync\"\n\nvar once sync.Once\n\nfunc f() { once.Do(func() {}) }"},
		{false, "var cache = make(map[int]int)\n\nfunc f() { cache[1] = 1 }"},
		{false, "var p = &struct{ n int }{}\n\nfunc f() { p.n++ }"},
		{false, "func init() {}\n\nfunc f() {}"},
		{false, "import \"os\"\n\nfunc f() { os.Args = nil }"},
		{false, "import \"os\"\n\nfunc f() { os.Setenv(\"A\", \"b\") }"},
		{false, "import system \"os\"\n\nfunc f() { system.Chdir(\"/\") }"},
		{false, "import \"net/http\"\n\nfunc f() { http.DefaultClient.Timeout = 1 }"},
		{false, "import \"flag\"\n\nfunc f() { flag.Parse() }"},
		{false, "import . \"os\"\n\nfunc f() { Setenv(\"A\", \"b\") }"},
		{false, "func f( {}"},
		{false, "func f() {}\n-- b_test.go --\npackage m\n\nvar n int"},
		{false, "func f() {}\n-- b_test.go --\npackage m\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestMain(m *testing.M) { os.Exit(m.Run()) }"},
		{false, "func f() {}\n-- b_test.go --\npackage m\n\nimport \"testing\"\n\nfunc TestB(t *testing.T) { t.Setenv(\"A\", \"b\") }"},
		{false, "import \"example.com/m/sub\"\n\nfunc f() { sub.F() }\n-- sub/sub.go --\npackage sub\n\nvar n = 0\n\nfunc F() { n++ }"},
		{false, "import \"example.com/m/sub\"\n\nfunc f() { sub.N = 1 }\n-- sub/sub.go --\npackage sub\n\nvar N = 0"},
		{true, "import \"example.com/m/sub\"\n\nfunc f() { sub.F() }\n-- sub/sub.go --\npackage sub\n\nfunc F() {}"},
	} {
		p := lay(t, around+c.code+"\n")
		s := suite(p, ".")
		l, err := s.List(t.Context())
		if err != nil {
			if c.is {
				t.Errorf("%s: %v", c.code, err)
			}
			continue
		}
		if got := l.Replayable(); got != c.is {
			t.Errorf("%v:\n%s", got, c.code)
		}
	}
}
