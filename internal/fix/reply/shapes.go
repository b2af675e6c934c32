package reply

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"fettle/internal/edit"
	"fettle/internal/loose"
)

// object is JSON in the reply that is an answer, or a part of one.
type object struct {
	start, end int
	value      any
	mended     []string
	piece      bool // one edit by itself, of which several may follow one another
}

// called are the names that members have in the shapes that are known, without blanks, hyphens and capitals, and what they mean.
var called = func() map[string]string {
	out := map[string]string{}
	for meaning, names := range map[string]string{
		"path":        "path file filename filepath targetfile relativepath",
		"old":         "old search searchblock searchtext oldstring oldstr oldtext oldcode oldlines original originalcode find",
		"new":         "new replace replaceblock replacetext newstring newstr newtext newcode newlines replacement replacewith",
		"content":     "content contents newcontent filecontent fullcontent fixedcode filetext fullfile",
		"line":        "line linenumber lineno startline linestart",
		"before":      "insertbefore",
		"after":       "insertafter",
		"delete":      "delete deleted remove",
		"operation":   "operation op action",
		"edits":       "edits changes files operations fixes replacements patches hunks",
		"diff":        "diff unifieddiff patch",
		"explanation": "explanation reason rationale summary description",
		"confidence":  "confidence confidencescore",
		"decision":    "decision stance",
	} {
		for name := range strings.FieldsSeq(names) {
			out[name] = meaning
		}
	}
	return out
}()

// wrappers are the names under which a whole answer may lie in another object.
var wrappers = []string{"arguments", "input", "parameters", "args", "params", "function", "answer", "result", "response", "output", "toolinput", "json", "data"}

func plain(name string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
			return c
		case 'A' <= c && c <= 'Z':
			return c + 'a' - 'A'
		}
		return -1
	}, name)
}

// members are an object's, by what they mean. Two of one meaning must say the same.
func members(o map[string]any) (map[string]any, error) {
	out := map[string]any{}
	for name, v := range o {
		meaning := called[plain(name)]
		if patch, ok := envelopeIn(v); ok && (meaning == "" || meaning == "edits" || meaning == "diff") {
			meaning, v = "diff", patch
		}
		if meaning == "" {
			continue
		}
		if text, isText := v.(string); meaning == "edits" && isText {
			meaning = "diff"
			if strings.TrimSpace(text) == "" {
				continue
			}
		}
		if meaning == "diff" {
			if _, isText := v.(string); !isText {
				meaning = "edits"
			}
		}
		if have, twice := out[meaning]; twice && !equal(have, v) {
			if meaning == "explanation" || meaning == "edits" && !substantial(v) {
				continue
			}
			if meaning == "edits" && !substantial(have) {
				out[meaning] = v
				continue
			}
			return nil, refuse("the JSON says in two ways what is %q (once as %q), and they differ", meaning, name)
		}
		out[meaning] = v
	}
	return out, nil
}

// envelopeIn is a text with an envelope, by itself or among the words of a command.
func envelopeIn(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, envelopeMark.MatchString(v)
	case []any:
		for _, word := range v {
			if text, ok := word.(string); ok && envelopeMark.MatchString(text) {
				return text, true
			}
		}
	}
	return "", false
}

// substantial reports whether a value may be a list of edits: one of sentences is none.
func substantial(v any) bool {
	list, ok := v.([]any)
	if !ok {
		_, ok = v.(map[string]any)
		return ok
	}
	return slices.ContainsFunc(list, func(e any) bool { _, ok := e.(map[string]any); return ok })
}

func equal(a, b any) bool {
	left, _ := json.Marshal(a)
	right, _ := json.Marshal(b)
	return bytes.Equal(left, right)
}

// objects finds what is an answer among the JSON of the reply, and what would be one if it could be read. In a fence of code only JSON counts that the fence begins with.
func (r *reading) objects() ([]object, []loose.Broken) {
	found, broken := loose.Find(r.text)
	here := func(at int) bool {
		f, in := r.fenceAt(at)
		return !in || strings.HasPrefix(strings.ToLower(f.info), "json") || strings.Trim(r.text[f.open:at], " \t\r\n[") == ""
	}
	broken = slices.DeleteFunc(broken, func(b loose.Broken) bool {
		return !here(b.Start) || !slices.ContainsFunc(b.Keys, func(k string) bool {
			m := called[plain(k)]
			return m != "" && m != "line" && m != "operation" && m != "delete"
		})
	})
	var out []object
	for _, f := range found {
		if !here(f.Start) {
			continue
		}
		v := decode(f.JSON)
		if kind := shape(v, 0); kind != nothing {
			out = append(out, object{start: f.Start, end: f.End, value: v, mended: f.Mended, piece: kind == piece})
		}
	}
	return out, broken
}

func decode(raw json.RawMessage) any {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	_ = d.Decode(&v) // it was written by loose
	return v
}

// kind is what JSON is to an answer.
type kind int

const (
	nothing kind = iota
	piece        // one edit
	whole        // all of an answer
)

const mostWrapped = 4

func shape(v any, depth int) kind {
	if depth > mostWrapped {
		return nothing
	}
	switch v := v.(type) {
	case []any:
		if len(v) == 0 {
			return nothing
		}
		for _, e := range v {
			if _, isObject := e.(map[string]any); !isObject || shape(e, depth+1) == nothing {
				return nothing
			}
		}
		return whole
	case map[string]any:
		m, err := members(v)
		if err != nil {
			return whole // and refused when it is read
		}
		if k := known(m); k != nothing {
			return k
		}
		if _, ok, err := wrapped(v, depth); ok || err != nil { // an error is told when it is read
			return whole
		}
	}
	return nothing
}

// known says what an object with these members is.
func known(m map[string]any) kind {
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(n string) bool { _, ok := m[n]; return ok })
	}
	_, isText := m["content"].(string)
	switch {
	case has("edits") && (substantial(m["edits"]) || isEmpty(m["edits"])), has("diff"):
		return whole
	case isText && has("confidence", "explanation") && !has("old", "operation"):
		return whole
	case has("old") && has("new"), has("path") && has("content", "old", "new", "before", "after", "delete", "operation"):
		return piece
	case has("line") && has("old", "new", "before", "after"):
		return piece
	}
	return nothing
}

func isEmpty(v any) bool {
	list, ok := v.([]any)
	return ok && len(list) == 0
}

// wrapped is what lies in an object that is no answer by itself: under a name that says so, or as its only member; a string may hold JSON. Of several, one that may be an answer; two of these
// are an error, unless they say the same.
func wrapped(o map[string]any, depth int) (inner any, ok bool, err error) {
	for _, name := range slices.Sorted(maps.Keys(o)) {
		if len(o) > 1 && !slices.Contains(wrappers, plain(name)) {
			continue
		}
		v := o[name]
		if text, isText := v.(string); isText {
			if text = strings.TrimSpace(text); !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") {
				continue
			}
			f, broken := loose.Parse(text, 0)
			if broken != nil {
				continue
			}
			v = decode(f.JSON)
		}
		switch {
		case shape(v, depth+1) == nothing:
		case ok && !equal(inner, v):
			return nil, false, refuse("the JSON holds several answers (one as %q), and they differ: give one", name)
		default:
			inner, ok = v, true
		}
	}
	return inner, ok, nil
}

// claim is what an answer says of itself.
type claim struct {
	explanation string
	confidence  any
	decision    string
}

// unsaid is the confidence of an answer that names none.
const unsaid = 0.5

// sure is a confidence as a number from 0 to 1. It may be given as a share or in percent, as a number or as text.
func sure(v any) float64 {
	text := ""
	switch v := v.(type) {
	case json.Number:
		text = v.String()
	case string:
		text = strings.TrimSpace(v)
	}
	percent := strings.HasSuffix(text, "%")
	n, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(text, "%")), 64)
	switch {
	case err != nil || n != n:
		return unsaid
	case percent || n > 1 && n <= 100:
		n /= 100
	}
	return min(max(n, 0), 1)
}

// fromObjects makes the answer of JSON. Edits that follow one another without a word between them are one answer; of several answers all must do the same.
func (r *reading) fromObjects(all []object) (Answer, error) {
	for _, o := range all {
		for _, m := range o.mended {
			r.notes = append(r.notes, edit.Note{Text: "the JSON was read with " + m})
		}
	}
	together := true
	for i, o := range all {
		together = together && o.piece && (i == 0 || !hasWords(r.text[all[i-1].end:o.start]))
	}
	if together {
		var list []any
		for _, o := range all {
			list = append(list, o.value)
		}
		return r.fromValue(list)
	}
	var forms []form
	for _, o := range all {
		a, err := r.fromValue(o.value)
		forms = append(forms, form{a, err})
	}
	return r.agree(forms)
}

func hasWords(s string) bool {
	return strings.ContainsFunc(s, func(c rune) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 })
}
