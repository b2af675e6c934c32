package python_test

import (
	"context"
	"fmt"
	"iter"
	"testing"
	"time"

	"fettle/internal/edit"
	"fettle/internal/testenv"
)

// BenchmarkTryAll tries candidates that all do something else, one an iteration: how many there are for each second of CPU time that Python takes,
// its start apart, and for each second on the clock. With 1% that never end, too. -cpu 1,2 shows what a second worker brings.
func BenchmarkTryAll(b *testing.B) {
	for _, c := range []struct {
		name    string
		hanging int // one in so many never ends
	}{{"plain", 0}, {"hanging", 100}} {
		b.Run(c.name, func(b *testing.B) {
			p := lay(b, shop)
			s := p.suite(b)
			try(b, s, variant(b, p, -1, 0)) // what is measured once
			before := testenv.ChildCPU(b)
			began := time.Now()
			trials := 0
			for _, err := range s.TryAll(context.Background(), variants(b, p, b.N, c.hanging)) {
				if err != nil {
					b.Fatal(err)
				}
				trials++
			}
			wall := time.Since(began)
			if err := s.Close(); err != nil {
				b.Fatal(err)
			}
			if trials != b.N {
				b.Fatalf("%d trials", trials)
			}
			b.ReportMetric(float64(b.N)/(testenv.ChildCPU(b)-before).Seconds(), "candidates/cpu-s")
			b.ReportMetric(float64(b.N)/wall.Seconds(), "candidates/s")
		})
	}
}

// variants are candidates that differ in what they do.
func variants(b *testing.B, p project, n, hanging int) iter.Seq[edit.Patch] {
	return func(yield func(edit.Patch) bool) {
		for i := range n {
			if !yield(variant(b, p, i, hanging)) {
				return
			}
		}
	}
}

func variant(b *testing.B, p project, i, hanging int) edit.Patch {
	is := fmt.Sprintf("result -= p * %d", i+2)
	if hanging > 0 && i%hanging == 0 {
		is = fmt.Sprintf("while p != -%d: result -= 1", i+1)
	}
	return p.replace(b, "src/shop/prices.py", "result -= p", is)
}
