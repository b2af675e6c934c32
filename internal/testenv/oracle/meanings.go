package oracle

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// meanings change what the JSON says.
var meanings = []way{
	{"keys in capitals", func(w *Reply) bool {
		for _, e := range w.list() {
			for k, v := range e {
				delete(e, k)
				e[strings.ToUpper(k)] = v
			}
		}
		return len(w.list()) > 0
	}},
	{"camel case", func(w *Reply) bool {
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
	{"a tool's name around it", func(w *Reply) bool {
		w.json = map[string]any{"name": "propose_patch", "arguments": w.json}
		return true
	}},
	{"as text in a tool's call", func(w *Reply) bool {
		w.json = map[string]any{"type": "function", "function": map[string]any{"name": "edit", "arguments": marshal(w.json)}}
		return true
	}},
	{"a member around it", func(w *Reply) bool { w.json = map[string]any{"result": w.json}; return true }},
	{"confidence in percent", func(w *Reply) bool { w.json["confidence"] = "85%"; return true }},
	{"confidence in words", func(w *Reply) bool { w.json["confidence"] = "high"; return true }},
	{"line numbers as text", func(w *Reply) bool {
		for _, e := range w.list() {
			if e["line"] == nil {
				return false
			}
			e["line"] = fmt.Sprint(e["line"])
		}
		return len(w.list()) > 0
	}},
	{"lines as a list", func(w *Reply) bool {
		for _, e := range w.list() {
			for _, k := range []string{"old", "new"} {
				if s, ok := e[k].(string); ok && s != "" {
					e[k] = strings.Split(s, "\n")
				}
			}
		}
		return len(w.list()) > 0
	}},
	{"a name nearly right", func(w *Reply) bool {
		return w.each(names, func(s string) string { return "./" + s })
	}},
	{"a prefix before the name", func(w *Reply) bool {
		return w.each(names, func(s string) string { return "path/to/" + s })
	}},
	{"a newline behind", func(w *Reply) bool {
		return w.each(append(slices.Clone(olds), news...), func(s string) string {
			if s == "" {
				return s
			}
			return s + "\n"
		})
	}},
	{"another file", func(w *Reply) bool {
		w.Benign = false
		return w.each(names, func(string) string { return "some/other.py" })
	}},
	{"out of the repository", func(w *Reply) bool {
		w.Benign = false
		return w.each(names, func(s string) string { return "../" + s })
	}},
	{"absolute", func(w *Reply) bool {
		w.Benign = false
		return w.each(names, func(s string) string { return "/work/" + s })
	}},
	{"wrong line numbers", wrongLines},
	{"indentation lost", func(w *Reply) bool {
		w.Benign = false
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
	{"indented further", func(w *Reply) bool {
		w.Benign = false
		deep := func(s string) string { return "    " + strings.ReplaceAll(s, "\n", "\n    ") }
		a, b := w.each(olds, deep), w.each(news, deep)
		return a || b
	}},
	{"tabs for blanks", func(w *Reply) bool {
		w.Benign = false
		tabs := func(s string) string { return strings.ReplaceAll(s, "    ", "\t") }
		a, b := w.each(olds, tabs), w.each(news, tabs)
		return a || b
	}},
	{"blanks made one", func(w *Reply) bool {
		w.Benign = false
		return w.each(olds, func(s string) string { return regexp.MustCompile(`(\S) {2,}`).ReplaceAllString(s, "$1 ") })
	}},
	{"what is not there", func(w *Reply) bool {
		w.Benign = false
		return w.each(olds, func(s string) string { return s + " # really" })
	}},
	{"old left out", func(w *Reply) bool {
		w.Benign = false
		for _, e := range w.list() {
			for _, k := range olds {
				delete(e, k)
			}
		}
		return len(w.list()) > 0
	}},
	{"new left out", func(w *Reply) bool {
		w.Benign = false
		for _, e := range w.list() {
			for _, k := range news {
				delete(e, k)
			}
		}
		return len(w.list()) > 0
	}},
	{"rest unchanged", func(w *Reply) bool {
		w.Benign = false
		c := "//"
		if strings.HasSuffix(w.fault.Path, ".py") {
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
	{"code dropped", func(w *Reply) bool {
		w.Benign = false
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
	{"two answers in one", func(w *Reply) bool {
		w.Benign = false
		if w.json["edits"] == nil {
			return false
		}
		w.json["edit"] = "x"
		w.json["changes"] = []any{map[string]any{"path": w.fault.Path, "content": "nothing\n"}}
		return true
	}},
}

// wrongLines moves the numbers, but never to a line that is the same text: there the reply would say another place, and rightly.
func wrongLines(w *Reply) bool {
	w.Benign = false
	base := strings.Split(w.fault.Base, "\n")
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
