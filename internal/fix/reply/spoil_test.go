package reply_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// spoil breaks the reply in some of the ways that fit its form, and writes it down.
func (w *written) spoil() {
	for range w.rng.IntN(4) {
		if w.json != nil {
			w.once(meanings[w.rng.IntN(len(meanings))])
		}
	}
	if w.json != nil {
		w.text = marshal(w.json)
		for range w.rng.IntN(3) {
			w.once(spellings[w.rng.IntN(len(spellings))])
		}
	} else if w.chance(2) {
		w.once(textual[w.rng.IntN(len(textual))])
	}
	for range w.rng.IntN(3) {
		w.once(wrappings[w.rng.IntN(len(wrappings))])
	}
	if w.chance(4) {
		w.once(way{"thoughts", thoughts})
	}
	if w.chance(6) {
		w.once(way{"cut", cut})
	}
}

// way is one way in which replies are broken. It reports whether it could, and says so itself where what it does asks for a refusal.
type way struct {
	name string
	do   func(w *written) bool
}

func (w *written) once(m way) {
	if !slices.Contains(w.how, m.name) && m.do(w) {
		w.how = append(w.how, m.name)
	}
}

func (w *written) list() []map[string]any {
	var out []map[string]any
	all, _ := w.json["edits"].([]any)
	for _, e := range all {
		if m, ok := e.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}

// each changes a text of every edit.
func (w *written) each(keys []string, change func(s string) string) bool {
	changed := false
	for _, e := range w.list() {
		for _, k := range keys {
			if s, ok := e[k].(string); ok {
				if with := change(s); with != s {
					e[k], changed = with, true
				}
			}
		}
	}
	return changed
}

var (
	olds  = []string{"old", "search", "search_block"}
	news  = []string{"new", "replace", "replace_block"}
	names = []string{"path", "file"}
)

// meanings change what the JSON says.
var meanings = []way{
	{"keys in capitals", func(w *written) bool {
		for _, e := range w.list() {
			for k, v := range e {
				delete(e, k)
				e[strings.ToUpper(k)] = v
			}
		}
		return len(w.list()) > 0
	}},
	{"camel case", func(w *written) bool {
		for _, e := range w.list() {
			for k, v := range e {
				if k == "old" || k == "new" {
					delete(e, k)
					e[k+"Text"] = v
				}
			}
		}
		return len(w.list()) > 0
	}},
	{"a tool's name around it", func(w *written) bool {
		w.json = map[string]any{"name": "propose_patch", "arguments": w.json}
		return true
	}},
	{"as text in a tool's call", func(w *written) bool {
		w.json = map[string]any{"type": "function", "function": map[string]any{"name": "edit", "arguments": marshal(w.json)}}
		return true
	}},
	{"a member around it", func(w *written) bool { w.json = map[string]any{"result": w.json}; return true }},
	{"confidence in percent", func(w *written) bool { w.json["confidence"] = "85%"; return true }},
	{"confidence in words", func(w *written) bool { w.json["confidence"] = "high"; return true }},
	{"line numbers as text", func(w *written) bool {
		for _, e := range w.list() {
			if e["line"] == nil {
				return false
			}
			e["line"] = fmt.Sprint(e["line"])
		}
		return len(w.list()) > 0
	}},
	{"lines as a list", func(w *written) bool {
		for _, e := range w.list() {
			for _, k := range []string{"old", "new"} {
				if s, ok := e[k].(string); ok && s != "" {
					e[k] = strings.Split(s, "\n")
				}
			}
		}
		return len(w.list()) > 0
	}},
	{"a name nearly right", func(w *written) bool {
		return w.each(names, func(s string) string { return "./" + s })
	}},
	{"a prefix before the name", func(w *written) bool {
		return w.each(names, func(s string) string { return "path/to/" + s })
	}},
	{"a newline behind", func(w *written) bool {
		return w.each(append(slices.Clone(olds), news...), func(s string) string {
			if s == "" {
				return s
			}
			return s + "\n"
		})
	}},
	{"another file", func(w *written) bool {
		w.benign = false
		return w.each(names, func(string) string { return "some/other.py" })
	}},
	{"out of the repository", func(w *written) bool {
		w.benign = false
		return w.each(names, func(s string) string { return "../" + s })
	}},
	{"absolute", func(w *written) bool {
		w.benign = false
		return w.each(names, func(s string) string { return "/work/" + s })
	}},
	{"wrong line numbers", wrongLines},
	{"indentation lost", func(w *written) bool {
		w.benign = false
		flat := func(s string) string {
			lines := strings.Split(s, "\n")
			for i := range lines {
				lines[i] = strings.TrimLeft(lines[i], " \t")
			}
			return strings.Join(lines, "\n")
		}
		a, b := w.each(olds, flat), w.each(news, flat)
		return a || b
	}},
	{"indented further", func(w *written) bool {
		w.benign = false
		deep := func(s string) string { return "    " + strings.ReplaceAll(s, "\n", "\n    ") }
		a, b := w.each(olds, deep), w.each(news, deep)
		return a || b
	}},
	{"tabs for blanks", func(w *written) bool {
		w.benign = false
		tabs := func(s string) string { return strings.ReplaceAll(s, "    ", "\t") }
		a, b := w.each(olds, tabs), w.each(news, tabs)
		return a || b
	}},
	{"blanks made one", func(w *written) bool {
		w.benign = false
		return w.each(olds, func(s string) string { return regexp.MustCompile(`(\S) {2,}`).ReplaceAllString(s, "$1 ") })
	}},
	{"what is not there", func(w *written) bool {
		w.benign = false
		return w.each(olds, func(s string) string { return s + " # really" })
	}},
	{"old left out", func(w *written) bool {
		w.benign = false
		for _, e := range w.list() {
			for _, k := range olds {
				delete(e, k)
			}
		}
		return len(w.list()) > 0
	}},
	{"new left out", func(w *written) bool {
		w.benign = false
		for _, e := range w.list() {
			for _, k := range news {
				delete(e, k)
			}
		}
		return len(w.list()) > 0
	}},
	{"rest unchanged", func(w *written) bool {
		w.benign = false
		c := "//"
		if strings.HasSuffix(w.fault.path, ".py") {
			c = "#"
		}
		mark := []string{" ... existing code ...", " rest of the function unchanged", " ...", " (remaining code here)"}[w.rng.IntN(4)]
		cut := func(s string) string {
			lines := strings.Split(s, "\n")
			if len(lines) < 4 {
				return s + "\n" + c + mark
			}
			return strings.Join(append(lines[:len(lines)/2], c+mark), "\n")
		}
		if s, ok := w.json["fixed_code"].(string); ok {
			w.json["fixed_code"] = cut(s)
			return true
		}
		return w.each(append([]string{"content"}, news...), cut)
	}},
	{"code dropped", func(w *written) bool {
		w.benign = false
		drop := func(s string) string {
			lines := strings.Split(s, "\n")
			if len(lines) < 16 {
				return s
			}
			return strings.Join(lines[:len(lines)/2], "\n") + "\n"
		}
		if s, ok := w.json["fixed_code"].(string); ok {
			w.json["fixed_code"] = drop(s)
			return drop(s) != s
		}
		return w.each([]string{"content"}, drop)
	}},
	{"two answers in one", func(w *written) bool {
		w.benign = false
		if w.json["edits"] == nil {
			return false
		}
		w.json["edit"] = "x"
		w.json["changes"] = []any{map[string]any{"path": w.fault.path, "content": "nothing\n"}}
		return true
	}},
}

// wrongLines moves the numbers, but never to a line that is the same text: there the reply would say another place, and rightly.
func wrongLines(w *written) bool {
	w.benign = false
	base := strings.Split(w.fault.base, "\n")
	for _, e := range w.list() {
		n, ok := e["line"].(int)
		old, isText := e["old"].(string)
		if !ok || !isText {
			return false
		}
		to := n + 1 + w.rng.IntN(5)
		if to <= len(base) && strings.HasPrefix(strings.Join(base[to-1:], "\n"), old) {
			return false
		}
		e["line"] = to
	}
	return len(w.list()) > 0
}

var lineBreak = regexp.MustCompile(`\\(\\|n)`)

// spellings change how the JSON is written.
var spellings = []way{
	{"commas at the end", func(w *written) bool {
		w.text = regexp.MustCompile(`\n( *)([}\]])`).ReplaceAllString(w.text, ",\n$1$2")
		w.text = strings.TrimSuffix(w.text, ",")
		return true
	}},
	{"comments", func(w *written) bool {
		w.text = strings.Replace(w.text, "{\n", "{ // the answer {\n  # in short\n", 1)
		return true
	}},
	{"Python", func(w *written) bool {
		var v any
		if json.Unmarshal([]byte(w.text), &v) != nil {
			return false
		}
		w.text = python(v)
		return true
	}},
	{"line breaks in strings", func(w *written) bool {
		w.text = lineBreak.ReplaceAllStringFunc(w.text, func(s string) string {
			if s == `\n` {
				return "\n"
			}
			return s
		})
		return true
	}},
	{"quotes not escaped", func(w *written) bool {
		w.benign = false
		was := w.text
		w.text = strings.ReplaceAll(w.text, `\"`, `"`)
		return w.text != was
	}},
	{"backslashes not escaped", func(w *written) bool {
		w.benign = false
		was := w.text
		w.text = strings.ReplaceAll(w.text, `\\`, `\`)
		return was != w.text && !sameMeaning(was, w.text)
	}},
	{"names without quotes", func(w *written) bool {
		w.text = regexp.MustCompile(`(?m)^( *)"([A-Za-z_]+)":`).ReplaceAllString(w.text, "$1$2:")
		return true
	}},
	{"a name twice", func(w *written) bool {
		w.benign = false
		i := strings.Index(w.text, "{\n")
		if i < 0 || !strings.Contains(w.text, `"confidence"`) {
			return false
		}
		w.text = w.text[:i+2] + `"confidence": 1, "confidence": 0,` + w.text[i+2:]
		return true
	}},
}

// sameMeaning is true where both are JSON: text without its backslashes that still is may say something else, and rightly.
func sameMeaning(_, after string) bool {
	return json.Valid([]byte(after))
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

// textual break answers that are no JSON.
// envelopes is a way to break an envelope.
func envelopes(change func(w *written, s string) string, benign bool) func(w *written) bool {
	return func(w *written) bool {
		if w.how[0] != "envelope" {
			return false
		}
		was := w.text
		w.text = change(w, was)
		w.benign = w.benign && benign
		return was != w.text
	}
}

var textual = []way{
	{"wrong counts", func(w *written) bool {
		if !strings.HasPrefix(w.how[0], "diff") {
			return false
		}
		was := w.text
		w.text = regexp.MustCompile(`@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@`).ReplaceAllString(w.text, "@@ -$1,3 +$2,9 @@")
		return was != w.text
	}},
	{"wrong numbers", func(w *written) bool {
		if !strings.HasPrefix(w.how[0], "diff") {
			return false
		}
		w.benign = false
		was := w.text
		w.text = regexp.MustCompile(`@@ -(\d+)`).ReplaceAllString(w.text, "@@ -9$1")
		return was != w.text
	}},
	{"no line behind @@", envelopes(func(_ *written, s string) string { return regexp.MustCompile(`(?m)^@@ .*$`).ReplaceAllString(s, "@@") }, true)},
	{"another line behind @@", envelopes(func(w *written, s string) string {
		return regexp.MustCompile(`(?m)^@@ .*$`).ReplaceAllString(s, "@@ "+strings.NewReplacer("\n", "", "$", "").Replace(strings.TrimSpace(split(w.fault.base)[w.rng.IntN(len(split(w.fault.base)))])))
	}, false)},
	{"no end of the patch", envelopes(func(_ *written, s string) string { return strings.Replace(s, "*** End Patch\n", "", 1) }, false)},
	{"a mark of a line lost", envelopes(func(w *written, s string) string {
		lines := strings.Split(s, "\n")
		if i := w.rng.IntN(len(lines)); lines[i] != "" && strings.ContainsAny(lines[i][:1], " +-") {
			lines[i] = lines[i][1:]
		}
		return strings.Join(lines, "\n")
	}, false)},
	{"end of the file said", envelopes(func(_ *written, s string) string {
		return strings.Replace(s, "*** End Patch\n", "*** End of File\n*** End Patch\n", 1)
	}, true)},
	{"in a command", envelopes(func(_ *written, s string) string {
		return "```sh\napply_patch <<'EOF'\n" + s + "EOF\n```\n"
	}, true)},
	{"blanks of empty lines lost", func(w *written) bool {
		was := w.text
		w.text = strings.ReplaceAll(w.text, "\n \n", "\n\n")
		return was != w.text
	}},
	{"a marker lost", func(w *written) bool {
		if w.how[0] != "blocks" {
			return false
		}
		w.benign = false
		was := w.text
		w.text = strings.Replace(w.text, []string{"=======\n", ">>>>>>> REPLACE\n", "<<<<<<< SEARCH\n"}[w.rng.IntN(3)], "", 1)
		return was != w.text
	}},
	{"the name lost", func(w *written) bool {
		was := w.text
		w.text = strings.ReplaceAll(w.text, w.fault.path+"\n<<<", "<<<")
		return was != w.text
	}},
	{"ornaments", func(w *written) bool {
		was := w.text
		w.text = strings.ReplaceAll(w.text, "\n"+w.fault.path+"\n", "\n### `"+w.fault.path+"`:\n")
		return was != w.text
	}},
	{"half of the file", func(w *written) bool {
		if !strings.HasPrefix(w.text, "Here is the file") {
			return false
		}
		w.benign = false
		lines := strings.SplitAfter(w.text, "\n")
		if len(lines) < 24 {
			return false
		}
		w.text = strings.Join(lines[:4], "") + strings.Join(lines[len(lines)/2:], "")
		return true
	}},
	{"the rest of it is unchanged", func(w *written) bool {
		if !strings.HasPrefix(w.text, "Here is the file") {
			return false
		}
		w.benign = false
		lines := strings.SplitAfter(w.text, "\n")
		w.text = strings.Join(lines[:len(lines)/2], "") + "# ... rest of the code remains the same ...\n```\n"
		return true
	}},
	{"CRLF", func(w *written) bool {
		w.text = strings.ReplaceAll(w.text, "\n", "\r\n")
		return true
	}},
}

// wrappings put things around the answer.
var wrappings = []way{
	{"prose", func(w *written) bool {
		w.text = "The set {a, b} of f[0] is wrong, as `x = {'y': 1}` shows.\n\n" + w.text + "\n\nThat keeps {everything} else, e.g. `d[\"k\"]`.\n"
		return true
	}},
	{"in a fence", func(w *written) bool {
		if w.json == nil {
			return false
		}
		mark := []string{"```json\n%s\n```", "~~~\n%s\n~~~", "````\n%s\n````", "```JSON5\n%s\n```", "```python\n%s\n```"}[w.rng.IntN(5)]
		w.text = fmt.Sprintf(mark, w.text)
		return true
	}},
	{"the same once more", func(w *written) bool {
		w.text += "\n\nOnce more, the answer:\n\n" + w.text
		if w.json == nil {
			w.benign = false
		}
		return true
	}},
	{"a shell's command behind", func(w *written) bool {
		w.text += "\n\nRun it:\n\n```bash\npython -m pytest {x}\n```\n"
		return true
	}},
}

// thoughts put what a reasoning model thinks before its answer.
func thoughts(w *written) bool {
	w.text = "<think>\nPerhaps {\"edits\": [{\"path\": \"a\"}]} or\na.py\n<<<<<<< SEARCH\n</think>\n" + w.text
	return true
}

// cut ends the reply early. Of JSON and of what stands in a fence it can be seen; of the other forms the provider has to say it.
func cut(w *written) bool {
	w.benign = false
	w.text = w.text[:w.rng.IntN(len(w.text))]
	w.cut = w.json == nil || w.chance(2)
	w.text = strings.ToValidUTF8(w.text, "")
	return true
}
