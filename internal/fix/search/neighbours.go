package search

import (
	"cmp"
	"context"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"

	"fettle/internal/check"
	"fettle/internal/code"
	"fettle/internal/fix/nearby"
	"fettle/internal/near"
	"fettle/internal/syntax"
)

// Bounds of what is looked at beside a source: neighbours that are read, and names that are taken of one home.
const (
	mostNeighbours = 30
	mostOffers     = 12
)

// offer is a name that other code makes known.
type offer struct{ code.Offer }

// typ is what its source says of it.
func (o offer) typ() typ {
	switch {
	case o.Kind == code.Callable:
		return typ{kind: kFunc}
	case o.Type != "":
		return typ{kind: kindOf(o.Type), names: []string{o.Type}}
	case o.Value != nil:
		return typ{kind: forms[o.Value.Role]}
	}
	return typ{}
}

// takes reports whether a function may be called as it is here.
func (o offer) takes(call *code.Node) bool {
	return o.Params < 0 || len(call.All(code.Arg)) == o.Params || slices.ContainsFunc(call.All(code.Arg), func(n *code.Node) bool { return n.Is(code.Spread, code.Keyword) })
}

// shelf is what the sources around one offer it, and what its own classes do.
type shelf struct {
	bare    []offer            // by their names alone: what other sources of its package make, and what it imports by name
	members map[string][]offer // by the class, module or package of which they are members
	alike   map[string][]offer // by a name, alone or with homes, that was asked about before
}

// shelf is made when it is first asked for: what it is made from has to be read.
func (u *unit) shelf(f *code.File) *shelf {
	if s := u.shelves[f]; s != nil {
		return s
	}
	s := &shelf{members: map[string][]offer{}, alike: map[string][]offer{}}
	u.shelves[f] = s
	imported := nearby.Imports(f)
	for _, o := range f.Offers() {
		s.members[o.Home] = append(s.members[o.Home], offer{o})
	}
	for _, from := range u.neighbours(f) {
		inPackage := f.Lang == syntax.Go && path.Dir(from.Path) == path.Dir(f.Path)
		for _, o := range from.Offers() {
			if f.Lang == syntax.Go && !inPackage && !unicode.IsUpper([]rune(o.Name)[0]) {
				continue
			}
			if o.Top && (inPackage || imported[o.Name]) {
				s.bare = append(s.bare, offer{o})
			}
			s.members[o.Home] = append(s.members[o.Home], offer{o})
		}
	}
	return s
}

// namesLike are the names that could stand where this one does, from other sources, the most alike first.
func (s *site) namesLike(n *code.Node) []offer {
	shelf := s.unit.shelf(s.File)
	return shelf.like(n.Name, n.Name, func() []offer { return shelf.bare })
}

// membersLike are the members of the same object, as its class or module makes them known, those with the likest names first.
func (s *site) membersLike(member *code.Node) []offer {
	shelf := s.unit.shelf(s.File)
	homes := s.homes(member.Parent.Kid(code.Object))
	return shelf.like(strings.Join(homes, " ")+"."+member.Name, member.Name, func() (all []offer) {
		for _, home := range homes {
			all = append(all, shelf.members[home]...)
		}
		return all
	})
}

// beside are the members of the classes and structures that have one of this name.
func (s *shelf) beside(name string) (all []offer) {
	for _, home := range slices.Sorted(maps.Keys(s.members)) {
		if slices.ContainsFunc(s.members[home], func(o offer) bool { return o.Name == name }) {
			all = append(all, s.members[home]...)
		}
	}
	return all
}

// like are those of some offers that are most like a name; key names both.
func (s *shelf) like(key, name string, offers func() []offer) []offer {
	known, ok := s.alike[key]
	if !ok {
		known = alikeTo(name, offers())
		s.alike[key] = known
	}
	return known
}

// homes are the names by which an object's members are known: those of its types, or its own, if it is no variable.
func (s *site) homes(object *code.Node) []string {
	var out []string
	for _, name := range s.of(object).names {
		name, _, _ = strings.Cut(strings.TrimLeft(name, "*"), "[")
		name, _, _ = strings.Cut(name, "<")
		out = append(out, name[strings.LastIndexByte(name, '.')+1:])
	}
	if object.Is(code.Name, code.Attr) && !s.variable(object) {
		out = append(out, object.Name)
	}
	return out
}

// variable reports whether a node names a variable of a function.
func (s *site) variable(n *code.Node) bool {
	return n.Role == code.Name && slices.ContainsFunc(s.Scope(), func(v code.Variable) bool {
		return v.Name == n.Name && (v.Kind == code.Local || v.Kind == code.Parameter)
	})
}

// alikeTo are the offers with the names that are most like one, that one left out.
func alikeTo(name string, offers []offer) []offer {
	type ranked struct {
		offer
		like float64
	}
	var all []ranked
	for _, o := range offers {
		if o.Name != name {
			all = append(all, ranked{o, near.Likeness(name, o.Name)})
		}
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Compare(b.like, a.like) })
	out := make([]offer, min(len(all), mostOffers))
	for i := range out {
		out[i] = all[i].offer
	}
	return out
}

// neighbours are a source's, read when they are first asked for.
func (u *unit) neighbours(f *code.File) []*code.File {
	all, known := u.besides[f]
	if !known {
		all = u.around(f)
		u.besides[f] = all
	}
	return all
}

// readAround reads a file's neighbours.
func readAround(ctx context.Context, place check.Place, project *nearby.Project, f *code.File) []*code.File {
	var out []*code.File
	for _, p := range project.Sources(f) {
		if len(out) == mostNeighbours || ctx.Err() != nil {
			break
		}
		data, err := place.ReadFile(p)
		if err != nil || len(data) > mostOfSource {
			continue
		}
		if g, err := code.Read(ctx, f.Lang, p, data); err == nil {
			out = append(out, g)
		}
	}
	return out
}
