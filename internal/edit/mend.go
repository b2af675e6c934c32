package edit

import (
	"fmt"
	"strconv"
	"strings"

	"fettle/internal/pattern"
)

// mender goes through a unified diff before it is parsed, line by line and never changing how many lines there are. It decides
// where each hunk ends, takes one for placeless whose @@ line names no lines, corrects counts in @@ lines that the hunk's own lines contradict, and refuses text that belongs
// to no part of a diff, which a lenient parser would pass over and thereby apply the rest by half.
type mender struct {
	lines []string // with endings
	notes []Note   // lines are lines of the diff
	git   bool     // the current file has a "diff --git" line
	file  bool     // a file header was seen
}

var (
	placeless  = pattern.New(`^@@(?: +\.{3})?(?: *@@)?( .*)?$`)
	hunkLine   = pattern.New(`^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@(.*)$`)
	gitLine    = pattern.New(`^diff --git "?[a-z0-9]/`)
	headerLine = pattern.New(`^(?:index |old mode |new mode |deleted file mode |new file mode |copy from |copy to |rename from |rename to |rename old |rename new |similarity index |dissimilarity index |diff |Index: |={10,}$|Binary files )`)
)

func mendDiff(data []byte) (string, []Note, error) {
	s := string(data)
	if s != "" && !strings.HasSuffix(s, "\n") {
		s += "\n"
	}
	m := &mender{}
	for line := range strings.Lines(s) {
		m.lines = append(m.lines, line)
	}
	for i := 0; i < len(m.lines); {
		next, err := m.part(i)
		if err != nil {
			return "", nil, err
		}
		i = next
	}
	if !m.file {
		return "", nil, reject("", 1, "there is no file header (--- and +++ lines) in the diff")
	}
	return strings.Join(m.lines, ""), m.notes, nil
}

// bare is line i without its ending, "" beyond the end.
func (m *mender) bare(i int) string {
	if i >= len(m.lines) {
		return ""
	}
	l, _ := cutEnding(m.lines[i])
	return l
}

// part reads the part of the diff that begins at line i and says where the next one begins.
func (m *mender) part(i int) (next int, err error) {
	line := m.bare(i)
	switch {
	case strings.HasPrefix(line, "diff --git "):
		if !gitLine.MatchString(line) {
			return 0, reject("", i+1, "the names have no a/ and b/ before them; make the diff with git diff --default-prefix")
		}
		m.git, m.file = true, true
		m.lines[i] = line + "\n"
		return i + 1, nil
	case strings.HasPrefix(line, "@@"):
		if !m.file {
			return 0, reject("", i+1, "a hunk without a file header (--- and +++ lines) before it")
		}
		return m.hunk(i)
	case m.header(i):
		if !m.git {
			if !strings.HasPrefix(m.bare(i+2), "@@") {
				return 0, reject("", i+1, "no hunk follows the file header")
			}
			m.stripPrefixes(i)
		}
		m.git, m.file = false, true // further --- lines without a "diff --git" line begin another file
		return i + 2, nil
	case line == "GIT binary patch" && m.file:
		m.lines[i] = line + "\n"
		for i++; i < len(m.lines) && !strings.HasPrefix(m.lines[i], "diff --git "); i++ {
			m.lines[i] = m.bare(i) + "\n"
		}
		return i, nil
	case !m.file || line == "" || headerLine.MatchString(line):
		m.lines[i] = line + "\n"
		return i + 1, nil
	case line == "-- " || line == "--": // a mail's signature: what follows is no diff
		m.lines = m.lines[:i]
		return i, nil
	}
	return 0, reject("", i+1, "this line belongs to no part of a diff: %q", line)
}

// header says whether lines i and i+1 are the --- and +++ lines of a file, and takes carriage returns off them.
func (m *mender) header(i int) bool {
	if !strings.HasPrefix(m.bare(i), "--- ") || !strings.HasPrefix(m.bare(i+1), "+++ ") {
		return false
	}
	m.lines[i], m.lines[i+1] = m.bare(i)+"\n", m.bare(i+1)+"\n"
	return true
}

// stripPrefixes takes a/ and b/ off the names of a file without a "diff --git" line, if both have them.
func (m *mender) stripPrefixes(i int) {
	strip := func(line, prefix string) (string, bool) {
		mark, name := line[:4], line[4:]
		for _, quote := range []string{"", `"`} {
			if rest, ok := strings.CutPrefix(name, quote+prefix); ok {
				return mark + quote + rest, true
			}
		}
		return line, strings.HasPrefix(name, "/dev/null")
	}
	from, okFrom := strip(m.lines[i], "a/")
	to, okTo := strip(m.lines[i+1], "b/")
	if okFrom && okTo {
		m.lines[i], m.lines[i+1] = from, to
	}
}

// hunk reads the hunk whose @@ line is line i.
func (m *mender) hunk(i int) (next int, err error) {
	found := hunkLine.FindStringSubmatch(m.bare(i))
	if found == nil {
		return m.placelessHunk(i)
	}
	count := func(s string) int {
		if s == "" {
			return 1
		}
		n, _ := strconv.Atoi(s)
		return n
	}
	declaredOld, declaredNew := count(found[2]), count(found[4])
	end, fits := m.declaredEnd(i+1, declaredOld, declaredNew)
	if !fits {
		end = m.ownEnd(i + 1)
	}
	before, after := m.sides(i+1, end)
	if !fits {
		m.notes = append(m.notes, Note{Line: i + 1, Text: fmt.Sprintf("the hunk says %d lines before and %d after, but has %d and %d; its lines were taken", declaredOld, declaredNew, before, after)})
	}
	m.lines[i] = fmt.Sprintf("@@ -%s,%d +%s,%d @@%s\n", found[1], before, found[3], after, found[5])
	return end, nil
}

// placelessHunk reads a hunk whose @@ line does not say where it belongs: its lines have to.
func (m *mender) placelessHunk(i int) (next int, err error) {
	if !placeless.MatchString(m.bare(i)) || strings.Contains(m.bare(i), "@@ -") {
		return 0, reject("", i+1, "the hunk's @@ line cannot be read: %q", m.bare(i))
	}
	end := m.ownEnd(i + 1)
	before, after := m.sides(i+1, end)
	m.lines[i] = fmt.Sprintf("@@ -0,%d +0,%d @@\n", before, after)
	return end, nil
}

// sides counts the lines of a hunk before and after the change.
func (m *mender) sides(from, end int) (before, after int) {
	for k := from; k < end; k++ {
		if m.bare(k) == "" { // an empty line of context whose blank was lost
			m.lines[k] = " " + m.lines[k]
		}
		switch m.lines[k][0] {
		case ' ':
			before++
			after++
		case '-':
			before++
		case '+':
			after++
		}
	}
	return before, after
}

// declaredEnd gives the line after the hunk by the counts of its @@ line, and whether the hunk's lines agree with them.
func (m *mender) declaredEnd(i, before, after int) (end int, fits bool) {
	for ; before > 0 || after > 0; i++ {
		if i >= len(m.lines) {
			return i, false
		}
		switch kind := (m.bare(i) + " ")[0]; kind {
		case ' ':
			before--
			after--
		case '-':
			before--
		case '+':
			after--
		case '\\':
		default:
			return i, false
		}
	}
	for strings.HasPrefix(m.bare(i), `\ `) {
		i++
	}
	return i, before == 0 && after == 0 && (i >= len(m.lines) || m.bare(i) == "" || !m.bodyLine(i))
}

// ownEnd gives the line after the hunk by its own lines: the first that cannot be one of a hunk. Empty lines at the end are none.
func (m *mender) ownEnd(i int) int {
	for i < len(m.lines) && m.bodyLine(i) {
		i++
	}
	for m.bare(i-1) == "" {
		i--
	}
	return i
}

// bodyLine says whether line i may be a line of a hunk.
func (m *mender) bodyLine(i int) bool {
	line := m.bare(i)
	if line == "" {
		return true
	}
	if line == "-- " && i+2 >= len(m.lines)-1 { // a mail's signature and the version of git
		return false
	}
	if strings.HasPrefix(line, "--- ") && strings.HasPrefix(m.bare(i+1), "+++ ") && strings.HasPrefix(m.bare(i+2), "@@") {
		return false
	}
	return strings.IndexByte(` +-\`, line[0]) >= 0
}
