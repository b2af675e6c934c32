package parse

import (
	"io"
	"strings"

	"fettle/internal/diag"
	"fettle/internal/pattern"
)

// parseGCC reads the messages of gcc, clang and the many tools that print theirs in the same form, and what make says
// between them: the folders that it enters, in which the paths begin, and that it stopped.
func parseGCC(r io.Reader, o Options) (Report, error) {
	g := &gcc{collector: newCollector(o, "")}
	g.placing = newPlacing(g.collector)
	in := newLines(r)
	for line, ok := in.next(); ok; line, ok = in.next() {
		g.line(line)
	}
	return g.report, in.failed()
}

type gcc struct {
	*collector
	placing *placing
	dirs    []string // folders that make has entered and not left
}

var (
	makeDir  = pattern.New("^\\S*make(?:\\[\\d+\\])?: (Entering|Leaving) directory ['`](.+)'$")
	makeStop = pattern.New(`^\S*make(?:\[\d+\])?: \*\*\* `)
	linkedIn = pattern.New(`(?:^|: )([^\s:]+):\([^)]*\): (undefined reference to .*|multiple definition of .*)$`)
)

func (g *gcc) line(line string) {
	if strings.Contains(line, "make") {
		if m := makeDir.FindStringSubmatch(line); m != nil {
			g.move(m[1] == "Entering", m[2])
			return
		}
		if makeStop.MatchString(line) {
			g.stopped()
			return
		}
	}
	d, ok := g.placing.read(line)
	if !ok {
		g.linker(line)
		return
	}
	if isNote(d) {
		g.note("note: " + d.Message)
		return
	}
	g.add(d)
}

// move follows make into a folder and out of it.
func (g *gcc) move(in bool, dir string) {
	const deepest = 100
	if in && len(g.dirs) < deepest {
		g.dirs = append(g.dirs, g.places.rel(dir))
	} else if !in && len(g.dirs) > 0 {
		g.dirs = g.dirs[:len(g.dirs)-1]
	}
	dir = g.o.Dir
	if len(g.dirs) > 0 {
		dir = g.dirs[len(g.dirs)-1]
	}
	g.placing.inDir(dir)
}

// stopped is make that has given up: whatever it would have done next has shown nothing.
func (g *gcc) stopped() {
	for i := range g.report.Diagnostics {
		if d := &g.report.Diagnostics[i]; d.Severity == diag.Error {
			d.Masks = diag.MasksCheck
		}
	}
}

// linker reads what the linker says of an object file that still knows its source.
func (g *gcc) linker(line string) {
	if !strings.Contains(line, "undefined reference") && !strings.Contains(line, "multiple definition") {
		return
	}
	if m := linkedIn.FindStringSubmatch(line); m != nil {
		if file := g.placing.exists(m[1]); file != "" {
			g.add(diag.Diagnostic{File: file, Message: m[2]})
		}
	}
}
