package golang

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"

	"fettle/internal/edit"
)

// surroundings are the declarations of a package that compiles, with nothing in its functions, to check single ones among. The type checker leaves a little of
// each function in the package's scope, so they are made anew every now and then.
type surroundings struct {
	pkg  *types.Package
	uses int
}

// mostUses bounds how many functions are checked among the same surroundings.
const mostUses = 256

// among are the surroundings for one more function.
func (u *unit) among() *types.Package {
	if u.around.pkg == nil || u.around.uses == mostUses {
		var files []*ast.File
		for _, s := range u.sources {
			files = append(files, s.stripped)
		}
		u.around = surroundings{}
		u.around.pkg, _ = u.config(func(error) {}).Check(u.pkg.Path(), u.fset, files, nil)
	}
	u.around.uses++
	return u.around.pkg
}

// compilesAlone reports whether a function type-checks with edits in its body, among the declarations of its package, of which none is looked at again: that
// takes a small part of the time that the package takes. It is not decided where the function cannot stand alone.
func (u *unit) compilesAlone(s *source, fn *ast.FuncDecl, edits []edit.Edit) (compiles, decided bool) {
	head := s.file.Name.End()
	imports := importing(s.file)
	if len(imports) > 0 {
		head = imports[len(imports)-1].End()
	}
	body := splice(s.data, s.offset(fn.Pos()), s.offset(fn.End()), slices.Clone(edits))
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, s.path, slices.Concat(s.data[:s.offset(head)], []byte("\n"), body), parser.SkipObjectResolution)
	if err != nil {
		return false, true
	}
	if len(f.Decls) != len(imports)+1 {
		return false, false
	}
	lone, ok := f.Decls[len(imports)].(*ast.FuncDecl)
	if !ok || !standAlone(lone, s) {
		return false, false
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	compiles = true
	conf := u.config(func(error) { compiles = false })
	_ = types.NewChecker(conf, fset, u.among(), nil).Files([]*ast.File{f})
	return compiles, true
}

// importing are the declarations of a file that import something.
func importing(f *ast.File) (out []*ast.GenDecl) {
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			out = append(out, g)
		}
	}
	return out
}

// standAlone takes a function its name, and makes a method's receiver its first parameter: so it declares nothing that its package has already. A method of a
// generic type becomes a generic function, where both say the same of their type parameters; else it cannot stand alone.
func standAlone(fn *ast.FuncDecl, s *source) bool {
	fn.Name.Name = "_"
	if fn.Recv == nil {
		return true
	}
	if len(fn.Recv.List) != 1 {
		return false
	}
	recv := fn.Recv.List[0]
	if base, args := receiverOf(recv.Type); len(args) > 0 {
		if fn.Type.TypeParams = typeParams(s, base, args); fn.Type.TypeParams == nil {
			return false
		}
	}
	params := append([]*ast.Field{recv}, fn.Type.Params.List...)
	for _, p := range params {
		if len(p.Names) == 0 { // either all have names, or none has
			p.Names = []*ast.Ident{{NamePos: p.Pos(), Name: "_"}}
		}
	}
	fn.Type.Params.List, fn.Recv = params, nil
	return true
}

// receiverOf is the name of a receiver's type, and what it calls the type's parameters.
func receiverOf(t ast.Expr) (base string, args []string) {
	name := func(e ast.Expr) string {
		if id, ok := e.(*ast.Ident); ok {
			return id.Name
		}
		return ""
	}
	switch t := ast.Unparen(t).(type) {
	case *ast.StarExpr:
		return receiverOf(t.X)
	case *ast.IndexExpr:
		return name(t.X), []string{name(t.Index)}
	case *ast.IndexListExpr:
		for _, x := range t.Indices {
			args = append(args, name(x))
		}
		return name(t.X), args
	}
	return name(t), nil
}

// typeParams are the type parameters of a generic type of the source, if these are their names; nil: they are not, or it is declared in another source, which
// may import other packages.
func typeParams(s *source, base string, names []string) *ast.FieldList {
	for _, d := range s.file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.TYPE {
			continue
		}
		for _, spec := range g.Specs {
			t, ok := spec.(*ast.TypeSpec)
			if !ok || t.Name.Name != base || t.TypeParams == nil {
				continue
			}
			var declared []string
			for _, field := range t.TypeParams.List {
				for _, n := range field.Names {
					declared = append(declared, n.Name)
				}
			}
			if slices.Equal(declared, names) {
				return t.TypeParams
			}
		}
	}
	return nil
}
