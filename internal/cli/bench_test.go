package cli_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"fettle/internal/testenv"
)

// program builds a Go program and returns its path.
func program(b *testing.B, dir, pkg string) string {
	b.Helper()
	bin := filepath.Join(b.TempDir(), "program")
	cmd := exec.Command("go", "build", "-trimpath", "-o", bin, pkg)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("build %s: %v\n%s", pkg, err, out)
	}
	return bin
}

// BenchmarkVersion is the CPU time of `fettle version`, beside that of an empty Go program in the same run.
func BenchmarkVersion(b *testing.B) {
	fettle := program(b, sources(), "./cmd/fettle")
	empty := b.TempDir()
	for name, text := range map[string]string{"go.mod": "module empty\n\ngo 1.26\n", "main.go": "package main\n\nfunc main() {}\n"} {
		if err := os.WriteFile(filepath.Join(empty, name), []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	nothing := program(b, empty, ".")
	var own, floor time.Duration
	for b.Loop() {
		own += cpu(b, exec.Command(fettle, "version"))
		floor += cpu(b, exec.Command(nothing))
	}
	b.ReportMetric(ms(own)/float64(b.N), "cpu-ms/op")
	b.ReportMetric(ms(floor)/float64(b.N), "empty-cpu-ms/op")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkRun is what `fettle run` adds, in a repository of one language, to the slowest check, which sleeps, beside the bare command in the same run.
func BenchmarkRun(b *testing.B) {
	fettle := program(b, sources(), "./cmd/fettle")
	repo := b.TempDir()
	config := "version: 1\nchecks:\n  test:\n    run: sleep 0.1\n    lang: go\n  lint:\n    run: sleep 0.05\n    lang: go\n"
	if err := os.WriteFile(filepath.Join(repo, "fettle.yaml"), []byte(config), 0o644); err != nil {
		b.Fatal(err)
	}
	for i := range 500 {
		if err := os.WriteFile(filepath.Join(repo, fmt.Sprintf("file%d.txt", i)), []byte("text\n"), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	for _, argv := range [][]string{{"init", "-q"}, {"add", "-A"}} {
		cmd := exec.Command("git", argv...)
		cmd.Dir = repo
		if err := cmd.Run(); err != nil {
			b.Fatal(err)
		}
	}
	wall(b, exec.Command(fettle, "-C", repo, "run", "-q")) // the first time makes the state folder
	var own, bare time.Duration
	for b.Loop() {
		own += wall(b, exec.Command(fettle, "-C", repo, "run", "-q"))
		bare += wall(b, exec.Command("sleep", "0.1"))
	}
	b.ReportMetric(ms(own-bare)/float64(b.N), "added-ms/op")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkHugeRepository is `fettle run` and `fettle fix` in a repository of 100,000 files that is healthy: wall time, and the most
// memory that the program took; beside git status in the same run.
func BenchmarkHugeRepository(b *testing.B) {
	fettle := program(b, sources(), "./cmd/fettle")
	repo := testenv.Huge(b, strings.Repeat("a line of some text\n", 100), map[string]string{
		"fettle.yaml": "version: 1\nchecks:\n  test:\n    run: \"true\"\n    lang: go\n",
	})
	sum, most := map[string]time.Duration{}, int64(0)
	timed := func(name string, cmd *exec.Cmd) {
		cmd.Dir = repo
		sum[name] += wall(b, cmd)
		if name != "status" {
			most = max(most, cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss>>10)
		}
	}
	timed("first", exec.Command(fettle, "fix", "-q"))
	for b.Loop() {
		timed("run", exec.Command(fettle, "run", "-q"))
		timed("fix", exec.Command(fettle, "fix", "-q"))
		timed("status", exec.Command("git", "status", "--short"))
	}
	for _, name := range []string{"run", "fix", "status"} {
		b.ReportMetric(ms(sum[name])/float64(b.N), name+"-ms/op")
	}
	b.ReportMetric(ms(sum["first"]), "first-fix-ms")
	b.ReportMetric(float64(most), "peak-MB")
	b.ReportMetric(0, "ns/op")
}

func cpu(b *testing.B, cmd *exec.Cmd) time.Duration {
	b.Helper()
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

func wall(b *testing.B, cmd *exec.Cmd) time.Duration {
	b.Helper()
	start := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	return time.Since(start)
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
