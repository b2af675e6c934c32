package reply_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fettle/internal/edit"
	"fettle/internal/fix/reply"
	"fettle/internal/testenv/oracle"
	"fettle/scripts/benchrepair/rows"
)

// faults are real bugs with their references, and sources of this program from which a piece was taken.
func faults(t *testing.T) []oracle.Fault {
	t.Helper()
	all, err := rows.All()
	if err != nil {
		t.Fatal(err)
	}
	var out []oracle.Fault
	for _, r := range all {
		if base := r.Files[r.Source]; base != r.Reference && base != "" {
			out = append(out, oracle.Fault{Path: r.Source, Base: base, Right: r.Reference})
		}
	}
	sources, err := filepath.Glob("../../edit/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range sources {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		right := string(b)
		for _, swap := range [][2]string{{" == ", " != "}, {"return nil", "return err"}, {"+1", "-1"}, {"true", "false"}} {
			if i := strings.LastIndex(right, swap[0]); i >= 0 {
				out = append(out, oracle.Fault{Path: "internal/edit/" + filepath.Base(name), Base: right[:i] + swap[1] + right[i+len(swap[0]):], Right: right})
			}
		}
	}
	return out
}

// outcome is what came of a reply.
type outcome int

const (
	right outcome = iota
	refused
	vague // refused without a word that helps
	wrong
)

func read(t *testing.T, f oracle.Fault, w *oracle.Reply) (outcome, string) {
	src := func(path string) (edit.File, error) {
		if path == f.Path {
			return edit.File{Data: []byte(f.Base), Mode: 0o644, Exists: true}, nil
		}
		return edit.File{}, nil
	}
	a, err := reply.Read(t.Context(), w.Text, w.Cut, reply.Ground{Source: src, Files: map[string]reply.Sight{f.Path: reply.Whole}})
	var rejected *edit.RejectError
	switch {
	case errors.As(err, &rejected) && len(rejected.Reason) < 20:
		return vague, err.Error()
	case errors.As(err, &rejected):
		return refused, err.Error()
	case err != nil:
		t.Fatalf("%v", err)
	}
	files, err := a.Patch.Apply(src)
	if err != nil {
		return wrong, err.Error()
	}
	if got := string(files[f.Path].Data); len(files) != 1 || oracle.Effect(f.Path, got) != oracle.Effect(f.Path, f.Right) {
		shown, _ := edit.Diff(map[string]edit.File{"right": {Data: []byte(f.Right), Exists: true}}, map[string]edit.File{"right": {Data: []byte(got), Exists: true}})
		return wrong, shown
	}
	return right, ""
}

// Of good replies, broken in every way that models have been seen to break them, each becomes the very patch that was meant or is refused with a reason; none becomes another patch.
func TestMutatedReplies(t *testing.T) {
	all := faults(t)
	const total = 2500
	seed := uint64(20261124)
	counts := map[outcome]int{}
	benign, lost := 0, 0
	kinds, missed := map[string]int{}, map[string]int{}
	for n := range total {
		f, rng := all[n%len(all)], rand.New(rand.NewPCG(seed, uint64(n)))
		w := oracle.Write(f, rng.IntN(oracle.Forms()), rng)
		w.Spoil()
		got, said := read(t, f, w)
		counts[got]++
		if w.Benign {
			benign++
			if got != right {
				lost++
				missed[w.How[0]]++
				if testing.Verbose() {
					t.Logf("%v: %s", w.How, said)
				}
			}
		}
		kinds[strings.Join(w.How[1:], "+")]++
		if got == wrong || got == vague {
			t.Errorf("reply %d (%v) of %s: outcome %d\n--- reply\n%s\n--- got, held against what is right\n%s", n, w.How, f.Path, got, w.Text, said)
		}
	}
	t.Logf("%d faults in %d forms: %d replies, %d ways to break them: %d the right patch, %d refused with a reason, %d wrong; of %d that are only untidy %d were refused: %v", len(all), oracle.Forms(), total, len(kinds), counts[right], counts[refused], counts[wrong], benign, lost, missed)
	if counts[wrong] > 0 || counts[right]+counts[refused] < total*995/1000 {
		t.Errorf("too many are neither: %v", counts)
	}
	if lost*50 > benign {
		t.Errorf("%d of %d replies that are only untidy were refused", lost, benign)
	}
}
