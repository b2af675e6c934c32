package jvm_test

import (
	"slices"
	"testing"

	"fettle/internal/check"
	"fettle/internal/runner"
	"fettle/internal/testenv"
)

const pom5 = `
-- pom.xml --
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>com.x</groupId>
  <artifactId>shop</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.release>17</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency>
      <groupId>org.junit.jupiter</groupId>
      <artifactId>junit-jupiter</artifactId>
      <version>5.11.4</version>
      <scope>test</scope>
    </dependency>
  </dependencies>
  <build>
    <plugins>
      <plugin>
        <artifactId>maven-resources-plugin</artifactId>
        <version>3.3.1</version>
      </plugin>
      <plugin>
        <artifactId>maven-compiler-plugin</artifactId>
        <version>3.13.0</version>
      </plugin>
      <plugin>
        <artifactId>maven-surefire-plugin</artifactId>
        <version>3.5.2</version>
        <configuration>
          <systemPropertyVariables>
            <shop.currency>EUR</shop.currency>
          </systemPropertyVariables>
        </configuration>
      </plugin>
    </plugins>
  </build>
</project>
`

const shop = pom5 + `
-- src/main/java/com/x/Calc.java --
package com.x;

public class Calc {
  private final int base;
  private int uses;

  public Calc(int base) {
    this.base = base;
    this.uses = 0;
  }

  public Calc() { this(1); }

  public int add(int a, int b) { uses++; return a - b; }
  public int add(int... all) {
    int sum = 0;
    for (int x : all) sum += x;
    return sum;
  }
  public int div(int a, int b) { return a / b; }
  public int base() { return base; }
  public String price(int n) { return n + System.getProperty("shop.currency", "?"); }

  public Runnable later(int[] out) {
    return () -> {
      class Box { int v = 1; int get() { return v; } }
      out[0] = new Box().get();
    };
  }

  interface Rate {
    int rate();
    default int twice() { return rate() + rate(); }
    static Rate of(int n) { return () -> n; }
  }

  enum Size implements Rate {
    SMALL(1), BIG(2) { @Override public int rate() { return 20; } };
    private final int n;
    Size(int n) { this.n = n; }
    @Override public int rate() { return n; }
  }
}
-- src/test/java/com/x/CalcTest.java --
package com.x;

import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CalcTest {
  private Calc calc;
  @BeforeEach void make() { calc = new Calc(); }
  @Test void adds() { assertEquals(3, calc.add(1, 2)); }
  @ParameterizedTest @ValueSource(ints = {0, 1}) void same(int n) { assertEquals(n + n, calc.add(n, n)); }
  @Test void many() { assertEquals(6, calc.add(1, 2, 3)); }
  @Test void divides() { assertEquals(2, calc.div(4, 2)); }
  @Test void base() { assertEquals(1, calc.base()); }
  @Test @DisplayName("a price has a currency") void price() { assertEquals("5EUR", calc.price(5)); }
  @Test @Disabled void later() { fail(); }
  @Test void runs() { int[] out = new int[1]; calc.later(out).run(); assertEquals(1, out[0]); }
  @Test void subtracts() { assertEquals(-1, calc.add(-1, 0)); }
  @Nested class Rates {
    @Test void twice() { assertEquals(2, Calc.Size.SMALL.twice()); assertEquals(40, Calc.Size.BIG.twice()); assertEquals(6, Calc.Rate.of(3).twice()); }
    @Test void zero() { assertThrows(ArithmeticException.class, () -> calc.div(1, 0)); }
  }
}
`

var mavenCheck = check.Check{
	Name: "test", Lang: "java", Run: []string{"mvn", "-B", "-ntp", "--fail-at-end", "-Dmaven.test.failure.ignore", "-DtrimStackTrace=false", "test"}, Parser: "maven",
	Reports: []string{"**/target/surefire-reports/TEST-*.xml"},
}

func TestJUnit5(t *testing.T) {
	testenv.NeedMaven(t)
	p := lay(t, shop)
	s := one(t, p, mavenCheck)
	if got := s.Failing(); len(got) != 2 || got[0] != "com.x.CalcTest#adds" || got[1] != "com.x.CalcTest#same(int)[2]" {
		t.Errorf("failing: %v", got)
	}
	trace, err := s.Trace(t.Context(), runner.TraceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	const f = "src/main/java/com/x/Calc.java"
	lineRun := map[string][]int{ // lines that run
		"com.x.CalcTest#adds": {8, 9, 14}, "com.x.CalcTest#same(int)[2]": {8, 9, 14}, "com.x.CalcTest#many": {8, 9, 16, 17, 18},
		"com.x.CalcTest#runs": {8, 9, 25, 26, 27}, "com.x.CalcTest$Rates#twice": {8, 9, 33, 34, 38, 40, 41},
	}
	if len(trace.Runs) != 11 {
		t.Errorf("%d tests were traced", len(trace.Runs))
	}
	for _, r := range trace.Runs {
		var lines []int
		for _, l := range r.Lines {
			if l.File == f && l.Line == l.EndLine {
				lines = append(lines, l.Line)
			}
		}
		if w := lineRun[r.ID]; !r.Exact || w != nil && !slices.Equal(lines, w) {
			t.Errorf("%s ran %v, want %v", r.ID, r.Lines, w)
		}
		if r.Failed != slices.Contains(s.Failing(), r.ID) || r.Failed && (len(r.Frames) != 1 || r.Frames[0].File != "src/test/java/com/x/CalcTest.java") {
			t.Errorf("%s: failed %v at %v", r.ID, r.Failed, r.Frames)
		}
	}
	expect(t, p, s, []want{
		{name: "right", path: f, was: "a - b", is: "a + b", plausible: true, healed: 2},
		{name: "one of both", path: f, was: "a - b", is: "3", note: "still fails", healed: 1, broken: 2},
		{name: "overload", path: f, was: "return a - b", is: "return add(new int[] {a, b})", plausible: true, healed: 2},
		{name: "constructor", path: f, was: "this.base = base;", is: "this.base = base + 1;", note: "still fails"},
		{name: "constructor without a value", path: f, was: "this.base = base;", is: "", note: "still fails"},
		{name: "default method", path: f, was: "rate() + rate()", is: "rate()", note: "still fails"},
		{name: "field", path: f, was: "private int uses;", is: "private int uses = 1;", note: "still fails"},
		{name: "checked exception", path: f, was: "{ uses++; return a - b; }", is: "{ uses++; if (a > b) throw new Exception(); return a - b; }", note: "does not compile"},
		{name: "varargs", path: f, was: "sum += x", is: "sum -= x", note: "still fails"},
		{name: "enum", path: f, was: "{ this.n = n; }", is: "{ this.n = -n; }", note: "still fails"},
		{name: "exit", path: f, was: "{ uses++; return a - b; }", is: "{ System.exit(0); return a - b; }", note: "ended the machine"},
		{name: "signature", path: f, was: "public int add(int a, int b) { uses++; return a - b; }", is: "public int add(int a, int... b) { uses++; return a + b[0]; }", note: "does not compile"},
	})
}
