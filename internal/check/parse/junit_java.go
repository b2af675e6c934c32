package parse

import (
	"io"
	"slices"
	"strings"

	"fettle/internal/diag"
	"fettle/internal/pattern"
)

// parseJavaJUnit reads the JUnit XML of Maven's Surefire and Failsafe and of Gradle, whatever its suites are called. A test
// is named as Surefire's -Dtest has it: com.x.FooTest#method.
func parseJavaJUnit(r io.Reader, o Options) (Report, error) {
	return (&junit{collector: newCollector(o, "junit"), java: true}).read(r)
}

// javaClass is a class with its package; a class without one is told from other names by the report it stands in.
var javaClass = pattern.New(`^([a-z_]\w*\.)+[A-Z][\w$]*$`)

// isJava reports whether a test case is Java's: its report refers to Surefire's schema, or its suite is named after its class.
func (j *junit) isJava(c *junitCase) bool {
	if j.java || j.surefire {
		return true
	}
	n := len(j.suites)
	outer, _, _ := strings.Cut(c.class, "$")
	return n > 0 && javaClass.MatchString(c.class) && (j.suites[n-1] == c.class || j.suites[n-1] == outer)
}

// javaWhole are the names under which a fault of a whole class stands: its fixture failed, or it could not be made.
var javaWhole = []string{"", "initializationError", "executionError", "classMethod"}

// javaCase is a test case of Java. Where a class's own fixture failed, the rest of its tests did not run.
func (j *junit) javaCase(c *junitCase) {
	name := strings.TrimSuffix(c.name, "()") // Gradle names methods of JUnit 5 with it
	id, whole := c.class+"#"+name, slices.Contains(javaWhole, name) || name == c.class
	switch {
	case c.class == "":
		id = name
	case whole:
		id = c.class
	}
	j.test(id, c.outcome, seconds(c.time))
	if len(c.faults) == 0 {
		return
	}
	file := j.classFile(c.class)
	dir := j.javaModule(file)
	for _, f := range c.faults {
		d := j.javaFault(f)
		d.Test, d.Dir = id, dir
		if d.File == "" {
			d.File = file
		}
		if whole {
			d.Masks = diag.MasksDir
		}
		j.add(d)
	}
}

// javaFault is what one failure says: its message, and the frames inside the repository, innermost first.
func (j *junit) javaFault(f junitFault) diag.Diagnostic {
	text := strings.Split(cleanText(f.text), "\n")
	d := diag.Diagnostic{Message: strings.TrimPrefix(cleanText(f.message), f.typ+": "), Detail: f.text}
	if d.Message = firstLine(d.Message); d.Message == "" {
		d.Message = firstLine(text[0])
	}
	if d.Message == "" {
		d.Message = strings.TrimSpace(f.kind + " " + f.typ)
	}
	sections := javaSections(text)
	if n := len(sections); n > 1 {
		cause, _ := strings.CutPrefix(strings.TrimSpace(sections[n-1][0]), "Caused by: ")
		d.Message += " (caused by " + cause + ")"
	} else if f.kind == "error" && f.typ != "" && !strings.Contains(d.Message, f.typ) {
		d.Message = f.typ[strings.LastIndexByte(f.typ, '.')+1:] + ": " + d.Message // "/ by zero" alone says little
	}
	for _, s := range slices.Backward(sections) {
		d.Frames = append(d.Frames, j.javaFrames(s)...)
	}
	j.locate(&d)
	return d
}

// javaSections splits a stack trace at its causes: the last one is what happened first.
func javaSections(text []string) [][]string {
	begin := 0
	var out [][]string
	for i, line := range text {
		if i > 0 && strings.HasPrefix(line, "Caused by: ") {
			out = append(out, text[begin:i])
			begin = i
		}
	}
	return append(out, text[begin:])
}
