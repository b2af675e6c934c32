package testenv

import "testing"

// jvmOptions are for machines that end soon: what runs once need not be optimized. It halves the processor time of a build.
const jvmOptions = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"

// JVM is the environment in which Maven and Gradle start quickly.
var JVM = []string{"MAVEN_OPTS=" + jvmOptions, "GRADLE_OPTS=" + jvmOptions}

// NeedMaven asks for Maven and a compiler, and lets Maven start quickly.
func NeedMaven(t testing.TB) {
	t.Helper()
	NeedTool(t, "mvn")
	NeedTool(t, "javac")
	t.Setenv("MAVEN_OPTS", jvmOptions)
}

// NeedGradle asks for Gradle, and lets it start quickly, and leave what it forgets in a folder of the test's own.
func NeedGradle(t testing.TB) {
	t.Helper()
	NeedTool(t, "gradle")
	t.Setenv("GRADLE_OPTS", jvmOptions+" -Djava.io.tmpdir="+t.TempDir())
}
