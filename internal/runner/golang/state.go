package golang

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A package that keeps nothing from one test to the next can run its tests for one candidate after the other in the same process, which
// costs microseconds where a process of its own costs milliseconds. This file reads the sources for what could be kept. It errs on the
// side of caution: what it does not know keeps something.

// Replayable reports whether the tests can be run again and again in one process, as far as the sources of the user's own packages show: no
// variable of a package can change or share what changes, nothing is set for the whole process, and nothing happens when a package is
// loaded. A source that cannot be read is a reason not to.
func (l *Listing) Replayable() bool {
	r := &replay{vars: map[string]kind{}}
	for _, p := range l.Own {
		dir, ok := l.suite.rel(p.Dir)
		if !ok || len(p.CgoFiles) > 0 {
			return false
		}
		names := p.GoFiles
		if p == l.Target {
			names = slices.Concat(names, p.TestGoFiles, p.XTestGoFiles)
		}
		for _, name := range names {
			src, err := l.suite.Place.ReadFile(path.Join(dir, name))
			if err != nil || !r.add(src) {
				return false
			}
		}
	}
	return !slices.ContainsFunc(r.files, r.keeps)
}

// kind is what a package's variable can be, if it keeps nothing.
type kind int

const (
	whole kind = iota + 1 // a number, a text, an error, a pattern, a function: assigning to it is all that changes it
	flat                  // a list or map of such: it can also be changed by whoever gets hold of it
)

// replay is the sources of all packages together. Names are held against each other without asking whose they are.
type replay struct {
	vars  map[string]kind
	files []*ast.File
}

// add takes in a source and its variables, and reports whether these can be harmless.
func (r *replay) add(src []byte) bool {
	file, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
	if err != nil {
		return false
	}
	r.files = append(r.files, file)
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && (d.Name.Name == "init" || d.Name.Name == "TestMain") {
				return false
			}
		case *ast.GenDecl:
			if d.Tok == token.VAR && !r.variables(d) {
				return false
			}
		}
	}
	return true
}

func (r *replay) variables(d *ast.GenDecl) bool {
	for _, s := range d.Specs {
		spec := s.(*ast.ValueSpec)
		if len(spec.Values) != len(spec.Names) {
			return false // without a value it is there to be given one; several at once come from a call
		}
		for i, name := range spec.Names {
			k := kindOf(spec.Values[i])
			switch {
			case k == 0 || name.Name != "_" && !known(spec.Type):
				return false
			case name.Name != "_":
				r.vars[name.Name] = max(k, r.vars[name.Name])
			}
		}
	}
	return true
}

// known reports whether a declared type is one whose methods cannot change its values; no type is the value's own.
func known(t ast.Expr) bool {
	switch t.(type) {
	case nil, *ast.ArrayType, *ast.MapType, *ast.FuncType:
		return true
	}
	return basic(t) || dotted(t) == "time.Duration"
}

// makers are functions that always make the same of the same, and something that does not change.
var makers = []string{"errors.New", "fmt.Errorf", "fmt.Sprintf", "regexp.MustCompile", "strings.NewReplacer", "strings.Repeat", "time.Duration", "len", "min", "max"}

// kindOf is what a variable is by its first value; zero: it may keep something.
func kindOf(value ast.Expr) kind {
	switch v := value.(type) {
	case *ast.CompositeLit:
		if plainList(v) {
			return flat
		}
		return 0
	case *ast.FuncLit:
		return whole // what it could keep would be a variable of the package
	}
	if constant(value) {
		return whole
	}
	return 0
}

// constant reports whether an expression is made of literals and names alone, and of what makers make.
func constant(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit, *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return constant(e.X)
	case *ast.ParenExpr:
		return constant(e.X)
	case *ast.UnaryExpr:
		return e.Op != token.AND && e.Op != token.ARROW && constant(e.X)
	case *ast.BinaryExpr:
		return constant(e.X) && constant(e.Y)
	case *ast.CallExpr:
		return (converts(e.Fun) || slices.Contains(makers, dotted(e.Fun))) && !slices.ContainsFunc(e.Args, func(a ast.Expr) bool { return !constant(a) })
	}
	return false
}

// basics are the types whose values hold nothing that can be changed from elsewhere.
var basics = strings.Fields("bool string byte rune error int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 uintptr float32 float64 complex64 complex128")

// converts reports whether a call is a conversion to a basic type, or of nothing to a pointer, as in var _ I = (*T)(nil).
func converts(fun ast.Expr) bool {
	switch f := fun.(type) {
	case *ast.Ident:
		return slices.Contains(basics, f.Name)
	case *ast.ParenExpr:
		_, pointer := f.X.(*ast.StarExpr)
		return pointer
	}
	return false
}

// plainList reports whether a literal is a list or a map of basic values, or of structs of these.
func plainList(v *ast.CompositeLit) bool {
	var element ast.Expr
	switch t := v.Type.(type) {
	case *ast.ArrayType:
		element = t.Elt
	case *ast.MapType:
		if !basic(t.Key) {
			return false
		}
		element = t.Value
	default:
		return false
	}
	if s, ok := element.(*ast.StructType); ok {
		return !slices.ContainsFunc(s.Fields.List, func(f *ast.Field) bool { return !basic(f.Type) }) && quiet(v)
	}
	return basic(element) && quiet(v)
}

func basic(t ast.Expr) bool {
	id, ok := t.(*ast.Ident)
	return ok && slices.Contains(basics, id.Name)
}

// quiet reports whether nothing is called in an expression but makers and conversions, and nothing is made there by its address.
func quiet(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			ok = ok && constant(n)
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.AND && n.Op != token.ARROW
		case *ast.FuncLit:
			return false
		}
		return ok
	})
	return ok
}

// setters change the whole process.
var setters = map[string][]string{
	"os":   {"Unsetenv", "Clearenv"},
	"flag": nil, "expvar": nil, "plugin": nil, "syscall": nil, "unsafe": nil, "os/signal": nil, "runtime/debug": nil, "testing/quick": nil, // whatever is used of them
	"net/http": {"Handle", "HandleFunc"}, "runtime": {"GOMAXPROCS"}, "math/rand": {"Seed"},
	"log":      {"SetFlags", "SetOutput", "SetPrefix"},
	"log/slog": {"SetDefault", "SetLogLoggerLevel"},
}

// keeps reports whether some function of the file can change what stays: a variable of a package, one of another one's, or something of the
// process.
func (r *replay) keeps(file *ast.File) bool {
	imports := map[string]string{} // paths, by the names that they have here
	for _, i := range file.Imports {
		p, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			return true
		}
		name := path.Base(p)
		if i.Name != nil {
			name = i.Name.Name
		}
		if name == "." {
			return true
		}
		if some, known := setters[p]; known && some == nil {
			return true
		}
		imports[name] = p
	}
	var parents []ast.Node
	found := false
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			parents = parents[:len(parents)-1]
			return true
		}
		switch n := n.(type) {
		case *ast.Ident:
			found = found || r.harms(n, parents)
		case *ast.SelectorExpr:
			found = found || n.Sel.Name == "Setenv" || n.Sel.Name == "Chdir" // os's, or a test's own
			if id, ok := n.X.(*ast.Ident); ok && imports[id.Name] != "" {
				found = found || slices.Contains(setters[imports[id.Name]], n.Sel.Name) || changed(n, parents)
			}
		}
		parents = append(parents, n)
		return true
	})
	return found
}

// harms reports whether a name that a variable of a package has stands where that could be changed, or be handed to who could.
func (r *replay) harms(id *ast.Ident, parents []ast.Node) bool {
	k, ours := r.vars[id.Name]
	if !ours || len(parents) == 0 {
		return false
	}
	node, up := ast.Node(id), parents
	if s, ok := up[len(up)-1].(*ast.SelectorExpr); ok && s.Sel == id {
		node, up = s, up[:len(up)-1] // of another package, or a field of that name
	}
	if changed(node, up) {
		return true
	}
	if k == whole || len(up) == 0 {
		return false
	}
	switch p := up[len(up)-1].(type) {
	case *ast.ValueSpec: // its own declaration
		return !slices.Contains(p.Names, id)
	case *ast.KeyValueExpr: // the name of a field
		return p.Key != node
	case *ast.IndexExpr:
		return p.X != node
	case *ast.RangeStmt:
		return p.X != node
	case *ast.BinaryExpr:
		return false
	case *ast.SelectorExpr:
		return p.X == node
	case *ast.CallExpr:
		return !slices.Contains(readers, dotted(p.Fun))
	case *ast.Field: // a parameter of that name
		return false
	}
	return true
}

// readers are functions that only look at a list.
var readers = []string{"len", "cap", "slices.Contains", "slices.Index", "strings.Join"}

// changed reports whether an expression, or a part of what it stands for, is assigned to, counted up or down, or has its address taken. What
// := declares is another variable of that name.
func changed(n ast.Node, parents []ast.Node) bool {
	for i := len(parents) - 1; i >= 0; i-- {
		switch p := parents[i].(type) {
		case *ast.IndexExpr:
			if p.X != n {
				return false
			}
		case *ast.SelectorExpr:
			if p.X != n {
				return false
			}
		case *ast.ParenExpr, *ast.StarExpr:
		case *ast.SliceExpr: // shares what it is cut from
			return p.X == n
		case *ast.UnaryExpr:
			return p.Op == token.AND
		case *ast.IncDecStmt:
			return true
		case *ast.AssignStmt:
			return p.Tok != token.DEFINE && slices.Contains(p.Lhs, n.(ast.Expr))
		case *ast.RangeStmt:
			return p.Tok == token.ASSIGN && (p.Key == n || p.Value == n)
		default:
			return false
		}
		n = parents[i]
	}
	return false
}

// dotted is a name, or a package's and a name, as text; empty for anything else.
func dotted(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		if id, ok := e.X.(*ast.Ident); ok {
			return id.Name + "." + e.Sel.Name
		}
	}
	return ""
}
