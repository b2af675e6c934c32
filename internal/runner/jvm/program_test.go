package jvm_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fettle/internal/check"
	"fettle/internal/edit"
	"fettle/internal/runner"
	"fettle/internal/runner/jvm"
	"fettle/internal/testenv"
)

const program = `
-- Solution.java --
import java.util.*;

class Solution {
    private static int calls = 0;

    static int depth(String s) {
        int depth = 0, most = 0;
        for (char c : s.toCharArray()) {
            if (c == '(') depth++;
            else if (c == ')') {
                depth++;
            }
            most = Math.max(most, depth);
        }
        return most;
    }

    static <T extends Comparable<T>> T top(List<? extends T> all) {
        T best = null;
        int i = 0;
        while (i < all.size()) {
            if (best == null || all.get(i).compareTo(best) > 0)
                best = all.get(i);
            i++;
        }
        return best;
    }

    static int once() { return ++calls; }
}
-- Main.java --
import java.util.*;

public class Main {
    public static void main(String[] args) {
        List<Boolean> ok = Arrays.asList(
            Solution.depth("(())") == 2,
            Solution.depth("()()") == 1,
            Solution.top(Arrays.asList(1, 3, 2)) == 3,
            Solution.once() == 1
        );
        if (ok.contains(false)) throw new AssertionError();
    }
}
`

var programCheck = check.Check{Name: "test", Run: []string{"sh", "-c", "mkdir -p out && javac -d out Solution.java Main.java && java -cp out Main"}}

func needJava(t testing.TB) {
	testenv.NeedTool(t, "javac")
	testenv.NeedTool(t, "java")
}

func TestProgram(t *testing.T) {
	needJava(t)
	p := lay(t, program)
	s := one(t, p, programCheck)
	if s.Name() != "Main" || !s.Owns("Solution.java") || s.Owns("Main.java") || s.Owns("Other.java") {
		t.Errorf("%s owns the wrong files", s.Name())
	}
	trace, err := s.Trace(t.Context(), runner.TraceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(trace.Runs) != 1 || !trace.Runs[0].Failed || !trace.Runs[0].Exact {
		t.Fatalf("%+v", trace)
	}
	ran := map[int]bool{}
	for _, l := range trace.Runs[0].Lines {
		ran[l.Line] = true
	}
	for _, line := range []int{4, 7, 9, 10, 11, 13, 15, 20, 22, 23, 24, 26, 29} {
		if !ran[line] {
			t.Errorf("line %d is said not to have run", line)
		}
	}
	if f := trace.Runs[0].Frames; len(f) != 1 || f[0].File != "Main.java" || f[0].Line != 11 {
		t.Errorf("frames: %v", f)
	}
	const f = "Solution.java"
	expect(t, p, s, []want{
		{name: "wrong", path: f, was: "int depth = 0, most = 0", is: "int depth = 1, most = 0", note: "still fails"},
		{name: "right", path: f, was: "{\n                depth++;", is: "{\n                depth--;", plausible: true, healed: 1},
		{name: "type error", path: f, was: "int depth = 0, most = 0", is: "String depth = 0, most = 0", note: "does not compile"},
		{name: "no Java", path: f, was: "int depth = 0, most = 0", is: "int depth = ((0, most = 0", note: "does not compile"},
		{name: "no return", path: f, was: "return most;", is: ";", note: "does not compile"},
		{name: "endless", path: f, was: "            i++;", is: "", note: "did not end"},
		{name: "endless in any case", path: f, was: "int depth = 0, most = 0;", is: "int depth = 0, most = 0; while (most >= 0) { try { most++; if (most == 5) most = 0; } catch (Throwable t) { } }", note: "did not end"},
		{name: "exit with zero", path: f, was: "int depth = 0, most = 0;", is: "int depth = 0, most = 0; System.exit(0);", note: "still fails"},
		{name: "exit with one", path: f, was: "int depth = 0, most = 0;", is: "int depth = 0, most = 0; System.exit(1);", note: "still fails"},
		{name: "really ends the machine", path: f, was: "int depth = 0, most = 0;", is: "int depth = 0, most = 0; Runtime r = Runtime.getRuntime(); r.halt(1);", note: "ended with it"},
		{name: "waits for ever", path: f, was: "int depth = 0, most = 0;", is: "int depth = 0, most = 0; try { new Object() { synchronized void w() throws InterruptedException { wait(); } }.w(); } catch (InterruptedException e) { }", note: "in time"},
		{name: "eats memory", path: f, was: "int depth = 0, most = 0;", is: "int depth = 0, most = 0; StringBuilder b = new StringBuilder(\"xx\"); while (most == 0) b.append(b);", note: "memory"},
		{name: "recursion", path: f, was: "int depth = 0, most = 0;", is: "int depth = depth(s), most = 0;", note: "still fails"},
		{name: "declaration", path: f, was: "calls = 0;", is: "calls = 1;", note: "still fails"},
		{name: "right again", path: f, was: "{\n                depth++;", is: "{\n                depth -= 1;", plausible: true, healed: 1},
	})
}

// A program that never ends is searched, too: what the machine is like is known although it has to be told to end.
func TestProgramThatNeverEnds(t *testing.T) {
	needJava(t)
	p := lay(t, strings.Replace(program, "            i++;", "", 1))
	c := programCheck
	c.Timeout = 8 * time.Second
	s := one(t, p, c)
	trace, err := s.Trace(t.Context(), runner.TraceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(trace.Runs) != 1 || !slices.ContainsFunc(trace.Runs[0].Lines, func(l runner.Lines) bool { return l.File == "Solution.java" && l.Line <= 21 && 21 <= l.EndLine }) {
		t.Fatalf("%+v", trace)
	}
	const f = "Solution.java"
	expect(t, p, s, []want{
		{name: "wrong", path: f, was: "int depth = 0, most = 0", is: "int depth = 1, most = 0", note: "did not end"},
		{name: "part", path: f, was: "            if (best == null", is: "            if (i++ < 0 || best == null", note: "fails"},
	})
}

// What a source may hold that moves places: a line end of two bytes, letters of several bytes and units, escapes.
const odd = "import java.util.function.*;\r\n" +
	"class Grüße<T extends Comparable<T>> {\r\n" +
	"    /* 😀 */ static final String NAME = \"h\\u00e9😀\";\r\n" +
	"    final T wert;\r\n" +
	"    Grüße(T wert) { super(); this.wert = wert; }\r\n" +
	"    @SafeVarargs static <U extends Comparable<U>> U größtes(U erstes, U... rest) {\r\n" +
	"        U b = erstes;\r\n" +
	"        for (U u : rest) if (u.compareTo(b) < 0) b = u; // ← falsch 😀\r\n" +
	"        return b;\r\n" +
	"    }\r\n" +
	"    <V> V gib(Function<? super T, ? extends V> f) { return f.apply(wert); }\r\n" +
	"    int zahl() { return switch (NAME.length()) { case 4 -> { int n = 1; yield n; } default -> 2; }; }\r\n" +
	"    synchronized int tief(final int n) { do n(); while (false); return n == 0 ? 0 : 1 + tief(n - 1); }\r\n" +
	"    private void n() { Runnable r = () -> { int i = 0; while (i < 3) i++; }; r.run(); }\r\n" +
	"}\r\n"

const oddMain = `
-- Main.java --
public class Main {
    public static void main(String[] args) {
        if (Grüße.größtes(1, 3, 2) != 3 | new Grüße<>("x").gib(s -> s + "y").length() != 2 | new Grüße<>(1).zahl() != 1
            | new Grüße<>(1).tief(4) != 4 | args.length != 2) {
            throw new AssertionError();
        }
    }
}
`

func TestOddSource(t *testing.T) {
	needJava(t)
	p := lay(t, oddMain)
	p.put(t, "Grüße.java", []byte(odd))
	s := one(t, p, check.Check{Name: "test.small", Lang: "java", Run: []string{"bash", "-ec", "javac -encoding UTF-8 -d out *.java; java -ea -cp out Main a b"}})
	const f = "Grüße.java"
	expect(t, p, s, []want{
		{name: "right", path: f, was: "compareTo(b) < 0", is: "compareTo(b) > 0", plausible: true, healed: 1},
		{name: "type error", path: f, was: "compareTo(b) < 0", is: "compareTo(b).x() < 0 /* 😀 */", note: "does not compile"},
		{name: "the same, otherwise", path: f, was: "if (u.compareTo(b) < 0) b = u;", is: "{ if (b.compareTo(u) <= 0) b = u; }", plausible: true, healed: 1},
		{name: "generic", path: f, was: "return f.apply(wert);", is: "return null;", note: "still fails"},
		{name: "constructor", path: f, was: "this.wert = wert;", is: "this.wert = null;", note: "still fails"},
		{name: "switch", path: f, was: "yield n;", is: "yield n + 1;", note: "still fails"},
		{name: "lambda that never ends", path: f, was: "while (i < 3) i++;", is: "while (i < 3) ;", note: "did not end"},
		{name: "loop that never ends", path: f, was: "while (false)", is: "while (n > -1)", note: "did not end"},
		{name: "constant", path: f, was: "= \"h", is: "= \"hh", note: "still fails"},
		{name: "final parameter", path: f, was: "do n();", is: "n = 1; do n();", note: "does not compile"},
	})
}

// A class that is called System is not the machine's: calls of its exit are woven wrongly; it is noticed that the check then
// passes, and each candidate is run by itself.
func TestSlow(t *testing.T) {
	needJava(t)
	p := lay(t, `
-- Sum.java --
class Sum {
    static class System {
        static void exit(int sum) { if (sum == 0) throw new IllegalStateException("the sum is nothing"); }
    }
    static void check() { System.exit(1 - 1); }
}
-- Main.java --
public class Main {
    public static void main(String[] args) { Sum.check(); Runtime.getRuntime().exit(0); }
}
`)
	s := one(t, p, check.Check{Name: "test", Run: []string{"sh", "-c", "javac -d out Sum.java Main.java && java -cp out Main"}})
	trials := try(t, s, slices.Values([]edit.Patch{replace(t, p, "Sum.java", "1 - 1", "2 - 2"), replace(t, p, "Sum.java", "1 - 1", "1 + 1"), replace(t, p, "Sum.java", "1 - 1", "x")}))
	if s.Slow() == "" || trials[0].Plausible || !trials[0].Built || !trials[1].Plausible || trials[2].Built {
		t.Errorf("%q %+v", s.Slow(), trials)
	}
}

// Stopping early, or ending the context, leaves nothing behind; the suite can be used again.
func TestStopped(t *testing.T) {
	needJava(t)
	p := lay(t, program)
	s := one(t, p, programCheck)
	endless := func(yield func(edit.Patch) bool) {
		for i := 0; yield(replace(t, p, "Solution.java", "int i = 0;", fmt.Sprintf("int i = %d;", i))); i++ {
		}
	}
	n := 0
	for _, err := range s.TryAll(t.Context(), endless) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n == 60 {
			break
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var last error
	for _, err := range s.TryAll(ctx, endless) {
		last = err
		cancel()
	}
	if !errors.Is(last, context.Canceled) {
		t.Errorf("the last error is %v", last)
	}
	expect(t, p, s, []want{{name: "after that", path: "Solution.java", was: "{\n                depth++;", is: "{\n                depth--;", plausible: true, healed: 1}})
}

// A test that passes is nothing to search for.
func TestNothingFails(t *testing.T) {
	needJava(t)
	p := lay(t, strings.Replace(program, "{\n                depth++;", "{\n                depth--;", 1))
	s := one(t, p, programCheck)
	if _, err := s.Trace(t.Context(), runner.TraceOptions{}); err == nil || !strings.Contains(err.Error(), "pass when they are run on their own") {
		t.Errorf("%v", err)
	}
}

func TestTakes(t *testing.T) {
	h := jvm.New()
	for _, c := range []struct {
		check check.Check
		want  bool
	}{
		{programCheck, true},
		{mavenCheck, true},
		{gradleCheck, true},
		{check.Check{Name: "test", Lang: "java", Parser: "java-junit", Run: []string{"./run-tests"}, Reports: []string{"*.xml"}}, true},
		{check.Check{Name: "test", Run: []string{"java", "-cp", "out", "Main"}}, true},
		{check.Check{Name: "test", Run: []string{"sh", "-c", "javac *.java && X=1 exec java Main x;"}}, true},
		{check.Check{Name: "test", Run: []string{"sh", "-c", "javac *.java && java Main | diff - want"}}, false},
		{check.Check{Name: "test", Run: []string{"sh", "-c", "java Main && echo fine"}}, false},
		{check.Check{Name: "test", Run: []string{"java", "Main.java"}}, false},
		{check.Check{Name: "build", Parser: "maven", Run: []string{"mvn", "compile"}}, false},
		{check.Check{Name: "test", Lang: "python", Run: []string{"java", "Main"}}, false},
		{check.Check{Name: "test", Lang: "go", Parser: "gotest", Run: []string{"go", "test", "./..."}}, false},
	} {
		if got := h.Takes(c.check); got != c.want {
			t.Errorf("%v %s: %v", c.check.Run, c.check.Parser, got)
		}
	}
}

// A library that the build fetched in a private copy is not there when its tests are to run again: what to do is said.
func TestLibraryGone(t *testing.T) {
	needJava(t)
	p := lay(t, program)
	library := filepath.Join(t.TempDir(), "solution.jar")
	c := check.Check{Name: "test", Run: []string{"sh", "-c", "mkdir -p out lib && javac -d lib Solution.java && jar cf " + library +
		" -C lib . && javac -cp lib -d out Main.java && java -cp out:" + library + " Main"}}
	s := one(t, p, c)
	if err := os.Remove(library); err != nil {
		t.Fatal(err)
	}
	_, err := s.Trace(t.Context(), runner.TraceOptions{})
	if err == nil || !strings.Contains(err.Error(), "("+library+"): run it once yourself, and it stays: sh -c") {
		t.Errorf("%v", err)
	}
}

// What fills all memory is traced as far as it comes with less: else nobody would know where to search.
func TestTracesWhatFillsMemory(t *testing.T) {
	needJava(t)
	p := lay(t, `
-- Solution.java --
import java.util.*;

class Solution {
    static List<Integer> even(int from, int to) {
        List<Integer> all = new ArrayList<>();
        for (int i = from; i <= to; i -= 2) {
            all.add(i);
        }
        return all;
    }
}
-- Main.java --
public class Main {
    public static void main(String[] args) {
        if (Solution.even(2, 8).size() != 4) throw new AssertionError();
    }
}
`)
	c := check.Check{Name: "test", Run: []string{"sh", "-c", "mkdir -p out && javac -d out Solution.java Main.java && java -Xmx32m -cp out Main"}}
	s := one(t, p, c)
	trace, err := s.Trace(t.Context(), runner.TraceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(trace.Runs) != 1 || !slices.ContainsFunc(trace.Runs[0].Lines, func(l runner.Lines) bool { return l.File == "Solution.java" && l.Line == 7 }) {
		t.Errorf("%+v", trace)
	}
	for trial, err := range s.TryAll(t.Context(), slices.Values([]edit.Patch{replace(t, p, "Solution.java", "i -= 2", "i += 2")})) {
		if err != nil || !trial.Plausible {
			t.Errorf("%+v, %v", trial, err)
		}
	}
}
