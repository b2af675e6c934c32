package search

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
)

// What people take a language to do that it does not: slips of the same kinds as their templates have, over more than one place.

// halves compares every part of a condition that is compared with nothing: x == a or b or c.
func (s *site) halves(try func(change)) {
	if s.Role != code.Logic || s.Parent.Is(code.Logic) && s.Parent.Op == s.Op {
		return
	}
	var asked *code.Node
	var edits []edit.Edit
	for _, part := range partsOf(s.Node, s.Op) {
		switch {
		case part.Is(code.Compare):
			asked = part
		case asked != nil && part.Is(code.Int, code.Str, code.Float, code.Char, code.Name):
			edits = append(edits, edit.Edit{Start: part.Start, End: part.Start, New: []byte(asked.Kid(code.Left).Text() + " " + asked.Op + " ")})
		default:
			return
		}
	}
	if len(edits) > 1 {
		try(change{edits, 1, quote(s.Text()) + " compares the first of its values alone"})
	}
}

// partsOf are the parts that an operator joins, from left to right.
func partsOf(n *code.Node, op string) []*code.Node {
	if !n.Is(code.Logic) || n.Op != op {
		return []*code.Node{n}
	}
	return append(partsOf(n.Kid(code.Left), op), partsOf(n.Kid(code.Right), op)...)
}

// swapBoth exchanges two values where one is given the other's, and the other what is then its own: a = b and b = a.
func (s *site) swapBoth(second *code.Node, try func(change)) {
	prev := s.Prev()
	if prev == nil {
		return
	}
	first := assigned(prev)
	if first == nil || (first.Declares || second.Declares) && s.fact().BlockScoped {
		return
	}
	a, b := first.Kid(code.Target), first.Kid(code.Value)
	if !a.Is(code.Name, code.Index, code.Attr) || a.Text() != second.Kid(code.Value).Text() || b.Text() != second.Kid(code.Target).Text() {
		return
	}
	why := quote(a.Text()) + " is lost before " + quote(b.Text()) + " is given it"
	whole := func(text string) {
		try(change{[]edit.Edit{{Start: prev.Start, End: s.End, New: []byte(s.statement(text))}}, 1, why})
	}
	switch s.fact().Family {
	case "Python", "Go":
		whole(a.Text() + ", " + b.Text() + " = " + b.Text() + ", " + a.Text())
	case "JavaScript":
		if before := prev.Prev(); before == nil || strings.HasSuffix(before.Text(), ";") || strings.HasSuffix(before.Text(), "}") {
			whole("[" + a.Text() + ", " + b.Text() + "] = [" + b.Text() + ", " + a.Text() + "]")
		}
	case "Java":
		kept := unusedName(s.Function(), "kept", "saved", "temp")
		value := second.Kid(code.Value)
		try(change{[]edit.Edit{
			{Start: prev.Start, End: prev.Start, New: []byte(s.statement("var "+kept+" = "+a.Text()) + "\n" + prev.Indent())},
			{Start: value.Start, End: value.End, New: []byte(kept)},
		}, 1, why})
	}
}

// lostText gives a variable the text that a call makes of it, where what the call gives back is lost: no call changes a text itself.
func (s *site) lostText(try func(change)) {
	call := s.Kid(code.Value)
	callee := call.Kid(code.Callee)
	if s.Role != code.Eval || !s.isStatement() || !call.Is(code.Call) || callee == nil {
		return
	}
	of := callee.Kid(code.Object)
	switch {
	case callee.Is(code.Name) && callee.Name == "sorted", callee.Is(code.Attr) && of.Is(code.Name) && s.isModule(of.Name) && results[callee.Name] == kText:
		of = call.Kid(code.Arg)
	case !callee.Is(code.Attr) || results[callee.Name] != kText && callee.Name != "concat" || callee.Name == "format":
		return
	}
	if of.Is(code.Name, code.Attr, code.Index) && !s.isModule(of.Text()) {
		try(insert(s.Start, of.Text()+" = ", 1, "what %s gives back was lost", quote(callee.Text())))
	}
}

// entryOnce gives a map an entry to begin with only where it has none: it was begun afresh each time.
func (s *site) entryOnce(try func(change)) {
	indent := s.Indent()
	if cond, weight := s.hasNone(); cond != "" {
		body := reindented(s.Node, indent+s.unit.pool(s.File).unit)
		try(replace(s.Node, s.guard(cond, body, indent), weight, "%s is to be done only where there is none", quote(firstOf(s.Text()))))
	}
}

// hasNone asks whether a map has no entry yet where a statement gives it one, which is likely to be meant where the entry is empty.
func (s *site) hasNone() (cond string, weight float64) {
	a := assigned(s.Node)
	if a == nil || a.Op != "=" || !a.Kid(code.Target).Is(code.Index) {
		return "", 0
	}
	m, key := a.Kid(code.Target).Kid(code.Object), a.Kid(code.Target).Kid(code.At)
	if !m.Is(code.Name, code.Attr) || key == nil || key.Is(code.Int) {
		return "", 0
	}
	if t := s.of(m); t.known() && !t.is(kMap|kList) {
		return "", 0
	}
	weight = 0.5
	if s.beginsEmpty(a) || a.Kid(code.Value).Is(code.Map) {
		weight = 1
	}
	switch s.fact().Family {
	case "Python":
		return key.Text() + " not in " + m.Text(), weight
	case "JavaScript":
		return "!(" + key.Text() + " in " + m.Text() + ")", weight
	case "Go":
		return "_, ok := " + m.Text() + "[" + key.Text() + "]; !ok", weight
	}
	return "", 0
}

// lastOne is the last element where one by its number is read.
func (s *site) lastOne(try func(change)) {
	if s.Role != code.Int || s.Part != code.At || !s.Parent.Is(code.Index) {
		return
	}
	of := s.Parent.Kid(code.Object)
	if !of.Is(code.Name, code.Attr) || s.at(s.Parent).written() {
		return
	}
	last := ""
	switch s.fact().Family {
	case "Python":
		last = "-1"
	case "JavaScript", "Java":
		last = of.Text() + ".length - 1"
	case "Go":
		last = "len(" + of.Text() + ") - 1"
	}
	if t := s.of(of); last != "" && s.Text() != last && (!t.known() || t.is(kList|kText)) {
		try(replace(s.Node, last, 0.6, "the last of %s is meant", quote(of.Text())))
	}
}

// ofFirst measures the first element where a list of lists is measured: how wide it is, not how high.
func (s *site) ofFirst(try func(change)) {
	measured := s.Part == code.Object && s.Parent.Is(code.Attr) && s.Parent.Name == "length" ||
		s.Part == code.Arg && s.Parent.Is(code.Call) && s.Parent.Kid(code.Callee).Is(code.Name) && s.Parent.Kid(code.Callee).Name == "len"
	if t := s.of(s.Node); !measured || !s.Is(code.Name, code.Attr) || t.known() && !t.is(kList) {
		return
	}
	nested := 0.2
	for n := range s.Function().Walk() {
		if n.Is(code.Index) && n.Kid(code.Object).Is(code.Index) && n.Kid(code.Object).Kid(code.Object).Text() == s.Text() {
			nested = 1
		}
	}
	try(insert(s.End, "[0]", nested, "the first of %s is to be measured", quote(s.Text())))
}

// memberOf gives a member a value where its object is given it: previous = current.next for previous.next.
func (s *site) memberOf(try func(change)) {
	if s.Role != code.Name || s.Part != code.Target || !s.Parent.Is(code.Assign) || s.Parent.Op != "=" {
		return
	}
	if v := s.Parent.Kid(code.Value); v.Is(code.Attr) && v.Kid(code.Object).Text() != s.Text() {
		try(insert(s.End, "."+v.Name, 0.9, "the member %s of %s is what should be given a value", quote(v.Name), quote(s.Text())))
	}
}

// inOrder puts the branches of a chain into the order of the bounds that they ask about one after the other: x <= 20, then x <= 5, which nothing reaches.
func (s *site) inOrder(try func(change)) {
	if s.Role != code.If || s.Part == code.Else {
		return
	}
	type branch struct {
		cond, body *code.Node
		bound      float64
	}
	var chain []branch
	for _, n := range chainOf(s.Node) {
		cond, body := n.Kid(code.Cond), n.Kid(code.Then)
		if !cond.Is(code.Compare) || body == nil || len(chain) > 0 && (cond.Op != chain[0].cond.Op || cond.Kid(code.Left).Text() != chain[0].cond.Kid(code.Left).Text()) {
			break
		}
		bound, err := strconv.ParseFloat(cond.Kid(code.Right).Text(), 64)
		if err != nil {
			break
		}
		chain = append(chain, branch{cond, body, bound})
	}
	if len(chain) < 3 || !strings.ContainsAny(chain[0].cond.Op, "<>") {
		return
	}
	sorted := slices.Clone(chain)
	slices.SortStableFunc(sorted, func(a, b branch) int {
		if strings.HasPrefix(chain[0].cond.Op, "<") {
			return cmp.Compare(a.bound, b.bound)
		}
		return cmp.Compare(b.bound, a.bound)
	})
	var edits []edit.Edit
	for i, to := range chain {
		if from := sorted[i]; from != to {
			edits = append(edits, edit.Edit{Start: to.cond.Start, End: to.cond.End, New: []byte(from.cond.Text())}, edit.Edit{Start: to.body.Start, End: to.body.End, New: []byte(from.body.Text())})
		}
	}
	if len(edits) > 0 {
		try(change{edits, 1, "the branches from " + quote(chain[0].cond.Text()) + " on were in the wrong order"})
	}
}

// chainOf is a branch and those that are asked where it does not hold.
func chainOf(n *code.Node) (out []*code.Node) {
	out = append(out, n)
	for _, k := range n.All(code.Else) {
		if k.Is(code.If) {
			out = append(out, chainOf(k)...)
		}
	}
	return out
}

// withoutElse takes a branch out whose only statement does not belong there.
func (s *site) withoutElse(try func(change), why string) {
	branch := s.Parent
	if branch.Part != code.Else {
		branch = branch.Parent
	}
	if !branch.Is(code.If, code.Block) || branch.Part != code.Else || len(branch.All(code.Else)) > 0 || !branch.Parent.Is(code.If) {
		return
	}
	for _, c := range s.at(branch).withoutArm() {
		try(change{c.edits, 0.6, why})
	}
}
