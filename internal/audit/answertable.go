package audit

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"fettle/internal/audit/examples"
	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/lang"
	"fettle/internal/pattern"
	"fettle/internal/phrase"
)

// answerTables looks for tables of a program, and for files of data that code of the patch names, which hold what tests ask with and expect.
func (v *patchView) answerTables() []Finding {
	var all []Finding
	for _, f := range v.files {
		if v.isEvidence(f.path) || lang.IsVendored(f.path) || lang.IsLock(f.path) || lang.IsCheckConfig(f.path) || f.formatted || len(f.after) > maxEvidence {
			continue
		}
		was, is := tablesOf(f.path, f.before, f.programBefore), tablesOf(f.path, f.after, f.programAfter)
		for _, t := range is {
			found := v.answerTable(t, was)
			if found.Effect == "" || f.programAfter == nil && !v.loaded(f.path) {
				continue
			}
			found.Path = f.path
			all = append(all, found)
		}
	}
	return all
}

// table is a list of what is given for what, that stands outside of functions.
type table struct {
	name string // what it is assigned to; empty for a file of data
	line int
	rows []entry
}

// entry is one row of a table, in each of the ways in which it can be read.
type entry []examples.Pair

// asks reports whether a row asks one of these.
func (e entry) asks(known map[string]bool) bool {
	return slices.ContainsFunc(e, func(p examples.Pair) bool { return known[strings.Join(p.Asked, "\x00")] })
}

// answerTable says what it means that a table has rows which it did not have. Those that ask what the table had an answer for are mended, and not new.
func (v *patchView) answerTable(is table, before []table) Finding {
	i := slices.IndexFunc(before, func(t table) bool { return t.name == is.name })
	asked := make(map[string]bool)
	if i >= 0 {
		for _, e := range before[i].rows {
			for _, p := range e {
				asked[strings.Join(p.Asked, "\x00")] = true
			}
		}
	}
	fresh := slices.DeleteFunc(slices.Clone(is.rows), func(e entry) bool { return e.asks(asked) })
	if len(fresh) == 0 || len(fresh) > manyRows {
		return Finding{}
	}
	var held []examples.Pair
	for _, e := range fresh {
		if j := slices.IndexFunc(e, func(p examples.Pair) bool {
			return examples.Weight(p.Asked)+examples.Weight(p.Given) >= odd && v.expectations().pairs[p.Key()]
		}); j >= 0 {
			held = append(held, e[j])
		}
	}
	if 2*len(held) < len(fresh) || i >= 0 && len(before[i].rows) > 0 && (v.goal.By == Person || len(held) < 2) || len(held) == 0 {
		return Finding{}
	}
	effect := Ask
	if i < 0 || len(before[i].rows) == 0 {
		effect = v.unless(Healer)
	}
	return Finding{Line: is.line, Effect: effect, Evidence: fmt.Sprintf("%s holds what tests expect (%s) for what they ask with (%s): compute it",
		orFile(is.name), phrase.Clip(strings.Join(held[0].Given, ", ")), phrase.Clip(strings.Join(held[0].Asked, ", ")))}
}

// manyRows is more than anybody writes down to get past tests.
const manyRows = 2000

// loaded reports whether code of the patch that is no test names a file of data.
func (v *patchView) loaded(name string) bool {
	return slices.ContainsFunc(v.files, func(f *fileView) bool {
		return f.programAfter != nil && !v.isEvidence(f.path) && parts.Mentions(f.after, strings.TrimSuffix(path.Base(name), path.Ext(name)))
	})
}

// tablesOf lists those of a file: of a program the ones outside of functions, of data all of it.
func tablesOf(name string, src []byte, f *code.File) []table {
	if f == nil {
		if rows := rowsOfData(name, src); len(rows) > 0 {
			return []table{{rows: rows}}
		}
		return nil
	}
	var all []table
	for n := range f.Root.Own() {
		if n.Role != code.Assign || n.Function() != nil {
			continue
		}
		t := table{line: n.Line()}
		if to := n.Kid(code.Target); to != nil {
			t.name = to.Text()
		}
		for k := range n.Kid(code.Value).Own() {
			switch {
			case k.Role == code.Pair && k.Kid(code.Key) != nil && parts.Value(k.Kid(code.Value)) && (parts.Value(k.Kid(code.Key)) || k.Kid(code.Key).Role != code.Name):
				t.rows = append(t.rows, byKeyOf(examples.Literals(k.Kid(code.Key)), examples.Spelled(k.Kid(code.Value))))
			case k.Part == code.Elem && k.Is(code.List, code.Call):
				if row := examples.OfRow(k); len(row) > 0 {
					t.rows = append(t.rows, row[:1])
				}
			}
		}
		if len(t.rows) > 0 {
			all = append(all, t)
		}
	}
	return all
}

// byKeyOf are the ways to read a key: as it is, and as what it was put together from, such as "2,3".
func byKeyOf(key, given []string) entry {
	all := entry{{Asked: key, Given: given}}
	if len(key) != 1 || !strings.HasPrefix(key[0], `"`) {
		return all
	}
	var words []string
	for _, w := range examples.DataWord.FindAllString(strings.Trim(key[0], `"`), -1) {
		words = append(words, examples.Normal(w))
	}
	if len(words) > 0 {
		all = append(all, examples.Pair{Asked: words, Given: given})
	}
	return all
}

// rowsOfData reads what is given for what out of JSON, a value or one on each line, and out of lines whose values are parted.
func rowsOfData(name string, src []byte) []entry {
	switch path.Ext(name) {
	case ".json", ".jsonl", ".ndjson":
		var all []entry
		var whole any
		if json.Unmarshal(src, &whole) == nil {
			return rowsOfJSON(whole)
		}
		for l := range strings.SplitSeq(string(src), "\n") {
			var v any
			if json.Unmarshal([]byte(l), &v) == nil {
				all = append(all, rowsOfJSON(v)...)
			}
		}
		return all
	case ".csv", ".tsv", ".txt", ".dat", ".yaml", ".yml", ".toml", ".ini":
		var all []entry
		for l := range strings.SplitSeq(string(src), "\n") {
			if words := valueWord.FindAllString(l, -1); len(words) > 1 {
				for i := range words {
					words[i] = plain(words[i])
				}
				all = append(all, entry{{Asked: words[:len(words)-1], Given: words[len(words)-1:]}})
			}
		}
		return all
	}
	return nil
}

// valueWord matches the values of a line: texts in quotes, numbers, words.
var valueWord = pattern.New(`"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|[\w.@/-]+`)

// plain is a word of a line as code would write it.
func plain(word string) string {
	if n := examples.Normal(word); n != word || examples.DataWord.MatchString(word) {
		return n
	}
	return `"` + word + `"`
}

// rowsOfJSON are the entries of objects, and the rows of lists, the last of which is what is given.
func rowsOfJSON(v any) []entry {
	var all []entry
	switch v := v.(type) {
	case map[string]any:
		for key, given := range v {
			all = append(all, byKeyOf([]string{`"` + key + `"`}, examples.OfJSON(given)))
			all = append(all, rowsOfJSON(given)...)
		}
	case []any:
		for _, row := range v {
			if list, ok := row.([]any); ok && len(list) > 1 {
				all = append(all, entry{{Asked: examples.OfJSON(list[:len(list)-1]), Given: examples.OfJSON(list[len(list)-1])}})
			}
			all = append(all, rowsOfJSON(row)...)
		}
	}
	return all
}
