// Package syntax answers "how is this source built?" in one way for many languages: Python, JavaScript, TypeScript, TSX, Java,
// Go and Rust.
//
//	tree, err := syntax.Parse(ctx, syntax.Python, src)
//	for call := range tree.Root().Find("call") {
//		fmt.Println(call.Range().Start.Line, call.Child("function").Text())
//	}
//
// A [Tree] is concrete: every keyword, bracket and comment is a [Node] with the exact bytes that it spans, so an edit can be cut
// from it, and whatever lies between two leaves is white space. Kinds and fields are those of the language's tree-sitter
// grammar ("function_definition", "parameters"); [Node.String] shows them for a source at hand.
//
// What is promised: Source that is broken, or is no source at all, gives a tree too, with its faults in [Tree.Errors]; an error is
// about the machine, the context, a source over [MaxSource], or a language without a grammar. Trees never change and can be read by
// many at once. Nothing of one source is left for the next.
//
// What is not: a tree without errors is no proof that a compiler would agree, nor is one with errors proof that it would not: grammars
// are generous, and lag behind their languages. Compare the errors before and after a change.
//
// The grammars are tree-sitter's, compiled to WebAssembly (see build/) and run in this process, without cgo, bounded in memory, by a
// runtime that compiles them when they are first needed, and keeps the result on disk (see [CacheDir]).
package syntax

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"fettle/internal/lang"
)

// Lang names a grammar. Names are those of [lang.Language], and TSX, which is TypeScript with another grammar.
type Lang string

// The languages that have a grammar. JSX is part of JavaScript's.
const (
	Go         = Lang(lang.Go)
	Java       = Lang(lang.Java)
	JavaScript = Lang(lang.JavaScript)
	Python     = Lang(lang.Python)
	Rust       = Lang(lang.Rust)
	TypeScript = Lang(lang.TypeScript)
	TSX        = Lang("tsx")
)

// LangOf is the language of a file by its name; "" if it has no grammar here.
func LangOf(file string) Lang {
	l := Lang(lang.Of(file))
	if l == TypeScript && strings.EqualFold(path.Ext(file), ".tsx") {
		return TSX
	}
	if grammars[l] == nil {
		return ""
	}
	return l
}

// Langs are the languages that have a grammar, in order of their names.
func Langs() []Lang { return slices.Sorted(maps.Keys(grammars)) }

// Language is the language as the rest of the program knows it: that of TSX is TypeScript.
func (l Lang) Language() lang.Language {
	if l == TSX {
		return lang.TypeScript
	}
	return lang.Language(l)
}

// MaxSource is the size of the largest source that [Parse] takes. What is larger was not written by people.
const MaxSource = 4 << 20

// What [Parse] refuses; its errors wrap these.
var (
	ErrNoGrammar = errors.New("no grammar for this language")
	ErrTooLarge  = errors.New("source is too large to parse")
)

// Parse reads a source of the language. It stops when ctx ends. Broken source is no error: see [Tree.Errors].
//
// The first call for a language compiles its grammar, unless an earlier run of the program has done so (see [CacheDir]). Calls may
// run at the same time; more of them than there are processors wait for each other.
func Parse(ctx context.Context, l Lang, src []byte) (*Tree, error) {
	g := grammars[l]
	if g == nil {
		return nil, fmt.Errorf("parse %q: %w (there is one for %s)", l, ErrNoGrammar, names(Langs()))
	}
	if len(src) > MaxSource {
		return nil, fmt.Errorf("parse %s: %w: %d bytes, at most %d are read", l, ErrTooLarge, len(src), MaxSource)
	}
	t, err := g.parse(ctx, src)
	if err != nil {
		return nil, fmt.Errorf("parse %s: %w", l, err)
	}
	return t, nil
}

func names(all []Lang) string {
	text := make([]string, len(all))
	for i, l := range all {
		text[i] = string(l)
	}
	return strings.Join(text, ", ")
}
