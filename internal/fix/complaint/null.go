package complaint

import (
	"strings"

	"fettle/internal/code"
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

// nullable is the value that may be null.
func (b *bench) nullable() *code.Node {
	if b.file.Facts.Name != "Python" {
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
	for n := range b.file.Root.Walk() {
		if b.file.Tree.Position(n.End).Line != b.Finding.Range.Start.Line && n.Line() != b.Finding.Range.Start.Line {
			continue
		}
		if n.Is(code.Attr) && n.Name == b.Name || n.Is(code.Index) && b.Name == "" {
			return n.Kid(code.Object)
		}
	}
	return nil
}

// guardNull leaves a function where a value is missing that the rest of it needs.
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
		b.propose(1, why, replaced(stmt.Start, stmt.Start, "if "+object.Text()+" is None:\n"+indent+"    return"+value+"\n"+indent))
	case "TypeScript", "JavaScript":
		if strings.TrimSpace(value) == "null" {
			value = " undefined"
		}
		b.propose(1, why, replaced(stmt.Start, stmt.Start, "if (!"+object.Text()+") {\n"+indent+"  return"+value+endOf(stmt)+"\n"+indent+"}\n"+indent))
	}
}

func endOf(stmt *code.Node) string {
	if strings.HasSuffix(stmt.Text(), ";") {
		return ";"
	}
	return ""
}
