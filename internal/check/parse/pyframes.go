package parse

import (
	"path"
	"slices"
	"strings"

	"fettle/internal/diag"
	"fettle/internal/pattern"
)

var (
	pyFrame     = pattern.New(`^(?:E?\s*|INTERNALERROR>\s*)File "([^"]+)", line (\d+)(?:, in (.+))?$`)
	pytestFrame = pattern.New(`^(\S(?:[^:]|:\\)*?):(\d+):(?: in (\S.*)| ([A-Za-z_][\w.]*)| ?)$`)
	pyRaised    = pattern.New(`^([A-Za-z_][\w.]*(?:Error|Exception|Exit|Interrupt|Warning|Iteration|[A-Z]\w*))(?:: (.*))?$`)
)

// pyFrames are the stack frames inside the repository, innermost first, in the text of a traceback as Python prints it
// (File "x", line 1, in f) or as pytest does (x:1: in f).
func (c *collector) pyFrames(text []string) []diag.Frame {
	var frames []diag.Frame
	for _, line := range text {
		m := pyFrame.FindStringSubmatch(line)
		if m == nil {
			m = pytestFrame.FindStringSubmatch(line)
		}
		if m == nil {
			continue
		}
		if f := c.places.own(m[1]); f != "" && number(m[2]) > 0 {
			frames = append(frames, diag.Frame{File: f, Line: number(m[2]), Func: valid(m[3])})
		}
	}
	slices.Reverse(frames)
	return frames
}

// pyModule is the file of a dotted module name, as far as a name can tell.
func (c *collector) pyModule(name string) string {
	return c.places.file(strings.ReplaceAll(name, ".", "/") + ".py")
}

func dirOf(file string) string {
	if file == "" {
		return ""
	}
	return path.Dir(file)
}
