package names

import (
	"strings"
	"unicode"

	"fettle/internal/syntax"
)

// javascript walks a source of JavaScript or TypeScript.
type javascript struct {
	*source
	strict bool // a module of its own, in which assigning to nothing is an error
}

// read walks a whole file.
func (j *javascript) read(root syntax.Node) {
	j.shared = true
	for c := range root.NamedChildren() {
		if c.Is("import_statement", "export_statement") {
			j.strict, j.shared = true, false
		}
	}
	for id := range root.Find("identifier") {
		switch id.Text() {
		case "require", "module", "exports", "define":
			j.shared = false
		}
	}
	j.kids(root, j.root)
}

func (j *javascript) kids(n syntax.Node, in *scope) {
	for c := range n.NamedChildren() {
		j.walk(c, in)
	}
}

// walk collects what a node binds and reads in a scope.
func (j *javascript) walk(n syntax.Node, in *scope) {
	switch n.Kind() {
	case "identifier", "shorthand_property_identifier":
		j.name(n, in)
	case "function_declaration", "generator_function_declaration":
		j.bind(in, n.Child("name").Text())
		j.hoist(in, n.Child("name").Text())
		j.function(n, in)
	case "function_expression", "generator_function", "arrow_function", "method_definition":
		j.function(n, in)
	case "class_declaration", "abstract_class_declaration", "class":
		j.class(n, in)
	case "statement_block", "for_statement", "switch_body":
		j.kids(n, j.inside(in, block))
	case "catch_clause":
		own := j.inside(in, block)
		j.pattern(n.Child("parameter"), own, false)
		j.walk(n.Child("body"), own)
	case "for_in_statement":
		j.loop(n, in)
	case "variable_declarator":
		j.pattern(n.Child("name"), in, n.Parent().Kind() == "variable_declaration")
		j.walk(n.Child("value"), in)
	case "assignment_expression":
		j.assigned(n.Child("left"), in)
		j.walk(n.Child("right"), in)
	case "comment":
		j.comment(n.Text())
	default:
		j.types(n, in)
	}
}

// types are the nodes of modules, of TypeScript and of JSX, in which not every name is a variable.
func (j *javascript) types(n syntax.Node, in *scope) {
	switch kind := n.Kind(); kind {
	case "import_statement", "import_alias", "ambient_declaration":
		j.all(n, in)
	case "function_signature", "interface_declaration", "type_alias_declaration":
		j.bind(in, n.Child("name").Text())
	case "export_statement":
		if n.Child("source").IsZero() {
			j.kids(n, in)
		}
	case "export_specifier":
		j.walk(n.Child("name"), in)
	case "enum_declaration":
		j.bind(in, n.Child("name").Text())
		j.enum(n.Child("body"), in)
	case "internal_module", "module": // what a namespace exports is known in its other parts
		for id := range n.Child("name").Find("identifier") {
			j.bind(in, id.Text())
		}
		j.kids(n.Child("body"), in)
	case "as_expression", "satisfies_expression":
		for value := range n.NamedChildren() {
			j.walk(value, in)
			break
		}
	case "jsx_opening_element", "jsx_self_closing_element":
		j.element(n, in)
	case "unary_expression":
		if n.Child("operator").Text() == "typeof" && n.Child("argument").Is("identifier") {
			j.excused[n.Child("argument").Text()] = true // asked whether it is there
			return
		}
		j.kids(n, in)
	case "with_statement":
		j.open = true
	default:
		if !notValues[kind] {
			j.kids(n, in)
		}
	}
}

// notValues are nodes in which nothing is read when the program runs.
var notValues = map[string]bool{
	"type_annotation": true, "type_arguments": true, "type_parameters": true, "type_predicate_annotation": true, "asserts_annotation": true,
	"implements_clause": true, "abstract_method_signature": true, "method_signature": true, "index_signature": true, "extends_type_clause": true,
	"type_query": true, "object_type": true, "function_type": true, "constructor_type": true, "nested_type_identifier": true, "generic_type": true,
	"meta_property": true, "jsx_closing_element": true, "namespace_export": true, "jsx_namespace_name": true, "hash_bang_line": true,
}

func (j *javascript) name(n syntax.Node, in *scope) {
	if n.Text() == "eval" {
		j.open = true
	}
	j.use(in, n)
}

// function reads a function in a scope of its own. The name of an expression is known in it alone.
func (j *javascript) function(n syntax.Node, in *scope) {
	own := j.inside(in, function)
	if name := n.Child("name"); name.Is("identifier") {
		j.bind(own, name.Text())
	} else if name.Is("computed_property_name") {
		j.walk(name, in)
	}
	j.pattern(n.Child("parameter"), own, false)
	for c := range n.Child("parameters").NamedChildren() {
		j.pattern(c, own, false)
	}
	j.walk(n.Child("body"), own)
}

func (j *javascript) class(n syntax.Node, in *scope) {
	name := n.Child("name")
	own := j.inside(in, block)
	if n.Is("class") {
		j.bind(own, name.Text())
	} else {
		j.bind(in, name.Text())
	}
	for c := range n.NamedChildren() {
		if c != name {
			j.walk(c, own)
		}
	}
}

func (j *javascript) loop(n syntax.Node, in *scope) {
	own := j.inside(in, block)
	if kind := n.Child("kind"); kind.IsZero() {
		j.assigned(n.Child("left"), own)
	} else {
		j.pattern(n.Child("left"), own, kind.Text() == "var")
	}
	j.walk(n.Child("right"), own)
	j.walk(n.Child("body"), own)
}

// enum knows its own members by their names.
func (j *javascript) enum(body syntax.Node, in *scope) {
	own := j.inside(in, block)
	for c := range body.NamedChildren() {
		name := c
		if c.Is("enum_assignment") {
			name = c.Child("name")
		}
		j.bind(own, name.Text())
	}
	for c := range body.Find("enum_assignment") {
		j.walk(c.Child("value"), own)
	}
}

// pattern binds the names that a declaration takes apart a value into. Defaults and computed keys are read.
func (j *javascript) pattern(n syntax.Node, in *scope, hoisted bool) {
	switch n.Kind() {
	case "identifier", "shorthand_property_identifier_pattern":
		if hoisted {
			j.hoist(in, n.Text())
		} else {
			j.bind(in, n.Text())
		}
	case "assignment_pattern", "object_assignment_pattern":
		j.pattern(n.Child("left"), in, hoisted)
		j.walk(n.Child("right"), in)
	case "pair_pattern":
		j.walk(n.Child("key"), in)
		j.pattern(n.Child("value"), in, hoisted)
	case "required_parameter", "optional_parameter":
		for c := range n.NamedChildren() {
			if c.Field() == "pattern" || c.Is("rest_pattern") {
				j.pattern(c, in, hoisted)
			} else {
				j.walk(c, in)
			}
		}
	case "object_pattern", "array_pattern", "rest_pattern":
		for c := range n.NamedChildren() {
			j.pattern(c, in, hoisted)
		}
	}
}

// assigned reads what is assigned to. Without a module around it, a script makes a global variable by assigning to a name that nobody has
// declared.
func (j *javascript) assigned(n syntax.Node, in *scope) {
	switch n.Kind() {
	case "identifier", "shorthand_property_identifier_pattern":
		if j.strict {
			j.use(in, n)
		} else {
			j.bind(j.root, n.Text())
		}
	case "object_pattern", "array_pattern", "rest_pattern":
		for c := range n.NamedChildren() {
			j.assigned(c, in)
		}
	case "pair_pattern":
		j.walk(n.Child("key"), in)
		j.assigned(n.Child("value"), in)
	case "assignment_pattern", "object_assignment_pattern":
		j.assigned(n.Child("left"), in)
		j.walk(n.Child("right"), in)
	default:
		j.walk(n, in)
	}
}

// all binds every name of an import or of a declaration that says what is defined elsewhere.
func (j *javascript) all(n syntax.Node, in *scope) {
	to := in
	if n.Is("ambient_declaration") {
		to = j.root
	}
	for id := range n.Find("identifier", "type_identifier") {
		if up := id.Parent(); up.Is("import_specifier") && id.Field() == "name" && !up.Child("alias").IsZero() {
			continue // what it is called elsewhere
		}
		j.bind(to, id.Text())
	}
}

// element reads the name of an element of JSX: one in small letters is the page's own.
func (j *javascript) element(n syntax.Node, in *scope) {
	name := n.Child("name")
	for c := range n.NamedChildren() {
		own := c == name && c.Is("identifier") && (strings.Contains(c.Text(), "-") || unicode.IsLower([]rune(c.Text())[0]))
		if !own {
			j.walk(c, in)
		}
	}
}

// comment believes what a comment says to be defined elsewhere: /* global a, b:writable */.
func (j *javascript) comment(text string) {
	words := strings.FieldsFunc(strings.Trim(text, "/*"), func(r rune) bool { return unicode.IsSpace(r) || r == ',' })
	if len(words) == 0 || words[0] != "global" && words[0] != "globals" {
		return
	}
	for _, w := range words[1:] {
		name, _, _ := strings.Cut(w, ":")
		j.excused[name] = true
	}
}
