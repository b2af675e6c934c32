package code

import "strings"

// Facts is how a language spells what templates write.
type Facts struct {
	Name        string
	Family      string // the language by whose name tables of spellings are asked: JavaScript for TypeScript, too
	Comment     string // what begins one that ends with its line
	End         string // what ends a statement: ";" or nothing
	Braces      bool   // blocks stand in braces; else they are indented
	Parens      bool   // conditions of statements stand in parentheses
	BlockScoped bool   // a variable ends with the block that declares it
	Static      bool   // a compiler judges types before anything runs
	Wraps       bool   // an index below zero counts from the end
	Silent      bool   // an index beyond the ends gives nothing, and no error

	And, Or, Not      string // Not with the blank that it needs
	Equal, Same       string // whether two values are equal; whether one is the other, as is asked of Null
	True, False, Null string
	Self              string // what methods call their object, if that is a word of the language's own

	Ariths  map[string][]string // operators, and what they are taken for, likely ones first
	Assigns map[string][]string // operators of assignments, and what they are taken for
}

// Negated is a condition's opposite, its text as an operand.
func (f *Facts) Negated(n *Node) string {
	text := n.Text()
	if !Primary(n) {
		text = "(" + text + ")"
	}
	return f.Not + text
}

// Primary reports whether a value needs no parentheses, wherever it is put.
func Primary(n *Node) bool {
	return n.Is(Name, Int, Float, Str, Char, Bool, Null, Self, List, Map, Call, Index, Slice, Attr, Group, Comprehension)
}

// Grouped is the text of a value, in parentheses if it needs them as an operand.
func Grouped(n *Node) string {
	if Primary(n) {
		return n.Text()
	}
	return "(" + n.Text() + ")"
}

var orders = map[string][]string{
	"<": {"<=", ">", ">=", "!=", "=="}, "<=": {"<", ">=", ">", "=="}, ">": {">=", "<", "<=", "!=", "=="}, ">=": {">", "<=", "<", "=="},
	"==": {"!=", "<=", ">=", "<", ">"}, "!=": {"==", "<", ">"},
}

var cAriths = map[string][]string{
	"+": {"-", "*"}, "-": {"+", "*", "/"}, "*": {"/", "+", "-", "%"}, "/": {"*", "%", "-"}, "%": {"/", "*"},
	"&": {"|", "^"}, "|": {"&", "^"}, "^": {"&", "|"}, "<<": {">>"}, ">>": {"<<"},
}

var cAssigns = map[string][]string{
	"+=": {"-=", "=", "*="}, "-=": {"+=", "="}, "*=": {"/=", "+=", "="}, "/=": {"*=", "%="}, "%=": {"/="}, "&=": {"|=", "^="}, "|=": {"&=", "^="},
	"^=": {"&=", "|="}, "<<=": {">>="}, ">>=": {"<<="}, "=": {"+=", "-="}, "++": {"--"}, "--": {"++"},
}

func with(base map[string][]string, more map[string][]string) map[string][]string {
	out := map[string][]string{}
	for k, v := range base {
		out[k] = v
	}
	for k, v := range more {
		out[k] = v
	}
	return out
}

var pythonFacts = Facts{
	Name: "Python", Family: "Python", Wraps: true, Comment: "#", And: "and", Or: "or", Not: "not ", Equal: "==", Same: "is", True: "True", False: "False", Null: "None",
	Ariths: with(cAriths, map[string][]string{
		"/": {"//", "*", "%", "-"}, "//": {"/", "%", "*"}, "%": {"//", "/", "*"}, "**": {"*"}, "^": {"**", "&", "|"}, "*": {"/", "**", "//", "+", "-", "%"}, "@": {"*"},
	}),
	Assigns: with(cAssigns, map[string][]string{"//=": {"/=", "%="}, "/=": {"//=", "*="}, "**=": {"*="}}),
}

var goFacts = Facts{
	Name: "Go", Family: "Go", Comment: "//", Braces: true, BlockScoped: true, Static: true, And: "&&", Or: "||", Not: "!", Equal: "==", Same: "==", True: "true", False: "false", Null: "nil",
	Ariths:  with(cAriths, map[string][]string{"&": {"|", "^", "&^"}, "&^": {"&"}}),
	Assigns: with(cAssigns, map[string][]string{"&^=": {"&="}}),
}

var javascriptFacts = Facts{
	Name: "JavaScript", Family: "JavaScript", Silent: true, Comment: "//", End: ";", Braces: true, Parens: true, BlockScoped: true, And: "&&", Or: "||", Not: "!", Equal: "===", Same: "===", True: "true", False: "false",
	Null: "null", Self: "this",
	Ariths:  with(cAriths, map[string][]string{"**": {"*"}, "^": {"**", "&", "|"}, "*": {"/", "+", "-", "**", "%"}, ">>>": {">>"}, ">>": {"<<", ">>>"}}),
	Assigns: cAssigns,
}

var typescriptFacts = func() Facts {
	f := javascriptFacts
	f.Name = "TypeScript"
	return f
}()

var javaFacts = Facts{
	Name: "Java", Family: "Java", Comment: "//", End: ";", Braces: true, Parens: true, BlockScoped: true, Static: true, And: "&&", Or: "||", Not: "!", Equal: "==", Same: "==", True: "true",
	False: "false", Null: "null", Self: "this",
	Ariths:  with(cAriths, map[string][]string{">>>": {">>"}, ">>": {"<<", ">>>"}}),
	Assigns: cAssigns,
}

// Confusions are the operators that a comparison may have been taken for, likely ones first.
func (f *Facts) Confusions(op string) []string {
	switch f.Name {
	case "Python":
		return pythonCompares[op]
	case "JavaScript", "TypeScript":
		return scriptCompares[op]
	}
	return orders[op]
}

var pythonCompares = with(orders, map[string][]string{
	"in": {"not in", "=="}, "not in": {"in", "!="}, "is": {"is not", "=="}, "is not": {"is", "!="},
	"==": {"!=", "<=", ">=", "<", ">", "in", "is"}, "!=": {"==", "<", ">", "not in"},
})

var scriptCompares = with(orders, map[string][]string{
	"===": {"!==", "<=", ">=", "<", ">"}, "!==": {"===", "<", ">"}, "<": {"<=", ">", ">=", "!==", "==="}, ">": {">=", "<", "<=", "!==", "==="},
	"<=": {"<", ">=", ">", "==="}, ">=": {">", "<=", "<", "==="},
})

// fraction reports whether a number's text is not that of an integer.
func fraction(text string) bool {
	return !strings.HasPrefix(text, "0x") && !strings.HasPrefix(text, "0X") && strings.ContainsAny(text, ".eE")
}
