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
	if object == nil || !object.Parent.Is(code.Attr) || object.Part != code.Object {
		return
	}
	dot := object.End
	if dot < len(b.file.Source) && b.file.Source[dot] == '.' {
		b.propose(1, quote(object.Text())+" may be missing", replaced(dot, dot, "?"))
	}
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
		if b.Name == "" && n.Part == code.Object && (n.Start == b.start || object == nil) {
			object = n // the longest that begins there
		}
	}
	return object
}

// How checkers of Python say what is done to the value.
var (
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
		case iterated.MatchString(said):
			if n.Is(code.Each) {
				found = n.Kid(code.Iter)
			}
		case operated.MatchString(said):
			switch part := code.Left; {
			case !n.Is(code.Arith, code.Compare):
			case onRight.MatchString(said):
				part = code.Right
				fallthrough
			default:
				found = n.Kid(part)
			}
		case n.Is(code.Attr) && n.Name == b.Name, n.Is(code.Index) && b.Name == "":
			return n.Kid(code.Object)
		}
		if found.Is(code.Name, code.Attr) {
			return found
		}
	}
	return nil
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
	object := b.nullable()
	if object == nil || !object.Is(code.Name, code.Attr) {
		return
	}
	stmt, fn := object.Statement(), object.Function()
	if stmt == nil || fn == nil || !stmt.Alone() {
		return
	}
	value := ""
	for n := range fn.Own() {
		if n.Role == code.Return && n.Kid(code.Value) != nil {
			value = " " + b.file.Facts.Null
			if none := b.nothing(fn.Type); len(none) > 0 && !strings.Contains(fn.Type, "None") && !strings.Contains(fn.Type, "null") && !strings.Contains(fn.Type, "Optional") {
				value = " " + none[0]
			}
		}
	}
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
		b.propose(1, why, replaced(stmt.Start, stmt.Start, "if (!"+object.Text()+") {\n"+indent+"  return"+value+endOf(stmt)+"\n"+indent+"}\n"+indent))
	}
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
