package jvm

import (
	"encoding/json"
	"errors"
	"maps"
	"math"
	"slices"
	"strconv"
	"unicode/utf16"
)

// A value that a machine has written down (serve/Scribe.java) is read as what [likely] varies, and a form that tells what Java makes of it again.
// Numbers, texts, arrays, collections, maps and records are varied; all others are kept as they are.

// form is what a value is made as.
type form struct {
	kind  string  // as the machine says it; "null": nothing else was seen; "kept": a value of its own words
	class string  // of what holds others
	parts []*form // of a list or an array: its elements'; of a map: its keys' and its values'; of a record: each one's
}

// opaque is a value that is not varied, as the machine has written it down.
type opaque struct{ words []string }

// MarshalJSON tells it from others.
func (k opaque) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string][]string{"kept": k.words})
}

var errWords = errors.New("these are no words of a value")

// reading is words that are being read.
type reading struct {
	words []string
	at    int
}

// readValues reads all values of some words.
func readValues(words []string) (values []any, forms []*form, err error) {
	r := &reading{words: words}
	for r.at < len(r.words) {
		v, f, err := r.value()
		if err != nil {
			return nil, nil, err
		}
		values, forms = append(values, v), append(forms, f)
	}
	return values, forms, nil
}

// take is the next words.
func (r *reading) take(n int) ([]string, error) {
	if n < 0 || n > len(r.words)-r.at {
		return nil, errWords
	}
	r.at += n
	return r.words[r.at-n : r.at], nil
}

// plainWords is how many words follow the kinds that hold no others.
var plainWords = map[string]int{"ref": 1, "enum": 2, "static": 2, "serial": 2}

func (r *reading) value() (any, *form, error) {
	from := r.at
	w, err := r.take(1)
	if err != nil {
		return nil, nil, err
	}
	kind := w[0]
	if n, plain := plainWords[kind]; plain {
		_, err := r.take(n)
		return r.keep(from, err)
	}
	switch kind {
	case "null":
		return nil, &form{kind: kind}, nil
	case "array", "list", "map", "record", "object":
		return r.holder(kind, from)
	}
	if w, err = r.take(1); err != nil {
		return nil, nil, err
	}
	v, err := scalar(kind, w[0])
	return v, &form{kind: kind}, err
}

func scalar(kind, text string) (any, error) {
	switch kind {
	case "boolean":
		return text == "true", nil
	case "byte", "short", "int", "long":
		return strconv.ParseInt(text, 10, 64)
	case "float", "double":
		return strconv.ParseFloat(text, 64)
	case "char", "string":
		return text, nil
	}
	return nil, errWords
}

// keep gives what was read since then as a value of its own words.
func (r *reading) keep(from int, err error) (any, *form, error) {
	return opaque{r.words[from:r.at]}, &form{kind: "kept"}, err
}

// holder reads a value that holds others. One whose parts are of several forms, where a collection has one, is kept.
func (r *reading) holder(kind string, from int) (any, *form, error) {
	head, err := r.take(3) // its id, its class, how many
	if err != nil {
		return nil, nil, err
	}
	n, err := strconv.Atoi(head[2])
	if err != nil || n < 0 {
		return nil, nil, errWords
	}
	if kind == "map" {
		n *= 2
	}
	values, forms := []any{}, []*form{}
	for range n {
		if kind == "object" { // the class and the name of a field
			if _, err := r.take(2); err != nil {
				return nil, nil, err
			}
		}
		v, f, err := r.value()
		if err != nil {
			return nil, nil, err
		}
		values, forms = append(values, v), append(forms, f)
	}
	out := &form{kind: kind, class: head[1], parts: forms}
	switch kind {
	case "object":
		return r.keep(from, nil)
	case "record":
		return numbered(values), out, nil
	case "map":
		keys, ok := common(everySecond(forms, 0))
		held, ok2 := common(everySecond(forms, 1))
		if !ok || !ok2 {
			return r.keep(from, nil)
		}
		out.parts = []*form{keys, held}
		return entries(keys, values), out, nil
	}
	part, ok := common(forms)
	if !ok {
		return r.keep(from, nil)
	}
	out.parts = []*form{part}
	return values, out, nil
}

func everySecond(forms []*form, from int) (out []*form) {
	for i := from; i < len(forms); i += 2 {
		out = append(out, forms[i])
	}
	return out
}

// numbered are the values of a record, by their places: none of them may be left out.
func numbered(values []any) map[string]any {
	out := map[string]any{}
	for i, v := range values {
		out[itoa(i)] = v
	}
	return out
}

// entries are those of a map, as pairs unless all keys are texts.
func entries(keys *form, values []any) any {
	byText, pairs := map[string]any{}, []any{}
	for i := 0; i < len(values); i += 2 {
		if text, ok := values[i].(string); ok && keys.kind == "string" {
			byText[text] = values[i+1]
		}
		pairs = append(pairs, []any{values[i], values[i+1]})
	}
	if keys.kind == "string" && len(byText) == len(pairs) {
		return byText
	}
	return pairs
}

// common is the form of all; false where they have none in common.
func common(forms []*form) (*form, bool) {
	out := &form{kind: "null"}
	for _, f := range forms {
		var ok bool
		if out, ok = both(out, f); !ok {
			return nil, false
		}
	}
	return out, true
}

// both is the form of values of two forms.
func both(a, b *form) (*form, bool) {
	switch {
	case a.kind == "null":
		return b, true
	case b.kind == "null":
		return a, true
	case a.kind != b.kind || a.class != b.class || len(a.parts) != len(b.parts):
		return nil, false
	}
	out := &form{kind: a.kind, class: a.class}
	for i := range a.parts {
		p, ok := both(a.parts[i], b.parts[i])
		if !ok {
			return nil, false
		}
		out.parts = append(out.parts, p)
	}
	return out, true
}

// write writes a value down; false where Java has no such value of that form.
func (f *form) write(v any, words *[]string) bool {
	say := func(some ...string) bool {
		*words = append(*words, some...)
		return true
	}
	switch v := v.(type) {
	case nil:
		return say("null")
	case opaque:
		return say(v.words...)
	case bool:
		return f.kind == "boolean" && say(f.kind, strconv.FormatBool(v))
	case int64:
		return f.holds(v) && say(f.kind, strconv.FormatInt(v, 10))
	case float64:
		return (f.kind == "float" || f.kind == "double") && say(f.kind, spelledFloat(v))
	case string:
		return (f.kind == "string" || f.kind == "char" && len(utf16.Encode([]rune(v))) == 1) && say(f.kind, v)
	case []any:
		return f.writeAll(v, words)
	case map[string]any:
		return f.writeEntries(v, words)
	}
	return false
}

// holds reports whether a number fits into what it is made as.
func (f *form) holds(n int64) bool {
	switch f.kind {
	case "byte":
		return n == int64(int8(n))
	case "short":
		return n == int64(int16(n))
	case "int":
		return n == int64(int32(n))
	}
	return f.kind == "long"
}

// spelledFloat is a number as Java reads it.
func spelledFloat(v float64) string {
	if math.IsInf(v, 0) {
		return map[bool]string{true: "-Infinity", false: "Infinity"}[v < 0]
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// writeAll writes down what a list, an array or a map that is pairs holds. It is a new one, which nothing else refers to.
func (f *form) writeAll(all []any, words *[]string) bool {
	*words = append(*words, f.kind, "0", f.class, itoa(len(all)))
	for _, v := range all {
		switch f.kind {
		case "list", "array":
			if !f.parts[0].write(v, words) {
				return false
			}
		case "map":
			pair, ok := v.([]any)
			if !ok || len(pair) != 2 || !f.parts[0].write(pair[0], words) || !f.parts[1].write(pair[1], words) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// writeEntries writes down a record, or a map.
func (f *form) writeEntries(all map[string]any, words *[]string) bool {
	*words = append(*words, f.kind, "0", f.class, itoa(len(all)))
	if f.kind == "record" {
		for i, part := range f.parts {
			if v, ok := all[itoa(i)]; !ok || !part.write(v, words) {
				return false
			}
		}
		return len(all) == len(f.parts)
	}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		if f.kind != "map" || !f.parts[0].write(key, words) || !f.parts[1].write(all[key], words) {
			return false
		}
	}
	return f.kind == "map"
}
