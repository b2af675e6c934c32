package golang_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fettle/internal/edit"
	"fettle/internal/testenv"
)

// BenchmarkTryAll tries candidates that all do something else, as many as seven builds hold: how many there are for each second of CPU time, the
// builds included, and for each second on the clock once the last build is there. With 1% that never end, too. -cpu 1,2 shows what a
// second worker brings. "replay" tries them in one process, as is done where a package keeps nothing. In "working" a test takes a millisecond: how starting the
// processes is shared out counts for little there.
func BenchmarkTryAll(b *testing.B) {
	const before, last = 48 + 96 + 192 + 384 + 768 + 1536, 3072 // how many the builds hold: each twice as many as the one before it, so that the last takes seconds
	for _, c := range []struct {
		name    string
		hanging int // one in so many never ends
		replay  bool
		working bool
	}{{"plain", 0, false, false}, {"hanging", 100, false, false}, {"replay", 0, true, false}, {"replay-hanging", 100, true, false}, {"working", 0, false, true}, {"replay-working", 0, true, true}} {
		b.Run(c.name, func(b *testing.B) {
			text := sums
			if c.working {
				text = strings.Replace(text, "t.Run(c.name, func(t *testing.T) {", "t.Run(c.name, func(t *testing.T) {\n\t\t\tfor x := uint64(len(c.in)); x < 1<<20; x += 1 + x%2 {\n\t\t\t\tstarted = x > 0\n\t\t\t}", 1)
			}
			p := lay(b, text)
			var patches []edit.Patch
			for i := range before + last {
				was, is := "total := 0", fmt.Sprintf("total := %d", i+10)
				if c.hanging > 0 && i%c.hanging == 0 {
					was, is = "i++", fmt.Sprintf("i += 0 * %d", i)
				}
				patches = append(patches, replace(b, p, "sums.go", was, is, 0))
			}
			var used, tried time.Duration
			for b.Loop() {
				taken := testenv.ChildCPU(b)
				var began, ended time.Time
				n := 0
				o := sumsOracle(p)
				o.Replay, o.Batch = c.replay, last
				for trial, err := range o.TryAll(context.Background(), slices.Values(patches)) {
					if err != nil {
						b.Fatal(err)
					}
					if n++; trial.Index >= before && began.IsZero() {
						began = time.Now()
					}
					ended = time.Now()
				}
				if n != len(patches) {
					b.Fatalf("%d trials", n)
				}
				used += testenv.ChildCPU(b) - taken
				tried += ended.Sub(began)
			}
			b.ReportMetric(float64(b.N*len(patches))/used.Seconds(), "candidates/cpu-s")
			b.ReportMetric(float64(b.N*(last-1))/tried.Seconds(), "built/s")
			b.ReportMetric(0, "ns/op")
		})
	}
}
