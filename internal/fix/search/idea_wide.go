package search

import (
	"iter"
	"slices"
	"strings"

	"fettle/internal/code"
)

// wideTemplates are what is tried at last, where no idea mends, and no two of them: conditions, guards, statements and values put together of whatever the
// function has at hand, without a thought of what people forget. Of what passes then, less is right.
var wideTemplates = []template{
	{"any-condition", 0.05, 0.40, anyCondition},
	{"any-value", 0.05, 0.40, anyValue},
	{"any-statement", 0.04, 0.35, anyStatement},
	{"any-guard", 0.02, 0.30, anyGuard},
}

// uncalled is the most that a patch is believed that is put together of what is at hand.
const uncalled = 0.65

// wide reports a template that is no idea.
func wide(t *template) bool {
	return slices.ContainsFunc(wideTemplates, func(w template) bool { return w.name == t.name })
}

// Bounds of what is put together at one place.
const (
	mostAtoms       = 16 // variables, parts of them, and numbers
	mostDifferences = 6  // numbers of which the differences are taken
	mostQuestions   = 700
	mostAnyGuards   = 160 // conditions of guards, each with a few answers
	widest          = 40  // letters of an atom
)

// widely hands out what is left to be tried.
func widely(sites []*site) iter.Seq[proposal] {
	return proposeBy(sites, func(*site) []template { return wideTemplates })
}

// atoms are what small expressions are made of at a site, each with what is known of its type: variables and fields, parts of them that the function
// reads, sizes, and the numbers and texts that it writes out. The nearest come first.
func (s *site) atoms() []name {
	var out []name
	seen := map[string]bool{}
	add := func(n name) {
		if !seen[n.text] && len(n.text) <= widest && len(out) < mostAtoms && !strings.Contains(n.text, "\n") {
			seen[n.text] = true
			out = append(out, n)
		}
	}
	vars := slices.DeleteFunc(s.names(), func(v name) bool { return v.fn })
	for i, v := range vars {
		if i < mostAtoms/2 {
			add(v)
		}
	}
	known := s.knownNames()
	for n := range s.Function().Own() {
		if s.readable(n, known) {
			add(name{text: n.Text(), typ: s.of(n), weight: 0.8})
		}
	}
	for _, v := range vars[:min(len(vars), mostAtoms/2)] {
		if size := s.size(v); v.local && v.typ.is(kText|kList|kMap) && v.typ.kind&kNumber == 0 {
			add(name{text: size, typ: typ{kind: kInt}, weight: 0.6})
		}
	}
	for n := range s.Function().Own() {
		if n.Is(code.Int, code.Float) || n.Is(code.Str, code.Char) && !docString(n) && n.Part != code.Key {
			add(name{text: n.Text(), typ: s.form(n), weight: 0.5})
		}
	}
	add(name{text: "0", typ: typ{kind: kInt}, weight: 0.5})
	add(name{text: "1", typ: typ{kind: kInt}, weight: 0.4})
	return out
}

// readable reports a part of a variable, or what a getter gives, of which all names are known at the site.
func (s *site) readable(n *code.Node, known map[string]bool) bool {
	switch {
	case n.Is(code.Attr, code.Index) && n.Part != code.Callee && n.Part != code.Object:
	case n.Is(code.Call) && (strings.HasPrefix(n.Calls(), "get") || n.Calls() == "at") && len(n.All(code.Arg)) == 1 && n.Part != code.Object:
	default:
		return false
	}
	for k := range n.Walk() {
		if k.Is(code.Function) {
			return false
		}
	}
	return allKnown(n, known)
}

// literal reports an atom that stands for itself.
func (n name) literal() bool {
	return n.text[0] >= '0' && n.text[0] <= '9' || strings.ContainsAny(n.text[:1], "\"'`-")
}

// sure reports whether an atom is of a kind, or may be where nobody judges types before anything runs.
func (s *site) sure(n name, k kind) bool {
	return n.typ.is(k) && n.typ.kind&^(k|kNull) == 0 || !n.typ.known() && !s.fact().Static
}

// questions are conditions about the atoms of a site, the simpler ones first.
func (s *site) questions() []string {
	atoms, f := s.atoms(), s.fact()
	var out []string
	add := func(texts ...string) { out = append(out, texts...) }
	for _, a := range atoms {
		if a.literal() {
			continue
		}
		if s.sure(a, kBool) {
			add(a.text, f.Not+a.text)
		}
		if !f.Static {
			add(a.text+" "+f.Same+" "+f.Null, a.text+" "+contraries[f.Same]+" "+f.Null)
		}
	}
	for i, a := range atoms {
		for _, b := range atoms[i+1:] {
			if a.literal() && b.literal() {
				continue
			}
			add(s.compared(a, b)...)
			add(s.contained(a, b)...)
			add(s.contained(b, a)...)
		}
	}
	numbers := slices.DeleteFunc(slices.Clone(atoms), func(a name) bool { return !a.typ.is(kNumber) })
	for _, a := range numbers[:min(len(numbers), mostDifferences)] {
		for _, b := range numbers[:min(len(numbers), mostDifferences)] {
			if a.text == b.text || a.literal() || b.literal() {
				continue
			}
			for _, c := range numbers {
				if c.text != a.text && c.text != b.text && c.text != "0" {
					add(a.text+" - "+b.text+" < "+c.text, a.text+" - "+b.text+" >= "+c.text, a.text+" + "+b.text+" > "+c.text)
				}
			}
		}
	}
	return out[:min(len(out), mostQuestions)]
}

// compared asks how two atoms of one kind stand to each other.
func (s *site) compared(a, b name) []string {
	f := s.fact()
	switch {
	case a.typ.is(kNumber) && b.typ.is(kNumber):
		return []string{a.text + " < " + b.text, a.text + " > " + b.text, a.text + " <= " + b.text, a.text + " >= " + b.text, a.text + " " + f.Equal + " " + b.text, a.text + " " + contraries[f.Equal] + " " + b.text}
	case f.Name == "Java" && a.typ.is(kText) && b.typ.is(kText):
		if a.literal() {
			a, b = b, a
		}
		return []string{a.text + ".equals(" + b.text + ")", "!" + a.text + ".equals(" + b.text + ")"}
	case f.Name == "Java":
		return nil
	case fits(a.typ, b.typ) >= 0.85 && !a.typ.is(kList|kMap):
		return []string{a.text + " " + f.Equal + " " + b.text, a.text + " " + contraries[f.Equal] + " " + b.text}
	}
	return nil
}

// membership is how a language asks whether the list or text {C} does not hold the value {K}, and whether it does. Mappings and sets are asked as absences say.
var membership = map[string][2]string{
	"Python": {"{K} not in {C}", "{K} in {C}"}, "JavaScript": {"!{C}.includes({K})", "{C}.includes({K})"}, "Java": {"!{C}.contains({K})", "{C}.contains({K})"},
	"Go": {"!slices.Contains({C}, {K})", "slices.Contains({C}, {K})"},
}

// contained asks whether one atom holds another.
func (s *site) contained(c, x name) []string {
	f := s.fact()
	forms := membership[f.Family]
	switch {
	case c.literal() || !c.typ.is(kList|kMap|kText) || c.typ.is(kText) && !s.sure(x, kText):
		return nil
	case f.Family == "Go" && (!c.typ.is(kList) || !s.isModule("slices")):
		return nil
	case c.typ.is(kMap):
		forms = absences[f.Name]
	}
	return []string{underKey(forms[0], c.text, x.text), underKey(forms[1], c.text, x.text)}
}

// anyCondition joins a condition with another one.
func anyCondition(s *site, try func(change)) {
	if !s.extendable() || s.Function() == nil {
		return
	}
	f := s.fact()
	for i, q := range s.questions() {
		if strings.Contains(s.Text(), q) {
			continue
		}
		w := 1 / (1 + float64(i)/200)
		for _, op := range []string{f.And, f.Or} {
			try(replace(s.Node, s.joinedBy(op)+" "+op+" "+q, w, "the condition lacks %s", quote(op+" "+q)))
		}
	}
}

// anyGuard leaves early.
func anyGuard(s *site, try func(change)) {
	if !s.isStatement() || !s.Alone() {
		return
	}
	indent := s.Indent()
	answers := s.answers()
	loop := s.Up(code.While, code.For, code.Each, code.Function)
	for i, q := range s.questions() {
		if i == mostAnyGuards {
			return
		}
		w := 1 / (1 + float64(i)/40)
		for j, r := range answers[:min(len(answers), 3)] {
			if r != q {
				try(insert(s.Start, s.guard(q, s.statement("return "+r), indent)+"\n"+indent, w*(1-0.1*float64(j)), "the case %s has to give %s", quote(q), quote(r)))
			}
		}
		if loop != nil && !loop.Is(code.Function) {
			for _, word := range []string{"continue", "break"} {
				try(insert(s.Start, s.guard(q, s.statement(word), indent)+"\n"+indent, w, "in the case %s there is nothing more to do", quote(q)))
			}
		}
	}
}

// anyStatement gives a variable, or a part of one, another value, or more or less of it, or puts something into a collection.
func anyStatement(s *site, try func(change)) {
	if !s.isStatement() || !s.Alone() {
		return
	}
	atoms := s.atoms()
	for i, t := range s.assigned() {
		for j, a := range atoms {
			if a.text == t.text || !s.sameKind(t, a) {
				continue
			}
			w := 1 / (1 + float64(i)/4 + float64(j)/8)
			if t.typ.is(kNumber) {
				s.place(s.statement(t.text+" += "+a.text), w, try)
				s.place(s.statement(t.text+" -= "+a.text), w, try)
			}
			s.place(s.statement(t.text+" = "+a.text), 0.8*w, try)
		}
		switch w := 0.5 / (1 + float64(i)/4); {
		case t.typ.is(kNumber) && t.typ.kind&^kNumber == 0:
			s.place(s.statement(t.text+" = -"+t.text), w, try)
		case s.sure(t, kBool):
			s.place(s.statement(t.text+" = "+s.fact().Not+t.text), w, try)
		}
	}
	for i, c := range atoms {
		if !c.typ.is(kList|kMap) || c.literal() {
			continue
		}
		for j, x := range atoms {
			if x.text == c.text {
				continue
			}
			for _, form := range s.changing(c.typ) {
				s.place(s.statement(strings.NewReplacer("{C}", c.text, "{X}", x.text).Replace(form)), 0.7/(1+float64(i)/4+float64(j)/8), try)
			}
		}
	}
}

// sameKind reports whether an atom may be given to what is assigned.
func (s *site) sameKind(t, a name) bool {
	if t.typ.is(kNumber) && a.typ.is(kNumber) {
		return true
	}
	return fits(a.typ, t.typ) >= 0.85
}

// assigned are what the function gives values to, and parts of it, as the site may do, too; and the fields of its object.
func (s *site) assigned() []name {
	var out []name
	seen, known := map[string]bool{}, s.knownNames()
	for n := range s.Function().Own() {
		if n.Part != code.Target || !n.Parent.Is(code.Assign) || n.Parent.Part == code.Params || !n.Is(code.Name, code.Attr, code.Index) || seen[n.Text()] || len(n.Text()) > widest {
			continue
		}
		if !allKnown(n, known) {
			continue
		}
		seen[n.Text()] = true
		out = append(out, name{text: n.Text(), typ: s.of(n)})
	}
	for _, field := range s.Fields() {
		if t := s.variableType(s.Node, field); !seen[field] && t.is(kNumber|kText) {
			out = append(out, name{text: field, typ: t})
		}
	}
	return out[:min(len(out), mostAtoms/2)]
}

// knownNames are the names that can be read at a site.
func (s *site) knownNames() map[string]bool {
	known := map[string]bool{}
	for _, v := range s.Scope() {
		known[v.Name] = true
	}
	return known
}

// allKnown reports whether all names of an expression are known.
func allKnown(n *code.Node, known map[string]bool) bool {
	for k := range n.Walk() {
		if k.Role == code.Name && k.Part != code.Callee && !known[k.Name] {
			return false
		}
	}
	return true
}

// changing are the ways in which a language puts {X} into the collection {C}, and takes it out.
func (s *site) changing(t typ) []string {
	switch s.fact().Family {
	case "Python":
		if t.is(kMap) {
			return []string{"{C}.add({X})", "{C}.discard({X})", "{C}.pop({X}, None)"}
		}
		return []string{"{C}.append({X})", "{C}.remove({X})"}
	case "JavaScript":
		if t.is(kMap) {
			return []string{"{C}.add({X})", "{C}.delete({X})"}
		}
		return []string{"{C}.push({X})"}
	case "Java":
		if t.is(kMap) {
			return []string{"{C}.remove({X})"}
		}
		return []string{"{C}.add({X})", "{C}.remove({X})"}
	case "Go":
		if t.is(kMap) {
			return []string{"delete({C}, {X})"}
		}
		return []string{"{C} = append({C}, {X})"}
	}
	return nil
}

// anyValue adds to a number, takes from it, multiplies it, or keeps it within bounds, by whatever numbers there are.
func anyValue(s *site, try func(change)) {
	if !s.mayLackTerm() || s.Function() == nil || literal(s.Node) {
		return
	}
	t := s.of(s.Node)
	if t.known() && !t.is(kNumber) || !t.known() && s.fact().Static {
		return
	}
	atoms := slices.DeleteFunc(s.atoms(), func(a name) bool { return !a.typ.is(kNumber) || a.text == s.Text() })
	grouped, forms := code.Grouped(s.Node), clamps[s.fact().Family]
	tryText := func(text string, w float64) {
		try(replace(s.Node, text, w, "%s should be %s", quote(s.Text()), quote(text)))
	}
	for i, a := range atoms {
		w := 1 / (1 + float64(i)/8)
		for _, op := range []string{" + ", " - ", " * "} {
			tryText(grouped+op+a.text, w)
		}
		for _, form := range forms {
			tryText(strings.NewReplacer("X", s.Text(), "Y", a.text).Replace(form), 0.8*w)
		}
		if a.literal() {
			continue
		}
		for _, b := range atoms[:min(len(atoms), mostDifferences)] {
			if a.text == b.text {
				continue
			}
			tryText(grouped+" + "+a.text+" - "+b.text, 0.4*w)
			for _, form := range forms {
				tryText(strings.NewReplacer("X", s.Text(), "Y", a.text+" - "+b.text).Replace(form), 0.5*w)
			}
		}
	}
	for i, unit := range unitsOf {
		tryText(grouped+" * "+unit, 0.6-0.05*float64(i))
		tryText(grouped+" / "+unit, 0.4-0.05*float64(i))
	}
}
