package parse

import (
	"io"
	"strings"

	"fettle/internal/diag"
)

// parseHooks reads the status lines of hook runners such as pre-commit: a name, dots, and a marker. What stands below a
// hook that failed is its longer text.
func parseHooks(r io.Reader, o Options) (Report, error) {
	c := newCollector(o, "hooks")
	in := newLines(r)
	failing := false
	for line, ok := in.next(); ok; line, ok = in.next() {
		name, failed, is := hookStatus(line)
		switch {
		case is && failed:
			c.add(diag.Diagnostic{Rule: name, Message: "hook " + name + " failed"})
			failing = true
		case is:
			failing = false
		case failing && strings.TrimSpace(line) != "":
			c.note(line)
		}
	}
	return c.report, in.failed()
}

// hookStatus reads a line "name......marker" or "name...... marker". Dots inside the name survive.
func hookStatus(line string) (name string, failed, ok bool) {
	line = strings.TrimRight(line, " \t")
	for marker, bad := range map[string]bool{"✅": false, "Passed": false, "❌": true, "Failed": true, "Skipped": false} {
		rest, found := strings.CutSuffix(line, marker)
		if !found {
			continue
		}
		dotted := strings.TrimSuffix(rest, " ")
		if marker == "Skipped" {
			dotted = strings.TrimSuffix(dotted, "(no files to check)")
		}
		name = strings.TrimRight(dotted, ".")
		spaced := dotted != rest
		if dots := len(dotted) - len(name); strings.TrimSpace(name) == "" || dots == 0 || !spaced && dots < 3 {
			return "", false, false
		}
		return strings.TrimSpace(name), bad, true
	}
	return "", false, false
}
