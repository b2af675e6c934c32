package code

import "fettle/internal/syntax"

var java = &language{
	facts: &javaFacts,
	ops:   cOps,
	rules: map[string]rule{
		"program": {role: Module, kids: Stmt}, "block": {role: Block, kids: Stmt}, "constructor_body": {role: Block, kids: Stmt},
		"package_declaration": {role: Import, leaf: true}, "import_declaration": {role: Import, leaf: true}, "modifiers": {role: TypeRef, leaf: true},
		"class_declaration":     {role: Class, parts: map[string]Part{"body": Body}, shape: all(named, dropName)},
		"enum_declaration":      {role: Class, parts: map[string]Part{"body": Body}, shape: all(named, dropName)},
		"record_declaration":    {role: Class, parts: map[string]Part{"body": Body}, shape: all(named, dropName)},
		"interface_declaration": {role: Class, parts: map[string]Part{"body": Body}, shape: all(named, dropName)},
		"class_body":            {role: Block, kids: Stmt}, "interface_body": {role: Block, kids: Stmt}, "enum_body": {role: Block, kids: Stmt},
		"enum_body_declarations": {through: true, kids: Stmt},
		"field_declaration":      {role: Declaration, kids: Elem, parts: map[string]Part{"declarator": Elem}}, "local_variable_declaration": {role: Declaration, kids: Elem, parts: map[string]Part{"declarator": Elem}},
		"variable_declarator":     {role: Assign, parts: map[string]Part{"name": Target, "value": Value}, declares: true, shape: javaTyped},
		"resource":                {role: Assign, parts: map[string]Part{"name": Target, "value": Value}, declares: true, shape: typed("type")},
		"resource_specification":  {through: true},
		"method_declaration":      {role: Function, parts: map[string]Part{"body": Body, "parameters": Params}, shape: all(named, dropName, typed("type"))},
		"constructor_declaration": {role: Function, parts: map[string]Part{"body": Body, "parameters": Params}, shape: all(named, dropName)},
		"lambda_expression":       {role: Function, parts: map[string]Part{"body": Body, "parameters": Params}},
		"formal_parameters":       {through: true, kids: Params}, "inferred_parameters": {through: true, kids: Params},
		"formal_parameter": {role: Param, shape: all(named, typed("type"), noKids)},
		"spread_parameter": {role: Param, shape: javaSpread},
		"throws":           {role: TypeRef, leaf: true}, "type_parameters": {role: TypeRef, leaf: true}, "superclass": {role: TypeRef, leaf: true},
		"super_interfaces": {role: TypeRef, leaf: true}, "dimensions": {role: TypeRef, leaf: true}, "type_arguments": {role: TypeRef, leaf: true},
		"integral_type": {role: TypeRef, leaf: true}, "floating_point_type": {role: TypeRef, leaf: true}, "boolean_type": {role: TypeRef, leaf: true},
		"void_type": {role: TypeRef, leaf: true}, "type_identifier": {role: TypeRef, leaf: true}, "scoped_type_identifier": {role: TypeRef, leaf: true},
		"generic_type": {role: TypeRef, leaf: true}, "array_type": {role: TypeRef, leaf: true}, "catch_type": {role: TypeRef, leaf: true},
		"marker_annotation": {role: TypeRef, leaf: true}, "annotation": {role: TypeRef, leaf: true},

		"expression_statement":  {role: Eval, kids: Value},
		"assignment_expression": {role: Assign, parts: map[string]Part{"left": Target, "right": Value}},
		"update_expression":     {role: Step, kids: Operand},
		"return_statement":      {role: Return, kids: Value}, "throw_statement": {role: Raise, kids: Value}, "yield_statement": {kids: Value},
		"break_statement": {role: Break, leaf: true}, "continue_statement": {role: Continue, leaf: true},
		"if_statement":                 {role: If, parts: map[string]Part{"condition": Cond, "consequence": Then, "alternative": Else}, bare: []string{"condition"}},
		"while_statement":              {role: While, parts: map[string]Part{"condition": Cond, "body": Body}, bare: []string{"condition"}},
		"do_statement":                 {role: While, parts: map[string]Part{"condition": Cond, "body": Body}, bare: []string{"condition"}},
		"for_statement":                {role: For, parts: map[string]Part{"init": Init, "condition": Cond, "update": Update, "body": Body}},
		"enhanced_for_statement":       {role: Each, parts: map[string]Part{"name": Target, "value": Iter, "body": Body}, declares: true, shape: typed("type")},
		"switch_expression":            {role: Switch, parts: map[string]Part{"condition": Cond}, bare: []string{"condition"}},
		"switch_block":                 {through: true, kids: Body},
		"switch_block_statement_group": {role: Case, kids: Stmt}, "switch_rule": {role: Case, kids: Stmt},
		"switch_label": {through: true, kids: Value},
		"catch_clause": {parts: map[string]Part{"body": Body}}, "catch_formal_parameter": {role: Param, shape: all(named, noKids)},

		"identifier": {role: Name}, "this": {role: Self}, "super": {role: Self},
		"decimal_integer_literal": {role: Int}, "hex_integer_literal": {role: Int}, "octal_integer_literal": {role: Int}, "binary_integer_literal": {role: Int},
		"decimal_floating_point_literal": {role: Float}, "hex_floating_point_literal": {role: Float},
		"string_literal": {role: Str, leaf: true}, "character_literal": {role: Char}, "true": {role: Bool}, "false": {role: Bool}, "null_literal": {role: Null},
		"binary_expression":               {role: Arith, parts: map[string]Part{"left": Left, "right": Right}},
		"instanceof_expression":           {role: Compare, parts: map[string]Part{"left": Left, "right": Right}},
		"unary_expression":                {role: Unary, parts: map[string]Part{"operand": Operand}, shape: notUnary},
		"method_invocation":               {role: Call, parts: map[string]Part{"object": Object, "arguments": Arg}, shape: javaCall},
		"object_creation_expression":      {role: Call, parts: map[string]Part{"type": Callee, "arguments": Arg}},
		"explicit_constructor_invocation": {role: Call, parts: map[string]Part{"constructor": Callee, "arguments": Arg}},
		"argument_list":                   {through: true, kids: Arg},
		"field_access":                    {role: Attr, parts: map[string]Part{"object": Object}, shape: attribute("field")},
		"array_access":                    {role: Index, parts: map[string]Part{"array": Object, "index": At}},
		"ternary_expression":              {role: Choice, parts: map[string]Part{"condition": Cond, "consequence": Then, "alternative": Else}},
		"parenthesized_expression":        {role: Group, kids: Operand},
		"cast_expression":                 {parts: map[string]Part{"value": Operand, "type": Type}},
		"array_initializer":               {role: List, kids: Elem},
		"array_creation_expression":       {kids: Elem, parts: map[string]Part{"type": Type, "dimensions": Elem, "value": Value}},
		"dimensions_expr":                 {through: true, keep: true},
		"method_reference":                {leaf: true}, "class_literal": {leaf: true},
	},
}

// javaTyped takes the type that the declaration around several variables has.
func javaTyped(_ *reader, n *Node, s syntax.Node) {
	n.Type = s.Parent().Child("type").Text() + s.Child("dimensions").Text()
}

func javaSpread(_ *reader, n *Node, s syntax.Node) {
	for c := range s.NamedChildren() {
		switch {
		case c.Is("variable_declarator"):
			n.Name = c.Child("name").Text()
		case !c.Is("modifiers"):
			n.Type = c.Text() + "[]"
		}
	}
	n.Kids = nil
}

// javaCall makes a callee of OBJECT.NAME, as other grammars have it.
func javaCall(r *reader, n *Node, s syntax.Node) {
	name := s.Child("name")
	var kids []*Node
	var object *Node
	for _, k := range n.Kids {
		switch {
		case k.Part == Object:
			object = k
		case k.Start == name.Start() && k.End == name.End():
		default:
			kids = append(kids, k)
		}
	}
	n.Kids = kids
	if object == nil {
		r.add(n, Name, Callee, name)
		return
	}
	callee := &Node{Role: Attr, Part: Callee, Name: name.Text(), Start: s.Start(), End: name.End(), Parent: n, File: r.file, Kids: []*Node{object}}
	r.add(callee, Member, Mem, name)
	n.Kids = append(n.Kids, callee)
}
