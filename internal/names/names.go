// Package names answers "which names does this source use that nothing defines?" for Python, JavaScript and TypeScript: the languages
// in which such a name is found out when the line is run, and not before.
//
//	n, err := names.Read(ctx, syntax.Python, "pkg/a.py", src)
//	for _, use := range n.Undefined {
//		fmt.Println(use.Line, use.Name)
//	}
//
// A name is defined by whatever may bind it somewhere in a scope that the use can see, without regard to the order of statements: a
// definition that comes too late is not found, and none that is there is missed. Whatever a language and its usual hosts define is in
// data/. Where names may come from where nobody can look (a star import, exec, globals(), with), there is no opinion: see [Names.Open].
//
// Go and Java are not asked: their compilers say it, and nothing runs until they are content. Of TypeScript only the values are looked at,
// for types are its compiler's affair.
package names

import (
	"context"
	_ "embed" // the names that are always there
	"fmt"
	"path"
	"slices"
	"strings"

	"fettle/internal/pattern"
	"fettle/internal/syntax"
)

// Names is what a source says of its names.
type Names struct {
	Undefined []Use // each name once, where it is used first
	Broken    bool  // the source does not parse: there is no opinion
	Open      bool  // names may come from where nobody can look: there is no opinion
	Shared    bool  // a script of no module: what it does not define, another script of the page may

	bound, used map[string]bool
}

// Use is a place where a name is read.
type Use struct {
	Name string
	Line int
}

// Binds reports whether the source defines this name anywhere, in any scope.
func (n *Names) Binds(name string) bool { return n.bound[name] }

// Lacks reports whether the source uses this name and does not define it; of broken source every name that it holds.
func (n *Names) Lacks(name string) bool {
	if n.Broken {
		return n.used[name]
	}
	return slices.ContainsFunc(n.Undefined, func(u Use) bool { return u.Name == name })
}

// Knows reports whether sources of the language have names that are found out only when they are run. Declarations (.pyi, .d.ts) have none.
func Knows(l syntax.Lang, file string) bool {
	switch l {
	case syntax.Python:
		return path.Ext(file) != ".pyi"
	case syntax.JavaScript, syntax.TypeScript, syntax.TSX:
		return !strings.Contains(path.Base(file), ".d.")
	default:
		return false
	}
}

// Read reads a source. Errors are those of [syntax.Parse]; a language without such names is one.
func Read(ctx context.Context, l syntax.Lang, file string, src []byte) (*Names, error) {
	if !Knows(l, file) {
		return nil, fmt.Errorf("names of %s: %w", file, syntax.ErrNoGrammar)
	}
	tree, err := syntax.Parse(ctx, l, src)
	if err != nil {
		return nil, fmt.Errorf("names of %s: %w", file, err)
	}
	if len(tree.Errors()) > 0 {
		return &Names{Broken: true, used: words(src)}, nil
	}
	s := newSource()
	if l == syntax.Python {
		p := &python{source: s, module: strings.TrimSuffix(path.Base(file), ".py")}
		p.read(tree.Root())
		return s.names(pythonGlobals), nil
	}
	j := &javascript{source: s}
	j.read(tree.Root())
	return s.names(javascriptGlobals), nil
}

var word = pattern.New(`[\pL_$][\pL\pN_$]*`)

func words(src []byte) map[string]bool {
	all := make(map[string]bool)
	for _, w := range word.FindAll(src, -1) {
		all[string(w)] = true
	}
	return all
}

//go:embed data/python.txt
var pythonList string

//go:embed data/javascript.txt
var javascriptList string

var pythonGlobals, javascriptGlobals = set(pythonList), set(javascriptList)

func set(list string) map[string]bool {
	all := make(map[string]bool)
	for name := range strings.FieldsSeq(list) {
		all[name] = true
	}
	return all
}
