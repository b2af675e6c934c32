//go:build unix

package audit_test

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"fettle/internal/audit"
)

// BenchmarkLargeFiles measures how much longer a change takes that is four times as large, in processor time: some four times as long, and some sixteen times where every setting
// or function is compared with each other one.
func BenchmarkLargeFiles(b *testing.B) {
	lines := func(n int, format string) string {
		var s strings.Builder
		for i := range n {
			fmt.Fprintf(&s, format, i)
		}
		return s.String()
	}
	for _, c := range []struct {
		name, path    string
		n             int
		before, after string
	}{
		{"settings", "setup.cfg", 5_000, "a%d = 1\n", "a%d = 2\n"},
		{"functions", "a.js", 750, "function f%d(a) {\n  return g(a);\n}\n", "const c%d = 1;\n"},
	} {
		b.Run(c.name, func(b *testing.B) {
			one, four := time.Duration(0), time.Duration(0)
			audited := func(n int) time.Duration {
				in, start := input(files{c.path: lines(n, c.before)}, files{c.path: lines(n, c.after)}), used(b)
				audit.Audit(b.Context(), in)
				return used(b) - start
			}
			for b.Loop() {
				one += audited(c.n)
				four += audited(4 * c.n)
			}
			b.ReportMetric(float64(four)/float64(one), "x-of-a-quarter")
		})
	}
}

// used is the time that the processors have spent on this process.
func used(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
