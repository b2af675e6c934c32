package reply

import (
	"slices"
	"strings"

	"fettle/internal/edit"
)

// hunk is some lines of a file as they are and as they should be.
type hunk struct {
	below []string // lines that stand somewhere above it, in this order
	rows  []row
	last  bool // its lines are the file's last
	line  int  // of the envelope
}

// row is a line of a hunk.
type row struct {
	mark byte // ' ', '-' or '+'
	text string
	bare bool // an empty line, without the blank that is its mark
}

// old are the lines that should be in the file.
func (h hunk) old() (out []string) {
	for _, r := range h.rows {
		if r.mark != '+' {
			out = append(out, r.text)
		}
	}
	return out
}

// fresh are the lines that come into the place of those: where the hunk lets one stay, it stays as it is there.
func (h hunk) fresh(there []string) (out []string) {
	at := 0
	for _, r := range h.rows {
		switch r.mark {
		case '+':
			out = append(out, r.text)
		case ' ':
			out = append(out, there[at])
			at++
		default:
			at++
		}
	}
	return out
}

// hunksOf splits what is said of a file into its hunks.
func hunksOf(path string, lines []string, first int) ([]hunk, error) {
	var out []hunk
	open := false // whether lines belong to the last hunk
	begin := func(at int) *hunk {
		if !open || len(out) == 0 {
			out = append(out, hunk{line: at})
		}
		open = true
		return &out[len(out)-1]
	}
	for i, l := range lines {
		at := first + i
		switch {
		case strings.HasPrefix(l, "*** Move to:"):
			return nil, refuseAt(path, 0, "line %d of the patch gives the file another name: that stands right below the line *** Update File:", at)
		case strings.TrimSpace(l) == "*** End of File":
			if open && len(out) > 0 {
				out[len(out)-1].last = true
			}
			open = false
		case strings.HasPrefix(l, "@@"):
			if len(out) > 0 && len(out[len(out)-1].rows) > 0 {
				open = false
			}
			h := begin(at)
			if where := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(strings.TrimPrefix(l, "@@")), "@@")); where != "" && where != "..." && !strings.HasPrefix(where, "-") {
				h.below = append(h.below, where)
			}
		case l == "":
			h := begin(at)
			h.rows = append(h.rows, row{mark: ' ', bare: true})
		case strings.IndexByte(" -+", l[0]) >= 0:
			h := begin(at)
			h.rows = append(h.rows, row{mark: l[0], text: l[1:]})
		default:
			return nil, refuseAt(path, 0, "line %d of the patch begins with neither a blank, - nor +", at)
		}
	}
	return out, nil
}

// alikes are the ways in which lines of a hunk are looked for, each only where those before it have found nothing: as they are; but for blanks at their ends; but for signs that look alike, as
// models write the plain ones.
var alikes = []struct {
	plain func(string) string
	note  string
}{
	{func(s string) string { return s }, ""},
	{trimEnd, "blanks at the ends of lines"},
	{func(s string) string { return lookalikes.Replace(trimEnd(s)) }, "signs that look like those of the file"},
}

func trimEnd(s string) string { return strings.TrimRight(s, " \t\r\u00a0") }

// lookalikes are dashes, quotes and blanks, and the plain signs for which they stand.
var lookalikes = func() *strings.Replacer {
	var pairs []string
	for plain, signs := range map[string]string{
		"-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212",
		"'": "\u2018\u2019\u201a\u201b",
		`"`: "\u201c\u201d\u201e\u201f",
		" ": "\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000",
	} {
		for _, sign := range signs {
			pairs = append(pairs, string(sign), plain)
		}
	}
	return strings.NewReplacer(pairs...)
}()

// hunk is a hunk as an edit. Where its lines stand more than once, those count that come first below the lines that it names, if each of those stands once, or those at the end of the file, if
// it says that it is there.
func (r *reading) hunk(path string, h hunk) (edit.Part, error) {
	name, err := r.name(path)
	if err != nil {
		return edit.Part{}, err
	}
	f, err := r.ground.Source(name)
	if err != nil {
		return edit.Part{}, err
	}
	lines := strings.Split(strings.ReplaceAll(string(f.Data), "\r\n", "\n"), "\n")
	h = h.trimmed(lines)
	old := h.old()
	if len(old) == 0 {
		return r.appended(path, h, lines)
	}
	asSaid := func() edit.Part {
		was, is := strings.Join(old, "\n"), strings.Join(h.fresh(old), "\n")
		return edit.Part{Path: path, Old: &was, New: &is, Lines: true}
	}
	for _, alike := range alikes {
		places := runs(lines, old, alike.plain)
		if len(places) == 0 {
			continue
		}
		at, err := h.place(path, lines, places, alike.plain)
		if err != nil || at < 0 && alike.note == "" {
			return asSaid(), err // of several places the edit says which there are
		}
		if at < 0 {
			return edit.Part{}, refuseAt(path, places[0]+1, "but for %s, the lines of the hunk at line %d of the patch stand in %d places: give more lines around the change", alike.note, h.line, len(places))
		}
		there := lines[at : at+len(old)]
		was, is := strings.Join(there, "\n"), strings.Join(h.fresh(there), "\n")
		if alike.note != "" {
			r.notes = append(r.notes, edit.Note{Path: name, Line: at + 1, Text: "the lines of the patch differ from the file's in " + alike.note + "; those that stay are as they were"})
		}
		return edit.Part{Path: path, Old: &was, New: &is, Lines: true, Line: at + 1}, nil
	}
	for _, row := range h.rows {
		if l := " " + row.text; row.mark == ' ' && !row.bare && strings.TrimSpace(l) != "" && slices.Contains(lines, l) {
			return edit.Part{}, refuseAt(path, 0, "in the hunk at line %d of the patch the line %q has no mark of its own: put a blank, - or + before it", h.line, strings.TrimSpace(l))
		}
	}
	return asSaid(), nil
}

// trimmed is the hunk without an empty line behind it that only parts it from the next: without a mark, and of no use to find its place.
func (h hunk) trimmed(lines []string) hunk {
	n := len(h.rows)
	if n == 0 || !h.rows[n-1].bare {
		return h
	}
	shorter := h
	shorter.rows = h.rows[:n-1]
	if len(shorter.old()) == 0 || len(runs(lines, h.old(), alikes[0].plain)) == 0 {
		return shorter
	}
	return h
}

// appended puts a hunk that has nothing but new lines at the end of the file, as apply_patch does. One that names a line above it is meant elsewhere.
func (r *reading) appended(path string, h hunk, lines []string) (edit.Part, error) {
	var text strings.Builder
	for _, row := range h.rows {
		text.WriteString(row.text + "\n")
	}
	switch {
	case text.Len() == 0:
		return edit.Part{}, refuseAt(path, 0, "the hunk at line %d of the patch has no lines", h.line)
	case len(h.below) > 0:
		return edit.Part{}, refuseAt(path, 0, "the hunk at line %d of the patch only adds lines, and none around them says where: add some that are there", h.line)
	}
	last := len(lines)
	if lines[last-1] == "" {
		last--
	}
	r.notes = append(r.notes, edit.Note{Path: path, Line: last, Text: "lines without any around them were put at the end of the file"})
	after := text.String()
	return edit.Part{Path: path, Line: last, After: &after}, nil
}

// place is the one of several places in a file where the hunk belongs; below zero: it does not say.
func (h hunk) place(path string, lines []string, places []int, plain func(string) string) (int, error) {
	switch end := places[len(places)-1] + len(h.old()); {
	case len(places) == 1:
		return places[0], nil
	case len(h.below) == 0 && h.last && strings.Join(lines[end:], "") == "":
		return places[len(places)-1], nil
	case len(h.below) == 0:
		return -1, nil
	}
	from := 0
	for _, where := range h.below {
		at := -1
		for i, l := range lines {
			if strings.TrimSpace(plain(l)) != strings.TrimSpace(plain(where)) {
				continue
			}
			if at >= 0 {
				return -1, refuseAt(path, i+1, "the line behind @@ stands in the file more than once, and so do the lines of the hunk: give more lines around the change")
			}
			at = i
		}
		if at < from {
			return -1, refuseAt(path, 0, "the line behind @@ is not in the file where it should be: %s", where)
		}
		from = at
	}
	for _, at := range places {
		if at >= from {
			return at, nil
		}
	}
	return -1, refuseAt(path, from+1, "the lines of the hunk do not stand below the line behind @@")
}

// runs are where lines stand among others, as far as they are plain.
func runs(lines, of []string, plain func(string) string) (out []int) {
next:
	for i := range len(lines) - len(of) + 1 {
		for j, l := range of {
			if plain(lines[i+j]) != plain(l) {
				continue next
			}
		}
		out = append(out, i)
	}
	return out
}
