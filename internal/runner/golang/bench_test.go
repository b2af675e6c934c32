package golang_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"fettle/internal/edit"
	"fettle/internal/testenv"
)

// BenchmarkTryAll tries candidates that all do something else, as many as seven builds hold: how many there are for each second of CPU time, the
// builds included, and for each second on the clock once the last build is there. With 1% that never end, too. -cpu 1,2 shows what a
// second worker brings. "replay" tries them in one process, as is done where a package keeps nothing.
func BenchmarkTryAll(b *testing.B) {
	const before, last = 48 + 96 + 192 + 384 + 768 + 1536, 3072 // how many the builds hold: each twice as many as the one before it, so that the last takes seconds
	for _, c := range []struct {
		name    string
		hanging int // one in so many never ends
		replay  bool
	}{{"plain", 0, false}, {"hanging", 100, false}, {"replay", 0, true}, {"replay-hanging", 100, true}} {
		b.Run(c.name, func(b *testing.B) {
			p := lay(b, sums)
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
