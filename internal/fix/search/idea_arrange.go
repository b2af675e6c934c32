package search

import (
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
)

// arrangement is a statement that puts a list into another order; X stands for the list.
type arrangement struct {
	form   string
	on     string // the declared type begins so; empty: any list
	needs  string // what has to be imported for it
	weight float64
}

var arrangements = map[string][]arrangement{
	"Python":     {{"X.sort()", "", "", 1}, {"X.reverse()", "", "", 0.6}, {"X.sort(reverse=True)", "", "", 0.5}, {"X.sort(key=len)", "", "", 0.4}},
	"JavaScript": {{"X.sort((a, b) => a - b)", "", "", 1}, {"X.sort()", "", "", 0.8}, {"X.reverse()", "", "", 0.6}, {"X.sort((a, b) => b - a)", "", "", 0.5}, {"X.sort((a, b) => a.length - b.length)", "", "", 0.3}},
	"Java": {
		{"Collections.sort(X)", "List", "java.util.Collections", 1}, {"Collections.sort(X)", "ArrayList", "java.util.Collections", 1}, {"Arrays.sort(X)", "int[]", "java.util.Arrays", 1}, {"Arrays.sort(X)", "String[]", "java.util.Arrays", 1},
		{"Arrays.sort(X)", "double[]", "java.util.Arrays", 1}, {"Arrays.sort(X)", "char[]", "java.util.Arrays", 1}, {"Collections.reverse(X)", "List", "java.util.Collections", 0.6}, {"Collections.reverse(X)", "ArrayList", "java.util.Collections", 0.6},
		{"X.sort(Collections.reverseOrder())", "List", "java.util.Collections", 0.6}, {"X.sort(Collections.reverseOrder())", "ArrayList", "java.util.Collections", 0.6},
		{"X.sort(Comparator.comparingInt(String::length))", "List<String>", "java.util.Comparator", 0.4}, {"X.sort(Comparator.comparingInt(String::length))", "ArrayList<String>", "java.util.Comparator", 0.4},
	},
	"Go": {
		{"sort.Ints(X)", "[]int", "sort", 1}, {"sort.Strings(X)", "[]string", "sort", 1}, {"sort.Float64s(X)", "[]float64", "sort", 1}, {"slices.Sort(X)", "[]", "slices", 0.5}, {"slices.Reverse(X)", "[]", "slices", 0.5},
		{"sort.Sort(sort.Reverse(sort.IntSlice(X)))", "[]int", "sort", 0.5},
		{"sort.SliceStable(X, func(i, j int) bool { return len(X[i]) < len(X[j]) })", "[]string", "sort", 0.4},
	},
}

// arrange puts a list into order, or into another one, before a statement that uses it.
func arrange(s *site, try func(change)) {
	if !s.isStatement() || !s.Alone() {
		return
	}
	text := s.Text()
	keyed := s.keyed()
	for i, v := range s.names() {
		if v.fn || !v.local || i >= 12 || v.typ.known() && !v.typ.is(kList) {
			continue
		}
		w := 1.0
		if !mentions(text, v.text) && (s.Prev() == nil || !mentions(s.Prev().Text(), v.text)) {
			w = 0.4
		}
		for _, a := range slices.Concat(arrangements[s.fact().Family], keyed) {
			if a.on != "" && !v.typ.begins(a.on) {
				continue
			}
			needed, ok := s.importing(a.needs)
			if !ok {
				continue
			}
			stmt := s.statement(filled(a.form, v.text))
			c := s.before(stmt, w*a.weight)
			c.edits = append(needed, c.edits...)
			try(c)
			if s.Next() == nil && !ends(s.Node) {
				c := s.after(stmt, w*a.weight)
				c.edits = append(needed[:len(needed):len(needed)], c.edits...)
				try(c)
			}
		}
	}
}

// mostKeys bounds by how many parts of its elements a list is put into order.
const mostKeys = 2

// keyed puts a list into order by a part of its elements that the function looks at.
func (s *site) keyed() (out []arrangement) {
	var forms []string
	switch s.fact().Family {
	case "Python":
		forms = []string{"X.sort(key=lambda x: xK)", "X.sort(key=lambda x: xK, reverse=True)"}
	case "JavaScript":
		forms = []string{"X.sort((a, b) => aK - bK)", "X.sort((a, b) => bK - aK)"}
	default:
		return nil
	}
	var keys []string
	for n := range s.Function().Walk() {
		key := ""
		switch {
		case n.Role == code.Index && n.Kid(code.At).Is(code.Int):
			key = "[" + n.Kid(code.At).Text() + "]"
		case n.Role == code.Attr && n.Part != code.Callee && n.Kid(code.Object).Is(code.Name) && !s.isModule(n.Kid(code.Object).Name) && n.Name != "length":
			key = "." + n.Name
		}
		if key == "" || slices.Contains(keys, key) {
			continue
		}
		if keys = append(keys, key); len(keys) > mostKeys {
			break
		}
		for i, form := range forms {
			out = append(out, arrangement{form: strings.ReplaceAll(form, "K", key), weight: 0.5 - 0.05*float64(i)})
		}
	}
	return out
}

// begins reports whether one of the type's names begins so.
func (t typ) begins(prefix string) bool {
	for _, n := range t.names {
		if strings.HasPrefix(n, prefix) && (n == prefix || strings.HasSuffix(prefix, "[]") || n[len(prefix)] == '<') {
			return true
		}
	}
	return false
}

// importing are the edits that make a package, or a class, known to the file: none if it is. It is false where that cannot be done.
func (s *site) importing(name string) ([]edit.Edit, bool) {
	if name == "" {
		return nil, true
	}
	switch s.fact().Family {
	case "Go":
		return s.importingGo(name)
	case "Java":
		return s.importingJava(name)
	case "Python":
		return s.importingPython(name)
	default:
		return nil, false
	}
}

func (s *site) importingGo(name string) ([]edit.Edit, bool) {
	quoted := `"` + name + `"`
	src := s.File.Source
	for _, n := range s.File.Root.Kids {
		text := n.Text()
		if n.Role != code.Import || !strings.HasPrefix(text, "import") {
			continue
		}
		if i := strings.Index(text, quoted); i >= 0 { // but not under another name
			before := strings.TrimRight(text[:i], " \t")
			return nil, before == "import" || strings.HasSuffix(before, "(") || strings.HasSuffix(before, "\n") || strings.HasSuffix(before, ";")
		}
		if open := strings.IndexByte(text, '('); open >= 0 {
			return []edit.Edit{{Start: n.Start + open + 1, End: n.Start + open + 1, New: []byte("\n\t" + quoted)}}, true
		}
	}
	for _, n := range s.File.Root.Kids {
		if n.Role == code.Import && strings.HasPrefix(n.Text(), "import") {
			return []edit.Edit{{Start: n.Start, End: n.Start, New: []byte("import " + quoted + "\n")}}, true
		}
	}
	if !strings.HasPrefix(src, "package ") && !strings.Contains(src, "\npackage ") {
		return nil, false
	}
	at := 0
	if !strings.HasPrefix(src, "package ") {
		at = strings.Index(src, "\npackage ") + 1
	}
	end := strings.IndexByte(src[at:], '\n')
	if end < 0 {
		return nil, false
	}
	return []edit.Edit{{Start: at + end + 1, End: at + end + 1, New: []byte("\nimport " + quoted + "\n")}}, true
}

func (s *site) importingJava(name string) ([]edit.Edit, bool) {
	src := s.File.Source
	pkg := name[:strings.LastIndexByte(name, '.')]
	if strings.Contains(src, "import "+name+";") || strings.Contains(src, "import "+pkg+".*;") {
		return nil, true
	}
	for _, n := range s.File.Root.Kids {
		if n.Role == code.Import && strings.HasPrefix(n.Text(), "import") {
			return []edit.Edit{{Start: n.Start, End: n.Start, New: []byte("import " + name + ";\n")}}, true
		}
	}
	return nil, false
}

func (s *site) importingPython(name string) ([]edit.Edit, bool) {
	at := -1
	for _, n := range s.File.Root.Kids {
		text := n.Text()
		switch {
		case n.Role == code.Import && text == "import "+name:
			return nil, true
		case at >= 0 || documents(n) || n.Role == code.Import && strings.HasPrefix(text, "from __future__"):
		default:
			at = n.Start
		}
	}
	if at < 0 || s.declared(name) {
		return nil, false
	}
	text := "import " + name + "\n"
	if !s.File.At(at, at+1).Is(code.Import) {
		text += "\n"
	}
	return []edit.Edit{{Start: at, End: at, New: []byte(text)}}, true
}

// onceMore is how likely the last element was forgotten, against another variable.
const onceMore = 0.62

// insertLast does once more for the last element what a loop does for each of those before it.
func (s *site) insertLast(try func(change)) {
	if !s.Is(code.For, code.Each, code.While) {
		return
	}
	s.flush(try)
	s.leftOver(try)
	say := func(n *code.Node, at *code.Node, last string) {
		stmt := n.Text()[:at.Start-n.Start] + last + n.Text()[at.End-n.Start:]
		try(s.after(stmt, onceMore))
	}
	element, whole := s.upToLast()
	for n := range s.Kid(code.Body).Own() {
		if n.Part != code.Stmt || !plain(n) || strings.Contains(n.Text(), "\n") {
			continue
		}
		for k := range n.Walk() {
			if k.Is(code.Name) && k.Name == element && k.Part != code.Target {
				if last := s.last(whole); last != "" {
					say(n, k, s.elementIn(name{text: whole.Text(), typ: s.of(whole)}, last))
				}
			}
			at, object := elementOf(k)
			if at == nil || !at.Is(code.Name) || !object.Is(code.Name, code.Attr) {
				continue
			}
			if last := s.last(object); last != "" {
				say(n, at, last)
			}
		}
	}
}

// upToLast is the variable that a loop over all elements but the last has for each, and what they are elements of.
func (s *site) upToLast() (element string, whole *code.Node) {
	for _, stmt := range s.Kid(code.Body).All(code.Stmt) {
		if a := assigned(stmt); a != nil && a.Kid(code.Target).Is(code.Name) {
			if at, object := elementOf(a.Kid(code.Value)); at.Is(code.Name) && object.Is(code.Name, code.Attr) {
				return a.Kid(code.Target).Name, object
			}
		}
	}
	iter := s.Kid(code.Iter)
	if s.Role != code.Each || !iter.Is(code.Slice) || iter.Kid(code.High) == nil || iter.Kid(code.Low) != nil {
		return "", nil
	}
	targets := s.All(code.Target)
	if len(targets) == 0 || !targets[len(targets)-1].Is(code.Name) {
		return "", nil
	}
	return targets[len(targets)-1].Name, iter.Kid(code.Object)
}

// elementOf is what indexes an object, by brackets or by a call of get.
func elementOf(n *code.Node) (at, object *code.Node) {
	switch {
	case n.Role == code.Index:
		return n.Kid(code.At), n.Kid(code.Object)
	case n.Role == code.Call && n.Kid(code.Callee).Is(code.Attr) && n.Kid(code.Callee).Name == "get" && len(n.All(code.Arg)) == 1:
		return n.Kid(code.Arg), n.Kid(code.Callee).Kid(code.Object)
	}
	return nil, nil
}

// last spells the index of the last element.
func (s *site) last(object *code.Node) string {
	if s.fact().Family == "Python" {
		return "-1"
	}
	size := s.size(name{text: object.Text(), typ: s.of(object)})
	return size + " - 1"
}

// completeSwap gives the first of two places the value of the second, where one was kept aside and only the second was given it.
func completeSwap(s *site, try func(change)) {
	given := assigned(s.Node)
	if !s.isStatement() || given == nil {
		return
	}
	to, from := given.Kid(code.Target), given.Kid(code.Value)
	s.swapBoth(given, try)
	if !from.Is(code.Name) || !to.Is(code.Index, code.Attr, code.Name) {
		return
	}
	for p := s.Prev(); p != nil; p = p.Prev() {
		a := assigned(p)
		if a == nil || !a.Kid(code.Target).Is(code.Name) || a.Kid(code.Target).Name != from.Name {
			continue
		}
		kept := a.Kid(code.Value)
		if kept.Is(code.Index, code.Attr, code.Name) && kept.Text() != to.Text() {
			stmt := s.statement(kept.Text() + " = " + to.Text())
			try(s.before(stmt, 1))
		}
		return
	}
}

// assigned is the plain assignment that a statement is, or nil.
func assigned(stmt *code.Node) *code.Node {
	switch stmt.Role {
	case code.Eval:
		stmt = stmt.Kid(code.Value)
	case code.Declaration:
		stmt = stmt.Kid(code.Elem)
	default:
	}
	if stmt.Is(code.Assign) && (stmt.Op == "=" || stmt.Op == ":=") && len(stmt.All(code.Target)) == 1 && len(stmt.All(code.Value)) == 1 {
		return stmt
	}
	return nil
}
