package complaint

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"fettle/internal/code"
	"fettle/internal/edit"
	"fettle/internal/pattern"
)

// goRules are vet's and those of golangci-lint's linters that mend nothing by themselves: https://staticcheck.dev/docs/checks/,
// https://github.com/mgechev/revive/blob/master/RULES_DESCRIPTIONS.md. What stands here is not the rule's name but what its words are about.
var goRules = map[string]rule{
	"redundant newline":      {redundantNewline, "Println ends the line by itself", 0.95},
	"Println":                {printfInstead, "Println fills nothing in", 0.85},
	"arguments":              {verbForRest, "nothing in the format stands for the last value", 0.70},
	"unknown verb":           {knownVerb, "there is no such verb", 0.85},
	"non-constant":           {formatFirst, "what is printed is no format", 0.90},
	"unreachable":            {dropUnreachable, "nothing comes there", 0.75},
	"cancel":                 {callCancel, "nobody ends what was begun there", 0.80},
	"error strings":          {errorText, "an error's text stands in the middle of others", 0.90},
	"errors.New":             {errorfInstead, "fmt.Errorf does both", 0.95},
	"range":                  {shortRange, "what is not used need not be named", 0.95},
	"should omit":            {zeroValue, "that is what it is without being told", 0.95},
	"should drop":            {zeroValue, "that is what it is without being told", 0.95},
	"drop this else":         {outdentElse, "what comes before has left", 0.90},
	"unnecessary conversion": {dropConversion, "it has that type already", 0.95},
}

// redundantNewline takes the end of the line out of the last text of a Println.
func redundantNewline(b *bench) {
	args := b.call().All(code.Arg)
	if len(args) == 0 {
		return
	}
	if last := args[len(args)-1]; last.Is(code.Str) && strings.HasSuffix(last.Text(), `\n"`) {
		b.put(last.End-len(`\n"`), last.End-1, "")
	}
}

// printfInstead fills in what a Println has verbs for.
func printfInstead(b *bench) {
	call := b.call()
	callee := call.Kid(code.Callee)
	args := call.All(code.Arg)
	if !callee.Is(code.Attr) || len(args) < 2 || !args[0].Is(code.Str) || !strings.HasPrefix(args[0].Text(), `"`) {
		return
	}
	name, ok := strings.CutSuffix(callee.Name, "ln")
	if !ok {
		return
	}
	edits := []edit.Edit{replaced(callee.End-len(callee.Name), callee.End, name+"f")}
	if !strings.HasSuffix(args[0].Text(), `\n"`) && !strings.HasPrefix(callee.Text(), "log.") {
		edits = append(edits, replaced(args[0].End-1, args[0].End-1, `\n`))
	}
	b.ask(edits...)
}

// verbForRest shows the values that the format has no verb for, or leaves the last of them out.
func verbForRest(b *bench) {
	call := b.call()
	args := call.All(code.Arg)
	at := -1
	for i, a := range args {
		if a.Is(code.Str) && at < 0 {
			at = i
		}
	}
	if at < 0 || at+1 >= len(args) {
		return
	}
	format := args[at]
	text := strings.TrimSuffix(format.Text()[:len(format.Text())-1], `\n`)
	end := format.Start + len(text)
	verb := " %v"
	if typ := b.known(args[len(args)-1]); typ != "" {
		verb = " %" + verbs(typ)[0]
	}
	if strings.HasSuffix(text, " ") || strings.HasSuffix(text, `"`) {
		verb = verb[1:]
	}
	b.put(end, end, verb)
	if last := args[len(args)-1]; !effective(last) {
		b.propose(0.8, b.why, replaced(args[len(args)-2].End, last.End, ""))
	}
}

var unknownVerb = pattern.New(`has unknown verb (\w)`)

// knownVerb shows a value by the verb of its type.
func knownVerb(b *bench) {
	m, call := unknownVerb.FindStringSubmatch(b.Finding.Message), b.call()
	if m == nil || call == nil {
		return
	}
	verb := "v"
	b.Name = m[1]
	if f := b.format(call); f != nil && f.bad >= 0 {
		if typ := b.known(f.values[f.bad]); typ != "" {
			verb = verbs(typ)[0]
		}
		b.put(f.verbs[f.bad], f.verbs[f.bad]+1, verb)
	}
}

// formatFirst prints a text as it is.
func formatFirst(b *bench) {
	call := b.call()
	callee, args := call.Kid(code.Callee), call.All(code.Arg)
	if !callee.Is(code.Attr) || len(args) == 0 {
		return
	}
	last := args[len(args)-1]
	if callee.Text() == "fmt.Errorf" {
		b.put(last.Start, last.Start, `"%s", `)
		return
	}
	if name, ok := strings.CutSuffix(callee.Name, "f"); ok && last.Start <= b.start {
		b.put(callee.End-len(callee.Name), callee.End, name)
		b.propose(0.8, b.why, replaced(last.Start, last.Start, `"%s", `))
	}
}

// callCancel has what a context began come to its end with the function.
func callCancel(b *bench) {
	assign := b.outer(code.Assign)
	targets := assign.All(code.Target)
	stmt := assign.Statement()
	if len(targets) != 2 || targets[1].Text() != "_" || stmt != assign || !stmt.Alone() {
		return
	}
	for _, v := range assign.Scope() {
		if v.Name == "cancel" {
			return
		}
	}
	for n := range assign.Function().Walk() {
		if n.Is(code.Return) && code.Word(n.Text(), targets[0].Text(), 0) >= 0 || n.Is(code.Function) && n.Name == "" && code.Word(n.Text(), targets[0].Text(), 0) >= 0 || strings.HasPrefix(n.Text(), "go ") {
			return // somebody needs it for longer than the function takes
		}
	}
	edits := []edit.Edit{replaced(targets[1].Start, targets[1].End, "cancel"), replaced(stmt.End, stmt.End, "\n"+stmt.Indent()+"defer cancel()")}
	if assign.Op == "=" {
		if fn := assign.Function(); fn == nil || !assign.Parent.Parent.Is(code.Function) || targets[0].Role != code.Name {
			return
		}
		edits = append(edits, replaced(assign.OpStart, assign.OpEnd, ":="))
	}
	b.ask(edits...)
}

// errorText begins an error's text with a small letter, and ends it without a sign.
func errorText(b *bench) {
	n := b.outer(code.Str)
	if n == nil {
		n = b.call().Kid(code.Arg)
	}
	if !n.Is(code.Str) || len(n.Text()) < 3 {
		return
	}
	var edits []edit.Edit
	text := n.Text()[1 : len(n.Text())-1]
	first, size := utf8.DecodeRuneInString(text)
	second, _ := utf8.DecodeRuneInString(text[size:])
	if unicode.IsUpper(first) && !unicode.IsUpper(second) && !unicode.IsDigit(second) && (second != ' ' || first == 'A') {
		edits = append(edits, replaced(n.Start+1, n.Start+1+size, string(unicode.ToLower(first))))
	}
	bare := text
	for strings.HasSuffix(bare, `\n`) || strings.HasSuffix(bare, ".") || strings.HasSuffix(bare, "!") || strings.HasSuffix(bare, ":") {
		bare = strings.TrimRight(strings.TrimSuffix(bare, `\n`), ".!:")
	}
	if bare != text && bare != "" {
		edits = append(edits, replaced(n.Start+1+len(bare), n.End-1, ""))
	}
	if len(edits) > 0 {
		b.ask(edits...)
	}
}

// errorfInstead makes an error of a format in one.
func errorfInstead(b *bench) {
	for n := range b.file.Root.Walk() {
		if n.Is(code.Call) && b.lineAt(n.Start) == b.Finding.Range.Start.Line && n.Kid(code.Callee).Text() == "errors.New" {
			if inner := n.Kid(code.Arg); inner.Is(code.Call) && inner.Kid(code.Callee).Text() == "fmt.Sprintf" {
				b.put(n.Start, n.End, "fmt.Errorf"+inner.Text()[len("fmt.Sprintf"):])
				return
			}
		}
	}
}

// shortRange leaves the names out that stand for nothing.
func shortRange(b *bench) {
	line := b.line()
	start, _, _ := lineOf(b.file, b.Finding.Range.Start.Line)
	for had, has := range map[string]string{", _ := range ": " := range ", ", _ = range ": " = range ", "for _ = range ": "for range ", "for _ := range ": "for range ", "for _, _ = range ": "for range "} {
		if i := strings.Index(line, had); i >= 0 && !strings.Contains(line, "for _, _") {
			b.put(start+i, start+i+len(had), has)
		}
	}
}

var omitted = pattern.New(`should (?:drop|omit) (?:type )?(.+?) from (?:the )?declaration of (?:var )?(\w+)`)

// zeroValue leaves out what a declaration says twice.
func zeroValue(b *bench) {
	m := omitted.FindStringSubmatch(b.Finding.Message)
	if m == nil {
		return
	}
	start, end, _ := lineOf(b.file, b.Finding.Range.Start.Line)
	at := strings.Index(b.file.Source[start:end], m[2]+" ")
	if at < 0 {
		return
	}
	at += start + len(m[2])
	if i := strings.Index(b.file.Source[at:end], " "+m[1]); i >= 0 {
		b.put(at+i, at+i+1+len(m[1]), "")
	}
}

// outdentElse takes the lines of an else out of it whose if has left.
func outdentElse(b *bench) {
	n := b.around("if_statement")
	other := n.Child("alternative")
	if n.IsZero() || !other.Is("block") || len(other.Text()) < 2 || !n.Child("initializer").IsZero() {
		return
	}
	inner := strings.TrimRight(strings.Trim(other.Text()[1:len(other.Text())-1], "\r\n"), " \t\r\n")
	lines := strings.Split(inner, "\n")
	for i, l := range lines {
		if strings.Contains(l, "`") {
			return
		}
		lines[i] = strings.TrimPrefix(l, "\t")
	}
	b.put(n.Child("consequence").End(), other.End(), "\n"+strings.Join(lines, "\n"))
}

// dropConversion takes a value as it is.
func dropConversion(b *bench) {
	for n := range b.file.Root.Walk() {
		if n.Is(code.Call) && b.lineAt(n.Start) == b.Finding.Range.Start.Line && (n.Start == b.start || n.Kid(code.Callee).End == b.start) && len(n.All(code.Arg)) == 1 {
			arg := n.Kid(code.Arg)
			text := arg.Text()
			if arg.Is(code.Arith, code.Logic, code.Compare, code.Unary) {
				text = "(" + text + ")"
			}
			b.put(n.Start, n.End, text)
			return
		}
	}
}
