// Package parts answers "what is this part of a program?": whether it is a value that is written out, what a call calls, how a function is called and by what
// it is marked, which names an assignment gives values to.
//
// A part is a node of a file that is read as a program ([Read]), or a word in a text ([Mentions], [Bare]). It looks at how a part is written and at nothing else: not at
// other files, and not at other versions of the file. What a rule makes of that is the rule's affair. Where languages differ, a part of each is read as its own.
package parts

import (
	"context"

	"fettle/internal/code"
	"fettle/internal/syntax"
)

// Broken reports whether a file is no program here, or one of which not everything could be read.
func Broken(f *code.File) bool { return f == nil || len(f.Tree.Errors()) > 0 }

// Read reads one side of a file as a program; nil where its language has none, or there is nothing to read.
func Read(path string, src []byte) *code.File {
	l := syntax.LangOf(path)
	if l == "" || len(src) == 0 {
		return nil
	}
	f, err := code.Read(context.Background(), l, path, src)
	if err != nil {
		return nil // what cannot be read is judged by the rules that need no tree
	}
	return f
}

// Functions are the functions of a program that are called something, by their titles; of equals the last.
func Functions(f *code.File) map[string]*code.Node {
	all := make(map[string]*code.Node)
	if f == nil {
		return all
	}
	for n := range f.Root.Walk() {
		if n.Role == code.Function && OwnName(n) != "" {
			all[Title(n)] = n
		}
	}
	return all
}

// IsScript reports whether a language is JavaScript, or what becomes of it.
func IsScript(l syntax.Lang) bool {
	return l == syntax.JavaScript || l == syntax.TypeScript || l == syntax.TSX
}

// OnlyBools reports whether the language of a node lets conditions be true or false, and nothing else.
func OnlyBools(n *code.Node) bool { return n.File.Lang == syntax.Java || n.File.Lang == syntax.Go }
