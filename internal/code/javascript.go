package code

import (
	"maps"
	"strings"

	"fettle/internal/syntax"
)

var javascript = &language{facts: &javascriptFacts, ops: cOps, rules: javascriptRules()}

var typescript = &language{facts: &typescriptFacts, ops: cOps, rules: typescriptRules()}

func javascriptRules() map[string]rule {
	function := map[string]Part{"body": Body, "parameters": Params, "parameter": Params}
	return map[string]rule{
		"program": {role: Module, kids: Stmt}, "statement_block": {role: Block, kids: Stmt}, "hash_bang_line": {leaf: true},
		"export_statement": {through: true, keep: true}, "import_statement": {role: Import, leaf: true},
		"function_declaration":           {role: Function, parts: function, shape: all(named, dropName, typed("return_type"))},
		"generator_function_declaration": {role: Function, parts: function, shape: all(named, dropName, typed("return_type"))},
		"function_expression":            {role: Function, parts: function, shape: all(named, dropName, typed("return_type"))},
		"generator_function":             {role: Function, parts: function, shape: all(named, dropName, typed("return_type"))},
		"arrow_function":                 {role: Function, parts: function, shape: typed("return_type")},
		"method_definition":              {role: Function, parts: function, shape: all(named, dropName, dropMembers, typed("return_type"))},
		"class_declaration":              {role: Class, parts: map[string]Part{"body": Body}, shape: all(named, dropName)},
		"class":                          {role: Class, parts: map[string]Part{"body": Body}, shape: all(named, dropName)},
		"class_body":                     {role: Block, kids: Stmt, parts: map[string]Part{"member": Stmt}},
		"field_definition":               {role: Assign, parts: map[string]Part{"property": Target, "value": Value}, declares: true},
		"formal_parameters":              {through: true, kids: Params},
		"assignment_pattern":             {role: Assign, parts: map[string]Part{"left": Target, "right": Value}},
		"rest_pattern":                   {role: Spread, kids: Operand}, "spread_element": {role: Spread, kids: Operand},
		"object_pattern": {role: Map, kids: Elem}, "array_pattern": {role: List, kids: Elem},
		"shorthand_property_identifier_pattern": {role: Name}, "pair_pattern": {role: Pair, parts: map[string]Part{"key": Key, "value": Value}},

		"lexical_declaration": {role: Declaration, kids: Elem}, "variable_declaration": {role: Declaration, kids: Elem},
		"variable_declarator":             {role: Assign, parts: map[string]Part{"name": Target, "value": Value}, declares: true, shape: typed("type")},
		"expression_statement":            {role: Eval, kids: Value},
		"assignment_expression":           {role: Assign, parts: map[string]Part{"left": Target, "right": Value}},
		"augmented_assignment_expression": {role: Assign, parts: map[string]Part{"left": Target, "right": Value}},
		"update_expression":               {role: Step, parts: map[string]Part{"argument": Operand}},
		"return_statement":                {role: Return, kids: Value}, "throw_statement": {role: Raise, kids: Value},
		"break_statement": {role: Break}, "continue_statement": {role: Continue}, "empty_statement": {role: Pass},
		"if_statement":     {role: If, parts: map[string]Part{"condition": Cond, "consequence": Then, "alternative": Else}, bare: []string{"condition"}},
		"else_clause":      {through: true, keep: true},
		"while_statement":  {role: While, parts: map[string]Part{"condition": Cond, "body": Body}, bare: []string{"condition"}},
		"do_statement":     {role: While, parts: map[string]Part{"condition": Cond, "body": Body}, bare: []string{"condition"}},
		"for_statement":    {role: For, parts: map[string]Part{"initializer": Init, "condition": Cond, "increment": Update, "body": Body}},
		"for_in_statement": {role: Each, parts: map[string]Part{"left": Target, "right": Iter, "body": Body}, declares: true},
		"switch_statement": {role: Switch, parts: map[string]Part{"value": Cond}, bare: []string{"value"}},
		"switch_body":      {through: true, kids: Body},
		"switch_case":      {role: Case, parts: map[string]Part{"value": Value, "body": Stmt}}, "switch_default": {role: Case, parts: map[string]Part{"body": Stmt}},
		"statement_identifier": {leaf: true},

		"identifier": {role: Name}, "property_identifier": {role: Member}, "private_property_identifier": {role: Member},
		"shorthand_property_identifier": {role: Name}, "this": {role: Self}, "super": {role: Self},
		"number": {role: Int, shape: jsNumber}, "string": {role: Str, leaf: true}, "template_string": {role: Str},
		"template_substitution": {through: true}, "string_fragment": {drop: true}, "escape_sequence": {drop: true}, "regex": {leaf: true},
		"true": {role: Bool}, "false": {role: Bool}, "null": {role: Null}, "undefined": {role: Null},
		"binary_expression":        {role: Arith, parts: map[string]Part{"left": Left, "right": Right}},
		"unary_expression":         {role: Unary, parts: map[string]Part{"argument": Operand}, shape: notUnary},
		"call_expression":          {role: Call, parts: map[string]Part{"function": Callee, "arguments": Arg}},
		"new_expression":           {role: Call, parts: map[string]Part{"constructor": Callee, "arguments": Arg}},
		"arguments":                {through: true, kids: Arg},
		"member_expression":        {role: Attr, parts: map[string]Part{"object": Object}, shape: attribute("property")},
		"subscript_expression":     {role: Index, parts: map[string]Part{"object": Object, "index": At}},
		"optional_chain":           {leaf: true},
		"ternary_expression":       {role: Choice, parts: map[string]Part{"condition": Cond, "consequence": Then, "alternative": Else}},
		"parenthesized_expression": {role: Group, kids: Operand},
		"array":                    {role: List, kids: Elem}, "object": {role: Map, kids: Elem},
		"pair":             {role: Pair, parts: map[string]Part{"key": Key, "value": Value}},
		"await_expression": {role: Wait, kids: Operand},
		"catch_clause":     {parts: map[string]Part{"parameter": Params, "body": Body}},
	}
}

// typescriptRules are those of JavaScript and what types add.
func typescriptRules() map[string]rule {
	rules := javascriptRules()
	maps.Copy(rules, map[string]rule{
		"type_annotation": {role: TypeRef, leaf: true}, "type_identifier": {role: TypeRef, leaf: true}, "type_arguments": {role: TypeRef, leaf: true},
		"type_parameters": {role: TypeRef, leaf: true}, "interface_declaration": {role: TypeRef, leaf: true}, "asserts_annotation": {role: TypeRef, leaf: true},
		"type_alias_declaration": {role: TypeRef, leaf: true}, "predefined_type": {role: TypeRef, leaf: true}, "type_predicate_annotation": {role: TypeRef, leaf: true},
		"ambient_declaration": {role: TypeRef, leaf: true}, "enum_declaration": {role: Class, parts: map[string]Part{"body": Body}, shape: all(named, dropName)},
		"enum_body": {role: Block, kids: Stmt, parts: map[string]Part{"name": Stmt}}, "enum_assignment": {role: Assign, parts: map[string]Part{"name": Target, "value": Value}, declares: true},
		"required_parameter":         {role: Param, parts: map[string]Part{"value": Value}, shape: tsParameter},
		"optional_parameter":         {role: Param, parts: map[string]Part{"value": Value}, shape: tsParameter},
		"public_field_definition":    {role: Assign, parts: map[string]Part{"name": Target, "value": Value}, declares: true, shape: typed("type")},
		"abstract_class_declaration": {role: Class, parts: map[string]Part{"body": Body}, shape: all(named, dropName)},
		"as_expression":              {kids: Operand}, "satisfies_expression": {kids: Operand}, "non_null_expression": {kids: Operand}, "type_assertion": {kids: Operand},
		"accessibility_modifier": {drop: true}, "override_modifier": {drop: true}, "implements_clause": {drop: true},
	})
	return rules
}

func tsParameter(_ *reader, n *Node, s syntax.Node) {
	typed("type")(nil, n, s)
	var kids []*Node
	for _, k := range n.Kids {
		switch {
		case k.Role == TypeRef:
		case k.Role == Name && k.Part != Value:
			n.Name = k.Name
		default:
			kids = append(kids, k)
		}
	}
	n.Kids = kids
}

// dropMembers takes out the name of a method.
func dropMembers(_ *reader, n *Node, _ syntax.Node) {
	var kids []*Node
	for _, k := range n.Kids {
		if k.Role != Member {
			kids = append(kids, k)
		}
	}
	n.Kids = kids
}

// jsNumber tells fractions from integers.
func jsNumber(_ *reader, n *Node, s syntax.Node) {
	if fraction(s.Text()) {
		n.Role = Float
	}
}

// scriptImports are the names that an import statement makes known: a, c, d in "import a, {b as c, d} from 'x'".
func scriptImports(text string) []string {
	clause, _, _ := strings.Cut(strings.ReplaceAll(strings.TrimPrefix(text, "import"), `"`, "'"), "'")
	clause, named := strings.CutSuffix(strings.TrimSpace(clause), "from")
	if !named {
		return nil // only run
	}
	var out []string
	for part := range strings.FieldsFuncSeq(clause, func(r rune) bool { return strings.ContainsRune("{},", r) }) {
		if words := strings.Fields(part); len(words) > 0 {
			out = append(out, words[len(words)-1])
		}
	}
	return out
}
