package edit

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// block replaces the one place in the file where search stands. With wholeLines both texts are lines, and only whole lines are found.
func (d *draft) block(f *draftFile, search, replace string, wholeLines bool) error {
	if search == "" {
		if len(f.base.Data) > 0 {
			return reject(f.path, 0, "the search text is empty, but the file is not: say what should be replaced")
		}
		f.edits = append(f.edits, Edit{New: []byte(replace)})
		return nil
	}
	var edit Edit
	var found bool
	var err error
	if wholeLines {
		edit, found, err = f.findLines(splitLines(search), splitLines(replace))
	} else {
		edit, found, err = d.findBytes(f, search, replace)
	}
	if err == nil && !found {
		edit, err = d.findWords(f, splitLines(search), splitLines(replace))
	}
	if err != nil {
		return err
	}
	f.tighten(edit)
	return nil
}

// tighten adds the edit as only those lines that it changes, so that two blocks may show the same context.
func (f *draftFile) tighten(e Edit) {
	for _, small := range diffLines(f.base.Data[e.Start:e.End], e.New) {
		f.edits = append(f.edits, Edit{Start: small.Start + e.Start, End: small.End + e.Start, New: small.New})
	}
}

// findLines finds lines that are equal but for their endings.
func (f *draftFile) findLines(search, replace []string) (Edit, bool, error) {
	at := f.text.findAll(len(search), func(i, k int) bool { return f.text.line(i) == search[k] })
	if len(at) != 1 {
		return Edit{}, false, f.ambiguous(at)
	}
	return f.text.replace(at[0], at[0]+len(search), replace), true, nil
}

// findAll gives every line from which n lines on all are the same.
func (t text) findAll(n int, same func(line, k int) bool) []int {
	var out []int
next:
	for i := 0; i+n <= t.lines(); i++ {
		for k := range n {
			if !same(i+k, k) {
				continue next
			}
		}
		out = append(out, i)
	}
	return out
}

// ambiguous is the error for text that stands in more than one place; nil when there is no such place.
func (f *draftFile) ambiguous(lines []int) error {
	if len(lines) == 0 {
		return nil
	}
	var names []string
	for _, l := range lines {
		names = append(names, strconv.Itoa(l+1))
	}
	if len(names) > 5 {
		names = append(names[:5], fmt.Sprintf("%d more", len(lines)-5))
	}
	last := len(names) - 1
	return reject(f.path, lines[0]+1, "the search text stands in %d places, at lines %s and %s; add lines around it until there is one",
		len(lines), strings.Join(names[:last], ", "), names[last])
}

// findBytes finds text, with the line endings as given or as most lines have them.
func (d *draft) findBytes(f *draftFile, search, replace string) (Edit, bool, error) {
	var at []int
	length := 0
	needles := []string{search, withEndings(search, "\n"), withEndings(search, "\r\n")}
	slices.Sort(needles)
	for _, needle := range slices.Compact(needles) {
		for _, i := range indexAll(f.base.Data, []byte(needle)) {
			at, length = append(at, i), len(needle)
		}
	}
	if len(at) != 1 {
		slices.Sort(at)
		var lines []int
		for _, i := range at {
			lines = append(lines, f.text.at(i))
		}
		return Edit{}, false, f.ambiguous(lines)
	}
	e, err := d.replaceBytes(f, at[0], at[0]+length, search, replace)
	return e, true, err
}

// indexAll gives every place of needle in data, also those that overlap.
func indexAll(data, needle []byte) []int {
	var out []int
	for at := 0; ; at++ {
		i := bytes.Index(data[at:], needle)
		if i < 0 {
			return out
		}
		at += i
		out = append(out, at)
	}
}

// replaceBytes gives the edit that replaces a found range, keeping the line ending that it ends with.
func (d *draft) replaceBytes(f *draftFile, start, end int, search, replace string) (Edit, error) {
	t := f.text
	first, last := t.at(start), t.at(end-1)
	lineEnd := end == t.starts[last+1] || end == t.starts[last]+len(t.line(last))
	lead := ""
	if start >= t.starts[first] {
		lead = string(t.data[t.starts[first]:start])
	}
	switch {
	case start == t.starts[first] && lineEnd:
		return t.replace(first, last+1, splitLines(replace)), nil
	case first == last && lineEnd && lead != "" && strings.TrimSpace(lead) == "" && len(splitLines(replace)) > 1:
		lines, err := f.indented(first, lead, splitLines(replace))
		if err != nil {
			return Edit{}, err
		}
		d.note(f.path, first+1, "the search text left out the indentation of its line; the replacement was indented like it")
		return t.replace(first, last+1, lines), nil
	}
	with := withEndings(replace, t.endingOf(first, last+1))
	_, cut := cutEnding(search)
	body, added := cutEnding(with)
	switch {
	case cut != "" && added == "":
		with += t.ending(last)
	case cut == "" && added != "" && lineEnd:
		with = body
	}
	return Edit{Start: start, End: end, New: []byte(with)}, nil
}

// indented puts lead before every line. It refuses when the lines after the first might already have it.
func (f *draftFile) indented(line int, lead string, lines []string) ([]string, error) {
	already := true
	out := make([]string, len(lines))
	for i, l := range lines {
		if strings.TrimSpace(l) == "" {
			continue
		}
		out[i] = lead + l
		if i > 0 && !strings.HasPrefix(l, lead) {
			already = false
		}
	}
	if already {
		return nil, reject(f.path, line+1, "the search text leaves out the indentation of its line, so that the indentation of the replacement's other lines is unclear; give whole lines")
	}
	return out, nil
}

// findWords finds lines that differ by white space only, and indents the replacement as they are.
func (d *draft) findWords(f *draftFile, search, replace []string) (Edit, error) {
	search, replace = trimBlank(search, replace)
	if len(search) == 0 {
		return Edit{}, reject(f.path, 0, "the search text holds only blanks and is not in the file")
	}
	words := make([]string, len(search))
	for i, l := range search {
		words[i] = inWords(l)
	}
	at := f.text.findAll(len(search), func(i, k int) bool { return inWords(f.text.line(i)) == words[k] })
	switch {
	case len(at) > 1:
		return Edit{}, f.ambiguous(at)
	case len(at) == 0:
		return Edit{}, reject(f.path, 0, "the search text is not in the file (it begins %q)", search[0])
	}
	old := make([]string, len(search))
	for k := range old {
		old[k] = f.text.line(at[0] + k)
	}
	lines, err := reindent(search, old, replace)
	if err != nil {
		return Edit{}, reject(f.path, at[0]+1, "%v", err)
	}
	kept := make([]string, 0, len(lines)) // lines that the replacement leaves as they are stay as the file has them
	next := 0
	for _, c := range diffTexts(search, replace) {
		kept = append(kept, old[next:c.Start]...)
		for i := c.Start; i < c.End; i++ {
			if respacesText(old[i], search[i]) {
				return Edit{}, reject(f.path, at[0]+i+1, "the line differs in blanks from the one that the search text has, and a text in quotes may be what they stand in\n  expected: %q\n  found:    %q", search[i], old[i])
			}
		}
		kept = append(kept, lines[c.ReplStart:c.ReplEnd]...)
		next = c.End
	}
	kept = append(kept, old[next:]...)
	d.note(f.path, at[0]+1, "matched by white space only, and indented the replacement like the lines it replaces")
	return f.text.replace(at[0], at[0]+len(search), kept), nil
}

// respacesText reports whether two lines of the same words differ in more than how they are indented, where they may hold a text in quotes.
func respacesText(file, said string) bool {
	return strings.TrimSpace(file) != strings.TrimSpace(said) && strings.ContainsAny(file, "\"'`")
}

func inWords(line string) string { return strings.Join(strings.Fields(line), " ") }

// trimBlank drops blank lines at both ends of search, and as many of the replacement's.
func trimBlank(search, replace []string) (s, r []string) {
	blank := func(l string) bool { return strings.TrimSpace(l) == "" }
	for len(search) > 0 && blank(search[0]) {
		search = search[1:]
		if len(replace) > 0 && blank(replace[0]) {
			replace = replace[1:]
		}
	}
	for len(search) > 0 && blank(search[len(search)-1]) {
		search = search[:len(search)-1]
		if n := len(replace); n > 0 && blank(replace[n-1]) {
			replace = replace[:n-1]
		}
	}
	return search, replace
}
