package parse

import (
	"io"
	"strings"
	"unicode/utf8"

	"fettle/internal/pattern"
)

// parseHooks reads what hook runners such as pre-commit and prek print: for each hook a line with its name, dots and a
// marker, and below those that failed what the tool inside said. Whatever else stands there (warnings about the stash,
// environments that are made, diffs, output of hooks that passed) is passed over.
func parseHooks(r io.Reader, o Options) (Report, error) {
	c := newCollector(o, "")
	h := &hooks{collector: c, placing: newPlacing(c)}
	in := newLines(r)
	for line, ok := in.next(); ok; line, ok = in.next() {
		h.line(line)
	}
	h.end()
	return c.report, in.failed()
}

type hooks struct {
	*collector
	placing *placing
	now     *hookBlock // the hook that failed and whose output comes now; nil: none
	width   int        // of all status lines, in letters; zero until a hook said its id
	last    int        // width of the last status line
	maybe   string     // a line that is a status line only if an id follows
}

const hookID = "- hook id: "

func (h *hooks) line(line string) {
	if h.maybe != "" {
		before := h.maybe
		h.maybe = ""
		if strings.HasPrefix(line, hookID) {
			h.status(before)
		} else {
			h.text(before)
		}
	}
	name, _, is := hookStatus(line)
	switch wide := utf8.RuneCountInString(line); {
	case !is:
		h.text(line)
	case h.width != 0 && h.width != wide && !isASCII(name):
		h.status(line) // letters may take two columns
	case h.width != 0 && h.width != wide:
		h.maybe = line
	default:
		h.status(line)
	}
}

// status begins another hook.
func (h *hooks) status(line string) {
	h.end()
	h.last = utf8.RuneCountInString(line)
	name, failed, _ := hookStatus(line)
	h.report.Hooks = append(h.report.Hooks, Hook{Name: name, Passed: !failed})
	if failed {
		h.now = newHookBlock(h.collector, h.placing, name)
	}
}

// text is a line below a status line.
func (h *hooks) text(line string) {
	id, is := strings.CutPrefix(line, hookID)
	switch {
	case is && h.width == 0:
		// Runners that print ids align their status lines: a line of another width is a tool's own, such as a list of tests.
		h.width = h.last
		fallthrough
	case is:
		if h.now != nil && !h.now.named {
			h.now.hook, h.now.named = strings.TrimSpace(id), true
		}
	case h.now != nil && afterHooks(line):
		h.end()
	case h.now != nil:
		h.now.line(line)
	}
}

// afterHooks recognises what pre-commit says after its hooks (--show-diff-on-failure).
func afterHooks(line string) bool {
	return line == "All changes made by hooks:" || strings.HasPrefix(line, "pre-commit hook(s) made changes.")
}

// end ends the hook whose output came.
func (h *hooks) end() {
	if h.now != nil {
		h.now.end()
	}
	h.now = nil
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// hookMarkers are the words at the end of a status line; true: the hook failed.
var hookMarkers = map[string]bool{"✅": false, "Passed": false, "❌": true, "Failed": true, "Skipped": false}

// hookReason stands before the marker of a hook that had nothing to do.
var hookReason = pattern.New(`\([^()]*\)$`)

// hookLeaders are what fills the space up to the marker.
const hookLeaders = ".·․…"

// hookStatus reads a line "name......marker" or "name...... marker" from its end, so that dots inside the name survive.
func hookStatus(line string) (name string, failed, ok bool) {
	line = strings.TrimRight(line, " \t")
	for marker, bad := range hookMarkers {
		rest, found := strings.CutSuffix(line, marker)
		if !found {
			continue
		}
		dotted := strings.TrimSuffix(rest, " ")
		if marker == "Skipped" {
			dotted = hookReason.ReplaceAllString(dotted, "")
		}
		name = strings.TrimRight(dotted, ".")
		if name == dotted {
			name = strings.TrimRight(dotted, hookLeaders)
		}
		spaced := dotted != rest
		if dots := utf8.RuneCountInString(dotted) - utf8.RuneCountInString(name); strings.TrimSpace(name) == "" || dots == 0 || !spaced && dots < 3 {
			return "", false, false
		}
		return strings.TrimSpace(name), bad, true
	}
	return "", false, false
}
