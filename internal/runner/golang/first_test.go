package golang_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"fettle/internal/edit"
	"fettle/internal/runner/golang"
)

const twoTests = `
-- go.mod --
module example.com/two

go 1.22
-- two.go --
package two

// Half is the half.
func Half(n int) int {
	return n / 3
}
-- two_test.go --
package two

import (
	"os"
	"testing"
	"time"
)

func TestLong(t *testing.T) {
	f, err := os.OpenFile(os.Getenv("LONG"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString("x")
	f.Close()
	for began := time.Now(); time.Since(began) < 400*time.Millisecond; {
	}
	if Half(10) != 5 {
		t.Error("no")
	}
}

func TestShort(t *testing.T) {
	if Half(8) != 4 {
		t.Error("no")
	}
}
`

// Of several failing tests of which one takes long, the other one is met first, and by itself.
func TestFirst(t *testing.T) {
	t.Parallel()
	p := lay(t, twoTests)
	var patches []edit.Patch
	const wrong = 12
	for i := range wrong {
		patches = append(patches, replace(t, p, "two.go", "n / 3", fmt.Sprintf("n / %d", 4+i), 0))
	}
	patches = append(patches, replace(t, p, "two.go", "n / 3", "n / 2", 0))
	for first, most := range map[string]int{"TestShort": wrong - 1, "": 4 * wrong} {
		long := filepath.Join(t.TempDir(), "long")
		o := &golang.Oracle{Suite: golang.Suite{Place: p, Dir: ".", Env: map[string]string{"LONG": long}}, Targets: []string{".:TestLong", ".:TestShort"}, First: first}
		trials := try(t, o, patches...)
		for i, trial := range trials {
			if trial.Plausible != (i == wrong) || trial.Plausible != (len(trial.Healed) == 2) || !trial.Plausible && first != "" && trial.Note != "TestShort still fails" {
				t.Errorf("first %q: candidate %d: %+v", first, i, trial)
			}
		}
		ran, err := os.ReadFile(long)
		if n := bytes.Count(ran, []byte("x")); err != nil || n > most || first == "" && n < wrong {
			t.Errorf("first %q: TestLong ran %d times, %v", first, n, err)
		}
	}
}
