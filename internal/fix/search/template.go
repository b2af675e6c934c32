package search

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
	"fettle/internal/phrase"
)

// template is one idea of what may be wrong.
type template struct {
	name      string
	prior     float64 // how often it is the idea that mends, against the others
	precision float64 // of its patches that pass, how many are right
	propose   func(s *site, try func(change))
}

// each is several ideas of one name: what was learnt of one of them is learnt of all.
func each(ideas ...func(*site, func(change))) func(*site, func(change)) {
	return func(s *site, try func(change)) {
		for _, idea := range ideas {
			idea(s, try)
		}
	}
}

// change is an edit of one file, or a few at once.
type change struct {
	edits  []edit.Edit
	weight float64 // 0–1: how likely among those of its template
	why    string  // what was wrong, without a full stop
}

// templates is every idea, the likeliest first.
var templates = func() []template {
	all := slices.Concat(operatorTemplates, valueTemplates, callTemplates, sequenceTemplates, statementTemplates, slipTemplates, regexpTemplates)
	sortTemplates(all)
	return all
}()

func sortTemplates(all []template) {
	slices.SortStableFunc(all, func(a, b template) int { return cmp.Compare(b.prior, a.prior) })
}

// replace puts a text in the place of a node.
func replace(n *code.Node, text string, weight float64, format string, args ...any) change {
	return change{[]edit.Edit{{Start: n.Start, End: n.End, New: []byte(text)}}, weight, fmt.Sprintf(format, args...)}
}

// insert puts a text before a byte.
func insert(at int, text string, weight float64, format string, args ...any) change {
	return change{[]edit.Edit{{Start: at, End: at, New: []byte(text)}}, weight, fmt.Sprintf(format, args...)}
}

// quote shows code in a sentence.
func quote(text string) string { return phrase.Code(text) }

// value reports whether the node is a value that another one could stand for: no name of a member or keyword, no target.
func (s *site) value() bool {
	switch s.Role {
	case code.Name, code.Int, code.Float, code.Str, code.Char, code.Bool, code.Null, code.List, code.Map, code.Compare, code.Arith, code.Logic, code.Not,
		code.Unary, code.Call, code.Index, code.Slice, code.Attr, code.Choice, code.Group, code.Comprehension, code.Wait:
	default:
		return false
	}
	return s.Part != code.Callee && s.Part != code.Key && !s.parameter() && !s.written() && !docString(s.Node) && s.Parent != nil && !s.Parent.Is(code.Import, code.Module)
}

// parameter reports whether the node makes a parameter, or takes one apart.
func (s *site) parameter() bool {
	for n := s.Node; n != nil && n.Parent != nil; n = n.Parent {
		switch {
		case n.Part == code.Params, n.Parent.Role == code.Param && n.Part != code.Value:
			return true
		case !n.Parent.Is(code.List, code.Map, code.Pair, code.Spread) && (n.Parent.Role != code.Assign || n.Part != code.Target):
			return false
		}
	}
	return false
}

// written reports whether the node is given a value.
func (s *site) written() bool {
	for n := s.Node; n != nil && n.Parent != nil; n = n.Parent {
		if n.Part == code.Target {
			return true
		}
		if n.Part == code.Operand && n.Parent.Role == code.Step {
			return true
		}
		if !n.Parent.Is(code.List, code.Group, code.Spread, code.Map, code.Pair) || n.Part == code.Key {
			return false
		}
	}
	return false
}

// condition reports whether the node decides something by its truth.
func (s *site) condition() bool { return condition(s.Node) }

// fact is how the site's language spells things.
func (s *site) fact() *code.Facts { return s.File.Facts }

// name is something that can be read at a site.
type name struct {
	text   string
	typ    typ
	weight float64
	local  bool
	fn     bool
}

// most variables that are considered at a site
const mostNames = 40

// names are the variables that can be read at the site, the likeliest first: those of the function by how near they are used, then the
// object's fields, then the file's.
func (s *site) names() []name {
	var out []name
	scope := s.Scope()
	slices.SortStableFunc(scope, func(a, b code.Variable) int {
		return cmp.Or(cmp.Compare(a.Near, b.Near), cmp.Compare(rank(a), rank(b)))
	})
	stmt := s.Statement()
	for _, v := range scope {
		if v.Kind == code.Namespace || v.Decl == s.Node || strings.HasPrefix(v.Name, "__") {
			continue
		}
		if stmt != nil && s.File.Facts.BlockScoped && v.Decl.Statement() == stmt && v.Kind == code.Local && !stmt.Is(code.For, code.Each, code.If, code.Switch) {
			continue
		}
		n := name{text: v.Name, weight: 1, local: v.Kind == code.Local || v.Kind == code.Parameter, fn: v.Kind == code.Callable}
		n.typ = s.declaredType(v)
		if v.Kind == code.Callable {
			n.typ = typ{kind: kFunc}
		}
		if v.Near > 0 {
			n.weight = 0.5
		}
		if v.Name == selfName(s) {
			n.weight = 0.2
		}
		out = append(out, n)
	}
	for _, field := range s.Fields() {
		t := s.variableType(s.Node, field)
		if _, own, ok := strings.Cut(field, "."); ok && !t.known() {
			t = s.fieldType(s.Node, own)
		}
		out = append(out, name{text: field, typ: t, weight: 0.7, local: true})
	}
	return out[:min(len(out), mostNames)]
}

func rank(v code.Variable) int {
	switch v.Kind {
	case code.Local, code.Parameter:
		return 0
	case code.Global:
		return 1
	default:
	}
	return 2
}

func selfName(s *site) string {
	if s.Up(code.Class) == nil {
		return ""
	}
	fn := s.Function()
	if p := fn.Kid(code.Params); p.Is(code.Name) {
		return p.Name
	}
	return ""
}

// declaredType is what is known of a variable: what was seen of it, what it was declared as, or what it was made from.
func (s *site) declaredType(v code.Variable) typ {
	if t := s.variableType(s.Node, v.Name); t.known() {
		return t
	}
	if v.Type != "" {
		return typ{kind: kindOf(v.Type), names: []string{v.Type}}
	}
	if a := v.Decl.Parent; a.Is(code.Assign) && len(a.All(code.Target)) == 1 && a.Kid(code.Value) != nil && a.Op != "" {
		switch a.Kid(code.Value).Role {
		case code.Int, code.Float, code.Str, code.Bool, code.List, code.Map, code.Compare:
			return s.form(a.Kid(code.Value))
		default:
		}
	}
	return typ{}
}

// literal reports whether a node is written out, and no name.
func literal(n *code.Node) bool {
	return n.Is(code.Int, code.Float, code.Str, code.Char, code.Bool, code.Null)
}

// mentions reports whether a name stands in code as a word of its own.
func mentions(text, name string) bool {
	return code.Word(text, name, 0) >= 0
}
