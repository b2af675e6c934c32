package golang_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
)

// A test that fails every second time, or every third, turns no right candidate down, whenever its turn to fail comes; one that a candidate breaks
// still does. That holds for candidates that are built together and for those that are built alone.
func TestTestsThatFailByChance(t *testing.T) {
	for _, c := range []struct{ every, from, batch int }{{2, 1, 0}, {2, 2, 0}, {3, 1, 0}, {3, 2, 0}, {3, 3, 0}, {2, 1, 1}, {2, 2, 1}, {3, 2, 1}} {
		t.Run(fmt.Sprintf("every %d, from %d, batch %d", c.every, c.from, c.batch), func(t *testing.T) {
			p := lay(t, sums+fmt.Sprintf(`-- chance_test.go --
package sums

import (
	"os"
	"testing"
)

func TestNowAndThen(t *testing.T) {
	f, err := os.OpenFile(%q, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString("."); err != nil {
		t.Fatal(err)
	}
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if (info.Size()+%d)%%%d == 0 {
		t.Error("now it fails")
	}
}
`, filepath.Join(t.TempDir(), "count"), c.from, c.every))
			o := sumsOracle(p)
			o.Passing, o.Batch, o.Workers = append(o.Passing, ".:TestNowAndThen"), c.batch, 1
			right, wrong := replace(t, p, "sums.go", "len(xs)-1", "len(xs)", 0), replace(t, p, "sums.go", "started = true", "started = len(os.Args) < 0", 0)
			wrong[0].Edits = append(wrong[0].Edits, right[0].Edits...)
			trials := try(t, o, right, wrong, replace(t, p, "sums.go", "total := 0", "total := 1", 0))
			if !trials[0].Plausible {
				t.Errorf("the right one: %+v", trials[0])
			}
			if trials[1].Plausible || !slices.Contains(trials[1].Broken, ".:TestAcc") {
				t.Errorf("the wrong one: %+v", trials[1])
			}
		})
	}
}
