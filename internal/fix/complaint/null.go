package complaint

import (
	"strconv"
	"strings"

	"fettle/internal/code"
	"fettle/internal/pattern"
)

// optionalChain asks a value for a member only if there is one.
func optionalChain(b *bench) {
	if b.file.Facts.Name != "TypeScript" && b.file.Facts.Name != "JavaScript" {
		return
	}
	object := b.nullable()
	if object == nil {
		return
	}
	end := object.End
	switch rest := b.file.Source[end:]; {
	case object.Parent.Is(code.Attr) && object.Part == code.Object && strings.HasPrefix(rest, "."):
		b.propose(1, quote(object.Text())+" may be missing", replaced(end, end, "?"))
	case object.Parent.Is(code.Index) && object.Part == code.Object && strings.HasPrefix(rest, "["), object.Part == code.Callee && strings.HasPrefix(rest, "("):
		b.propose(1, quote(object.Text())+" may be missing", replaced(end, end, "?."))
	}
}

// orEmpty looks through nothing where what is to be looked through is missing.
func orEmpty(b *bench) {
	if !strings.Contains(b.Finding.Message, "Symbol.iterator") {
		return
	}
	n := b.value()
	if n == nil || b.end > b.start && n.End < b.end {
		return
	}
	text := code.Grouped(n) + " ?? []"
	if n.Parent.Is(code.Spread) {
		text = "(" + text + ")"
	}
	b.propose(1, quote(n.Text())+" may be missing", replaced(n.Start, n.End, text))
}

// saysNone reports whether a type of Python's says that there may be none.
func saysNone(typ string) bool {
	return strings.HasPrefix(typ, "Optional[") || strings.HasSuffix(typ, " | None") || strings.HasPrefix(typ, "None | ") || strings.HasSuffix(typ, ", None]")
}

// nullable is the value that may be null.
func (b *bench) nullable() *code.Node {
	if b.file.Facts.Name == "Python" {
		return b.noneOf()
	}
	var object *code.Node
	for n := b.at; n != nil; n = n.Parent {
		if b.Name != "" && n.Text() == b.Name && n.Is(code.Name, code.Attr, code.Call, code.Index) {
			return n
		}
		if b.Name == "" && n.Part == code.Callee && strings.Contains(b.Finding.Message, "invoke") {
			return n
		}
		if b.Name == "" && n.Is(code.Index, code.Call) && n.Start == b.start && (n.Part == code.Object || n.Part == code.Left || n.Part == code.Right || n.Part == code.Operand) {
			return n // a name would have been told
		}
		if b.Name == "" && n.Part == code.Object && (n.Start == b.start || object == nil) {
			object = n // the longest that begins there
		}
	}
	return object
}

// How checkers of Python say what is done to the value.
var (
	called   = pattern.New(`"None" (?:not callable|cannot be called)|"None" cannot be called`)
	entered  = pattern.New(`"__(?:enter|exit|aenter|aexit)__"|cannot be used with "(?:async )?with"`)
	handed   = pattern.New(`Argument (\d+|"\w+") to "(\w+)"|Argument of type .* in function "(\w+)"`)
	iterated = pattern.New(`"__iter__"|iterable`)
	operated = pattern.New(`[Oo]perand|Operator`)
	onRight  = pattern.New(`\("[^"]*" and "None"\)|for types "[^"]*" and "[^"]* \| None"`)
)

// noneOf is the value that may be None: the first on the complaint's line to which is done what the words say.
func (b *bench) noneOf() *code.Node {
	said := b.Finding.Message
	for n := range b.file.Root.Walk() {
		if b.file.Tree.Position(n.End).Line != b.Finding.Range.Start.Line && n.Line() != b.Finding.Range.Start.Line {
			continue
		}
		var found *code.Node
		switch m := handed.FindStringSubmatch(said); {
		case m != nil:
			found = b.argument(n, m)
		case called.MatchString(said):
			if n.Is(code.Call) {
				found = n.Kid(code.Callee)
			}
		case entered.MatchString(said):
			if n.Is(code.Name, code.Attr) && b.inHead(n) {
				found = n
			}
		case iterated.MatchString(said):
			if n.Is(code.Each) {
				found = n.Kid(code.Iter)
			}
		case operated.MatchString(said):
			found = sideOf(n, said)
		case n.Is(code.Attr) && n.Name == b.Name, n.Is(code.Index) && b.Name == "":
			return n.Kid(code.Object)
		}
		if found.Is(code.Name, code.Attr) {
			return found
		}
	}
	return nil
}

// sideOf is the side of an operation that may be None.
func sideOf(n *code.Node, said string) *code.Node {
	if !n.Is(code.Arith, code.Compare) {
		return nil
	}
	right := n.Kid(code.Right)
	if onRight.MatchString(said) && (n.Is(code.Arith) || right.Is(code.Name, code.Attr)) {
		return right
	}
	return n.Kid(code.Left) // a < b is asked of b as b > a
}

// inHead reports whether a value is what a with statement of Python's enters.
func (b *bench) inHead(n *code.Node) bool {
	item := b.file.Tree.Enclosing(n.Start, n.End)
	for ; !item.IsZero() && !item.Is("with_item", "block"); item = item.Parent() {
	}
	return item.Is("with_item") && item.Child("value").Start() == n.Start
}

// argument is the one of a call that the words name, by its number or its name; else the one at the place.
func (b *bench) argument(call *code.Node, m []string) *code.Node {
	if !call.Is(code.Call) || call.Calls() != m[2]+m[3] {
		return nil
	}
	which, err := strconv.Atoi(m[1])
	for i, a := range call.All(code.Arg) {
		switch {
		case m[1] == "" && a.Holds(b.start, b.start), err == nil && i == which-1 && !a.Is(code.Keyword):
			return a
		case a.Is(code.Keyword) && m[1] == `"`+a.Name+`"`:
			return a.Kid(code.Value)
		}
	}
	return nil
}

// guardNull leaves a function where a value is missing that the rest of it needs; in a loop over such values, it goes on with the next.
func guardNull(b *bench) {
	object := b.toGuard()
	if !object.Is(code.Name, code.Attr) {
		return
	}
	stmt, fn := object.Statement(), object.Function()
	if stmt == nil || fn == nil || !stmt.Alone() {
		return
	}
	value := b.nothingOf(fn)
	indent, facts := stmt.Indent(), b.file.Facts
	why := quote(object.Text()) + " may be missing"
	switch facts.Name {
	case "Python":
		leave := "return" + value
		if b.ofLoop(object) {
			leave = "continue"
		}
		b.propose(1, why, replaced(stmt.Start, stmt.Start, "if "+object.Text()+" is None:\n"+indent+"    "+leave+"\n"+indent))
	case "TypeScript", "JavaScript":
		if strings.TrimSpace(value) == "null" {
			value = " undefined"
		}
		b.propose(1, why, replaced(stmt.Start, stmt.Start, "if ("+object.Text()+b.isMissing()+") {\n"+indent+"  return"+value+endOf(stmt)+"\n"+indent+"}\n"+indent))
	}
}

// toGuard is the value that has to be there for what follows; nil: none is known.
func (b *bench) toGuard() *code.Node {
	switch {
	case b.Kind != Mistyped:
		return b.nullable()
	case b.compiled(), b.Got == "None", b.Got == "null", b.Got == "undefined", !nullish.MatchString(b.Got), nullish.MatchString(b.Want):
		return nil // it is always missing, or never, or may be
	}
	return b.value()
}

// nothingOf is what a function gives back where it has nothing to give, behind a blank; empty: it gives nothing at all.
func (b *bench) nothingOf(fn *code.Node) (value string) {
	for n := range fn.Own() {
		if n.Role == code.Return && n.Kid(code.Value) != nil {
			value = " " + b.file.Facts.Null
			if none := b.nothing(fn.Type); len(none) > 0 && !strings.Contains(fn.Type, "None") && !strings.Contains(fn.Type, "null") && !strings.Contains(fn.Type, "Optional") {
				value = " " + none[0]
			}
		}
	}
	return value
}

// nullish is a type of which there may be none.
var nullish = pattern.New(`(?:^|\| )(?:undefined|null|None)(?:$| \|)|^Optional\[`)

// isMissing is how TypeScript asks whether there is a value, by which of the two the compiler speaks of: 0 and "" are there.
func (b *bench) isMissing() string {
	said := b.Finding.Message
	none, undefined := strings.Contains(said, "null"), strings.Contains(said, "undefined")
	switch {
	case none && !undefined:
		return " === null"
	case undefined && !none:
		return " === undefined"
	}
	return " == null"
}

// ofLoop reports whether a value is what the nearest loop around it hands out, and not only asked for in its head.
func (b *bench) ofLoop(n *code.Node) bool {
	for n.Is(code.Attr) {
		n = n.Kid(code.Object)
	}
	loop := n.Up(code.Each, code.While, code.For)
	if !loop.Is(code.Each) || loop.Kid(code.Body) == nil || !loop.Kid(code.Body).Holds(n.Start, n.End) {
		return false
	}
	for _, t := range loop.All(code.Target) {
		for k := range t.Walk() {
			if k.Is(code.Name) && k.Name == n.Name {
				return true
			}
		}
	}
	return false
}

func endOf(stmt *code.Node) string {
	if strings.HasSuffix(stmt.Text(), ";") {
		return ";"
	}
	return ""
}
