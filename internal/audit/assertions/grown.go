package assertions

import (
	"slices"
	"strings"

	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/lang"
	"fettle/internal/pattern"
	"fettle/internal/syntax"
)

// OnlyMore reports whether a test file demands what it did, and more: nothing of it is gone or another thing but for assertions that became
// stronger, and what was added are assertions, tests, rows of tables and imports.
func OnlyMore(before, after *code.File) bool {
	return before != nil && after != nil && Grown(before.Root, after.Root)
}

// Grown reports whether b is a, with more demands.
func Grown(a, b *code.Node) bool {
	if a == nil || b == nil {
		return a == b
	}
	if sameText(a, b) {
		return true
	}
	if a.Role != b.Role || a.Name != b.Name || a.Op != b.Op {
		return false
	}
	if was, is := demandOf(a), demandOf(b); was != nil && is != nil {
		return demandsMore(was, is) || strings.Contains(b.Text(), "await ") && !strings.Contains(a.Text(), "await ") && was.Text == is.Text
	}
	switch a.Role {
	case code.Module, code.Block, code.Class:
		return sameHead(a, b) && follows(a.Kids, b.Kids, func(k *code.Node) bool { return adds(k, a.File.Source) })
	case code.List, code.Map:
		return rows.Replace(shell(a)) == rows.Replace(shell(b)) && follows(a.Kids, b.Kids, parts.Value)
	default:
		return strings.TrimPrefix(shell(b), "async") == strings.TrimPrefix(shell(a), "async") && slices.EqualFunc(a.Kids, b.Kids, func(x, y *code.Node) bool { return x.Part == y.Part && Grown(x, y) })
	}
}

// sameText reports whether a node is written as another one, but for white space that says nothing.
func sameText(a, b *code.Node) bool {
	return parts.Bare(a.Text()) == parts.Bare(b.Text()) && !indented(a)
}

// indented reports whether a node of Python's holds a block, of which only the white space says where it ends.
func indented(n *code.Node) bool {
	if n.File.Lang != syntax.Python {
		return false
	}
	for k := range n.Walk() {
		if k.Role == code.Block {
			return true
		}
	}
	return false
}

// demandsMore reports whether an assertion demands all that another one did of the same thing, and more.
func demandsMore(was, is *Assertion) bool {
	return was.About == is.About && is.Says > was.Says && (was.Says > Truthy || saysSoToo(was, is)) && !anything.MatchString(is.Text)
}

// falsy match how the opposite of holding is demanded, and nothing is written.
var falsy, nothing = pattern.New(`(?i)^not |False\(|Falsy\(|isNull\(|\.not\.`), pattern.New(`^-?(?:0(?:\.0*)?|False|false|None|null|nil|undefined|[rbuf]?""|[rbuf]?''|` + "``" + `|\[\]|\{\}|\(\))$`)

// saysSoToo reports whether what demands more of something that only had to hold demands that, too: it is equal to what holds. That it is None, or another thing
// than 5, may be the opposite.
func saysSoToo(was, is *Assertion) bool {
	if falsy.MatchString(was.Text) || falsy.MatchString(is.Text) {
		return false
	}
	var values []*code.Node
	for n := range is.At.Walk() {
		switch {
		case n.Is(code.Compare) && Comparing(n.Op) == Equal:
			values = append(values, n.Kid(code.Left), n.Kid(code.Right))
		case n.Is(code.Call) && Matcher(parts.LastName(n)) == Equal:
			values = append(values, n.All(code.Arg)...)
		}
	}
	return slices.ContainsFunc(values, func(v *code.Node) bool { return parts.Value(v) && !nothing.MatchString(parts.Bare(v.Text())) })
}

// anything matches values that are equal to all others.
var anything = pattern.New(`(?i)\bANY\b|anything`)

// openTo matches what says nothing of whether a runner makes a class.
var openTo = pattern.New(`\b(public|final)`)

// sameHead reports whether a class is made as another one, whoever may see it. What is none has no head.
func sameHead(a, b *code.Node) bool {
	return a.Role != code.Class || openTo.ReplaceAllString(shell(a), "") == openTo.ReplaceAllString(shell(b), "")
}

// follows reports whether each of the first has grown into one of the second, in order, and the others of the second may be there.
func follows(was, is []*code.Node, may func(*code.Node) bool) bool {
	i := 0
	for _, k := range is {
		if i < len(was) && Grown(was[i], k) {
			i++
		} else if !may(k) {
			return false
		}
	}
	return i == len(was)
}

// demandOf is the one thing that a statement or a call demands; nil, if it is no assertion by itself.
func demandOf(n *code.Node) *Assertion {
	for n.Is(code.Eval, code.Wait) {
		k := n.Kid(code.Value)
		if n.Role == code.Wait {
			k = n.Kid(code.Operand)
		}
		if k == nil {
			return nil
		}
		n = k
	}
	if a, ok := Called(n); ok {
		return &a
	}
	if conds, negated := conditions(n); len(conds) == 1 && n.Is(code.Other, code.Call) {
		if all := OfCondition(conds[0], negated); len(all) == 1 {
			return &all[0]
		}
	}
	return nil
}

// adds reports whether a statement that is new in a test file only adds to what is demanded: an assertion, a test that touches nothing that others
// see, an import of a name that the file did not use.
func adds(n *code.Node, src string) bool {
	if n.Role == code.Eval && n.Kid(code.Value) != nil {
		n = n.Kid(code.Value)
	}
	switch {
	case n.Role == code.Import:
		return !strings.Contains(n.Text(), "*") && !slices.ContainsFunc(imported(n.Text()), func(name string) bool { return parts.Mentions([]byte(src), name) })
	case TestName(n) != "":
		return keepsApart(n) && Works(n)
	}
	d := demandOf(n)
	return d != nil && d.Says > Nothing && keepsApart(n)
}

// Works reports whether a test that is new does anything, and is not left out right away.
func Works(test *code.Node) bool {
	for l := range strings.SplitSeq(parts.WithMarks(test), "\n") {
		if len(lang.Skips(lang.Of(test.File.Path), l)) > 0 {
			return false
		}
	}
	if all := Of(test); len(all) > 0 {
		return slices.ContainsFunc(all, func(a Assertion) bool { return a.Says > Nothing })
	}
	for n := range test.Walk() {
		if n != test && n.Role == code.Call {
			return !parts.Yields(test)
		}
	}
	return false
}

// imported are the words of an import that are no keywords.
func imported(text string) []string {
	return slices.DeleteFunc(strings.FieldsFunc(text, func(r rune) bool { return r > 0x7f || !parts.IsWord(byte(r)) }), func(w string) bool {
		return slices.Contains([]string{"import", "from", "as", "type", "static", "const", "require"}, w)
	})
}

// keepsApart reports whether code changes nothing outside of itself as far as can be seen: it assigns to nothing but its own names, and
// replaces nothing by something else.
func keepsApart(n *code.Node) bool {
	for k := range n.Walk() {
		switch {
		case k.Role == code.Assign && slices.ContainsFunc(k.All(code.Target), func(t *code.Node) bool { return t.Is(code.Attr, code.Index) }):
			return false
		case k.Role == code.Call && Replaces(parts.LastName(k)), k.Role == code.Other && strings.HasPrefix(k.Text(), "global"):
			return false
		case k.Role == code.Call && len(k.All(code.Arg)) > 0 && Fails(k) && IsExit(k), k.Role == code.Call && GoodExit.MatchString(k.Text()):
			return false
		}
	}
	return true
}

// Replaces reports whether a call of this name puts something in the place of what other tests use.
func Replaces(name string) bool { return replacing[name] }

// replacing are calls that put something in the place of what other tests use.
var replacing = map[string]bool{
	"patch": true, "setattr": true, "mock": true, "doMock": true, "spyOn": true, "fn": true, "stub": true, "replace": true, "setenv": true, "Setenv": true, "stubGlobal": true,
	"delattr": true, "setitem": true, "mockImplementation": true, "exec": true, "eval": true, "chdir": true, "Chdir": true, "seed": true, "useFakeTimers": true, "beforeEach": true, "beforeAll": true,
}

// rows is what separates the rows of a table, which may be more.
var rows = strings.NewReplacer("{", "", "}", "", "[", "", "]", "", "(", "", ")", "")

// shell is the text of a node without that of its parts.
func shell(n *code.Node) string {
	var b strings.Builder
	at := n.Start
	for _, k := range n.Kids {
		if k.Start >= at {
			b.WriteString(n.File.Source[at:k.Start])
			at = k.End
		}
	}
	if at < n.End {
		b.WriteString(n.File.Source[at:n.End])
	}
	return strings.ReplaceAll(parts.Bare(b.String()), ",", "")
}
