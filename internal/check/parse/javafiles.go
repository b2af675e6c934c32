package parse

import (
	"path"
	"slices"
	"strings"

	"fettle/internal/diag"
	"fettle/internal/pattern"
)

// javaFrame is a line of a stack trace: "at java.base/java.util.ArrayList.get(ArrayList.java:427)".
var javaFrame = pattern.New(`^\s*at (?:[\w.$-]*(?:@[\w.+-]+)?/)*([\w.$<>-]+)\(([\w$-]+\.(?:java|kt|scala|groovy)):(\d+)\)$`)

// javaRoots are the usual folders of a module's sources.
var javaRoots = []string{
	"src/test/java", "src/main/java", "src/test/kotlin", "src/main/kotlin", "src/it/java", "src/integrationTest/java", "src/integrationTest/kotlin",
	"src/testFixtures/java", "src/functionalTest/java", "src/test/groovy", "src/main/groovy", "src/test/scala", "src/main/scala",
	"src/commonTest/kotlin", "src/commonMain/kotlin", "src/jvmTest/kotlin", "src/jvmMain/kotlin", "src", "test",
}

// javaOthers are packages of the machine, which no repository has. Those of test frameworks and build tools are looked for like
// any other: their own repositories, and those of their plugins, have them.
var javaOthers = pattern.New(`^(?:java|javax|jdk|sun|com\.sun)\.`)

// javaFrames are the frames of a stack trace whose files the repository has.
func (c *collector) javaFrames(text []string) []diag.Frame {
	var frames []diag.Frame
	for _, line := range text {
		m := javaFrame.FindStringSubmatch(line)
		if m == nil || javaOthers.MatchString(m[1]) || number(m[3]) == 0 || len(frames) >= maxFrames {
			continue
		}
		class, _, _ := cutLast(m[1], ".")
		if f := c.javaFile(class, m[2]); f != "" {
			frames = append(frames, diag.Frame{File: f, Line: number(m[3]), Func: m[1]})
		}
	}
	return frames
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return "", s, false
}

// classFile is the file of a class, which is named after the outermost one.
func (c *collector) classFile(class string) string {
	outer, _, _ := strings.Cut(class, "$")
	_, name, _ := cutLast(outer, ".")
	for _, ending := range []string{".java", ".kt", ".groovy", ".scala"} {
		if f := c.javaFile(outer, name+ending); f != "" {
			return f
		}
	}
	return ""
}

// javaFile is the file of this name in the class's package, in any source folder that has it: of the module whose report is
// read, of the folder that the tool ran in, then of any module. Without o.Exists it cannot be told.
func (c *collector) javaFile(class, name string) string {
	if c.o.Exists == nil {
		return ""
	}
	pkg, _, _ := cutLast(class, ".")
	file := path.Join(strings.ReplaceAll(pkg, ".", "/"), name)
	if f, known := c.classes[file]; known {
		return f
	}
	modules := []string{c.reportModule(), "."}
	if c.o.Modules != nil {
		modules = append(modules, c.o.Modules()...)
	}
	found := ""
	var tried []string
	for _, m := range modules {
		if m == "" || found != "" || slices.Contains(tried, m) {
			continue
		}
		tried = append(tried, m)
		for _, root := range javaRoots {
			if f := c.places.file(path.Join(m, root, file)); f != "" && c.o.Exists(f) {
				found = f
				break
			}
		}
	}
	if c.classes == nil {
		c.classes = map[string]string{}
	}
	if len(c.classes) < maxFindings {
		c.classes[file] = found
	}
	return found
}

// reportModule is the folder, from o.Dir, of the module whose report is read: what stands before target or build.
func (c *collector) reportModule() string {
	p := "/" + c.o.Report
	for _, folder := range []string{"/target/", "/build/"} {
		if i := strings.LastIndex(p, folder); i >= 0 {
			dir := strings.TrimPrefix(strings.TrimPrefix(p[:i], "/"), c.o.Dir)
			return path.Join(".", strings.TrimPrefix(dir, "/"))
		}
	}
	return ""
}

var javaSource = pattern.New(`^(.*/)?src/(?:main|it|[a-zA-Z]*[tT]est[a-zA-Z]*|[a-z]\w*Main)/`)

// javaModule is the folder of the module that a source belongs to; of the one whose report is read, when there is no source.
func (c *collector) javaModule(file string) string {
	if m := javaSource.FindStringSubmatch(file); m != nil {
		return path.Join(".", m[1])
	}
	if m := c.reportModule(); m != "" {
		return path.Join(".", c.o.Dir, m)
	}
	return path.Join(".", c.o.Dir)
}
