package code

import (
	"context"
	"strings"

	program "fettle/internal/code"
)

// Names says what the expressions of one source stand for, however they are spelled: imports, aliases, destructuring and assignments are followed, and
// texts are computed, as [Find] does it.
type Names struct{ s *scan }

// NamesOf reads the names of a program; nil where its language is none that is known here.
func NamesOf(ctx context.Context, f *program.File) *Names {
	if f == nil || rules[f.Lang] == nil {
		return nil
	}
	return &Names{newScan(ctx, f, rules[f.Lang]())}
}

// Path is what an expression names outside of the file: "os.environ.get", "calc.Calc.add" for a method of what a class gives. It is empty for what is
// the file's own, or is not known.
func (n *Names) Path(at *program.Node) string {
	if n == nil || at == nil {
		return ""
	}
	v := n.s.eval(at, 0)
	if !v.outside() {
		return ""
	}
	return strings.ReplaceAll(v.path, "()", "")
}

// Text is the text that an expression gives, and whether all of it is known.
func (n *Names) Text(at *program.Node) (string, bool) {
	if n == nil || at == nil {
		return "", false
	}
	v := n.s.eval(at, 0)
	return v.text, v.known()
}
