package search

import (
	"cmp"
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
)

// Weights of what is done the other way round as well.
const (
	turnedKeys   = 0.9 // a statement looks something up by both, or hands over one at the place of the other
	turnedOther  = 0.6 // … by one of several
	turnedMade   = 0.8 // what is missing at the other place is made there first
	turnedValue  = 0.5 // the one is stored at the place of the other
	mostTurnings = 3   // of one statement
)

// bothWays does for two things the other way round what a statement does one way: who quarrels with b, with that one b does, too, and a road from a to b leads back.
func (s *site) bothWays(try func(change)) {
	what := assignment(s.Node)
	if !s.isStatement() || !s.Alone() || !what.Is(code.Assign, code.Call) || what.Is(code.Assign) && !what.Kid(code.Target).Is(code.Index, code.Attr) || strings.Contains(s.Text(), "\n") {
		return
	}
	for i, t := range s.turnings(what) {
		text, ok := t.of(s.Node)
		if !ok || i == mostTurnings || text == s.Text() || strings.Contains(unspaced(s.Parent.Text()), unspaced(text)) {
			return
		}
		text += s.end(s.Node)
		try(s.after(text, t.weight))
		if made := s.madeBefore(t); made != "" {
			try(s.after(made+"\n"+s.Indent()+text, turnedMade*t.weight))
		}
	}
}

// turning is two values of a statement, each with all its places, that may be exchanged.
type turning struct {
	one, other []*code.Node
	weight     float64
}

// of is the statement with the two exchanged.
func (t turning) of(stmt *code.Node) (string, bool) {
	var edits []edit.Edit
	for _, x := range []struct {
		places []*code.Node
		text   string
	}{{t.one, t.other[0].Text()}, {t.other, t.one[0].Text()}} {
		for _, at := range x.places {
			edits = append(edits, edit.Edit{Start: at.Start - stmt.Start, End: at.End - stmt.Start, New: []byte(x.text)})
		}
	}
	slices.SortFunc(edits, func(a, b edit.Edit) int { return a.Start - b.Start })
	return apply(stmt.Text(), edits)
}

// turnings are the pairs of a statement that may be exchanged, the likeliest first: both keys of what it looks up, the one key and what is handed over there, and the
// two arguments of a function of the file's own.
func (s *site) turnings(what *code.Node) (out []turning) {
	keys, given := s.lookedUp(what)
	put := func(one, other []*code.Node, w float64) {
		if fits(s.of(one[0]), s.of(other[0])) >= 0.5 && one[0].Role == other[0].Role {
			out = append(out, turning{one, other, w})
		}
	}
	switch {
	case len(keys) == 2:
		put(keys[0], keys[1], turnedKeys)
	case len(keys) == 1 && len(given) == 1 && given[0][0].Part != code.Value:
		put(keys[0], given[0], turnedKeys)
	case len(keys) == 1:
		for _, other := range given {
			if !s.madeTogether(keys[0][0], other[0]) {
				continue
			}
			w := turnedOther
			if other[0].Part == code.Value && other[0].Parent == what {
				w = turnedValue
			} else if len(out) == 0 {
				w = turnedKeys
			}
			put(keys[0], other, w)
		}
	case len(keys) == 0 && len(given) == 2 && s.function(what.Calls()) != nil:
		put(given[0], given[1], turnedKeys)
	}
	slices.SortStableFunc(out, func(a, b turning) int { return cmp.Compare(b.weight, a.weight) })
	return out
}

// lookedUp are the variables, their members and elements by a number, by which a statement looks something up, and those that it hands over or stores: each with all its places.
func (s *site) lookedUp(what *code.Node) (keys, given [][]*code.Node) {
	looks := what.Kid(code.Callee).Kid(code.Object)
	appends := what.Kid(code.Value).Calls() == "append"
	for n := range what.Own() {
		switch {
		case !s.onePart(n), !slices.Contains([]code.Part{code.At, code.Arg, code.Elem, code.Value}, n.Part), n.Parent.Is(code.Keyword, code.Function):
			continue
		case appends && n.Part == code.Arg && n.Prev() == nil: // what it is appended to
			continue
		}
		same := func(places []*code.Node) bool { return places[0].Text() == n.Text() }
		if i := slices.IndexFunc(keys, same); i >= 0 {
			keys[i] = append(keys[i], n)
		} else if i := slices.IndexFunc(given, same); i >= 0 {
			given[i] = append(given[i], n)
		} else if n.Part == code.At || looks != nil && looks.Holds(n.Start, n.End) {
			keys = append(keys, []*code.Node{n})
		} else {
			given = append(given, []*code.Node{n})
		}
	}
	return keys, given
}

// onePart reports whether a node is a variable, a member of one, or an element of one by a number.
func (s *site) onePart(n *code.Node) bool {
	of := n.Kid(code.Object)
	switch n.Role {
	case code.Name:
		return s.declared(n.Name) && !s.isCallable(n.Name)
	case code.Attr:
		return of.Is(code.Name) && n.Part != code.Callee && !s.isModule(of.Name)
	case code.Index:
		return of.Is(code.Name) && n.Kid(code.At).Is(code.Int)
	default:
		return false
	}
}

// madeTogether reports whether two variables are made at one place, as what a loop takes apart is, and parameters are; or two parts are of one and the same variable.
func (s *site) madeTogether(a, b *code.Node) bool {
	if a.Role != b.Role {
		return false
	}
	if a.Role != code.Name {
		return a.Kid(code.Object).Text() == b.Kid(code.Object).Text()
	}
	one, other := s.declaring(a), s.declaring(b)
	return one != other && one.Part == other.Part && one.Parent == other.Parent && (one.Part == code.Target || one.Part == code.Elem || one.Part == code.Params)
}

// madeBefore is what makes the one place that the statement looks up, where it stands directly before it and says nothing of the other, said of that other one.
func (s *site) madeBefore(t turning) string {
	prev, one := s.Prev(), t.one[0]
	if prev == nil || !prev.Is(code.If, code.Eval, code.Assign) || ends(prev) || !prev.Alone() || prev.Kid(code.Else) != nil || !one.Is(code.Name) || mentions(prev.Text(), t.other[0].Text()) {
		return ""
	}
	if prev.Is(code.If) && leaves(prev.Kid(code.Then)) || prev.Is(code.Assign) && !prev.Kid(code.Target).Is(code.Index) {
		return ""
	}
	if text := renamedIn(prev, map[string]string{one.Name: t.other[0].Text()}); text != prev.Text() {
		return text + s.end(prev)
	}
	return ""
}
