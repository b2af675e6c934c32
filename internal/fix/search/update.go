package search

import (
	"iter"
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
)

// forgottenUpdate changes what a function asks, or gives back, and never changes: a flag that is never turned, a sum, a text or a collection that is
// never filled.
func forgottenUpdate(s *site, try func(change)) {
	if !s.isStatement() {
		return
	}
	s.remember(try)
	if s.Is(code.For, code.Each, code.While) {
		s.gather(try)
		s.turnFlag(try)
	}
}

// gather takes into what a function gives back, and never fills, what a loop computes.
func (s *site) gather(try func(change)) {
	last := lastOf(s.Kid(code.Body))
	if last == nil || !last.Alone() || ends(last) {
		return
	}
	for _, empty := range s.neverFilled() {
		at := s.at(last)
		made := empty.Parent.Kid(code.Value)
		for i, v := range at.names() {
			if i >= 10 || v.fn || !v.local || v.text == empty.Name || strings.HasPrefix(v.text, s.fact().Self+".") && s.fact().Self != "" {
				continue
			}
			w := 0.5
			if s.gives(v.text) { // the loop is what gives it a value
				w = 1
			}
			for j, form := range at.collecting(v, made) {
				text := at.statement(strings.NewReplacer("{C}", empty.Name, "{X}", v.text).Replace(form))
				try(insert(last.End, "\n"+last.Indent()+text, w*(1-0.1*float64(j)), "%s was missing at the end of the loop", quote(text)))
			}
		}
	}
}

// lastOf is the last statement of a block.
func lastOf(block *code.Node) *code.Node {
	if stmts := block.All(code.Stmt); block.Is(code.Block) && len(stmts) > 0 {
		return stmts[len(stmts)-1]
	}
	return nil
}

// gives reports whether a loop gives a variable its value.
func (s *site) gives(name string) bool {
	for n := range s.Own() {
		if n.Role == code.Name && n.Name == name && s.at(n).written() {
			return true
		}
	}
	return false
}

// neverFilled are the variables that begin empty before the loop, are given back, and are never given anything.
func (s *site) neverFilled() (out []*code.Node) {
	fn := s.Function()
	for n := range fn.Own() {
		if n.Role != code.Name || n.Part != code.Target || !n.Parent.Is(code.Assign) || n.End > s.Start || !s.beginsEmpty(n.Parent) || grows(fn, n.Name) {
			continue
		}
		written, given := 0, false
		for k := range fn.Walk() {
			if k.Role != code.Name || k.Name != n.Name {
				continue
			}
			if s.at(k).written() {
				written++
			}
			given = given || k.Up(code.Return, code.Function).Is(code.Return)
		}
		if written == 1 && given {
			out = append(out, n)
		}
	}
	return out
}

// beginsEmpty reports whether an assignment gives one variable what sums, texts and lists begin with.
func (s *site) beginsEmpty(a *code.Node) bool {
	v := a.Kid(code.Value)
	if v == nil || len(a.All(code.Target)) != 1 {
		return false
	}
	text := unspaced(v.Text())
	return slices.Contains([]string{`""`, "''", "``", "[]", "0", "list()"}, text) || strings.HasPrefix(text, "[]") && strings.HasSuffix(text, "{}") || strings.HasPrefix(text, "newArrayList<") || strings.HasPrefix(text, "newStringBuilder()")
}

// collecting is how the language takes {X} into {C}, which begins as made.
func (s *site) collecting(x name, made *code.Node) []string {
	text, lang := made.Text(), s.fact().Name
	switch {
	case strings.HasPrefix(text, "new StringBuilder"):
		return []string{"{C}.append({X})", "{C}.append((char) {X})"}
	case strings.HasPrefix(text, "new "):
		return []string{"{C}.add({X})"}
	case made.Role == code.Str:
		forms := []string{"{C} += {X}"}
		if letter := letterOf[lang]; letter != "" && (!x.typ.known() || x.typ.is(kInt)) {
			forms = append(forms, "{C} += "+letter)
			if x.typ.is(kInt) {
				slices.Reverse(forms)
			}
		}
		return forms
	case made.Role == code.Int:
		if x.typ.known() && !x.typ.is(kNumber) {
			return []string{"{C} += 1"}
		}
		return []string{"{C} += {X}", "{C} += 1"}
	case lang == "Go":
		return []string{"{C} = append({C}, {X})"}
	case lang == "Python":
		return []string{"{C}.append({X})", "{C} += {X}"}
	default:
		return []string{"{C}.push({X})", "{C}.push(...{X})"}
	}
}

// letterOf are how languages make the letter of a number {X}.
var letterOf = map[string]string{"Python": "chr({X})", "JavaScript": "String.fromCharCode({X})", "TypeScript": "String.fromCharCode({X})", "Java": "(char) {X}", "Go": "string(rune({X}))"}

// turnFlag turns a flag that begins as true or false, is asked, and is never turned: where a loop has found what it looks for.
func (s *site) turnFlag(try func(change)) {
	for flag, first := range s.neverTurned() {
		text, why := s.statement(flag+" = "+opposite(first)), quote(flag)+" was never turned"
		put := func(at *code.Node) edit.Edit {
			return edit.Edit{Start: at.End, End: at.End, New: []byte("\n" + at.Indent() + text)}
		}
		for n := range s.Kid(code.Body).Own() {
			if n.Role != code.If || n.Part == code.Else {
				continue
			}
			var all []edit.Edit
			for _, last := range branches(n) {
				all = append(all, put(last))
				try(change{[]edit.Edit{put(last)}, 0.7, why})
			}
			if len(all) > 1 {
				try(change{all, 1, why})
			}
		}
		if last := lastOf(s.Kid(code.Body)); last != nil && last.Alone() && !ends(last) {
			try(change{[]edit.Edit{put(last)}, 0.4, why})
		}
	}
}

// branches are the last statements of what an if statement does under its conditions, not of what it does otherwise.
func branches(n *code.Node) (out []*code.Node) {
	for _, k := range n.Kids {
		switch {
		case k.Part == code.Then:
			if last := lastOf(k); last != nil && last.Alone() && !ends(last) {
				out = append(out, last)
			}
		case k.Part == code.Else && k.Is(code.If):
			out = append(out, branches(k)...)
		}
	}
	return out
}

// neverTurned are the flags that begin before the loop, with what they begin with, are asked behind it or in it, and are never given another value.
func (s *site) neverTurned() iter.Seq2[string, *code.Node] {
	return func(yield func(string, *code.Node) bool) {
		fn := s.Function()
		for n := range fn.Own() {
			if n.Role != code.Name || n.Part != code.Target || !n.Parent.Is(code.Assign) || n.End > s.Start || len(n.Parent.All(code.Target)) != 1 || !n.Parent.Kid(code.Value).Is(code.Bool) {
				continue
			}
			written, asked := 0, false
			for k := range fn.Walk() {
				if k.Role == code.Name && k.Name == n.Name {
					if s.at(k).written() {
						written++
					} else {
						asked = true
					}
				}
			}
			if written == 1 && asked && !yield(n.Name, n.Parent.Kid(code.Value)) {
				return
			}
		}
	}
}
