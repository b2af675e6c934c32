package search

import (
	"strings"

	"fettle/internal/code"
	"fettle/internal/pattern"
)

// How likely a list has to be put into order where it is made.
const (
	neighbourly  = 1.0 // each of its elements is compared with the one beside it
	copiedInVain = 0.7 // it is a copy, and nothing is done to it
)

// aCopy is how values look that are copies of lists.
var aCopy = pattern.New(`^list\(\w+\)$|^\w+\[:\]$|\.(clone|copy|slice|toList)\(\)$|^\[\.\.\.[\w.]+\]$|^new ArrayList<>\([\w.]+\)$|^append\(\[\]\w+(\(nil\)|\{\}), \w+\.\.\.\)$|^slices\.Clone\(\w+\)$|^Arrays\.copyOf\(`)

// sortMade puts a list into order behind the statement that makes it, where the list is a copy that nothing is done to, or where elements are compared with those beside them.
func (s *site) sortMade(try func(change)) {
	if !s.isStatement() || !s.Alone() {
		return
	}
	name, w := s.madeUnsorted()
	if name == nil {
		return
	}
	t := s.typeOf(name)
	for i, form := range arrangements[s.fact().Family] {
		needed, ok := s.importing(form.needs)
		if form.on != "" && !t.begins(form.on) || !ok || form.weight < 0.5 || t.known() && !t.is(kList) {
			continue
		}
		c := s.after(s.statement(strings.ReplaceAll(form.form, "X", name.Name)), w*form.weight*max(1-0.05*float64(i), 0.5))
		c.edits = append(needed, c.edits...)
		try(c)
	}
}

// madeUnsorted is the list that a statement makes and that may have to be put into order, with how likely that is; nil: there is none.
func (s *site) madeUnsorted() (name *code.Node, weight float64) {
	a := assignment(s.Node)
	name, value := a.Kid(code.Target), a.Kid(code.Value)
	if !a.Is(code.Assign) || !name.Is(code.Name) || value == nil || len(a.All(code.Target)) != 1 {
		return nil, 0
	}
	fn, copied := s.Function(), aCopy.MatchString(value.Text())
	if !copied && !value.Is(code.Call, code.Comprehension) || grows(fn, name.Name) || strings.Contains(fn.Text(), name.Name+".sort") || drops(fn, name.Name) {
		return nil, 0
	}
	switch {
	case comparesNeighbours(fn, name.Name):
		return name, neighbourly
	case copied && !givesBack(fn, name.Name):
		return name, copiedInVain
	}
	return nil, 0
}

// typeOf is what is known of the variable, or of the value, that stands somewhere, as it is declared.
func (s *site) typeOf(n *code.Node) typ {
	from := n
	if stmt := n.Statement(); stmt != nil && stmt.Next() != nil { // behind which it is known, if that is where it is declared
		from = stmt.Next()
	}
	for _, v := range from.Scope() {
		if n.Is(code.Name) && v.Name == n.Name {
			return s.declaredType(v)
		}
	}
	return s.at(n).of(n)
}

// comparesNeighbours reports whether a function looks at elements of a list together with those beside them.
func comparesNeighbours(fn *code.Node, list string) bool {
	at := map[string]bool{}
	for n := range fn.Own() {
		if i, object := elementOf(n); i != nil && object.Text() == list {
			at[unspaced(i.Text())] = true
		}
	}
	for i := range at {
		if at[i+"-1"] || at[i+"+1"] {
			return true
		}
	}
	text := unspaced(fn.Text())
	return strings.Contains(text, "zip("+list+","+list+"[1:])") || strings.Contains(text, "pairwise("+list+")")
}
