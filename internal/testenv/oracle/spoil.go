package oracle

import (
	"fmt"
	"slices"
	"strings"
)

// Spoil breaks the reply in some of the ways that fit its form, as models have been seen to.
func (w *Reply) Spoil() {
	for range w.rng.IntN(4) {
		if w.json != nil {
			w.once(meanings[w.rng.IntN(len(meanings))])
		}
	}
	if w.json != nil {
		w.Text = marshal(w.json)
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
	do   func(w *Reply) bool
}

func (w *Reply) once(m way) {
	if !slices.Contains(w.How, m.name) && m.do(w) {
		w.How = append(w.How, m.name)
	}
}

func (w *Reply) list() []map[string]any {
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
func (w *Reply) each(keys []string, change func(s string) string) bool {
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

// wrappings put things around the answer.
var wrappings = []way{
	{"prose", func(w *Reply) bool {
		w.Text = "The set {a, b} of f[0] is wrong, as `x = {'y': 1}` shows.\n\n" + w.Text + "\n\nThat keeps {everything} else, e.g. `d[\"k\"]`.\n"
		return true
	}},
	{"in a fence", func(w *Reply) bool {
		if w.json == nil {
			return false
		}
		mark := []string{"```json\n%s\n```", "~~~\n%s\n~~~", "````\n%s\n````", "```JSON5\n%s\n```", "```python\n%s\n```"}[w.rng.IntN(5)]
		w.Text = fmt.Sprintf(mark, w.Text)
		return true
	}},
	{"the same once more", func(w *Reply) bool {
		w.Text += "\n\nOnce more, the answer:\n\n" + w.Text
		if w.json == nil {
			w.Benign = false
		}
		return true
	}},
	{"a shell's command behind", func(w *Reply) bool {
		w.Text += "\n\nRun it:\n\n```bash\npython -m pytest {x}\n```\n"
		return true
	}},
}

// thoughts put what a reasoning model thinks before its answer.
func thoughts(w *Reply) bool {
	w.Text = "<think>\nPerhaps {\"edits\": [{\"path\": \"a\"}]} or\na.py\n<<<<<<< SEARCH\n</think>\n" + w.Text
	return true
}

// cut ends the reply early. Of JSON and of what stands in a fence it can be seen; of the other forms the provider has to say it.
func cut(w *Reply) bool {
	w.Benign = false
	w.Text = w.Text[:w.rng.IntN(len(w.Text))]
	w.Cut = w.json == nil || w.chance(2)
	w.Text = strings.ToValidUTF8(w.Text, "")
	return true
}
