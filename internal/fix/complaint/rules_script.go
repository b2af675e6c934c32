package complaint

import (
	"strings"

	"fettle/internal/code"
	"fettle/internal/near"
	"fettle/internal/syntax"
)

// scriptRules are ESLint's that it does not fix: https://eslint.org/docs/latest/rules/, https://typescript-eslint.io/rules/.
var scriptRules = map[string]rule{
	"no-useless-escape":         {uselessEscape, "that sign means itself without \\", 0.95},
	"no-prototype-builtins":     {prototypeCall, "an object may have no such method, or another one", 0.95},
	"no-case-declarations":      {caseBlock, "what is declared in one case would be known in all", 0.95},
	"array-callback-return":     {callbackReturn, "what was worked out was not given back", 0.80},
	"use-isnan":                 {useIsNaN, "nothing equals NaN", 0.95},
	"valid-typeof":              {typeName, "there is no such type", 0.85},
	"no-unsafe-negation":        {negateWhole, "! belongs to the whole question", 0.90},
	"no-cond-assign":            {compareInstead, "a comparison is meant, not an assignment", 0.80},
	"no-unreachable":            {dropUnreachable, "nothing comes there", 0.80},
	"no-debugger":               {dropStatement, "that is for looking, not for use", 0.95},
	"radix":                     {addRadix, "the base of the number was left open", 0.90},
	"constructor-super":         {callSuper, "the parent's constructor was not called", 0.75},
	"no-useless-catch":          {uselessCatch, "what is caught there is thrown as it is", 0.90},
	"no-throw-literal":          {throwError, "what is thrown is no error", 0.85},
	"only-throw-error":          {throwError, "what is thrown is no error", 0.85},
	"no-redeclare":              {assignAgain, "it was declared before", 0.80},
	"prefer-nullish-coalescing": {onlyMissing, "only what is missing is meant", 0.65},
	"no-compare-neg-zero":       {positiveZero, "-0 equals 0", 0.85},
}

// uselessEscape takes out the \ at the place.
func uselessEscape(b *bench) { dropSign(`\`)(b) }

// prototypeCall asks Object itself what an object was asked for.
func prototypeCall(b *bench) {
	call := b.outer(code.Call)
	callee := call.Kid(code.Callee)
	if !callee.Is(code.Attr) || strings.Contains(callee.Text(), "?.") || call.Kid(code.Arg) == nil {
		return
	}
	b.put(callee.Start, call.Kid(code.Arg).Start, "Object.prototype."+callee.Name+".call("+callee.Kid(code.Object).Text()+", ")
}

// caseBlock puts what a case does into a block of its own.
func caseBlock(b *bench) {
	n := b.around("switch_case", "switch_default")
	if n.IsZero() {
		return
	}
	var body []syntax.Node
	for k := range n.Children() {
		if k.Field() == "body" {
			body = append(body, k)
		}
	}
	if len(body) == 0 || b.lineAt(body[0].Start()) == b.lineAt(n.Start()) {
		return
	}
	last := body[len(body)-1]
	before := strings.TrimRight(b.file.Source[:body[0].Start()], " \t\r\n")
	b.ask(replaced(len(before), len(before), " {"), replaced(last.End(), last.End(), "\n"+b.lineIndent(n.Start())+"}"))
}

// callbackReturn gives back the one thing that a function works out which is asked for it.
func callbackReturn(b *bench) {
	fn := b.function()
	stmts := fn.Kid(code.Body).All(code.Stmt)
	if len(stmts) != 1 || !stmts[0].Is(code.Eval) || stmts[0].Kid(code.Value).Is(code.Assign, code.Step) {
		return
	}
	b.put(stmts[0].Start, stmts[0].Start, "return ")
}

// useIsNaN asks whether a value is NaN, and does not compare it.
func useIsNaN(b *bench) {
	n := b.outer(code.Compare)
	l, r := n.Kid(code.Left), n.Kid(code.Right)
	if l.Text() == "NaN" || l.Text() == "Number.NaN" {
		l, r = r, l
	}
	if r.Text() != "NaN" && r.Text() != "Number.NaN" {
		return
	}
	switch n.Op {
	case "==", "===":
		b.put(n.Start, n.End, "Number.isNaN("+l.Text()+")")
	case "!=", "!==":
		b.put(n.Start, n.End, "!Number.isNaN("+l.Text()+")")
	}
}

var typeofNames = []string{"undefined", "object", "boolean", "number", "string", "function", "symbol", "bigint"}

// typeName spells the name of a type right.
func typeName(b *bench) {
	n := b.outer(code.Str)
	if n == nil || len(n.Text()) < 2 {
		return
	}
	had := n.Text()[1 : len(n.Text())-1]
	for _, name := range typeofNames {
		if near.Likeness(had, name) >= near.Enough {
			b.propose(near.Likeness(had, name), b.why, replaced(n.Start+1, n.End-1, name))
		}
	}
}

// negateWhole negates the whole of a question.
func negateWhole(b *bench) {
	n := b.around("binary_expression")
	left := n.Child("left")
	if n.IsZero() || !strings.HasPrefix(left.Text(), "!") {
		return
	}
	b.putNode(n, "!("+strings.TrimPrefix(n.Text(), "!")+")")
}

// compareInstead compares where a condition gave a value; that of what is worked out there is given on purpose, which a second pair of parentheses says.
func compareInstead(b *bench) {
	n := b.outer(code.Assign)
	if n == nil || n.Op != "=" {
		return
	}
	if effective(n.Kid(code.Value)) {
		b.put(n.Start, n.End, "("+n.Text()+")")
		return
	}
	b.put(n.OpStart, n.OpEnd, "===")
}

// addRadix says that a number is decimal.
func addRadix(b *bench) {
	if call := b.outer(code.Call); call != nil && len(call.All(code.Arg)) == 1 {
		end := call.All(code.Arg)[0].End
		b.put(end, end, ", 10")
	}
}

// callSuper calls the parent's constructor first.
func callSuper(b *bench) {
	n := b.around("method_definition")
	body := n.Child("body")
	if body.IsZero() || strings.Contains(body.Text(), "super(") {
		return
	}
	at := body.Start() + 1
	for k := range body.NamedChildren() {
		if b.lineAt(k.Start()) == b.lineAt(body.Start()) {
			b.put(at, at, " super();")
			return
		}
		indent := b.lineIndent(k.Start())
		b.put(at, at, "\n"+indent+"super();")
		return
	}
	b.put(at, body.End()-1, " super(); ")
}

// uselessCatch takes a try apart that catches nothing.
func uselessCatch(b *bench) {
	n := b.around("try_statement")
	body := n.Child("body")
	if body.IsZero() || len(body.Text()) < 2 || !n.Child("finalizer").IsZero() || b.lineAt(body.Start()) == b.lineAt(body.End()) {
		return
	}
	inner := strings.Trim(body.Text()[1:len(body.Text())-1], "\r\n")
	inner = strings.TrimRight(inner, " \t\r\n")
	lines := strings.Split(inner, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimPrefix(l, b.step())
	}
	b.putNode(n, strings.TrimLeft(strings.Join(lines, "\n"), " \t"))
}

// throwError throws an error that says what was thrown before.
func throwError(b *bench) {
	if n := b.outer(code.Raise); n != nil {
		if v := n.Kid(code.Value); v.Is(code.Str) {
			b.put(v.Start, v.End, "new Error("+v.Text()+")")
		}
	}
}

// assignAgain gives a variable its value that was declared before.
func assignAgain(b *bench) {
	d := b.outer(code.Declaration)
	if d == nil || !strings.HasPrefix(d.Text(), "var ") || len(d.All(code.Elem)) != 1 || d.All(code.Elem)[0].Kid(code.Value) == nil {
		return
	}
	b.put(d.Start, d.All(code.Elem)[0].Start, "")
}

// onlyMissing takes another value only for what is missing.
func onlyMissing(b *bench) {
	n := b.outer(code.Logic)
	if n == nil || n.Op != "||" || n.Kid(code.Left).Is(code.Logic) || n.Kid(code.Right).Is(code.Logic) || n.Parent.Is(code.Logic) {
		return
	}
	b.put(n.OpStart, n.OpEnd, "??")
}

// positiveZero compares with 0.
func positiveZero(b *bench) {
	n := b.outer(code.Compare)
	for _, side := range []*code.Node{n.Kid(code.Left), n.Kid(code.Right)} {
		if side.Text() == "-0" {
			b.put(side.Start, side.End, "0")
		}
	}
}
