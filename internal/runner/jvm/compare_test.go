package jvm_test

import (
	"slices"
	"strings"
	"testing"

	"fettle/internal/check"
	"fettle/internal/edit"
	"fettle/internal/runner"
)

const rivals = `
-- shop/Shop.java --
package shop;

import java.util.*;

class Shop {
    static int calls;

    // Where x belongs in what is in order.
    static int position(int x, List<Integer> in) {
        for (int i = 0; i < in.size(); i++) {
            if (in.get(i) > x) return i;
        }
        return in.size();
    }

    static void sort(int... in) {
        for (int i = 0; i < in.length; i++) {
            for (int j = i; j > 0 && in[j] > in[j - 1]; j--) {
                int x = in[j]; in[j] = in[j - 1]; in[j - 1] = x;
            }
        }
    }

    static int halve(int n) {
        int k = 0;
        while (n > 0) { n /= 3; k++; }
        return k;
    }

    static int count(int by) { return ++calls + by - 1; }

    static <T extends Comparable<T>> Map<T, List<String>> index(Map<String, T> by, char mark) {
        Map<T, List<String>> out = new HashMap<>();
        for (Map.Entry<String, T> e : by.entrySet()) {
            out.computeIfAbsent(e.getValue(), k -> new ArrayList<>()).add(mark + e.getKey());
        }
        return out;
    }

    static Runnable later(int n) { return () -> count(n); }

    static int with(java.util.function.IntUnaryOperator f) { return f.applyAsInt(2); }
}
-- shop/Till.java --
package shop;

import java.util.*;

class Till {
    static final Node END = new Node(0, null);
    enum Kind { CASH, CARD }
    static class Node {
        final int value; Node next;
        Node(int value, Node next) { this.value = value; this.next = next; }
    }
    record Span(int from, int to) {
        Span { if (from > to) throw new IllegalArgumentException("upside down"); }
        boolean has(int n) { return n > from && n < to; }
    }

    private final Kind kind;
    private final Object lock = new Object();
    private Node first = END;
    private int sum;

    Till(Kind kind) { this.kind = kind; }

    int add(int value) {
        synchronized (lock) {
            if (value < 0) throw new IllegalArgumentException();
            first = new Node(value, first);
            sum += kind == Kind.CARD ? value - 1 : value;
            return sum;
        }
    }

    Optional<Integer> find(int value) {
        int at = 1;
        for (Node n = first; n != END; n = n.next, at++) if (n.value == value) return Optional.of(at);
        return Optional.empty();
    }
}
-- shop/Main.java --
package shop;

import java.util.*;

public class Main {
    static int wrong;

    static void same(Object got, Object want) { if (!got.equals(want)) wrong++; }

    public static void main(String[] args) {
        same(Shop.position(5, List.of(1, 5, 9)), 1);
        same(Shop.position(2, Arrays.asList(1, 5, 9)), 1);
        same(Shop.position(0, new ArrayList<>(List.of(1, 5))), 0);
        same(Shop.position(7, List.of(1, 2, 3, 4)), 4);
        same(Shop.position(3, List.of()), 0);
        int[] in = {3, 1, 2};
        Shop.sort(in);
        same(in[0], 1);
        same(in[2], 3);
        Shop.sort(5, 4, 4);
        for (int[] c : new int[][] {{0, 0}, {1, 1}, {5, 3}, {9, 4}, {12, 4}}) same(Shop.halve(c[0]), c[1]);
        same(Shop.count(1), 1);
        same(Shop.count(1), 2);
        same(Shop.index(new TreeMap<>(Map.of("a", 1, "b", 2, "c", 1)), '-'), Map.of(1, List.of("-a", "-c"), 2, List.of("-b")));
        Shop.later(3).run();
        same(Shop.with(n -> n + 1), 4);
        for (int n = 0; n < 4; n++) same(new Till.Span(1, 3).has(n), n > 0 && n < 3);
        Till till = new Till(Till.Kind.CARD);
        same(till.add(3), 3);
        same(till.add(0), 3);
        same(till.add(4), 7);
        same(till.find(3), Optional.of(3));
        same(till.find(5), Optional.empty());
        if (wrong > 0) throw new AssertionError(wrong);
    }
}
`

var rivalsCheck = check.Check{Name: "test", Run: []string{"sh", "-c", "javac -d out shop/*.java && java -cp out shop.Main"}}

// compare holds patches of a file against one another, each of which puts something else in the place of the same.
func compare(t *testing.T, p place, s runner.Suite, path, was string, is ...string) (runner.Comparison, []edit.Patch) {
	t.Helper()
	patches := make([]edit.Patch, len(is))
	for i := range is {
		patches[i] = replace(t, p, path, was, is[i])
	}
	got, err := s.(runner.Comparer).Compare(t.Context(), patches, nil)
	if err != nil || len(got.Answers) != len(patches) {
		t.Fatal(len(got.Answers), err)
	}
	return got, patches
}

func same(c runner.Comparison, i, j int) bool {
	return slices.EqualFunc(c.Answers[i], c.Answers[j], func(a, b runner.Answer) bool { return a.Digest == b.Digest })
}

// Patches that do the same are told from those that part ways on inputs that no test has, but only on such as the tests' own are like. What throws
// something, ends the program or never ends is an answer.
func TestCompare(t *testing.T) {
	needJava(t)
	p := lay(t, rivals)
	s := one(t, p, rivalsCheck)
	const shop, till = "shop/Shop.java", "shop/Till.java"
	for _, c := range []struct {
		name, path, was string
		is              []string // the second one does the same as the first, no other one does
		never           string   // no input holds it
		said            []string // some answer begins so
		input           string   // some input is
	}{
		{"a static method", shop, "in.get(i) > x", []string{"in.get(i) >= x", "!(in.get(i) < x)", "in.get(i) >= x && x < 9", "in.get(i) >= x || x > 9 && in.get(99) > 0"},
			"-", []string{"0", "throws IndexOutOfBoundsException"}, "position(5, [1, 5, 9])"},
		{"one that ends the program", shop, "if (in.get(i) > x) return i;", []string{"if (in.get(i) >= x) return i;", "if (x <= in.get(i)) return i;", "if (in.get(i) >= x) return i; if (x == 8) System.exit(4);"},
			"-", []string{"ends the program with 4"}, "position(3, [])"},
		{"what never ends", shop, "n /= 3", []string{"n /= 2", "n >>= 1", "n = n / 2 + n / 16 * 8"}, "-", []string{"no end"}, "halve(12)"},
		{"what is changed in place", shop, "in[j] > in[j - 1]", []string{"in[j] < in[j - 1]", "in[j] <= in[j - 1]", "in[j] < in[j - 1] && j < 4"}, "-", []string{"leaves ([1, 2, 3])"}, "sort([3, 1, 2])"},
		{"generic", shop, "mark + e.getKey()", []string{`"" + mark + e.getKey()`, "String.valueOf(mark).concat(e.getKey())", `mark + (by.size() < 3 ? "" : e.getKey())`},
			"", []string{`{1=["-a", "-c"], 2=["-b"]}`}, `index({"a"=1, "b"=2, "c"=1}, '-')`},
		{"of a record", till, "n > from", []string{"n >= from", "from <= n", "n != from - 1"}, "-", []string{"true"}, "Span[from=1, to=3].has(2)"},
		{"of an object", till, "value - 1", []string{"value", "value + 0", "value > 9 ? 0 : value"}, "-", []string{"3"},
			"Till{kind=CARD, lock=Object, first=Node{value=0, next=null}, sum=0}.add(3)"},
		{"with what is one of a kind", till, "n != END", []string{"END != n", "!(n == END)", "n != END && n.value != 4"}, "-", []string{"Optional[]", "Optional[3]"},
			"Till{kind=CARD, lock=Object, first=Node{value=4, next=Node{value=0, next=Node{value=3, next=Node{value=0, next=null}}}}, sum=4}.find(3)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, patches := compare(t, p, s, c.path, c.was, c.is...)
			if len(got.Inputs) < 12 || !slices.Contains(got.Inputs, c.input) {
				t.Fatalf("%d inputs: %q", len(got.Inputs), got.Inputs)
			}
			for i := range patches[1:] {
				if same(got, 0, i+1) != (i == 0) {
					t.Errorf("%s and %s are the same: %t", c.is[0], c.is[i+1], i > 0)
				}
			}
			for _, said := range c.said {
				if !slices.ContainsFunc(slices.Concat(got.Answers...), func(a runner.Answer) bool { return strings.HasPrefix(a.Text, said) }) {
					t.Errorf("no answer begins with %q", said)
				}
			}
			for _, in := range got.Inputs {
				if c.never != "" && strings.Contains(in, c.never) {
					t.Errorf("%s: no test gives such", in)
				}
			}
		})
	}
}

// What is told of a method whose answers depend on more than it is given, that is given or gives what nobody can take apart, or of a constructor would be
// wrong.
func TestNotCompared(t *testing.T) {
	needJava(t)
	p := lay(t, rivals)
	s := one(t, p, rivalsCheck)
	const shop, till = "shop/Shop.java", "shop/Till.java"
	for _, c := range []struct{ name, path, was, one, two string }{
		{"counts its calls", shop, "by - 1", "by - 1 + 0", "-1 + by"},
		{"is given a function", shop, "f.applyAsInt(2)", "f.applyAsInt(2 + 0)", "0 + f.applyAsInt(2)"},
		{"gives a function", shop, "count(n)", "count(n + 0)", "count(0 + n)"},
		{"a constructor", till, "this.kind = kind", "this.kind = Kind.CASH", "this.kind = null"},
		{"outside of methods", shop, "static int calls;", "static int calls = 0;", "static int calls = 1;"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _ := compare(t, p, s, c.path, c.was, c.one, c.two)
			if len(got.Inputs) > 0 || got.Answers[0] != nil || got.Answers[1] != nil {
				t.Errorf("%d inputs: %q", len(got.Inputs), got.Inputs)
			}
		})
	}
}

// A patch of which nothing can be told is not taken for one that does the same as others where these are asked.
func TestComparedApart(t *testing.T) {
	needJava(t)
	p := lay(t, rivals)
	s := one(t, p, rivalsCheck)
	const f = "shop/Shop.java"
	patches := []edit.Patch{replace(t, p, f, "in.get(i) > x", "in.get(i) >= x"), replace(t, p, f, "by - 1", "by - 2"), replace(t, p, f, "in.get(i) > x", "x <= in.get(i)")}
	got, err := s.(runner.Comparer).Compare(t.Context(), patches, nil)
	if err != nil || len(got.Inputs) < 12 || got.Answers[1] != nil || !same(got, 0, 2) || len(got.Answers[0]) != len(got.Inputs) {
		t.Errorf("%d inputs, %v", len(got.Inputs), err)
	}
}
