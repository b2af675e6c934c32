package hook

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"fettle/internal/policy/shell"
)

// restyled refuses an edit that only changes how code looks, where nobody spoke of style and no check complains: it hides in a review what
// was really changed.
func restyled(s *session, o *occasion, _ shell.Verdict) *shell.Verdict {
	if o.Tool != "Edit" || s.Styled || s.Failed != nil || s.Spoken == 0 {
		return nil
	}
	var in struct {
		File string `json:"file_path"`
		Old  string `json:"old_string"`
		New  string `json:"new_string"`
	}
	if json.Unmarshal(o.Input, &in) != nil || in.Old == in.New {
		return nil
	}
	what := restyling(filepath.Ext(in.File), in.Old, in.New)
	if what == "" {
		return nil
	}
	return &shell.Verdict{Decision: shell.Deny, Class: "told", Rule: "style-drift",
		Reason:      "Style drift detected: the edit changes nothing but " + what + ", which nobody asked for",
		Alternative: "leave the lines as they are"}
}

// script are the languages in which quotes, semicolons at the ends of lines and trailing commas may be written in more than one way.
var script = []string{".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx"}

// restyling names what two texts of code differ in, if it is their style alone; else it is empty. What one language takes for style is a fault, or
// its mending, in another: a semicolon of Java's, a comma of Go's, a comma of Python's that makes a tuple, an indentation of its, and white space
// in a text of several lines.
func restyling(ext, before, after string) string {
	if !slices.Contains(script, ext) && !slices.Contains([]string{".py", ".go", ".java", ".kt", ".rs", ".c", ".h", ".cc", ".cpp", ".hpp", ".cs", ".swift", ".scala"}, ext) ||
		strings.ContainsAny(before+after, "`\\") || strings.Contains(before+after, `"""`) || strings.Contains(before+after, "'''") {
		return ""
	}
	same := func(of func(string) string) bool {
		return layout(of(before), ext == ".py") == layout(of(after), ext == ".py")
	}
	quotes := ext == ".py" || slices.Contains(script, ext)
	quotes = quotes && (!strings.Contains(before, `"`) && !strings.Contains(after, "'") || !strings.Contains(before, "'") && !strings.Contains(after, `"`))
	switch {
	case same(strings.Clone):
		return "white space"
	case slices.Contains(script, ext) && same(func(t string) string { return withoutEnds(t, ";") }):
		return "semicolons"
	case slices.Contains(script, ext) && same(withoutCommas):
		return "trailing commas"
	case quotes && same(oneQuote):
		return "quotes"
	}
	return ""
}

// layout is a text without the white space at the ends of its lines, and without how far they are indented, unless that is kept.
func layout(text string, keepIndent bool) string {
	lines := strings.Split(strings.TrimRight(text, " \t\r\n"), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " \t\r")
		if !keepIndent {
			lines[i] = strings.TrimLeft(lines[i], " \t")
		}
	}
	return strings.Join(lines, "\n")
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
