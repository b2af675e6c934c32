package code

import (
	"slices"

	"fettle/internal/syntax"
)

var golang = &language{
	facts: &goFacts,
	ops:   cOps,
	rules: map[string]rule{
		"source_file": {role: Module, kids: Stmt}, "block": {role: Block, kids: Stmt}, "statement_list": {through: true, kids: Stmt},
		"package_clause": {role: Import, leaf: true}, "import_declaration": {role: Import, leaf: true},
		"function_declaration": {role: Function, parts: map[string]Part{"body": Body, "parameters": Params, "result": Type}, shape: goFunction},
		"method_declaration":   {role: Function, parts: map[string]Part{"body": Body, "receiver": Params, "parameters": Params, "result": Type}, shape: goFunction},
		"func_literal":         {role: Function, parts: map[string]Part{"body": Body, "parameters": Params, "result": Type}, shape: goFunction},
		"parameter_list":       {through: true, kids: Params}, "type_parameter_list": {leaf: true},
		"parameter_declaration":          {role: Param, shape: all(named, typed("type"), noKids)},
		"variadic_parameter_declaration": {role: Param, shape: all(named, variadic, noKids)},
		"type_declaration":               {role: Class, leaf: true},
		"type_identifier":                {role: TypeRef, leaf: true}, "slice_type": {role: TypeRef, leaf: true},
		"map_type": {role: TypeRef, leaf: true}, "array_type": {role: TypeRef, leaf: true}, "pointer_type": {role: TypeRef, leaf: true},
		"struct_type": {role: TypeRef, leaf: true}, "interface_type": {role: TypeRef, leaf: true}, "channel_type": {role: TypeRef, leaf: true},
		"function_type": {role: TypeRef, leaf: true}, "qualified_type": {role: TypeRef, leaf: true}, "generic_type": {role: TypeRef, leaf: true},
		"implicit_length_array_type": {role: TypeRef, leaf: true},

		"const_declaration": {role: Declaration, kids: Elem}, "var_declaration": {role: Declaration, kids: Elem}, "var_spec_list": {through: true, keep: true},
		"const_spec":            {role: Assign, parts: map[string]Part{"name": Target, "value": Value}, declares: true, shape: typed("type")},
		"var_spec":              {role: Assign, parts: map[string]Part{"name": Target, "value": Value}, declares: true, shape: typed("type")},
		"short_var_declaration": {role: Assign, parts: map[string]Part{"left": Target, "right": Value}, declares: true},
		"assignment_statement":  {role: Assign, parts: map[string]Part{"left": Target, "right": Value}},
		"expression_list":       {through: true, keep: true},
		"inc_statement":         {role: Step, kids: Operand}, "dec_statement": {role: Step, kids: Operand},
		"expression_statement": {role: Eval, kids: Value}, "return_statement": {role: Return, kids: Value},
		"break_statement": {role: Break}, "continue_statement": {role: Continue}, "empty_statement": {role: Pass},
		"if_statement":                {role: If, parts: map[string]Part{"initializer": Init, "condition": Cond, "consequence": Then, "alternative": Else}},
		"for_statement":               {role: While, parts: map[string]Part{"body": Body}, kids: Cond, shape: goLoop},
		"for_clause":                  {role: For, parts: map[string]Part{"initializer": Init, "condition": Cond, "update": Update}},
		"range_clause":                {role: Each, parts: map[string]Part{"left": Target, "right": Iter}, shape: goRange},
		"expression_switch_statement": {role: Switch, parts: map[string]Part{"initializer": Init, "value": Cond}, kids: Body},
		"type_switch_statement":       {role: Switch, parts: map[string]Part{"initializer": Init, "value": Cond}, kids: Body},
		"select_statement":            {role: Switch, kids: Body},
		"expression_case":             {role: Case, parts: map[string]Part{"value": Value}}, "default_case": {role: Case}, "type_case": {role: Case},
		"communication_case": {role: Case},

		"identifier": {role: Name}, "blank_identifier": {role: Name}, "field_identifier": {role: Member}, "package_identifier": {role: Name},
		"int_literal": {role: Int}, "float_literal": {role: Float}, "rune_literal": {role: Char},
		"interpreted_string_literal": {role: Str, leaf: true}, "raw_string_literal": {role: Str, leaf: true},
		"true": {role: Bool}, "false": {role: Bool}, "nil": {role: Null}, "iota": {role: Name},
		"binary_expression": {role: Arith, parts: map[string]Part{"left": Left, "right": Right}},
		"unary_expression":  {role: Unary, parts: map[string]Part{"operand": Operand}, shape: notUnary},
		"call_expression":   {role: Call, parts: map[string]Part{"function": Callee}},
		"argument_list":     {through: true, kids: Arg}, "variadic_argument": {role: Spread, kids: Operand},
		"selector_expression":       {role: Attr, parts: map[string]Part{"operand": Object}, shape: attribute("field")},
		"index_expression":          {role: Index, parts: map[string]Part{"operand": Object, "index": At}},
		"slice_expression":          {role: Slice, parts: map[string]Part{"operand": Object, "start": Low, "end": High, "capacity": Stride}},
		"parenthesized_expression":  {role: Group, kids: Operand},
		"type_assertion_expression": {parts: map[string]Part{"operand": Operand}}, "type_conversion_expression": {parts: map[string]Part{"operand": Operand}},
		"composite_literal": {role: List, kids: Elem, shape: goLiteral}, "literal_value": {through: true, kids: Elem},
		"literal_element": {through: true, keep: true},
		"keyed_element":   {role: Pair, parts: map[string]Part{"key": Key, "value": Value}},
		"label_name":      {leaf: true},
	},
}

// cOps is what the operators of the C family do, where that is not arithmetic.
var cOps = map[string]Role{
	"==": Compare, "!=": Compare, "<": Compare, "<=": Compare, ">": Compare, ">=": Compare, "===": Compare, "!==": Compare,
	"instanceof": Compare, "in": Compare, "&&": Logic, "||": Logic, "??": Logic,
}

func noKids(_ *reader, n *Node, _ syntax.Node) { n.Kids = nil }

func variadic(_ *reader, n *Node, s syntax.Node) { n.Type = "[]" + s.Child("type").Text() }

// goFunction takes the name and the results; a declaration of several parameters becomes one Param each.
func goFunction(r *reader, n *Node, s syntax.Node) {
	n.Name, n.Type = s.Child("name").Text(), s.Child("result").Text()
	var kids []*Node
	for _, k := range n.Kids {
		if k.Part != Type && k.Part != None {
			kids = append(kids, k)
		}
	}
	n.Kids = kids
	for _, list := range []string{"receiver", "parameters"} {
		for d := range s.Child(list).NamedChildren() {
			first := true
			for c := range d.Children() {
				if c.Field() == "name" && !first {
					p := r.add(n, Param, Params, c)
					p.Name, p.Type = c.Text(), d.Child("type").Text()
				}
				first = first && c.Field() != "name"
			}
		}
	}
}

// goLoop tells the three kinds of loop apart.
func goLoop(_ *reader, n *Node, _ syntax.Node) {
	if c := n.Kid(Cond); c.Is(For, Each) {
		n.Role, n.Declares = c.Role, c.Declares
		n.Kids = slices.Concat(c.Kids, n.All(Body))
	}
}

func goRange(_ *reader, n *Node, s syntax.Node) {
	for c := range s.Children() {
		n.Declares = n.Declares || c.Kind() == ":="
	}
}

// goLiteral makes a Map of a literal with keys.
func goLiteral(_ *reader, n *Node, _ syntax.Node) {
	for _, k := range n.Kids {
		if k.Role == Pair {
			n.Role = Map
		}
	}
}

// notUnary tells a negation from the signs.
func notUnary(_ *reader, n *Node, _ syntax.Node) {
	if n.Op == "!" {
		n.Role = Not
	}
}
