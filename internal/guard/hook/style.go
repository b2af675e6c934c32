package hook

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	names "fettle/internal/policy/path"
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
		kinds := h.restyled()
		if len(kinds) == 0 {
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

// without is a list without those that are gone, in its own place. The compiler makes less of it than of slices.DeleteFunc: the hook is small.
func without[T any](list []T, gone func(*T) bool) []T {
	n := 0
	for i := range list {
		if !gone(&list[i]) {
			list[n] = list[i]
			n++
		}
	}
	return list[:n]
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

// restyled names what the piece differs in, if it is its style alone. Where it stands tells what is a text there, and how deep it is indented.
func (h hunk) restyled() []string {
	ext := filepath.Ext(h.file)
	if worded(h.before) != worded(h.after) && !reordered(h.before, h.after) {
		return nil
	}
	if text, _ := present(h.file); h.before != "" && strings.Contains(text, h.before) {
		return restylings(ext, text, strings.ReplaceAll(text, h.before, h.after))
	}
	if longTexts(h.before + h.after) {
		return nil
	}
	return restylings(ext, h.before, h.after)
}

// longTexts reports texts of several lines, or with escapes: what looks like style may stand in one that begins before.
func longTexts(code string) bool {
	return strings.ContainsAny(code, "`\\") || strings.Contains(code, `"""`) || strings.Contains(code, "'''")
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
		words = append(words, map[string][]string{spaces: {"indent", "space", "tab"}, ends: {"semicolon"}, commas: {"comma", "trailing"}, quoting: {"quote"}, "the order of imports": {"import"}}[k]...)
	}
	entries, _ := entriesOf(o.at.Root) // as far as it can be read
	for _, e := range entries {
		if !names.Instructs(e.Name()) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(o.at.Root, e.Name()))
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

// flat are the languages in which white space at the beginning and the end of a line means nothing, and within it may.
var flat = []string{".css", ".scss", ".less", ".html", ".htm", ".sh", ".bash"}

// styled reports a file in a language whose style is told from what it says.
func styled(path string) bool {
	ext := filepath.Ext(path)
	return ext == ".json" || coded(ext) || slices.Contains(flat, ext)
}

// coded reports a language whose words are told from their layout.
func coded(ext string) bool {
	return slices.Contains(script, ext) || slices.Contains(broken, ext) || slices.Contains(lined, ext)
}

// restyling names what two texts of code differ in, if it is their style alone; else it is empty. What one language takes for style is a fault, or
// its mending, in another: a semicolon of Java's, a comma of Go's, a comma of Python's that makes a tuple, an indentation of its, and white space
// in a text of several lines.
func restyling(ext, before, after string) (kinds []string) {
	switch {
	case before == after || worded(before) != worded(after):
		return nil
	case !coded(ext):
		if spacedOtherwise(ext, before, after) {
			return []string{spaces}
		}
		return nil
	}
	was, told := plainCode(ext, before, "")
	is, also := plainCode(ext, after, "")
	if was != is || !told || !also {
		return nil
	}
	for _, kind := range []string{spaces, ends, commas, quoting} {
		was, _ = plainCode(ext, before, kind)
		if is, _ = plainCode(ext, after, kind); was != is {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// worded is a text without all that style may change.
func worded(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\r\n;,\"'", r) {
			return -1
		}
		return r
	}, text)
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
