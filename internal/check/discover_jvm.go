package check

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"fettle/internal/pattern"
)

// mavenReports and gradleReports are where they write what the tests came to, from the check's folder.
var (
	mavenReports  = []string{"**/target/surefire-reports/TEST-*.xml", "**/target/failsafe-reports/TEST-*.xml"}
	gradleReports = []string{"**/build/test-results/**/TEST-*.xml"}
)

// jvmMarks make a folder a project of Maven or Gradle.
var jvmMarks = []string{"pom.xml", "settings.gradle", "settings.gradle.kts", "build.gradle", "build.gradle.kts"}

// jvmChecks are the checks of a project that Maven or Gradle builds. Of a project with both, the one whose wrapper is there
// counts, and else Maven. A wrapper is preferred to what is installed: it brings the version that the project is written for.
//
// Neither is told to work offline: what they have once downloaded they find again without a network, and the user's own
// run may need one.
func (t *tree) jvmChecks() ([]Check, []Note) {
	maven, gradle := t.has("pom.xml"), t.first(jvmMarks[1:]...)
	var checks []Check
	var notes []Note
	switch both := maven && gradle != ""; {
	case both && t.executable("gradlew") && !t.executable("mvnw"):
		notes = []Note{{File: "pom.xml", Text: "the checks are Gradle's, which has its wrapper here; Maven's are left out"}}
		checks = t.gradleChecks()
	case maven:
		if both {
			notes = []Note{{File: gradle, Text: "the checks are Maven's; Gradle's are left out"}}
		}
		checks = t.mavenChecks()
	case gradle != "":
		checks = t.gradleChecks()
	}
	for i := range checks {
		checks[i].Lang = "java"
	}
	return checks, notes
}

// executable reports whether a file is there that can be run.
func (t *tree) executable(name string) bool {
	info, err := fs.Stat(t.fsys, name)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// wrapped is the project's wrapper of a build tool, else the tool itself.
func (t *tree) wrapped(wrapper, tool string) string {
	if t.executable(wrapper) {
		return "./" + wrapper
	}
	return tool
}

// hasJVMTests reports whether a module's folder holds tests where Maven and Gradle look for them.
func (t *tree) hasJVMTests(dir string) bool { return t.has(path.Join(dir, "src/test")) }

// gradleChecks are the checks of a Gradle build. A daemon is never asked: one that runs outside of a private copy would read
// the user's files in place of the copy's. What a task did before is forgotten (cleanTest, no build cache), because a test
// that is up to date writes no report.
func (t *tree) gradleChecks() []Check {
	builds := t.gradleScripts()
	run := func(tasks ...string) []string {
		argv := append([]string{t.wrapped("gradlew", "gradle")}, tasks...)
		argv = append(argv, "--continue", "--no-daemon", "--no-build-cache", "--console=plain")
		if gradleKotlin.MatchString(builds) { // its compiler has a daemon of its own
			argv = append(argv, "-Pkotlin.compiler.execution.strategy=in-process")
		}
		return argv
	}
	var checks []Check
	if tasks := t.gradleTests(); len(tasks) > 0 {
		checks = append(checks, Check{Name: "test", Run: run(tasks...), Parser: "gradle", Reports: gradleReports})
	} else {
		checks = append(checks, Check{Name: "build.gradle", Run: run("testClasses"), Parser: "gradle"})
	}
	if gradleCheckstyle.MatchString(builds) {
		checks = append(checks, Check{Name: "lint.checkstyle", Run: run("checkstyleMain", "checkstyleTest"), Parser: "gradle"})
	}
	if gradleSpotless.MatchString(builds) {
		checks = append(checks, Check{Name: "format.spotless", Run: run("spotlessCheck"), Parser: "gradle", Fix: [][]string{run("spotlessApply")}})
	}
	return checks
}

var (
	gradleInclude    = pattern.New(`(?m)^\s*include\b[ (]([^)\n]*(?:,\s*\n[^)\n]*)*)`)
	gradleName       = pattern.New(`["']([\w:./-]+)["']`)
	gradleKotlin     = pattern.New(`kotlin\(\s*"|org\.jetbrains\.kotlin|kotlin-gradle-plugin|libs\.plugins\.kotlin`)
	gradleCheckstyle = pattern.New(`(?m)\bid[ (]+["']checkstyle["']|apply plugin: ["']checkstyle["']|apply\(plugin = "checkstyle"\)|^\s*checkstyle\s*$`)
	gradleSpotless   = pattern.New(`com\.diffplug\.spotless|libs\.plugins\.spotless`)
)

// gradleScripts are the texts of the build's scripts.
func (t *tree) gradleScripts() string {
	var b strings.Builder
	for _, name := range jvmMarks[1:] {
		for _, dir := range t.marks[name] {
			b.Write(t.read(path.Join(dir, name)))
			b.WriteByte('\n')
		}
	}
	for _, pattern := range []string{"gradle/*.gradle", "buildSrc/src/main/*/*.gradle*", "build-logic/src/main/*/*.gradle*"} {
		for _, f := range t.glob(pattern) {
			b.Write(t.read(f))
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// gradleTests are the tasks that run the tests. The projects of a larger build are named one by one where its settings list
// them, so that a test can be run in its own project alone.
func (t *tree) gradleTests() []string {
	var projects []string
	listed := false
	for _, settings := range []string{"settings.gradle", "settings.gradle.kts"} {
		for _, m := range gradleInclude.FindAllStringSubmatch(string(t.read(settings)), -1) {
			listed = true
			for _, name := range gradleName.FindAllStringSubmatch(m[1], -1) {
				projects = append(projects, strings.Trim(strings.ReplaceAll(name[1], "/", ":"), ":"))
			}
		}
	}
	var tasks []string
	if t.hasJVMTests(".") {
		tasks = []string{":cleanTest", ":test"}
	}
	for _, p := range unique(projects) {
		if t.hasJVMTests(strings.ReplaceAll(p, ":", "/")) {
			tasks = append(tasks, ":"+p+":cleanTest", ":"+p+":test")
		}
	}
	switch anywhere := t.anyJVMTests(); {
	case !listed && anywhere: // whatever projects the settings make by themselves
		return []string{"cleanTest", "test"}
	case len(tasks) == 0 && anywhere:
		return []string{"cleanTest", "test"}
	}
	return tasks
}

// anyJVMTests reports whether a folder with a build's mark holds tests.
func (t *tree) anyJVMTests() bool {
	if t.hasJVMTests(".") {
		return true
	}
	for _, name := range jvmMarks {
		if slices.ContainsFunc(t.marks[name], t.hasJVMTests) {
			return true
		}
	}
	return false
}

// mavenChecks are the checks of a Maven build. Plugins that judge and are bound to the build get checks of their own, and
// the tests do not run them a second time: what they complain of would hide the tests. After a failing test Maven would
// leave out the modules that depend on its own, whose tests are to be seen too: it is told to go on.
func (t *tree) mavenChecks() []Check {
	poms := t.mavenPlugins()
	checkstyle, spotless := poms.goal("maven-checkstyle-plugin", "checkstyle"), poms.goal("spotless-maven-plugin", "spotless")
	run := func(words ...string) []string {
		return append([]string{t.wrapped("mvnw", "mvn"), "-B", "-ntp", "--fail-at-end"}, words...)
	}
	var off []string
	if checkstyle != nil {
		off = append(off, "-Dcheckstyle.skip")
	}
	if spotless != nil {
		off = append(off, "-Dspotless.check.skip")
	}
	var checks []Check
	if t.anyJVMTests() || poms.testsElsewhere {
		checks = append(checks, Check{Name: "test", Run: run(append(off, goOn, "-DtrimStackTrace=false", "test")...), Parser: "maven",
			Reports: mavenReports})
	} else {
		checks = append(checks, Check{Name: "build.maven", Run: run(append(off, "test-compile")...), Parser: "maven"})
	}
	if checkstyle != nil {
		checks = append(checks, Check{Name: "lint.checkstyle", Run: run(checkstyle.words("check")...), Parser: "maven"})
	}
	if spotless != nil {
		checks = append(checks, Check{Name: "format.spotless", Run: run(spotless.words("check")...), Parser: "maven",
			Fix: [][]string{run(spotless.words("apply")...)}})
	}
	return checks
}

// mavenGoal is how a plugin is run alone.
type mavenGoal struct {
	prefix    string
	execution string   // whose configuration it needs; empty: the plugin's own
	modules   []string // that have the plugin; empty: all
}

func (g *mavenGoal) words(goal string) []string {
	w := fmt.Sprintf("%s:%s", g.prefix, goal)
	if g.execution != "" {
		w += "@" + g.execution
	}
	if len(g.modules) > 0 {
		return []string{"-pl", strings.Join(g.modules, ","), w}
	}
	return []string{w}
}
