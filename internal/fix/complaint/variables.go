package complaint

import (
	"fmt"
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
	"fettle/internal/pattern"
)

// made is the statement by which the complaint's name is given its value, at the place.
func (b *bench) made() (assign, target *code.Node) {
	n := b.at
	if n.Is(code.Name) && n.Name == b.Name {
		target = n
	}
	for ; n != nil && !n.Is(code.Block, code.Function, code.Module); n = n.Parent {
		if n.Role == code.Assign {
			for _, t := range n.All(code.Target) {
				for k := range t.Walk() {
					if k.Is(code.Name) && k.Name == b.Name && (target == nil || target == k) {
						return n, k
					}
				}
			}
		}
	}
	return nil, nil
}

// assignOuter gives the value to the variable that is known outside, where one of the same name was made to hide it.
func assignOuter(b *bench) {
	assign, target := b.made()
	if assign == nil || !assign.Declares || !b.file.Facts.BlockScoped {
		return
	}
	if !b.outside(assign, target) {
		return
	}
	why := fmt.Sprintf("a new %s was made where the one outside is meant", quote(b.Name))
	switch {
	case assign.Op == ":=" && makesNone(assign, nil):
		b.propose(1, why, replaced(assign.OpStart, assign.OpEnd, "="))
	case assign.Op == ":=" && assign.Part == code.Init:
		return
	case assign.Op == ":=":
		b.declareFirst(assign, why)
	case assign.Parent.Is(code.Declaration) && len(assign.Parent.All(code.Elem)) == 1 && assign.Op == "=":
		b.propose(1, why, replaced(assign.Parent.Start, assign.Start, ""))
	}
}

// outside reports whether a variable of the complaint's name is known outside of where an assignment makes another one.
func (b *bench) outside(assign, target *code.Node) bool {
	for _, v := range assign.Scope() {
		if v.Name == b.Name && v.Decl != target && v.Near == 0 && v.Kind != code.Namespace {
			return true
		}
	}
	return false
}

// declareFirst gives the names that an assignment makes beside the complaint's a declaration of their own, as a compiler knows their types.
func (b *bench) declareFirst(assign *code.Node, why string) {
	stmt := assign.Statement()
	if stmt == nil || !stmt.Alone() {
		return
	}
	known := namesBefore(assign)
	var text strings.Builder
	for _, t := range assign.All(code.Target) {
		if t.Is(code.Name) && known[t.Name] {
			continue
		}
		typ := b.known(t)
		if typ == "" {
			return
		}
		fmt.Fprintf(&text, "var %s %s\n%s", t.Name, typ, stmt.Indent())
	}
	b.propose(1, why, replaced(stmt.Start, stmt.Start, text.String()), replaced(assign.OpStart, assign.OpEnd, "="))
}

// namesBefore are those that were made before an assignment, and the one that stands for none.
func namesBefore(assign *code.Node) map[string]bool {
	known := map[string]bool{"_": true}
	for _, v := range assign.Scope() {
		if v.Decl.Start < assign.Start {
			known[v.Name] = true
		}
	}
	return known
}

// makesNone reports whether every name that an assignment gives a value to, but one, is blank, or known before.
func makesNone(assign, but *code.Node) bool {
	known := namesBefore(assign)
	for _, t := range assign.All(code.Target) {
		if t != but && (t.Role != code.Name || !known[t.Name]) {
			return false
		}
	}
	return true
}

// dropVariable takes out a variable that nobody reads; what is called for its value is called still.
func dropVariable(b *bench) {
	if b.Name == "" {
		b.dropPattern()
		return
	}
	why := "nothing reads " + quote(b.Name)
	if b.start >= 4 && b.file.Source[b.start-4:b.start] == " as " && !strings.Contains(b.line(), "import") {
		b.propose(1, why, replaced(b.start-4, b.end, "")) // except Error as e
		return
	}
	assign, target := b.made()
	if assign == nil || assign.Op != "=" && assign.Op != ":=" && assign.Op != "" {
		return
	}
	stmt := assign.Statement()
	if stmt == nil {
		return
	}
	if stmt != assign && stmt != assign.Parent {
		return // a parameter's default, or a name made in the middle of something else
	}
	targets, value := assign.All(code.Target), assign.Kid(code.Value)
	switch {
	case len(targets) > 1 || !targets[0].Is(code.Name):
		b.blank(assign, target, why)
	case assign.Parent.Is(code.Declaration) && len(assign.Parent.All(code.Elem)) > 1 || !stmt.Alone() || stmt.Is(code.If, code.For, code.While, code.Each, code.Switch):
	case value != nil && effective(value):
		b.propose(1, why, replaced(stmt.Start, value.Start, ""))
		b.propose(0.5, why, b.withoutStatement(stmt))
	default:
		b.propose(1, why, b.withoutStatement(stmt))
	}
}

// dropPattern takes out a declaration of which nobody reads any name; what is called for its value is called still.
func (b *bench) dropPattern() {
	stmt := b.at.Statement()
	if !stmt.Is(code.Declaration) || !stmt.Alone() {
		return
	}
	var values []*code.Node
	for _, e := range stmt.All(code.Elem) {
		if v := e.Kid(code.Value); v != nil && effective(v) {
			values = append(values, v)
		}
	}
	why := "nothing reads what is declared there"
	switch {
	case len(values) == 0:
		b.propose(1, why, b.withoutStatement(stmt))
	case len(stmt.All(code.Elem)) == 1:
		b.propose(1, why, replaced(stmt.Start, values[0].Start, ""))
	}
}

// withoutStatement is the edit that takes a statement out, or leaves one that does nothing where there has to be one.
func (b *bench) withoutStatement(stmt *code.Node) edit.Edit {
	if b.file.Facts.Name == "Python" && stmt.Parent.Is(code.Block) && len(stmt.Parent.All(code.Stmt)) == 1 {
		return replaced(stmt.Start, stmt.End, "pass")
	}
	return wholeLines(b.file.Source, stmt.Start, stmt.End)
}

// hides is what a blank counts where an error was: nobody hears of it then.
const hides = 0.4

// blank leaves the place of one of several values empty.
func (b *bench) blank(assign, target *code.Node, why string) {
	switch b.file.Facts.Name {
	case "Go":
		edits := []edit.Edit{replaced(target.Start, target.End, "_")}
		if assign.Op == ":=" && makesNone(assign, target) {
			edits = append(edits, replaced(assign.OpStart, assign.OpEnd, "="))
		}
		weight := 1.0
		if b.Name == "err" {
			weight = hides
		}
		b.propose(weight, why, edits...)
	case "Python":
		b.propose(1, why, replaced(target.Start, target.Start, "_"))
	}
}

// harmless are what only makes a value, and can be left out with it.
var harmless = pattern.New(`^(?:new (?:Array|ArrayList|Date|HashMap|HashSet|LinkedHashMap|LinkedHashSet|LinkedList|Map|Object|Set|StringBuilder|TreeMap|TreeSet)(?:<[^()]*>)? ?\(\)|(?:dict|list|set|tuple)\(\))$`)

// effective reports whether working out a value may do something beside.
func effective(n *code.Node) bool {
	if n.Is(code.Call) && harmless.MatchString(n.Text()) {
		return false
	}
	for k := range n.Walk() {
		if k.Is(code.Call, code.Wait, code.Step, code.Assign) || k.Role == code.Unary && k.Op == "<-" {
			return true
		}
	}
	return false
}

// countFromZero gives a variable its first value that is only ever counted up or down.
func countFromZero(b *bench) {
	if v := b.local(); v != nil && counted(v) {
		b.beginWith(v, "0", 1)
	}
}

// firstValue gives a variable a value where it is made, for the ways on which nothing else does.
func firstValue(b *bench) {
	v := b.local()
	if v == nil || counted(v) {
		return
	}
	for i, value := range b.nothing(v.Type) {
		b.beginWith(v, value, 1-0.3*float64(i))
	}
}

func (b *bench) beginWith(v *code.Variable, value string, weight float64) {
	b.propose(weight, quote(v.Name)+" was read where nothing had given it a value", replaced(v.Decl.End, v.Decl.End, " = "+value))
}

// local is the function's own variable that the complaint is about; nil: it is another.
func (b *bench) local() *code.Variable {
	for _, v := range b.at.Scope() {
		if v.Name == b.Name && v.Kind == code.Local {
			return &v
		}
	}
	return nil
}

// counted reports whether a variable is a number that is moved and never set.
func counted(v *code.Variable) bool {
	moved := false
	for n := range v.Decl.Function().Walk() {
		switch {
		case n.Is(code.Step) && n.Kid(code.Operand).Is(code.Name) && n.Kid(code.Operand).Name == v.Name:
			moved = true
		case n.Is(code.Assign) && n.Kid(code.Target).Is(code.Name) && n.Kid(code.Target).Name == v.Name && n.Kid(code.Target) != v.Decl:
			if n.Op != "+=" && n.Op != "-=" {
				return false
			}
			moved = true
		}
	}
	return moved && v.Type != "String"
}

// line is the text of the complaint's line.
func (b *bench) line() string {
	start, end, _ := lineOf(b.file, b.Finding.Range.Start.Line)
	return b.file.Source[start:end]
}

// function is the function that the complaint is about, or stands in.
func (b *bench) function() *code.Node {
	if b.at.Is(code.Function) {
		return b.at
	}
	return b.at.Function()
}

// giveBack ends a function with a return of what it has worked out.
func giveBack(b *bench) {
	fn, last := b.lastStatement()
	if last == nil {
		return
	}
	if v := last.Kid(code.Value); last.Is(code.Eval) && !v.Is(code.Assign, code.Str) {
		b.propose(1, quote(v.Text())+" was worked out and not given back", replaced(last.Start, last.Start, "return "))
	}
	weight := 0.9
	worked := b.workedOut(fn, last)
	for i, name := range worked {
		b.returnBehind(last, name, 0.95-0.05*float64(i))
	}
	for _, v := range last.Scope() {
		if v.Near > 0 || v.Kind != code.Local && v.Kind != code.Parameter || weight < 0.3 || slices.Contains(worked, v.Name) {
			continue
		}
		if v.Kind == code.Parameter {
			b.returnBehind(last, v.Name, weight*0.6)
		} else if v.Decl.Up(code.Each, code.For, code.While) == nil {
			b.returnBehind(last, v.Name, weight)
		}
		weight -= 0.15
	}
}

// giveNothing ends a function with a return of what stands for none of its type.
func giveNothing(b *bench) {
	fn, last := b.lastStatement()
	if last == nil {
		return
	}
	for i, value := range b.nothing(fn.Type) {
		b.returnBehind(last, value, 0.3-0.05*float64(i))
	}
}

// lastStatement is the last of the function that the complaint is about; nil: it has none.
func (b *bench) lastStatement() (fn, last *code.Node) {
	fn = b.function()
	if stmts := fn.Kid(code.Body).All(code.Stmt); len(stmts) > 0 {
		last = stmts[len(stmts)-1]
	}
	return fn, last
}

// returnBehind proposes a return behind a function's last statement.
func (b *bench) returnBehind(last *code.Node, value string, weight float64) {
	end := b.file.Facts.End
	if b.file.Facts.Name == "JavaScript" || b.file.Facts.Name == "TypeScript" {
		if !strings.HasSuffix(strings.TrimSpace(last.Text()), ";") {
			end = ""
		}
	}
	why := fmt.Sprintf("one way through the function gives nothing back, %s is missing at its end", quote("return "+value))
	b.propose(weight, why, replaced(last.End, last.End, "\n"+last.Indent()+"return "+value+end))
}

// workedOut are the variables that the last assignment of a function's last statement gave their values, where they are known behind it.
func (b *bench) workedOut(fn, last *code.Node) (names []string) {
	var assign *code.Node
	for n := range last.Walk() {
		if n.Is(code.Assign) && n.Function() == fn {
			assign = n
		}
	}
	if assign == nil {
		return nil
	}
	outlives := assign.Up(code.Each, code.For, code.While) == nil && (!b.file.Facts.BlockScoped || last.Is(code.Assign, code.Declaration, code.Eval))
	known := map[string]bool{}
	for _, v := range last.Scope() {
		known[v.Name] = v.Near == 0 && (v.Kind == code.Local || v.Kind == code.Parameter) && v.Decl.Up(code.Each, code.For, code.While) == nil
	}
	for _, t := range assign.All(code.Target) {
		before, is := known[t.Name]
		if t.Is(code.Name) && t.Name != "_" && (is && before && !assign.Declares || (!is || assign.Declares) && outlives) {
			names = append(names, t.Name)
		}
	}
	return names
}

// nothing are the values that stand for none of a type.
func (b *bench) nothing(typ string) []string {
	facts := b.file.Facts
	kind := strings.ToLower(strings.Trim(typ, "() "))
	switch {
	case strings.HasPrefix(kind, "bool"):
		return []string{facts.False, facts.True}
	case strings.HasPrefix(kind, "str"):
		return []string{`""`}
	case strings.HasPrefix(kind, "int"), strings.HasPrefix(kind, "float"), kind == "number", kind == "long", kind == "double", strings.HasPrefix(kind, "uint"), kind == "byte", kind == "rune":
		return []string{"0"}
	case strings.HasPrefix(kind, "list"), strings.HasSuffix(kind, "[]") && facts.Name == "TypeScript":
		return []string{"[]"}
	case facts.Null != "":
		return []string{facts.Null}
	}
	return nil
}
