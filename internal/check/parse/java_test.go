package parse_test

import (
	"slices"
	"testing"

	"fettle/internal/check/parse"

	"gotest.tools/v3/assert"
)

// What build tools print beside the recorded runs.
func TestJavaDialects(t *testing.T) {
	for _, tc := range []struct {
		name, format, text string
		want               []string
	}{
		{"maven and checkstyle", "maven", "[ERROR] src/main/java/com/x/Calc.java:[4,18] (misc) FinalParameters: Parameter a should be final.\n[ERROR] Failed to execute goal org.apache.maven.plugins:maven-checkstyle-plugin:3.6.0:check (default-cli) on project shop-calc: You have 1 Checkstyle violation. -> [Help 1]\n",
			[]string{`["calc/src/main/java/com/x/Calc.java",4,"FinalParameters","","","",false]`}},
		{"maven and spotless", "maven", "[ERROR] Failed to execute goal com.diffplug.spotless:spotless-maven-plugin:2.43.0:check (default-cli) on project shop-calc: The following files had format violations:\n[ERROR]     src/main/java/com/x/Calc.java\n[ERROR]         @@ -3,14 +1,42 @@\n[ERROR]         +x\n[ERROR]     ... (3 more lines that didn't fit)\n[ERROR] Violations also present in:\n[ERROR]     src/main/java/com/x/Other.java\n[ERROR] Run 'mvn spotless:apply' to fix these violations.\n[ERROR] -> [Help 1]\n[ERROR] \n[ERROR]     no/File.java\n",
			[]string{`["calc/src/main/java/com/x/Calc.java",3,"format","","","check",true]`, `["src/main/java/com/x/Other.java",0,"format","","","check",true]`}},
		{"maven and spotless, lines around the change", "maven", "[ERROR] Failed to execute goal com.diffplug.spotless:spotless-maven-plugin:2.44.3:check (default-cli) on project shop-calc: The following files had format violations:\n[ERROR]     src/main/java/com/x/Calc.java\n[ERROR]         @@ -278,4 +278,4 @@\n[ERROR]          ··a();\n[ERROR]          \n[ERROR]         -··b(  );\n[ERROR]         +··b();\n[ERROR]          }\n[ERROR] Run 'mvn spotless:apply' to fix these violations.\n",
			[]string{`["calc/src/main/java/com/x/Calc.java",280,"format","","","check",true]`}},
		{"maven's kotlin", "maven", "[ERROR] /repo/calc/src/main/kotlin/A.kt: (3, 5) Unresolved reference: x\n[ERROR] file:///repo/calc/src/main/kotlin/B.kt:3:5 Unresolved reference 'x'.\n", []string{
			`["calc/src/main/kotlin/A.kt",3,"","","calc","dir",false]`, `["calc/src/main/kotlin/B.kt",3,"","","calc","dir",false]`}},
		{"maven's warnings", "maven", "[WARNING] /repo/calc/src/main/java/com/x/Calc.java:[4,18] [unchecked] unchecked cast\n[INFO] BUILD SUCCESS\n", nil},
		{"maven's warnings are errors", "maven", "[WARNING] /repo/calc/src/main/java/com/x/Calc.java:[4,18] [unchecked] unchecked cast\n[ERROR] COMPILATION ERROR : \n[ERROR] warnings found and -Werror specified\n", []string{
			`["calc/src/main/java/com/x/Calc.java",4,"unchecked","","calc","dir",false]`}},
		{"maven's tests crash", "maven", "[ERROR] Failed to execute goal org.apache.maven.plugins:maven-surefire-plugin:3.5.2:test (default-test) on project calc: \n[ERROR] The forked VM terminated without properly saying goodbye. VM crash or System.exit called?\n[ERROR] Crashed tests:\n[ERROR] com.x.CalcTest\n[ERROR] org.apache.maven.x\n[ERROR] Crashed tests:\n[ERROR] com.x.CalcTest\n", []string{
			`["calc/src/test/java/com/x/CalcTest.java",0,"","com.x.CalcTest","calc","dir",false]`, "fail com.x.CalcTest"}},
		{"maven's tests crash and it knows not where", "maven", "[ERROR] The forked VM terminated without saying properly goodbye. VM crash or System.exit called ?\n", []string{`["",0,"surefire","","","check",false]`}},
		{"maven for another reason", "maven", "[ERROR] Failed to execute goal org.x:enforcer-maven-plugin:1.0:enforce (y) on project calc: Some rules have failed. -> [Help 1]\n", []string{`["",0,"","","","check",false]`}},
		{"maven's compiler complains and goes on", "maven", "[ERROR] /repo/calc/src/main/java/com/x/Calc.java:[4,18] unmappable character (0xC3) for encoding UTF-8\n[ERROR] Failed to execute goal org.apache.maven.plugins:maven-surefire-plugin:3.5.2:test (default-test) on project calc: There are test failures.\n", nil},
		{"maven's compiler stops in one module, tests fail in another", "maven", "[ERROR] COMPILATION ERROR : \n[ERROR] /repo/calc/src/main/java/com/x/Calc.java:[4,18] ';' expected\n[ERROR] Failed to execute goal org.apache.maven.plugins:maven-surefire-plugin:3.5.2:test (default-test) on project shop: There are test failures.\n[ERROR] Failed to execute goal org.apache.maven.plugins:maven-compiler-plugin:3.13.0:compile (default-compile) on project calc: Compilation failure\n", []string{
			`["calc/src/main/java/com/x/Calc.java",4,"","","calc","dir",false]`}},
		{"tests alone fail", "maven", "[ERROR] Failed to execute goal org.apache.maven.plugins:maven-surefire-plugin:3.5.2:test (default-test) on project calc: There are test failures.\n", nil},
		{"gradle", "gradle", "> Task :calc:compileJava FAILED\n/repo/calc/src/main/java/com/x/Calc.java:4: error: cannot find symbol\n  int a() { return c; }\n                   ^\n  symbol:   variable c\n  location: class Calc\n/repo/calc/src/main/java/com/x/Calc.java:9: warning: [removal] x\n1 error\n\nFAILURE: Build failed with an exception.\n\n* What went wrong:\nExecution failed for task ':calc:compileJava'.\n> Compilation failed; see the compiler error output for details.\n\n* Try:\nx\n", []string{
			`["calc/src/main/java/com/x/Calc.java",4,"","","calc","dir",false]`}},
		{"gradle's kotlin", "gradle", "e: file:///repo/src/main/kotlin/A.kt:3:5 Unresolved reference: x\ne: /repo/src/main/kotlin/B.kt: (3, 5): Unresolved reference: x\nw: file:///repo/src/main/kotlin/A.kt:1:1 y\n", []string{
			`["src/main/kotlin/A.kt",3,"","",".","dir",false]`, `["src/main/kotlin/B.kt",3,"","",".","dir",false]`}},
		{"gradle's script", "gradle", "FAILURE: Build failed with an exception.\n\n* Where:\nBuild file '/repo/build.gradle' line: 6\n\n* What went wrong:\nA problem occurred evaluating root project 'gr'.\n> Could not find method foo() for arguments [x] on root project 'gr'.\n\n* Try:\nRun\n", []string{
			`["build.gradle",6,"build","","","check",false]`}},
		{"gradle for two reasons", "gradle", "FAILURE: Build completed with 2 failures.\n\n1: Task failed with an exception.\n-----------\n* What went wrong:\nExecution failed for task ':calc:test'.\n> There were failing tests. See the report at: x\n\n* Try:\nx\n==============================================================================\n\n2: Task failed with an exception.\n-----------\n* What went wrong:\nExecution failed for task ':app:test'.\n> Process 'Gradle Test Executor 1' finished with non-zero exit value 3\n\n* Try:\nx\n", []string{
			`["",0,"build","","","check",false]`}},
		{"gradle and spotless", "gradle", "* What went wrong:\nExecution failed for task ':calc:spotlessJavaCheck'.\n> The following files had format violations:\n      src/main/java/com/x/Calc.java\n          @@ -1,3 +1,3 @@\n          -x\n  Run './gradlew :calc:spotlessApply' to fix these violations.\n\n* Try:\n", []string{
			`["calc/src/main/java/com/x/Calc.java",1,"format","","","",true]`}},
		{"gradle and checkstyle", "gradle", "[ant:checkstyle] [ERROR] /repo/calc/src/main/java/com/x/Calc.java:4:18: Parameter a should be final. [FinalParameters]\n[ant:checkstyle] [WARN] /repo/calc/src/main/java/com/x/Calc.java:5: x [Y]\n", []string{
			`["calc/src/main/java/com/x/Calc.java",4,"FinalParameters","","","",false]`, `["calc/src/main/java/com/x/Calc.java",5,"Y","","","",false]`}},
		{"ant's javac", "javac", "    [javac] /repo/src/A.java:3: error: ';' expected\n    [javac]   int a\n    [javac]        ^\n    [javac] 1 error\n", []string{`["src/A.java",3,"","",".","dir",false]`}},
		{"two symbols of one line", "javac", "/repo/src/A.java:3: error: cannot find symbol\n    return a() + b();\n           ^\n  symbol:   method a()\n  location: class A\n/repo/src/A.java:3: error: cannot find symbol\n    return a() + b();\n                 ^\n  symbol:   method b()\n  location: class A\n2 errors\n", []string{
			`["src/A.java",3,"","",".","dir",false]`, `["src/A.java",3,"","",".","dir",false]`}},
		{"checkstyle", "checkstyle", `<?xml version="1.0" encoding="UTF-8"?><checkstyle version="9.3"><file name="/repo/A.java"><error line="4" column="18" severity="error" message="Parameter a &amp; b" source="com.puppycrawl.tools.checkstyle.checks.FinalParametersCheck"/><error line="5" severity="ignore" message="x" source="y"/></file><file name="/elsewhere/B.java"/></checkstyle>`, []string{
			`["A.java",4,"FinalParameters","","","",false]`}},
		{"checkstyle cannot parse", "checkstyle", `<checkstyle><file name="/repo/A.java"><error line="0" severity="error" message="Got an exception" source="com.puppycrawl.tools.checkstyle.TreeWalker"/></file></checkstyle>`, []string{`["A.java",0,"TreeWalker","","","file",false]`}},
		{"checkstyle by eslint and phpcs", "checkstyle", `<checkstyle><file name="/repo/a.js"><error line="1" column="2" severity="warning" message="x" source="eslint.rules.no-undef"/></file><file name="b.php"><error line="3" column="1" severity="error" message="y" source="PSR2.Files.EndFileNewline"/></file></checkstyle>`, []string{
			`["a.js",1,"no-undef","","","",false]`, `["b.php",3,"PSR2.Files.EndFileNewline","","","",false]`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := read(t, tc.format, tc.text, parse.Options{Check: "check", Root: "/repo", Modules: func() []string { return []string{"app", "calc"} },
				Exists: func(p string) bool {
					return slices.Contains([]string{"calc/src/main/java/com/x/Calc.java", "calc/src/test/java/com/x/CalcTest.java"}, p)
				}})
			assert.DeepEqual(t, outline(r), tc.want)
		})
	}
}

// A class is looked for in the module whose report is read first, then in the others.
func TestJavaReports(t *testing.T) {
	const report = `<testsuite name="com.x.FooTest"><properties/><testcase name="[1] n=0" classname="com.x.FooTest" time="0"><failure message="java.lang.AssertionError: no" type="java.lang.AssertionError">java.lang.AssertionError: no
	at app//com.x.Foo.run(Foo.java:3)
	at com.x.FooTest.lambda$a$0(FooTest.java:9)</failure></testcase>
<testcase name="fine()" classname="com.x.FooTest" time="0"/>
<testcase name="again" classname="com.x.FooTest"><failure message="once" type="X">x</failure><rerunFailure message="twice" type="X"><stackTrace>y</stackTrace></rerunFailure></testcase>
<testcase name="flaky" classname="com.x.FooTest"><flakyError message="once" type="X"><stackTrace>y</stackTrace></flakyError></testcase>
<testcase name="initializationError" classname="com.x.FooTest$Inner"><error type="java.lang.Exception">z</error></testcase></testsuite>`
	o := parse.Options{Root: "/repo", Dir: "ws", Report: "ws/b/build/test-results/test/TEST-com.x.FooTest.xml", Modules: func() []string { return []string{"a", "b"} },
		Exists: func(p string) bool {
			return slices.Contains([]string{"ws/a/src/main/kotlin/com/x/Foo.java", "ws/a/src/test/java/com/x/FooTest.java", "ws/b/src/test/java/com/x/FooTest.java"}, p)
		}}
	for _, format := range []string{"junit", "java-junit"} {
		r := read(t, format, report, o)
		assert.DeepEqual(t, outline(r), []string{
			`["ws/a/src/main/kotlin/com/x/Foo.java",3,"","com.x.FooTest#[1] n=0","ws/b","",false]`,
			`["ws/b/src/test/java/com/x/FooTest.java",0,"","com.x.FooTest#again","ws/b","",false]`,
			`["ws/b/src/test/java/com/x/FooTest.java",0,"","com.x.FooTest$Inner","ws/b","dir",false]`,
			"fail com.x.FooTest#[1] n=0", "fail com.x.FooTest#again", "fail com.x.FooTest$Inner", "pass com.x.FooTest#fine", "pass com.x.FooTest#flaky"})
		assert.Equal(t, r.Diagnostics[0].Message, "no")
		assert.Equal(t, r.Diagnostics[0].Frames[1].Line, 9)
	}
}

// The frames of a project that shares its package's name with a build tool are its own; the tool's are not.
func TestJavaFramesOfAPlugin(t *testing.T) {
	const report = `<testsuite name="org.apache.maven.shared.UtilsTest"><properties/><testcase name="twice" classname="org.apache.maven.shared.UtilsTest" time="0"><failure message="no" type="X">X: no
	at org.junit.jupiter.api.Assertions.assertFalse(Assertions.java:231)
	at org.apache.maven.shared.UtilsTest.twice(UtilsTest.java:163)
	at java.base/java.util.ArrayList.forEach(ArrayList.java:1511)
	at org.apache.maven.surefire.booter.ForkedBooter.main(ForkedBooter.java:162)</failure></testcase></testsuite>`
	r := read(t, "java-junit", report, parse.Options{Root: "/repo", Report: "target/surefire-reports/TEST-x.xml",
		Exists: func(p string) bool { return p == "src/test/java/org/apache/maven/shared/UtilsTest.java" }})
	assert.DeepEqual(t, outline(r), []string{
		`["src/test/java/org/apache/maven/shared/UtilsTest.java",163,"","org.apache.maven.shared.UtilsTest#twice",".","",false]`, "fail org.apache.maven.shared.UtilsTest#twice"})
	assert.Equal(t, len(r.Diagnostics[0].Frames), 1)
}

// Other dialects are not taken for Java's.
func TestNotJava(t *testing.T) {
	r := read(t, "junit", `<testsuite name="x.test.ts"><testcase name="adds" classname="x.test.ts"/></testsuite><testsuite name="rspec"><testcase classname="spec.Foo" name="a"/></testsuite>`, parse.Options{})
	assert.DeepEqual(t, outline(r), []string{"pass spec.Foo.a", "pass x.test.ts.adds"})
}

func FuzzCheckstyle(f *testing.F) {
	fuzz(f, "checkstyle", `<checkstyle><file name=".."><error line="-1" message="x"/>`, `<error source="."/>`)
}
func FuzzGradle(f *testing.F) {
	fuzz(f, "gradle", "* Where:\nBuild file '..' line: 0\n* What went wrong:\nx\n", "* What went wrong:\n> The following files had format violations:\n  ..\n   x\n", "A.java:1: error: x\n\n^\n  symbol: y\n")
}
func FuzzJavaJUnit(f *testing.F) {
	fuzz(f, "java-junit", surefireReport, "<testsuite><testcase><error/>")
}
func FuzzJavac(f *testing.F) { fuzz(f, "javac", "../A.java:1: error: x\n\n  ^\n") }
func FuzzMaven(f *testing.F) {
	fuzz(f, "maven", "[ERROR] ../A.java:[1,2] x\n  y\n[ERROR] Crashed tests:\n[ERROR] a.B\n", "[ERROR]  The project x (..) has 1 error\n[ERROR]      y @ line 1, column 2\n[INFO] a .... SKIPPED\n")
}
