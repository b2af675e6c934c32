package complaint

import (
	"fmt"
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/pattern"
)

// haveWant finds in the words of Go's compiler the types that a return has, and those that it should have.
var haveWant = pattern.New(`have \(([^\n]*)\)\s*want \(([^\n]*)\)`)

// returnAll gives back what the function says that it gives: no error beside what is there, or nothing more.
func returnAll(b *bench) {
	m := haveWant.FindStringSubmatch(b.Finding.Message + "\n" + b.Finding.Detail)
	ret := b.at
	if !ret.Is(code.Return) {
		ret = ret.Up(code.Return)
	}
	if m == nil || ret == nil {
		return
	}
	have, want, values := typesOf(m[1]), typesOf(m[2]), ret.All(code.Value)
	switch n := len(have); {
	case n != len(values):
	case n == 1 && len(want) == 2 && have[0] == "error":
		b.propose(1, "the error was given back without the other result", replaced(values[0].Start, values[0].Start, code.GoZero(want[0])+", "))
	case n > 0 && len(want) == n+1 && want[n] == "error":
		b.propose(1, "nothing was said of an error where there is none", replaced(ret.End, ret.End, ", nil"))
	case n > 0 && len(want) == n-1 && !effective(values[n-1]) && n > 1:
		b.propose(1, "there is one result too many", replaced(values[n-2].End, values[n-1].End, ""))
	case n == 1 && len(want) == 0 && !effective(values[0]):
		b.propose(0.8, "the function gives nothing", replaced(ret.Start+len("return"), ret.End, ""))
	}
}

// typesOf are the types of a list of them.
func typesOf(list string) []string {
	if strings.TrimSpace(list) == "" {
		return nil
	}
	return code.GoResults("(" + list + ")")
}

var assignedCount = pattern.New(`assignment mismatch: (\d+) variables? but .* returns? (\d+) values?`)

// takeError takes the error that a call gives beside its value, and hands it on; of one that gives no error it is not taken.
func takeError(b *bench) {
	m := assignedCount.FindStringSubmatch(b.Finding.Message)
	assign := b.at
	if !assign.Is(code.Assign) {
		assign = assign.Up(code.Assign)
	}
	if m == nil || assign == nil {
		return
	}
	targets := assign.All(code.Target)
	last := targets[len(targets)-1]
	switch {
	case m[1] == "1" && m[2] == "2" && assign.Op == ":=":
		b.handOn(assign, ", err", last.End, "the error of %s was not taken")
	case m[1] == "2" && m[2] == "1" && (last.Name == "err" || last.Text() == "_"):
		b.propose(1, quote(assign.Kid(code.Value).Text())+" gives no error", replaced(targets[0].End, last.End, ""))
	}
}

// handOn gives the error that a statement leaves in err to the caller, together with nothing for the other results.
func (b *bench) handOn(assign *code.Node, more string, at int, why string) {
	stmt, fn := assign.Statement(), b.function()
	if stmt == nil || stmt != assign || fn == nil || !stmt.Alone() {
		return
	}
	values, ok := besideError(fn)
	if !ok {
		return
	}
	indent := stmt.Indent()
	check := fmt.Sprintf("\n%sif err != nil {\n%s\treturn %s\n%s}", indent, indent, values, indent)
	why = fmt.Sprintf(why, quote(assign.Kid(code.Value).Text()))
	if more == "" {
		b.propose(1, why, replaced(stmt.End, stmt.End, check))
		return
	}
	b.propose(1, why, replaced(at, at, more), replaced(stmt.End, stmt.End, check))
}

// handOnStored hands on an error that was stored and that nobody looks at before it is gone.
func handOnStored(b *bench) {
	if b.Name != "err" || b.file.Facts.Name != "Go" {
		return
	}
	assign, target := b.made()
	if assign == nil || !assign.Kid(code.Value).Is(code.Call) || b.Kind == UnusedName && b.outside(assign, target) {
		return
	}
	b.handOn(assign, "", 0, "the error of %s was lost")
}

// dropAssignment takes out a value that nobody reads before there is another one, if working it out does nothing.
func dropAssignment(b *bench) {
	assign, target := b.made()
	if assign == nil || assign.Declares || len(assign.All(code.Target)) != 1 || assign.Op != "=" || !target.Is(code.Name) {
		return
	}
	stmt, value := assign.Statement(), assign.Kid(code.Value)
	if stmt == nil || !stmt.Alone() || stmt != assign && stmt != assign.Parent || effective(value) {
		return
	}
	b.propose(1, "nothing reads "+quote(b.Name)+" before it has another value", b.withoutStatement(stmt))
}

// knownAlready gives a value to variables that are all known already.
func knownAlready(b *bench) {
	assign := b.at
	if !assign.Is(code.Assign) {
		assign = assign.Up(code.Assign)
	}
	if assign != nil && assign.Op == ":=" {
		b.propose(1, "all that stands on the left is known already", replaced(assign.OpStart, assign.OpEnd, "="))
	}
}

// declareHere makes a variable where one is given its value that nobody has made.
func declareHere(b *bench) {
	if b.file.Facts.Name != "Go" || !b.at.Is(code.Name) || b.at.Part != code.Target || b.at.Parent.Op != "=" || len(b.at.Parent.All(code.Target)) > 1 && !slices.ContainsFunc(b.at.Parent.All(code.Target), func(t *code.Node) bool { return t.Name == "err" }) {
		return
	}
	b.propose(1, quote(b.Name)+" was never made", replaced(b.at.Parent.OpStart, b.at.Parent.OpEnd, ":="))
}

// operands finds the types of the two sides of an operation that do not go together.
var operands = pattern.New(`mismatched types (?:untyped )?(\S+) and (?:untyped )?([^\s)]+)|operand types for (?:\+|%|-|\*) \("([^"]*)" and "([^"]*)"\)|not supported for types "([^"]*)" and "([^"]*)"`)

// oneType makes one of the sides of an operation what the other one is.
func oneType(b *bench) {
	m := operands.FindStringSubmatch(b.Finding.Message)
	if m == nil {
		return
	}
	left, right := plainly(m[1]+m[3]+m[5]), plainly(m[2]+m[4]+m[6])
	n := b.at
	for n != nil && !n.Is(code.Arith, code.Compare) {
		n = n.Parent
	}
	if n == nil {
		for k := range b.file.Root.Walk() {
			if k.Is(code.Arith) && k.Line() == b.Finding.Range.Start.Line {
				n = k
			}
		}
	}
	if n == nil || b.lineAt(n.OpStart) != b.Finding.Range.Start.Line && b.lineAt(n.Start) != b.Finding.Range.Start.Line {
		return
	}
	b.likened(n.Kid(code.Left), left, right)
	b.likened(n.Kid(code.Right), right, left)
}

// likened proposes the ways in which a side becomes of the other one's type: a number is made a text sooner than a text a number, and a smaller number a
// larger one.
func (b *bench) likened(side *code.Node, got, want string) {
	if side == nil || side.Is(code.Int, code.Float, code.Str) && b.compiled() || side.Is(code.Str) && want != "str" {
		return
	}
	for _, w := range wrappings[b.file.Facts.Name] {
		if got == want || !w.got(got) || !w.want(want) || strings.Contains(w.form, "[") || w.why == sizeMeant || w.form == "round(X)" {
			continue
		}
		x := side.Text()
		if !strings.Contains(w.form, "(X)") {
			x = code.Grouped(side)
		}
		weight := w.weight
		if rank(got) > rank(want) {
			weight *= 0.5
		}
		text := strings.ReplaceAll(strings.ReplaceAll(w.form, "X", x), "WANT", want)
		b.propose(weight, fmt.Sprintf("%s is %s beside %s", quote(side.Text()), quote(got), quote(want)), append(b.needed(w.form), replaced(side.Start, side.End, text))...)
	}
}

// rank orders types by what they can hold.
func rank(typ string) int {
	order := []string{"byte", "uint8", "int8", "int16", "uint16", "int32", "rune", "uint32", "int", "uint", "int64", "long", "uint64", "float32", "float", "float64", "double", "str", "string", "String"}
	return slices.Index(order, typ)
}
