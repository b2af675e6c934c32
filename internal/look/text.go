package look

import (
	"bytes"
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"fettle/internal/policy/secret"
)

// Text is a file as a model sees it: without its secrets, line by line.
type Text struct {
	lines []string          // as they are shown, without endings
	at    []int             // the number, in the file, of each; a secret of several lines is shown on one
	marks map[string]string // what stands in the place of a secret, and the secret
}

// mostSource is the size of the largest file that is looked at.
const mostSource = 1 << 20

// Readable reports a file that can be shown at all.
func Readable(data []byte) bool {
	return len(data) <= mostSource && !bytes.Contains(data, []byte{0}) && utf8.Valid(data)
}

// Of reads the lines of a file, with marks in the place of its secrets.
func Of(data []byte, out secret.Outbound) *Text {
	t := &Text{marks: map[string]string{}}
	var line strings.Builder
	n, first := 1, 1
	flush := func() {
		t.lines, t.at = append(t.lines, strings.TrimSuffix(line.String(), "\r")), append(t.at, first)
		line.Reset()
	}
	plain := func(b []byte) {
		for len(b) > 0 {
			head, rest, more := bytes.Cut(b, []byte("\n"))
			line.Write(head)
			if !more {
				return
			}
			flush()
			n++
			first = n
			b = rest
		}
	}
	end := 0
	for _, found := range out.Find(data) {
		plain(data[end:found.Start])
		mark := out.Mark(data, found)
		t.marks[mark] = string(data[found.Start:found.End])
		line.WriteString(mark)
		n += bytes.Count(data[found.Start:found.End], []byte("\n"))
		end = found.End
	}
	plain(data[end:])
	if line.Len() > 0 {
		flush()
	}
	return t
}

// Hidden is the secret for which a mark stands.
func (t *Text) Hidden(mark string) (hidden string, known bool) {
	hidden, known = t.marks[mark]
	return hidden, known
}

// Count is how many lines the file has.
func (t *Text) Count() int {
	if len(t.at) == 0 {
		return 0
	}
	return t.at[len(t.at)-1]
}

// Numbered shows lines of the file with their numbers.
func (t *Text) Numbered(from, to int) string {
	var b strings.Builder
	for i := sort.SearchInts(t.at, from); i < len(t.at) && t.at[i] <= to; i++ {
		fmt.Fprintf(&b, "%d| %s\n", t.at[i], t.lines[i])
	}
	return strings.TrimSuffix(b.String(), "\n")
}
