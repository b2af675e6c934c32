package locate

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"fettle/internal/pattern"
	"fettle/internal/runner"
)

// Value is what a variable was seen to hold, or is declared to hold, on a suspect's lines.
type Value struct {
	Expr  string   `json:"expr"`  // as the source has it: "order.items"
	Types []string `json:"types"` // in the language's own words ("int", "list[str]"), sorted
}

// Of how many suspects, and how many variables of each, values are told.
const (
	mostValued = 30
	mostValues = 6
)

var (
	// variable is what people call one; what else has a value says less than it takes room.
	variable = pattern.New(`^[\pL_$][\pL\pN_$]*(\.[\pL_$][\pL\pN_$]*)*$`)
	// typeName bounds what a type may be called: programs make types while they run, under any name.
	typeName = pattern.New(`^[\pL_$*\[(<{][\pL\pN_$.,|*&<>\[\](){}/ -]{0,79}$`)
	// callable are the types of what is no data, by the first word.
	callable = []string{"function", "func", "builtin_function_or_method", "method", "module", "type", "Function", "ABCMeta"}
)

// Typed adds to the most suspicious lines what their variables hold. read hands out a file's text; of what it cannot read nothing is told.
func Typed(suspects []Suspect, seen []runner.Seen, read func(file string) ([]byte, error)) []Suspect {
	lines := map[line][]runner.Seen{}
	texts := map[string][]byte{}
	for file, all := range byFile(seen) {
		text, err := read(file)
		if err != nil {
			continue
		}
		texts[file] = text
		n, at := 1, 0
		for _, s := range all {
			if s.Start > s.End || s.End > len(text) {
				continue
			}
			n += bytes.Count(text[at:s.Start], []byte{'\n'})
			at = s.Start
			lines[line{file, n}] = append(lines[line{file, n}], s)
		}
	}
	out := slices.Clone(suspects)
	for i := range out[:min(len(out), mostValued)] {
		x := &out[i]
		for n := x.Line; n <= x.EndLine; n++ {
			for _, s := range lines[line{x.File, n}] {
				x.saw(string(texts[x.File][s.Start:s.End]), s.Types)
			}
		}
	}
	return out
}

// byFile are what was seen in each file, in order of place.
func byFile(seen []runner.Seen) map[string][]runner.Seen {
	out := map[string][]runner.Seen{}
	for _, s := range seen {
		out[s.File] = append(out[s.File], s)
	}
	for _, all := range out {
		slices.SortStableFunc(all, func(a, b runner.Seen) int { return cmp.Compare(a.Start, b.Start) })
	}
	return out
}

// saw adds the types of an expression, if that is a variable that holds data.
func (s *Suspect) saw(expr string, types []string) {
	if !variable.MatchString(expr) {
		return
	}
	i := slices.IndexFunc(s.Values, func(v Value) bool { return v.Expr == expr })
	for _, t := range types {
		word, _, _ := strings.Cut(t, "(")
		if !typeName.MatchString(t) || slices.Contains(callable, word) {
			continue
		}
		if i < 0 {
			if len(s.Values) == mostValues {
				return
			}
			i, s.Values = len(s.Values), append(s.Values, Value{Expr: expr})
		}
		v := &s.Values[i]
		if at, known := slices.BinarySearch(v.Types, t); !known {
			v.Types = slices.Insert(v.Types, at, t)
		}
	}
}

// Holds says for people what the variables hold: "n: int, items: list[str] | None"; empty where nothing is known.
func (s Suspect) Holds() string {
	var out []string
	for _, v := range s.Values {
		out = append(out, v.Expr+": "+strings.Join(v.Types, " | "))
	}
	return strings.Join(out, ", ")
}
