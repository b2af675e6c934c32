package parse

import (
	"io"
	"path"
	"strings"

	"fettle/internal/diag"
	"fettle/internal/pattern"
)

// parseGradle reads what Gradle prints beside its tests' reports: errors of javac and kotlinc, of checkstyle and spotless,
// and, of what went wrong, whatever none of these says. Warnings are nothing that fails a build.
func parseGradle(r io.Reader, o Options) (Report, error) {
	g := &gradle{javac: newJavac(newCollector(o, "gradle"))}
	g.errorsOnly = true
	in := newLines(r)
	for line, ok := in.next(); ok; line, ok = in.next() {
		g.line(line)
	}
	g.end()
	return g.report, in.failed()
}

type gradle struct {
	*javac
	spotless spotless
	where    *diag.Diagnostic // the script and line that the next reason is about
	wrong    []string         // lines below "What went wrong"
	into     string           // the heading that came last
	project  string           // folder of the project whose task failed
	reasons  []diag.Diagnostic
}

var (
	gradleHeading = pattern.New(`^\* (Where|What went wrong|Try|Exception is|Get more help).*:?$`)
	gradleWhere   = pattern.New(`^(?:Build file|Settings file|Script|Initialization script) '(.+)' line: (\d+)$`)
	gradleTask    = pattern.New(`^Execution failed for task '((?::[^':]+)*?):[^':]+'`)
	gradleStyle   = pattern.New(`^\[ant:checkstyle\] \[(ERROR|WARN|INFO)\] (.+?\.\w+):(\d+)(?::(\d+))?: (.+?)(?: \[(\w+)\])?$`)
	gradleKnown   = pattern.New(`There were failing tests|Compilation (failed|error)|Checkstyle rule violations|Checkstyle files with violations|format violations`)
)

func (g *gradle) line(line string) {
	if m := gradleHeading.FindStringSubmatch(line); m != nil {
		g.reason()
		g.into = m[1]
		return
	}
	switch {
	case g.into == "Where":
		g.at(line)
	case g.into == "What went wrong" && g.spotless.line(g.collector, strings.TrimPrefix(line, "> "), g.file):
	case g.into == "What went wrong" && strings.TrimSpace(line) != "" && len(g.wrong) < 20:
		if m := gradleTask.FindStringSubmatch(line); m != nil {
			g.project = strings.TrimPrefix(strings.ReplaceAll(m[1], ":", "/"), "/")
		}
		g.wrong = append(g.wrong, line)
	case g.into != "":
	default:
		if m := gradleStyle.FindStringSubmatch(line); m != nil {
			g.style(m)
			return
		}
		g.javac.line(line)
	}
}

func (g *gradle) style(m []string) {
	d := diag.Diagnostic{File: g.places.file(m[2]), Range: at(number(m[3]), number(m[4])), Message: m[5], Rule: m[6], Tool: "checkstyle", Severity: severity(m[1])}
	if g.once(d) {
		g.add(d)
	}
}

// file is a file as a plugin names it: from the project's folder, which its path among the projects mostly tells.
func (g *gradle) file(name string) string {
	if in := g.places.file(path.Join(g.project, name)); g.project != "" && in != "" && (g.o.Exists == nil || g.o.Exists(in)) {
		return in
	}
	return g.places.file(name)
}

// at reads where the build's own scripts are wrong.
func (g *gradle) at(line string) {
	if m := gradleWhere.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
		if f := g.places.file(m[1]); f != "" {
			g.where = &diag.Diagnostic{File: f, Range: at(number(m[2]), 0)}
		}
	}
}

// reason closes what stands below "What went wrong".
func (g *gradle) reason() {
	text := strings.Join(g.wrong, "\n")
	if text != "" && !gradleKnown.MatchString(text) && len(g.reasons) < 100 {
		d := diag.Diagnostic{Rule: "build", Masks: diag.MasksCheck, Detail: text, Message: strings.TrimLeft(g.wrong[len(g.wrong)-1], " >")}
		if g.where != nil {
			d.File, d.Range = g.where.File, g.where.Range
		}
		g.reasons = append(g.reasons, d)
	}
	if text != "" {
		g.where = nil
	}
	g.wrong, g.spotless.on = nil, false
}

func (g *gradle) end() {
	g.reason()
	for _, d := range g.reasons {
		if d.File != "" || !g.found() {
			g.add(d)
		}
	}
}
