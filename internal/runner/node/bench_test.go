package node_test

import (
	"fmt"
	"iter"
	"runtime"
	"testing"
	"time"

	"fettle/internal/check"
	"fettle/internal/edit"
	"fettle/internal/testenv"
)

// cpu is the CPU time that this process and those that it has waited for have taken.
func cpu(b *testing.B) time.Duration {
	b.Helper()
	return testenv.OwnCPU(b) + testenv.ChildCPU(b)
}

// wrong are n candidates, all different and none of them right; one in a hundred never ends.
func wrong(b *testing.B, p check.Place, n int) iter.Seq[edit.Patch] {
	length, step := replace(b, p, "lib/sum.js", "xs.length - 1", ""), replace(b, p, "lib/sum.js", "i++", "")
	return func(yield func(edit.Patch) bool) {
		for i := range n {
			c, text := length[0], fmt.Sprintf("xs.length - 1 - %d", i+1)
			if i%100 == 50 {
				c, text = step[0], fmt.Sprintf("i += 0 * %d", i+1)
			}
			c.Edits = []edit.Edit{{Start: c.Edits[0].Start, End: c.Edits[0].End, New: []byte(text)}}
			if !yield(edit.Patch{c}) {
				return
			}
		}
	}
}

// BenchmarkTryAll measures how many candidates a second of CPU time is enough for, everything counted: preparing them, the processes
// and their starts, and one in a hundred that never ends. "parallel" is how many cores were at work on average.
func BenchmarkTryAll(b *testing.B) {
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers-%d", workers), func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(workers))
			p := lay(b, archive(sums))
			s := suite(b, p, nodeTest())
			tryAll(b, s, wrong(b, p, 1)) // the baseline is measured once
			const n = 20_000
			for b.Loop() {
				before, began := cpu(b), time.Now()
				mine := testenv.OwnCPU(b)
				if got := len(tryAll(b, s, wrong(b, p, n))); got != n {
					b.Fatalf("%d trials", got)
				}
				took, wall := cpu(b)-before, time.Since(began)
				b.ReportMetric(n/took.Seconds(), "candidates/cpu-s")
				b.ReportMetric(n/wall.Seconds(), "candidates/s")
				b.ReportMetric(took.Seconds()/wall.Seconds(), "parallel")
				b.ReportMetric(float64(testenv.OwnCPU(b)-mine)/float64(time.Microsecond)/n, "µs-of-it-here")
			}
			if s.Slow() != "" {
				b.Fatal(s.Slow())
			}
		})
	}
}
