package edit

import (
	"bytes"
	"maps"
	"slices"
	"strings"
)

// Compare gives the change that turns before into after, and whether there is any. Edits cover whole lines, as few as a
// line diff finds; in a file with a NUL byte, which has no lines, one edit covers what differs. A mode of 0 is one that
// nobody knows: it is never a difference.
func Compare(path string, before, after File) (c Change, changed bool) {
	switch {
	case !before.Exists && !after.Exists:
		return Change{}, false
	case !before.Exists:
		return creation(path, after), true
	case !after.Exists:
		return Change{Path: path, Op: Delete, Base: Sum(before.Data)}, true
	}
	c = Change{Path: path, Op: Modify, Edits: diffLines(before.Data, after.Data)}
	if m := after.Mode.Perm(); m != 0 && m != before.Mode.Perm() {
		c.Mode = m
	}
	if len(c.Edits) == 0 && c.Mode == 0 {
		return Change{}, false
	}
	c.Base = Sum(before.Data)
	return c, true
}

// Between gives the patch that turns the files before into the files after. A file that only one side has was created or
// deleted.
func Between(before, after map[string]File) Patch {
	paths := slices.AppendSeq(slices.Collect(maps.Keys(before)), maps.Keys(after))
	slices.Sort(paths)
	var p Patch
	for _, path := range slices.Compact(paths) {
		if c, changed := Compare(path, before[path], after[path]); changed {
			p = append(p, c)
		}
	}
	return p
}

// Diff is what turns the files before into the files after, as a unified diff.
func Diff(before, after map[string]File) (string, error) {
	return Between(before, after).Unified(func(path string) (File, error) { return before[path], nil })
}

// diffLines gives edits of whole lines that turn before into after, or one edit when either is binary.
func diffLines(before, after []byte) []Edit {
	if bytes.Equal(before, after) {
		return nil
	}
	if isBinary(before) || isBinary(after) {
		return []Edit{diffBytes(before, after)}
	}
	old, fresh := slices.Collect(strings.Lines(string(before))), slices.Collect(strings.Lines(string(after)))
	starts := rawText(before).starts
	var out []Edit
	for _, d := range diffTexts(old, fresh) {
		out = append(out, Edit{Start: starts[d.Start], End: starts[d.End], New: []byte(strings.Join(fresh[d.ReplStart:d.ReplEnd], ""))})
	}
	return out
}

// diffBytes gives the one edit between the common beginning and the common end.
func diffBytes(before, after []byte) Edit {
	shorter := min(len(before), len(after))
	head := 0
	for head < shorter && before[head] == after[head] {
		head++
	}
	tail := 0
	for tail < shorter-head && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	return Edit{Start: head, End: len(before) - tail, New: bytes.Clone(after[head : len(after)-tail])}
}

// isBinary says that the content is no text: it holds a NUL byte, which is git's rule, applied to all of it.
func isBinary(data []byte) bool { return bytes.IndexByte(data, 0) >= 0 }
