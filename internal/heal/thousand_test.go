package heal_test

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fettle/internal/check"
	"fettle/internal/fix"
	"fettle/internal/heal"
	"fettle/internal/verdict"
)

// BenchmarkThousandSessions heals a file of some 10 KB a thousand times, each time another line that a person wrote, and measures
// what fettle keeps of it: images and the journal, and everything with the sessions' records, as parts of the bytes that the
// changed files held before and after; and how long it takes to forget half of it.
func BenchmarkThousandSessions(b *testing.B) {
	const sessions, paths = 1000, 20
	text := func(file, n int, word string) string {
		var s strings.Builder
		for line := range 250 {
			fmt.Fprintf(&s, "line %d of file %d: some text, as files have it\n", line, file)
			if line == n%250 {
				fmt.Fprintf(&s, "%s %d\n", word, n)
			}
		}
		return s.String()
	}
	for b.Loop() {
		f := &script{name: "good", rung: fix.RungTool, answers: func(t fix.Task) []fix.Candidate {
			return []fix.Candidate{replace(t, t.Diagnostics[0].File, "BAD", "good")}
		}}
		files := map[string]string{}
		for i := range paths {
			files[fmt.Sprintf("f%d.txt", i)] = text(i, 0, "fine")
		}
		bad := check.Check{Name: "lint", Parser: "errorformat", Pattern: []string{"%f:%l:%m"},
			Run: []string{"sh", "-c", `out=$(grep -Hn BAD *.txt | sed 's/$/ is bad/'); test -z "$out" || { echo "$out"; exit 1; }`}}
		at := set(b, files, []check.Check{bad}, f)
		at.loop.Tell = nil
		changed := 0
		var half time.Time
		for n := range sessions {
			if n == sessions/2 {
				half = time.Now()
			}
			broken, healed := text(n%paths, n, "BAD"), text(n%paths, n, "good")
			changed += len(broken) + len(healed)
			at.write(b, fmt.Sprintf("f%d.txt", n%paths), broken)
			if s, end := at.start(b, heal.Goal{}); end != verdict.Converged {
				b.Fatalf("session %d ended %s: %s", n, end, s.Reason)
			}
		}
		sizes := map[string]int64{}
		err := filepath.WalkDir(at.state, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			info, err := d.Info()
			rel, _ := filepath.Rel(at.state, path)
			sizes[strings.SplitN(rel, string(filepath.Separator), 2)[0]] += info.Size()
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
		var all int64
		for name, size := range sizes {
			b.Logf("%s: %d bytes", name, size)
			all += size
		}
		b.ReportMetric(float64(sizes["blobs"]+sizes["journal.log"])/float64(changed), "journal/changed")
		b.ReportMetric(float64(all)/float64(changed), "state/changed")
		start := time.Now()
		_, err = at.loop.Journal.Prune(b.Context(), half)
		_, _, err2 := at.loop.Sessions.Forget(b.Context(), half)
		if err := errors.Join(err, err2); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(time.Since(start).Milliseconds()), "forget-ms")
	}
	b.ReportMetric(0, "ns/op")
}
