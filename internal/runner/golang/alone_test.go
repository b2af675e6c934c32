package golang

import (
	"fmt"
	"go/ast"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"fettle/internal/edit"
	"fettle/internal/proc"
)

const aloneSource = `package alone

import (
	"errors"
	. "strings"
	text "text/template"
)

type tree[K comparable, V any] struct {
	root *node[K, V]
	size int
}

type node[K comparable, V any] struct {
	key  K
	val  V
	next *node[K, V]
}

type list[T any] []T

type kind int

const (
	first kind = iota
	second
)

var errNone = errors.New("none")

func (t *tree[K, V]) get(k K) (v V, err error) {
	for n := t.root; n != nil; n = n.next {
		if n.key == k {
			return n.val, nil
		}
	}
	return v, errNone
}

func (t *tree[A, B]) other(a A) bool {
	_, err := t.get(a)
	return err == nil
}

func (l list[_]) len() int { return len(l) }

func (kind) String() string { return ToUpper("kind") }

func (k kind) is(kind, ...string) (ok bool) {
	defer func() { ok = ok || k == second }()
	switch k {
	case first:
		ok = k.String() == Repeat("x", int(k))
	default:
		goto end
	}
end:
	return ok
}

func init() { count++ }

var count, later = 1, func() int { return 2 }()

func apply[T, U any](xs []T, f func(T) U) (out list[U]) {
	for i, x := range xs {
		if i > count {
			break
		}
		out = append(out, f(x))
	}
	return out
}

func use() (*text.Template, int) {
	t := &tree[string, int]{size: later}
	got, _ := t.get("a")
	return text.New("a"), apply([]kind{first}, kind.String).len() + got
}
`

// here is a folder as a place.
type here struct {
	proc.Host
	root, scratch string
}

func (p here) Root() string                         { return p.root }
func (p here) FS() fs.FS                            { return os.DirFS(p.root) }
func (p here) Scratch() string                      { return p.scratch }
func (p here) ReadFile(path string) ([]byte, error) { return os.ReadFile(filepath.Join(p.root, path)) }

// loadedUnit is the package of a folder.
func loadedUnit(t testing.TB, root, dir string) *unit {
	t.Helper()
	root, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	p := here{root: root, scratch: t.TempDir()}
	l, err := (&Suite{Place: p, Dir: dir, Env: map[string]string{"GOWORK": "off"}}).List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(filepath.Join(root, dir))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if pkg := l.Holding(filepath.ToSlash(filepath.Join(dir, e.Name()))); pkg != nil && filepath.Ext(e.Name()) == ".go" {
			u, err := newLoader(p, l).load(t.Context(), pkg)
			if err != nil {
				t.Fatal(err)
			}
			return u
		}
	}
	t.Fatalf("no package in %s", dir)
	return nil
}

func aloneUnit(t testing.TB) *unit {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module alone\n\ngo 1.24\n", "alone.go": aloneSource, "alone_test.go": "package alone\n"} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return loadedUnit(t, root, ".")
}

// exchange puts one part of a function in the place of another one.
type exchange struct {
	s     *source
	fn    *ast.FuncDecl
	edits []edit.Edit
}

// exchanges are some of a package, within the bodies of its functions.
func exchanges(u *unit, n int) (out []exchange) {
	type body struct {
		s     *source
		fn    *ast.FuncDecl
		parts []ast.Node
	}
	var bodies []body
	for _, s := range u.sources {
		for _, d := range s.file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			b := body{s: s, fn: fn}
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				switch n.(type) {
				case *ast.Ident, *ast.BasicLit, *ast.CallExpr, *ast.BinaryExpr, *ast.ReturnStmt, *ast.AssignStmt:
					b.parts = append(b.parts, n)
				}
				return true
			})
			if len(b.parts) > 0 {
				bodies = append(bodies, b)
			}
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range n {
		b := bodies[r.IntN(len(bodies))]
		x, y := b.parts[r.IntN(len(b.parts))], b.parts[r.IntN(len(b.parts))]
		text := b.s.data[b.s.offset(y.Pos()):b.s.offset(y.End())]
		out = append(out, exchange{b.s, b.fn, []edit.Edit{{Start: b.s.offset(x.Pos()), End: b.s.offset(x.End()), New: text}}})
	}
	return out
}

// A function that is checked by itself compiles when its package does.
func TestCompilesAlone(t *testing.T) {
	for _, u := range []*unit{aloneUnit(t), loadedUnit(t, filepath.Join("..", "..", ".."), "internal/runner/golang")} {
		good, undecided := 0, map[string]bool{}
		all := exchanges(u, 1500)
		for _, x := range all {
			got, decided := u.compilesAlone(x.s, x.fn, x.edits)
			if !decided {
				undecided[x.fn.Name.Name] = true
				continue
			}
			want := u.complaints(x.s, x.fn, x.edits) == 0
			if got != want {
				t.Errorf("%s: %s with %s for %s: %t", x.s.path, x.fn.Name.Name, x.edits[0].New, x.s.data[x.edits[0].Start:x.edits[0].End], got)
			}
			if want {
				good++
			}
		}
		if good < len(all)/20 || good > len(all)*19/20 {
			t.Errorf("%d of %d compile", good, len(all))
		}
		if u.pkg.Name() == "alone" && fmt.Sprint(undecided) != "map[len:true other:true]" {
			t.Errorf("cannot stand alone: %v", undecided)
		}
	}
}

// BenchmarkCompiles asks whether edits of single functions of this package compile: each by its function alone, and by all of the package.
func BenchmarkCompiles(b *testing.B) {
	u := loadedUnit(b, filepath.Join("..", "..", ".."), "internal/runner/golang")
	all := exchanges(u, 500)
	b.Run("alone", func(b *testing.B) {
		for b.Loop() {
			for _, x := range all {
				u.compilesAlone(x.s, x.fn, x.edits)
			}
		}
	})
	b.Run("package", func(b *testing.B) {
		for b.Loop() {
			for _, x := range all {
				u.complaints(x.s, x.fn, x.edits)
			}
		}
	})
}
