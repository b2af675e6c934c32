package hook

import (
	"slices"
	"strings"
)

// piece is a part of a file that has changed: where it began, and what it was and has become.
type piece struct {
	at            int
	before, after string
}

// pieces are those in which two texts differ: runs of lines, where none was added or taken away, or else all from the first to the last that differs.
func pieces(before, after string) (all []piece) {
	was, is := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	if len(was) != len(is) {
		first, last := 0, 0
		for first < min(len(was), len(is)) && was[first] == is[first] {
			first++
		}
		for last < min(len(was), len(is))-first && was[len(was)-1-last] == is[len(is)-1-last] {
			last++
		}
		return []piece{{len(strings.Join(was[:first], "")), strings.Join(was[first:len(was)-last], ""), strings.Join(is[first:len(is)-last], "")}}
	}
	at, to := 0, 0 // in the one text and the other
	for i := 0; i < len(was); i++ {
		p, q := at, to
		for ; i < len(was) && was[i] != is[i]; i++ {
			at, to = at+len(was[i]), to+len(is[i])
		}
		if at > p || to > q {
			all = append(all, piece{p, before[p:at], after[q:to]})
		}
		if i < len(was) {
			at, to = at+len(was[i]), to+len(is[i])
		}
	}
	return all
}

// restylings names what two texts of a file differ in, if it is their style alone; else there is none.
func restylings(ext, before, after string) (kinds []string) {
	if ext == ".json" {
		return restyling(ext, before, after)
	}
	open, at := opened{}, 0
	var same strings.Builder // the one text with the imports of the other
	for _, p := range pieces(before, after) {
		open.pass(ext, before[at:p.at])
		same.WriteString(before[at:p.at])
		at = p.at + len(p.before)
		switch {
		case coded(ext) && !open.inText() && reordered(p.before, p.after):
			kinds = union(kinds, []string{"the order of imports"})
			same.WriteString(p.before)
		case coded(ext) && !markup(ext, before):
			same.WriteString(p.after)
		default: // each by itself
			in := restyling(ext, p.before, p.after)
			if in == nil || open.inText() || coded(ext) && (longTexts(p.before+p.after) || !assigns(p.before) || !assigns(p.after)) {
				return nil
			}
			kinds = union(kinds, in)
			same.WriteString(p.before)
		}
		open.pass(ext, p.before)
	}
	same.WriteString(before[at:])
	if same.String() == before {
		return kinds
	}
	in := restyling(ext, before, same.String())
	if in == nil {
		return nil
	}
	return union(kinds, in)
}

// markup reports a text of JavaScript with elements in it, which have words of their own that are no code.
func markup(ext, text string) bool {
	return slices.Contains(script, ext) && (strings.Contains(text, "</") || strings.Contains(text, "/>"))
}

// assigns reports lines that are code also where there may be elements.
func assigns(text string) bool {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.Contains(line, "=") && !strings.HasPrefix(line, "import ") && !strings.HasPrefix(line, "export ") {
			return false
		}
	}
	return true
}

// opened counts what opens and closes texts of several lines in a part of a file, from its beginning.
type opened map[string]int

// signs are those of a language.
func signs(ext string) []string {
	switch {
	case isShell(ext):
		return []string{"`", `"`, "'", "<<"}
	case ext == ".html" || ext == ".htm":
		return []string{"`", "<pre", "</pre", "<textarea", "</textarea"}
	}
	return []string{"`", `"""`, "'''"}
}

// pass goes on over the next part.
func (o opened) pass(ext, part string) {
	for _, sign := range signs(ext) {
		o[sign] += strings.Count(part, sign)
	}
}

// inText reports that what follows may stand in a text of several lines.
func (o opened) inText() bool {
	odd := func(sign string) bool { return o[sign]%2 == 1 }
	return odd("`") || odd(`"`) || odd("'") || odd(`"""`) || odd("'''") || o["<<"] > 0 || o["<pre"] > o["</pre"] || o["<textarea"] > o["</textarea"]
}

func isShell(ext string) bool { return ext == ".sh" || ext == ".bash" }

// spacedOtherwise reports two texts that differ in white space alone, in a language of which nothing else is known.
func spacedOtherwise(ext, before, after string) bool {
	if ext == ".json" {
		return sameJSON(before, after)
	}
	was := flush(ext, before)
	return slices.Contains(flat, ext) && was != "" && was == flush(ext, after)
}

// sameJSON reports two texts of JSON, or parts of some, which differ in nothing but the white space between its words.
func sameJSON(before, after string) bool {
	was, whole := bareWords(before)
	is, also := bareWords(after)
	return whole && also && was == is
}

// bareWords is a text of JSON without the white space outside of its texts; false: one of those has no end.
func bareWords(text string) (string, bool) {
	var b strings.Builder
	in := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case in && c == '\\' && i+1 < len(text):
			b.WriteByte(c)
			i++
			c = text[i]
		case c == '"':
			in = !in
		case !in && strings.IndexByte(" \t\r\n", c) >= 0:
			continue
		case in && c == '\n':
			return "", false
		}
		b.WriteByte(c)
	}
	return b.String(), !in
}

// flush is a text without the white space at both ends of its lines, and without empty ones; empty, where that may mean something: in texts of several lines, and in what HTML shows as it is.
func flush(ext, text string) string {
	low := strings.ToLower(text)
	for _, sign := range []string{"`", "\\", "<<", "<pre", "<textarea", "<script", "/*"} {
		if strings.Contains(low, sign) {
			return ""
		}
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		if isShell(ext) && (strings.Count(line, "'")%2 == 1 || strings.Count(line, `"`)%2 == 1) {
			return ""
		}
		if line = strings.TrimSpace(line); line != "" {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}
