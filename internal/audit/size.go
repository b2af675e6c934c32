package audit

import (
	"bytes"
	"fmt"

	"fettle/internal/edit"
	"fettle/internal/lang"
)

// sizeRules keep a patch small enough to be judged. What was only formatted does not count.
var sizeRules = []Rule{
	{"size", "more files, lines or places than one patch should change", tooLarge},
}

func tooLarge(v *patchView) []Finding {
	var all []Finding
	files, lines := len(v.large), 0
	for _, f := range v.large {
		all = append(all, Finding{Path: f.path, Effect: Refuse, Evidence: fmt.Sprintf("it would have %d bytes; the limit is %d, so nothing else in it was looked at", len(f.after), v.limits.FileSize)})
	}
	for _, f := range v.files {
		if f.formatted || v.goal.By == Person && lang.IsLock(f.path) { // nobody reads a lock: of one, what it is made from is judged
			continue
		}
		files++
		lines += f.changedLines()
		if n := len(f.change.Edits); n > v.limits.Edits {
			all = append(all, Finding{Path: f.path, Effect: Ask, Evidence: fmt.Sprintf("it is changed in %d places; the limit is %d", n, v.limits.Edits)})
		}
	}
	if files > v.limits.Files {
		all = append(all, Finding{Effect: Ask, Evidence: fmt.Sprintf("the patch changes %d files; the limit is %d", files, v.limits.Files)})
	}
	if lines > v.limits.Lines {
		all = append(all, Finding{Effect: Ask, Evidence: fmt.Sprintf("the patch changes %d lines; the limit is %d", lines, v.limits.Lines)})
	}
	return all
}

// changedLines counts the lines that the change takes away and adds, as its edits tell them.
func (f *fileView) changedLines() int {
	if f.change.Op == edit.Delete {
		return lineCount(f.before)
	}
	n := 0
	for _, e := range f.change.Edits {
		n += lineCount(f.before[e.Start:e.End]) + lineCount(e.New)
	}
	return n
}

// lineCount counts the lines that a text touches.
func lineCount(b []byte) int {
	n := bytes.Count(b, []byte("\n"))
	if len(b) > 0 && b[len(b)-1] != '\n' {
		n++
	}
	return n
}
