package search

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"fettle/internal/code"
)

// Bounds of what is asked that other places ask.
const (
	mostForgotten = 60  // conditions at a site
	mostOthers    = 100 // conditions of other files
	mostStandIns  = 6   // values in the place of one that is not known here
	kinAsked      = 0.9 // another function of the same parameters asks it
	farAsked      = 0.6 // another function asks it
	fileAsked     = 0.4 // another file does
	otherValue    = 0.7 // with another value
	inMidst       = 0.6 // neither before nor behind the others
)

// forgotten is a condition that this place may lack.
type forgotten struct {
	text   string
	weight float64
}

// askedElsewhere joins a condition with one that another place asks: as it stands, if what it is about is known here, else about what is at hand here.
// One of two conditions was forgotten, and seldom is it the only place that asks it. What a function answers with is a condition, too, where it is one of
// several.
func askedElsewhere(s *site, try func(change)) {
	inChain := s.Parent.Is(code.Logic)
	if !s.extendable() || inChain && s.Part != code.Left {
		return
	}
	for _, c := range s.forgotten() {
		if strings.Contains(s.Text(), c.text) || inChain && strings.Contains(s.Parent.Text(), c.text) {
			continue
		}
		s.joinWith(c, inChain, try)
	}
}

// otherHalf asks of two that have two sides each for the other sides, too: of a.to > b.from that a.from < b.to, as two overlap only if both hold.
func (s *site) otherHalf(try func(change)) {
	f := s.fact()
	if !s.Is(code.Compare) || overturned[s.Op] == "" || s.Parent.Is(code.Not) {
		return
	}
	l, r := memberIn(s.Kid(code.Left)), memberIn(s.Kid(code.Right))
	if l == nil || r == nil || l.Role != r.Role || !plainValue(l.Kid(code.Object)) || !plainValue(r.Kid(code.Object)) || l.Kid(code.Object).Text() == r.Kid(code.Object).Text() {
		return
	}
	one, another := l.Text()[len(l.Kid(code.Object).Text()):], r.Text()[len(r.Kid(code.Object).Text()):]
	if one == another {
		return
	}
	left := strings.Replace(s.Kid(code.Left).Text(), l.Text(), l.Kid(code.Object).Text()+another, 1)
	right := strings.Replace(s.Kid(code.Right).Text(), r.Text(), r.Kid(code.Object).Text()+one, 1)
	half := left + " " + overturned[s.Op] + " " + right
	text := s.Text() + " " + f.And + " " + half
	if s.Parent.Is(code.Logic) && s.Parent.Op != f.And {
		text = "(" + text + ")"
	}
	try(replace(s.Node, text, 1, "the condition lacks %s", quote(f.And+" "+half)))
}

// memberIn is the only member or element that a value looks at; nil: it looks at none, or at several.
func memberIn(n *code.Node) *code.Node {
	var found *code.Node
	for k := range n.Walk() {
		if k.Is(code.Attr, code.Index) && k.Part != code.Callee {
			if found != nil {
				return nil
			}
			found = k
		}
	}
	return found
}

// extendable reports whether the node is a condition, in brackets or not, or an answer that is one, to which another one may be joined.
func (s *site) extendable() bool {
	if s.Is(code.Bool, code.Group, code.Assign) || s.Parent.Is(code.Not) {
		return false
	}
	return s.condition() || s.Is(code.Compare) && s.Parent.Is(code.Group) || s.answer() && s.of(s.Node).is(kBool)
}

// joinWith joins the condition with another one by each word there is for it; in a chain by the chain's own.
func (s *site) joinWith(c forgotten, inChain bool, try func(change)) {
	f := s.fact()
	for _, op := range []string{f.And, f.Or} {
		if inChain && s.Parent.Op != op {
			continue
		}
		left := s.joinedBy(op)
		w := c.weight
		if s.ordering() {
			w *= unordered
		}
		if inChain {
			w *= inMidst
		}
		if op == f.Or {
			w *= 0.8
		}
		before, behind := 0.8, 1.0
		if s.guards(c.text) {
			before, behind = 1, guardBehind
		}
		try(replace(s.Node, left+" "+op+" "+c.text, behind*w, "the condition lacks %s", quote(op+" "+c.text)))
		if !inChain {
			try(replace(s.Node, c.text+" "+op+" "+left, before*w, "the condition lacks %s", quote(c.text+" "+op)))
		}
	}
}

// joinedBy is the condition as it stands beside another one, joined to it by a word.
func (s *site) joinedBy(op string) string {
	if s.Role == code.Logic && s.Op != op || s.Role == code.Choice {
		return "(" + s.Text() + ")"
	}
	return s.Text()
}

// guardBehind is for a guard that comes too late: what it guards has been asked before it.
const guardBehind = 0.5

// guards reports whether a condition asks if something is there at all, or what kind of thing it is, that the site then looks into. People ask that first,
// and what it would be asked behind may fail.
func (s *site) guards(condition string) bool {
	asks := func(word string) bool { return word != "" && mentions(condition, word) }
	if !asks(s.fact().Null) && !slices.ContainsFunc([]string{"undefined", "isinstance", "hasattr", "instanceof", "typeof", "callable"}, asks) {
		return false
	}
	for n := range s.Walk() {
		if n.Is(code.Attr, code.Index, code.Call) {
			for k := range n.Walk() {
				if k.Is(code.Name) && k.Part != code.Callee && mentions(condition, k.Name) {
					return true
				}
			}
		}
	}
	return false
}

// answer reports whether the node is what a function gives back, or a part of a chain of conditions that is.
func (s *site) answer() bool {
	return s.Parent.Is(code.Return) || s.Part == code.Value && s.Parent.Is(code.Assign)
}

// forgotten are conditions that other places ask together with others, those of the same function first.
func (s *site) forgotten() (out []forgotten) {
	seen := map[string]bool{}
	add := func(text string, w float64) {
		if !seen[text] {
			seen[text] = true
			out = append(out, forgotten{text, w})
		}
	}
	for _, text := range s.ofTwins() {
		add(text, 1)
	}
	for i, text := range s.ofAnotherPlace() {
		add(text, 0.9-0.1*float64(i))
	}
	for _, text := range s.ofBranches() {
		add(text, 1)
	}
	own, kin, far, others := s.askers()
	known, standIns := s.knownNames(), s.standIns()
	for _, from := range []struct {
		conditions []*code.Node
		weight     float64
	}{{own, 1}, {kin, kinAsked}, {far, farAsked}, {others, fileAsked}} {
		for i, c := range from.conditions {
			w := from.weight * max(1-0.03*float64(i), 0.3)
			for j, t := range s.asHere(c, known, standIns) {
				if t != c.Text() {
					add(t, w*otherValue*max(1-0.1*float64(j), 0.3))
				} else {
					add(t, w)
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b forgotten) int { return cmp.Compare(b.weight, a.weight) })
	return out[:min(len(out), mostForgotten)]
}

// askers are the conditions that the function asks, those of the file's functions that are given the same and of its other ones, and those of other files in
// the folder.
func (s *site) askers() (own, kin, far, others []*code.Node) {
	given := parameters(s.Function())
	for _, f := range append([]*code.File{s.File}, s.unit.order...) {
		if f != s.File && (f.Facts.Name != s.fact().Family || folder(f.Path) != folder(s.File.Path)) || f == s.File && len(own)+len(kin)+len(far) > 0 {
			continue
		}
		for _, c := range s.unit.pool(f).conditions {
			switch {
			case !c.Is(code.Call, code.Not, code.Compare, code.Attr) || literal(c) || s.Holds(c.Start, c.End) && f == s.File:
			case f != s.File:
				if len(others) < mostOthers {
					others = append(others, c)
				}
			case c.Function() == s.Function():
				own = append(own, c)
			case len(given) > 1 && slices.Equal(parameters(c.Function()), given):
				kin = append(kin, c)
			default:
				far = append(far, c)
			}
		}
	}
	return own, kin, far, others
}

// parameters are the names and types of what a function is given, as they are written.
func parameters(fn *code.Node) (out []string) {
	if fn != nil {
		for _, p := range fn.All(code.Params) {
			out = append(out, p.Text())
		}
	}
	return out
}

// folder is where a file lies.
func folder(path string) string { return path[:strings.LastIndexByte(path, '/')+1] }

// mostStrange is how many variables that are not known here a condition of another place may be about, if it is to be asked here.
const mostStrange = 2

// asHere is a condition of another place as it could be asked here: as it stands, if all its variables are known; else with what is at hand in the place
// of the one that is not, or, where it computes something of two, of both. A condition of more is about something else, and so is one about what another
// file has at its top.
func (s *site) asHere(c *code.Node, known map[string]bool, standIns []string) (out []string) {
	var strange []string
	kinds := s.unit.kindsAt(c)
	computes := false
	for k := range c.Walk() {
		computes = computes || k.Is(code.Arith)
		if k.Role != code.Name || known[k.Name] || slices.Contains(strange, k.Name) {
			continue
		}
		kind, declared := kinds[k.Name]
		switch {
		case !declared: // the language's own
		case k.Part == code.Callee, kind != code.Local && kind != code.Parameter, len(strange) == mostStrange:
			return nil
		default:
			strange = append(strange, k.Name)
		}
	}
	switch {
	case len(strange) == 0:
		return []string{c.Text()}
	case len(strange) == 1:
		for _, v := range standIns {
			out = append(out, renamedIn(c, map[string]string{strange[0]: v}))
		}
	case computes:
		for v, w := range s.numbersAtHand() {
			out = append(out, renamedIn(c, map[string]string{strange[0]: v, strange[1]: w}))
		}
	}
	return out
}

// mostNumbers bounds how many variables are taken for two of another place.
const mostNumbers = 4

// numbersAtHand are pairs of the function's numbers, the nearest first.
func (s *site) numbersAtHand() iter.Seq2[string, string] {
	return func(yield func(v, w string) bool) {
		numbers := slices.DeleteFunc(s.names(), func(v name) bool { return v.fn || !v.local || v.typ.known() && !v.typ.is(kNumber) })
		numbers = numbers[:min(len(numbers), mostNumbers)]
		for _, v := range numbers {
			for _, w := range numbers {
				if v.text != w.text && !yield(v.text, w.text) {
					return
				}
			}
		}
	}
}

// kindsAt are the kinds of what a condition's place knows, by name.
func (u *unit) kindsAt(c *code.Node) map[string]code.Kind {
	if u.kinds[c] == nil {
		kinds := map[string]code.Kind{}
		for _, v := range c.Scope() {
			kinds[v.Name] = v.Kind
		}
		u.kinds[c] = kinds
	}
	return u.kinds[c]
}

// asksOf reports whether the condition is about the variable by which an element is looked up.
func (s *site) asksOf(at *code.Node) bool { return at.Is(code.Name) && mentions(s.Text(), at.Name) }

// standIns are the values at hand that a condition could be about: the elements and members that the condition's neighbours look at, and the variables.
func (s *site) standIns() (out []string) {
	add := func(text string) {
		if len(out) < mostStandIns && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	names := slices.DeleteFunc(s.names(), func(v name) bool { return v.fn || !v.local })
	for n := range s.Walk() {
		if n.Is(code.Attr, code.Index) && n.Part != code.Callee && code.Primary(n) {
			add(n.Text())
		}
	}
	for _, v := range names {
		if mentions(s.Text(), v.text) {
			add(v.text)
		}
	}
	if fn := s.Function(); fn != nil {
		for n := range fn.Own() {
			if n.Role == code.Index && n.Part != code.Target && code.Primary(n) && s.asksOf(n.Kid(code.At)) {
				add(n.Text())
			}
		}
	}
	for _, v := range names {
		add(v.text)
	}
	return out
}
