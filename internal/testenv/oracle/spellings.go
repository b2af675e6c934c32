package oracle

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var lineBreak = regexp.MustCompile(`\\(\\|n)`)

// spellings change how the JSON is written.
var spellings = []way{
	{"commas at the end", func(w *Reply) bool {
		w.Text = regexp.MustCompile(`\n( *)([}\]])`).ReplaceAllString(w.Text, ",\n$1$2")
		w.Text = strings.TrimSuffix(w.Text, ",")
		return true
	}},
	{"comments", func(w *Reply) bool {
		w.Text = strings.Replace(w.Text, "{\n", "{ // the answer {\n  # in short\n", 1)
		return true
	}},
	{"Python", func(w *Reply) bool {
		var v any
		if json.Unmarshal([]byte(w.Text), &v) != nil {
			return false
		}
		w.Text = python(v)
		return true
	}},
	{"line breaks in strings", func(w *Reply) bool {
		w.Text = lineBreak.ReplaceAllStringFunc(w.Text, func(s string) string {
			if s == `\n` {
				return "\n"
			}
			return s
		})
		return true
	}},
	{"quotes not escaped", func(w *Reply) bool {
		w.Benign = false
		was := w.Text
		w.Text = strings.ReplaceAll(w.Text, `\"`, `"`)
		return w.Text != was
	}},
	{"backslashes not escaped", func(w *Reply) bool {
		w.Benign = false
		was := w.Text
		w.Text = strings.ReplaceAll(w.Text, `\\`, `\`)
		return was != w.Text && !json.Valid([]byte(w.Text)) // what still is JSON may say something else, and rightly
	}},
	{"names without quotes", func(w *Reply) bool {
		w.Text = regexp.MustCompile(`(?m)^( *)"([A-Za-z_]+)":`).ReplaceAllString(w.Text, "$1$2:")
		return true
	}},
	{"a name twice", func(w *Reply) bool {
		w.Benign = false
		i := strings.Index(w.Text, "{\n")
		if i < 0 || !strings.Contains(w.Text, `"confidence"`) {
			return false
		}
		w.Text = w.Text[:i+2] + `"confidence": 1, "confidence": 0,` + w.Text[i+2:]
		return true
	}},
}

func python(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		return map[bool]string{true: "True", false: "False"}[v]
	case string:
		s := marshal(v)
		s = strings.ReplaceAll(strings.ReplaceAll(s[1:len(s)-1], `\"`, `"`), `'`, `\'`)
		return "'" + s + "'"
	case []any:
		var all []string
		for _, e := range v {
			all = append(all, python(e))
		}
		return "[" + strings.Join(all, ", ") + "]"
	case map[string]any:
		var all []string
		for k, e := range v {
			all = append(all, python(k)+": "+python(e))
		}
		slices.Sort(all)
		return "{" + strings.Join(all, ", ") + "}"
	}
	return fmt.Sprint(v)
}

// envelopes is a way to break an envelope.
func envelopes(change func(w *Reply, s string) string, benign bool) func(w *Reply) bool {
	return func(w *Reply) bool {
		if w.How[0] != "envelope" {
			return false
		}
		was := w.Text
		w.Text = change(w, was)
		w.Benign = w.Benign && benign
		return was != w.Text
	}
}

// textual break answers that are no JSON.
var textual = []way{
	{"wrong counts", func(w *Reply) bool {
		if !strings.HasPrefix(w.How[0], "diff") {
			return false
		}
		was := w.Text
		w.Text = regexp.MustCompile(`@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@`).ReplaceAllString(w.Text, "@@ -$1,3 +$2,9 @@")
		return was != w.Text
	}},
	{"wrong numbers", func(w *Reply) bool {
		if !strings.HasPrefix(w.How[0], "diff") {
			return false
		}
		w.Benign = false
		was := w.Text
		w.Text = regexp.MustCompile(`@@ -(\d+)`).ReplaceAllString(w.Text, "@@ -9$1")
		return was != w.Text
	}},
	{"no line behind @@", envelopes(func(_ *Reply, s string) string { return regexp.MustCompile(`(?m)^@@ .*$`).ReplaceAllString(s, "@@") }, true)},
	{"another line behind @@", envelopes(func(w *Reply, s string) string {
		return regexp.MustCompile(`(?m)^@@ .*$`).ReplaceAllString(s, "@@ "+strings.NewReplacer("\n", "", "$", "").Replace(strings.TrimSpace(split(w.fault.Base)[w.rng.IntN(len(split(w.fault.Base)))])))
	}, false)},
	{"no end of the patch", envelopes(func(_ *Reply, s string) string { return strings.Replace(s, "*** End Patch\n", "", 1) }, false)},
	{"a mark of a line lost", envelopes(func(w *Reply, s string) string {
		lines := strings.Split(s, "\n")
		if i := w.rng.IntN(len(lines)); lines[i] != "" && strings.ContainsAny(lines[i][:1], " +-") {
			lines[i] = lines[i][1:]
		}
		return strings.Join(lines, "\n")
	}, false)},
	{"end of the file said", envelopes(func(_ *Reply, s string) string {
		return strings.Replace(s, "*** End Patch\n", "*** End of File\n*** End Patch\n", 1)
	}, true)},
	{"in a command", envelopes(func(_ *Reply, s string) string {
		return "```sh\napply_patch <<'EOF'\n" + s + "EOF\n```\n"
	}, true)},
	{"blanks of empty lines lost", func(w *Reply) bool {
		was := w.Text
		w.Text = strings.ReplaceAll(w.Text, "\n \n", "\n\n")
		return was != w.Text
	}},
	{"a marker lost", func(w *Reply) bool {
		if w.How[0] != "blocks" {
			return false
		}
		w.Benign = false
		was := w.Text
		w.Text = strings.Replace(w.Text, []string{"=======\n", ">>>>>>> REPLACE\n", "<<<<<<< SEARCH\n"}[w.rng.IntN(3)], "", 1)
		return was != w.Text
	}},
	{"the name lost", func(w *Reply) bool {
		was := w.Text
		w.Text = strings.ReplaceAll(w.Text, w.fault.Path+"\n<<<", "<<<")
		return was != w.Text
	}},
	{"ornaments", func(w *Reply) bool {
		was := w.Text
		w.Text = strings.ReplaceAll(w.Text, "\n"+w.fault.Path+"\n", "\n### `"+w.fault.Path+"`:\n")
		return was != w.Text
	}},
	{"half of the file", func(w *Reply) bool {
		if !strings.HasPrefix(w.Text, "Here is the file") {
			return false
		}
		w.Benign = false
		lines := strings.SplitAfter(w.Text, "\n")
		if len(lines) < 24 {
			return false
		}
		w.Text = strings.Join(lines[:4], "") + strings.Join(lines[len(lines)/2:], "")
		return true
	}},
	{"the rest of it is unchanged", func(w *Reply) bool {
		if !strings.HasPrefix(w.Text, "Here is the file") {
			return false
		}
		w.Benign = false
		lines := strings.SplitAfter(w.Text, "\n")
		w.Text = strings.Join(lines[:len(lines)/2], "") + "# ... rest of the code remains the same ...\n```\n"
		return true
	}},
	{"CRLF", func(w *Reply) bool {
		w.Text = strings.ReplaceAll(w.Text, "\n", "\r\n")
		return true
	}},
}
