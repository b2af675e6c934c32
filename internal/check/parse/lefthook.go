package parse

import (
	"io"
	"strings"

	"fettle/internal/diag"
	"fettle/internal/pattern"
)

// parseLefthook reads what lefthook run prints: for each command a heading with its name and below it what it printed, at
// whose end stands "exit status N" if it failed; and a summary that names the commands once more.
func parseLefthook(r io.Reader, o Options) (Report, error) {
	c := newCollector(o, "")
	l := &lefthook{collector: c, placing: newPlacing(c), told: map[string]bool{}}
	in := newLines(r)
	for line, ok := in.next(); ok; line, ok = in.next() {
		l.line(line)
	}
	l.end()
	return c.report, in.failed()
}

type lefthook struct {
	*collector
	placing *placing
	now     *hookBlock // the command whose output comes; nil: none
	failed  bool       // it ended with "exit status"
	summary bool
	told    map[string]bool // commands that were seen to fail
}

var (
	lefthookHeading = pattern.New(`^┃\s+(.+?)\s*❯\s*$`)
	lefthookExit    = pattern.New(`^exit status (\d+)$`)
	lefthookFailed  = pattern.New(`^(?:✗|🥊)\s+(.+?)(?:: [^:]*)? \([\d.]+ seconds\)$`)
	lefthookPassed  = pattern.New(`^(?:✓|✔️?)\s+(.+?) \([\d.]+ seconds\)$`)
	lefthookRule    = pattern.New(`^\s*─{8,}\s*$`)
)

// lefthookChanged is what --fail-on-changes says.
const lefthookChanged = "files were modified by a hook"

func (l *lefthook) line(line string) {
	if m := lefthookHeading.FindStringSubmatch(line); m != nil {
		l.end()
		l.now = newHookBlock(l.collector, l.placing, m[1])
		return
	}
	switch {
	case strings.HasPrefix(line, "summary: ") || lefthookRule.MatchString(line):
		l.end()
		l.summary = true
	case strings.Contains(line, lefthookChanged):
		l.end()
		l.add(diag.Diagnostic{Tool: "lefthook", Rule: "fail_on_changes", Message: "a command of lefthook changes files", Fixable: true})
	case l.summary:
		l.summed(line)
	case l.now != nil:
		l.output(line)
	}
}

// summed is a line of the summary. What belongs to a group is told indented below it, and is not told here.
func (l *lefthook) summed(line string) {
	if m := lefthookPassed.FindStringSubmatch(line); m != nil {
		l.report.Hooks = append(l.report.Hooks, Hook{Name: m[1], Passed: true})
	}
	m := lefthookFailed.FindStringSubmatch(line)
	if m == nil {
		return
	}
	l.report.Hooks = append(l.report.Hooks, Hook{Name: m[1]})
	if !l.told[m[1]] {
		l.told[m[1]] = true
		l.add(diag.Diagnostic{Tool: m[1], Rule: m[1], Message: "hook " + m[1] + " failed"})
	}
}

// output is a line of a command's output. Its exit status is known only when no other line follows.
func (l *lefthook) output(line string) {
	m := lefthookExit.FindStringSubmatch(line)
	if m == nil {
		if strings.TrimSpace(line) != "" {
			l.failed = false
		}
		l.now.line(line)
		return
	}
	l.failed = true
	l.now.missing = l.now.missing || m[1] == "127" || m[1] == "126" // what a shell says of a program that it cannot run
}

// end ends a command. A command in a group counts for the group.
func (l *lefthook) end() {
	if l.now != nil && l.failed {
		names := strings.Split(l.now.hook, " ❯ ")
		l.told[names[0]], l.told[names[len(names)-1]] = true, true
		l.now.end()
	}
	l.now, l.failed = nil, false
}
