package search

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"fettle/internal/code"
	"fettle/internal/edit"
)

// affix is how one name becomes another one, by the words that it begins or ends with: "" and "next" from month to nextMonth, 1 and 2 from x1 to x2.
type affix struct {
	from, to string
	ends     bool // else it begins with them
}

// firstOfTwo is how likely, of arguments that are given twice, the first ones are wrong, against the second ones.
const firstOfTwo = 0.8

// sameAffix exchanges several arguments of a call at once for the variables that differ from them in one and the same word: who takes the month of one date
// for that of another one takes its year, too.
func sameAffix(s *site, try func(change)) {
	args := slices.DeleteFunc(s.All(code.Arg), func(n *code.Node) bool { return n.Role != code.Name })
	if s.Role != code.Call || len(args) < 2 {
		return
	}
	names := slices.DeleteFunc(s.names(), func(v name) bool { return v.fn || !plainName(v.text) })
	var order []affix
	all := map[affix][]edit.Edit{}
	for _, arg := range args {
		for _, v := range names {
			by, ok := affixOf(arg.Name, v.text)
			edits := all[by]
			if !ok || fits(v.typ, s.of(arg)) == 0 || len(edits) > 0 && edits[len(edits)-1].Start == arg.Start {
				continue
			}
			if edits == nil {
				order = append(order, by)
			}
			all[by] = append(edits, edit.Edit{Start: arg.Start, End: arg.End, New: []byte(v.text)})
		}
	}
	for _, by := range order {
		for i, edits := range s.inGroups(all[by]) {
			if len(edits) > 1 {
				first := edits[0]
				try(change{edits, 1 - (1-firstOfTwo)*float64(i), fmt.Sprintf("%s and what is given with it were used where %s and the like are meant", quote(s.File.Source[first.Start:first.End]), quote(string(first.New)))})
			}
		}
	}
}

// inGroups are edits of arguments to be made together: all of them, or, where some are given twice, the last of each, and then the first.
func (s *site) inGroups(edits []edit.Edit) [][]edit.Edit {
	var first, last []edit.Edit
	for i, e := range edits {
		alike := func(o edit.Edit) bool { return string(o.New) == string(e.New) }
		if slices.IndexFunc(edits, alike) == i {
			first = append(first, e)
		}
		if !slices.ContainsFunc(edits[i+1:], alike) {
			last = append(last, e)
		}
	}
	if len(first) == len(edits) {
		return [][]edit.Edit{edits}
	}
	return [][]edit.Edit{last, first}
}

// affixOf is the one word with which a name begins or ends, and the one that another name, the same otherwise, has there or has more.
func affixOf(from, to string) (affix, bool) {
	a, b := wordsOf(from), wordsOf(to)
	first, last := sameEnds(a, b)
	a, b = a[first:len(a)-last], b[first:len(b)-last]
	if first+last == 0 || first > 0 && last > 0 || len(a) > 1 || len(b) > 1 || len(a)+len(b) == 0 {
		return affix{}, false
	}
	return affix{strings.Join(a, ""), strings.Join(b, ""), first > 0}, true
}

// wordsOf are the words of a name in small letters, and the number at its end.
func wordsOf(name string) (out []string) {
	for _, word := range nameParts(name) {
		bare := strings.TrimRightFunc(word, unicode.IsDigit)
		for _, w := range []string{strings.ToLower(strings.Trim(bare, "_")), word[len(bare):]} {
			if w != "" {
				out = append(out, w)
			}
		}
	}
	return out
}
