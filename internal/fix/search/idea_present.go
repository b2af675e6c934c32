package search

import (
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/pattern"
)

// Bounds of what is asked about.
const (
	mostLookups  = 3
	mostStanding = 4
	mostLapsed   = 2
)

// absences are how a language asks whether a collection {C} has nothing under {K}, and whether it has something.
var absences = map[string][2]string{
	"Python": {"{K} not in {C}", "{K} in {C}"}, "JavaScript": {"!{C}.has({K})", "{C}.has({K})"}, "Java": {"!{C}.containsKey({K})", "{C}.containsKey({K})"}, "Go": {"{C}[{K}] == nil", "{C}[{K}] != nil"},
}

// lookups ask whether there is what a piece of code looks up and looks into at once, where the function never asks: a reply is put below its parent if that is there.
func (s *site) lookups(in *code.Node) (absent, present []string) {
	forms, fn := absences[s.fact().Family], s.Function()
	if forms[0] == "" || in == nil || fn == nil {
		return nil, nil
	}
	asked := ""
	for n := range in.Own() {
		at, object := elementOf(n)
		if len(absent) == mostLookups || at == nil || !s.looksInto(n) || !s.underAKey(at, object) {
			continue
		}
		if asked == "" {
			asked = unspaced(fn.Text())
		}
		no, yes := underKey(forms[0], object.Text(), at.Text()), underKey(forms[1], object.Text(), at.Text())
		if !slices.Contains(absent, no) && !strings.Contains(asked, unspaced(yes)) && !strings.Contains(asked, unspaced(no)) {
			absent, present = append(absent, no), append(present, yes)
		}
	}
	return absent, present
}

// looksInto reports whether something fails if there is not what a node looks up.
func (s *site) looksInto(n *code.Node) bool {
	if s.fact().Family == "Python" {
		return n.Part != code.Target
	}
	return n.Part == code.Object && (!n.Is(code.Index) || !s.fact().Silent)
}

// underAKey reports whether an object is a mapping, as far as is known, and what is looked up in it by a key the same here.
func (s *site) underAKey(at, object *code.Node) bool {
	if !plainValue(at) || !plainValue(object) || !s.reaches(at) || !s.reaches(object) {
		return false
	}
	t := s.at(object).of(object)
	return t.is(kMap) || !t.known() && s.fact().Family != "Go"
}

// ofBranches asks whether there is what the branches look up that a condition decides between.
func (s *site) ofBranches() (out []string) {
	if s.Part != code.Cond || !s.Parent.Is(code.If) {
		return nil
	}
	_, present := s.lookups(s.Parent.Kid(code.Then))
	absent, _ := s.lookups(s.Parent.Kid(code.Else))
	return append(absent, present...)
}

// standing leaves a function at its beginning where what it gives back at its end is already one of the answers that the function it asks for that knows: who is on the list
// keeps the place.
func (s *site) standing(try func(change)) {
	fn := s.Function()
	last := lastOf(fn.Kid(code.Body))
	if s.Parent != fn.Kid(code.Body) || !s.opens() || !last.Is(code.Return) || !last.Kid(code.Value).Is(code.Call) || last == s.Node {
		return
	}
	value, n := last.Kid(code.Value), 0
	for _, asked := range s.unit.pool(s.File).functions {
		if named(asked) != value.Calls() || asked == fn || !s.reaches(value) || s.fact().Family == "Java" {
			continue
		}
		for lit := range asked.Own() {
			if !lit.Is(code.Str, code.Null) || !s.at(lit).givenBack() || n == mostStanding {
				continue
			}
			n++
			for i, op := range []string{"!" + s.fact().Equal[1:], s.fact().Equal} {
				cond := value.Text() + " " + op + " " + lit.Text()
				text := s.guard(cond, last.Text(), s.Indent())
				try(insert(s.Start, text+"\n"+s.Indent(), 0.8-0.1*float64(i), "nothing is to be done in the case %s", quote(cond)))
			}
		}
	}
}

var aKey = pattern.New(`"(\w+)"`)

// lapsed asks whether a time that a function is given, and does nothing with, is farther from one that it can look up than a constant of the source says that nobody uses.
func (a *asker) lapsed(fn *code.Node) {
	s := a.site
	now := s.idleParameters()
	if len(now) == 0 {
		return
	}
	for _, limit := range s.idleConstants() {
		for _, then := range s.namedKeys(fn) {
			for _, op := range []string{" < ", " >= ", " <= ", " > "} {
				a.add(now[0] + " - " + then + op + limit)
			}
		}
	}
}

// idleConstants are the numbers that a source names at its top and never uses.
func (s *site) idleConstants() (out []string) {
	used := map[string]int{}
	for n := range s.File.Root.Walk() {
		if n.Role == code.Name {
			used[n.Name]++
		}
	}
	for _, v := range s.Scope() {
		if v.Kind == code.Global && used[v.Name] == 1 && v.Decl.Parent.Kid(code.Value).Is(code.Int, code.Float) {
			out = append(out, v.Name)
		}
	}
	return out
}

// namedKeys are the elements that a function's documentation names and the function never looks at, of what it looks up others in by name; and the members that are there for that.
func (s *site) namedKeys(fn *code.Node) (out []string) {
	says, body, written := documentation(fn), fn.Kid(code.Body), writtenOut(fn)
	seen := map[string]bool{}
	for n := range body.Own() {
		object := n.Kid(code.Object)
		if n.Is(code.Call) {
			object = n.Kid(code.Callee).Kid(code.Object)
		}
		key := n.Kid(code.At)
		if n.Is(code.Call) && n.Calls() == "get" {
			key = n.Kid(code.Arg)
		}
		if object == nil || !key.Is(code.Str) || !plainValue(object) || seen[object.Text()] || !s.reaches(object) {
			continue
		}
		seen[object.Text()] = true
		for _, m := range aKey.FindAllStringSubmatch(says, -1) {
			text := object.Text() + "[" + s.mark() + m[1] + s.mark() + "]"
			if !slices.Contains(written, m[1]) && len(out) < mostLapsed && !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
	}
	return out
}

// holds asks whether a collection holds a value, and whether it does not.
func (a *asker) holds(collection, value string) {
	lang := a.site.fact().Family
	if lang == "Go" {
		return
	}
	a.add(underKey(membership[lang][1], collection, value))
	a.add(underKey(membership[lang][0], collection, value))
}

// nextTo are the elements beside one that is named by a number.
func nextTo(n *code.Node) (out []string) {
	at := n.Kid(code.At)
	if n.Role != code.Index || at == nil || at.Role != code.Int {
		return nil
	}
	for _, by := range []int64{1, -1} {
		if text, ok := movedBy(at.Text(), by); ok {
			out = append(out, n.File.Source[n.Start:at.Start]+text+n.File.Source[at.End:n.End])
		}
	}
	return out
}
