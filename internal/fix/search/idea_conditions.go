package search

import (
	"slices"
	"strconv"
	"strings"

	"fettle/internal/code"
)

// mostConditions bounds how many conditions are considered at a site, and askedNames about how many variables questions are made up.
const (
	mostConditions = 60
	askedNames     = 8
)

// asker collects texts that could decide something at a site.
type asker struct {
	site *site
	eq   string // how the language asks whether two values are equal
	out  []string
}

func (a *asker) add(text string) {
	if len(a.out) < mostConditions && !slices.Contains(a.out, text) {
		a.out = append(a.out, text)
	}
}

// conditions are texts that could decide something at the site: conditions of the file whose variables are known here, and then simple
// questions about the variables at hand.
func (s *site) conditions() []string {
	a := &asker{site: s, eq: s.fact().Equal}
	vars := slices.DeleteFunc(s.names(), func(v name) bool { return v.fn })
	vars = vars[:min(len(vars), askedNames)]
	own, others := a.fromFile()
	a.unused()
	a.all(own)
	a.noted()
	a.parity(vars)
	a.saidTrue()
	a.repeats(vars)
	a.divisors()
	a.affixes(vars)
	a.all(others)
	a.truth(vars)
	a.predicates(vars)
	for _, v := range vars {
		a.empty(v)
	}
	for i, v := range vars {
		a.about(v)
		for _, w := range vars[i+1:] {
			a.between(v, w)
		}
	}
	return a.out
}

// mostAlready bounds of how many values it is asked whether they stand where they are to stand.
const mostAlready = 3

// already asks whether what the function writes down somewhere stands there already: who has a thing need not ask for it.
func (a *asker) already(fn *code.Node) {
	asked := 0
	for n := range fn.Own() {
		target, value := n.Kid(code.Target), n.Kid(code.Value)
		if asked == mostAlready || !n.Is(code.Assign) || n.Op != "=" || !target.Is(code.Index) || !value.Is(code.Name, code.Attr) || n.Start < a.site.Start && n.Parent.Holds(a.site.Start, a.site.End) ||
			!a.site.reaches(target) || !a.site.reaches(value) || !a.site.equals(value) {
			continue
		}
		asked++
		a.add(target.Text() + " " + a.eq + " " + value.Text())
	}
}

// equals reports whether the language's == asks of a value whether it is another one, and not the same object, or nothing that compiles.
func (s *site) equals(n *code.Node) bool {
	switch s.fact().Family {
	case "Java":
		return s.of(n).known() && s.of(n).kind&^(kNumber|kBool) == 0
	case "Go":
		return s.of(n).known() && s.of(n).kind&^(kNumber|kBool|kText) == 0
	}
	return true
}

// all adds the texts of conditions.
func (a *asker) all(conditions []*code.Node) {
	for _, c := range conditions {
		a.add(c.Text())
	}
}

// fromFile is what the site's own function asks itself, and what the rest of the file does, as far as the site knows the names in it.
func (a *asker) fromFile() (own, others []*code.Node) {
	s := a.site
	known := s.knownNames()
	fn := s.Function()
	for _, c := range s.unit.pool(s.File).conditions {
		switch {
		case !allKnown(c, known) || literal(c):
		case c.Function() == fn:
			own = append(own, c)
		default:
			others = append(others, c)
		}
	}
	return own, others
}

// The marks that a text may begin or end with: how many are asked about, of how many texts, and how long they may be.
const (
	mostMarks   = 3
	longestMark = 3 // letters
	markedTexts = 3
)

// affixFacts say how a language asks whether a text X begins, and whether it ends, with Y.
var affixFacts = map[string][2]string{
	"Python": {"X.startswith(Y)", "X.endswith(Y)"}, "JavaScript": {"X.startsWith(Y)", "X.endsWith(Y)"},
	"Java": {"X.startsWith(Y)", "X.endsWith(Y)"}, "Go": {"strings.HasPrefix(X, Y)", "strings.HasSuffix(X, Y)"},
}

// affixes asks whether a text begins or ends with a short one that the function writes out.
func (a *asker) affixes(vars []name) {
	s := a.site
	forms, fn := affixFacts[s.fact().Family], s.Function()
	texts := slices.DeleteFunc(slices.Clone(vars), func(v name) bool { return v.typ.kind != kText })
	if fn == nil || forms[0] == "" || len(texts) == 0 {
		return
	}
	letters := s.fact().Family == "Go" && !s.isModule("strings") // which can be done without
	if letters {
		forms = [2]string{"X[0] == Y", "X[len(X)-1] == Y"}
	}
	var marks []string
	for n := range fn.Own() {
		if mark, ok := shortText(n); ok && !slices.Contains(marks, mark) {
			marks = append(marks, mark)
		}
		if len(marks) == mostMarks {
			break
		}
	}
	for _, v := range texts[:min(len(texts), markedTexts)] {
		for _, mark := range marks {
			if letters {
				if len(mark) != len(`"x"`) {
					continue
				}
				mark = strconv.QuoteRune(rune(mark[1]))
			}
			for _, form := range slices.Backward(forms[:]) {
				a.add(strings.NewReplacer("X", v.text, "Y", mark).Replace(form))
			}
		}
	}
}

// shortText is a text, or letter, that is written out, as a text.
func shortText(n *code.Node) (string, bool) {
	t := n.Text()
	if !n.Is(code.Str, code.Char) || len(t) < 3 || len(t) > 2+longestMark || !strings.ContainsRune("'\"", rune(t[0])) || t[0] != t[len(t)-1] {
		return "", false
	}
	if n.Role == code.Char {
		t = `"` + t[1:len(t)-1] + `"`
	}
	return t, !strings.Contains(t, `\`) && t != `"""`
}

// truth asks for a variable's own truth, where it may have one.
func (a *asker) truth(vars []name) {
	f := a.site.fact()
	for _, v := range vars {
		if !f.Static || v.typ.is(kBool) {
			a.add(f.Not + v.text)
			a.add(v.text)
		}
	}
}

// predicates asks the file's own functions of one parameter.
func (a *asker) predicates(vars []name) {
	for _, fn := range a.site.ofOneParameter() {
		for _, v := range vars[:min(len(vars), 4)] {
			a.add(named(fn) + "(" + v.text + ")")
		}
	}
}

// empty asks whether there is nothing in a variable: of all cases that one is forgotten most often.
func (a *asker) empty(v name) {
	size := a.site.size(v)
	switch {
	case !v.typ.is(kText|kList) || v.typ.kind&^(kText|kList|kNull|kOther) != 0 || size == "":
	case strings.HasSuffix(size, ".size()"):
		a.add(v.text + ".isEmpty()")
	default:
		a.add(size + " " + a.eq + " 0")
	}
}

// about asks for a variable's sign, size, parity, or whether it is there at all.
func (a *asker) about(v name) {
	f := a.site.fact()
	if v.typ.is(kNumber) {
		a.add(v.text + " " + a.eq + " 0")
		a.add(v.text + " > 0")
		a.add(v.text + " < 0")
		lits := a.site.unit.pool(a.site.File).literals[code.Int]
		for _, lit := range lits[:min(len(lits), 6)] {
			if lit != "0" {
				a.add(v.text + " " + a.eq + " " + lit)
				a.add(v.text + " > " + lit)
				a.add(v.text + " < " + lit)
			}
		}
		if f.Family == "Go" && !v.typ.is(kInt) {
			a.add("int(" + v.text + ")%2 != 0")
			return
		}
		a.add(v.text + " % 2 " + a.eq + " 0")
		a.add(v.text + " % 2 " + a.eq + " 1")
	}
	if size := a.site.size(v); v.typ.is(kText|kList) && v.typ.kind&^(kText|kList|kNull|kOther) == 0 && size != "" {
		a.add(size + " " + a.eq + " 1")
	}
	if !f.Static || v.typ.kind&^(kOther|kText|kList|kMap) == 0 {
		a.add(v.text + " " + f.Same + " " + f.Null)
	}
}

// between compares two variables, or asks whether one holds the other.
func (a *asker) between(v, w name) {
	switch {
	case fits(v.typ, w.typ) >= 0.85:
		for _, op := range []string{a.eq, "<", ">"} {
			a.add(v.text + " " + op + " " + w.text)
		}
	case a.site.fact().Family == "Python" && (v.typ.is(kList|kMap) || w.typ.is(kList|kMap)):
		a.add(v.text + " in " + w.text)
		a.add(w.text + " in " + v.text)
	}
}

// unused asks what was made for asking and is never asked: a function of one parameter about what the condition is about, what is asked of a variable like
// one that is not, and whether a collection holds it.
func (a *asker) unused() {
	s := a.site
	fn := s.Function()
	body := fn.Kid(code.Body)
	if body == nil {
		return
	}
	for _, name := range s.unit.unused(fn) {
		if f := s.function(name); f == nil || len(f.All(code.Params)) != 1 {
			continue
		}
		for n := range s.Walk() {
			if n.Role == code.Name && n.Part != code.Callee && n.Part != code.Object {
				a.add(name + "(" + n.Name + ")")
			}
		}
	}
	a.saidOf(fn)
	a.counted(fn)
	a.already(fn)
	a.flagged(fn)
	a.marked(fn)
	a.carried(fn)
	a.lastRound()
	for _, text := range s.ofTwins() {
		a.add(text)
	}
	a.lookedUp(fn)
	if absent, _ := s.lookups(s.Node); s.isStatement() {
		for _, text := range absent {
			a.add(text)
		}
	}
	a.lapsed(fn)
}

// lookedUp asks whether a collection that nobody looks into holds what the condition is about.
func (a *asker) lookedUp(fn *code.Node) {
	s := a.site
	for _, v := range s.Scope() {
		if v.Kind != code.Local && v.Kind != code.Parameter || count(fn.Text(), v.Name) > 1 {
			continue
		}
		for n := range s.Walk() {
			if !n.Is(code.Name, code.Index, code.Attr, code.Call) || n.Part == code.Callee || n.Role == code.Name && n.Part == code.Object && s.isModule(n.Name) {
				continue
			}
			for _, text := range append(nextTo(n), n.Text()) {
				a.holds(v.Name, text)
			}
		}
	}
}

// mostCounted bounds the numbers that what was counted is compared with.
const mostCounted = 5

// counted asks how many there were, of what the function counts and never looks at.
func (a *asker) counted(fn *code.Node) {
	for _, v := range a.site.names() {
		if !v.local || v.fn || !v.typ.is(kInt) || !onlyCounted(fn, v.text) || a.site.countsStill(v.text) {
			continue
		}
		for n := range mostCounted + 1 {
			a.add(v.text + " > " + strconv.Itoa(n))
		}
	}
}

// mostMarked bounds the places that are asked about of what marks places.
const mostMarked = 6

// marked asks whether a place is marked that the condition is about, in a list in which the function marks places.
func (a *asker) marked(fn *code.Node) {
	s, n := a.site, 0
	seen := map[string]bool{}
	for m := range fn.Own() {
		of := m.Kid(code.Object)
		if !m.Is(code.Index) || m.Part != code.Target || !m.Parent.Is(code.Assign) || !m.Parent.Kid(code.Value).Is(code.Bool) || !of.Is(code.Name, code.Attr) || seen[of.Text()] {
			continue
		}
		seen[of.Text()] = true
		for _, v := range s.names() {
			if v.local && !v.fn && v.text != of.Text() && (!v.typ.known() || v.typ.is(kInt)) && mentions(s.Text(), v.text) && n < mostMarked {
				n++
				a.add(of.Text() + "[" + v.text + "]")
			}
		}
	}
}

// flagged asks of a flag that the function sets and never looks at whether it is still what it was at first, and whether it is not.
func (a *asker) flagged(fn *code.Node) {
	s := a.site
	for _, v := range s.names() {
		if !v.local || v.fn {
			continue
		}
		switch first := onlySet(fn, v.text); {
		case first == nil:
		case first.Is(code.Bool):
			a.add(v.text)
			a.add(s.fact().Not + v.text)
		case first.Is(code.Int):
			a.add(v.text + " " + a.eq + " " + first.Text())
			a.add(v.text + " " + contraries[a.eq] + " " + first.Text())
		}
	}
}

// carried asks whether anything is left of what a loop carries from one round to the next, and nothing looks at behind it.
func (a *asker) carried(fn *code.Node) {
	s := a.site
	loop := s.Parent
	if s.Part != code.Cond || !loop.Is(code.While, code.For) {
		return
	}
	for _, v := range s.names() {
		if !v.local || v.fn || v.typ.known() && !v.typ.is(kInt) || mentions(s.Text(), v.text) || !s.at(loop).gives(v.text) || mentions(fn.Text()[loop.End-fn.Start:], v.text) || givesOnly(loop, v.text) {
			continue
		}
		a.add(v.text + " > 0")
	}
}

// lastRound asks whether a loop that counts is in its last round, in which what was gathered has to be handed on.
func (a *asker) lastRound() {
	s := a.site
	loop := s.Up(code.For, code.Each, code.While, code.Function)
	if !loop.Is(code.For, code.Each) || s.Part == code.Cond && s.Parent == loop {
		return
	}
	if over := loop.Kid(code.Cond); loop.Is(code.For) && over.Is(code.Compare) && over.Op == "<" && over.Kid(code.Left).Is(code.Name) {
		a.add(over.Kid(code.Left).Text() + " " + a.eq + " " + over.Kid(code.Right).Text() + a.lessOne())
	}
	if count := loop.Kid(code.Target); loop.Is(code.Each) && count.Is(code.Name) && count.Name != "_" {
		if rounds := a.rounds(loop.Kid(code.Iter)); rounds != "" {
			a.add(count.Text() + " " + a.eq + " " + rounds + a.lessOne())
		}
	}
}

// lessOne takes one away, as the language's formatter writes it in a comparison.
func (a *asker) lessOne() string {
	if a.site.fact().Family == "Go" {
		return "-1"
	}
	return " - 1"
}

// rounds is how often a loop goes round that counts through something; empty: it does not count, or nobody can tell.
func (a *asker) rounds(over *code.Node) string {
	arg := over.Kid(code.Arg)
	switch {
	case a.site.fact().Family == "Go" && over.Is(code.Name) && !a.site.of(over).is(kMap|kInt):
		return "len(" + over.Text() + ")"
	case a.site.fact().Family != "Python" || !over.Is(code.Call) || len(over.All(code.Arg)) != 1:
	case over.Calls() == "range" && code.Primary(arg):
		return arg.Text()
	case over.Calls() == "enumerate" && arg.Is(code.Name, code.Attr):
		return "len(" + arg.Text() + ")"
	}
	return ""
}

// givesOnly reports whether a variable is never read in a loop, or made there.
func givesOnly(loop *code.Node, name string) bool {
	read := false
	for n := range loop.Own() {
		if n.Role != code.Name || n.Name != name {
			continue
		}
		if n.Part != code.Target {
			read = true
		} else if n.Parent.Declares && n.File.Facts.BlockScoped {
			return true
		}
	}
	return !read
}

// onlySet is the first value of a variable that a function gives values written out, several of them, and never reads; nil: it is none.
func onlySet(fn *code.Node, name string) (first *code.Node) {
	values := map[string]bool{}
	for n := range fn.Walk() {
		if n.Role != code.Name || n.Name != name {
			continue
		}
		v := n.Parent.Kid(code.Value)
		if !n.Parent.Is(code.Assign) || n.Part != code.Target || n.Parent.Op != "=" && n.Parent.Op != ":=" || !v.Is(code.Int, code.Bool) {
			return nil
		}
		values[v.Text()] = true
		if first == nil {
			first = v
		}
	}
	if len(values) < 2 {
		return nil
	}
	return first
}

// onlyCounted reports whether a function counts a variable up or down, and never reads it.
func onlyCounted(fn *code.Node, name string) bool {
	counts := false
	for n := range fn.Walk() {
		if n.Role != code.Name || n.Name != name {
			continue
		}
		p := n.Parent
		switch {
		case p.Role == code.Step && n.Part == code.Operand && p.Part != code.Update, p.Role == code.Assign && n.Part == code.Target && (p.Op == "+=" || p.Op == "-="):
			counts = true
		case n.Part == code.Target && p.Role == code.Assign:
		default:
			return false
		}
	}
	return counts
}

// countsStill reports whether the site stands in a loop that gives a variable its values.
func (s *site) countsStill(name string) bool {
	for n := s.Node; n != nil && n.Role != code.Function; n = n.Parent {
		if n.Is(code.For, code.Each, code.While) && s.at(n).gives(name) {
			return true
		}
	}
	return false
}
