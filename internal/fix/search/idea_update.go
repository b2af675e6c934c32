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
	s.turnMember(try)
	s.usedUp(try)
	s.takeFound(try)
	s.countDown(try)
	s.carryOver(try)
	s.instead(try)
	s.takePlace(try)
	s.inStep(try)
	s.rest(try)
	s.replaced(try)
	s.unfile(try)
	if s.Is(code.For, code.Each, code.While) {
		s.gather(try)
		s.turnFlag(try)
		s.turnBack(try)
		s.advance(try)
		s.takeChosen(try)
		s.alternate(try)
	}
}

// gather takes into what a function gives back, or asks, and never fills, what a loop computes: at the end of the loop, or before the loop asks.
func (s *site) gather(try func(change)) {
	last := lastOf(s.Kid(code.Body))
	if last == nil || !last.Alone() {
		return
	}
	for empty, asked := range s.neverFilled() {
		for i, v := range s.at(last).namesBehind() {
			if i >= 10 || v.fn || !v.local || v.text == empty.Name || strings.HasPrefix(v.text, s.fact().Self+".") && s.fact().Self != "" {
				continue
			}
			w := 0.5
			if s.gives(v.text) { // the loop is what gives it a value
				w = 1
			}
			for j, form := range s.collecting(v, empty.Parent.Kid(code.Value)) {
				text := s.statement(strings.NewReplacer("{C}", empty.Name, "{X}", v.text).Replace(form))
				w := w * (1 - 0.1*float64(j))
				if first := s.Kid(code.Body).Kid(code.Stmt); asked && first.Alone() {
					try(s.at(first).before(text, w))
				} else if !ends(last) {
					s.inBranches(text, inABranch*w, try)
					try(insert(last.End, "\n"+last.Indent()+text, w, "%s was missing at the end of the loop", quote(text)))
				}
			}
		}
		s.gatherHanded(empty, try)
	}
	s.takeOff(last, try)
}

// takeOff takes off a number that the function was given, and gives back as it is, what each turn of a loop computes; or adds it.
func (s *site) takeOff(last *code.Node, try func(change)) {
	if ends(last) {
		return
	}
	for _, total := range s.returned() {
		for _, v := range s.at(last).namesBehind() {
			if v.fn || !v.local || v.text == total || v.typ.known() && !v.typ.is(kNumber) || !s.gives(v.text) {
				continue
			}
			for i, op := range []string{" -= ", " += "} {
				text := s.statement(total + op + v.text)
				try(insert(last.End, "\n"+last.Indent()+text, 0.5*(1-0.1*float64(i)), "%s was missing at the end of the loop", quote(text)))
			}
		}
	}
}

// namesBehind are the variables that can be read behind a statement: what it makes itself first.
func (s *site) namesBehind() []name {
	var made []name
	all := s.names()
	for _, t := range assignment(s.Node).All(code.Target) {
		if t.Is(code.Name) && !slices.ContainsFunc(all, func(v name) bool { return v.text == t.Name }) {
			made = append(made, name{text: t.Name, typ: s.at(t).of(t), weight: 1, local: true})
		}
	}
	return append(made, all...)
}

// returned are the parameters, numbers as far as is known, that a function never changes and gives back behind the loop.
func (s *site) returned() (out []string) {
	fn := s.Function()
	for _, p := range fn.All(code.Params) {
		if t := s.at(p).of(p); t.known() && !t.is(kNumber) {
			continue
		}
		written, given := false, false
		for k := range fn.Walk() {
			if k.Role == code.Name && k.Name == p.Name {
				written = written || s.at(k).written()
				given = given || k.Parent.Is(code.Return) && k.Start > s.End
			}
		}
		if given && !written {
			out = append(out, p.Name)
		}
	}
	return out
}

// inABranch is how likely what a loop takes in is taken in under a condition alone.
const inABranch = 0.8

// inBranches puts a statement at the end of each branch of the loop's that goes on.
func (s *site) inBranches(text string, weight float64, try func(change)) {
	for _, n := range s.Kid(code.Body).All(code.Stmt) {
		if n.Is(code.If) {
			for _, at := range branches(n) {
				if !ends(at) {
					try(s.at(at).after(text, weight))
				}
			}
		}
	}
}

// gatherHanded takes into what is never filled what the loop hands to others, before it does.
func (s *site) gatherHanded(empty *code.Node, try func(change)) {
	for _, stmt := range s.Kid(code.Body).All(code.Stmt) {
		for n := range stmt.Own() {
			if n.Part != code.Arg || !n.Is(code.Call, code.Index, code.Arith) || n.Function() != s.Function() || mentions(n.Text(), empty.Name) || strings.Contains(n.Text(), "\n") {
				continue
			}
			at := s.at(stmt)
			for _, form := range at.collecting(name{text: n.Text(), typ: at.of(n), weight: 1}, empty.Parent.Kid(code.Value)) {
				if stmt.Alone() && strings.Contains(form, "{X}") {
					try(at.before(at.statement(strings.NewReplacer("{C}", empty.Name, "{X}", n.Text()).Replace(form)), 0.7))
				}
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

// neverFilled are the variables that begin empty before the loop, are given back, or asked in the loop, and are never given anything; with whether the loop asks.
func (s *site) neverFilled() iter.Seq2[*code.Node, bool] {
	return func(yield func(empty *code.Node, asked bool) bool) {
		fn := s.Function()
		for n := range fn.Own() {
			if n.Role != code.Name || n.Part != code.Target || !n.Parent.Is(code.Assign) || n.End > s.Start || !s.beginsEmpty(n.Parent) && n.Parent.Kid(code.Value).Text() != "1" || grows(fn, n.Name) {
				continue
			}
			written, given, asked := 0, false, false
			for k := range fn.Walk() {
				if k.Role != code.Name || k.Name != n.Name {
					continue
				}
				if s.at(k).written() {
					written++
				}
				given = given || k.Up(code.Return, code.Function).Is(code.Return)
				asked = asked || k.Parent.Is(code.Compare) && s.Kid(code.Body).Holds(k.Start, k.End)
			}
			if written == 1 && (given || asked) && !yield(n, asked) {
				return
			}
		}
	}
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
	text, lang := made.Text(), s.fact().Family
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
	case text == "1":
		return []string{"{C} *= {X}", "{C} += {X}"}
	case made.Role == code.Int:
		if x.typ.known() && !x.typ.is(kNumber) {
			return []string{"{C} += 1"}
		}
		return []string{"{C} += {X}", "{C} += 1", "{C} += {X} * {X}"}
	case lang == "Go":
		return []string{"{C} = append({C}, {X})"}
	case lang == "Python":
		return []string{"{C}.append({X})", "{C} += {X}"}
	default:
		return []string{"{C}.push({X})", "{C}.push(...{X})"}
	}
}

// letterOf are how languages make the letter of a number {X}.
var letterOf = map[string]string{"Python": "chr({X})", "JavaScript": "String.fromCharCode({X})", "Java": "(char) {X}", "Go": "string(rune({X}))"}

// turnMember turns a member back that is asked here and that the source turns one way alone: who starts has to be stopped again.
func (s *site) turnMember(try func(change)) {
	if s.Role != code.If || s.Part == code.Else {
		return
	}
	for asked := range s.Kid(code.Cond).Walk() {
		last := lastOf(s.Kid(code.Then))
		if asked.Role != code.Attr || asked.Part == code.Callee || last == nil || !last.Alone() || asked.Up(code.Compare, code.If).Is(code.Compare) {
			continue
		}
		to, holds := s.onlyTurned(asked.Text()), !asked.Parent.Is(code.Not)
		if to == nil || (to.Text() == s.fact().True) != holds || mentions(s.Kid(code.Then).Text(), asked.Text()+" =") {
			continue
		}
		text := s.statement(asked.Text() + " = " + opposite(to))
		try(change{[]edit.Edit{doneLast(last, text)}, 0.9, quote(asked.Text()) + " was never turned back"})
	}
}

// doneLast puts a statement behind the last one of a branch, or before it where control goes on nowhere from there.
func doneLast(last *code.Node, text string) edit.Edit {
	if ends(last) {
		return edit.Edit{Start: last.Start, End: last.Start, New: []byte(text + "\n" + last.Indent())}
	}
	return edit.Edit{Start: last.End, End: last.End, New: []byte("\n" + last.Indent() + text)}
}

// onlyTurned is the one truth value that functions of the source give a member, other than what objects begin with; nil: there is none, or both are given.
func (s *site) onlyTurned(member string) (to *code.Node) {
	for n := range s.File.Root.Walk() {
		if !n.Is(code.Assign) || n.Op != "=" || len(n.All(code.Target)) != 1 || n.Kid(code.Target).Text() != member || begins(n.Function()) {
			continue
		}
		v := n.Kid(code.Value)
		if !v.Is(code.Bool) || to != nil && to.Text() != v.Text() {
			return nil
		}
		to = v
	}
	return to
}

// begins reports whether a function makes what an object begins with.
func begins(fn *code.Node) bool {
	return fn != nil && (fn.Name == "__init__" || fn.Name == "constructor" || fn.Up(code.Class) != nil && fn.Name == fn.Up(code.Class).Name)
}

// turnBack turns a flag back that a loop turns one way alone, where what is done depends on it: what is open is closed by whoever goes through.
func (s *site) turnBack(try func(change)) {
	for flag, first := range s.turnedOnce() {
		text := s.statement(flag + " = " + first)
		for n := range s.Kid(code.Body).Own() {
			if n.Role != code.If {
				continue
			}
			w := 0.4
			if mentions(n.Kid(code.Cond).Text(), flag) {
				w = 0.8
			}
			if last := lastOf(n.Kid(code.Then)); last != nil && last.Alone() && !ends(last) && !mentions(n.Kid(code.Then).Text(), flag) {
				try(insert(last.End, "\n"+last.Indent()+text, w, "%s was never turned back", quote(flag)))
			}
		}
	}
}

// turnedOnce are the flags that begin before the loop, are asked in it, and are given one and the same other value by it; with what they begin with.
func (s *site) turnedOnce() iter.Seq2[string, string] {
	return func(yield func(flag, first string) bool) {
		for n := range s.Function().Own() {
			if n.Role != code.Name || n.Part != code.Target || !n.Parent.Is(code.Assign) || n.End > s.Start || !n.Parent.Kid(code.Value).Is(code.Bool) {
				continue
			}
			first := n.Parent.Kid(code.Value).Text()
			turned, asked := false, false
			for k := range s.Kid(code.Body).Walk() {
				if k.Role != code.Name || k.Name != n.Name {
					continue
				}
				if !s.at(k).written() {
					asked = true
				} else if turned = k.Parent.Is(code.Assign) && k.Parent.Kid(code.Value).Is(code.Bool) && k.Parent.Kid(code.Value).Text() != first; !turned {
					break
				}
			}
			if turned && asked && !yield(n.Name, first) {
				return
			}
		}
	}
}

// turnFlag turns a flag that begins as true or false, is asked, and is never turned: where a loop has found what it looks for.
func (s *site) turnFlag(try func(change)) {
	for flag, to := range s.neverTurned() {
		text, why := s.statement(flag+" = "+to), quote(flag)+" was never turned"
		put := func(at *code.Node) edit.Edit { return doneLast(at, text) }
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

// sayable reports whether a flag begins with a value that says yes or no, or with the number that does where numbers are taken for that.
func (s *site) sayable(first *code.Node) bool {
	return first.Is(code.Bool, code.Compare, code.Logic, code.Not) || first.Text() == "0" || first.Text() == "1"
}

// turnedFrom is what a flag is turned to that begins with a value: what holds at first, where that is computed, is found not to hold after all. A number
// is one only where it is asked whether it is 0 or 1.
func (s *site) turnedFrom(first *code.Node, asked string) string {
	switch {
	case first.Is(code.Bool):
		return opposite(first)
	case !first.Is(code.Int):
		return s.fact().False
	case asked != "0" && asked != "1":
		return ""
	case first.Text() == "0":
		return "1"
	}
	return "0"
}

// branches are the last statements of what an if statement does under its conditions, not of what it does otherwise, where the function goes on behind them.
func branches(n *code.Node) (out []*code.Node) {
	for _, k := range n.Kids {
		switch {
		case k.Part == code.Then:
			if last := lastOf(k); last != nil && last.Alone() && !last.Is(code.Return, code.Raise) {
				out = append(out, last)
			}
		case k.Part == code.Else && k.Is(code.If):
			out = append(out, branches(k)...)
		}
	}
	return out
}

// neverTurned are the flags that begin before the loop, are asked behind it or in it, and are never given another value; with the one that they are turned to.
func (s *site) neverTurned() iter.Seq2[string, string] {
	return func(yield func(flag, to string) bool) {
		fn := s.Function()
		for n := range fn.Own() {
			if n.Role != code.Name || n.Part != code.Target || !n.Parent.Is(code.Assign) || n.End > s.Start || len(n.Parent.All(code.Target)) != 1 || !s.sayable(n.Parent.Kid(code.Value)) {
				continue
			}
			written, asked, as := 0, false, ""
			for k := range fn.Walk() {
				if k.Role != code.Name || k.Name != n.Name {
					continue
				}
				switch other := k.Parent.Kid(code.Right); {
				case s.at(k).written():
					written++
				case k.Parent.Is(code.Compare) && k.Part == code.Left && other.Is(code.Int):
					as = other.Text()
					fallthrough
				default:
					asked = true
				}
			}
			if to := s.turnedFrom(n.Parent.Kid(code.Value), as); written == 1 && asked && to != "" && !yield(n.Name, to) {
				return
			}
		}
	}
}
