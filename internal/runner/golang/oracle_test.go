package golang_test

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"fettle/internal/edit"
	"fettle/internal/runner/golang"
	"fettle/internal/testenv"
	"fettle/internal/verdict"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(testenv.Tidy(m)) }

func indexFrom(src []byte, s string, from int) int {
	i := bytes.Index(src[from:], []byte(s))
	if i < 0 {
		return i
	}
	return from + i
}

// sums is a module whose Sum leaves out the last element.
const sums = `
-- go.mod --
module example.com/sums

go 1.22
-- sums.go --
package sums

import (
	"errors"
	"os"
)

var out = os.Stdout

func init() { started = true }

var started bool

var first = Sum([]int{1, 2, 3})

// Sum adds.
func Sum(xs []int) int {
	total := 0
	for i := 0; i < len(xs)-1; i++ {
		total += xs[i]
	}
	return total
}

type acc[T any] struct{ items []T }

func (a *acc[T]) push(_ int, x ...T) (n int, err error) {
	if len(x) == 0 {
		return 0, errors.New("nothing")
	}
	a.items = append(a.items, x...)
	return len(a.items), nil
}

func (acc[T]) name(int, string) string { return "acc" }

func zero[T any]() T {
	var z T
	return z
}
-- sums_test.go --
package sums

import "testing"

func TestSum(t *testing.T) {
	for _, c := range []struct {
		name string
		in   []int
		want int
	}{{"none", nil, 0}, {"one", []int{1}, 1}, {"two: more", []int{1, 2}, 3}} {
		t.Run(c.name, func(t *testing.T) {
			if got := Sum(c.in); got != c.want {
				t.Errorf("got %d, want %d", got, c.want)
			}
		})
	}
}

func TestAcc(t *testing.T) {
	var a acc[int]
	if n, err := a.push(0, 1, 2); n != 2 || err != nil {
		t.Error(n, err)
	}
	if a.name(1, "") != "acc" || zero[string]() != "" || !started {
		t.Error("acc")
	}
}
`

// sumsOracle has as much patience as a slow machine needs: nothing that it tries is to be ended by the clock.
func sumsOracle(p place) *golang.Oracle {
	return &golang.Oracle{
		Wait:    10 * time.Minute,
		Suite:   suite(p, "."),
		Targets: []string{".:TestSum/one", ".:TestSum/two:_more", ".:TestSum"},
		Passing: []string{".:TestSum/none", ".:TestAcc", "other:TestX"},
	}
}

// What the user's command or GOFLAGS tells the linker is so in every binary that is made.
func TestLinkerFlagsStand(t *testing.T) {
	const flag = "-ldflags=-X=example.com/sums.built=here"
	p := lay(t, strings.Replace(sums, "var started bool", "var started bool\n\nvar built string\n\nfunc init() { _ = built[0] }", 1))
	patch := replace(t, p, "sums.go", "len(xs)-1", "len(xs)", 0)
	for name, set := range map[string]func(*golang.Oracle){
		"command": func(o *golang.Oracle) { o.Suite.Flags = []string{flag} },
		"GOFLAGS": func(o *golang.Oracle) { o.Suite.Env["GOFLAGS"] = "-" + flag },
	} {
		t.Run(name, func(t *testing.T) {
			o := sumsOracle(p)
			set(o)
			check(t, try(t, o, patch, patch, patch), []string{"plausible", "plausible", "plausible"})
		})
	}
}

// try gathers all trials by index.
func try(t *testing.T, o *golang.Oracle, patches ...edit.Patch) []verdict.Trial {
	t.Helper()
	var out []verdict.Trial
	for trial, err := range o.TryAll(context.Background(), slices.Values(patches)) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, trial)
	}
	if len(out) != len(patches) {
		t.Fatalf("%d trials of %d candidates", len(out), len(patches))
	}
	slices.SortFunc(out, func(a, b verdict.Trial) int { return a.Index - b.Index })
	return out
}

// candidates for sums, and what is to become of each.
func candidates(t testing.TB, p place) (patches []edit.Patch, want []string) {
	add := func(note, was, is string, n int) {
		patches = append(patches, replace(t, p, "sums.go", was, is, n))
		want = append(want, note)
	}
	add("TestSum/one still fails", "i < len(xs)-1", "i <= len(xs)-2", 0)
	add("plausible", "len(xs)-1", "len(xs)", 0)
	add("a loop or a recursion goes on", "i++", "i = 0", 0)
	add("TestSum/one still fails", "i < len(xs)-1", "i <= len(xs)", 0) // panics
	add("TestSum/one still fails", "\"nothing\"", "\"something\"", 0)
	add("does not compile", "total := 0", "total := \"\"", 0)
	add("TestSum/one still fails", "return 0, errors", "a.items = nil; return 0, errors", 0)
	add("TestSum/one still fails", `return "acc"`, `return "bcc"`, 0)
	add("TestSum/one still fails", "return z", "var y T; z = y; return z", 0)
	add("plausible", "return total", "if len(xs) > 0 { total += xs[len(xs)-1] }; return total", 0)
	add("TestSum/one still fails", "return total", "return Sum(xs)", 0) // overflows the stack
	add("TestSum/one still fails", "started = true", "started = false", 0)
	add("TestSum/one still fails", "return total", "os.Exit(0); return total", 0)
	add("the tests ", "return total", "for { _, _ = out.WriteString(\"more and more and more and more and more and more\\n\") }", 0) // by fuel or by output
	add("TestSum/one still fails", "var started bool", "var started = true", 0)                                                      // no function: built alone
	return patches, want
}

func check(t *testing.T, trials []verdict.Trial, want []string) {
	t.Helper()
	for i, x := range trials {
		got := x.Note
		if x.Plausible {
			got = "plausible"
		}
		if !strings.Contains(got, want[i]) {
			t.Errorf("candidate %d: got %q, want %q", i, got, want[i])
		}
		if x.Plausible && (len(x.Healed) != 3 || len(x.Broken) != 0 || !x.Built) {
			t.Errorf("candidate %d: %+v", i, x)
		}
	}
}

func TestTryAllTogether(t *testing.T) {
	p := lay(t, sums)
	patches, want := candidates(t, p)
	check(t, try(t, sumsOracle(p), patches...), want)
}

func TestTryAllOneByOne(t *testing.T) {
	p := lay(t, sums)
	patches, want := candidates(t, p)
	endless := patches[2:3]               // there is no fuel to run out of
	patches, want = patches[:8], want[:8] // the rest adds time and no new way to end
	o := sumsOracle(p)
	o.Batch = 1
	check(t, try(t, o, slices.Delete(slices.Clone(patches), 2, 3)...), slices.Delete(want, 2, 3))
	o = sumsOracle(p)
	o.Batch, o.Wait = 1, 0
	check(t, try(t, o, endless...), []string{"did not end in time"})
}

func TestTryAllStopsWhenTheConsumerDoes(t *testing.T) {
	p := lay(t, sums)
	right := replace(t, p, "sums.go", "len(xs)-1", "len(xs)", 0)
	hang := replace(t, p, "sums.go", "i++", "i = 0", 0)
	pulled := 0
	var endless iter.Seq[edit.Patch] = func(yield func(edit.Patch) bool) {
		for i := 0; ; i++ {
			pulled++
			patch := hang
			if i == 2 {
				patch = right
			}
			if !yield(patch) {
				return
			}
		}
	}
	o := sumsOracle(p)
	o.Ahead = 8
	o.Batch = 16
	for trial, err := range o.TryAll(context.Background(), endless) {
		if err != nil {
			t.Fatal(err)
		}
		if trial.Plausible {
			break
		}
	}
	if pulled > 4*16+8 {
		t.Errorf("%d candidates were pulled", pulled)
	}
}

func TestTryAllSaysWhenNothingFails(t *testing.T) {
	p := lay(t, strings.Replace(sums, "len(xs)-1", "len(xs)", 1))
	patch := replace(t, p, "sums.go", "i++", "i += 1", 0)
	for _, err := range sumsOracle(p).TryAll(context.Background(), slices.Values([]edit.Patch{patch})) {
		if err == nil || !strings.Contains(err.Error(), "pass when they are run on their own") {
			t.Errorf("got %v", err)
		}
		return
	}
	t.Error("no word")
}

func TestTryAllIsCancelled(t *testing.T) {
	p := lay(t, sums)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	hang := replace(t, p, "sums.go", "total := 0", "total := 0; for { }", 0)
	var last error
	for _, err := range sumsOracle(p).TryAll(ctx, slices.Values([]edit.Patch{hang})) {
		last = err
	}
	if !errors.Is(last, context.DeadlineExceeded) {
		t.Errorf("got %v", last)
	}
}
