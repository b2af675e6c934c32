package jvm_test

import (
	"testing"

	"fettle/internal/check"
	"fettle/internal/runner"
	"fettle/internal/testenv"
)

const gradleShop = `
-- settings.gradle --
rootProject.name = 'shop'
include 'calc', 'app'
-- build.gradle --
subprojects {
  apply plugin: 'java'
  sourceCompatibility = 8
  targetCompatibility = 8
  repositories { mavenCentral() }
  dependencies { testImplementation 'junit:junit:4.13.2' }
}
-- calc/src/main/java/com/x/Calc.java --
package com.x;

import java.util.ArrayList;
import java.util.List;

public class Calc {
  private static final List<Integer> SEEN = new ArrayList<>();

  public int add(int a, int b) { return a - b; }
  public int seen(int n) {
    if (!SEEN.contains(n)) SEEN.add(n);
    return SEEN.size();
  }
}
-- calc/src/test/java/com/x/CalcTest.java --
package com.x;

import static org.junit.Assert.*;

import java.util.Arrays;
import org.junit.Ignore;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

public class CalcTest {
  @Test public void adds() { assertEquals(3, new Calc().add(1, 2)); }
  @Test public void fine() { assertEquals(1, new Calc().add(1, 0)); }
  @Test public void counts() { assertEquals(1, new Calc().seen(5)); }
  @Test @Ignore public void later() { fail(); }

  @RunWith(Parameterized.class)
  public static class Pairs {
    @Parameterized.Parameters public static Iterable<Object[]> data() { return Arrays.asList(new Object[] {0}, new Object[] {2}); }
    private final int n;
    public Pairs(int n) { this.n = n; }
    @Test public void twice() { assertEquals(n + n, new Calc().add(n, n)); }
  }
}
-- app/build.gradle --
dependencies { compile project(':calc') }
-- app/src/test/java/com/x/app/AppTest.java --
package com.x.app;

import org.junit.Assert;
import org.junit.Test;

public class AppTest {
  @Test public void sums() { Assert.assertEquals(5, new com.x.Calc().add(2, 3)); }
}
`

var gradleCheck = check.Check{
	Name: "test", Lang: "java", Parser: "gradle", Reports: []string{"**/build/test-results/**/TEST-*.xml"},
	Run: []string{"gradle", ":calc:cleanTest", ":calc:test", ":app:cleanTest", ":app:test", "--continue", "--no-daemon", "--no-build-cache", "--console=plain"},
}

// JUnit 4 under Gradle, in two modules: each has a machine of its own, and that of the second runs the sources of the first.
func TestGradle(t *testing.T) {
	testenv.NeedGradle(t)
	needJava(t)
	p := lay(t, gradleShop)
	all := suites(t, p, gradleCheck)
	if len(all) != 2 {
		t.Fatalf("%d suites", len(all))
	}
	const f = "calc/src/main/java/com/x/Calc.java"
	for i, failing := range []int{2, 1} {
		if got := all[i].Failing(); len(got) != failing || !all[i].Owns(f) {
			t.Errorf("%s: %v", all[i].Name(), got)
		}
	}
	trace, err := all[0].Trace(t.Context(), runner.TraceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range trace.Runs {
		if !r.Exact || r.Failed && len(r.Frames) == 0 || len(r.Lines) == 0 {
			t.Errorf("%+v", r)
		}
	}
	expect(t, p, all[0], []want{
		{name: "leaves something behind", path: f, was: "return a - b;", is: "seen(a); return b;", note: "still fails"},
		{name: "right", path: f, was: "return a - b;", is: "return a + b;", plausible: true, healed: 2},
		{name: "wrong", path: f, was: "return a - b;", is: "return a * b;", note: "still fails", healed: 1, broken: 1},
	})
	expect(t, p, all[1], []want{
		{name: "wrong", path: f, was: "return a - b;", is: "return a / b;", note: "still fails"},
		{name: "right", path: f, was: "return a - b;", is: "return b + a;", plausible: true, healed: 1},
	})
}
