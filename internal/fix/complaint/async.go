package complaint

import (
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
	"fettle/internal/syntax"
)

// makeAsync has a function wait: it is async, and what it gives is a promise.
func makeAsync(b *bench) {
	fn := b.function()
	if fn == nil || fn.Kid(code.Body) == nil {
		return
	}
	n := b.file.Tree.Enclosing(fn.Start, fn.End)
	if n.IsZero() || n.Is("program", "module") || strings.HasPrefix(b.file.Source[fn.Start:], "async ") {
		return
	}
	at := fn.Start
	for k := range n.Children() { // before "function" or the name of a method, behind what may stand before it
		if k.Is("function", "def") || k.Field() == "name" || k.Field() == "parameters" || k.Field() == "parameter" {
			at = k.Start()
			break
		}
	}
	name := "it"
	if fn.Name != "" {
		name = quote(fn.Name)
	}
	why := name + " waits, and was not async"
	edits := []edit.Edit{replaced(at, at, "async ")}
	if t := n.Child("return_type"); b.file.Facts.Name == "TypeScript" && !t.IsZero() {
		typ := strings.TrimSpace(strings.TrimPrefix(t.Text(), ":"))
		if !strings.HasPrefix(typ, "Promise<") {
			edits = append(edits, replaced(t.End()-len(typ), t.End(), "Promise<"+typ+">"))
		}
	}
	if tool := b.Finding.Tool; tool == "ruff" || tool == "flake8" {
		b.idea.precision = unjudged // nobody says whether those who call it wait
	}
	b.propose(1, why, edits...)
}

// unjudged is how right a function is that became async where no types are checked.
const unjudged = 0.6

// promisedType writes the promise of what an async function gives where the type of that itself was written.
func promisedType(b *bench) {
	n := b.around("function_declaration", "method_definition", "arrow_function", "function_expression", "function_signature")
	t := n.Child("return_type")
	if n.IsZero() || t.IsZero() {
		return
	}
	typ := strings.TrimSpace(strings.TrimPrefix(t.Text(), ":"))
	b.propose(1, "what is async gives a promise", replaced(t.End()-len(typ), t.End(), b.Hint))
}

// dropAwait does not wait for what is there.
func dropAwait(b *bench) {
	for n := b.at; n != nil && n.Start >= b.start; n = n.Parent {
		if n.Is(code.Wait) {
			b.propose(1, quote(n.Kid(code.Operand).Text())+" is no promise", replaced(n.Start, n.Kid(code.Operand).Start, ""))
			return
		}
	}
}

// isError asks what was caught whether it is an error before its message is read.
func isError(b *bench) {
	n := b.at
	if !n.Is(code.Name) || !n.Parent.Is(code.Attr) || n.Part != code.Object || n.Parent.Name != "message" || b.file.Facts.Name != "TypeScript" || n.Parent.Part == code.Target || n.Parent.Part == code.Callee {
		return
	}
	caught := false
	for c := b.file.Tree.Enclosing(n.Start, n.End); !c.IsZero(); c = c.Parent() {
		caught = caught || c.Is("catch_clause") && c.Child("parameter").Text() == n.Name
	}
	if !caught {
		return
	}
	text := n.Name + " instanceof Error ? " + n.Parent.Text() + " : String(" + n.Name + ")"
	if p := n.Parent.Part; p != code.Arg && p != code.Value {
		if sub := b.file.Tree.Enclosing(n.Parent.Start, n.Parent.End).Parent(); !sub.Is("template_substitution") {
			text = "(" + text + ")"
		}
	}
	b.propose(1, quote(n.Name)+" may be anything that can be thrown", replaced(n.Parent.Start, n.Parent.End, text))
}

// variableAgain lets what was declared to keep its value have another one.
func variableAgain(b *bench) {
	for _, v := range b.at.Scope() {
		if v.Name != b.Name {
			continue
		}
		why := quote(b.Name) + " is given another value, and was declared to keep its own"
		switch b.file.Facts.Name {
		case "Java":
			b.notFinal(v.Decl, why)
		default:
			if d := v.Decl.Up(code.Declaration); d != nil && strings.HasPrefix(d.Text(), "const ") && len(d.All(code.Elem)) == 1 {
				b.propose(1, why, replaced(d.Start, d.Start+len("const"), "let"))
			}
		}
		return
	}
}

// notFinal takes the word final from a declaration of Java's.
func (b *bench) notFinal(decl *code.Node, why string) {
	n := b.file.Tree.Enclosing(decl.Start, decl.End)
	for ; !n.IsZero() && !n.Is("local_variable_declaration", "field_declaration", "formal_parameter"); n = n.Parent() {
	}
	if m, ok := modifier(n, "final"); ok {
		end := m.End()
		b.propose(1, why, replaced(m.Start(), end+len(b.file.Source[end:])-len(strings.TrimLeft(b.file.Source[end:], " \t")), ""))
	}
}

// modifier is one of the words before a declaration of Java's.
func modifier(n syntax.Node, word string) (syntax.Node, bool) {
	for k := range n.Children() {
		if !k.Is("modifiers") {
			continue
		}
		for m := range k.Children() {
			if m.Text() == word {
				return m, true
			}
		}
	}
	return syntax.Node{}, false
}
