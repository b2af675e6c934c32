package parse

import (
	"slices"
	"strings"

	"fettle/internal/diag"
	"fettle/internal/pattern"
)

// goOutput is what one test, or a package outside of its tests, printed.
type goOutput struct {
	kept
	partial string   // a line whose end has not come yet
	errors  []string // the lines that the testing package marked as errors
}

var (
	goStatus  = pattern.New(`^\s*(=== (RUN|PAUSE|CONT|NAME|ATTR|ARTIFACTS)\b|--- (PASS|FAIL|SKIP|BENCH): )`)
	goSummary = pattern.New(`^(PASS|FAIL|ok  \t.*|FAIL\t.*|\?   \t.*|coverage: .*|exit status \d+|panic: .*\(forced\))$`)
	goSays    = pattern.New(`^\s*(\S[^:\s]*\.go|\S[^:]*\.go):(\d+): ?(.*)$`)
	goFatal   = pattern.New(`^(panic: |fatal error: |runtime: |unexpected fault address |SIG[A-Z]+: )`)
	goBad     = pattern.New(`(?i)\b(got|want|expect|fail|error|not|unexpected|mismatch|diff|should|must|invalid|wrong)`)
	goTimeout = pattern.New(`^panic: test timed out after `)
	goRunning = pattern.New(`^\t\t(\S.*) \([^()]+\)$`)
)

func (o *goOutput) add(e goEvent) {
	for line := range strings.Lines(e.Output) {
		text, whole := strings.CutSuffix(line, "\n")
		if len(o.partial)+len(text) <= maxLine {
			o.partial += text
		}
		if !whole {
			return
		}
		full := clean([]byte(strings.TrimSuffix(o.partial, "\r")))
		o.partial = ""
		if goStatus.MatchString(full) || goSummary.MatchString(full) {
			if strings.Contains(full, " failed]") {
				o.kept.add(full)
			}
			continue
		}
		if e.OutputType == "error" && len(o.errors) < 100 {
			o.errors = append(o.errors, full)
		}
		o.kept.add(full)
	}
}

func (o *goOutput) some(f func(string) bool) bool {
	return slices.ContainsFunc(o.head, f) || slices.ContainsFunc(o.tail, f)
}

func (o *goOutput) says(s string) bool {
	return o.some(func(l string) bool { return strings.HasSuffix(l, s) })
}
func (o *goOutput) empty() bool    { return len(o.head) == 0 && o.partial == "" }
func (o *goOutput) crashed() bool  { return o.some(goFatal.MatchString) }
func (o *goOutput) timedOut() bool { return o.some(goTimeout.MatchString) }

// names picks those of the tests that a timeout lists as running.
func (o *goOutput) names(tests []string) []string {
	var named []string
	if o == nil {
		return nil
	}
	for _, line := range o.lines() {
		if m := goRunning.FindStringSubmatch(line); m != nil && slices.Contains(tests, m[1]) {
			named = append(named, m[1])
		}
	}
	return named
}

// explain makes a finding of what was printed: the message, where it comes from, and the frames of a crash.
func (p *goTests) explain(g *goPackage, o *goOutput) diag.Diagnostic {
	if o.partial != "" {
		o.kept.add(clean([]byte(o.partial)))
		o.partial = ""
	}
	text := o.lines()
	d := diag.Diagnostic{Detail: strings.Join(text, "\n")}
	if i := slices.IndexFunc(text, goFatal.MatchString); i >= 0 {
		d.Message, _, _ = strings.Cut(text[i], " [recovered")
		d.Frames = p.goFrames(text[i:])
		d.Masks = diag.MasksDir
		p.locate(&d)
		return d
	}
	if i := slices.Index(text, "WARNING: DATA RACE"); i >= 0 {
		d.Message = "data race"
		d.Frames = p.goFrames(text[i:])
		p.locate(&d)
		return d
	}
	if i := p.telling(text, o.errors); i >= 0 {
		m := goSays.FindStringSubmatch(text[i])
		d.File, d.Range, d.Message = p.goTestFile(g, m[1]), at(number(m[2]), 0), m[3]
		if d.Message == "" {
			d.Message = below(text[i+1:])
		}
		return d
	}
	d.Message = example(text)
	return d
}

// locate puts a finding where the innermost frame is.
func (c *collector) locate(d *diag.Diagnostic) {
	if len(d.Frames) > 0 {
		d.File, d.Range = d.Frames[0].File, at(d.Frames[0].Line, 0)
	}
}

func (p *goTests) goTestFile(g *goPackage, name string) string {
	if strings.ContainsAny(name, "/\\") {
		return p.goFile(name)
	}
	if g.dir == "" {
		return ""
	}
	return p.inFolder(g.dir, name)
}

// telling is the line "file.go:12: message" that most likely says why the test failed, or -1. The testing package prints
// t.Log and t.Error alike (unless events mark the errors): the first line that sounds like a complaint is taken, else the
// last one, because t.Fatal comes last.
func (p *goTests) telling(text, errors []string) int {
	last := -1
	for i, line := range text {
		m := goSays.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if slices.Contains(errors, line) {
			return i
		}
		if len(errors) == 0 && (goBad.MatchString(m[3]) || m[3] == "") {
			return i
		}
		last = i
	}
	return last
}

var testifyField = pattern.New(`^(Error Trace|Test|Messages):`)

// below is the message of a failure whose first line is empty, as testify writes it: in a table with the field "Error:"; or as
// quicktest does: in sections of indented lines, below "error:", "got:" and "want:".
func below(text []string) string {
	if said := sections(text); said != "" {
		return said
	}
	first := ""
	for i, line := range text {
		if goSays.MatchString(line) {
			break
		}
		field, value, isField := strings.Cut(strings.TrimSpace(line), ":")
		if isField && field == "Error" {
			said := []string{strings.TrimSpace(value)}
			for _, more := range text[i+1:] {
				t := strings.TrimSpace(more)
				if t == "" || len(said) > 3 || testifyField.MatchString(t) {
					break
				}
				said = append(said, t)
			}
			return strings.Join(said, " ")
		}
		if t := strings.TrimSpace(line); first == "" && t != "" && field != "Error Trace" {
			first = t
		}
	}
	return first
}

// sections is what the sections of a failure say, each with its first lines; empty where there is no section "error:".
func sections(text []string) string {
	said, section, lines := "", "", 0
	for _, line := range text {
		t := strings.TrimSpace(line)
		switch {
		case t == "" || goSays.MatchString(line):
		case t == "error:" || t == "got:" || t == "want:" || t == "comment:":
			section, lines = t, 0
		case strings.HasSuffix(t, ":") && !strings.Contains(t, " "):
			section = "" // stack: and others
		case section == "error:" && lines == 0:
			said, lines = t, 1
		case section != "" && said != "" && lines < 2:
			if lines == 0 {
				said += "; " + section
			}
			said, lines = said+" "+t, lines+1
		}
	}
	return said
}

// example is the message of an example whose output differs ("got:" and "want:" on lines of their own), or else the first
// line that is not empty.
func example(text []string) string {
	got, want := slices.Index(text, "got:"), slices.Index(text, "want:")
	if got >= 0 && want > got {
		quote := func(s []string) string { return strings.TrimSpace(strings.Join(s, "\n")) }
		return "got " + quote(text[got+1:want]) + ", want " + quote(text[want+1:])
	}
	for _, line := range text {
		if t := strings.TrimSpace(line); t != "" {
			return t
		}
	}
	return ""
}
