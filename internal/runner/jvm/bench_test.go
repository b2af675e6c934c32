package jvm_test

import (
	"fmt"
	"iter"
	"strconv"
	"strings"
	"testing"
	"time"

	"fettle/internal/edit"
	"fettle/internal/runner"
	"fettle/internal/testenv"
)

// many makes n candidates that keep the tests failing, one in a hundred of which never ends, and one in twenty of which does not compile.
func many(b *testing.B, p place, path, was, hang string, n int) iter.Seq[edit.Patch] {
	return func(yield func(edit.Patch) bool) {
		for i := range n {
			is := fmt.Sprintf("%s /* %d */", strings.Replace(was, "0", strconv.Itoa(i+7), 1), i)
			switch {
			case i%100 == 50:
				is = hang
			case i%20 == 3:
				is = "int x" + strconv.Itoa(i) + " = \"\"; " + was
			}
			if !yield(replace(b, p, path, was, is)) {
				return
			}
		}
	}
}

// processTime is the processor time that this process and those that it waited for have used.
func processTime(b *testing.B) time.Duration {
	b.Helper()
	return testenv.OwnCPU(b) + testenv.ChildCPU(b)
}

// throughput reports candidates a second of processor time, everything included: compiling, the machines' own start, this process.
func throughput(b *testing.B, p place, s runner.Suite, path, was, hang string) {
	b.Helper()
	const candidates = 4000
	for b.Loop() {
		before, began := processTime(b), time.Now()
		n, built := 0, 0
		for trial, err := range s.TryAll(b.Context(), many(b, p, path, was, hang, candidates)) {
			if err != nil {
				b.Fatal(err)
			}
			if n++; trial.Built {
				built++
			}
			if trial.Plausible {
				b.Fatalf("%d is plausible", trial.Index)
			}
		}
		if n != candidates || built != candidates*95/100 {
			b.Fatalf("%d trials, %d of them compiled", n, built)
		}
		if why := s.Slow(); why != "" {
			b.Fatal(why)
		}
		if err := s.Close(); err != nil { // the machines' own time counts once they have ended
			b.Fatal(err)
		}
		b.ReportMetric(candidates/(processTime(b)-before).Seconds(), "candidates/cpu-s")
		b.ReportMetric(candidates/time.Since(began).Seconds(), "candidates/s")
	}
}

func BenchmarkProgram(b *testing.B) {
	needJava(b)
	p := lay(b, strings.NewReplacer("private static int calls = 0;", "", "++calls", "1").Replace(program))
	throughput(b, p, one(b, p, programCheck), "Solution.java", "int depth = 0, most = 0;", "int depth = 0, most = 0; while (most == 0) depth++;")
}

// BenchmarkStatics has a static variable that makes classes be loaded anew for each candidate.
func BenchmarkStatics(b *testing.B) {
	needJava(b)
	p := lay(b, program)
	throughput(b, p, one(b, p, programCheck), "Solution.java", "int depth = 0, most = 0;", "int depth = 0, most = 0; while (most == 0) depth++;")
}

func BenchmarkJUnit5(b *testing.B) {
	testenv.NeedMaven(b)
	p := lay(b, shop)
	throughput(b, p, one(b, p, mavenCheck), "src/main/java/com/x/Calc.java", "int sum = 0;", "int sum = 0; while (sum == 0) uses = 0;")
}
