package golang_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fettle/internal/edit"
)

// Tests that make the garbage collector run, and open files of their own, are run in the binary that holds the candidates like any others: none
// of these is built alone.
func TestCollectedGarbageClosesNothing(t *testing.T) {
	t.Parallel()
	note := filepath.Join(t.TempDir(), "note")
	p := lay(t, sums+fmt.Sprintf(`-- garbage_test.go --
package sums

import (
	"os"
	"runtime"
	"testing"
	"time"
)

// collect waits until what nobody holds has been closed.
func collect() {
	done := make(chan bool)
	runtime.SetFinalizer(&struct{ _ [64]byte }{}, func(any) { close(done) })
	for {
		runtime.GC()
		select {
		case <-done:
			return
		case <-time.After(time.Millisecond):
		}
	}
}

func TestMain(m *testing.M) {
	var held []*os.File
	for i := range 8 {
		Sum(make([]int, 64<<i)) // steps to report
		collect()
		r, w, err := os.Pipe()
		if err != nil {
			panic(err)
		}
		held = append(held, r, w)
	}
	collect()
	for i := 0; i < len(held); i += 2 {
		if _, err := held[i+1].WriteString("x"); err != nil {
			panic(err)
		}
		if n, err := held[i].Read(make([]byte, 1)); n != 1 {
			panic(err)
		}
	}
	f, err := os.OpenFile(%q, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, _ = f.WriteString(os.Getenv("FETTLE_MUTANT") + "\n")
		_ = f.Close()
	}
	os.Exit(m.Run())
}
`, note))
	var patches []edit.Patch
	var want []string
	for i := range 8 {
		patches = append(patches, replace(t, p, "sums.go", "total := 0", fmt.Sprintf("total := %d", i+10), 0))
		want = append(want, "still fails")
	}
	check(t, try(t, sumsOracle(p), patches...), want)
	b, err := os.ReadFile(note)
	if err != nil {
		t.Fatal(err)
	}
	together := strings.Fields(string(b))
	for i := range patches {
		if !slices.Contains(together, strconv.Itoa(i+1)) {
			t.Errorf("candidate %d was not tried together with the others: %v", i, together)
		}
	}
}

// Where the tests beside the failing ones take longer than a build, candidates meet them in a build of their own, and those that heal but a part of
// what fails only if nothing else heals that.
func TestSlowOthers(t *testing.T) {
	t.Parallel()
	p := lay(t, strings.Replace(sums, "func TestAcc(t *testing.T) {", `func TestNegative(t *testing.T) {
	for began := time.Now(); time.Since(began) < 1200*time.Millisecond; {
		if got := Sum([]int{-5, -2, 0}); got != -7 {
			t.Fatal(got)
		}
	}
}

func TestAcc(t *testing.T) {`, 1))
	b, err := os.ReadFile(filepath.Join(p.Root(), "sums_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(p.Root(), "sums_test.go"), []byte(strings.Replace(string(b), `import "testing"`, "import (\n\t\"testing\"\n\t\"time\"\n)", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	o := sumsOracle(p)
	o.Passing = append(o.Passing, ".:TestNegative")
	trials := try(t, o,
		replace(t, p, "sums.go", "len(xs)-1", "len(xs)", 0),
		replace(t, p, "sums.go", "i := 0; i < len(xs)-1; i++ {", "i := 0; i < len(xs) && xs[i] > 0; i++ {", 0),
		replace(t, p, "sums.go", "return total\n", "if len(xs) == 1 {\n\t\treturn 1\n\t}\n\treturn total\n", 0),
		replace(t, p, "sums.go", "total := 0", "total := 5", 0),
	)
	if got := trials[0]; !got.Plausible || len(got.Healed) != 3 {
		t.Errorf("right: %+v", got)
	}
	if got := trials[1]; got.Plausible || !slices.Equal(got.Broken, []string{".:TestNegative"}) {
		t.Errorf("it breaks a slow test: %+v", got)
	}
	if got := trials[2]; got.Plausible || len(got.Broken) > 0 || got.Note == "" {
		t.Errorf("it heals a part: %+v", got)
	}
	if got := trials[3]; got.Plausible || len(got.Healed) > 0 {
		t.Errorf("it heals nothing: %+v", got)
	}
}
