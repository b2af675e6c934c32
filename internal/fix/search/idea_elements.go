package search

import (
	"fmt"

	"fettle/internal/code"
	"fettle/internal/edit"
)

// elements takes an element out of what is written out, or a value out of those of a case, or exchanges two.
func elements(s *site, try func(change)) {
	if !s.Is(code.List, code.Map, code.Index, code.Case) {
		return
	}
	all, w := s.All(code.Elem), 0.6
	switch s.Role {
	case code.Index:
		all = s.All(code.At) // a[i, j]
	case code.Case:
		all, w = s.All(code.Value), 0.9
	default:
	}
	if len(all) < 2 || len(all) > 12 {
		return
	}
	for i, e := range all {
		try(change{[]edit.Edit{without(e)}, w, quote(e.Text()) + " does not belong there"})
		if s.Role != code.Case && i+1 < len(all) && all[i+1].Text() != e.Text() {
			b := all[i+1]
			try(change{[]edit.Edit{{Start: e.Start, End: e.End, New: []byte(b.Text())}, {Start: b.Start, End: b.End, New: []byte(e.Text())}}, 1,
				fmt.Sprintf("%s and %s were exchanged", quote(e.Text()), quote(b.Text()))})
		}
	}
}
