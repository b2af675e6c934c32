package reply_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fettle/internal/edit"
	"fettle/internal/fix/reply"
	"fettle/scripts/benchrepair/rows"
)

// fault is a file, and what it should be.
type fault struct{ path, base, right string }

// faults are real bugs with their references, and sources of this program from which a piece was taken.
func faults(t *testing.T) []fault {
	t.Helper()
	all, err := rows.All()
	if err != nil {
		t.Fatal(err)
	}
	var out []fault
	for _, r := range all {
		if base := r.Files[r.Source]; base != r.Reference && base != "" {
			out = append(out, fault{r.Source, base, r.Reference})
		}
	}
	sources, err := filepath.Glob("../../edit/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range sources {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		right := string(b)
		for _, swap := range [][2]string{{" == ", " != "}, {"return nil", "return err"}, {"+1", "-1"}, {"true", "false"}} {
			if i := strings.LastIndex(right, swap[0]); i >= 0 {
				out = append(out, fault{"internal/edit/" + filepath.Base(name), right[:i] + swap[1] + right[i+len(swap[0]):], right})
			}
		}
	}
	return out
}

// place is lines of the base and what they should be.
type place struct {
	line       int // from 1
	old, fresh []string
}

// places gives the lines that differ, each with as many lines around it as make it unique.
func (f fault) places() []place {
	c, _ := edit.Compare(f.path, edit.File{Data: []byte(f.base), Exists: true}, edit.File{Data: []byte(f.right), Exists: true})
	lines := strings.SplitAfter(f.base, "\n")
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
			if strings.TrimSpace(old) != "" && strings.Count(f.base, old) == 1 || a == 0 && b == len(lines) {
				break
			}
		}
		a, b := max(0, from-grow), min(len(lines), to+grow)
		if a < last { // they meet: one place for all
			first, end := c.Edits[0].Start, c.Edits[len(c.Edits)-1].End
			a, b = max(0, lineOf(first)-3), min(len(lines), lineOf(end)+3)
			tail := len(f.base) - starts[b]
			return []place{{a + 1, split(strings.Join(lines[a:b], "")), split(f.right[starts[a] : len(f.right)-tail])}}
		}
		last = b
		fresh := f.base[starts[a]:e.Start] + string(e.New) + f.base[e.End:starts[b]]
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

// written is a reply while it is made and broken.
type written struct {
	fault  fault
	rng    *rand.Rand
	text   string
	json   map[string]any // nil: another form
	cut    bool
	benign bool // nobody should have to refuse it
	how    []string
}

func (w *written) chance(one int) bool { return w.rng.IntN(one) == 0 }

// forms write a good answer in one form each.
var forms = []struct {
	name  string
	write func(w *written)
}{
	{"edits", func(w *written) { w.edits("path", "old", "new", false) }},
	{"edits by line", func(w *written) { w.edits("path", "old", "new", true) }},
	{"search and replace in JSON", func(w *written) { w.edits("file", "search", "replace", false) }},
	{"content", func(w *written) {
		w.json = map[string]any{"explanation": "x", "confidence": 0.9, "edits": []any{map[string]any{"path": w.fault.path, "content": w.fault.right}}}
	}},
	{"fixed_code", func(w *written) {
		w.json = map[string]any{"fixed_code": w.fault.right, "explanation": "x {y} z", "confidence": 0.95, "changes_made": []any{"a"}, "potential_side_effects": []any{}}
	}},
	{"file with line edits", func(w *written) {
		w.edits("path", "old", "new", true)
		for _, e := range w.json["edits"].([]any) {
			delete(e.(map[string]any), "path")
		}
		w.json = map[string]any{"file": w.fault.path, "edits": w.json["edits"]}
	}},
	{"operations", func(w *written) {
		w.edits("path", "search_block", "replace_block", false)
		for _, e := range w.json["edits"].([]any) {
			e.(map[string]any)["operation"] = "patch"
		}
	}},
	{"blocks", (*written).blocks},
	{"whole file in a fence", func(w *written) {
		w.text = "Here is the file:\n\n" + w.fault.path + "\n```\n" + ended(w.fault.right) + "```\n"
	}},
	{"diff", func(w *written) { w.diff(true) }},
	{"diff without numbers", func(w *written) { w.diff(false) }},
	{"envelope", func(w *written) { w.text = w.envelope() }},
	{"envelope in a call", func(w *written) {
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

func (w *written) edits(path, old, fresh string, numbered bool) {
	var list []any
	for _, p := range w.fault.places() {
		e := map[string]any{path: w.fault.path, old: strings.Join(p.old, "\n"), fresh: strings.Join(p.fresh, "\n")}
		if numbered {
			e["line"] = p.line
		}
		list = append(list, e)
	}
	w.json = map[string]any{"explanation": "the condition {a, b} was wrong", "confidence": 0.8, "edits": list}
}

func (w *written) blocks() {
	var b strings.Builder
	for _, p := range w.fault.places() {
		fmt.Fprintf(&b, "%s\n<<<<<<< SEARCH\n%s=======\n%s>>>>>>> REPLACE\n\n", w.fault.path, joined(p.old), joined(p.fresh))
	}
	w.text = b.String()
}

// envelope is the answer as Codex writes it: a line of the file may stand behind @@.
func (w *written) envelope() string {
	var b strings.Builder
	fmt.Fprintf(&b, "*** Begin Patch\n*** Update File: %s\n", w.fault.path)
	lines := split(w.fault.base)
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

func (w *written) diff(numbered bool) {
	text, err := edit.Diff(map[string]edit.File{w.fault.path: {Data: []byte(w.fault.base), Mode: 0o644, Exists: true}}, map[string]edit.File{w.fault.path: {Data: []byte(w.fault.right), Mode: 0o644, Exists: true}})
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
	w.text = "```diff\n" + text + "```\n"
}

// outcome is what came of a reply.
type outcome int

const (
	right outcome = iota
	refused
	vague // refused without a word that helps
	wrong
)

func (w *written) read(t *testing.T) (outcome, string) {
	src := func(path string) (edit.File, error) {
		if path == w.fault.path {
			return edit.File{Data: []byte(w.fault.base), Mode: 0o644, Exists: true}, nil
		}
		return edit.File{}, nil
	}
	a, err := reply.Read(t.Context(), w.text, w.cut, reply.Ground{Source: src, Files: map[string]reply.Sight{w.fault.path: reply.Whole}})
	var rejected *edit.RejectError
	switch {
	case errors.As(err, &rejected) && len(rejected.Reason) < 20:
		return vague, err.Error()
	case errors.As(err, &rejected):
		return refused, err.Error()
	case err != nil:
		t.Fatalf("%v", err)
	}
	files, err := a.Patch.Apply(src)
	if err != nil {
		return wrong, err.Error()
	}
	if got := string(files[w.fault.path].Data); len(files) != 1 || effect(w.fault.path, got) != effect(w.fault.path, w.fault.right) {
		shown, _ := edit.Diff(map[string]edit.File{"right": {Data: []byte(w.fault.right), Exists: true}}, map[string]edit.File{"right": {Data: []byte(got), Exists: true}})
		return wrong, shown
	}
	return right, ""
}

// effect is a source without what means nothing: blank lines, blanks at the end of lines, and except in Python how lines are indented.
func effect(path, src string) string {
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

// Of good replies, broken in every way that models have been seen to break them, each becomes the very patch that was meant or is refused with a reason; none becomes another patch.
func TestMutatedReplies(t *testing.T) {
	all := faults(t)
	const total = 2500
	seed := uint64(20261124)
	counts := map[outcome]int{}
	benign, lost := 0, 0
	kinds, missed := map[string]int{}, map[string]int{}
	for n := range total {
		w := &written{fault: all[n%len(all)], rng: rand.New(rand.NewPCG(seed, uint64(n))), benign: true}
		form := forms[w.rng.IntN(len(forms))]
		w.how = append(w.how, form.name)
		form.write(w)
		if lines := strings.Count(w.fault.base, "\n"); (lines-strings.Count(w.fault.right, "\n"))*4 > lines {
			w.benign = false // whoever gives such a file anew has to be asked whether that is meant
		}
		w.spoil()
		got, said := w.read(t)
		counts[got]++
		if w.benign {
			benign++
			if got != right {
				lost++
				missed[form.name]++
				if testing.Verbose() {
					t.Logf("%v: %s", w.how, said)
				}
			}
		}
		kinds[strings.Join(w.how[1:], "+")]++
		if got == wrong || got == vague {
			t.Errorf("reply %d (%v) of %s: outcome %d\n--- reply\n%s\n--- got, held against what is right\n%s", n, w.how, w.fault.path, got, w.text, said)
		}
	}
	t.Logf("%d faults in %d forms: %d replies, %d ways to break them: %d the right patch, %d refused with a reason, %d wrong; of %d that are only untidy %d were refused: %v", len(all), len(forms), total, len(kinds), counts[right], counts[refused], counts[wrong], benign, lost, missed)
	if counts[wrong] > 0 || counts[right]+counts[refused] < total*995/1000 {
		t.Errorf("too many are neither: %v", counts)
	}
	if lost*50 > benign {
		t.Errorf("%d of %d replies that are only untidy were refused", lost, benign)
	}
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
