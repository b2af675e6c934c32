package jvm_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fettle/internal/check"
	"fettle/internal/runner"
	"fettle/internal/testenv"
)

// pom is a project's, with these test libraries: group:artifact:version.
func pom(libraries ...string) string {
	var b strings.Builder
	for _, l := range libraries {
		of := strings.Split(l, ":")
		fmt.Fprintf(&b, "    <dependency><groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version><scope>test</scope></dependency>\n", of[0], of[1], of[2])
	}
	return strings.Replace(pomText, "LIBRARIES\n", b.String(), 1)
}

const pomText = `
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
LIBRARIES
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

const jupiter = "org.junit.jupiter:junit-jupiter:5.11.4"

var shop = pom(jupiter) + `
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
	got, _ := compare(t, p, s, f, "return a - b", "return a + b", "return add(new int[] {a, b})", "return a + b + (a > 2 ? 1 : 0)")
	if len(got.Inputs) < 12 || !slices.Contains(got.Inputs, "Calc{base=1, uses=0}.add(1, 2)") || !same(got, 0, 1) || same(got, 0, 2) {
		t.Errorf("%d inputs: %q", len(got.Inputs), got.Inputs)
	}
}

const classic = `
-- src/main/java/com/x/Calc.java --
package com.x;

public class Calc {
  public int add(int a, int b) { return a - b; }
  public int largest(int[] all) {
    int best = all[0];
    for (int n : all) if (n > best) best = n;
    return best;
  }
}
-- src/test/java/com/x/CalcTest.java --
package com.x;

import static org.junit.Assert.*;

import org.junit.*;

public class CalcTest {
  private Calc calc;
  @Before public void make() { calc = new Calc(); }
  @Test public void adds() { assertEquals(3, calc.add(1, 2)); }
  @Test public void nothing() { assertEquals(1, calc.add(1, 0)); }
  @Test public void largest() { assertEquals(3, calc.largest(new int[] {1, 3, 2})); }
  @Test(expected = ArrayIndexOutOfBoundsException.class) public void none() { calc.largest(new int[0]); }
  @Test @Ignore public void later() { fail(); }
}
-- src/test/java/com/x/PairsTest.java --
package com.x;

import static org.junit.Assert.*;

import java.util.Arrays;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

@RunWith(Parameterized.class)
public class PairsTest {
  @Parameterized.Parameters(name = "{0}") public static Iterable<Object[]> data() { return Arrays.asList(new Object[] {0}, new Object[] {2}); }
  private final int n;
  public PairsTest(int n) { this.n = n; }
  @Test public void twice() { assertEquals(n + n, new Calc().add(n, n)); }
}
`

// JUnit 4's tests under Maven, by its own provider and by JUnit 5's platform, beside tests of JUnit 5.
func TestJUnit4(t *testing.T) {
	testenv.NeedMaven(t)
	const f = "src/main/java/com/x/Calc.java"
	failing := []string{"com.x.CalcTest#adds", "com.x.PairsTest#twice[2]"}
	for name, c := range map[string]struct {
		project string
		failing []string
	}{
		"4.13": {pom("junit:junit:4.13.2") + classic, failing},
		"vintage": {pom(jupiter, "junit:junit:4.13.2", "org.junit.vintage:junit-vintage-engine:5.11.4") + classic + `
-- src/test/java/com/x/NewTest.java --
package com.x;

import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.Test;

class NewTest {
  @Test void adds() { assertEquals(9, new Calc().add(4, 5)); }
}
`, append(slices.Clone(failing), "com.x.NewTest#adds")},
	} {
		t.Run(name, func(t *testing.T) {
			p := lay(t, c.project)
			s := one(t, p, mavenCheck)
			got := slices.Sorted(slices.Values(s.Failing()))
			slices.Sort(c.failing)
			if !slices.Equal(got, c.failing) {
				t.Errorf("failing: %v, want %v", got, c.failing)
			}
			trace, err := s.Trace(t.Context(), runner.TraceOptions{})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range trace.Runs {
				adds := slices.ContainsFunc(r.Lines, func(l runner.Lines) bool { return l.File == f && l.Line == 4 })
				if !r.Exact || r.Failed && (!adds || len(r.Frames) == 0) || r.Failed != slices.Contains(got, r.ID) {
					t.Errorf("%+v", r)
				}
			}
			expect(t, p, s, []want{
				{name: "right", path: f, was: "a - b", is: "a + b", plausible: true, healed: len(c.failing)},
				{name: "wrong", path: f, was: "a - b", is: "a * b", note: "still fails", healed: 1, broken: 1},
				{name: "does not compile", path: f, was: "a - b", is: "a - c", note: "does not compile"},
			})
		})
	}
}

// TestThreadsLeft has tests that leave threads behind. Those of a pool that wait for work do no harm, so machines go on with the next candidate; one that
// wakes by itself does, and costs the machine, but no verdict.
func TestThreadsLeft(t *testing.T) {
	testenv.NeedMaven(t)
	for name, c := range map[string]struct {
		leave string
		most  int32 // machines for a dozen candidates
	}{
		"a pool that waits":  {"Executors.newFixedThreadPool(2).submit(() -> calc.largest(new int[] {1})).get();", 6},
		"a timer that wakes": {"new Timer().schedule(new TimerTask() { public void run() { calc.add(1, 1); } }, 10000000);", 40},
	} {
		t.Run(name, func(t *testing.T) {
			leaves := strings.Replace(classic, "import org.junit.*;", "import java.util.*;\nimport java.util.concurrent.*;\nimport org.junit.*;", 1)
			leaves = strings.Replace(leaves, "void make() { calc = new Calc();", "void make() throws Exception { calc = new Calc(); "+c.leave, 1)
			p := lay(t, pom("junit:junit:4.13.2")+leaves)
			s := one(t, p, mavenCheck)
			const f = "src/main/java/com/x/Calc.java"
			all := []want{{name: "right", path: f, was: "a - b", is: "a + b", plausible: true, healed: 2}}
			for i := range 12 {
				all = append(all, want{name: "wrong", path: f, was: "a - b", is: fmt.Sprintf("a + b + %d", i+1), note: "still fails"})
			}
			expect(t, p, s, all)
			if got := p.machines.Load(); got > c.most {
				t.Errorf("%d machines were started", got)
			}
		})
	}
}
