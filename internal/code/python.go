package code

import (
	"strings"

	"fettle/internal/syntax"
)

var python = &language{
	facts: &pythonFacts,
	ops:   map[string]Role{},
	rules: map[string]rule{
		"module": {role: Module, kids: Stmt}, "block": {role: Block, kids: Stmt},
		"function_definition":  {role: Function, parts: map[string]Part{"body": Body, "return_type": Type}, shape: all(named, typed("return_type"), dropName)},
		"lambda":               {role: Function, parts: map[string]Part{"body": Body}},
		"class_definition":     {role: Class, parts: map[string]Part{"body": Body}, shape: all(named, dropName)},
		"decorated_definition": {through: true, keep: true},
		"parameters":           {through: true, kids: Params}, "lambda_parameters": {through: true, kids: Params},
		"default_parameter": {role: Param, parts: map[string]Part{"value": Value}, shape: all(named, dropName)},
		"typed_parameter":   {role: Param, shape: all(firstName, typed("type"))},
		"typed_default_parameter": {role: Param, parts: map[string]Part{"value": Value},
			shape: all(named, typed("type"), dropName)},
		"list_splat_pattern": {role: Spread, kids: Operand}, "dictionary_splat_pattern": {role: Spread, kids: Operand},
		"list_splat": {role: Spread, kids: Operand}, "dictionary_splat": {role: Spread, kids: Operand},
		"type": {role: TypeRef, leaf: true},

		"expression_statement": {role: Eval, kids: Value, shape: unwrapAssign},
		"assignment":           {role: Assign, parts: map[string]Part{"left": Target, "right": Value}, declares: true, shape: typed("type")},
		"augmented_assignment": {role: Assign, parts: map[string]Part{"left": Target, "right": Value}},
		"named_expression":     {role: Assign, parts: map[string]Part{"name": Target, "value": Value}, declares: true},
		"pattern_list":         {through: true, keep: true}, "tuple_pattern": {role: List, kids: Elem}, "list_pattern": {role: List, kids: Elem},
		"expression_list":  {role: List, kids: Elem},
		"return_statement": {role: Return, kids: Value},
		"raise_statement":  {role: Raise, kids: Value},
		"break_statement":  {role: Break}, "continue_statement": {role: Continue}, "pass_statement": {role: Pass},
		"if_statement":     {role: If, parts: map[string]Part{"condition": Cond, "consequence": Then, "alternative": Else}},
		"elif_clause":      {role: If, parts: map[string]Part{"condition": Cond, "consequence": Then}},
		"else_clause":      {through: true, keep: true, parts: map[string]Part{"body": Else}},
		"while_statement":  {role: While, parts: map[string]Part{"condition": Cond, "body": Body, "alternative": Else}},
		"for_statement":    {role: Each, parts: map[string]Part{"left": Target, "right": Iter, "body": Body, "alternative": Else}, declares: true},
		"match_statement":  {role: Switch, parts: map[string]Part{"subject": Cond, "body": Body}},
		"case_clause":      {role: Case, parts: map[string]Part{"consequence": Body}},
		"case_pattern":     {role: TypeRef, leaf: true},
		"import_statement": {role: Import, leaf: true}, "import_from_statement": {role: Import, leaf: true},
		"future_import_statement": {role: Import, leaf: true}, "global_statement": {leaf: true}, "nonlocal_statement": {leaf: true},

		"identifier": {role: Name}, "integer": {role: Int}, "float": {role: Float}, "true": {role: Bool}, "false": {role: Bool},
		"none": {role: Null}, "string": {role: Str}, "concatenated_string": {role: Str, leaf: true},
		"interpolation": {through: true}, "format_specifier": {through: true}, "string_start": {drop: true}, "string_content": {drop: true},
		"string_end": {drop: true}, "type_conversion": {drop: true},
		"list": {role: List, kids: Elem}, "tuple": {role: List, kids: Elem}, "set": {role: List, kids: Elem},
		"dictionary": {role: Map, kids: Elem}, "pair": {role: Pair, parts: map[string]Part{"key": Key, "value": Value}},
		"comparison_operator":      {role: Compare, kids: Elem, shape: chained},
		"boolean_operator":         {role: Logic, parts: map[string]Part{"left": Left, "right": Right}},
		"binary_operator":          {role: Arith, parts: map[string]Part{"left": Left, "right": Right}},
		"not_operator":             {role: Not, parts: map[string]Part{"argument": Operand}},
		"unary_operator":           {role: Unary, parts: map[string]Part{"argument": Operand}},
		"call":                     {role: Call, parts: map[string]Part{"function": Callee, "arguments": Arg}},
		"argument_list":            {through: true, kids: Arg},
		"keyword_argument":         {role: Keyword, parts: map[string]Part{"value": Value}, shape: all(named, dropName)},
		"attribute":                {role: Attr, parts: map[string]Part{"object": Object}, shape: attribute("attribute")},
		"subscript":                {role: Index, parts: map[string]Part{"value": Object, "subscript": At}, shape: sliced},
		"slice":                    {role: Slice, kids: Elem},
		"conditional_expression":   {role: Choice, kids: Elem, shape: chosen},
		"parenthesized_expression": {role: Group, kids: Operand},
		"generator_expression":     {role: Comprehension, parts: map[string]Part{"body": Body}},
		"list_comprehension":       {role: Comprehension, parts: map[string]Part{"body": Body}},
		"set_comprehension":        {role: Comprehension, parts: map[string]Part{"body": Body}},
		"dictionary_comprehension": {role: Comprehension, parts: map[string]Part{"body": Body}},
		"for_in_clause":            {role: Each, parts: map[string]Part{"left": Target, "right": Iter}, declares: true},
		"if_clause":                {through: true, kids: Cond},
		"await":                    {role: Wait, kids: Operand},
		"as_pattern":               {role: Assign, kids: Value, declares: true, shape: aliased},
	},
}

// dropName takes out the name of what is declared: it is no variable that is read.
func dropName(_ *reader, n *Node, s syntax.Node) {
	name := s.Child("name")
	for i, k := range n.Kids {
		if k.Role == Name && k.Start == name.Start() && k.End == name.End() {
			n.Kids = append(n.Kids[:i:i], n.Kids[i+1:]...)
			return
		}
	}
}

// firstName is the name of a parameter that has no field for it.
func firstName(_ *reader, n *Node, _ syntax.Node) {
	if len(n.Kids) > 0 {
		n.Name = strings.TrimLeft(n.Kids[0].Text(), "*")
		n.Kids = nil
	}
}

// unwrapAssign makes a statement of an assignment: nothing is computed for its value.
func unwrapAssign(_ *reader, n *Node, _ syntax.Node) {
	if len(n.Kids) == 1 && n.Kids[0].Role == Assign && n.Kids[0].Start == n.Start && n.Kids[0].End == n.End {
		part, parent := n.Part, n.Parent
		*n = *n.Kids[0]
		n.Part, n.Parent = part, parent
	}
}

// chained makes pairs of a < b < c: (a < b) < c, each with its own operator.
func chained(r *reader, n *Node, s syntax.Node) {
	var ops []syntax.Node
	for c := range s.Children() {
		if c.Field() == "operators" && !c.Named() {
			ops = append(ops, c)
		}
	}
	operands := n.Kids
	if len(ops) != len(operands)-1 || len(ops) == 0 {
		return
	}
	left := operands[0]
	for i, op := range ops {
		pair := n
		if i < len(ops)-1 {
			pair = &Node{Role: Compare, Start: n.Start, End: operands[i+1].End, File: r.file}
		}
		left.Part, operands[i+1].Part = Left, Right
		pair.Kids = []*Node{left, operands[i+1]}
		pair.Op, pair.OpStart, pair.OpEnd = strings.Join(strings.Fields(op.Text()), " "), op.Start(), op.End()
		left = pair
	}
}

// sliced makes a Slice of what is indexed by one.
func sliced(_ *reader, n *Node, s syntax.Node) {
	at := n.Kid(At)
	if at == nil || at.Role != Slice || len(n.All(At)) != 1 {
		return
	}
	n.Role = Slice
	kids := []*Node{n.Kid(Object)}
	part := []Part{Low, High, Stride}
	i := 0
	for c := range s.Child("subscript").Children() {
		switch {
		case !c.Named() && c.Kind() == ":":
			i++
		case c.Named() && !c.IsExtra() && i < len(part):
			for _, k := range at.Kids {
				if k.Start == c.Start() && k.End == c.End() {
					k.Part = part[i]
					kids = append(kids, k)
				}
			}
		}
	}
	n.Kids = kids
}

// chosen names the parts of THEN if COND else ELSE.
func chosen(_ *reader, n *Node, _ syntax.Node) {
	for i, k := range n.Kids {
		k.Part = []Part{Then, Cond, Else}[min(i, 2)]
	}
}

// aliased makes a target of the name in VALUE as NAME.
func aliased(r *reader, n *Node, s syntax.Node) {
	alias := s.Child("alias")
	kept := n.Kids[:0]
	for _, k := range n.Kids {
		if k.Start != alias.Start() {
			kept = append(kept, k)
		}
	}
	n.Kids = kept
	r.add(n, Name, Target, inner(alias))
}

// pythonImports are the names that an import statement makes known.
func pythonImports(text string) []string {
	text = strings.NewReplacer("(", " ", ")", " ", "\\", " ", "\n", " ").Replace(text)
	if _, after, from := strings.Cut(text, " import "); from && strings.HasPrefix(text, "from") {
		text = after
	} else {
		text = strings.TrimPrefix(text, "import ")
	}
	var out []string
	for part := range strings.SplitSeq(text, ",") {
		words := strings.Fields(part)
		switch {
		case len(words) == 3 && words[1] == "as":
			out = append(out, words[2])
		case len(words) == 1 && words[0] != "*":
			name, _, _ := strings.Cut(words[0], ".")
			out = append(out, name)
		}
	}
	return out
}
