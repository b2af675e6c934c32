package complaint

import (
	"fmt"
	"strings"

	"fettle/internal/code"
	"fettle/internal/pattern"
)

// plainType is a type that can be written in a source as the checker writes it.
var plainType = pattern.New(`^[\w.\[\]*, |<>{}]+$`)

// packagePath is what stands before a package's name where a compiler names a type of it.
var packagePath = pattern.New(`[\w.~-]+/(?:[\w.~-]+/)*`)

// known is the type of an expression that a compiler knows, as the file would write it; empty: nobody knows.
func (b *bench) known(n *code.Node) string {
	if b.types == nil && b.project != nil {
		b.types = b.project.Types(b.file.Path)
	}
	return packagePath.ReplaceAllString(b.types[Span{n.Start, n.End}], "")
}

// declaredType writes the type that a value really has where another one was declared: of the variable that it is given to, or of what the
// function gives back.
func declaredType(b *bench) {
	got := strings.TrimPrefix(b.Got, "builtins.")
	if b.file.Facts.Name == "Python" {
		got = strings.TrimSuffix(strings.TrimPrefix(got, "Any | "), " | Any") // what is not known says nothing
	}
	if strings.Contains(b.Finding.Message, "has incompatible item type") || got == "" || !plainType.MatchString(got) || strings.Contains(got, "Any") || got == "None" && b.file.Facts.Name == "Python" {
		return
	}
	got = strings.TrimPrefix(got, "untyped ")
	n := b.at
	for n != nil && !n.Is(code.Return, code.Assign, code.Function, code.Block) {
		n = n.Parent
	}
	switch {
	case n.Is(code.Return):
		b.retypeResult(n, got)
	case n.Is(code.Assign) && n.Type != "" && n.Kid(code.Value) != nil:
		if target := n.Kid(code.Target); b.file.Facts.Name == "Java" {
			if stmt := n.Statement(); stmt != nil {
				b.retype(got, stmt.Start, target.Start, n.Type, 1)
			}
		} else {
			b.retype(got, target.End, n.Kid(code.Value).Start, n.Type, 1)
		}
	case n.Is(code.Assign) && n.Kid(code.Target).Is(code.Name):
		b.retypeVariable(n, n.Kid(code.Target).Name, got)
	}
}

// retypeResult changes what the variable that is given back was declared as, or what the function says it gives.
func (b *bench) retypeResult(ret *code.Node, got string) {
	weight, before := 1.0, len(b.out)
	if v := ret.Kid(code.Value); v.Is(code.Name) && b.Want != "" && plainType.MatchString(b.Want) {
		b.retypeVariable(ret, v.Name, b.Want)
	}
	if len(b.out) > before || b.compiled() {
		weight = public
	}
	if fn := ret.Function(); fn != nil && fn.Kid(code.Body) != nil {
		b.retype(got, b.afterParameters(fn), fn.Kid(code.Body).Start, fn.Type, weight)
	}
}

// public is what a type counts that a function takes or gives, against a variable's own: others know it.
const public = 0.45

// retype writes a type where another one stands.
func (b *bench) retype(got string, from, to int, had string, weight float64) {
	if at := code.Word(b.file.Source[:to], had, from); had != "" && at >= 0 && had != got && b.wanted(had) {
		b.propose(weight, fmt.Sprintf("what is declared as %s is %s", quote(had), quote(got)), replaced(at, at+len(had), got))
	}
}

// compiled reports whether a type decides about what a program does: where it does not, and the tests pass, it is the type that is wrong.
func (b *bench) compiled() bool { return b.file.Facts.Name == "Go" || b.file.Facts.Name == "Java" }

// wanted reports whether a declared type can be one of those that the checker speaks of.
func (b *bench) wanted(declared string) bool {
	if strings.Contains(declared, b.Want) || strings.Contains(b.Want, declared) || declared == b.Got {
		return true
	}
	is, of := b.element(declared)
	got, other := b.element(b.Got)
	return of && other && is == got
}

// element is the type of a list's elements, in either of the ways in which TypeScript writes a list.
func (b *bench) element(t string) (of string, ok bool) {
	if b.file.Facts.Name != "TypeScript" {
		return "", false
	}
	t = strings.TrimPrefix(t, "readonly ")
	for _, generic := range []string{"Array<", "ReadonlyArray<"} {
		if inner, is := strings.CutPrefix(t, generic); is {
			return strings.CutSuffix(inner, ">")
		}
	}
	if of, ok = strings.CutSuffix(t, "[]"); ok && strings.HasPrefix(of, "(") {
		of = strings.TrimSuffix(of[1:], ")")
	}
	return of, ok
}

// likewise writes a list's type as another one is written, and lets it be changed if that can be.
func (b *bench) likewise(t, as string) string {
	of, list := b.element(t)
	if _, both := b.element(as); !list || !both {
		return t
	}
	if i := strings.IndexByte(as, '<'); i >= 0 && strings.HasSuffix(as, ">") {
		return as[:i+1] + of + ">"
	}
	if strings.Contains(of, " ") {
		of = "(" + of + ")"
	}
	if strings.HasPrefix(as, "readonly ") {
		return "readonly " + of + "[]"
	}
	return of + "[]"
}

// retypeVariable changes the type with which a variable was declared, if its declaration says one.
func (b *bench) retypeVariable(at *code.Node, name, got string) {
	for _, v := range at.Scope() {
		if v.Name != name {
			continue
		}
		decl := v.Decl
		for decl != nil && !decl.Is(code.Assign, code.Param, code.Declaration) {
			decl = decl.Parent
		}
		if decl != nil && decl.Type != "" {
			start, end, _ := lineOf(b.file, b.file.Tree.Position(decl.Start).Line)
			weight := 1.0
			if v.Decl.Is(code.Param) {
				weight = public
			}
			b.retype(b.likewise(got, decl.Type), max(start, decl.Start), end, decl.Type, weight)
		}
		return
	}
}

// afterParameters is where a function's parameters end.
func (b *bench) afterParameters(fn *code.Node) int {
	at := fn.Start
	for _, p := range fn.All(code.Params) {
		at = max(at, p.End)
	}
	if b.file.Facts.Name == "Java" {
		return fn.Start
	}
	return at
}
