package x.y;
import java.util.*;
public class A<T> extends B implements C {
  private static final int K = 3; int[] xs = {1, 2};
  A(int a) { super(a); this.a = a; }
  @Override public List<String> f(int a, final String... b) throws E {
    int i = 0, j; String s = "a" + b[0].length();
    if (a <= i && !s.isEmpty() || s instanceof String) return null; else if (a == 1) { a++; } else { --i; }
    for (int k = 0; k < b.length; k++) { xs[k] += 1; continue; }
    for (String t : b) { foo(t, this.xs[1]); }
    while (true) { break; } do { i = j = 2; } while (i > 0);
    switch (a) { case 1: case 2: f(1); break; default: }
    int r = switch (a) { case 1 -> 2; default -> 3; };
    try (X x = new X()) { throw new E("x"); } catch (E | F e) { } finally { }
    List<Integer> l = new ArrayList<>(); int[] q = new int[3]; int[] w = new int[]{1};
    Runnable g = () -> foo(); Function h = x -> { return x; }; Object o = (int) 3.5 + 'c' + 2L; m = A::f; c = String.class;
    return a > 1 ? l : Collections.emptyList();
  }
}
