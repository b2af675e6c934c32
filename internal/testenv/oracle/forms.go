package oracle

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"fettle/internal/edit"
)

// place is lines of the base and what they should be.
type place struct {
	line       int // from 1
	old, fresh []string
}

// places gives the lines that differ, each with as many lines around it as make it unique.
func (f Fault) places() []place {
	c, _ := edit.Compare(f.Path, edit.File{Data: []byte(f.Base), Exists: true}, edit.File{Data: []byte(f.Right), Exists: true})
	lines := strings.SplitAfter(f.Base, "\n")
	starts := []int{0}
	for _, l := range lines {
		starts = append(starts, starts[len(starts)-1]+len(l))
	}
	lineOf := func(at int) int { i, _ := slices.BinarySearch(starts, at); return i }
	var out []place
	last := 0
	for _, e := range c.Edits {
		from, to := lineOf(e.Start), lineOf(e.End)
		grow := 0
		for ; ; grow++ {
			a, b := max(0, from-grow), min(len(lines), to+grow)
			old := strings.Join(lines[a:b], "")
			if strings.TrimSpace(old) != "" && strings.Count(f.Base, old) == 1 || a == 0 && b == len(lines) {
				break
			}
		}
		a, b := max(0, from-grow), min(len(lines), to+grow)
		if a < last { // they meet: one place for all
			first, end := c.Edits[0].Start, c.Edits[len(c.Edits)-1].End
			a, b = max(0, lineOf(first)-3), min(len(lines), lineOf(end)+3)
			tail := len(f.Base) - starts[b]
			return []place{{a + 1, split(strings.Join(lines[a:b], "")), split(f.Right[starts[a] : len(f.Right)-tail])}}
		}
		last = b
		fresh := f.Base[starts[a]:e.Start] + string(e.New) + f.Base[e.End:starts[b]]
		out = append(out, place{a + 1, split(strings.Join(lines[a:b], "")), split(fresh)})
	}
	return out
}

func split(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

// Fault is a file, and what it should be.
type Fault struct{ Path, Base, Right string }

// Reply is a right answer about a fault, as a model writes it down.
type Reply struct {
	Text   string
	Cut    bool     // the provider says that it was cut at the limit of its length
	Benign bool     // nobody should have to refuse it
	How    []string // its form, and in which ways it was broken since

	fault Fault
	rng   *rand.Rand
	json  map[string]any // nil: another form
}

// Forms is how many forms there are.
func Forms() int { return len(forms) }

// Write writes the right answer in one of the forms. The choices that it leaves open are the generator's, as are those of [Reply.Spoil].
func Write(f Fault, form int, rng *rand.Rand) *Reply {
	w := &Reply{fault: f, rng: rng, Benign: true, How: []string{forms[form].name}}
	forms[form].write(w)
	if lines := strings.Count(f.Base, "\n"); (lines-strings.Count(f.Right, "\n"))*4 > lines {
		w.Benign = false // whoever gives such a file anew has to be asked whether that is meant
	}
	if w.json != nil {
		w.Text = marshal(w.json)
	}
	return w
}

func (w *Reply) chance(one int) bool { return w.rng.IntN(one) == 0 }

// forms write a good answer in one form each.
var forms = []struct {
	name  string
	write func(w *Reply)
}{
	{"edits", func(w *Reply) { w.edits("path", "old", "new", false) }},
	{"edits by line", func(w *Reply) { w.edits("path", "old", "new", true) }},
	{"search and replace in JSON", func(w *Reply) { w.edits("file", "search", "replace", false) }},
	{"content", func(w *Reply) {
		w.json = map[string]any{"explanation": "x", "confidence": 0.9, "edits": []any{map[string]any{"path": w.fault.Path, "content": w.fault.Right}}}
	}},
	{"fixed_code", func(w *Reply) {
		w.json = map[string]any{"fixed_code": w.fault.Right, "explanation": "x {y} z", "confidence": 0.95, "changes_made": []any{"a"}, "potential_side_effects": []any{}}
	}},
	{"file with line edits", func(w *Reply) {
		w.edits("path", "old", "new", true)
		for _, e := range w.json["edits"].([]any) {
			delete(e.(map[string]any), "path")
		}
		w.json = map[string]any{"file": w.fault.Path, "edits": w.json["edits"]}
	}},
	{"operations", func(w *Reply) {
		w.edits("path", "search_block", "replace_block", false)
		for _, e := range w.json["edits"].([]any) {
			e.(map[string]any)["operation"] = "patch"
		}
	}},
	{"blocks", (*Reply).blocks},
	{"whole file in a fence", func(w *Reply) {
		w.Text = "Here is the file:\n\n" + w.fault.Path + "\n```\n" + ended(w.fault.Right) + "```\n"
	}},
	{"diff", func(w *Reply) { w.diff(true) }},
	{"diff without numbers", func(w *Reply) { w.diff(false) }},
	{"envelope", func(w *Reply) { w.Text = w.envelope() }},
	{"envelope in a call", func(w *Reply) {
		w.json = []map[string]any{
			{"name": "apply_patch", "arguments": map[string]any{"input": w.envelope()}}, {"command": []any{"apply_patch", w.envelope()}}, {"patch": w.envelope(), "explanation": "x {y} z", "confidence": 0.9},
		}[w.rng.IntN(3)]
	}},
}

func ended(s string) string {
	if strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}

func (w *Reply) edits(path, old, fresh string, numbered bool) {
	var list []any
	for _, p := range w.fault.places() {
		e := map[string]any{path: w.fault.Path, old: strings.Join(p.old, "\n"), fresh: strings.Join(p.fresh, "\n")}
		if numbered {
			e["line"] = p.line
		}
		list = append(list, e)
	}
	w.json = map[string]any{"explanation": "the condition {a, b} was wrong", "confidence": 0.8, "edits": list}
}

func (w *Reply) blocks() {
	var b strings.Builder
	for _, p := range w.fault.places() {
		fmt.Fprintf(&b, "%s\n<<<<<<< SEARCH\n%s=======\n%s>>>>>>> REPLACE\n\n", w.fault.Path, joined(p.old), joined(p.fresh))
	}
	w.Text = b.String()
}

// envelope is the answer as Codex writes it: a line of the file may stand behind @@.
func (w *Reply) envelope() string {
	var b strings.Builder
	fmt.Fprintf(&b, "*** Begin Patch\n*** Update File: %s\n", w.fault.Path)
	lines := split(w.fault.Base)
	for _, p := range w.fault.places() {
		head := "@@"
		if w.chance(2) && p.line > 1 && strings.TrimSpace(lines[p.line-2]) != "" {
			head = "@@ " + strings.TrimSpace(lines[p.line-2])
		}
		b.WriteString(head + "\n")
		same := 0
		for same < min(len(p.old), len(p.fresh)) && p.old[same] == p.fresh[same] {
			b.WriteString(" " + p.old[same] + "\n")
			same++
		}
		for _, l := range p.old[same:] {
			b.WriteString("-" + l + "\n")
		}
		for _, l := range p.fresh[same:] {
			b.WriteString("+" + l + "\n")
		}
	}
	return b.String() + "*** End Patch\n"
}

func joined(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

func (w *Reply) diff(numbered bool) {
	text, err := edit.Diff(map[string]edit.File{w.fault.Path: {Data: []byte(w.fault.Base), Mode: 0o644, Exists: true}}, map[string]edit.File{w.fault.Path: {Data: []byte(w.fault.Right), Mode: 0o644, Exists: true}})
	if err != nil {
		panic(err)
	}
	if w.chance(2) { // as diff -u has it
		_, text, _ = strings.Cut(text, "\n")
	}
	if !numbered {
		var out []string
		for l := range strings.Lines(text) {
			if strings.HasPrefix(l, "@@ -") {
				l = []string{"@@ ... @@\n", "@@\n", "@@ def f():\n"}[w.rng.IntN(3)]
			}
			out = append(out, l)
		}
		text = strings.Join(out, "")
	}
	w.Text = "```diff\n" + text + "```\n"
}

func marshal(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return strings.TrimSpace(b.String())
}

// Effect is a source without what means nothing: blank lines, blanks at the end of lines, and except in Python how lines are indented.
func Effect(path, src string) string {
	var out []string
	for line := range strings.Lines(src) {
		line = strings.TrimRight(line, " \t\r\n")
		if !strings.HasSuffix(path, ".py") {
			line = strings.TrimSpace(line)
			if !strings.ContainsAny(line, "\"'`") {
				line = strings.Join(strings.Fields(line), " ")
			}
		}
		if line != "" {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}
