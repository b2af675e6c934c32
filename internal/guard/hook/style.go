package hook

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fettle/internal/policy/shell"
)

// restyled refuses an edit that only changes how code looks, where nobody spoke of style, no check complains, and the project's own notes say nothing of it: it hides
// in a review what was really changed.
func restyled(s *session, o *occasion, _ shell.Verdict) *shell.Verdict {
	if s.stylish() {
		return nil
	}
	var all []string
	for _, h := range o.hunks() {
		kinds := restyling(filepath.Ext(h.file), h.before, h.after)
		if len(kinds) == 0 || h.inText() {
			return nil
		}
		all = union(all, kinds)
	}
	if len(all) == 0 || o.speaksOf(all) {
		return nil
	}
	return &shell.Verdict{Decision: shell.Deny, Class: "told", Rule: "style-drift",
		Reason:      "Style drift detected: the edit changes nothing but " + strings.Join(all, " and ") + ", which nobody asked for",
		Alternative: "leave the lines as they are"}
}

// union are the texts of both lists, each once.
func union(all, more []string) []string {
	for _, one := range more {
		if !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return all
}

// hunk is a piece of a file as it is, and as it would be.
type hunk struct{ file, before, after string }

// inText reports a piece that may stand in a text of several lines of its file, where white space and quotes mean something.
func (h hunk) inText() bool {
	text, _ := present(h.file)
	open := opened{}
	before, _, found := strings.Cut(text, h.before)
	open.pass(filepath.Ext(h.file), before)
	return found && h.before != "" && open.inText()
}

// hunks are what a tool call would change, as far as it says so. A file that is written anew is held against what is there.
func (o *occasion) hunks() (all []hunk) {
	in, ok := o.edits()
	if !ok {
		return nil
	}
	switch o.Tool {
	case "Edit":
		all = []hunk{{in.File, in.Old, in.New}}
	case "MultiEdit":
		for _, e := range in.Edits {
			all = append(all, hunk{in.File, e.Old, e.New})
		}
	case "Write":
		if now, ok := present(in.File); ok && in.Content != nil && len(*in.Content) <= most {
			all = []hunk{{in.File, now, *in.Content}}
		}
	case "apply_patch":
		all = patchHunks(in.patch())
	}
	return all
}

// patchHunks are those of a patch of Codex's. What makes a file, or takes one away, is a hunk with nothing on one side.
func patchHunks(patch string) (all []hunk) {
	file := ""
	for line := range strings.Lines(patch) {
		switch head, name, ok := strings.Cut(strings.TrimSpace(line), " File: "); {
		case ok && strings.HasPrefix(head, "*** "):
			file = name
			all = append(all, hunk{file: file})
		case strings.HasPrefix(line, "@@"):
			all = append(all, hunk{file: file})
		case len(all) == 0 || strings.HasPrefix(line, "*** "):
		default:
			h := &all[len(all)-1]
			if line[0] != '+' {
				h.before += line[1:]
			}
			if line[0] != '-' {
				h.after += line[1:]
			}
		}
	}
	changed := all[:0]
	for _, h := range all {
		if h.before != h.after {
			changed = append(changed, h)
		}
	}
	return changed
}

// speaksOf reports notes of the project's, for agents, in which a line is about one of these kinds of style: then the edit may be what they ask for.
func (o *occasion) speaksOf(kinds []string) bool {
	words := []string{"style", "format", "prettier", "black", "gofmt"}
	for _, k := range kinds {
		words = append(words, map[string][]string{"white space": {"indent", "space", "tab"}, "semicolons": {"semicolon"}, "trailing commas": {"comma", "trailing"}, "quotes": {"quote"}, "the order of imports": {"import"}}[k]...)
	}
	for _, name := range instructions {
		data, err := os.ReadFile(filepath.Join(o.at.Root, name))
		if err != nil {
			continue
		}
		low := strings.ToLower(string(data))
		if slices.ContainsFunc(words, func(w string) bool { return strings.Contains(low, w) }) {
			return true
		}
	}
	return false
}

var (
	// script are the languages in which quotes, semicolons at the ends of lines and trailing commas may be written in more than one way.
	script = []string{".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx"}
	// free are the others in which white space within a line means nothing.
	free = []string{".py", ".go", ".java", ".kt", ".rs", ".c", ".h", ".cc", ".cpp", ".hpp", ".cs", ".swift", ".scala"}
	// flat are those in which white space at the beginning and the end of a line means nothing, and within it may.
	flat = []string{".css", ".scss", ".less", ".html", ".htm", ".sh", ".bash"}
)

// styled reports a file in a language whose style is told from what it says.
func styled(path string) bool {
	ext := filepath.Ext(path)
	return ext == ".json" || slices.Contains(script, ext) || slices.Contains(free, ext) || slices.Contains(flat, ext)
}

// restyling names what two texts of code differ in, if it is their style alone; else it is empty. What one language takes for style is a fault, or
// its mending, in another: a semicolon of Java's, a comma of Go's, a comma of Python's that makes a tuple, an indentation of its, and white space
// in a text of several lines.
func restyling(ext, before, after string) (kinds []string) {
	if before != after && spacedOtherwise(ext, before, after) {
		return []string{"white space"}
	}
	scripted := slices.Contains(script, ext)
	if before == after || !scripted && !slices.Contains(free, ext) || longTexts(before+after) {
		return nil
	}
	if reordered(before, after) {
		return []string{"the order of imports"}
	}
	ways := []struct {
		kind string
		may  bool
		of   func(string) string
	}{
		{"white space", true, func(t string) string { return layout(t, ext == ".py") }},
		{"semicolons", scripted, func(t string) string { return withoutEnds(t, ";") }},
		{"trailing commas", scripted, withoutCommas},
		{"quotes", (ext == ".py" || scripted) && onlyQuotes(before, after), oneQuote},
	}
	form := func(text string, but int) string { // the text in all ways but one
		for i := range ways { // white space last: it joins what the others look at
			if w := ways[len(ways)-1-i]; w.may && len(ways)-1-i != but {
				text = w.of(text)
			}
		}
		return text
	}
	if form(before, -1) != form(after, -1) {
		return nil
	}
	for i, w := range ways {
		if w.may && form(before, i) != form(after, i) {
			kinds = append(kinds, w.kind)
		}
	}
	if kinds == nil { // each of several ways would do
		kinds = []string{"white space"}
	}
	return kinds
}

// longTexts reports texts of several lines, or with escapes: what looks like style may stand in them.
func longTexts(code string) bool {
	return strings.ContainsAny(code, "`\\") || strings.Contains(code, `"""`) || strings.Contains(code, "'''")
}

// onlyQuotes reports that quotes of one kind have become those of the other, and nothing stands in one kind that the other would end.
func onlyQuotes(before, after string) bool {
	return !strings.Contains(before, `"`) && !strings.Contains(after, "'") || !strings.Contains(before, "'") && !strings.Contains(after, `"`)
}

// reordered reports that two texts import the same in another order, and nothing else.
func reordered(before, after string) bool {
	return strings.TrimSpace(before) != "" && imports(before) && imports(after) && sorted(before) == sorted(after)
}

// imports reports that every line of a text imports something.
func imports(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line != "" && !slices.ContainsFunc([]string{"import ", "from ", "use ", "#include ", `"`}, func(begin string) bool { return strings.HasPrefix(line, begin) }) {
			return false
		}
	}
	return true
}

// sorted are the lines of a text in order, without empty ones.
func sorted(text string) string {
	lines := slices.DeleteFunc(strings.Split(text, "\n"), func(l string) bool { return strings.TrimSpace(l) == "" })
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// layout is a text without the white space at the ends of its lines, without how far they are indented, unless that is kept, and without the blanks beside signs.
func layout(text string, keepIndent bool) string {
	lines := strings.Split(strings.TrimRight(text, " \t\r\n"), "\n")
	for i, l := range lines {
		body := strings.TrimLeft(l, " \t")
		indent := l[:len(l)-len(body)]
		lines[i] = tight(strings.TrimRight(body, " \t\r"))
		if keepIndent {
			lines[i] = indent + lines[i]
		}
	}
	return strings.Join(lines, "\n")
}

// tight is a line without the blanks that stand beside signs, and with one where there are several. Within texts, comments and patterns a blank means something,
// and so it does between two signs that together could be another one.
func tight(line string) string {
	if strings.ContainsAny(line, `"'/#`) {
		return line
	}
	const single = "(){}[],;:" // nothing becomes another sign beside one of these, but := and ::
	var b strings.Builder
	words := strings.Fields(line)
	for i, w := range words {
		if i > 0 {
			last, next := words[i-1][len(words[i-1])-1], w[0]
			signs := !wordByte(last) && !wordByte(next) && (last == ':' || next == ':' || !strings.ContainsRune(single, rune(last)) && !strings.ContainsRune(single, rune(next)))
			if signs || wordByte(last) && wordByte(next) {
				b.WriteByte(' ')
			}
		}
		b.WriteString(w)
	}
	return b.String()
}

func wordByte(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

func withoutEnds(text, end string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSuffix(strings.TrimRight(l, " \t\r"), end)
	}
	return strings.Join(lines, "\n")
}

// withoutCommas leaves out a comma at the end of a line, if the next one closes what it stands in.
func withoutCommas(text string) string {
	lines := strings.Split(text, "\n")
	for i := range len(lines) - 1 {
		if next := strings.TrimLeft(lines[i+1], " \t"); next != "" && strings.ContainsRune(")]}", rune(next[0])) {
			lines[i] = strings.TrimSuffix(strings.TrimRight(lines[i], " \t\r"), ",")
		}
	}
	return strings.Join(lines, "\n")
}

// oneQuote writes both quotes as one.
func oneQuote(text string) string { return strings.ReplaceAll(text, "'", `"`) }
