package parse

import (
	"encoding/xml"
	"io"
	"path"
	"strconv"
	"strings"

	"fettle/internal/diag"
)

// parseJUnit reads JUnit XML as pytest, Surefire, jest-junit, gotestsum and others write it: there is no standard, so every
// attribute may be missing. A test's id is rebuilt in the form of its language where the report tells the language.
func parseJUnit(r io.Reader, o Options) (Report, error) {
	return (&junit{collector: newCollector(o, "")}).read(r)
}

// parsePytestJUnit reads the JUnit XML of pytest (--junit-xml, either family), whatever its suites are called.
func parsePytestJUnit(r io.Reader, o Options) (Report, error) {
	return (&junit{collector: newCollector(o, "pytest"), pytest: true}).read(r)
}

type junit struct {
	*collector
	pytest   bool
	java     bool     // the report is a build tool's of Java
	surefire bool     // it says so itself
	nextest  bool     // cargo-nextest wrote the report
	suites   []string // names of the suites around
}

// junitCase is a test case under way.
type junitCase struct {
	name, class, file string
	line              int
	lined             bool // the report gives a line
	time              float64
	outcome           Outcome
	faults            []junitFault
	text              strings.Builder
	inFault           bool
}

// junitFault is a failure or an error of a test case.
type junitFault struct {
	kind, message, typ, text string
}

// maxDepth is how deeply elements may lie in one another; real reports have about four levels.
const maxDepth = 64

func (j *junit) read(r io.Reader) (Report, error) {
	source := newXMLFilter(r)
	dec := newXMLDecoder(source)
	var c *junitCase
	for depth := 0; depth < maxDepth; {
		token, err := dec.RawToken()
		if err != nil {
			break // the end, or a report that was cut off: what came before counts
		}
		switch t := token.(type) {
		case xml.StartElement:
			depth++
			c = j.start(t, c)
		case xml.EndElement:
			depth = max(depth-1, 0)
			c = j.end(t.Name.Local, c)
		case xml.CharData:
			if c != nil && c.inFault && c.text.Len() < 4*maxDetail {
				c.text.Write(t)
			}
		}
	}
	if c != nil && len(c.faults) > 0 {
		j.finish(c)
	}
	return j.report, source.failed()
}

func (j *junit) start(t xml.StartElement, c *junitCase) *junitCase {
	attr := map[string]string{}
	for _, a := range t.Attr {
		attr[a.Name.Local] = a.Value
	}
	switch name := t.Name.Local; {
	case name == "testsuite" && len(j.suites) < maxDepth:
		j.suites = append(j.suites, attr["name"])
		j.surefire = strings.Contains(attr["noNamespaceSchemaLocation"], "surefire")
	case name == "testsuites":
		j.nextest = attr["name"] == "nextest-run"
	case name == "testcase":
		c = &junitCase{name: attr["name"], class: attr["classname"], file: attr["file"], outcome: Pass}
		for _, key := range []string{"line", "lineno"} {
			if v, ok := attr[key]; ok {
				c.line, c.lined = number(v), true
			}
		}
		c.time, _ = strconv.ParseFloat(strings.ReplaceAll(attr["time"], ",", ""), 64)
	case c == nil:
	case name == "failure" || name == "error":
		c.outcome = Fail
		if len(c.faults) < 16 {
			c.faults = append(c.faults, junitFault{kind: name, message: attr["message"], typ: attr["type"]})
			c.inFault = true
		}
	case name == "skipped" && c.outcome == Pass:
		c.outcome = Skip
	}
	return c
}

func (j *junit) end(name string, c *junitCase) *junitCase {
	switch {
	case name == "testsuite" && len(j.suites) > 0:
		j.suites = j.suites[:len(j.suites)-1]
	case c == nil:
	case name == "failure" || name == "error":
		if c.inFault {
			c.faults[len(c.faults)-1].text = c.text.String()
			c.text.Reset()
			c.inFault = false
		}
	case name == "testcase":
		j.finish(c)
		return nil
	}
	return c
}

// finish is a whole test case.
func (j *junit) finish(c *junitCase) {
	if c.inFault {
		c.faults[len(c.faults)-1].text = c.text.String()
	}
	if j.isPytest() {
		j.pytestCase(c)
		return
	}
	if j.isJava(c) {
		j.javaCase(c)
		return
	}
	if j.nextest {
		j.nextestCase(c)
		return
	}
	if n := len(j.suites); n > 0 && c.file == "" && path.IsAbs(j.suites[n-1]) {
		c.file = j.suites[n-1] // linters that write JUnit name the suite after the file
	}
	if f := j.places.file(c.class); f != "" && path.IsAbs(c.class) {
		c.class = f
	}
	id, dir := j.name(c)
	j.test(id, c.outcome, seconds(c.time))
	for _, f := range c.faults {
		d := j.fault(f, dir)
		d.Test, d.Dir = id, dir
		if d.File == "" {
			d.File, d.Range = j.places.file(c.file), at(c.line, 0)
		}
		j.add(d)
	}
}

func (j *junit) isPytest() bool {
	return j.pytest || len(j.suites) > 0 && j.suites[len(j.suites)-1] == "pytest"
}

// name is a test's id, and the folder of its package if it is a Go test.
func (j *junit) name(c *junitCase) (id, dir string) {
	for _, p := range append([]string{c.class}, j.suites...) {
		if dir := j.goFolder(p); dir != "" && goNamed(c.name) {
			return dir + ":" + c.name, dir
		}
	}
	switch {
	case c.class == "" || c.class == c.name:
		return c.name, ""
	case c.name == "":
		return c.class, ""
	}
	return c.class + "." + c.name, ""
}

func goNamed(name string) bool {
	for _, prefix := range []string{"Test", "Fuzz", "Example", "Benchmark"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// fault is what a failure or error says, in the terms of the language it comes from.
func (j *junit) fault(f junitFault, goDir string) diag.Diagnostic {
	text := strings.Split(cleanText(f.text), "\n")
	d := diag.Diagnostic{Message: firstLine(f.message), Detail: f.text}
	if goDir != "" {
		p := &goTests{collector: j.collector}
		g := &goPackage{dir: goDir}
		for _, line := range text {
			g.out.add(goEvent{Output: line + "\n"})
		}
		return p.explain(g, &g.out)
	}
	d.Frames = append(j.pyFrames(text), j.goFrames(text)...)
	d.Frames = append(d.Frames, j.otherFrames(text)...)
	j.locate(&d)
	if d.Message == "" {
		d.Message = firstLine(strings.TrimSpace(f.text))
	}
	if d.Message == "" {
		d.Message = strings.TrimSpace(f.kind + " " + f.typ)
	}
	return d
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(cleanText(s)), "\n")
	return strings.TrimSpace(s)
}
