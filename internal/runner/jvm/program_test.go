package jvm_test

import (
	"testing"

	"fettle/internal/check"
	"fettle/internal/runner"
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
	t.Log(trace.Runs[0].Lines, trace.Runs[0].Frames)
	const f = "Solution.java"
	expect(t, p, s, []want{
		{name: "wrong", path: f, was: "int depth = 0, most = 0", is: "int depth = 1, most = 0", note: "still fails"},
		{name: "right", path: f, was: "{\n                depth++;", is: "{\n                depth--;", plausible: true, healed: 1},
		{name: "type error", path: f, was: "int depth = 0, most = 0", is: "String depth = 0, most = 0", note: "does not compile"},
		{name: "no Java", path: f, was: "int depth = 0, most = 0", is: "int depth = ((0, most = 0", note: "does not compile"},
		{name: "no return", path: f, was: "return most;", is: ";", note: "does not compile"},
		{name: "endless", path: f, was: "            i++;", is: "", note: "did not end"},
		{name: "endless in any case", path: f, was: "int depth = 0, most = 0;", is: "int depth = 0, most = 0; while (most >= 0) { try { most++; if (most == 5) most = 0; } catch (Throwable t) { } }", note: "did not end"},
		{name: "exit with zero", path: f, was: "int depth = 0, most = 0;", is: "int depth = 0, most = 0; System.exit(0);", plausible: true, healed: 1},
		{name: "exit with one", path: f, was: "int depth = 0, most = 0;", is: "int depth = 0, most = 0; System.exit(1);", note: "still fails"},
		{name: "really ends the machine", path: f, was: "int depth = 0, most = 0;", is: "int depth = 0, most = 0; Runtime r = Runtime.getRuntime(); r.halt(1);", note: "ended with it"},
		{name: "waits for ever", path: f, was: "int depth = 0, most = 0;", is: "int depth = 0, most = 0; try { new Object() { synchronized void w() throws InterruptedException { wait(); } }.w(); } catch (InterruptedException e) { }", note: "in time"},
		{name: "eats memory", path: f, was: "int depth = 0, most = 0;", is: "int depth = 0, most = 0; StringBuilder b = new StringBuilder(\"xx\"); while (most == 0) b.append(b);", note: "memory"},
		{name: "recursion", path: f, was: "int depth = 0, most = 0;", is: "int depth = depth(s), most = 0;", note: "still fails"},
		{name: "declaration", path: f, was: "calls = 0;", is: "calls = 1;", note: "still fails"},
		{name: "right again", path: f, was: "{\n                depth++;", is: "{\n                depth -= 1;", plausible: true, healed: 1},
	})
}
