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

// TestLargeFiles: a change is not slow by what it is large by. A row takes several times as long as it may where every setting or function is compared with
// each other one.
func TestLargeFiles(t *testing.T) {
	const most = 10 * time.Second // of a processor's, whatever else it does
	lines := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	for _, c := range []struct{ name, path, before, after string }{
		{"every setting is another one", "setup.cfg", lines(40_000, "a%d = 1\n"), lines(40_000, "a%d = 2\n")},
		{"functions that are gone", "a.js", lines(3_000, "function f%d(a) {\n  return g(a);\n}\n"), "const x = 1;\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in, start := input(files{c.path: c.before}, files{c.path: c.after}), used(t)
			audit.Audit(t.Context(), in)
			if took := used(t) - start; took > most {
				t.Errorf("it took %s", took)
			}
		})
	}
}

// used is the time that the processors have spent on this process.
func used(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
