package shell_test

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkJudge is the time that one command takes, over every labelled command there is, each as often as any other. Of each, the shortest of
// several times counts towards the percentiles: what else the machine does is none of the command's.
func BenchmarkJudge(b *testing.B) {
	var commands []string
	for _, name := range []string{"commands.jsonl", "review.jsonl"} {
		for _, r := range rows(b, name) {
			commands = append(commands, r.Command)
		}
	}
	for _, name := range []string{"forms.txt", "forms_state.txt", "forms_tables.txt", "forms_attack.txt", "forms_day.txt"} {
		for _, form := range forms(b, name, 50) {
			commands = append(commands, strings.TrimSuffix(form[2:], "\n"))
		}
	}
	best := make([]time.Duration, len(commands))
	b.ReportAllocs()
	rounds := 0
	for b.Loop() {
		i := rounds % len(commands)
		began := time.Now()
		judge(commands[i])
		if took := time.Since(began); best[i] == 0 || took < best[i] {
			best[i] = took
		}
		rounds++
	}
	best = best[:min(rounds, len(best))]
	slices.Sort(best)
	b.ReportMetric(float64(best[len(best)/2].Nanoseconds())/1000, "p50-µs")
	b.ReportMetric(float64(best[len(best)*99/100].Nanoseconds())/1000, "p99-µs")
	b.ReportMetric(float64(best[len(best)-1].Nanoseconds())/1000, "max-µs")
	b.ReportMetric(float64(len(commands)), "commands")
}
