package search

import (
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
)

// Bounds and weights of several variables that are exchanged at once.
const (
	mostExchanged  = 3   // variables
	mostOthersTold = 4   // groups of others that are tried
	sameShape      = 1.0 // the function says it so elsewhere
	sameWord       = 0.9 // the others differ in one and the same word
	otherGroup     = 0.6 // the others are made at one place
)

// ofOtherPlace looks up by other variables, all at once, what is looked up by several: grid[nr][nc] of the new place, where grid[r][c] is that of the old one.
func (s *site) ofOtherPlace(try func(change)) {
	if !s.Is(code.Index, code.Call, code.List) || s.Function() == nil || s.Part == code.Object && s.Parent.Is(code.Index) || strings.Contains(s.Text(), "\n") || s.parameter() || s.Is(code.List) && s.written() {
		return
	}
	places := s.variablesOf()
	if len(places) < 2 || len(places) > mostExchanged {
		return
	}
	tried := 0
	here := unspaced(s.Function().Text())
	for _, g := range s.groupsFor(places) {
		var edits []edit.Edit
		for i, p := range places {
			edits = append(edits, edit.Edit{Start: p.Start, End: p.End, New: []byte(g.names[i])})
		}
		w := g.weight
		if said := unspaced(s.with(edits, s.Start, s.End)); strings.Contains(here, said) {
			w = sameShape
		}
		try(change{edits, w, "in " + quote(s.Text()) + ", " + quote(places[0].Name) + " and what stands with it were used where " + quote(strings.Join(g.names, ", ")) + " are meant"})
		if tried++; tried == mostOthersTold {
			return
		}
	}
}

// variablesOf are the variables by which the site looks something up, or which it hands over or holds, in their order; none where one of them stands there twice, or something
// else does beside them.
func (s *site) variablesOf() (out []*code.Node) {
	for n := s.Node; n != nil; n = n.Kid(code.Object) {
		part := map[code.Role]code.Part{code.Index: code.At, code.Call: code.Arg, code.List: code.Elem}[n.Role]
		var mine []*code.Node
		for _, k := range n.All(part) {
			if part != code.None && k.Is(code.List) {
				mine = append(mine, k.All(code.Elem)...)
			} else if part != code.None {
				mine = append(mine, k)
			}
		}
		out = append(mine, out...)
		if !n.Is(code.Index) {
			break
		}
	}
	var seen []string
	for _, n := range out {
		if !n.Is(code.Name) || slices.Contains(seen, n.Name) || s.isCallable(n.Name) {
			return nil
		}
		seen = append(seen, n.Name)
	}
	return out
}

// group is variables, each for one of the site's.
type group struct {
	names  []string
	weight float64
}

// groupsFor are the variables that may be meant in the place of several, the likeliest first: those that differ from them in one and the same word, and those that are made at
// one place, as many as they are.
func (s *site) groupsFor(places []*code.Node) (out []group) {
	for _, g := range slices.Concat(s.groupsByWord(places), s.groupsMade()) {
		if s.mayStandFor(g, places) && !slices.ContainsFunc(out, func(o group) bool { return slices.Equal(o.names, g.names) }) {
			out = append(out, g)
		}
	}
	return out
}

// mayStandFor reports whether each variable of a group is of its place's type, and none of them stands there already.
func (s *site) mayStandFor(g group, places []*code.Node) bool {
	if len(g.names) != len(places) {
		return false
	}
	for i, p := range places {
		if slices.Contains(g.names, p.Name) || fits(s.of(s.nameOf(p, g.names[i])), s.of(p)) < 0.5 {
			return false
		}
	}
	return true
}

// groupsByWord are the groups whose variables differ from those of the places in one and the same word.
func (s *site) groupsByWord(places []*code.Node) (out []group) {
	names := slices.DeleteFunc(s.names(), func(v name) bool { return v.fn || !v.local || !plainName(v.text) })
	for _, v := range names {
		by, ok := lettersOf(places[0].Name, v.text)
		if !ok {
			continue
		}
		g := group{[]string{v.text}, sameWord}
		for _, p := range places[1:] {
			i := slices.IndexFunc(names, func(o name) bool {
				also, ok := lettersOf(p.Name, o.text)
				return ok && also == by
			})
			if i >= 0 {
				g.names = append(g.names, names[i].text)
			}
		}
		out = append(out, g)
	}
	return out
}

// groupsMade are the variables of the function that are made together: what a loop, or an assignment, takes apart.
func (s *site) groupsMade() (out []group) {
	for _, v := range s.Scope() {
		if v.Near > 0 || v.Kind != code.Local || v.Decl.Part != code.Target && v.Decl.Part != code.Elem {
			continue
		}
		g := group{nil, otherGroup}
		for _, d := range v.Decl.Parent.All(v.Decl.Part) {
			if d.Is(code.Name) && s.has(d.Name) {
				g.names = append(g.names, d.Name)
			}
		}
		out = append(out, g)
	}
	return out
}

// nameOf is what makes a variable of that name, or else the node itself.
func (s *site) nameOf(n *code.Node, name string) *code.Node {
	for _, v := range s.at(n).Scope() {
		if v.Name == name {
			return v.Decl
		}
	}
	return n
}

// lettersOf is how one name becomes another one: by a word of it, or, where one of the two is a single letter, as those of rows and columns are, by what stands before or behind it.
func lettersOf(from, to string) (affix, bool) {
	if by, ok := affixOf(from, to); ok {
		return by, true
	}
	short, long := from, to
	if len(long) < len(short) {
		short, long = long, short
	}
	if len(short) != 1 || len(long) > 3 {
		return affix{}, false
	}
	by, ok := "", false
	ends := strings.HasPrefix(long, short)
	switch {
	case ends:
		by, ok = long[1:], true
	case strings.HasSuffix(long, short):
		by, ok = long[:len(long)-1], true
	}
	if long == to {
		return affix{"", by, ends}, ok && by != ""
	}
	return affix{by, "", ends}, ok && by != ""
}
