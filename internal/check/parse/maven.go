package parse

import (
	"io"
	"path"
	"slices"
	"strings"

	"fettle/internal/diag"
	"fettle/internal/pattern"
)

// parseMaven reads what Maven prints beside its tests' reports: errors of javac and kotlinc, of checkstyle and spotless,
// what is wrong with a pom.xml, and why the build failed when nothing else says it. A module that does not compile hides
// its tests; one on which others depend hides theirs.
func parseMaven(r io.Reader, o Options) (Report, error) {
	m := &maven{javac: newJavac(newCollector(o, "maven")), spotless: spotless{masks: diag.MasksCheck}} // the build ends there, and names a few files only
	in := newLines(r)
	for line, ok := in.next(); ok; line, ok = in.next() {
		m.line(line)
	}
	m.end()
	return m.report, in.failed()
}

type maven struct {
	*javac
	spotless spotless
	pom      string // of the project whose model is wrong
	project  string // whose goals run, or failed
	reason   string // why the build failed
	warnings []diag.Diagnostic
	werror   bool   // warnings are errors
	tests    bool   // a goal failed because tests did
	broken   bool   // something else failed
	skipped  bool   // a module was left out because another failed
	crashed  bool   // the names of tests that crashed come now
	lost     string // what Surefire says of a machine for tests that ended
	blamed   bool   // it named the class that ran
}

var (
	mavenLine    = pattern.New(`^\[(ERROR|FATAL|WARNING|WARN|INFO)\] ?(.*)$`)
	mavenPlace   = pattern.New(`^\s*(\S.*?\.\w+):\[(\d+)(?:,(\d+))?\] ?(.*)$`)
	mavenKotlin  = pattern.New(`^(?:file://)?(/.+?\.kts?):(?:(\d+):(\d+)| \((\d+), (\d+)\)):? (.+)$`)
	mavenRule    = pattern.New(`^\((\w+)\) (\w+): (.+)$`)
	mavenGoal    = pattern.New(`^Failed to execute goal (?:(\S+) (?:\(.*?\) )?)?on project ([^\s:]+): (.+?)(?: -> \[Help \d+\])?$`)
	mavenStep    = pattern.New(`^--- \S+ \(.*\) @ (\S+) ---$`)
	mavenSkipped = pattern.New(`\.{3,} SKIPPED$`)
	mavenProject = pattern.New(`^\s*The project \S* \((.+)\) has \d+ errors?$`)
	mavenModel   = pattern.New(`^\s*(\S.*?)(?: -> \[Help \d+\])?$`)
	mavenAt      = pattern.New(`\s+@ (?:.*, )?line (\d+), column (\d+)$`)
	mavenLost    = pattern.New(`The forked VM terminated without (?:properly )?saying (?:properly )?goodbye.*|There was a timeout or other error in the fork.*|Error occurred in starting fork.*`)
	mavenTests   = pattern.New(`^There (are test failures|was a failure|are some test failures)`)
	mavenBroken  = pattern.New(`^(COMPILATION ERROR|Compilation failure)`)
)

func (m *maven) line(line string) {
	p := mavenLine.FindStringSubmatch(line)
	if p == nil {
		m.javac.line(line)
		return
	}
	level, text := p[1], p[2]
	switch {
	case level == "INFO":
		m.below, m.crashed = -1, false
		if p := mavenStep.FindStringSubmatch(text); p != nil {
			m.project = p[1]
		}
		m.skipped = m.skipped || mavenSkipped.MatchString(text)
	case m.place(level, text):
	case level == "ERROR" && (m.spotless.line(m.collector, text, m.file) || m.model(text) || m.crash(text)):
	case level == "ERROR":
		m.goal(text)
	}
}

// place reads a line with a place: a compiler's, or checkstyle's.
func (m *maven) place(level, text string) bool {
	d := diag.Diagnostic{Tool: "javac"}
	if p := mavenPlace.FindStringSubmatch(text); p != nil {
		d.File, d.Range, d.Message = m.file(p[1]), at(number(p[2]), number(p[3])), p[4]
	} else if p := mavenKotlin.FindStringSubmatch(text); p != nil {
		d.File, d.Range, d.Message, d.Tool = m.places.file(p[1]), at(number(p[2]+p[4]), number(p[3]+p[5])), p[6], "kotlinc"
	} else {
		return false
	}
	d.Message = strings.TrimPrefix(d.Message, "error: ")
	if level != "ERROR" {
		d.Severity = diag.Warning
	}
	if rule := mavenRule.FindStringSubmatch(d.Message); rule != nil {
		d.Tool, d.Rule, d.Message = "checkstyle", rule[2], rule[3]
		if m.once(d) {
			m.add(d)
		}
		return true
	}
	if d.Severity == diag.Warning { // the compiler's warnings matter only where they are errors
		if len(m.warnings) < 1000 {
			m.warnings = append(m.warnings, d)
		}
		return true
	}
	m.fault(d)
	if m.below == 0 {
		m.below = 2 // no source line and caret come, only notes
	}
	return true
}

// file is a file by its path, which is relative to its module in what some plugins say.
func (m *maven) file(name string) string {
	f := m.places.file(name)
	if path.IsAbs(name) || m.o.Exists == nil || m.o.Exists(f) {
		return f
	}
	var modules []string
	if m.o.Modules != nil {
		modules = m.o.Modules()
	}
	slices.SortStableFunc(modules, func(a, b string) int { return m.likeness(b) - m.likeness(a) })
	for _, dir := range modules {
		if in := m.places.file(path.Join(dir, name)); in != "" && m.o.Exists(in) {
			return in
		}
	}
	return f
}

// likeness says how well a module's folder goes with the name of the project that failed.
func (m *maven) likeness(dir string) int {
	base := path.Base(dir)
	switch {
	case m.project == "":
		return 0
	case base == m.project:
		return 2
	case strings.HasSuffix(m.project, "-"+base):
		return 1
	}
	return 0
}

// model reads what is wrong with a pom.xml.
func (m *maven) model(text string) bool {
	if p := mavenProject.FindStringSubmatch(text); p != nil {
		m.pom = m.places.file(p[1])
		return true
	}
	if m.pom == "" || !strings.HasPrefix(text, "    ") {
		m.pom = ""
		return false
	}
	match := mavenModel.FindStringSubmatch(text)
	if match == nil {
		return false
	}
	said := match[1]
	d := diag.Diagnostic{File: m.pom, Rule: "pom", Masks: diag.MasksCheck}
	if p := mavenAt.FindStringSubmatch(said); p != nil {
		d.Range = at(number(p[1]), number(p[2]))
		said = mavenAt.ReplaceAllString(said, "")
	}
	d.Message = said
	if strings.Contains(said, "Could not") { // what is missing is no fault of the file
		m.reason = said
		return true
	}
	m.add(d)
	return true
}

// crash reads the names of the test classes under which the machine went down.
func (m *maven) crash(text string) bool {
	if m.crashed && javaClass.MatchString(strings.TrimSpace(text)) {
		class := strings.TrimSpace(text)
		d := diag.Diagnostic{Test: class, File: m.classFile(class), Message: "the machine that ran this class ended", Masks: diag.MasksDir}
		m.blamed = true
		d.Dir = m.javaModule(d.File)
		if m.once(d) {
			m.test(class, Fail, 0)
			m.add(d)
		}
		return true
	}
	m.crashed = text == "Crashed tests:"
	return m.crashed
}

// goal reads why a goal failed. The first reason counts.
func (m *maven) goal(text string) {
	p := mavenGoal.FindStringSubmatch(text)
	if p == nil {
		m.broken = m.broken || mavenBroken.MatchString(text)
		m.werror = m.werror || strings.Contains(text, "-Werror")
		if lost := mavenLost.FindString(text); lost != "" && m.lost == "" {
			m.lost = lost
		}
		if after, ok := strings.CutPrefix(text, "The build could not "); ok && m.reason == "" {
			m.reason = "the build could not " + after
		}
		return
	}
	m.project = p[2]
	m.werror = m.werror || strings.Contains(p[3], "-Werror")
	if mavenTests.MatchString(p[3]) {
		m.tests = true
		return
	}
	m.broken = true
	if m.spotless.line(m.collector, p[3], m.file) || mavenBroken.MatchString(p[3]) {
		return
	}
	if m.reason == "" {
		m.reason = p[3]
		if p[1] != "" {
			m.reason = mavenPlugin(p[1]) + ": " + p[3]
		}
	}
}

// mavenPlugin is the short name of "org.apache.maven.plugins:maven-compiler-plugin:3.13.0:compile".
func mavenPlugin(goal string) string {
	parts := strings.Split(goal, ":")
	if len(parts) < 4 {
		return goal
	}
	return strings.TrimSuffix(strings.TrimPrefix(parts[1], "maven-"), "-plugin") + ":" + parts[3]
}

func (m *maven) end() {
	if m.tests && !m.broken { // what a compiler calls an error, as a character of another encoding in a comment, and makes its classes all the same
		m.report.Diagnostics = slices.DeleteFunc(m.report.Diagnostics, func(d diag.Diagnostic) bool { return d.Tool == "javac" || d.Tool == "kotlinc" })
	}
	if m.werror {
		for _, d := range m.warnings {
			d.Severity = diag.Error
			m.fault(d)
		}
	}
	if m.lost != "" && !m.blamed {
		m.add(diag.Diagnostic{Rule: "surefire", Message: m.lost, Masks: diag.MasksCheck})
	}
	if !m.found() && m.reason != "" {
		m.add(diag.Diagnostic{Message: m.reason, Masks: diag.MasksCheck})
	}
	if m.skipped { // whatever failed hides what those modules have to say
		for i := range m.report.Diagnostics {
			m.report.Diagnostics[i].Masks = diag.MasksCheck
		}
	}
}
