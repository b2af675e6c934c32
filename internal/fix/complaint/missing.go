package complaint

import (
	"fmt"
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
)

// mayBeMissing says of a parameter, a variable or a result that there may be none, where it is given none.
func mayBeMissing(b *bench) {
	none := b.Got
	if b.Want == "Optional" {
		none = "None"
	}
	if none != "None" && none != "null" && none != "undefined" {
		return
	}
	n := b.at
	if b.Name != "" {
		n = b.file.At(b.start, b.end)
	}
	for n != nil && !n.Is(code.Return, code.Assign, code.Param, code.Function, code.Block) {
		n = n.Parent
	}
	switch {
	case n.Is(code.Param) && n.Type != "" && n.Kid(code.Value) != nil:
		b.widen(n.Start, n.Kid(code.Value).Start, n.Type, none, 1)
	case n.Is(code.Assign) && n.Type != "" && n.Kid(code.Value) != nil && !b.compiled():
		b.widen(n.Kid(code.Target).End, n.Kid(code.Value).Start, n.Type, none, 1)
	case n.Is(code.Return):
		if fn := n.Function(); fn != nil && fn.Type != "" && fn.Kid(code.Body) != nil && !b.compiled() {
			b.widen(b.afterParameters(fn), fn.Kid(code.Body).Start, fn.Type, none, 0.9)
		}
	}
}

// widen adds that there may be none to a type that is declared between two places, as the file writes such types.
func (b *bench) widen(from, to int, had, none string, weight float64) {
	at := strings.Index(b.file.Source[from:to], had)
	if at < 0 || nullish.MatchString(had) || strings.HasPrefix(had, `"`) || strings.HasPrefix(had, "'") {
		return
	}
	at += from
	why := fmt.Sprintf("what is declared as %s may be missing", quote(had))
	put := func(weight float64, typ string, more ...edit.Edit) {
		b.propose(weight, why, append(more, replaced(at, at+len(had), typ))...)
	}
	if b.file.Facts.Name != "Python" {
		typ := had
		if strings.Contains(had, "=>") {
			typ = "(" + had + ")"
		}
		put(weight, typ+" | "+none)
		return
	}
	if b.saysOptional() {
		put(weight, "Optional["+had+"]", b.optionalImport()...)
		return
	}
	put(weight, had+" | None")
}

// saysOptional reports whether the file, or the first of the project's other sources that says so at all, writes Optional for what may be missing.
func (b *bench) saysOptional() bool {
	either := func(text string) (optional, said bool) {
		optional = code.Word(text, "Optional", 0) >= 0
		return optional, optional || strings.Contains(text, " | None")
	}
	if optional, said := either(b.file.Source); said || b.project == nil {
		return optional
	}
	read := 0
	for _, text := range b.project.Sources(b.file.Path) {
		if optional, said := either(text); said {
			return optional
		}
		if read++; read == mostSources {
			break
		}
	}
	return false
}

// optionalImport are the edits that make the word known, where it is not.
func (b *bench) optionalImport() []edit.Edit {
	if code.Word(b.file.Source, "Optional", 0) >= 0 {
		return nil
	}
	return b.importing("from typing import Optional")
}
