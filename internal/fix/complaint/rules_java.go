package complaint

import (
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
	"fettle/internal/pattern"
	"fettle/internal/syntax"
)

// javaRules are Checkstyle's, which fixes nothing: https://checkstyle.org/checks.html.
var javaRules = map[string]rule{
	"RedundantImport":              {dropImportLine, "that is known without an import", 0.98},
	"AvoidStarImport":              {namedImports, "what is imported is not named", 0.85},
	"MissingOverride":              {overrides, "nothing says that it overrides another one", 0.95},
	"NeedBraces":                   {braces, "what belongs to it stands without braces", 0.95},
	"UpperEll":                     {upperEll, "l looks like 1", 0.98},
	"ArrayTypeStyle":               {arrayType, "[] belongs to the type", 0.95},
	"ModifierOrder":                {modifierOrder, "the words before a declaration have an order", 0.95},
	"RedundantModifier":            {dropWord, "that goes without saying there", 0.95},
	"EmptyStatement":               {dropSign(";"), "that sign ends nothing", 0.95},
	"UnnecessarySemicolon":         {dropSign(";"), "that sign ends nothing", 0.95},
	"StringLiteralEquality":        {textEquals, "== asks whether two texts are the very same", 0.90},
	"EqualsAvoidNull":              {literalFirst, "a literal is never null", 0.90},
	"SimplifyBooleanReturn":        {plainReturn, "the condition is the answer", 0.95},
	"MultipleVariableDeclarations": {oneVariable, "several variables are declared at once", 0.95},
	"OneStatementPerLine":          {oneStatement, "several statements stand on one line", 0.95},
	"HideUtilityClassConstructor":  {hiddenConstructor, "nobody needs an object of a class that holds none", 0.85},
	"FinalClass":                   {finalBefore, "nobody can extend it", 0.90},
	"FinalLocalVariable":           {finalBefore, "nothing gives it another value", 0.95},
	"FinalParameters":              {finalBefore, "nothing gives it another value", 0.95},
	"MissingSwitchDefault":         {addDefault, "nothing says what other values do", 0.80},
	"ExplicitInitialization":       {dropInitialization, "that is its value without being told", 0.95},
	"UnnecessaryParentheses":       {dropParentheses, "what stands between them is one value anyway", 0.90},
	"RightCurly":                   {closingBrace, "a closing brace has its place", 0.90},
	"EmptyLineSeparator":           {emptyLineBefore, "an empty line is missing there", 0.95},
	"NewlineAtEndOfFile":           {endOfFile, "the last line has no end", 0.98},
	"RegexpSingleline":             {trailingSpace, "there is white space at the line's end", 0.95},
	"Indentation":                  {indentation, "the line stands too far in, or too little", 0.90},
	"OperatorWrap":                 {wrapOperator, "an operator begins its line", 0.90},
	"whitespace":                   {signSpacing, "white space is missing there, or too much", 0.95},
}

// dropImportLine takes the import out at the place.
func dropImportLine(b *bench) {
	for _, n := range b.imports() {
		if b.lineAt(n.Start) == b.Finding.Range.Start.Line && n.Alone() {
			b.ask(wholeLines(b.file.Source, n.Start, n.End))
			return
		}
	}
}

var (
	starImport = pattern.New(`^import ([\w.]+)\.\*;`)
	anyImport  = pattern.New(`^import (?:static )?[\w.]+?\.(\w+);`)
	javaLang   = strings.Fields(`Appendable ArithmeticException ArrayIndexOutOfBoundsException AssertionError AutoCloseable Boolean Byte CharSequence Character Class ClassCastException
		ClassLoader ClassNotFoundException CloneNotSupportedException Cloneable Comparable Deprecated Double Enum Error Exception Float FunctionalInterface IllegalArgumentException
		IllegalStateException IndexOutOfBoundsException Integer InterruptedException Iterable Long Math NullPointerException Number NumberFormatException Object Override Process
		ProcessBuilder Record Runnable Runtime RuntimeException SafeVarargs SecurityException Short StackTraceElement StrictMath String StringBuffer StringBuilder
		StringIndexOutOfBoundsException SuppressWarnings System Thread ThreadLocal Throwable UnsupportedOperationException Void`)
)

// namedImports names what is taken of a package that was imported whole. Where anything may come from elsewhere that is not known here, nobody knows.
func namedImports(b *bench) {
	var star *code.Node
	stars := 0
	for _, n := range b.imports() {
		if starImport.MatchString(n.Text()) {
			stars++
			if b.lineAt(n.Start) == b.Finding.Range.Start.Line {
				star = n
			}
		}
	}
	if star == nil {
		return
	}
	home, known := starImport.FindStringSubmatch(star.Text())[1], b.knownClasses()
	var names []string
	for n := range b.file.Tree.Root().Find("type_identifier", "identifier") {
		name := n.Text()
		if known[name] || !isClass(n) {
			continue
		}
		known[name] = true
		switch of := homes["Java"][name]; of {
		case home:
			names = append(names, "import "+home+"."+name+";")
		case "":
			return
		}
	}
	if len(names) == 0 {
		return
	}
	slices.Sort(names)
	b.put(star.Start, star.End, strings.Join(names, "\n"))
}

// knownClasses are those that a source of Java's knows without an import of a whole package.
func (b *bench) knownClasses() map[string]bool {
	known := map[string]bool{}
	for _, n := range b.imports() {
		if m := anyImport.FindStringSubmatch(n.Text()); m != nil {
			known[m[1]] = true
		}
	}
	for _, name := range javaLang {
		known[name] = true
	}
	for d := range b.file.Tree.Root().Find("class_declaration", "interface_declaration", "enum_declaration", "record_declaration", "annotation_type_declaration") {
		known[d.Child("name").Text()] = true
	}
	for d := range b.file.Tree.Root().Find("type_parameter") {
		for k := range d.NamedChildren() {
			known[k.Text()] = true
			break
		}
	}
	if b.project != nil {
		for file := range b.project.Sources(b.file.Path) {
			if dirOf(file) == dirOf(b.file.Path) {
				known[strings.TrimSuffix(file[len(dirOf(file)):], ".java")] = true
			}
		}
	}
	return known
}

// isClass reports whether a name stands where a class's name may stand, and is written like one.
func isClass(n syntax.Node) bool {
	name, around := n.Text(), n.Parent()
	switch {
	case name == "", name[0] < 'A', name[0] > 'Z', strings.ToUpper(name) == name && len(name) > 1, around.Is("enum_constant", "variable_declarator"):
		return false
	case around.Is("scoped_identifier", "scoped_type_identifier"):
		return isFirst(n)
	}
	return (!around.Is("field_access") || n.Field() != "field") && (!around.Is("method_invocation") || n.Field() != "name")
}

// isFirst reports whether a name is the first of those that dots join.
func isFirst(n syntax.Node) bool { return n.Prev().IsZero() }

// dirOf is a file's folder, with its slash.
func dirOf(file string) string { return file[:strings.LastIndexByte(file, '/')+1] }

// overrides says that a method overrides another one.
func overrides(b *bench) {
	n := b.around("method_declaration")
	if n.IsZero() || strings.Contains(n.Text()[:strings.IndexByte(n.Text(), '(')+1], "@Override") {
		return
	}
	b.put(n.Start(), n.Start(), "@Override\n"+b.lineIndent(n.Start()))
}

// braces puts what belongs to a condition or a loop between braces.
func braces(b *bench) {
	n := b.around("if_statement", "for_statement", "enhanced_for_statement", "while_statement", "do_statement")
	if n.IsZero() {
		return
	}
	body := b.bare(n)
	if body.IsZero() {
		return
	}
	indent := b.lineIndent(n.Start())
	head := strings.TrimRight(b.file.Source[:body.Start()], " \t\r\n")
	if strings.Contains(restOfLine(b.file.Source, len(head)), "//") {
		return
	}
	tail := "\n" + indent + "}"
	end := body.End()
	edits := []edit.Edit{replaced(len(head), body.Start(), " {\n"+indent+b.step())}
	if other := n.Child("alternative"); n.Is("if_statement") && !other.IsZero() && body == n.Child("consequence") {
		if rest := strings.TrimLeft(b.file.Source[end:], " \t\r\n"); strings.HasPrefix(rest, "else") {
			edits = append(edits, replaced(end, len(b.file.Source)-len(rest), tail+" "))
			b.ask(edits...)
			return
		}
	}
	b.ask(append(edits, replaced(end, end, tail))...)
}

// bare is what stands without braces in a statement of Java's that the complaint points to, or to the else of.
func (b *bench) bare(n syntax.Node) syntax.Node {
	body := n.Child("body")
	if n.Is("if_statement") {
		body = n.Child("consequence")
		if n.Start() < b.start {
			body = n.Child("alternative")
		}
	}
	if n.Start() > b.start || body.Is("block") || body.Is("if_statement") && n.Start() < b.start {
		return syntax.Node{}
	}
	return body
}

// upperEll writes L for the l of a long number.
func upperEll(b *bench) {
	n := b.around("decimal_integer_literal", "hex_integer_literal", "octal_integer_literal", "binary_integer_literal")
	if strings.HasSuffix(n.Text(), "l") {
		b.put(n.End()-1, n.End(), "L")
	}
}

// arrayType puts [] behind the type.
func arrayType(b *bench) {
	n := b.around("formal_parameter", "local_variable_declaration", "field_declaration")
	declarator := n
	if d := n.Child("declarator"); !d.IsZero() {
		declarator = d
		if d.Next().Is("variable_declarator") || d.Next().Next().Is("variable_declarator") {
			return
		}
	}
	dims, typ := declarator.Child("dimensions"), n.Child("type")
	if dims.IsZero() || typ.IsZero() {
		return
	}
	b.ask(replaced(typ.End(), typ.End(), dims.Text()), replaced(dims.Start(), dims.End(), ""))
}

var modifiersInOrder = strings.Fields("public protected private abstract default static sealed non-sealed final transient volatile synchronized native strictfp")

// modifierOrder puts the words before a declaration in their order.
func modifierOrder(b *bench) {
	n := b.around("modifiers")
	words := strings.Fields(n.Text())
	rank := func(w string) int { return slices.Index(modifiersInOrder, w) }
	from := n.Start()
	for k := range n.Children() {
		if k.Is("marker_annotation", "annotation") {
			if len(words) > 0 && from > n.Start() && rank(strings.Fields(b.file.Source[n.Start():k.Start()] + " x")[0]) >= 0 {
				return // an annotation between words
			}
			from = k.Next().Start()
		}
	}
	if n.IsZero() || from < n.Start() || from >= n.End() {
		return
	}
	words = strings.Fields(b.file.Source[from:n.End()])
	if slices.ContainsFunc(words, func(w string) bool { return rank(w) < 0 }) {
		return
	}
	slices.SortStableFunc(words, func(x, y string) int { return rank(x) - rank(y) })
	b.put(from, n.End(), strings.Join(words, " "))
}

var quoted = pattern.New(`'([^']+)'`)

// dropWord takes the word out that the complaint names.
func dropWord(b *bench) {
	m := quoted.FindStringSubmatch(b.Finding.Message)
	if m == nil || !strings.HasPrefix(b.file.Source[b.start:], m[1]+" ") {
		return
	}
	b.put(b.start, b.start+len(m[1])+1, "")
}

// textEquals asks whether two texts say the same.
func textEquals(b *bench) {
	n := b.outer(code.Compare)
	l, r := n.Kid(code.Left), n.Kid(code.Right)
	if r.Is(code.Str) {
		l, r = r, l
	}
	if !l.Is(code.Str) {
		return
	}
	text := l.Text() + ".equals(" + r.Text() + ")"
	if n.Op == "!=" {
		text = "!" + text
	}
	b.put(n.Start, n.End, text)
}

// literalFirst asks a literal whether it equals a value that may be null.
func literalFirst(b *bench) {
	call := b.outer(code.Call)
	callee := call.Kid(code.Callee)
	object, arg := callee.Kid(code.Object), call.Kid(code.Arg)
	if object == nil || !arg.Is(code.Str) {
		return
	}
	b.put(call.Start, call.End, arg.Text()+"."+callee.Name+"("+object.Text()+")")
}

// plainReturn gives a condition back.
func plainReturn(b *bench) {
	n := b.outer(code.If)
	answer := func(k *code.Node) (string, bool) {
		if k.Is(code.Block) {
			if all := k.All(code.Stmt); len(all) == 1 {
				k = all[0]
			}
		}
		v := k.Kid(code.Value)
		return v.Text(), k.Is(code.Return) && v.Is(code.Bool)
	}
	yes, ok1 := answer(n.Kid(code.Then))
	no, ok2 := answer(n.Kid(code.Else))
	cond := n.Kid(code.Cond)
	if cond == nil || !ok1 || !ok2 || yes == no {
		return
	}
	for cond.Is(code.Group) {
		cond = cond.Kid(code.Operand)
	}
	text := cond.Text()
	if yes == b.file.Facts.False {
		text = b.file.Facts.Negated(cond)
	}
	b.put(n.Start, n.End, "return "+text+";")
}

// oneVariable declares each variable by itself.
func oneVariable(b *bench) {
	n := b.around("local_variable_declaration", "field_declaration")
	if n.IsZero() {
		return
	}
	if strings.HasPrefix(b.Finding.Message, "Only one") {
		oneStatementAt(b, n.End())
		return
	}
	var names []string
	first := n.Child("declarator").Start()
	for k := range n.NamedChildren() {
		if k.Is("variable_declarator") {
			names = append(names, k.Text())
		}
	}
	if len(names) < 2 || n.Parent().Is("for_statement") {
		return
	}
	head := b.file.Source[n.Start():first]
	indent := b.lineIndent(n.Start())
	for i, name := range names {
		names[i] = head + name + ";"
	}
	b.putNode(n, strings.Join(names, "\n"+indent))
}

// hiddenConstructor keeps others from making an object of a class.
func hiddenConstructor(b *bench) {
	n := b.around("class_declaration")
	body := n.Child("body")
	if body.IsZero() || len(slices.Collect(body.Find("constructor_declaration"))) > 0 {
		return
	}
	indent := b.lineIndent(n.Start()) + b.step()
	at := body.Start() + 1
	edits := []edit.Edit{replaced(at, at, "\n"+indent+"private "+n.Child("name").Text()+"() {\n"+indent+"}\n")}
	if first := strings.TrimLeft(b.file.Source[at:], " \t"); !strings.HasPrefix(first, "\n") && !strings.HasPrefix(first, "\r\n") {
		return
	}
	if _, ok := modifier(n, "final"); !ok && !strings.Contains(b.file.Source[n.Start():body.Start()], "abstract") {
		if word := b.wordOf(n, "class"); word >= 0 {
			edits = append(edits, replaced(word, word, "final "))
		}
	}
	b.ask(edits...)
}

// wordOf is where a word of a declaration's head stands.
func (b *bench) wordOf(n syntax.Node, word string) int {
	for k := range n.Children() {
		if k.Text() == word {
			return k.Start()
		}
	}
	return -1
}

// finalBefore says that a class, a variable or a parameter stays what it is.
func finalBefore(b *bench) {
	n := b.around("local_variable_declaration", "formal_parameter", "spread_parameter", "enhanced_for_statement", "catch_formal_parameter", "resource", "class_declaration")
	switch {
	case n.IsZero():
	case n.Is("class_declaration"):
		if at := b.wordOf(n, "class"); at >= 0 {
			b.put(at, at, "final ")
		}
	case n.Is("local_variable_declaration") && n.Child("declarator").Next().Text() == ",":
		// of several names only one may stay
	default:
		if t := n.Child("type"); !t.IsZero() {
			b.put(t.Start(), t.Start(), "final ")
		} else {
			for k := range n.NamedChildren() {
				if !k.Is("modifiers") {
					b.put(k.Start(), k.Start(), "final ")
					return
				}
			}
		}
	}
}

// addDefault says that other values do nothing.
func addDefault(b *bench) {
	n := b.around("switch_expression", "switch_statement")
	body := n.Child("body")
	if body.IsZero() || strings.Contains(body.Text(), "->") || b.lineAt(body.Start()) == b.lineAt(body.End()) {
		return
	}
	indent := b.lineIndent(body.End() - 1)
	inner := indent
	for k := range body.NamedChildren() {
		inner = b.lineIndent(k.Start())
		break
	}
	at := body.End() - 1 - len(indent)
	b.put(at, at, inner+"default:\n"+inner+b.step()+"break;\n")
}

// dropInitialization leaves a value out that a field has anyway.
func dropInitialization(b *bench) {
	n := b.around("variable_declarator")
	if value := n.Child("value"); !value.IsZero() {
		end := n.Child("name").End()
		if d := n.Child("dimensions"); !d.IsZero() {
			end = d.End()
		}
		b.put(end, value.End(), "")
	}
}

// dropParentheses takes a pair of them away.
func dropParentheses(b *bench) {
	n := b.around("parenthesized_expression")
	if n.IsZero() {
		for k := range b.file.Root.Walk() {
			if k.Is(code.Group) && b.lineAt(k.Start) == b.Finding.Range.Start.Line && k.Start >= b.start {
				n = b.file.Tree.Enclosing(k.Start, k.End)
				break
			}
		}
	}
	if n.Is("parenthesized_expression") && !n.Parent().Is("if_statement", "while_statement", "do_statement", "switch_expression", "switch_statement", "synchronized_statement") {
		b.putNode(n, n.Text()[1:len(n.Text())-1])
	}
}
