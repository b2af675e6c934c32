package golang

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"

	"fettle/internal/edit"
	"fettle/internal/pattern"
)

// A schema is one source file that holds many candidates at once. Each function that some candidate changes is kept, and
// beside it stands one copy per candidate with the change made; the kept one begins with a switch that goes on in the copy
// whose number was asked for. Whole functions are copied, not expressions, so that any change inside a body fits. Loops and
// functions of the file count fuel, so that a candidate that never ends does so after a number of steps, not of seconds.
//
// The original's lines stay where they are: all that is put in has no line break, and copies stand at the end. What candidates import
// is imported once for all of them.
type schema struct {
	path    string
	src     []byte
	funcs   []function
	clones  []clone
	clause  int              // offset behind the name of the package
	decls   int              // … of the first declaration that is no import
	imports map[string][]int // that candidates add: who, by path
	lines   int              // of the original
	written []stretch
}

// function is a function of the file that can be copied.
type function struct {
	decl       *ast.FuncDecl
	start, end int // of the declaration, from the word func
	name       int // offset of the name
	from, to   int // of the body, braces excluded
	ids        []int
	fuel       []edit.Edit // where it counts
	heard      string      // the function that is called instead where calls are listened to; empty: none
	known      string      // what it is called then
}

// clone is one candidate's copy of a function.
type clone struct {
	id    int
	fn    int
	edits []edit.Edit
}

// stretch says which candidate's copy some lines of the written file are.
type stretch struct{ id, from, to int }

// newSchema reads a file. The error says why candidates in it have to be tried one by one.
func newSchema(path string, src []byte) (*schema, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("%s does not parse: %w", path, err)
	}
	for _, imp := range file.Imports {
		if imp.Path.Value == `"C"` {
			return nil, fmt.Errorf("%s uses cgo", path)
		}
	}
	tok := fset.File(file.Pos())
	at := func(p token.Pos) int { return tok.Offset(p) }
	s := &schema{path: path, src: src, lines: bytes.Count(src, []byte("\n")) + 1, clause: at(file.Name.End()), decls: len(src), imports: map[string][]int{}}
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); !ok || g.Tok != token.IMPORT {
			s.decls = at(d.Pos())
			break
		}
	}
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil || directed(fn) {
			continue
		}
		s.funcs = append(s.funcs, function{
			decl: fn, start: at(fn.Pos()), end: at(fn.End()), name: at(fn.Name.Pos()),
			from: at(fn.Body.Lbrace) + 1, to: at(fn.Body.Rbrace), fuel: meters(fn, at),
		})
	}
	return s, nil
}

// directed reports whether a compiler directive stands over the function: then it may not be changed in form.
func directed(fn *ast.FuncDecl) bool {
	return fn.Doc != nil && slices.ContainsFunc(fn.Doc.List, func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, "//go:") })
}

// meters are the insertions that count fuel: at the start of every loop's and every function's body.
func meters(fn *ast.FuncDecl, at func(token.Pos) int) []edit.Edit {
	var out []edit.Edit
	meter := func(b *ast.BlockStmt) {
		out = append(out, insertion(at(b.Lbrace)+1, " fettleStep();"))
	}
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			meter(n.Body)
		case *ast.FuncLit:
			meter(n.Body)
		case *ast.ForStmt:
			meter(n.Body)
		case *ast.RangeStmt:
			meter(n.Body)
		}
		return true
	})
	return out
}

func insertion(at int, text string) edit.Edit {
	return edit.Edit{Start: at, End: at, New: []byte(text)}
}

// addedImport is what a candidate puts in to import a package by its own name.
var addedImport = pattern.New(`^\s*(?:import\s+)?("[^"\s]+")\s*$`)

// add takes in a candidate's edits to this file and tells how many bytes its copies add. False means that some edit is neither
// inside the body of a function that can be copied nor an import that is added.
func (s *schema) add(id int, edits []edit.Edit) (size int, ok bool) {
	by := map[int][]edit.Edit{}
	var imports []string
	for _, e := range edits {
		if m := addedImport.FindSubmatch(e.New); m != nil && e.Start == e.End && s.clause < e.Start && e.Start <= s.decls {
			imports = append(imports, string(m[1]))
			continue
		}
		fn := slices.IndexFunc(s.funcs, func(f function) bool { return f.from <= e.Start && e.End <= f.to })
		if fn < 0 || !s.funcs[fn].callable() {
			return 0, false
		}
		by[fn] = append(by[fn], e)
	}
	if len(by) == 0 {
		return 0, false
	}
	for _, path := range imports {
		s.imports[path] = append(s.imports[path], id)
	}
	for fn, es := range by {
		s.clones = append(s.clones, clone{id: id, fn: fn, edits: es})
		s.funcs[fn].ids = append(s.funcs[fn].ids, id)
		size += s.funcs[fn].end - s.funcs[fn].start
	}
	return size, true
}

// drop takes a candidate out again.
func (s *schema) drop(id int) {
	s.clones = slices.DeleteFunc(s.clones, func(c clone) bool { return c.id == id })
	for path, ids := range s.imports {
		s.imports[path] = slices.DeleteFunc(ids, func(x int) bool { return x == id })
	}
	for i := range s.funcs {
		s.funcs[i].ids = slices.DeleteFunc(s.funcs[i].ids, func(x int) bool { return x == id })
	}
}

// callable reports whether a copy of the function can be called from it.
func (f *function) callable() bool {
	if f.decl.Name.Name == "_" {
		return false
	}
	for _, name := range f.typeParams() {
		if name == "_" {
			return false
		}
	}
	return true
}

func (f *function) typeParams() []string {
	var out []string
	if tp := f.decl.Type.TypeParams; tp != nil {
		for _, field := range tp.List {
			for _, n := range field.Names {
				out = append(out, n.Name)
			}
		}
	}
	return out
}

// write gives the whole file with every copy in it.
func (s *schema) write() []byte {
	var changes []edit.Edit
	for i := range s.funcs {
		f := &s.funcs[i]
		changes = append(changes, f.fuel...)
		if len(f.ids) > 0 {
			changes = append(changes, f.dispatch()...)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(s.imports)) {
		if len(s.imports[path]) > 0 {
			changes = append(changes, insertion(s.clause, "; import "+path))
		}
	}
	out := bytes.NewBuffer(splice(s.src, 0, len(s.src), changes))
	out.WriteByte('\n')
	s.written = s.written[:0]
	line := s.lines + 1
	for _, c := range s.clones {
		f := &s.funcs[c.fn]
		changes := slices.Concat(f.fuel, []edit.Edit{insertion(f.name, cloneName(c.id, ""))}, c.edits)
		text := splice(s.src, f.start, f.end, changes)
		out.Write(text)
		out.WriteByte('\n')
		n := bytes.Count(text, []byte("\n")) + 1
		s.written = append(s.written, stretch{id: c.id, from: line, to: line + n - 1})
		line += n
	}
	for i := range s.funcs {
		if s.funcs[i].heard != "" {
			out.WriteString(s.funcs[i].listener(s.src) + "\n")
		}
	}
	return out.Bytes()
}

// candidateAt is the candidate whose copy stands on this line of the written file.
func (s *schema) candidateAt(line int) (id int, ok bool) {
	for _, w := range s.written {
		if w.from <= line && line <= w.to {
			return w.id, true
		}
	}
	return 0, false
}

func cloneName(id int, name string) string { return fmt.Sprintf("fettleM%d_%s", id, name) }

// dispatch is what makes the kept function go on in a copy. Parameters without a name get one, to be handed on.
func (f *function) dispatch() []edit.Edit {
	var out []edit.Edit
	base := int(f.decl.Pos()) - f.start // positions in a file of its own are offsets plus one constant
	named := func(list *ast.FieldList, prefix string) []string {
		var names []string
		if list == nil {
			return nil
		}
		for _, field := range list.List {
			if len(field.Names) == 0 {
				n := fmt.Sprintf("%s%d", prefix, len(names))
				out = append(out, insertion(int(field.Type.Pos())-base, n+" "))
				names = append(names, n)
			}
			for _, id := range field.Names {
				n := id.Name
				if n == "_" {
					n = fmt.Sprintf("%s%d", prefix, len(names))
					at := int(id.Pos()) - base
					out = append(out, edit.Edit{Start: at, End: at + 1, New: []byte(n)})
				}
				names = append(names, n)
			}
		}
		return names
	}
	target := ""
	if recv := named(f.decl.Recv, "fettleR"); len(recv) == 1 {
		target = recv[0] + "."
	}
	args := strings.Join(named(f.decl.Type.Params, "fettleP"), ", ")
	if p := f.decl.Type.Params.List; len(p) > 0 {
		if _, variadic := p[len(p)-1].Type.(*ast.Ellipsis); variadic {
			args += "..."
		}
	}
	types := ""
	if tp := f.typeParams(); len(tp) > 0 {
		types = "[" + strings.Join(tp, ", ") + "]"
	}
	var b strings.Builder
	if f.heard != "" {
		all := args
		if target != "" {
			all = strings.TrimSuffix(strings.TrimSuffix(target, ".")+", "+args, ", ")
		}
		call := "return " + f.heard + "(" + all + ")"
		if r := f.decl.Type.Results; r == nil || len(r.List) == 0 {
			call = f.heard + "(" + all + "); return"
		}
		b.WriteString(" if fettleListens() { " + call + "; };")
	}
	b.WriteString(" if fettleMutant > 0 { switch fettleMutant {")
	for _, id := range f.ids {
		call := target + cloneName(id, f.decl.Name.Name) + types + "(" + args + ")"
		if r := f.decl.Type.Results; r != nil && len(r.List) > 0 {
			fmt.Fprintf(&b, " case %d: return %s;", id, call)
		} else {
			fmt.Fprintf(&b, " case %d: %s; return;", id, call)
		}
	}
	b.WriteString(" } };")
	return append(out, insertion(f.from, b.String()))
}

// splice gives src[from:to] with changes made. Those that lie inside what another one replaces fall away with it.
func splice(src []byte, from, to int, changes []edit.Edit) []byte {
	slices.SortStableFunc(changes, func(a, b edit.Edit) int { return a.Start - b.Start })
	var out []byte
	at := from
	for _, c := range changes {
		if c.Start < at || c.End > to {
			continue
		}
		out = append(out, src[at:c.Start]...)
		out = append(out, c.New...)
		at = c.End
	}
	return append(out, src[at:to]...)
}
