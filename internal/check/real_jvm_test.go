package check_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fettle/internal/check"
	"fettle/internal/check/parse"
	"fettle/internal/diag"
	"fettle/internal/testenv"
)

const sickMaven = `
-- pom.xml --
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>com.x</groupId>
  <artifactId>shop</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <modules>
    <module>calc</module>
    <module>app</module>
  </modules>
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
      </plugin>
      <plugin>
        <artifactId>maven-checkstyle-plugin</artifactId>
        <version>3.6.0</version>
        <executions>
          <execution>
            <id>style</id>
            <phase>validate</phase>
            <goals>
              <goal>check</goal>
            </goals>
            <configuration>
              <configLocation>checkstyle.xml</configLocation>
            </configuration>
          </execution>
        </executions>
      </plugin>
      <plugin>
        <groupId>com.diffplug.spotless</groupId>
        <artifactId>spotless-maven-plugin</artifactId>
        <version>2.43.0</version>
        <configuration>
          <java>
            <trimTrailingWhitespace />
            <endWithNewline />
          </java>
        </configuration>
      </plugin>
    </plugins>
  </build>
</project>
-- checkstyle.xml --
<?xml version="1.0"?>
<!DOCTYPE module PUBLIC "-//Checkstyle//DTD Checkstyle Configuration 1.3//EN" "https://checkstyle.org/dtds/configuration_1_3.dtd">
<module name="Checker">
  <module name="TreeWalker">
    <module name="UnusedImports"/>
  </module>
</module>
-- calc/pom.xml --
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <parent>
    <groupId>com.x</groupId>
    <artifactId>shop</artifactId>
    <version>1</version>
  </parent>
  <artifactId>shop-calc</artifactId>
</project>
-- calc/src/main/java/com/x/Calc.java --
package com.x;

import java.util.List;

public class Calc {
  public int add(int a, int b) { return a - b; }   
  public int div(int a, int b) { return a / b; }
}
-- calc/src/test/java/com/x/CalcTest.java --
package com.x;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CalcTest {
  @Test void adds() { assertEquals(3, new Calc().add(1, 2)); }
  @Test void fine() { assertEquals(2, new Calc().div(4, 2)); }
  @Test @Disabled void later() {}
  @ParameterizedTest @ValueSource(ints = {0, 1}) void same(int n) { assertEquals(n + n, new Calc().add(n, n)); }
  @Nested class Inner { @Test void deep() { assertEquals(0, new Calc().div(1, 0)); } }
}
-- app/pom.xml --
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <parent>
    <groupId>com.x</groupId>
    <artifactId>shop</artifactId>
    <version>1</version>
  </parent>
  <artifactId>shop-app</artifactId>
  <dependencies>
    <dependency>
      <groupId>com.x</groupId>
      <artifactId>shop-calc</artifactId>
      <version>1</version>
    </dependency>
  </dependencies>
</project>
-- app/src/test/java/com/x/app/AppTest.java --
package com.x.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.x.Calc;
import org.junit.jupiter.api.Test;

class AppTest {
  @Test void crosses() { assertEquals(0, new Calc().div(1, 0)); }
  @Test void fine() {}
}
`

func TestRealMaven(t *testing.T) {
	testenv.NeedMaven(t)
	p := newPlace(t, sickMaven)
	checks, results := discovered(t, p, check.RunOptions{})
	test := results["test"]
	for id, want := range map[string]parse.Outcome{
		"com.x.CalcTest#adds": parse.Fail, "com.x.CalcTest#fine": parse.Pass, "com.x.CalcTest#later": parse.Skip, "com.x.CalcTest#same(int)[1]": parse.Pass,
		"com.x.CalcTest#same(int)[2]": parse.Fail, "com.x.CalcTest$Inner#deep": parse.Fail, "com.x.app.AppTest#crosses": parse.Fail, "com.x.app.AppTest#fine": parse.Pass,
	} {
		if test.Tests[id] != want {
			t.Errorf("%s: %q, want %q", id, test.Tests[id], want)
		}
	}
	if test.Status != check.Failed || len(test.Diagnostics) != 4 {
		t.Errorf("test: %s %s %+v", test.Status, test.Reason, test.Diagnostics)
	}
	for _, d := range test.Diagnostics {
		if d.Test == "com.x.app.AppTest#crosses" && (d.File != "calc/src/main/java/com/x/Calc.java" || len(d.Frames) != 2 || d.Dir != "app") {
			t.Errorf("frames of two modules: %+v", d)
		}
	}
	if lint := results["lint.checkstyle"]; lint.Status != check.Failed || len(lint.Diagnostics) != 1 || lint.Diagnostics[0].Rule != "UnusedImports" ||
		lint.Diagnostics[0].Excerpt != "import java.util.List;" {
		t.Errorf("checkstyle: %+v", lint)
	}
	format := results["format.spotless"]
	if format.Status != check.Failed || files(format.Diagnostics) != "calc/src/main/java/com/x/Calc.java" || format.Tests != nil {
		t.Errorf("spotless: %+v", format)
	}
	runArgv(t, p, checks["format.spotless"].Fix[0])
	if b, err := p.ReadFile("calc/src/main/java/com/x/Calc.java"); err != nil || strings.Contains(string(b), " \n") {
		t.Errorf("spotless's fix left %q, %v", b, err)
	}
	narrowMaven(t, p, checks["test"], test)
}

// narrowMaven runs single tests: the same ones fail, and nothing else runs.
func narrowMaven(t *testing.T, p place, c check.Check, whole check.Result) {
	var targets []check.Target
	for _, arg := range []string{"com.x.CalcTest#adds", "com.x.CalcTest#same(int)[2]", "com.x.CalcTest$Inner#deep", "app/src/test/java/com/x/app/AppTest.java"} {
		target, ok, err := check.ParseTarget(p.root, arg)
		if !ok || err != nil {
			t.Errorf("%s: %v %v", arg, ok, err)
		}
		targets = append(targets, target)
	}
	one, ok := c.Narrow(targets...)
	r := runOne(t, p, one, check.RunOptions{})
	want := []string{"com.x.CalcTest#adds", "com.x.CalcTest#same(int)[1]", "com.x.CalcTest#same(int)[2]", "com.x.CalcTest$Inner#deep",
		"com.x.app.AppTest#crosses", "com.x.app.AppTest#fine"}
	if !ok || len(r.Tests) != len(want) {
		t.Errorf("%v: %s %s %v %s", one.Run, r.Status, r.Reason, r.Tests, r.Tail)
	}
	for _, id := range want {
		if r.Tests[id] != whole.Tests[id] {
			t.Errorf("%s is %q alone", id, r.Tests[id])
		}
	}
}

func TestRealMavenThatDoesNotCompile(t *testing.T) {
	testenv.NeedMaven(t)
	p := newPlace(t, strings.ReplaceAll(sickMaven, "return a / b;", "return a / c;"))
	checks, _, err := check.Discover(t.Context(), p.root)
	if err != nil || checks[0].Name != "test" {
		t.Fatal(checks, err)
	}
	c := checks[0]
	if r := runOne(t, p, c, check.RunOptions{}); r.Status != check.Failed || len(r.Diagnostics) != 1 || files(r.Diagnostics) != "calc/src/main/java/com/x/Calc.java" ||
		r.Diagnostics[0].Range.Start.Column != 45 || r.Diagnostics[0].Masks != diag.MasksCheck {
		t.Errorf("%+v", r)
	}
	c.Run = append(c.Run, "-o", "no-such-phase")
	if r := runOne(t, p, c, check.RunOptions{}); r.Status != check.Broken || !strings.Contains(r.Reason, "no-such-phase") {
		t.Errorf("wrong use: %s %s %+v", r.Status, r.Reason, r.Diagnostics)
	}
}

const sickGradle = `
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

public class Calc {
  public int add(int a, int b) { return a - b; }
}
-- calc/src/test/java/com/x/CalcTest.java --
package com.x;

import static org.junit.Assert.assertEquals;

import org.junit.Ignore;
import org.junit.Test;

public class CalcTest {
  @Test public void adds() { assertEquals(3, new Calc().add(1, 2)); }
  @Test public void fine() { assertEquals(1, new Calc().add(2, 1)); }
  @Test @Ignore public void later() {}
}
-- app/build.gradle --
dependencies { compile project(':calc') }
-- app/src/test/java/com/x/app/AppTest.java --
package com.x.app;

public class AppTest {
  @org.junit.Test public void fine() { new com.x.Calc(); }
}
`

func TestRealGradle(t *testing.T) {
	testenv.NeedGradle(t)
	p := newPlace(t, sickGradle)
	checks, results := discovered(t, p, check.RunOptions{})
	test := results["test"]
	if test.Status != check.Failed || len(test.Tests) != 4 || test.Tests["com.x.CalcTest#adds"] != parse.Fail || test.Tests["com.x.CalcTest#later"] != parse.Skip ||
		test.Tests["com.x.app.AppTest#fine"] != parse.Pass || len(test.Diagnostics) != 1 || files(test.Diagnostics) != "calc/src/test/java/com/x/CalcTest.java" {
		t.Errorf("%+v", test)
	}
	target, ok, err := check.ParseTarget(p.root, "CalcTest#fine")
	one, narrowed := checks["test"].Narrow(target)
	r := runOne(t, p, one, check.RunOptions{})
	if !ok || err != nil || !narrowed || r.Status != check.Passed || len(r.Tests) != 1 || r.Tests["com.x.CalcTest#fine"] != parse.Pass {
		t.Errorf("one test (%v): %v %v %+v", one.Run, err, ok, r)
	}
	overwrite(t, p, "calc/src/main/java/com/x/Calc.java", "package com.x;\n\npublic class Calc {\n  int bad() { return c; }\n}\n")
	if r := runOne(t, p, checks["test"], check.RunOptions{}); r.Status != check.Failed || len(r.Diagnostics) != 1 || r.Diagnostics[0].Range.Start.Column != 22 ||
		r.Diagnostics[0].Masks == diag.MasksNothing {
		t.Errorf("does not compile: %+v", r)
	}
}

func overwrite(t *testing.T, p place, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(p.root, filepath.FromSlash(name)), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
