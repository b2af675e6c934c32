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

// throughput reports candidates a second of processor time, everything included: compiling, the machines' own start, this process. In a long search more
// machines help. suite lays a place and gives its suite.
func throughput(b *testing.B, suite func(b *testing.B) (place, runner.Suite), path, was, hang string) {
	for _, candidates := range []int{4000, 16000} {
		b.Run(strconv.Itoa(candidates), func(b *testing.B) {
			for b.Loop() {
				p, s := suite(b)
				before, began := processTime(b), time.Now()
				exhaust(b, s, many(b, p, path, was, hang, candidates), candidates)
				if err := s.Close(); err != nil { // the machines' own time counts once they have ended
					b.Fatal(err)
				}
				b.ReportMetric(float64(candidates)/(processTime(b)-before).Seconds(), "candidates/cpu-s")
				b.ReportMetric(float64(candidates)/time.Since(began).Seconds(), "candidates/s")
			}
		})
	}
}

// exhaust tries n candidates, of which each is told of, none heals, and one in twenty does not compile.
func exhaust(b *testing.B, s runner.Suite, candidates iter.Seq[edit.Patch], n int) {
	b.Helper()
	tried, built := 0, 0
	for trial, err := range s.TryAll(b.Context(), candidates) {
		if err != nil {
			b.Fatal(err)
		}
		if tried++; trial.Built {
			built++
		}
		if trial.Plausible {
			b.Fatalf("%d is plausible", trial.Index)
		}
	}
	if tried != n || built != n*95/100 {
		b.Fatalf("%d trials, %d of them compiled", tried, built)
	}
	if why := s.Slow(); why != "" {
		b.Fatal(why)
	}
}

func BenchmarkProgram(b *testing.B) {
	needJava(b)
	throughput(b, func(b *testing.B) (place, runner.Suite) {
		p := lay(b, strings.NewReplacer("private static int calls = 0;", "", "++calls", "1").Replace(program))
		return p, one(b, p, programCheck)
	}, "Solution.java", "int depth = 0, most = 0;", "int depth = 0, most = 0; while (most == 0) depth++;")
}

// BenchmarkStatics has a static variable that makes classes be loaded anew for each candidate.
func BenchmarkStatics(b *testing.B) {
	needJava(b)
	throughput(b, func(b *testing.B) (place, runner.Suite) {
		p := lay(b, program)
		return p, one(b, p, programCheck)
	}, "Solution.java", "int depth = 0, most = 0;", "int depth = 0, most = 0; while (most == 0) depth++;")
}

func BenchmarkJUnit5(b *testing.B) {
	testenv.NeedMaven(b)
	throughput(b, func(b *testing.B) (place, runner.Suite) {
		p := lay(b, shop)
		return p, one(b, p, mavenCheck)
	}, "src/main/java/com/x/Calc.java", "int sum = 0;", "int sum = 0; while (sum == 0) uses = 0;")
}
