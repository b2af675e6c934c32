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
func restyled(s *session, e Event, _ shell.Verdict) *shell.Verdict {
	if e.Tool != "Edit" || s.Styled || s.Failed != nil || s.Spoken == 0 {
		return nil
	}
	var in struct {
		File string `json:"file_path"`
		Old  string `json:"old_string"`
		New  string `json:"new_string"`
	}
	if json.Unmarshal(e.Input, &in) != nil || in.Old == in.New {
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

// restyling names what two texts of code differ in, if it is their style alone; else it is empty. Texts whose layout means something to
// their language (Python's, YAML's, Make's) differ in more than style as soon as an indentation differs; text for people is none of it.
func restyling(ext, before, after string) string {
	if !slices.Contains([]string{".py", ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".go", ".java", ".kt", ".rs", ".c", ".h", ".cc", ".cpp", ".hpp", ".cs", ".rb", ".php", ".swift", ".scala"}, ext) {
		return ""
	}
	keepIndent := ext == ".py"
	for _, step := range []struct {
		name string
		of   func(string) string
	}{
		{"white space", func(t string) string { return layout(t, keepIndent) }},
		{"semicolons", func(t string) string { return layout(withoutEnds(t, ";"), keepIndent) }},
		{"trailing commas", func(t string) string { return withoutCommas(layout(t, keepIndent)) }},
		{"quotes", func(t string) string { return layout(oneQuote(t, ext), keepIndent) }},
		{"quotes, semicolons and commas", func(t string) string {
			return withoutCommas(layout(withoutEnds(oneQuote(t, ext), ";"), keepIndent))
		}},
	} {
		if step.of(before) == step.of(after) {
			return step.name
		}
	}
	return ""
}

// layout is a text without the white space that says nothing: what stands at the ends of lines, and how far lines are indented. Text in which
// white space may be part of a value stays as it is.
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

// withoutCommas leaves out a comma that the next thing closes.
func withoutCommas(text string) string {
	for _, closer := range []string{")", "]", "}"} {
		text = strings.ReplaceAll(strings.ReplaceAll(text, ",\n"+closer, "\n"+closer), ","+closer, closer)
	}
	return text
}

// oneQuote writes all quotes as one, in the languages that have two for one thing.
func oneQuote(text, ext string) string {
	if !slices.Contains([]string{".py", ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".rb", ".php"}, ext) || strings.Contains(text, `\`) {
		return text
	}
	return strings.ReplaceAll(text, "'", `"`)
}
