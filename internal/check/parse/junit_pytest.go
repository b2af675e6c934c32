package parse

import (
	"cmp"
	"slices"
	"strings"

	"fettle/internal/diag"
	"fettle/internal/pattern"
)

// pytestCase is a test case of pytest. An error of collection is a case without a class, or named like its module.
func (j *junit) pytestCase(c *junitCase) {
	if len(c.faults) > 0 && strings.HasPrefix(c.faults[0].message, "collection failure") {
		j.uncollected(c)
		return
	}
	id, file := j.pytestID(c)
	j.test(id, c.outcome, seconds(c.time))
	for _, f := range c.faults {
		d := j.pytestFault(f)
		d.Tool, d.Test, d.Dir = "pytest", id, dirOf(file)
		if d.File == "" {
			d.File = cmp.Or(j.places.file(c.file), file)
			if c.file != "" && c.lined {
				d.Range = at(c.line+1, 0) // pytest's family xunit1 counts lines from 0
			}
		}
		j.add(d)
	}
}

// pytestFault is what one failure says; pytest writes its long traceback into the text.
func (j *junit) pytestFault(f junitFault) diag.Diagnostic {
	p := &pytest{collector: j.collector}
	b := &pytestBlock{}
	for line := range strings.Lines(cleanText(f.text)) {
		p.frame(b, strings.TrimRight(line, "\n"))
	}
	d := p.explain(b)
	message := firstLine(f.message)
	if when, said, ok := strings.Cut(message, " with "); ok && strings.HasPrefix(when, "failed on ") {
		message = "at " + strings.TrimPrefix(when, "failed on ") + ": " + strings.Trim(said, `"`)
		d.Message = ""
	}
	if d.Message == "" || strings.HasPrefix(message, d.Message) {
		d.Message = message
	}
	if d.Message == "" {
		d.Message = f.kind
	}
	return d
}

// uncollected is a module that pytest could not collect: unless told to go on, pytest then ran nothing.
func (j *junit) uncollected(c *junitCase) {
	module := c.name
	if c.class != "" && c.class != c.name {
		module = strings.TrimPrefix(c.class+"."+c.name, ".")
	}
	file := j.places.file(c.file)
	if file == "" {
		file = j.pyModule(module)
	}
	for _, f := range c.faults {
		d := j.pytestFault(f)
		d.Tool = "pytest"
		if d.File == "" {
			d.File = file
		}
		if f.text != "" {
			said := pytestMessage(pytestRaisedLines(f.text))
			if said == "" {
				said = raised(strings.Split(cleanText(f.text), "\n"))
			}
			d.Message = said
		}
		d.Message = "cannot collect " + j.fromDir(file) + ": " + d.Message
		d.Dir, d.Masks = dirOf(file), diag.MasksCheck
		j.add(d)
	}
}

func pytestRaisedLines(text string) []string {
	var said []string
	for line := range strings.Lines(cleanText(text)) {
		if m := pytestRaised.FindStringSubmatch(strings.TrimRight(line, "\n")); m != nil {
			said = append(said, m[1])
		}
	}
	return said
}

// pytestID rebuilds a node id. Family xunit1 gives the file that defines the test, which for one that was inherited, or made by a
// function, need not be the file it belongs to: that is in the dotted class name, as in xunit2, where o.Exists tells module and classes
// apart, else the naming rules that pytest's discovery has by default.
func (j *junit) pytestID(c *junitCase) (id, file string) {
	parts := strings.Split(c.class, ".")
	var n int // how many parts name the module
	if file = j.places.file(c.file); file == "" {
		n = j.moduleParts(parts)
		file = j.moduleFile(parts[:n])
	} else {
		module := strings.Split(strings.TrimSuffix(j.fromDir(file), ".py"), "/")
		n = min(len(module), len(parts))
		if !slices.Equal(module, parts[:n]) {
			if there := j.existing(parts); there > 0 {
				n, file = there, j.moduleFile(parts[:there])
			}
		}
	}
	names := append(append([]string{file}, parts[n:]...), c.name)
	return strings.Join(names, "::"), file
}

var pytestModule = pattern.New(`^(test_.*|.*_test)$`)

// moduleFile is the file of a module.
func (j *junit) moduleFile(parts []string) string {
	return j.places.file(strings.Join(parts, "/") + ".py")
}

// existing is how many parts name a module that there is; zero: none do, or nobody knows.
func (j *junit) existing(parts []string) int {
	for n := len(parts); n > 0 && j.o.Exists != nil; n-- {
		if f := j.moduleFile(parts[:n]); f != "" && j.o.Exists(f) {
			return n
		}
	}
	return 0
}

func (j *junit) moduleParts(parts []string) int {
	if n := j.existing(parts); n > 0 {
		return n
	}
	for n := len(parts); n > 0; n-- {
		if pytestModule.MatchString(parts[n-1]) {
			return n
		}
	}
	for n, part := range parts {
		if n > 0 && part != "" && part[0] >= 'A' && part[0] <= 'Z' {
			return n
		}
	}
	return len(parts)
}

var (
	nodeFrame = pattern.New(`^\s*at (?:(.+?) \()?(?:file://)?(\S+?):(\d+):(\d+)\)?$`)
)

// otherFrames are stack frames as Node prints them; those of Java name no path.
func (c *collector) otherFrames(text []string) []diag.Frame {
	var frames []diag.Frame
	for _, line := range text {
		if m := nodeFrame.FindStringSubmatch(line); m != nil && !javaFrame.MatchString(line) {
			if f := c.places.own(m[2]); f != "" {
				frames = append(frames, diag.Frame{File: f, Line: number(m[3]), Func: valid(m[1])})
			}
		}
	}
	return frames
}
