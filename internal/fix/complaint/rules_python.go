package complaint

import (
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
	"fettle/internal/pattern"
)

// pythonRules are pycodestyle's, pyflakes' and flake8's, which fix nothing, and ruff's that it does not fix, or not for certain:
// https://docs.astral.sh/ruff/rules/, https://flake8.pycqa.org/en/latest/user/error-codes.html.
var pythonRules = map[string]rule{
	"E401": {splitImport, "several modules are imported on one line", 0.95},
	"E701": {splitLine, "several statements stand on one line", 0.90},
	"E702": {splitLine, "several statements stand on one line", 0.90},
	"E703": {dropSign(";"), "that sign ends nothing", 0.98},
	"E713": {notAsked("in"), "what is not in something is asked for in one", 0.95},
	"E714": {notAsked("is"), "what something is not is asked for in one", 0.95},
	"E721": {comparedBy(map[string]string{"==": "is", "!=": "is not"}), "types are compared by what they are, not by what they equal", 0.85},
	"E722": {anyException, "an except for all catches the end of the program, too", 0.80},
	"E731": {lambdaNamed, "a function with a name is made by def", 0.90},
	"E127": {visualIndent, "the line does not stand under what it continues", 0.90},
	"E128": {visualIndent, "the line does not stand under what it continues", 0.90},
	"F541": {plainText, "there is nothing to fill in", 0.95},
	"F632": {comparedBy(map[string]string{"is": "==", "is not": "!="}), "a literal is compared by what it equals", 0.95},
	"F631": {assertPlain, "a tuple is always true", 0.95},
	"F811": {dropRedefined, "what is imported there is made again", 0.90},
	"F901": {notImplemented, "that is no exception", 0.98},
	"W605": {rawText, "\\ is no escape before that sign", 0.90},
	"B904": {raiseFrom, "what was caught is the cause of what is raised", 0.90},
	"B006": {ownDefault, "a default is made once, for all calls", 0.85},
	"F523": {dropUnformatted, "nothing in the format stands for it", 0.80},
	"F524": {oneMoreFormatted, "the format asks for one more", 0.60},
	"F507": {placeholders, "there are not as many values as the format asks for", 0.60},
	"self": {addSelf, "a method's first parameter is the object", 0.85},
}

// splitImport imports each module on a line of its own.
func splitImport(b *bench) {
	n := b.around("import_statement")
	if n.IsZero() || !blankBefore(b.file.Source, n.Start()) {
		return
	}
	var lines []string
	for k := range n.NamedChildren() {
		lines = append(lines, "import "+k.Text())
	}
	b.putNode(n, strings.Join(lines, "\n"+b.lineIndent(n.Start())))
}

// splitLine puts what stands behind the sign at the place on a line of its own.
func splitLine(b *bench) {
	src := b.file.Source
	at := b.start
	if at >= len(src) || src[at] != ';' && src[at] != ':' {
		return
	}
	rest := restOfLine(src, at+1)
	text := strings.TrimLeft(rest, " \t")
	if strings.TrimSpace(text) == "" || text[0] == '#' {
		return
	}
	indent := b.lineIndent(at)
	if src[at] == ':' {
		b.put(at+1, at+1+len(rest)-len(text), "\n"+indent+b.step())
		return
	}
	if s := b.file.At(at+1+len(rest)-len(text), at+1+len(rest)-len(text)).Statement(); s != nil && b.compound(s) {
		return
	}
	b.put(at, at+1+len(rest)-len(text), "\n"+indent)
}

// compound reports whether a statement stands in the line of the one that holds it: if a: b; c.
func (b *bench) compound(s *code.Node) bool {
	for p := s.Parent; p != nil; p = p.Parent {
		if p.Is(code.If, code.While, code.Each, code.Function, code.Class) && b.lineAt(p.Start) == b.lineAt(s.Start) {
			return true
		}
	}
	return false
}

// notAsked asks "a not in b" for "not a in b".
func notAsked(op string) func(*bench) {
	return func(b *bench) {
		n := b.outer(code.Not)
		if n == nil {
			n = b.onLine(code.Not)
		}
		c := n.Kid(code.Operand)
		if c.Is(code.Group) {
			c = c.Kid(code.Operand)
		}
		if !c.Is(code.Compare) || c.Op != op {
			return
		}
		text := " not in "
		if op == "is" {
			text = " is not "
		}
		b.put(n.Start, n.End, c.Kid(code.Left).Text()+text+c.Kid(code.Right).Text())
	}
}

// anyException catches exceptions alone.
func anyException(b *bench) {
	if strings.HasPrefix(b.file.Source[b.start:], "except:") {
		at := b.start + len("except")
		b.put(at, at, " Exception")
	}
}

// lambdaNamed makes a function by def.
func lambdaNamed(b *bench) {
	n := b.around("assignment")
	right := n.Child("right")
	if n.IsZero() || !right.Is("lambda") || !n.Child("type").IsZero() || !n.Child("left").Is("identifier") {
		return
	}
	before, behind := "", ""
	var edits []edit.Edit
	switch above := strings.TrimRight(b.file.Source[:n.Start()], " \t"); { // the empty lines that belong around a function
	case b.lineIndent(n.Start()) == "":
		before = strings.Repeat("\n", 2-min(2, len(above)-len(strings.TrimRight(above, "\n"))-1))
		rest := b.file.Source[n.End():]
		behind = strings.Repeat("\n", max(0, 3-(len(rest)-len(strings.TrimLeft(rest, "\n")))))
		if strings.TrimSpace(above) == "" {
			before = ""
		}
		if strings.TrimSpace(rest) == "" {
			behind = ""
		}
	case !strings.HasSuffix(above, ":\n") && !strings.HasSuffix(above, "\n\n"):
		at := n.Start() - len(b.lineIndent(n.Start()))
		edits = append(edits, replaced(at, at, "\n"))
	}
	b.ask(append(edits, replaced(n.Start(), n.End(), before+"def "+n.Child("left").Text()+"("+right.Child("parameters").Text()+"):\n"+b.lineIndent(n.Start())+b.step()+"return "+right.Child("body").Text()+behind))...)
}

// visualIndent puts a line under what stands behind the bracket that it continues.
func visualIndent(b *bench) {
	src := b.file.Source
	start, _, _ := lineOf(b.file, b.Finding.Range.Start.Line)
	text := start + len(b.lineIndent(b.start))
	n := b.file.Tree.Enclosing(text, text)
	for ; !n.IsZero(); n = n.Parent() {
		open := n.Start()
		if n.Start() < start && strings.IndexByte("([{", src[open]) >= 0 && strings.TrimSpace(restOfLine(src, open+1)) != "" {
			column := open + 1 - (strings.LastIndexByte(src[:open], '\n') + 1)
			b.put(start, text, strings.Repeat(" ", column))
			return
		}
		if n.Start() < start && strings.IndexByte("([{", src[open]) >= 0 {
			return
		}
	}
}

// plainText takes the f off a text that fills nothing in.
func plainText(b *bench) {
	n := b.around("string")
	if n.IsZero() || strings.Contains(n.Text(), "{{") || strings.Contains(n.Text(), "}}") {
		return
	}
	if i := strings.IndexAny(n.Text(), "fF"); i >= 0 && i < strings.IndexAny(n.Text(), `"'`) {
		b.put(n.Start()+i, n.Start()+i+1, "")
	}
}

// comparedBy compares by one word, or by the other one what is not to be so.
func comparedBy(words map[string]string) func(*bench) {
	return func(b *bench) {
		if n := b.outer(code.Compare); n != nil && words[n.Op] != "" {
			b.put(n.OpStart, n.OpEnd, words[n.Op])
		}
	}
}

// assertPlain takes the parentheses away that make a tuple of a condition and its message.
func assertPlain(b *bench) {
	n := b.around("assert_statement")
	for k := range n.NamedChildren() {
		if k.Is("tuple") {
			var parts []string
			for e := range k.NamedChildren() {
				parts = append(parts, e.Text())
			}
			if len(parts) == 2 {
				b.putNode(k, strings.Join(parts, ", "))
			}
		}
	}
}

var (
	firstMade = pattern.New(`from line (\d+)`)
	onceMade  = pattern.New("['`](\\w+)['`]")
)

// dropRedefined takes an import out that nobody uses before its name is made again; of two that are the same the second.
func dropRedefined(b *bench) {
	line, name := firstMade.FindStringSubmatch(b.Finding.Message), onceMade.FindStringSubmatch(b.Finding.Message)
	if line == nil || name == nil {
		return
	}
	first, second := b.importAt(atoi(line[1])), b.importAt(b.Finding.Range.Start.Line)
	if first == nil {
		return
	}
	b.Name = name[1]
	stmt := first
	if second != nil && second.Text() == first.Text() {
		stmt = second
	}
	if e, ok := b.without(stmt); ok && stmt.Parent.Is(code.Module) {
		b.ask(e)
	}
}

func (b *bench) importAt(line int) *code.Node {
	for n := range b.file.Root.Walk() {
		if n.Role == code.Import && b.lineAt(n.Start) <= line && line <= b.lineAt(n.End) {
			return n
		}
	}
	return nil
}

func atoi(digits string) int {
	n := 0
	for _, d := range digits {
		n = 10*n + int(d-'0')
	}
	return n
}

// notImplemented raises the exception, not the constant of nearly its name.
func notImplemented(b *bench) {
	start, end, _ := lineOf(b.file, b.Finding.Range.Start.Line)
	if at := code.Word(b.file.Source[:end], "NotImplemented", start); at >= 0 {
		b.put(at, at+len("NotImplemented"), "NotImplementedError")
	}
}

// rawText takes a text as it stands, if it has no escape that is one; else it writes the sign twice.
func rawText(b *bench) {
	n := b.around("string")
	text := n.Text()
	quote := strings.IndexAny(text, `"'`)
	if quote < 0 {
		return
	}
	escapes := false
	for i := quote; i+1 < len(text); i++ {
		if text[i] == '\\' {
			escapes = escapes || strings.IndexByte("\n\\'\"abfnrtvx01234567NuU", text[i+1]) >= 0
			i++
		}
	}
	if !escapes && !strings.ContainsAny(text[:quote], "rRbBuU") {
		b.put(n.Start(), n.Start(), "r")
		return
	}
	if b.start < len(b.file.Source) && b.file.Source[b.start] == '\\' {
		b.put(b.start, b.start, `\`)
	}
}

// raiseFrom says which exception is the cause of the one that is raised.
func raiseFrom(b *bench) {
	clause, raise := b.around("except_clause"), b.outer(code.Raise)
	if clause.IsZero() || raise == nil || raise.Kid(code.Value) == nil {
		return
	}
	head := clause.Text()
	colon := strings.Index(head, ":\n")
	if colon < 0 {
		return
	}
	head = head[:colon]
	edits := []edit.Edit{}
	name := "err"
	if i := strings.LastIndex(head, " as "); i >= 0 {
		name = strings.TrimSpace(head[i+len(" as "):])
	} else {
		if code.Word(clause.Text(), name, 0) >= 0 || strings.TrimSpace(head) == "except" {
			return
		}
		edits = append(edits, replaced(clause.Start()+colon, clause.Start()+colon, " as "+name))
	}
	b.ask(append(edits, replaced(raise.End, raise.End, " from "+name))...)
}

// ownDefault makes a parameter's default anew for each call.
func ownDefault(b *bench) {
	n := b.around("default_parameter", "typed_default_parameter")
	value := n.Child("value")
	fn := b.at.Function()
	if b.at.Is(code.Function) {
		fn = b.at
	}
	stmts := fn.Kid(code.Body).All(code.Stmt)
	if value.IsZero() || fn == nil || fn.Name == "" || len(stmts) == 0 || b.lineAt(stmts[0].Start) == b.lineAt(fn.Start) {
		return
	}
	if len(stmts) > 1 && stmts[0].Is(code.Eval) && stmts[0].Kid(code.Value).Is(code.Str) {
		stmts = stmts[1:]
	}
	name := n.Child("name").Text()
	indent := stmts[0].Indent()
	edits := []edit.Edit{
		replaced(value.Start(), value.End(), "None"),
		replaced(stmts[0].Start, stmts[0].Start, "if "+name+" is None:\n"+indent+b.step()+name+" = "+value.Text()+"\n"+indent),
	}
	if t := n.Child("type"); !t.IsZero() && !nullish.MatchString(t.Text()) {
		typ := t.Text() + " | None"
		if code.Word(b.file.Source, "Optional", 0) >= 0 {
			typ = "Optional[" + t.Text() + "]"
		}
		edits = append(edits, replaced(t.Start(), t.End(), typ))
	}
	b.ask(edits...)
}

// dropUnformatted takes the values out that no part of a format stands for.
func dropUnformatted(b *bench) {
	call := b.outer(code.Call)
	m := number.FindAllString(b.Finding.Message[strings.LastIndexByte(b.Finding.Message, ':')+1:], -1)
	if args := call.All(code.Arg); len(m) == 1 && atoi(m[0]) == len(args)-1 && len(args) > 1 && !effective(args[len(args)-1]) {
		b.put(args[len(args)-2].End, args[len(args)-1].End, "")
	}
}

// oneMoreFormatted gives a format the value that it lacks.
func oneMoreFormatted(b *bench) {
	call := b.outer(code.Call)
	args := call.All(code.Arg)
	if len(args) == 0 || b.count1() != len(args) {
		return
	}
	b.nearestBehind(call, args[len(args)-1].End, args[len(args)-1].End)
}

// nearestBehind puts the variables that were used last behind a value, the nearest first.
func (b *bench) nearestBehind(n *code.Node, at, to int) {
	for i, name := range b.nearest(n, "") {
		if i < 3 {
			b.propose(1-0.15*float64(i), b.why, replaced(at, to, ", "+name))
		}
	}
}

// count1 is the last number in the complaint's words.
func (b *bench) count1() int {
	all := number.FindAllString(b.Finding.Message, -1)
	if len(all) == 0 {
		return -1
	}
	return atoi(all[len(all)-1])
}

var counted2 = pattern.New(`(\d+) placeholder\(s\) but (\d+) substitution`)

// placeholders gives a format by % the value that it lacks, or takes the last one away.
func placeholders(b *bench) {
	m := counted2.FindStringSubmatch(b.Finding.Message)
	n := b.outer(code.Arith)
	if n == nil {
		n = b.onLine(code.Arith)
	}
	list := n.Kid(code.Right)
	if m == nil || n == nil || n.Op != "%" || !list.Is(code.List) || !strings.HasPrefix(list.Text(), "(") {
		return
	}
	has, elems := atoi(m[2]), list.All(code.Elem)
	switch want := atoi(m[1]); {
	case has != len(elems) || has == 0:
	case want == has+1 && has == 1: // the comma that makes a tuple of one is there
		b.nearestBehind(n, elems[0].End, list.End-1)
	case want == has+1:
		b.nearestBehind(n, elems[has-1].End, elems[has-1].End)
	case want == has-1 && want > 0 && !effective(elems[has-1]):
		end := ""
		if want == 1 {
			end = ","
		}
		b.put(elems[has-2].End, elems[has-1].End, end)
	}
}

// addSelf gives a method the parameter for its object, or calls it as everybody does.
func addSelf(b *bench) {
	n := b.around("function_definition")
	params := n.Child("parameters")
	if n.IsZero() || n.Parent().Is("decorated_definition") {
		return
	}
	list := slices.Collect(params.NamedChildren())
	if len(list) == 0 {
		b.put(params.Start()+1, params.Start()+1, "self")
	} else if code.Word(n.Text(), "self", 0) >= 0 {
		b.put(params.Start()+1, params.Start()+1, "self, ")
	}
}
